"""One split in all processes: hash seeds, threads, kernels compiled or not, forms, chunks of rows.

    python -m reliability.properties.digests FORM [compiled | plain]

prints the digest of each case, one per line.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

import evenfold
from evenfold._kernels import compiler
from evenfold.exceptions import ImpossibleSplit

from ..records import Table
from .cases import Case, draw_case
from .forms import list_labels, name_columns

N_CASES = 200
THREADS = ("OMP_NUM_THREADS", "NUMBA_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# Each setting: the form of the labels, the kernels, and the environment.
SETTINGS: dict[str, tuple[str, str, Mapping[str, str]]] = {
    "as it is": ("drawn", "usual", {}),
    "PYTHONHASHSEED=0": ("drawn", "usual", {"PYTHONHASHSEED": "0"}),
    "PYTHONHASHSEED=12345": ("sets", "usual", {"PYTHONHASHSEED": "12345"}),
    "1 thread": ("drawn", "usual", dict.fromkeys(THREADS, "1")),
    "4 threads": ("drawn", "usual", dict.fromkeys(THREADS, "4")),
    "kernels compiled from the start": ("drawn", "compiled", {}),
    "kernels never compiled": ("drawn", "plain", {}),
    "array": ("array", "usual", {}),
    "CSR": ("csr", "usual", {}),
    "Arrow, chunks of 7 rows": ("chunks", "usual", {}),
}


@dataclass(frozen=True)
class Compared:
    """How many cases each setting has, and how many of them differ from the first setting."""

    n_different: Mapping[str, int]
    n_cases: int

    @property
    def n_failed(self) -> int:
        """Cases that differ, over all settings."""
        return sum(self.n_different.values())

    def make_table(self) -> Table:
        """Return the table of the record."""
        rows = [[name, self.n_cases, number] for name, number in self.n_different.items()]
        caption = "The same cases in a process of their own, compared by digest:"
        return Table(["process", "cases", "different"], rows, caption)


def compare_settings(n_cases: int = N_CASES, n_jobs: int = 1) -> Compared:
    """Run the cases with each setting, and count those with another digest than with the first."""
    with ThreadPoolExecutor(n_jobs) as pool:
        digests = pool.map(lambda name: run_setting(name, n_cases), SETTINGS)
        printed = dict(zip(SETTINGS, digests, strict=True))
    first = printed[next(iter(SETTINGS))]
    return Compared(
        {
            name: sum(own != other for own, other in zip(first, digests, strict=True))
            for name, digests in printed.items()
        },
        n_cases,
    )


def run_setting(name: str, n_cases: int) -> list[str]:
    """Return the digests that a process with this setting prints."""
    form, kernels, environment = SETTINGS[name]
    return subprocess.run(
        [sys.executable, "-m", __name__, form, kernels, str(n_cases)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()


def digest_case(case: Case, form: str) -> str:
    """Return a digest of the parts of all rows, and of what was measured."""
    try:
        s = case.call(**({} if form == "drawn" or case.given is None else {"y": give(case, form)}))
    except ImpossibleSplit as error:
        return hashlib.sha256(str(error).encode()).hexdigest()[:16]
    quality: Any = s.quality
    measured = [quality.ed, quality.rld, quality.ld, quality.dcp, quality.bound.rld, quality.flz]
    content = np.asarray(s.part_of_row, "<i4").tobytes() + repr(measured).encode()
    return hashlib.sha256(content).hexdigest()[:16]


def give(case: Case, form: str) -> Any:
    """Return the labels in a form; those with NaN as an array, if the form cannot hold them."""
    y: NDArray[Any] = case.y
    if form == "csr":
        return sparse.csr_array(y)
    if case.has_unknown or form == "array":
        return y
    if form == "sets":
        return _keep_all_labels(case, [set(row) for row in list_labels(y)])
    columns = {
        name: pa.chunked_array([column[at : at + 7] for at in range(0, len(column), 7)])
        for name, column in zip(name_columns(y), y.T.copy(), strict=True)
    }
    return pa.table(columns)


def _keep_all_labels(case: Case, sets: list[set[str]]) -> Any:
    """Return sets; an array if a label has no row, because sets have other labels then."""
    return sets if case.y.any(axis=0).all() else case.y


def choose_kernels(kernels: str) -> None:
    """Run kernels compiled from the first step on, or never, or as usual."""
    if kernels == "compiled":
        compiler.Kernel.for_work = lambda self, n_steps: self.compiled
    if kernels == "plain":
        compiler.Kernel.for_work = lambda self, n_steps: self.function


def main(form: str, kernels: str = "usual", n_cases: str = str(N_CASES)) -> None:
    """Print the digest of each case."""
    assert evenfold.__version__
    choose_kernels(kernels)
    for seed in range(int(n_cases)):
        print(digest_case(draw_case(np.random.default_rng([1, seed])), form))


if __name__ == "__main__":
    main(*sys.argv[1:])

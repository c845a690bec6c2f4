"""evenfold's methods beside the packages it replaces: same labels, same run, in turns.

Part of `make bench`.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

import evenfold
from evenfold.quality import Quality

from .data import read_labels
from .iterstrat import join_folds, split_by_iterstrat
from .memory import measure_extra_memory
from .tables import print_heading, print_row
from .timing import time_in_turns

# A job that takes longer is timed once, and its memory is not measured.
MAX_SECONDS_TO_REPEAT = 20.0
PACKAGES = ("iterative-stratification", "scikit-multilearn-ng", "optisplit")
REAL_DATA = ("bibtex", "delicious")

INTRODUCTION = """\
# evenfold beside other packages, 5 folds

{versions}, NumPy {numpy}.

All jobs run in one process, in turns. The minimum of several runs counts. Times are multiples of
the time of evenfold's method of the same kind; for evenfold's own methods, that is `iterative`.
Memory is the peak beyond the input. optisplit uses the name `np.int`, which NumPy no longer has.
The benchmark defines that name and changes nothing else."""

Place = Callable[[sparse.csr_array, np.ndarray], np.ndarray]


class Splitter(NamedTuple):
    """A way to make five folds.

    `place` takes the sparse and the dense labels and returns the part of each row. `compared_with`
    is the title of evenfold's method of the same kind.
    """

    place: Place
    compared_with: str = "evenfold iterative"


def run_skmultilearn(order: int, seed: int | None = None) -> Place:
    """Return a run of scikit-multilearn-ng at this order.

    With a seed, that package shuffles the labels and does not map the folds back.
    """

    def run(_: sparse.csr_array, dense: np.ndarray) -> np.ndarray:
        from skmultilearn.model_selection import IterativeStratification

        splitter = IterativeStratification(n_splits=5, order=order, random_state=seed)
        folds = splitter.split(np.zeros((len(dense), 1)), dense)
        return join_folds(len(dense), (test for _, test in folds))

    return run


def run_optisplit(measure: str) -> Place:
    """Return a run of the package optisplit with its own defaults. Its output is not shown."""

    def run(y: sparse.csr_array, _: np.ndarray) -> np.ndarray:
        from optisplit.cv_balance import optisplit

        np.int = int  # noqa: NPY001 - optisplit needs the old name
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            folds = optisplit(5, sparse.csr_matrix(y.astype(np.int64)), method=measure)
        return join_folds(y.shape[0], (test for _, test in folds))

    return run


def run_evenfold(**options: object) -> Place:
    """Return a run of evenfold on the sparse matrix."""
    return lambda y, _: evenfold.split(y, 5, **options).part_of_row


SPLITTERS = {
    "evenfold even": Splitter(run_evenfold()),
    "evenfold even, order 1": Splitter(run_evenfold(order=1)),
    "evenfold iterative": Splitter(run_evenfold(method="iterative")),
    "iterative-stratification": Splitter(lambda _, dense: split_by_iterstrat(dense, 5)),
    "scikit-multilearn-ng, order 1": Splitter(run_skmultilearn(1)),
    "scikit-multilearn-ng, order 1, seeded": Splitter(run_skmultilearn(1, seed=0)),
    "evenfold iterative, order 2": Splitter(run_evenfold(method="iterative", order=2)),
    "scikit-multilearn-ng, order 2": Splitter(run_skmultilearn(2), "evenfold iterative, order 2"),
    "evenfold optisplit": Splitter(run_evenfold(method="optisplit")),
    "optisplit": Splitter(run_optisplit("rld"), "evenfold optisplit"),
    "evenfold optisplit, dcp": Splitter(run_evenfold(method=evenfold.methods.OptiSplit("dcp"))),
    "optisplit, dcp": Splitter(run_optisplit("dcp"), "evenfold optisplit, dcp"),
}


def main() -> None:
    """Print one table for each data set."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    parser.add_argument("--only", nargs="*", help="names of the data sets to run")
    arguments = parser.parse_args()
    labels = {"made": evenfold.datasets.make_zipf(4_000, 60, labels_per_row=3, exponent=0.8)}
    for name in REAL_DATA if arguments.data else ():
        y = read_labels(arguments.data, name)
        if y is not None:
            labels[name] = y
    versions = ", ".join(f"{package} {version(package)}" for package in PACKAGES)
    print(INTRODUCTION.format(versions=versions, numpy=np.__version__))
    for name, y in labels.items():
        if not arguments.only or name in arguments.only:
            print_table(name, y)


def print_table(name: str, y: sparse.csr_array) -> None:
    """Run every splitter on these labels and print one row for each."""
    seconds, part_of_row = run_all(y)
    quality = {title: evenfold.measure(y, part, 5) for title, part in part_of_row.items()}
    print(f"\n## {name}: {y.shape[0]:,} × {y.shape[1]:,}, {y.nnz:,} entries\n")
    print_heading(
        [
            "",
            "time",
            "ED",
            "LD",
            "rLD",
            "above bound",
            "DCP",
            "FLZ",
            "FLPZ",
            "rLD pairs",
            "rLD labelsets",
            "memory",
        ]
    )
    for title, own in quality.items():
        ratio = seconds[title] / seconds[SPLITTERS[title].compared_with]
        memory = measure_memory(y, title, seconds[title])
        print_row(
            [title, f"{ratio:.3g}", *format_measures(own, f"{100 * own.excess:.1f} %"), memory]
        )
    print_row(["bound", "", *format_measures(quality["evenfold even"].bound, ""), ""])


def run_all(y: sparse.csr_array) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Return the seconds and the part of each row of every splitter."""
    dense = y.toarray()
    part_of_row: dict[str, np.ndarray] = {}

    def make_job(title: str) -> Callable[[], None]:
        def run() -> None:
            part_of_row[title] = SPLITTERS[title].place(y, dense)

        return run

    jobs = {title: make_job(title) for title in SPLITTERS}
    for title, job in jobs.items():
        if title.startswith("evenfold"):
            job()  # compiles and loads the kernels
    seconds = time_in_turns(jobs, repeats=1)
    short = {title: job for title, job in jobs.items() if seconds[title] < MAX_SECONDS_TO_REPEAT}
    again = time_in_turns(short, repeats=3)
    return seconds | {title: min(seconds[title], again[title]) for title in again}, part_of_row


def format_measures(values: Quality, excess: str) -> list[str]:
    """Return the cells of a quality or of its bounds."""
    return [
        f"{values.ed:.1f}",
        f"{values.ld:.5f}",
        f"{values.rld:.4f}",
        excess,
        f"{values.dcp:.4f}",
        f"{values.flz:,}",
        f"{values.flpz:,}",
        f"{values.rld_pairs:.4f}",
        f"{values.rld_labelsets:.4f}",
    ]


def measure_memory(y: sparse.csr_array, title: str, seconds: float) -> str:
    """Return the peak memory of a splitter, with the dense copy of the labels if it needs one."""
    if seconds > MAX_SECONDS_TO_REPEAT:
        return "not measured"
    # evenfold compiles only for many rows. Compiling must not be counted.
    n_copies = 1000 if title.startswith("evenfold") else 10
    setup = f"""
from benchmarks.peers import SPLITTERS
place = SPLITTERS[{title!r}].place
small = sparse.csr_array(sparse.eye(40, 8, format="csr"))
warm_up = sparse.csr_array(sparse.vstack([small] * {n_copies}))
place(warm_up, warm_up.toarray())
"""
    needs_dense = title.startswith(("iterative-", "scikit-"))
    job = "place(y, y.toarray())" if needs_dense else "place(y, None)"
    extra, _ = measure_extra_memory(y, setup, job)
    return f"{extra / 2**20:.0f} MB"


if __name__ == "__main__":
    main()

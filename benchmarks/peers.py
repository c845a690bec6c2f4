"""evenfold's methods beside the packages people leave for it: same labels, same run, in turns. Part of `make bench`."""

from __future__ import annotations

import argparse
import contextlib
import io
import sys
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

import evenfold

from .data import read_labels
from .memory import measure_extra
from .timing import time_together

# A job that takes longer than this is timed once, and its memory is not measured in a run of its own.
_LONG = 20.0


class Contender(NamedTuple):
    """A way to make five folds: `place` takes the labels, sparse and dense, and returns the part of each row; `beside` is ours that does the same."""

    place: Callable[[sparse.csr_array, np.ndarray], np.ndarray]
    beside: str = ""


def run_iterstrat(_: sparse.csr_array, dense: np.ndarray) -> np.ndarray:
    """Run iterative-stratification, as its README does."""
    from iterstrat.ml_stratifiers import MultilabelStratifiedKFold

    return join(
        len(dense),
        (
            test
            for _, test in MultilabelStratifiedKFold(5, shuffle=True, random_state=0).split(
                dense, dense
            )
        ),
    )


def run_skmultilearn(
    order: int, seed: int | None = None
) -> Callable[[sparse.csr_array, np.ndarray], np.ndarray]:
    """Return a run of scikit-multilearn-ng at this order; without a seed its splits are what it means them to be."""

    def run(_: sparse.csr_array, dense: np.ndarray) -> np.ndarray:
        from skmultilearn.model_selection import IterativeStratification

        splitter = IterativeStratification(n_splits=5, order=order, random_state=seed)
        return join(
            len(dense), (test for _, test in splitter.split(np.zeros((len(dense), 1)), dense))
        )

    return run


def run_optisplit(measure: str) -> Callable[[sparse.csr_array, np.ndarray], np.ndarray]:
    """Return a run of the package optisplit at its own defaults, with the one old name of NumPy that it needs; what it prints is not shown."""

    def run(y: sparse.csr_array, _: np.ndarray) -> np.ndarray:
        from optisplit.cv_balance import optisplit

        np.int = int  # noqa: NPY001 - theirs
        with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            folds = optisplit(5, sparse.csr_matrix(y.astype(np.int64)), method=measure)
        return join(y.shape[0], (test for _, test in folds))

    return run


def run_evenfold(**settings: object) -> Callable[[sparse.csr_array, np.ndarray], np.ndarray]:
    """Return a run of evenfold, on the sparse matrix."""
    return lambda y, _: evenfold.split(y, 5, **settings).part_of_row


def join(n_rows: int, folds: object) -> np.ndarray:
    """Return the fold of each row."""
    part = np.empty(n_rows, np.int64)
    for number, rows in enumerate(folds):
        part[rows] = number
    return part


CONTENDERS = {
    "evenfold even": Contender(run_evenfold()),
    "evenfold even, order 1": Contender(run_evenfold(order=1)),
    "evenfold iterative": Contender(run_evenfold(method="iterative")),
    "iterative-stratification": Contender(run_iterstrat, "evenfold iterative"),
    "scikit-multilearn-ng, order 1": Contender(run_skmultilearn(1), "evenfold iterative"),
    "scikit-multilearn-ng, order 1, seeded": Contender(
        run_skmultilearn(1, seed=0), "evenfold iterative"
    ),
    "evenfold iterative, order 2": Contender(run_evenfold(method="iterative", order=2)),
    "scikit-multilearn-ng, order 2": Contender(run_skmultilearn(2), "evenfold iterative, order 2"),
    "evenfold optisplit": Contender(run_evenfold(method="optisplit")),
    "optisplit": Contender(run_optisplit("rld"), "evenfold optisplit"),
    "evenfold optisplit, dcp": Contender(run_evenfold(method=evenfold.methods.OptiSplit("dcp"))),
    "optisplit, dcp": Contender(run_optisplit("dcp"), "evenfold optisplit, dcp"),
}


def main() -> None:
    """Print one table for each set of labels."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    parser.add_argument("--only", nargs="*", help="names of the sets to run")
    asked = parser.parse_args()
    sets = {"made": evenfold.datasets.make_zipf(4_000, 60, labels_per_row=3, exponent=0.8)}
    for name in ("bibtex", "delicious"):
        real = read_labels(asked.data, name) if asked.data else None
        if real is not None:
            sets[name] = real
    peers = ", ".join(
        f"{package} {version(package)}"
        for package in ("iterative-stratification", "scikit-multilearn-ng", "optisplit")
    )
    print(
        f"# Beside other packages, 5 folds\n\n{peers}, NumPy {np.__version__}. Times are of one process, in turns, the least of several runs, as multiples of"
    )
    print(
        "evenfold's method of the same kind (of `iterative` for evenfold's own). Peak memory is beyond the input, as a multiple of its CSR form."
    )
    print(
        "optisplit uses `np.int`, which NumPy no longer has: it is given that name, and nothing else of it is changed."
    )
    for name, y in sets.items():
        if not asked.only or name in asked.only:
            print_table(name, y)


def print_table(name: str, y: sparse.csr_array) -> None:
    """Run every contender on these labels."""
    dense = y.toarray()
    kept: dict[str, np.ndarray] = {}

    def job(title: str) -> Callable[[], None]:
        def run() -> None:
            kept[title] = CONTENDERS[title].place(y, dense)

        return run

    jobs = {title: job(title) for title in CONTENDERS}
    ours = [title for title in jobs if title.startswith("evenfold")]
    for title in ours:
        jobs[title]()  # compiled, loaded
    seconds = time_together(jobs, repeats=1)
    short = {title: run for title, run in jobs.items() if seconds[title] < _LONG}
    again = time_together(short, repeats=3)
    seconds |= {title: min(seconds[title], again[title]) for title in again}
    quality = {title: evenfold.measure(y, part, 5) for title, part in kept.items()}
    bound = quality["evenfold even"].bound
    print(f"\n## {name}: {y.shape[0]:,} × {y.shape[1]:,}, {y.nnz:,} entries\n")
    print(
        "| | time | ED | LD | rLD | over bound | DCP | FLZ | FLPZ | rLD pairs | rLD labelsets | memory |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for title, own in quality.items():
        beside = CONTENDERS[title].beside or "evenfold iterative"
        print(
            f"| {title} | {seconds[title] / seconds[beside]:.3g} | {own.ed:.1f} | {own.ld:.5f} | {own.rld:.4f} | {100 * own.excess:.1f} % | {own.dcp:.4f} | "
            f"{own.flz:,} | {own.flpz:,} | {own.rld_pairs:.4f} | {own.rld_labelsets:.4f} | {show_memory(y, title, seconds[title])} |"
        )
    print(
        f"| bound | | {bound.ed:.1f} | {bound.ld:.5f} | {bound.rld:.4f} | | {bound.dcp:.4f} | {bound.flz:,} | {bound.flpz:,} | {bound.rld_pairs:.4f} | "
        f"{bound.rld_labelsets:.4f} | |"
    )
    sys.stdout.flush()


def show_memory(y: sparse.csr_array, title: str, seconds: float) -> str:
    """Return the peak memory of a contender, its dense copy included where it needs one; what takes long is not run again for it."""
    if seconds > _LONG:
        return "not measured"
    setup = f"from benchmarks.peers import CONTENDERS\nplace = CONTENDERS[{title!r}].place\nsmall = sparse.csr_array(sparse.eye(40, 8, format='csr'))\n"
    # Large enough that evenfold compiles, which is not to be counted.
    setup += f"warm = sparse.csr_array(sparse.vstack([small] * {1000 if title.startswith('evenfold') else 10}))\nplace(warm, warm.toarray())"
    needs_dense = title.startswith(("iterative-", "scikit-"))
    extra, _ = measure_extra(y, setup, "place(y, y.toarray())" if needs_dense else "place(y, None)")
    return f"{extra / 2**20:.0f} MB"


if __name__ == "__main__":
    main()

"""Speed and quality of evenfold, beside the bounds and the time to read the labels once.

Part of `make bench`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from scipy import sparse

import evenfold
from evenfold.quality import Quality

from .data import read_labels
from .memory import measure_extra_memory
from .tables import print_heading, print_row
from .timing import time_in_turns

SMALL_DATA = ["scene", "emotions", "yeast", "genbase", "medical", "enron", "corel5k", "tmc2007"]
LARGE_DATA = ["bibtex", "delicious", "wiki10_31k", "go_sp2014_mf"]
TRAIN_VAL_TEST = (0.8, 0.1, 0.1)
# The options of `evenfold.split` for each column, and the number of seeds.
SETTINGS = {
    "fast": ({"order": 1, "effort": "fast"}, 3),
    "normal": ({"order": 1}, 3),
    "best": ({"order": 1, "effort": "best"}, 1),
}
# Compiles the kernels, so that a measured split does not.
WARM_UP = "import evenfold\nevenfold.split([['a'], ['b']] * 50_000, 2, order=1)"


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    folder = parser.parse_args().data
    if folder:
        print_excess(folder)
    print_times_by_size()


def print_excess(folder: Path) -> None:
    """Print how close `even` comes to the bound on each data set, for each effort."""
    print("\n## even, order 1: rLD above its bound, mean of 3 seeds\n")
    print_heading(
        [
            "data",
            "parts",
            "fast",
            "normal",
            "best (1 seed)",
            "FLZ above bound",
            "ED above bound",
        ]
    )
    cases = [
        *((name, 10) for name in SMALL_DATA),
        *((name, 5) for name in LARGE_DATA),
        *((name, TRAIN_VAL_TEST) for name in [*SMALL_DATA, *LARGE_DATA]),
    ]
    for name, parts in cases:
        y = read_labels(folder, name)
        if y is not None:
            shown = parts if isinstance(parts, int) else "80/10/10"
            print_row([name, shown, *measure_excess(y, parts)])


def measure_excess(y: sparse.csr_array, parts: int | Sequence[float]) -> list[str]:
    """Return the cells of one data set."""
    found = {
        title: [
            evenfold.split(y, parts, random_state=seed, **options).quality
            for seed in range(n_seeds)
        ]
        for title, (options, n_seeds) in SETTINGS.items()
    }
    excess = [
        f"{100 * np.mean([quality.excess for quality in found[title]]):.2f} %" for title in SETTINGS
    ]
    normal = found["normal"]
    return [
        *excess,
        f"{max(quality.flz - quality.bound.flz for quality in normal)}",
        f"{max(abs(quality.ed - quality.bound.ed) for quality in normal):.2f}",
    ]


def print_times_by_size() -> None:
    """Print times beside SciPy's `tocsc()`, which reads and writes every entry once."""
    print("\n## Times beside SciPy's tocsc(), 5 folds, order 1, labels of an ontology\n")
    print_heading(
        [
            "rows × labels",
            "entries",
            "iterative / tocsc()",
            "even / tocsc()",
            "even per entry, first = 1",
            "rLD even",
            "bound",
            "peak extra memory / CSR",
        ]
    )
    # Compile before the first measurement.
    evenfold.split(evenfold.datasets.make_zipf(20_000, 100, labels_per_row=10), 5)
    first = None
    for n_rows in (67_500, 135_000, 270_000, 540_000):
        y, _ = evenfold.datasets.make_ontology(n_rows, 11_000, most_specific=12)
        seconds = time_methods(y)
        per_entry = seconds["even"] / y.nnz
        first = first or per_entry
        quality: Quality = evenfold.split(y, 5, order=1).quality
        extra, own = measure_extra_memory(y, WARM_UP, "evenfold.split(y, 5, order=1)")
        print_row(
            [
                f"{n_rows:,} × 11,000",
                f"{y.nnz:,}",
                f"{seconds['iterative'] / seconds['tocsc']:.1f}",
                f"{seconds['even'] / seconds['tocsc']:.1f}",
                f"{per_entry / first:.2f}",
                f"{quality.rld:.5f}",
                f"{quality.bound.rld:.5f}",
                f"{extra / own:.1f}",
            ]
        )


def time_methods(y: sparse.csr_array) -> dict[str, float]:
    """Return the seconds of `tocsc()`, of `iterative` and of `even`."""
    return time_in_turns(
        {
            "tocsc": y.tocsc,
            "iterative": lambda: evenfold.split(y, 5, method="iterative"),
            "even": lambda: evenfold.split(y, 5, order=1),
        },
        repeats=3,
    )


if __name__ == "__main__":
    main()

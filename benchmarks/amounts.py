"""Splits by amounts alone: between-part sum of squares and processor time of each method.

    python -m benchmarks.amounts [--data DIR]

The sum is Σ_j n_j ‖mean_j - mean‖² over columns divided by their standard deviation. npi and
abalone are read from DIR; the set of 500,000 rows is generated. Calls are warm: each is made twice,
and the second one counts.
"""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import numpy as np

import evenfold

from .data import make_amounts

CASES = {"abalone": (4, 20), "npi": (5, 50, 1000)}


def find_spread(values: np.ndarray, part_of_row: np.ndarray) -> float:
    """Return the between-part sum of squares of standardised columns."""
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    rows = np.bincount(part_of_row)
    sums = np.array([np.bincount(part_of_row, column) for column in values.T])
    return float((sums**2 / rows).sum())


def measure(name: str, values: np.ndarray, n_parts: int) -> None:
    """Print one line for each method and effort."""
    for label, keywords in {
        "assignment": {"method": "assignment"},
        "even, fast": {"effort": "fast"},
        "even": {},
    }.items():
        for _ in range(2):
            began = time.process_time()
            s = evenfold.split(balance=values, parts=n_parts, **keywords)
            seconds = time.process_time() - began
        spread = find_spread(values, s.part_of_row)
        print(f"{name:10} {n_parts:5} parts  {label:10}  {spread:10.5g}  {seconds:6.2f} s")


def main() -> None:
    """Measure every case."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path)
    folder = parser.parse_args().data
    for name, parts in CASES.items() if folder else ():
        values = np.loadtxt(folder / name / "features.csv.gz", delimiter=",")
        for n_parts in parts:
            measure(name, values, n_parts)
    measure("500,000 × 2", make_amounts(), 100)


if __name__ == "__main__":
    main()

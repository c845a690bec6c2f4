"""Splits by amounts alone: between-part sum of squares and processor time of each method.

The sum is Σ_j n_j ‖mean_j - mean‖² over columns divided by their standard deviation. npi and
abalone are stored; the set of 500,000 rows is generated. Calls are warm: each is made twice, and
the second one counts.
"""

from __future__ import annotations

import time

import numpy as np

import evenfold

from .data import make_amounts
from .sections.settings import Settings
from .tables import RecordTable

CASES = {"abalone": (4, 20), "npi": (5, 50, 1000)}
WAYS: dict[str, dict[str, object]] = {
    "assignment": {"method": "assignment"},
    "even, fast": {"effort": "fast"},
    "even": {},
}
FORMATS = {"data": "", "parts": ",", "split": "", "sum": ".5g", "ms": ",.0f"}


def measure_amounts(settings: Settings) -> list[dict[str, object]]:
    """Return a record for each set, number of parts and way to split."""
    table = RecordTable("Splits by amounts alone", FORMATS)
    for name, parts in CASES.items():
        path = settings.folder and settings.folder / name / "features.csv.gz"
        if path and path.exists():
            values = np.loadtxt(path, delimiter=",")
            for n_parts in parts:
                measure(table, name, values, n_parts)
    measure(table, "500,000 × 2", make_amounts(), 100)
    return table.records


def measure(table: RecordTable, name: str, values: np.ndarray, n_parts: int) -> None:
    """Add a record for each way to split."""
    for title, keywords in WAYS.items():
        for _ in range(2):
            began = time.process_time()
            s = evenfold.split(balance=values, parts=n_parts, **keywords)
            seconds = time.process_time() - began
        table.add(
            {
                "data": name,
                "parts": n_parts,
                "split": title,
                "sum": find_spread(values, s.part_of_row),
                "ms": 1000 * seconds,
            }
        )


def find_spread(values: np.ndarray, part_of_row: np.ndarray) -> float:
    """Return the between-part sum of squares of standardised columns."""
    values = (values - values.mean(axis=0)) / values.std(axis=0)
    rows = np.bincount(part_of_row)
    sums = np.array([np.bincount(part_of_row, column) for column in values.T])
    return float((sums**2 / rows).sum())

"""Splits of real label matrices by every method. All tables share them."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

import evenfold
from evenfold.methods import Iterative, OptiSplit, OptiSplitPublished
from evenfold.quality.measures import find_measure

from ..data import read_labels
from .split_records import Run, SplitRecords, make_stamp, round_run

Parts = int | tuple[float, ...]

MEASURES = ("ed", "ld", "rld", "dcp", "fz", "flz")
TITLE_OF_MEASURE = {name: find_measure(name).title for name in MEASURES}
# Iterative stratification as in the paper, which takes the rows of a label in random order.
SHUFFLED = "iterative (rows shuffled)"

# The options of `evenfold.split` for each title.
SETTINGS: dict[str, dict[str, Any]] = {
    "even": {"method": "even"},
    "even (order 1)": {"method": "even", "order": 1},
    "random": {"method": "random"},
    "labelset": {"method": "labelset"},
    "iterative": {"method": "iterative"},
    SHUFFLED: {"method": Iterative(fullest_first=False)},
    "iterative (order 2)": {"method": "iterative", "order": 2},
    "svd": {"method": "svd"},
    "optisplit (rLD)": {"method": OptiSplit(measure="rld")},
    "optisplit (DCP)": {"method": OptiSplit(measure="dcp")},
    "optisplit-published (rLD)": {"method": OptiSplitPublished(measure="rld")},
    "optisplit-published (DCP)": {"method": OptiSplitPublished(measure="dcp")},
    "sampling": {"method": "sampling"},
    "sampling-published": {"method": "sampling-published"},
    "pmbsrs": {"method": "pmbsrs"},
}
# Methods that are not run on a data set, and why.
TOO_SLOW = {("go_sp2014_mf", "svd"): "more than a minute per run"}


@dataclass(frozen=True)
class Runs:
    """Measures of several runs of one method on the same labels.

    `values` and `bounds` are arrays of shape (n_runs, n_measures), `seconds` is (n_runs,):
    processor time.
    """

    values: NDArray[np.float64]
    bounds: NDArray[np.float64]
    seconds: NDArray[np.float64]

    def mean(self, measure: str) -> float:
        """Return the mean over runs."""
        return float(self.values[:, MEASURES.index(measure)].mean())

    def bound(self, measure: str) -> float:
        """Return the mean of the bound over runs. The bound depends on the sizes of a run."""
        return float(self.bounds[:, MEASURES.index(measure)].mean())

    def median_seconds(self) -> float:
        """Return the median time of a split: the first one may also compile."""
        return float(np.median(self.seconds))

    def expect(self, measure: str, n_runs: int) -> tuple[float, float]:
        """Return the range that has the mean of `n_runs` more runs in 95 % of cases."""
        own = self.values[:, MEASURES.index(measure)]
        reach = 1.96 * own.std(ddof=1) * np.sqrt(1 / n_runs + 1 / len(own))
        return float(own.mean() - reach), float(own.mean() + reach)


class Experiments:
    """Splits of the label matrices in a folder. Each is made once; its measures are kept.

    With records, splits whose measures are recorded are not made.
    """

    def __init__(self, folder: Path, records: SplitRecords | None = None) -> None:
        self.folder = folder
        self._records = records
        self._labels: dict[str, sparse.csr_array | None] = {}
        self._measured: dict[tuple[str, Parts, str], list[Run]] = {}
        self._stamps: dict[tuple[str, str], str] = {}

    def read(self, name: str) -> sparse.csr_array | None:
        """Return the labels of that name, or None if the folder does not have them."""
        if name not in self._labels:
            self._labels[name] = read_labels(self.folder, name)
        return self._labels[name]

    def available(self, names: Iterable[str]) -> list[str]:
        """Return those of the names that the folder has."""
        return [name for name in names if self.read(name) is not None]

    def run(self, name: str, parts: Parts, title: str, n_runs: int) -> Runs:
        """Return the measures of the seeds 0, 1, …, `n_runs` - 1."""
        key = f"{name}, {format_parts(parts)}, {title}"
        if (name, parts, title) not in self._measured:
            self._measured[name, parts, title] = (
                self._records.find(key, self._stamp(name, title)) if self._records else []
            )
        measured = self._measured[name, parts, title]
        if len(measured) < n_runs:
            print_progress(f"{key}, {n_runs} runs")
            for seed in range(len(measured), n_runs):
                start = time.process_time()
                s = evenfold.split(self.read(name), parts, random_state=seed, **SETTINGS[title])
                seconds = time.process_time() - start
                measured.append(
                    round_run(
                        [s.quality.value_of(measure) for measure in map(find_measure, MEASURES)],
                        [s.quality.bound_of(measure) for measure in map(find_measure, MEASURES)],
                        seconds,
                    )
                )
            if self._records:
                self._records.put(key, self._stamp(name, title), measured)
        return Runs(*map(np.array, zip(*measured[:n_runs], strict=True)))

    def _stamp(self, name: str, title: str) -> str:
        """Return what decides the splits of a data set by a method."""
        if (name, title) not in self._stamps:
            self._stamps[name, title] = make_stamp(self.read(name), SETTINGS[title])
        return self._stamps[name, title]


def format_parts(parts: Parts) -> str:
    """Return the parts in words."""
    if isinstance(parts, int):
        return f"{parts} folds"
    return " and ".join(str(Fraction(share).limit_denominator(100)) for share in parts)


def print_progress(message: str) -> None:
    """Print on stderr what is being done."""
    print(message, file=sys.stderr, flush=True)

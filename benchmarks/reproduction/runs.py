"""Splits of real label matrices by every method, each made once and shared by all tables."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

import evenfold
from evenfold.methods import Iterative, OptiSplit

from ..data import read_labels

Parts = int | tuple[float, ...]

MEASURES = ("ed", "ld", "rld", "dcp", "fz", "flz")
TITLE_OF_MEASURE = {"ed": "ED", "ld": "LD", "rld": "rLD", "dcp": "DCP", "fz": "FZ", "flz": "FLZ"}
SHUFFLED = "iterative (rows shuffled)"

# What `evenfold.split` is asked for under each title.
CANDIDATES: dict[str, dict[str, Any]] = {
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
    "sampling": {"method": "sampling"},
    "pmbsrs": {"method": "pmbsrs"},
}
# What would take too long or too much memory for a page of some minutes, and why.
TOO_MUCH = {("go_sp2014_mf", "svd"): "more than a minute a run"}


@dataclass(frozen=True)
class Runs:
    """What several runs of one method on the same labels came to; `values` and `bounds` are (n_runs, n_measures)."""

    values: NDArray[np.float64]
    bounds: NDArray[np.float64]

    def mean(self, measure: str) -> float:
        """Return the mean over runs."""
        return float(self.values[:, MEASURES.index(measure)].mean())

    def bound(self, measure: str) -> float:
        """Return the mean over runs of the least value possible for the sizes of the run."""
        return float(self.bounds[:, MEASURES.index(measure)].mean())

    def expect(self, measure: str, n_runs: int) -> tuple[float, float]:
        """Return between which values the mean of `n_runs` further runs lies in 95 % of cases."""
        own = self.values[:, MEASURES.index(measure)]
        reach = 1.96 * own.std(ddof=1) * np.sqrt(1 / n_runs + 1 / len(own))
        return float(own.mean() - reach), float(own.mean() + reach)


class Workbench:
    """A folder of label matrices, and what every split of them made so far came to, so that no table makes it again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._labels: dict[str, sparse.csr_array | None] = {}
        self._made: dict[tuple[str, Parts, str], list[tuple[list[float], list[float]]]] = {}

    def read(self, name: str) -> sparse.csr_array | None:
        """Return the labels of that name, or None where they are not at hand."""
        if name not in self._labels:
            self._labels[name] = read_labels(self.folder, name)
        return self._labels[name]

    def at_hand(self, names: Iterable[str]) -> list[str]:
        """Return which of these the folder has."""
        return [name for name in names if self.read(name) is not None]

    def run(self, name: str, parts: Parts, title: str, n_runs: int) -> Runs:
        """Return what seeds 0, 1, … of that candidate come to."""
        made = self._made.setdefault((name, parts, title), [])
        if len(made) < n_runs:
            tell(f"{name}, {show_parts(parts)}, {title}, {n_runs} runs")
        for seed in range(len(made), n_runs):
            quality = evenfold.split(
                self.read(name), parts, random_state=seed, **CANDIDATES[title]
            ).quality
            made.append(
                (
                    [getattr(quality, measure) for measure in MEASURES],
                    [getattr(quality.bound, measure) for measure in MEASURES],
                )
            )
        values, bounds = zip(*made[:n_runs], strict=True)
        return Runs(np.array(values), np.array(bounds))


def show_parts(parts: Parts) -> str:
    """Show what is cut: folds, or two thirds and one."""
    return f"{parts} folds" if isinstance(parts, int) else "2/3 and 1/3"


def tell(progress: str) -> None:
    """Say on stderr what is being done."""
    print(progress, file=sys.stderr, flush=True)

"""Every measure from its definition, and the least of each over all splits of a tiny problem."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests import naive

Counts = tuple[int, ...]


@dataclass(frozen=True)
class Table:
    """Labels, pairs or labelsets as columns of 0, 1 and NaN, and the rows of each in the parts."""

    columns: NDArray[Any]
    part_of_row: NDArray[Any]
    n_parts: int

    def count(self) -> list[tuple[Counts, Counts]]:
        """Return the rows of each column in the parts, and the rows in which it is known."""
        found = []
        for column in self.columns.T:
            own = [column[self.part_of_row == part] for part in range(self.n_parts)]
            held = tuple(int((cells == 1).sum()) for cells in own)
            known = tuple(int((~np.isnan(cells.astype(float))).sum()) for cells in own)
            found.append((held, known))
        return found


def make_pairs(y: NDArray[Any]) -> NDArray[Any]:
    """Return a column for each pair of labels that some row holds; what is unknown is not held."""
    held = (y == 1).astype(int)
    pairs = [held[:, a] * held[:, b] for a, b in itertools.combinations(range(y.shape[1]), 2)]
    return _stack([pair for pair in pairs if pair.any()], len(y))


def make_labelsets(y: NDArray[Any]) -> NDArray[Any]:
    """Return a column for each distinct labelset, by first appearance."""
    sets = [tuple(row) for row in (y == 1).astype(int).tolist()]
    distinct = dict.fromkeys(sets)
    return _stack([[int(own == other) for own in sets] for other in distinct], len(y))


def _stack(columns: Sequence[Any], n_rows: int) -> NDArray[Any]:
    return np.array(columns, dtype=float).reshape(len(columns), n_rows).T


@functools.lru_cache(maxsize=100_000)
def rld(held: Counts, known: Counts) -> float:
    """Return rLD of a label; NaN without rows."""
    return naive.rld_of_label(held, known) if sum(held) else math.nan


@functools.lru_cache(maxsize=100_000)
def ld(held: Counts, known: Counts) -> float:
    """Return LD of a label; NaN without rows, and for a label that every row holds."""
    return naive.ld_of_label(held, known) if 0 < sum(held) < sum(known) else math.nan


def dcp(held: Counts, shares: Sequence[float]) -> float:
    """Return DCP of a label; NaN without rows."""
    return naive.dcp_of_label(held, shares) if sum(held) else math.nan


def mean(values: Sequence[float]) -> float:
    """Return the mean of the values that are defined; 0 if there are none."""
    defined = [value for value in values if not math.isnan(value)]
    return sum(defined) / len(defined) if defined else 0.0


def residual(held: Sequence[Sequence[float]], part: int) -> float:
    """Return |Z D W x| of a part, with x its indicator: Z = I - 1/K, W x the part's amounts."""
    totals = [sum(own) for own in held]
    shares = np.array([own[part] / total for own, total in zip(held, totals, strict=True)])
    if not len(shares):
        return 0.0
    z = np.eye(len(shares)) - np.ones((len(shares), len(shares))) / len(shares)
    return float(np.sqrt(((z @ shares) ** 2).sum()))


def measure_all(
    y: NDArray[Any], part_of_row: NDArray[Any], shares: Sequence[float]
) -> dict[str, float]:
    """Return each measure of a split by its name."""
    k = len(shares)
    sizes = [int((part_of_row == part).sum()) for part in range(k)]
    labels = Table(y, part_of_row, k).count()
    pairs = Table(make_pairs(y), part_of_row, k).count()
    sets = Table(make_labelsets(y), part_of_row, k).count()
    held = [own for own, _ in labels if sum(own)]
    mass = [[own[part] for own in held] for part in range(k)]
    whole = [sum(own) for own in held]
    return {
        "ed": naive.ed(sizes, shares),
        "ld": mean([ld(*own) for own in labels]),
        "rld": mean([rld(*own) for own in labels]),
        "dcp": mean([dcp(own, shares) for own, _ in labels]),
        "fz": _count_lacking_parts(held, k),
        "flz": sum(own.count(0) for own in held),
        "kl": mean([naive.kl(own, whole) if sum(own) else math.nan for own in mass]),
        "residual": max(residual(held, part) for part in range(k)),
        "lpd": mean([ld(*own) for own in pairs]),
        "rld_pairs": mean([rld(*own) for own in pairs]),
        "fzlp": _count_lacking_parts([own for own, _ in pairs], k),
        "flpz": sum(own.count(0) for own, _ in pairs),
        "labelset": mean([rld(*own) * sum(own[0]) / sum(own[1]) for own in sets]),
        "rld_labelsets": mean([rld(*own) for own in sets]),
    }


def _count_lacking_parts(held: Sequence[Counts], n_parts: int) -> int:
    return sum(any(own[part] == 0 for own in held) for part in range(n_parts))


def list_splits(group_of_row: NDArray[Any], n_parts: int) -> Iterator[NDArray[Any]]:
    """Yield every way to place the rows, with the groups whole."""
    group = np.unique(group_of_row, return_inverse=True)[1]
    for parts in itertools.product(range(n_parts), repeat=int(group.max()) + 1):
        yield np.array(parts)[group]


def find_least(
    y: NDArray[Any],
    group_of_row: NDArray[Any],
    sizes: Sequence[int],
    shares: Sequence[float],
) -> tuple[dict[str, float], dict[str, float]]:
    """Return the least of each measure of labels over all splits, and over those of these sizes.

    No label is unknown in any row.
    """
    of_any: dict[str, float] = {}
    of_sizes: dict[str, float] = {}
    seen = set()
    for part_of_row in list_splits(group_of_row, len(shares)):
        own_sizes = np.bincount(part_of_row, minlength=len(shares)).tolist()
        # What counts is how many rows with the same labels are in each part.
        content = tuple(sorted(zip(part_of_row.tolist(), map(tuple, y.tolist()), strict=True)))
        if content in seen:
            continue
        seen.add(content)
        values = measure_all(y, part_of_row, shares)
        for name, value in values.items():
            of_any[name] = min(value, of_any.get(name, math.inf))
            if own_sizes == list(sizes):
                of_sizes[name] = min(value, of_sizes.get(name, math.inf))
    return of_any, of_sizes


def best_of_label(name: str, m: int, known: Counts, shares: Sequence[float]) -> float:
    """Return the least LD, rLD or DCP of a label of m rows, whichever parts they are in."""
    if name == "dcp":
        return naive.best_of_label(lambda own: dcp(own, shares), m, [m] * len(known))
    function = ld if name == "ld" else rld
    return naive.best_of_label(lambda own: function(own, known), m, known)

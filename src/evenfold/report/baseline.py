"""Random splits of the same rows, measured: what a split is compared with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from ..exceptions import ImpossibleSplit
from ..labels.labels import Labels
from ..quality import Quality
from ..quality.balance import find_column_rld, measure_balance
from ..quality.measure_record import MeasureLevel
from ..quality.measures import LABEL_LEVELS, MEASURES
from ..quality.part_counts import PartCounts, take_rows
from ..quality.placement import Placement
from ..splits.make_split import make_split

# So many random splits are measured. Their number falls with the size of the data, so that all of
# them take about half a second; at least so many are measured always.
_MOST_SPLITS, _FEWEST_SPLITS = 99, 5
_MAX_WORK = 25_000_000
# The probability below which a value is told from those of random splits.
_MAX_PROBABILITY = 1e-3
# Names of values that are not those of a measure.
GROUPS = "groups per part"


class Baseline(NamedTuple):
    """Random splits, measured.

    Attributes
    ----------
    n_splits : int
        How many; 0 if no random split into these parts exists or can be measured.
    n_splits_of_pairs : int
        The first so many are also measured by label pairs and labelsets, which takes longer.
    values : mapping of str to ndarray
        The values of the random splits by name: of measures, of sets of labels, of balanced
        columns, and of the groups per part.
    note : str
        Why there is none; else empty.
    """

    n_splits: int
    n_splits_of_pairs: int
    values: Mapping[str, NDArray[np.float64]]
    note: str

    def mean(self, name: str) -> float | None:
        """Return the mean of a value; None if there is no random split."""
        values = self.values.get(name)
        return None if values is None else float(np.mean(values))

    def spread(self, name: str) -> float | None:
        """Return the standard deviation of a value."""
        values = self.values.get(name)
        if values is None:
            return None
        # The mean of equal values may differ from them in the last digit, and the deviation from 0.
        return float(np.std(values, ddof=1)) if np.ptp(values) else 0.0

    def range(self, name: str) -> tuple[float, float] | None:
        """Return the lowest and the highest value."""
        values = self.values.get(name)
        return None if values is None else (float(values.min()), float(values.max()))

    def quantile(self, name: str, value: float) -> float | None:
        """Return the share of the random splits that have this value or a smaller one."""
        values = self.values.get(name)
        return None if values is None else float(np.mean(values <= value))

    def is_below(self, name: str, value: float) -> bool | None:
        """Return whether a value is below what random splits have.

        It must be below that of each of them, and so far that less than one random split in a
        thousand is expected there (Student's t distribution, for a further draw).
        """
        values = self.values.get(name)
        return None if values is None else _is_outside(-values, -value)

    def is_above(self, name: str, value: float) -> bool | None:
        """Return whether a value is above what random splits have, in the same sense."""
        values = self.values.get(name)
        return None if values is None else _is_outside(values, value)


def _is_outside(values: NDArray[np.float64], value: float) -> bool:
    """Return whether a value is above all others, and improbable as one more of them."""
    if value <= values.max() or np.isclose(value, values.max(), rtol=1e-9, atol=1e-12):
        return False
    spread = float(np.std(values, ddof=1)) * np.sqrt(1 + 1 / len(values))
    if not spread:
        return True
    tail = scipy.special.stdtr(len(values) - 1, -(value - values.mean()) / spread)
    return bool(tail < _MAX_PROBABILITY)


def measure_random(
    quality: Quality,
    sets: Mapping[str, NDArray[np.int64]],
    levels: Sequence[MeasureLevel] = (),
) -> Baseline:
    """Split the rows of a quality at random, as the method `random` does, and measure each split.

    Groups stay whole if they were. Random states are 0, 1, 2, ….

    Parameters
    ----------
    quality : Quality
        The measured split.
    sets : mapping of str to ndarray
        Numbers of labels whose mean rLD is wanted, by name.
    levels : sequence of {"pairs", "labelsets"}, default=()
        What is measured besides sizes and labels.

    Returns
    -------
    Baseline
        The values of the random splits.
    """
    if quality.part_counts.rows is None:
        return Baseline(
            0,
            0,
            {},
            "Random splits are not measured here: this needs the rows, of which "
            "only counts are known.",
        )
    placement = quality.part_counts.rows
    n_splits = _count_splits(placement)
    n_of_pairs = max(_FEWEST_SPLITS, n_splits // 5)
    values: dict[str, list[float]] = {}
    try:
        for at, part_of_row in enumerate(_draw_splits(quality, placement, n_splits)):
            own_levels = levels if at < n_of_pairs else ()
            for name, value in _measure(quality, part_of_row, sets, own_levels):
                values.setdefault(name, []).append(value)
    except ImpossibleSplit as error:
        return Baseline(0, 0, {}, f"No random split into these parts: {error}")
    found = {name: np.array(own) for name, own in values.items()}
    return Baseline(n_splits, n_of_pairs, found, "")


def _count_splits(placement: Placement) -> int:
    labels = placement.labels
    work = len(labels.indices) + 4 * labels.n_rows + 10 * labels.n_labels * len(placement.parts)
    return min(_MOST_SPLITS, max(_FEWEST_SPLITS, _MAX_WORK // max(work, 1)))


def _draw_splits(
    quality: Quality, placement: Placement, n_splits: int
) -> Iterator[NDArray[np.int32]]:
    # The method `random` ignores labels, so rows without labels give the same split.
    rows = Labels(np.zeros(placement.labels.n_rows + 1, np.int64), np.empty(0, np.int32), [])
    groups = None if quality.n_cut_groups else placement.group_of_row
    for seed in range(n_splits):
        s = make_split(rows, placement.parts, groups=groups, method="random", random_state=seed)
        yield s.part_of_row


def _measure(
    quality: Quality,
    part_of_row: NDArray[np.int32],
    sets: Mapping[str, NDArray[np.int64]],
    levels: Sequence[MeasureLevel],
) -> Iterator[tuple[str, float]]:
    """Yield the values of one random split."""
    placement = replace(take_rows(quality.part_counts), part_of_row=part_of_row)
    for own_levels in (LABEL_LEVELS, *((level,) for level in levels)):
        own = quality.own_values_of_other(part_of_row, own_levels)
        for measure in MEASURES:
            if measure.level in own_levels:
                yield measure.name, float(measure.combine(own[measure.name]))
        if own_levels == LABEL_LEVELS:
            for name, labels in sets.items():
                yield name, float(own["rld"][labels].mean())
    per_balance = measure_balance(placement)
    for column in placement.balance:
        yield name_column(column.name), find_column_rld(column, per_balance)
    if placement.group_of_row is not None and not quality.n_cut_groups:
        yield GROUPS, measure_group_shares(placement)


def name_column(column: str) -> str:
    """Return the name of the value of a balanced column."""
    return f"balance {column}"


def measure_group_shares(part_counts: PartCounts) -> float:
    """Return how far the parts are off their share of the groups, mean over parts; 0 without any.

    A part wants the same share of the groups as of the rows.
    """
    groups = part_counts.count_groups()
    if groups is None:
        return 0.0
    wanted = groups.number * part_counts.parts.shares
    held = wanted > 0
    return float(np.abs(groups.in_part[held] / wanted[held] - 1).mean())

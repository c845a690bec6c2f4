"""Random splits of the same rows, measured: what a split is compared with."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..exceptions import ImpossibleSplit
from ..labels.labels import Labels
from ..quality import Quality
from ..quality.measure_record import Measure
from ..splits.make_split import make_split

SEEDS = (0, 1, 2)


class Baseline(NamedTuple):
    """Random splits, measured.

    Attributes
    ----------
    qualities : list of Quality
        One for each seed; empty if no random split into these parts exists or can be measured.
    note : str
        Why there is none; else empty.
    """

    qualities: list[Quality]
    note: str

    def mean(self, measure: Measure[Any]) -> float | None:
        """Return the mean of a measure over the seeds; None if there is no random split."""
        values = [quality.value_of(measure) for quality in self.qualities]
        return float(np.mean(values)) if values else None

    def spread(self, measure: Measure[Any]) -> float | None:
        """Return the standard deviation of a measure over the seeds."""
        values = [quality.value_of(measure) for quality in self.qualities]
        if not values:
            return None
        # The mean of equal values may differ from them in the last digit, and the deviation from 0.
        return float(np.std(values, ddof=1)) if np.ptp(values) else 0.0


def measure_random(quality: Quality) -> Baseline:
    """Split the rows of a quality at random, as the method `random` does, and measure each split.

    Groups stay whole if they were.
    """
    if quality.part_counts.rows is None:
        return Baseline(
            [],
            "Random splits are not measured here: this needs the rows, of which "
            "only counts are known.",
        )
    placement = quality.part_counts.rows
    # The method `random` ignores labels, so rows without labels give the same split.
    rows = Labels(np.zeros(placement.labels.n_rows + 1, np.int64), np.empty(0, np.int32), [])
    groups = None if quality.n_cut_groups else placement.group_of_row
    qualities = []
    for seed in SEEDS:
        try:
            s = make_split(rows, placement.parts, groups=groups, method="random", random_state=seed)
        except ImpossibleSplit as error:
            return Baseline([], f"No random split into these parts: {error}")
        qualities.append(quality.measure_other(s.part_of_row))
    return Baseline(qualities, "")

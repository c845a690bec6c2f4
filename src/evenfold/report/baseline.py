"""What random splits of the same rows are like, measured."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..exceptions import ImpossibleSplit
from ..labels.labels import Labels
from ..methods import Random
from ..problem.criteria import make_criteria
from ..problem.problem import fill_empty_parts, make_problem
from ..quality.placement import Measured

SEEDS = (0, 1, 2)


class Baseline(NamedTuple):
    """Random splits as `evenfold.split(…, method="random")` makes them, one for each seed; none, and why, where there cannot be any."""

    qualities: list[Measured]
    note: str

    def mean(self, measure: str) -> float | None:
        """Return the mean of a measure over the seeds."""
        values = [getattr(quality, measure) for quality in self.qualities]
        return float(np.mean(values)) if values else None

    def spread(self, measure: str) -> float | None:
        """Return the standard deviation of a measure over the seeds."""
        values = [getattr(quality, measure) for quality in self.qualities]
        # Equal values, added up and divided, need not have a spread of exactly 0.
        return (float(np.std(values, ddof=1)) if np.ptp(values) else 0.0) if values else None


def measure_random(quality: Measured) -> Baseline:
    """Split the rows of a quality at random, groups whole where they were, and measure each split."""
    placement = quality.placement
    n_rows = placement.labels.n_rows
    # Random placing looks at no label.
    nothing = make_criteria(Labels(np.zeros(n_rows + 1, np.int64), np.empty(0, np.int32), []))
    group_of_row = None if quality.n_cut_groups else placement.group_of_row
    qualities = []
    for seed in SEEDS:
        rng = np.random.default_rng(seed)
        try:
            problem = make_problem(nothing, placement.parts, group_of_row, rng)
        except ImpossibleSplit as error:
            return Baseline([], f"No random split into these parts: {error}")
        part_of_unit = Random().place(problem, rng)
        fill_empty_parts(problem, part_of_unit)
        qualities.append(
            quality.measure_other(
                part_of_unit if group_of_row is None else part_of_unit[group_of_row]
            )
        )
    return Baseline(qualities, "")

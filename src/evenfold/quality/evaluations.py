"""Every measure of one split, computed level by level."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..labels.labels import Labels
from ..problem.combinations import Combinations
from .counts import Counts, Limits, make_counts
from .groups_of_label import GroupsOfLabel
from .measure_record import Measure, MeasureLevel
from .measures import LABEL_LEVELS, MEASURES
from .part_counts import PartCounts, take_rows

if TYPE_CHECKING:
    from .tight_bounds import TightRecord


class Evaluation(NamedTuple):
    """The measures of some levels, by name.

    Attributes
    ----------
    own : mapping of str to array
        The own value of each label or part.
    own_bound : mapping of str to array
        The least own value of each label or part; only of measures that have a bound.
    value : mapping of str to float
        The measures.
    bound : mapping of str to float
        The least each measure could be; only of measures that have a bound.
    """

    own: Mapping[str, NDArray[Any]]
    own_bound: Mapping[str, NDArray[Any]]
    value: Mapping[str, float]
    bound: Mapping[str, float]


def evaluate(levels: tuple[MeasureLevel, ...], counts: Counts, limits: Limits) -> Evaluation:
    """Compute the measures of some levels."""
    n_parts = len(counts.parts)
    measures = [measure for measure in MEASURES if measure.level in levels]
    bounded = [measure for measure in measures if measure.bound is not None]
    own = {measure.name: measure.value(counts) for measure in measures}
    own_bound = {measure.name: measure.bound_each(limits) for measure in bounded}
    return Evaluation(
        own,
        own_bound,
        {measure.name: measure.combine(own[measure.name]) for measure in measures},
        {
            measure.name: measure.combine_bound(own_bound[measure.name], n_parts)
            for measure in bounded
        },
    )


@dataclass(frozen=True, eq=False, slots=True)
class Evaluations:
    """The measures of a split; those of label pairs and labelsets are computed when first read.

    Attributes
    ----------
    part_counts : PartCounts
        The split.
    combinations : Combinations or None
        Label pairs and labelsets of the rows; None if only counts are known.
    groups_limit : bool
        Whether the bounds are those of splits that keep the groups whole.
    """

    part_counts: PartCounts
    combinations: Combinations | None
    groups_limit: bool
    _done: dict[MeasureLevel, Evaluation] = field(default_factory=dict)
    _tight: dict[tuple[str, int | None], TightRecord] = field(default_factory=dict)

    def evaluate_labels(self) -> tuple[Counts, Evaluation]:
        """Compute the measures of sizes and labels; return them and the counts behind them."""
        counts = make_counts(self.part_counts)
        evaluation = evaluate(LABEL_LEVELS, counts, self._make_limits(self.part_counts, counts))
        self._done.update(dict.fromkeys(LABEL_LEVELS, evaluation))
        return counts, evaluation

    def find(self, level: MeasureLevel) -> Evaluation:
        """Return the measures of a level."""
        if level not in self._done:
            placement = replace(take_rows(self.part_counts), labels=self._find_labels(level))
            counts = make_counts(placement)
            self._done[level] = evaluate((level,), counts, self._make_limits(placement, counts))
        return self._done[level]

    def evaluate_other(
        self, part_of_row: NDArray[np.int32], levels: tuple[MeasureLevel, ...]
    ) -> Mapping[str, NDArray[Any]]:
        """Return the own values of levels that spread the same, for another split of the rows.

        Without bounds, which take longer than the measures.
        """
        labels = self._find_labels(levels[0])
        counts = make_counts(
            replace(take_rows(self.part_counts), labels=labels, part_of_row=part_of_row)
        )
        return {m.name: m.value(counts) for m in MEASURES if m.level in levels}

    def find_tight(self, measure: Measure[Any], max_work: int | None = None) -> TightRecord:
        """Return the tight bound of a measure that has one; it is computed when first read.

        `max_work` limits the work. Without it, a bound that such a limit made lower is computed
        again.
        """
        # Imported here because most qualities need no tight bound, and it takes a while.
        from .tight_bounds import MAX_WORK, bound_tightly, bound_without_rows

        for limit in (None, max_work):
            if (measure.name, limit) in self._tight:
                return self._tight[measure.name, limit]
        evaluation = self.find(measure.level)
        known = (evaluation.bound[measure.name], evaluation.value[measure.name])
        if self.part_counts.rows is None:
            grouped = self._find_groups_of_label(self.part_counts) is not None
            tight = bound_without_rows(self.part_counts.sizes, grouped, *known)
        else:
            tight = bound_tightly(
                self._find_labels(measure.level),
                self.part_counts.sizes,
                self.part_counts.rows.group_of_row if self.groups_limit else None,
                *known,
                MAX_WORK if max_work is None else max_work,
            )
        self._tight[measure.name, max_work if tight.is_limited else None] = tight
        return tight

    def take_combinations(self) -> Combinations:
        """Return label pairs and labelsets, or raise an error if only counts are known."""
        return self.combinations or Combinations(take_rows(self.part_counts).labels)

    def _find_labels(self, level: MeasureLevel) -> Labels:
        """Return what is spread over the parts, as labels."""
        if level == "pairs":
            return self.take_combinations().pairs.labels
        if level == "labelsets":
            return self.take_combinations().labelsets
        return take_rows(self.part_counts).labels

    def _find_groups_of_label(self, part_counts: PartCounts) -> GroupsOfLabel | None:
        return part_counts.find_groups_of_label() if self.groups_limit else None

    def _make_limits(self, part_counts: PartCounts, counts: Counts) -> Limits:
        groups = self._find_groups_of_label(part_counts)
        return Limits(counts.rows, counts.size, counts.parts, int(counts.n_in_part.sum()), groups)

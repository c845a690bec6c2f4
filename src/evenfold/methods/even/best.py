"""Best: the best split so far."""

from __future__ import annotations

import numpy as np

from ...problem.problem import count_beyond_slack
from .costs import bound_of_cost
from .refinement import Refinement
from .tuning import (
    BOUND_TOLERANCE,
    COMPETING,
    FAR_FROM_BOUND,
    MOST_COST_TO_LABELS,
    REST_TOLERANCE,
    STUCK,
)


class Best:
    """The best split of a refinement so far: right sizes first, then labels, then the rest."""

    def __init__(self, state: Refinement) -> None:
        self._state = state
        self._bound = bound_of_cost(state.problem, state.label_exponent)
        self._key = (np.inf, np.inf, np.inf)
        self.update()

    def update(self) -> None:
        """Store the current split if it is not worse than the stored one; else restore that one."""
        cost = self._state.cost()
        rows = float(count_beyond_slack(self._state.problem, self._state.part_of_unit))
        key = (rows, round(cost.shortage + cost.labels, 9), cost.rest)
        if key <= self._key:
            self._key = key
            self._cost = cost
            self.part_of_unit = self._state.part_of_unit.copy()
        else:
            self._state.go_to(self.part_of_unit)

    @property
    def is_far(self) -> bool:
        """Whether labels are so far from their bound that they need moves."""
        return self._cost.labels > FAR_FROM_BOUND * self._bound.labels

    @property
    def is_competing(self) -> bool:
        """Whether labels compete: not all have reached their bound."""
        return self._cost.labels > COMPETING * self._bound.labels

    @property
    def is_stuck(self) -> bool:
        """Whether labels are too far from their bound for sweeps at low temperatures."""
        return self._cost.labels > STUCK * self._bound.labels

    @property
    def may_have_worsened_labels(self) -> bool:
        """Whether labels alone could be so much more even that the rest cost them too much."""
        return self._cost.labels > MOST_COST_TO_LABELS * self._bound.labels

    @property
    def has_even_labels(self) -> bool:
        """Whether sizes are right, labels at their bound, and no part lacks rows needlessly."""
        return (
            self._key[0] == 0
            and self._cost.shortage <= self._bound.shortage * (1 + BOUND_TOLERANCE)
            and self._cost.labels <= self._bound.labels * (1 + BOUND_TOLERANCE)
        )

    @property
    def is_enough(self) -> bool:
        """Whether sizes are right and all criteria at their bounds: nothing is left to gain."""
        limit = self._bound.rest * (1 + REST_TOLERANCE)
        return self.has_even_labels and self._cost.rest <= limit

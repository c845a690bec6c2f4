"""Best: the best split so far."""

from __future__ import annotations

import numpy as np

from .costs import bound_of_cost
from .refinement import Refinement
from .tuning import BOUND_TOLERANCE, COMPETING, FAR_FROM_BOUND


class Best:
    """The best split of a refinement so far: right sizes first, then labels, then the rest."""

    def __init__(self, state: Refinement) -> None:
        self._state = state
        self._bound = bound_of_cost(state.problem)
        self._key = (np.inf, np.inf, np.inf)
        self.update()

    def update(self) -> None:
        """Store the current split if it is not worse than the stored one; else restore that one."""
        labels, rest = self._state.cost()
        key = (float(np.abs(self._state.row_deviation).sum()), round(labels, 9), rest)
        if key <= self._key:
            self._key = key
            self.part_of_unit = self._state.part_of_unit.copy()
        else:
            self._state.go_to(self.part_of_unit)

    @property
    def is_far(self) -> bool:
        """Whether labels are so far from their bound that a few swaps are not enough."""
        return self._key[1] > FAR_FROM_BOUND * self._bound

    @property
    def is_competing(self) -> bool:
        """Whether labels compete: not all have reached their bound."""
        return self._key[1] > COMPETING * self._bound

    @property
    def is_enough(self) -> bool:
        """Whether sizes are right and labels at their bound, so that nothing is left to gain."""
        return self._key[0] == 0 and self._key[1] <= self._bound * (1 + BOUND_TOLERANCE)

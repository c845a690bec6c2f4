"""Learners that are made of copies of one base learner."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .base_fits import adapt_rows
from .bases import find_base
from .features import NO_Y
from .label_models import gives_probabilities
from .multilabel import WeightedClassifier
from .seeds import copy_seeded, make_seeder


class MetaClassifier(WeightedClassifier):
    """A learner made of copies of one base learner.

    Subclasses have the parameters `base` and `random_state`, and give probabilities if the base
    learner does, unless they say otherwise.
    """

    base: Any
    random_state: Any

    def _parts(self) -> list[Any]:
        return [self._base()]

    def _gives_probabilities(self) -> bool:
        return gives_probabilities(self._base())

    def _check_features(self, X: Any, y: Any = NO_Y, *, reset: bool, **checks: Any) -> Any:
        checked = super()._check_features(X, y, reset=reset, **checks)
        if isinstance(y, str):
            return adapt_rows(checked, self._base())
        return adapt_rows(checked[0], self._base()), checked[1]

    def _base(self) -> Any:
        """Return the base learner as an object."""
        return find_base(self.base)

    def _make_models(self) -> Iterator[Any]:
        """Yield unfitted copies of the base learner without end, each with a seed of its own."""
        base, seeder = self._base(), make_seeder(self.random_state)
        while True:
            yield copy_seeded(base, seeder)

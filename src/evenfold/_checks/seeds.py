"""`random_state` → a NumPy generator."""

from __future__ import annotations

import numpy as np

from ..exceptions import InputError, InputTypeError
from .numbers import is_whole


def make_rng(
    random_state: int | np.random.Generator | np.random.RandomState | None,
) -> np.random.Generator:
    """Return the generator for a `random_state`; None gives a generator with a random seed."""
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    if not is_whole(random_state):
        raise InputTypeError(
            "must be a whole number, a NumPy generator or None, "
            f"got {type(random_state).__name__}. Try random_state=0.",
            parameter="random_state",
        )
    if random_state < 0:
        raise InputError(
            f"must be 0 or more, got {random_state}. "
            "Take another number, or None to draw a new one each time.",
            parameter="random_state",
        )
    return np.random.default_rng(int(random_state))

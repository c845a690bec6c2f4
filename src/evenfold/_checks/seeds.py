"""`random_state` → a NumPy generator."""

from __future__ import annotations

import numbers

import numpy as np

from ..exceptions import InputError, InputTypeError


def make_rng(
    random_state: int | np.random.Generator | np.random.RandomState | None,
) -> np.random.Generator:
    """Return the generator that `random_state` stands for; None draws afresh."""
    if random_state is None or isinstance(random_state, np.random.Generator):
        return np.random.default_rng(random_state)
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        if random_state < 0:
            raise InputError(
                f"must be 0 or more, got {random_state}. Take another number, or None to draw afresh.",
                parameter="random_state",
            )
        return np.random.default_rng(int(random_state))
    raise InputTypeError(
        f"must be a whole number, a NumPy generator or None, got {type(random_state).__name__}. Try random_state=0.",
        parameter="random_state",
    )

"""Seeds of the models inside a learner: drawn where the user gave none, kept where the user did."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from sklearn.base import clone

from .._checks.seeds import make_rng
from .multilabel import MultilabelClassifier


def make_seeder(random_state: Any) -> np.random.Generator | None:
    """Return the generator that seeds of models are drawn from; None if no seeds are drawn."""
    return None if random_state is None else make_rng(random_state)


def copy_seeded(model: Any, seeder: np.random.Generator | None) -> Any:
    """Return an unfitted copy of a model, with drawn seeds where it has none."""
    copy = clone(model)
    if seeder is not None:
        # One seed per parameter, used or not: a seed that the user sets changes no other seed.
        set_missing_seeds(
            copy, {name: int(seeder.integers(2**31 - 1)) for name in list_seed_parameters(copy)}
        )
    return copy


def list_seed_parameters(estimator: Any) -> list[str]:
    """Return the names of all `random_state` parameters of an estimator and of those inside it."""
    return sorted(name for name in estimator.get_params() if name.split("__")[-1] == "random_state")


def set_missing_seeds(estimator: Any, seed_of_parameter: Mapping[str, int]) -> None:
    """Set the seeds of the parameters that are None, in place.

    What is inside a learner of this package that takes a seed is left to that learner: it gives
    a seed of its own to each of its models.
    """
    params = estimator.get_params()
    estimator.set_params(
        **{
            name: seed
            for name, seed in seed_of_parameter.items()
            if params[name] is None and not _is_inside_learner(estimator, params, name)
        }
    )


def _is_inside_learner(estimator: Any, params: Mapping[str, Any], name: str) -> bool:
    steps = name.split("__")[:-1]
    outer = [estimator, *(params["__".join(steps[:depth])] for depth in range(1, len(steps)))]
    return bool(steps) and any(
        isinstance(thing, MultilabelClassifier) and hasattr(thing, "random_state")
        for thing in outer
    )

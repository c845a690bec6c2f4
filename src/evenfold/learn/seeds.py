"""Copies of learners, and the seeds of the models inside: drawn where the user gave none."""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
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
    copied = copy_estimator(model)
    if seeder is not None:
        # One seed per parameter, used or not: a seed that the user sets changes no other seed.
        set_missing_seeds(
            copied, {name: int(seeder.integers(2**31 - 1)) for name in read_seeds(copied)}
        )
    return copied


def copy_estimator(estimator: Any) -> Any:
    """Return an unfitted copy, also of CatBoost with lists, which scikit-learn does not copy."""
    try:
        return clone(estimator)
    except RuntimeError:
        if not any(True for _ in _find_catboost(estimator)):
            raise
        return copy.deepcopy(estimator)


def read_seeds(estimator: Any) -> dict[str, Any]:
    """Return all `random_state` parameters of an estimator and of those inside it, sorted by name.

    CatBoost does not list a seed that is not set, and has two names for it.
    """
    params = estimator.get_params()
    seeds = {name: params[name] for name in params if name.split("__")[-1] == "random_state"}
    for name, own in _find_catboost(estimator):
        given = own.get_params()
        seed = given.get("random_state", given.get("random_seed"))
        seeds[f"{name}__random_state" if name else "random_state"] = seed
    return dict(sorted(seeds.items()))


def set_missing_seeds(estimator: Any, seed_of_parameter: Mapping[str, int]) -> None:
    """Set the seeds of the parameters that are None, in place.

    What is inside a learner of this package that takes a seed is left to that learner: it gives
    a seed of its own to each of its models.
    """
    params, given = estimator.get_params(), read_seeds(estimator)
    estimator.set_params(
        **{
            name: seed
            for name, seed in seed_of_parameter.items()
            if given[name] is None and not _is_inside_learner(estimator, params, name)
        }
    )


def _find_catboost(estimator: Any) -> Iterator[tuple[str, Any]]:
    """Yield the learners of CatBoost, the estimator or those inside it, by their names there."""
    for name, own in {"": estimator, **estimator.get_params()}.items():
        if type(own).__module__.startswith("catboost.") and hasattr(own, "get_params"):
            yield name, own


def _is_inside_learner(estimator: Any, params: Mapping[str, Any], name: str) -> bool:
    steps = name.split("__")[:-1]
    outer = [estimator, *(params["__".join(steps[:depth])] for depth in range(1, len(steps)))]
    return bool(steps) and any(
        isinstance(thing, MultilabelClassifier) and hasattr(thing, "random_state")
        for thing in outer
    )

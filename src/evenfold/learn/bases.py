"""Base learners by name: the classifiers of one label, or of classes, that the multi-label learners are built from."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import partial
from typing import Any

from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from .._checks.values import shorten
from ..exceptions import InputError, InputTypeError
from .settings import check_choice


def _make_outside(package: str, classifier: str, install: str, **settings: Any) -> Any:
    """Make a classifier of a package that need not be there."""
    try:
        module = importlib.import_module(package)
    except ImportError:
        raise InputError(
            f"must be installed, got {package!r}, which is not. Install it with: pip install {install}",
            parameter="base",
        ) from None
    return getattr(module, classifier)(**settings)


# Settings differ from the packages' own only where those would warn, print or write files.
BASES: dict[str, Callable[[], Any]] = {
    "tree": DecisionTreeClassifier,
    "random-forest": RandomForestClassifier,
    "bagging": BaggingClassifier,
    "adaboost": AdaBoostClassifier,
    "gradient-boosting": GradientBoostingClassifier,
    "hist-gradient-boosting": HistGradientBoostingClassifier,
    "xgboost": partial(_make_outside, "xgboost", "XGBClassifier", "'evenfold[learn]'"),
    "lightgbm": partial(_make_outside, "lightgbm", "LGBMClassifier", "lightgbm", verbose=-1),
    "catboost": partial(
        _make_outside,
        "catboost",
        "CatBoostClassifier",
        "catboost",
        verbose=False,
        allow_writing_files=False,
    ),
    "knn": KNeighborsClassifier,
    "logistic-regression": partial(LogisticRegression, max_iter=1000),
    "linear-svm": LinearSVC,
}


def make_base(name: str) -> Any:
    """Return a new base learner of that name, one of `BASES`.

    Parameters
    ----------
    name : one of `BASES`. xgboost comes with `pip install 'evenfold[learn]'`; lightgbm and catboost have to be installed themselves.

    Returns
    -------
    A scikit-learn classifier with its package's own settings.

    Examples
    --------
    >>> evenfold.learn.make_base("random-forest")
    RandomForestClassifier()
    >>> evenfold.learn.make_base("random-forrest")
    Traceback (most recent call last):
    evenfold.exceptions.InputError: 'base' must be one of tree, ... Did you mean 'random-forest'?
    """
    return BASES[check_choice(name, "base", BASES)]()


def can_learn(thing: Any) -> bool:
    """Say whether it is an object that can be copied, fitted and asked, as estimators are."""
    return not isinstance(thing, type) and all(
        hasattr(thing, name) for name in ("get_params", "fit", "predict")
    )


def find_base(base: Any) -> Any:
    """Return the base learner of that name, or the object itself."""
    if isinstance(base, str):
        return make_base(base)
    if not can_learn(base):
        raise InputTypeError(
            f"must be a classifier, or the name of one, got {shorten(base)}. Try base='random-forest'.",
            parameter="base",
        )
    return base

"""Base learners: classifiers of one label, or of classes, that multi-label learners are made of."""

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

from .._checks.choices import check_choice
from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError


def _make_optional(package: str, classifier: str, install: str, **settings: Any) -> Any:
    """Make a classifier of a package that may not be installed."""
    try:
        module = importlib.import_module(package)
    except ImportError:
        raise InputError(
            f"must be installed, got {package!r}, which is not. "
            f"Install it with: pip install {install}",
            parameter="base",
        ) from None
    return getattr(module, classifier)(**settings)


# Settings differ from the defaults only where these would warn, print or write files.
BASES: dict[str, Callable[[], Any]] = {
    "tree": DecisionTreeClassifier,
    "random-forest": RandomForestClassifier,
    "bagging": BaggingClassifier,
    "adaboost": AdaBoostClassifier,
    "gradient-boosting": GradientBoostingClassifier,
    "hist-gradient-boosting": HistGradientBoostingClassifier,
    "xgboost": partial(_make_optional, "xgboost", "XGBClassifier", "'evenfold[learn]'"),
    "lightgbm": partial(_make_optional, "lightgbm", "LGBMClassifier", "lightgbm", verbose=-1),
    "catboost": partial(
        _make_optional,
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
    """Make a base learner by name.

    Parameters
    ----------
    name : str
        One of `BASES`. `pip install 'evenfold[learn]'` installs xgboost; lightgbm and catboost
        must be installed on their own.

    Returns
    -------
    estimator
        A classifier with the default settings of its package.

    Raises
    ------
    InputError
        If there is no such base learner, or its package is not installed.

    Examples
    --------
    >>> evenfold.learn.make_base("random-forest")
    RandomForestClassifier()
    >>> evenfold.learn.make_base("random-forrest")
    Traceback (most recent call last):
    evenfold.exceptions.InputError: 'base' must be one of tree, ... Did you mean 'random-forest'?
    """
    return BASES[check_choice(name, "base", BASES)]()


def is_estimator(value: Any) -> bool:
    """Tell whether a value is an object that can be copied and fitted and that predicts."""
    return not isinstance(value, type) and all(
        hasattr(value, name) for name in ("get_params", "fit", "predict")
    )


def find_base(base: Any) -> Any:
    """Return the base learner of that name, or the object itself."""
    if isinstance(base, str):
        return make_base(base)
    if not is_estimator(base):
        raise InputTypeError(
            f"must be a classifier, or the name of one, got {show_value(base)}. "
            "Try base='random-forest'.",
            parameter="base",
        )
    return base

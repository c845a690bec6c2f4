"""Arguments of `evaluate`: learners, metrics and rows."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from sklearn.utils import indexable

from .._checks.numbers import is_whole
from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from ..labels.balances import Balance
from ..labels.labels import Labels
from ..labels.wrapping import compute_lazy
from ..learn import make_learner
from ..learn.bases import is_estimator
from ..learn.features import count_rows, is_table_of_numbers
from ..links.group_columns import read_groups
from ..methods.orders import Order, check_order
from ..metrics.averaging import Undefined, check_undefined
from ..metrics.names import Metric, find_metric
from ..problem.parts import check_parts, check_parts_and_holdout
from .experiment import Plan

# The six of Sechidis et al. 2011, Table 3.
DEFAULT_METRICS = (
    "hamming_loss",
    "subset_accuracy",
    "coverage",
    "ranking_loss",
    "mean_average_precision",
    "roc_auc_micro",
)
# Sizes of so many parts are those of train/test or train/val/test, more are those of folds.
_MAX_NAMED_PARTS = 3
_ADVICE = " Try learners=['br:random-forest']."


def check_learners(learners: Any) -> dict[str, Any]:
    """Return estimators by their titles; the title of an estimator in a list is its repr."""
    if isinstance(learners, str) or hasattr(learners, "fit"):
        learners = [learners]
    if isinstance(learners, Mapping):
        checked = {str(title): _find_learner(learner) for title, learner in learners.items()}
    elif isinstance(learners, Sequence):
        titles = [_make_title(learner) for learner in learners]
        _check_distinct(titles)
        checked = dict(zip(titles, map(_find_learner, learners), strict=True))
    else:
        raise InputTypeError(
            "must be a list of learners, or a mapping from title to learner, "
            f"got {type(learners).__name__}.{_ADVICE}",
            parameter="learners",
        )
    if not checked:
        raise InputError(
            f"must name at least one learner, got none.{_ADVICE}", parameter="learners"
        )
    return checked


def check_metrics(metrics: Any, undefined: Undefined) -> dict[str, Metric]:
    """Return metrics by their names; their functions know what replaces undefined values."""
    check_undefined(undefined)
    if isinstance(metrics, str):
        metrics = [metrics]
    if not isinstance(metrics, Mapping):
        names = DEFAULT_METRICS if metrics is None else metrics
        if not isinstance(names, Iterable):
            raise InputTypeError(
                f"must be names, or a mapping from name to metric, got {show_value(names)}. "
                "Leave it out for the default six.",
                parameter="metrics",
            )
        metrics = {str(name): find_metric(name) for name in names}
    for name, metric in metrics.items():
        if not isinstance(metric, Metric):
            raise InputTypeError(
                "must be names, or a mapping from name to evenfold.metrics.Metric, "
                f"got {metric!r} for {name!r}.",
                parameter="metrics",
            )
    if not metrics:
        raise InputError(
            "must name at least one metric, got none. Leave it out for the default six.",
            parameter="metrics",
        )
    return {
        str(name): metric._replace(
            function=_set_undefined(metric.function, undefined),
            resample=metric.resample and _set_undefined(metric.resample, undefined),
        )
        for name, metric in metrics.items()
    }


def check_rows(X: Any, labels: Labels) -> Any:  # noqa: N803 - scikit-learn's name
    """Return the features, one row for each row of the labels: an array of numbers, or as given."""
    if labels.unknown is not None and len(labels.unknown[1]):
        raise InputError(
            f"must be known throughout, got {len(labels.unknown[1]):,} unknown entries (NaN). "
            "Fill them, or leave out their rows.",
            parameter="y",
        )
    if X is None or np.isscalar(X):
        raise InputTypeError(
            f"must be a table of rows × features, got {show_value(X)}. Pass an array or a frame.",
            parameter="X",
        )
    rows = indexable(compute_lazy(X, "X"))[0]
    if is_table_of_numbers(rows):
        rows = rows if hasattr(rows, "shape") else np.asarray(rows)
        if len(rows.shape) != 2:
            raise InputError(
                f"must have two dimensions, rows × features, got {len(rows.shape)}. "
                "Reshape a single feature to (-1, 1).",
                parameter="X",
            )
    n_rows = count_rows(rows)
    if n_rows != labels.n_rows:
        raise InputError(
            f"must have the {labels.n_rows:,} rows of 'y', got {n_rows:,}. "
            "Pass the same rows to both.",
            parameter="X",
        )
    return rows


def make_plan(
    parts: Any,
    holdout: Any,
    groups: Any,
    balance: Sequence[Balance],
    order: Order | None,
    n_rows: int,
) -> Plan:
    """Return how the rows are split, and which parts learners are fitted on and scored on."""
    wanted = (
        check_parts(parts, n_rows)
        if holdout is None
        else check_parts_and_holdout(parts, holdout, n_rows)
    )
    if holdout is not None:
        n_folds = len(wanted) - 1
    elif is_whole(parts) or not (isinstance(parts, Mapping) or len(wanted) <= _MAX_NAMED_PARTS):
        n_folds = len(wanted)
    else:
        n_folds = 0
    return Plan(
        wanted,
        n_folds,
        None if groups is None else read_groups(groups, n_rows).group_of_row,
        balance,
        None if order is None else check_order(order),
    )


def check_jobs(n_jobs: Any) -> None:
    """Check a number of jobs as joblib counts them."""
    if n_jobs is not None and not is_whole(n_jobs):
        raise InputTypeError(
            f"must be a whole number or None, got {show_value(n_jobs)}. Try n_jobs=2.",
            parameter="n_jobs",
        )
    if n_jobs == 0:
        raise InputError(
            "must not be 0, which fits nothing. Pass 1 or more, or -1 for all processors.",
            parameter="n_jobs",
        )


def _make_title(learner: Any) -> str:
    return learner if isinstance(learner, str) else " ".join(repr(learner).split())


def _check_distinct(titles: Sequence[str]) -> None:
    repeated = [title for title in titles if titles.count(title) > 1]
    if repeated:
        raise InputError(
            f"must differ, got {repeated[0]!r} twice. "
            "Give them titles of their own: a mapping from title to learner.",
            parameter="learners",
        )


def _find_learner(learner: Any) -> Any:
    if isinstance(learner, str):
        return make_learner(learner)
    if not is_estimator(learner):
        shown = (
            f"the class {learner.__name__}"
            if isinstance(learner, type)
            else f"a {type(learner).__name__}"
        )
        raise InputTypeError(
            f"must be names or scikit-learn estimators, got {shown}.{_ADVICE}",
            parameter="learners",
        )
    return learner


def _set_undefined(function: Any, undefined: Undefined) -> Any:
    if "undefined" in inspect.signature(function).parameters:
        return partial(function, undefined=undefined)
    return function

"""Which learners are evaluated, and by which metrics."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from ..exceptions import InputError, InputTypeError
from ..learn import make_learner
from ..metrics.averaging import Undefined, check_undefined
from ..metrics.names import Metric, find_metric

# Those of Sechidis et al. 2011, Table 3.
DEFAULT_METRICS = (
    "hamming_loss",
    "subset_accuracy",
    "coverage",
    "ranking_loss",
    "mean_average_precision",
    "roc_auc_micro",
)
_ADVICE = " Try learners=['br:random-forest']."


def choose_learners(learners: Any) -> dict[str, Any]:
    """Return estimators by their titles: a name, or how an estimator shows itself."""
    if isinstance(learners, str) or hasattr(learners, "fit"):
        learners = [learners]
    if isinstance(learners, Mapping):
        chosen = {str(title): _make_learner(learner) for title, learner in learners.items()}
    elif isinstance(learners, Sequence):
        made = [
            (
                learner if isinstance(learner, str) else " ".join(repr(learner).split()),
                _make_learner(learner),
            )
            for learner in learners
        ]
        chosen = dict(made)
        if len(chosen) < len(made):
            twice = next(title for title in chosen if sum(title == other for other, _ in made) > 1)
            raise InputError(
                f"must differ, got {twice!r} twice. Give them titles of their own: a mapping from title to learner.",
                parameter="learners",
            )
    else:
        raise InputTypeError(
            f"must be a list of learners, or a mapping from title to learner, got {type(learners).__name__}.{_ADVICE}",
            parameter="learners",
        )
    if not chosen:
        raise InputError(
            f"must name at least one learner, got none.{_ADVICE}", parameter="learners"
        )
    return chosen


def choose_metrics(metrics: Any, undefined: Undefined) -> dict[str, Metric]:
    """Return metrics by their names, told what to do with undefined values."""
    check_undefined(undefined)
    if isinstance(metrics, str):
        metrics = [metrics]
    if not isinstance(metrics, Mapping):
        metrics = {
            str(name): find_metric(name)
            for name in (DEFAULT_METRICS if metrics is None else metrics)
        }
    for name, metric in metrics.items():
        if not isinstance(metric, Metric):
            raise InputTypeError(
                f"must be names, or a mapping from name to evenfold.metrics.Metric, got {metric!r} for {name!r}.",
                parameter="metrics",
            )
    if not metrics:
        raise InputError(
            "must name at least one metric, got none. Leave it out for the usual six.",
            parameter="metrics",
        )
    return {
        str(name): metric._replace(function=_with_undefined(metric.function, undefined))
        for name, metric in metrics.items()
    }


def _make_learner(learner: Any) -> Any:
    if isinstance(learner, str):
        return make_learner(learner)
    if isinstance(learner, type) or not all(
        hasattr(learner, name) for name in ("fit", "predict", "get_params")
    ):
        shown = (
            f"the class {learner.__name__}"
            if isinstance(learner, type)
            else f"a {type(learner).__name__}"
        )
        raise InputTypeError(
            f"must be names or scikit-learn estimators, got {shown}.{_ADVICE}", parameter="learners"
        )
    return learner


def _with_undefined(function: Any, undefined: Undefined) -> Any:
    return (
        partial(function, undefined=undefined)
        if "undefined" in inspect.signature(function).parameters
        else function
    )

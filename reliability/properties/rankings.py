"""Metrics of predictions, by slow definitions over rows and over all orders of ties."""

from __future__ import annotations

import itertools
import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import sklearn.metrics
from numpy.typing import NDArray
from tests import naive

from evenfold import metrics

from .registry import Subject, assume


@dataclass
class Prediction:
    """True labels, predicted labels and scores, of few values so that there are ties."""

    true: NDArray[np.int64]
    predicted: NDArray[np.int64]
    scores: NDArray[np.float64]
    seed: int

    def describe(self) -> Mapping[str, str]:
        """Return nothing: predictions are counted together."""
        return {}


def draw_prediction(rng: np.random.Generator) -> Prediction:
    """Draw few rows of at most five labels, some of them without or with all labels."""
    shape = (int(rng.integers(1, 9)), int(rng.integers(2, 6)))
    true = (rng.random(shape) < rng.choice([0.1, 0.4, 0.8])).astype(int)
    predicted = (rng.random(shape) < 0.4).astype(int)
    scores = rng.integers(0, int(rng.choice([2, 4, 50])), shape) / 50
    return Prediction(true, predicted, scores, int(rng.integers(100)))


PREDICTIONS = Subject("metrics", draw_prediction, 6, Prediction.describe)
# A ranking metric, and where `naive.rankings_of_row` has it.
RANKINGS = {"ranking_loss": 0, "one_error": 1, "coverage": 2}


@PREDICTIONS.holds(
    "evenfold.metrics.ranking_loss: A row with no label, or with all labels, has no such pair and "
    "counts 0, as in scikit-learn. scikit-learn ranks false labels first among equal scores.",
    "evenfold.metrics.one_error: If several labels have the highest score, a row counts the share "
    "of them that are false, unless `ties` says otherwise.",
    "evenfold.metrics.one_error: A row without labels counts 1.",
    "evenfold.metrics.coverage: In the worst order, the rank is that of the last label of equal "
    "score, as in scikit-learn.",
    "evenfold.metrics.coverage: A row without labels counts 0.",
)
def rankings_are_those_over_all_orders(case: Prediction) -> None:
    """The worst order of ties, their average, and the default of each metric."""
    orders = [
        naive.rankings_of_row(true, scores)
        for true, scores in zip(case.true.tolist(), case.scores.tolist(), strict=True)
    ]
    for name, at in RANKINGS.items():
        metric = getattr(metrics, name)
        values = [[float(order[at]) for order in own] for own in orders]
        expected = {
            "worst": np.mean([max(own) for own in values]),
            "average": np.mean([np.mean(own) for own in values]),
        }
        for ties, value in expected.items():
            assert math.isclose(metric(case.true, case.scores, ties=ties), value, abs_tol=1e-9)
        random = metric(case.true, case.scores, ties="random", random_state=case.seed)
        least = np.mean([min(own) for own in values])
        assert least - 1e-9 <= random <= expected["worst"] + 1e-9
        default = expected["average" if name == "one_error" else "worst"]
        assert math.isclose(metric(case.true, case.scores), default, abs_tol=1e-9)


@PREDICTIONS.holds(
    "evenfold.metrics.ranking_loss: In evaluations, the loss has the names `ranking_loss` (worst "
    "ties), `ranking_loss_average_ties` and `ranking_loss_random_ties` (with the seed 0).",
    "evenfold.metrics.one_error: In evaluations, the error has the names `one_error` (average "
    "ties), `one_error_worst_ties` and `one_error_random_ties` (with the seed 0).",
    "evenfold.metrics.coverage: In evaluations, coverage has the names `coverage` (worst ties), "
    "`coverage_average_ties` and `coverage_random_ties` (with the seed 0).",
)
def orders_of_ties_have_names(case: Prediction) -> None:
    """Each name is the metric with that order."""
    for name in RANKINGS:
        default = "average" if name == "one_error" else "worst"
        for ties, seed in itertools.product(("worst", "average", "random"), (0,)):
            named = name if ties == default else f"{name}_{ties}_ties"
            own = getattr(metrics, name)(case.true, case.scores, ties=ties, random_state=seed)
            assert metrics.METRICS[named].function(case.true, case.scores) == own


@PREDICTIONS.holds(
    "evenfold.metrics.coverage_error: Of labels with the same score, the rank is that of the last.",
    "evenfold.metrics.coverage_error: A row without labels counts 0.",
)
def coverage_error_counts_from_one(case: Prediction) -> None:
    """The labels that score at least as much as the lowest true one."""
    values = [
        sum(scores >= min(scores[true == 1])) if true.any() else 0
        for true, scores in zip(case.true, case.scores, strict=True)
    ]
    assert math.isclose(metrics.coverage_error(case.true, case.scores), np.mean(values))


@PREDICTIONS.holds(
    "evenfold.metrics.fbeta_score: If something is true and nothing is predicted, or the reverse, "
    "the value is 0, as in scikit-learn.",
    "evenfold.metrics.fbeta_score: If nothing is true nor predicted, it is undefined.",
)
def f_measures_are_those_of_the_formula(case: Prediction) -> None:
    """(1 + b²) tp / ((1 + b²) tp + b² fn + fp) of each label; NaN for 0 / 0."""
    for beta in (0.5, 1.0, 2.0):
        found: Any = metrics.fbeta_score(case.true, case.predicted, beta=beta, average=None)
        for label, value in enumerate(found):
            true, predicted = case.true[:, label], case.predicted[:, label]
            hits = (1 + beta**2) * int((true & predicted).sum())
            wrong = beta**2 * int((true & ~predicted & 1).sum()) + int(
                (predicted & ~true & 1).sum()
            )
            if hits + wrong == 0:
                assert math.isnan(value)
            else:
                assert math.isclose(value, hits / (hits + wrong), abs_tol=1e-12)


@PREDICTIONS.holds(
    "evenfold.metrics.log_loss: Probabilities are clipped to the range from eps to 1 - eps, with "
    "the rounding error eps of their type, as in scikit-learn."
)
def log_loss_is_clipped(case: Prediction) -> None:
    """In double and single precision, with probabilities of 0 and 1."""
    for kind in (np.float64, np.float32):
        scores = np.where(case.scores > 0.5, 1.0, case.scores).astype(kind)
        eps = np.finfo(kind).eps
        clipped = np.clip(scores, eps, 1 - eps).astype(float)
        own = np.where(case.true == 1, np.log(clipped), np.log1p(-clipped))
        assert math.isclose(metrics.log_loss(case.true, scores), -own.mean(), rel_tol=1e-6)


@PREDICTIONS.holds(
    "evenfold.metrics.precision_recall_curve: Recall is NaN if nothing is true; scikit-learn has 1."
)
def curves_without_true_cells_have_no_recall(case: Prediction) -> None:
    """Of each label; otherwise the curve is that of scikit-learn."""
    assume(len(case.true) > 1)
    for label in range(case.true.shape[1]):
        found = metrics.precision_recall_curve(case.true, case.scores, label=label)
        true = case.true[:, label]
        assert np.isnan(found.recall[:-1]).all() == (not true.any())
        if true.any():
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                expected = sklearn.metrics.precision_recall_curve(true, case.scores[:, label])
            assert np.allclose(np.sort(found.recall)[-1], expected[1][0])

"""Scores of different folds: whether they are on one scale, so that they may be pooled."""

import re
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier

import evenfold
from evenfold.evaluation.pooling import compare_scales
from evenfold.evaluation.predictions import Prediction
from evenfold.metrics import METRICS

from .counting import Lookup, X, Y


def test_scores_of_another_scale_are_noted():
    """Scores that are moved in each fold make the pooled metrics that rank rows doubtful."""
    rng = np.random.default_rng(0)
    scores = np.clip(Y + rng.normal(0, 0.5, Y.shape), -1, 2)
    arguments = {"parts": 3, "methods": ["random"], "repeats": 1}
    rows = np.arange(90)[:, None]
    safe = evenfold.evaluate({"own": Lookup(scores)}, rows, Y, **arguments)
    moved = evenfold.evaluate({"own": Lookup(scores, shift=1.0)}, rows, Y, **arguments)
    assert not safe.estimates[0].has_shifted_scores()
    assert moved.estimates[0].has_shifted_scores()
    assert safe.notes() == []
    assert moved.notes() == [
        "own, random: the scores of different folds are not on one scale, so the pooled "
        "mean_average_precision and roc_auc_micro may be too low. Take the mean over folds, or a "
        "learner with calibrated probabilities."
    ]
    assert moved["own", "random"].pooled("roc_auc_micro") < moved["own", "random"].mean(
        "roc_auc_micro"
    )
    only_rows = evenfold.evaluate(
        {"own": Lookup(scores, shift=1.0)}, rows, Y, **arguments, metrics=["ranking_loss"]
    )
    assert only_rows.notes() == []


def test_scores_of_usual_learners_are_on_one_scale():
    """Logistic regression has no note; constant scores of each fold have one."""
    logistic = MultiOutputClassifier(LogisticRegression())
    prior = DummyClassifier()
    result = evenfold.evaluate(
        {"logistic": logistic, "prior": prior}, X, Y, 5, methods=["random"], repeats=2
    )
    assert not result["logistic", "random"].has_shifted_scores()
    assert result["prior", "random"].has_shifted_scores()


def test_scores_of_groups_are_on_one_scale():
    """Rows of a group are alike, so their folds differ; each group counts once."""
    rng = np.random.default_rng(0)
    centre, groups = rng.normal(size=(40, 3)), np.repeat(np.arange(40), 10)
    rows = centre[groups] + 0.1 * rng.normal(size=(400, 3))
    truth = (rows + 0.3 * rng.normal(size=rows.shape) > 0.4).astype(int)
    result = evenfold.evaluate(
        {"logistic": MultiOutputClassifier(LogisticRegression())},
        rows,
        truth,
        5,
        methods=["random"],
        repeats=3,
        groups=groups,
        keep_predictions=True,
        n_samples=0,
    )
    [estimate] = result.estimates
    assert not estimate.has_shifted_scores()
    assert any(compare_scales(prediction) > 0.1 for prediction in estimate.predictions)


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("group_of_row", [None, np.arange(60) // 2])
def test_the_shift_of_scores_is_that_of_an_analysis_of_variance(make, group_of_row):
    """One label: by scipy's F, of rows or of the means of groups; 0 if F is due to chance."""
    from scipy import stats

    rng = np.random.default_rng(1)
    n_units, rows = (60 if group_of_row is None else 30), np.arange(60)
    fold = np.repeat(np.arange(30) % 3, 2)
    for shift in (0.0, 0.05, 1.0, 3.0):
        scores = rng.random((60, 1)) + shift * fold[:, None]
        units = scores if group_of_row is None else scores.reshape(30, 2).mean(axis=1)[:, None]
        fold_of_unit = fold if group_of_row is None else fold[::2]
        ratio = stats.f_oneway(*(units[fold_of_unit == at, 0] for at in range(3))).statistic
        is_chance = ratio <= stats.f(2, n_units - 3).ppf(0.999)
        expected = 0.0 if is_chance else np.sqrt((ratio - 1) / (n_units / 3))
        assert is_chance == (shift < 1)
        found = compare_scales(Prediction(rows, fold, None, make(scores), True), group_of_row)
        assert found == pytest.approx(expected)
    equal = Prediction(rows, fold, None, make(np.full((60, 1), 0.3)), True)
    assert compare_scales(equal, group_of_row) == 0
    constant = Prediction(rows, fold, None, make(fold[:, None] + 1.0), True)
    assert compare_scales(constant, group_of_row) == np.inf
    assert np.isnan(compare_scales(Prediction(rows, fold, None, None, False)))
    few = Prediction(rows[:3], np.arange(3), None, make(scores[:3]), True)
    assert np.isnan(compare_scales(few))


def test_scores_on_one_scale_are_rarely_taken_for_others():
    """Of 500 sets of random scores on two folds, at most two."""
    rng = np.random.default_rng(2)
    fold = np.arange(80) % 2
    found = [
        compare_scales(Prediction(np.arange(80), fold, None, rng.random((80, 1)), True))
        for _ in range(500)
    ]
    assert np.count_nonzero(found) <= 2


def test_the_page_on_evaluation_names_the_metrics_that_are_not_always_safe():
    """It calls one of them MAP; and it names every metric with another order of ties."""
    page = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")
    [row] = [line for line in page.splitlines() if line.startswith("| that rank different rows")]
    assert "MAP" in row
    assert {"mean_average_precision", *re.findall(r"`(\w+)`", row)} == {
        name for name, metric in METRICS.items() if metric.compares_rows
    }
    assert set(re.findall(r"`(\w+_ties)`", page)) == {
        name for name in METRICS if name.endswith("_ties")
    }

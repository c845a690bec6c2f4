"""Pooled estimates: all test rows together, scored once, with intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import MultiOutputClassifier

import evenfold
from evenfold.evaluation.bootstrap import draw_counts
from evenfold.evaluation.pooling import compare_scales
from evenfold.evaluation.predictions import Prediction
from evenfold.metrics import METRICS, Metric

from .counting import KNN, X, Y

# Every metric that is defined for any rows.
NAMES = list(METRICS)


class Lookup(BaseEstimator):
    """Predicts the scores that it was made with; X has one column, the number of each row."""

    def __init__(self, scores, shift=0.0):
        self.scores = scores
        self.shift = shift

    def fit(self, X, y):
        """Move the scores by the number of the first training row."""
        self.moved_ = self.shift * X[0, 0]
        return self

    def predict_proba(self, X):
        """Return the scores of the rows."""
        return self.scores[X[:, 0]] + self.moved_

    def predict(self, X):
        """Return the labels with scores above a half."""
        return (self.predict_proba(X) > 0.5).astype(int)


@given(st.integers(0, 10_000), st.integers(2, 6), st.sampled_from(["even", "random"]))
@settings(max_examples=25, deadline=None)
def test_pooled_values_equal_the_direct_computation(seed, n_folds, method):
    """Every metric of the pooled predictions is the metric of all rows at once, exactly."""
    rng = np.random.default_rng(seed)
    y = (rng.random((40, 4)) < [0.05, 0.2, 0.5, 0.9]).astype(int)
    scores = rng.random((40, 4)).round(1)
    result = evenfold.evaluate(
        Lookup(scores),
        np.arange(40)[:, None],
        y,
        n_folds,
        methods=[method],
        repeats=1,
        metrics=NAMES,
        undefined="skip",
        n_samples=0,
    )
    for name in NAMES:
        metric = METRICS[name]
        given_to = (scores > 0.5).astype(int) if metric.needs == "labels" else scores
        skip = {"undefined": "skip"} if "undefined" in _parameters(metric.function) else {}
        direct = float(metric.function(y, given_to, **skip))
        np.testing.assert_equal(result.estimates[0].pooled(name), direct, err_msg=name)


def _parameters(function):
    import inspect

    return inspect.signature(function).parameters


def test_pooled_values_of_row_means_are_the_weighted_mean_over_folds():
    """Hamming loss of all rows is that of the folds, weighted by their rows."""
    result = evenfold.evaluate(KNN, X, Y, 7, methods=["even"], repeats=1)
    sizes = evenfold.split(Y, 7).sizes
    estimate = result.estimates[0]
    assert estimate.pooled("hamming_loss") == pytest.approx(
        np.average(estimate.values[0, :, 0], weights=sizes)
    )


def test_intervals_are_those_of_resampled_rows():
    """A metric without a resampling of its own is computed on repeated rows, with the same result.

    The interval has the 2.5 and 97.5 percentiles of the means over repeats.
    """
    own = Metric(METRICS["f1_macro"].function, "labels", True)
    result = evenfold.evaluate(
        KNN,
        X,
        Y,
        3,
        methods=["even"],
        repeats=2,
        metrics={"named": METRICS["f1_macro"], "own": own},
        keep_predictions=True,
        n_samples=40,
    )
    estimate = result.estimates[0]
    assert estimate.interval("named") == pytest.approx(estimate.interval("own"), abs=1e-12)
    counts = draw_counts(90, None, 40, 0)
    assert counts.sum(axis=0).tolist() == [90] * 40
    by_hand = [
        np.mean(
            [
                evenfold.metrics.f1_score(
                    np.repeat(Y, drawn, axis=0),
                    np.repeat(own.labels, drawn, axis=0),
                    average="macro",
                )
                for own in estimate.predictions
            ]
        )
        for drawn in counts.T
    ]
    low, high = estimate.interval("own")
    assert (low, high) == pytest.approx(tuple(np.percentile(by_hand, [2.5, 97.5])))
    assert low < estimate.pooled("own") < high


def test_groups_are_resampled_whole():
    """All rows of a group are drawn equally often."""
    group_of_row = np.arange(60) // 4
    counts = draw_counts(60, group_of_row, 30, 5)
    assert (counts.reshape(15, 4, 30) == counts.reshape(15, 4, 30)[:, :1]).all()
    assert counts[::4].sum(axis=0).tolist() == [15] * 30
    arguments = {"methods": ["even"], "repeats": 1, "metrics": ["hamming_loss"]}
    twins = {"X": np.repeat(X, 4, axis=0), "y": np.repeat(Y, 4, axis=0)}
    rows, groups = (
        evenfold.evaluate(KNN, **twins, parts=3, groups=own, **arguments).estimates[0]
        for own in (np.arange(360), np.arange(360) // 4)
    )
    widths = [np.diff(own.interval("hamming_loss"))[0] for own in (rows, groups)]
    assert widths[1] > 1.5 * widths[0]


def test_no_samples_give_no_interval():
    """The estimate is there, and tables show no half width."""
    result = evenfold.evaluate(KNN, X, Y, 3, methods=["even"], repeats=1, n_samples=0)
    assert np.isnan(result.estimates[0].interval("hamming_loss")).all()
    assert result.estimates[0].pooled("hamming_loss") > 0
    assert result.to_dict()["estimates"][0]["pooled_low"] is None


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        ([0.75, 0.25], "train/test of 90 rows"),
        ([60, 10, 20], "train/val/test of 90 rows"),
        ({"fit": 0.4, "unused": 0.3, "left": 0.1, "judge": 0.2}, "fit/unused/left/judge of 90"),
    ],
)
def test_sizes_of_few_parts_are_those_of_train_and_test(parts, title):
    """The learner is fitted on the first part and scored on the last, as by hand."""
    result = evenfold.evaluate(
        KNN, X, Y, parts, methods=["even", "random"], repeats=2, metrics=["hamming_loss"]
    )
    assert result.title().startswith(title)
    for method in ("even", "random"):
        by_hand = []
        for seed in (0, 1):
            split = evenfold.split(Y, parts, method=method, random_state=seed)
            train, test = split[split.names[0]], split[split.names[-1]]
            predicted = KNN.fit(X[train], Y[train]).predict(X[test])
            by_hand.append(evenfold.metrics.hamming_loss(Y[test], predicted))
        estimate = result.estimates[0] if method == "even" else result.estimates[1]
        np.testing.assert_array_equal(estimate.values[:, 0, 0], by_hand)
        assert estimate.pooled("hamming_loss") == estimate.mean("hamming_loss")
        assert np.isnan(estimate.std("hamming_loss"))
    assert "over folds" not in str(result)
    assert "mean ± std over repeats" in str(result)


def test_many_sizes_are_those_of_folds():
    """Each of four unequal folds is the test part once."""
    sizes = [30, 25, 20, 15]
    result = evenfold.evaluate(KNN, X, Y, sizes, methods=["even"], repeats=1, keep_predictions=True)
    [prediction] = result.estimates[0].predictions
    assert np.bincount(prediction.fold).tolist() == sizes
    assert prediction.rows.tolist() == list(range(90))


def test_a_holdout_is_scored_by_learners_of_all_folds():
    """The folds are those of `split` with a holdout; the holdout is in none of them."""
    result = evenfold.evaluate(
        KNN, X, Y, 4, holdout=0.2, methods=["even"], repeats=1, keep_predictions=True
    )
    split = evenfold.split(Y, 4, holdout=0.2)
    test = split["test"]
    train = np.setdiff1d(np.arange(90), test)
    predicted = KNN.fit(X[train], Y[train]).predict(X[test])
    estimate = result.estimates[0]
    assert estimate.holdout("hamming_loss") == evenfold.metrics.hamming_loss(Y[test], predicted)
    low, high = estimate.holdout_interval("hamming_loss")
    assert low < estimate.holdout("hamming_loss") < high
    assert estimate.values.shape[1] == 4
    np.testing.assert_array_equal(estimate.predictions[0].rows, train)
    assert "holdout ± half of the 95 % interval" in str(result)
    assert "4 folds and a holdout of 90 rows" in str(result)


def test_balance_and_order_reach_the_split():
    """The folds are those of `split` with the same arguments."""
    balance = {"age": X[:, 3]}
    for arguments in ({"balance": balance}, {"order": 1}, {"order": 2, "balance": balance}):
        result = evenfold.evaluate(
            KNN, X, Y, 3, methods=["even"], repeats=1, keep_predictions=True, **arguments
        )
        split = evenfold.split(Y, 3, **arguments)
        np.testing.assert_array_equal(result.estimates[0].predictions[0].fold, split.part_of_row)


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


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_the_ratio_of_scales_is_that_of_an_analysis_of_variance(make):
    """One label: scipy's F of the folds; equal scores have the ratio 0."""
    from scipy import stats

    rng = np.random.default_rng(1)
    fold, scores = np.arange(30) % 3, rng.random((30, 1))
    prediction = Prediction(np.arange(30), fold, None, make(scores), True)
    expected = stats.f_oneway(*(scores[fold == number, 0] for number in range(3))).statistic
    assert compare_scales(prediction) == pytest.approx(expected)
    equal = Prediction(np.arange(30), fold, None, make(np.full((30, 1), 0.3)), True)
    assert compare_scales(equal) == 0
    constant = Prediction(np.arange(30), fold, None, make(fold[:, None] + 1.0), True)
    assert compare_scales(constant) == np.inf
    assert np.isnan(compare_scales(Prediction(np.arange(30), fold, None, None, False)))

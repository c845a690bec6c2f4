"""Weighted means over labels, and weights of rows."""

import functools
import inspect

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from evenfold import metrics
from evenfold.exceptions import InputError, InputTypeError
from evenfold.metrics import METRICS

from .test_zero_division import QUOTIENTS, compute, label_pairs

RANKINGS = ["average_precision_score", "roc_auc_score"]
AVERAGES = ["micro", "macro", "samples", "weighted", None]
# Whole numbers, fractions, and rows that do not count.
WEIGHTS = st.sampled_from([[1, 1, 1], [0, 1, 3], [0.5, 2, 1e-3], [0, 0.1, 0.7]])


def draw_weights(choices, n_rows):
    """Return a weight for each row, not all of them 0."""
    weights = np.random.default_rng(n_rows).choice(choices, n_rows)
    weights[0] = 1
    return weights


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", QUOTIENTS)
@settings(max_examples=30, deadline=None)
@given(drawn=label_pairs(), choices=WEIGHTS, number=st.sampled_from([0.0, 1.0]))
def test_weighted_quotients_equal_those_of_scikit_learn(name, average, drawn, choices, number):
    """Rows may have weights, labels without rows have the weight 0."""
    weights = draw_weights(choices, len(drawn[0]))
    for keywords in ({}, {"sample_weight": weights}):
        own, theirs = (
            compute(package, name, average, *drawn, zero_division=number, **keywords)
            for package in (metrics, sklearn.metrics)
        )
        np.testing.assert_allclose(own, theirs, rtol=0, atol=1e-12)
        if average == "weighted" and name != "jaccard_score":
            own, theirs = (
                compute(package, name, average, *drawn, zero_division=np.nan, **keywords)
                for package in (metrics, sklearn.metrics)
            )
            # Where no label with a weight has a value, scikit-learn has 0 or NaN.
            of_labels = compute(metrics, name, None, *drawn, zero_division=np.nan, **keywords)
            row_weights = keywords.get("sample_weight", np.ones(len(drawn[0])))
            has_value = (~np.isnan(of_labels) & (row_weights @ drawn[0] > 0)).any()
            np.testing.assert_allclose(own, theirs if has_value else own, rtol=0, atol=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", RANKINGS)
@pytest.mark.parametrize("n_levels", [2, 50])
@pytest.mark.parametrize("choices", [[1, 1, 1], [0, 1, 3], [0.5, 2, 1e-3]])
def test_weighted_rankings_equal_those_of_scikit_learn(name, average, n_levels, choices):
    """With ties, dense and sparse scores; a label with no weight does not count."""
    rng = np.random.default_rng(7)
    truth = (rng.random((40, 5)) < 0.4).astype(int)
    truth[0], truth[1] = 0, 1  # AUC of a row needs both
    truth[2:, :] = np.roll(truth[2:, :], 1, axis=1)
    scores = rng.integers(0, n_levels, truth.shape) / n_levels
    if average == "samples":
        truth[:, 0], truth[:, 1] = 0, 1
    weights = rng.choice(choices, 40)
    weights[:2] = 1
    theirs = getattr(sklearn.metrics, name)
    for keywords in ({}, {"sample_weight": weights}):
        expected = theirs(truth, scores, average=average, **keywords)
        for form in (np.asarray, sparse.csr_array):
            own = getattr(metrics, name)(form(truth), form(scores), average=average, **keywords)
            np.testing.assert_allclose(own, expected, rtol=0, atol=1e-12)


def test_undefined_labels_of_no_weight_do_not_count_in_a_weighted_mean():
    """The last label has no true row: its recall and AUC are undefined, but weigh 0."""
    truth = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0]])
    predicted = np.array([[1, 0, 0], [0, 1, 0], [0, 1, 0]])
    assert metrics.recall_score(truth, predicted, average="weighted") == pytest.approx(3 / 4)
    assert np.isnan(metrics.recall_score(truth, predicted))
    for name in RANKINGS:
        assert getattr(metrics, name)(truth, predicted, average="weighted") > 0.5
    # Nothing is true: a plain mean, as in scikit-learn.
    none = np.zeros_like(truth)
    assert metrics.f1_score(none, predicted, average="weighted", zero_division=1) == 1 / 3
    assert np.isnan(metrics.roc_auc_score(none, predicted, average="weighted"))


def take(name):
    """Return the metrics of a name for a prediction, and scikit-learn's function."""
    theirs = {
        "coverage_error": "coverage_error",
        "hamming_loss": "hamming_loss",
        "zero_one_loss": "zero_one_loss",
        "subset_accuracy": "accuracy_score",
        "ranking_loss": "label_ranking_loss",
        "label_ranking_average_precision_score": "label_ranking_average_precision_score",
    }
    return getattr(metrics, name), getattr(sklearn.metrics, theirs[name])


@pytest.mark.parametrize(
    "name",
    [
        "coverage_error",
        "hamming_loss",
        "zero_one_loss",
        "subset_accuracy",
        "ranking_loss",
        "label_ranking_average_precision_score",
    ],
)
@pytest.mark.parametrize("choices", [[0, 1, 3], [0.5, 2, 1e-3]])
def test_weighted_means_over_rows_equal_those_of_scikit_learn(name, choices):
    """Each row counts as much as its weight."""
    rng = np.random.default_rng(3)
    truth, predicted = rng.integers(0, 2, (2, 30, 4))
    given_values = predicted if "loss" in name or "accuracy" in name else rng.random((30, 4))
    given_values = rng.random((30, 4)) if name == "ranking_loss" else given_values
    weights = draw_weights(choices, 30)
    own, theirs = take(name)
    assert own(truth, given_values, sample_weight=weights) == pytest.approx(
        theirs(truth, given_values, sample_weight=weights), abs=1e-12
    )


def test_weighted_log_loss_is_that_of_scikit_learn():
    """scikit-learn takes all cells as one column, with the weights of their rows."""
    rng = np.random.default_rng(4)
    truth, scores, weights = rng.integers(0, 2, (30, 4)), rng.random((30, 4)), rng.random(30)
    expected = sklearn.metrics.log_loss(
        truth.ravel(), scores.ravel(), sample_weight=np.repeat(weights, 4)
    )
    for form in (np.asarray, sparse.csr_array):
        found = metrics.log_loss(form(truth), form(scores), sample_weight=weights)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("label", [None, 1])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_weighted_curves_are_those_of_scikit_learn(label, form):
    """A cell counts as much as its row; thresholds of rows that do not count are left out."""
    rng = np.random.default_rng(5)
    truth, scores = rng.integers(0, 2, (40, 3)), rng.integers(0, 9, (40, 3)) / 9
    weights = draw_weights([0, 0.5, 2], 40)
    own = metrics.precision_recall_curve(
        form(truth), form(scores), label=label, sample_weight=weights
    )
    cells = slice(None) if label is None else [label]
    flat = [table[:, cells].ravel() for table in (truth, scores)]
    expected = sklearn.metrics.precision_recall_curve(
        *flat, sample_weight=np.repeat(weights, 3 if label is None else 1)
    )
    for mine, theirs in zip(own, expected, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=0, atol=1e-12)


def list_weighted():
    """Return every metric that takes weights, by its name."""
    found = {}
    for name in metrics.__all__:
        value = getattr(metrics, name)
        if inspect.isfunction(value) and "sample_weight" in inspect.signature(value).parameters:
            beta = {"beta": 2} if name == "fbeta_score" else {}
            found[name] = functools.partial(value, **beta)
    return found


WEIGHTED = {name: own for name, own in list_weighted().items() if "curve" not in name}


@pytest.mark.parametrize("name", WEIGHTED)
@settings(max_examples=20, deadline=None)
@given(st.data())
def test_whole_weights_are_repeated_rows(name, data):
    """For every metric, average and rule of ties; weights may be 0."""
    truth, predicted = data.draw(label_pairs())
    rng = np.random.default_rng(data.draw(st.integers(0, 99)))
    scores = rng.integers(0, 4, truth.shape) / 3
    counts = rng.integers(0, 4, len(truth))
    counts[0] += 1
    given_values = predicted if name in QUOTIENTS or "zero" in name or "hamming" in name else scores
    given_values = predicted if name == "subset_accuracy" else given_values
    parameters = inspect.signature(WEIGHTED[name]).parameters
    averages = AVERAGES if "average" in parameters else [...]
    form = data.draw(st.sampled_from([np.asarray, sparse.csr_array]))
    rows = np.repeat(np.arange(len(truth)), counts)
    for average in averages:
        keywords = {} if average is ... else {"average": average}
        found = WEIGHTED[name](form(truth), form(given_values), sample_weight=counts, **keywords)
        expected = WEIGHTED[name](truth[rows], given_values[rows], **keywords)
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_every_metric_takes_weights():
    """Functions of predictions; names of evaluations resample rows instead."""
    assert set(list_weighted()) == {
        name
        for name in metrics.__all__
        if inspect.isfunction(getattr(metrics, name)) and name != "count_undefined"
    }


def test_weighted_names_are_those_of_evaluations():
    """Each metric with averages has one; its resampled values are tested with those of all."""
    truth, scores = np.eye(3, dtype=int), np.eye(3)
    for name in ("precision", "recall", "f1", "jaccard", "average_precision", "roc_auc"):
        metric = METRICS[f"{name}_weighted"]
        assert metric.function(truth, scores) == 1
        assert metric.compares_rows == (metric.needs == "scores")


def test_weights_of_great_data_are_exact():
    """A label's sums are its own: weights of other labels do not round them."""
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 2, (50, 2))
    scores, weights = rng.random((50, 2)), rng.random(50) * 1e-9
    weights[0] = 1e9
    expected = sklearn.metrics.average_precision_score(
        truth, scores, average=None, sample_weight=weights
    )
    found = metrics.average_precision_score(truth, scores, average=None, sample_weight=weights)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("name", WEIGHTED)
@pytest.mark.parametrize(
    ("weights", "error", "message"),
    [
        ([1, 2], InputError, r"'sample_weight' must be one number for each of the 3 rows, got 2\."),
        (np.ones((3, 2)), InputError, r"must be one number for each of the 3 rows, got 3 × 2\."),
        (
            [1, -2, 0],
            InputError,
            r"must be finite numbers of 0 or more, not all zero, got -2\.0 at",
        ),
        ([1, np.nan, 0], InputError, r"must be finite numbers of 0 or more, .* got nan at row 1\."),
        ([0, 0, 0], InputError, r"must be finite numbers of 0 or more, not all zero, got 0 in all"),
        (["a", "b", "c"], InputTypeError, r"must be numbers, got an array of <U1\. Pass one"),
    ],
)
def test_wrong_weights_are_refused(name, weights, error, message):
    """The message has the first wrong number."""
    with pytest.raises(error, match=message):
        WEIGHTED[name](np.eye(3), np.eye(3), sample_weight=weights)


def test_weights_may_be_a_list_or_a_column():
    """Of pandas, or booleans."""
    truth, predicted = [[1, 0], [0, 1], [1, 1]], [[1, 0], [1, 1], [0, 1]]
    expected = metrics.f1_score(truth, predicted, sample_weight=np.array([1, 0, 1]))
    for form in ([1, 0, 1], [True, False, True], pd.Series([1, 0, 1], index=[3, 4, 5])):
        assert metrics.f1_score(truth, predicted, sample_weight=form) == expected

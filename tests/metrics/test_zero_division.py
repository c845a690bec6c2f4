"""Quotients of counts where scikit-learn divides by 0: values, and the argument zero_division."""

import warnings

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import UndefinedMetricWarning

from evenfold import metrics
from evenfold.exceptions import InputError

from ..strategies import label_matrices

QUOTIENTS = ["precision_score", "recall_score", "f1_score", "fbeta_score", "jaccard_score"]
AVERAGES = ["micro", "macro", "samples", None]


@st.composite
def label_pairs(draw):
    """Return true and predicted labels; rows and labels may be empty or full in either."""
    truth = draw(label_matrices(max_rows=8, max_labels=4))
    # scikit-learn takes a single column for classes.
    truth = np.hstack([truth, truth[:, :1]]) if truth.shape[1] == 1 else truth
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    predicted = rng.random(truth.shape) < draw(st.sampled_from([0.0, 0.2, 0.5, 1.0]))
    return truth, predicted.astype(int)


def compute(package, name, average, truth, predicted, **keywords):
    """Return the value of a metric; scikit-learn's warning is an error."""
    beta = {"beta": 0.7} if name == "fbeta_score" else {}
    with warnings.catch_warnings():
        warnings.simplefilter("error", UndefinedMetricWarning)
        return getattr(package, name)(truth, predicted, average=average, **beta, **keywords)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", QUOTIENTS)
@settings(max_examples=60, deadline=None)
@given(drawn=label_pairs())
def test_values_are_undefined_only_where_scikit_learn_warns(name, average, drawn):
    """They are equal to scikit-learn's elsewhere."""
    own = compute(metrics, name, average, *drawn)
    try:
        theirs = compute(sklearn.metrics, name, average, *drawn)
    except UndefinedMetricWarning:
        assert np.isnan(own).any()
    else:
        np.testing.assert_allclose(own, theirs, rtol=0, atol=1e-12)


@pytest.mark.parametrize("average", AVERAGES)
@pytest.mark.parametrize("name", QUOTIENTS)
@settings(max_examples=30, deadline=None)
@given(drawn=label_pairs(), number=st.sampled_from([0.0, 1.0, np.nan]))
def test_zero_division_is_that_of_scikit_learn(name, average, drawn, number):
    """NaN leaves undefined values out of the mean; scikit-learn's Jaccard index has no NaN."""
    own = compute(metrics, name, average, *drawn, zero_division=number)
    same = "skip" if np.isnan(number) else number
    np.testing.assert_array_equal(own, compute(metrics, name, average, *drawn, undefined=same))
    if name != "jaccard_score" or not np.isnan(number):
        theirs = compute(sklearn.metrics, name, average, *drawn, zero_division=number)
        np.testing.assert_allclose(own, theirs, rtol=0, atol=1e-12)


def test_f1_of_a_label_that_is_predicted_and_never_true_is_0():
    """Only a label that is neither true nor predicted has none."""
    truth, predicted = [[1, 0, 0], [1, 0, 0]], [[1, 0, 0], [1, 1, 0]]
    np.testing.assert_array_equal(
        metrics.f1_score(truth, predicted, average=None), [1.0, 0.0, np.nan]
    )


@pytest.mark.parametrize(
    "name", [*QUOTIENTS, "average_precision_score", "mean_average_precision", "roc_auc_score"]
)
def test_zero_division_is_another_name_of_undefined(name):
    """Both at once, and scikit-learn's "warn", are refused."""
    beta = {"beta": 1} if name == "fbeta_score" else {}
    function, table = getattr(metrics, name), np.zeros((2, 2))
    assert function(table, table, zero_division=0.25, **beta) == 0.25
    with pytest.raises(
        InputError,
        match=r"'zero_division' must be left out with 'undefined', its other name, got 0 and nan\. "
        r"Leave out one of the two",
    ):
        function(table, table, zero_division=0, undefined=np.nan, **beta)
    with pytest.raises(
        InputError,
        match=r"'zero_division' must be a number, NaN included, got 'warn'\. "
        r"Take 0, which is scikit-learn's value",
    ):
        function(table, table, zero_division="warn", **beta)

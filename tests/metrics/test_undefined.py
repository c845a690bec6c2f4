"""Metrics where a value is undefined."""

import numpy as np
import pytest
import sklearn.metrics
from scipy import sparse

from evenfold import metrics
from evenfold.metrics import METRICS, count_undefined

# No row has the last label; every row has the second; the last row has only that.
TRUTH = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 0], [0, 1, 0]])
PREDICTED = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])
SCORES = np.array([[0.9, 0.8, 0.1], [0.6, 0.7, 0.2], [0.3, 0.6, 0.2], [0.1, 0.4, 0.3]])

CASES = {
    # name: the value of each label, NaN where it is 0/0
    "precision_score": (PREDICTED, [1 / 2, 1, np.nan]),
    "recall_score": (PREDICTED, [1 / 2, 3 / 4, np.nan]),
    "f1_score": (PREDICTED, [1 / 2, 6 / 7, np.nan]),
    "jaccard_score": (PREDICTED, [1 / 3, 3 / 4, np.nan]),
    "average_precision_score": (SCORES, [(1 + 2 / 3) / 2, 1, np.nan]),
    "roc_auc_score": (SCORES, [3 / 4, np.nan, np.nan]),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_undefined_labels_are_nan_by_default(name, form):
    """The mean is then NaN, or leaves the labels out, or takes a number for them."""
    given, by_label = CASES[name]
    function, truth, given = getattr(metrics, name), form(TRUTH), form(given)
    np.testing.assert_allclose(function(truth, given, average=None), by_label, rtol=0, atol=1e-15)
    assert np.isnan(function(truth, given, average="macro"))
    assert function(truth, given, average="macro", undefined="skip") == pytest.approx(
        np.nanmean(by_label)
    )
    for number in (0, 1.0, np.float32(0.25)):
        assert function(truth, given, average="macro", undefined=number) == pytest.approx(
            np.nan_to_num(by_label, nan=number).mean()
        )
        np.testing.assert_allclose(
            function(truth, given, average=None, undefined=number),
            np.nan_to_num(by_label, nan=number),
        )
    np.testing.assert_allclose(
        function(truth, given, average=None, undefined="skip"),
        by_label,
        err_msg="the value of a label is never left out",
    )
    assert count_undefined(function, truth, given) == np.isnan(by_label).sum()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Nothing is true: recall and average precision are 0/0.
        ("recall_macro", np.nan),
        ("precision_macro", 0.0),
        ("f1_macro", 0.0),
        ("f1_samples", 0.0),
        ("jaccard_macro", 0.0),
        ("recall_micro", np.nan),
        ("roc_auc_micro", np.nan),
        ("mean_average_precision", np.nan),
        ("average_precision_micro", np.nan),
        # These have a value for rows without labels.
        ("hamming_loss", 1.0),
        ("subset_accuracy", 0.0),
        ("ranking_loss", 0.0),
        ("coverage", 0.0),
        ("coverage_error", 0.0),
        ("one_error", 1.0),
        ("label_ranking_average_precision", 1.0),
    ],
)
def test_values_without_any_true_label(name, value):
    """They are NaN or as documented; "skip" leaves nothing to average, which is NaN too."""
    metric = METRICS[name]
    truth, given = np.zeros((3, 2)), np.ones((3, 2))
    assert metric.function(truth, given) == pytest.approx(value, nan_ok=True)
    if np.isnan(value):
        assert np.isnan(metric.function(truth, given, undefined="skip"))
        assert metric.function(truth, given, undefined=0) == 0


def test_f_measure_of_a_label_never_predicted_is_0_as_in_scikit_learn():
    """The value is not undefined, because the label has rows."""
    truth, predicted = np.array([[1, 1], [0, 1]]), np.array([[1, 0], [0, 0]])
    assert (
        metrics.f1_score(truth, predicted)
        == sklearn.metrics.f1_score(truth, predicted, average="macro")
        == 0.5
    )
    assert count_undefined("f1_macro", truth, predicted) == 0
    assert count_undefined("precision_macro", truth, predicted) == 1


def test_metrics_that_are_not_of_labels_have_no_undefined_label():
    """Only metrics that are computed for each label can be undefined for a label."""
    assert count_undefined("hamming_loss", TRUTH, PREDICTED) == 0
    assert count_undefined(metrics.mean_average_precision, TRUTH, SCORES) == 1

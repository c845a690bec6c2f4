"""Metrics where a value is undefined, choices between averages, and precision-recall curves."""

import re

import numpy as np
import pytest
import sklearn.metrics
from scipy import sparse

from evenfold import metrics
from evenfold.metrics import METRICS, count_undefined

# No row holds the last label; every row holds the second; the last row holds none but that.
TRUTH = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 0], [0, 1, 0]])
PREDICTED = np.array([[1, 1, 0], [1, 1, 0], [0, 1, 0], [0, 0, 0]])
SCORES = np.array([[0.9, 0.8, 0.1], [0.6, 0.7, 0.2], [0.3, 0.6, 0.2], [0.1, 0.4, 0.3]])

CASES = {
    # name: each label's own value, NaN where it is 0/0
    "precision_score": (PREDICTED, [1 / 2, 1, np.nan]),
    "recall_score": (PREDICTED, [1 / 2, 3 / 4, np.nan]),
    "f1_score": (PREDICTED, [1 / 2, 6 / 7, np.nan]),
    "jaccard_score": (PREDICTED, [1 / 3, 3 / 4, np.nan]),
    "average_precision_score": (SCORES, [(1 + 2 / 3) / 2, 1, np.nan]),
    "roc_auc_score": (SCORES, [3 / 4, np.nan, np.nan]),
}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_undefined_labels_are_nan_unless_told_otherwise(name, form):
    """The mean over labels is NaN if one is; or leaves them out, or counts a number for them."""
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
        err_msg="each label's own value is never left out",
    )
    assert count_undefined(function, truth, given) == np.isnan(by_label).sum()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Nothing is true: recall, F1 and average precision are 0/0, though the learner predicts it.
        ("recall_macro", np.nan),
        ("f1_macro", np.nan),
        ("precision_macro", 0.0),
        ("jaccard_macro", 0.0),
        ("recall_micro", np.nan),
        ("f1_samples", np.nan),
        ("roc_auc_micro", np.nan),
        ("mean_average_precision", np.nan),
        ("average_precision_micro", np.nan),
        # These have a value for rows without labels.
        ("hamming_loss", 1.0),
        ("subset_accuracy", 0.0),
        ("ranking_loss", 0.0),
        ("coverage", 0.0),
        ("one_error", 1.0),
        ("label_ranking_average_precision", 1.0),
    ],
)
def test_a_test_part_without_any_label(name, value):
    """NaN where nothing can be said, and the documented value where there is one; "skip" has nothing left to average."""
    metric = METRICS[name]
    truth, given = np.zeros((3, 2)), np.ones((3, 2))
    assert metric.function(truth, given) == pytest.approx(value, nan_ok=True)
    if np.isnan(value):
        assert np.isnan(metric.function(truth, given, undefined="skip"))
        assert metric.function(truth, given, undefined=0) == 0


def test_f_measure_of_a_label_never_predicted_is_0_as_in_scikit_learn():
    """Not undefined: there was something to find."""
    truth, predicted = np.array([[1, 1], [0, 1]]), np.array([[1, 0], [0, 0]])
    assert (
        metrics.f1_score(truth, predicted)
        == sklearn.metrics.f1_score(truth, predicted, average="macro")
        == 0.5
    )
    assert count_undefined("f1_macro", truth, predicted) == 0
    assert count_undefined("precision_macro", truth, predicted) == 1


def test_metrics_that_are_not_of_labels_have_no_undefined_label():
    """They have one value for all."""
    assert count_undefined("hamming_loss", TRUTH, PREDICTED) == 0
    assert count_undefined(metrics.mean_average_precision, TRUTH, SCORES) == 1


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"average": "weighted"},
            "'average' must be 'micro', 'macro' (over labels), 'samples' (over rows) or None (each label), got 'weighted'.",
        ),
        (
            {"undefined": "drop"},
            "'undefined' must be a number, NaN included, or 'skip', got 'drop'.",
        ),
        ({"undefined": True}, "'undefined' must be a number, NaN included, or 'skip', got True."),
        ({"undefined": None}, "'undefined' must be a number, NaN included, or 'skip', got None."),
    ],
)
def test_other_choices_are_refused(keywords, message):
    """In every metric that has them."""
    for name, (given, _) in CASES.items():
        with pytest.raises(ValueError, match=re.escape(message)):
            getattr(metrics, name)(TRUTH, given, **keywords)


@pytest.mark.parametrize("beta", [0, -1, np.inf, "1", True])
def test_a_beta_that_weighs_nothing_is_refused(beta):
    """It must be a number above 0."""
    with pytest.raises(
        ValueError, match=re.escape(f"'beta' must be a number above 0, got {beta!r}.")
    ):
        metrics.fbeta_score(TRUTH, PREDICTED, beta=beta)


def test_a_name_that_no_metric_has_is_refused():
    """With the nearest that there is."""
    with pytest.raises(
        ValueError,
        match=r"'metrics' must be of hamming_loss, .*, got 'haming_loss'\. Did you mean 'hamming_loss'\?",
    ):
        count_undefined("haming_loss", TRUTH, PREDICTED)
    with pytest.raises(ValueError, match=r"got 'xyz'\. Take one of these\."):
        count_undefined("xyz", TRUTH, PREDICTED)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("n_levels", [3, 10_000])
def test_curves_equal_those_of_scikit_learn(form, n_levels):
    """Of one label and of all cells, with ties and without."""
    rng = np.random.default_rng(1)
    truth, scores = (
        (rng.random((50, 4)) < 0.4).astype(int),
        rng.integers(0, n_levels, (50, 4)) / n_levels,
    )
    for label in (0, np.int64(3), None):
        own = metrics.precision_recall_curve(form(truth), form(scores), label=label)
        cells = (
            (truth.ravel(), scores.ravel())
            if label is None
            else (truth[:, label], scores[:, label])
        )
        for found, expected in zip(
            own, sklearn.metrics.precision_recall_curve(*cells), strict=True
        ):
            np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


def test_a_curve_without_true_cells_has_no_recall():
    """NaN, not 1."""
    curve = metrics.precision_recall_curve(TRUTH, SCORES, label=2)
    assert np.isnan(curve.recall[:-1]).all()
    assert curve.precision.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("label", [3, -1, "smoke", 0.5])
def test_a_label_that_is_not_there_has_no_curve(label):
    """The columns that are there are said."""
    with pytest.raises(
        ValueError,
        match=re.escape(
            f"'label' must be a column from 0 to 2, or None for all cells, got {label!r}."
        ),
    ):
        metrics.precision_recall_curve(TRUTH, SCORES, label=label)


def test_curves_are_drawn():
    """All cells first, then the labels asked for, by name; where none is given, on a new figure."""
    from matplotlib import pyplot

    pyplot.switch_backend("agg")
    ax = metrics.plot_pr_curve(TRUTH, SCORES, labels=[0, 1], names=["rain", "sun", "snow"])
    assert [line.get_label() for line in ax.get_lines()] == [
        "micro (AP 0.90)",
        "rain (AP 0.83)",
        "sun (AP 1.00)",
    ]
    curve = metrics.precision_recall_curve(TRUTH, SCORES, label=0)
    np.testing.assert_array_equal(ax.get_lines()[1].get_xdata(), curve.recall)
    np.testing.assert_array_equal(ax.get_lines()[1].get_ydata(), curve.precision)
    assert metrics.plot_pr_curve(TRUTH, SCORES, ax=ax) is ax
    assert [text.get_text() for text in ax.get_legend().get_texts()][-1] == "micro (AP 0.90)"
    assert (
        metrics.plot_pr_curve(TRUTH, SCORES, labels=[2]).get_lines()[1].get_label() == "2 (AP nan)"
    )
    pyplot.close("all")
    with pytest.raises(ValueError, match="'names' must be 3 names, one per label, got 2"):
        metrics.plot_pr_curve(TRUTH, SCORES, names=["rain", "sun"])

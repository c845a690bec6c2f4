"""Precision-recall curves."""

import re

import numpy as np
import pytest
import sklearn.metrics
from matplotlib import pyplot
from scipy import sparse

from evenfold import metrics

# No row has the last label.
TRUTH = np.array([[1, 1, 0], [0, 1, 0], [1, 1, 0], [0, 1, 0]])
SCORES = np.array([[0.9, 0.8, 0.1], [0.6, 0.7, 0.2], [0.3, 0.6, 0.2], [0.1, 0.4, 0.3]])


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("n_levels", [3, 10_000])
def test_curves_equal_those_of_scikit_learn(form, n_levels):
    """Curves of one label and of all cells agree, with and without ties."""
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
    """Recall is NaN, not 1."""
    curve = metrics.precision_recall_curve(TRUTH, SCORES, label=2)
    assert np.isnan(curve.recall[:-1]).all()
    assert curve.precision.tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("label", [3, -1, "smoke", 0.5])
def test_unknown_labels_are_refused(label):
    """The message says which columns there are."""
    with pytest.raises(
        ValueError,
        match=re.escape(
            f"'label' must be a column from 0 to 2, or None for all cells, got {label!r}."
        ),
    ):
        metrics.precision_recall_curve(TRUTH, SCORES, label=label)


def test_curves_are_drawn():
    """All cells come first, then the given labels by name; without axes there is a new figure."""
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

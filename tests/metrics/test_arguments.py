"""Wrong arguments of metrics."""

import re

import numpy as np
import pytest
from scipy import sparse

from evenfold import metrics

TRUTH = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 0]])
SCORES = np.linspace(0, 1, 20).reshape(5, 4)
LABEL_METRICS = ("precision_score", "recall_score", "f1_score", "jaccard_score")
SCORE_METRICS = ("average_precision_score", "roc_auc_score")


@pytest.mark.parametrize(
    ("function", "truth", "given", "error", "message"),
    [
        (
            metrics.hamming_loss,
            TRUTH,
            TRUTH[:, :3],
            ValueError,
            "'y_pred' must have the shape of 'y_true', 5 × 4, got 5 × 3.",
        ),
        (
            metrics.ranking_loss,
            TRUTH,
            SCORES[:4],
            ValueError,
            "'scores' must have the shape of 'y_true', 5 × 4, got 4 × 4.",
        ),
        (
            metrics.f1_score,
            TRUTH * 2,
            TRUTH,
            ValueError,
            "'y_true' must hold 0 and 1 alone, got 9 other values, first 2 at row 0, label 0.",
        ),
        (
            metrics.f1_score,
            TRUTH,
            sparse.csr_array(TRUTH * 0.5),
            ValueError,
            "'y_pred' must hold 0 and 1 alone, got 9 other values, first 0.5 at row 0",
        ),
        (
            metrics.coverage,
            [[1, np.nan]],
            [[1, 2]],
            ValueError,
            "'y_true' must hold 0 and 1 alone, got 1 other values, first nan at row 0, label 1.",
        ),
        (
            metrics.coverage,
            [[1, 0]],
            [[np.nan, 2]],
            ValueError,
            "'scores' must be numbers, got NaN in 1 of 2 places.",
        ),
        (
            metrics.log_loss,
            [[1, 0]],
            [[0.5, 2]],
            ValueError,
            "'scores' must be probabilities between 0 and 1, got 0.5 to 2.",
        ),
        (
            metrics.hamming_loss,
            [1, 0],
            [1, 0],
            ValueError,
            "'y_true' must have two dimensions, rows × labels, got 1.",
        ),
        (
            metrics.hamming_loss,
            np.zeros((0, 3)),
            np.zeros((0, 3)),
            ValueError,
            "'y_true' must have at least one row and one label, got 0 × 3.",
        ),
        (
            metrics.hamming_loss,
            [["a"]],
            [["a"]],
            TypeError,
            "'y_true' must hold numbers or booleans, got an array of <U1.",
        ),
        (
            metrics.hamming_loss,
            [[1, 0], [1]],
            TRUTH,
            ValueError,
            "'y_true' must have rows of one length, got lists of several.",
        ),
    ],
)
def test_wrong_labels_and_scores_are_refused(function, truth, given, error, message):
    """The message names the argument, the rule and the value."""
    with pytest.raises(error, match=re.escape(message)):
        function(truth, given)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"average": "binary"},
            "'average' must be one of macro, micro, samples, weighted, got 'binary'. "
            "None gives the value of each label.",
        ),
        (
            {"undefined": "drop"},
            "'undefined' must be a number, NaN included, or 'skip', got 'drop'.",
        ),
        ({"undefined": True}, "'undefined' must be a number, NaN included, or 'skip', got True."),
    ],
)
def test_wrong_averages_and_replacements_are_refused(keywords, message):
    """Every metric that has these parameters refuses them."""
    for name in (*LABEL_METRICS, *SCORE_METRICS):
        with pytest.raises(ValueError, match=re.escape(message)):
            getattr(metrics, name)(TRUTH, TRUTH, **keywords)


@pytest.mark.parametrize(
    ("beta", "error", "message"),
    [
        (0, ValueError, "'beta' must be above 0 and finite, got 0. Take 1 for equal weight."),
        (-1, ValueError, "'beta' must be above 0 and finite, got -1. Take 1 for equal weight."),
        (np.inf, ValueError, "'beta' must be above 0 and finite, got inf."),
        ("1", TypeError, "'beta' must be a number, got '1'. Take 1 for equal weight."),
        (True, TypeError, "'beta' must be a number, got True."),
    ],
)
def test_wrong_weights_of_recall_are_refused(beta, error, message):
    """They must be numbers above 0."""
    with pytest.raises(error, match=re.escape(message)):
        metrics.fbeta_score(TRUTH, TRUTH, beta=beta)


def test_unknown_names_of_metrics_are_refused():
    """The message has the nearest name, if one is near."""
    with pytest.raises(
        ValueError,
        match=r"'metric' must be one of hamming_loss, .*, got 'haming_loss'\. "
        r"Did you mean 'hamming_loss'\?",
    ):
        metrics.count_undefined("haming_loss", TRUTH, TRUTH)
    with pytest.raises(ValueError, match=r"got 'xyz'\. Take one of these\."):
        metrics.count_undefined("xyz", TRUTH, TRUTH)

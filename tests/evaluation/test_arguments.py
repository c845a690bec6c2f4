"""Wrong arguments of evaluate."""

import re

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

import evenfold

from .counting import KNN, X, Y


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"learners": [KNeighborsClassifier]},
            TypeError,
            "'learners' must be names or scikit-learn estimators, "
            "got the class KNeighborsClassifier.",
        ),
        (
            {"learners": [3]},
            TypeError,
            "'learners' must be names or scikit-learn estimators, got a int.",
        ),
        (
            {"learners": 3},
            TypeError,
            "'learners' must be a list of learners, or a mapping from title to learner, got int.",
        ),
        (
            {"learners": []},
            ValueError,
            "'learners' must name at least one learner, got none. "
            "Try learners=['br:random-forest'].",
        ),
        (
            {"learners": [KNN, KNN]},
            ValueError,
            "'learners' must differ, got 'KNeighborsClassifier(n_neighbors=3)' twice.",
        ),
        ({"metrics": ["hamming"]}, ValueError, "got 'hamming'. Did you mean 'hamming_loss'?"),
        ({"metrics": []}, ValueError, "'metrics' must name at least one metric, got none."),
        (
            {"metrics": {"own": len}},
            TypeError,
            "'metrics' must be names, or a mapping from name to evenfold.metrics.Metric, "
            "got <built-in",
        ),
        (
            {"undefined": "drop"},
            ValueError,
            "'undefined' must be a number, NaN included, or 'skip', got 'drop'.",
        ),
        ({"methods": ["evem"]}, ValueError, "got 'evem'. Did you mean 'even'?"),
        ({"repeats": 0}, ValueError, "'repeats' must be 1 or more, got 0."),
        (
            {"parts": 1},
            ValueError,
            "'parts' must be at least 2, got 1.",
        ),
        (
            {"parts": [0.5, 0.4]},
            ValueError,
            "'parts' must sum to 1 or to the 90 rows, got 0.9.",
        ),
        ({"holdout": 1.5}, ValueError, "'holdout' must be a fraction below 1"),
        ({"order": 3}, ValueError, "'order' must be"),
        ({"balance": {"age": [1, 2]}}, ValueError, "'balance'"),
        ({"groups": [1, 2]}, ValueError, "'groups'"),
        (
            {"n_samples": -1},
            ValueError,
            "'n_samples' must be 0 or more, got -1. Take 200, or 0 for no intervals.",
        ),
        ({"X": X[:50]}, ValueError, "'X' must have the 90 rows of 'y', got 50."),
        ({"X": X[:, 0]}, ValueError, "'X' must have two dimensions, rows × features, got 1."),
        (
            {"y": np.where(Y, 1.0, np.nan)},
            ValueError,
            "'y' must be known throughout, got 174 unknown entries (NaN).",
        ),
    ],
)
def test_wrong_arguments_are_refused(change, error, message):
    """The message names the argument, the rule and the value."""
    with pytest.raises(error, match=re.escape(message)):
        evenfold.evaluate(**{"learners": KNN, "X": X, "y": Y, **change})

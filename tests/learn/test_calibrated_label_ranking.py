"""Calibrated label ranking."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC

from evenfold.exceptions import InputError
from evenfold.learn import CalibratedLabelRanking

from . import naive_learners
from .rows import TREE, make_rows


@pytest.mark.parametrize("base", [TREE, LinearSVC(), KNeighborsClassifier(3)])
def test_votes_are_those_of_the_paper(base):
    """They equal the naive version for constant, equal and opposite labels too."""
    X, y, new = make_rows(7, n_labels=7)
    y[:, 3], y[:, 4], y[:, 5], y[:, 6] = 1, 0, y[:, 0], 1 - y[:, 1]
    fitted = CalibratedLabelRanking(base).fit(X, y)
    votes = np.array(naive_learners.calibrated_votes(base, X.tolist(), y.tolist(), new.tolist()))
    np.testing.assert_array_equal(fitted.votes(new), votes)
    np.testing.assert_array_equal(fitted.predict(new), votes[:, :-1] > votes[:, -1:])
    assert fitted.pair_models_[0, 5] is None


def test_votes_equal_those_counted_by_hand():
    """One feature, label a below 1.5, b above it, c above 2.5: 3 pairs and 3 labels vote."""
    X, y = [[0.0], [1.0], [2.0], [3.0]], [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1]]
    fitted = CalibratedLabelRanking(KNeighborsClassifier(1)).fit(X, y)
    # At 0: a wins against b, c and the virtual label v; b always wins against c; v wins against
    # b and c. At 2.2: b wins against a, c and v; c wins against a (rows 0, 1 and 3); v wins
    # against a and c.
    assert fitted.votes([[0.0], [2.2]]).tolist() == [[3, 1, 0, 2], [0, 3, 1, 2]]
    np.testing.assert_allclose(fitted.predict_proba([[0.0]]), [[4 / 7, 2 / 5, 1 / 4]])


def test_soft_votes_are_probabilities():
    """The two labels of each model share its vote."""
    X, y, new = make_rows(8, n_labels=2)
    base = LogisticRegression()
    votes = CalibratedLabelRanking(base, voting="soft").fit(X, y).votes(new)
    single = [clone(base).fit(X, y[:, j]).predict_proba(new)[:, 1] for j in (0, 1)]
    differs = y[:, 0] != y[:, 1]
    pair = clone(base).fit(X[differs], y[differs, 0]).predict_proba(new)[:, 1]
    np.testing.assert_allclose(
        votes, np.column_stack([single[0] + pair, single[1] + 1 - pair, 2 - single[0] - single[1]])
    )


def test_models_are_limited_in_number():
    """Nothing is fitted if there are too many."""
    X, y, _ = make_rows(9, n_labels=10)
    with pytest.raises(
        InputError,
        match=r"'max_models' must be at least 55 for 10 labels, got 54\. Raise it if there is",
    ):
        CalibratedLabelRanking(TREE, max_models=54).fit(X, y)


def test_models_are_limited_in_memory():
    """No pair is fitted if the models of single labels are too large."""
    X, y, _ = make_rows(9, n_labels=10)
    limited = CalibratedLabelRanking(TREE, max_memory=10_000)
    with pytest.raises(
        InputError,
        match=r"'max_memory' must be about \d+,\d{3} bytes for 55 models, got 10,000\. Raise it",
    ):
        limited.fit(X, y)
    assert len(limited.label_models_) == 10
    assert not hasattr(limited, "pair_models_")

"""difficulty: how hard each row is to predict from rows of other groups."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression, RidgeClassifier

import evenfold
from evenfold.learn import BinaryRelevance, difficulty
from evenfold.metrics import ranking_loss


def make_rows(n_rows=80, n_labels=5, seed=0):
    """Return features of unequal scale, and labels that depend on them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 4)) * [1, 10, 0.1, 0]
    scores = X[:, :2] / [1, 10] @ rng.normal(size=(2, n_labels))
    return X, (scores + rng.normal(size=scores.shape) > 0.8).astype(int)


def find_naively(X, y, groups, k):
    """Return both columns by one loop over rows."""
    deviation = X.std(axis=0)
    X = X / np.where(deviation > 0, deviation, 1)
    squared, ranking = [], []
    for row in range(len(X)):
        others = [other for other in range(len(X)) if groups[other] != groups[row]]
        others.sort(key=lambda other: ((X[other] - X[row]) ** 2).sum())
        share = y[others[:k]].mean(axis=0)
        squared.append(((share - y[row]) ** 2).mean())
        ranking.append(ranking_loss(y[[row]], share[None], ties="average"))
    return {"squared error": squared, "ranking loss": ranking}


@pytest.mark.parametrize("n_groups", [80, 20, 3])
def test_nearest_rows_equal_the_naive_loop(n_groups):
    """A row is predicted from the nearest rows of other groups."""
    X, y = make_rows()
    groups = np.arange(80) % n_groups
    expected = find_naively(X, y, groups, 7)
    for matrix in (X, sparse.csr_array(X)):
        found = difficulty(matrix, y, groups=groups, n_neighbors=7)
        assert list(found) == list(expected)
        for name, column in found.items():
            np.testing.assert_allclose(column, expected[name], atol=1e-12)


def test_without_groups_only_the_row_itself_is_left_out():
    """Each row is then a group of its own, and equal rows are neighbours."""
    X, y = make_rows()
    X, y = np.repeat(X, 2, axis=0), np.repeat(y, 2, axis=0)
    found = difficulty(X, y, n_neighbors=1)
    assert not found["squared error"].any()
    apart = difficulty(X, y, n_neighbors=1, groups=np.repeat(np.arange(80), 2))
    assert apart["squared error"].any()


def test_fewer_rows_than_neighbours_are_all_taken():
    """Three rows have two neighbours each."""
    X, y = make_rows(3)
    expected = find_naively(X, y, np.arange(3), 2)
    np.testing.assert_allclose(difficulty(X, y)["squared error"], expected["squared error"])


def test_many_rows_are_found_in_blocks():
    """The blocks give what one block gives."""
    X, y = make_rows(1_500)
    found = difficulty(X, y)
    expected = find_naively(X[:1_500], y, np.arange(1_500), 10)
    np.testing.assert_allclose(found["squared error"], expected["squared error"], atol=1e-12)


def test_any_learner_is_fitted_on_other_rows():
    """Labels that are pure chance are predicted no better than by their frequency."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(400, 30)), (rng.random((400, 3)) < 0.3).astype(int)
    learner = BinaryRelevance(LogisticRegression())
    found = difficulty(X, y, learner)
    assert found["squared error"].mean() > 0.21
    again = difficulty(sparse.csr_array(X), y, learner)
    np.testing.assert_allclose(found["squared error"], again["squared error"], atol=1e-4)
    groups = np.arange(400) // 4
    assert difficulty(X, y, "br:logistic-regression", groups=groups)["ranking loss"].shape == (400,)


def test_a_learner_without_probabilities_has_only_a_ranking_loss():
    """Decisions are no probabilities."""
    X, y = make_rows()
    assert list(difficulty(X, y, RidgeClassifier())) == ["ranking loss"]


def test_the_columns_are_kept_even():
    """Each part of a split has its share of the hard rows."""
    X, y = make_rows(400)
    hard = difficulty(X, y)
    plain, balanced = (
        evenfold.split(y, 5, balance=columns).part_of_row for columns in (None, hard)
    )
    spread = [
        np.std([hard["squared error"][parts == part].mean() for part in range(5)])
        for parts in (plain, balanced)
    ]
    assert spread[1] < 0.3 * spread[0]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"X": np.zeros((3, 2))}, ValueError, r"'X' must have the 80 rows of 'y', got 3"),
        ({"X": np.full((80, 2), np.nan)}, ValueError, "'X' must be finite numbers"),
        ({"X": np.full((80, 2), "a")}, ValueError, "'X' must be finite numbers"),
        ({"y": np.full((80, 2), np.nan)}, ValueError, "'y' must be known throughout, got 160"),
        ({"groups": np.zeros(80)}, ValueError, "'groups' must put rows into at least two groups"),
        ({"n_neighbors": 0}, ValueError, "'n_neighbors' must be .*got 0"),
        ({"learner": 3}, TypeError, "'learner' must be a learner with predict_proba .*got int"),
    ],
)
def test_wrong_arguments_are_refused(change, error, message):
    """The message names the argument and the value."""
    X, y = make_rows()
    with pytest.raises(error, match=message):
        difficulty(**{"X": X, "y": y, **change})

"""Votes of several learners."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.neighbors import KNeighborsClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from evenfold.learn import BinaryRelevance, ChainEnsemble, RAkEL, VotingEnsemble

from .rows import TREE, make_rows


@pytest.mark.parametrize("kind", [ChainEnsemble, RAkEL])
def test_automatic_votes_are_soft_if_there_are_probabilities(kind):
    """They are hard over a base learner without probabilities."""
    X, y, new = make_rows(23)
    assert kind(TREE).fit(X, y).voting_ == "soft"
    votes = kind(LinearSVC(), random_state=0).fit(X, y)
    assert votes.voting_ == "hard"
    assert votes.predict_proba(new).shape == (20, 4)


def test_learners_of_other_packages_can_vote():
    """They may return a list of probabilities, and may need dense labels."""
    X, y, new = make_rows(17)
    y[:, 1], y[:, 2] = 1, 0
    members = [
        KNeighborsClassifier(3),
        DecisionTreeClassifier(max_depth=2, random_state=0),
        BinaryRelevance(TREE),
    ]
    fitted = VotingEnsemble(members, voting="soft", weights=[0, 3, 1]).fit(X, sparse.csr_array(y))
    tree = clone(members[1]).fit(X, y).predict_proba(new)
    expected = np.column_stack([tree[0][:, 1], np.ones(20), np.zeros(20), tree[3][:, 1]])
    np.testing.assert_allclose(
        fitted.predict_proba(new),
        (3 * expected + BinaryRelevance(TREE).fit(X, y).predict_proba(new)) / 4,
    )
    assert VotingEnsemble(members).fit(X, y).predict(new).shape == (20, 4)


def test_a_tie_of_votes_predicts_no_label():
    """More than half of the votes is needed, also if shares are rounded."""
    X, y, new = make_rows(18)
    opposite = [BinaryRelevance(TREE).fit(X, 1 - y), BinaryRelevance(TREE).fit(X, y)]
    fitted = VotingEnsemble([TREE] * 6).fit(X, y)
    fitted.learners_ = opposite * 3
    assert not fitted.predict(new).any()

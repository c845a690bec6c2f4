"""Binary relevance."""

import numpy as np
from sklearn.base import clone
from sklearn.neighbors import NearestCentroid
from sklearn.svm import LinearSVC

from evenfold.learn import BinaryRelevance, ClassifierChain

from .rows import TREE, make_rows


class OnlyPredicts(NearestCentroid):
    """A classifier without scores."""

    decision_function = predict_proba = property(lambda self: self.no_scores)


def test_binary_relevance_is_a_model_for_each_label():
    """Predictions and probabilities equal those of a tree fitted to each label alone."""
    X, y, new = make_rows(0)
    fitted = BinaryRelevance(TREE).fit(X, y)
    for label in range(4):
        alone = clone(TREE).fit(X, y[:, label])
        np.testing.assert_array_equal(fitted.predict(new)[:, label], alone.predict(new))
        np.testing.assert_array_equal(
            fitted.predict_proba(new)[:, label], alone.predict_proba(new)[:, 1]
        )


def test_base_learners_without_probabilities_are_scored_by_decisions():
    """Decisions are those of the base learner; constant labels have -1 and 1."""
    X, y, new = make_rows(19)
    y[:, 1], y[:, 2] = 1, 0
    fitted = BinaryRelevance(LinearSVC()).fit(X, y)
    assert not hasattr(fitted, "predict_proba")
    decision = fitted.decision_function(new)
    np.testing.assert_allclose(decision[:, 0], LinearSVC().fit(X, y[:, 0]).decision_function(new))
    assert (decision[:, 1:3] == [1, -1]).all()
    assert ClassifierChain(LinearSVC()).fit(X, y).predict(new).shape == (20, 4)


def test_base_learners_without_decisions_are_scored_by_predictions():
    """Decisions are -1 and 1, and predictions those of the base learner."""
    X, y, new = make_rows(19)
    fitted = BinaryRelevance(OnlyPredicts()).fit(X, y)
    alone = NearestCentroid().fit(X, y[:, 0])
    np.testing.assert_array_equal(fitted.predict(new)[:, 0], alone.predict(new))
    assert set(np.unique(fitted.decision_function(new))) == {-1.0, 1.0}

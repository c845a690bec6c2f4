"""Label powerset, and RAkEL, which is made of label powersets."""

from math import comb

import numpy as np
import pytest
from scipy import sparse
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from evenfold.learn import LabelPowerset, RAkEL
from evenfold.learn.label_powerset import find_labelsets

from .rows import TREE, make_rows


def test_rare_labelsets_are_merged_into_the_nearest():
    """The nearest differs in the fewest labels, then is the most common."""
    y = [[1, 1, 0, 0]] * 3 + [[0, 0, 1, 1]] * 2 + [[1, 1, 1, 0], [0, 1, 1, 0]]
    labelset_of_row, labelsets = find_labelsets(sparse.csc_array(np.array(y, np.int8)), 2)
    assert labelsets.toarray().tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]
    assert labelset_of_row.tolist() == [0, 0, 0, 1, 1, 0, 0]


def test_only_kept_labelsets_are_predicted():
    """Labelsets of fewer rows than `min_rows` are never predicted."""
    X, y, new = make_rows(4)
    fitted = LabelPowerset(TREE, min_rows=5).fit(X, y)
    kept = {tuple(row) for row in y.tolist() if y.tolist().count(row) >= 5}
    assert {tuple(row) for row in fitted.labelsets_.toarray().tolist()} == kept
    assert {tuple(row) for row in fitted.predict(new).tolist()} <= kept


def test_the_most_common_labelset_is_always_kept():
    """It is predicted everywhere if all labelsets have fewer rows than `min_rows`."""
    X, y, new = make_rows(5)
    y[:30] = [0, 1, 0, 1]
    assert (LabelPowerset(TREE, min_rows=1000).fit(X, y).predict(new) == [0, 1, 0, 1]).all()


def test_a_powerset_without_probabilities_predicts():
    """It predicts labels and classes over a base learner that has only decisions."""
    X, y, new = make_rows(6)
    fitted = LabelPowerset(LinearSVC()).fit(X, y)
    assert not hasattr(fitted, "predict_proba")
    assert fitted.predict(new).shape == (20, 4)
    classes = np.where(X[:, 0] > 0, "a", "b")
    assert (LabelPowerset(LinearSVC()).fit(X, classes).predict(X) == classes).mean() > 0.9


@pytest.mark.parametrize(
    ("n_labels", "k", "n_models"),
    [(7, 3, None), (7, 3, 3), (20, 3, 9), (4, 2, None), (3, 5, None), (10, 9, 10)],
)
def test_every_label_is_in_a_model_of_rakel(n_labels, k, n_models):
    """There are `n_models` different sets of k labels, or all sets if there are fewer."""
    X, y, _ = make_rows(12, n_labels=n_labels)
    sets = RAkEL(TREE, k=k, n_models=n_models, random_state=0).fit(X, y).labels_of_model_
    assert {len(set(own.tolist())) for own in sets} == {min(k, n_labels)}
    n_sets = min(n_models or 2 * n_labels, comb(n_labels, min(k, n_labels)))
    assert len({tuple(own.tolist()) for own in sets}) == len(sets) == n_sets
    assert set(np.concatenate(sets).tolist()) == set(range(n_labels))


def test_disjoint_rakel_has_each_label_in_one_model():
    """Each model is the powerset of its labels."""
    X, y, new = make_rows(13, n_labels=7)
    fitted = RAkEL(TREE, disjoint=True, voting="hard", random_state=0).fit(X, y)
    assert [len(own) for own in fitted.labels_of_model_] == [3, 3, 1]
    for own in fitted.labels_of_model_:
        alone = LabelPowerset(TREE).fit(X, sparse.csc_array(y[:, own]))
        np.testing.assert_array_equal(fitted.predict(new)[:, own], alone.predict(new))


def test_rakel_of_all_labels_is_the_powerset():
    """There is one model, with the predictions of the powerset."""
    X, y, new = make_rows(14)
    fitted = RAkEL(TREE, k=4, voting="hard").fit(X, y)
    assert len(fitted.models_) == 1
    np.testing.assert_array_equal(fitted.predict(new), LabelPowerset(TREE).fit(X, y).predict(new))


class Renaming(DecisionTreeClassifier):
    """A tree whose classes have another type, and an order of that type."""

    def __init__(self, dtype=str):
        super().__init__()
        self.dtype = dtype

    def fit(self, X, y, sample_weight=None):
        """Rename the classes first."""
        return super().fit(X, y.astype(self.dtype), sample_weight)

    def predict(self, X):
        """Return one column."""
        return super().predict(X)[:, None]


@pytest.mark.parametrize("dtype", [str, float])
def test_classes_of_the_model_may_be_text_or_floats(dtype):
    """Of sixteen labelsets, text sorts the number 10 before 2."""
    y = (np.arange(48)[:, None] >> np.arange(4)) % 2
    X = y + 0.01 * np.random.default_rng(0).normal(size=y.shape)
    learner = LabelPowerset(Renaming(dtype)).fit(X, y)
    np.testing.assert_array_equal(learner.predict(X), y)
    np.testing.assert_array_equal(learner.predict_proba(X), y)

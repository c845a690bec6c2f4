"""Thresholds that are chosen by a metric."""

import itertools
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn import metrics
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.multioutput import MultiOutputClassifier
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from evenfold.exceptions import InputError, InputTypeError
from evenfold.learn import BinaryRelevance, MLkNN, TunedThreshold
from evenfold.learn.thresholds import THRESHOLD_METRICS, find_thresholds

from .rows import TREE, make_rows

EXACT = ["f1_macro", "f1_micro", "jaccard_macro", "jaccard_micro", "hamming_loss"]
SEARCHED = ["f1_samples", "jaccard_samples", "subset_accuracy", "zero_one_loss"]


def measure(metric, truth, predicted):
    """Return the metric as scikit-learn computes it; higher is better."""
    if metric in ("hamming_loss", "zero_one_loss"):
        return -getattr(metrics, metric)(truth, predicted)
    if metric == "subset_accuracy":
        return metrics.accuracy_score(truth, predicted)
    name, average = metric.split("_")
    function = getattr(metrics, f"{name}_score")
    return function(truth, predicted, average=average, zero_division=1)


def list_candidates(scores):
    """Return thresholds of every distinct prediction."""
    return [*np.unique(scores), np.inf]


def find_best(metric, truth, scores, *, per_label):
    """Return the best value over all candidates; with `per_label` over all combinations."""
    candidates = (
        itertools.product(*(list_candidates(column) for column in scores.T))
        if per_label
        else ([threshold] * truth.shape[1] for threshold in list_candidates(scores))
    )
    return max(
        measure(metric, truth, (scores >= list(chosen)).astype(int)) for chosen in candidates
    )


@st.composite
def scored_labels(draw):
    """Draw labels that vary, and scores with ties."""
    n_rows, n_labels = draw(st.integers(2, 5)), draw(st.integers(2, 3))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    truth = rng.integers(0, 2, (n_rows, n_labels))
    truth[0], truth[1] = 0, 1
    return rng.permuted(truth, axis=0), rng.integers(0, draw(st.integers(2, 9)), truth.shape) / 8


@pytest.mark.parametrize("metric", EXACT)
@settings(max_examples=15, deadline=None)
@given(drawn=scored_labels())
def test_thresholds_of_labels_are_the_best_there_are(metric, drawn):
    """No combination of thresholds has a better metric."""
    truth, scores = drawn
    found = find_thresholds(scores, truth, metric, per_label=True, default=0.5)
    value = measure(metric, truth, (scores >= found).astype(int))
    assert value == pytest.approx(find_best(metric, truth, scores, per_label=True))


@pytest.mark.parametrize("metric", THRESHOLD_METRICS)
@settings(max_examples=15, deadline=None)
@given(drawn=scored_labels())
def test_a_common_threshold_is_the_best_there_is(metric, drawn):
    """No other threshold for all labels has a better metric."""
    truth, scores = drawn
    found = find_thresholds(scores, truth, metric, per_label=False, default=0.5)
    assert len(set(found)) == 1
    value = measure(metric, truth, (scores >= found).astype(int))
    assert value == pytest.approx(find_best(metric, truth, scores, per_label=False))


@pytest.mark.parametrize("metric", SEARCHED)
@settings(max_examples=15, deadline=None)
@given(drawn=scored_labels())
def test_searched_thresholds_cannot_be_improved_in_one_label(metric, drawn):
    """They are at least as good as the best common one, and no change of one label helps."""
    truth, scores = drawn
    found = find_thresholds(scores, truth, metric, per_label=True, default=0.5)
    value = measure(metric, truth, (scores >= found).astype(int))
    assert value >= find_best(metric, truth, scores, per_label=False) - 1e-9
    for label, column in enumerate(scores.T):
        for threshold in list_candidates(column):
            changed = found.copy()
            changed[label] = threshold
            assert measure(metric, truth, (scores >= changed).astype(int)) <= value + 1e-9


@pytest.mark.parametrize("per_label", [True, False])
@pytest.mark.parametrize("metric", THRESHOLD_METRICS)
def test_constant_labels_have_infinite_thresholds(metric, per_label):
    """They count in the metric: the other thresholds are the best with them."""
    rng = np.random.default_rng(1)
    truth, scores = rng.integers(0, 2, (6, 4)), rng.integers(0, 5, (6, 4)) / 4
    truth[:2], truth[:, 0], truth[:, 3] = [[0], [1]], 1, 0
    found = find_thresholds(scores, truth, metric, per_label=per_label, default=0.5)
    assert found[[0, 3]].tolist() == [-np.inf, np.inf]
    assert np.isfinite(found[1:3]).all()
    columns = [list_candidates(scores[:, label]) for label in (1, 2)]
    pairs = itertools.product(*columns) if per_label else ((t, t) for t in list_candidates(scores))
    values = [
        measure(metric, truth, (scores >= [-np.inf, *pair, np.inf]).astype(int)) for pair in pairs
    ]
    if not per_label or metric in EXACT:
        value = measure(metric, truth, (scores >= found).astype(int))
        assert value == pytest.approx(max(values))


def test_the_nearest_to_the_default_is_taken():
    """The default itself if it is as good; else the middle between two scores."""
    truth = np.array([[1], [1], [0], [0]])
    for scores, threshold in (
        ([0.9, 0.6, 0.4, 0.1], 0.5),
        ([0.4, 0.3, 0.2, 0.1], 0.25),
        ([0.9, 0.9, 0.7, 0.7], 0.8),
    ):
        column = np.array(scores)[:, None]
        for per_label in (True, False):
            found = find_thresholds(column, truth, "f1_macro", per_label=per_label, default=0.5)
            assert found[0] == pytest.approx(threshold)


class Remembering(ClassifierMixin, BaseEstimator):
    """A learner that scores the rows it was fitted to with 1 and others with their feature."""

    def fit(self, X, y):
        """Remember the rows."""
        self.rows_, self.n_labels_ = set(X[:, 0].tolist()), y.shape[1]
        return self

    def decision_function(self, X):
        """Return 1 for known rows."""
        scores = [1.0 if value in self.rows_ else -value for value in X[:, 0].tolist()]
        return np.tile(np.array(scores)[:, None], (1, self.n_labels_))

    def predict(self, X):
        """Predict labels of decisions above 0."""
        return (self.decision_function(X) > 0).astype(int)


def test_thresholds_are_chosen_on_rows_that_models_have_not_seen():
    """Rows that a model was fitted to would all have the score 1."""
    X = np.arange(1.0, 21.0)[:, None]
    y = np.column_stack([X[:, 0] <= 8, X[:, 0] <= 14]).astype(int)
    fitted = TunedThreshold(Remembering(), cv=4, random_state=0).fit(X, y)
    assert fitted.thresholds_.tolist() == [-8.5, -14.5]
    assert fitted.learner_.rows_ == set(X[:, 0].tolist())
    assert fitted.predict([[8.2], [10.2], [15.2]]).tolist() == [[1, 1], [0, 1], [0, 0]]
    assert not hasattr(fitted, "predict_proba")


def test_scores_are_those_of_the_learner():
    """Thresholds change predictions alone."""
    X, y, new = make_rows(31)
    for learner in (BinaryRelevance(TREE), BinaryRelevance(LinearSVC()), MLkNN(5, threshold=0.3)):
        fitted = TunedThreshold(learner, cv=3).fit(X, sparse.csr_array(y))
        learner.fit(X, y)
        np.testing.assert_allclose(fitted.decision_function(new), learner.decision_function(new))
        assert hasattr(fitted, "predict_proba") == hasattr(learner, "predict_proba")


def test_learners_of_other_packages_are_tuned():
    """They may return a list of probabilities; a single label is not taken for two."""
    X, y, new = make_rows(32)
    tree = DecisionTreeClassifier(max_depth=2, random_state=0)
    for learner in (tree, MultiOutputClassifier(tree)):
        assert TunedThreshold(learner, cv=3).fit(X, y).predict(new).shape == (20, 4)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        single = TunedThreshold(tree, cv=3).fit(X, sparse.csr_array(y[:, :1]))
    assert single.predict(new).shape == (20, 1)


def test_classes_need_no_thresholds():
    """One class per row: the most probable one is predicted."""
    X, y, new = make_rows(33)
    fitted = TunedThreshold(BinaryRelevance(TREE), cv=2).fit(X, y[:, 0])
    assert fitted.thresholds_ is None
    expected = BinaryRelevance(TREE).fit(X, y[:, 0]).predict(new)
    np.testing.assert_array_equal(fitted.predict(new), expected)


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"metric": "coverage"}, InputError, "'metric' must be one of f1_macro, .* got 'coverage'"),
        ({"cv": 1}, InputError, "'cv' must be 2 or more, got 1. Try cv=5."),
        (
            {"cv": 61},
            InputError,
            "'cv' must be at most the number of rows, got 61 for n_samples=60. Ask for fewer",
        ),
        (
            {"learner": 7},
            InputTypeError,
            "'learner' must be a learner with predict_proba or decision_function, .* got 7. Try",
        ),
    ],
)
def test_wrong_settings_are_refused(settings, error, message):
    """The message says what to do."""
    X, y, _ = make_rows(34)
    with pytest.raises(error, match=message):
        TunedThreshold(**{"learner": BinaryRelevance(TREE), **settings}).fit(X, y)

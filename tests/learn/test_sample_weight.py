"""Weights of rows in learners."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import ClassifierChain as TheirChain
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from evenfold.exceptions import InputError
from evenfold.learn import (
    AveragingRegressor,
    BinaryRelevance,
    CalibratedLabelRanking,
    ChainEnsemble,
    ClassifierChain,
    LabelPowerset,
    MLkNN,
    RAkEL,
    TunedThreshold,
    VotingEnsemble,
)
from evenfold.learn.thresholds import THRESHOLD_METRICS, find_thresholds

from .rows import TREE, make_rows
from .test_tuned_threshold import list_candidates, scored_labels
from .test_tuned_threshold import measure as measure_all

BASE = LogisticRegression(C=0.1)
X, Y, NEW = make_rows(40, n_rows=80)
WEIGHTS = np.random.default_rng(0).integers(0, 4, 80) * 0.5


def test_binary_relevance_is_that_of_scikit_learn():
    """Each model gets the weights."""
    theirs = MultiOutputClassifier(BASE).fit(X, Y, sample_weight=WEIGHTS).predict_proba(NEW)
    found = BinaryRelevance(BASE).fit(X, Y, sample_weight=WEIGHTS).predict_proba(NEW)
    np.testing.assert_allclose(found, np.column_stack([own[:, 1] for own in theirs]), atol=1e-9)


def test_classifier_chain_is_that_of_scikit_learn():
    """It feeds predictions forward too, and takes weights with metadata routing."""
    with sklearn.config_context(enable_metadata_routing=True):
        base = clone(BASE).set_fit_request(sample_weight=True)
        theirs = TheirChain(base).fit(X, Y, sample_weight=WEIGHTS)
    found = ClassifierChain(BASE).fit(X, Y, sample_weight=WEIGHTS)
    np.testing.assert_allclose(found.predict_proba(NEW), theirs.predict_proba(NEW), atol=1e-9)


def test_label_powerset_passes_weights_to_its_model():
    """The classes are the labelsets of the rows that count."""
    codes = (Y * [1, 2, 4, 8]).sum(axis=1)
    theirs = BASE.fit(X[WEIGHTS > 0], codes[WEIGHTS > 0], sample_weight=WEIGHTS[WEIGHTS > 0])
    found = LabelPowerset(BASE).fit(X, Y, sample_weight=WEIGHTS)
    expected = (theirs.predict(NEW)[:, None] // [1, 2, 4, 8]) % 2
    np.testing.assert_array_equal(found.predict(NEW), expected)


@pytest.mark.parametrize(
    "learner",
    [
        BinaryRelevance(BASE),
        ClassifierChain(BASE, order="information-gain"),
        LabelPowerset(BASE),
        CalibratedLabelRanking(BASE, voting="soft"),
        RAkEL(BASE, random_state=0),
        ChainEnsemble(BASE, n_chains=2, bagging=False, random_state=0),
        VotingEnsemble(["lp:logistic-regression", BinaryRelevance(TREE)], voting="soft"),
    ],
    ids=lambda learner: type(learner).__name__,
)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, pd.DataFrame])
def test_whole_weights_are_repeated_rows(learner, form):
    """Rows of weight 0 are left out, also where a label is then constant."""
    counts = (2 * WEIGHTS).astype(int)
    y = Y.copy()
    y[counts > 0, 1] = 0
    rows = np.repeat(np.arange(80), counts)
    found = learner.fit(form(X), y, sample_weight=counts).predict_proba(form(NEW))
    expected = learner.fit(form(X[rows]), y[rows]).predict_proba(form(NEW))
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert found[:, 1].max() < 0.5


def test_classes_of_rows_without_weight_are_kept():
    """They have the probability 0, as in scikit-learn."""
    kind = np.array(["low", "mid", "high"])[np.digitize(X[:, 0], [-0.5, 0.5])]
    fitted = BinaryRelevance(BASE).fit(X, kind, sample_weight=(kind != "mid") * 1.0)
    assert fitted.classes_.tolist() == ["high", "low", "mid"]
    assert fitted.predict_proba(NEW)[:, 2].max() == 0


class Recording(ClassifierMixin, BaseEstimator):
    """A learner that keeps the weights that it got, in `seen`."""

    def __init__(self, seen=()):
        self.seen = seen

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y, sample_weight=None):
        """Keep the rows and their weights."""
        self.seen.append((np.asarray(X)[:, 0].tolist(), list(sample_weight)))
        self.classes_ = [0, 1]
        return self

    def predict(self, X):
        """Predict nothing."""
        return np.zeros(len(X), int)


@pytest.mark.parametrize("bootstrap", [True, False])
def test_samples_of_rows_have_their_weights(bootstrap):
    """The rows of each member are drawn as without weights."""
    seen = []
    X, y = np.arange(1.0, 21.0)[:, None], np.tile([[0, 1], [1, 0]], (10, 1))
    learner = ChainEnsemble(
        Recording(seen), n_chains=3, max_samples=0.5, bootstrap=bootstrap, random_state=0
    )
    learner.fit(X, y, sample_weight=X[:, 0] / 10)
    assert len(seen) == 6
    for rows, weights in seen:
        assert len(rows) == 10
        np.testing.assert_allclose(weights, np.array(rows) / 10)


def test_pipelines_and_searches_pass_weights_on():
    """The last step of a pipeline gets them; a search passes them to its estimator."""
    scaled = make_pipeline(StandardScaler(), BASE)
    expected = BinaryRelevance(BASE).fit(StandardScaler().fit_transform(X), Y, WEIGHTS + 1)
    expected = expected.predict_proba(StandardScaler().fit(X).transform(NEW))
    search = GridSearchCV(scaled, {"logisticregression__C": [0.1]}, cv=2)
    for base in (scaled, make_pipeline("passthrough", scaled), search):
        found = BinaryRelevance(base).fit(X, Y, WEIGHTS + 1).predict_proba(NEW)
        np.testing.assert_allclose(found, expected, atol=1e-6)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = make_pipeline(
            StandardScaler().set_fit_request(sample_weight=False),
            LogisticRegression(C=0.1).set_fit_request(sample_weight=True),
        )
        found = BinaryRelevance(routed).fit(X, Y, WEIGHTS + 1).predict_proba(NEW)
        np.testing.assert_allclose(found, expected, atol=1e-6)


@pytest.mark.parametrize(
    ("learner", "name"),
    [
        (BinaryRelevance(KNeighborsClassifier()), "KNeighborsClassifier"),
        (RAkEL("knn"), "KNeighborsClassifier"),
        (LabelPowerset(make_pipeline(StandardScaler(), KNeighborsClassifier())), "KNeighbors"),
        (GridSearchCV(KNeighborsClassifier(), {}), "KNeighborsClassifier"),
        (VotingEnsemble([BinaryRelevance(TREE), MLkNN()]), "MLkNN"),
        (VotingEnsemble([BinaryRelevance(TREE), "br:knn"]), "KNeighborsClassifier"),
        (TunedThreshold("br:knn", cv=2), "KNeighborsClassifier"),
        (AveragingRegressor([("near", KNeighborsRegressor())]), "KNeighborsRegressor"),
    ],
    ids=lambda own: own if isinstance(own, str) else type(own).__name__,
)
def test_base_learners_that_take_no_weights_are_named(learner, name):
    """Also if no model would be fitted, because all rows agree."""
    learner = BinaryRelevance(learner) if isinstance(learner, GridSearchCV) else learner
    for labels in (Y, np.ones_like(Y)):
        with pytest.raises(
            InputError,
            match=rf"'sample_weight' must be left out with {name}.*, whose fit takes no weights of "
            r"rows\. Take another base learner, such as 'random-forest'",
        ):
            learner.fit(X, labels, sample_weight=WEIGHTS)


def test_mlknn_takes_no_weights():
    """Its method has none."""
    with pytest.raises(TypeError, match="sample_weight"):
        MLkNN().fit(X, Y, sample_weight=WEIGHTS)


def test_wrong_weights_are_refused():
    """The message is that of the metrics."""
    for learner in (BinaryRelevance(TREE), AveragingRegressor([("line", LinearRegression())])):
        with pytest.raises(InputError, match=r"'sample_weight' must be one number for each of the"):
            learner.fit(X, Y, sample_weight=[1, 2])
        with pytest.raises(InputError, match=r"finite numbers of 0 or more, .* got -1\.0 at row 3"):
            learner.fit(X, Y, sample_weight=np.where(np.arange(80) == 3, -1, 1))


def test_regressors_get_the_weights():
    """Whole weights are repeated rows."""
    counts = (2 * WEIGHTS).astype(int)
    rows = np.repeat(np.arange(80), counts)
    learner = AveragingRegressor([("line", LinearRegression())])
    found = learner.fit(X, Y, sample_weight=counts).predict(NEW)
    np.testing.assert_allclose(found, LinearRegression().fit(X[rows], Y[rows]).predict(NEW))
    bagged = AveragingRegressor([("line", LinearRegression())], bagging=True, random_state=0)
    plain = bagged.fit(X, Y).predict(NEW)
    np.testing.assert_allclose(bagged.fit(X, Y, np.full(80, 2.0)).predict(NEW), plain)


def measure(metric, truth, predicted, weights):
    """Return the weighted metric as scikit-learn computes it; higher is better."""
    counts = np.repeat(np.arange(len(truth)), weights)
    return measure_all(metric, truth[counts], predicted[counts])


@pytest.mark.parametrize("metric", THRESHOLD_METRICS)
@settings(max_examples=15, deadline=None)
@given(drawn=scored_labels(), seed=st.integers(0, 99))
def test_weighted_thresholds_are_those_of_repeated_rows(metric, drawn, seed):
    """One for all labels and one for each; the best common one is the best there is."""
    truth, scores = drawn
    weights = np.random.default_rng(seed).integers(1, 4, len(truth))
    rows = np.repeat(np.arange(len(truth)), weights)
    for per_label in (False, True):
        settings = {"per_label": per_label, "default": 0.5}
        found = find_thresholds(scores, truth, metric, weights=weights / 7, **settings)
        repeated = find_thresholds(scores[rows], truth[rows], metric, **settings)
        values = [
            measure(metric, truth, (scores >= own).astype(int), weights)
            for own in (found, repeated)
        ]
        assert values[0] == pytest.approx(values[1])
        if not per_label:
            best = max(
                measure(metric, truth, (scores >= one).astype(int), weights)
                for one in list_candidates(scores)
            )
            assert values[0] == pytest.approx(best)


def test_tuned_thresholds_depend_on_weights():
    """Models and metric both take them."""
    learner = TunedThreshold(BinaryRelevance(DecisionTreeClassifier(max_depth=2)), cv=3)
    learner.set_params(random_state=0)
    plain = learner.fit(X, Y).thresholds_.tolist()
    assert learner.fit(X, Y, np.ones(80)).thresholds_.tolist() == plain
    assert learner.fit(X, Y, WEIGHTS + 0.1).thresholds_.tolist() != plain

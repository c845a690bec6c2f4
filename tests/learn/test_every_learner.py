"""What every learner promises."""

import pickle

import numpy as np
import pandas as pd
import pytest
from joblib import parallel_config
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import make_multilabel_classification
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.metrics import hamming_loss, label_ranking_loss, log_loss
from sklearn.model_selection import cross_val_predict, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from evenfold.exceptions import InputError
from evenfold.learn import (
    LEARNERS,
    BinaryRelevance,
    CalibratedLabelRanking,
    ChainEnsemble,
    LabelPowerset,
    MLkNN,
    RAkEL,
    TunedThreshold,
    VotingEnsemble,
    make_learner,
)
from evenfold.model_selection import MultilabelStratifiedKFold

TREE = DecisionTreeClassifier(min_samples_leaf=10)
SETTINGS = {
    "cc": {"order": "information-gain"},
    "lp": {"min_rows": 3},
    "ecc": {"n_chains": 3},
    "rakel": {"voting": "hard"},
    "tuned": {"learner": BinaryRelevance(TREE), "metric": "hamming_loss", "cv": 3},
}


def make(name):
    """Make the learner of that name over a small tree."""
    learner = make_learner(name).set_params(**SETTINGS.get(name, {}))
    return learner.set_params(base=TREE) if hasattr(learner, "base") else learner


EVERY = [
    *map(make, LEARNERS),
    CalibratedLabelRanking(TREE, voting="soft"),
    RAkEL(TREE, disjoint=True, voting="soft"),
    ChainEnsemble(TREE, n_chains=5, voting="hard", bagging=False),
    ChainEnsemble(TREE, n_chains=5, max_samples=0.6, bootstrap=False),
    TunedThreshold(LabelPowerset(TREE), metric="f1_samples", per_label=False, cv=2),
    VotingEnsemble([MLkNN(), "br:tree", LabelPowerset(TREE)]),
    VotingEnsemble([MLkNN(), BinaryRelevance(TREE)], voting="soft", weights=[1, 2], bagging=True),
]

every_learner = pytest.mark.parametrize(
    "learner", EVERY, ids=lambda learner: " ".join(str(learner).split())
)
X, Y = make_multilabel_classification(
    300, n_features=12, n_classes=6, n_labels=2, length=100, random_state=4
)
# No two distances are equal: neighbours are the same in dense and sparse form.
X = X + np.random.default_rng(0).random(X.shape)
X_TRAIN, Y_TRAIN, X_TEST, Y_TEST = X[:200], Y[:200], X[200:], Y[200:]


def fit(learner, rows, labels, **settings):
    """Fit a copy, with a seed if it takes one."""
    copy = clone(learner).set_params(**settings)
    return (
        copy.set_params(random_state=0).fit(rows, labels)
        if "random_state" in copy.get_params()
        else copy.fit(rows, labels)
    )


@every_learner
def test_a_learner_is_better_than_label_frequencies(learner):
    """On new rows it has a lower Hamming, ranking and log loss than the label frequencies."""
    base = "learner__base" if isinstance(learner, TunedThreshold) else "base"
    forest = (
        {base: ExtraTreesClassifier(10, min_samples_leaf=3)} if base in learner.get_params() else {}
    )
    fitted, frequency = (
        fit(learner, X_TRAIN, Y_TRAIN, **forest),
        np.tile(Y_TRAIN.mean(axis=0), (len(X_TEST), 1)),
    )
    probability = fitted.predict_proba(X_TEST)
    assert hamming_loss(Y_TEST, fitted.predict(X_TEST)) < 0.9 * hamming_loss(
        Y_TEST, frequency > 0.5
    )
    assert label_ranking_loss(Y_TEST, probability) < 0.9 * label_ranking_loss(Y_TEST, frequency)
    # The share of a few hard votes is too coarse for a log loss.
    if isinstance(learner, CalibratedLabelRanking) or getattr(learner, "voting", "soft") != "hard":
        half = np.stack([1 - probability, probability], axis=-1).reshape(-1, 2)
        prior = np.stack([1 - frequency, frequency], axis=-1).reshape(-1, 2)
        assert log_loss(Y_TEST.ravel(), half.clip(0.01, 0.99)) < log_loss(Y_TEST.ravel(), prior)


@every_learner
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.coo_matrix])
def test_sparse_input_gives_the_same_as_dense(learner, form):
    """Rows, labels or both may be sparse; predictions are dense."""
    dense = fit(learner, X_TRAIN, Y_TRAIN)
    mixed = fit(learner, X_TRAIN, form(Y_TRAIN))
    thin = fit(learner, form(X_TRAIN), form(Y_TRAIN))
    for other, rows in ((mixed, X_TEST), (thin, form(X_TEST))):
        assert isinstance(other.predict(rows), np.ndarray)
        np.testing.assert_array_equal(other.predict(rows), dense.predict(X_TEST))
        np.testing.assert_allclose(
            other.predict_proba(rows), dense.predict_proba(X_TEST), atol=1e-12
        )


@every_learner
def test_labels_in_any_form_give_the_same(learner):
    """They may be booleans, floats, lists or frames; predictions are whole numbers."""
    found = fit(learner, X_TRAIN, Y_TRAIN).predict(X_TEST)
    assert found.dtype == np.int64
    for form in (
        Y_TRAIN.astype(bool),
        Y_TRAIN.astype(float),
        Y_TRAIN.tolist(),
        pd.DataFrame(Y_TRAIN),
    ):
        np.testing.assert_array_equal(fit(learner, X_TRAIN, form).predict(X_TEST), found)


@every_learner
def test_a_seed_gives_the_same_result_with_any_number_of_jobs(learner):
    """The result is the same in a second call and with two jobs."""
    found = fit(learner, X_TRAIN, Y_TRAIN).predict_proba(X_TEST)
    np.testing.assert_array_equal(fit(learner, X_TRAIN, Y_TRAIN).predict_proba(X_TEST), found)
    if "n_jobs" in learner.get_params():
        with parallel_config("threading"):
            np.testing.assert_array_equal(
                fit(learner, X_TRAIN, Y_TRAIN, n_jobs=2).predict_proba(X_TEST), found
            )


@every_learner
def test_scores_and_predictions_agree(learner):
    """Probabilities are between 0 and 1; a label is predicted if its decision is above 0."""
    fitted = fit(learner, X_TRAIN, Y_TRAIN)
    probability = fitted.predict_proba(X_TEST)
    assert probability.shape == Y_TEST.shape
    assert probability.min() >= 0
    assert probability.max() <= 1
    if isinstance(learner, TunedThreshold):
        np.testing.assert_array_equal(probability >= fitted.thresholds_, fitted.predict(X_TEST))
    elif isinstance(learner, LabelPowerset):
        assert not hasattr(fitted, "decision_function")
    else:
        np.testing.assert_array_equal(fitted.decision_function(X_TEST) > 0, fitted.predict(X_TEST))
        np.testing.assert_array_equal(probability > 0.5, fitted.predict(X_TEST))


@every_learner
def test_inputs_are_not_changed(learner):
    """Dense arrays and sparse matrices with stored zeros stay as they are."""
    rows, labels = sparse.csr_array(X_TRAIN), sparse.csr_array(Y_TRAIN)
    labels.data[::7] = 0
    before = [rows.copy(), labels.copy(), X_TRAIN.copy(), Y_TRAIN.copy()]
    fit(learner, rows, labels).predict(rows)
    fit(learner, X_TRAIN, Y_TRAIN).predict(X_TRAIN)
    for then, now in zip(before[:2], (rows, labels), strict=True):
        for part in ("data", "indices", "indptr"):
            np.testing.assert_array_equal(getattr(then, part), getattr(now, part))
    np.testing.assert_array_equal(before[2], X_TRAIN)
    np.testing.assert_array_equal(before[3], Y_TRAIN)


@every_learner
def test_constant_labels_are_always_or_never_predicted(learner):
    """It does not matter whether the other labels vary."""
    labels = Y_TRAIN.copy()
    labels[:, 1], labels[:, 4] = 1, 0
    fitted = fit(learner, X_TRAIN, labels)
    assert (fitted.predict(X_TEST)[:, [1, 4]] == [1, 0]).all()
    probability = fitted.predict_proba(X_TEST)
    assert (probability[:, 1] > 0.5).all()
    assert (probability[:, 4] < 0.5).all()
    only = fit(learner, X_TRAIN, np.tile([1, 0, 1], (200, 1)))
    assert (only.predict(X_TEST) == [1, 0, 1]).all()
    assert ((only.predict_proba(X_TEST) > 0.5) == [1, 0, 1]).all()


@every_learner
def test_pickled_learners_predict_the_same(learner):
    """Probabilities are the same after pickling."""
    fitted = fit(learner, X_TRAIN, Y_TRAIN)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(fitted)).predict_proba(X_TEST), fitted.predict_proba(X_TEST)
    )


@every_learner
def test_one_class_per_row_is_learned(learner):
    """Classes may be strings; the probabilities of all classes have the sum 1."""
    kind = np.array(["low", "mid", "high"])[np.digitize(X[:, 0], np.quantile(X[:, 0], [0.3, 0.6]))]
    fitted = fit(learner, X_TRAIN, kind[:200])
    assert fitted.classes_.tolist() == ["high", "low", "mid"]
    probability = fitted.predict_proba(X_TEST)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    np.testing.assert_array_equal(
        fitted.classes_[probability.argmax(axis=1)], fitted.predict(X_TEST)
    )


@every_learner
def test_a_single_sparse_column_is_a_label(learner):
    """It is not taken for a column of classes."""
    fitted = fit(learner, X_TRAIN, sparse.csr_array(Y_TRAIN[:, :1]))
    assert fitted.predict(X_TEST).shape == fitted.predict_proba(X_TEST).shape == (100, 1)
    assert hamming_loss(Y_TEST[:, 0], fitted.predict(X_TEST)[:, 0]) < min(
        Y_TEST[:, 0].mean(), 1 - Y_TEST[:, 0].mean()
    )


def test_tools_of_scikit_learn_take_learners():
    """Cross-validation and scorers work; two labels are not taken for two classes."""
    cv, learner = MultilabelStratifiedKFold(3, shuffle=True, random_state=0), MLkNN(5)
    assert cross_val_predict(learner, X, Y, cv=cv, method="predict_proba").shape == Y.shape
    assert (cross_val_score(learner, X, Y[:, :2], cv=cv, scoring="roc_auc") > 0.6).all()


def test_a_single_dense_column_is_classes():
    """A warning says so, as everywhere in scikit-learn."""
    from sklearn.exceptions import DataConversionWarning

    with pytest.warns(DataConversionWarning, match="column-vector y"):
        fitted = MLkNN().fit(X_TRAIN, Y_TRAIN[:, :1])
    assert fitted.predict(X_TEST).shape == (100,)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_labels_other_than_0_and_1_are_refused(form):
    """The message says how to pass classes."""
    with pytest.raises(
        InputError,
        match=r"'y' must be 0 or 1 where it has several columns, got 2 other values, "
        r"first 7\. Pass classes as a 1-D array",
    ):
        BinaryRelevance(TREE).fit(np.eye(3), form([[0, 1], [7, 0], [3, 1]]))

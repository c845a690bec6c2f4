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

import evenfold
from evenfold.exceptions import InputError
from evenfold.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    ChainEnsemble,
    ClassifierChain,
    LabelPowerset,
    MLkNN,
    RAkEL,
    VotingEnsemble,
)
from evenfold.model_selection.splitters import MultilabelStratifiedKFold

TREE = DecisionTreeClassifier(min_samples_leaf=10)

EVERY = [
    BinaryRelevance(TREE),
    ClassifierChain(TREE, order="information-gain"),
    LabelPowerset(TREE, min_rows=3),
    CalibratedLabelRanking(TREE),
    CalibratedLabelRanking(TREE, voting="soft"),
    MLkNN(),
    RAkEL(TREE, voting="hard"),
    RAkEL(TREE, disjoint=True, voting="soft"),
    ChainEnsemble(TREE, n_chains=3),
    ChainEnsemble(TREE, n_chains=5, voting="hard", bagging=False),
    VotingEnsemble([MLkNN(), "br:tree", LabelPowerset(TREE)]),
    VotingEnsemble([MLkNN(), BinaryRelevance(TREE)], voting="soft", weights=[1, 2], bagging=True),
]

every_learner = pytest.mark.parametrize(
    "learner", EVERY, ids=lambda learner: " ".join(str(learner).split())
)
X, Y = make_multilabel_classification(
    300, n_features=12, n_classes=6, n_labels=2, length=100, random_state=4
)
X = X + np.random.default_rng(0).random(
    X.shape
)  # no two rows equally far: neighbours are the same in every form
X_TRAIN, Y_TRAIN, X_TEST, Y_TEST = X[:200], Y[:200], X[200:], Y[200:]


def fit(learner, rows, labels, **settings):
    """Fit a copy with a seed, where it takes one."""
    copy = clone(learner).set_params(**settings)
    return (
        copy.set_params(random_state=0).fit(rows, labels)
        if "random_state" in copy.get_params()
        else copy.fit(rows, labels)
    )


@every_learner
def test_beats_the_prior(learner):
    """On rows it has not seen: fewer wrong labels, a better order of labels, and probabilities that say more than frequencies."""
    forest = (
        {"base": ExtraTreesClassifier(10, min_samples_leaf=3)} if hasattr(learner, "base") else {}
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
    # A few votes are no estimate to take logarithms of.
    if isinstance(learner, CalibratedLabelRanking) or getattr(learner, "voting", "soft") != "hard":
        half = np.stack([1 - probability, probability], axis=-1).reshape(-1, 2)
        prior = np.stack([1 - frequency, frequency], axis=-1).reshape(-1, 2)
        assert log_loss(Y_TEST.ravel(), half.clip(0.01, 0.99)) < log_loss(Y_TEST.ravel(), prior)


@every_learner
@pytest.mark.parametrize("form", [sparse.csr_array, sparse.coo_matrix])
def test_sparse_is_the_same_as_dense(learner, form):
    """Rows, labels or both; predictions are dense."""
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
def test_labels_in_any_form_are_the_same(learner):
    """Booleans, floats, lists and frames; predictions are whole numbers."""
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
def test_a_seed_gives_the_same_each_time_and_with_any_number_of_jobs(learner):
    """And other seeds other models, where there is chance."""
    found = fit(learner, X_TRAIN, Y_TRAIN).predict_proba(X_TEST)
    np.testing.assert_array_equal(fit(learner, X_TRAIN, Y_TRAIN).predict_proba(X_TEST), found)
    if "n_jobs" in learner.get_params():
        with parallel_config("threading"):
            np.testing.assert_array_equal(
                fit(learner, X_TRAIN, Y_TRAIN, n_jobs=2).predict_proba(X_TEST), found
            )


@every_learner
def test_scores_and_predictions_agree(learner):
    """Probabilities are within 0 and 1; a label is predicted where its decision is above 0."""
    fitted = fit(learner, X_TRAIN, Y_TRAIN)
    probability = fitted.predict_proba(X_TEST)
    assert probability.shape == Y_TEST.shape
    assert probability.min() >= 0
    assert probability.max() <= 1
    if isinstance(learner, LabelPowerset):
        assert not hasattr(fitted, "decision_function")
    else:
        np.testing.assert_array_equal(fitted.decision_function(X_TEST) > 0, fitted.predict(X_TEST))
        np.testing.assert_array_equal(probability > 0.5, fitted.predict(X_TEST))


@every_learner
def test_inputs_stay_as_they_are(learner):
    """Dense and sparse, with stored zeros in the latter."""
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
    """With some labels to learn, and with none."""
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
    """As when models are kept."""
    fitted = fit(learner, X_TRAIN, Y_TRAIN)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(fitted)).predict_proba(X_TEST), fitted.predict_proba(X_TEST)
    )


@every_learner
def test_one_class_per_row(learner):
    """Classes of any kind; probabilities of all classes sum to 1."""
    kind = np.array(["low", "mid", "high"])[np.digitize(X[:, 0], np.quantile(X[:, 0], [0.3, 0.6]))]
    fitted = fit(learner, X_TRAIN, kind[:200])
    assert fitted.classes_.tolist() == ["high", "low", "mid"]
    probability = fitted.predict_proba(X_TEST)
    np.testing.assert_allclose(probability.sum(axis=1), 1)
    np.testing.assert_array_equal(
        fitted.classes_[probability.argmax(axis=1)], fitted.predict(X_TEST)
    )


@every_learner
def test_a_single_sparse_label(learner):
    """Is a label, not a column of classes."""
    fitted = fit(learner, X_TRAIN, sparse.csr_array(Y_TRAIN[:, :1]))
    assert fitted.predict(X_TEST).shape == fitted.predict_proba(X_TEST).shape == (100, 1)
    assert hamming_loss(Y_TEST[:, 0], fitted.predict(X_TEST)[:, 0]) < min(
        Y_TEST[:, 0].mean(), 1 - Y_TEST[:, 0].mean()
    )


def test_scikit_learns_tools_take_them():
    """Cross-validated probabilities and scorers, with two labels too, which are not two classes."""
    cv, learner = MultilabelStratifiedKFold(3, shuffle=True, random_state=0), MLkNN(5)
    assert cross_val_predict(learner, X, Y, cv=cv, method="predict_proba").shape == Y.shape
    assert (cross_val_score(learner, X, Y[:, :2], cv=cv, scoring="roc_auc") > 0.6).all()


def test_a_single_dense_column_is_classes_and_says_so():
    """As everywhere in scikit-learn."""
    from sklearn.exceptions import DataConversionWarning

    with pytest.warns(DataConversionWarning, match="column-vector y"):
        fitted = MLkNN().fit(X_TRAIN, Y_TRAIN[:, :1])
    assert fitted.predict(X_TEST).shape == (100,)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_labels_other_than_0_and_1_are_refused(form):
    """They may be classes that want a column each."""
    with pytest.raises(
        InputError,
        match=r"'y' must be 0 or 1 where it has several columns, got 2 other values, first 7\. Pass classes as a 1-D array",
    ):
        BinaryRelevance(TREE).fit(np.eye(3), form([[0, 1], [7, 0], [3, 1]]))


def test_learners_are_behind_the_door():
    """Without an import of their own."""
    assert evenfold.learn.LEARNERS["br"] is BinaryRelevance

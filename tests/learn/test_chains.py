"""Classifier chains and ensembles of them."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain as SklearnChain
from sklearn.neighbors import KNeighborsClassifier

from evenfold.learn import ChainEnsemble, ClassifierChain
from evenfold.learn.chain_orders import sum_information

from . import naive_learners
from .rows import TREE, make_rows


def test_a_chain_equals_the_chain_of_scikit_learn():
    """Predictions and probabilities are the same for the same order and labels that vary."""
    X, y, new = make_rows(1)
    base = LogisticRegression()
    ours = ClassifierChain(base, order=[2, 0, 3, 1]).fit(X, y)
    theirs = SklearnChain(base, order=[2, 0, 3, 1]).fit(X, y)
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new))


def test_a_random_order_follows_the_seed():
    """The same seed gives the same order, another seed another order."""
    X, y, _ = make_rows(2, n_labels=9)
    orders = [
        ClassifierChain(TREE, order="random", random_state=seed).fit(X, y).order_.tolist()
        for seed in (0, 0, 1)
    ]
    assert sorted(orders[0]) == list(range(9))
    assert orders[0] == orders[1] != orders[2]


def test_information_is_that_of_the_definition():
    """The chain begins with the label that has most mutual information with the others."""
    X, y, _ = make_rows(3, n_labels=5)
    y[:, 4] = 1
    expected = [
        sum(naive_learners.mutual_information(y.tolist(), i, j) for j in range(5) if j != i)
        for i in range(5)
    ]
    np.testing.assert_allclose(sum_information(sparse.csc_array(y)), expected, atol=1e-12)
    order = ClassifierChain(TREE, order="information-gain").fit(X, y).order_
    assert order.tolist() == np.argsort(expected)[::-1].tolist()


def test_chains_of_an_ensemble_differ_in_order_and_rows():
    """Orders always differ; rows differ only with bagging."""
    X, y, _ = make_rows(15, n_labels=6)
    chains = ChainEnsemble(TREE, n_chains=4, random_state=0).fit(X, y).chains_
    assert len({tuple(chain.order_.tolist()) for chain in chains}) == 4
    nearest = KNeighborsClassifier(1)
    whole = ChainEnsemble(nearest, n_chains=2, bagging=False, random_state=0).fit(X, y)
    np.testing.assert_array_equal(whole.predict(X), y)
    sampled = ChainEnsemble(nearest, n_chains=1, random_state=0).fit(X, y)
    assert (sampled.predict(X) != y).any()


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_an_ensemble_of_chains_is_the_mean_of_its_chains(voting):
    """The mean is that of predictions (hard) or of probabilities (soft)."""
    X, y, new = make_rows(16)
    fitted = ChainEnsemble(TREE, n_chains=3, voting=voting, random_state=0).fit(X, y)
    votes = [
        chain.predict(new) if voting == "hard" else chain.predict_proba(new)
        for chain in fitted.chains_
    ]
    np.testing.assert_allclose(fitted.predict_proba(new), np.mean(votes, axis=0))

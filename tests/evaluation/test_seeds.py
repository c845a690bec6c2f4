"""Seeds of learners in evaluations."""

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.multioutput import ClassifierChain
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import evenfold
from evenfold.learn import BinaryRelevance, ChainEnsemble, VotingEnsemble

from .counting import X, Y


@pytest.fixture
def fitted_seeds(monkeypatch):
    """Return the list that collects the seed of each random forest when it is fitted."""
    seeds = []

    def fit(self, X, y):
        seeds.append(self.random_state)
        return DummyClassifier().fit(X, y)

    monkeypatch.setattr(RandomForestClassifier, "fit", fit)
    return seeds


def test_seeds_of_learners_are_kept():
    """Learners of the same seed have the same values, learners of different seeds others."""
    forests = {seed: RandomForestClassifier(2, random_state=seed) for seed in (1, 2)}
    result = evenfold.evaluate(
        {"a": forests[1], "b": clone(forests[1]), "c": forests[2]},
        X,
        Y,
        3,
        methods=["random"],
        repeats=1,
    )
    a, b, c = (result[name, "random"].values for name in "abc")
    np.testing.assert_array_equal(a, b)
    assert (a != c).any()


def test_seeds_of_base_learners_are_kept(fitted_seeds):
    """Every model of every fold has the seed that the user gave its base learner."""
    forest = RandomForestClassifier(random_state=3)
    learners = {
        "relevance": BinaryRelevance(forest),
        "pipeline": make_pipeline(StandardScaler(), BinaryRelevance(forest)),
        "inner pipeline": BinaryRelevance(make_pipeline(StandardScaler(), forest)),
        "ensemble": ChainEnsemble(forest, n_chains=2, voting="hard"),
        "voting": VotingEnsemble([BinaryRelevance(forest)]),
        "seeded": BinaryRelevance(forest, random_state=8),
    }
    evenfold.evaluate(learners, X, Y, 2, methods=["random"], repeats=1, metrics=["hamming_loss"])
    assert fitted_seeds == [3] * (2 * 3 * (4 + 2 + 1))


def test_learners_without_seeds_give_the_same_with_any_number_of_jobs():
    """They get seeds from `random_state`, so another one gives other values."""
    learners = {
        "forest": RandomForestClassifier(3),
        "chain": ClassifierChain(DecisionTreeClassifier(max_features=1), order="random"),
    }
    once, again, other = (
        evenfold.evaluate(
            learners,
            X,
            Y,
            3,
            methods=["random", "even"],
            repeats=2,
            n_jobs=n_jobs,
            random_state=seed,
        )
        for n_jobs, seed in ((1, 0), (2, 0), (1, 5))
    )
    for estimate in once:
        np.testing.assert_array_equal(
            estimate.values, again[estimate.learner, estimate.method].values
        )
    assert once["forest", "even"].mean("coverage") != other["forest", "even"].mean("coverage")


def test_the_seed_of_a_learner_decides_its_models(fitted_seeds):
    """Models in an evaluation have the seeds that they have outside of it."""
    learner = BinaryRelevance(RandomForestClassifier(), random_state=8)
    clone(learner).fit(X, Y)
    evenfold.evaluate(learner, X, Y, 2, methods=["random"], repeats=1, metrics=["hamming_loss"])
    assert fitted_seeds == fitted_seeds[:3] * 3
    assert len(set(fitted_seeds)) == 3

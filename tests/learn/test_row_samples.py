"""Samples of rows that the members of ensembles are fitted to."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from evenfold.exceptions import InputError, InputTypeError
from evenfold.learn import ChainEnsemble, VotingEnsemble
from evenfold.learn.row_samples import draw_rows

from .rows import TREE, make_rows


@pytest.mark.parametrize("bootstrap", [True, False])
@pytest.mark.parametrize(("max_samples", "size"), [(1.0, 10), (0.55, 5), (0.01, 1), (7, 7), (1, 1)])
def test_samples_have_the_chosen_size(bootstrap, max_samples, size):
    """A row is in a sample more than once only with replacement."""
    rng = np.random.default_rng(0)
    settings = {"bagging": True, "max_samples": max_samples, "bootstrap": bootstrap}
    samples = draw_rows(10, 200, rng, **settings)
    assert {len(rows) for rows in samples} == {size}
    assert {row for rows in samples for row in rows.tolist()} == set(range(10))
    is_repeated = any(len(set(rows.tolist())) < size for rows in samples)
    assert is_repeated == (bootstrap and size > 1)


def test_ensembles_take_the_size_of_samples():
    """Every member is fitted to that many rows."""
    X, y, _ = make_rows(41)
    near = KNeighborsClassifier(1)
    votes = VotingEnsemble([near] * 4, bagging=True, max_samples=9, bootstrap=False, random_state=0)
    assert [member.n_samples_fit_ for member in votes.fit(X, y).learners_] == [9] * 4
    chains = ChainEnsemble(near, n_chains=3, max_samples=0.5, random_state=0).fit(X, y).chains_
    assert {model.n_samples_fit_ for chain in chains for model in chain.models_} == {30}


@pytest.mark.parametrize(
    ("settings", "error", "message"),
    [
        ({"max_samples": 61}, InputError, "'max_samples' must be from 1 to 60, got 61. Try"),
        ({"max_samples": 0.0}, InputError, "'max_samples' must be above 0 and at most 1, got 0."),
        ({"max_samples": "all"}, InputTypeError, "'max_samples' must be a number, got 'all'. Try"),
        (
            {"max_samples": 0.5, "bagging": False},
            InputError,
            "'max_samples' must be 1.0 with bagging=False, got 0.5. Pass bagging=True",
        ),
    ],
)
def test_wrong_sizes_are_refused(settings, error, message):
    """The message says what to pass."""
    X, y, _ = make_rows(42)
    with pytest.raises(error, match=message):
        ChainEnsemble(TREE, **settings).fit(X, y)

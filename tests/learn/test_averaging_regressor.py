"""Regressors whose predictions are averaged."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import clone
from sklearn.ensemble import VotingRegressor
from sklearn.linear_model import LinearRegression
from sklearn.neighbors import KNeighborsRegressor
from sklearn.tree import DecisionTreeRegressor

from evenfold.exceptions import InputError, InputTypeError
from evenfold.learn import AveragingRegressor

REGRESSORS = [
    ("line", LinearRegression()),
    ("tree", DecisionTreeRegressor(max_depth=2, random_state=0)),
    ("near", KNeighborsRegressor(3)),
]


def make_targets(seed, n_targets=2):
    """Return rows and targets that depend on them."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, 3))
    y = X @ rng.normal(size=(3, n_targets)) + rng.normal(size=(40, n_targets))
    return X, y


@settings(max_examples=15, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    weights=st.none() | st.lists(st.floats(0.1, 9), min_size=3, max_size=3),
    n_targets=st.integers(0, 3),
)
def test_the_error_of_the_mean_is_the_mean_error_minus_the_spread(seed, weights, n_targets):
    """So averaging never has a larger squared error than its members have on average."""
    X, y = make_targets(seed, max(n_targets, 1))
    y = y if n_targets else y[:, 0]
    fitted = AveragingRegressor(REGRESSORS, weights=weights).fit(X[:25], y[:25])
    mean = fitted.predict(X[25:])
    assert mean.shape == y[25:].shape
    members = [own.predict(X[25:]).reshape(mean.shape) for own in fitted.regressors_]
    error = np.average([((own - y[25:]) ** 2).mean() for own in members], weights=weights)
    spread = np.average([((own - mean) ** 2).mean() for own in members], weights=weights)
    assert ((mean - y[25:]) ** 2).mean() == pytest.approx(error - spread)


def test_one_target_is_averaged_as_in_scikit_learn():
    """Predictions are those of VotingRegressor."""
    X, y = make_targets(1)
    ours = AveragingRegressor(REGRESSORS, weights=[1, 2, 3]).fit(X, y[:, 0])
    theirs = VotingRegressor(REGRESSORS, weights=[1, 2, 3]).fit(X, y[:, 0])
    np.testing.assert_allclose(ours.predict(X), theirs.predict(X))


def test_sparse_targets_are_taken():
    """Predictions are dense, and the same as for dense targets."""
    X, y = make_targets(2)
    sparse_found = AveragingRegressor(REGRESSORS).fit(X, sparse.csr_array(y)).predict(X)
    np.testing.assert_allclose(sparse_found, AveragingRegressor(REGRESSORS).fit(X, y).predict(X))


def test_parameters_of_members_have_their_names():
    """They can be set, and a copy has them."""
    learner = clone(AveragingRegressor(REGRESSORS)).set_params(tree__max_depth=5)
    assert clone(learner).get_params()["tree__max_depth"] == 5
    assert REGRESSORS[1][1].max_depth == 2


def test_each_member_has_its_own_rows():
    """Samples have the chosen size, and the seed decides them."""
    X, y = make_targets(3)
    near = [(name, KNeighborsRegressor(1)) for name in "abc"]

    def fit(seed):
        return AveragingRegressor(near, bagging=True, max_samples=0.5, random_state=seed).fit(X, y)

    assert [own.n_samples_fit_ for own in fit(0).regressors_] == [20, 20, 20]
    np.testing.assert_array_equal(fit(0).predict(X), fit(0).predict(X))
    assert (fit(0).predict(X) != fit(1).predict(X)).any()


def test_wrong_regressors_and_weights_are_refused():
    """The message says what to pass."""
    X, y = make_targets(4)
    for wrong in ([], [LinearRegression()], [("line", LinearRegression)], "tree"):
        with pytest.raises(
            InputTypeError, match=r"'regressors' must be a list of names and regressors, got .* Try"
        ):
            AveragingRegressor(wrong).fit(X, y)
    with pytest.raises(
        InputError, match=r"'weights' must be 3 numbers of 0 or more, one for each regressor"
    ):
        AveragingRegressor(REGRESSORS, weights=[1]).fit(X, y)

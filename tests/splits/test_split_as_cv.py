"""A split as `cv=` of scikit-learn."""

import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import (
    GridSearchCV,
    PredefinedSplit,
    check_cv,
    cross_val_predict,
    cross_val_score,
    learning_curve,
)
from sklearn.neighbors import KNeighborsClassifier

import evenfold
from evenfold.exceptions import InputError

X = np.random.default_rng(0).normal(size=(60, 3))
Y = (X > 0.3).astype(int)
MODEL = KNeighborsClassifier(3)
THREE = evenfold.split(Y, [0.6, 0.2, 0.2])


def score(pairs):
    """Return the score of the model on each pair."""
    return [MODEL.fit(X[train], Y[train]).score(X[test], Y[test]) for train, test in pairs]


def test_folds_are_the_pairs():
    """Each fold is the test rows once; a holdout is in no pair."""
    for s in (evenfold.split(Y, 4), evenfold.split(Y, 3, holdout=0.25)):
        given = cross_val_score(MODEL, X, Y, cv=s, error_score="raise")
        assert given.tolist() == score(s.folds())
        assert s.get_n_splits() == len(given) == len(list(s.split()))


@pytest.mark.parametrize(
    ("names", "pair"),
    [
        (["train", "test"], ("train", "test")),
        (["train", "val", "test"], ("train", "val")),
        (["test", "train", "val"], ("train", "val")),
        (["train", "extra", "test"], ("train", "test")),
        (["dev", "train"], ("train", "dev")),
    ],
)
def test_named_parts_are_one_pair(names, pair):
    """Val comes before test, which is for the end."""
    s = evenfold.split(Y, dict.fromkeys(names, 1 / len(names)))
    assert s.get_n_splits() == 1
    assert cross_val_score(MODEL, X, Y, cv=s).tolist() == score([[s[name] for name in pair]])


def test_a_pair_is_that_of_predefined_split():
    """scikit-learn marks train rows with -1."""
    s = evenfold.split(Y, [0.7, 0.3])
    (pair,) = s.split(X, Y)
    ((train, test),) = PredefinedSplit(s.part_of_row - 1).split()
    assert np.array_equal(pair[0], train)
    assert np.array_equal(pair[1], test)


def test_parts_beside_train_that_have_other_names_are_refused():
    """The message shows how to pass a pair."""
    s = evenfold.split(Y, {"train": 0.5, "b": 0.25, "c": 0.25})
    with pytest.raises(
        InputError,
        match=re.escape(
            "no part named val or test beside train, so it is not clear which part to score on. "
            "Parts: train, b, c. Pass cv=[(split['train'], split['b'])]."
        ),
    ):
        cross_val_score(MODEL, X, Y, cv=s)
    assert len(cross_val_score(MODEL, X, Y, cv=[(s["train"], s["b"])])) == 1


@pytest.mark.parametrize("s", [evenfold.split(Y, [0.7, 0.3]), THREE])
def test_named_parts_have_no_folds(s):
    """The message says that the split itself can be passed."""
    with pytest.raises(
        InputError, match=r"has no folds\. Parts: train, .*test\. Pass the split itself as cv=, or"
    ):
        s.folds()


@pytest.mark.parametrize("s", [evenfold.split(Y, 3), THREE])
def test_searches_take_a_split_and_can_be_copied(s):
    """A search is cloned, pickled and fitted twice."""
    search = GridSearchCV(MODEL, {"n_neighbors": [1, 3]}, cv=s, error_score="raise")
    expected = np.mean(score(s.split()))
    for copy in (search, clone(search), pickle.loads(pickle.dumps(search))):
        for _ in range(2):
            found = copy.fit(X, Y).cv_results_["mean_test_score"][1]
            assert found == pytest.approx(expected)
            assert copy.n_splits_ == s.get_n_splits()
    assert check_cv(s) is s
    assert len(learning_curve(MODEL, X, Y, cv=s, train_sizes=[0.5, 1.0])[0]) == 2


def test_a_loaded_split_is_taken(tmp_path):
    """It has the pairs of the split that was saved."""
    for s in (evenfold.split(Y, 3, holdout=0.2), THREE):
        s.save(tmp_path / "split.json")
        loaded = evenfold.load_split(tmp_path / "split.json")
        assert np.array_equal(
            cross_val_score(MODEL, X, Y, cv=loaded), cross_val_score(MODEL, X, Y, cv=s)
        )


def test_cross_val_predict_needs_folds_of_all_rows():
    """The error of one pair is scikit-learn's."""
    s = evenfold.split(Y, 3)
    predicted = cross_val_predict(MODEL, X, Y, cv=s)
    for train, test in s.folds():
        assert np.array_equal(predicted[test], MODEL.fit(X[train], Y[train]).predict(X[test]))
    for other in (THREE, evenfold.split(Y, 3, holdout=0.2)):
        with pytest.raises(ValueError, match="cross_val_predict only works for partitions"):
            cross_val_predict(MODEL, X, Y, cv=other)


def test_rows_must_be_those_of_the_split():
    """In a nested search, the inner split would need the rows of each outer fold."""
    s = evenfold.split(Y, 3)
    search = GridSearchCV(MODEL, {"n_neighbors": [1]}, cv=s)
    with pytest.raises(
        InputError,
        match=r"'X' must have the 60 rows of the split, got 40\. Pass the rows that were split, or "
        r"a splitter of evenfold\.model_selection",
    ):
        cross_val_score(search, X, Y, cv=3, error_score="raise")
    with pytest.raises(InputError, match=r"'y' must have the 60 rows of the split, got 59"):
        s.split(None, Y[:-1])
    for form in (X.tolist(), sparse.coo_array(X), pd.DataFrame(X), pl.DataFrame(X), ["a"] * 60):
        assert len(list(s.split(form))) == 3


def test_groups_are_ignored():
    """With and without metadata routing, because the split is made already."""
    groups = np.arange(60) // 2
    s = evenfold.split(Y, 3, groups=groups)
    expected = score(s.folds())
    assert cross_val_score(MODEL, X, Y, groups=groups, cv=s).tolist() == expected
    with sklearn.config_context(enable_metadata_routing=True):
        assert cross_val_score(MODEL, X, Y, cv=s).tolist() == expected

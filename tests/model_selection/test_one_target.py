"""Splitters of one target: classes, numbers, or columns of both."""

import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import sklearn
import sklearn.model_selection as theirs
from sklearn.linear_model import LinearRegression
from sklearn.tree import DecisionTreeClassifier

import evenfold
import evenfold.model_selection as ours
from evenfold.exceptions import AssumptionWarning, InputError, InputTypeError

from .rows import KFold, both_functions, every_method, list_folds

RNG = np.random.default_rng(0)
PRICE = RNG.lognormal(size=503)
KIND = RNG.choice(["a", "b", "c", "d"], 503, p=[0.8, 0.15, 0.04, 0.01])
FRAME = pd.DataFrame({"price": PRICE, "kind": KIND})

SPLITTERS = {
    "StratifiedKFold": ours.StratifiedKFold(5, shuffle=True, random_state=0),
    "RepeatedStratifiedKFold": ours.RepeatedStratifiedKFold(
        n_splits=5, n_repeats=2, random_state=0
    ),
    "StratifiedShuffleSplit": ours.StratifiedShuffleSplit(3, test_size=100, random_state=0),
    "StratifiedGroupKFold": ours.StratifiedGroupKFold(5),
}
every_splitter = pytest.mark.parametrize("name", SPLITTERS)


def count_classes(y, folds):
    """Return how often each value of y is in each fold, (n_folds, n_values)."""
    return np.array([[np.sum(y[rows] == value) for value in np.unique(y)] for rows in folds])


def count_bins(y, folds):
    """Return how many numbers of each fold are in each fifth of the sorted numbers."""
    edges = np.sort(y)[[round(share * (len(y) - 1)) for share in (0.2, 0.4, 0.6, 0.8)]]
    return np.array([[np.sum(np.sum(y[rows, None] > edges, axis=1) == at) for at in range(5)]
                     for rows in folds])  # fmt: skip


def measure_means(y, folds):
    """Return the largest difference between means of folds, in standard deviations."""
    return np.ptp([y[rows].mean() for rows in folds]) / y.std()


@pytest.mark.parametrize("n_splits", [2, 3, 5, 10])
@pytest.mark.parametrize(
    "y",
    [KIND, RNG.integers(0, 10, 503), KIND == "a", RNG.integers(0, 60, 503), np.zeros(503)],
    ids=["text", "whole", "bool", "many", "constant"],
)
def test_classes_are_even_within_one_row(y, n_splits):
    """As with scikit-learn's splitter; classes with fewer rows than folds give no warning."""
    own = list_folds(ours.StratifiedKFold(n_splits), y)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = list_folds(theirs.StratifiedKFold(n_splits), y, features=y)
    for folds in (own, peer):
        assert np.ptp(count_classes(y, folds), axis=0).max() <= 1
    assert np.ptp([len(rows) for rows in own]) <= 1
    assert sorted(np.concatenate(own)) == list(range(503))


def test_folds_of_classes_are_those_of_labels():
    """Up to twenty classes, whatever their type; one splitter replaces the other."""
    for y in (KIND, RNG.integers(0, 20, 503)):
        assert list_folds(ours.StratifiedKFold(4), y) == list_folds(KFold(4), y)
    assert list_folds(ours.StratifiedKFold(4), KIND == "a") == list_folds(
        ours.StratifiedKFold(4), (KIND == "a") * 1
    )


@pytest.mark.parametrize("n_splits", [2, 3, 5, 10])
@pytest.mark.parametrize(
    "y",
    [PRICE, PRICE - 3, PRICE.round(1), RNG.normal(size=503) * 1e6],
    ids=["skew", "negative", "ties", "large"],
)
def test_numbers_are_even_in_bins_and_total(y, n_splits):
    """Each quantile bin near its share, and means closer than in the best of 50 random folds."""
    folds = list_folds(ours.StratifiedKFold(n_splits), y)
    n_rows_of_bin = count_bins(y, folds)
    assert np.abs(n_rows_of_bin - n_rows_of_bin.mean(axis=0)).max() < 1.5
    assert np.ptp(n_rows_of_bin, axis=0).max() <= 2
    assert np.ptp([len(rows) for rows in folds]) <= 1
    assert measure_means(y, folds) < 0.01
    random = [theirs.KFold(n_splits, shuffle=True, random_state=seed) for seed in range(50)]
    peers = [list_folds(cv, y, features=y) for cv in random]
    assert measure_means(y, folds) < min(measure_means(y, peer) for peer in peers)


@every_splitter
def test_every_splitter_keeps_both_kinds_even(name):
    """Classes within one row of their share, means of numbers close to each other."""
    groups = np.arange(503) if "Group" in name else None
    splits = list(SPLITTERS[name].split(np.zeros(503), FRAME, groups))
    for _, test in splits:
        share = np.array([np.sum(own == KIND) for own in "abcd"]) * len(test) / 503
        assert np.abs(count_classes(KIND, [test])[0] - share).max() < 1.001
        assert abs(PRICE[test].mean() - PRICE.mean()) < 0.02 * PRICE.std()
    assert len(splits) == SPLITTERS[name].get_n_splits()


@every_splitter
@pytest.mark.parametrize("y", [PRICE, KIND], ids=["numbers", "classes"])
def test_splits_are_the_same_for_every_form_of_a_target(name, y):
    """Lists, arrays, columns and frames."""
    forms = [y.tolist(), y.astype(object), pd.Series(y, index=range(503, 0, -1)), pl.Series(y)]
    forms += [pa.array(y), pd.DataFrame({"y": y}), y[:, None]]
    groups = np.arange(503) // 2 if "Group" in name else None
    expected = list_folds(SPLITTERS[name], y, groups)
    assert all(list_folds(SPLITTERS[name], form, groups) == expected for form in forms)


def test_missing_values_are_even():
    """Among classes and among numbers."""
    gone = RNG.random(503) < 0.1
    for y in (np.where(gone, np.nan, PRICE), np.where(gone, None, KIND)):
        folds = list_folds(ours.StratifiedKFold(5), y)
        assert np.ptp([gone[rows].sum() for rows in folds]) <= 1


def test_groups_stay_whole_and_numbers_even():
    """Means are closer than those of scikit-learn's group folds."""
    groups = RNG.integers(0, 120, 503)
    folds = list_folds(ours.StratifiedGroupKFold(4), PRICE, groups)
    assert sum(len(set(groups[rows])) for rows in folds) == len(set(groups))
    peer = list_folds(theirs.GroupKFold(4), PRICE, groups, features=PRICE)
    assert measure_means(PRICE, folds) < measure_means(PRICE, peer)
    assert measure_means(PRICE, folds) < 0.02
    assert np.ptp([len(rows) for rows in folds]) <= 1
    train, test = next(SPLITTERS["StratifiedShuffleSplit"].split(None, PRICE, groups))
    assert not set(groups[train]) & set(groups[test])


@every_method
def test_sizes_are_exact_for_every_method(method):
    """Also where rows do not divide evenly, and for a method that does not know numbers."""
    for y in (PRICE, FRAME):
        folds = list_folds(ours.StratifiedKFold(4, method=method), y)
        assert sorted(len(rows) for rows in folds) == [125, 126, 126, 126]
        cv = ours.StratifiedShuffleSplit(1, test_size=0.3, random_state=0, method=method)
        assert [len(rows) for rows in next(cv.split(None, y))] == [352, 151]
        cv = ours.StratifiedShuffleSplit(1, test_size=50, train_size=60, method=method)
        assert [len(rows) for rows in next(cv.split(None, y))] == [60, 50]


def test_folds_of_numbers_are_those_of_split():
    """Sizes that are right are not corrected, also where other folds have one row more."""
    for y in (PRICE[:501], PRICE[:502], PRICE):
        folds = list_folds(ours.StratifiedKFold(4), y)
        assert folds == [part.tolist() for part in evenfold.split(balance=y, parts=4)]


@every_splitter
def test_tools_of_scikit_learn_take_the_splitters(name):
    """Scores are those of a loop by hand, for regressors and classifiers, with groups."""
    features = np.column_stack([PRICE + RNG.normal(size=503), RNG.normal(size=503)])
    cv, groups = SPLITTERS[name], np.arange(503) // 2 if "Group" in name else None
    for model, y in ((LinearRegression(), PRICE), (DecisionTreeClassifier(random_state=0), KIND)):
        by_hand = [
            model.fit(features[train], y[train]).score(features[test], y[test])
            for train, test in cv.split(features, y, groups)
        ]
        settings = {"cv": cv, "groups": groups, "error_score": "raise"}
        assert theirs.cross_val_score(model, features, y, **settings).tolist() == by_hand
        scores = theirs.cross_validate(model, features, y, **settings)
        assert scores["test_score"].tolist() == by_hand
    search = theirs.GridSearchCV(model, {"max_depth": [2, 3]}, cv=cv, error_score="raise")
    assert search.fit(features, KIND, groups=groups).n_splits_ == cv.get_n_splits()


@pytest.mark.parametrize("name", ["StratifiedGroupKFold", "StratifiedShuffleSplit"])
def test_groups_are_routed_as_metadata(name):
    """Scores are those without routing."""
    features, groups, cv = PRICE[:, None], np.arange(503) // 2, SPLITTERS[name]
    settings = {"cv": cv, "error_score": "raise"}
    model = LinearRegression()
    unrouted = theirs.cross_val_score(model, features, PRICE, groups=groups, **settings)
    with sklearn.config_context(enable_metadata_routing=True):
        routed = theirs.cross_val_score(
            model, features, PRICE, params={"groups": groups}, **settings
        )
    assert routed.tolist() == unrouted.tolist()


def test_what_a_target_holds_can_be_said():
    """Folds differ; the wrong word is refused when the splitter is made."""
    y = np.repeat(np.arange(10), 8) ** 2
    named = [list_folds(ours.StratifiedKFold(3, target=own), y) for own in ("classes", "numbers")]
    assert named[0] == list_folds(ours.StratifiedKFold(3), y)
    assert named[0] != named[1]
    assert measure_means(y, named[1]) < measure_means(y, named[0])
    for make in (
        ours.StratifiedKFold,
        ours.StratifiedGroupKFold,
        ours.RepeatedStratifiedKFold,
        ours.StratifiedShuffleSplit,
    ):
        with pytest.raises(InputError, match="'target' must be one of auto, classes, numbers, got"):
            make(target="number")
        with pytest.raises(InputTypeError, match=r"'target' must be one of .*, got 3\. Try"):
            make(target={"a": 3})


def test_a_guess_is_said():
    """The warning is given when the folds are made."""
    with pytest.warns(AssumptionWarning, match="'y' holds 30 different whole numbers in 30 rows"):
        folds = list_folds(ours.StratifiedKFold(3), np.arange(30))
    assert measure_means(np.arange(30), folds) < 0.05


def test_errors_name_the_splitters_of_one_target():
    """Not those of labels; and X must have as many rows as y."""
    with pytest.warns(UserWarning, match=r"^StratifiedKFold ignores 'groups'\. Use StratifiedGrou"):
        next(ours.StratifiedKFold(2).split(None, PRICE, groups=KIND))
    with pytest.raises(
        InputError, match=r"'groups' must be given, got None\. .* StratifiedKFold\."
    ):
        next(ours.StratifiedGroupKFold(2).split(None, PRICE))
    with pytest.raises(
        InputError, match="'n_splits' must be at most the number of rows, got 5 for"
    ):
        next(ours.StratifiedKFold(5).split(None, [0.5, 1.5]))
    with pytest.raises(InputError, match="'X' and 'y' must have the same number of rows, got 3 an"):
        next(ours.StratifiedKFold(2).split(np.zeros(3), [0.5, 1.5]))


@both_functions
@pytest.mark.parametrize(
    "form", [np.array, list, pd.Series, pl.Series, lambda y: pd.DataFrame({"y": y})]
)
def test_functions_keep_numbers_even(function, form):
    """`stratify` may be a column of numbers, and so may the last array."""
    parts = function(np.arange(503), stratify=form(PRICE), random_state=0)
    assert measure_means(PRICE, parts) < 0.01
    assert [len(part) for part in function(form(PRICE), random_state=0)] == list(map(len, parts))
    expected = [PRICE[rows].tolist() for rows in parts]
    assert [np.ravel(part).tolist() for part in function(form(PRICE), random_state=0)] == expected


@both_functions
def test_functions_take_what_a_target_holds(function):
    """Columns of both kinds, or whole numbers; classes are read as before."""
    parts = function(np.arange(503), stratify=FRAME, target={"price": "numbers"}, random_state=0)
    assert measure_means(PRICE, parts) < 0.05
    whole = np.arange(503)
    with pytest.warns(AssumptionWarning, match="'y' holds 503 different whole numbers"):
        expected = function(whole, random_state=0)
    found = function(whole, random_state=0, target="numbers")
    assert [part.tolist() for part in found] == [part.tolist() for part in expected]
    with pytest.raises(InputError, match="'target' must be one of auto, classes, numbers, got"):
        function(whole, target="class")
    with pytest.raises(InputError, match=r"finite numbers, got inf at row 1\. .* These are the v"):
        function([0.5, np.inf, 2.5, 3.5])

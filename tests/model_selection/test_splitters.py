"""scikit-learn's door: signatures, sizes, seeds, groups, and the tools people plug the splitters into."""

import inspect

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn
import sklearn.model_selection as theirs
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.neighbors import KNeighborsClassifier

import evenfold
from evenfold.exceptions import ImpossibleSplit, InputError, InputTypeError
from evenfold.methods import METHODS
from evenfold.model_selection.splitters import MultilabelStratifiedGroupKFold as GroupKFold
from evenfold.model_selection.splitters import MultilabelStratifiedKFold as KFold
from evenfold.model_selection.splitters import MultilabelStratifiedShuffleSplit as ShuffleSplit
from evenfold.model_selection.splitters import RepeatedMultilabelStratifiedKFold as Repeated
from evenfold.model_selection.splitters import train_test_split, train_val_test_split

PEERS = [
    (KFold, theirs.StratifiedKFold),
    (GroupKFold, theirs.StratifiedGroupKFold),
    (Repeated, theirs.RepeatedStratifiedKFold),
]
PEERS += [
    (ShuffleSplit, theirs.StratifiedShuffleSplit),
    (train_test_split, theirs.train_test_split),
    (KFold.split, theirs.StratifiedKFold.split),
]
SEEDED = {
    "KFold": lambda seed: KFold(4, shuffle=True, random_state=seed),
    "GroupKFold": lambda seed: GroupKFold(4, shuffle=True, random_state=seed),
    "Repeated": lambda seed: Repeated(4, n_repeats=2, random_state=seed),
    "ShuffleSplit": lambda seed: ShuffleSplit(3, test_size=0.3, random_state=seed),
}

every_method = pytest.mark.parametrize("method", METHODS)
both_cuts = pytest.mark.parametrize("cut", [train_test_split, train_val_test_split])


def make_y(n_rows, n_labels=4, density=0.3):
    """Return a 0/1 matrix."""
    return (np.random.default_rng(0).random((n_rows, n_labels)) < density).astype(int)


def make_crowded_y(n_rows):
    """Return so many labels a row that a method which does not promise sizes misses them."""
    return make_y(n_rows, n_labels=10, density=0.5)


def make_data(n_rows=240):
    """Return features, labels that depend on them, and groups of two rows."""
    features = np.random.default_rng(0).normal(size=(n_rows, 3))
    return features, (features > 0.4).astype(int), np.arange(n_rows) % (n_rows // 2)


def list_folds(cv, y, groups=None, features=None):
    """Return the test rows of each fold."""
    return [test.tolist() for _, test in cv.split(features, y, groups)]


def measure_folds(cv, y):
    """Return rLD of the folds."""
    part_of_row = np.empty(len(y), int)
    for number, (_, test) in enumerate(cv.split(None, y)):
        part_of_row[test] = number
    return evenfold.measure(y, part_of_row).rld


@pytest.mark.parametrize(("own", "peer"), PEERS, ids=lambda named: named.__qualname__)
def test_signatures_take_every_call_that_scikit_learn_takes(own, peer):
    """Names, order and defaults are the peer's; what is added goes by keyword."""
    own, peer = inspect.signature(own).parameters, inspect.signature(peer).parameters
    assert [name for name in own if name in peer] == list(peer)
    for name in own:
        if name not in peer:
            assert own[name].kind == inspect.Parameter.KEYWORD_ONLY
        else:
            assert peer[name].default in (inspect.Parameter.empty, own[name].default)
            assert own[name].kind in (peer[name].kind, inspect.Parameter.POSITIONAL_OR_KEYWORD), (
                name
            )


def test_signatures_take_every_call_that_iterative_stratification_takes():
    """Its first argument by place, its "default" test size; five folds where nothing is said."""
    assert KFold(3, shuffle=True, random_state=0).get_n_splits(None, None, None) == 3
    assert Repeated(3, n_repeats=2, random_state=0).get_n_splits() == 6
    cv = ShuffleSplit(3, test_size="default", train_size=None, random_state=0)
    assert [(len(train), len(test)) for train, test in cv.split(np.zeros(50), make_y(50))] == [
        (45, 5)
    ] * cv.get_n_splits()
    assert [cv().get_n_splits() for cv in (KFold, GroupKFold, Repeated, ShuffleSplit)] == [
        5,
        5,
        50,
        10,
    ]


@pytest.mark.parametrize("n_labels", [3, 5, 10])
def test_kfold_passes_the_test_of_iterative_stratification(n_labels):
    """Label distributions of train and test rows differ by at most 0.07, in seven folds of 500 rows."""
    y = np.random.RandomState(12345).randint(0, 2, size=(500, n_labels))
    for train, test in KFold(n_splits=7).split(np.zeros((500, 2)), y):
        assert not set(train) & set(test)
        shares = [y[rows].sum(axis=0) / y[rows].sum() for rows in (train, test)]
        assert np.abs(shares[0] - shares[1]).max() <= 0.07


@every_method
@pytest.mark.parametrize(("n_rows", "n_splits"), [(53, 2), (60, 7), (31, 31)])
def test_kfold_tests_every_row_once_in_folds_of_equal_size(method, n_rows, n_splits):
    """Whatever the method; the train rows are the others."""
    folds = list(KFold(n_splits, method=method).split(None, make_crowded_y(n_rows)))
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(n_rows))
    assert all(sorted([*train, *test]) == list(range(n_rows)) for train, test in folds)
    assert len(folds) == n_splits
    assert np.ptp([len(test) for _, test in folds]) <= 1


@every_method
def test_repeated_tests_every_row_once_a_repeat(method):
    """And no repeat is like another."""
    tests = list_folds(Repeated(3, n_repeats=4, random_state=0, method=method), make_y(40))
    repeats = [tests[at : at + 3] for at in range(0, len(tests), 3)]
    assert all(sorted(np.concatenate(repeat)) == list(range(40)) for repeat in repeats)
    assert len({str(repeat) for repeat in repeats}) == len(repeats) == 4


@every_method
@pytest.mark.parametrize(
    ("train_size", "test_size", "expected"),
    [
        (None, 17, (84, 17)),
        (17, None, (17, 84)),
        (np.int64(60), 30, (60, 30)),
        (None, 0.3, (70, 31)),
        (0.3, None, (30, 71)),
        (0.5, np.float64(0.25), (50, 26)),
        (0.5, 7, (50, 7)),
    ],
)
def test_sizes_are_as_asked_whatever_the_method(method, train_size, test_size, expected):
    """Rows or fractions, one size or both, in function and splitter; no row is in both parts."""
    y, wish = (
        make_crowded_y(101),
        {"train_size": train_size, "test_size": test_size, "random_state": 0, "method": method},
    )
    for train, test in [
        train_test_split(np.arange(101), stratify=y, **wish),
        *ShuffleSplit(2, **wish).split(None, y),
    ]:
        assert (len(train), len(test)) == expected
        assert not set(train) & set(test)


def test_sizes_are_rounded_as_scikit_learn_rounds():
    """Test up, train down, from 4 to 80 rows and without sizes too; refused where it refuses."""

    def sizes_of(function, **wish):
        try:
            return [len(part) for part in function(y[:n_rows], **wish)]
        except ValueError:
            return "refused"

    y = make_y(80, n_labels=1, density=0.5)
    for n_rows in range(4, 81):
        for size in (None, 0.05, 0.1, 0.15, 0.25, 1 / 3, 0.55, 0.7, 0.9, 3, 7):
            for wish in (
                {"test_size": size},
                {"train_size": size},
                {"train_size": 0.29, "test_size": size},
            ):
                assert sizes_of(train_test_split, method="random", **wish) == sizes_of(
                    theirs.train_test_split, **wish
                ), (n_rows, wish)


@pytest.mark.parametrize(
    ("n_rows", "wish"), [(100, {"test_size": 0.55}), (90, {"train_size": 0.7})], ids=str
)
def test_sizes_a_hair_off_a_whole_number_are_rounded_as_scikit_learn_rounds(n_rows, wish):
    """0.55 · 100 is 55.000000000000007 in floats, and another import line must not change the sizes."""
    y = make_y(n_rows)
    assert [len(part) for part in train_test_split(y, **wish)] == [
        len(part) for part in theirs.train_test_split(y, **wish)
    ]


@every_method
@pytest.mark.parametrize(
    ("wish", "expected"),
    [
        ({}, [69, 16, 16]),
        ({"val_size": 10, "test_size": 20}, [71, 10, 20]),
        ({"val_size": 0.2, "test_size": 20, "train_size": 50}, [50, 21, 20]),
        ({"val_size": 0.1, "test_size": None, "train_size": 0.7}, [70, 11, 20]),
        ({"val_size": None, "test_size": 11, "train_size": 60}, [60, 30, 11]),
    ],
    ids=str,
)
def test_train_val_test_sizes_are_as_asked_whatever_the_method(method, wish, expected):
    """Val and test up, train down; rows that no part asked for are in none."""
    parts = train_val_test_split(
        np.arange(101), stratify=make_crowded_y(101), random_state=0, method=method, **wish
    )
    assert [len(part) for part in parts] == expected
    assert len(set(np.concatenate(parts))) == sum(expected)


def test_train_val_test_parts_are_even():
    """Every label is within a row of its share in all three parts, and the arrays stay side by side."""
    y = make_y(400, density=0.2)
    parts = train_val_test_split(np.arange(400), y, random_state=1)
    for rows, own in zip(parts[:3], parts[3:], strict=True):
        assert np.array_equal(y[rows], own)
        assert np.abs(own.sum(axis=0) - y.sum(axis=0) * len(own) / 400).max() <= 1


def test_unshuffled_splits_depend_on_the_data_alone():
    """Two calls and two objects agree, and of the features only the number of rows is looked at."""
    features, y, groups = make_data()
    forms = [
        None,
        features,
        features.tolist(),
        ["text"] * 240,
        sparse.csr_matrix(features),
        sparse.coo_array(features),
        np.zeros(240),
    ]
    forms += [pd.DataFrame(features), pl.DataFrame(features)]
    for make, own in ((KFold, None), (GroupKFold, groups)):
        cv = make(4)
        assert list_folds(cv, y, own) == list_folds(cv, y, own)
        assert all(list_folds(make(4), y, own, form) == list_folds(cv, y, own) for form in forms)
    assert np.array_equal(
        train_test_split(y, shuffle=False)[0], train_test_split(y, shuffle=False, random_state=5)[0]
    )


@pytest.mark.parametrize("make", SEEDED.values(), ids=SEEDED)
def test_seeds_reproduce_and_none_draws_afresh(make):
    """A number gives the same again from one object or two; a generator moves on."""
    _, y, groups = make_data()
    own = groups if isinstance(make(0), GroupKFold) else None
    cv = make(1)
    assert list_folds(cv, y, own) == list_folds(cv, y, own) == list_folds(make(np.int64(1)), y, own)
    assert len({str(list_folds(make(seed), y, own)) for seed in (1, 2, None, None)}) == 4
    for generator in (np.random.RandomState, np.random.default_rng):
        cv, again = make(generator(3)), make(generator(3))
        first, second = list_folds(cv, y, own), list_folds(cv, y, own)
        assert first != second
        assert [first, second] == [list_folds(again, y, own), list_folds(again, y, own)]


@both_cuts
def test_cuts_reproduce_by_seed(cut):
    """Only equal numbers give equal cuts; None draws afresh, a RandomState moves on."""
    y, state = make_y(240), np.random.RandomState(0)
    cuts = [
        str(cut(np.arange(240), stratify=y, random_state=seed))
        for seed in (1, 1, 2, None, None, state, state)
    ]
    assert cuts[0] == cuts[1]
    assert len(set(cuts)) == 6


@pytest.mark.parametrize(("method", "tolerance"), [("even", 0.05), ("iterative", 0.25)])
def test_a_seed_never_lowers_quality(method, tolerance):
    """The mean rLD over seeds is that of unshuffled folds, and every seed is far below chance."""
    y = make_y(600, n_labels=20, density=0.08)
    seeded = [
        measure_folds(KFold(shuffle=True, random_state=seed, method=method), y)
        for seed in range(12)
    ]
    assert np.mean(seeded) == pytest.approx(measure_folds(KFold(method=method), y), rel=tolerance)
    assert max(seeded) < measure_folds(KFold(method="random"), y) / 2


def test_folds_are_the_same_for_every_form_of_labels():
    """Dense, sparse, label lists, sets, pandas, polars."""
    y, names = make_y(240), ["l0", "l1", "l2", "l3"]
    lists = [[names[label] for label in np.flatnonzero(row)] for row in y]
    forms = [
        y.tolist(),
        y.astype(bool),
        sparse.csr_matrix(y),
        sparse.csc_array(y),
        lists,
        [set(row) for row in lists],
        pl.Series(lists),
    ]
    forms += [
        pd.DataFrame(y, columns=names, index=range(240, 0, -1)),
        pl.DataFrame(y, schema=names),
        pd.Series(lists),
    ]
    for cv in (KFold(4), ShuffleSplit(2, random_state=0)):
        assert all(list_folds(cv, form) == list_folds(cv, y) for form in forms)


def test_what_comes_in_comes_out():
    """NumPy, lists, pandas with its index, polars, SciPy sparse: the same rows of each, train before test."""
    features, y, _ = make_data(40)
    index = np.random.default_rng(0).permutation(40)
    frame, column = (
        pd.DataFrame(features, index=index),
        pd.Series(range(40), index=index, name="own"),
    )
    texts, wide, tall = (
        [f"text {row}" for row in range(40)],
        pl.DataFrame(features),
        pl.Series(range(40)),
    )
    arrays = [
        np.arange(40),
        features,
        texts,
        frame,
        column,
        wide,
        tall,
        sparse.csr_array(features),
        y,
    ]
    out = train_test_split(*arrays, test_size=0.25, random_state=0)
    assert [type(part) for part in out] == [type(array) for array in arrays for _ in range(2)]
    for at, rows in enumerate(out[:2]):
        own = out[at::2]
        assert own[2] == [f"text {row}" for row in rows]
        assert own[3].equals(frame.iloc[rows])
        assert own[4].equals(column.iloc[rows])
        assert own[5].equals(wide[rows])
        assert own[6].to_list() == rows.tolist()
        assert np.array_equal(own[7].toarray(), features[rows])
        assert np.array_equal(own[1], features[rows])
        assert np.array_equal(own[8], y[rows])


def test_labels_are_those_of_stratify_or_the_last_array():
    """The last array is cut in its own form; labels given as stratify come before it and stay behind."""
    y = make_y(40)
    rows, _ = train_test_split(np.arange(40), stratify=y, random_state=0)
    assert np.array_equal(
        train_test_split(np.arange(40), np.repeat([0, 1], 20), stratify=y, random_state=0)[0], rows
    )
    for given in (pd.DataFrame(y), pl.DataFrame(y), sparse.csr_matrix(y), y.tolist()):
        own_rows, _, train, test = train_test_split(np.arange(40), given, random_state=0)
        assert np.array_equal(own_rows, rows)
        assert type(train) is type(test) is type(given)
        assert np.array_equal(
            train.toarray() if sparse.issparse(train) else np.asarray(train), y[rows]
        )


@every_method
def test_groups_stay_whole(method):
    """In folds, shuffle splits and cuts, whatever groups are called, and no part is empty."""
    y, wish = make_y(120), {"random_state": 0, "method": method}
    groups = [f"patient {number}" for number in np.random.default_rng(0).integers(0, 40, 120)]
    cuts = list(GroupKFold(4, method=method).split(None, y, groups))
    assert sorted(np.concatenate([test for _, test in cuts])) == list(range(120))
    cuts += ShuffleSplit(3, test_size=0.3, **wish).split(None, y, pd.Series(groups))
    cuts += ShuffleSplit(2, test_size=30, train_size=40, **wish).split(None, y, groups)
    cuts += [
        cut(np.arange(120), stratify=y, groups=groups, **wish)
        for cut in (train_test_split, train_val_test_split)
    ]
    for cut in cuts:
        own = [{groups[row] for row in part} for part in cut]
        assert all(own)
        assert sum(map(len, own)) == len(set.union(*own))


@pytest.mark.parametrize("splitter", [KFold, Repeated])
def test_splitters_that_ignore_groups_say_so(splitter):
    """By their own name, at the line of the caller."""
    _, y, groups = make_data()
    with pytest.warns(
        UserWarning,
        match=rf"^{splitter.__name__} ignores 'groups'\. Use MultilabelStratifiedGroupKFold",
    ) as caught:
        next(splitter(4).split(None, y, groups))
    assert caught[0].filename == __file__


@pytest.mark.parametrize("make", SEEDED.values(), ids=SEEDED)
def test_scikit_learn_takes_the_splitters(make):
    """Scores are those of the folds by hand; groups are given where they are wanted."""
    features, y, groups = make_data()
    cv, model = make(0), KNeighborsClassifier(3)
    groups = groups if isinstance(cv, GroupKFold) else None
    by_hand = [
        model.fit(features[train], y[train]).score(features[test], y[test])
        for train, test in cv.split(features, y, groups)
    ]
    wish = {"cv": cv, "groups": groups, "error_score": "raise"}
    assert theirs.cross_val_score(model, features, y, **wish).tolist() == by_hand
    assert (
        theirs.cross_validate(model, features, y, scoring=["f1_micro", "accuracy"], **wish)[
            "test_accuracy"
        ].tolist()
        == by_hand
    )
    assert (
        theirs.learning_curve(model, features, y, train_sizes=[0.5, 1.0], **wish)[2][1].tolist()
        == by_hand
    )
    search = theirs.GridSearchCV(model, {"n_neighbors": [3, 1]}, cv=cv, error_score="raise").fit(
        features, y, groups=groups
    )
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(np.mean(by_hand))


def test_cross_val_predict_predicts_every_row():
    """From arrays, frames, groups and sparse labels."""
    features, y, groups = make_data()
    model, cv = KNeighborsClassifier(3), KFold(4)
    predicted = theirs.cross_val_predict(model, features, y, cv=cv)
    for train, test in cv.split(features, y):
        assert np.array_equal(
            predicted[test], model.fit(features[train], y[train]).predict(features[test])
        )
    for form in (pd.DataFrame, pl.DataFrame):
        assert np.array_equal(
            theirs.cross_val_predict(model, form(features), form(y), cv=cv), predicted
        )
    assert (
        theirs.cross_val_predict(model, features, y, cv=GroupKFold(4), groups=groups).shape
        == y.shape
    )
    assert (
        theirs.cross_val_predict(DummyClassifier(), features, sparse.csr_matrix(y), cv=cv).shape
        == y.shape
    )


def test_grid_search_takes_sparse_labels_and_can_be_nested():
    """As far as the model does; a search within folds, each with a splitter of its own."""
    features, y, _ = make_data()
    wish = {"cv": ShuffleSplit(2, random_state=0), "error_score": "raise"}
    assert (
        theirs.GridSearchCV(DummyClassifier(), {}, **wish)
        .fit(features, sparse.csr_matrix(y))
        .n_splits_
        == 2
    )
    search = theirs.GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 3]}, **wish)
    assert np.isfinite(
        theirs.cross_val_score(search, features, y, cv=KFold(3), error_score="raise")
    ).all()


@pytest.mark.parametrize(
    "make",
    [GroupKFold, lambda n_splits: ShuffleSplit(n_splits, random_state=0)],
    ids=["GroupKFold", "ShuffleSplit"],
)
def test_groups_are_routed_as_metadata(make):
    """To every splitter that keeps them whole, in a nested search too, with the scores of groups passed without routing."""
    features, y, groups = make_data()
    model, wish = KNeighborsClassifier(3), {"cv": make(4), "error_score": "raise"}
    unrouted = theirs.cross_val_score(model, features, y, groups=groups, **wish).tolist()
    with sklearn.config_context(enable_metadata_routing=True):
        routed = {"params": {"groups": groups}, **wish}
        assert theirs.cross_val_score(model, features, y, **routed).tolist() == unrouted
        assert (
            theirs.cross_validate(model, features, y, **routed)["test_score"].tolist() == unrouted
        )
        assert (
            theirs.learning_curve(model, features, y, train_sizes=[0.5, 1.0], **routed)[2][
                1
            ].tolist()
            == unrouted
        )
        search = theirs.GridSearchCV(
            model, {"n_neighbors": [1, 3]}, cv=make(2), error_score="raise"
        )
        assert search.fit(features, y, groups=groups).n_splits_ == 2
        assert len(theirs.cross_val_score(search, features, y, **routed)) == 4
        predicted = theirs.cross_val_predict(
            model, features, y, cv=GroupKFold(4), params={"groups": groups}
        )
    assert np.array_equal(
        predicted, theirs.cross_val_predict(model, features, y, cv=GroupKFold(4), groups=groups)
    )


def test_repr_shows_every_parameter():
    """As scikit-learn's own do, which breaks long ones into lines."""
    shown = [
        " ".join(repr(cv).split())
        for cv in (
            KFold(3),
            GroupKFold(),
            Repeated(),
            ShuffleSplit(test_size=0.2, method="labelset"),
        )
    ]
    assert shown == [
        "MultilabelStratifiedKFold(method='even', n_splits=3, random_state=None, shuffle=False)",
        "MultilabelStratifiedGroupKFold(method='even', n_splits=5, random_state=None, shuffle=False)",
        "RepeatedMultilabelStratifiedKFold(method='even', n_repeats=10, n_splits=5, random_state=None)",
        "MultilabelStratifiedShuffleSplit(method='labelset', n_splits=10, random_state=None, test_size=0.2, train_size=None)",
    ]


@pytest.mark.parametrize(
    ("make", "wish", "error", "message"),
    [
        (
            KFold,
            {"n_splits": 1},
            InputError,
            r"'n_splits' must be at least 2, got 1\. Try n_splits=5",
        ),
        (
            KFold,
            {"n_splits": 2.5},
            InputTypeError,
            r"'n_splits' must be a whole number, got 2\.5, a float\. Try n_splits=5",
        ),
        (
            GroupKFold,
            {"n_splits": True},
            InputTypeError,
            "'n_splits' must be a whole number, got True, a bool",
        ),
        (Repeated, {"n_repeats": 0}, InputError, "'n_repeats' must be at least 1, got 0"),
        (ShuffleSplit, {"n_splits": 0}, InputError, "'n_splits' must be at least 1, got 0"),
        (
            KFold,
            {"shuffle": 1},
            InputTypeError,
            r"'shuffle' must be True or False, got 1\. Say shuffle=True",
        ),
        (
            KFold,
            {"random_state": 7},
            InputError,
            r"'random_state' must be left out with shuffle=False, got 7\. Add shuffle=True",
        ),
        (
            GroupKFold,
            {"random_state": 0},
            InputError,
            "'random_state' must be left out with shuffle=False, got 0",
        ),
    ],
)
def test_splitters_refuse_parameters_that_cannot_be_meant(make, wish, error, message):
    """When they are made, not when they split."""
    with pytest.raises(error, match=message):
        make(**wish)


@pytest.mark.parametrize(
    ("cv", "data", "error", "message"),
    [
        (
            KFold(41),
            {},
            InputError,
            r"'n_splits' must be at most the number of rows, got 41 for 40 rows\. Ask for fewer folds",
        ),
        (
            GroupKFold(3),
            {},
            InputError,
            r"'groups' must be given, got None\. Pass one group per row, or use MultilabelStratifiedKFold",
        ),
        (GroupKFold(3), {"groups": [0, 1] * 20}, ImpossibleSplit, "got 3 parts for 2 groups"),
        (
            GroupKFold(3),
            {"groups": [*range(20), *[20] * 20]},
            ImpossibleSplit,
            "'groups' puts 20 of 40 rows into one group",
        ),
        (
            KFold(3),
            {"X": np.zeros(39)},
            InputError,
            r"'X' and 'y' must have the same number of rows, got 39 and 40\. Check",
        ),
        (
            ShuffleSplit(3),
            {"X": [0] * 39},
            InputError,
            r"'X' and 'y' must have the same number of rows, got 39 and 40\. Check",
        ),
        (
            KFold(3, method="evn"),
            {},
            InputError,
            r"'method' must be one of .*, got 'evn'\. Did you mean 'even'\?",
        ),
        (
            KFold(3, shuffle=True, random_state=-1),
            {},
            InputError,
            "'random_state' must be 0 or more, got -1",
        ),
        (
            ShuffleSplit(test_size="half"),
            {},
            InputTypeError,
            "'test_size' must be a fraction or a number of rows, got 'half', a str",
        ),
        (
            ShuffleSplit(train_size=40),
            {},
            InputError,
            "'train_size' must be between 1 and 39 rows, got 40",
        ),
    ],
)
def test_splitters_refuse_data_that_does_not_fit(cv, data, error, message):
    """With what was asked for and what there is."""
    with pytest.raises(error, match=message):
        next(cv.split(**{"X": None, "y": make_y(40), **data}))


@both_cuts
@pytest.mark.parametrize(
    ("wish", "error", "message"),
    [
        (
            {"test_size": True},
            InputTypeError,
            r"'test_size' must be a fraction or a number of rows, got True, a bool\. Try test_size=0\.2",
        ),
        (
            {"test_size": 0},
            InputError,
            r"'test_size' must be between 1 and 39 rows, got 0\. Ask for another size",
        ),
        (
            {"test_size": 1.0},
            InputError,
            r"'test_size' must be a fraction between 0 and 1, or a whole number of rows, got 1\.0\. Try test_size=0\.2",
        ),
        (
            {"train_size": -0.5},
            InputError,
            r"'train_size' must be a fraction between 0 and 1, .* got -0\.5",
        ),
        (
            {"train_size": 0.6, "test_size": 0.5},
            InputError,
            r"train_size=0\.6, .*test_size=0\.5 must leave every part a row, got 40 rows to share",
        ),
        (
            {"train_size": 0.01, "test_size": 5},
            InputError,
            r"train_size=0\.01, .*test_size=5 must leave every part a row, got 40 rows to share",
        ),
        (
            {"test_size": 0.99},
            InputError,
            r"test_size=0\.99 must leave every part a row, got 40 rows to share\. Ask for other sizes",
        ),
    ],
)
def test_cuts_refuse_sizes_that_cannot_be_had(cut, wish, error, message):
    """In the same words, whichever the function."""
    with pytest.raises(error, match=message):
        cut(make_y(40), **wish)


@pytest.mark.parametrize(
    "wish",
    [{"test_size": 0.1}, {"test_size": None}, {"test_size": None, "train_size": 0.7}],
    ids=str,
)
def test_train_val_test_split_refuses_two_open_sizes_in_its_own_words(wish):
    """Nobody can tell how two parts share what the third leaves, and 'parts' is no parameter here."""
    with pytest.raises(InputError, match="val_size"):
        train_val_test_split(make_y(100), val_size=None, **wish)


@both_cuts
def test_cuts_refuse_arrays_that_do_not_fit(cut):
    """No array, one row, other lengths, and a last array that holds no labels."""
    features, y, _ = make_data(40)
    with pytest.raises(
        InputError,
        match=r"at least one array must be given to split\. Pass the features and the labels",
    ):
        cut()
    with pytest.raises(
        InputError, match=r"test_size=0\.[12]5 must leave every part a row, got 1 rows to share"
    ):
        cut([["a"]])
    with pytest.raises(InputError, match="must have the same number of rows, got 39 and 40"):
        cut(features[:39], y)
    with pytest.raises(
        InputError,
        match=r"must have the same number of rows, got 40 and 39\. Check that both come from the same data\.$",
    ):
        cut(features, stratify=y[:39])
    with pytest.raises(ValueError, match=r"must have the same number of rows, got 39 and 40"):
        cut(features, features[:39], y)
    with pytest.raises(
        InputError,
        match=r"values other than 0, 1 and NaN.* values of the last array; pass the labels as 'stratify'",
    ):
        cut(y, features)
    with pytest.raises(InputError, match=r"values other than 0, 1 and NaN(?!.*last array)"):
        cut(y, stratify=features)


def test_three_fractions_that_sum_to_one_are_sizes_that_sum_to_the_rows():
    """Val and test are rounded up, and train gives what that takes."""
    parts = train_val_test_split(
        make_y(25), train_size=0.8, val_size=0.1, test_size=0.1, random_state=0
    )
    assert [len(part) for part in parts] == [19, 3, 3]

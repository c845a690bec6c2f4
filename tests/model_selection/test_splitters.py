"""Properties of the folds and splits that splitters make."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import evenfold
from evenfold.exceptions import InputError

from .rows import (
    GroupKFold,
    KFold,
    Repeated,
    ShuffleSplit,
    every_method,
    every_seeded,
    list_folds,
    make_crowded_y,
    make_data,
    make_y,
    measure_folds,
    train_test_split,
    train_val_test_split,
)


@pytest.mark.parametrize("n_labels", [3, 5, 10])
def test_kfold_passes_the_test_of_iterative_stratification(n_labels):
    """Label shares of train and test rows differ by at most 0.07, in seven folds of 500 rows."""
    y = np.random.RandomState(12345).randint(0, 2, size=(500, n_labels))
    for train, test in KFold(n_splits=7).split(np.zeros((500, 2)), y):
        assert not set(train) & set(test)
        shares = [y[rows].sum(axis=0) / y[rows].sum() for rows in (train, test)]
        assert np.abs(shares[0] - shares[1]).max() <= 0.07


@every_method
@pytest.mark.parametrize(("n_rows", "n_splits"), [(53, 2), (60, 7), (31, 31)])
def test_kfold_tests_every_row_once_in_folds_of_equal_size(method, n_rows, n_splits):
    """The train rows are the other rows, for every method."""
    folds = list(KFold(n_splits, method=method).split(None, make_crowded_y(n_rows)))
    assert sorted(np.concatenate([test for _, test in folds])) == list(range(n_rows))
    assert all(sorted([*train, *test]) == list(range(n_rows)) for train, test in folds)
    assert len(folds) == n_splits
    assert np.ptp([len(test) for _, test in folds]) <= 1


@every_method
def test_repeated_tests_every_row_once_in_each_repeat(method):
    """No two repeats are the same."""
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
def test_sizes_are_exact_for_every_method(method, train_size, test_size, expected):
    """Function and splitter take rows or fractions, one size or both; no row is in both parts."""
    y, sizes = make_crowded_y(101), {"train_size": train_size, "test_size": test_size}
    for train, test in [
        train_test_split(np.arange(101), stratify=y, random_state=0, method=method, **sizes),
        *ShuffleSplit(2, random_state=0, method=method, **sizes).split(None, y),
    ]:
        assert (len(train), len(test)) == expected
        assert not set(train) & set(test)


def test_unshuffled_splits_depend_on_the_data_alone():
    """Two calls and two objects agree; only the number of rows of the features is used."""
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
    for make, own, others in ((KFold, None, forms), (GroupKFold, groups, [features])):
        cv = make(4)
        first = list_folds(cv, y, own)
        assert list_folds(cv, y, own) == first
        assert all(list_folds(make(4), y, own, form) == first for form in others)
    assert np.array_equal(
        train_test_split(y, shuffle=False)[0], train_test_split(y, shuffle=False, random_state=5)[0]
    )


@every_seeded
def test_seeds_reproduce_splits_and_none_does_not(make):
    """A number gives the same folds again; a generator gives new folds in each call."""
    _, y, groups = make_data(120)
    own = groups if isinstance(make(0), GroupKFold) else None
    cv = make(1)
    assert list_folds(cv, y, own) == list_folds(cv, y, own) == list_folds(make(np.int64(1)), y, own)
    assert len({str(list_folds(make(seed), y, own)) for seed in (1, 2, None, None)}) == 4
    for generator in (np.random.RandomState, np.random.default_rng):
        cv, again = make(generator(3)), make(generator(3))
        first, second = list_folds(cv, y, own), list_folds(cv, y, own)
        assert first != second
        assert [first, second] == [list_folds(again, y, own), list_folds(again, y, own)]


@pytest.mark.parametrize(("method", "tolerance"), [("even", 0.05), ("iterative", 0.25)])
def test_a_seed_never_lowers_quality(method, tolerance):
    """The mean rLD over seeds is that of unshuffled folds, and every seed is better than random."""
    y = make_y(600, n_labels=20, density=0.08)
    seeded = [
        measure_folds(KFold(shuffle=True, random_state=seed, method=method), y)
        for seed in range(12)
    ]
    assert np.mean(seeded) == pytest.approx(measure_folds(KFold(method=method), y), rel=tolerance)
    assert max(seeded) < measure_folds(KFold(method="random"), y) / 2


def test_folds_are_the_same_for_every_form_of_labels():
    """Labels may be dense, sparse, lists, sets, pandas or polars."""
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


@every_method
def test_groups_stay_whole(method):
    """Splitters and functions keep groups, which may be strings, and make no empty part."""
    y, settings = make_y(120), {"random_state": 0, "method": method}
    groups = [f"patient {number}" for number in np.random.default_rng(0).integers(0, 40, 120)]
    splits = list(GroupKFold(4, method=method).split(None, y, groups))
    assert sorted(np.concatenate([test for _, test in splits])) == list(range(120))
    splits += ShuffleSplit(3, test_size=0.3, **settings).split(None, y, pd.Series(groups))
    splits += ShuffleSplit(2, test_size=30, train_size=40, **settings).split(None, y, groups)
    splits += [
        function(np.arange(120), stratify=y, groups=groups, **settings)
        for function in (train_test_split, train_val_test_split)
    ]
    for parts in splits:
        own = [{groups[row] for row in part} for part in parts]
        assert all(own)
        assert sum(map(len, own)) == len(set.union(*own))


@pytest.mark.parametrize("splitter", [KFold, Repeated])
def test_splitters_that_ignore_groups_warn(splitter):
    """The warning has the name of the splitter and the line of the caller."""
    _, y, groups = make_data()
    with pytest.warns(
        UserWarning,
        match=rf"^{splitter.__name__} ignores 'groups'\. Use MultilabelStratifiedGroupKFold",
    ) as caught:
        next(splitter(4).split(None, y, groups))
    assert caught[0].filename == __file__


def test_group_folds_may_be_off_by_the_size_tolerance():
    """The folds are those of `split`; the tolerance is checked and shown."""
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(60), rng.integers(1, 12, 60))
    y = (rng.random((len(groups), 5)) < (rng.random((60, 5)) ** 2)[groups]).astype(int)
    folds = GroupKFold(4, size_tolerance=0.1)
    s = evenfold.split(y, 4, groups=groups, size_tolerance=0.1)
    assert [test.tolist() for _, test in folds.split(None, y, groups)] == [
        part.tolist() for part in s
    ]
    assert len(set(s.sizes.tolist())) > 2
    assert "size_tolerance=0.1" in repr(folds)
    with pytest.raises(InputError, match=r"'size_tolerance' must be 0 or more"):
        GroupKFold(4, size_tolerance=-1)

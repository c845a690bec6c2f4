"""What a split can be asked for: balance, fixed, start, holdout; and what cannot be had."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import evenfold
from evenfold.methods import METHODS

from ..checks import EXACT, check_groups_whole, check_partition
from ..strategies import label_matrices

RNG = np.random.default_rng(0)
Y = RNG.random((300, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.03]
AGE = RNG.normal(50, 15, 300)
SEX = RNG.choice(["f", "m"], 300)


def spread(values, part):
    """Return the standard deviation over parts of the mean of a column."""
    return np.std([values[part == j].mean() for j in range(part.max() + 1)])


@pytest.mark.parametrize(
    "balance",
    [
        {"age": AGE, "sex": SEX},
        pd.DataFrame({"age": AGE, "sex": SEX}),
        pd.DataFrame({"age": AGE, "sex": pd.Categorical(SEX)}),
        pl.DataFrame({"age": AGE, "sex": SEX}),
        {"age": AGE.tolist(), "sex": pl.Series(SEX)},
    ],
    ids=["mapping", "pandas", "category", "polars", "mixed"],
)
def test_balance_keeps_columns_even_in_every_form(balance):
    """Totals, bins and categories are more even than without, labels as even; the form does not matter."""
    s = evenfold.split(Y, 5, balance=balance)
    without = evenfold.split(Y, 5)
    assert s == evenfold.split(Y, 5, balance={"age": AGE, "sex": SEX})
    assert spread(AGE, s.part_of_row) < 0.5 * spread(AGE, without.part_of_row)
    assert spread(SEX == "f", s.part_of_row) <= spread(SEX == "f", without.part_of_row)
    assert s.quality.rld <= without.quality.rld * 1.1 + 1e-3
    assert s.quality.per_balance.criterion.tolist() == [
        "age: bins",
        "age: total",
        "sex: categories",
    ]
    assert s.quality.ed == 0


def test_balance_is_shown():
    """How even it came out is printed."""
    assert "age: total" in str(evenfold.split(Y, 5, balance={"age": AGE}))


@pytest.mark.parametrize("method", METHODS)
def test_balance_goes_with_every_method(method):
    """Whether or not a method looks at it."""
    check_partition(
        evenfold.split(
            Y, 4, balance={"age": AGE, "sex": SEX}, groups=np.arange(300) // 3, method=method
        ),
        300,
    )


def test_missing_values_in_a_balance_column_are_a_bin_of_their_own():
    """NaN and None are shared out."""
    age, sex = AGE.copy(), SEX.astype(object)
    age[::3], sex[::4] = np.nan, None
    s = evenfold.split(Y, 3, balance={"age": age, "sex": sex})
    assert np.ptp(np.bincount(s.part_of_row[::3])) <= 3
    assert np.ptp(np.bincount(s.part_of_row[::4])) <= 3


def test_amounts_alone_can_be_split():
    """y=None with a matrix: parts of exact size and nearly equal totals."""
    amounts = np.column_stack((np.ones(200), np.random.default_rng(1).exponential(1, (200, 3))))
    for form in (amounts, sparse.csr_array(amounts), amounts.tolist()):
        s = evenfold.split(balance=form, parts=[0.5, 0.3, 0.2])
        assert s.sizes.tolist() == [100, 60, 40]
        shares = np.array([amounts[part].sum(axis=0) / amounts.sum(axis=0) for part in s])
        assert np.abs(shares - [[0.5], [0.3], [0.2]]).max() < 0.01
    assert s.quality.residual < 0.02
    assert (
        s.quality.residual
        < evenfold.split(balance=amounts, parts=[0.5, 0.3, 0.2], method="random").quality.residual
        / 4
    )


def test_a_numeric_column_with_few_values_is_balanced_value_by_value():
    """Grades 1 to 4."""
    grade = np.arange(240) % 4 + 1
    s = evenfold.split(np.ones((240, 1)), 6, balance={"grade": grade})
    for value in range(1, 5):
        assert np.bincount(s.part_of_row[grade == value]).tolist() == [10] * 6


@pytest.mark.parametrize(
    ("balance", "error", "message"),
    [
        (
            {"age": AGE[:5]},
            ValueError,
            "'balance' column 'age' must have one entry for each of the 300 rows, got 5.",
        ),
        (
            np.ones((5, 2)),
            ValueError,
            "'balance' must have one entry for each of the 300 rows, got 5.",
        ),
        (
            -np.ones((300, 2)),
            ValueError,
            "'balance' must hold amounts of 0 or more, got -1.0 at row 0, column 0.",
        ),
        (
            np.full((300, 1), np.nan),
            ValueError,
            "'balance' must hold amounts of 0 or more, got nan at row 0, column 0.",
        ),
        (
            {"age": np.full(300, np.inf)},
            ValueError,
            "'balance' column 'age' must hold finite numbers, got inf at row 0.",
        ),
        (
            {"tags": [["a"]] * 300},
            TypeError,
            "'balance' column 'tags' must hold numbers or categories, got ['a'], a list.",
        ),
        ({"age": 5}, TypeError, "'balance' column 'age' must have one entry per row, got int."),
        (
            [[1, 2], [1]],
            ValueError,
            "'balance' must have rows of one length, got lists of several.",
        ),
        (
            np.array([["a", "b"]] * 300),
            ValueError,
            "'balance' must be an (n_rows, n_amounts) matrix of numbers, got 2 dimension(s) of <U1.",
        ),
        (
            "age",
            TypeError,
            "'balance' must be a mapping of columns, a frame, or a matrix of amounts, got str.",
        ),
    ],
)
def test_balance_that_cannot_be_meant_is_refused(balance, error, message):
    """Type and words of every error about `balance`."""
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split(Y, 3, balance=balance)


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=30, deadline=None)
@given(y=label_matrices(min_rows=15, max_rows=40), seed=st.integers(0, 99))
def test_fixed_rows_never_move(method, y, seed):
    """And groups stay whole around them; sizes are still met where they are promised."""
    rng = np.random.default_rng(seed)
    fixed = np.full(len(y), -1)
    chosen = rng.permutation(len(y))[: len(y) // 4]
    fixed[chosen] = rng.permutation(np.arange(len(chosen)) % 3)
    s = evenfold.split(y, 3, fixed=fixed, method=method, random_state=seed)
    assert (s.part_of_row[chosen] == fixed[chosen]).all()
    check_partition(s, len(y))
    if method in EXACT:
        assert np.abs(s.sizes - len(y) / 3).max() < 1


@pytest.mark.parametrize("method", METHODS)
def test_a_group_with_a_fixed_row_follows_it(method):
    """All of its rows are in that part."""
    groups = np.arange(60) // 3
    fixed = np.full(60, -1)
    fixed[[0, 30]] = 1
    s = evenfold.split(Y[:60], [0.5, 0.5], groups=groups, fixed=fixed, method=method)
    assert (s.part_of_row[[0, 1, 2, 30, 31, 32]] == 1).all()
    check_groups_whole(s, groups.tolist())


def test_fixed_rows_can_be_named():
    """By part name, None where free."""
    fixed = ["test", None, "train"] + [None] * 297
    s = evenfold.split(Y, [0.8, 0.2], fixed=fixed)
    assert (s.names[s.part_of_row[0]], s.names[s.part_of_row[2]]) == ("test", "train")
    assert s == evenfold.split(Y, [0.8, 0.2], fixed=[1, -1, 0] + [-1] * 297)


def test_all_rows_may_be_fixed():
    """Then there is nothing to do."""
    fixed = np.arange(300) % 3
    for method in METHODS:
        assert (
            evenfold.split(Y, 3, fixed=fixed, method=method).part_of_row.tolist() == fixed.tolist()
        )


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"fixed": [5] + [-1] * 299},
            "'fixed' must name a part for each row (0 to 1: train, test), or -1 where it is free, got 5 at row 0.",
        ),
        ({"fixed": ["val"] + [None] * 299}, "got 'val' at row 0. Correct it, or add the part."),
        ({"fixed": [-1] * 5}, "'fixed' must have one entry for each of the 300 rows, got 5."),
        (
            {"fixed": [1] * 100 + [-1] * 200},
            "'fixed' must leave every part its size, got 100 rows for 'test', which is to have 60 of 300.",
        ),
        (
            {"fixed": [0, 1] + [-1] * 298, "groups": np.arange(300) // 2},
            "'fixed' must keep groups whole, got rows 0 and 1 of one group in 'train' and 'test'.",
        ),
        ({"start": [0] * 5}, "'start' must have one entry for each of the 300 rows, got 5."),
        (
            {"start": [0] * 299 + [np.nan]},
            "'start' must name a part for each row (0 to 1: train, test), got nan at row 299.",
        ),
        ({"start": [0] * 299 + [[1]]}, "got [1] at row 299."),
        ({"fixed": [np.inf] + [-1] * 299}, "got inf at row 0."),
        (
            {"start": [0] * 299 + [2]},
            "'start' must name a part for each row (0 to 1: train, test), got 2 at row 299.",
        ),
        (
            {"start": [0] * 300, "method": "iterative"},
            "'start' must go with a method that improves splits, got 'iterative'.",
        ),
        (
            {"holdout": 1.5},
            "'holdout' must be a fraction below 1 or a number of rows below 300, got 1.5.",
        ),
        (
            {"holdout": 300},
            "'holdout' must be a fraction below 1 or a number of rows below 300, got 300.",
        ),
    ],
)
def test_impossible_wishes_say_what_to_change(keywords, message):
    """Fixed rows in no part, sizes that contradict them, starts of the wrong length."""
    with pytest.raises(ValueError, match=re.escape(message)):
        evenfold.split(Y, [0.8, 0.2], **keywords)


def test_start_is_improved_and_brought_to_size():
    """From a bad split to one near the bound; from a good one to one as good."""
    bad = np.sort(np.arange(300) % 5)
    s = evenfold.split(Y, 5, start=bad)
    assert s.sizes.tolist() == [60] * 5
    assert s.quality.rld < 0.5 * evenfold.measure(Y, bad).rld
    good = evenfold.split(Y, 5)
    again = evenfold.split(Y, 5, start=good)
    assert again.quality.rld <= good.quality.rld
    uneven = evenfold.split(Y[:299], 5, random_state=1)
    for seed in range(5):
        assert (
            evenfold.split(Y[:299], 5, start=uneven, random_state=seed).sizes.tolist()
            == uneven.sizes.tolist()
        )


def test_start_may_cut_groups():
    """Each group begins where most of it is."""
    groups = np.arange(300) // 4
    s = evenfold.split(Y, 3, start=np.arange(300) % 3, groups=groups)
    check_groups_whole(s, groups.tolist())


def test_holdout_is_a_part_beside_the_folds():
    """Folds never touch it; sizes are exact; every part is even."""
    s = evenfold.split(Y, 5, holdout=0.25)
    assert s.names == ("fold0", "fold1", "fold2", "fold3", "fold4", "test")
    assert s.sizes.tolist() == [45] * 5 + [75]
    test = set(s["test"].tolist())
    tested = []
    for train, fold in s.folds():
        assert not test & set(train.tolist())
        assert len(train) + len(fold) == 225
        tested += fold.tolist()
    assert sorted([*tested, *test]) == list(range(300))
    assert evenfold.split(Y, 5, holdout=75).sizes.tolist() == [45] * 5 + [75]
    assert evenfold.split(Y, [0.6, 0.4], holdout=50, names=["a", "b"]).names == ("a", "b", "test")
    assert evenfold.split(Y, {"a": 0.6, "b": 0.4}, holdout=50).names == ("a", "b", "test")
    assert evenfold.split(Y, [100, 150], holdout=50).sizes.tolist() == [100, 150, 50]


# RandomSplit's ways of being called, each as one evenfold call.
WEIGHTS = np.vstack(
    (np.ones(200), np.where(RNG.random((10, 200)) < 0.1, RNG.uniform(1, 10, (10, 200)), 0))
)


@pytest.mark.parametrize("size", [0.65, 130])
def test_randomsplit_with_fractions_and_numbers(size):
    """MakeRandomSplit(W, p_train, p_test): train, test and what is left."""
    sizes = [0.65, 0.25, 0.1] if size < 1 else [130, 50, 20]
    s = evenfold.split(balance=WEIGHTS.T, parts=sizes, names=["train", "test", "val"])
    assert s.sizes.tolist() == [130, 50, 20]


@pytest.mark.parametrize(
    "column_map",
    [
        {i: [f"scan{2 * i}", f"scan{2 * i + 1}"] for i in range(200)},
        [[f"scan{2 * i}"] for i in range(200)],
    ],
)
def test_randomsplit_with_a_column_map_to_lists(column_map):
    """A column stands for a patient, who has several scans; the scans follow."""
    s = evenfold.split(balance=WEIGHTS.T, parts=[0.75, 0.25])
    train, test = (
        [scan for patient in s[part] for scan in column_map[patient]] for part in ("train", "test")
    )
    assert not set(train) & set(test)
    assert len(train) + len(test) == sum(len(column_map[i]) for i in range(200))


def test_randomsplit_with_a_test_part_and_folds():
    """MakeBalancedCrossValidation(W, 5, testing_size=0.25)."""
    s = evenfold.split(balance=WEIGHTS.T, parts=5, holdout=0.25)
    assert s.sizes.tolist() == [30] * 5 + [50]
    assert len(list(s.folds())) == 5


def test_randomsplit_returns_residuals():
    """One per part, and far below those of random parts."""
    s, random = (
        evenfold.split(balance=WEIGHTS.T, parts=[0.5, 0.5], method=method)
        for method in ("even", "random")
    )
    assert s.quality.per_part.residual.shape == (2,)
    assert s.quality.residual < random.quality.residual / 3

"""split(balance=...): columns that are kept even besides labels."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import evenfold
from evenfold.methods import METHODS

from ..checks import check_partition

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
    """Totals, bins and categories get more even, labels stay as even, in every form."""
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
def test_balance_works_with_every_method(method):
    """Also with methods that ignore it."""
    check_partition(
        evenfold.split(
            Y, 4, balance={"age": AGE, "sex": SEX}, groups=np.arange(300) // 3, method=method
        ),
        300,
    )


def test_missing_values_in_a_balance_column_are_a_bin_of_their_own():
    """Rows with NaN and None are spread over the parts."""
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
            np.full((300, 1), -np.inf),
            ValueError,
            "'balance' column 'amount 0' must hold finite numbers, got -inf at row 0.",
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
            "'balance' must be an (n_rows, n_amounts) matrix of numbers, "
            "got 2 dimension(s) of <U1.",
        ),
        (
            "age",
            TypeError,
            "'balance' must be a mapping of columns, a frame, or a matrix of amounts, got str.",
        ),
    ],
)
def test_wrong_balance_is_refused(balance, error, message):
    """Type and words of every error about `balance`."""
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split(Y, 3, balance=balance)


# The calls that RandomSplit offers, each as one call of evenfold.
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
    """A column is a patient with several scans, which go to the part of the patient."""
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

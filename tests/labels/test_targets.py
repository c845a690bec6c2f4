"""Targets: which columns are classes, and which are numbers."""

import datetime as dt
import re
import warnings
from decimal import Decimal

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

from evenfold.exceptions import AssumptionWarning, EvenfoldError, InputError, InputTypeError
from evenfold.labels.labels import make_labels
from evenfold.labels.targets import read_labels_or_target, read_target

FRACTIONS = [0.5, 1.5, 2.5, 3.5]
MANY = np.repeat(np.arange(100, 121), 2)  # 21 whole numbers
INTERVALS = pd.cut(np.arange(6), 3)


def count_kinds(y, target="auto"):
    """Return the number of classes, and of columns of numbers."""
    labels, balance = read_target(y, target)
    assert all(column.n_rows == labels.n_rows for column in balance)
    return labels.n_labels, len(balance)


@pytest.mark.parametrize(
    ("y", "expected"),
    [
        (["a", "b", "a", "b|c"], (3, 0)),
        ([True, False, True], (2, 0)),
        (np.array([True, False]), (2, 0)),
        (FRACTIONS, (0, 1)),
        (np.float32(FRACTIONS), (0, 1)),
        ([Decimal("0.5"), 2], (0, 1)),
        ([0.5] * 4, (0, 1)),
        ([1, 5, 1], (2, 0)),
        ([1, 2, 3, 4, 5], (5, 0)),
        ([1.0, 2.0, np.nan, None], (3, 0)),
        (MANY[:40], (20, 0)),
        (MANY, (21, 1)),
        (MANY * 1.0, (21, 1)),
        (MANY.tolist(), (21, 1)),
        ([2**60, 2**60 + 1] * 2, (2, 0)),
        ([None, np.nan], (1, 0)),
        ([dt.date(2020, 1, 1), dt.date(2020, 1, 2)], (2, 0)),
        (np.array(["2020-01-01", "2020-01-02"], "M8[D]"), (2, 0)),
        (pd.Series(FRACTIONS, dtype="category"), (4, 0)),
        (pl.Series(["a", "b"], dtype=pl.Enum(["a", "b"])), (2, 0)),
        (INTERVALS, (3, 0)),
        (pd.Series(INTERVALS), (3, 0)),
        (pd.Series([1, None, 2], dtype="Int64"), (3, 0)),
        (pl.Series([0.5, None]), (0, 1)),
        (pl.Series([Decimal("0.5"), None]), (0, 1)),
        (pa.array(FRACTIONS), (0, 1)),
        (np.ma.array(FRACTIONS, mask=[0, 1, 0, 0]), (0, 1)),
        (pd.DataFrame({"price": FRACTIONS}), (0, 1)),
        (np.reshape(FRACTIONS, (4, 1)), (0, 1)),
        (np.eye(4, 2), (4, 0)),
    ],
    ids=lambda own: type(own).__name__ if not isinstance(own, tuple) else "",
)
def test_each_kind_of_values_is_recognised(y, expected):
    """Text, categories and few whole numbers are classes; numbers with fractions are numbers."""
    assert count_kinds(y) == expected


def test_a_user_says_what_a_target_holds():
    """Classes may be any numbers, numbers may be whole or categories of numbers."""
    assert count_kinds(FRACTIONS, "classes") == (4, 0)
    assert count_kinds([np.inf, 1.5], "classes") == (2, 0)
    assert count_kinds(MANY, "classes") == (21, 0)
    assert count_kinds([2**60, 2**60 + 1], "classes") == (2, 0)
    for y in (MANY, [1, 2], [True, False], pd.Series([1, 2], dtype="category")):
        assert count_kinds(y, "numbers") == (0, 1)
    frame = pd.DataFrame({"a": MANY, "b": MANY})
    assert count_kinds(frame, {"b": "numbers"}) == (21, 2)
    assert count_kinds(frame.to_numpy(), {0: "classes", 1: "numbers"}) == (21, 1)


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (
            np.arange(12),
            "'y' holds 12 different whole numbers in 12 rows: they are kept even as numbers, by "
            "total and quantile bins. Pass target='numbers' if this is meant, target='classes' if "
            "each is a class.",
        ),
        (
            pd.DataFrame({"age": np.arange(1200) + 0.0, "sex": ["f", "m"] * 600}),
            "'y' column 'age' holds 1,200 different whole numbers in 1,200 rows: .* Pass "
            "target={'age': 'numbers'} if this is meant, target={'age': 'classes'} if each",
        ),
    ],
    ids=["alone", "column"],
)
def test_whole_numbers_that_seldom_come_again_are_numbers(y, message):
    """A warning names both readings, at the line of the caller; either can be passed."""
    with pytest.warns(AssumptionWarning, match=message.replace("{", r"\{")) as caught:
        labels, balance = read_target(y)
    assert caught[0].filename == __file__
    assert (labels.n_labels, len(balance)) == ((0, 1) if isinstance(y, np.ndarray) else (2, 1))
    is_frame = isinstance(y, pd.DataFrame)
    for target in ("classes", "numbers"):
        read_target(y, {"age": target} if is_frame else target)


def test_classes_are_those_of_labels():
    """In the same order; missing values are one more class."""
    for y in (["b", "a", "b"], [3, 1, 3], np.array([2.0, 1.0]), MANY):
        labels, expected = read_target(y)[0], make_labels(y)
        assert labels.names == expected.names
        np.testing.assert_array_equal(labels.indices, expected.indices)
    labels = read_target(["b", None, "a", np.nan, " "])[0]
    assert labels.names == ["a", "b", None]
    assert labels.indices.tolist() == [1, 2, 0, 2, 2]


def test_missing_numbers_are_a_bin():
    """They count as the mean in the total."""
    [column] = read_target([0.5, np.nan, 2.5])[1]
    assert column.code.tolist() == [0, 5, 1]
    assert column.amount.tolist() == [0.5, 1.5, 2.5]


COLUMNS = {"price": [0.5, 1.5, 2.5, 4.5], "kind": ["a", "b", "a", "a"]}


@pytest.mark.parametrize(
    "y",
    [
        COLUMNS,
        {"price": np.array(COLUMNS["price"]), "kind": pd.Series(COLUMNS["kind"])},
        pd.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS),
        pl.DataFrame(COLUMNS).lazy(),
        pa.table(COLUMNS),
        pd.DataFrame(COLUMNS).to_numpy(),
        [list(row) for row in zip(*COLUMNS.values(), strict=True)],
        list(zip(*COLUMNS.values(), strict=True)),
        [np.array(own) for own in COLUMNS.values()],
        [pd.Series(own) for own in COLUMNS.values()],
    ],
    ids=lambda y: f"{type(y).__module__.partition('.')[0]}.{type(y).__name__}",
)
def test_columns_of_both_kinds_are_read_from_every_form(y):
    """Frames, mappings, matrices, rows, and lists of columns."""
    labels, balance = read_target(y)
    assert [str(name).partition("=")[2] for name in labels.names] == ["a", "b"]
    assert labels.indices.tolist() == [0, 1, 0, 0]
    assert [column.amount.tolist() for column in balance] == [COLUMNS["price"]]


FORMS = "must be one value for each row, or a frame, mapping or matrix of such columns, got"
USE = "Use MultilabelStratifiedKFold for rows of several labels."


@pytest.mark.parametrize(
    ("y", "target", "kind", "message"),
    [
        (None, "auto", InputTypeError, f"'y' {FORMS} None. Pass a list, a column or an array."),
        ("abc", "auto", InputTypeError, f"'y' {FORMS} 'abc'. Pass a list"),
        ({"a": 1}, "auto", InputTypeError, f"'y' column 'a' {FORMS} 1. Pass a list"),
        (np.zeros((2, 2, 2)), "auto", InputTypeError, f"'y' {FORMS} array("),
        (sparse.eye(3), "auto", InputTypeError, f"'y' {FORMS} a sparse matrix. {USE}"),
        ([["a"], [], ["a", "b"]], "auto", InputError, f"'y' {FORMS} lists of labels. {USE}"),
        ([{"a"}, {"b"}], "auto", InputError, f"'y' {FORMS} lists of labels. {USE}"),
        (
            pd.Series([[1], [2]]),
            "auto",
            InputError,
            f"'y' must hold one value for each row, got [1] at row 0. {USE}",
        ),
        ([], "auto", InputError, "'y' must have at least one row, got none."),
        ({}, "auto", InputError, "'y' must have at least one column, got none. Check how the"),
        (
            {"a": [1, 2], "b": [1]},
            "auto",
            InputError,
            "'y' must have columns of one length, got 2 and 1 rows. Check that they come from",
        ),
        ([0.5, np.inf], "auto", InputError, "'y' must hold finite numbers, got inf at row 1."),
        (["a", 1], "auto", InputTypeError, "'y' must hold labels of one kind, got strings and"),
        ([{}, {}], "auto", InputTypeError, "'y' must hold strings or whole numbers as labels"),
        (
            ["a", "b"],
            "numbers",
            InputError,
            "'y' must hold numbers with target='numbers', got 'a', a str. Leave out the target, "
            "or pass numbers.",
        ),
        (
            {"a": [1.5], "b": [None]},
            "numbers",
            InputError,
            "'y' column 'b' must hold numbers with target='numbers', got missing values only.",
        ),
        (
            COLUMNS,
            {"prise": "numbers"},
            InputError,
            "'target' must name columns of 'y' (price, kind), got 'prise'. Did you mean 'price'?",
        ),
        (
            [1, 2],
            {"a": "numbers"},
            InputError,
            "'target' must be text where there is one target, got {'a': 'numbers'}. "
            "Try target='numbers'.",
        ),
    ],
)
def test_what_is_no_target_is_refused(y, target, kind, message):
    """The message says what it must be, what it is, and what to do."""
    with pytest.raises(kind, match="^" + re.escape(message)):
        read_target(y, target)


@pytest.mark.parametrize(
    "y",
    [
        np.array([0.5, 1.5]),
        [0.5, None, 2],
        pd.Series([0.5, 1.5]),
        pl.DataFrame({"y": [0.5, 1.5]}),
        np.array([[0.5], [1.5]]),
        MANY,
    ],
    ids=lambda y: type(y).__name__,
)
def test_a_column_of_numbers_is_read_in_the_place_of_labels(y):
    """As a target."""
    (labels, balance), (expected, own) = read_labels_or_target(y, "auto"), read_target(y)
    assert labels.names == expected.names
    np.testing.assert_array_equal(balance[0].amount, own[0].amount)


@pytest.mark.parametrize(
    "y",
    [
        ["a", "b"],
        [0, 1, 1],
        np.array([3, 4, 3, np.nan]),
        np.eye(3),
        np.array([[0], [1]]),
        pd.DataFrame({"y": [0, 1]}),
        [["a"], []],
        make_labels(["a", "b"]),
    ],
    ids=lambda y: type(y).__name__,
)
def test_everything_else_is_read_as_labels(y):
    """Classes too, with their own rules for missing values and 0 and 1."""
    (labels, balance), expected = read_labels_or_target(y, "auto"), make_labels(y)
    assert (labels.names, balance) == (expected.names, [])
    np.testing.assert_array_equal(labels.indices, expected.indices)


def test_labels_are_refused_as_before():
    """The error is that of labels."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(EvenfoldError, match="'y' holds values other than 0, 1 and NaN"):
            read_labels_or_target(np.array([[0.5, 1], [1, 0]]), "auto")

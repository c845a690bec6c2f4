"""What is refused, with the words it is refused in."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import evenfold
from evenfold.exceptions import EvenfoldError

MATRIX = np.zeros((20, 3))
MATRIX[17, 1], MATRIX[18, 2], MATRIX[19, 0] = 2, -1, 0.5

BAD_LABELS = {
    "not 0/1": (
        pd.DataFrame(MATRIX, columns=["fire", "smoke", "ash"]).drop(columns="fire"),
        ValueError,
        "'y' holds values other than 0, 1 and NaN: 1 of them, first 2.0 at row 17, label 'smoke'. Pass class codes as a 1-D array",
    ),
    "array not 0/1": (
        MATRIX,
        ValueError,
        "'y' holds values other than 0, 1 and NaN: 3 of them, first 2.0 at row 17, label 1.",
    ),
    "sparse not 0/1": (
        sparse.csr_array(MATRIX),
        ValueError,
        "'y' holds values other than 0, 1 and NaN: 3 of them, first 2.0 at row 17, label 1.",
    ),
    "lil not 0/1": (
        sparse.lil_array(MATRIX),
        ValueError,
        "3 of them, first 2.0 at row 17, label 1.",
    ),
    "None": (
        None,
        TypeError,
        "'y' must be given, got None. Pass the labels of the rows, or a 'balance' to split by alone.",
    ),
    "string": ("abc", TypeError, "got str. Convert it to one of these."),
    "dict": ({"a": [1]}, TypeError, "got dict. Pass its values as a list, or a frame made of it."),
    "set": ({"a", "b"}, TypeError, "got set. A set has no order of rows; pass a list."),
    "generator": ((row for row in [["a"]]), TypeError, "got generator. Pass list(y)."),
    "number": (3, TypeError, "got int. Convert it to one of these."),
    "no rows": ([], ValueError, "'y' must have at least one row, got none."),
    "no rows in an array": (
        np.zeros((0, 3)),
        ValueError,
        "'y' must have at least one row, got none.",
    ),
    "no rows in sparse": (
        sparse.csr_array((0, 3)),
        ValueError,
        "'y' must have at least one row, got none.",
    ),
    "no rows in a frame": (
        pd.DataFrame({"a": []}),
        ValueError,
        "'y' must have at least one row, got none.",
    ),
    "no rows in a column": (
        pl.Series([], dtype=pl.List(pl.String)),
        ValueError,
        "'y' must have at least one row, got none.",
    ),
    "no columns": (
        pd.DataFrame(index=range(3)),
        ValueError,
        "'y' must have at least one column, got a frame without any.",
    ),
    "three dimensions": (
        np.zeros((2, 2, 2)),
        ValueError,
        "'y' must have one dimension (classes) or two (rows × labels), got 3.",
    ),
    "no dimension": (
        np.array(1),
        ValueError,
        "'y' must have one dimension (classes) or two (rows × labels), got 0.",
    ),
    "1-D sparse": (
        sparse.coo_array(np.ones(3)),
        ValueError,
        "'y' must be a table of rows × labels, got a sparse array of 1 dimension(s).",
    ),
    "complex": (
        np.zeros((2, 2), complex),
        TypeError,
        "'y' must hold numbers, booleans or strings, got an array of complex128.",
    ),
    "complex sparse": (
        sparse.csr_array(np.eye(2, dtype=complex)),
        TypeError,
        "'y' must hold 0 and 1, got a sparse array of complex128.",
    ),
    "dates": (
        np.array(["2020-01-01"], dtype="datetime64[D]"),
        TypeError,
        "got an array of datetime64[D].",
    ),
    "objects": (
        np.array([[object(), 1]], dtype=object),
        TypeError,
        "'y' must hold 0 and 1, or strings, got <object",
    ),
    "continuous": (
        [0.5, 1.5],
        TypeError,
        "'y' must hold strings or whole numbers as labels, got 0.5, a float.",
    ),
    "continuous array": (
        np.array([1.0, 0.25]),
        ValueError,
        "'y' must hold classes (whole numbers or strings), got 0.25 at row 1.",
    ),
    "continuous column": (
        pd.Series([1.0, 0.25]),
        ValueError,
        "'y' must hold classes (whole numbers or strings), got 0.25 at row 1.",
    ),
    "class then list": (
        ["a", ["b"]],
        TypeError,
        "got both: 'a' and, at row 1, ['b']. Write a single label as a list of one.",
    ),
    "list then class": (
        [["a"], "b"],
        TypeError,
        "'y' must hold one collection of labels per row, got 'b' at row 1, a str. Write a single label",
    ),
    "dict rows": (
        [{"a": 1}, {"b": 1}],
        TypeError,
        "'y' must hold strings or whole numbers as labels, got {'a': 1}",
    ),
    "nested labels": (
        [["a", ["b"]], ["c"]],
        TypeError,
        "got ['b'] at row 0, a list. Flatten the labels of each row.",
    ),
    "mixed kinds": (
        [["a", 1], ["b"]],
        TypeError,
        "'y' must hold labels of one kind, got strings and numbers. Convert them all to strings.",
    ),
    "tuple labels": (
        [[("a", 1)], [("b", 2)]],
        TypeError,
        "'y' must hold strings or whole numbers as labels, got ('",
    ),
    "missing label": (
        [["a", None], ["b"]],
        ValueError,
        "'y' holds a missing label (None) at row 0. Leave it out of the row's list.",
    ),
    "null in Arrow list": (
        pa.array([["b"], ["a", None]]),
        ValueError,
        "'y' holds a missing label (null) at row 1.",
    ),
    "lists of floats": (
        pl.Series([[0.5], [1.0]]),
        TypeError,
        "'y' must hold lists of strings or whole numbers, got lists of double.",
    ),
    "column of dates": (
        pd.Series(pd.to_datetime(["2020-01-01"])),
        TypeError,
        "'y' must be a column of classes or of lists of labels, got one of type Datetime",
    ),
    "frame with dates": (
        pd.DataFrame({"a": [1], "when": pd.to_datetime(["2020-01-01"])}),
        TypeError,
        "'y' must have columns of 0 and 1, or of strings, got column 'when' of type Datetime",
    ),
    "frame with objects": (
        pd.DataFrame({"a": [1, 0], "b": [object(), 1]}),
        ValueError,
        "in column 'b'. Pass the label columns alone.",
    ),
    "frame with lists among columns": (
        pl.DataFrame({"a": [1], "tags": [["x"]]}),
        TypeError,
        "got column 'tags' of type List(String).",
    ),
    "frame with one mixed column": (
        pd.DataFrame({"a": ["x", 3]}),
        TypeError,
        "column 'a' of 'y' must hold labels of one kind, got strings and numbers.",
    ),
    "lazy frame": (
        pl.LazyFrame({"a": [1]}),
        TypeError,
        "'y' must be in memory, got a LazyFrame. Call .collect() first.",
    ),
    "infinite classes": (
        np.array([1.0, np.inf]),
        ValueError,
        "'y' must hold classes (whole numbers or strings), got inf at row 1.",
    ),
    "object column of lists among others": (
        pd.DataFrame({"x": [0, 1], "tags": [["a"], ["b"]]}),
        TypeError,
        "got column 'tags' of type Object.",
    ),
    "too many columns": (
        sparse.csr_array((2, 2**34)),
        ValueError,
        "'y' must have fewer than 2,147,483,648 rows and labels, got 2 × 17,179,869,184.",
    ),
    "a long value": (
        ["a", list(range(10_000))],
        TypeError,
        "got both: 'a' and, at row 1, [0, 1, 2",
    ),
    "repeated column names": (
        pd.DataFrame([[1, 0]], columns=["a", "a"]),
        TypeError,
        "'y' must be a frame evenfold can read, got DataFrame: ",
    ),
}


@pytest.mark.parametrize("case", BAD_LABELS)
def test_labels_that_cannot_be_meant_are_refused(case):
    """Type and words of every error about `y`, and its place in the tree of errors."""
    y, error, message = BAD_LABELS[case]
    with pytest.raises(error, match=re.escape(message)) as caught:
        evenfold.split(y, 2)
    assert isinstance(caught.value, EvenfoldError)
    assert len(str(caught.value)) < 400


def test_classes_that_cannot_be_meant_are_refused():
    """The errors of from_classes."""
    with pytest.raises(ValueError, match="'classes' must have one or two dimensions, got 3"):
        evenfold.labels.from_classes(np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match="'classes' must have at least one column, got none"):
        evenfold.labels.from_classes(np.zeros((3, 0)))
    with pytest.raises(ValueError, match="'classes' must have rows of one length"):
        evenfold.labels.from_classes([[1, 2], [1]])
    with pytest.raises(
        TypeError,
        match=r"'classes' must be an array, a list or a frame of classes, got generator. Pass list\(y\)",
    ):
        evenfold.labels.from_classes(code for code in [1, 2])


BAD_GROUPS = {
    "wrong length": (
        [1, 2],
        ValueError,
        "'groups' must have one entry for each of the 6 rows, got 2.",
    ),
    "missing": (
        ["a", None, "a", "b", "b", None],
        ValueError,
        "'groups' is missing for 2 of 6 rows, first row 1. Give every row a group",
    ),
    "NaN": (
        np.array([1, 1, np.nan, 2, 2, 2]),
        ValueError,
        "'groups' is missing for 1 of 6 rows, first row 2.",
    ),
    "NA": (
        pd.array([1, 1, None, 2, 2, 2], dtype="Int64"),
        ValueError,
        "'groups' is missing for 1 of 6 rows, first row 2.",
    ),
    "two dimensions": (np.zeros((6, 2)), ValueError, "'groups' must have one dimension, got 2."),
    "a frame": (
        pd.DataFrame({"a": range(6)}),
        ValueError,
        "'groups' must be one column, got a frame of 1. Pass the column itself.",
    ),
    "a name": ("patient", TypeError, "'groups' must be an array with one entry per row, got str."),
    "masked": (
        np.ma.array([1, 1, 2, 2, 3, 3], mask=[0, 1, 0, 0, 0, 0]),
        ValueError,
        "'groups' is missing for 1 of 6 rows, first row 1.",
    ),
    "lists": (
        [[1], [1], [2], [2], [3], [3]],
        TypeError,
        "'groups' must hold one name or number per row, got [1] at row 0. Join several",
    ),
    "too few": (
        [0, 0, 0, 1, 1, 1],
        ValueError,
        "'parts' must be at most the number of groups, got 3 parts for 2 groups.",
    ),
    "too large": (
        [0, 0, 0, 0, 1, 2],
        ValueError,
        "'groups' puts 4 of 6 rows into one group, more than the largest part (2). Ask for fewer or larger parts",
    ),
}


@pytest.mark.parametrize("case", BAD_GROUPS)
def test_groups_that_cannot_be_kept_are_refused(case):
    """Type and words of every error about `groups`."""
    groups, error, message = BAD_GROUPS[case]
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split([["a"], ["b"]] * 3, 3, groups=groups)


BAD_PARTS = {
    "sum below 1": (
        [0.7, 0.2],
        ValueError,
        "'parts' must sum to 1 or to the 593 rows, got 0.9. Did you leave out a part?",
    ),
    "sum above 1": (
        [0.7, 0.7],
        ValueError,
        "'parts' must sum to 1 or to the 593 rows, got 1.4. Make one of the parts smaller.",
    ),
    "too few rows": (
        [500, 90],
        ValueError,
        "'parts' must sum to 1 or to the 593 rows, got 590. Did you leave out a part?",
    ),
    "too many rows": (
        [500, 100],
        ValueError,
        "'parts' must sum to 1 or to the 593 rows, got 600. Make one of the parts smaller.",
    ),
    "one fold": (1, ValueError, "'parts' must be at least 2, got 1."),
    "no fold": (0, ValueError, "'parts' must be at least 2, got 0."),
    "one part": ([1.0], ValueError, "'parts' must have at least 2 sizes, got 1."),
    "more folds than rows": (
        594,
        ValueError,
        "'parts' must be at most the number of rows, got 594 parts for 593 rows. Ask for fewer parts.",
    ),
    "more shares than rows": (
        [1 / 600] * 600,
        ValueError,
        "'parts' must be at most the number of rows, got 600 parts for 593 rows.",
    ),
    "empty part": (
        [0.9996, 0.0004],
        ValueError,
        "'parts' must leave every part a row, got a share of 0.0004 of 593 rows for 'test'. Give it at least 0.00169",
    ),
    "nothing": ([0.5, 0.5, 0.0], ValueError, "'parts' must hold sizes above 0, got 0.0."),
    "negative": ([1.5, -0.5], ValueError, "'parts' must hold sizes above 0, got -0.5."),
    "NaN": ([0.5, float("nan")], ValueError, "'parts' must hold sizes above 0, got nan."),
    "a string": (
        "0.8,0.2",
        TypeError,
        "'parts' must be a number of folds or a list of sizes, got '0.8,0.2'. Try parts=5 or parts=[0.8, 0.2].",
    ),
    "strings": (["0.8", "0.2"], TypeError, "'parts' must hold numbers, got '0.8', a str."),
    "a float": (2.5, TypeError, "'parts' must be a number of folds or a list of sizes, got 2.5."),
    "halves of rows": (
        [592.5, 0.5],
        ValueError,
        "'parts' must hold whole numbers of rows, or fractions that sum to 1, got 592.5. Round the sizes.",
    ),
    "infinite": ([1e308, 1e308], ValueError, "'parts' must hold sizes above 0, got 1e+308."),
    "None": (None, TypeError, "'parts' must be a number of folds or a list of sizes, got None."),
}


@pytest.mark.parametrize("case", BAD_PARTS)
def test_parts_that_cannot_be_had_are_refused(case):
    """Type and words of every error about `parts`."""
    parts, error, message = BAD_PARTS[case]
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split(np.ones((593, 1)), parts)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"names": ["a"]}, ValueError, "'names' must have one name per part, got 1 for 2 parts."),
        ({"names": ["a", "a"]}, ValueError, "'names' must differ, got 'a' twice."),
        ({"names": "ab"}, TypeError, "'names' must be a list of strings, one per part, got 'ab'."),
        ({"names": 5}, TypeError, "'names' must be a list of strings, one per part, got 5."),
        (
            {"names": {"a", "b"}},
            TypeError,
            "'names' must be a list of strings, one per part, got {",
        ),
        (
            {"effort": "hard"},
            ValueError,
            "'effort' must be fast, normal, best or a number of seconds, got 'hard'.",
        ),
        (
            {"effort": -1},
            ValueError,
            "'effort' must be fast, normal, best or a number of seconds, got -1.",
        ),
        ({"order": 3}, ValueError, "'order' must be 1, 2 or 'auto', got 3."),
        (
            {"effort": "best", "method": "random"},
            ValueError,
            "'effort' must go with the method 'even', got method 'random'.",
        ),
        (
            {"method": "iterativ"},
            ValueError,
            "even, iterative, optisplit, sampling, svd, labelset, pmbsrs, random, got 'iterativ'. Did you mean 'iterative'?",
        ),
        ({"method": "xyz"}, ValueError, "got 'xyz'. Take one of these."),
        (
            {"method": 3},
            TypeError,
            "'method' must be a name or an object like evenfold.methods.Iterative(), got 3, a int.",
        ),
        ({"method": evenfold.methods.Random}, TypeError, "got the class Random."),
        ({"random_state": -1}, ValueError, "'random_state' must be 0 or more, got -1."),
        (
            {"random_state": "0"},
            TypeError,
            "'random_state' must be a whole number, a NumPy generator or None, got str.",
        ),
    ],
)
def test_settings_that_cannot_be_meant_are_refused(keywords, error, message):
    """Type and words of the errors about names, method and seed."""
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split([["a"], ["b"], ["a"], []], 2, **keywords)


def test_a_method_that_breaks_its_contract_is_caught():
    """A user's own method must return a part for each unit."""

    class Wrong:
        name = "wrong"

        def place(self, problem, rng):
            return np.full(problem.n_units, 7)

    with pytest.raises(
        ValueError,
        match="'method' must return a part from 0 to 1 for each of the 4 units, which 'wrong' did not",
    ):
        evenfold.split([["a"], ["b"], ["a"], []], 2, method=Wrong())


def test_asking_a_split_for_a_part_it_lacks():
    """By name and by number."""
    s = evenfold.split([["a"], ["b"], ["a"], []], [0.5, 0.5])
    with pytest.raises(KeyError, match=r"'val' is not a part of this split\. Parts: train, test"):
        s["val"]
    with pytest.raises(IndexError, match="part 2 of a split into 2"):
        s[2]
    with pytest.raises(TypeError, match=r"a part is asked for by name or number, got 1\.5"):
        s[1.5]

"""Labels that are refused, and the words they are refused in."""

import re

import narwhals as nw
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
        "'y' holds values other than 0, 1 and NaN: 1 of them, first 2.0 at row 17, label "
        "'smoke'. Pass class codes as a 1-D array",
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
        "'y' must be given, got None. Pass the labels of the rows, or a 'balance' to split by "
        "alone.",
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
        "'y' must hold one collection of labels per row, got 'b' at row 1, a str. Write a "
        "single label",
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
    "column of structs": (
        pl.Series([{"labels": ["a"], "n": 1}]),
        TypeError,
        "got one of type Struct({'labels': List(String), 'n': Int64}). Pass one of its fields: ",
    ),
    "frame with structs": (
        pl.DataFrame({"ann": [{"labels": ["a"]}]}),
        TypeError,
        "of type Struct({'labels': List(String)}). Pass one of its fields: 'labels'.",
    ),
    "frame with lists among columns": (
        pl.DataFrame({"a": [1], "tags": [["x"]]}),
        TypeError,
        "got column 'tags' of type List(String).",
    ),
    "frame with one mixed column": (
        pd.DataFrame({"a": ["x", 3]}),
        TypeError,
        "'y' column 'a' must hold labels of one kind, got strings and numbers.",
    ),
    "lazy frame": (
        nw.from_native(pl.LazyFrame({"a": [1]})),
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
    "bytes that are no text": (
        np.array([b"a", b"\xff"]),
        ValueError,
        r"'y' must hold text, got bytes that are not UTF-8, b'\xff' at row 1. Decode them first.",
    ),
    "a word among 0 and 1": (
        pd.DataFrame({"a": ["0", "1", "x"], "b": [1, 0, 1]}),
        ValueError,
        "'y' holds values other than 0, 1 and NaN: 1 of them, first 'x' at row 2, label 'a'.",
    ),
    "text that may be labels": (
        ["male|white", "female|white", "male|black"],
        ValueError,
        "'y' holds text such as 'female|white', which may be one class or several labels "
        "separated by '|'. Pass evenfold.labels.from_classes(y) for classes, or "
        "evenfold.labels.from_text(y, separator='|') for labels.",
    ),
    "repeated column names": (
        pd.DataFrame([[1, 0, 1, 1]], columns=["a", 3, "a", 3]),
        ValueError,
        "'y' must have columns of different names, got more than one named 'a', 3. Give each its "
        "own name.",
    ),
    "repeated column names of Arrow": (
        pa.table([[1], [0]], names=["a", "a"]),
        ValueError,
        "'y' must have columns of different names, got more than one named 'a'. Give each its own",
    ),
    "text among 0 and 1": (
        pd.DataFrame({"war": [0, 1], "id": ["row 1", "row 2"], "art": ["0", "1"]}),
        ValueError,
        "'y' column 'id' holds text such as 'row 1', and other label columns hold 0 and 1. Leave "
        "it out of the labels; if each of its values is a label, make it a column of categories "
        "(pandas, polars, Arrow).",
    ),
    "text among 0 and 1 in an array": (
        np.array([["row 1", 0], ["row 2", 1]], dtype=object),
        ValueError,
        "'y' column 0 holds text such as 'row 1', and other label columns hold 0 and 1.",
    ),
}


@pytest.mark.parametrize("case", BAD_LABELS)
def test_wrong_labels_are_refused(case):
    """Every error about `y` has its type, its message and its parameter."""
    y, error, message = BAD_LABELS[case]
    with pytest.raises(error, match=re.escape(message)) as caught:
        evenfold.split(y, 2)
    assert isinstance(caught.value, EvenfoldError)
    assert caught.value.parameter == "y"
    assert len(str(caught.value)) < 400


def test_wrong_classes_are_refused():
    """Every error of from_classes names the parameter 'classes'."""
    with pytest.raises(ValueError, match="'classes' must have one or two dimensions, got 3"):
        evenfold.labels.from_classes(np.zeros((2, 2, 2)))
    with pytest.raises(ValueError, match="'classes' must have at least one column, got none"):
        evenfold.labels.from_classes(np.zeros((3, 0)))
    with pytest.raises(ValueError, match="'classes' must have rows of one length"):
        evenfold.labels.from_classes([[1, 2], [1]])
    with pytest.raises(ValueError, match=r"'classes' must hold classes .* got 0.5 at row 1"):
        evenfold.labels.from_classes([1.0, 0.5])
    with pytest.raises(TypeError, match="'classes' column 'a' must hold labels of one kind"):
        evenfold.labels.from_classes(pd.DataFrame({"a": ["x", 1], "b": [1, 2]}))
    with pytest.raises(
        TypeError,
        match=r"'classes' must be an array, a list or a frame of classes, got generator. Pass "
        r"list\(y\)",
    ):
        evenfold.labels.from_classes(code for code in [1, 2])

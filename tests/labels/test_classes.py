"""Classes give the same split, whatever their form."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import evenfold
from evenfold.labels import from_classes, make_labels
from evenfold.methods import METHODS

# One class a row, and one class in each of two columns.
CLASSES = [["cat", "dog", "emu"][code] for code in np.arange(30) * 7 % 3]
COLOURS = [["blue", "red"][code] for code in np.arange(30) * 5 % 2]
ONE_HOT = np.column_stack([[value == own for own in CLASSES] for value in ("cat", "dog", "emu")])
TWO_HOT = np.column_stack(
    [ONE_HOT, *[[value == own for own in COLOURS] for value in ("blue", "red")]]
)
CLASS_FORMS = {
    "list": lambda: CLASSES,
    "tuple": lambda: tuple(CLASSES),
    "string array": lambda: np.array(CLASSES),
    "object array": lambda: np.array(CLASSES, dtype=object),
    "codes": lambda: np.array([["cat", "dog", "emu"].index(own) for own in CLASSES]),
    "list of codes": lambda: [["cat", "dog", "emu"].index(own) for own in CLASSES],
    "float codes": lambda: np.array(
        [["cat", "dog", "emu"].index(own) for own in CLASSES], dtype=float
    ),
    "pandas column": lambda: pd.Series(CLASSES),
    "pandas category": lambda: pd.Series(
        CLASSES, dtype=pd.CategoricalDtype(["emu", "dog", "cat", "fox"])
    ),
    "pandas Categorical": lambda: pd.Categorical(CLASSES),
    "pandas codes": lambda: pd.Series([["cat", "dog", "emu"].index(own) for own in CLASSES]),
    "polars column": lambda: pl.Series(CLASSES),
    "polars category": lambda: pl.Series(CLASSES, dtype=pl.Categorical),
    "Arrow array": lambda: pa.array(CLASSES),
    "Arrow dictionary": lambda: pa.array(CLASSES).dictionary_encode(),
    "frame of one column": lambda: pd.DataFrame({"animal": CLASSES}),
    "from_classes": lambda: from_classes(CLASSES),
    "from_classes of codes": lambda: from_classes(
        [["cat", "dog", "emu"].index(own) for own in CLASSES]
    ),
}
TWO_CLASS_FORMS = {
    "string array": lambda: np.column_stack((CLASSES, COLOURS)),
    "object array": lambda: np.column_stack((CLASSES, COLOURS)).astype(object),
    "pandas frame": lambda: pd.DataFrame({"animal": CLASSES, "colour": COLOURS}),
    "pandas categories": lambda: pd.DataFrame({"animal": CLASSES, "colour": COLOURS}).astype(
        "category"
    ),
    "polars frame": lambda: pl.DataFrame({"animal": CLASSES, "colour": COLOURS}),
    "Arrow table": lambda: pa.table({"animal": CLASSES, "colour": COLOURS}),
    "categories and 0/1": lambda: pd.DataFrame(
        {"animal": pd.Categorical(CLASSES), "blue": TWO_HOT[:, 3], "red": TWO_HOT[:, 4].astype(int)}
    ),
    "from_classes": lambda: from_classes([[a, b] for a, b in zip(CLASSES, COLOURS, strict=True)]),
    "from_classes of codes": lambda: from_classes(
        [[len(a) + ord(a[0]), len(b)] for a, b in zip(CLASSES, COLOURS, strict=True)]
    ),
    "from_classes of a code frame": lambda: from_classes(
        pd.DataFrame({"a": [ord(a[0]) for a in CLASSES], "b": [len(b) for b in COLOURS]})
    ),
}


@pytest.mark.parametrize("method", METHODS)
def test_every_form_of_classes_gives_the_same_split(method):
    """Each class is a label, in one column and in two columns."""
    for forms, matrix in ((CLASS_FORMS, ONE_HOT), (TWO_CLASS_FORMS, TWO_HOT)):
        expected = evenfold.split(matrix, 5, method=method).part_of_row
        for form, make in forms.items():
            assert np.array_equal(evenfold.split(make(), 5, method=method).part_of_row, expected), (
                form
            )


def test_class_columns_are_named_by_column_and_value():
    """Equal values of two columns are two labels."""
    assert make_labels(pd.DataFrame({"a": ["x", "y"], "b": ["x", "x"]})).names == [
        "a=x",
        "a=y",
        "b=x",
    ]
    assert from_classes([[3, 0], [2, 0]]).names == ["0=2", "0=3", "1=0"]
    assert make_labels(["x", "y", "x"]).names == ["x", "y"]


def test_missing_class_is_no_label():
    """In a column of classes, None and NaN leave the row without one."""
    for given in (
        ["a", None, "b"],
        pd.Series(["a", None, "b"]),
        pl.Series(["a", None, "b"]),
        np.array(["a", np.nan, "b"], dtype=object),
    ):
        assert np.diff(make_labels(given).indptr).tolist() == [1, 0, 1]
    assert np.diff(make_labels([1.0, float("nan"), 2.0]).indptr).tolist() == [1, 0, 1]
    assert np.diff(make_labels(np.array([1.0, np.nan, 2.0])).indptr).tolist() == [1, 0, 1]

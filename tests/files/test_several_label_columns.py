"""Several label columns of a file: 0 and 1, classes, and what is refused."""

import re

import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.label_columns import LabelChoice, read_labels
from evenfold.labels import make_labels

from .memory_file import Columns


def read(columns, separator=None):
    """Return the labels of all columns."""
    file = Columns(columns, rows_at_once=3)
    return read_labels(file, LabelChoice(list(file.columns), separator))


def test_several_columns_of_classes_are_labels_by_column_and_value():
    """Categories may stand beside columns of 0 and 1, as in a frame."""
    frame = {
        "animal": pa.array(["emu", "cat", None, "cat", "dog"]).dictionary_encode(),
        "wild": [1, 0, 1, None, 1],
        "colour": pa.array(["red", "red", "blue", None, "cat"]).dictionary_encode(),
        "none": [None] * 5,
    }
    labels, expected = read(pa.table(frame)), make_labels(pa.table(frame))
    assert labels.indices.tolist() == expected.indices.tolist()
    assert labels.unknown[1].tolist() == expected.unknown[1].tolist()
    assert labels.names == expected.names
    assert labels.names == [
        "animal=cat",
        "animal=dog",
        "animal=emu",
        "wild",
        "colour=blue",
        "colour=cat",
        "colour=red",
    ]


def test_several_columns_that_hold_no_labels_are_refused():
    """The error names the first column that is wrong."""
    with pytest.raises(
        InputError,
        match=r"data.csv: column 'b' holds 2, where 0, 1 or nothing is expected, at row 4. "
        r"If its values are classes, pass the column alone; else leave it out of the labels\.",
    ):
        read({"a": [0, 1, 1, 0, 1], "b": [0, 1, 1, 0, 2]})
    late = ["0", "1"] * 5_000 + ["maybe"]
    with pytest.raises(
        InputError,
        match=r"data.csv: column 'b' holds 'maybe', where 0, 1 or nothing is expected, at row "
        r"10000. Leave missing cells empty.",
    ):
        read({"a": [*late[:-1], "0"], "b": late})
    with pytest.raises(
        InputError,
        match=r"data.csv: column 'a' holds 'maybe', where 0, 1 or nothing is expected, at row 0\.",
    ):
        read({"a": late[::-1], "b": late})
    with pytest.raises(
        InputError,
        match=r"data.csv: column 'b' holds list<item: string>, which is no label, at row 0. "
        r"Pass a column of lists alone.",
    ):
        read({"a": [0], "b": [["x"]]})
    message = (
        "data.csv: column 'b' holds text such as 'row 1', and other label columns hold 0 and 1. "
        "Leave it out of the labels; if each of its values is a label, make it a column of "
        "categories (pandas, polars, Arrow)."
    )
    with pytest.raises(InputError, match=re.escape(message)):
        read({"a": [0, 1], "b": [" ", "row 1"], "c": ["x", "y"]})
    with pytest.raises(
        InputError, match=r"a separator cuts one column of text, got ';' for a, b\."
    ):
        read({"a": ["x"], "b": ["y;z"]}, separator=";")

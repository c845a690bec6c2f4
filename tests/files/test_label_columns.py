"""Labels from the columns of a file are the same as from memory."""

import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold.exceptions import EvenfoldError
from evenfold.files.formats.parquet import Parquet
from evenfold.files.label_columns import LabelChoice, choose_label_columns, guesses, read_labels
from evenfold.labels import from_classes, make_labels

from .memory_file import Columns


def read(columns, labels=None, separator=None, rows_at_once=3):
    """Return the labels of all columns, or of those named."""
    columns = columns if isinstance(columns, dict | pa.Table) else {"y": columns}
    file = Columns(columns, rows_at_once=rows_at_once)
    return read_labels(file, LabelChoice(labels or list(file.columns), separator))


def check_same(labels, expected):
    """Names, entries and unknown entries are equal, and of the same types."""
    assert list(labels.names) == list(expected.names)
    assert (labels.unknown is None) == (expected.unknown is None)
    arrays = [
        (labels.indptr, expected.indptr),
        (labels.indices, expected.indices),
        *zip(labels.unknown or (), expected.unknown or (), strict=True),
    ]
    for own, other in arrays:
        assert own.dtype == other.dtype
        assert own.tolist() == other.tolist()


LISTS = [
    ["war", "drama"],
    [],
    ["drama"],
    ["comedy", "war", "comedy"],
    None,
    ["zombie"],
    ["art", "drama"],
    ["drama"],
]
NUMBERS = [[7, 3], [], [3], [12, 7], None, [100], [1, 3], [3]]
MATRIX = [[1, 0, 0], [0, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 1]]
LIST_FORMS = {
    "list": (pa.array(LISTS), LISTS),
    "large list": (pa.array(LISTS, pa.large_list(pa.large_string())), LISTS),
    "list view": (pa.array(LISTS, pa.list_view(pa.string_view())), LISTS),
    "fixed size": (
        pa.array([["b", "a"], None, ["a", "c"], ["c", "c"]], pa.list_(pa.string(), 2)),
        [["b", "a"], [], ["a", "c"], ["c"]],
    ),
    "dictionary": (pa.array(LISTS, pa.list_(pa.dictionary(pa.int8(), pa.string()))), LISTS),
    "dictionary with names nobody has": (
        pa.ListArray.from_arrays(
            [0, 1, 1, 3], pa.DictionaryArray.from_arrays([1, 3, 1], ["a", "b", "c", "d"])
        ),
        [["b"], [], ["d", "b"]],
    ),
    "text that looks like a matrix": (pa.array([["1", "0"], ["0", "0"]]), [["1", "0"], ["0", "0"]]),
    "numbers": (pa.array(NUMBERS), NUMBERS),
    "small numbers": (pa.array(NUMBERS, pa.list_(pa.uint8())), NUMBERS),
    "nothing but empty": (pa.array([[], None, []], pa.list_(pa.string())), [[], None, []]),
    "nothing of no type": (pa.array([[], None, []]), [[], None, []]),
    "matrix": (pa.array(MATRIX), MATRIX),
    "matrix of floats": (pa.array(MATRIX, pa.list_(pa.float32())), MATRIX),
    "matrix of bool": (pa.array([[bool(value) for value in row] for row in MATRIX]), MATRIX),
    "matrix of fixed size": (pa.array(MATRIX, pa.list_(pa.int8(), 3)), MATRIX),
    "matrix with gaps": (pa.array([[1, None, 0], *MATRIX]), [[1, None, 0], *MATRIX]),
    "matrix with NaN": (
        pa.array([[1, float("nan"), 0], *MATRIX], pa.list_(pa.float64())),
        [[1, None, 0], *MATRIX],
    ),
    "a matrix but for the last row": (pa.array([*MATRIX, [1]]), [*MATRIX, [1]]),
    "a matrix but for many values": (
        pa.array([*MATRIX[:2], [5, 2, 0], [2, 3, 4]]),
        [*MATRIX[:2], [5, 2, 0], [2, 3, 4]],
    ),
    "a matrix but for a null": (pa.array([*MATRIX, None]), [*MATRIX, None]),
    "JSON": (
        ['["b", "a"]', "", '["a"]', None, "[]", ' ["c", "a"] '],
        [["b", "a"], [], ["a"], [], [], ["c", "a"]],
    ),
    "Python": (
        ["['b', 'it\\'s']", "['a']", "['a', \"it's\"]", "['a\\d']"],
        [["b", "it's"], ["a"], ["a", "it's"], ["a\\d"]],
    ),
    "JSON numbers": (["[3, 12]", "[3]", "[]"], [[3, 12], [3], []]),
    "JSON matrix": (["[0, 1]", "[1, 1]", "[0, 0]", "[0, 1]"], [[0, 1], [1, 1], [0, 0], [0, 1]]),
    "JSON categories": (
        pa.array(['["b", "a"]', '["a"]', '["a"]']).dictionary_encode(),
        [["b", "a"], ["a"], ["a"]],
    ),
}


@pytest.mark.parametrize("rows_at_once", [1, 3, 100])
@pytest.mark.parametrize("form", LIST_FORMS)
@pytest.mark.parametrize("rows_of_head", [2, 10_000])
def test_a_column_of_lists_is_read_as_from_memory(form, rows_at_once, rows_of_head, monkeypatch):
    """Of every type of list, and text that is one; a matrix by the rule for nested lists.

    The first rows may look otherwise.
    """
    monkeypatch.setattr(guesses, "HEAD_ROWS", rows_of_head)
    column, rows = LIST_FORMS[form]
    check_same(read(column, rows_at_once=rows_at_once), make_labels(rows))


CUT = ["b|a", " a ", None, "", "c | b||", "|", "a|a"]
CUT_ROWS = [["b", "a"], ["a"], [], [], ["c", "b"], [], ["a"]]


@pytest.mark.parametrize("separator", ["|", ";", ",", " ", "::"])
@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())],
)
def test_cells_are_cut_at_the_separator(separator, kind):
    """Blanks around a label and empty labels do not count."""
    cells = [cell and cell.replace("|", separator) for cell in CUT]
    check_same(read(pa.array(cells).cast(kind), separator=separator), make_labels(CUT_ROWS))


CLASSES = ["emu", "cat", None, "dog", "cat", "emu", "a|b"]
CLASS_FORMS = {
    "text": (CLASSES, CLASSES),
    "categories": (pa.array(CLASSES).dictionary_encode(), CLASSES),
    "categories nobody has": (
        pa.DictionaryArray.from_arrays(pa.array([2, 0, None, 2], pa.int8()), ["cat", "dog", "emu"]),
        ["emu", "cat", None, "emu"],
    ),
    "text with empty cells": (["emu", "", " ", "cat"], ["emu", None, None, "cat"]),
    "views": (pa.array(CLASSES, pa.string_view()), CLASSES),
    "numbers": ([3, 1, 2, 1, 10], [3, 1, 2, 1, 10]),
    "numbers with gaps": ([3, None, 2, 1, 10], [3, None, 2, 1, 10]),
    "whole floats": ([3.0, None, 2.0, float("nan")], [3, None, 2, None]),
    "number categories": (pa.array([3, 1, None, 10]).dictionary_encode(), [3, 1, None, 10]),
    "nothing": (pa.nulls(4), [None] * 4),
    "nothing of a type": (pa.array([None] * 4, pa.string()), [None] * 4),
    "0, 1 and late a 2": ([0, 1, 1, 0, 1, 2], [0, 1, 1, 0, 1, 2]),
}


@pytest.mark.parametrize("form", CLASS_FORMS)
def test_a_column_of_classes_is_read_as_from_memory(form):
    """Each value is a label; a row with a missing cell has none."""
    column, rows = CLASS_FORMS[form]
    check_same(read(column), from_classes(rows))


FRAME = {"rain": [1, 0, 0, 1, 1], "fog": [0, 0, None, 0, 1], "sun": [0, 0, 0, 0, 0]}
WORDS = {"0": ["0", "0.0", "false", "False", " FALSE "], "1": ["1", "1.0", "true", "True", "TRUE"]}
FLAG_FORMS = {
    "integers": {name: pa.array(column, pa.int8()) for name, column in FRAME.items()},
    "booleans": {
        name: pa.array([value if value is None else bool(value) for value in column])
        for name, column in FRAME.items()
    },
    "floats": {
        name: pa.array([float("nan") if value is None else value for value in column], pa.float64())
        for name, column in FRAME.items()
    },
    "text": {
        name: ["" if value is None else WORDS[str(value)][row] for row, value in enumerate(column)]
        for name, column in FRAME.items()
    },
    "categories": {
        name: pa.array([None if v is None else str(v) for v in column]).dictionary_encode()
        for name, column in FRAME.items()
    },
}


@pytest.mark.parametrize("form", FLAG_FORMS)
def test_columns_of_0_and_1_are_labels(form):
    """Labels keep the order of the columns; a missing cell is unknown; one column is one label."""
    check_same(read(FLAG_FORMS[form]), make_labels(pd.DataFrame(FRAME)))
    for name in ("rain", "fog"):
        check_same(read(FLAG_FORMS[form], [name]), make_labels(pd.DataFrame({name: FRAME[name]})))


def test_columns_of_other_programs_are_read_as_from_memory(tmp_path):
    """Categories of pandas and of Arrow are read, of text and of numbers."""
    frame = pd.DataFrame(
        {
            "grade": pd.Categorical(["c", "a", "c", "b"], ["a", "b", "c", "d"]),
            "own": [True, False, True, True],
            "mark": pd.Categorical([0, None, 1, 1]),
            "kind": pd.Categorical(["x", None, "y", "x"]),
        }
    )
    frame.to_parquet(tmp_path / "data.parquet")
    check_same(
        read_labels(
            Parquet(tmp_path / "data.parquet"), LabelChoice(["grade", "own", "mark", "kind"])
        ),
        make_labels(frame),
    )
    grades = {"a": pa.array([3, 1, 3, 10]).dictionary_encode(), "b": [1, 0, 0, 1]}
    assert read(grades).names == ["a=1", "a=3", "a=10", "b"]


@settings(deadline=None)
@given(
    st.lists(
        st.one_of(
            st.none(),
            st.lists(
                st.text(st.characters(codec="utf-8", exclude_characters="|"), max_size=3),
                max_size=4,
            ),
        ),
        min_size=1,
        max_size=30,
    ),
    st.integers(1, 7),
)
def test_any_lists_are_read_as_from_memory(rows, rows_at_once):
    """Names may be empty or unusual, and batches of any size."""
    check_same(
        read(pa.array(rows, pa.list_(pa.string())), rows_at_once=rows_at_once), make_labels(rows)
    )


BAD_COLUMNS = {
    "a wrong value in a matrix": (
        pa.array([*MATRIX, [0, 1, 2]]),
        None,
        "column 'y' holds 2, where 0, 1 or nothing is expected, at row 5. Correct it; if the",
    ),
    "null in a list": (
        pa.array([["a"], ["b"], [], ["c", "a", None]]),
        None,
        "column 'y' holds a missing label (null) at row 3. Leave it out of",
    ),
    "lists of floats": (
        pa.array([[0.5], [1.0]]),
        None,
        "column 'y' holds lists of double at row 0. Labels are text or whole numbers: convert them",
    ),
    "lists of dicts": (
        ['[{"id": 1}]', '[{"id": 2}]'],
        None,
        "column 'y' holds lists of struct<id: int64> at row 0.",
    ),
    "lists of lists": (
        pa.array([[["a"]]]),
        None,
        "column 'y' holds lists of list<item: string> at row 0.",
    ),
    "kinds of labels": (
        ["[1]", "[2]", "[3]"] * 4_000 + ['["a"]'],
        None,
        "column 'y' must hold labels of one kind, got strings and numbers.",
    ),
    "kinds of 0 and 1": (
        ["[0, 1]"] * 10_002 + ['["0", "1"]'],
        None,
        "column 'y' must hold labels of one kind, got strings and numbers.",
    ),
    "kinds in a cell": (
        ["[2]", '[1, "a"]'],
        None,
        "column 'y' holds labels of several kinds, or numbers too large, at row 1. Write all "
        "labels",
    ),
    "too large": (
        [f"[{10**30}]"],
        None,
        "column 'y' holds labels of several kinds, or numbers too large, at row 0.",
    ),
    "no more lists": (
        ['["a"]'] * 10_001 + ["b"],
        None,
        "column 'y' holds 'b', which is no list like the cells before it, at row 10001. Write "
        "it as",
    ),
    "no list in brackets": (
        ["['a']", "['a', b]"],
        None,
        """column 'y' holds "['a', b]", which is no list like the cells before it, at row 1.""",
    ),
    "fractions": (
        [1.0, 2.0, None, 0.5],
        None,
        "column 'y' holds 0.5, which is no class, at row 3. Cut a column of numbers into "
        "classes first.",
    ),
    "dates": (
        pa.array([1], pa.date32()),
        None,
        "column 'y' holds date32[day], which is no label, at row 0. Convert it to text",
    ),
    "separator of lists": (
        pa.array([["a"]]),
        "|",
        "a separator cuts one column of text, got '|' for y. Leave out the separator",
    ),
    "no rows": (
        pa.array([], pa.string()),
        None,
        "data.csv: holds no rows. Check how it was written.",
    ),
    "bytes that are no text": (
        pa.array([b"a", None, b"\xff"]),
        None,
        "column 'y' holds bytes that are not UTF-8, b'\\xff', at row 2. Write it as text, or name",
    ),
    "bytes that are no text, late": (
        pa.array([b"a"] * 10_001 + [b"\xff"]),
        None,
        "column 'y' holds bytes that are not UTF-8, b'\\xff', at row 10001.",
    ),
    "no UTF-8": (
        pa.array([b"a", b"\xff"]).view(pa.string()),
        None,
        "cannot be read in column y: 'utf-8' codec can't decode byte 0xff",
    ),
}


@pytest.mark.parametrize("case", BAD_COLUMNS)
def test_a_column_that_holds_no_labels_is_refused(case):
    """The error names the file, the column and the row."""
    column, separator, message = BAD_COLUMNS[case]
    with pytest.raises(EvenfoldError, match=re.escape(message)) as caught:
        read(column, separator=separator)
    assert str(caught.value).startswith("data.csv: ")


def test_labels_of_a_file_on_disk_are_read_from_every_row_group(tmp_path):
    """New names may come late, and rows are read in several batches."""
    rng = np.random.default_rng(0)
    rows = [
        [f"label {code}" for code in rng.integers(0, 5 + row // 500, row % 4)]
        for row in range(5_000)
    ]
    pq.write_table(pa.table({"tags": rows}), tmp_path / "data.parquet", row_group_size=700)
    file = Parquet(tmp_path / "data.parquet")
    check_same(read_labels(file, choose_label_columns(file, None)), make_labels(rows))

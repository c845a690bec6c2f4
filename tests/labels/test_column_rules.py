"""The table of `evenfold.labels.column_rules`, every row through every form of input."""

import csv
import json
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import AssumptionWarning, EvenfoldError
from evenfold.files.label_columns import choose_label_columns, read_labels
from evenfold.files.registry import open_data
from evenfold.labels import make_labels

NAN = float("nan")
KEYS = ["a", "b", "c"]
SENTENCES = [
    f"{word}, this is a sentence about {word} that goes on and on{'.' * 20}" for word in KEYS
]
NAMES = ["Smith, John", "Jones, Mary", "Miller, Ann", "Miller, John", "Brown, Mary", "Brown, Tom"]


def classes(values):
    """Return the label lists of one class per row."""
    return [[] if value is None or value != value else [value] for value in values]


# Name: cells, and the labels of each row; or a pattern of the error. Then what is said in Python,
# and the labels in a file where they differ: a column with a name can be a label itself.
ONE_COLUMN = {
    "words": (["emu", "cat", None, "dog", "cat"], classes(["emu", "cat", None, "dog", "cat"])),
    "yes and no": (["yes", "no", "no"], classes(["yes", "no", "no"])),
    "blank text": (["emu", "", " ", None, "cat"], [["emu"], [], [], [], ["cat"]]),
    "nothing": ([None, None], [[], []]),
    "sure bar": (
        ["war|art", "art | fun", "fun", None, "art|war|", "war"],
        [["war", "art"], ["art", "fun"], ["fun"], [], ["art", "war"], ["war"]],
        "cut at '|'",
    ),
    "sure semicolon": (["a;b", "b;c", "c"], [["a", "b"], ["b", "c"], ["c"]], "cut at ';'"),
    "sure comma": (
        ["a, b", "a", "b", "c", "b, a"],
        [["a", "b"], ["a"], ["b"], ["c"], ["a", "b"]],
        "cut at ','",
    ),
    "likely bar": (
        ["a|x", "a|y", "b|x", "b|y"],
        r"text such as 'a\|x', which may be one class or several labels separated by '\|'",
    ),
    "likely comma": (
        ["a,b", "b,c", "c"],
        "text such as 'a,b', which may be one class or several labels separated by ','",
    ),
    "bar in one name": (
        ["AC|DC", "Abba", "Blur", "Cream"],
        classes(["AC|DC", "Abba", "Blur", "Cream"]),
        "one class",
    ),
    "comma in names": (NAMES, classes(NAMES), "one class"),
    "comma in one name": (
        ["Korea, Republic of", "France", "Italy"],
        classes(["Korea, Republic of", "France", "Italy"]),
    ),
    "sentences": (SENTENCES, classes(SENTENCES), "one class"),
    "lists as text": (
        ['["b", "a"]', "['a']", "[]", None],
        [["b", "a"], ["a"], [], []],
        "list of labels",
    ),
    "arrays as text": (
        ["['b' 'a']", "['a'\n 'b']", """["it's" 'a']""", "['a']", "[]"],
        [["b", "a"], ["a", "b"], ["it's", "a"], ["a"], []],
        "list of labels",
    ),
    "arrays as text with a comma": (["['a']", "['a' 'b', 'c']"], "holds .* no list like"),
    "arrays as text cut short": (["['a']", "['a' ... 'c']"], "holds .* no list like"),
    "lists as text with a doubled quote": (["['a']", "['it''s']"], "holds .* no list like"),
    "codes": ([3, 1, 2, 1], classes([3, 1, 2, 1])),
    "codes as text": (["3", "1", "2", "1"], classes(["3", "1", "2", "1"])),
    "codes as floats": ([3.0, NAN, 2.0, 1.0], classes([3, None, 2, 1])),
    "-1 among 0 and 1": ([0, 1, 1, 0, -1], classes([0, 1, 1, 0, -1])),
    "-1 among 0 and 1 as text": (["0", "1", "1", "0", "-1"], classes(["0", "1", "1", "0", "-1"])),
    "fractions": ([1.0, 0.25], r"0\.25"),
    "fractions as text": (["250.0", "250.01"], classes(["250.0", "250.01"])),
    "0 and 1": ([0, 1, 1, 0], classes([0, 1, 1, 0]), None, [[], ["y"], ["y"], []]),
    "0.0 and 1.0": ([0.0, 1.0, 1.0], classes([0, 1, 1]), None, [[], ["y"], ["y"]]),
    "booleans": ([True, False], classes([True, False]), None, [["y"], []]),
    "0 and 1 as text": (["0", "1", "1"], classes(["0", "1", "1"]), None, [[], ["y"], ["y"]]),
    "true and false": (["True", "False"], classes(["True", "False"]), None, [["y"], []]),
    "bytes": ([b"emu", b"cat", b"emu"], classes(["emu", "cat", "emu"])),
    "bytes to cut": ([b"a|b", b"b", b"a"], [["a", "b"], ["b"], ["a"]], "cut at '|'"),
    "other bytes": ([b"emu", b"\xff"], r"bytes that are not UTF-8, b'\\xff',? at row 1\."),
    "categories": (pd.Categorical(["emu", "cat", "emu"]), classes(["emu", "cat", "emu"])),
    "categories to cut": (
        pd.Categorical(["a|b", "b", "a"]),
        [["a", "b"], ["b"], ["a"]],
        "cut at '|'",
    ),
    "categories of numbers": (pd.Categorical([3, 1, 3]), classes([3, 1, 3])),
    "numbers as 0/1 categories": (pd.Categorical([0, 1]), classes([0, 1]), None, [[], ["y"]]),
    "text as 0/1 categories": (pd.Categorical(["0", "1"]), classes(["0", "1"]), None, [[], ["y"]]),
}
TEXT_AMONG_FLAGS = "column ('b'|1) holds text such as .*, and other label columns hold 0 and 1"
# Beside a column 'a' of 0 and 1: the cells of 'b', and the labels of each row; or the error; what
# is said. A question mark is before what is unknown.
SEVERAL_COLUMNS = {
    "0 and 1": ([0, 1, 1], [[], ["b"], ["b"]]),
    "0.0 and 1.0": ([0.0, 1.0, NAN], [[], ["b"], ["?b"]]),
    "booleans": ([False, True, True], [[], ["b"], ["b"]]),
    "0 and 1 as text": (["0", "1", None], [[], ["b"], ["?b"]]),
    "true and false": (["false", " TRUE ", ""], [[], ["b"], ["?b"]]),
    "-1 among 0 and 1": ([0, 1, -1], r"-1'? at row 2, label|-1'?, where 0, 1 .* at row 2"),
    "-1 as text": (["0", "1", "-1"], "'-1' at row 2, label|'-1', where 0, 1 .* at row 2"),
    "a word among 0 and 1": (["0", "1", "x"], "'x' at row 2, label|'x', where 0, 1 .* at row 2"),
    "codes": ([3, 1, 2], "3'? at row 0, label|3'?, where 0, 1 .* at row 0"),
    "codes as text": (["3", "1", "2"], "'3' at row 0, label|'3', where 0, 1 .* at row 0"),
    "words": (["x", None, "y"], TEXT_AMONG_FLAGS),
    "mostly words": (["x", "1", "y"], TEXT_AMONG_FLAGS),
    "yes and no": (["yes", "no", "yes"], TEXT_AMONG_FLAGS),
    "bytes": ([b"x", b"y", b"x"], TEXT_AMONG_FLAGS),
    "text to cut": (["p|q", "q", "p"], TEXT_AMONG_FLAGS),
    "blank text": ([" ", "", None], [[], [], []]),
    "bytes of 0 and 1": ([b"0", b"1", b"1"], [[], ["b"], ["b"]]),
    "categories of 0 and 1": (pd.Categorical(["0", "1", "1"]), [[], ["b"], ["b"]]),
    "categories of the numbers 0 and 1": (pd.Categorical([0, 1, 1]), [[], ["b"], ["b"]]),
    "categories of booleans": (pd.Categorical([False, None, True]), [[], ["?b"], ["b"]]),
    "categories": (pd.Categorical(["x", None, "y"]), [["b=x"], [], ["b=y"]]),
    "categories of codes": (pd.Categorical(["0", "1", "2"]), [["b=0"], ["b=1"], ["b=2"]]),
    "categories of numbers": (pd.Categorical([0, 1, 3]), [["b=0"], ["b=1"], ["b=3"]]),
    "lists": ([["p"], ["q"], []], "list|List|Object"),
}
# The same beside a column 'a' of the texts u and v.
BESIDE_TEXT = {
    "words": (["x", None, "y"], [["b=x"], [], ["b=y"]]),
    "mostly words": (["x", "1", "y"], [["b=x"], ["b=1"], ["b=y"]]),
    "yes and no": (["yes", "no", "yes"], [["b=yes"], ["b=no"], ["b=yes"]]),
    "bytes": ([b"x", b"y", b"x"], [["b=x"], ["b=y"], ["b=x"]]),
    "categories of codes": (pd.Categorical(["0", "1", "2"]), [["b=0"], ["b=1"], ["b=2"]]),
    "text to cut": (["p|q", "q", "p"], [["b=p|q"], ["b=q"], ["b=p"]], "'|'"),
    "0 and 1": ([0, 1, 1], "column ('a'|0) holds text such as 'u', and other label columns hold"),
}


def to_array(values):
    """Return a 1-D array, of objects where a value is missing."""
    if isinstance(values, pd.Categorical):
        return values.to_numpy()
    if any(value is None or isinstance(value, list) for value in values):
        array = np.empty(len(values), dtype=object)
        array[:] = values
        return array
    return np.array(values)


def to_matrix(arrays):
    """Return a 2-D array, of objects where not all columns are numbers."""
    kind = None if all(array.dtype.kind in "bif" for array in arrays) else object
    return np.column_stack([array.astype(kind or array.dtype) for array in arrays])


def to_arrow(values):
    """Return an Arrow array; categories are a dictionary."""
    return pa.array(values)


def to_polars(values):
    """Return a polars column; categories of numbers are one of pandas' own."""
    if isinstance(values, pd.Categorical):
        texts = [str(value) if value == value else None for value in values]
        return pl.Series(texts, dtype=pl.Categorical)
    return pl.Series(values)


def write_csv(path, columns):
    """Write columns as text, nothing where a value is missing."""
    with path.open("w", newline="") as target:
        writer = csv.writer(target)
        writer.writerow(columns)
        for row in zip(*columns.values(), strict=True):
            writer.writerow(["" if value is None or value != value else value for value in row])


def write_parquet(path, columns):
    """Write columns with their types."""
    pq.write_table(pa.table({name: to_arrow(own) for name, own in columns.items()}), path)


def write_jsonl(path, columns):
    """Write an object per row."""
    rows = [
        {name: None if value != value else value for name, value in zip(columns, row, strict=True)}
        for row in zip(*(list(own) for own in columns.values()), strict=True)
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


ONE_IN_PYTHON = {"list": list, "NumPy": to_array, "pandas": pd.Series, "polars": to_polars}
ONE_IN_PYTHON |= {"Arrow": to_arrow}
SEVERAL_IN_PYTHON = {
    "NumPy": lambda columns: to_matrix([to_array(own) for own in columns.values()]),
    "pandas": pd.DataFrame,
    "polars": lambda columns: pl.DataFrame({name: to_polars(own) for name, own in columns.items()}),
    "Arrow": lambda columns: pa.table({name: to_arrow(own) for name, own in columns.items()}),
}
FILES = {"csv": write_csv, "parquet": write_parquet, "jsonl": write_jsonl}


def can_hold(form, values):
    """Tell whether a form can hold such values as what they are."""
    kinds = {type(value) for value in values}
    if form in ("csv", "jsonl") and bytes in kinds:
        return False
    if form in ("list", "NumPy", "csv", "jsonl") and isinstance(values, pd.Categorical):
        return False
    is_number_category = isinstance(values, pd.Categorical) and str not in kinds
    if form in ("polars", "parquet") and is_number_category:
        return False
    # In text, 0.25 is a name such as that of a version or a diagnosis.
    return form != "csv" or not (list in kinds or 0.25 in values)


def to_rows(labels, columns=None):
    """Return the set of label names of each row, unknown ones after a question mark.

    Columns of an array have numbers; `columns` are the names to give them.
    """
    names = [name_of(name) for name in labels.names]
    if columns is not None:
        names = [columns[int(name[0])] + name[1:] for name in names]
    rows = [set() for _ in range(len(labels))]
    for mark, (indptr, indices) in (
        ("", (labels.indptr, labels.indices)),
        ("?", labels.unknown or (np.zeros(len(labels) + 1, int), [])),
    ):
        for row, own in enumerate(rows):
            own |= {mark + names[at] for at in indices[indptr[row] : indptr[row + 1]]}
    return rows


def name_of(name):
    """Return a name as text: a text file has no numbers."""
    return str(name).removesuffix(".0").lower()


def read_in_python(y):
    """Return the labels, and what was said in warnings."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        labels = make_labels(y)
    assert all(own.category is AssumptionWarning for own in said)
    return labels, " ".join(str(own.message) for own in said)


def read_from_file(path, columns):
    """Return the labels, and the sentence about what was assumed."""
    file = open_data(str(path))
    choice = choose_label_columns(file, columns)
    return read_labels(file, choice), choice.guessed


def check_rows(labels, expected):
    """Compare the names of each row."""
    assert to_rows(labels) == [{name_of(name) for name in row} for row in expected]


def cases(table, forms):
    """Return each row of a table with each form that can hold it."""
    return [
        pytest.param(
            *table[name][:2], *([*table[name], None, None][2:4]), form, id=f"{name}-{form}"
        )
        for name in table
        for form in forms
        if can_hold(form, table[name][0])
    ]


@pytest.mark.parametrize(
    ("cells", "expected", "said", "in_file", "form"), cases(ONE_COLUMN, ONE_IN_PYTHON)
)
def test_one_column_in_python(cells, expected, said, in_file, form):
    """Lists, arrays and columns follow the table, and say what was assumed."""
    y = ONE_IN_PYTHON[form](cells)
    if isinstance(expected, str):
        with pytest.raises(EvenfoldError, match=expected) as caught:
            make_labels(y)
        assert caught.value.parameter == "y"
        return
    labels, warned = read_in_python(y)
    check_rows(labels, expected)
    assert (said in warned) if said else (warned == "")


@pytest.mark.parametrize(("cells", "expected", "said", "in_file", "form"), cases(ONE_COLUMN, FILES))
def test_one_column_of_a_file(cells, expected, said, in_file, form, tmp_path):
    """The only label column of a file is read as a column in Python, and more is said."""
    path = tmp_path / f"data.{form}"
    FILES[form](path, {"y": cells, "id": [f"row {row}" for row in range(len(cells))]})
    expected = expected if in_file is None else in_file
    if isinstance(expected, str):
        with pytest.raises(EvenfoldError, match=expected):
            read_from_file(path, ["y"])
        return
    labels, noted = read_from_file(path, ["y"])
    check_rows(labels, expected)
    if said:
        assert (said if said != "one class" else "read as one label") in noted


@pytest.mark.parametrize(
    ("cells", "expected", "said", "in_file", "form"),
    cases(ONE_COLUMN, ["pandas", "polars", "Arrow"]),
)
def test_the_only_column_of_a_frame(cells, expected, said, in_file, form):
    """It is read as the only label column of a file, and -1 among 0 and 1 gives a warning too."""
    y = SEVERAL_IN_PYTHON[form]({"y": cells})
    expected = expected if in_file is None else in_file
    if isinstance(expected, str):
        with pytest.raises(EvenfoldError, match=expected):
            make_labels(y)
        return
    labels, warned = read_in_python(y)
    check_rows(labels, expected)
    if ["-1"] in expected or [-1] in expected:
        said = "-1"
    assert (said in warned) if said else (warned == "")


@pytest.mark.parametrize("form", ["pandas", "polars", "Arrow", "csv", "parquet", "jsonl"])
def test_missing_in_the_only_column_of_0_and_1_is_unknown(form, tmp_path):
    """In a frame as in a file."""
    if form in FILES:
        FILES[form](tmp_path / f"data.{form}", {"y": [0.0, 1.0, None], "id": ["a", "b", "c"]})
        labels, _ = read_from_file(tmp_path / f"data.{form}", ["y"])
    else:
        labels, _ = read_in_python(SEVERAL_IN_PYTHON[form]({"y": [0.0, 1.0, None]}))
    assert to_rows(labels) == [set(), {"y"}, {"?y"}]


def test_the_warning_about_a_value_besides_0_and_1():
    """It names column, value and row, and what to write instead."""
    message = (
        "'y' column 'b' holds -1 at row 3 besides 0 and 1: each value was read as one class. "
        "To be explicit, pass evenfold.labels.from_classes(y), or correct the value."
    )
    with pytest.warns(AssumptionWarning, match=re.escape(message)):
        assert make_labels(pd.DataFrame({"b": [0, 1, 1, -1]})).names == [-1, 0, 1]


def check_two_columns(first, held, cells, expected, said, form, path):
    """Compare the labels of two columns, of which `held` are those of the first."""
    columns = {"a": first, "b": cells}

    def read():
        if form in SEVERAL_IN_PYTHON:
            return read_in_python(SEVERAL_IN_PYTHON[form](columns))
        FILES[form](path, columns)
        return read_from_file(path, ["a", "b"])

    if isinstance(expected, str):
        with pytest.raises(EvenfoldError, match=expected) as caught:
            read()
        assert (form in FILES) == str(caught.value).startswith(str(path))
        return
    labels, told = read()
    assert to_rows(labels, "ab" if form == "NumPy" else None) == [
        {own} - {None} | {name_of(name) for name in row}
        for own, row in zip(held, expected, strict=True)
    ]
    each = re.fullmatch(r"Each value of [ab, ]+ is a label, such as '(.*)'\.", told)
    if form in FILES and each and not said:
        assert name_of(each[1]) in map(name_of, labels.names)
    else:
        assert (said in told) if said else (told == "")


@pytest.mark.parametrize(
    ("cells", "expected", "said", "in_file", "form"),
    [*cases(SEVERAL_COLUMNS, SEVERAL_IN_PYTHON), *cases(SEVERAL_COLUMNS, FILES)],
)
def test_several_columns(cells, expected, said, in_file, form, tmp_path):
    """Matrices, frames and several label columns of a file follow the table."""
    path = tmp_path / f"data.{form}"
    check_two_columns([1, 0, 1], ["a", None, "a"], cells, expected, said, form, path)


@pytest.mark.parametrize(
    ("cells", "expected", "said", "in_file", "form"),
    [*cases(BESIDE_TEXT, SEVERAL_IN_PYTHON), *cases(BESIDE_TEXT, FILES)],
)
def test_several_columns_of_text(cells, expected, said, in_file, form, tmp_path):
    """Each value is a label, if no column holds 0 and 1."""
    path = tmp_path / f"data.{form}"
    check_two_columns(["u", "v", "u"], ["a=u", "a=v", "a=u"], cells, expected, said, form, path)

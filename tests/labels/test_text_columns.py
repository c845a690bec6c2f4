"""Text of several labels in a cell: what separates them, and what is said about it."""

import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import evenfold
from evenfold.exceptions import AssumptionWarning, InputError, InputTypeError
from evenfold.labels import from_classes, from_text, make_labels
from evenfold.labels.column_rules import HEAD_ROWS, Certainty, find_separator

GENRES = ["war|art", "art|fun", "fun", "war", "", "art|war"]
CITIES = ["Lyon, France", "Nice, France", "Rome, Italy", "Pisa, Italy"]
RNG = np.random.default_rng(0)
# Many labels in few rows: there are more different labels than different cells.
EXTREME = ["|".join(map(str, RNG.integers(0, 400, 4))) for _ in range(200)]
MANY = ["|".join(map(str, RNG.integers(0, 60, 4))) for _ in range(200)]
PEOPLE = [
    f"{last}, {first}"
    for last, first in zip(
        ["Smith", "Jones", "Brown", "James", "Scott", "Young", "Adams", "Baker", "Clark"] * 3,
        ["John", "Mary", "Ann", "Tom", "James", "Peter", "Susan", "Paul", "Jane", "Rose"] * 3,
        strict=False,
    )
]
SEPARATORS = {
    "lists": (GENRES, "|", Certainty.SURE),
    "lists of two": (["war|art", "art|fun", "fun|war"], "|", Certainty.SURE),
    "sorted lists": (["a;b", "a;b;c", "b;c", "a", "c"], ";", Certainty.SURE),
    "many labels": (EXTREME, "|", Certainty.SURE),
    "commas": (["a,b", "b,c", "a", "b", "c", "a,c"], ",", Certainty.SURE),
    "two separators": (["a;b|c", "b|c", "c|a"], "|", Certainty.SURE),
    "one long label": ([*EXTREME, "x" * 80], "|", Certainty.SURE),
    "long labels": ([cell.replace("a", "a" * 60) for cell in GENRES], "|", Certainty.UNSURE),
    "combined keys": (["male|white", "female|white", "male|black"], "|", Certainty.UNSURE),
    "paths": (["animal|dog", "animal|cat", "plant"], "|", Certainty.UNSURE),
    "one cell": (["a|b"], "|", Certainty.UNSURE),
    "few rows with commas": (["a,b", "b,c", "c"], ",", Certainty.UNSURE),
    "places": ([*CITIES, "France", "Italy"], ",", Certainty.UNSURE),
    "a name": (["AC|DC", "Abba", "Blur"], "|", Certainty.WHOLE),
    "combined keys with commas": (
        [f"{left},{right}" for left in "abc" for right in "xyz"],
        ",",
        Certainty.WHOLE,
    ),
    "cities": (CITIES, ",", Certainty.WHOLE),
    "people": (PEOPLE, ",", Certainty.WHOLE),
    "prose": ([f"{'word ' * 12}| {name}" for name in "abc"], "|", Certainty.WHOLE),
    "entities": (["AT&amp;T", "Abba", "Blur"], ";", Certainty.WHOLE),
}


@pytest.mark.parametrize("case", SEPARATORS)
def test_a_separator_is_found_with_its_certainty(case):
    """Labels change places from cell to cell, the parts of a name do not."""
    texts, separator, certainty = SEPARATORS[case]
    found = find_separator(texts)
    assert (found.text, found.certainty) == (separator, certainty)
    assert found.text in found.example


@pytest.mark.parametrize(
    "texts",
    [
        ["cat", "dog"],
        [],
        ["", " "],
        ["New York", "dark red"],
        ["a-b", "a/b", "a_b", "a+b"],
        ["Korea, Republic of", "France", "Italy"],
        ["New York", "New Jersey", "York", "Jersey", "New Mexico"],
        ["spam", "not spam", "ham", "not ham"],
        ["n/a", "yes", "no", "a", "n"],
        ["red", "dark red", "very dark red", "blue", "dark blue", "very dark blue", "dark", "very"],
        ["left arm", "right arm", "left leg", "right leg", "arm", "leg", "left", "right"],
        ["North", "North East", "North West", "South", "South East", "South West", "East", "West"],
        ["A+", "A", "B+", "B", "C+", "C"],
        [f"{left}/{right}" for left in ("male", "female") for right in ("old", "young")],
        [f"{month}/{day}/2020" for month in range(1, 13) for day in range(1, 29)],
        [person.replace(",", "") for person in PEOPLE],
    ],
)
def test_class_names_hold_no_separator(texts):
    """Nor do blanks, hyphens and a few commas separate labels."""
    assert find_separator(texts) is None


def test_what_was_assumed_is_said_with_how_to_be_explicit():
    """At the line of the caller, through every function that takes labels."""
    message = (
        "'y' holds text such as 'art|fun': each cell was cut at '|', into 3 labels in all. To be "
        "explicit, pass evenfold.labels.from_text(y, separator='|'), or "
        "evenfold.labels.from_classes(y) if each cell is one class."
    )
    for call in (make_labels, lambda y: evenfold.split(y, 2), lambda y: evenfold.sample(y, 2)):
        with pytest.warns(AssumptionWarning, match=re.escape(message)) as said:
            call(GENRES)
        assert [own.filename for own in said] == [__file__]


@pytest.mark.parametrize("separator", [" ", "\t", "/", "+", " / "])
@pytest.mark.parametrize(
    "lists",
    [["a|b", "b|a", "a"] * 10, ["a|b", "b|c|d", "c|d", "a|c", "b|d", "a"], MANY],
    ids=["two labels", "sorted lists", "many labels"],
)
def test_lists_with_a_common_separator_are_not_cut_with_a_warning(lists, separator):
    """It names the separator; the cells are classes."""
    texts = [text.replace("|", separator) for text in lists]
    message = f"from_text(y, separator={separator.strip(' ') or ' '!r}) if"
    with pytest.warns(AssumptionWarning, match=re.escape(message)) as said:
        assert make_labels(texts).n_labels == len(set(texts))
    assert "each cell was read as one class" in str(said[0].message)


def test_text_read_whole_is_said():
    """With what to write if it is several labels."""
    message = (
        "'y' holds text such as 'Lyon, France': each cell was read as one class. To be explicit, "
        "pass evenfold.labels.from_classes(y), or evenfold.labels.from_text(y, separator=',') "
        "if ',' "
        "separates labels."
    )
    with pytest.warns(AssumptionWarning, match=re.escape(message)):
        assert make_labels(CITIES).n_labels == 4


def test_lists_as_text_are_said():
    """With both ways to be explicit."""
    message = (
        """'y' is text such as '["a", "b"]': each cell was read as a list of labels. To be """
        "explicit, pass evenfold.labels.from_text(y), or evenfold.labels.from_classes(y) if each "
        "cell is one class."
    )
    with pytest.warns(AssumptionWarning, match=re.escape(message)):
        assert make_labels(['["a", "b"]', "['b']"]).names == ["a", "b"]


def test_cells_of_several_columns_that_are_not_cut_are_said():
    """With what to do to have them cut."""
    message = (
        "'y' column 'tags' holds text such as 'art|fun': each cell was read as one class. "
        "Pass the column alone to have it cut at '|'."
    )
    with pytest.warns(AssumptionWarning, match=re.escape(message)):
        labels = make_labels(pd.DataFrame({"tags": GENRES, "age": ["old", "new"] * 3}))
    assert "tags=art|fun" in labels.names


@pytest.mark.parametrize(
    "make",
    [
        lambda texts: pd.DataFrame({"tags": texts}),
        lambda texts: pl.DataFrame({"tags": texts}),
        lambda texts: pa.table({"tags": texts}),
        lambda texts: np.array(texts).reshape(-1, 1),
    ],
    ids=["pandas", "polars", "Arrow", "NumPy"],
)
def test_the_only_column_of_a_frame_is_cut(make):
    """As it would be alone; classes are named by value, in a matrix by column and value."""
    with pytest.warns(AssumptionWarning, match="was cut at"):
        assert make_labels(make(GENRES)).names == ["art", "fun", "war"]
    assert make_labels(make(["cat", "dog", "cat"])).names in (
        ["cat", "dog"],
        ["0=cat", "0=dog"],
    )
    assert make_labels(make(["0", "1", "1"])).count_of_label.tolist() == [2]


def test_nothing_is_said_of_plain_classes_or_explicit_labels():
    """So that scikit-learn's users see no warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        classes = np.array(["new york", "l.a.", "san-francisco"] * 4)
        folds = evenfold.model_selection.MultilabelStratifiedKFold(3).split(classes, classes)
        assert len(list(folds)) == 3
        assert from_classes(GENRES).n_labels == 5
        assert from_text(GENRES, "|").n_labels == 3
        evenfold.split(from_text(GENRES, "|"), 2)


def test_only_the_first_rows_are_looked_at():
    """As in files: what comes later is read by the same rule."""
    first = ["war", "art"] * (HEAD_ROWS // 2)
    assert make_labels([*first, "war|art"]).names == ["art", "war", "war|art"]
    with pytest.warns(AssumptionWarning, match="was cut at"):
        assert make_labels([*first[1:], "war|art"]).names == ["art", "war"]


TEXTS = ["b|a", " a ", None, "", "c | b||", "|", "a|a"]
ROWS = [["b", "a"], ["a"], [], [], ["c", "b"], [], ["a"]]


@pytest.mark.parametrize("separator", ["|", ";", ",", " ", "::"])
@pytest.mark.parametrize(
    "make",
    [
        list,
        pd.Series,
        pl.Series,
        pa.array,
        lambda texts: np.array(texts, object),
        lambda texts: pd.DataFrame({"y": texts}),
        lambda texts: pd.Series(texts, dtype="category"),
        lambda texts: np.ma.array(
            [text or "" for text in texts], mask=[not text for text in texts]
        ),
    ],
)
def test_from_text_cuts_every_form_at_any_separator(make, separator):
    """Blanks around a label and empty labels do not count."""
    labels = from_text(make([text and text.replace("|", separator) for text in TEXTS]), separator)
    expected = make_labels(ROWS)
    assert labels.names == expected.names
    assert labels.indptr.tolist() == expected.indptr.tolist()
    assert labels.indices.tolist() == expected.indices.tolist()
    assert (labels.indptr.dtype, labels.indices.dtype) == (np.int64, np.int32)


def test_from_text_reads_lists():
    """As JSON and Python write them; 0/1 lists of one length are a matrix."""
    assert from_text(['["b", "a"]', "['a']", "", None]).count_of_label.tolist() == [2, 1]
    assert from_text(["[0, 1]", "[1, 1]", "[0, 1]"]).count_of_label.tolist() == [1, 3]
    assert from_text(["[3, 12]", "[3]"]).names == [3, 12]


@pytest.mark.parametrize(
    ("y", "separator", "error", "message"),
    [
        ([1, 2], "|", InputTypeError, "'y' must be one column of text, got 1, a int."),
        (3, "|", InputTypeError, "'y' must be one column of text, got 3, a int."),
        (np.zeros((2, 2)), "|", InputTypeError, "'y' must be one column of text, got array("),
        ([], "|", InputError, "'y' must have at least one row, got none."),
        (["a"], "", InputTypeError, "'separator' must be text such as '|', got ''."),
        (["a"], 1, InputTypeError, "'separator' must be text such as '|', got 1."),
        (
            ['["a"]', "b"],
            None,
            InputError,
            "'y' holds 'b' at row 1, which is no list like the other cells. Write it as",
        ),
    ],
)
def test_text_that_cannot_be_read_is_refused(y, separator, error, message):
    """With the row where there is one."""
    with pytest.raises(error, match=re.escape(message)):
        from_text(y, separator)

"""Which columns of a file hold its labels, and what separates them within a cell."""

import re

import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.label_columns import choose_label_columns, guesses, read_labels
from evenfold.files.named_columns import read_column

from .memory_file import Columns

TABLE = {
    "id": [1, 2, 3, 4],
    "title": ["A", "B", "C", "D"],
    "genre_war": [0, 1, 0, 1],
    "genre_art": [1, 0, 0, 1],
    "x[0]": [0, 0, 1, 1],
}


def test_columns_are_chosen_by_name_and_pattern():
    """Columns come in the order of the file, each once; a name may look like a pattern."""
    file = Columns(TABLE)
    assert choose_label_columns(file, ["genre_art", "genre_*", "genre_war"]) == (
        ["genre_war", "genre_art"],
        None,
        "",
    )
    assert choose_label_columns(file, ["x[0]"]).columns == ["x[0]"]
    assert choose_label_columns(file, ["*"]) == (
        ["genre_war", "genre_art", "x[0]"],
        None,
        "--labels '*' leaves out id (ids), title (nearly every cell differs).",
    )
    assert choose_label_columns(Columns(TABLE, ["genre_war"]), None) == (["genre_war"], None, "")
    assert choose_label_columns(Columns(TABLE, ["genre_war"]), ["x[0]"]).columns == ["x[0]"]


def test_a_column_that_is_not_there_is_refused():
    """The error lists the columns and suggests one, in the same words for every option."""
    file = Columns({"id": [1], "title": ["A"], "Genres": ["x"]})
    message = (
        "--labels 'GENRS' is not a column of data.csv. Columns: id, title, Genres. Did "
        "you mean 'Genres'?"
    )
    with pytest.raises(InputError, match=re.escape(message) + "$"):
        choose_label_columns(file, ["id", "GENRS"])
    with pytest.raises(
        InputError,
        match=re.escape(
            "--groups 'patient' is not a column of data.csv. Columns: id, title, Genres."
        )
        + "$",
    ):
        read_column(file, "patient", "--groups")
    with pytest.raises(
        InputError,
        match=r"--labels 'q_\*' is not a column of data.csv. Columns: c0, c1, .*, c11, …\.$",
    ):
        choose_label_columns(Columns({f"c{at}": [1] for at in range(20)}), ["q_*"])


def test_a_whole_column_is_read():
    """All cells are returned, none for a file without rows."""
    assert read_column(Columns(TABLE), "title", "--groups").to_pylist() == ["A", "B", "C", "D"]
    assert read_column(Columns({"a": pa.array([], pa.string())}), "a", "--groups").to_pylist() == []


NAMED = {
    "bar": (["a|b", "b", "d"], "|", "Each cell of 'y' is cut at '|'."),
    "semicolon": (["a;b", "b;d|e", None], ";", "Each cell of 'y' is cut at ';'."),
    "comma": (["a, b", "a", "b", "b, a"], ",", "Each cell of 'y' is cut at ','."),
    "comma in names": (
        ["Lyon, France", "Paris, France"],
        None,
        "Each cell of 'y' is read as one label. If labels are separated, write --separator ','.",
    ),
    "bar in a name": (
        ["AC|DC", "Abba"] * 2 + ["Blur"],
        None,
        "Each cell of 'y' is read as one label. If labels are separated, write --separator '|'.",
    ),
    "blanks": (
        ["a b", "b a", "a"] * 10,
        None,
        "Each cell of 'y' is read as one label. If labels are separated, write --separator ' '.",
    ),
    "tabs": (
        ["a\tb", "b\ta", "a"] * 10,
        None,
        "Each cell of 'y' is read as one label. If labels are separated, write --separator $'\\t'.",
    ),
    "classes": (["a", "b"], None, "Each cell of 'y' is read as one label."),
    "0 and 1": (["0", "1"], None, ""),
    "-1 beside 0 and 1": (
        [0, 1, 1, -1],
        None,
        "Each value of 'y' is a class, since it holds -1 besides 0 and 1.",
    ),
    "-1 beside 0 and 1 as text": (
        ["0", "1", "1", "-1"],
        None,
        "Each value of 'y' is a class, since it holds '-1' besides 0 and 1.",
    ),
    "lists as text": (["['a', 'b']", "['a']"], None, "Each cell of 'y' is a list of labels."),
    "lists": ([["a"]], None, ""),
    "numbers": ([1, 2], None, ""),
}


@pytest.mark.parametrize("case", NAMED)
def test_the_separator_of_a_named_column_is_found(case):
    """What was assumed is said."""
    column, separator, guessed = NAMED[case]
    assert choose_label_columns(Columns({"id": ["x;"] * len(column), "y": column}), ["y"]) == (
        ["y"],
        separator,
        guessed,
    )


def test_a_separator_that_is_only_likely_is_asked_for():
    """The error names both readings, and each can be chosen."""
    file = Columns({"y": ["male|white", "female|white", "male|black"]})
    message = (
        "data.csv: column 'y' holds text such as 'female|white', which may be one class or several "
        "labels separated by '|'. Write --separator '' for classes, or --separator '|' for labels."
    )
    with pytest.raises(InputError, match=re.escape(message)):
        choose_label_columns(file, ["y"])
    assert choose_label_columns(file, ["y"], "|") == (["y"], "|", "")
    assert choose_label_columns(file, ["y"], "") == (["y"], "", "")
    whole, cut = (
        read_labels(file, choose_label_columns(file, ["y"], separator)) for separator in ("", "|")
    )
    assert (whole.n_labels, cut.n_labels) == (3, 4)


def test_a_separator_for_guessed_columns_is_taken():
    """The columns are guessed, and nothing is said of the separator."""
    file = Columns({"id": ["x", "y", "z"], "tags": ["a;b|c", "b|c", "c|a"]})
    assert choose_label_columns(file, None).separator == "|"
    assert choose_label_columns(file, None, ";") == (["tags"], ";", "")


def test_no_more_is_read_for_a_guess_than_memory_has(monkeypatch):
    """Fewer than ten thousand rows are read where they are large, such as images."""
    column = ["a", "b", "c", "a|b"]
    assert choose_label_columns(Columns({"y": column}), ["y"]).separator == "|"
    monkeypatch.setattr(guesses, "_HEAD_BYTES", 1)
    assert choose_label_columns(Columns({"y": column}), ["y"]).separator is None


def test_cells_of_several_columns_are_not_cut_and_that_is_said():
    """It is said only where cells hold a likely separator."""
    cut, plain = ["war|art", "art|fun", "fun|war|art", "war|fun"] * 3, ["x", "y", "x", "y"] * 3
    choice = choose_label_columns(Columns({"a": plain, "genres": cut}), ["a", "genres"])
    assert (
        choice.guessed
        == "Each cell of genres is read as one label, though '|' may separate several. "
        "Name 'genres' alone to have it cut."
    )


def test_that_each_value_of_several_columns_of_text_is_a_label_is_said():
    """Columns of yes and no are two labels each; those of 0 and 1 are one, and need no words."""
    answers, flags = pa.array(["", "yes", " no", None]), pa.array(["", "1", "0", None])
    several = Columns({"cat": answers, "dog": answers, "flag": flags})
    said = choose_label_columns(several, ["cat", "dog"]).guessed
    assert said == "Each value of cat, dog is a label, such as 'cat=no'."
    assert choose_label_columns(Columns({"a": flags, "b": flags}), ["a", "b"]).guessed == ""


MANY = {"id": range(8), "title": ["A|B", "C", "D", "E", "F", "G", "H; I", "J"]}
GENRES = ["war|art", "art|fun", "fun|war|art", "", None, "war|fun", "art", "war|art"]
GUESSES = {
    "the only lists": (
        {**MANY, "tags": [["a"]] * 8, "own": GENRES},
        ["tags"],
        None,
        "'tags' is read, the only column of lists.",
    ),
    "lists beside numbers": (
        {**MANY, "v": [[0.5]] * 8, "tags": ["['a']"] * 8},
        ["tags"],
        None,
        "'tags' is read, the only column of lists.",
    ),
    "a matrix": (
        {**MANY, "v": [[0.5, 1.0]] * 8, "y": [[0.0, 1.0]] * 8},
        ["y"],
        None,
        "'y' is read, the only column of lists.",
    ),
    "the only cut cells": (
        {**MANY, "genres": GENRES, "own": [0, 1] * 4},
        ["genres"],
        "|",
        "'genres' is read, with its cells cut at '|'.",
    ),
    "lists called so beside 0 and 1": (
        {**MANY, "category_ids": [[3, 4]] * 8, "adult": [0, 1] * 4, "video": [0, 1] * 4},
        ["category_ids"],
        None,
        "'category_ids' is read, the only column of lists.",
    ),
    "lists beside one of 0 and 1": (
        {**MANY, "words": [["a"]] * 8, "adult": [0, 1] * 4},
        ["words"],
        None,
        "'words' is read, the only column of lists.",
    ),
    "all 0 and 1": (
        {"a": [0, 1], "b": ["1", ""]},
        ["a", "b"],
        None,
        "all columns of 0 and 1 are read: a, b.",
    ),
    "all but an id": (
        {"id": [7, 8], "a": [0, 1], "b": [True, None]},
        ["a", "b"],
        None,
        "all columns of 0 and 1 are read: a, b.",
    ),
}


@pytest.mark.parametrize("case", GUESSES)
def test_labels_are_guessed_where_there_is_no_doubt(case):
    """The guess is said."""
    columns, names, separator, guessed = GUESSES[case]
    assert choose_label_columns(Columns(columns), None) == (
        names,
        separator,
        f"No --labels given: {guessed}",
    )


DOUBTS = {
    "two columns of lists": (
        {**MANY, "a": [["x"]] * 8, "b": [["y"]] * 8, "genres": GENRES},
        "data.csv: which columns are labels is not clear. There are lists: a, b; cells cut into "
        "labels: genres (|). Say with --labels which to take.",
    ),
    "lists of words beside several of 0 and 1": (
        {**MANY, "tokens": [["a"]] * 8, "toxic": [0, 1] * 4, "obscene": [0, 1] * 4},
        "There are lists: tokens; 0 and 1: toxic, obscene; others: id, title. "
        "Say with --labels which to take.",
    ),
    "lists beside one called label": (
        {**MANY, "input_ids": [[7, 9]] * 8, "Label": range(8)},
        "There are lists: input_ids; named like labels: Label. Say with --labels which to take.",
    ),
    "two columns of cut cells": (
        {**MANY, "a": GENRES, "b": GENRES},
        "There are cells cut into labels: a (|), b (|). Say with --labels",
    ),
    "0 and 1 beside text and id": (
        {**MANY, **{f"c{at}": [0, 1] * 4 for at in range(14)}},
        "There are 0 and 1: c0, c1, c2, c3, c4, c5, c6, c7, c8, c9, c10, c11, …; others: "
        "id, title. Say with",
    ),
    "nothing": (
        MANY,
        "data.csv: no column looks like labels. Columns: id, title. Say with --labels which one "
        "holds them.",
    ),
    "long text": (
        {
            **MANY,
            "text": [
                "a very long text that goes on and on, for more than fifty characters | and on"
            ]
            * 8,
        },
        "no column looks like labels.",
    ),
    "text that never comes again": (
        {**MANY, "name": [f"{at}|x{at}" for at in range(8)]},
        "no column looks like labels.",
    ),
    "empty lists": (
        {**MANY, "tags": pa.array([[]] * 8, pa.list_(pa.string()))},
        "no column looks like labels.",
    ),
    "nothing between": ({**MANY, "a": ["|"] * 8}, "no column looks like labels."),
    "no rows": (
        {"a": pa.array([], pa.string())},
        "data.csv: holds no rows. Check how it was written.",
    ),
}


@pytest.mark.parametrize("case", DOUBTS)
def test_labels_are_not_guessed_in_doubt(case):
    """The error lists what looks like labels."""
    columns, message = DOUBTS[case]
    with pytest.raises(InputError, match=re.escape(message)):
        choose_label_columns(Columns(columns), None)

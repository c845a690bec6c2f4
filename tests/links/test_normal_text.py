"""Normalised text: what is equal after it and what is not."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError, InputTypeError
from evenfold.links.normal_text import normalise_text, read_texts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("A  Dog\n", "a dog"),
        ("STRASSE", "straße"),
        ("ﬁne", "FINE"),
        ("cafe\u0301", "CAFÉ"),
        ("Ｗｉｄｅ　text", "wide text"),
        ("zero\u200bwidth, soft\u00adhyphen", "zerowidth, softhyphen"),
        ("\ufeffname", "name"),
        ("non\u00a0breaking", "non breaking"),
        ("ΣΊΣΥΦΟΣ", "σίσυφος"),
    ],
)
def test_normalised_texts_are_equal(one, other):
    """Case, blanks, compatible forms and invisible characters do not matter."""
    assert normalise_text(one) == normalise_text(other)


@pytest.mark.parametrize(
    ("one", "other"), [("C", "C++"), ("resume", "résumé"), ("ab", "a b"), ("十", "士")]
)
def test_normalised_texts_differ(one, other):
    """Punctuation, accents and blanks between words matter."""
    assert normalise_text(one) != normalise_text(other)


@given(st.text())
def test_normalising_twice_changes_nothing(text):
    """For any characters."""
    once = normalise_text(text)
    assert normalise_text(once) == once


@pytest.mark.parametrize("make", [list, tuple, pd.Series, pl.Series, np.array])
def test_texts_are_read_from_lists_and_columns(make):
    """All forms give the same texts."""
    assert read_texts(make(["A b", "", "Ç"]), 3, "text") == ["a b", "", "ç"]


@pytest.mark.parametrize("missing", [None, np.nan, pd.NA])
def test_missing_texts_are_empty(missing):
    """None, NaN and NA are missing."""
    assert read_texts(["a", missing], None, "text") == ["a", ""]
    assert read_texts(pd.Series(["a", missing]), None, "text") == ["a", ""]


def test_other_values_than_text_are_refused():
    """The error has the value and its row."""
    with pytest.raises(InputTypeError, match=r"'text' must hold text, got 7 at row 1, a int\."):
        read_texts(["a", 7], None, "text")


def test_another_number_of_texts_is_refused():
    """The error has both numbers."""
    for texts in (["a", "b"], pd.Series(["a", "b"])):
        with pytest.raises(InputError, match="'body' must have one entry for each of the 3 rows"):
            read_texts(texts, 3, "body")


@pytest.mark.parametrize("text", ["abc", None, {"a": 1}])
def test_no_column_of_texts_is_refused(text):
    """A single text is no column."""
    with pytest.raises(InputTypeError, match="'text' must be an array with one entry per row"):
        read_texts(text, None, "text")

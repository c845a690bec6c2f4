"""Groups of several columns are the connected components of rows that share a value."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.links.group_columns import read_groups


def join_slowly(columns):
    """Return the group of each row, by first appearance: merge sets of rows until none changes."""
    n_rows = len(columns[0])
    group = list(range(n_rows))
    changed = True
    while changed:
        changed = False
        for column in columns:
            for a in range(n_rows):
                for b in range(n_rows):
                    if column[a] is not None and column[a] == column[b] and group[a] < group[b]:
                        group[b] = group[a]
                        changed = True
    number_of = {}
    return [number_of.setdefault(g, len(number_of)) for g in group]


cells = st.one_of(st.none(), st.integers(0, 6))


@settings(deadline=None)
@given(st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=14))
def test_groups_are_components(rows):
    """Rows are one group if a chain of shared values leads from one to the other."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    groups = dict(zip("abc", columns, strict=True))
    assert read_groups(groups, len(rows)).group_of_row.tolist() == join_slowly(columns)


PATIENT, STUDY = ["p", "p", "q", None, None], [1, 2, 2, 3, None]


@pytest.mark.parametrize(
    "groups",
    [
        {"patient": PATIENT, "study": STUDY},
        pd.DataFrame({"patient": PATIENT, "study": STUDY}),
        pl.DataFrame({"patient": PATIENT, "study": STUDY}),
        pa.table({"patient": PATIENT, "study": STUDY}),
        np.array([PATIENT, STUDY], dtype=object).T,
    ],
    ids=["mapping", "pandas", "polars", "arrow", "array"],
)
def test_form_of_groups_does_not_matter(groups):
    """The same columns give the same groups in every form."""
    assert read_groups(groups, 5).group_of_row.tolist() == [0, 0, 0, 1, 2]


@pytest.mark.parametrize(
    "missing",
    [
        ["a", None, "a", "b", "b", None],
        ["a", "", "a", "b", "b", ""],
        np.array([1, np.nan, 1, 2, 2, np.nan]),
        pd.array([1, None, 1, 2, 2, None], dtype="Int64"),
        np.ma.array([1, 1, 1, 2, 2, 2], mask=[0, 1, 0, 0, 0, 1]),
    ],
    ids=["None", "empty text", "NaN", "NA", "masked"],
)
def test_missing_values_join_nothing(missing):
    """A row without a value is a group of its own."""
    assert read_groups(missing, 6).group_of_row.tolist() == [0, 1, 0, 2, 2, 3]


def test_split_keeps_values_of_every_column_whole():
    """No value of any column is in two parts, and the bounds are those of the joined groups."""
    rng = np.random.default_rng(0)
    n_rows = 600
    groups = {"patient": np.arange(n_rows) // 3, "study": rng.integers(0, 2_000, n_rows)}
    y = rng.random((n_rows, 8)) < 0.2
    s = evenfold.split(y.astype(int), [0.6, 0.2, 0.2], groups=groups)
    for values in groups.values():
        for value in np.unique(values):
            assert len(set(s.part_of_row[values == value])) == 1
    measured = evenfold.measure(y.astype(int), s.part_of_row, [360, 120, 120], groups=groups)
    assert measured.n_cut_groups == 0
    assert measured.bound.rld == s.quality.bound.rld


def test_split_says_what_chained_the_largest_group():
    """The value is named without which the largest group would fall into the smallest pieces."""
    patient = [1, 1, 1, 2, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6]
    study = ["x", "a", "a", "x", "b", "b", *"ccddeeff"]
    shown = str(evenfold.split([["l"]] * 14, 2, groups={"patient": patient, "study": study}))
    text = " ".join(shown.split())
    assert (
        "The largest group has 6 rows: 2 values of patient and 3 values of study. It is chained by "
        "study 'x', which occurs with 2 values of other columns; without it, the largest piece "
        "would have 3 rows." in text
    )


def test_split_says_how_many_rows_have_no_group():
    """Missing values are not passed over in silence."""
    shown = str(evenfold.split([["l"]] * 8, 2, groups={"patient": [1, 1, 2, 2, None, None, 3, 3]}))
    assert "patient: 3 values; 2 rows have no value" in shown


def test_links_say_that_no_single_value_chains_a_ring():
    """In a ring of patients and studies, every value can be left out."""
    row = np.arange(40)
    links = evenfold.link(
        groups={"patient": [*(row // 2), 99], "study": [*((row + 1) // 2 % 20), 99]}
    )
    text = " ".join(str(links).split())
    assert "The largest group has 40 rows: 20 values of patient and 20 values of study." in text
    assert text.endswith("20 values of study. No single value chains it.")


def test_value_that_takes_off_little_does_not_chain_a_group():
    """It is said how many rows stay together without it."""
    row = np.arange(40)
    patient, study = [*(row // 2), 50, 51], [*((row + 1) // 2 % 20), 0, 99]
    text = " ".join(str(evenfold.link(groups={"patient": patient, "study": study})).split())
    assert (
        "No single value chains it: without study 0, which occurs with 3 values of other columns, "
        "40 rows would still be one group." in text
    )


def test_columns_of_pandas_may_have_any_names():
    """Numbers, and names of several levels."""
    rows = [("p1", "s1"), ("p1", "s2"), ("p2", "s2"), ("p3", "s3")]
    for columns in ([0, 1], ["p", 7], pd.MultiIndex.from_tuples([("a", 1), ("a", 2)])):
        frame = pd.DataFrame(rows, columns=columns)
        assert read_groups(frame, 4).group_of_row.tolist() == [0, 0, 0, 1]


def test_links_can_be_one_of_several_columns():
    """Groups that were linked before join further ones."""
    links = evenfold.link(groups=["a", "a", "b", "c", "d"])
    groups = {"linked": links, "patient": [1, 2, 2, 3, 4]}
    assert read_groups(groups, 5).group_of_row.tolist() == [0, 0, 0, 1, 2]


def test_tuples_are_refused():
    """They could mean rows that share all values, or any."""
    with pytest.raises(TypeError, match=r"got \('p1', 's1'\) at row 0. Pass several columns as"):
        read_groups([("p1", "s1"), ("p1", "s2")], 2)


def test_blank_text_joins_nothing():
    """A cell of blanks is as good as empty."""
    assert read_groups(["a", " ", "a", " "], 4).group_of_row.tolist() == [0, 1, 0, 2]

"""Records: frames that are record arrays too."""

import copy
import pickle
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import evenfold
from evenfold.exceptions import InputError
from evenfold.quality.records import make_records

Y = np.random.default_rng(0).random((240, 40)) < np.geomspace(0.5, 0.01, 40)


@pytest.fixture(scope="module")
def quality():
    """The quality of a split with all kinds of records."""
    return evenfold.split(Y, 4, balance={"age": np.arange(240) % 83}).quality


@pytest.mark.parametrize("name", ["per_label", "per_part", "per_balance", "per_size_class"])
def test_records_become_frames_of_every_library(quality, name):
    """Each library gets the same columns and values, by `to_frame` or by its own constructor."""
    records = getattr(quality, name)
    columns = list(records.dtype.names)
    frames = {kind: records.to_frame(kind) for kind in ("pandas", "polars", "pyarrow")}
    assert isinstance(frames["pandas"], pd.DataFrame)
    assert isinstance(records.to_frame(), pd.DataFrame)
    tables = [frames["pyarrow"], pa.table(records), frames["polars"].to_arrow()]
    tables += [pl.DataFrame(records).to_arrow(), pa.Table.from_pandas(frames["pandas"])]
    tables.append(pa.Table.from_pandas(pd.DataFrame(records)))
    for table in tables:
        assert table.column_names == columns
        assert len(table) == len(records)
        for column in columns:
            own = [value if value == value else None for value in records[column].tolist()]
            got = [value if value == value else None for value in table[column].to_pylist()]
            assert got == own


def test_records_are_read_as_arrays(quality):
    """A column by name or attribute, a record by number, a selection by a mask or by names."""
    per_label = quality.per_label
    assert type(per_label["rld"]) is type(per_label.rld) is np.ndarray
    assert per_label[3].rows == per_label.rows[3] == per_label["rows"][3] == Y[:, 3].sum()
    chosen = per_label[per_label.rows > 20]
    assert type(chosen) is type(per_label)
    assert len(chosen) == (Y.sum(axis=0) > 20).sum()
    assert list(per_label[["label", "rld"]].to_frame("pyarrow").column_names) == ["label", "rld"]
    for again in (copy.deepcopy(per_label), pickle.loads(pickle.dumps(per_label))):
        assert again.rld.tolist() == per_label.rld.tolist()


def test_records_cannot_be_changed(quality):
    """They are the values of the quality."""
    with pytest.raises(ValueError, match="read-only"):
        quality.per_label["rld"] = 0


def test_records_print_as_a_table_of_80_columns(quality):
    """The first and the last lines are shown; what is left out is said."""
    text = repr(quality.per_label)
    assert text == str(quality.per_label)
    lines = text.split("\n")
    assert max(map(len, lines)) <= 80
    assert lines[0].split()[:4] == ["label", "rows", "ld", "rld"]
    assert len(lines) == 1 + 10 + 1 + 5 + 1
    assert lines[-2].split()[0] == "39"
    assert lines[-1].startswith("(40 lines; more columns: ")
    assert lines[-1].endswith("size_class)")
    assert "rec.array" not in text


def test_short_records_print_whole():
    """Nothing is said to be left out; unknown values are a hyphen."""
    records = make_records(
        label=np.array(["a", "漢字"], object),
        rows=np.array([1000, 2]),
        ld=np.array([0.123456, np.nan]),
        excess=np.array([np.inf, 0.0]),
    )
    assert str(records) == (
        "label   rows      ld    excess\n"
        "a      1,000  0.1235  infinite\n"
        "漢字       2       -         0"
    )


def test_html_is_a_table_of_text(quality):
    """Names are escaped; of many records, the first and last are shown, and the caption says so."""
    html = quality.per_label._repr_html_()
    assert html.startswith("<table><caption>40 lines</caption>")
    assert html.count("<tr>") == 41
    long = make_records(label=np.array([f"<i>{n}</i>" for n in range(100)], object))
    html = long._repr_html_()
    assert "100 lines, of which 45 are shown; to_frame() returns all of them" in html
    assert html.count("<tr>") == 1 + 45 + 1
    assert "<i>" not in html


def test_names_of_several_types_become_text():
    """A frame has one type for each column."""
    records = make_records(label=np.array(["a", 1], object))
    assert records.to_frame("pyarrow")["label"].to_pylist() == ["a", "1"]


def test_a_name_that_is_no_column_says_how_to_get_a_frame(quality):
    """Methods of pandas are in the frame."""
    message = (
        "no column or attribute 'sort_values'. Columns: criterion, rld. "
        "to_frame() returns a frame of pandas, polars or pyarrow."
    )
    with pytest.raises(AttributeError, match=re.escape(message)):
        quality.per_balance.sort_values("rld")


def test_an_unknown_library_is_refused(quality):
    """As for the other frames."""
    with pytest.raises(InputError, match="'backend' must be one of pandas, polars, pyarrow"):
        quality.per_label.to_frame("panda")

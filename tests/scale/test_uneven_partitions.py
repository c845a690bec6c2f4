"""Sorted data, giant, small and empty partitions: as even as shuffled data, sizes exact."""

import itertools

import numpy as np
import pyarrow as pa
import pytest

from evenfold.scale import sections, split

from .made_files import check_split, cut, make_table, write_files

N_ROWS = 20_000
SCHEMES = {"stream": None, "gather": "sync"}
# Points of rLD over the bound, which shuffled data reaches.
MOST_MORE = 0.2


@pytest.fixture(scope="module")
def table():
    """Return rows in random order, with a day that depends on their labels."""
    table = make_table(N_ROWS, 40)
    last = [int(own[-1][-2:]) if own else 0 for own in table["labels"].to_pylist()]
    noise = np.random.default_rng(3).normal(0, 7, N_ROWS)
    return table.append_column("day", pa.array(np.round(last + noise).astype(int)))


@pytest.fixture(params=SCHEMES)
def make(request, tmp_path, monkeypatch):
    """Return a function that splits tables, each of which is a file, past memory."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 1)

    def make_split(tables, parts=5, **settings):
        out = tmp_path / f"out{len(list(tmp_path.iterdir()))}"
        data = write_files(tmp_path / f"data{out.name}", tables)
        settings = {"labels": "labels", "memory": 0, "budget": "25%"} | settings
        s = split(data, parts, engine=SCHEMES[request.param], output=out, **settings)
        assert s.scheme == request.param
        check_split(s, pa.concat_tables(tables))
        return s

    return make_split


def test_shuffled_data_is_even(make, table):
    """Rows in random order, in 8 files, reach the bound, with which others are compared."""
    assert make(cut(table, 8)).excess == 0


def sort_by_label(table):
    """Return the rows sorted by their labels."""
    rows = table["labels"].to_pylist()
    return table.take(sorted(range(len(rows)), key=lambda row: rows[row]))


def test_data_sorted_by_label_is_as_even(make, table):
    """Each file has other labels than the others."""
    assert 100 * make(cut(sort_by_label(table), 8)).excess <= MOST_MORE


def test_data_sorted_by_day_is_as_even(make, table):
    """Labels come and go with the days."""
    by_day = table.sort_by("day")
    assert 100 * make(cut(by_day, 8)).excess <= MOST_MORE


def test_giant_partition_among_small_ones_is_as_even(make, table):
    """One file has nearly all rows, others have five each."""
    small = [table.slice(start, 5) for start in range(0, 100, 5)]
    tables = [*small[:10], table.slice(100), *small[10:]]
    assert 100 * make(tables).excess <= MOST_MORE


def test_empty_partitions_do_not_matter(make, table):
    """Files without rows or row groups are written as such, and the others are as even."""
    empty = table.slice(0, 0)
    tables = [empty, *(own for piece in cut(table, 8) for own in (piece, empty)), empty]
    s = make(tables)
    assert 100 * s.excess <= MOST_MORE
    assert [file.rows for file in s.manifest.files] == [len(own) for own in tables]


def test_label_of_one_partition_is_as_even(make, table):
    """Labels that only one file has are as even as others."""
    tables = [
        piece.set_column(
            1, "labels", pa.array([[f"{number}{name}" for name in own] for own in rows])
        )
        if number in (2, 5)
        else piece
        for number, piece in enumerate(cut(table, 8))
        for rows in [piece["labels"].to_pylist()]
    ]
    assert 100 * make(tables).excess <= MOST_MORE


def test_one_partition_is_as_even(make, table):
    """All rows are in one file."""
    assert 100 * make([table]).excess <= MOST_MORE


def test_rows_without_labels_are_shared_out(make, table):
    """If no row has a label, sizes are exact."""
    none = pa.array([[]] * 300, pa.list_(pa.string()))
    bare = table.slice(0, 300).set_column(1, "labels", none)
    s = make(cut(bare, 4), 7)
    assert s.labels == []
    assert s.excess == 0 or np.isnan(s.excess)


@pytest.mark.parametrize("parts", [7, [0.4, 0.3, 0.2, 0.1], [0.05] * 20])
def test_partitions_with_fewer_rows_than_parts_have_exact_sizes(make, table, parts):
    """Files of no, one, two or three rows are shared out to the row."""
    starts = np.concatenate(([0], np.cumsum(np.arange(16) % 4))).tolist()
    tables = [table.slice(a, b - a) for a, b in itertools.pairwise(starts)]
    make(tables, parts, balance="day" if parts == 7 else None)


@pytest.mark.parametrize("n_rows", [2, 3, 5])
def test_few_rows_are_split(make, table, n_rows):
    """As many rows as parts, in as many files, are one in each part."""
    s = make([table.slice(at, 1) for at in range(n_rows)], n_rows)
    assert s.sizes.tolist() == [1] * n_rows


def test_many_parts_need_two_bytes(make, table):
    """More than 256 parts are told apart."""
    s = make(cut(table.slice(0, 900), 3), 300)
    assert len(s) == 300

import json
import tempfile
import warnings
from pathlib import Path

import fsspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold.exceptions import AssumptionWarning, InputError
from evenfold.labels import from_classes, from_text, make_labels
from evenfold.scale.columns import choose_columns, merge_names
from evenfold.scale.locations import list_files
from evenfold.scale.partitions import Partition
from evenfold.scale.reading import read_partition
from evenfold.scale.value_hashes import hash_names

from .partitioned import TEXT_VIEW, list_label_names, write_partitions

LISTS = pa.list_(pa.string())


@st.composite
def _pieces(draw, cells):
    """Return the cells of several partitions, some of them empty."""
    pieces = draw(st.lists(st.lists(cells, max_size=6), min_size=1, max_size=5))
    return pieces if any(pieces) else [*pieces, [draw(cells)]]


def _read(tables, labels="y", separator=None, **roles):
    with tempfile.TemporaryDirectory() as folder:
        partitions = write_partitions(Path(folder), tables)
        columns, _ = choose_columns(partitions, labels, separator, **roles)
        records = [read_partition(partition, columns, labelsets=True) for partition in partitions]
    return columns, records


def _check_same(columns, records, whole):
    """Check that the records put together are the labels of the whole column."""
    names = merge_names(columns, [record["names"] for record in records])
    assert names == list(whole.names)
    place = {name: code for code, name in enumerate(names)}
    indices = [np.array([place[name] for name in record["names"]], int) for record in records]
    joined = [codes[record["indices"]] for codes, record in zip(indices, records, strict=True)]
    np.testing.assert_array_equal(np.concatenate(joined), whole.indices)
    lengths = np.concatenate([record["lengths"] for record in records])
    np.testing.assert_array_equal(lengths, np.diff(whole.indptr))
    total = np.zeros(len(names), int)
    for codes, record in zip(indices, records, strict=True):
        np.add.at(total, codes, record["counts"])
        assert record["n_rows"] == len(record["lengths"])
        assert record["lengths"].dtype == np.uint32
        assert record["indices"].dtype == np.int32
        assert record["counts"].dtype == np.int64
        json.dumps(record["names"])
    np.testing.assert_array_equal(total, whole.count_of_label)


_names = st.sampled_from(["a", "b", "ä", "label 10", "label 2", "x,y"])
_texts = st.none() | st.lists(_names, max_size=4)
_numbers = st.none() | st.lists(st.integers(-3, 12), max_size=4)


@settings(max_examples=60, deadline=None)
@given(
    _pieces(_texts),
    st.sampled_from(
        [
            LISTS,
            pa.large_list(pa.large_string()),
            pa.list_(pa.dictionary(pa.int32(), pa.string())),
            pa.list_(TEXT_VIEW),
        ]
    ),
)
def test_lists_of_text_are_those_of_the_whole_column(pieces, kind):
    """Partitions put together are the labels of the whole column of lists of text."""
    plain = [pa.array(cells, LISTS) for cells in pieces]
    columns, records = _read([{"y": cells.cast(kind)} for cells in plain])
    _check_same(columns, records, make_labels(pa.chunked_array(plain)))


@settings(max_examples=60, deadline=None)
@given(_pieces(_numbers), st.sampled_from([pa.int32(), pa.int64(), pa.int16()]))
def test_lists_of_numbers_are_those_of_the_whole_column(pieces, kind):
    """Partitions put together are the labels of the whole column of lists of numbers."""
    cells = [pa.array(piece, pa.list_(kind)) for piece in pieces]
    try:
        whole = make_labels(pa.chunked_array(cells))
    except InputError:
        with pytest.raises(InputError, match="where 0, 1 or nothing is expected"):
            _read([{"y": each} for each in cells])
        return
    _check_same(*_read([{"y": each} for each in cells]), whole)


@settings(max_examples=40, deadline=None)
@given(_pieces(st.none() | st.lists(st.sampled_from("abc "), max_size=3).map("|".join)))
def test_cut_text_is_that_of_the_whole_column(pieces):
    """Partitions put together are the labels of the whole column of text."""
    cells = [pa.array(piece, pa.string()) for piece in pieces]
    columns, records = _read([{"y": each} for each in cells], separator="|")
    _check_same(columns, records, from_text(pa.chunked_array(cells), "|"))


@settings(max_examples=40, deadline=None)
@given(_pieces(st.none() | st.lists(_names, max_size=3).map(json.dumps)))
def test_text_that_is_a_list_is_that_of_the_whole_column(pieces):
    """Partitions put together are the labels of the whole column of lists written as text."""
    cells = [pa.array(["[]", *piece], pa.string()) for piece in pieces]
    columns, records = _read([{"y": each} for each in cells])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssumptionWarning)
        _check_same(columns, records, make_labels(pa.chunked_array(cells)))


@settings(max_examples=40, deadline=None)
@given(_pieces(st.none() | st.sampled_from(["a", "b", " ", "c d"])) | _pieces(st.integers(2, 9)))
def test_classes_are_those_of_the_whole_column(pieces):
    """Partitions put together are the classes of the whole column."""
    values = [value for piece in pieces for value in piece]
    kind = pa.int64() if any(isinstance(value, int) for value in values) else pa.string()
    cells = [pa.array(piece, kind) for piece in pieces]
    columns, records = _read([{"y": each} for each in cells], separator="")
    _check_same(columns, records, from_classes(pa.chunked_array(cells)))


@settings(max_examples=30, deadline=None)
@given(_pieces(st.tuples(st.integers(0, 1), st.integers(0, 1), st.sampled_from("xyz"))))
def test_columns_are_those_of_the_whole_frame(pieces):
    """Partitions put together are the labels of several columns of 0 and 1 and of classes."""
    kinds = {"b": pa.int8(), "a": pa.bool_(), "c": pa.dictionary(pa.int32(), pa.string())}
    tables = [
        pa.table(
            {
                name: pa.array(
                    [row[at] for row in piece], kind if kind != pa.bool_() else None
                ).cast(kind)
                for at, (name, kind) in enumerate(kinds.items())
            }
        )
        for piece in pieces
    ]
    whole = make_labels(pa.concat_tables(tables).unify_dictionaries())
    _check_same(*_read(tables, ["a", "b", "c"]), whole)


def test_partition_of_empty_lists_has_no_labels(tmp_path):
    """A partition of empty lists, of whatever type, has rows without labels."""
    kinds = [LISTS, pa.list_(pa.null()), pa.null()]
    cells = [[["a"], []], [[], None], [None, None]]
    tables = [{"y": pa.array(*each)} for each in zip(cells, kinds, strict=True)]
    for record in _read(tables)[1][1:]:
        assert (record["n_rows"], record["names"], len(record["indices"])) == (2, [], 0)


def test_giant_partition_among_small_ones():
    """A partition of several batches is read as one of a single batch is."""
    rng = np.random.default_rng(0)
    lists = [rng.integers(0, 300, size).tolist() for size in rng.integers(0, 5, 150_000)]
    cells = [pa.array(piece, pa.list_(pa.int32())) for piece in (lists[:2], lists[2:], [])]
    columns, records = _read([{"y": each} for each in cells])
    _check_same(columns, records, make_labels(pa.chunked_array(cells)))
    hashes, counts = records[1]["labelset_hashes"], records[1]["labelset_counts"]
    expected = {}
    for row in lists[2:]:
        labelset = frozenset(row)
        expected[labelset] = expected.get(labelset, 0) + 1
    assert sorted(counts.tolist()) == sorted(expected.values())
    assert len(set(hashes.tolist())) == len(expected)


def test_labelsets_do_not_depend_on_the_partition():
    """The hash of a labelset is the sum of its labels' hashes, in any partition."""
    _, records = _read([{"y": [["b"], ["a", "b"], []]}, {"y": [["c"], ["b", "a"], ["a", "b"]]}])
    both = int(hash_names(["a", "b"]).sum())
    for record, n_times in zip(records, (1, 2), strict=True):
        found = dict(
            zip(record["labelset_hashes"].tolist(), record["labelset_counts"], strict=True)
        )
        assert found[both] == n_times
        assert sum(found.values()) == 3


def test_groups_are_the_same_in_all_files(tmp_path):
    """Equal values have the same hash in all files, rows without a value one of their own."""
    ids = [pa.array([1, 2, None], pa.int32()), pa.array([2.0, 1.0, float("nan")])]
    _, records = _read([{"y": [["a"]] * 3, "g": each} for each in ids], groups="g")
    first, second = (record["groups"] for record in records)
    assert first.dtype == np.uint64
    assert first[:2].tolist() == second[:2][::-1].tolist()
    assert len({*first.tolist(), *second.tolist()}) == 4
    texts = [{"y": [["a"]] * 3, "g": each} for each in (["u", "", " "], ["v", None, "u"])]
    _, records = _read(texts, groups="g")
    assert records[0]["groups"][0] == records[1]["groups"][2]
    assert len({*records[0]["groups"].tolist(), *records[1]["groups"].tolist()}) == 5


def test_fixed_parts_are_numbered(tmp_path):
    """Fixed parts are numbers of their names; blank and missing cells leave rows free."""
    table = {"y": [["a"]] * 5, "p": ["test", "", None, "train", "test"]}
    _, [record] = _read([table], fixed="p")
    assert record["fixed"].tolist() == [0, -1, -1, 1, 0]
    assert record["fixed"].dtype == np.int32
    assert record["fixed_names"] == ["test", "train"]
    _, [record] = _read([table | {"p": [2.0, None, 1.0, 1.0, float("nan")]}], fixed="p")
    assert (record["fixed"].tolist(), record["fixed_names"]) == ([0, -1, 1, 1, -1], ["2", "1"])


def test_balance_is_numbers_or_categories():
    """Numbers are kept, with NaN where missing; other values are numbered, None too."""
    tables = [
        {"y": [["a"]] * 3, "n": [1, None, 3], "c": ["u", None, "v"], "d": [b"x", b"y", b"x"]},
        {"y": [["a"]], "n": pa.nulls(1), "c": pa.nulls(1), "d": pa.nulls(1)},
    ]
    _, records = _read(tables, balance=["n", "c", "d"])
    np.testing.assert_array_equal(records[0]["balance_0_numbers"], [1, np.nan, 3])
    np.testing.assert_array_equal(records[1]["balance_0_numbers"], [np.nan])
    values = records[0]["balance_1_values"]
    assert [values[code] for code in records[0]["balance_1_codes"]] == ["u", None, "v"]
    assert records[1]["balance_1_values"] == [None]
    assert records[0]["balance_2_codes"].tolist() == [0, 1, 0]
    json.dumps(records[0]["balance_2_values"])


def test_infinite_numbers_are_refused():
    """An infinite number is an error that names file, column and row."""
    table = {"y": [["a"]] * 2, "n": [1.0, float("inf")]}
    message = r"'balance' column 'n' of .*part-000.* must hold finite numbers, got inf at row 1"
    with pytest.raises(InputError, match=message):
        _read([table], balance="n")


def test_keys_are_sorted_hashes():
    """Keys are sorted and those of other files have the same hashes."""
    keys = np.random.default_rng(0).permutation(100)
    tables = [{"y": [["a"]] * 100, "id": each} for each in (keys, keys.astype(np.int8))]
    _, records = _read(tables, key="id")
    assert (np.diff(records[0]["keys"].astype(object)) > 0).all()
    np.testing.assert_array_equal(records[0]["keys"], records[1]["keys"])


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (["u", "v", "u"], "'key' must differ from row to row, got 'u' more than once in column"),
        ([7, 8, 8], "got 8 more than once in column 'id' of .*part-001"),
        (["u", None, "v"], "'key' must be there in every row, got none in column 'id' of .*row 1"),
    ],
)
def test_repeated_and_missing_keys_are_refused(keys, message):
    """A key that is there twice, or missing, is an error with the key, the file and the column."""
    tables = [{"y": [["a"]] * 3, "id": each} for each in (pa.nulls(0), keys)]
    tables[0]["y"] = pa.array([], LISTS)
    with pytest.raises(InputError, match=message):
        _read(tables, key="id")


def test_partition_sorted_by_its_key_is_read_in_that_order(tmp_path):
    """A partition with a key gives the same record in whatever order its rows are."""
    table = pa.table({"id": [3, 1, 2], "y": [["c"], ["a"], ["b"]], "g": [30, 10, 20]})
    records = []
    for order in ([0, 1, 2], [2, 1, 0]):
        partitions = write_partitions(tmp_path, [table.take(order)], key="id")
        columns, _ = choose_columns(partitions, "y", groups="g", key="id")
        records.append(read_partition(partitions[0], columns))
    assert list_label_names(records[0]) == [["a"], ["b"], ["c"]]
    for name, value in records[0].items():
        np.testing.assert_array_equal(value, records[1][name])


def test_partition_without_files_has_no_rows(tmp_path):
    """A partition without files has no rows, as one with an empty file has."""
    table = {"y": [["a"]], "g": [1], "p": ["t"], "n": [1], "c": ["u"], "id": [1]}
    partitions = write_partitions(tmp_path, [table, pa.table(table).slice(0, 0)])
    columns, _ = choose_columns(
        partitions, "y", groups="g", fixed="p", balance=["n", "c"], key="id"
    )
    for partition in (Partition(7, ()), Partition(7, (), "id"), partitions[1]):
        record = read_partition(partition, columns, labelsets=True)
        assert record["n_rows"] == 0
        assert record.keys() == read_partition(partitions[0], columns, labelsets=True).keys()
        assert not any(np.size(value) and value for value in record.values())


def test_unknown_labels_are_refused(tmp_path):
    """A missing flag in a later partition is an error with file, column and row."""
    tables = [{"b": [1, 0], "a": [0, 1]}, {"b": [1, 1], "a": [0, None]}]
    partitions = write_partitions(tmp_path, [tables[0], tables[0]])
    columns, _ = choose_columns(partitions, ["a", "b"])
    partitions = write_partitions(tmp_path, tables)
    message = r"part-001.*column 'a' holds an unknown label \(null\) at row 1.*evenfold\.split"
    with pytest.raises(InputError, match=message):
        read_partition(partitions[1], columns)


def test_missing_labels_in_lists_are_refused(tmp_path):
    """A null among the labels of a list is an error with file, column and row."""
    partitions = write_partitions(tmp_path, [{"y": [["a"]]}, {"y": [["a"], ["b", None]]}])
    message = r"part-001\.parquet: column 'y' holds a missing label \(null\) at row 1"
    columns, _ = choose_columns(partitions[:1], "y")
    with pytest.raises(InputError, match=message):
        read_partition(partitions[1], columns)


def test_partitions_on_another_file_system_are_read(tmp_path):
    """Partitions under fsspec URLs give the same records as files on this machine."""
    table = pa.table({"y": [["a"], ["b", "a"], []], "g": ["u", "v", "u"]})
    files = fsspec.filesystem("memory")
    with files.open("/reading/part-000.parquet", "wb") as file:
        pq.write_table(table, file)
    local = write_partitions(tmp_path, [table])
    remote = [Partition(0, tuple(list_files("memory://reading")))]
    records = []
    for partitions in (local, remote):
        columns, _ = choose_columns(partitions, groups="g")
        records.append(read_partition(partitions[0], columns))
    for name, value in records[0].items():
        np.testing.assert_array_equal(value, records[1][name])
    files.rm("/reading", recursive=True)
    with pytest.raises(InputError, match=r"memory:///reading/part-000\.parquet: is not there"):
        read_partition(remote[0], columns)

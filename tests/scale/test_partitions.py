import pickle

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.scale.partitions import Partition, check_schemas, show_paths

from .partitioned import TEXT_VIEW, write_partitions


def _paths(partitions):
    return [path for partition in partitions for path in partition.paths]


def test_rows_of_several_files_follow_each_other(tmp_path):
    """A partition of several files has their rows in the order of the paths."""
    paths = _paths(write_partitions(tmp_path, [{"a": [1, 2]}, {"a": []}, {"a": [3]}]))
    read = Partition(0, tuple(paths[::-1])).read(["a"])
    assert [value for batch in read for value in batch.column(0).to_pylist()] == [3, 1, 2]


def test_columns_come_in_the_order_asked_for(tmp_path):
    """Columns are in the order asked for; None stands for all of them, with their types."""
    table = pa.table({"a": [1], "b": pa.array(["x"]).dictionary_encode(), "c": [2.5]})
    [partition] = write_partitions(tmp_path, [table])
    assert next(partition.read(["c", "a"])).schema.names == ["c", "a"]
    assert next(partition.read(None)).schema.equals(table.schema)


def test_rows_are_read_in_batches(tmp_path):
    """A large partition is read a bounded number of rows at a time."""
    [partition] = write_partitions(tmp_path, [{"a": range(200_000)}])
    sizes = [batch.num_rows for batch in partition.read(["a"])]
    assert max(sizes) <= 65_536
    assert sum(sizes) == 200_000


def test_lists_of_text_are_read_as_codes_if_asked(tmp_path):
    """Lists of text keep their type, or are codes of a dictionary if asked for."""
    [partition] = write_partitions(tmp_path, [{"a": [["x"], ["x", "y"]]}])
    plain, coded = (
        next(partition.read(["a"], as_codes=as_codes)).column(0) for as_codes in (False, True)
    )
    assert pa.types.is_string(plain.type.value_type)
    assert pa.types.is_dictionary(coded.type.value_type)
    assert coded.to_pylist() == plain.to_pylist()


def test_rows_are_sorted_by_the_key(tmp_path):
    """A partition with a key has one order of rows, in whatever order the files have them."""
    first = write_partitions(tmp_path, [{"id": [3, 1], "a": ["c", "a"]}, {"id": [2], "a": ["b"]}])
    paths = _paths(first)
    for order in (paths, paths[::-1]):
        batches = list(Partition(0, tuple(order), "id").read(["a"], as_codes=True))
        assert [value for batch in batches for value in batch.column(0).to_pylist()] == [
            "a",
            "b",
            "c",
        ]
        assert batches[0].schema.names == ["a"]
    assert next(Partition(0, tuple(paths), "id").read(None)).column(0).to_pylist() == [1, 2, 3]
    assert list(Partition(0, (), "id").read(None)) == []


@pytest.mark.parametrize(
    "keys",
    [
        (pa.array(["c", "a"]).dictionary_encode(), pa.array(["b"]).dictionary_encode()),
        (pa.array(["c", "a"], TEXT_VIEW), pa.array(["b"])),
        (pa.array([3, 1], pa.int32()), pa.array([2], pa.int64())),
        (pa.array([b"c", b"a"]), pa.array([b"b"], pa.large_binary())),
    ],
)
def test_keys_of_any_type_can_be_sorted(tmp_path, keys):
    """Categories, views and files of other types are sorted by their values."""
    lists = [[["u"], ["v", "w"]], [[]]]
    paths = _paths(
        write_partitions(
            tmp_path,
            [
                {"id": each, "y": pa.array(own, pa.list_(pa.string()))}
                for each, own in zip(keys, lists, strict=True)
            ],
        )
    )
    [batch] = Partition(0, tuple(paths), "id").read(["y"])
    assert batch.column(0).to_pylist() == [["v", "w"], [], ["u"]]


def test_partition_can_be_pickled():
    """A partition is plain data, which engines send to workers."""
    partition = Partition(1, ("a.parquet",), "id")
    assert pickle.loads(pickle.dumps(partition)) == partition


def test_partition_on_another_file_system():
    """Files of fsspec URLs are read."""
    with fsspec.open("memory://partitions/a.parquet", "wb") as file:
        pq.write_table(pa.table({"a": [["x"], []]}), file)
    partition = Partition(0, ("memory://partitions/a.parquet",))
    assert next(partition.read(["a"], as_codes=True)).column(0).to_pylist() == [["x"], []]
    assert check_schemas([partition], ["a"]).names == ["a"]
    with pytest.raises(InputError, match=r"/none\.parquet: is not there"):
        check_schemas([Partition(0, ("memory://partitions/none.parquet",))], [])


@pytest.mark.parametrize(
    ("one", "other", "joined"),
    [
        (pa.int32(), pa.int32(), pa.int32()),
        (pa.int32(), pa.int64(), pa.int64()),
        (pa.uint8(), pa.uint32(), pa.uint64()),
        (pa.int32(), pa.float32(), pa.float64()),
        (pa.string(), pa.large_string(), pa.large_string()),
        (pa.dictionary(pa.int32(), pa.string()), pa.string(), pa.string()),
        (pa.binary(), pa.large_binary(), pa.large_binary()),
        (pa.null(), pa.string(), pa.string()),
        (pa.list_(pa.string()), pa.list_(pa.null()), pa.list_(pa.string())),
        (pa.null(), pa.list_(pa.string()), pa.list_(pa.string())),
        (pa.large_list(pa.int64()), pa.list_(pa.int32()), pa.large_list(pa.int64())),
    ],
)
def test_types_that_go_together(tmp_path, one, other, joined):
    """Types of the same kind of values go together, in either order of the files."""
    tables = [pa.table({"a": pa.nulls(1, kind)}) for kind in (one, other)]
    paths = _paths(write_partitions(tmp_path, tables))
    for order in (paths, paths[::-1]):
        found = check_schemas([Partition(0, tuple(order))], ["a"]).field("a").type
        if pa.types.is_list(found) or pa.types.is_large_list(found):
            assert found.value_type == joined.value_type
        else:
            assert found == joined


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (pa.string(), pa.int64()),
        (pa.list_(pa.string()), pa.list_(pa.int64())),
        (pa.list_(pa.string()), pa.string()),
        (pa.bool_(), pa.int64()),
        (pa.timestamp("ms"), pa.timestamp("us")),
    ],
)
def test_other_types_are_named(tmp_path, one, other):
    """The error about a schema that differs names file, column and both types."""
    tables = [pa.table({"a": pa.nulls(1, kind)}) for kind in (one, one, other)]
    paths = _paths(write_partitions(tmp_path, tables))
    with pytest.raises(InputError, match=r"part-002.*column 'a' is .*, but .* in .*part-000"):
        check_schemas([Partition(0, tuple(paths))], ["a"])
    assert check_schemas([Partition(0, tuple(paths))], []).names == ["a"]


def test_missing_column_is_named(tmp_path):
    """The error about a missing column names the file and says what is there."""
    paths = _paths(write_partitions(tmp_path, [{"labels": [1]}, {"label": [1]}]))
    with pytest.raises(
        InputError, match=r"part-001.*has no column 'labels'\. Columns: label\. Did you mean 'lab"
    ):
        check_schemas([Partition(0, tuple(paths))], ["labels"])


def test_damaged_and_missing_files_are_named(tmp_path):
    """A file that is not there, or is no Parquet file, is named."""
    [partition] = write_partitions(tmp_path, [{"a": [1]}])
    damaged = tmp_path / "damaged.parquet"
    damaged.write_bytes(b"PAR1 not")
    with pytest.raises(InputError, match=r"damaged\.parquet: cannot be read"):
        check_schemas([Partition(0, (*partition.paths, str(damaged)))], ["a"])
    damaged.unlink()
    with pytest.raises(InputError, match=r"damaged\.parquet: is not there"):
        check_schemas([Partition(0, (*partition.paths, str(damaged)))], ["a"])
    with pytest.raises(InputError, match=r"damaged\.parquet: is not there"):
        list(Partition(0, (str(damaged),)).read(None))


def test_repeated_column_is_named(tmp_path):
    """Two columns of one name are an error where that column is needed."""
    table = pa.Table.from_arrays([pa.array([1]), pa.array([2])], ["a", "a"])
    paths = _paths(write_partitions(tmp_path, [table]))
    with pytest.raises(InputError, match="more than one column is named 'a'"):
        check_schemas([Partition(0, tuple(paths))], ["a"])


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (["a.parquet"], "a.parquet"),
        (["x/a.parquet", "x/b.parquet"], "x/a.parquet and 1 more"),
        (["w/evenfold-frame/partition-00012.parquet"], "partition 12 of the DataFrame"),
        (["w/evenfold-frame/bucket-00012.parquet"], "the DataFrame"),
        ([f"w/evenfold-frame/partition-0000{at}.parquet" for at in (0, 1)], "the DataFrame"),
    ],
)
def test_files_of_a_frame_are_called_the_frame(names, shown):
    """They are in the work folder, which the user does not know."""
    assert show_paths(names) == shown

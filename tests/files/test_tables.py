"""Parquet, Arrow and saved Hugging Face datasets: read by column, written again row for row."""

import datetime
import decimal
import json
import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files import part_buffers
from evenfold.files.formats.arrow_ipc import ArrowFile, read_layout
from evenfold.files.formats.hf_datasets import HuggingFaceFolder
from evenfold.files.formats.parquet import Parquet
from evenfold.files.registry import open_data

from .arrow_writing import save_to_disk, write_ipc

N = 23
SCHEMA = pa.schema(
    [
        pa.field("id", pa.int64(), nullable=False, metadata={"unit": "none"}),
        pa.field("title", pa.string()),
        pa.field("tags", pa.list_(pa.string())),
        pa.field("kind", pa.dictionary(pa.int32(), pa.string())),
        pa.field("box", pa.struct([("x", pa.float32()), ("y", pa.float32())])),
        pa.field("when", pa.timestamp("us", tz="UTC")),
        pa.field("price", pa.decimal128(9, 2)),
        pa.field("image", pa.large_binary()),
    ],
    metadata={"made by": "a test"},
)
TABLE = pa.table(
    [
        pa.array(range(N), pa.int64()),
        pa.array([None if i == 3 else f"title {i}" for i in range(N)]),
        pa.array([None if i == 5 else ["a", "b", "c"][: i % 4] for i in range(N)]),
        pa.array(["red" if i % 2 else "blue" for i in range(N)]).dictionary_encode(),
        pa.array(
            [None if i == 7 else {"x": i, "y": -i} for i in range(N)], SCHEMA.field("box").type
        ),
        pa.array(
            [datetime.datetime(2020, 1, 1 + i, tzinfo=datetime.UTC) for i in range(N)],
            pa.timestamp("us", tz="UTC"),
        ),
        pa.array([decimal.Decimal(i) / 4 for i in range(N)], pa.decimal128(9, 2)),
        pa.array([bytes([i]) * i for i in range(N)], pa.large_binary()),
    ],
    schema=SCHEMA,
)
PART_OF_ROW = np.array([[2, 0, 1, 0, -1][i % 5] for i in range(N)], np.int32)


def make_parquet(folder):
    """Return one file of three row groups."""
    pq.write_table(TABLE, folder / "data.parquet", row_group_size=10)
    return Parquet(folder / "data.parquet")


def make_parquet_folder(folder):
    """Return two files, and some that do not count."""
    (folder / "data").mkdir()
    pq.write_table(TABLE.slice(0, 15), folder / "data" / "part-0.parquet")
    pq.write_table(TABLE.slice(15), folder / "data" / "part-1.parquet")
    for name in ("._part-0.parquet", "_metadata.parquet", "notes.txt"):
        (folder / "data" / name).write_text("nothing")
    return Parquet(folder / "data")


def make_parquet_pattern(folder):
    """Return the same two files by a pattern."""
    make_parquet_folder(folder)
    return Parquet(folder / "d*" / "part-*.parquet")


def make_feather(folder):
    """Return an IPC file."""
    write_ipc(folder / "data.feather", TABLE)
    return ArrowFile(folder / "data.feather")


def make_arrow_stream(folder):
    """Return an IPC stream."""
    write_ipc(folder / "data.arrow", TABLE, stream=True)
    return ArrowFile(folder / "data.arrow")


def make_huggingface(folder):
    """Return a saved dataset of two data files."""
    return HuggingFaceFolder(save_to_disk(folder / "saved", [TABLE.slice(0, 12), TABLE.slice(12)]))


MAKERS = [
    make_parquet,
    make_parquet_folder,
    make_parquet_pattern,
    make_feather,
    make_arrow_stream,
    make_huggingface,
]


def read_whole(file):
    """Return all columns of a data file as one table."""
    return pa.Table.from_batches(file.read_batches(file.columns))


@pytest.fixture(params=MAKERS)
def file(request, tmp_path):
    """The same table in every format."""
    return request.param(tmp_path)


@pytest.mark.parametrize("first", [True, False])
def test_files_of_one_table_may_name_the_elements_of_lists_differently(tmp_path, first):
    """As pyarrow and Spark have done over the years: labels are read from all, whichever comes first."""
    for name, is_compliant in (("0.parquet", first), ("1.parquet", not first)):
        pq.write_table(TABLE, tmp_path / name, use_compliant_nested_type=is_compliant)
    table = pa.Table.from_batches(Parquet(tmp_path).read_batches(["tags"]))
    assert table.column("tags").to_pylist() == 2 * TABLE.column("tags").to_pylist()


SPARK_KEY = b"org.apache.spark.sql.parquet.row.metadata"
SPARK_FIELD = {"name": "id", "type": "long", "nullable": True, "metadata": {}}
SPARK_SCHEMA = json.dumps({"type": "struct", "fields": [SPARK_FIELD]}).encode()


def write_like_spark(path, schema=SPARK_SCHEMA):
    """Write numbers without Arrow's schema, and with the schema that Spark keeps."""
    table = pa.table({"id": range(6)})
    with pq.ParquetWriter(path, table.schema, store_schema=False) as writer:
        writer.write_table(table)
        writer.add_key_value_metadata({b"org.apache.spark.version": b"3.5.0", SPARK_KEY: schema})


def test_parts_of_a_parquet_file_of_spark_keep_its_metadata(tmp_path):
    """Also where it holds no schema of Arrow's, and then without one."""
    write_like_spark(tmp_path / "data.parquet")
    file = Parquet(tmp_path / "data.parquet")
    file.write_parts([tmp_path / "part"], np.zeros(6, np.int32))
    assert (
        pq.read_metadata(tmp_path / "part").metadata
        == pq.read_metadata(tmp_path / "data.parquet").metadata
    )


@pytest.mark.parametrize("n_files", [1, 2])
def test_spark_is_told_of_a_new_column(tmp_path, n_files):
    """It reads no others than its own schema names, whether the file is written again or not."""
    for number in range(n_files):
        write_like_spark(tmp_path / f"{number}.parquet")
    Parquet(tmp_path).write_with_column(
        tmp_path / "more", "part", ["ä"], np.zeros(6 * n_files, np.int32)
    )
    kept = pq.read_metadata(tmp_path / "more").metadata
    added = {"name": "part", "type": "string", "nullable": True, "metadata": {}}
    assert json.loads(kept.pop(SPARK_KEY)) == {"type": "struct", "fields": [SPARK_FIELD, added]}
    assert kept == {b"org.apache.spark.version": b"3.5.0"}
    assert pq.read_table(tmp_path / "more").column("part").to_pylist() == ["ä"] * 6 * n_files


@pytest.mark.parametrize(
    "schema",
    [
        b"StructType(...)",
        b"[]",
        b'{"type": "struct", "fields": {}}',
        b'{"type": "array", "fields": []}',
    ],
)
@pytest.mark.parametrize("n_files", [1, 2])
def test_a_schema_of_spark_that_is_not_understood_is_left_out(tmp_path, schema, n_files):
    """Then Spark takes that of the file."""
    for number in range(n_files):
        write_like_spark(tmp_path / f"{number}.parquet", schema)
    Parquet(tmp_path).write_with_column(
        tmp_path / "more", "part", ["a"], np.zeros(6 * n_files, np.int32)
    )
    assert pq.read_metadata(tmp_path / "more").metadata == {b"org.apache.spark.version": b"3.5.0"}


def test_columns_are_read_in_the_order_asked_for(file):
    """All rows of these and no other columns."""
    assert list(file.columns) == SCHEMA.names
    batches = list(file.read_batches(["tags", "id"]))
    assert len(batches) > 1
    table = pa.Table.from_batches(batches)
    assert table.column_names == ["tags", "id"]
    assert table.to_pydict() == TABLE.select(["tags", "id"]).to_pydict()


def test_parts_hold_their_rows_and_all_else_of_the_file(file, tmp_path):
    """Values, order, types, nullability and metadata; rows of part -1 are nowhere, a part without rows is a file without rows."""
    targets = [tmp_path / f"part {part}" for part in range(4)]
    file.write_parts(targets, PART_OF_ROW)
    for part, target in enumerate(targets):
        again = type(file)(target)
        assert again.schema.equals(file.schema, check_metadata=True)
        assert again.schema.equals(SCHEMA, check_metadata=False)
        assert again.schema.metadata[b"made by"] == b"a test"
        rows = [TABLE.slice(i, 1) for i in np.flatnonzero(part == PART_OF_ROW)]
        expected = (
            pa.concat_tables(rows).to_pydict() if rows else {name: [] for name in SCHEMA.names}
        )
        read = list(again.read_all_columns())
        assert (pa.Table.from_batches(read).to_pydict() if read else expected) == expected
        assert sum(batch.num_rows for batch in read) == len(rows)


def test_a_column_is_added_at_the_end(file, tmp_path):
    """Null where there is no value; everything else stays."""
    codes = np.array([[1, 0, -1][i % 3] for i in range(N)], np.int32)
    file.write_with_column(tmp_path / "more", "part", ["train", "test"], codes)
    again = type(file)(tmp_path / "more")
    expected = TABLE.append_column(
        "part", pa.array([["test", "train", None][i % 3] for i in range(N)])
    )
    assert again.schema.equals(SCHEMA.append(pa.field("part", pa.string())))
    assert again.schema.metadata[b"made by"] == b"a test"
    assert pa.Table.from_batches(again.read_all_columns()).to_pydict() == expected.to_pydict()


def test_a_column_is_not_added_twice(file, tmp_path):
    """The one that is there is not touched."""
    with pytest.raises(
        InputError,
        match=re.escape(
            f"{file.path}: has a column 'title' already. Choose another name for the new one."
        ),
    ):
        file.write_with_column(tmp_path / "more", "title", ["a"], np.zeros(N, np.int32))


@pytest.mark.parametrize("n_given", [N - 2, N + 2])
def test_parts_of_other_rows_are_refused(file, tmp_path, n_given):
    """The file has grown or shrunk since it was split."""
    with pytest.raises(
        InputError,
        match=f": no longer holds the {n_given} rows whose labels were read. Split it again",
    ):
        file.write_parts([tmp_path / "part"], np.zeros(n_given, np.int32))
    with pytest.raises(InputError, match=f": no longer holds the {n_given} rows"):
        file.write_with_column(tmp_path / "more", "part", ["a"], np.zeros(n_given, np.int32))


def test_little_memory_gives_the_same_parts(file, tmp_path, monkeypatch):
    """Rows that wait are written early where they are too much."""
    monkeypatch.setattr(part_buffers, "_MAX_WAITING_BYTES", 0)
    file.write_parts([tmp_path / "a", tmp_path / "b"], np.arange(N, dtype=np.int32) % 2)
    assert read_whole(type(file)(tmp_path / "b")).column("id").to_pylist() == list(range(1, N, 2))


def test_a_missing_file_is_an_oserror(tmp_path):
    """As for every other program."""
    for kind in (Parquet, ArrowFile):
        with pytest.raises(FileNotFoundError, match="none"):
            kind(tmp_path / "none")


def test_two_columns_of_one_name_are_refused(tmp_path):
    """Nobody could say which is meant."""
    write_ipc(tmp_path / "twice.arrow", pa.table([[1], [2]], names=["a", "a"]))
    with pytest.raises(
        InputError, match=r"twice.arrow: more than one column is named 'a'. Give each a name of its own."
    ):
        ArrowFile(tmp_path / "twice.arrow")


@pytest.mark.parametrize(
    "codec",
    [
        "none",
        "snappy",
        "gzip",
        "zstd",
        {"id": "zstd", "title": "gzip", "tags.list.element": "snappy"},
    ],
)
def test_parquet_parts_are_compressed_as_the_file_is(tmp_path, codec):
    """Column by column, the added one too where all are alike."""
    pq.write_table(
        TABLE.select(["id", "title", "tags"]), tmp_path / "data.parquet", compression=codec
    )
    file = Parquet(tmp_path / "data.parquet")
    file.write_parts([tmp_path / "part"], np.zeros(N, np.int32))
    file.write_with_column(tmp_path / "more", "part", ["a"], np.zeros(N, np.int32))

    def codecs(name):
        group = pq.read_metadata(tmp_path / name).row_group(0)
        return [group.column(at).compression for at in range(group.num_columns)]

    assert codecs("part") == codecs("data.parquet") == codecs("more")[:3]
    if isinstance(codec, str):
        assert len(set(codecs("more"))) == 1


@pytest.mark.parametrize("compliant", [True, False])
def test_parquet_parts_are_laid_out_as_the_file_is(tmp_path, compliant):
    """Columns without a dictionary get none, and the items of lists keep their name; an added column has a dictionary."""
    table = TABLE.select(["id", "title", "tags"])
    pq.write_table(
        table,
        tmp_path / "data.parquet",
        use_dictionary=["title"],
        use_compliant_nested_type=compliant,
    )
    Parquet(tmp_path / "data.parquet").write_with_column(
        tmp_path / "more", "part", ["a"], np.zeros(N, np.int32)
    )
    group = pq.read_metadata(tmp_path / "more").row_group(0)
    columns = [group.column(at) for at in range(4)]
    assert [column.path_in_schema for column in columns] == [
        "id",
        "title",
        f"tags.list.{'element' if compliant else 'item'}",
        "part",
    ]
    assert [column.has_dictionary_page for column in columns] == [False, True, False, True]


def test_large_rows_of_parquet_are_read_a_few_at_a_time(tmp_path):
    """Images need not all be in memory, and are still grouped as they were."""
    pq.write_table(
        pa.table({"image": [bytes(1 << 20)] * 40}), tmp_path / "data.parquet", use_dictionary=False
    )
    file = Parquet(tmp_path / "data.parquet")
    assert max(batch.num_rows for batch in file.read_batches(["image"])) < 40
    file.write_parts([tmp_path / "part"], np.zeros(40, np.int32))
    assert pq.read_metadata(tmp_path / "part").num_row_groups == 1


def test_parquet_rows_are_grouped_as_in_the_file(tmp_path):
    """A fifth of the rows does not mean five times as many row groups."""
    pq.write_table(TABLE, tmp_path / "data.parquet", row_group_size=4)
    Parquet(tmp_path / "data.parquet").write_parts(
        [tmp_path / "a", tmp_path / "b"], np.arange(N, dtype=np.int32) % 2
    )
    metadata = pq.read_metadata(tmp_path / "a")
    assert [metadata.row_group(at).num_rows for at in range(metadata.num_row_groups)] == [4, 4, 4]


def test_parquet_of_pandas_stays_one_of_pandas(tmp_path):
    """Index, categories and the metadata are as pandas wrote them."""
    frame = pd.DataFrame(
        {"a": pd.Categorical(["x", "y", "x"]), "b": pd.array([1, None, 3], dtype="Int64")},
        index=pd.Index([5, 6, 7], name="key"),
    )
    frame.to_parquet(tmp_path / "data.parquet")
    file = Parquet(tmp_path / "data.parquet")
    file.write_parts([tmp_path / "part"], np.array([0, -1, 0], np.int32))
    file.write_with_column(tmp_path / "more", "part", ["u"], np.zeros(3, np.int32))
    assert (
        pq.read_schema(tmp_path / "part").metadata
        == pq.read_schema(tmp_path / "data.parquet").metadata
    )
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "part"), frame.iloc[[0, 2]])
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "more")[["a", "b"]], frame)


@pytest.mark.parametrize("store_schema", [True, False])
def test_parquet_of_spark_keeps_its_kind_of_times(tmp_path, store_schema):
    """And gets no Arrow schema where it had none."""
    pq.write_table(
        TABLE.select(["when"]),
        tmp_path / "data.parquet",
        use_deprecated_int96_timestamps=True,
        store_schema=store_schema,
    )
    Parquet(tmp_path / "data.parquet").write_parts([tmp_path / "part"], np.zeros(N, np.int32))
    metadata = pq.read_metadata(tmp_path / "part")
    assert metadata.row_group(0).column(0).physical_type == "INT96"
    assert (b"ARROW:schema" in (metadata.metadata or {})) == store_schema
    assert pq.read_table(tmp_path / "part").equals(pq.read_table(tmp_path / "data.parquet"))


SECOND_FILES = {
    "column missing": (pa.table({"a": [1]}), "it has not the same columns ('b')"),
    "column more": (
        pa.table({"a": [1], "b": ["x"], "c": [1]}),
        "it has not the same columns ('c')",
    ),
    "order": (pa.table({"b": ["x"], "a": [1]}), "its columns are in another order"),
    "type": (pa.table({"a": [1.5], "b": ["x"]}), "column 'a' is double, not int64"),
    "nullability": (
        pa.table(
            [[1], ["x"]],
            schema=pa.schema(
                [pa.field("a", pa.int64()), pa.field("b", pa.string(), nullable=False)]
            ),
        ),
        "column 'b' is string not null, not string",
    ),
}


@pytest.mark.parametrize("case", SECOND_FILES)
def test_files_of_another_schema_are_refused(tmp_path, case):
    """The first that differs is named, and how."""
    other, message = SECOND_FILES[case]
    for name in ("0.parquet", "1.parquet"):
        pq.write_table(pa.table({"a": [1], "b": ["x"]}), tmp_path / name)
    pq.write_table(other, tmp_path / "2.parquet")
    with pytest.raises(
        InputError,
        match=re.escape(
            f"{tmp_path / '2.parquet'}: differs from {tmp_path / '0.parquet'}: {message}. Pass files of"
        ),
    ):
        Parquet(tmp_path)


def test_parquet_that_is_not_there_is_said_so(tmp_path):
    """Folders without files, patterns without a match."""
    with pytest.raises(
        InputError,
        match=re.escape(
            f"{tmp_path}: is a folder without parquet files. Name the folder that holds them"
        ),
    ):
        Parquet(tmp_path)
    with pytest.raises(
        InputError,
        match=re.escape(f"{tmp_path / '*.parquet'}: matches no file. Check the pattern."),
    ):
        Parquet(tmp_path / "*.parquet")


def test_a_name_that_looks_like_a_pattern_is_a_name(tmp_path):
    """Where a file of that name is there."""
    pq.write_table(pa.table({"a": [1]}), tmp_path / "data[1].parquet")
    assert Parquet(tmp_path / "data[1].parquet").columns == ["a"]


@pytest.mark.parametrize("cut", [0, 3, 500, -5])
def test_a_truncated_file_is_refused_when_opened(tmp_path, cut):
    """Both formats have what they need at their end."""
    for make, kind in ((make_parquet, Parquet), (make_feather, ArrowFile)):
        path = make(tmp_path).path
        path.write_bytes(path.read_bytes()[:cut])
        with pytest.raises(InputError, match=re.escape(f"{path}: cannot be read: ")):
            kind(path)


def test_a_file_in_another_format_is_refused(tmp_path):
    """Text, and the feather of before 2020."""
    (tmp_path / "data").write_text("id,title\n1,Alien\n" * 100)
    for kind in (Parquet, ArrowFile):
        with pytest.raises(
            InputError,
            match=r"data: cannot be read: .*\. Is it whole, and in the format its name says\?",
        ):
            kind(tmp_path / "data")
    (tmp_path / "old.feather").write_bytes(b"FEA1" + bytes(100))
    with pytest.raises(
        InputError,
        match=r"old.feather: is in Feather version 1, which Arrow no longer reads. Write it anew",
    ):
        ArrowFile(tmp_path / "old.feather")


def test_damage_within_a_file_is_found_with_its_place(tmp_path):
    """The row group, or the row after which a stream breaks off."""
    text = pa.table({"a": [f"{i * 7919 % 1000} and more" for i in range(3000)]})
    pq.write_table(text, tmp_path / "data.parquet", row_group_size=1000, compression="gzip")
    content = bytearray((tmp_path / "data.parquet").read_bytes())
    start = (
        pq.read_metadata(tmp_path / "data.parquet").row_group(1).column(0).dictionary_page_offset
    )
    content[start + 40 : start + 200] = b"?" * 160
    (tmp_path / "data.parquet").write_bytes(content)
    batches = Parquet(tmp_path / "data.parquet").read_batches(["a"])
    assert next(batches).num_rows == 1000
    with pytest.raises(InputError, match=r"data.parquet: cannot be read in row group 1: "):
        list(batches)
    write_ipc(tmp_path / "data.arrow", text, stream=True, rows=1000)
    content = (tmp_path / "data.arrow").read_bytes()
    (tmp_path / "data.arrow").write_bytes(content[: len(content) * 5 // 6])
    with pytest.raises(InputError, match=r"data.arrow: cannot be read after row 2000: "):
        ArrowFile(tmp_path / "data.arrow").write_parts(
            [tmp_path / "part"], np.zeros(3000, np.int32)
        )


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("codec", [None, "lz4", "zstd"])
def test_arrow_parts_are_written_as_the_file_is(tmp_path, stream, codec):
    """File or stream, and compressed in the same way."""
    write_ipc(tmp_path / "data.arrow", TABLE, stream, codec)
    ArrowFile(tmp_path / "data.arrow").write_parts([tmp_path / "part"], np.zeros(N, np.int32))
    layout = read_layout(tmp_path / "part", "part")
    assert (layout.is_stream, layout.codec) == (stream, codec)


def test_arrow_of_polars_keeps_its_types(tmp_path):
    """Text that Arrow cannot filter as it is, in lists and structs too; and the file comes in one batch."""
    n = 70_000
    frame = pl.DataFrame(
        {
            "text": [f"row {i}" for i in range(n)],
            "tags": [["a", f"tag {i % 7}"][: i % 3] for i in range(n)],
            "box": [{"name": f"n{i % 5}"} for i in range(n)],
            "kind": pl.Series(["x", "y"] * (n // 2), dtype=pl.Categorical),
            "raw": [b"1", None] * (n // 2),
        }
    )
    frame.write_ipc(tmp_path / "data.arrow", compression="zstd")
    file = ArrowFile(tmp_path / "data.arrow")
    assert pa.types.is_string_view(file.schema.field("text").type)
    assert max(batch.num_rows for batch in file.read_batches(["text"])) < n
    file.write_parts([tmp_path / "a", tmp_path / "b"], np.arange(n, dtype=np.int32) % 3)
    assert pl.read_ipc(tmp_path / "b").equals(frame.gather_every(3, 1))
    assert ArrowFile(tmp_path / "b").schema.equals(file.schema)


def test_arrow_stream_whose_dictionary_changes_is_dealt(tmp_path):
    """Each batch with categories of its own."""
    batches = [
        pa.record_batch({"kind": pa.array(kinds).dictionary_encode()})
        for kinds in (["a", "b", "a"], ["z", "a", None], ["c", "c", "b"])
    ]
    with (
        pa.OSFile(str(tmp_path / "data.arrow"), "wb") as sink,
        pa.ipc.new_stream(sink, batches[0].schema) as writer,
    ):
        for batch in batches:
            writer.write_batch(batch)
    ArrowFile(tmp_path / "data.arrow").write_parts(
        [tmp_path / "a", tmp_path / "b"], np.arange(9, dtype=np.int32) % 2
    )
    assert read_whole(ArrowFile(tmp_path / "b")).column("kind").to_pylist() == ["b", "z", None, "c"]


def test_a_type_that_cannot_be_dealt_is_refused(tmp_path):
    """Arrow has types that it cannot filter, such as runs within a struct; the file is whole."""
    runs = pa.RunEndEncodedArray.from_arrays([2, 3], ["x", "y"])
    write_ipc(
        tmp_path / "data.arrow", pa.table({"deep": pa.StructArray.from_arrays([runs], ["runs"])})
    )
    with pytest.raises(
        InputError,
        match=r"data.arrow: cannot be written again from row 0: .*run_end_encoded.*\. Arrow cannot do that: write",
    ):
        ArrowFile(tmp_path / "data.arrow").write_parts(
            [tmp_path / "part"], np.array([0, -1, 0], np.int32)
        )


PARTS = [None if at % 4 == 0 else "val" if at % 4 == 1 else "train" for at in range(40)]
NEW = np.array([at % 2 if own is None else -1 for at, own in enumerate(PARTS)], np.int32)
FILLED = [["test", "train"][at % 2] if own is None else own for at, own in enumerate(PARTS)]


@pytest.mark.parametrize("suffix", ["parquet", "feather"])
def test_declared_categories_stay_in_their_order_where_a_column_is_filled(tmp_path, suffix):
    """Also those that no row has; new ones come after them."""
    column = pd.Series(pd.Categorical(PARTS, categories=["train", "val", "held out"], ordered=True))
    path, target = tmp_path / f"data.{suffix}", tmp_path / f"more.{suffix}"
    getattr(pd.DataFrame({"part": column}), f"to_{suffix}")(path)
    open_data(str(path)).fill_column(target, "part", ["test", "train"], NEW)
    after = getattr(pd, f"read_{suffix}")(target)["part"]
    assert after.tolist() == FILLED
    assert after.cat.categories.tolist() == ["train", "val", "held out", "test"]
    assert after.cat.ordered


def test_categories_of_an_arrow_file_are_the_same_in_all_batches_where_a_column_is_filled(tmp_path):
    """Though a batch has not all of them: the format allows no others later."""
    column = pd.Series(pd.Categorical(["train"] * 80_000 + ["test"] * 70_000 + [None]))
    pd.DataFrame({"part": column}).to_feather(tmp_path / "data.feather")
    codes = np.append(np.full(150_000, -1, np.int32), np.int32(0))
    ArrowFile(tmp_path / "data.feather").fill_column(
        tmp_path / "more.feather", "part", ["train", "val"], codes
    )
    after = pd.read_feather(tmp_path / "more.feather")["part"]
    assert after.equals(column.cat.add_categories("val").fillna("train"))


def test_more_categories_than_a_column_can_number_are_refused(tmp_path):
    """Its type stays what it was."""
    column = pa.DictionaryArray.from_arrays(
        pa.array([None, *range(127)], pa.int8()), pa.array([f"c{at}" for at in range(128)])
    )
    write_ipc(tmp_path / "data.arrow", pa.table({"part": column}), rows=200)
    with pytest.raises(
        InputError,
        match=r"'part' is of type dictionary.*int8.*, which cannot hold new\. Name a new column",
    ):
        ArrowFile(tmp_path / "data.arrow").fill_column(
            tmp_path / "more.arrow", "part", ["new"], np.array([0] + [-1] * 127, np.int32)
        )


@pytest.mark.parametrize("kind", [pl.String, pl.Categorical, pl.Enum(["val", "test", "train"])])
def test_a_column_of_polars_is_filled(tmp_path, kind):
    """Text and categories, as it writes them to Arrow files."""
    path, target = tmp_path / "data.arrow", tmp_path / "more.arrow"
    pl.DataFrame({"part": pl.Series(PARTS, dtype=kind)}).write_ipc(path)
    ArrowFile(path).fill_column(target, "part", ["test", "train"], NEW)
    after = pl.read_ipc(target)
    assert after["part"].dtype == kind
    assert after["part"].to_list() == FILLED


def test_a_value_that_an_enum_of_polars_has_not_is_refused(tmp_path):
    """Polars would read it as null."""
    pl.DataFrame({"part": pl.Series(PARTS, dtype=pl.Enum(["train", "val"]))}).write_ipc(
        tmp_path / "data.arrow"
    )
    with pytest.raises(
        InputError,
        match=r"'part' is of type dictionary.*, which cannot hold test\. Name a new column",
    ):
        ArrowFile(tmp_path / "data.arrow").fill_column(
            tmp_path / "more.arrow", "part", ["test", "train"], NEW
        )


@pytest.mark.parametrize("write", ["write_ipc", "write_parquet"])
def test_categories_of_polars_are_read_as_text_that_arrow_can_take(tmp_path, write):
    """As they are, and in lists."""
    frame = pl.DataFrame(
        {
            "own": pl.Series(PARTS, dtype=pl.Categorical),
            "enum": pl.Series(PARTS, dtype=pl.Enum(["val", "train"])),
            "all": pl.Series(
                [[part] if part else [] for part in PARTS], dtype=pl.List(pl.Categorical)
            ),
        }
    )
    path = tmp_path / f"data.{write.removeprefix('write_').replace('ipc', 'arrow')}"
    getattr(frame, write)(path)
    table = read_whole(open_data(str(path)))
    assert table.to_pydict() == frame.to_dict(as_series=False)
    assert table.column("own").cast(pa.large_string()).to_pylist() == PARTS
    assert table.column("enum").cast(pa.large_string()).to_pylist() == PARTS


def test_maps_of_text_as_polars_writes_it_are_split(tmp_path):
    """Keys and values."""
    kind = pa.map_(pa.string_view(), pa.list_(pa.string_view()))
    table = pa.table({"m": pa.array([[("a", ["b"])], None, [("c", None), ("d", ["e"])], []], kind)})
    write_ipc(tmp_path / "data.arrow", table)
    ArrowFile(tmp_path / "data.arrow").write_parts(
        [tmp_path / "part"], np.array([0, -1, 0, -1], np.int32)
    )
    again = read_layout(tmp_path / "part", "part").schema
    assert again == table.schema
    assert read_whole(ArrowFile(tmp_path / "part")).to_pydict() == {
        "m": [table["m"][0].as_py(), table["m"][2].as_py()]
    }


def test_values_kept_once_for_a_run_of_rows_are_read_and_split(tmp_path):
    """And are kept so again, in every part."""
    runs = pc.run_end_encode(pa.array(["a"] * 15 + [None] * 10 + ["b"] * 15), pa.int16())
    write_ipc(tmp_path / "data.arrow", pa.table({"id": range(40), "runs": runs}), rows=40)
    file = ArrowFile(tmp_path / "data.arrow")
    assert read_whole(file).column("runs").type == pa.string()
    file.write_parts([tmp_path / "0", tmp_path / "1"], np.arange(40, dtype=np.int32) % 2)
    for part in range(2):
        again = ArrowFile(tmp_path / str(part))
        assert again.schema == file.schema
        assert read_whole(again).to_pydict() == {
            "id": list(range(part, 40, 2)),
            "runs": runs.to_pylist()[part::2],
        }


def test_an_arrow_file_that_is_wrong_about_its_memory_is_refused(tmp_path):
    """Arrow itself would end the process."""
    path = tmp_path / "data.arrow"
    write_ipc(path, pa.table({"tags": ["first label", "second label", "third label"]}))
    content = path.read_bytes()
    offsets = np.array([0, 11, 23, 34], np.int32).tobytes()
    assert content.count(offsets) == 1
    path.write_bytes(content.replace(offsets, np.array([0, 11, 2**31 - 1, 34], np.int32).tobytes()))
    with pytest.raises(InputError, match=r"data.arrow: cannot be read after row 0: "):
        list(ArrowFile(path).read_batches(["tags"]))

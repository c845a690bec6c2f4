"""Parquet: one or more files, and parts that are written as the files were."""

import json
import re

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files.formats.parquet import Parquet
from evenfold.scale.locations import list_files

from .columnar_table import TABLE, N


@pytest.mark.parametrize("first", [True, False])
def test_files_of_one_table_may_name_the_elements_of_lists_differently(tmp_path, first):
    """Versions of pyarrow and Spark use other names; labels are read from all files."""
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
    """They get no schema of Arrow's if the file has none."""
    write_like_spark(tmp_path / "data.parquet")
    file = Parquet(tmp_path / "data.parquet")
    file.write_parts([tmp_path / "part"], np.zeros(6, np.int32))
    assert (
        pq.read_metadata(tmp_path / "part").metadata
        == pq.read_metadata(tmp_path / "data.parquet").metadata
    )


@pytest.mark.parametrize("n_files", [1, 2])
def test_a_new_column_is_added_to_the_schema_of_spark(tmp_path, n_files):
    """Spark reads only the columns of its own schema."""
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
    """Then Spark reads the schema of the file."""
    for number in range(n_files):
        write_like_spark(tmp_path / f"{number}.parquet", schema)
    Parquet(tmp_path).write_with_column(
        tmp_path / "more", "part", ["a"], np.zeros(6 * n_files, np.int32)
    )
    assert pq.read_metadata(tmp_path / "more").metadata == {b"org.apache.spark.version": b"3.5.0"}


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
    """Column by column; an added column too, if all have the same codec."""
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
    """Dictionaries and the names of list items stay; an added column has a dictionary."""
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
    """Not all images are in memory together, and row groups stay large."""
    pq.write_table(
        pa.table({"image": [bytes(1 << 20)] * 40}), tmp_path / "data.parquet", use_dictionary=False
    )
    file = Parquet(tmp_path / "data.parquet")
    assert max(batch.num_rows for batch in file.read_batches(["image"])) < 40
    file.write_parts([tmp_path / "part"], np.zeros(40, np.int32))
    assert pq.read_metadata(tmp_path / "part").num_row_groups == 1


def test_parquet_rows_are_grouped_as_in_the_file(tmp_path):
    """A part with half of the rows has half as many row groups."""
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
    """It gets no Arrow schema if it had none."""
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
    """The message has the first file that differs, and how."""
    other, message = SECOND_FILES[case]
    for name in ("0.parquet", "1.parquet"):
        pq.write_table(pa.table({"a": [1], "b": ["x"]}), tmp_path / name)
    pq.write_table(other, tmp_path / "2.parquet")
    with pytest.raises(
        InputError,
        match=re.escape(
            f"{tmp_path / '2.parquet'}: differs from {tmp_path / '0.parquet'}: {message}. "
            "Pass files of one table"
        ),
    ):
        Parquet(tmp_path)


def test_a_folder_is_read_with_the_folders_in_it(tmp_path):
    """Hidden files and folders are skipped; files and order are those of splits past memory."""
    read = ["b.parquet", "a/1.parquet", "a/x/2.parquet", "a-c.parquet", "d.parquet/part-0.parquet"]
    skipped = ["_old.parquet", ".a.parquet", "_work/1.parquet", "a/.trash/1.parquet", "a/notes.txt"]
    for name in [*read, *skipped]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.table({"from": [name]}), tmp_path / name)
    found = [
        value
        for batch in Parquet(tmp_path).read_batches(["from"])
        for value in batch["from"].to_pylist()
    ]
    assert found == sorted(read)
    assert [str(tmp_path / name) for name in found] == list_files(tmp_path)


def test_parquet_that_is_not_there_is_refused(tmp_path):
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
    """If there is a file of that name."""
    pq.write_table(pa.table({"a": [1]}), tmp_path / "data[1].parquet")
    assert Parquet(tmp_path / "data[1].parquet").columns == ["a"]

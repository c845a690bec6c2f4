"""The formats that Arrow reads: columns are read, rows written again as they were."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files import part_buffers
from evenfold.files.formats.arrow_ipc import ArrowFile
from evenfold.files.formats.hf_datasets import HuggingFaceFolder
from evenfold.files.formats.parquet import Parquet

from .arrow_writing import save_to_disk, write_ipc
from .columnar_table import SCHEMA, TABLE, N, read_whole

PART_OF_ROW = np.array([[2, 0, 1, 0, -1][i % 5] for i in range(N)], np.int32)


def make_parquet(folder):
    """Return one file of three row groups."""
    pq.write_table(TABLE, folder / "data.parquet", row_group_size=10)
    return Parquet(folder / "data.parquet")


def make_parquet_folder(folder):
    """Return two files, beside some that are ignored."""
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


@pytest.fixture(params=MAKERS)
def file(request, tmp_path):
    """The same table in every format."""
    return request.param(tmp_path)


def test_columns_are_read_in_the_order_asked_for(file):
    """All rows are read, and no other columns."""
    assert list(file.columns) == SCHEMA.names
    batches = list(file.read_batches(["tags", "id"]))
    assert len(batches) > 1
    table = pa.Table.from_batches(batches)
    assert table.column_names == ["tags", "id"]
    assert table.to_pydict() == TABLE.select(["tags", "id"]).to_pydict()


def test_parts_hold_their_rows_and_all_else_of_the_file(file, tmp_path):
    """Values, order, types and metadata stay; rows of part -1 are left out."""
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
    """It is null where there is no value; everything else stays."""
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
    """A column of that name is refused."""
    with pytest.raises(
        InputError,
        match=re.escape(
            f"{file.path}: has a column 'title' already. Choose another name for the new one."
        ),
    ):
        file.write_with_column(tmp_path / "more", "title", ["a"], np.zeros(N, np.int32))


@pytest.mark.parametrize("n_given", [N - 2, N + 2])
def test_parts_of_other_rows_are_refused(file, tmp_path, n_given):
    """The file has more or fewer rows than when it was split."""
    with pytest.raises(
        InputError,
        match=f": no longer holds the {n_given} rows whose labels were read. Split it again",
    ):
        file.write_parts([tmp_path / "part"], np.zeros(n_given, np.int32))
    with pytest.raises(InputError, match=f": no longer holds the {n_given} rows"):
        file.write_with_column(tmp_path / "more", "part", ["a"], np.zeros(n_given, np.int32))


def test_little_memory_gives_the_same_parts(file, tmp_path, monkeypatch):
    """Rows are written earlier if they take too much memory."""
    monkeypatch.setattr(part_buffers, "_MAX_WAITING_BYTES", 0)
    file.write_parts([tmp_path / "a", tmp_path / "b"], np.arange(N, dtype=np.int32) % 2)
    assert read_whole(type(file)(tmp_path / "b")).column("id").to_pylist() == list(range(1, N, 2))


def test_a_missing_file_is_an_oserror(tmp_path):
    """It is Python's FileNotFoundError."""
    for kind in (Parquet, ArrowFile):
        with pytest.raises(FileNotFoundError, match="none"):
            kind(tmp_path / "none")


def test_two_columns_of_one_name_are_refused(tmp_path):
    """The message has the name."""
    write_ipc(tmp_path / "twice.arrow", pa.table([[1], [2]], names=["a", "a"]))
    with pytest.raises(
        InputError,
        match=r"twice.arrow: more than one column is named 'a'. Give each its own name.",
    ):
        ArrowFile(tmp_path / "twice.arrow")


def test_a_name_that_is_no_text_is_refused(tmp_path):
    """Both formats have the names as bytes."""
    for make, kind in ((make_parquet, Parquet), (make_feather, ArrowFile)):
        path = make(tmp_path).path
        write = pq.write_table if kind is Parquet else pa.feather.write_feather
        write(pa.table({"column_0": [1]}), path)
        path.write_bytes(path.read_bytes().replace(b"column_0", b"colu\xffn_0"))
        with pytest.raises(InputError, match=f"{path.name}: (has a column name|cannot be read)"):
            kind(path)


@pytest.mark.parametrize("cut", [0, 3, 500, -5])
def test_a_truncated_file_is_refused_when_opened(tmp_path, cut):
    """Both formats have their metadata at the end."""
    for make, kind in ((make_parquet, Parquet), (make_feather, ArrowFile)):
        path = make(tmp_path).path
        path.write_bytes(path.read_bytes()[:cut])
        with pytest.raises(InputError, match=re.escape(f"{path}: cannot be read: ")):
            kind(path)


def test_a_file_in_another_format_is_refused(tmp_path):
    """Text, and the first version of feather."""
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
        match=r"old.feather: is in Feather version 1, which Arrow no longer reads. Write it again",
    ):
        ArrowFile(tmp_path / "old.feather")


def test_damage_within_a_file_is_found_with_its_place(tmp_path):
    """The message has the row group, or the row after which a stream breaks off."""
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

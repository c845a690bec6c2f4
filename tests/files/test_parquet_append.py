"""A column more in a parquet file: the others stay as they are, to the byte."""

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold.files.codecs import parquet_append
from evenfold.files.codecs.thrift import read_struct, write_struct
from evenfold.files.formats.parquet import Parquet

N = 50
CODES = np.arange(N, dtype=np.int32) % 4 - 1
WANTED = [[None, "train", "val", "ünï"][code + 1] for code in CODES]
TABLE = pa.table(
    {
        "id": np.arange(N),
        "score": pa.array([None if at % 7 == 0 else at / 3 for at in range(N)]),
        "title": [f"title {at % 5}" for at in range(N)],
        "tags": [None if at % 11 == 0 else [f"tag {at % 3}"] * (at % 4) for at in range(N)],
        "box": [{"x": at, "names": ["a"] * (at % 3)} for at in range(N)],
        "when": pa.array(range(N), pa.timestamp("ms", tz="UTC")),
        "site": pa.array(["a", "b"] * (N // 2)).dictionary_encode(),
    }
).replace_schema_metadata({"made": "by hand"})

FORMS = {
    "one group": {},
    "many groups": {"row_group_size": 3},
    "without Arrow's schema": {"store_schema": False},
    "with page indexes": {"write_page_index": True, "row_group_size": 20},
    "with checksums": {"write_page_checksum": True},
    "of the first version": {"version": "1.0"},
    "of second pages": {"data_page_version": "2.0", "compression": "zstd"},
    "sorted": {"sorting_columns": [pq.SortingColumn(0)]},
    "of small pages": {"data_page_size": 16, "use_dictionary": False},
    "in deltas": {
        "use_dictionary": False,
        "column_encoding": {"id": "DELTA_BINARY_PACKED", "title": "DELTA_BYTE_ARRAY"},
    },
}


def read_body(path):
    """Return all bytes before the footer."""
    content = path.read_bytes()
    return content[: -8 - int.from_bytes(content[-8:-4], "little")]


@pytest.mark.parametrize("options", FORMS.values(), ids=FORMS)
def test_a_column_is_added_and_the_others_stay_as_they_are(tmp_path, options):
    """In bytes, as Arrow and polars read them, and in the footer."""
    path, target = tmp_path / "data.parquet", tmp_path / "more.parquet"
    pq.write_table(TABLE, path, **options)
    Parquet(path).write_with_column(target, "part", ["train", "val", "ünï"], CODES)
    before, after = pq.read_table(path), pq.read_table(target)
    assert after.drop_columns("part").equals(before, check_metadata=True)
    assert after.schema.field("part") == pa.field("part", pa.string())
    assert after.column("part").to_pylist() == WANTED
    assert read_body(target).startswith(read_body(path))
    footers = [pq.read_metadata(file) for file in (path, target)]
    assert footers[0].created_by == footers[1].created_by
    for at in range(footers[0].num_row_groups):
        groups = [footer.row_group(at).to_dict() for footer in footers]
        assert groups[1]["columns"][:-1] == groups[0]["columns"]
        assert groups[1]["sorting_columns"] == groups[0]["sorting_columns"]
        assert groups[1]["total_byte_size"] > groups[0]["total_byte_size"]
    frames = [pl.read_parquet(file) for file in (path, target)]
    assert frames[1].drop("part").equals(frames[0])
    assert frames[1]["part"].to_list() == WANTED


@pytest.mark.parametrize("n_rows", [0, 1])
def test_a_column_is_added_to_no_row_and_to_one(tmp_path, n_rows):
    """Row groups may be empty."""
    path, target = tmp_path / "data.parquet", tmp_path / "more.parquet"
    pq.write_table(TABLE.slice(0, n_rows), path)
    Parquet(path).write_with_column(target, "part", ["a"], np.zeros(n_rows, np.int32))
    assert pq.read_table(target).drop_columns("part").equals(TABLE.slice(0, n_rows))
    assert pq.read_table(target).column("part").to_pylist() == ["a"] * n_rows


def test_a_column_is_added_to_a_file_without_row_groups(tmp_path):
    """Such a file has a schema alone."""
    pq.ParquetWriter(tmp_path / "data.parquet", TABLE.schema).close()
    Parquet(tmp_path / "data.parquet").write_with_column(
        tmp_path / "more.parquet", "part", ["a"], np.zeros(0, np.int32)
    )
    assert pq.read_table(tmp_path / "more.parquet").column_names == [*TABLE.column_names, "part"]


def test_a_column_is_added_to_an_empty_row_group(tmp_path):
    """Some writers leave one."""
    path, target = tmp_path / "data.parquet", tmp_path / "more.parquet"
    with pq.ParquetWriter(path, TABLE.schema) as writer:
        for start, n_rows in ((0, 30), (30, 0), (30, 20)):
            writer.write_table(TABLE.slice(start, n_rows))
    Parquet(path).write_with_column(target, "part", ["train", "val", "ünï"], CODES)
    assert pq.read_metadata(target).num_row_groups == pq.read_metadata(path).num_row_groups
    assert pq.read_table(target).column("part").to_pylist() == WANTED


def test_columns_are_added_one_after_another(tmp_path):
    """An added column is a column like any other."""
    pq.write_table(TABLE, tmp_path / "0.parquet", row_group_size=20)
    for at in range(3):
        Parquet(tmp_path / f"{at}.parquet").write_with_column(
            tmp_path / f"{at + 1}.parquet", f"part{at}", ["a", "b", "c"], np.roll(CODES, at)
        )
    table = pq.read_table(tmp_path / "3.parquet")
    assert table.column_names == [*TABLE.column_names, "part0", "part1", "part2"]
    assert table.column("part2").to_pylist() == [
        [None, "a", "b", "c"][code + 1] for code in np.roll(CODES, 2)
    ]


def test_a_file_of_polars_stays_one(tmp_path):
    """Its types are in its own schema."""
    frame = pl.DataFrame(
        {
            "tags": [["a"], [], ["b", "c"]],
            "kind": pl.Series(["x", "y", "x"], dtype=pl.Enum(["x", "y"])),
        }
    )
    frame.write_parquet(tmp_path / "data.parquet")
    Parquet(tmp_path / "data.parquet").write_with_column(
        tmp_path / "more.parquet", "part", ["a"], np.zeros(3, np.int32)
    )
    more = pl.read_parquet(tmp_path / "more.parquet")
    assert more.drop("part").equals(frame)
    assert more.schema["kind"] == frame.schema["kind"]


def test_all_is_written_again_if_the_footer_is_long(tmp_path, monkeypatch):
    """The table is the same, the bytes are not."""
    pq.write_table(
        TABLE,
        tmp_path / "data.parquet",
        use_dictionary=False,
        column_encoding={"id": "DELTA_BINARY_PACKED"},
    )
    monkeypatch.setattr(parquet_append, "_MAX_FOOTER_BYTES", 100)
    Parquet(tmp_path / "data.parquet").write_with_column(
        tmp_path / "more.parquet", "part", ["train", "val", "ünï"], CODES
    )
    after = pq.read_table(tmp_path / "more.parquet")
    assert after.drop_columns("part").equals(TABLE)
    assert after.column("part").to_pylist() == WANTED
    assert not read_body(tmp_path / "more.parquet").startswith(read_body(tmp_path / "data.parquet"))


def test_all_is_written_again_if_only_arrow_reads_the_footer(tmp_path, monkeypatch):
    """Arrow ignores fields of types that parquet does not use."""
    pq.write_table(TABLE, tmp_path / "data.parquet")
    content = (tmp_path / "data.parquet").read_bytes()
    footer = content[-8 - int.from_bytes(content[-8:-4], "little") : -8]
    # A field past the last, a map without entries.
    odd = footer[:-1] + bytes([0x0B, 0x90, 0x03, 0x00, 0x00])
    with pytest.raises(ValueError, match="type 11"):
        read_struct(odd)
    (tmp_path / "data.parquet").write_bytes(
        content[: -8 - len(footer)] + odd + len(odd).to_bytes(4, "little") + b"PAR1"
    )
    Parquet(tmp_path / "data.parquet").write_with_column(
        tmp_path / "more.parquet", "part", ["train", "val", "ünï"], CODES
    )
    assert pq.read_table(tmp_path / "more.parquet").column("part").to_pylist() == WANTED


@pytest.mark.parametrize("options", FORMS.values(), ids=FORMS)
def test_a_footer_read_and_written_is_the_same(tmp_path, options):
    """Every byte of it."""
    pq.write_table(TABLE, tmp_path / "data.parquet", **options)
    content = (tmp_path / "data.parquet").read_bytes()
    footer = content[-8 - int.from_bytes(content[-8:-4], "little") : -8]
    assert write_struct(read_struct(footer)) == footer


def test_the_compact_protocol_is_the_published_one():
    """Bytes written by hand: booleans, numbers, text after a gap, lists, a struct."""
    data = (
        bytes([0x11, 0x15, 0x01, 0x08, 0x2C, 0x02])
        + b"ab"
        + bytes([0x19, 0x26, 0x04, 0x80, 0x02, 0x19, 0x21, 0x01, 0x02])
    )
    data += bytes([0x17]) + bytes(range(8)) + bytes([0x1C, 0x12, 0x00, 0x00])
    struct = {
        1: (1, None),
        2: (5, -1),
        22: (8, b"ab"),
        23: (9, (6, [2, 128])),
        24: (9, (1, [1, 2])),
        25: (7, bytes(range(8))),
        26: (12, {1: (2, None)}),
    }
    assert read_struct(data) == struct
    assert write_struct(struct) == data


@settings(max_examples=200)
@given(
    st.recursive(
        st.dictionaries(
            st.integers(1, 32_767),
            st.one_of(
                st.tuples(st.sampled_from([1, 2]), st.none()),
                st.tuples(st.sampled_from([4, 5, 6]), st.integers(-(2**63), 2**63 - 1)),
                st.tuples(st.just(8), st.binary(max_size=200)),
                st.tuples(
                    st.just(9),
                    st.tuples(st.just(6), st.lists(st.integers(-(2**63), 2**63 - 1), max_size=40)),
                ),
            ),
            max_size=5,
        ),
        lambda struct: st.dictionaries(
            st.integers(1, 99),
            st.one_of(
                st.tuples(st.just(12), struct),
                st.tuples(st.just(9), st.tuples(st.just(12), st.lists(struct, max_size=20))),
            ),
        ),
        max_leaves=8,
    )
)
def test_any_struct_comes_back(struct):
    """Long lists, negative numbers, fields far apart."""
    assert read_struct(write_struct(struct)) == struct

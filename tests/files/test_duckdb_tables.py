"""DuckDB: tables in the order of their rows, written as new databases with the same types."""

import duckdb
import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.codecs.duckdb_writer import open_database
from evenfold.files.formats.duckdb_tables import DuckDb

from .made_files import GENRES, N_ROWS, PATIENT, write_duckdb, write_sqlite
from .text_files import read

MANY_TYPES = """
CREATE TYPE mood AS ENUM ('calm', 'wild');
CREATE TABLE t AS SELECT
  i::SMALLINT AS id,
  ('00000000-0000-0000-0000-' || lpad(i::VARCHAR, 12, '0'))::UUID AS u,
  CASE WHEN i % 2 = 0 THEN 'calm' ELSE 'wild' END::mood AS m,
  ['a', 'b'][: i % 3] AS tags,
  {'x': i, 'y': 'q'} AS s,
  (i / 4)::DECIMAL(9, 2) AS price,
  i::HUGEINT AS huge,
  TIMESTAMP_MS '2020-01-01 00:00:00' AS at,
  'ab'::BLOB AS bytes,
  NULL::INTEGER AS nothing
FROM range(7) r(i);
"""


def make(folder, statements, name="data.duckdb"):
    """Run statements in a new database, and return its path."""
    with duckdb.connect(str(folder / name)) as connection:
        connection.execute(statements)
    return folder / name


def ask(path, query):
    """Return what a query finds."""
    with duckdb.connect(str(path), read_only=True) as connection:
        return connection.execute(query).fetchall()


def write_parts(file, folder, part_of_row, n_parts):
    """Write the parts and return their paths."""
    targets = [folder / f"part{part}.duckdb" for part in range(n_parts)]
    file.write_parts(targets, np.array(part_of_row, np.int32))
    return targets


def test_columns_are_read_with_their_types(tmp_path):
    """Lists, categories, numbers, any order of columns."""
    file = DuckDb(make(tmp_path, MANY_TYPES))
    assert file.columns == [
        "id", "u", "m", "tags", "s", "price", "huge", "at", "bytes", "nothing",
    ]  # fmt: skip
    found = read(file, ["tags", "id", "m"])
    assert found["tags"] == [["a", "b"][: i % 3] for i in range(7)]
    assert found["id"] == list(range(7))
    assert found["m"] == ["calm" if i % 2 == 0 else "wild" for i in range(7)]
    assert file.schema.field("id").type == pa.int16()


def test_what_is_written_has_the_same_rows_and_types(tmp_path):
    """In parts and with a column; in their order, and nothing else of the database."""
    path = make(tmp_path, MANY_TYPES + "CREATE TABLE other (a INT); CREATE INDEX i ON t (id)")
    file = DuckDb(path, f"{path}::t", "t")
    rows, types = ask(path, "FROM t"), ask(path, "DESCRIBE t")
    codes = [0, 1, 0, -1, 1, 0, 0]
    for part, target in enumerate(write_parts(file, tmp_path, codes, 2)):
        wanted = [row for row, code in zip(rows, codes, strict=True) if code == part]
        assert (ask(target, "FROM t"), ask(target, "DESCRIBE t")) == (wanted, types)
        assert [row[2] for row in ask(target, "SHOW ALL TABLES")] == ["t"]
    more = tmp_path / "more.duckdb"
    file.write_with_column(more, "part", ["x", "y"], np.array(codes, np.int32))
    names = {0: "x", 1: "y", -1: None}
    assert ask(more, "FROM t") == [
        (*row, names[code]) for row, code in zip(rows, codes, strict=True)
    ]
    assert [row[:2] for row in ask(more, "DESCRIBE t")] == [
        *(row[:2] for row in types),
        ("part", "VARCHAR"),
    ]


def test_rows_are_in_the_order_in_which_they_were_inserted(tmp_path):
    """Those of a large table too, which DuckDB would read in several threads."""
    path = make(
        tmp_path,
        "CREATE TABLE t AS SELECT (i * 7919) % 400000 AS id FROM range(400000) r(i);"
        "CREATE VIEW v AS SELECT id FROM t WHERE id % 2 = 0",
    )
    wanted = [at * 7919 % 400_000 for at in range(400_000)]
    assert read(DuckDb(path, None, "t"), ["id"]) == {"id": wanted}
    assert read(DuckDb(path, None, "v"), ["id"]) == {"id": [own for own in wanted if own % 2 == 0]}


def test_a_column_is_filled_in_its_type(tmp_path):
    """Categories that there are; others are refused."""
    path = make(tmp_path, MANY_TYPES)
    out = tmp_path / "out.duckdb"
    codes = np.array([-1, 0, -1, -1, -1, -1, 0], np.int32)
    DuckDb(path).fill_column(out, "m", ["calm"], codes)
    assert [row[0] for row in ask(out, "SELECT m FROM t")] == [
        "calm", "calm", "calm", "wild", "calm", "wild", "calm",
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"b\.duckdb: cannot be written as duckdb: .*new"):
        DuckDb(path).fill_column(tmp_path / "b.duckdb", "m", ["new"], codes)
    with pytest.raises(InputError, match=r"'nothing' is of type int32, which cannot hold train"):
        DuckDb(path).fill_column(tmp_path / "c.duckdb", "nothing", ["train"], codes)


def test_tables_of_other_schemas_have_its_name(tmp_path):
    """They are written into the schema main."""
    path = make(
        tmp_path,
        'CREATE SCHEMA sales; CREATE TABLE sales."my orders" (id INT); CREATE TABLE t (a INT);'
        'INSERT INTO sales."my orders" VALUES (3)',
    )
    with pytest.raises(InputError, match=r"holds 2 tables\. .*::t, .*::sales\.my orders\.$"):
        DuckDb(path)
    file = DuckDb(path, None, "sales.my orders")
    [target] = write_parts(file, tmp_path, [0], 1)
    assert ask(target, 'FROM "my orders"') == [(3,)]


def test_the_database_is_not_touched_and_nothing_is_beside_it(tmp_path):
    """Nor beside what is written."""
    path = write_duckdb(tmp_path / "data.duckdb")
    before = path.read_bytes()
    write_parts(DuckDb(path), tmp_path, [0] * N_ROWS, 1)
    assert path.read_bytes() == before
    assert sorted(own.name for own in tmp_path.iterdir()) == ["data.duckdb", "part0.duckdb"]


def test_a_new_column_has_a_new_name_whatever_its_case(tmp_path):
    """SQL does not tell them apart."""
    with pytest.raises(InputError, match="has a column 'PART' already"):
        DuckDb(make(tmp_path, "CREATE TABLE t (PART INT)")).check_new("part")


def overwrite(path):
    """Write over the middle of the file."""
    content = bytearray(path.read_bytes())
    content[8192:] = b"\xff" * (len(content) - 8192)
    path.write_bytes(content)


DAMAGE = {
    "cut off": (
        lambda path: path.write_bytes(path.read_bytes()[:9000]),
        "cannot be read as duckdb",
    ),
    "overwritten": (overwrite, "cannot be read as duckdb"),
    "empty": (lambda path: path.write_bytes(b""), "is not a DuckDB database"),
    "text": (lambda path: path.write_bytes(b"id,tags\n1,a\n" * 99), "is not a DuckDB database"),
    "its head alone": (lambda path: path.write_bytes(path.read_bytes()[:20]), "cannot be read as"),
    "another database": (
        lambda path: (path.unlink(), write_sqlite(path)),
        "is not a DuckDB database",
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_databases_are_refused_with_their_name(kind, tmp_path):
    """One message that asks whether the file is whole."""
    path = write_duckdb(tmp_path / "data.duckdb")
    damage, message = DAMAGE[kind]
    damage(path)
    with pytest.raises(InputError) as refused:
        list(DuckDb(path).read_batches(["genres"]))
    assert str(refused.value).startswith(f"{path}: {message}")
    assert "Is it whole" in str(refused.value)


def test_a_database_without_tables_is_refused(tmp_path):
    """Rows that are no longer there too."""
    with pytest.raises(InputError, match=r"holds no table to read"):
        DuckDb(make(tmp_path, "SELECT 1"))
    file = DuckDb(write_duckdb(tmp_path / "films.duckdb"))
    with pytest.raises(InputError, match=r"no longer holds the 3 rows"):
        write_parts(file, tmp_path, [0, 0, 0], 1)
    assert read(file, ["patient", "genres"]) == {"patient": PATIENT, "genres": GENRES}


def test_what_duckdb_cannot_hold_is_refused(tmp_path):
    """The message is DuckDB's."""
    with (
        pytest.raises(InputError, match=r"a\.duckdb: cannot be written as duckdb: "),
        open_database(duckdb, tmp_path / "a.duckdb", "t", {"a": "TINYINT"}) as writer,
    ):
        writer.write_table(pa.table({"a": [1000]}))


def test_a_view_cannot_read_other_files(tmp_path):
    """A database says nothing about files beside it."""
    duckdb = pytest.importorskip("duckdb")
    (tmp_path / "secret.csv").write_text("y\na\nb\n")
    with duckdb.connect(str(tmp_path / "a.duckdb")) as database:
        database.execute(f"CREATE VIEW v AS SELECT * FROM read_csv('{tmp_path}/secret.csv')")
    with pytest.raises(InputError, match=r"a.duckdb: cannot be read as duckdb: Permission Error"):
        list(DuckDb(tmp_path / "a.duckdb").read_batches(["y"]))

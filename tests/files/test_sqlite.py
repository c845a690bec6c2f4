"""SQLite: tables in the order of their rows, written as new databases with the same values."""

import sqlite3

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.files.codecs.sqlite_tables import SqlColumn, open_database
from evenfold.files.formats import sqlite as sqlite_module
from evenfold.files.formats.sqlite import Sqlite

from .made_files import write_duckdb, write_sqlite
from .text_files import read, small


def make(folder, *statements, name="data.sqlite"):
    """Run statements in a new database, and return its path."""
    connection = sqlite3.connect(folder / name)
    with connection:
        for statement in statements:
            connection.execute(statement)
    connection.close()
    return folder / name


def ask(path, query):
    """Return what a query finds."""
    connection = sqlite3.connect(path)
    found = connection.execute(query).fetchall()
    connection.close()
    return found


def write_parts(file, folder, part_of_row, n_parts):
    """Write the parts and return their paths."""
    targets = [folder / f"part{part}.sqlite" for part in range(n_parts)]
    file.write_parts(targets, np.array(part_of_row, np.int32))
    return targets


def test_columns_have_the_type_of_their_values(tmp_path):
    """Not that of the definition, which SQLite does not enforce; mixed with numbers, text."""
    path = make(
        tmp_path,
        "CREATE TABLE t (a, b REAL, c TEXT, d BLOB, e, f, g INT)",
        "INSERT INTO t VALUES (1, 0.5, 'x', x'00ff', 7, NULL, 1)",
        "INSERT INTO t VALUES (NULL, 2, NULL, NULL, 'y', NULL, 2.5)",
    )
    file = Sqlite(path)
    assert read(file, ["g", "a", "b", "c", "d", "e", "f"]) == {
        "g": [1.0, 2.5],
        "a": [1, None],
        "b": [0.5, 2.0],
        "c": ["x", None],
        "d": [b"\x00\xff", None],
        "e": ["7", "y"],
        "f": [None, None],
    }
    assert [file.find_type(column) for column in "abcf"] == [
        pa.int64(),
        pa.float64(),
        pa.string(),
        pa.string(),
    ]


values = st.one_of(
    st.none(),
    st.integers(-(2**63), 2**63 - 1),
    st.floats(allow_nan=False),
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=5),
    st.binary(max_size=5),
)


@small
@given(data=st.data())
def test_values_are_written_as_they_are(data, tmp_path_factory):
    """Numbers, text and bytes in one column, in parts and with a column."""
    folder = tmp_path_factory.mktemp("data")
    rows = data.draw(st.lists(st.tuples(values, values), max_size=6))
    codes = data.draw(st.lists(st.integers(-1, 1), min_size=len(rows), max_size=len(rows)))
    path = make(folder, 'CREATE TABLE "a ""b" ("x y", "select" INTEGER)')
    connection = sqlite3.connect(path)
    with connection:
        connection.executemany('INSERT INTO "a ""b" VALUES (?, ?)', rows)
    connection.close()
    file = Sqlite(path)
    kept = ask(path, 'SELECT *, typeof("x y"), typeof("select") FROM "a ""b"')
    for part, target in enumerate(write_parts(file, folder, codes, 2)):
        wanted = [row for row, code in zip(kept, codes, strict=True) if code == part]
        assert ask(target, 'SELECT *, typeof("x y"), typeof("select") FROM "a ""b"') == wanted
    more = folder / "more.sqlite"
    file.write_with_column(more, "part", ["p", "q"], np.array(codes, np.int32))
    names = {0: "p", 1: "q", -1: None}
    assert ask(more, 'SELECT * FROM "a ""b"') == [
        (*row[:2], names[code]) for row, code in zip(kept, codes, strict=True)
    ]


def test_what_is_written_has_the_same_definition(tmp_path):
    """Types, NOT NULL and the primary key; nothing else of the database."""
    path = make(
        tmp_path,
        "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR(9) NOT NULL, x, twice AS (2 * x))",
        "CREATE INDEX i ON t (name)",
        "INSERT INTO t (id, name, x) VALUES (5, 'a', 1), (2, 'b', 2)",
    )
    file = Sqlite(path)
    assert file.columns == ["id", "name", "x", "twice"]
    [target] = write_parts(file, tmp_path, [0, 0], 1)
    assert ask(target, "SELECT * FROM t") == [(2, "b", 2, 4), (5, "a", 1, 2)]
    assert [row[1:4] + row[5:] for row in ask(target, "PRAGMA table_info(t)")] == [
        ("id", "INTEGER", 0, 1),
        ("name", "VARCHAR(9)", 1, 0),
        ("x", "", 0, 0),
        ("twice", "", 0, 0),
    ]
    assert ask(target, "SELECT name FROM sqlite_master") == [("t",)]


@pytest.mark.parametrize(
    ("define", "names"),
    [
        ("CREATE TABLE t (k TEXT, n INT)", ["b", "a", "c"]),
        ("CREATE TABLE t (k TEXT, n INT, rowid TEXT)", ["b", "a", "c"]),
        ("CREATE TABLE t (k TEXT, n INT, rowid, _rowid_, oid)", ["b", "a", "c"]),
        ("CREATE TABLE t (k TEXT PRIMARY KEY, n INT) WITHOUT ROWID", ["a", "b", "c"]),
    ],
)
def test_rows_are_in_one_order_whatever_columns_are_read(define, names, tmp_path):
    """An index that has all columns that are asked for does not change it."""
    path = make(
        tmp_path,
        define,
        "CREATE INDEX i ON t (n)",
        "CREATE INDEX j ON t (k)",
        "INSERT INTO t (k, n) VALUES ('b', 3), ('a', 2), ('c', 1)",
    )
    file = Sqlite(path)
    number_of = {"a": 2, "b": 3, "c": 1}
    assert read(file, ["k"]) == {"k": names}
    assert read(file, ["n"]) == {"n": [number_of[name] for name in names]}
    assert [row[0] for rows in file.read_rows() for row in rows] == names


def test_views_are_tables(tmp_path):
    """They are written as one."""
    path = make(
        tmp_path,
        "CREATE TABLE t (id INT, tag TEXT)",
        "INSERT INTO t VALUES (1, 'a'), (2, 'b')",
        "CREATE VIEW v AS SELECT id * 10 AS ten, tag FROM t ORDER BY id DESC",
    )
    file = Sqlite(path, f"{path}::v", "v")
    assert read(file, ["tag"]) == {"tag": ["b", "a"]}
    [target] = write_parts(file, tmp_path, [0, -1], 1)
    assert ask(target, "SELECT * FROM v") == [(20, "b")]
    with pytest.raises(InputError, match=r"holds 2 tables\. Name one of them: .*::t, .*::v\."):
        Sqlite(path)


def test_a_column_is_filled_in_its_type(tmp_path):
    """Numbers stay numbers; a value that is none is refused."""
    path = make(
        tmp_path, "CREATE TABLE t (id, fold INT)", "INSERT INTO t VALUES (1, 0), (2, NULL), (3, 1)"
    )
    out = tmp_path / "out.sqlite"
    Sqlite(path).fill_column(out, "fold", ["0", "1"], np.array([-1, 1, -1], np.int32))
    assert ask(out, "SELECT * FROM t") == [(1, 0), (2, 1), (3, 1)]
    with pytest.raises(InputError, match=r"'fold' is of type int64, which cannot hold train"):
        Sqlite(path).fill_column(out, "fold", ["train"], np.zeros(3, np.int32))


def test_a_new_column_has_a_new_name_whatever_its_case(tmp_path):
    """SQL does not tell them apart."""
    file = Sqlite(make(tmp_path, "CREATE TABLE t (id, PART)"))
    with pytest.raises(InputError, match="has a column 'PART' already"):
        file.check_new("part")


@pytest.mark.parametrize("mode", ["delete", "wal"])
def test_the_database_is_not_touched(mode, tmp_path):
    """No file is made beside it, also if it keeps its changes in a log."""
    path = make(tmp_path, f"PRAGMA journal_mode = {mode}", "CREATE TABLE t (id)")
    before = path.read_bytes()
    assert list(Sqlite(path).read_rows()) == []
    assert path.read_bytes() == before
    assert [own.name for own in tmp_path.iterdir()] == ["data.sqlite"]


def test_rows_that_are_only_in_the_log_are_read(tmp_path):
    """Another program has the database open."""
    path = tmp_path / "data.sqlite"
    other = sqlite3.connect(path)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("CREATE TABLE t (id)")
    other.execute("INSERT INTO t VALUES (7)")
    other.commit()
    assert read(Sqlite(path), ["id"]) == {"id": [7]}
    other.close()


def test_few_rows_are_in_memory_together(tmp_path, monkeypatch):
    """However many the table has."""
    monkeypatch.setattr(sqlite_module, "_ROWS_AT_ONCE", 7)
    file = Sqlite(write_sqlite(tmp_path / "data.sqlite"))
    assert [batch.num_rows for batch in file.read_batches(["id"])] == [7] * 5 + [5]


def overwrite(path):
    """Write over the pages of the table."""
    content = bytearray(path.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    path.write_bytes(content)


DAMAGE = {
    "pages overwritten": overwrite,
    "text": lambda path: path.write_bytes(b"id,tags\n1,a\n" * 99),
    "the head alone": lambda path: path.write_bytes(path.read_bytes()[:50]),
    "another database": lambda path: (path.unlink(), write_duckdb(path)),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_databases_are_refused_with_their_name(kind, tmp_path):
    """When they are opened or read."""
    path = write_sqlite(tmp_path / "data.sqlite")
    DAMAGE[kind](path)
    with pytest.raises(InputError) as refused:
        list(Sqlite(path).read_rows())
    message = f"{path}: cannot be read as sqlite: "
    assert str(refused.value).startswith(message)
    assert str(refused.value).endswith("Is it whole, and an SQLite database?")


def test_a_database_that_is_cut_off_is_refused(tmp_path):
    """SQLite itself takes the missing bytes for empty rows."""
    path = write_sqlite(tmp_path / "data.sqlite")
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"is cut off: it has 5,000 of 8,192 bytes\. Copy it"):
        Sqlite(path)


def test_text_that_is_not_utf8_and_bytes_among_text_are_refused(tmp_path):
    """The message names the column, or what cannot be decoded."""
    path = make(
        tmp_path,
        "CREATE TABLE t (a, b)",
        "INSERT INTO t VALUES ('x', x'00'), (CAST(x'ff' AS TEXT), 'y')",
    )
    with pytest.raises(InputError, match=r"column 'b' holds blob and text values\. Let it hold"):
        list(Sqlite(path).read_batches(["b"]))
    with pytest.raises(InputError, match=r"cannot be read as sqlite: Could not decode to UTF-8"):
        list(Sqlite(path).read_batches(["a"]))


def test_a_database_without_tables_is_refused(tmp_path):
    """An empty file too."""
    (tmp_path / "empty.sqlite").write_bytes(b"")
    for path in (tmp_path / "empty.sqlite", make(tmp_path)):
        with pytest.raises(InputError, match=r"holds no table to read\. Check how it was"):
            Sqlite(path)
    with pytest.raises(InputError, match=r"no longer holds the 3 rows"):
        write_parts(Sqlite(make(tmp_path, "CREATE TABLE t (a)")), tmp_path, [0, 0, 0], 1)


def test_what_sqlite_cannot_hold_is_refused(tmp_path):
    """A number beyond 64 bits, and too many columns."""
    with (
        pytest.raises(InputError, match=r"a\.sqlite: cannot be written as sqlite: .*too large"),
        open_database(tmp_path / "a.sqlite", "t", [SqlColumn("a", "")]) as write,
    ):
        write([[2**64]])
    with (
        pytest.raises(InputError, match=r"cannot be written as sqlite: too many columns"),
        open_database(
            tmp_path / "b.sqlite", "t", [SqlColumn(f"c{at}", "") for at in range(40_000)]
        ),
    ):
        pass


def test_damage_that_sqlite_describes_in_other_bytes_is_named(tmp_path):
    """Its message shows the bytes of the file, which need not be text."""
    path = make(tmp_path, "CREATE TABLE t (a)")
    with sqlite3.connect(path) as connection:
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("UPDATE sqlite_master SET sql = CAST(x'43808180' AS TEXT)")
    connection.close()
    with pytest.raises(InputError, match=r"cannot be read as sqlite: .*\. Is it whole, and an SQL"):
        Sqlite(path)

"""SQLite: one table or view of a database."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar
from urllib.parse import quote

import pyarrow as pa

from ...exceptions import InputError
from ..codecs.sql_names import find_same_name, name_in_sql
from ..codecs.sqlite_tables import SqlColumn, open_database, read_columns
from ..damage import explain_damage
from ..memory import get_limit
from ..row_tables import Row, RowTable, WriteRows
from ..tables import choose_table

# The message of an error of SQLite may hold bytes of the file, which Python then cannot decode.
_DAMAGE = (sqlite3.Error, UnicodeDecodeError)
_ROWS_AT_ONCE = 1 << 14
_TABLES = """
SELECT name, type FROM sqlite_master
WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite#_%' ESCAPE '#'
ORDER BY rowid
"""
_SUFFIXES_OF_LOGS = ("-wal", "-journal")
# Names of the number of a row, unless a column has that name.
_ROW_NUMBERS = ("rowid", "_rowid_", "oid")
_TYPES = {
    frozenset({"blob"}): pa.binary(),
    frozenset({"integer"}): pa.int64(),
    frozenset({"real"}): pa.float64(),
    frozenset({"integer", "real"}): pa.float64(),
}


class Sqlite(RowTable):
    """A table or view of an SQLite database.

    Notes
    -----
    Rows are in the order in which the table stores them, which is that of their rowid or, without
    one, of the primary key. A column of text and numbers is
    read as text. Files written are new databases with one table of the same name, whose columns
    have the same types, NOT NULL and primary key; a view becomes a table. Indices, triggers, other
    constraints and other tables are left out.
    """

    format: ClassVar[str] = "sqlite"
    suffix: ClassVar[str] = ".sqlite"

    def __init__(self, path: Path, name: str | None = None, table: str | None = None) -> None:
        super().__init__(path, name)
        with self._connect() as connection:
            kind_of_table = dict(connection.execute(_TABLES))
            self._table = choose_table(self.name, table, list(kind_of_table), "table")
            self._definition = read_columns(connection, self._table)
            self.names = self.columns = [column.name for column in self._definition]
            is_view = kind_of_table[self._table] == "view"
            self._order = "" if is_view else self._find_order(connection)
            self._check_size(connection)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, in order, a bounded number of rows at a time."""
        types = [self.find_type(column) for column in columns]
        # Without an order, other columns may come in another one.
        read = list(columns if self._order else self.names)
        place_of = {column: place for place, column in enumerate(read)}
        places = [place_of[column] for column in columns]
        for rows in self._select(read):
            values = list(zip(*rows, strict=True))
            arrays = [
                _make_array(values[place], kind) for place, kind in zip(places, types, strict=True)
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    def read_rows(self) -> Iterator[Sequence[Row]]:
        """Yield all rows, many at a time."""
        return self._select(self.names)

    def find_type(self, column: str) -> pa.DataType:
        """Return the type in which a column is read; all its values are looked at."""
        with self._connect() as connection:
            query = f"SELECT DISTINCT typeof({name_in_sql(column)}) FROM {name_in_sql(self._table)}"
            kinds = frozenset(kind for (kind,) in connection.execute(query)) - {"null"}
        if len(kinds) > 1 and "blob" in kinds:
            raise InputError(
                f"{self.name}: column '{column}' holds {' and '.join(sorted(kinds))} values. "
                "Let it hold bytes alone or none."
            )
        return _TYPES.get(kinds, pa.string())

    def open_writer(self, target: Path, added: Sequence[str]) -> AbstractContextManager[WriteRows]:
        """Open a new database with the same table and new columns of text."""
        columns = [*self._definition, *(SqlColumn(column, "TEXT") for column in added)]
        return open_database(target, self._table, columns)

    def check_new(self, column: str) -> None:
        """Refuse a new column that is there already, whatever its case."""
        super().check_new(find_same_name(column, self.columns))

    def _find_order(self, connection: sqlite3.Connection) -> str:
        """Return the clause that sorts the rows of a table; empty if nothing tells them apart.

        An index that has all columns that are asked for would give them in its own order.
        """
        used = {name.lower() for name in self.names}
        keys = sorted((column.key, name_in_sql(column.name)) for column in self._definition)
        order = ", ".join(name for key, name in keys if key)
        for name in _ROW_NUMBERS:
            # A table WITHOUT ROWID has none.
            with suppress(sqlite3.OperationalError):
                if name not in used:
                    connection.execute(f"SELECT {name} FROM {name_in_sql(self._table)} LIMIT 0")
                    order = name
        return f" ORDER BY {order}" if order else ""

    def _select(self, columns: Sequence[str]) -> Iterator[list[Row]]:
        names = ", ".join(map(name_in_sql, columns))
        with self._connect() as connection:
            rows = connection.execute(
                f"SELECT {names} FROM {name_in_sql(self._table)}{self._order}"
            )
            while chunk := rows.fetchmany(_ROWS_AT_ONCE):
                yield chunk

    def _check_size(self, connection: sqlite3.Connection) -> None:
        """Refuse a file that is cut off; SQLite would read what is missing as empty."""
        query = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        [(n_bytes,)] = connection.execute(query)
        size = self.path.stat().st_size
        if size < n_bytes and not self._has_log():
            raise InputError(
                f"{self.name}: is cut off: it has {size:,} of {n_bytes:,} bytes. Copy it again."
            )

    def _has_log(self) -> bool:
        """Tell whether a file beside the database has changes that belong to it."""
        return any(
            self.path.with_name(self.path.name + suffix).exists() for suffix in _SUFFIXES_OF_LOGS
        )

    @contextmanager
    def _connect(self) -> Iterator[sqlite3.Connection]:
        """Open the database so that it is not changed, and no file is made beside it."""
        mode = "mode=ro" if self._has_log() else "immutable=1"
        statement = f"{self.name}: cannot be read as sqlite"
        place = f"file:{quote(str(self.path.absolute()))}?{mode}"
        with (
            explain_damage(statement, _DAMAGE, "Is it whole, and an SQLite database?"),
            # A thread that reads ahead takes the rows.
            closing(sqlite3.connect(place, uri=True, check_same_thread=False)) as connection,
        ):
            _limit_values(connection)
            yield connection


def _limit_values(connection: sqlite3.Connection) -> None:
    """Let SQLite refuse a value that is too large: a view can make one of any size."""
    most = get_limit()
    if most is not None:
        usual = connection.getlimit(sqlite3.SQLITE_LIMIT_LENGTH)
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, min(most, usual))


def _make_array(values: Sequence[Any], kind: pa.DataType) -> pa.Array:
    if kind == pa.string():
        return pa.array([None if value is None else str(value) for value in values], kind)
    if kind == pa.float64():
        return pa.array([None if value is None else float(value) for value in values], kind)
    return pa.array(values, kind)

"""Tables of SQLite databases: their columns, and new databases of one table."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from ..damage import explain_damage
from ..row_tables import Row, WriteRows
from .sql_names import name_in_sql

# Hidden columns of virtual tables; generated columns are 2 and 3.
_HIDDEN = 1


class SqlColumn(NamedTuple):
    """A column of a table.

    Attributes
    ----------
    name : str
        Its name.
    kind : str
        The type that its definition says, which may be any text or none.
    is_required : bool
        Whether it must not be null.
    key : int
        Its place in the primary key, from 1; 0 if it is not in it.
    """

    name: str
    kind: str
    is_required: bool = False
    key: int = 0


def read_columns(connection: sqlite3.Connection, table: str) -> list[SqlColumn]:
    """Return the columns of a table, in order."""
    found = connection.execute(f"PRAGMA table_xinfo({name_in_sql(table)})")
    return [
        SqlColumn(name, kind, bool(is_required), key)
        for _, name, kind, is_required, _, key, hidden in found
        if hidden != _HIDDEN
    ]


@contextmanager
def open_database(target: Path, table: str, columns: Sequence[SqlColumn]) -> Iterator[WriteRows]:
    """Open a new database with one empty table; give a function that writes rows into it."""
    statement, advice = f"{target.name}: cannot be written as sqlite", "Write another format."
    with (
        explain_damage(statement, (sqlite3.Error, OverflowError), advice),
        # Rows may be written in another thread than the one that opens the file.
        closing(sqlite3.connect(target, isolation_level=None, check_same_thread=False)) as database,
    ):
        # What is not written whole is removed, so there is nothing to go back to.
        database.execute("PRAGMA journal_mode = OFF")
        database.execute("PRAGMA synchronous = OFF")
        database.execute(_define_table(table, columns))
        database.execute("BEGIN")
        insert = f"INSERT INTO {name_in_sql(table)} VALUES ({', '.join('?' * len(columns))})"

        def write(rows: Iterable[Row]) -> None:
            database.executemany(insert, rows)

        yield write
        database.execute("COMMIT")


def _define_table(table: str, columns: Sequence[SqlColumn]) -> str:
    lines = [
        f"{name_in_sql(column.name)} {column.kind}{' NOT NULL' * column.is_required}".rstrip()
        for column in columns
    ]
    keys = sorted((column.key, column.name) for column in columns if column.key)
    if keys:
        lines.append(f"PRIMARY KEY ({', '.join(name_in_sql(name) for _, name in keys)})")
    return f"CREATE TABLE {name_in_sql(table)} ({', '.join(lines)})"

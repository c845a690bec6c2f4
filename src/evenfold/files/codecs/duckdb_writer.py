"""New DuckDB databases of one table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa

from ..damage import explain_damage
from .sql_names import name_in_sql


class DuckDbWriter:
    """Writes Arrow tables into a table of an open database.

    Parameters
    ----------
    connection : duckdb.DuckDBPyConnection
        The database.
    table : str
        The table, in SQL.
    """

    def __init__(self, connection: Any, table: str) -> None:
        self._connection, self._table = connection, table

    def write_table(self, rows: pa.Table) -> None:
        """Write rows after those that are there."""
        self._connection.register("rows_to_write", rows)
        self._connection.execute(f"INSERT INTO {self._table} SELECT * FROM rows_to_write")
        self._connection.unregister("rows_to_write")


@contextmanager
def open_database(
    duckdb: Any, target: Path, table: str, kind_of_column: Mapping[str, str]
) -> Iterator[DuckDbWriter]:
    """Open a new database with one empty table.

    Parameters
    ----------
    duckdb : module
        The package.
    target : Path
        The new file.
    table : str
        The name of the table.
    kind_of_column : mapping of str to str
        The type of each column, in SQL.

    Yields
    ------
    DuckDbWriter
        Writes rows into the table.
    """
    columns = ", ".join(f"{name_in_sql(name)} {kind}" for name, kind in kind_of_column.items())
    statement, advice = f"{target.name}: cannot be written as duckdb", "Write another format."
    with (
        explain_damage(statement, (duckdb.Error,), advice),
        closing(duckdb.connect(str(target), config={"threads": 1})) as connection,
    ):
        connection.execute(f"CREATE TABLE {name_in_sql(table)} ({columns})")
        yield DuckDbWriter(connection, name_in_sql(table))

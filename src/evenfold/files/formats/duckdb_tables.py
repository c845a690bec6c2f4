"""DuckDB: one table or view of a database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, ClassVar

import pyarrow as pa

from ...exceptions import InputError
from ..arrow_types import to_plain_types
from ..codecs.duckdb_writer import open_database
from ..codecs.sql_names import find_same_name, name_in_sql
from ..columnar import ColumnarFile
from ..content import begins_as
from ..damage import explain_damage
from ..extras import import_extra
from ..struct_fields import read_with_fields
from ..tables import choose_table

_ROWS_AT_ONCE = 65_536
_MAIN = "main"
_TABLES = """
SELECT table_schema, table_name FROM information_schema.tables
WHERE table_catalog = current_database() ORDER BY table_schema <> 'main', table_schema, table_name
"""
# With one thread, rows come in the same order each time, from views too.
# A view of a database could read other files, or fetch them.
_CONFIG = {"threads": 1, "enable_external_access": False}


class DuckDb(ColumnarFile):
    """A table or view of a DuckDB database.

    Notes
    -----
    Rows are in the order in which they were inserted. Tables outside of the schema main are named
    with theirs, `sales.orders`. Files written are new databases with one table of the same name,
    in the schema main, whose columns have the same types; a view becomes a table. Constraints,
    indices and other tables are left out.
    """

    format: ClassVar[str] = "duckdb"
    suffix: ClassVar[str] = ".duckdb"
    rows_at_once = _ROWS_AT_ONCE

    def __init__(self, path: Path, name: str | None = None, table: str | None = None) -> None:
        self._duckdb = import_extra("duckdb", str(path) if name is None else name, "duckdb")
        self.path, self._name = path, name
        with self._connect() as connection:
            found = connection.execute(_TABLES).fetchall()
            place_of = {
                own if schema == _MAIN else f"{schema}.{own}": (schema, own)
                for schema, own in found
            }
            self._place = place_of[choose_table(self.name, table, list(place_of), "table")]
            described = connection.execute(f"DESCRIBE {self._table_in_sql}").fetchall()
            schema = connection.sql(f"FROM {self._table_in_sql} LIMIT 0").to_arrow_reader().schema
        self._kind_of_column = {column: kind for column, kind, *_ in described}
        super().__init__(path, schema, name)

    @property
    def _table_in_sql(self) -> str:
        return ".".join(map(name_in_sql, self._place))

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, a bounded number of rows at a time."""
        return read_with_fields(self._select_plain, columns, self.columns, self.fields)

    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows with their types in Arrow."""
        return self._select(self.columns)

    def check_new(self, column: str) -> None:
        """Refuse a new column that is there already, whatever its case."""
        super().check_new(find_same_name(column, self.columns))

    @contextmanager
    def open_writer(self, target: Path, schema: pa.Schema) -> Iterator[Any]:
        """Open a new database with the same table; columns that are new are text."""
        kinds = {column: self._kind_of_column.get(column, "VARCHAR") for column in schema.names}
        with open_database(self._duckdb, target, self._place[1], kinds) as writer:
            yield writer

    def _select_plain(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        return map(to_plain_types, self._select(columns))

    def _select(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        names = ", ".join(map(name_in_sql, columns))
        with self._connect() as connection:
            query = connection.sql(f"SELECT {names} FROM {self._table_in_sql}")
            yield from query.to_arrow_reader(_ROWS_AT_ONCE)

    @contextmanager
    def _connect(self) -> Iterator[Any]:
        """Open the database so that it is not changed."""
        # DuckDB would open other files, such as csv, as tables.
        if not begins_as(self.path, self.format):
            raise InputError(
                f"{self.name}: is not a DuckDB database. Is it whole, and in the format its name "
                "says?"
            )
        errors = (self._duckdb.Error, pa.ArrowException)
        with (
            explain_damage(f"{self.name}: cannot be read as duckdb", errors, "Is it whole?"),
            closing(
                self._duckdb.connect(str(self.path), read_only=True, config=_CONFIG)
            ) as connection,
        ):
            yield connection

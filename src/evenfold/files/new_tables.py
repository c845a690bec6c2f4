"""New files of any tabular format, written from Arrow tables."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Protocol

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq

from .codecs.csv_lines import to_csv_lines
from .codecs.duckdb_writer import open_database as open_duckdb
from .codecs.excel_cells import open_sheet
from .codecs.flat_columns import holds_bytes, to_values
from .codecs.json_lists import open_array
from .codecs.sqlite_tables import SqlColumn
from .codecs.sqlite_tables import open_database as open_sqlite
from .compression import open_to_write
from .extras import import_extra
from .formats.arrow_ipc import IpcLayout, open_ipc_writer
from .row_tables import Row

# The name of the table or sheet in a new file.
_TABLE = "data"


class TableWriter(Protocol):
    """What writes Arrow tables into an open file."""

    def write_table(self, rows: pa.Table) -> object:
        """Write rows after those that are there."""


class _Writer:
    """Writes tables by a function."""

    def __init__(self, write: Callable[[pa.Table], object]) -> None:
        self.write_table = write


def check_can_write(format_name: str, name: str) -> None:
    """Refuse a format whose package is not installed; `name` is that of the new file."""
    for package in _PACKAGES.get(format_name, ()):
        import_extra(package, name, format_name if format_name == "duckdb" else "excel")


def open_new_table(
    format_name: str, target: Path, schema: pa.Schema
) -> AbstractContextManager[TableWriter]:
    """Open a new file in one of `WRITABLE`, with columns of these names and types."""
    return WRITABLE[format_name](target, schema)


@contextmanager
def _open_csv(target: Path, schema: pa.Schema, delimiter: str = ",") -> Iterator[TableWriter]:
    with open_to_write(target) as file:
        file.write(to_csv_lines([pa.array([name]) for name in schema.names], delimiter))

        def write(rows: pa.Table) -> None:
            for batch in rows.to_batches():
                file.write(to_csv_lines(batch.columns, delimiter))

        yield _Writer(write)


def _open_tsv(target: Path, schema: pa.Schema) -> AbstractContextManager[TableWriter]:
    return _open_csv(target, schema, "\t")


@contextmanager
def _open_json_lines(target: Path, schema: pa.Schema) -> Iterator[TableWriter]:
    encoder = msgspec.json.Encoder()
    with open_to_write(target) as file:
        yield _Writer(lambda rows: file.write(encoder.encode_lines(rows.to_pylist())))


@contextmanager
def _open_json(target: Path, schema: pa.Schema) -> Iterator[TableWriter]:
    encode = msgspec.json.Encoder().encode
    with open_array(target) as write:
        yield _Writer(lambda rows: write(map(encode, rows.to_pylist())))


@contextmanager
def _open_feather(target: Path, schema: pa.Schema) -> Iterator[TableWriter]:
    with open_ipc_writer(target, IpcLayout(schema, False, "lz4")) as writer:
        yield writer


@contextmanager
def _open_xlsx(target: Path, schema: pa.Schema) -> Iterator[TableWriter]:
    with open_sheet(target, _TABLE, schema.names) as write:
        yield _Writer(lambda rows: write(_to_rows(rows, with_times=True)))


@contextmanager
def _open_sqlite(target: Path, schema: pa.Schema) -> Iterator[TableWriter]:
    columns = [SqlColumn(field.name, _name_type_in_sqlite(field.type)) for field in schema]
    with open_sqlite(target, _TABLE, columns) as write:
        yield _Writer(lambda rows: write(_to_rows(rows, with_times=False)))


def _name_type_in_sqlite(kind: pa.DataType) -> str:
    if pa.types.is_integer(kind) or pa.types.is_boolean(kind):
        return "INTEGER"
    if pa.types.is_floating(kind) or pa.types.is_decimal(kind):
        return "REAL"
    return "BLOB" if holds_bytes(kind) else "TEXT"


def _to_rows(rows: pa.Table, *, with_times: bool) -> Iterator[Row]:
    columns = [to_values(column.combine_chunks(), with_times=with_times) for column in rows.columns]
    return zip(*columns, strict=True)


@contextmanager
def _open_duckdb(target: Path, schema: pa.Schema) -> Iterator[TableWriter]:
    duckdb = import_extra("duckdb", target.name, "duckdb")
    with duckdb.connect() as connection:
        connection.register("empty_rows", schema.empty_table())
        described = connection.execute("DESCRIBE empty_rows").fetchall()
    kinds = {name: kind for name, kind, *_ in described}
    with open_duckdb(duckdb, target, _TABLE, kinds) as writer:
        yield writer


WRITABLE: dict[str, Callable[[Path, pa.Schema], AbstractContextManager[TableWriter]]] = {
    "csv": _open_csv,
    "tsv": _open_tsv,
    "jsonl": _open_json_lines,
    "json": _open_json,
    "parquet": pq.ParquetWriter,
    "feather": _open_feather,
    "xlsx": _open_xlsx,
    "sqlite": _open_sqlite,
    "duckdb": _open_duckdb,
}
# Formats without lists and structs, which become JSON, and those that cannot hold bytes.
FLAT = ("csv", "tsv", "xlsx", "sqlite")
WITHOUT_BYTES = ("csv", "tsv", "jsonl", "json", "xlsx")
_PACKAGES = {"xlsx": ("xlsxwriter",), "duckdb": ("duckdb",)}

"""Arrow files, feather among them: the IPC file format and the IPC stream format."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import pyarrow as pa

from ...exceptions import InputError
from ..arrow_types import to_plain_types
from ..codecs.ipc_messages import count_expanded, find_blocks, read_codec
from ..columnar import ColumnarFile
from ..damage import explain_arrow_damage
from ..memory import check_memory
from ..struct_fields import read_with_fields

_MAGIC = b"ARROW1"
_MAGIC_OF_FEATHER_1 = b"FEA1"
# Some writers write the whole file as one batch; slices of it bound the memory.
_MAX_ROWS = 65_536


class IpcLayout(NamedTuple):
    """How an Arrow file is written.

    Attributes
    ----------
    schema : pa.Schema
        The schema of its rows.
    is_stream : bool
        Whether it is in the stream format, not the file format.
    codec : str or None
        How batches are compressed.
    """

    schema: pa.Schema
    is_stream: bool
    codec: str | None


class ArrowFile(ColumnarFile):
    """An Arrow IPC file or stream; its parts are of the same kind, compressed in the same way."""

    format: ClassVar[str] = "feather"
    suffix: ClassVar[str] = ".feather"

    def __init__(self, path: Path, name: str | None = None) -> None:
        self._layout = read_layout(path, name or str(path))
        super().__init__(path, self._layout.schema, name)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns, a bounded number of rows at a time."""

        def read(names: Sequence[str]) -> Iterator[pa.RecordBatch]:
            return map(to_plain_types, read_ipc(self.path, self.name, self._layout, names))

        return read_with_fields(read, columns, self.columns, self.fields)

    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows with the types they have in the file."""
        return read_ipc(self.path, self.name, self._layout, self.columns)

    @contextmanager
    def open_writer(self, target: Path, schema: pa.Schema) -> Iterator[Any]:
        """Open a new Arrow file of the same layout."""
        with open_ipc_writer(target, self._layout._replace(schema=schema)) as writer:
            yield writer


def read_layout(path: Path, name: str) -> IpcLayout:
    """Read how an Arrow file, called `name` in messages, is written."""
    with explain_arrow_damage(name), pa.memory_map(str(path)) as source:
        magic = source.read(len(_MAGIC))
        if magic.startswith(_MAGIC_OF_FEATHER_1):
            raise InputError(
                f"{name}: is in Feather version 1, which Arrow no longer reads. "
                "Write it again, as version 2 or as parquet."
            )
        is_stream = magic != _MAGIC
        source.seek(0)
        reader = (pa.ipc.open_stream if is_stream else pa.ipc.open_file)(source)
        batches = (
            message.metadata.to_pybytes()
            for message in _list_messages(source, is_stream)
            if message.type == "record batch"
        )
        message = next(batches, None)
        return IpcLayout(reader.schema, is_stream, read_codec(message) if message else None)


def read_ipc(
    path: Path, name: str, layout: IpcLayout, columns: Sequence[str]
) -> Iterator[pa.RecordBatch]:
    """Yield columns of an Arrow file, called `name` in messages, a few rows at a time."""
    options = pa.ipc.IpcReadOptions(
        included_fields=[layout.schema.get_field_index(column) for column in columns]
    )
    n_read = 0
    with explain_arrow_damage(name), pa.memory_map(str(path)) as source:
        _check_expanded(source, layout.is_stream, name)
        batches = _read_stream(source, options) if layout.is_stream else _read_file(source, options)
        while True:
            with explain_arrow_damage(name, f"cannot be read after row {n_read}"):
                batch = next(batches, None)
                if batch is None:
                    return
                # Arrow does not check the offsets in a file, and wrong ones would end the process.
                batch.validate(full=True)
            for at in range(0, batch.num_rows, _MAX_ROWS):
                yield batch.slice(at, _MAX_ROWS).select(columns)
            n_read += batch.num_rows


def _read_stream(source: pa.NativeFile, options: pa.ipc.IpcReadOptions) -> Iterator[pa.RecordBatch]:
    yield from pa.ipc.open_stream(source, options=options)


def _read_file(source: pa.NativeFile, options: pa.ipc.IpcReadOptions) -> Iterator[pa.RecordBatch]:
    reader = pa.ipc.open_file(source, options=options)
    for at in range(reader.num_record_batches):
        yield reader.get_batch(at)


@contextmanager
def open_ipc_writer(target: Path, layout: IpcLayout) -> Iterator[Any]:
    """Open an Arrow file of this layout for writing."""
    make = pa.ipc.new_stream if layout.is_stream else pa.ipc.new_file
    options = pa.ipc.IpcWriteOptions(compression=layout.codec)
    with pa.OSFile(str(target), "wb") as sink, make(sink, layout.schema, options=options) as writer:
        yield writer


def _list_messages(source: pa.NativeFile, is_stream: bool) -> Iterator[pa.Message]:
    """Yield the messages that hold dictionaries and batches; nothing of them is decompressed."""
    if is_stream:
        source.seek(0)
        yield from pa.ipc.MessageReader.open_stream(source)
        return
    for place in list(find_blocks(source)):
        source.seek(place)
        yield pa.ipc.read_message(source)


def _check_expanded(source: pa.NativeFile, is_stream: bool, name: str) -> None:
    """Refuse compressed batches that are too large, before one is decompressed."""
    most = 0
    # Damage is left to the reader, which says where it is.
    with suppress(pa.ArrowException, OSError, EOFError, struct.error, IndexError):
        for message in _list_messages(source, is_stream):
            most = max(most, count_expanded(message))
    check_memory(name, most, "rows that are compressed together")
    source.seek(0)

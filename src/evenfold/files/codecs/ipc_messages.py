"""Messages of the Arrow IPC format, as far as pyarrow has no function to look into them."""

from __future__ import annotations

import struct
from collections.abc import Iterator

import pyarrow as pa

_MAGIC_BYTES = 6
_CODECS = {0: "lz4", 1: "zstd"}
# Numbers of fields in Arrow's Message.fbs and File.fbs: Footer.dictionaries, Footer.recordBatches,
# Message.header, RecordBatch.buffers, RecordBatch.compression, BodyCompression.codec and
# DictionaryBatch.data.
_DICTIONARIES, _RECORD_BATCHES, _HEADER, _BUFFERS, _COMPRESSION, _CODEC, _DATA = 2, 3, 2, 2, 3, 0, 1
_BYTES_OF_BLOCK = 24
_BYTES_OF_BUFFER = 16
_DICTIONARY, _RECORD_BATCH = "dictionary", "record batch"


def find_blocks(source: pa.NativeFile) -> Iterator[int]:
    """Yield where the messages of a file begin that hold dictionaries and batches."""
    size_at = source.size() - _MAGIC_BYTES - 4
    source.seek(size_at)
    (size,) = struct.unpack("<I", source.read(4))
    source.seek(size_at - size)
    footer = source.read(size)
    for kind in (_DICTIONARIES, _RECORD_BATCHES):
        blocks = _find_vector(footer, _follow(footer, 0), kind)
        n_blocks = struct.unpack_from("<I", footer, blocks)[0] if blocks else 0
        for number in range(n_blocks):
            yield struct.unpack_from("<q", footer, blocks + 4 + _BYTES_OF_BLOCK * number)[0]


def read_codec(message: bytes) -> str | None:
    """Return how a batch is compressed."""
    compression = _find_compression(message, _find_header(message))
    if not compression:
        return None
    codec = _find_field(message, compression, _CODEC)
    return _CODECS.get(message[codec] if codec else 0)


def count_expanded(message: pa.Message) -> int:
    """Return how many bytes the buffers of a batch or dictionary take once they are decompressed.

    It is 0 where nothing is compressed: such buffers are read from the file in place.
    """
    if message.type not in (_DICTIONARY, _RECORD_BATCH):
        return 0
    metadata = message.metadata.to_pybytes()
    batch = _find_header(metadata)
    if message.type == _DICTIONARY:
        batch = _follow(metadata, _find_field(metadata, batch, _DATA))
    buffers = _find_vector(metadata, batch, _BUFFERS)
    if not buffers or not _find_compression(metadata, batch):
        return 0
    total = 0
    (n_buffers,) = struct.unpack_from("<I", metadata, buffers)
    for number in range(n_buffers):
        offset, length = struct.unpack_from(
            "<qq", metadata, buffers + 4 + _BYTES_OF_BUFFER * number
        )
        if length >= 8:
            # Each compressed buffer begins with its length; -1: it is as it is.
            (expanded,) = struct.unpack("<q", message.body[offset : offset + 8].to_pybytes())
            total += max(expanded, 0)
    return total


def _find_header(message: bytes) -> int:
    return _follow(message, _find_field(message, _follow(message, 0), _HEADER))


def _find_compression(message: bytes, batch: int) -> int:
    """Return where the table begins that says how a batch is compressed, 0 without one."""
    at = _find_field(message, batch, _COMPRESSION)
    return _follow(message, at) if at else 0


def _find_vector(buffer: bytes, table: int, number: int) -> int:
    """Return where a vector of a table begins, 0 where it is left out."""
    at = _find_field(buffer, table, number)
    return _follow(buffer, at) if at else 0


def _follow(buffer: bytes, at: int) -> int:
    """Return the position that the offset at a position of a flatbuffer points to."""
    return at + int(struct.unpack_from("<I", buffer, at)[0])


def _find_field(buffer: bytes, table: int, number: int) -> int:
    """Return the position of a field of a flatbuffer table, 0 where it is left out."""
    vtable = table - struct.unpack_from("<i", buffer, table)[0]
    (size,) = struct.unpack_from("<H", buffer, vtable)
    slot = 4 + 2 * number
    (offset,) = struct.unpack_from("<H", buffer, vtable + slot) if slot < size else (0,)
    return table + offset if offset else 0

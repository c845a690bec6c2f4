"""Text files compressed with gzip or zstd, read and written as streams."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, NamedTuple, cast

from ..exceptions import InputError
from .damage import explain_damage

# A tenth of the time of level 9 and a fifth of that of level 6, for files a fifth larger. Arrow
# writes level 9 and has no choice.
_GZIP_LEVEL = 1


class Codec(NamedTuple):
    """How a file is compressed.

    Attributes
    ----------
    name : str
        What Arrow and messages call it.
    suffix : str
        The last suffix of its files.
    magic : bytes
        What its files begin with. No text in UTF-8 does.
    """

    name: str
    suffix: str
    magic: bytes


CODECS = (Codec("gzip", ".gz", b"\x1f\x8b"), Codec("zstd", ".zst", b"\x28\xb5\x2f\xfd"))
MAGIC_BYTES = max(len(codec.magic) for codec in CODECS)


def find_codec(path: Path) -> Codec | None:
    """Return how a file is compressed by its name, None if it is not."""
    suffix = path.suffix.lower()
    return next((codec for codec in CODECS if codec.suffix == suffix), None)


def find_codec_of_content(start: bytes) -> Codec | None:
    """Return how a file that begins so is compressed, None if it is not."""
    return next((codec for codec in CODECS if start.startswith(codec.magic)), None)


def without_codec(path: Path) -> Path:
    """Return the path without the suffix of a codec: data.csv for data.csv.gz."""
    return path.with_suffix("") if find_codec(path) else path


def find_suffix(path: Path) -> str:
    """Return the suffix of a path with that of a codec: .csv.gz for data.csv.gz."""
    plain = without_codec(path)
    return plain.suffix + path.name.removeprefix(plain.name)


def check_codec(path: Path, name: str) -> None:
    """Refuse a file, called `name` in messages, that is not compressed as its name says."""
    with path.open("rb") as file:
        start = file.read(MAGIC_BYTES)
    by_name, by_content = find_codec(path), find_codec_of_content(start)
    if by_name == by_content or not start:
        return
    if by_content is None:
        assert by_name is not None
        raise InputError(
            f"{name}: is not compressed with {by_name.name}, as its name says. "
            f"Rename it without {by_name.suffix!r}."
        )
    raise InputError(
        f"{name}: is compressed with {by_content.name}, and its name does not say so. "
        f"Let it end in {by_content.suffix!r}."
    )


@contextmanager
def open_to_read(path: Path, name: str) -> Iterator[BinaryIO]:
    """Open a file, called `name` in messages, that may be compressed; its name says how.

    What is read is the text. It can be read forwards only.
    """
    codec = find_codec(path)
    if codec is None:
        with path.open("rb") as plain:
            yield plain
        return
    import pyarrow as pa

    advice = "Is it whole? Copy or compress it again."
    with (
        explain_damage(f"{name}: cannot be decompressed with {codec.name}", (OSError,), advice),
        pa.OSFile(str(path), "rb") as file,
        pa.CompressedInputStream(file, codec.name) as text,
    ):
        yield cast(BinaryIO, text)


@contextmanager
def open_to_write(target: Path) -> Iterator[BinaryIO]:
    """Open a new file, compressed if its name says so."""
    codec = find_codec(target)
    if codec is None:
        with target.open("wb") as plain:
            yield plain
    elif codec.name == "gzip":
        # Without a name and a time in its head, the same text gives the same bytes.
        with target.open("wb") as file, gzip.GzipFile("", "wb", _GZIP_LEVEL, file, 0) as zipped:
            yield cast(BinaryIO, zipped)
    else:
        import pyarrow as pa

        with (
            pa.OSFile(str(target), "wb") as sink,
            pa.CompressedOutputStream(sink, codec.name) as compressed,
        ):
            yield cast(BinaryIO, compressed)

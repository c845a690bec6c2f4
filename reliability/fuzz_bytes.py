"""Mutations of files: of bytes, of lines and cells of text, of JSON, of what archives hold."""

from __future__ import annotations

import gzip
import io
import json
import re
import warnings
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .fuzz_tokens import NUMBERS, TOKENS, VALUES, WORDS

Mutation = Callable[[bytes, Sequence[bytes], np.random.Generator], bytes]

MOST_BYTES = 1 << 18
_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_CELL = re.compile(rb"[^\s,;|:\"'{}\[\]<>=]+")


def mutate(content: bytes, suffix: str, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """Return a changed copy of a file.

    Parameters
    ----------
    content : bytes
        The file.
    suffix : str
        The suffix of its name, which says what it holds.
    others : sequence of bytes
        Other files, which pieces are taken from.
    rng : numpy.random.Generator
        The random numbers.

    Returns
    -------
    bytes
        The changed file, of at most `MOST_BYTES` more than before.
    """
    structured = _STRUCTURED.get(suffix)
    if structured is not None and rng.random() < (0.3 if suffix in _COLUMNAR else 0.7):
        try:
            return structured(content, others, rng)
        except (ValueError, RecursionError, zipfile.BadZipFile, OSError, EOFError, ImportError):
            pass
    is_text = b"\0" not in content[:1000] and suffix not in _BINARY
    most = len(content) + MOST_BYTES
    for _ in range(int(rng.choice((1, 1, 1, 2, 4, 16)))):
        kinds = _OF_TEXT if is_text and rng.random() < 0.75 else _OF_BYTES
        content = _pick(kinds, rng)(content, others, rng)[:most]
    return content


def _pick(values: Sequence[Any], rng: np.random.Generator) -> Any:
    return values[int(rng.integers(len(values)))]


def _place(content: bytes, rng: np.random.Generator) -> int:
    """Return a position, often near one of the ends, where headers and directories are."""
    kind, size = rng.random(), len(content)
    near = min(size, int(_pick((16, 64, 400, 2000), rng)))
    if kind < 0.25:
        return int(rng.integers(near + 1))
    if kind < 0.6:
        return size - int(rng.integers(near + 1))
    return int(rng.integers(size + 1))


def _range(content: bytes, rng: np.random.Generator, most: int = 4096) -> slice:
    start = _place(content, rng)
    return slice(start, start + 1 + int(rng.integers(_pick((1, 8, 64, most), rng))))


def _flip_bit(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    if not content:
        return b"\0"
    changed, at = bytearray(content), min(_place(content, rng), len(content) - 1)
    changed[at] ^= 1 << int(rng.integers(8))
    return bytes(changed)


def _set_bytes(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    place = _range(content, rng, 64)
    return content[: place.start] + rng.bytes(len(content[place])) + content[place.stop :]


def _set_word(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """Replace bytes by a number that a size or an offset may have."""
    at, width = _place(content, rng), int(_pick((1, 2, 4, 8), rng))
    word = int(_pick(WORDS, rng)) % (1 << 8 * width)
    order = "little" if rng.random() < 0.8 else "big"
    return content[:at] + word.to_bytes(width, order) + content[at + width :]


def _truncate(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    at = _place(content, rng)
    return content[:at] if rng.random() < 0.8 else content[at:]


def _remove(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    place = _range(content, rng)
    return content[: place.start] + content[place.stop :]


def _repeat(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    place = _range(content, rng)
    times = min(int(_pick((1, 2, 10, 1000), rng)), MOST_BYTES // max(1, len(content[place])))
    return content[: place.stop] + content[place] * times + content[place.stop :]


def _insert(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    at = _place(content, rng)
    return content[:at] + _pick(TOKENS, rng) + content[at:]


def _splice(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    other = _pick(others, rng) if others else content
    at, place = _place(content, rng), _range(other, rng, 1 << 16)
    if rng.random() < 0.5:
        return content[:at] + other[place.start :]
    return content[:at] + other[place] + content[at:]


def _zero(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    place = _range(content, rng)
    return content[: place.start] + b"\0" * len(content[place]) + content[place.stop :]


def _replace_found(pattern: re.Pattern[bytes], tokens: Sequence[bytes]) -> Mutation:
    def replace(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
        found = list(pattern.finditer(content))
        if not found:
            return _insert(content, others, rng)
        # The first ones are names of columns and heads.
        at = rng.integers(len(found)) if rng.random() < 0.7 else rng.integers(min(20, len(found)))
        match = found[int(at)]
        return content[: match.start()] + _pick(tokens, rng) + content[match.end() :]

    return replace


def _swap_cells(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    found = list(_CELL.finditer(content))
    if len(found) < 2:
        return content
    first, second = (found[at] for at in sorted(rng.choice(len(found), 2, replace=False)))
    return b"".join(
        (
            content[: first.start()],
            second[0],
            content[first.end() : second.start()],
            first[0],
            content[second.end() :],
        )
    )


def _change_lines(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    lines = content.splitlines(keepends=True) or [b""]
    at, other = (int(rng.integers(len(lines))) for _ in range(2))
    kind = int(rng.integers(5))
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines[at], lines[other] = lines[other], lines[at]
    elif kind == 2:
        lines.insert(other, lines[at])
    elif kind == 3:
        lines[at] = lines[at].rstrip(b"\r\n") * int(_pick((2, 50, 500), rng)) + b"\n"
    else:
        lines.insert(at, _pick(TOKENS, rng) + b"\n")
    return b"".join(lines)


def _change_all(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """Change what the whole file has in common: its ends of lines, delimiters or encoding."""
    kind = int(rng.integers(6))
    if kind == 0:
        return content.replace(b"\n", bytes(_pick((b"\r\n", b"\r", b"", b"\n\n"), rng)))
    if kind == 1:
        return b"\xef\xbb\xbf" + content
    if kind == 2:
        encoding = str(_pick(("utf-16", "utf-16-le", "utf-32", "latin-1", "cp500"), rng))
        return content.decode("utf-8", "replace").encode(encoding, "replace")
    found = _CELL.findall(content)
    if not found:
        return content
    one = _pick(found, rng)
    token = _pick(TOKENS, rng) if kind < 5 else _pick(found, rng)
    return content.replace(one, token, MOST_BYTES // max(1, len(token)))


def _mutate_json(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """Change values of a JSON file, or of one line of several; names may be doubled."""
    lines = content.splitlines()
    by_line = len(lines) > 1 and lines[0].strip()[-1:] == b"}"
    at = int(rng.integers(len(lines))) if by_line else 0
    tree = json.loads(lines[at] if by_line else content)
    for _ in range(int(_pick((1, 1, 2, 5), rng))):
        tree = _change_node(tree, rng)
    text = json.dumps(tree, ensure_ascii=bool(rng.random() < 0.9)).encode("utf-8", "surrogatepass")
    if not by_line:
        return text
    lines[at] = text
    return b"\n".join(lines) + b"\n"


def _change_node(tree: Any, rng: np.random.Generator) -> Any:
    """Return JSON with one of its values changed, those near the root as often as all others."""
    if not isinstance(tree, dict | list) or not tree or rng.random() < 0.08:
        return tree if rng.random() < 0.3 and isinstance(tree, dict) else _new_value(tree, rng)
    keys = list(tree) if isinstance(tree, dict) else list(range(len(tree)))
    key = _pick(keys, rng)
    kind = rng.random()
    if kind < 0.55:
        tree[key] = _change_node(tree[key], rng)
    elif kind < 0.8:
        tree[key] = _new_value(tree[key], rng)
    elif kind < 0.9:
        del tree[key]
    elif isinstance(tree, list):
        tree += [tree[key]] * int(_pick((1, 2, 100), rng))
    else:
        tree[str(_pick(("", "id", "a", "\ud800", str(key).upper(), f" {key}"), rng))] = tree[key]
    return tree


def _new_value(old: Any, rng: np.random.Generator) -> Any:
    kind = rng.random()
    if kind < 0.1:
        return [old]
    if kind < 0.15:
        return {"a": old}
    if kind < 0.2:
        return str(old)
    if kind < 0.25:
        for _ in range(int(_pick((10, 100, 500), rng))):
            old = [old]
        return old
    return _pick(VALUES, rng)


def _mutate_zip(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """Change, remove, rename or double members of an archive, whose checksums are then right."""
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = [(info, archive.read(info)) for info in archive.infolist()]
    at = int(rng.integers(len(members)))
    info, own = members[at]
    kind = rng.random()
    if kind < 0.75:
        inner = [other for _, other in members]
        own = mutate(own, f".{info.filename.rpartition('.')[2]}", inner, rng)
        members[at] = (info, own)
    elif kind < 0.85:
        del members[at]
    elif kind < 0.95:
        info.filename = str(_pick(("../x.npy", ".npy", "y.npy", "a.txt", "data.npy", "é.npy"), rng))
    else:
        members.append(members[at])
    file = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(file, "w") as archive:
        warnings.simplefilter("ignore")
        for own_info, own in members:
            archive.writestr(own_info.filename, own, own_info.compress_type)
    return file.getvalue()


def _mutate_npy(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """Write another header: type, order and shape."""
    length = int.from_bytes(content[8:10], "little")
    head = content[10 : 10 + length]
    kinds = ("<f8", "|O", "<U5", "<i1", "|S3", ">i8", "<M8[s]", "|V8", "<c16", "<f2", "|b1", "<U0")
    kind = rng.random()
    if kind < 0.4:
        head = re.sub(rb"'descr': '[^']*'", b"'descr': '%s'" % _pick(kinds, rng).encode(), head)
    elif kind < 0.8:
        shapes = (
            "()", "(0,)", "(1,)", "(-1, 3)", "(2**40,)", "(40, 5)", "(5, 40)", "(40, 0)", "(40,)",
            "(1, 1, 1)", "(4611686018427387904, 3)", "(True, 2)", "'ab'", "(39,)",
        )  # fmt: skip
        head = re.sub(rb"'shape': \([^)]*\)", b"'shape': " + _pick(shapes, rng).encode(), head)
    else:
        head = _pick(_OF_TEXT, rng)(head, others, rng)
    head = head[:60_000]
    return content[:8] + len(head).to_bytes(2, "little") + head + content[10 + length :]


def _mutate_gzip(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    inner = mutate(gzip.decompress(content), "", [], rng)
    if rng.random() < 0.1:
        return gzip.compress(inner, mtime=0) + gzip.compress(inner, mtime=0)
    return gzip.compress(inner, mtime=0)


def _mutate_zstd(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    import pyarrow as pa

    with pa.CompressedInputStream(pa.BufferReader(content), "zstd") as stream:
        inner = mutate(stream.read(), "", [], rng)
    packed = pa.BufferOutputStream()
    with pa.CompressedOutputStream(packed, "zstd") as stream:
        stream.write(inner)
    return packed.getvalue().to_pybytes()


def _mutate_arrow(content: bytes, others: Sequence[bytes], rng: np.random.Generator) -> bytes:
    """Change the metadata of a table, or the type of a column, and write it again."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    is_parquet, is_file = content[:4] == b"PAR1", content[:6] == b"ARROW1"
    source = pa.BufferReader(content)
    if is_parquet:
        table = pq.read_table(source)
    else:
        table = (pa.ipc.open_file if is_file else pa.ipc.open_stream)(source).read_all()
    metadata = dict(table.schema.metadata or {})
    if metadata and rng.random() < 0.5:
        key = _pick(list(metadata), rng)
        kept = metadata[key]
        metadata[key] = mutate(kept, ".json" if kept[:1] == b"{" else ".txt", [], rng)
    else:
        keys = (
            b"huggingface", b"org.apache.spark.sql.parquet.row.metadata", b"ARROW:schema",
            b"pandas", b"part",
        )  # fmt: skip
        values = (
            b"{}", b"[]", b"null", b"1", b"\xff", b'{"info": []}', b'{"info": {"features": [1]}}',
            b'{"type": "struct", "fields": [{}]}', b'{"fields": {"name": 1}}', b"{" * 999,
        )  # fmt: skip
        metadata[_pick(keys, rng)] = _pick(values, rng)
    if rng.random() < 0.5:
        at = int(rng.integers(table.num_columns))
        kinds = (
            pa.null(), pa.int8(), pa.binary(3), pa.list_(pa.null()), pa.struct([]),
            pa.month_day_nano_interval(), pa.dictionary(pa.int8(), pa.int8()), pa.time32("s"),
            pa.decimal256(70, 9),
        )  # fmt: skip
        column = pa.nulls(table.num_rows, _pick(kinds, rng))
        name = str(_pick((table.column_names[at], "", "genres", "\0", "a" * 400), rng))
        table = table.set_column(at, name, column)
    table = table.replace_schema_metadata(metadata)
    sink = pa.BufferOutputStream()
    try:
        if is_parquet:
            pq.write_table(table, sink)
        else:
            with (pa.ipc.new_file if is_file else pa.ipc.new_stream)(sink, table.schema) as writer:
                writer.write_table(table)
    except (pa.ArrowException, OSError) as error:
        raise ValueError("not a table that can be written") from error
    return sink.getvalue().to_pybytes()


def read_others(paths: Sequence[Path]) -> list[bytes]:
    """Return the content of files that pieces may be taken from."""
    return [path.read_bytes()[:MOST_BYTES] for path in paths]


_OF_BYTES = (
    _flip_bit, _flip_bit, _set_bytes, _set_word, _set_word, _truncate, _remove, _repeat, _insert,
    _splice, _zero,
)  # fmt: skip
_OF_TEXT = (
    _replace_found(_NUMBER, NUMBERS),
    _replace_found(_CELL, TOKENS),
    _replace_found(_CELL, TOKENS),
    _swap_cells,
    _change_lines,
    _change_all,
    _insert,
)
_STRUCTURED: dict[str, Mutation] = {
    ".json": _mutate_json,
    ".jsonl": _mutate_json,
    ".npz": _mutate_zip,
    ".xlsx": _mutate_zip,
    ".npy": _mutate_npy,
    ".parquet": _mutate_arrow,
    ".feather": _mutate_arrow,
    ".arrow": _mutate_arrow,
    ".gz": _mutate_gzip,
    ".zst": _mutate_zstd,
}
_COLUMNAR = {".parquet", ".feather", ".arrow"}
_BINARY = {
    ".npz", ".xlsx", ".npy", ".gz", ".zst", ".parquet", ".feather", ".arrow", ".sqlite", ".duckdb",
    ".jpg", ".png",
}  # fmt: skip

"""Formats that share a suffix, told apart by what a file begins with."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

from .codecs.python_json import find_members

# A line of JSON that is longer is taken for a whole file.
_START_BYTES = 1 << 20
_LISTS_OF_TASKS = {"annotations", "completions"}
# Other records have one of them, seldom both.
_KEYS_OF_JSON_MIN = {"annotation_id", "lead_time"}
_KEY = re.compile(r'[{,\s]*"(\w+)"')


def tell_apart(path: Path, formats: Sequence[str]) -> str:
    """Return which of the formats a file is in, the first one if its content is of none."""
    start = _read_start(path)
    return next((name for name in formats if _BEGINS_AS[name](start)), formats[0])


def begins_as(path: Path, format_name: str) -> bool:
    """Tell whether a file begins as those of a format do."""
    return _BEGINS_AS[format_name](_read_start(path))


def _read_start(path: Path) -> bytes:
    if not path.is_file():
        return b""
    with path.open("rb") as file:
        return file.read(_START_BYTES)


def _is_sqlite(start: bytes) -> bool:
    return start.startswith(b"SQLite format 3\0")


def _is_duckdb(start: bytes) -> bool:
    return start[8:12] == b"DUCK"


def _is_json_array(start: bytes) -> bool:
    return _strip(start).startswith(b"[")


def _is_label_studio(start: bytes) -> bool:
    """Tell whether the first object of a list is a task with annotations, or of JSON-MIN."""
    text = _strip(start).decode(errors="replace")
    first = text.removeprefix("[").lstrip()
    if not text.startswith("[") or not first.startswith("{"):
        return False
    keys, after, is_whole = set(), 0, True
    try:
        for key, _, end in find_members(first):
            keys.add(key)
            after = end
    except (ValueError, IndexError, RecursionError):
        is_whole = False
        cut_off = _KEY.match(first, after)
        keys.add(None if cut_off is None else cut_off[1])
    is_task = bool(keys & _LISTS_OF_TASKS) and ("data" in keys or not is_whole)
    return is_task or keys >= _KEYS_OF_JSON_MIN


def _is_json_lines(start: bytes) -> bool:
    """Tell whether the first line is an object, and another object follows."""
    first, _, rest = _strip(start).partition(b"\n")
    if not rest.lstrip().startswith(b"{"):
        return False
    try:
        return isinstance(json.loads(first), dict)
    except (ValueError, RecursionError):
        return False


def _is_coco(start: bytes) -> bool:
    return _strip(start).startswith(b"{") and not _is_json_lines(start)


def _strip(start: bytes) -> bytes:
    return start.removeprefix(b"\xef\xbb\xbf").lstrip()


_BEGINS_AS = {
    "sqlite": _is_sqlite,
    "duckdb": _is_duckdb,
    "labelstudio": _is_label_studio,
    "json": _is_json_array,
    "jsonl": _is_json_lines,
    "coco": _is_coco,
}

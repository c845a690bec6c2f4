"""What a manifest remembers of the command: columns and sources, to check the split again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from .._checks.numbers import is_whole
from ..exceptions import InputError
from ..files.registry import FORMATS
from .link_options import Linking
from .linking import find_similar_file
from .options import Reading

if TYPE_CHECKING:
    from ..links import Links
    from ..splits import Split
    from .reading import Rows

Value = TypeVar("Value")


class Recorded(NamedTuple):
    """What the record of a split says about its data, which is what the command was told.

    Attributes
    ----------
    reading : Reading
        Where the labels are.
    linking : Linking
        What keeps rows together, with the names of all columns.
    part : str or None
        The column that the parts are written to.
    id_column : str or None
        The column that identifies rows.
    balance : sequence of str
        The columns that are kept even besides labels.
    max_group : int or None
        The largest number of rows that links may join.
    difficulty : mapping or None
        How the difficulty of rows was measured, which is kept even like the columns of `balance`.
        It is written and not read: a check does not measure what is balanced.
    """

    reading: Reading
    linking: Linking
    part: str | None
    id_column: str | None
    balance: Sequence[str]
    max_group: int | None
    difficulty: Mapping[str, Any] | None = None


def record_columns(
    told: Recorded, rows: Rows, links: Links | None, manifest: Path | None
) -> dict[str, Any]:
    """Return the parameters `columns` and `sources` of the record of a split.

    Paths are relative to the folder of the manifest, so that both can be moved together. Without a
    manifest there is nothing to record.
    """
    if manifest is None:
        return {}
    reading, linking = told.reading, told.linking
    columns: dict[str, Any] = {
        "labels": list(rows.label_columns),
        "separator": rows.separator,
        "propagate": _relate(reading.propagate, manifest),
        "xml": _relate(reading.xml, manifest),
        "format": reading.format,
        **({} if reading.long is None else {"long": reading.long}),
        "groups": list(linking.groups),
        "id": told.id_column,
        "balance": list(told.balance),
        "part": told.part,
        **({} if told.difficulty is None else {"difficulty": told.difficulty}),
    }
    sources: dict[str, Any] = {}
    if linking.copies:
        sources["copies"] = list(linking.copies)
    for name in ("files", "text", "images"):
        if getattr(linking, name) is not None:
            sources[name] = getattr(linking, name)
    if linking.similar:
        path = find_similar_file(linking.similar, rows.file.columns)
        sources["similar"] = list(linking.similar) if path is None else _relate(path, manifest)
        sources["metric"] = linking.metric or "cosine"
    if linking.pairs is not None:
        sources["pairs"] = _relate(linking.pairs, manifest)
    if links is not None and links.searches:
        sources["at"] = {
            search.kind: search.at
            for search in links.searches
            if search.kind != "pairs" or "pairs" in linking.thresholds
        }
        sources["exact"] = linking.exact
        sources["recall"] = linking.recall
        sources["max_group"] = told.max_group
    return {"columns": columns, "sources": sources}


def _relate(path: Path | None, manifest: Path) -> str | None:
    if path is None:
        return None
    try:
        return Path(os.path.relpath(path, manifest.parent)).as_posix()
    except ValueError:  # on another drive
        return str(path.resolve())


def read_recorded(saved: Split, manifest: Path) -> Recorded | None:
    """Return what a record says about its data; None if it was not written by a command."""
    columns = saved.origin.parameters.get("columns")
    sources = saved.origin.parameters.get("sources", {})
    if columns is None:
        return None
    with _explain_damage("columns and sources", manifest):
        return _read(columns, sources, manifest)


def read_certificate(manifest: Path) -> dict[str, Any]:
    """Return the certificate of a record; what a check compares has the right type."""
    from ..splits.saved_split import load_certificate

    found = load_certificate(manifest)
    with _explain_damage("certificate", manifest):
        for key, fields in _COMPARED.items():
            for entry in found.setdefault(key, []):
                for field, check in fields.items():
                    check(entry[field])
        _optional(_mapping, found.get("ids"))
        evenness = found.get("evenness") or {"rld": None, "bound": None}
        for field in ("rld", "bound"):
            _optional(_number, evenness[field])
    return found


@contextmanager
def _explain_damage(what: str, manifest: Path) -> Iterator[None]:
    """Turn errors about the content of a record into one message that names it."""
    try:
        yield
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
        raise InputError(
            f"'{manifest}' is damaged: its {what} cannot be read "
            f"({type(error).__name__} {error}). Write it again."
        ) from None


def _read(columns: Any, sources: Any, manifest: Path) -> Recorded:
    reading = Reading(
        _format(columns["format"]),
        _names(columns["labels"]),
        _text(columns["separator"]),
        _find(columns["propagate"], manifest),
        _find(columns["xml"], manifest),
        _text(columns.get("long")),
    )
    similar = sources.get("similar", [])
    if isinstance(similar, str):
        similar = [str(_find(similar, manifest))]
    at = sources.get("at")
    linking = Linking(
        groups=_names(columns["groups"]),
        copies=_names(sources.get("copies", [])),
        files=_text(sources.get("files")),
        text=_text(sources.get("text")),
        images=_text(sources.get("images")),
        similar=_names(similar),
        pairs=_find(sources.get("pairs"), manifest),
        at=None if at is None else {str(kind): _number(own) for kind, own in at.items()},
        metric=_text(sources.get("metric")),
        exact=_optional(_flag, sources.get("exact")),
        recall=_optional(_number, sources.get("recall")),
    )
    return Recorded(
        reading,
        linking,
        _text(columns["part"]),
        _text(columns["id"]),
        _names(columns["balance"]),
        _optional(_whole, sources.get("max_group")),
    )


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"{value!r} is no list of names")
    return tuple(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    float(value)  # fails if it is too large
    return value


def _whole(value: Any) -> int:
    if not is_whole(value):
        raise TypeError(f"{value!r} is no whole number")
    return int(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def _mapping(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no mapping")
    return value


def _name(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is no name")
    return value


def _text(value: Any) -> str | None:
    return _optional(_name, value)


def _format(value: Any) -> str | None:
    if value is not None and _name(value) not in FORMATS:
        raise ValueError(f"{value!r} is no format")
    return _text(value)


def _optional(read: Callable[[Any], Value], value: Any) -> Value | None:
    return None if value is None else read(value)


# What a check compares with the entries of the lists in a certificate.
_COMPARED: dict[str, dict[str, Callable[[Any], object]]] = {
    "parts": {"name": _name, "rows": _whole},
    "groups": {"column": _name, "fingerprint": _name},
    "pairs": {
        "kind": _name,
        "measure": _name,
        "at": _number,
        "in_two_parts": _whole,
        "fingerprint": _name,
    },
}


def _find(name: Any, manifest: Path) -> Path | None:
    """Return the path of a file in the folder of the manifest, else in the current one."""
    if name is None:
        return None
    beside = manifest.parent / str(_text(name))
    return beside if beside.exists() else Path(name)


def override(recorded: Recorded, reading: Reading, linking: Linking) -> tuple[Reading, Linking]:
    """Return the options of the command line, and for those not given the recorded ones.

    Thresholds are replaced one by one. That of --similar is of the recorded metric only.
    """
    said = {name: value for name, value in reading._asdict().items() if value not in (None, ())}
    if reading.labels:
        # The separator is that of the recorded column.
        said.setdefault("separator", reading.separator)
    given = {name: value for name, value in linking._asdict().items() if value not in (None, ())}
    then = recorded.linking
    now = then._replace(**given)
    now.check()
    kept = then.thresholds
    if now.metric != then.metric:
        kept = {kind: at for kind, at in kept.items() if kind != "similar"}
    at = {**kept, **(now.thresholds if linking.at is not None else {})}
    return recorded.reading._replace(**said), now._replace(at=at or None)

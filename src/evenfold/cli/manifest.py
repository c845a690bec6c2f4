"""What a manifest remembers of the command: columns and sources, to check the split again."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..exceptions import InputError
from .link_options import Linking
from .linking import choose_copies, find_similar_file
from .options import Reading
from .reading import split_names

if TYPE_CHECKING:
    from ..links import Links
    from ..splits import Split
    from .reading import Rows


class Recorded(NamedTuple):
    """What the record of a split says about its data.

    Attributes
    ----------
    reading : Reading
        Where the labels are.
    linking : Linking
        What keeps rows together.
    part : str or None
        The column that the parts were written to.
    id_column : str or None
        The column that identifies rows.
    """

    reading: Reading
    linking: Linking
    part: str | None
    id_column: str | None


def record_columns(
    rows: Rows,
    reading: Reading,
    linking: Linking,
    links: Links | None,
    *,
    manifest: Path | None,
    part: str | None,
    id_column: str | None,
    balance: Sequence[str],
    apart: Sequence[str],
) -> dict[str, Any]:
    """Return the parameters `columns` and `sources` of the record of a split.

    Paths are relative to the folder of the manifest, so that both can be moved together. Without a
    manifest there is nothing to record.
    """
    if manifest is None:
        return {}
    file = rows.file
    columns: dict[str, Any] = {
        "labels": list(rows.label_columns),
        "separator": rows.separator,
        "propagate": _relate(reading.propagate, manifest),
        "xml": _relate(reading.xml, manifest),
        "format": reading.format,
        "groups": list(dict.fromkeys(split_names(linking.groups, file.columns))),
        "id": id_column,
        "balance": list(balance),
        "part": part,
    }
    sources: dict[str, Any] = {}
    if linking.copies:
        sources["copies"] = choose_copies(file, linking.copies, {*apart, *columns["groups"]})
    for name in ("files", "text", "images"):
        if getattr(linking, name) is not None:
            sources[name] = getattr(linking, name)
    if linking.similar:
        path = find_similar_file(linking.similar, file.columns)
        sources["similar"] = list(linking.similar) if path is None else _relate(path, manifest)
        sources["metric"] = linking.metric or "cosine"
    if linking.pairs is not None:
        sources["pairs"] = _relate(linking.pairs, manifest)
    if links is not None and links.searches:
        sources["at"] = {
            search.kind: search.at
            for search in links.searches
            if search.kind != "pairs" or linking.has_threshold_of_pairs
        }
        sources["exact"] = linking.exact
        sources["max_group"] = links.max_group
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
    try:
        return _read(columns, sources, manifest)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"'{manifest}' is damaged: its columns and sources cannot be read "
            f"({type(error).__name__} {error}). Write it again."
        ) from None


def _read(columns: Any, sources: Any, manifest: Path) -> Recorded:
    reading = Reading(
        columns["format"],
        _names(columns["labels"]),
        _text(columns["separator"]),
        _find(columns["propagate"], manifest),
        _find(columns["xml"], manifest),
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
        exact=sources.get("exact"),
    )
    return Recorded(reading, linking, _text(columns["part"]), _text(columns["id"]))


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(name, str) for name in value):
        raise TypeError(f"{value!r} is no list of names")
    return tuple(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{value!r} is no number")
    return value


def _text(value: Any) -> str | None:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{value!r} is no name")
    return value


def _find(name: Any, manifest: Path) -> Path | None:
    """Return the path of a file in the folder of the manifest, else in the current one."""
    if name is None:
        return None
    beside = manifest.parent / str(_text(name))
    return beside if beside.exists() else Path(name)


def override(recorded: Recorded, reading: Reading, linking: Linking) -> tuple[Reading, Linking]:
    """Return the options of the command line, and for those not given the recorded ones."""
    said = {name: value for name, value in reading._asdict().items() if value not in (None, ())}
    if reading.labels:
        # The separator is that of the recorded column.
        said.setdefault("separator", reading.separator)
    given = {name: value for name, value in linking._asdict().items() if value not in (None, ())}
    return recorded.reading._replace(**said), recorded.linking._replace(**given)

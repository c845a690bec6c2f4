"""How a split was made: what it takes to make it again."""

from __future__ import annotations

from typing import Any

from .._tables.table import shorten
from ..labels.fingerprints import make_fingerprint, name_content
from ..quality import Quality
from ..splits.certificate import list_versions
from ..splits.origin import Origin

_WIDTH_OF_VALUE = 40
_WIDTH_OF_CALL = 2000


def describe_origin(
    quality: Quality, call: str, origin: Origin | None, date: str | None
) -> dict[str, Any]:
    """Return the call, method, parameters, date, versions and fingerprints of a split."""
    parameters = {} if origin is None else origin.parameters
    placement = quality.part_counts.rows
    # The saved record of a split may have been written by another program.
    told = {
        "method": None if origin is None else origin.method,
        "order": parameters.get("order"),
        "cover": parameters.get("cover"),
        "size_tolerance": parameters.get("size_tolerance"),
        "effort": parameters.get("effort"),
        "version": None if origin is None else origin.version,
    }
    shown = {
        name: value if isinstance(value, int | None) else shorten(value, _WIDTH_OF_VALUE)
        for name, value in told.items()
    }
    return {
        "call": clean_call(call),
        **shown,
        "fixed": bool(parameters.get("fixed")),
        "random_state": None if origin is None else origin.random_state,
        "seconds": None if origin is None else origin.seconds,
        "fingerprint": None if placement is None else make_fingerprint(placement.labels),
        "parts_fingerprint": None if placement is None else name_content(placement.part_of_row),
        "date": date,
        "versions": list_versions(),
    }


def clean_call(call: str) -> str:
    """Return a call with its blanks and lines, without control characters and not too long."""
    text = "".join(
        character if character.isprintable() or character == "\n" else "\N{REPLACEMENT CHARACTER}"
        for character in call[: _WIDTH_OF_CALL + 1]
    )
    return text if len(text) <= _WIDTH_OF_CALL else text[:_WIDTH_OF_CALL] + "…"

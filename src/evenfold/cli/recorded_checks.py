"""Checks of a split, one line each: what leaks, and what differs from its record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from .._tables.numbers import show_exact
from .messages import describe_leaking

if TYPE_CHECKING:
    from ..splits import Split
    from ..splits.certificate import Certificate
    from .existing_split import Found

# Values computed on another machine may differ in the last digits.
_ROUNDING = 1e-9
# What is equal in two entries of the same search.
_SAME_SEARCH = ("kind", "measure", "at", "fingerprint")


class Line(NamedTuple):
    """One thing that was checked.

    Attributes
    ----------
    text : str
        What was found.
    failure : str
        What is wrong, as a sentence; empty if nothing is.
    """

    text: str
    failure: str = ""

    def __str__(self) -> str:
        return f"{'FAILED' if self.failure else 'ok    '} {self.text}"


def record_found(
    certificate: Certificate, recorded: Mapping[str, Any], max_group: int | None
) -> dict[str, Any]:
    """Return a certificate as plain data, with the number of pairs that may be in two parts.

    These are the pairs whose links `max_group` cut, as many as are `recorded`, if the same data was
    searched in the same way.
    """
    found = certificate.to_dict()
    for entry in found["pairs"]:
        same = [] if max_group is None else _find(recorded, "pairs", entry, *_SAME_SEARCH)
        entry["allowed"] = same[0]["in_two_parts"] if same else 0
    return found


def list_leaks(
    certificate: Certificate, found: Mapping[str, Any], recorded: Mapping[str, Any]
) -> list[Line]:
    """Return what was checked for leaks; `found` is the result of `record_found`."""
    names_of_columns = len(certificate.values) > 1
    lines = []
    for check, entry in zip(certificate.values, found["groups"], strict=True):
        name = check.column.name
        of = f" ({name})" if names_of_columns or not len(check.column.values) else ""
        text = check.describe() + _say_changed(recorded, "groups", entry, "column")
        lines.append(Line(text, describe_leaking("group", check, of)))
    if certificate.ids is not None:
        ids = certificate.ids
        lines.append(Line(ids.describe(), describe_leaking("id", ids)))
    for pairs, entry in zip(certificate.pairs, found["pairs"], strict=True):
        allowed = entry["allowed"]
        text = pairs.describe() + _say_changed(recorded, "pairs", entry, "kind")
        if pairs.n_leaking and pairs.n_leaking <= allowed:
            text += f"; {allowed:,} are recorded, because --max-group cut their links"
        failure = f"{pairs.describe()}." if pairs.n_leaking > allowed else ""
        lines.append(Line(text, failure))
    return lines


def compare_with_saved(saved: Split, found: Found, manifest: str) -> list[Line]:
    """Return whether labels and parts are those of the record of a split."""
    import numpy as np

    from ..labels.fingerprints import make_fingerprint

    assert found.labels is not None
    n_saved, n_found = len(saved.part_of_row), found.labels.n_rows
    if n_saved != n_found:
        text = f"rows: {n_found:,}, recorded {n_saved:,}"
        return [Line(text, f"{manifest} is of {n_saved:,} rows, the data has {n_found:,}.")]
    fingerprint = make_fingerprint(found.labels)
    lines = [Line(f"labels: as recorded, fingerprint {fingerprint}")]
    if fingerprint != saved.fingerprint:
        lines = [
            Line(
                f"labels: fingerprint {fingerprint}, recorded {saved.fingerprint}",
                f"the labels are not those that {manifest} was made for: "
                "some were changed, or rows reordered.",
            )
        ]
    now = np.array(found.parts.values)[found.parts.code_of_row]
    then = np.array(saved.names)[saved.part_of_row]
    moved = np.flatnonzero(now != then)
    if not len(moved):
        return [*lines, Line(f"parts: {n_found:,} rows are in the part that is recorded")]
    row = int(moved[0])
    text = f"{len(moved):,} of {n_found:,} rows are in another part than"
    failure = f"{text} in {manifest}, first row {row} (from 0): '{now[row]}', not '{then[row]}'."
    return [*lines, Line(f"parts: {text} is recorded", failure)]


def compare_measures(
    certificate: Certificate, found: Mapping[str, Any], recorded: Mapping[str, Any], manifest: str
) -> list[Line]:
    """Return whether sizes and evenness are at least as good as the record says."""
    failure = ""
    for part in found["parts"]:
        for then in _find(recorded, "parts", part, "name"):
            if then["rows"] != part["rows"] and not failure:
                failure = (
                    f"{part['name']} has {part['rows']:,} rows, "
                    f"{manifest} records {then['rows']:,}."
                )
    lines = [Line(certificate.describe_sizes(), failure)]
    evenness, quality = recorded.get("evenness"), certificate.quality
    if not evenness or quality is None or evenness["rld"] is None:
        return lines
    rld = evenness["rld"]
    if math.isnan(rld) or math.isnan(quality.rld):
        return lines
    text = (
        f"evenness: rLD {show_exact(quality.rld)}, recorded {show_exact(rld)}, "
        f"bound {show_exact(evenness['bound'])}"
    )
    is_worse = quality.rld > rld * (1 + _ROUNDING) + _ROUNDING
    failure = f"rLD is {quality.rld:.5f}, {manifest} records {rld:.5f}." if is_worse else ""
    return [*lines, Line(text, failure)]


def _find(
    recorded: Mapping[str, Any], name: str, entry: Mapping[str, Any], *keys: str
) -> list[Mapping[str, Any]]:
    """Return the entries of a recorded list that have the same values as another entry."""
    return [own for own in recorded.get(name, []) if all(own[key] == entry[key] for key in keys)]


def _say_changed(recorded: Mapping[str, Any], name: str, entry: Mapping[str, Any], key: str) -> str:
    """Return a remark if the content of a column or a file differs from what was recorded."""
    then = [own["fingerprint"] for own in _find(recorded, name, entry, key)]
    return "; changed since it was recorded" if then and entry["fingerprint"] not in then else ""

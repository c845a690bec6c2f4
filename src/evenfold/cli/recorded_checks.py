"""Checks of a split, one line each: what leaks, and what differs from its record."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .._tables.numbers import show_measure
from ..links.linked_rows import LINKED_GROUPS
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
        What is wrong, as a sentence; empty if nothing is. Several, one per line.
    """

    text: str
    failure: str = ""

    @property
    def failures(self) -> list[str]:
        """What is wrong, as sentences."""
        return self.failure.splitlines()

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
        failure = describe_leaking("group", check, of)
        if not failure and _has_changed(recorded, "groups", entry, "column"):
            failure = f"the values of {name} are not those that were recorded."
        lines.append(Line(check.describe(), failure))
    if certificate.ids is not None:
        ids = certificate.ids
        lines.append(Line(ids.describe(), describe_leaking("id", ids)))
    for pairs, entry in zip(certificate.pairs, found["pairs"], strict=True):
        allowed = entry["allowed"]
        text = pairs.describe()
        if pairs.n_leaking and pairs.n_leaking <= allowed:
            text += f"; {allowed:,} are recorded, because --max-group cut their links"
        failure = f"{pairs.describe()}." if pairs.n_leaking > allowed else ""
        if not failure and _has_changed(recorded, "pairs", entry, "kind"):
            failure = f"the data of --{entry['kind']} is not that which was recorded."
        lines.append(Line(text, failure))
    return lines


def list_not_checked(
    found: Mapping[str, Any], recorded: Mapping[str, Any], replaced: Sequence[str]
) -> list[Line]:
    """Return what the certificate of a record has, but was not checked again.

    Sources that the user `replaced` by others are left out.
    """
    lines = []
    for entry in recorded["groups"]:
        name = entry["column"]
        if "groups" in replaced:
            break
        if name == LINKED_GROUPS or _find(found, "groups", entry, "fingerprint"):
            continue
        if not _find(found, "groups", entry, "column"):
            failure = f"{name} is in the certificate, but was not checked. Pass --groups {name}."
            lines.append(Line(f"{name}: not checked", failure))
    for entry in recorded["pairs"]:
        kind, at, sign = entry["kind"], entry["at"], -1 if entry.get("within") else 1
        if kind in replaced:
            continue
        same = _find(found, "pairs", entry, "kind", "measure")
        if not same:
            failure = f"{kind} is in the certificate, but was not checked. Pass --{kind}."
            lines.append(Line(f"{kind}: not checked", failure))
        elif all(sign * own["at"] > sign * at for own in same):
            failure = f"{kind} was checked at {same[0]['at']:g}, the certificate is for {at:g}."
            lines.append(Line(f"{kind}: checked at another threshold", failure))
    if recorded.get("ids") and "ids" not in replaced:
        now = found["ids"]
        if now is None:
            failure = "ids are in the certificate, but were not checked. Pass --id."
            lines.append(Line("ids: not checked", failure))
        elif recorded["ids"].get("fingerprint") not in (None, now["fingerprint"]):
            lines.append(Line("ids: changed", "the ids are not those that were recorded."))
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
    if found.parts_of_record:
        return [*lines, Line("parts: those of the record; the data has no column of parts")]
    now = np.array(found.parts.values)[found.parts.code_of_row]
    then = np.array(saved.names)[saved.part_of_row]
    moved = np.flatnonzero(now != then)
    if not len(moved):
        return [*lines, Line(f"parts: {n_found:,} rows are in the part that is recorded")]
    row = int(moved[0])
    text = f"{len(moved):,} of {n_found:,} rows are in another part than"
    failure = f"{text} in {manifest}, first row {row} (from 0): '{now[row]}', not '{then[row]}'."
    return [*lines, Line(f"parts: {text} is recorded", failure)]


def compare_parts(saved: Split, recorded: Mapping[str, Any], manifest: str) -> list[Line]:
    """Return whether the certificate of a record is there, and is for the parts in the record."""
    from ..labels.fingerprints import name_content

    if not recorded.get("format"):
        return [Line("certificate: none", f"{manifest} has no certificate.")]
    fingerprints = recorded.get("fingerprints")
    then = fingerprints.get("parts") if isinstance(fingerprints, Mapping) else None
    if then in (None, name_content(saved.part_of_row)):
        return []
    failure = f"the parts in {manifest} are not those that its certificate is for."
    return [Line("certificate: for other parts", failure)]


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
    lines = [Line(f"sizes: {failure}" if failure else certificate.describe_sizes(), failure)]
    evenness, quality = recorded.get("evenness"), certificate.quality
    if not evenness or quality is None or evenness["rld"] is None:
        return lines
    rld = evenness["rld"]
    if math.isnan(rld) or math.isnan(quality.rld):
        return lines
    text = (
        f"evenness: rLD {show_measure(quality.rld)}, recorded {show_measure(rld)}, "
        f"bound {show_measure(evenness['bound'])}"
    )
    is_worse = quality.rld > rld * (1 + _ROUNDING) + _ROUNDING
    failure = f"rLD is {quality.rld:.5f}, {manifest} records {rld:.5f}." if is_worse else ""
    return [*lines, Line(text, failure)]


def _find(
    recorded: Mapping[str, Any], name: str, entry: Mapping[str, Any], *keys: str
) -> list[Mapping[str, Any]]:
    """Return the entries of a recorded list that have the same values as another entry."""
    return [own for own in recorded.get(name, []) if all(own[key] == entry[key] for key in keys)]


def _has_changed(
    recorded: Mapping[str, Any], name: str, entry: Mapping[str, Any], key: str
) -> bool:
    """Tell whether the content of a column or a file differs from what was recorded."""
    then = [own["fingerprint"] for own in _find(recorded, name, entry, key)]
    return bool(then) and entry["fingerprint"] not in then

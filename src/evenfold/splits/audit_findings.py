"""Findings of an audit: what was checked, what was found, and what was not checked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_some
from .._tables.numbers import show_count, show_exact, show_percent
from .._tables.table import shorten
from ..quality import Quality
from ..quality.drift import LEVEL, Drift
from .certificate import Certificate, describe_evenness
from .leaks import PairsCheck, ValuesCheck
from .matches import Matches

State = Literal["problem", "ok", "note", "not checked"]
_MAX_NAMES = 3
_WIDTH_OF_TEXT = 400

# Options of the command line that are not named as the argument.
_OPTION_OF_SOURCE = {"ids": "id", "y": "labels"}
# What a search finds, by its argument.
_SIMILAR = {
    "text": "similar texts",
    "images": "similar images",
    "similar": "similar rows",
    "pairs": "given pairs",
}
# What can be checked, and the arguments that it needs.
_SOURCES = {
    "exact copies": ("copies", "files"),
    "near-duplicates": ("text", "images", "similar", "pairs"),
    "groups": ("groups",),
    "ids": ("ids",),
}


class Finding(NamedTuple):
    """What one check found.

    Attributes
    ----------
    check : str
        What was checked.
    state : {"problem", "ok", "note", "not checked"}
        The result.
    text : str
        What was found, or how to check it.
    headline : str
        A problem in a few words; else empty.
    """

    check: str
    state: State
    text: str
    headline: str = ""


class Sizes(NamedTuple):
    """The parts: their names, their rows, and which one models are trained on.

    Attributes
    ----------
    names : tuple of str
        The names.
    sizes : ndarray of int64
        (n_parts,) rows.
    train : int or None
        The part to train on: the only one that is named so, or else the one with more than half of
        the rows; None if there is none, as in equal folds.
    """

    names: tuple[str, ...]
    sizes: NDArray[np.int64]
    train: int | None


def find_sizes(names: Sequence[str], sizes: NDArray[np.int64]) -> Sizes:
    """Return the parts, and which one models are trained on."""
    named = [at for at, name in enumerate(names) if re.search(r"(?i)(^|[\W_\d])train", name)]
    most = int(sizes.argmax())
    train = named[0] if len(named) == 1 else most if 2 * sizes[most] > sizes.sum() else None
    return Sizes(tuple(names), sizes, train)


def list_findings(
    certificate: Certificate,
    matches: Sequence[Matches],
    drift: Drift | None,
    quality: Quality | None,
    parts: Sizes,
    given: Sequence[str],
    option: str,
) -> list[Finding]:
    """Return what each check found, and what was not checked.

    `given` names the sources that were checked; `option` is how the caller names an argument, such
    as "{}=" or "--{}".
    """
    findings = [
        _describe_leak(check, own, parts)
        for check, own in zip(certificate.checks, matches, strict=True)
    ]
    findings += _describe_contradictions(matches)
    if drift is None or quality is None:
        findings.append(_describe_unchecked("labels", ["y"], option))
    else:
        findings += _describe_labels(drift, quality, parts)
    findings += [
        _describe_unchecked(check, sources, option)
        for check, sources in _SOURCES.items()
        if not set(sources) & set(given)
    ]
    # Texts hold names of columns, labels and parts, which may be anything.
    return [own._replace(text=shorten(own.text, _WIDTH_OF_TEXT)) for own in findings]


def _describe_unchecked(check: str, sources: Sequence[str], option: str) -> Finding:
    """Say how something can be checked."""
    is_command = option.startswith("--")
    given = [_OPTION_OF_SOURCE.get(name, name) if is_command else name for name in sources]
    *others, last = [option.format(name) for name in given]
    how = f"{', '.join(others)} or {last}" if others else last
    return Finding(check, "not checked", f"{check}: not checked; pass {how}")


def _describe_leak(check: ValuesCheck | PairsCheck, matches: Matches, parts: Sizes) -> Finding:
    kind = shorten(matches.kind)
    # Rows are not shown here: of several files, they are numbered within each. Copies have no value
    # that could be shown instead.
    if isinstance(check, ValuesCheck):
        what = kind
        example = check.example if len(check.column.values) else ""
        check = check._replace(column=check.column._replace(name=kind), example=example)
    else:
        what = _SIMILAR[kind]
        check = check._replace(pairs=[])
    if not check.n_leaking:
        return Finding(kind, "ok", check.describe())
    text = f"{check.describe()}; {_describe_worst(matches, parts)}"
    return Finding(kind, "problem", text, f"{shorten(what)} in two parts")


class Overlap(NamedTuple):
    """Rows of a part that match rows of another part, or of any other part.

    Attributes
    ----------
    part : int
        The part.
    other : int or None
        The other part; None for any other.
    n_rows : int
        Rows of the part that match.
    """

    part: int
    other: int | None
    n_rows: int


def list_overlaps(matches: Matches, parts: Sizes) -> list[Overlap]:
    """Return which parts have rows that match, those first that match the part to train on.

    They are then ordered by the share of the part's rows. In folds, models are trained on all other
    parts, so these count together.
    """
    if parts.train is None:
        found = [Overlap(part, None, n) for part, n in enumerate(matches.in_any.tolist()) if n]
    else:
        cells = matches.in_parts.tocoo()
        columns = (cells.row.tolist(), cells.col.tolist(), cells.data.tolist())
        found = list(map(Overlap, *columns))
    return sorted(
        found,
        key=lambda own: (
            own.other != parts.train,
            own.part == parts.train,
            -own.n_rows / parts.sizes[own.part],
        ),
    )


def name_other(overlap: Overlap, parts: Sizes) -> str:
    """Return the name of the other part."""
    return "other parts" if overlap.other is None else parts.names[overlap.other]


def _describe_worst(matches: Matches, parts: Sizes) -> str:
    worst = list_overlaps(matches, parts)[0]
    n_rows = int(parts.sizes[worst.part])
    return (
        f"{worst.n_rows:,} of {show_count(n_rows, 'row')} of {shorten(parts.names[worst.part])} "
        f"({show_percent(worst.n_rows / n_rows)}) match {shorten(name_other(worst, parts))}"
    )


def _describe_contradictions(matches: Sequence[Matches]) -> list[Finding]:
    """Say how many matching rows have different labels; nothing if none could."""
    checked = [own for own in matches if own.n_contradicting is not None]
    if not any(len(own.entries) for own in checked):
        return []
    found = [
        f"{own.n_contradicting:,} by {shorten(own.kind)}" for own in checked if own.n_contradicting
    ]
    if not found:
        return [
            Finding(
                "contradictions", "ok", "contradictions: all matching rows have the same labels"
            )
        ]
    text = f"contradictions: matches in two parts with different labels: {', '.join(found)}"
    return [Finding("contradictions", "problem", text, "matches with different labels")]


def _describe_labels(drift: Drift, quality: Quality, parts: Sizes) -> list[Finding]:
    names = quality.placement.labels.names
    if not drift.count.any():
        return [Finding("labels", "note", "labels: no row has a label")]
    return [
        *_describe_missing(drift, quality, parts, names),
        _describe_drift(drift, names, parts),
        _describe_cardinality(drift, parts),
        Finding("evenness", "note", describe_evenness(quality)),
    ]


def _describe_missing(
    drift: Drift, quality: Quality, parts: Sizes, names: Sequence[Any]
) -> list[Finding]:
    """Say which labels cannot be learnt, and which are never judged."""
    is_held = drift.count.sum(axis=0) > 0
    if parts.train is None:
        alone = np.flatnonzero((drift.count > 0).sum(axis=0) == 1)
        where, why = "in one part only", "cannot be both learnt and judged"
    else:
        alone = np.flatnonzero(is_held & (drift.count[parts.train] == 0))
        where = f"not in {shorten(parts.names[parts.train])}"
        why = "cannot be learnt"
    findings = [
        Finding(
            "labels to learn",
            "problem" if len(alone) else "ok",
            f"labels {where}: {_count_labels(alone, names)}" + (f"; {why}" if len(alone) else ""),
            f"labels {where}" if len(alone) else "",
        )
    ]
    if parts.train is None:
        return findings
    # A label of fewer rows, or groups, than parts is necessarily missing in some part.
    is_avoidable = quality.per_label.flz_bound == 0
    for part, name in enumerate(parts.names):
        if part == parts.train:
            continue
        lacking = np.flatnonzero((drift.count[parts.train] > 0) & (drift.count[part] == 0))
        avoidable = lacking[is_avoidable[lacking]]
        where = f"not in {shorten(name)}"
        text = f"labels {where}: {_count_labels(lacking, names)}"
        if len(lacking):
            text += f"; never judged there, avoidable for {len(avoidable):,}"
        findings.append(
            Finding(
                "labels to judge",
                "problem" if len(avoidable) else "note" if len(lacking) else "ok",
                text,
                f"labels {where}" if len(avoidable) else "",
            )
        )
    return findings


def _count_labels(labels: NDArray[np.int64], names: Sequence[Any]) -> str:
    shown = show_some([shorten(names[label]) for label in labels], _MAX_NAMES)
    return f"{len(labels):,} of {len(names):,}" + (f" ({shown})" if len(labels) else "")


def _describe_drift(drift: Drift, names: Sequence[Any], parts: Sizes) -> Finding:
    drifting = drift.drifting
    n_labels = int((drift.count.sum(axis=0) > 0).sum())
    chance = "a random choice of groups" if drift.by_groups else "a random split"
    text = (
        f"label drift: {len(drifting):,} of {show_count(n_labels, 'label')} further off than "
        f"{chance} explains (p ≤ {LEVEL}, Holm)"
    )
    if not len(drifting):
        return Finding("label drift", "ok", text)
    label = int(drifting[0])
    part = drift.find_furthest_part(label)
    text += (
        f", first {shorten(names[label])}: {show_percent(drift.share[part, label])} of "
        f"{shorten(parts.names[part])}, {show_percent(drift.share_of_all[label])} of all"
    )
    return Finding("label drift", "problem", text, "labels that drift")


def _describe_cardinality(drift: Drift, parts: Sizes) -> Finding:
    part = drift.find_furthest_part_of_all()
    text = (
        f"labels per row: {show_exact(drift.cardinality_of_all)} in all rows, "
        f"{show_exact(float(drift.cardinality[part]))} in {shorten(parts.names[part])}"
    )
    if not drift.cardinality_drifts:
        return Finding("labels per row", "ok", f"{text}, within chance")
    p_value = show_exact(float(drift.cardinality_p_value[part]))
    text += f", further off than chance explains (p ≤ {p_value})"
    return Finding("labels per row", "problem", text, "labels per row that drift")

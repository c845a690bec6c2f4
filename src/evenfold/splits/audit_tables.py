"""The tables of an audit, made of its plain data: the same on terminals and in reports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .._tables.numbers import show_exact, show_percent, show_signed
from .._tables.table import Table, shorten

Record = Mapping[str, Any]
_WIDTH_OF_PART = 14
_WIDTH_OF_ROW = 22
_WIDTH_OF_KINDS = 24
_WIDTH_OF_LABEL = 22
_MARKS = {"problem": "✗", "ok": "✓", "note": "·", "not checked": "–"}


def make_match_table(record: Record, most: int, width: int = _WIDTH_OF_KINDS) -> Table:
    """Return how many rows of a part have a match in another part."""
    rows = [
        [
            shorten(line["part"], _WIDTH_OF_PART),
            shorten(line["other"], _WIDTH_OF_PART),
            f"{line['rows']:,}",
            show_percent(line["share"]),
            shorten(", ".join(f"{shorten(kind)} {n:,}" for kind, n in line["by"].items()), width),
        ]
        for line in record["matches"][:most]
    ]
    heading = ["rows of", "match rows of", "rows", "of the part", "by"]
    return Table(heading, rows, "Rows with a match in another part")


def make_example_table(record: Record, most: int) -> Table:
    """Return some matching rows."""
    labels = {None: "", True: "differ", False: "same"}
    rows = [
        [
            shorten(line["by"], _WIDTH_OF_PART),
            *(
                shorten(f"{shorten(row['part'], _WIDTH_OF_PART)} {row['name']}", _WIDTH_OF_ROW)
                for row in line["rows"]
            ),
            "equal" if line["value"] is None else f"{line['value']:.4g}",
            labels[line["labels_differ"]],
        ]
        for line in record["examples"][:most]
    ]
    heading = ["match by", "part and row", "part and row", "value", "labels"]
    return Table(heading, rows, "Some matching rows")


def make_drift_table(record: Record, most: int) -> Table:
    """Return the labels that drift, each with the part in which it is furthest off."""
    lines = [] if record["drift"] is None else record["drift"]["worst"]
    rows = [
        [
            shorten(line["label"], _WIDTH_OF_LABEL),
            show_percent(line["share"]),
            shorten(line["part"], _WIDTH_OF_PART),
            show_percent(line["share_in_part"]),
            show_signed(line["rows_off"]),
            show_exact(line["p_value"]),
        ]
        for line in lines[:most]
    ]
    heading = ["label", "all rows", "part", "the part", "rows off", "p"]
    return Table(heading, rows, "Labels further off than chance explains")


def make_check_table(record: Record) -> Table:
    """Return what was checked, what was found, and what was not checked."""
    rows = [
        [f"{_MARKS[check['state']]} {check['state']}", check["text"]] for check in record["checks"]
    ]
    return Table(["state", "what was found"], rows, "What was checked, and what was not.")


def make_version_table(record: Record) -> Table:
    """Return fingerprints of the labels and parts, and versions of packages."""
    certificate = record["certificate"]
    date = record.get("date")
    rows = [
        *([["date of the audit", date]] if date else []),
        *(
            [f"fingerprint of the {what}", value]
            for what, value in certificate["fingerprints"].items()
            if value is not None
        ),
        *([name, version] for name, version in certificate["versions"].items()),
    ]
    return Table(["what", "value"], rows, "What was audited, and with which versions.")

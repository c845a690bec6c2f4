"""The table of splits that packages carry, from the records in audits.json."""

from __future__ import annotations

import textwrap

from .markdown import Record, Records, make_table

# Data that is there a second time: cut to equal lengths, or with classes instead of numbers.
VARIANTS = ("_eq", "_disc")
HEADING = (
    "data",
    "packages",
    "train + (valid +) test",
    "copies in train",
    "near-duplicates in train",
    "labels that drift",
)


def make_audits(records: Records) -> str:
    """Return the splits with matches or drift, the most copies first; then the others."""
    section = records["audits"]["sections"]["audits"]
    shown = [own for own in section["records"] if not own["data"].endswith(VARIANTS)]
    found = sorted(filter(has_matches, shown), key=count_shares, reverse=True)
    rows = [
        [
            own["data"],
            ", ".join(f"{package} {section[package]}" for package in own["packages"]),
            " + ".join(f"{number:,}" for number in own["rows"].values()),
            show_rows(own, "copies"),
            show_rows(own, "near-duplicates"),
            show_drift(own),
        ]
        for own in found
    ]
    others = sorted(map(show_name, (own for own in shown if own not in found)), key=str.lower)
    nothing = f"Nothing was found in {', '.join(others[:-1])} and {others[-1]}."
    return f"{make_table(HEADING, rows)}\n\n{textwrap.fill(nothing, 100)}"


def has_matches(record: Record) -> bool:
    """Return whether rows of test match rows of train, or a label drifts."""
    return any(count_shares(record)) or bool(record["drifting labels"])


def count_shares(record: Record) -> tuple[float, float]:
    """Return the shares of the test rows that are copies, and that are near-duplicates."""
    n_rows = record["rows"]["test"]
    return tuple(
        (record[kind] or {}).get("test", 0) / n_rows for kind in ("copies", "near-duplicates")
    )


def show_name(record: Record) -> str:
    """Return the name of the data, and what was not checked."""
    return record["data"] + (" (copies only)" if record["near-duplicates"] is None else "")


def show_rows(record: Record, kind: str) -> str:
    """Return how many rows of test match rows of train, and their share."""
    if record[kind] is None:
        return "not checked: lengths differ"
    number = record[kind]["test"]
    return f"{number} ({100 * number / record['rows']['test']:.1f} %) of test" if number else "0"


def show_drift(record: Record) -> str:
    """Return how many labels drift; a dash if the targets are numbers."""
    if record["labels"] is None:
        return "–"
    return f"{record['drifting labels']} of {record['labels']}"

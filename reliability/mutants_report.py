"""Writes what came of the mutants into a record; survivors with the reasons kept beside it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from .records import Table, write_record

COMMAND = "make mutants"
# Why survivors survived: those that no test could see, and those that a test should have seen.
REASONS = Path(__file__).parent / "mutants_reasons.json"
UNSEEN = "cannot be seen"
HEADING = (
    "sample",
    "package",
    "mutants",
    "killed",
    "of these by time",
    "survived: cannot be seen",
    "survived: not noticed",
    "killed %",
    "killed % of what can be seen",
)

Results = Sequence[Mapping[str, Any]]
Reasons = Mapping[str, Mapping[str, str]]


def write_results(samples: Mapping[str, Results]) -> None:
    """Write the record of all samples."""
    reasons = read_reasons()
    write_record(
        "mutants",
        COMMAND,
        [
            Table(
                HEADING,
                [row for name in samples for row in count_results(name, samples[name], reasons)],
            ),
            Table(
                ("file and line", "before", "after", "why it survived"),
                [row for name in samples for row in list_survivors(samples[name], reasons)],
                "The survivors of all samples:",
            ),
        ],
        ["cosmic-ray", "pytest", "hypothesis"],
    )


def count_results(sample: str, results: Results, reasons: Reasons) -> list[list[object]]:
    """Return the rows of one sample: a package each, and the sum."""
    packages = sorted({name_package(result) for result in results})
    groups = {
        package: [result for result in results if name_package(result) == package]
        for package in packages
    }
    groups["all"] = list(results)
    return [[sample, name, *count_group(group, reasons)] for name, group in groups.items()]


def count_group(results: Results, reasons: Reasons) -> list[object]:
    """Return how many were killed and survived; those that took too long are killed."""
    count = Counter(result["result"] for result in results)
    killed = count["killed"] + count["timeout"]
    n_unseen = sum(is_unseen(result, reasons) for result in results)
    return [
        len(results),
        killed,
        count["timeout"],
        n_unseen,
        count["survived"] - n_unseen,
        f"{100 * killed / len(results):.1f}",
        f"{100 * killed / max(1, len(results) - n_unseen):.1f}",
    ]


def list_survivors(results: Results, reasons: Reasons) -> list[list[object]]:
    """Return the survivors with their reasons."""
    rows: list[list[object]] = []
    for result in results:
        if result["result"] == "survived":
            place, _, changed = result["change"].partition(" ")
            before, _, after = changed.partition(" → ")
            why = [f"{kind}: {own[changed]}" for kind, own in reasons.items() if changed in own]
            rows.append([place.rpartition(":")[0], before, after, " ".join(why)])
    return rows


def is_unseen(result: Mapping[str, Any], reasons: Reasons) -> bool:
    """Whether a change survived because it changes nothing that a test could see."""
    changed = result["change"].partition(" ")[2]
    return bool(result["result"] == "survived" and changed in reasons[UNSEEN])


def name_package(result: Mapping[str, Any]) -> str:
    """Return the package of a mutant."""
    return str(result["path"].split("/")[2])


def read_reasons() -> dict[str, dict[str, str]]:
    """Return the reasons by the change, without its place: lines move."""
    return json.loads(REASONS.read_text(encoding="utf-8"))

"""What the cases of a run showed, counted."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..records import Table
from .registry import Outcome, Subject

# What tables are made of besides properties: name, and the heading of the first column.
KINDS = ("method", "splitter", "input form", "parts", "groups", "other arguments")


@dataclass
class Counts:
    """How often each property was checked and failed, by name and by what examples are."""

    examples: Counter[str] = field(default_factory=Counter)
    checked: Counter[tuple[str, str]] = field(default_factory=Counter)
    failed: Counter[tuple[str, str]] = field(default_factory=Counter)
    by_kind: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    failed_by_kind: dict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    failures: list[str] = field(default_factory=list)

    @property
    def n_cases(self) -> int:
        """Number of property cases: examples on which the assertions of a property ran."""
        return self.checked.total()

    def add(self, seed: int, outcome: Outcome) -> None:
        """Count one case."""
        self.examples[outcome.subject] += 1
        for name in outcome.checked:
            self.checked[outcome.subject, name] += 1
        for name, error in outcome.failed.items():
            self.failed[outcome.subject, name] += 1
            self.failures.append(f"--case {seed}: {outcome.subject}: {name}: {error}")
        for kind, value in outcome.described.items():
            self.by_kind[kind][value] += len(outcome.checked)
            self.failed_by_kind[kind][value] += len(outcome.failed)

    def make_tables(self, subjects: Sequence[Subject]) -> list[Table]:
        """Return the tables of the record."""
        rows = [
            [
                f"{subject.name}: {own.name.replace('_', ' ')}",
                f"{self.checked[subject.name, own.name]:,}",
                self.failed[subject.name, own.name],
            ]
            for subject in subjects
            for own in subject.properties
        ]
        n_failed = self.failed.total()
        total = [
            ["properties of drawn cases", f"{self.n_cases:,}", n_failed],
            ["drawn cases", f"{self.examples.total():,}", ""],
        ]
        tables = [
            Table(["", "number", "failures"], total),
            Table(["property", "cases", "failures"], rows, "By property:"),
        ]
        for kind in KINDS:
            own = [
                [value, f"{number:,}", self.failed_by_kind[kind][value]]
                for value, number in sorted(self.by_kind[kind].items())
            ]
            tables.append(Table([kind, "cases", "failures"], own, f"By {kind}:"))
        if self.failures:
            shown = [[failure.replace("|", "/")] for failure in self.failures[:50]]
            tables.append(Table(["failures, each with the argument that repeats it"], shown))
        return tables

"""Audit: what is wrong with a split, on one page."""

from __future__ import annotations

import datetime
import html
import textwrap
from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

from .._tables.numbers import show_count
from .._tables.table import Table
from ..quality import Quality
from ..quality.drift import Drift
from ..quality.records import to_plain
from .audit_findings import Finding, Overlap, Sizes, list_overlaps, name_other
from .audit_tables import make_drift_table, make_example_table, make_match_table
from .certificate import Certificate, list_sizes
from .matches import Example, Matches
from .placed import Placed

_WIDTH = 80
# Lines of each printed table.
_MAX_LINES = 5
# Records of each list in `to_dict`.
_MAX_RECORDS = 100
_MARKS = {"problem": "PROBLEM ", "ok": "ok      ", "note": "        ", "not checked": "-       "}


class Audit:
    """What is wrong with a split. Made by `evenfold.audit`.

    Parameters
    ----------
    certificate : Certificate
        What was checked for leaks.
    quality : Quality or None
        How even the split is; None without labels.
    drift : Drift or None
        The labels of each part beside those of all rows; None without labels.
    matches : sequence of Matches
        For each check of the certificate, the rows that match a row of another part.
    any_match : Matches
        The rows that match by anything.
    examples : sequence of Example
        Some matching rows of each check.
    findings : sequence of Finding
        What each check found, and what was not checked.
    parts : Sizes
        The parts.
    name_row : callable
        Returns how a row is shown: its id or its number.

    Attributes
    ----------
    certificate : Certificate
        What was checked for leaks.
    quality : Quality or None
        How even the split is.
    drift : Drift or None
        The labels of each part beside those of all rows.
    matches : tuple of Matches
        For each check, the rows that match a row of another part.
    findings : tuple of Finding
        What each check found, and what was not checked.

    Examples
    --------
    >>> y = [["cat"], ["dog"], ["cat"], ["dog"]]
    >>> audit = evenfold.audit(y, ["train", "train", "test", "test"], groups=[1, 2, 2, 3])
    >>> audit.passed, audit.problems
    (False, ['groups: 1 value is in more than one part, first 2 in train and test; 1 of 2 rows of
    test (50.0 %) match train'])
    """

    def __init__(
        self,
        certificate: Certificate,
        quality: Quality | None,
        drift: Drift | None,
        matches: Sequence[Matches],
        any_match: Matches,
        examples: Sequence[Example],
        findings: Sequence[Finding],
        parts: Sizes,
        name_row: Callable[[int], str],
    ) -> None:
        self.certificate = certificate
        self.quality = quality
        self.drift = drift
        self.matches = tuple(matches)
        self.findings = tuple(findings)
        self._any_match = any_match
        self._examples = tuple(examples)
        self._parts = parts
        self._name_row = name_row

    @property
    def problems(self) -> list[str]:
        """What is wrong, one line each; empty if nothing was found."""
        return [finding.text for finding in self.findings if finding.state == "problem"]

    @property
    def passed(self) -> bool:
        """Whether no problem was found in what was checked."""
        return not self.problems

    @property
    def verdict(self) -> str:
        """The problems in a few words."""
        found = [finding.headline for finding in self.findings if finding.state == "problem"]
        if all(finding.state == "not checked" for finding in self.findings):
            return "Nothing was checked."
        if not found:
            return "No problem found in what was checked."
        return f"{show_count(len(found), 'problem')}: {', '.join(found)}."

    def to_dict(self) -> dict[str, Any]:
        """Return the audit as plain data.

        Returns
        -------
        dict
            For JSON. Lists of matching rows and of drifting labels have at most 100 entries.
        """
        names, sizes, train = self._parts
        return {
            "format": "evenfold audit",
            "format_version": 1,
            "passed": self.passed,
            "verdict": self.verdict,
            "rows": int(sizes.sum()),
            "parts": [
                {"name": name, "rows": size}
                for name, size in zip(names, sizes.tolist(), strict=True)
            ],
            "train": None if train is None else names[train],
            "checks": [finding._asdict() for finding in self.findings],
            "matches": self._list_matches(),
            "examples": [self._show_example(example) for example in self._examples[:_MAX_RECORDS]],
            "drift": None if self.drift is None else self._show_drift(self.drift),
            "certificate": self.certificate.to_dict(),
        }

    def _list_matches(self) -> list[dict[str, Any]]:
        """Return for each part how many rows match another part, those of the train part first."""
        parts = self._parts
        return [
            {
                "part": parts.names[own.part],
                "other": name_other(own, parts),
                "rows": own.n_rows,
                "share": own.n_rows / int(parts.sizes[own.part]),
                "by": {
                    match.kind: n_rows
                    for match in self.matches
                    if (n_rows := _count_rows(match, own))
                },
            }
            for own in list_overlaps(self._any_match, parts)[:_MAX_RECORDS]
        ]

    def _show_example(self, example: Example) -> dict[str, Any]:
        placed = self.certificate._placed
        assert isinstance(placed, Placed)
        part_of_row = placed.part_of_row
        return {
            "by": example.kind,
            "rows": [
                {
                    "part": self._parts.names[part_of_row[row]],
                    "row": row,
                    "name": self._name_row(row),
                }
                for row in (example.first, example.second)
            ],
            "value": example.value,
            "labels_differ": example.labels_differ,
        }

    def _show_drift(self, drift: Drift) -> dict[str, Any]:
        assert self.quality is not None
        names = self.quality.placement.labels.names
        return {
            "by_groups": drift.by_groups,
            "labels": len(drift.drifting),
            "cardinality": {
                "all": drift.cardinality_of_all,
                "parts": list(map(to_plain, drift.cardinality)),
                "p_values": drift.cardinality_p_value.tolist(),
            },
            "worst": [
                {
                    "label": to_plain(names[label]),
                    "rows": int(drift.count[:, label].sum()),
                    "share": float(drift.share_of_all[label]),
                    "shares": list(map(to_plain, drift.share[:, label])),
                    "part": self._parts.names[part],
                    "share_in_part": to_plain(drift.share[part, label]),
                    "rows_off": float(
                        drift.count[part, label]
                        - drift.share_of_all[label] * drift.size[part, label % drift.size.shape[1]]
                    ),
                    "p_value": float(drift.corrected[label]),
                }
                for label in drift.drifting[:_MAX_RECORDS].tolist()
                for part in [drift.find_furthest_part(label)]
            ],
        }

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        call: str | None = None,
        date: str | datetime.date | None = None,
    ) -> None:
        """Write the audit as a page for people, or as JSON.

        Parameters
        ----------
        path : str or path
            Where to write; ends in .html (one page that needs no other file), .md or .json.
        title : str, default=None
            The title of the page. None: the number of rows and parts.
        call : str, default=None
            The call or command that made the audit, to be shown.
        date : str or date, default=None
            The date to show, such as "2025-03-31" or "today". None: no date.

        Examples
        --------
        >>> audit = evenfold.audit([["a"], ["b"]] * 4, [0, 0, 0, 0, 0, 1, 1, 1])
        >>> audit.report(tmp_path / "audit.html")
        """
        from ..report import write_audit

        write_audit(path, self, call or "evenfold.audit(y, part_of_row)", title=title, date=date)

    def tables(self) -> list[Table]:
        """Return the tables that `print` and notebooks show.

        Returns
        -------
        list of Table
            Rows with a match in another part, some of these matches, and labels that drift; only
            those that have lines.
        """
        record = self.to_dict()
        made = [
            make_match_table(record, _MAX_LINES),
            make_example_table(record, _MAX_LINES),
            make_drift_table(record, _MAX_LINES),
        ]
        return [table for table in made if table.rows]

    def _describe_parts(self) -> str:
        names, sizes, _ = self._parts
        n_rows = show_count(int(sizes.sum()), "row")
        return f"{n_rows} in {len(names):,} parts: {list_sizes(names, sizes)}"

    def __str__(self) -> str:
        checks = [
            textwrap.fill(_MARKS[finding.state] + finding.text, _WIDTH, subsequent_indent=" " * 8)
            for finding in self.findings
        ]
        return "\n\n".join(
            [
                textwrap.fill(self.verdict, _WIDTH) + "\n" + self._describe_parts(),
                "\n".join(checks),
                *(table.to_text() for table in self.tables()),
            ]
        )

    def __repr__(self) -> str:
        return f"<Audit: {self.verdict}>"

    def _repr_html_(self) -> str:
        checks = "".join(
            f"<li>{html.escape(finding.state)}: {html.escape(finding.text)}</li>"
            for finding in self.findings
        )
        tables = "".join(table.to_html() for table in self.tables())
        lead = f"<p><b>{html.escape(self.verdict)}</b> {html.escape(self._describe_parts())}</p>"
        return f"{lead}<ul>{checks}</ul>{tables}"


def _count_rows(matches: Matches, overlap: Overlap) -> int:
    if overlap.other is None:
        return int(matches.in_any[overlap.part])
    return int(matches.in_parts[overlap.part, overlap.other])

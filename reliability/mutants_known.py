"""Changes that the tests did not notice once: mutants_known.json. They are tried in every run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from .mutants_sites import Position

KNOWN = Path(__file__).parent / "mutants_known.json"


@dataclass(frozen=True)
class KnownMutation:
    """One text in place of another one, and what that would do."""

    path: str
    before: str
    after: str
    what: str
    start: Position

    kind = "known"

    def apply(self, source: str) -> str:
        """Return the changed source."""
        assert source.count(self.before) == 1, self
        return source.replace(self.before, self.after)


def read_known(sources: Mapping[str, str]) -> dict[str, KnownMutation]:
    """Return the known changes, by what they do."""
    known = {}
    for entry in json.loads(KNOWN.read_text(encoding="utf-8")):
        source = sources[entry["path"]]
        at = source.index(entry["before"]) + len(entry["before"]) - len(entry["before"].lstrip())
        line = source.count("\n", 0, at) + 1
        known[entry["what"]] = KnownMutation(**entry, start=(line, 0))
    return known

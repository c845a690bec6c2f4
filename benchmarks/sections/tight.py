"""How far labels are above their bound, and above the tight bound of the same parts."""

from __future__ import annotations

import time

import evenfold

from ..data import read_groups
from ..tables import RecordTable
from .settings import PARTS, Settings

# The set, its parts and whether its groups are kept whole: the cases that methods.md quotes.
CASES = (
    ("wiki10_31k", "80/10/10", False),
    ("go_sp2014_mf", "5 folds", True),
    ("go_sp2014_mf", "80/10/10", True),
    ("chestxray14", "80/10/10", True),
)
FORMATS = {
    "data": "",
    "parts": "",
    "groups": "",
    "rLD": ".5f",
    "bound": ".5f",
    "excess %": ".2f",
    "tight bound": ".5f",
    "tight excess %": ".2f",
    "tight bound s": ".1f",
}


def measure_tight(settings: Settings) -> list[dict[str, object]]:
    """Measure the default split of one seed against both bounds of rLD."""
    table = RecordTable("The bound of each label alone, and the tight bound", FORMATS)
    for name, shown, has_groups in CASES:
        for _, y in settings.read_sets([name]):
            groups = read_groups(settings.folder, name) if has_groups else None
            s = evenfold.split(y, PARTS[shown], groups=groups, random_state=0)
            start = time.process_time()
            quality = evenfold.measure(y, s.part_of_row, PARTS[shown], groups=groups, bound="tight")
            tight = quality.tight_bound.rld
            table.add(
                {
                    "data": name,
                    "parts": shown,
                    "groups": "whole" if has_groups else "none",
                    "rLD": quality.rld,
                    "bound": quality.bound.rld,
                    "excess %": 100 * (quality.rld / quality.bound.rld - 1),
                    "tight bound": tight,
                    "tight excess %": 100 * (quality.rld / tight - 1),
                    "tight bound s": time.process_time() - start,
                }
            )
    return table.records

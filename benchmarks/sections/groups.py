"""Groups kept whole: evenness of labels, of rows and of groups."""

from __future__ import annotations

import numpy as np

from ..data import read_groups
from ..tables import RecordTable
from .settings import PARTS, Parts, Settings, find_shares, measure_splits, run_splits

SETS = ("chestxray14", "debtags", "go_sp2014_mf")
WAYS = {"default": {}, "order=1": {"order": 1}, "iterative": {"method": "iterative"}}
FORMATS = {
    "data": "",
    "groups": ",",
    "parts": "",
    "split": "",
    "rLD": ".5f",
    "bound": ".5f",
    "excess %": ".2f",
    "groups off %": ".2f",
    "rows off": ".1f",
    "FLZ": ",.0f",
    "FLZ bound": ",.0f",
    "ms": ".0f",
}


def print_groups(settings: Settings) -> list[dict[str, object]]:
    """Print splits that keep groups whole."""
    table = RecordTable("Groups kept whole", FORMATS)
    for name, y in settings.read_sets(SETS):
        groups = np.unique(read_groups(settings.folder, name), return_inverse=True)[1]
        ways = {title: {**options, "groups": groups} for title, options in WAYS.items()}
        for shown in ("5 folds", "80/10/10"):
            parts = PARTS[shown]
            for title, runs in run_splits(y, parts, ways, settings).items():
                off = [find_groups_off(split, groups, parts) for split in runs.results]
                table.add(
                    {
                        "data": name,
                        "groups": int(groups.max()) + 1,
                        "parts": shown,
                        "split": title,
                        "groups off %": max(off),
                        "ms": 1000 * runs.seconds,
                        **measure_splits(y, parts, runs.results, groups, with_labelsets=False),
                    }
                )
    print("\n'groups off' is the most that a part's share of the groups is off its target, in")
    print("percent of the target.")
    return table.records


def find_groups_off(part_of_row: np.ndarray, groups: np.ndarray, parts: Parts) -> float:
    """Return the largest deviation of a part's share of the groups, in percent of its target."""
    part_of_group = np.empty(groups.max() + 1, np.int64)
    part_of_group[groups] = part_of_row
    share = find_shares(parts)
    own = np.bincount(part_of_group, minlength=len(share)) / len(part_of_group)
    return float(100 * np.abs(own / share - 1).max())

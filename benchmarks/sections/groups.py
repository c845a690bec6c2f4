"""Groups kept whole: evenness of labels, of rows and of groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy import sparse

import evenfold

from ..data import read_groups
from ..tables import RecordTable
from .settings import PARTS, Parts, Settings, find_shares, measure_splits, run_splits, warm_up

# The sets, and their groups: the names of the columns, and the files that have them.
GROUPS = {
    "chestxray14": {"patient": "groups"},
    "debtags": {"source package": "groups", "maintainer": "groups_maintainer"},
    "go_sp2014_mf": {"cluster": "groups"},
}
WAYS = {"default": {}, "order=1": {"order": 1}, "iterative": {"method": "iterative"}}
FORMATS = {
    "data": "",
    "groups by": "",
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


def measure_groups(settings: Settings) -> list[dict[str, object]]:
    """Measure splits that keep groups whole."""
    warm_up()
    table = RecordTable("Groups kept whole", FORMATS)
    for name, columns, y in read_cases(settings):
        groups = link_columns(settings, name, columns)
        ways = {title: {**options, "groups": groups} for title, options in WAYS.items()}
        for shown in ("5 folds", "80/10/10"):
            parts = PARTS[shown]
            for title, runs in run_splits(y, parts, ways, settings).items():
                off = [find_groups_off(split, groups, parts) for split in runs.results]
                table.add(
                    {
                        "data": name,
                        "groups by": " and ".join(columns),
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


def read_cases(settings: Settings) -> Iterator[tuple[str, Sequence[str], sparse.csr_array]]:
    """Yield each set with its first column of groups, and with all of them."""
    for name, y in settings.read_sets(list(GROUPS)):
        columns = list(GROUPS[name])
        for n_columns in sorted({1, len(columns)}):
            yield name, columns[:n_columns], y


def link_columns(settings: Settings, name: str, columns: Sequence[str]) -> np.ndarray:
    """Return groups in which rows that share a value of any column are together."""
    found = {column: read_groups(settings.folder, name, GROUPS[name][column]) for column in columns}
    if len(found) == 1:
        return next(iter(found.values()))
    return np.unique(evenfold.link(groups=found).group_of_row, return_inverse=True)[1]


def find_groups_off(part_of_row: np.ndarray, groups: np.ndarray, parts: Parts) -> float:
    """Return the largest deviation of a part's share of the groups, in percent of its target."""
    part_of_group = np.empty(groups.max() + 1, np.int64)
    part_of_group[groups] = part_of_row
    share = find_shares(parts)
    own = np.bincount(part_of_group, minlength=len(share)) / len(part_of_group)
    return float(100 * np.abs(own / share - 1).max())

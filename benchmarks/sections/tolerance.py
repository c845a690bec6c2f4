"""`size_tolerance`: how even labels are if sizes may be off, and beside StratifiedGroupKFold."""

from __future__ import annotations

import warnings

import numpy as np
from scipy import sparse

import evenfold

from ..data import read_groups
from ..iterstrat import join_folds
from ..tables import RecordTable
from .settings import PARTS, Parts, Settings, find_shares

N_FOLDS = 5
# The sets, and the name of their groups.
SETS = {"chestxray14": "patients", "debtags": "maintainers"}
FILES = {"debtags": "groups_maintainer"}
TOLERANCES = (None, 0.01, 0.05, 0.1)
FORMATS = {
    "data": "",
    "groups": "",
    "parts": "",
    "tolerance %": ".0f",
    "rLD": ".5f",
    "sizes off %": ".2f",
}
# Rows, groups and labels of made data. With classes, each row has one label.
MADE = (
    (3_000, 300, 14),
    (5_000, 400, 14),
    (10_000, 1_000, 14),
    (10_000, 600, 40),
)
PEER_FORMATS = {
    "rows": ",",
    "groups": ",",
    "labels": "",
    "classes": "",
    "seed": "",
    "StratifiedGroupKFold rLD": ".4f",
    "StratifiedGroupKFold off %": ".1f",
    "exact rLD": ".4f",
    "exact off %": ".1f",
    "tolerance rLD": ".4f",
    "tolerance off %": ".1f",
}


def measure_tolerance(settings: Settings) -> list[dict[str, object]]:
    """Measure sets with groups, with several tolerances."""
    table = RecordTable("Sizes that may be off, groups kept whole", FORMATS)
    for name, y in settings.read_sets(list(SETS)):
        groups = read_groups(settings.folder, name, FILES.get(name, "groups"))
        for shown in ("5 folds", "80/10/10"):
            for tolerance in TOLERANCES:
                s = evenfold.split(y, PARTS[shown], groups=groups, size_tolerance=tolerance)
                table.add(
                    {
                        "data": name,
                        "groups": SETS[name],
                        "parts": shown,
                        "tolerance %": None if tolerance is None else 100 * tolerance,
                        "rLD": s.quality.rld,
                        "sizes off %": find_sizes_off(s.part_of_row, PARTS[shown]),
                    }
                )
    print("\n'sizes off' is the most that a part is off its size, in percent of this size.")
    return table.records


def measure_tolerance_of_peer(_: Settings) -> list[dict[str, object]]:
    """Measure folds of made data beside those of scikit-learn, with its deviation of sizes."""
    table = RecordTable("Sizes as far off as with StratifiedGroupKFold, 5 folds", PEER_FORMATS)
    for is_class in (False, True):
        for n_rows, n_groups, n_labels in MADE:
            seed, y, groups = find_made(n_rows, n_groups, n_labels, is_class)
            theirs = min(
                (split_by_scikit_learn(classes, groups) for classes in list_classes(y)),
                key=lambda split: evenfold.measure(y, split, N_FOLDS).rld,
            )
            off = find_sizes_off(theirs, N_FOLDS)
            splits = {
                "StratifiedGroupKFold": theirs,
                "exact": evenfold.split(y, N_FOLDS, groups=groups).part_of_row,
                "tolerance": evenfold.split(
                    y, N_FOLDS, groups=groups, size_tolerance=min(off / 100, 0.999)
                ).part_of_row,
            }
            record: dict[str, object] = {
                "rows": n_rows,
                "groups": n_groups,
                "labels": n_labels,
                "classes": "yes" if is_class else "no",
                "seed": seed,
            }
            for title, split in splits.items():
                record[f"{title} rLD"] = evenfold.measure(y, split, N_FOLDS).rld
                record[f"{title} off %"] = find_sizes_off(split, N_FOLDS)
            table.add(record)
    return table.records


def find_sizes_off(part_of_row: np.ndarray, parts: Parts) -> float:
    """Return the largest deviation of a part from its size, in percent of this size."""
    wanted = find_shares(parts) * len(part_of_row)
    own = np.bincount(part_of_row, minlength=len(wanted))
    return float(100 * np.abs(own / wanted - 1).max())


def find_made(
    n_rows: int, n_groups: int, n_labels: int, is_class: bool
) -> tuple[int, sparse.csr_array, np.ndarray]:
    """Return the first seed with no group larger than a fold, and the data of this seed."""
    for seed in range(100):
        y, groups = make_rows(n_rows, n_groups, n_labels, is_class, seed)
        if np.bincount(groups).max() <= n_rows // N_FOLDS:
            return seed, y, groups
    raise AssertionError("every seed has a group that is larger than a fold")


def make_rows(
    n_rows: int, n_groups: int, n_labels: int, is_class: bool, seed: int
) -> tuple[sparse.csr_array, np.ndarray]:
    """Return labels that are alike in a group, and groups with sizes by a Pareto distribution."""
    rng = np.random.default_rng(seed)
    weight = 1 + rng.pareto(1.2, n_groups)
    groups = rng.choice(n_groups, n_rows, p=weight / weight.sum())
    frequency = 0.4 / np.arange(1, n_labels + 1) ** 0.8
    of_group = np.log(frequency) + rng.normal(size=(n_groups, n_labels))
    if is_class:
        score = of_group[groups] + rng.gumbel(size=(n_rows, n_labels))
        is_label = np.arange(n_labels) == score.argmax(axis=1)[:, None]
    else:
        is_label = rng.random((n_rows, n_labels)) < np.exp(of_group[groups])
    return sparse.csr_array(is_label.astype(np.int8)), groups


def list_classes(y: sparse.csr_array) -> list[np.ndarray]:
    """Return classes for scikit-learn: the labelset of each row, and its rarest label."""
    dense = y.toarray()
    labelset = np.unique(dense, axis=0, return_inverse=True)[1]
    by_rarity = np.argsort(dense.sum(axis=0), kind="stable")
    is_label = dense[:, by_rarity]
    rarest = np.where(is_label.any(axis=1), is_label.argmax(axis=1), -1)
    return [labelset, rarest]


def split_by_scikit_learn(classes: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return the fold of each row by StratifiedGroupKFold."""
    from sklearn.model_selection import StratifiedGroupKFold

    with warnings.catch_warnings():
        # Classes with fewer rows than folds.
        warnings.simplefilter("ignore", UserWarning)
        folds = StratifiedGroupKFold(N_FOLDS, shuffle=True, random_state=0).split(
            classes, classes, groups
        )
        return join_folds(len(classes), (test for _, test in folds))

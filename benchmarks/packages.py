"""The default split beside those of the packages that people use today: same rows, same run.

The README and the page of benchmarks show these records.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
from scipy import sparse

import evenfold

from .data import read_groups
from .iterstrat import join_folds, split_by_iterstrat
from .peers import run_skmultilearn
from .sections.settings import Settings, count_rows_off, warm_up
from .tables import RecordTable
from .timing import run_in_turns, time_job

N_FOLDS = 5
PATIENTS = "chestxray14, patients"
SETS = ("emotions", "yeast", "medical", "bibtex", PATIENTS)
FORMATS = {
    "data": "",
    "package": "",
    "rLD": ".4f",
    "bound": ".4f",
    "excess %": ".1f",
    "FLZ": ".1f",
    "rows off": ".1f",
    "groups cut %": ".1f",
    "time": ".2f",
}
NOTE = """
Five folds. One process, in turns, processor time: the minimum of {repeats} runs of a seed, mean of
{n_seeds} seeds. Beyond 1 s, later seeds run once; beyond 3 s, only the first, once. 'time'
is divided by that of evenfold. evenfold gets the sparse matrix as it is stored, the others a dense
array; making it is not counted. 'excess' is rLD over the bound for the sizes of the split, minus 1.
'rows off' is the most rows that a fold is off its share, 'groups cut' the share of all groups that
are in two folds or more. scikit-learn stratifies by the labelset of a row, as one class."""

Place = Callable[[int], np.ndarray]


def measure_packages(settings: Settings) -> list[dict[str, object]]:
    """Return a record for each set and package."""
    warm_up()
    table = RecordTable("evenfold beside other packages", FORMATS)
    for name in SETS:
        stored = name.partition(",")[0]
        for _, y in settings.read_sets([stored]):
            groups = None
            if name == PATIENTS:
                groups = read_groups(settings.folder, stored)
            for record in compare(y, groups, settings.seeds, settings.repeats):
                table.add({"data": name, **record})
    print(NOTE.format(repeats=settings.repeats, n_seeds=len(settings.seeds)))
    return table.records


def compare(
    y: sparse.csr_array, groups: np.ndarray | None, seeds: Sequence[int], repeats: int
) -> list[dict[str, object]]:
    """Return a record for each package."""
    jobs = make_jobs(y, groups)
    runs = run_in_turns(
        {title: lambda seed, job=job: time_job(job, seed) for title, job in jobs.items()},
        seeds,
        repeats,
    )
    return [
        {
            "package": title,
            **measure(y, run.results, groups),
            "time": run.seconds / runs["evenfold"].seconds,
            "ms": 1000 * run.seconds,
        }
        for title, run in runs.items()
    ]


def make_jobs(y: sparse.csr_array, groups: np.ndarray | None) -> dict[str, Place]:
    """Return for each package what its users call for five folds with a seed.

    scikit-multilearn-ng gets no seed: with one, it returns folds of other rows than it has placed.
    """
    dense = y.toarray().astype(bool)
    return {
        "evenfold": lambda seed: (
            evenfold.split(y, N_FOLDS, groups=groups, random_state=seed).part_of_row
        ),
        "iterative-stratification": lambda seed: split_by_iterstrat(dense, N_FOLDS, seed),
        "scikit-multilearn-ng": lambda _: run_skmultilearn(1)(y, dense),
        "scikit-learn": lambda seed: split_by_labelsets(dense, groups, seed),
    }


def split_by_labelsets(dense: np.ndarray, groups: np.ndarray | None, seed: int) -> np.ndarray:
    """Return the fold of each row by scikit-learn, with each labelset as one class."""
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

    labelset = np.unique(np.packbits(dense, axis=1), axis=0, return_inverse=True)[1]
    kind = StratifiedKFold if groups is None else StratifiedGroupKFold
    with warnings.catch_warnings():
        # Labelsets with fewer rows than folds.
        warnings.simplefilter("ignore", UserWarning)
        folds = kind(N_FOLDS, shuffle=True, random_state=seed).split(dense, labelset, groups)
        return join_folds(len(dense), (test for _, test in folds))


def measure(
    y: sparse.csr_array, splits: list[np.ndarray], groups: np.ndarray | None
) -> dict[str, float | None]:
    """Return the measures of splits, mean over them; of rows off and groups cut, the most.

    The bounds are those without groups, which most packages do not keep.
    """
    qualities = [evenfold.measure(y, split, N_FOLDS) for split in splits]
    return {
        "rLD": float(np.mean([own.rld for own in qualities])),
        "bound": float(np.mean([own.bound.rld for own in qualities])),
        "excess %": float(np.mean([100 * own.excess for own in qualities])),
        "FLZ": float(np.mean([own.flz for own in qualities])),
        "rows off": max(count_rows_off(split, N_FOLDS) for split in splits),
        "groups cut %": None
        if groups is None
        else 100 * max(find_share_cut(split, groups) for split in splits),
    }


def find_share_cut(part_of_row: np.ndarray, groups: np.ndarray) -> float:
    """Return the share of the groups that have rows in two parts or more."""
    first = np.full(groups.max() + 1, part_of_row.max(), np.int64)
    np.minimum.at(first, groups, part_of_row)
    last = np.zeros(groups.max() + 1, np.int64)
    np.maximum.at(last, groups, part_of_row)
    return float((first < last).mean())

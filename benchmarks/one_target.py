"""Five folds that keep one number even: how far means, deciles and shares of folds are off.

The number is each column of abalone with more than 50 values. Means and deciles are in standard
deviations of the column; the shares are the largest difference of distribution functions
(Kolmogorov-Smirnov). Each value is the largest over the folds; the table has means over columns and
seeds.
"""

from __future__ import annotations

import time

import numpy as np
import pandas as pd
from sklearn.model_selection import KFold, StratifiedKFold

from evenfold import model_selection

from .sections.settings import Settings
from .tables import RecordTable

N_FOLDS, N_SEEDS, DECILES = 5, 10, np.arange(1, 10) / 10
SPLITTERS = ("KFold", "StratifiedKFold on 5 bins", "StratifiedKFold on 10 bins", "evenfold")
FORMATS = {
    "splitter": "",
    "mean": ".5f",
    "deciles": ".4f",
    "distribution": ".4f",
    "ms": ".1f",
}


def list_folds(name: str, y: np.ndarray, seed: int) -> list[np.ndarray]:
    """Return the test rows of each fold of a splitter."""
    settings = {"n_splits": N_FOLDS, "shuffle": True, "random_state": seed}
    if name == "KFold":
        splits = KFold(**settings).split(y)
    elif name == "evenfold":
        splits = model_selection.StratifiedKFold(**settings).split(None, y)
    else:
        n_bins = int(name.split()[-2])
        bins = pd.qcut(y, n_bins, labels=False, duplicates="drop")
        splits = StratifiedKFold(**settings).split(y, bins)
    return [test for _, test in splits]


def measure(y: np.ndarray, folds: list[np.ndarray]) -> list[float]:
    """Return how far the mean, the deciles and the distribution of a fold are off at most."""
    values = np.unique(y)
    share = np.searchsorted(np.sort(y), values, side="right") / len(y)
    off = []
    for rows in folds:
        own = np.sort(y[rows])
        shares = np.searchsorted(own, values, side="right") / len(own)
        deciles = np.abs(np.quantile(own, DECILES) - np.quantile(y, DECILES)).max()
        off.append([abs(own.mean() - y.mean()) / y.std(), deciles / y.std()])
        off[-1].append(np.abs(shares - share).max())
    return np.max(off, axis=0).tolist()


def measure_one_target(settings: Settings) -> list[dict[str, object]]:
    """Return a record for each splitter."""
    columns = np.loadtxt(settings.folder / "abalone" / "features.csv.gz", delimiter=",").T
    columns = [column for column in columns if len(np.unique(column)) > 50]
    n_rows = len(columns[0])
    table = RecordTable(
        f"One number kept even: {n_rows:,} rows, {len(columns)} columns, {N_SEEDS} seeds", FORMATS
    )
    list_folds("evenfold", columns[0], 0)  # loads the compiled loops
    for name in SPLITTERS:
        began = time.process_time()
        splits = [(y, list_folds(name, y, seed)) for y in columns for seed in range(N_SEEDS)]
        seconds = (time.process_time() - began) / len(splits)
        mean, deciles, shares = np.mean([measure(*split) for split in splits], axis=0).tolist()
        table.add(
            {
                "splitter": name,
                "mean": mean,
                "deciles": deciles,
                "distribution": shares,
                "ms": 1000 * seconds,
            }
        )
    return table.records

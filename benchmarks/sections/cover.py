"""Labels that parts lack, by default and with `cover=True`, at 80/10/10."""

from __future__ import annotations

import inspect

import numpy as np
from scipy import sparse

import evenfold

from ..tables import RecordTable
from .settings import (
    TRAIN_VAL_TEST,
    Parts,
    Settings,
    find_shares,
    measure_splits,
    run_splits,
    warm_up,
)

SETS = ("corel5k", "enron", "medical", "genbase", "go_sp2014_mf", "eisen", "made_ontology")
FORMATS = {
    "data": "",
    "split": "",
    "FLZ": ",.1f",
    "FLZ bound": ",.0f",
    "rLD": ".4f",
    "bound": ".4f",
    "empty, half-row rule": ",.1f",
    "ms": ".1f",
}


def measure_cover(settings: Settings) -> list[dict[str, object]]:
    """Measure how many labels the parts lack."""
    warm_up()
    table = RecordTable("Labels that parts lack, 80/10/10", FORMATS)
    ways: dict[str, dict[str, object]] = {"default": {}, "order=1": {"order": 1}}
    has_cover = "cover" in inspect.signature(evenfold.methods.Even).parameters
    if has_cover:
        ways["cover=True"] = {"method": evenfold.methods.Even(cover=True)}
    ways["iterative"] = {"method": "iterative"}
    for name, y in settings.read_sets(SETS):
        for shown, runs in run_splits(y, TRAIN_VAL_TEST, ways, settings).items():
            empty = [count_empty(y, split, TRAIN_VAL_TEST) for split in runs.results]
            table.add(
                {
                    "data": name,
                    "split": shown,
                    "empty, half-row rule": float(np.mean(empty)),
                    "ms": 1000 * runs.seconds,
                    **measure_splits(y, TRAIN_VAL_TEST, runs.results, with_labelsets=False),
                }
            )
    print("\nThe half-row rule counts the parts without a label of which their share is more than")
    print("half a row, if the label has at least as many rows as there are parts.")
    if not has_cover:
        print("\nSkipped: cover=True, because the method `Even` has no setting 'cover'.")
    return table.records


def count_empty(y: sparse.csr_array, part_of_row: np.ndarray, parts: Parts) -> int:
    """Return how many pairs of part and label break the half-row rule."""
    share = find_shares(parts)
    is_in_part = sparse.csr_array(
        (np.ones(len(part_of_row)), (part_of_row, np.arange(len(part_of_row)))),
        shape=(len(share), len(part_of_row)),
    )
    held = (is_in_part @ y.astype(np.int64)).toarray()
    total = held.sum(axis=0)
    # 5 rows at a share of 0.1 are not more than half a row, whatever the rounding error.
    is_due = (share[:, None] * total > 0.5 + 1e-9) & (total >= len(share))
    return int((is_due & (held == 0)).sum())

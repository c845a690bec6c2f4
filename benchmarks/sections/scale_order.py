"""How the order of the rows and the sizes of the partitions change a split, beside shuffled rows.

Every arrangement has the rows of one set in 64 or 65 partitions. The bound does not depend on
the order of the rows, so the difference is due to the arrangement and to chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import sparse

import evenfold

from ..tables import RecordTable
from .scale_settings import (
    N_PARTITIONS,
    STREAM,
    ScaleSettings,
    Way,
    find_starts,
    find_worst,
    gather,
    measure_excess,
    split_partitions,
)
from .settings import count_rows_off

N_FOLDS = 5
GOAL = 0.2
WAYS = (gather(0.10), STREAM)
FORMATS = {
    "data": "",
    "rows": "",
    "scheme": "",
    "excess %": ".2f",
    "shuffled %": ".2f",
    "points, worst": ".2f",
    "goal": "",
    "rows off": ".1f",
}


class Arrangement(NamedTuple):
    """The rows in the order they are written, and the first row of each partition."""

    order: np.ndarray
    starts: np.ndarray


def print_order(settings: ScaleSettings) -> list[dict[str, object]]:
    """Print the excess of each arrangement over that of shuffled rows, for the worst seed."""
    table = RecordTable("Arrangements of rows: points of rLD excess over shuffled rows", FORMATS)
    for name, y in read_sets(settings):
        for way in WAYS:
            shuffled = [measure(y, arrange_shuffled, way, seed) for seed in settings.seeds]
            for title, arrange in ARRANGEMENTS.items():
                each = [measure(y, arrange, way, seed) for seed in settings.seeds]
                for record, base in zip(each, shuffled, strict=True):
                    record["shuffled %"] = base["excess %"]
                    record["points, worst"] = record["excess %"] - base["excess %"]
                worst = {
                    **find_worst(each, "points, worst"),
                    "rows off": find_worst([*each, *shuffled], "rows off")["rows off"],
                }
                goal = f"≤ {GOAL:g}"
                table.add({"data": name, "rows": title, "scheme": way.name, **worst, "goal": goal})
    return table.records


def read_sets(settings: ScaleSettings) -> Iterator[tuple[str, sparse.csr_array]]:
    """Yield a made set, and a stored one if it is there."""
    yield "made Zipf", evenfold.datasets.make_zipf(100_000, 2_000, 5, random_state=5)
    y = settings.read_stored("go_sp2014_mf")
    if y is not None:
        yield "go_sp2014_mf", y


def measure(
    y: sparse.csr_array,
    arrange: Callable[[sparse.csr_array, np.random.Generator], Arrangement],
    way: Way,
    seed: int,
) -> dict[str, float]:
    """Return the excess of the split of one arrangement, and the rows its sizes are off."""
    order, starts = arrange(y, np.random.default_rng(seed))
    y = y[order]
    part_of_row = split_partitions(y, starts, N_FOLDS, way, seed)
    return {
        "excess %": measure_excess(y, part_of_row, N_FOLDS),
        "rows off": count_rows_off(part_of_row, N_FOLDS),
    }


def arrange_shuffled(y: sparse.csr_array, rng: np.random.Generator) -> Arrangement:
    """Shuffle the rows; partitions have the same size."""
    n_rows = y.shape[0]
    return Arrangement(rng.permutation(n_rows), find_starts(n_rows))


def arrange_by_label(y: sparse.csr_array, rng: np.random.Generator) -> Arrangement:
    """Sort the rows by their rarest label."""
    order, starts = arrange_shuffled(y, rng)
    rank = rank_labels(y)
    rarest = np.full(y.shape[0], y.shape[1])
    np.minimum.at(rarest, find_row_of_entry(y), rank[y.indices])
    return Arrangement(order[np.argsort(rarest[order], kind="stable")], starts)


def arrange_by_date(y: sparse.csr_array, rng: np.random.Generator) -> Arrangement:
    """Sort the rows by dates near the mean date of their labels, so that labels come and go."""
    order, starts = arrange_shuffled(y, rng)
    date_of_label = rng.normal(size=y.shape[1])
    n_labels_of_row = np.maximum(np.diff(y.indptr), 1)
    date = (y @ date_of_label) / n_labels_of_row + rng.normal(scale=0.3, size=y.shape[0])
    return Arrangement(order[np.argsort(date[order], kind="stable")], starts)


def arrange_giant(y: sparse.csr_array, rng: np.random.Generator) -> Arrangement:
    """Put nine tenths of the shuffled rows into one partition in the middle."""
    order, _ = arrange_shuffled(y, rng)
    n_small = y.shape[0] // 10
    starts = find_starts(n_small, N_PARTITIONS - 1)
    n_before = len(starts) // 2
    after = starts[n_before:] + y.shape[0] - n_small
    return Arrangement(order, np.concatenate((starts[:n_before], starts[[n_before]], after)))


def arrange_with_empty(y: sparse.csr_array, rng: np.random.Generator) -> Arrangement:
    """Leave every other partition empty, the first and the last too."""
    order, _ = arrange_shuffled(y, rng)
    starts = find_starts(y.shape[0], N_PARTITIONS // 2)
    starts = np.append(np.repeat(starts, 2), y.shape[0])
    return Arrangement(order, starts)


def arrange_one_label(y: sparse.csr_array, rng: np.random.Generator) -> Arrangement:
    """Put all rows of one label into one partition, which they fill to about a half."""
    order, starts = arrange_shuffled(y, rng)
    count_of_label = np.bincount(y.indices, minlength=y.shape[1])
    label = np.argmin(np.abs(count_of_label - y.shape[0] / N_PARTITIONS / 2))
    has_label = np.zeros(y.shape[0], bool)
    has_label[find_row_of_entry(y)[y.indices == label]] = True
    own, others = order[has_label[order]], order[~has_label[order]]
    begin = starts[N_PARTITIONS // 3]
    return Arrangement(np.concatenate((others[:begin], own, others[begin:])), starts)


def rank_labels(y: sparse.csr_array) -> np.ndarray:
    """Return the place of each label, from the rarest to the most common."""
    count_of_label = np.bincount(y.indices, minlength=y.shape[1])
    rank = np.empty(y.shape[1], np.int64)
    rank[np.argsort(count_of_label, kind="stable")] = np.arange(y.shape[1])
    return rank


def find_row_of_entry(y: sparse.csr_array) -> np.ndarray:
    """Return the row of each entry."""
    return np.repeat(np.arange(y.shape[0]), np.diff(y.indptr))


ARRANGEMENTS: dict[str, Callable[[sparse.csr_array, np.random.Generator], Arrangement]] = {
    "sorted by label": arrange_by_label,
    "sorted by date": arrange_by_date,
    "one giant partition": arrange_giant,
    "empty partitions": arrange_with_empty,
    "one label in one partition": arrange_one_label,
}

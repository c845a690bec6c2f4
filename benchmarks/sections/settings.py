"""What all sections share: settings, names of parts, runs and measures of splits."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy import sparse

import evenfold
from evenfold.quality import Quality

from ..data import ALL_SETS, HELD_BACK, TUNED_ON, read_set
from ..timing import Runs, run_in_turns, time_job

Parts = int | Sequence[float]

TRAIN_VAL_TEST = (0.8, 0.1, 0.1)
PARTS: dict[str, Parts] = {"5 folds": 5, "10 folds": 10, "80/10/10": TRAIN_VAL_TEST}
# Labels of at least this many rows are also measured apart from the rarer ones.
MIN_ROWS_OF_COMMON = 50


class Settings(NamedTuple):
    """The folder of the data, the names of the sets to run, and how often each split is made."""

    folder: Path | None
    names: Sequence[str]
    seeds: Sequence[int]
    repeats: int

    def read_sets(self, names: Sequence[str] = ALL_SETS) -> Iterator[tuple[str, sparse.csr_array]]:
        """Yield the name and the labels of those of these sets that are wanted and stored."""
        for name in names:
            y = read_set(self.folder, name) if name in self.names else None
            if y is not None:
                yield name, y


def run_splits(
    y: sparse.csr_array,
    parts: Parts,
    ways: Mapping[str, Mapping[str, object]],
    settings: Settings,
    others: Mapping[str, Callable[[int], object]] | None = None,
) -> dict[str, Runs]:
    """Split with the options of each way, and run the other jobs, in turns.

    The other jobs are functions of a seed, such as the splits of another package.
    """

    def make_job(options: Mapping[str, object]) -> Callable[[int], np.ndarray]:
        return lambda seed: evenfold.split(y, parts, random_state=seed, **options).part_of_row

    jobs = {title: make_job(options) for title, options in ways.items()} | dict(others or {})
    return run_in_turns(
        {title: lambda seed, job=job: time_job(job, seed) for title, job in jobs.items()},
        settings.seeds,
        settings.repeats,
    )


def find_origin(name: str) -> str:
    """Return whether `even` was tuned on a set."""
    if name in TUNED_ON:
        return "tuned on"
    return "held back" if name in HELD_BACK else "generated"


def find_shares(parts: Parts) -> np.ndarray:
    """Return the wanted share of each part."""
    return np.full(parts, 1 / parts) if isinstance(parts, int) else np.array(parts)


def count_rows_off(part_of_row: np.ndarray, parts: Parts) -> float:
    """Return the most rows that a part is off its share."""
    share = find_shares(parts)
    own = np.bincount(part_of_row, minlength=len(share))
    return float(np.abs(own - share * len(part_of_row)).max())


def measure_splits(
    y: sparse.csr_array,
    parts: Parts,
    splits: Sequence[np.ndarray],
    groups: np.ndarray | None = None,
    with_labelsets: bool = True,
    with_pairs: bool = False,
) -> dict[str, float]:
    """Return the measures of splits, mean over them; for rows off, the most."""
    each = []
    for part_of_row in splits:
        quality = evenfold.measure(y, part_of_row, parts, groups=groups)
        each.append(
            {
                "rLD": quality.rld,
                "bound": quality.bound.rld,
                "excess %": 100 * quality.excess,
                **measure_common_labels(quality),
                "FLZ": quality.flz,
                "FLZ bound": quality.bound.flz,
            }
        )
        if with_labelsets:
            each[-1]["labelsets excess %"] = find_excess(quality, "rld_labelsets")
        if with_pairs:
            each[-1]["pairs excess %"] = find_excess(quality, "rld_pairs")
    record = {name: float(np.mean([values[name] for values in each])) for name in each[0]}
    record["rows off"] = max(count_rows_off(part_of_row, parts) for part_of_row in splits)
    return record


def find_excess(quality: Quality, measure: str) -> float:
    """Return by how many percent a measure is over its bound."""
    value, bound = quality.value_of(measure), quality.bound_of(measure)
    return 100 * (value / bound - 1) if bound else 0.0 if not value else float("inf")


def measure_common_labels(quality: Quality) -> dict[str, float]:
    """Return mean rLD and bound of the labels of 50 rows and more."""
    of_label = quality.per_label
    is_common = of_label.rows >= MIN_ROWS_OF_COMMON
    if not is_common.any():
        return {"rLD ≥ 50 rows": float("nan"), "bound ≥ 50 rows": float("nan")}
    return {
        "rLD ≥ 50 rows": float(np.nanmean(of_label.rld[is_common])),
        "bound ≥ 50 rows": float(np.nanmean(of_label.rld_bound[is_common])),
    }


def warm_up() -> None:
    """Compile and load all that the measured splits need."""
    y = evenfold.datasets.make_zipf(20_000, 100, labels_per_row=4)
    groups = np.arange(20_000) // 3
    for parts in (5, TRAIN_VAL_TEST):
        for order in ("auto", 1, 2):
            evenfold.split(y, parts, order=order)
            evenfold.split(y, parts, order=order, groups=groups)

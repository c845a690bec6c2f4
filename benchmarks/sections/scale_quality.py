"""Evenness of splits of partitions, beside `evenfold.split(order=1)` of the same rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from scipy import sparse

import evenfold

from ..data import read_groups
from ..tables import RecordTable
from .scale_settings import (
    IN_MEMORY,
    N_PARTITIONS,
    STREAM,
    ScaleSettings,
    Way,
    extend_partitions,
    find_starts,
    find_worst,
    gather,
    list_parts,
    measure_excess,
    split_partitions,
)
from .settings import Parts, count_rows_off

N_FOLDS = 5
TRAIN_VAL_TEST = (0.7, 0.15, 0.15)
# 300,000 rows with 43 labels each in the mean.
ONTOLOGY = {"n_rows": 300_000, "n_labels": 6_000, "most_specific": 5}
FORMATS = {
    "data": "",
    "case": "",
    "scheme": "",
    "budget": ".0%",
    "excess %": ".2f",
    "in memory %": ".2f",
    "points, worst": ".2f",
    "points, mean": ".2f",
    "goal": "",
    "rows off": ".1f",
    "groups cut": "",
}


class Case(NamedTuple):
    """What is split how, and the most points over the split in memory that it may have."""

    name: str
    way: Way
    goal: float | None = None
    parts: Parts = N_FOLDS
    groups: np.ndarray | None = None
    is_extended: bool = False


def print_quality(settings: ScaleSettings) -> list[dict[str, object]]:
    """Print the excess of each case over the split in memory, for the worst seed."""
    table = RecordTable("Partitions: points of rLD excess over evenfold.split(order=1)", FORMATS)
    for name, y, cases in make_cases(settings):
        in_memory = make_baseline(y)
        for case in cases:
            record = measure_case(y, case, settings.seeds, in_memory)
            table.add({"data": name, **record})
    return table.records


def make_cases(settings: ScaleSettings) -> Iterator[tuple[str, sparse.csr_array, list[Case]]]:
    """Yield the name, the labels and the cases of each set."""
    y = settings.read_stored("go_sp2014_mf")
    if y is not None:
        yield (
            "go_sp2014_mf",
            y,
            [
                Case("5 folds", gather(0.05), 1.0),
                Case("5 folds", gather(0.10), 0.2),
                Case("5 folds", gather(0.25), 0.1),
                Case("5 folds", STREAM, 0.2),
                Case("70/15/15", gather(0.10), 0.5, TRAIN_VAL_TEST),
                Case(
                    "groups",
                    gather(0.50),
                    0.3,
                    groups=read_groups(settings.folder, "go_sp2014_mf"),
                ),
                Case("last quarter added", gather(0.25), 0.2, is_extended=True),
                Case("last quarter added", IN_MEMORY, is_extended=True),
            ],
        )
    y, _ = evenfold.datasets.make_ontology(**ONTOLOGY)
    cases = [Case("5 folds", gather(0.25), 6.0), Case("5 folds", STREAM, 1.0)]
    yield "made ontology", y, cases
    y = settings.read_stored("wiki10_31k")
    if y is not None:
        cases = [Case("5 folds", gather(0.10)), Case("5 folds", gather(0.90))]
        yield "wiki10_31k", y, [*cases, Case("5 folds", STREAM)]


def make_baseline(y: sparse.csr_array) -> Callable[[Case, int], float]:
    """Return a function of a case and a seed: the excess of the split in memory, made once."""
    known: dict[tuple[object, ...], float] = {}

    def measure(case: Case, seed: int) -> float:
        key = (case.parts, case.groups is None, seed)
        if key not in known:
            split = evenfold.split(
                y, list_parts(case.parts), groups=case.groups, order=1, random_state=seed
            )
            known[key] = measure_excess(y, split.part_of_row, case.parts, case.groups)
        return known[key]

    return measure


def measure_case(
    y: sparse.csr_array, case: Case, seeds: range, in_memory: Callable[[Case, int], float]
) -> dict[str, object]:
    """Return what is printed of a case: the worst of several seeds."""
    each = []
    for seed in seeds:
        part_of_row = make_parts(y, case, seed)
        excess, base = (
            measure_excess(y, part_of_row, case.parts, case.groups),
            in_memory(case, seed),
        )
        each.append(
            {
                "excess %": excess,
                "in memory %": base,
                "points": excess - base,
                "rows off": count_rows_off(part_of_row, case.parts),
                "groups cut": count_cut(part_of_row, case.groups),
            }
        )
    worst = find_worst(each, "points")
    return {
        "case": case.name,
        "scheme": case.way.name,
        "budget": case.way.budget,
        "excess %": worst["excess %"],
        "in memory %": worst["in memory %"],
        "points, worst": worst["points"],
        "points, mean": float(np.mean([record["points"] for record in each])),
        "goal": None if case.goal is None else f"≤ {case.goal:g}",
        "rows off": find_worst(each, "rows off")["rows off"],
        "groups cut": None if case.groups is None else find_worst(each, "groups cut")["groups cut"],
    }


def make_parts(y: sparse.csr_array, case: Case, seed: int) -> np.ndarray:
    """Return the part of each row of a case."""
    starts = find_starts(y.shape[0])
    if case.is_extended:
        n_first = N_PARTITIONS * 3 // 4
        return extend_partitions(y, starts, n_first, case.parts, case.way, seed)
    return split_partitions(y, starts, case.parts, case.way, seed, case.groups)


def count_cut(part_of_row: np.ndarray, groups: np.ndarray | None) -> int:
    """Return how many groups are in more than one part."""
    if groups is None:
        return 0
    pairs = np.unique(np.column_stack((groups, part_of_row)), axis=0)
    return int(np.count_nonzero(np.unique(pairs[:, 0], return_counts=True)[1] > 1))

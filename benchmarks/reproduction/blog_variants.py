"""The blog post's experiment with other distributions and other numbers of classes and rows."""

from __future__ import annotations

import time
from dataclasses import dataclass

import numpy as np
from scipy import sparse

import evenfold
from evenfold.datasets.random_labels import draw_labels, log_zipf

from .experiments import print_progress
from .markdown import to_page, to_table

SHARES = [0.70, 0.15, 0.15]
METHODS = ["iterative", "even", "random"]
N_RUNS = 3


@dataclass(frozen=True)
class Variant:
    """The data of one line; the defaults are those of the post."""

    distribution: str = "exponential"
    n_labels: int = 100
    most_labels: int = 10
    n_rows: int = 100_000


# Each differs from the first, the post's own, in one thing.
VARIANTS = [
    Variant(),
    Variant(distribution="uniform"),
    Variant(distribution="linear"),
    Variant(distribution="Zipf"),
    Variant(n_labels=20),
    Variant(n_labels=500),
    Variant(most_labels=1),
    Variant(most_labels=3),
    Variant(most_labels=30),
    Variant(n_rows=1000),
    Variant(n_rows=10_000),
    Variant(n_rows=300_000),
]


@dataclass(frozen=True)
class Outcome:
    """What one method reached: medians of the runs, and the least seconds."""

    kl: float
    kl_of_all: float
    seconds: float


def make_labels(variant: Variant, seed: int = 0) -> sparse.csr_array:
    """Draw the labels of a variant, each row with 1 to `most_labels` of them."""
    rng = np.random.default_rng(seed)
    n = variant.n_labels
    log_weight = {
        "exponential": -5 * np.arange(n) / n,
        "uniform": np.zeros(n),
        "linear": np.log(np.arange(n, 0, -1) / n),
        "Zipf": log_zipf(n, 1.0),
    }[variant.distribution]
    n_labels_of_row = rng.integers(1, variant.most_labels, variant.n_rows, endpoint=True)
    return draw_labels(rng, n_labels_of_row, log_weight)


def measure_variant(y: sparse.csr_array, n_runs: int = N_RUNS) -> dict[str, Outcome]:
    """Split the data by every method, in turn, and return what each reached."""
    found: dict[str, list[tuple[float, float, float]]] = {method: [] for method in METHODS}
    for seed in range(n_runs):
        for method in METHODS:
            start = time.perf_counter()
            s = evenfold.split(y, SHARES, method=method, random_state=seed)
            seconds = time.perf_counter() - start
            quality = s.quality
            found[method].append((quality.kl, quality.per_part.kl_of_all.max(), seconds))
    return {
        method: Outcome(*np.median(runs, axis=0)[:2], min(run[2] for run in runs))
        for method, runs in found.items()
    }


def write_variants() -> str:
    """Return the table of all variants."""
    outcomes = []
    for variant in VARIANTS:
        print_progress(f"blog, {variant}, {N_RUNS} runs")
        outcomes.append(measure_variant(make_labels(variant)))
    n_better = sum(own["even"].kl < own["iterative"].kl for own in outcomes)
    least = min(own["random"].kl / own["iterative"].kl for own in outcomes)
    n_infinite = sum(np.isinf(own["random"].kl_of_all) for own in outcomes)
    heading = ["distribution", "classes", "labels per row", "rows"]
    heading += [f"KL(part ‖ all), {method}" for method in METHODS]
    heading += [f"KL(all ‖ part), {method}" for method in METHODS]
    heading += ["time, even / iterative", "time, random / iterative"]
    return to_page(
        "### Other distributions, numbers of classes, labels and rows",
        "The post says that experiments with other distributions, numbers of classes, numbers of "
        "labels and numbers of examples agree. It does not say which. Here each line differs from "
        "the first in one thing. Labels are drawn with weights that fall exponentially, not at "
        "all, linearly to 0, or by Zipf's law with the exponent 1. All three parts are made at "
        f"once. Values are medians of {N_RUNS} runs: KL(part ‖ all) is the mean over the parts, "
        "KL(all ‖ part) the largest of a part, which is infinite (inf) if the part lacks a class. "
        "Times are the least of the runs, as ratios; they differ from one run of this page to the "
        "next.",
        to_table(
            heading,
            [write_line(variant, own) for variant, own in zip(VARIANTS, outcomes, strict=True)],
        ),
        f"`even` has a lower KL(part ‖ all) than `iterative` in {n_better} of {len(VARIANTS)} "
        f"lines. The KL of `random` is at least {least:,.0f} times that of `iterative`. "
        f"{n_infinite} of the lines have an infinite KL(all ‖ part) for `random`.",
    )


def write_line(variant: Variant, outcome: dict[str, Outcome]) -> list[str]:
    """Return the cells of one line."""
    seconds = outcome["iterative"].seconds
    most = variant.most_labels
    return [
        variant.distribution,
        f"{variant.n_labels:,}",
        "1" if most == 1 else f"1 to {most}",
        f"{variant.n_rows:,}",
        *(f"{outcome[method].kl:.1e}" for method in METHODS),
        *(f"{outcome[method].kl_of_all:.1e}" for method in METHODS),
        f"{outcome['even'].seconds / seconds:.1f}",
        f"{outcome['random'].seconds / seconds:.2f}",
    ]

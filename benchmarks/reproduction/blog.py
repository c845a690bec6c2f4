"""The blog post "Sampling a multilabel dataset": its experiment and its figures."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
from scipy import sparse

import evenfold
from evenfold.datasets import make_exponential
from evenfold.quality import Quality

from . import figures
from .blog_variants import write_variants
from .experiments import Experiments, print_progress
from .markdown import NO_VALUE, to_figure, to_page, to_table

SHARES = [0.70, 0.15, 0.15]
METHODS = ["iterative", "even", "random"]
N_RUNS = 10
PUBLISHED_SIZES = [69_912, 14_890, 15_198]
PUBLISHED_KL = "-0.0001 (train and test)"


def write_section(_: Experiments, folder: Path) -> str:
    """Return the section and draw its figure."""
    y = make_exponential()
    published_ed = np.abs(
        np.array(PUBLISHED_SIZES) - np.array(SHARES) * sum(PUBLISHED_SIZES)
    ).mean()
    rows = [
        [
            "published",
            "unknown",
            format_sizes(PUBLISHED_SIZES),
            PUBLISHED_KL,
            NO_VALUE,
            f"{published_ed:.1f}",
            NO_VALUE,
            NO_VALUE,
        ]
    ]
    for method in METHODS:
        for cuts, place in {
            "all parts at once": place_at_once,
            "train, then the rest": place_in_sequence,
        }.items():
            print_progress(f"blog, {method}, {cuts}, {N_RUNS} runs")
            rows.append(
                [
                    method,
                    cuts,
                    *describe(
                        [
                            evenfold.measure(y, place(y, method, seed), SHARES)
                            for seed in range(N_RUNS)
                        ]
                    ),
                ]
            )
    heading = [
        "method",
        "cuts",
        "sizes",
        "KL(all ‖ part): train, val, test",
        "KL(part ‖ all), mean",
        "ED",
        "rLD",
        "rLD bound",
    ]
    return to_page(
        "## Sampling a multilabel dataset (blog post)",
        f"{y.shape[0]:,} rows, {y.shape[1]} labels from a decreasing exponential distribution, 1 "
        "to 10 labels per row, cut 70/15/15. The labels of the post are not published, so new "
        "ones were generated from its description. Sizes are those of the first run. The other "
        f"values are the median of {N_RUNS} runs, with the worst in brackets.",
        to_table(heading, rows, n_text_columns=2),
        "The published divergence cannot be correct, as a divergence is never negative. The "
        "published ED was computed from the published sizes. The ED of our `iterative` is similar. "
        "The post says that three parts are most even if they are cut one after the other. Here "
        "both methods have a lower rLD if all parts are made at once. Only the worst KL of "
        "`iterative` is lower in sequence.",
        draw(y, folder),
        write_variants(),
    )


def draw(y: sparse.csr_array, folder: Path) -> str:
    """Draw the three figures of the post: the target, and the classes after each of two cuts."""
    part_of_row = place_in_sequence(y, "iterative", 0)
    target = np.exp(-5 * np.arange(y.shape[1]) / y.shape[1])
    data = share_of_classes(y)
    train, val, test = (share_of_classes(y[part_of_row == part]) for part in range(3))
    rest = share_of_classes(y[part_of_row > 0])
    figures.draw_distributions(
        folder / "blog_distributions.svg",
        {
            "target and data": {"target": target / target.sum(), "data": data},
            "first cut": {"data": data, "train": train, "val + test": rest},
            "second cut": {"data": data, "val": val, "test": test},
        },
        ["target", "data", "data"],
    )
    return to_figure(
        "blog_distributions.svg",
        "Class distributions of the blog post",
        "The three figures of the post, for `iterative` in sequence. Above: the share of each "
        "class among all labels. Below: the difference from the first line of the panel, in "
        "percent of it. The data is flatter than its target because the labels of a row are "
        "distinct.",
    )


def share_of_classes(y: sparse.csr_array) -> np.ndarray:
    """Return the share of each class among all labels."""
    count = y.sum(axis=0, dtype=np.int64)
    return count / count.sum()


def place_at_once(y: sparse.csr_array, method: str, seed: int) -> np.ndarray:
    """Return the part of each row if all three parts are made together."""
    return evenfold.split(y, SHARES, method=method, random_state=seed).part_of_row


def place_in_sequence(y: sparse.csr_array, method: str, seed: int) -> np.ndarray:
    """Return the part of each row if train is cut first and the other rows are halved."""
    part_of_row = evenfold.split(y, [0.7, 0.3], method=method, random_state=seed).part_of_row.copy()
    rest = np.flatnonzero(part_of_row)
    part_of_row[rest] += evenfold.split(y[rest], 2, method=method, random_state=seed).part_of_row
    return part_of_row


def describe(found: list[Quality]) -> list[str]:
    """Return the cells of one row: sizes, divergences, ED, rLD and its bound."""
    kl_of_all = np.median([quality.per_part.kl_of_all for quality in found], axis=0)
    every = np.array(
        [(quality.kl, quality.ed, quality.rld, quality.bound.rld) for quality in found]
    )
    kl, ed, rld, bound = np.median(every, axis=0)
    worst_kl, worst_ed, worst_rld, _ = every.max(axis=0)
    return [
        format_sizes(found[0].per_part.rows),
        ", ".join(f"{own:.1e}" for own in kl_of_all),
        f"{kl:.1e} ({worst_kl:.1e})",
        f"{ed:.1f} ({worst_ed:.1f})",
        f"{rld:.5f} ({worst_rld:.5f})",
        f"{bound:.5f}",
    ]


def format_sizes(sizes: Iterable[int]) -> str:
    """Return sizes as the blog writes them."""
    return " / ".join(map(str, sizes))

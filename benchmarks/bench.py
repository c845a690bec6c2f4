"""`make bench`: how fast and how even evenfold is, beside its bounds and beside reading the labels once."""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

import evenfold

from .data import read_groups, read_labels
from .memory import measure_extra
from .timing import time_python, time_together

WARM_UP = "import evenfold\nevenfold.split([['a'], ['b']] * 50_000, 2, order=1)"


def main() -> None:
    """Print every table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, help="folder of NAME/labels.npz")
    folder = parser.parse_args().data
    if folder:
        show_even(folder)
        show_groups(folder)
    compare_with_transposing()
    show_start()


def show_even(folder: Path) -> None:
    """Show how near `even` comes to the bound on each set, at each effort and order."""
    print("\n## even: rLD over its bound, mean of 3 seeds\n")
    print(
        "| data | parts | fast | normal | best (1 seed) | order auto | labelsets over bound, auto | times tocsc(), normal | FLZ over bound | ED over bound |"
    )
    print("|---|---|---|---|---|---|---|---|---|---|")
    ten = ["scene", "emotions", "yeast", "genbase", "medical", "enron", "corel5k", "tmc2007"]
    large, usual = ["bibtex", "delicious", "wiki10_31k", "go_sp2014_mf"], [0.8, 0.1, 0.1]
    for name, parts in [
        *((name, 10) for name in ten),
        *((name, 5) for name in large),
        *((name, usual) for name in [*ten, *large]),
    ]:
        y = read_labels(folder, name)
        if y is None:
            continue
        found = {}
        for title, wish, seeds in (
            ("fast", {"order": 1, "effort": "fast"}, 3),
            ("normal", {"order": 1}, 3),
            ("best", {"order": 1, "effort": "best"}, 1),
            ("auto", {}, 3),
        ):
            found[title] = [
                evenfold.split(y, parts, random_state=seed, **wish).quality for seed in range(seeds)
            ]
        seconds = time_together(
            {"ours": lambda y=y, parts=parts: evenfold.split(y, parts, order=1), "tocsc": y.tocsc},
            repeats=3,
        )
        excess = {
            title: 100 * np.mean([quality.excess for quality in own])
            for title, own in found.items()
        }
        sets = 100 * np.mean(
            [quality.rld_labelsets / quality.bound.rld_labelsets - 1 for quality in found["auto"]]
        )
        normal = found["normal"]
        shown = parts if isinstance(parts, int) else "80/10/10"
        print(
            f"| {name} | {shown} | {excess['fast']:.2f} % | {excess['normal']:.2f} % | {excess['best']:.2f} % | {excess['auto']:.2f} % | {sets:.2f} % | "
            f"{seconds['ours'] / seconds['tocsc']:.0f} | {max(q.flz - q.bound.flz for q in normal)} | {max(abs(q.ed - q.bound.ed) for q in normal):.2f} |"
        )


def show_groups(folder: Path) -> None:
    """Show how even a split is when groups stay whole."""
    print("\n## With groups, 5 folds, order 1\n")
    print(
        "| data | groups | times tocsc() | rLD even | rLD iterative | group-aware bound | ED | FLZ | bound |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name in ("chestxray14", "go_sp2014_mf"):
        y = read_labels(folder, name)
        if y is None:
            continue
        groups = read_groups(folder, name)
        seconds = time_together(
            {
                "ours": lambda y=y, groups=groups: evenfold.split(y, 5, groups=groups, order=1),
                "tocsc": y.tocsc,
            },
            repeats=3,
        )
        q = evenfold.split(y, 5, groups=groups, order=1).quality
        iterative = evenfold.split(y, 5, groups=groups, method="iterative").quality.rld
        ratio, n_groups = seconds["ours"] / seconds["tocsc"], len(np.unique(groups))
        print(
            f"| {name} | {n_groups:,} | {ratio:.0f} | {q.rld:.5f} | {iterative:.5f} | {q.bound.rld:.5f} | {q.ed:.1f} | {q.flz:,} | {q.bound.flz:,} |"
        )


def compare_with_transposing() -> None:
    """Time evenfold beside scipy's tocsc(), which reads and writes every entry once, at growing size."""
    print(
        "\n## Beside scipy's tocsc(), 5 folds, order 1, an ontology made of many labels with their ancestors\n"
    )
    print(
        "| rows × labels | entries | iterative / tocsc() | even / tocsc() | even per entry, first = 1 | rLD even | bound | peak extra memory / CSR |"
    )
    print("|---|---|---|---|---|---|---|---|")
    evenfold.split(evenfold.datasets.make_zipf(20_000, 100, labels_per_row=10), 5)  # compile
    first = None
    for n_rows in (67_500, 135_000, 270_000, 540_000):
        y, _ = evenfold.datasets.make_ontology(n_rows, 11_000, most_specific=12)
        jobs = {
            "tocsc": y.tocsc,
            "iterative": lambda y=y: evenfold.split(y, 5, method="iterative"),
            "even": lambda y=y: evenfold.split(y, 5, order=1),
        }
        seconds = time_together(jobs, repeats=3)
        per_entry = seconds["even"] / y.nnz
        first = first or per_entry
        quality = evenfold.split(y, 5, order=1).quality
        ratios = [seconds[job] / seconds["tocsc"] for job in ("iterative", "even")]
        extra, own = measure_extra(y, WARM_UP, "evenfold.split(y, 5, order=1)")
        print(
            f"| {n_rows:,} × 11,000 | {y.nnz:,} | {ratios[0]:.1f} | {ratios[1]:.1f} | {per_entry / first:.2f} | "
            f"{quality.rld:.5f} | {quality.bound.rld:.5f} | {extra / own:.1f} |"
        )


def show_start() -> None:
    """Time the first moments: import, help, a small split in a fresh process."""
    print("\n## starting, beside `python -c pass`\n")
    jobs = {
        "python -c pass": time_python("-c", "pass"),
        "import evenfold": time_python("-c", "import evenfold"),
        "import numpy": time_python("-c", "import numpy"),
        "evenfold --help": time_python("-m", "evenfold", "--help"),
        "split 40 rows": time_python(
            "-c", "import evenfold; evenfold.split([['a'], ['b']] * 20, 2)"
        ),
        "split 1,000 × 20": time_python(
            "-c",
            "import evenfold, numpy; evenfold.split(numpy.random.default_rng(0).random((1000, 20)) < 0.15, 5)",
        ),
    }
    seconds = time_together(jobs, repeats=7)
    bare = seconds.pop("python -c pass")
    print("| what | times bare Python | over bare Python |")
    print("|---|---|---|")
    for name, taken in seconds.items():
        print(f"| {name} | {taken / bare:.1f} | {1000 * (taken - bare):.0f} ms |")


if __name__ == "__main__":
    main()

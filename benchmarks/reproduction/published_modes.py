"""optisplit and SS as they are published, beside evenfold's own versions of them."""

from __future__ import annotations

from .experiments import Experiments, Parts, format_parts
from .markdown import format_number, to_page, to_table

DATA = ["medical", "enron", "genbase", "scene", "yeast", "emotions", "corel5k", "bibtex"]
CUTS: list[Parts] = [10, 5, (0.8, 0.2)]
# For each method of evenfold, the title as published and the own one.
TITLES = {
    "optisplit": ("optisplit-published (rLD)", "optisplit (rLD)"),
    "sampling": ("sampling-published", "sampling"),
}
HEADING = [
    "data",
    "parts",
    "method",
    *["ED, published", "rLD", "bound"],
    *["ED, ours", "rLD", "bound"],
]
N_RUNS = 10


def write_published_modes(experiments: Experiments) -> str:
    """Return a table of ED and rLD: a row per data set, cut and method."""
    rows = []
    counts = dict.fromkeys(TITLES, 0)
    names = experiments.available(DATA)
    for name in names:
        for parts in CUTS:
            for method, titles in TITLES.items():
                published, ours = (experiments.run(name, parts, title, N_RUNS) for title in titles)
                counts[method] += ours.mean("rld") <= published.mean("rld")
                cells = [
                    cell
                    for runs in (published, ours)
                    for cell in (
                        format_number(runs.mean("ed"), 1),
                        format_number(runs.mean("rld"), 4),
                        format_number(runs.bound("rld"), 4),
                    )
                ]
                rows.append([name, format_parts(parts), method, *cells])
    n_cases = len(names) * len(CUTS)
    return to_page(
        "### optisplit and SS as published, and ours",
        f"Means of {N_RUNS} runs. `optisplit-published` and `sampling-published` do what the code "
        "of the authors does; `optisplit` and `sampling` are evenfold's own versions, which are "
        "the defaults. The bound of rLD is that for the sizes of the parts. Parts of other sizes "
        "than wanted may have a lower bound, so rLD must be read together with ED.",
        "rLD of ours is not higher in "
        + " and in ".join(
            f"{count} of {n_cases} cases for {method}" for method, count in counts.items()
        )
        + ".",
        to_table(HEADING, rows, n_text_columns=3),
    )

"""Is `even` first? Every data set at hand, every measure of both papers' Table 2, every method."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from . import figures, optisplit_paper, sechidis
from .markdown import show_list, to_figure, to_page, to_table
from .runs import CANDIDATES, TITLE_OF_MEASURE, TOO_MUCH, Parts, Workbench, show_parts

OTHER_DATA = ["chestxray14", "wiki10_31k", "go_sp2014_mf"]
OURS = {"even": "### `even` as it is", "even (order 1)": "### `even` with `order=1`: labels only"}
OTHERS = [title for title in CANDIDATES if title not in OURS]
N_RUNS = 10
N_RUNS_LARGE = 2
MANY_ENTRIES = 1_000_000
FIRST, TIED, BEATEN = "first", "tied", "**beaten**"


class Standing(NamedTuple):
    """Where `even` stands in one measure on one data set."""

    data: str
    parts: Parts
    measure: str
    ours: float
    best: float
    best_method: str
    best_ed: float
    bound: float

    @property
    def verdict(self) -> str:
        """Compare in three digits that count."""
        ours, best = float(f"{self.ours:.3g}"), float(f"{self.best:.3g}")
        return TIED if ours == best else FIRST if ours < best else BEATEN


def write(bench: Workbench, folder: Path) -> str:
    """Return the section and draw its figure."""
    names = bench.at_hand([*sechidis.TABLE_2, *OTHER_DATA])
    return to_page(
        "## Is `even` first?",
        f"Every method on every data set at hand ({len(names)}), in every measure of the two papers' Table 2: ED, LD, FZ and FLZ over 10 "
        f"folds, or 2/3 and 1/3 for more than {sechidis.MOST_ROWS_FOR_FOLDS:,} rows; ED, LD, DCP and rLD over 5 folds. Means of {N_RUNS} "
        f"runs, {N_RUNS_LARGE} where there are more than a million label entries. *Tied*: the same as the best of the others in three "
        "digits, mostly because both are at the bound.",
        f"The others: {show_list(OTHERS)}.",
        write_left_out(names),
        *(write_standings(bench, names, title) for title in OURS),
        draw(bench, names, folder) if names else "",
    )


def write_left_out(names: list[str]) -> str:
    """Return which methods were not run on which data, and why."""
    lines = [
        f"- {title} on {name}: {reason}."
        for (name, title), reason in TOO_MUCH.items()
        if name in names
    ]
    return to_page("Not run:", "\n".join(lines)) if lines else ""


def write_standings(bench: Workbench, names: list[str], ours: str) -> str:
    """Return one table of verdicts, how many there are of each, and the exceptions with their figures."""
    rows, every = [], []
    for name in names:
        cut = sechidis.parts_for(bench, name)
        standings = [
            find_standing(bench, name, ours, cut, measure) for measure in sechidis.MEASURES
        ]
        standings += [
            find_standing(bench, name, ours, optisplit_paper.N_FOLDS, measure)
            for measure in optisplit_paper.MEASURES
        ]
        rows.append([name, show_parts(cut), *(standing.verdict for standing in standings)])
        every += standings
    count = [
        sum(standing.verdict == verdict for standing in every) for verdict in (FIRST, TIED, BEATEN)
    ]
    heading = ["data", "cut", *(TITLE_OF_MEASURE[measure] for measure in sechidis.MEASURES)]
    heading += [f"{TITLE_OF_MEASURE[measure]}, 5 folds" for measure in optisplit_paper.MEASURES]
    exceptions = [describe_exception(standing) for standing in every if standing.verdict == BEATEN]
    return to_page(
        OURS[ours],
        f"Of {len(every)} comparisons: first in {count[0]}, tied in {count[1]}, beaten in {count[2]}.",
        to_table(heading, rows, n_text_columns=len(heading)),
        "Beaten:" if exceptions else "",
        "\n".join(exceptions),
    )


def find_standing(bench: Workbench, name: str, ours: str, parts: Parts, measure: str) -> Standing:
    """Return how `ours` compares with the best of the others."""
    n_runs = n_runs_for(bench, name)
    own = bench.run(name, parts, ours, n_runs)
    others = {
        title: bench.run(name, parts, title, n_runs)
        for title in OTHERS
        if (name, title) not in TOO_MUCH
    }
    best = min(others, key=lambda title: others[title].mean(measure))
    return Standing(
        name,
        parts,
        measure,
        own.mean(measure),
        others[best].mean(measure),
        best,
        others[best].mean("ed"),
        own.bound(measure),
    )


def n_runs_for(bench: Workbench, name: str) -> int:
    """Return how many runs a set of that size gets."""
    return N_RUNS_LARGE if bench.read(name).nnz > MANY_ENTRIES else N_RUNS


def describe_exception(standing: Standing) -> str:
    """Return one exception with its figures."""
    remark = ""
    if standing.measure in ("fz", "flz") and standing.parts == sechidis.TWO_THIRDS:
        remark = " The paper has FZ and FLZ for folds only."
    return (
        f"- {standing.data}, {show_parts(standing.parts)}, {TITLE_OF_MEASURE[standing.measure]}: {standing.ours:.4g} against {standing.best:.4g} of "
        f"{standing.best_method} (ED {standing.best_ed:.4g}); bound {standing.bound:.4g}.{remark}"
    )


def draw(bench: Workbench, names: list[str], folder: Path) -> str:
    """Draw rLD over its bound at 5 folds for every method and data set."""
    ratio: dict[str, list[float | None]] = {}
    for title in ["even", *OTHERS]:
        runs = [
            None
            if (name, title) in TOO_MUCH
            else bench.run(name, optisplit_paper.N_FOLDS, title, n_runs_for(bench, name))
            for name in names
        ]
        ratio[title] = [own and own.mean("rld") / own.bound("rld") for own in runs]
    figures.draw_over_bound(folder / "rld_over_bound.svg", names, ratio)
    return to_figure(
        "rld_over_bound.svg",
        "rLD of five folds as a multiple of the least possible: 1 cannot be beaten.",
    )

"""`even` against every other method: all available data, all measures of both Tables 2."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from . import figures, optisplit_paper, sechidis
from .experiments import SETTINGS, TITLE_OF_MEASURE, TOO_SLOW, Experiments, Parts, format_parts
from .markdown import format_list, to_figure, to_page, to_table

OTHER_DATA = ["chestxray14", "wiki10_31k", "go_sp2014_mf"]
OURS = {
    "even": "### `even` with its defaults",
    "even (order 1)": "### `even` with `order=1`: labels only",
}
OTHERS = [title for title in SETTINGS if title not in OURS]
N_RUNS = 10
N_RUNS_LARGE = 2
MANY_ENTRIES = 1_000_000
BETTER, EQUAL, WORSE = "better", "equal", "**worse**"


class Comparison(NamedTuple):
    """`even` and the best other method, by one measure on one data set."""

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
        """Whether `even` is better, equal or worse, in three significant digits."""
        ours, best = float(f"{self.ours:.3g}"), float(f"{self.best:.3g}")
        return EQUAL if ours == best else BETTER if ours < best else WORSE


def write_section(experiments: Experiments, folder: Path) -> str:
    """Return the section and draw its figure."""
    names = experiments.available([*sechidis.TABLE_2, *OTHER_DATA])
    return to_page(
        "## `even` against every other method",
        f"Every method runs on every available data set ({len(names)}). The measures are those of "
        "Table 2 of the two papers: ED, LD, FZ and FLZ over 10 folds, or over 2/3 and 1/3 for "
        f"more than {sechidis.MAX_ROWS_FOR_FOLDS:,} rows; ED, LD, DCP and rLD over 5 folds. "
        f"Values are means of {N_RUNS} runs, of {N_RUNS_LARGE} if there are more than a million "
        "label entries. `even` is compared with the best of the other methods. *Equal* means the "
        "same in three digits, mostly because both are at the bound.",
        f"The other methods: {format_list(OTHERS)}.",
        write_not_run(names),
        *(write_comparisons(experiments, names, title) for title in OURS),
        draw(experiments, names, folder) if names else "",
    )


def write_not_run(names: list[str]) -> str:
    """Return which methods were not run on which data, and why."""
    lines = [
        f"- {title} on {name}: {reason}."
        for (name, title), reason in TOO_SLOW.items()
        if name in names
    ]
    return to_page("Not run:", "\n".join(lines)) if lines else ""


def write_comparisons(experiments: Experiments, names: list[str], ours: str) -> str:
    """Return a table of the comparisons, their counts, and the values where `even` is worse."""
    rows, every = [], []
    for name in names:
        cut = sechidis.parts_for(experiments, name)
        comparisons = [
            compare_with_others(experiments, name, ours, cut, measure)
            for measure in sechidis.MEASURES
        ]
        comparisons += [
            compare_with_others(experiments, name, ours, optisplit_paper.N_FOLDS, measure)
            for measure in optisplit_paper.MEASURES
        ]
        rows.append([name, format_parts(cut), *(comparison.verdict for comparison in comparisons)])
        every += comparisons
    count = [
        sum(comparison.verdict == verdict for comparison in every)
        for verdict in (BETTER, EQUAL, WORSE)
    ]
    heading = ["data", "cut", *(TITLE_OF_MEASURE[measure] for measure in sechidis.MEASURES)]
    heading += [f"{TITLE_OF_MEASURE[measure]}, 5 folds" for measure in optisplit_paper.MEASURES]
    exceptions = [
        describe_comparison(comparison) for comparison in every if comparison.verdict == WORSE
    ]
    return to_page(
        OURS[ours],
        f"`even` is better in {count[0]} of {len(every)} comparisons, equal in {count[1]} and "
        f"worse in {count[2]}.",
        to_table(heading, rows, n_text_columns=len(heading)),
        "Worse:" if exceptions else "",
        "\n".join(exceptions),
    )


def compare_with_others(
    experiments: Experiments, name: str, ours: str, parts: Parts, measure: str
) -> Comparison:
    """Compare `ours` with the best of the other methods."""
    n_runs = n_runs_for(experiments, name)
    own = experiments.run(name, parts, ours, n_runs)
    others = {
        title: experiments.run(name, parts, title, n_runs)
        for title in OTHERS
        if (name, title) not in TOO_SLOW
    }
    best = min(others, key=lambda title: others[title].mean(measure))
    return Comparison(
        name,
        parts,
        measure,
        own.mean(measure),
        others[best].mean(measure),
        best,
        others[best].mean("ed"),
        own.bound(measure),
    )


def n_runs_for(experiments: Experiments, name: str) -> int:
    """Return the number of runs for data of that size."""
    return N_RUNS_LARGE if experiments.read(name).nnz > MANY_ENTRIES else N_RUNS


def describe_comparison(comparison: Comparison) -> str:
    """Return one comparison with its values."""
    remark = ""
    if comparison.measure in ("fz", "flz") and comparison.parts == sechidis.TWO_THIRDS:
        remark = " The paper has FZ and FLZ only for folds."
    return (
        f"- {comparison.data}, {format_parts(comparison.parts)}, "
        f"{TITLE_OF_MEASURE[comparison.measure]}: {comparison.ours:.4g}, best other "
        f"{comparison.best:.4g} ({comparison.best_method}, ED {comparison.best_ed:.4g}), bound "
        f"{comparison.bound:.4g}.{remark}"
    )


def draw(experiments: Experiments, names: list[str], folder: Path) -> str:
    """Draw rLD over its bound at 5 folds for every method and data set."""
    ratio: dict[str, list[float | None]] = {}
    for title in ["even", *OTHERS]:
        runs = [
            None
            if (name, title) in TOO_SLOW
            else experiments.run(
                name, optisplit_paper.N_FOLDS, title, n_runs_for(experiments, name)
            )
            for name in names
        ]
        ratio[title] = [own and own.mean("rld") / own.bound("rld") for own in runs]
    figures.draw_over_bound(folder / "rld_over_bound.svg", names, ratio)
    return to_figure(
        "rld_over_bound.svg",
        "rLD divided by its bound",
        "rLD of five folds, divided by its bound. No split can be below 1.",
    )

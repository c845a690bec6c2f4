"""Sechidis et al. 2011, "On the Stratification of Multi-Label Data": Tables 1 and 2."""

from __future__ import annotations

from itertools import chain
from pathlib import Path

from .experiments import SHUFFLED, TITLE_OF_MEASURE, Experiments, Parts
from .label_statistics import describe
from .markdown import format_beside_published, format_list, format_number, to_page, to_table
from .published_values import PublishedValue, PublishedValues
from .sechidis_ranks import draw_ratios, write_ranks

# Labels, rows, labelsets, labelsets per row; minimum, mean and maximum of the rows per labelset;
# the same per label.
TABLE_1 = {
    "scene": (6, 2407, 15, 0.01, 1, 160, 405, 364, 431, 533),
    "emotions": (6, 593, 27, 0.05, 1, 22, 81, 148, 185, 264),
    "tmc2007": (22, 28596, 1341, 0.05, 1, 21, 2486, 441, 2805, 16173),
    "genbase": (27, 662, 32, 0.05, 1, 21, 170, 1, 31, 171),
    "yeast": (14, 2417, 198, 0.08, 1, 12, 237, 34, 731, 1816),
    "medical": (45, 978, 94, 0.10, 1, 10, 155, 1, 27, 266),
    "bibtex": (159, 7395, 2856, 0.39, 1, 3, 471, 51, 112, 1042),
    "enron": (53, 1702, 753, 0.44, 1, 2, 163, 1, 108, 913),
    "corel5k": (374, 5000, 3175, 0.64, 1, 2, 55, 1, 47, 1120),
    "delicious": (983, 16105, 15806, 0.98, 1, 1, 19, 21, 312, 6495),
}
# ED, LD, FZ and FLZ of random, labelset and iterative with 10 folds. With 2/3 and 1/3, the paper
# has only ED and LD.
TABLE_2 = {
    "scene": [(0.42, 0.0267, 0, 0), (0.42, 0.0038, 0, 0), (2.77, 0.0043, 0, 0)],
    "emotions": [(0.42, 0.0973, 0, 0), (0.42, 0.0316, 0, 0), (1.80, 0.0273, 0, 0)],
    "genbase": [(0.32, 0.0205, 10, 90), (0.32, 0.0078, 10, 77), (0.45, 0.0055, 10, 74)],
    "tmc2007": [(0.00, 0.00250), (0.00, 0.00046), (27.4, 0.00052)],
    "yeast": [(0.42, 0.0862, 1, 1), (0.42, 0.0273, 0, 0), (3.53, 0.0342, 0, 0)],
    "medical": [(0.32, 0.0110, 10, 203), (0.32, 0.0059, 10, 179), (1.47, 0.0039, 10, 173)],
    "bibtex": [(0.50, 0.0033, 1, 1), (0.50, 0.0027, 1, 1), (7.08, 0.0006, 0, 0)],
    "enron": [(0.32, 0.0165, 10, 95), (0.32, 0.0132, 10, 88), (2.96, 0.0050, 10, 47)],
    "corel5k": [(0.00, 0.0026, 10, 1140), (0.00, 0.0023, 10, 1118), (4.20, 0.0010, 10, 788)],
    "delicious": [(0.67, 0.00084), (0.67, 0.00084), (52.47, 0.00034)],
}
MISSING_DATA = ["Mediamill", "Bookmarks", "ImageCLEF2010"]
METHODS = ["random", "labelset", SHUFFLED]
MEASURES = ("ed", "ld", "fz", "flz")
N_PUBLISHED_RUNS = 5
N_RUNS = 100
N_RUNS_EVEN = 10
TWO_THIRDS = (2 / 3, 1 / 3)
MAX_ROWS_FOR_FOLDS = 15_000


def write_section(experiments: Experiments, folder: Path) -> str:
    """Return the section and draw its figure."""
    names = experiments.available(TABLE_2)
    values = {key: value for name in names for key, value in compare(experiments, name).items()}
    even = {
        (name, measure): experiments.run(
            name, parts_for(experiments, name), "even", N_RUNS_EVEN
        ).mean(measure)
        for name, measure, _ in values
    }
    ratio = {name: TABLE_1[name][3] for name in names}
    missing = [*MISSING_DATA, *(name for name in TABLE_2 if name not in names)]
    return to_page(
        "## On the Stratification of Multi-Label Data (Sechidis, Tsoumakas, Vlahavas 2011)",
        f"Data of the paper that were not available: {format_list(missing)}.",
        write_table_1(experiments, names),
        write_table_2(experiments, names, values),
        write_ranks(values, METHODS, even, ratio),
        draw_ratios(
            values,
            METHODS,
            even,
            {name: describe(experiments.read(name)).ratio for name in names},
            folder,
        ),
    )


def parts_for(experiments: Experiments, name: str) -> Parts:
    """Return the parts that the paper uses for data of that size."""
    return 10 if experiments.read(name).shape[0] <= MAX_ROWS_FOR_FOLDS else TWO_THIRDS


def measures_of(name: str) -> tuple[str, ...]:
    """Return the measures that Table 2 has for these data."""
    return MEASURES[: len(TABLE_2[name][0])]


def write_table_1(experiments: Experiments, names: list[str]) -> str:
    """Return Table 1: each statistic of the paper, and ours if it differs."""
    rows = []
    for name in names:
        own = describe(experiments.read(name))
        counted = (
            own.n_labels,
            own.n_rows,
            own.n_labelsets,
            own.ratio,
            *own.rows_per_labelset,
            *own.rows_per_label,
        )
        rows.append(
            [
                name,
                *(
                    format_beside_published(*pair, 2 if at == 3 else 0)
                    for at, pair in enumerate(zip(counted, TABLE_1[name], strict=True))
                ),
            ]
        )
    heading = ["data", "labels", "rows", "labelsets", "labelsets / rows"]
    heading += [
        f"rows per {what}, {which}"
        for what in ("labelset", "label")
        for which in ("min", "mean", "max")
    ]
    differs = any("published" in cell for row in rows for cell in row)
    verdict = (
        "Values that differ from the paper are marked."
        if differs
        else "All values are equal to those of the paper, so these are the same data."
    )
    return to_page("### Table 1: the data", verdict, to_table(heading, rows))


def compare(experiments: Experiments, name: str) -> PublishedValues:
    """Return every value that the paper has for these data, beside ours."""
    parts = parts_for(experiments, name)
    digits = {"ed": 2, "ld": 4 if parts == 10 else 5, "fz": 0, "flz": 0}
    values = {}
    for method, published in zip(METHODS, TABLE_2[name], strict=True):
        runs = experiments.run(name, parts, method, N_RUNS)
        for measure, value in zip(measures_of(name), published, strict=True):
            values[name, measure, method] = PublishedValue(
                value, runs.mean(measure), *runs.expect(measure, N_PUBLISHED_RUNS), digits[measure]
            )
    return values


def write_table_2(experiments: Experiments, names: list[str], values: PublishedValues) -> str:
    """Return Table 2, one row per data set and measure, and the reasons for differences."""
    rows = []
    for name in names:
        parts = parts_for(experiments, name)
        default, even = (
            experiments.run(name, parts, "iterative", N_RUNS),
            experiments.run(name, parts, "even", N_RUNS_EVEN),
        )
        for measure in measures_of(name):
            own = [values[name, measure, method] for method in METHODS]
            digits = own[0].digits
            finer = max(digits, 1)
            pairs = [
                (
                    format_number(value.published, digits),
                    format_number(value.ours, finer) + ("" if value.agrees else " †"),
                )
                for value in own
            ]
            others = [
                format_number(default.mean(measure), finer),
                format_number(even.mean(measure), finer),
                format_number(even.bound(measure), digits),
            ]
            rows.append(
                [
                    f"{name}{'' if parts == 10 else ' *'}",
                    TITLE_OF_MEASURE[measure],
                    *chain(*pairs),
                    *others,
                ]
            )
    heading = [
        "data",
        "measure",
        *chain(*((f"{method}, paper", "ours") for method in ("random", "labelset", "iterative"))),
    ]
    return to_page(
        "### Table 2: how even the parts are",
        f"10 folds; \\* 2/3 and 1/3. Published: mean of {N_PUBLISHED_RUNS} runs. Ours: mean of "
        f"{N_RUNS} runs, of {N_RUNS_EVEN} for `even`. *Iterative, ours* takes the rows of a label "
        "in random order, as the paper does. *Fullest row first* is evenfold's default. For "
        "unequal parts the two are the same.",
        f"A mean of {N_PUBLISHED_RUNS} runs is uncertain. We computed the range in which 95 of "
        f"100 such means are expected. {sum(value.agrees for value in values.values())} of the "
        f"{len(values)} published values are in their range. The others are marked †.",
        to_table(
            [*heading, "iterative, fullest row first", "even", "bound"], rows, n_text_columns=2
        ),
        write_differences(values),
    )


def write_differences(values: PublishedValues) -> str:
    """Return the values that do not agree, and the known reasons."""
    lines = []
    for (name, measure, method), value in values.items():
        if not value.agrees:
            low, high, ours = (
                format_number(number, value.digits + 1)
                for number in (value.low, value.high, value.ours)
            )
            lines.append(
                f"- {name}, {TITLE_OF_MEASURE[measure]} of {method}: published "
                f"{format_number(value.published, value.digits)}, ours {ours}; expected mean of "
                f"{N_PUBLISHED_RUNS} runs from {low} to {high}."
            )
    return to_page(
        "These values do not agree:" if lines else "",
        "\n".join(lines),
        explain_sizes(values),
        explain_tmc2007(values),
    )


def explain_sizes(values: PublishedValues) -> str:
    """Return why ED of random and labelset differs if the rows cannot be cut into thirds."""
    if ("delicious", "ed", "random") not in values:
        return ""
    return (
        "ED of random and labelset on delicious differs because of rounding. Two thirds of "
        "16,105 rows are 10,736.67. The paper rounds down (difference 0.67), evenfold rounds to "
        "the nearest number (difference 0.33). No reason is known for other differences in this "
        "list. Among so many values, a few differ by chance."
    )


def explain_tmc2007(values: PublishedValues) -> str:
    """Return how much single runs on tmc2007 differ, so that a mean of few runs looks wrong."""
    if ("tmc2007", "ed", SHUFFLED) not in values:
        return ""
    ed, ld = (values["tmc2007", measure, SHUFFLED] for measure in ("ed", "ld"))
    return (
        f"The row of tmc2007 can look wrong if only {N_PUBLISHED_RUNS} runs are made. The data "
        "are not the reason, as every statistic of Table 1 is equal to the paper's. But single "
        f"runs of iterative stratification differ much there, so a mean of {N_PUBLISHED_RUNS} "
        f"runs says little. Over {N_RUNS} runs, ED is {ed.ours:.1f} and LD is {ld.ours:.5f} "
        f"(paper: {ed.published} and {ld.published:.5f}). Of 100 means of {N_PUBLISHED_RUNS} "
        f"runs, 95 have an ED between {max(ed.low, 0):.0f} and {ed.high:.0f} and an LD between "
        f"{max(ld.low, 0):.5f} and {ld.high:.5f}. More than half of that LD comes from one label, "
        "which 16,173 of the 28,596 rows have. LD compares odds, and the odds of a common label "
        "change much with few rows."
    )

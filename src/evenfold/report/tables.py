"""The tables of a report: the numbers of a summary as text, the same in every form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._tables.numbers import (
    NO_VALUE_IN_REPORTS,
    show_count,
    show_exact,
    show_exact_excess,
    show_signed,
    show_with_spread,
)
from .._tables.table import Table
from ..quality.measures import MEASURES, MEASURES_OF_EACH_LABEL

Summary = Mapping[str, Any]
_MARKS = {"ok": "✓", "problem": "✗", "not checked": "·"}


def make_part_table(summary: Summary) -> Table:
    """Return the sizes asked for and got, and what the parts hold."""
    labelled = summary["data"]["entries"] > 0
    grouped = summary["groups"] is not None
    heading = ["part", "rows asked for", "rows", "off", "share of rows"]
    if grouped:
        heading += ["groups", "share of groups"]
    if labelled:
        heading += ["labels per row", "labels it lacks", "KL (nats)"]
    is_whole = all(float(part["wanted"]).is_integer() for part in summary["parts"])
    rows = []
    for part in summary["parts"]:
        cells = [
            part["part"],
            f"{part['wanted']:,.{0 if is_whole else 1}f}",
            f"{part['rows']:,}",
            show_signed(part["rows"] - part["wanted"]),
            f"{100 * part['share']:.2f} %",
        ]
        if grouped:
            cells += [f"{part['groups']:,}", f"{100 * part['share_of_groups']:.2f} %"]
        if labelled:
            kl = NO_VALUE_IN_REPORTS if part["kl"] is None else f"{part['kl']:.6f}"
            cells += [f"{part['cardinality']:.3f}", f"{part['lacking']:,}", kl]
        rows.append(cells)
    n_more = summary["data"]["parts"] - len(rows)
    more = f" The first {len(rows)}; there are {show_count(n_more, 'more part')}." if n_more else ""
    return Table(heading, rows, f"Sizes asked for and got, and what each part holds.{more}")


def make_measure_table(summary: Summary, levels: Sequence[str], caption: str) -> Table:
    """Return the measures of some levels, each beside its bounds and its value for random splits.

    Columns and a sentence on the tight bounds are there if a measure has one, and a column of
    random splits if there were some.
    """
    lines = [line for line in summary["measures"] if line["level"] in levels]
    tight = [line for line in lines if line["tight_bound"] is not None]
    is_combined = {line["level"] for line in lines} & {"pairs", "labelsets"}
    n_seeds = len(summary["random"]["seeds_of_pairs" if is_combined else "seeds"])
    rows = []
    for line in lines:
        value, bound, tight_bound = line["value"], line["bound"], line["tight_bound"]
        over_tight = show_exact_excess(value, tight_bound, line["tight_excess"])
        shown = [show_exact(tight_bound), over_tight]
        if tight_bound is None:
            shown = [NO_VALUE_IN_REPORTS, NO_VALUE_IN_REPORTS]
        rows.append(
            [
                f"{line['name']}: {line['meaning']}",
                show_exact(value),
                show_exact(bound),
                show_exact_excess(value, bound, line["excess"]),
                *(shown if tight else []),
                *([_show_random(line)] if n_seeds else []),
            ]
        )
    if n_seeds:
        caption += (
            f" Random: mean and standard deviation of {n_seeds} random splits of the same rows."
        )
    heading = ["measure", "this split", "best possible", "above it"]
    if tight:
        heading += ["tight bound", "above that"]
        caption = f"{caption} {_describe_tight_bounds(tight)}".rstrip()
    return Table([*heading, *(["random"] if n_seeds else [])], rows, caption)


def _show_random(line: Mapping[str, Any]) -> str:
    if line["random"] is None:
        return NO_VALUE_IN_REPORTS
    return show_with_spread(line["random"], line["random_std"] or 0)


def _describe_tight_bounds(lines: Sequence[Mapping[str, Any]]) -> str:
    took = ", ".join(
        f"{line['tight_seconds']:.2g} s for {line['name']}"
        for line in lines
        if line["tight_seconds"]
    )
    notes = dict.fromkeys(line["tight_note"] for line in lines if line["tight_note"])
    return " ".join([*([f"The tight bound took {took}."] if took else []), *notes])


def make_size_class_table(summary: Summary) -> Table:
    """Return the evenness of labels by their number of rows; no lines if all are in one class."""
    classes = summary["size_classes"] if len(summary["size_classes"]) > 1 else []
    judged = summary["judged"]["size_classes"] if summary["judged"] else []
    # A class is judged whole, or some of its labels cannot be divided: then its bound is another.
    found = {(own["size_class"], own["labels"]): own for own in judged}
    known = [found.get((own["size_class"], own["labels"])) for own in classes]
    both = [(own, same) for own, same in zip(classes, known, strict=True) if same]
    has_tight = any(same["bound"] > (1 + 1e-9) * own["rld_bound"] for own, same in both)
    has_random = any(own["random"] is not None for own in classes)
    rows = [
        [
            own["size_class"],
            f"{own['labels']:,}",
            show_exact(own["rld"]),
            show_exact(own["rld_bound"]),
            show_exact_excess(own["rld"], own["rld_bound"], own["excess"]),
            *([show_exact(same and same["bound"])] if has_tight else []),
            *([show_exact(own["random"])] if has_random else []),
            show_exact(own["largest_rld"]),
            f"{own['flz']:,}",
            f"{own['flz_bound']:,}",
        ]
        for own, same in zip(classes, known, strict=True)
    ]
    heading = ["rows of a label", "labels", "mean rLD", "best possible", "above it"]
    heading += [*(["tight bound"] if has_tight else []), *(["random"] if has_random else [])]
    heading += ["largest rLD", "FLZ", "least FLZ"]
    caption = (
        "Labels by their number of rows. Rare labels cannot be spread as evenly as common ones."
    )
    return Table(heading, rows, caption)


def make_comparison_table(summary: Summary) -> Table:
    """Return the results of every method on the same rows."""
    rows = [
        [
            own["method"],
            *(show_exact(own["measures"][measure.name]) for measure in MEASURES),
            show_exact(own["seconds"]) if own["runs"] else own["note"],
        ]
        for own in summary["comparison"]["methods"]
    ]
    repeats = summary["comparison"]["repeats"]
    which = "one split each" if repeats == 1 else f"mean of {repeats} splits each"
    return Table(
        ["method", *(measure.title for measure in MEASURES), "seconds"],
        rows,
        f"Every method on the same rows, {which}; smaller is better.",
    )


def make_worst_table(summary: Summary, most: int | None = None) -> Table:
    """Return the least even labels with their rows in each part."""
    titles = {measure.name: measure.title for measure in MEASURES_OF_EACH_LABEL}
    # The labels are ordered by rLD, so its bound is beside it.
    titles = {"rld": titles["rld"], "rld_bound": "best rLD", **titles}
    grouped = summary["groups"] is not None and any(
        line["groups"] is not None for line in summary["worst"]["lines"]
    )
    rows = [
        [
            line["label"],
            f"{line['rows']:,}",
            *([f"{line['groups']:,}"] if grouped else []),
            *(show_exact(line[key]) for key in titles),
            f"{line['most_off']:,.1f}",
            f"{line['lacking']:,}",
            *(f"{number:,}" for number in line["counts"]),
        ]
        for line in summary["worst"]["lines"][:most]
    ]
    heading = ["label", "rows", *(["groups"] if grouped else [])]
    heading += [*titles.values(), "most rows off", "parts lacking it"]
    n_labels, n_over = summary["worst"]["labels"], summary["worst"]["over_bound"]
    which = (
        f"The {len(rows):,} least even of {n_labels:,} labels"
        if len(rows) < n_labels
        else f"{show_count(n_labels, 'label')}, the least even first"
    )
    order = (
        f"{n_over:,} of all are above their own best rLD; these come first, then the largest rLD."
        if n_over
        else "None is above its own best rLD."
    )
    caption = f"{which}, with their rows in each part. {order}"
    return Table([*heading, *summary["part_columns"]], rows, caption)


def make_lacking_table(summary: Summary) -> Table:
    """Return the labels that some part lacks."""
    lacking = summary["lacking"]
    rows = []
    for line in lacking["lines"]:
        names = ", ".join(line["names"]) + (", …" if line["parts"] > len(line["names"]) else "")
        avoidable = "yes" if line["parts"] > line["unavoidable"] else "no"
        numbers = [f"{line[key]:,}" for key in ("rows", "parts", "unavoidable")]
        rows.append([line["label"], *numbers, avoidable, names])
    which = (
        f"The first {len(rows)} of {lacking['labels']:,}"
        if len(rows) < lacking["labels"]
        else "The"
    )
    noun = "label" if lacking["labels"] == 1 else "labels"
    caption = (
        f"{which} {noun} that some part lacks: {show_count(lacking['times'], 'time')} in all, "
        f"{lacking['avoidable_times']:,} of them avoidable."
    )
    if lacking["avoidable_times"]:
        caption += (
            " By default, evenfold tries to put a row of a label into each part whose share of "
            "the label is more than half a row. With cover=True (--cover 1), it tries this for "
            "every label that has enough rows, and labels are less even."
        )
    heading = ["label", "rows", "parts that lack it", "at least", "avoidable", "which"]
    return Table(heading, rows, caption)


def make_balance_tables(summary: Summary) -> Iterator[Table]:
    """Yield a table for each balanced column: means and percentages, in all rows and each part."""
    for column in summary["balance"]:
        rows = []
        for line in column["lines"]:
            cells = [
                f"{number:.2f} %" if line["unit"] else _show_mean(float(number))
                for number in (line["all"], *line["parts"])
            ]
            rows.append([line["value"], *cells])
        caption = f"{column['column']}: {100 * column['rld']:.2f} % off its share on average."
        if column["random"] is not None:
            caption += f" Random splits: {100 * column['random']:.2f} %."
        yield Table(["value", "all rows", *summary["part_columns"]], rows, caption)


def _show_mean(value: float) -> str:
    """Show a mean of a column; four digits, which may be a year, without a comma."""
    return f"{value:.1f}" if 1000 <= abs(value) < 10_000 else show_exact(value)


def make_group_table(summary: Summary) -> Table:
    """Return how many groups there are and how large."""
    groups = summary["groups"]
    named = {
        "groups": "number",
        "in more than one part": "straddling",
        "rows of the smallest": "smallest",
        "rows of the median one": "median",
        "rows of the largest": "largest",
    }
    rows = [
        [name, show_exact(groups[key])] for name, key in named.items() if groups[key] is not None
    ]
    return Table(["", "number"], rows, "Groups, which are to stay whole.")


def make_label_group_table(summary: Summary) -> Table:
    """Return the labels in the fewest groups, with their groups in each part."""
    lines = summary["groups"]["labels"] if summary["groups"] else []
    rows = [
        [
            line["label"],
            *(f"{line[key]:,}" for key in ("rows", "groups", "rows_of_largest_group")),
            *(f"{number:,}" for number in line["in_part"]),
        ]
        for line in lines
    ]
    n_labels = summary["judged"]["labels"] if summary["judged"] else 0
    which = (
        f"The first {len(rows)} of {n_labels:,}" if len(rows) < n_labels else f"All {n_labels:,}"
    )
    caption = (
        f"{which} labels that can be divided, with the groups that hold them in each part; those "
        "first that have the fewest in some part. Many rows of one group say little."
    )
    heading = ["label", "rows", "groups", "most rows of one group", *summary["part_columns"]]
    return Table(heading, rows, caption)


def make_check_table(summary: Summary) -> Table:
    """Return what was checked for leaks, and what was not."""
    rows = [
        [check["check"], f"{_MARKS[check['state']]} {check['state']}", check["text"]]
        for check in summary["checks"]
    ]
    caption = "Whether rows that belong together are in two parts."
    return Table(["what", "state", "what was found"], rows, caption)


def make_origin_table(summary: Summary) -> Table:
    """Return how the split was made."""
    origin, data = summary["origin"], summary["data"]
    known = {
        "method": origin["method"],
        "effort": origin["effort"],
        "order": origin["order"],
        "cover": origin["cover"],
        "size tolerance": origin["size_tolerance"],
        "seed": origin["random_state"],
        "seconds": None if origin["seconds"] is None else f"{origin['seconds']:.3g}",
        "evenfold that made it": origin["version"],
        "rows": f"{data['rows']:,}",
        "labels": f"{data['labels']:,}",
        "fingerprint of the labels": origin["fingerprint"],
        "fingerprint of the parts": origin["parts_fingerprint"],
        "date of the report": origin["date"],
        "report made by": ", ".join(
            f"{name} {version}" for name, version in origin["versions"].items()
        ),
    }
    rows = [[name, str(value)] for name, value in known.items() if value is not None]
    return Table(["", "value"], rows, "What it takes to make this split and this report again.")

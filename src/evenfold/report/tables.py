"""The tables of a report: the numbers of a summary as text, the same in every form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from .measure_lines import MEASURES
from .numbers import count, show, show_percent, show_signed

Summary = Mapping[str, Any]


class Table(NamedTuple):
    """A caption, headings, and rows of cells of which the first names the row."""

    caption: str
    heading: Sequence[str]
    rows: Sequence[Sequence[str]]


def part_table(summary: Summary) -> Table:
    """Lay out the sizes asked for and got, and what the parts hold."""
    labelled = summary["data"]["entries"] > 0
    rows = [
        [
            part["part"],
            f"{part['wanted']:,.1f}",
            f"{part['rows']:,}",
            show_signed(part["rows"] - part["wanted"]),
            f"{100 * part['share']:.2f} %",
            *(
                [show(part["cardinality"]), show(part["lacking"]), show(part["kl"])]
                if labelled
                else []
            ),
        ]
        for part in summary["parts"]
    ]
    more = summary["data"]["parts"] - len(rows)
    said = f" The first {len(rows)}; there are {count(more, 'more part')}." if more else ""
    heading = [
        "part",
        "rows asked for",
        "rows",
        "off",
        "share of rows",
        *(["labels per row", "labels it lacks", "KL (nats)"] if labelled else []),
    ]
    return Table(f"Sizes asked for and got, and what each part holds.{said}", heading, rows)


def measure_table(summary: Summary, levels: Sequence[str], caption: str) -> Table:
    """Lay out the measures of some levels, each with its bound and what random gives."""
    rows = [
        [
            f"{line['name']}: {line['meaning']}",
            show(line["value"]),
            show(line["bound"]),
            show_percent(line["excess"]),
            "–" if line["random"] is None else f"{show(line['random'])} ± {line['random_std']:.2g}",
        ]
        for line in summary["measures"]
        if line["level"] in levels
    ]
    seeds = summary["random"]["seeds"]
    said = (
        f" Random: mean and standard deviation of {len(seeds)} random splits of the same rows."
        if seeds
        else ""
    )
    return Table(
        f"{caption}{said}", ["measure", "this split", "best possible", "above it", "random"], rows
    )


def comparison_table(summary: Summary) -> Table:
    """Lay out what every method makes of the same rows."""
    keys = list(MEASURES)
    rows = [
        [
            own["method"],
            *(show(own["measures"][key]) for key in keys),
            show(own["seconds"]) if own["runs"] else own["note"],
        ]
        for own in summary["comparison"]["methods"]
    ]
    repeats = summary["comparison"]["repeats"]
    which = "one split each" if repeats == 1 else f"mean of {repeats} splits each"
    return Table(
        f"Every method on the same rows, {which}; smaller is better.",
        ["method", *(MEASURES[key][0] for key in keys), "seconds"],
        rows,
    )


def worst_table(summary: Summary, most: int | None = None) -> Table:
    """Lay out the least even labels with their rows in each part."""
    lines = summary["worst"]["lines"][:most]
    rows = [
        [
            line["label"],
            f"{line['rows']:,}",
            show(line["rld"]),
            show(line["rld_bound"]),
            show(line["ld"]),
            show(line["dcp"]),
            f"{line['most_off']:,.1f}",
            f"{line['lacking']:,}",
            *(f"{number:,}" for number in line["counts"]),
        ]
        for line in lines
    ]
    heading = [
        "label",
        "rows",
        "rLD",
        "best rLD",
        "LD",
        "DCP",
        "most rows off",
        "parts lacking it",
        *summary["part_columns"],
    ]
    held, over = summary["worst"]["labels"], summary["worst"]["over_bound"]
    first = (
        f"{over:,} of all are above their own best rLD; these come first, then the largest rLD."
        if over
        else "None is above its own best rLD."
    )
    which = (
        f"The {len(rows):,} least even of {held:,} labels"
        if len(rows) < held
        else f"{count(held, 'label')}, the least even first"
    )
    return Table(f"{which}, with their rows in each part. {first}", heading, rows)


def lacking_table(summary: Summary) -> Table:
    """Lay out the labels that some part lacks."""
    lacking = summary["lacking"]
    rows = [
        [
            line["label"],
            f"{line['rows']:,}",
            f"{line['parts']:,}",
            f"{line['unavoidable']:,}",
            "yes" if line["parts"] > line["unavoidable"] else "no",
            ", ".join(line["names"]) + (", …" if line["parts"] > len(line["names"]) else ""),
        ]
        for line in lacking["lines"]
    ]
    first = (
        f"The first {len(rows)} of {lacking['labels']:,}"
        if len(rows) < lacking["labels"]
        else f"All {lacking['labels']:,}"
    )
    caption = f"{first} labels that some part lacks: {lacking['times']:,} times in all, {lacking['avoidable_times']:,} of them avoidable."
    return Table(
        caption, ["label", "rows", "parts that lack it", "at least", "avoidable", "which"], rows
    )


def balance_tables(summary: Summary) -> Iterator[Table]:
    """Lay out each balanced column: its mean and the percentage of each value, in all rows and in each part."""
    for column in summary["balance"]:
        rows = []
        for line in column["lines"]:
            cells = [
                show(float(number)) if not line["unit"] else f"{number:.2f} %"
                for number in (line["all"], *line["parts"])
            ]
            rows.append([line["value"], *cells])
        random = (
            "" if column["random"] is None else f" Random splits: {100 * column['random']:.2f} %."
        )
        caption = (
            f"{column['column']}: {100 * column['rld']:.2f} % off its share on average.{random}"
        )
        yield Table(caption, ["value", "all rows", *summary["part_columns"]], rows)


def group_table(summary: Summary) -> Table:
    """Lay out how many groups there are and how large."""
    groups = summary["groups"]
    rows = [
        ["groups", f"{groups['number']:,}"],
        ["in more than one part", f"{groups['straddling']:,}"],
        ["rows of the smallest", f"{groups['smallest']:,}"],
        ["rows of the median one", show(groups["median"])],
        ["rows of the largest", f"{groups['largest']:,}"],
        *(
            [f"groups in {part}", f"{number:,}"]
            for part, number in zip(summary["part_columns"], groups["in_part"], strict=True)
        ),
    ]
    return Table("Groups, which are to stay whole.", ["", "number"], rows)


def making_table(summary: Summary) -> Table:
    """Lay out how the split was made."""
    making, data = summary["making"], summary["data"]
    known = {
        "method": making["method"],
        "effort": making["effort"],
        "order": making["order"],
        "seed": making["random_state"],
        "seconds": None if making["seconds"] is None else f"{making['seconds']:.3g}",
        "evenfold": making["version"],
        "rows": f"{data['rows']:,}",
        "labels": f"{data['labels']:,}",
        "fingerprint of the labels": making["fingerprint"],
    }
    rows = [[name, str(value)] for name, value in known.items() if value is not None]
    return Table("What it takes to make this split again.", ["", "value"], rows)

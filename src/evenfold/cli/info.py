"""`evenfold info`: what is in a file, and how even a split of it could be."""

from __future__ import annotations

import math
import textwrap
from typing import TYPE_CHECKING, Any

import click

from .errors import Command
from .link_options import groups_option
from .options import (
    Cut,
    Reading,
    cut_options,
    data_argument,
    example,
    json_option,
    quiet_option,
    reading_options,
)
from .sizes import settle_sizes
from .terminal import fit

if TYPE_CHECKING:
    from ..files.datafile import DataFile
    from ..labels.labels import Labels
    from ..links.group_columns import Groups
    from ..problem.parts import Parts

_DEFAULT_FOLDS = 5
# What sums of shares may be off.
_ROUNDING = 1e-9
_MAX_COLUMNS_SHOWN = 12
_WIDTH = 80
_FIGURES = {
    "rows": "rows",
    "lines": "lines",
    "labels": "labels",
    "cardinality": "labels per row (cardinality)",
    "density": "share of all labels in a row (density)",
    "most_labels_in_a_row": "most labels in a row",
    "rows_without_labels": "rows without labels",
    "labels_without_rows": "labels without rows",
    "unknown_entries": "unknown entries",
    "labelsets": "distinct labelsets",
    "labelsets_of_one_row": "labelsets of one row",
}


@click.command(
    cls=Command,
    epilog=example("evenfold info movies.csv --labels genres --groups director --folds 5"),
)
@data_argument
@reading_options
@cut_options
@groups_option
@quiet_option
@json_option
def info(
    data: tuple[str, ...],
    reading: Reading,
    cut: Cut,
    groups: tuple[str, ...],
    quiet: bool,
    as_json: bool,
) -> None:
    """Show what is in DATA, and how even a split of it could be.

    Nothing is written. Without --parts and --folds, the split is one into 5 folds, or as many as
    there are rows.
    """
    sizes = cut.sizes(default=_DEFAULT_FOLDS)

    from ..problem.parts import check_parts
    from .messages import print_json, say_groups
    from .reading import name_data, read_groups, read_rows

    file, labels, *_ = read_rows(data, reading, quiet)
    sizes = settle_sizes(sizes, labels.n_rows, quiet)
    grouped = read_groups(file, groups)
    say_groups(grouped, quiet)
    if cut.parts is None and cut.folds is None:
        sizes = min(_DEFAULT_FOLDS, labels.n_rows)
    record = {
        "path": name_data(data),
        "format": file.format,
        "columns": list(file.columns),
        **_count_lines(file),
        **describe_labels(labels),
        "groups": None if grouped is None else describe_groups(grouped),
        "split": None
        if sizes == 1
        else describe_bounds(labels, check_parts(sizes, labels.n_rows), grouped),
    }
    if as_json:
        print_json(record)
    else:
        click.echo(fit(to_text(record), is_data=True, indent=2))


def _count_lines(file: DataFile) -> dict[str, int]:
    """Return how many lines the items of --long have; nothing without it."""
    from ..files.long_format import LongTable

    return {"lines": len(file.items.item_of_line)} if isinstance(file, LongTable) else {}


def describe_labels(labels: Labels) -> dict[str, Any]:
    """Return the usual figures of multi-label data, such as cardinality and density."""
    import numpy as np

    from ..problem.labelsets import number_labelsets

    count, n_labels_of_row = labels.count_of_label, np.diff(labels.indptr)
    rows_of_labelset = np.bincount(
        number_labelsets(labels.indptr, labels.indices, np.empty(0, np.int64))
    )
    by_count = np.argsort(count, kind="stable")
    return {
        "rows": labels.n_rows,
        "labels": labels.n_labels,
        "entries": len(labels.indices),
        "unknown_entries": 0 if labels.unknown is None else len(labels.unknown[1]),
        "cardinality": float(n_labels_of_row.mean()),
        "density": float(n_labels_of_row.mean() / labels.n_labels) if labels.n_labels else 0.0,
        "most_labels_in_a_row": int(n_labels_of_row.max()),
        "rows_without_labels": int((n_labels_of_row == 0).sum()),
        "labels_without_rows": int((count == 0).sum()),
        "labelsets": len(rows_of_labelset),
        "labelsets_of_one_row": int((rows_of_labelset == 1).sum()),
        "rarest": [
            {"label": labels.names[label], "rows": int(count[label])}
            for label in by_count[count[by_count] > 0][:5]
        ],
        "commonest": [
            {"label": labels.names[label], "rows": int(count[label])}
            for label in by_count[::-1][:5]
            if count[label]
        ],
    }


def describe_groups(groups: Groups) -> dict[str, Any]:
    """Return how many groups there are, and how large."""
    import numpy as np

    from ..links.chains import describe_largest

    rows_of_group = np.bincount(groups.group_of_row)
    largest = int(rows_of_group.argmax())
    row = int((groups.group_of_row == largest).argmax())
    held = [
        column.values[column.code_of_row[row]]
        for column in groups.columns
        if column.code_of_row[row] >= 0
    ]
    chain = describe_largest(groups.columns, groups.group_of_row)
    return {
        "number": len(rows_of_group),
        "largest": held[0] if held else "",
        "rows_of_largest": int(rows_of_group[largest]),
        **({"chain": chain} if chain else {}),
    }


def describe_bounds(labels: Labels, parts: Parts, groups: Groups | None) -> dict[str, Any]:
    """Return bounds for every split into these parts."""
    import numpy as np

    from ..quality.label_bounds import bound_labels
    from .messages import warn_of_groups

    bounds = bound_labels(labels, parts, None if groups is None else groups.group_of_row)
    lacking = bounds[bounds.flz_bound > 0]
    bound = bounds.rld_bound[bounds.rows > 0]
    return {
        "names": list(parts.names),
        "wanted": [float(size) for size in labels.n_rows * parts.shares],
        "best_rld": float(bound.mean()) if len(bound) else None,
        "labels_not_in_every_part": lacking.label[np.argsort(lacking.rows, kind="stable")].tolist(),
        "least_flz": int(bounds.flz_bound.sum()),
        "warnings": warn_of_groups(groups, parts),
    }


def to_text(record: dict[str, Any]) -> str:
    """Return what `evenfold info` prints."""
    from .._tables.table import Table, shorten
    from .messages import name_some

    figures = [
        [title, _show(record[name])]
        for name, title in _FIGURES.items()
        if record.get(name) or name in ("rows", "labels")
    ]
    blocks = [
        f"{record['path']}: {record['format']}",
        Table(["", ""], figures).to_text().lstrip("\n"),
    ]
    for name in ("commonest", "rarest"):
        if record[name]:
            blocks.append(
                Table(
                    [f"{name} labels", "rows"],
                    [[shorten(own["label"], 40), f"{own['rows']:,}"] for own in record[name]],
                ).to_text()
            )
    if record["groups"] is not None:
        groups = record["groups"]
        blocks.append(
            f"{groups['number']:,} groups, the largest {shorten(groups['largest'])!r} of "
            f"{groups['rows_of_largest']:,} rows"
        )
        if "chain" in groups:
            blocks[-1] += f"\n{groups['chain']}"
    if record["split"] is not None:
        blocks.append(_bounds_to_text(record["split"], record["labels"]))
    if record["columns"]:
        listed = f"columns: {name_some(record['columns'], _MAX_COLUMNS_SHOWN)}"
        lines = textwrap.wrap(listed, _WIDTH - 2, break_long_words=False, break_on_hyphens=False)
        blocks.append("\n  ".join(lines))
    return "\n\n".join(blocks)


def _bounds_to_text(bounds: dict[str, Any], n_labels: int) -> str:
    from .messages import name_some

    lacking = bounds["labels_not_in_every_part"]
    sizes = name_some([f"{size:,}" for size in _round(bounds["wanted"])], _MAX_COLUMNS_SHOWN)
    lines = [f"a split into {len(bounds['names'])} parts of {sizes} rows"]
    if lacking:
        lines.append(
            f"{len(lacking):,} of {n_labels:,} labels cannot be in every part: {name_some(lacking)}"
        )
    elif n_labels:
        lines.append("every label can be in every part")
    if bounds["best_rld"] is not None:
        lines.append(
            f"rLD cannot be below {bounds['best_rld']:.5f}, nor FLZ below {bounds['least_flz']:,}"
        )
    return "\n".join([*lines, *bounds["warnings"]])


def _round(wanted: list[float]) -> list[int]:
    """Return whole sizes with the same sum, by largest remainder, as splits have them."""
    sizes = [math.floor(size + _ROUNDING) for size in wanted]
    n_left = round(sum(wanted)) - sum(sizes)
    by_remainder = sorted(range(len(wanted)), key=lambda at: (sizes[at] - wanted[at], at))
    for at in by_remainder[:n_left]:
        sizes[at] += 1
    return sizes


def _show(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"

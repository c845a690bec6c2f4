"""A split as printed text and as HTML: title, quality, least even labels."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from .._tables.numbers import show_count
from .._tables.table import Table, shorten
from ..quality.deviations import count_over_bound, rank_labels

if TYPE_CHECKING:
    from .split_result import Split

_WIDTH = 80
_N_WORST = 5
_COLUMNS_OF_COUNTS = 24


def show_split(split: Split) -> str:
    """Return the text that `print` shows."""
    if split._labels is None:
        sizes = Table(
            ["part", "rows"],
            [
                [shorten(name), f"{size:,}"]
                for name, size in zip(split.names, split.sizes, strict=True)
            ],
        )
        return f"{_make_heading(split)}\n\n{sizes.to_text()}"
    shown = [table.to_text() for table in list_worst_labels(split)]
    return "\n\n".join([_make_heading(split), str(split.quality), *shown])


def list_worst_labels(split: Split) -> list[Table]:
    """Return a table of the labels furthest above their own bound; none if all are at it."""
    quality = split.quality
    n_over_bound = count_over_bound(quality.per_label)
    worst = rank_labels(quality.per_label)[: min(_N_WORST, n_over_bound)]
    rows = []
    for label, counts in zip(worst, quality.placement.count_labels()[:, worst].T, strict=True):
        record = quality.per_label[label]
        rows.append(
            [
                shorten(record.label),
                f"{record.rows:,}",
                f"{record.rld:.4f}",
                f"{record.rld_bound:.4f}",
                shorten(" ".join(map(str, counts)), _COLUMNS_OF_COUNTS),
            ]
        )
    heading = ["least even labels", "rows", "rLD", "bound", "rows in each part"]
    return [Table(heading, rows)] if rows else []


def make_title(split: Split) -> str:
    """Return what was split and how, as one line."""
    origin, n_rows = split.origin, len(split.part_of_row)
    pieces = [f"{show_count(len(split), 'part')} of {show_count(n_rows, 'row')}"]
    if split._group_of_row is not None:
        pieces[0] += f" in {show_count(split._group_of_row.max() + 1, 'group')}"
    if split._labels is not None:
        pieces.append(show_count(split._labels.n_labels, "label"))
    pieces.append(f"method {split.method}")
    if origin.parameters.get("order", 1) != 1:
        pieces.append(f"order {origin.parameters['order']}")
    if origin.random_state is not None:
        pieces.append(f"seed {origin.random_state}")
    return ", ".join(pieces)


def _make_heading(split: Split) -> str:
    """Return the title, and remarks on how the split was made."""
    origin = split.origin
    cover = textwrap.fill(origin.describe_cover(), _WIDTH)
    sizes = textwrap.fill(origin.describe_sizes(), _WIDTH)
    lines = [make_title(split), origin.parameters.get("left_out"), cover, sizes]
    lines += [textwrap.fill(remark, _WIDTH) for remark in split.remarks()]
    return "\n".join(line for line in lines if line)

"""A quality as short tables and remarks, for terminals and notebooks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._tables.numbers import show_count, show_decimals, show_excess, show_percent
from .._tables.table import Table, shorten
from .group_counts import describe_groups_off, find_group_shares
from .measure_record import excess_over
from .measures import LABEL_MEASURES

if TYPE_CHECKING:
    from .quality import Quality

_MAX_PARTS_SHOWN = 12
_WIDTH_OF_PART = 24
# The columns of groups leave less of the 80 columns of a terminal for the names of parts.
_WIDTH_OF_PART_WITH_GROUPS = 14


def make_tables(quality: Quality) -> list[Table]:
    """Return the parts, the measures, the size classes, and what was balanced besides labels."""
    balanced = [
        [shorten(record.criterion, 40), f"{record.rld:.5f}"] for record in quality.per_balance
    ]
    return [
        _make_part_table(quality),
        _make_measure_table(quality),
        *_make_size_class_tables(quality),
        *([Table(["balanced", "rLD"], balanced)] if balanced else []),
    ]


def _make_part_table(quality: Quality) -> Table:
    per_part = quality.per_part
    of_groups = find_group_shares(per_part)
    width = _WIDTH_OF_PART if of_groups is None else _WIDTH_OF_PART_WITH_GROUPS
    # The decimals of a column line up.
    decimals = 0 if (per_part.wanted == per_part.wanted.round()).all() else 1
    rows = []
    for at, part in enumerate(per_part[:_MAX_PARTS_SHOWN]):
        cells = [shorten(part.part, width), f"{part.rows:,}", f"{part.wanted:,.{decimals}f}"]
        if of_groups is not None:
            cells += [f"{part.groups:,}", f"{100 * of_groups[at]:.1f}"]
        rows.append([*cells, f"{part.flz:,}"])
    heading = ["part", "rows", "wanted", *([] if of_groups is None else ["groups", "% of groups"])]
    heading.append("labels it lacks")
    n_more = len(per_part) - len(rows)
    if n_more:
        rows.append([f"and {n_more:,} more", *[""] * (len(heading) - 1)])
    return Table(heading, rows)


def _make_measure_table(quality: Quality) -> Table:
    rows = []
    for measure in LABEL_MEASURES:
        value, bound = quality.value_of(measure), quality.bound_of(measure)
        excess = show_excess(value, bound, excess_over(value, bound))
        row = [measure.heading, show_decimals(value), show_decimals(bound), excess]
        if quality.shows_tight_bound:
            has_tight = measure.has_tight_bound
            row += [
                show_decimals(quality.tight_bound.rld) if has_tight else "",
                show_percent(quality.tight_excess) if has_tight else "",
            ]
        rows.append(row)
    tight = ["tight", "over it"] if quality.shows_tight_bound else []
    return Table(["measure", "value", "bound", "over bound", *tight], rows)


def _make_size_class_tables(quality: Quality) -> list[Table]:
    """Return a table of the size classes; none if all labels are in one."""
    classes = quality.per_size_class
    if len(classes) < 2:
        return []
    rows = [
        [
            f"{own.size_class} {'row' if own.size_class == '1' else 'rows'}",
            f"{own.labels:,}",
            f"{own.rld:.5f}",
            f"{own.rld_bound:.5f}",
            show_excess(own.rld, own.rld_bound, own.excess),
            f"{own.flz:,}",
            f"{own.flz_bound:,}",
        ]
        for own in classes
    ]
    heading = ["labels with", "number", "rLD", "bound", "over bound", "FLZ", "bound"]
    return [Table(heading, rows)]


def make_remarks(quality: Quality) -> list[str]:
    """Return sentences on groups, rare labels and labels that parts lack."""
    per_label, n_parts = quality.per_label, len(quality.per_part)
    n_labels = show_count(len(per_label), "label")
    remarks = []
    if quality.n_cut_groups:
        groups = show_count(quality.n_cut_groups, "group")
        remarks.append(f"{groups} in more than one part: the bounds do not allow for groups.")
    else:
        remarks += describe_groups_off(quality.per_part)
    rare = (per_label.rows > 0) & (per_label.rows < n_parts)
    if rare.any():
        remarks.append(
            f"{rare.sum():,} of {n_labels} with fewer rows than parts: some part must lack them."
        )
    in_few_groups = (per_label.rows >= n_parts) & (per_label.flz_bound > 0)
    if in_few_groups.any():
        remarks.append(
            f"{in_few_groups.sum():,} of {n_labels} in fewer groups than parts: "
            "some part must lack them."
        )
    empty = int((per_label.rows == 0).sum())
    if empty:
        remarks.append(f"{show_count(empty, 'label')} without a row, which no measure counts.")
    if quality.flz > quality.bound.flz:
        times = show_count(quality.flz - quality.bound.flz, "time")
        remarks.append(f"{times} a part lacks a label that it could have had.")
    if quality.shows_tight_bound:
        tight = quality.tight_bound
        remarks.append(f"The tight bound took {tight.seconds:.2g} s. {tight.note}".rstrip())
    return remarks

"""What is odd about labels, groups and options, though no error: a sentence for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .._tables.table import shorten

if TYPE_CHECKING:
    from ..labels.labels import Labels
    from ..links.group_columns import CountedColumn, GroupColumn

# Fewer labels than this are not questioned.
_MIN_QUESTIONED = 10
# Fewer rows than this may well be one group each.
_MIN_GROUPED = 10
_MIN_OTHERS = 2


def remark_labels(labels: Labels, columns: Sequence[str]) -> list[str]:
    """Return what is odd about labels: as many as rows, or one for the rows without others."""
    return [one for one in (_question_number(labels, columns), _find_remainder(labels)) if one]


def _question_number(labels: Labels, columns: Sequence[str]) -> str:
    """Return a question if most labels are in one row only and there are as many as rows."""
    from ..files.named_columns import show_columns
    from ..labels.column_rules import NEARLY_ALL

    n_single = int((labels.count_of_label == 1).sum())
    is_odd = labels.n_labels >= NEARLY_ALL * labels.n_rows and 2 * n_single > labels.n_labels
    if not is_odd or labels.n_labels < _MIN_QUESTIONED:
        return ""
    said = f"{labels.n_labels:,} labels for {labels.n_rows:,} rows, {n_single:,} of them in one row"
    if not columns:
        return f"{said} only."
    which = show_columns(columns)
    return f"{said} only: does {which} hold labels? Name other columns with --labels."


def _find_remainder(labels: Labels) -> str:
    """Return a sentence if one label, such as No Finding, is held by just the rows without others.

    If each row has one label, all labels are such labels, and nothing is said.
    """
    import numpy as np

    n_labels_of_row = np.diff(labels.indptr)
    if not len(n_labels_of_row) or n_labels_of_row.min() == 0 or labels.n_labels <= _MIN_OTHERS:
        return ""
    is_alone = np.repeat(n_labels_of_row == 1, n_labels_of_row)
    n_alone = np.bincount(labels.indices[is_alone], minlength=labels.n_labels)
    found = np.flatnonzero((n_alone == labels.count_of_label) & (n_alone > 0))
    if len(found) != 1:
        return ""
    name = shorten(labels.names[int(found[0])])
    return (
        f"Label {name!r} is held by exactly the rows without other labels. It counts as a label; "
        "leave it out if it is none."
    )


def remark_groups(columns: Sequence[GroupColumn | CountedColumn], n_rows: int) -> list[str]:
    """Return which columns of groups keep no rows together, or hardly any."""
    from ..labels.column_rules import NEARLY_ALL

    said = []
    for column in columns:
        n_filled = n_rows - column.n_missing
        if n_filled < _MIN_GROUPED or column.n_values < NEARLY_ALL * n_filled:
            continue
        name = f"--groups {column.name!r}"
        if column.n_values == n_filled:
            what = "every row is its own group, so no rows are kept together"
        else:
            what = f"{column.n_values:,} groups of {n_filled:,} rows keep hardly any rows together"
        said.append(f"{name}: {what}. Is it the right column?")
    return said


def remark_order(order: Any, methods: Sequence[str]) -> list[str]:
    """Return which methods do not use an order that is given."""
    from ..methods import METHODS

    ignoring = [name for name in methods if not METHODS[name].uses_order]
    if order in (None, "1", 1) or not ignoring:
        return []
    listed, do = ", ".join(ignoring), "do" if len(ignoring) > 1 else "does"
    noun = "methods" if len(ignoring) > 1 else "method"
    return [f"--order {order} is ignored: the {noun} {listed} {do} not use it."]

"""Remarks: what a user should know of the groups of a split."""

from __future__ import annotations

from typing import Any

from numpy.typing import NDArray

from .chains import describe_largest
from .group_columns import Groups, describe_column


def describe_groups(groups: Groups, part_of_row: NDArray[Any] | None = None) -> list[str]:
    """Return what chained the largest group together, and what may leak, as sentences.

    `part_of_row` is the split that was made with the groups, None if there is none yet.
    """
    missing = [describe_column(column) for column in groups.columns if column.n_missing]
    if groups.links is None:
        chain = describe_largest(groups.columns, groups.group_of_row)
        return [*([chain] if chain else []), *missing]
    approximate = [
        f"{search.kind} was linked by {search.describe()}."
        for search in groups.links.searches
        if search.recall is not None
    ]
    remarks = [*groups.links.remarks(), *approximate, *missing]
    if len(groups.links.cut) and part_of_row is not None:
        n_across = len(groups.links.find_across(part_of_row))
        remarks.append(f"Of the pairs whose links were cut, {n_across:,} are in two parts.")
    return remarks

"""PartCounts: what a split has in each part, counted from its rows or known by counts only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from ..exceptions import InputError
from ..problem.parts import Parts
from .groups_of_label import GroupsOfLabel
from .values import Floats, Ints

if TYPE_CHECKING:
    from .placement import Placement


class GroupCounts(NamedTuple):
    """Groups of a split, counted.

    Attributes
    ----------
    number : int
        Groups in all.
    n_cut : int
        Groups that are in more than one part.
    in_part : (n_parts,) array of int
        Groups with a row in each part.
    """

    number: int
    n_cut: int
    in_part: Ints


class PartCounts(Protocol):
    """What measures, tables, figures and reports ask of a split.

    `Placement` counts its rows, `CountedSplit` knows the counts alone.
    """

    @property
    def parts(self) -> Parts:
        """Names and wanted shares of the parts."""

    @property
    def label_names(self) -> Sequence[Any]:
        """The name of each label."""

    @property
    def sizes(self) -> Ints:
        """(n_parts,) rows in each part."""

    @property
    def rows(self) -> Placement | None:
        """The rows and the part of each; None if only counts are known."""

    def count_labels(self) -> Ints:
        """Return (n_parts, n_labels) rows of each label in each part."""

    def count_known(self) -> Ints:
        """Return (n_parts, n_labels) or (n_parts, 1) rows in which each label is known."""

    def sum_amounts(self) -> Floats:
        """Return (n_parts, n_amounts) the total of each balanced amount in each part."""

    def count_groups(self) -> GroupCounts | None:
        """Return the groups in each part; None without groups."""

    def find_groups_of_label(self) -> GroupsOfLabel | None:
        """Return how the rows of each label lie in groups; None without groups."""


def take_rows(part_counts: PartCounts) -> Placement:
    """Return the rows of a split, or raise an error if only its counts are known."""
    if part_counts.rows is None:
        raise InputError(
            "only the rows of each label in each part are known of this split, so nothing that "
            "needs single rows, such as label pairs and labelsets. Read the rows, and measure "
            "them with evenfold.measure."
        )
    return part_counts.rows

"""`groups`, one column or several → groups of rows that share a value of any column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from .._tables.numbers import show_count
from ..exceptions import InputError
from ..labels.fingerprints import name_content
from ..labels.hugging_face import is_dataset
from ..labels.row_values import number_by_first, number_values
from ..labels.tensors import to_array
from ..labels.wrapping import is_column, to_narwhals

if TYPE_CHECKING:
    from .linked_rows import Links

# The name of a column that was passed without one.
UNNAMED = "groups"


class GroupColumn(NamedTuple):
    """A column whose values keep rows together.

    Attributes
    ----------
    name : str
        The name of the column.
    code_of_row : ndarray of int64
        (n_rows,) the number of each row's value, by first appearance; -1 where it has none.
    values : sequence
        What each number stands for; empty if that is of no interest, as for copies.
    """

    name: str
    code_of_row: NDArray[np.int64]
    values: Sequence[Any] | NDArray[Any] = ()

    @property
    def n_values(self) -> int:
        """Number of values."""
        return int(self.code_of_row.max(initial=-1)) + 1

    @property
    def n_missing(self) -> int:
        """Number of rows without a value."""
        return int((self.code_of_row < 0).sum())

    @property
    def n_repeated(self) -> int:
        """Rows whose value another row has before them."""
        return len(self.code_of_row) - self.n_missing - self.n_values

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits that name the content of the column."""
        return name_content(self.code_of_row)


class CountedColumn(NamedTuple):
    """A column of which only the number of values is known, not the value of each row.

    Attributes
    ----------
    name : str
        The name of the column.
    n_values : int
        Number of values.
    n_missing : int, default=0
        Number of rows without a value.
    n_repeated : int, default=0
        Rows whose value another row has before them.
    fingerprint : str, default=None
        A name of the content of the column; None if there is none.
    """

    name: str
    n_values: int
    n_missing: int = 0
    n_repeated: int = 0
    fingerprint: str | None = None

    @property
    def values(self) -> Sequence[Any]:
        """What each number stands for, which is not known."""
        return ()


@dataclass(frozen=True, eq=False)
class Groups:
    """Which rows stay together, and which columns say so.

    Attributes
    ----------
    group_of_row : ndarray of int64
        (n_rows,) the group of each row, numbered by first appearance.
    columns : tuple of GroupColumn
        The columns whose values keep rows together.
    links : Links or None
        What `evenfold.link` found, if the groups come from it.
    """

    group_of_row: NDArray[np.int64]
    columns: tuple[GroupColumn, ...]
    links: Links | None = None

    @property
    def n_groups(self) -> int:
        """Number of groups."""
        return int(self.group_of_row.max()) + 1


def read_groups(groups: Any, n_rows: int, parameter: str = "groups") -> Groups:
    """Read what `evenfold.link` returned, or one or several columns of groups.

    Parameters
    ----------
    groups : Links, array, column, mapping, frame or 2-D array
        The groups; of a mapping, a frame or a 2-D array, rows that share any value are one group.
    n_rows : int
        The number of rows.
    parameter : str, default="groups"
        The name of the argument, for errors.

    Returns
    -------
    Groups
        The groups. Rows without a value join nothing.
    """
    from .linked_rows import Links

    if isinstance(groups, Links):
        groups.check_rows(n_rows, parameter)
        return Groups(groups.group_of_row, groups.columns, groups)
    columns = read_group_columns(groups, n_rows, parameter)
    return Groups(join_columns(columns), columns)


def read_group_columns(groups: Any, n_rows: int, parameter: str) -> tuple[GroupColumn, ...]:
    """Read one or several columns of groups."""
    given = _list_columns(groups, parameter)
    if not given:
        raise InputError("must have at least one column, got none.", parameter=parameter)
    return tuple(
        GroupColumn(name, *number_values(values, n_rows, parameter)) for name, values in given
    )


def read_id_column(ids: Any, n_rows: int) -> GroupColumn:
    """Read what identifies rows: each id should be in one part, as if it were a group."""
    return GroupColumn("ids", *number_values(ids, n_rows, "ids"))


def _list_columns(groups: Any, parameter: str) -> list[tuple[str, Any]]:
    from .linked_rows import Links

    if isinstance(groups, Links):
        return [(UNNAMED, groups.group_of_row)]
    if isinstance(groups, Mapping) and not is_dataset(groups):
        return [
            (str(name), values.group_of_row if isinstance(values, Links) else values)
            for name, values in groups.items()
        ]
    groups = to_array(groups, parameter)
    if isinstance(groups, np.ndarray) and groups.ndim == 2:
        return [(f"column {at}", values) for at, values in enumerate(groups.T)]
    wrapped = to_narwhals(groups, parameter)
    if wrapped is None:
        return [(UNNAMED, groups)]
    if is_column(wrapped):
        return [(str(wrapped.name) if wrapped.name else UNNAMED, groups)]
    return [(str(column.name), column) for column in wrapped.iter_columns()]


def join_columns(columns: Sequence[GroupColumn]) -> NDArray[np.int64]:
    """Return the group of each row: rows that share a value of any column are in one group.

    Groups are numbered by first appearance. Rows without a value join nothing.
    """
    if len(columns) == 1 and not columns[0].n_missing:
        return columns[0].code_of_row
    n_rows = len(columns[0].code_of_row)
    graph = make_graph(columns)
    _, component = scipy.sparse.csgraph.connected_components(graph, directed=False)
    return number_by_first(component[:n_rows])[0]


def make_graph(columns: Sequence[GroupColumn]) -> scipy.sparse.csr_array:
    """Return the graph whose nodes are the rows, then the values of each column.

    It has an edge from each row to each of its values.
    """
    n_rows = len(columns[0].code_of_row)
    rows, values, n_nodes = [], [], n_rows
    for column in columns:
        held = np.flatnonzero(column.code_of_row >= 0)
        rows.append(held)
        values.append(n_nodes + column.code_of_row[held])
        n_nodes += column.n_values
    ends = np.concatenate(rows), np.concatenate(values)
    ones = np.ones(len(ends[0]), np.int8)
    return scipy.sparse.csr_array((ones, ends), shape=(n_nodes, n_nodes))


def describe_column(column: GroupColumn | CountedColumn) -> str:
    """Return how many values a column has, and how many rows have none."""
    n_missing = column.n_missing
    have = "has" if n_missing == 1 else "have"
    missing = f"; {show_count(n_missing, 'row')} {have} no value" if n_missing else ""
    return f"{column.name}: {show_count(column.n_values, 'value')}{missing}"

"""Leaks: values and pairs of rows that a split has in two parts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_value
from .._tables.numbers import show_count
from .._tables.table import shorten
from ..links.group_columns import CountedColumn, GroupColumn, describe_column
from ..links.pairs import PairSearch
from ..quality.pieces import find_pieces

# Of the pairs in two parts, so many are kept, the most alike.
MOST_PAIRS_KEPT = 1_000


class LeakingPair(NamedTuple):
    """Two rows that are alike and in two parts.

    Attributes
    ----------
    first : int
        A row.
    second : int
        Another row.
    first_part : str
        The part of the first row.
    second_part : str
        The part of the second row.
    kind : str
        What is alike: "similar", "text", "images" or "pairs".
    value : float
        The similarity or distance of the two rows.
    """

    first: int
    second: int
    first_part: str
    second_part: str
    kind: str
    value: float


class ValuesCheck(NamedTuple):
    """Whether each value of a column is in one part only.

    Attributes
    ----------
    column : GroupColumn or CountedColumn
        The column.
    n_leaking : int
        The values that are in two parts or more.
    example : str
        The first of them with its parts; empty if there is none.
    n_rows_leaking : int, default=0
        The rows that have one of these values; 0 if it is not known.
    """

    column: GroupColumn | CountedColumn
    n_leaking: int
    example: str
    n_rows_leaking: int = 0

    @property
    def n_repeated(self) -> int:
        """Rows whose value another row has before them."""
        return self.column.n_repeated

    def describe(self) -> str:
        """Return what was found, as one line."""
        if not self.n_leaking:
            return f"{describe_column(self.column)}; each value is in one part"
        return f"{self.column.name}: {self.describe_leaking()}"

    def describe_leaking(self, what: str = "value", of: str = "") -> str:
        """Return how many values leak, and the first; `what` is what they are, `of` of what."""
        n = self.n_leaking
        number = f"1 {what}{of} is" if n == 1 else f"{n:,} {what}s{of} are"
        first = f", first {self.example}" if self.example else ""
        return f"{number} in more than one part{first}"


class PairsCheck(NamedTuple):
    """Whether pairs of rows that are alike are in two parts.

    Attributes
    ----------
    search : PairSearch
        The search, which has the measure and the threshold.
    n_leaking : int
        The pairs in two parts.
    pairs : list of LeakingPair
        The most alike of them, at most 1,000.
    """

    search: PairSearch
    n_leaking: int
    pairs: list[LeakingPair]

    def describe(self) -> str:
        """Return what was found, as one line."""
        pairs = f"{show_count(self.n_leaking, 'pair')} in two parts"
        text = f"{self.search.kind}: {pairs} with {self.search.describe()}"
        if not self.pairs:
            return text
        first = self.pairs[0]
        return (
            f"{text}, first rows {first.first} ({shorten(first.first_part)}) and {first.second} "
            f"({shorten(first.second_part)}) with {first.value:.6g}"
        )


def check_values(
    column: GroupColumn, part_of_row: NDArray[Any], names: Sequence[str]
) -> ValuesCheck:
    """Check that each value of a column is in one part."""
    leaks = find_leaking_values(column, part_of_row, len(names))
    leaking = np.flatnonzero(leaks)
    if not len(leaking):
        return ValuesCheck(column, 0, "")
    n_rows = int(leaks[column.code_of_row].sum())
    code = int(leaking[0])
    parts = [names[part] for part in np.unique(part_of_row[column.code_of_row == code])]
    value = column.values[code] if len(column.values) else None
    if isinstance(value, np.generic):
        value = value.item()
    row = int(np.flatnonzero(column.code_of_row == code)[0])
    shown = f"that of row {row}" if value is None else show_value(value)
    where = " and ".join(map(shorten, parts[:3])) + (" and others" if len(parts) > 3 else "")
    return ValuesCheck(column, len(leaking), f"{shown} in {where}", n_rows)


def find_leaking_values(
    column: GroupColumn, part_of_row: NDArray[Any], n_parts: int
) -> NDArray[np.bool_]:
    """Tell for each value whether it is in two parts or more; a last entry stands for none."""
    pieces = find_pieces(column.code_of_row, part_of_row, n_parts)
    return pieces.count_parts(column.n_values + 1) > 1


def check_pairs(
    search: PairSearch,
    part_of_row: NDArray[Any],
    names: Sequence[str],
    record: Callable[[NDArray[np.int64], NDArray[np.int64]], object] | None = None,
) -> PairsCheck:
    """Search for pairs of rows that are alike and in two parts.

    `record` is called with the two rows of all of them, a block of pairs at a time.
    """
    n_leaking = 0
    kept: list[LeakingPair] = []
    for pairs in search.find_pairs(part_of_row):
        leaks = (part_of_row[pairs.first] != part_of_row[pairs.second]) & search.is_at(pairs.value)
        n_leaking += int(leaks.sum())
        columns = (pairs.first[leaks], pairs.second[leaks], pairs.value[leaks])
        kept = _keep_most_alike(search, kept, columns, part_of_row, names)
        if record is not None:
            record(columns[0], columns[1])
    return PairsCheck(search, n_leaking, kept)


def _keep_most_alike(
    search: PairSearch,
    kept: list[LeakingPair],
    columns: tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float64]],
    part_of_row: NDArray[Any],
    names: Sequence[str],
) -> list[LeakingPair]:
    """Add pairs, and keep the most alike; of equal ones, those of the first rows."""
    first, second, value = columns
    if not len(first):
        return kept
    sign = 1.0 if search.is_distance else -1.0
    order = np.lexsort((second, first, sign * value))[:MOST_PAIRS_KEPT]
    new = [
        LeakingPair(
            int(a), int(b), names[part_of_row[a]], names[part_of_row[b]], search.kind, float(v)
        )
        for a, b, v in zip(first[order], second[order], value[order], strict=True)
    ]
    both = sorted(kept + new, key=lambda pair: (sign * pair.value, pair.first, pair.second))
    return both[:MOST_PAIRS_KEPT]

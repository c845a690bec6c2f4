"""Pairs of rows that the user's own tool found, such as MMseqs2, BLAST or RDKit."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_number, is_whole
from .._checks.values import show_value
from .._tables.numbers import show_count
from ..exceptions import InputError, InputTypeError
from ..labels.column_rules import is_missing
from ..labels.row_values import list_values
from ..labels.wrapping import is_column, to_narwhals
from .pairs import SLACK, Pairs, PairSearch

_FORMS = "an array, a frame or a list of (row, row) or (row, row, score)"
# Between links at their threshold and links of equal rows.
_STRENGTH_WITHOUT_SCORE = 0.5


class PairListSearch(PairSearch):
    """Pairs that are given; see `make_pair_search`.

    Parameters
    ----------
    pairs : Pairs
        The pairs, sorted, each once.
    n_rows : int
        The number of rows.
    at : float or None
        The least score; None if all pairs are kept.
    has_scores : bool
        Whether the values are scores that were given.
    """

    kind = "pairs"
    measure = "score of the given pairs"

    def __init__(self, pairs: Pairs, n_rows: int, at: float | None, has_scores: bool) -> None:
        self._pairs = pairs
        self._has_threshold = at is not None
        self._has_scores = has_scores
        self.n_rows = n_rows
        self.at = float(pairs.value.min(initial=np.inf)) if at is None else at
        if at is None and not len(pairs.value):
            self.at = 0.0

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits, others when a pair or a score changes."""
        whole = hashlib.sha256(f"evenfold pairs 1, {self.n_rows} rows".encode())
        for array, kind in zip(self._pairs, ("<i8", "<i8", "<f8"), strict=True):
            whole.update(array.astype(kind).tobytes())
        return whole.hexdigest()[:32]

    def find_different(self) -> Iterator[Pairs]:
        """Yield the pairs with a score at or above the threshold."""
        if len(self._pairs.first):
            yield self._pairs

    def find_strength(self, value: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return scores scaled from 0 at the threshold to 1 at the highest; .5 without scores."""
        span = self._pairs.value.max(initial=self.at) - self.at
        if not self._has_scores or span <= 0:
            return np.full(len(value), _STRENGTH_WITHOUT_SCORE)
        return np.asarray(np.clip((value - self.at) / span, 0.0, 1.0))

    def describe(self) -> str:
        """Return how many pairs were given, and the threshold if there is one."""
        listed = show_count(len(self._pairs.first), "pair")
        return f"a link in the list of {listed}{self._describe_limit()}"

    def describe_pairs(self, n_pairs: int) -> str:
        """Return the number of pairs, and the threshold if there is one."""
        return f"{show_count(n_pairs, 'pair')} given{self._describe_limit()}"

    def _describe_limit(self) -> str:
        return f" with a score of {self.at:g} or more" if self._has_threshold else ""


def make_pair_search(
    pairs: Any,
    ids: Any = None,
    at: float | None = None,
    n_rows: int | None = None,
) -> PairListSearch:
    """Make a search that returns given pairs.

    Parameters
    ----------
    pairs : array, frame or list
        (n_pairs, 2) or (n_pairs, 3) two rows and, if there are three columns, a score, which is
        higher for more similar rows.
    ids : list, array or column, default=None
        (n_rows,) what `pairs` calls the rows; by default row numbers from 0.
    at : float, default=None
        The least score; by default all pairs are kept.
    n_rows : int, default=None
        The number of rows; by default that of the ids, or one more than the largest row number.

    Returns
    -------
    PairListSearch
        The search.

    Notes
    -----
    Pairs of a row with itself are left out. If a pair is given several times, in either order, its
    highest score counts.
    If ids are text on one side and numbers on the other, they are compared as text.

    Examples
    --------
    >>> from evenfold.links.pair_lists import make_pair_search
    >>> search = make_pair_search([("b", "a", 0.9), ("a", "c", 0.3)], ids=["a", "b", "c"], at=0.5)
    >>> next(search.find_pairs())
    Pairs(first=array([0]), second=array([1]), value=array([0.9]))
    """
    one, other, score = _read_columns(pairs)
    if at is not None:
        at = check_number(at, "at", "Leave it out to keep all pairs.", least=-np.inf)
        if score is None and one:
            raise InputError(
                f"must be left out if the pairs have no scores, got {at:g}. "
                "Add the scores as a third column.",
                parameter="at",
            )
    # Pair by pair, so that the first that is wrong is the first in the list.
    values = list(itertools.chain.from_iterable(zip(one, other, strict=True)))
    if ids is not None:
        listed = list_values(ids, n_rows, "ids")
        n_rows = len(listed)
        rows = _find_ids(values, listed)
    else:
        rows = _check_rows(values, n_rows)
        n_rows = int(rows.max(initial=-1)) + 1 if n_rows is None else n_rows
    first, second = np.sort(rows.reshape(-1, 2), axis=1).T
    value = np.ones(len(first)) if score is None else score
    kept = (first != second) & (value >= -np.inf if at is None else value >= at - SLACK)
    found = _unite(Pairs(first[kept], second[kept], value[kept]))
    return PairListSearch(found, n_rows, at, score is not None)


def has_scores(pairs: Any) -> bool:
    """Tell whether pairs have a third column."""
    if isinstance(pairs, list | tuple):
        return len(pairs) > 0 and _width(pairs[0]) == 3
    shape: tuple[int, ...] = getattr(pairs, "shape", ())
    return len(shape) == 2 and shape[1] == 3


def _read_columns(pairs: Any) -> tuple[list[Any], list[Any], NDArray[np.float64] | None]:
    """Return both rows of each pair and the scores, None if there are none."""
    wrapped = to_narwhals(pairs, "pairs")
    if wrapped is not None and not is_column(wrapped):
        columns = [column.to_list() for column in wrapped.iter_columns()]
    elif isinstance(pairs, np.ndarray) and pairs.ndim == 2:
        columns = [column.tolist() for column in pairs.T]
    elif isinstance(pairs, list | tuple):
        columns = _read_list(pairs)
    else:
        raise InputTypeError(
            f"must be {_FORMS}, got {type(pairs).__name__}. Pass one pair per row.",
            parameter="pairs",
        )
    if len(columns) not in (2, 3):
        raise _no_pairs(f"{len(columns)} columns")
    return columns[0], columns[1], _read_scores(columns[2]) if columns[2:] else None


def _read_list(pairs: Sequence[Any]) -> list[list[Any]]:
    if not pairs:
        return [[], []]
    width = _width(pairs[0])
    if width == 0:
        raise _no_pairs(f"{show_value(pairs[0])} at pair 0")
    at = next((at for at, pair in enumerate(pairs) if _width(pair) != width), None)
    if at is not None:
        got = f"{show_value(pairs[0])} and, at pair {at}, {show_value(pairs[at])}"
        raise _no_pairs(got)
    return [list(column) for column in zip(*pairs, strict=True)]


def _width(pair: Any) -> int:
    """Return how many entries a pair has, 0 if it is none."""
    return len(pair) if isinstance(pair, list | tuple | np.ndarray) else 0


def _no_pairs(got: str) -> InputError:
    return InputError(
        f"must be {_FORMS}, got {got}. Give every pair the same columns.", parameter="pairs"
    )


def _read_scores(scores: list[Any]) -> NDArray[np.float64]:
    for at, score in enumerate(scores):
        is_number = isinstance(score, int | float | np.number) and not isinstance(score, bool)
        if not is_number or not np.isfinite(score):
            raise InputError(
                f"must have finite numbers as scores, got {show_value(score)} at pair {at}. "
                "Leave out pairs without a score.",
                parameter="pairs",
            )
    return np.array(scores, np.float64)


def _find_ids(values: list[Any], ids: list[Any]) -> NDArray[np.int64]:
    """Return the row of each id."""
    is_text = {isinstance(name, str) for name in ids if not is_missing(name)}
    if not {isinstance(value, str) for value in values} <= is_text:
        values, ids = list(map(_to_text, values)), list(map(_to_text, ids))
    row_of_id: dict[Any, int] = {}
    for row, name in enumerate(ids):
        if is_missing(name):
            continue
        if row_of_id.setdefault(name, row) != row:
            raise InputError(
                f"must be unique, got {show_value(name)} at rows {row_of_id[name]} and {row}. "
                "Give each row its own id.",
                parameter="ids",
            )
    unknown = [value for value in values if value not in row_of_id]
    if unknown:
        raise InputError(
            f"holds {len(set(unknown)):,} ids that are not in 'ids', first "
            f"{show_value(unknown[0])}. Correct them, or leave out their pairs.",
            parameter="pairs",
        )
    return np.fromiter((row_of_id[value] for value in values), np.int64, len(values))


def _to_text(value: Any) -> Any:
    if is_missing(value):
        return value
    # An array with scores holds whole numbers as floats.
    return str(int(value) if isinstance(value, float) and value.is_integer() else value)


def _check_rows(values: list[Any], n_rows: int | None) -> NDArray[np.int64]:
    """Return row numbers; text and floats may stand for them."""
    # Compared as Python numbers, because those that are wrong may need more than 64 bits.
    rows = list(map(_to_row, values))
    most = np.iinfo(np.int64).max if n_rows is None else n_rows
    outside = [row for row in rows if not 0 <= row < most]
    if outside:
        limit = "" if n_rows is None else f" to {n_rows - 1:,}"
        raise InputError(
            f"must hold row numbers from 0{limit}, got {len(outside):,} others, first "
            f"{show_value(outside[0])}. Number the rows from 0, or pass ids.",
            parameter="pairs",
        )
    return np.array(rows, np.int64)


def _to_row(value: Any) -> int:
    if is_whole(value) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    if isinstance(value, str) and value.strip().removeprefix("-").isdecimal():
        return int(value)
    raise InputError(
        f"must hold row numbers from 0 if there are no ids, got {show_value(value)}. Pass ids.",
        parameter="pairs",
    )


def _unite(pairs: Pairs) -> Pairs:
    """Sort pairs, and keep each once, with its highest score."""
    order = np.lexsort((-pairs.value, pairs.second, pairs.first))
    first, second, value = (array[order] for array in pairs)
    is_new = np.append(True, (first[1:] != first[:-1]) | (second[1:] != second[:-1]))[: len(first)]
    return Pairs(first[is_new], second[is_new], value[is_new])

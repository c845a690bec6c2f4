"""Rows with similar numbers: pairs of rows of an embedding matrix at a threshold."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_number
from .._checks.values import show_value
from ..exceptions import InputError
from .candidates import evaluate, search_blocks
from .cells import Cells, check_faiss, find_cells
from .copies import number_equal_rows
from .matrices import Matrix, check_matrix, is_sparse, make_matrix_fingerprint
from .pairs import MAX_EXACT_ROWS, Pairs, PairSearch
from .scores import DISTANCES, MEASURE_OF_METRIC, Comparison

DEFAULT_COSINE = 0.95


class SimilarSearch(PairSearch):
    """The pairs of rows of a matrix at a threshold. See `make_similar_search`."""

    kind = "similar"

    def __init__(
        self,
        comparison: Comparison,
        matrix: Matrix,
        goal: float | None,
        number_of_row: NDArray[np.int64] | None,
    ) -> None:
        self.n_rows = matrix.shape[0]
        self.measure = MEASURE_OF_METRIC[comparison.metric]
        self.at = comparison.at
        self.is_distance = comparison.metric in DISTANCES
        self._comparison = comparison
        self._matrix = matrix
        self._goal = goal
        self.packages = () if goal is None else ("faiss-cpu",)
        self.number_of_row = number_of_row

    @functools.cached_property
    def fingerprint(self) -> str:
        """32 hexadecimal digits that name the numbers of the matrix."""
        return make_matrix_fingerprint(self._matrix)

    def find_different(self) -> Iterator[Pairs]:
        """Yield the pairs of different rows, or those that an approximate search finds."""
        candidates = (
            search_blocks(self._comparison) if self._cells is None else self._cells.search()
        )
        yield from evaluate(self._comparison, candidates)

    @functools.cached_property
    def _cells(self) -> Cells | None:
        """Cells that reach the goal of recall, None for an exact search."""
        if self._goal is None:
            return None
        cells, self.recall = find_cells(self._comparison, self._goal)
        return cells


def make_similar_search(
    similar: Any,
    metric: str = "cosine",
    at: float | None = None,
    n_rows: int | None = None,
    exact: bool | None = None,
    recall: float = 0.99,
) -> SimilarSearch:
    """Return the search for pairs of similar rows.

    Parameters
    ----------
    similar : array, sparse matrix, frame, column of lists or list of lists
        (n_rows, n_columns) numbers, such as embeddings or fingerprints.
    metric : {"cosine", "jaccard", "euclidean", "hamming"}, default="cosine"
        What is compared. Cosine and Jaccard are similarities, the others distances. Jaccard and
        Hamming are of rows of 0 and 1: Jaccard (or Tanimoto) is the share of common ones, Hamming
        the number of columns that differ.
    at : float, default=None
        Rows are pairs at this similarity or more, or at this distance or less. By default 0.95 for
        cosine; other metrics have no default.
    n_rows : int, default=None
        The number of rows that the matrix must have.
    exact : bool, default=None
        Whether all pairs are found. By default, up to 200,000 rows. More rows need the package
        faiss, unless this is True.
    recall : float, default=0.99
        The share of the pairs that an approximate search must find, measured on 10,000 rows.

    Returns
    -------
    SimilarSearch
        The search.

    Raises
    ------
    InputTypeError
        If an argument has a wrong type.
    InputError
        If the matrix or an argument has a wrong value.

    Notes
    -----
    - The cosine and Jaccard similarity of a row of zeros to any row is 0. So rows of zeros, such as
      embeddings of empty text, are not pairs at a threshold above 0.
    - Pairs do not depend on the form of the matrix, nor on the number of threads.

    Examples
    --------
    >>> search = make_similar_search([[1.0, 0.0], [0.0, 1.0], [2.0, 0.1]], at=0.9)
    >>> [(int(a), int(b), round(float(v), 4)) for a, b, v in zip(*next(search.find_pairs()))]
    [(0, 2, 0.9988)]
    """
    threshold = _check_threshold(at, metric)
    matrix = check_matrix(similar, n_rows, "similar")
    if exact is None:
        exact = matrix.shape[0] <= MAX_EXACT_ROWS
    if not exact and is_sparse(matrix):
        raise InputError(
            f"must be dense for an approximate search, got a sparse matrix of {matrix.shape[0]:,} "
            "rows. Pass exact=True, or an array.",
            parameter="similar",
        )
    if not exact:
        check_faiss(matrix.shape[0])
    different, number_of_row = _take_out_copies(matrix, metric, threshold)
    comparison = Comparison(different, metric, threshold, "similar")
    return SimilarSearch(comparison, matrix, None if exact else recall, number_of_row)


def _take_out_copies(
    matrix: Matrix, metric: str, at: float
) -> tuple[Matrix, NDArray[np.int64] | None]:
    """Return the different rows of a matrix, and the number of each row among them.

    The number is -1 for rows that are in no pair, None if all rows differ. Many equal rows have
    very many pairs, whose values need not be computed.
    """
    if metric not in DISTANCES and at <= 0:
        return matrix, None
    number_of_row = number_equal_rows(matrix)
    _, first = np.unique(number_of_row, return_index=True)
    if len(first) == matrix.shape[0]:
        return matrix, None
    if metric not in DISTANCES:
        # Rows of zeros are similar to nothing, not even to each other.
        n_filled = matrix.count_nonzero(axis=1) if is_sparse(matrix) else matrix.any(axis=1)
        is_zero = np.asarray(n_filled == 0)
        number_of_row = np.where(is_zero, -1, number_of_row)
    return matrix[first], number_of_row


def _check_threshold(at: Any, metric: str) -> float:
    if at is None and metric == "cosine":
        return DEFAULT_COSINE
    if at is None:
        kind = "distance" if metric in DISTANCES else "similarity"
        raise InputError(
            f"must be given for metric={metric!r}, got None. "
            f"Pass the {'largest' if metric in DISTANCES else 'least'} {kind} of pairs.",
            parameter="at",
        )
    if metric == "cosine":
        advice = f"Try at={DEFAULT_COSINE}."
        return check_number(at, "at", advice, least=-1.0, most=1.0, above=True)
    if metric == "jaccard":
        return check_number(at, "at", "Try at=0.8.", most=1.0, above=True)
    if metric == "hamming":
        advice = "Pass the number of columns in which pairs may differ, such as at=3."
        number = check_number(at, "at", advice)
        if number != int(number):
            raise InputError(
                f"must be a whole number for metric='hamming', got {show_value(at)}. {advice}",
                parameter="at",
            )
        return number
    return check_number(at, "at", "Pass the largest distance of pairs.")

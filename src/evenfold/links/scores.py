"""Measures of similarity and distance: values in 64 bits, and scores that never miss a pair.

A score is a product of two rows plus a number of each row. It is quick to compute in 32 bits for
all pairs of two blocks. Pairs at the threshold have a score of at least `least`, whatever rounding
does. So a search computes scores of all pairs, and values only of those with enough score.

For products of n numbers in any order, |computed - exact| <= gamma(n) Σ|x_i y_i|, where
gamma(n) = nu / (1 - nu) and u = 2^-24 (Higham, Accuracy and Stability of Numerical Algorithms,
2002, chapter 3). Rounding each row to 32 bits first adds 2u + u² to the factor.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .matrices import Matrix, check_binary, is_sparse, iterate_rows
from .pairs import SLACK, find_least

_UNIT = 2.0**-24
# Products of larger or smaller sums of squares may not be finite, or lose bits.
_LEAST_SQUARE, _MOST_SQUARE = 1e-100, 1e100
# More than the error of numbers that are too small for 32 bits.
_UNDERFLOW = 1e-30
# Rows whose median is the middle of all.
_MEDIAN_ROWS = 1000
METRICS = ("cosine", "jaccard", "euclidean", "hamming")
MEASURE_OF_METRIC = {
    "cosine": "cosine similarity",
    "jaccard": "Jaccard similarity",
    "euclidean": "Euclidean distance",
    "hamming": "Hamming distance",
}
DISTANCES = ("euclidean", "hamming")


class Scores(NamedTuple):
    """How scores are computed from the rows of a matrix.

    The score of rows a and b is Σ_i v_ai v_bi + bias_a + bias_b, where v_a is the row without
    `shift`, times its `scale`.

    Attributes
    ----------
    least : float
        Pairs at the threshold have a score of at least this.
    shift : ndarray of float64 or None
        (n_columns,) what is subtracted from each row; None for zeros.
    scale : ndarray of float64 or None
        (n_rows,) by what each row is multiplied; None for ones.
    bias : ndarray of float64 or None
        (n_rows,) what each row adds to its scores; None for zeros.
    zeros_pass : bool
        Whether pairs without a common column may be at the threshold.
    """

    least: float
    shift: NDArray[np.float64] | None = None
    scale: NDArray[np.float64] | None = None
    bias: NDArray[np.float64] | None = None
    zeros_pass: bool = True


class Comparison:
    """A matrix, a metric and a threshold: the values of pairs and their scores.

    Attributes
    ----------
    matrix : ndarray or csr_array
        The rows.
    metric : str
        One of `METRICS`.
    at : float
        The threshold.
    scores : Scores
        How scores are computed.
    """

    def __init__(self, matrix: Matrix, metric: str, at: float, parameter: str) -> None:
        self.metric = metric
        self.at = at
        if metric in ("jaccard", "hamming"):
            check_binary(matrix, metric, parameter)
        self.matrix = matrix
        self._squares = _sum_squares(matrix) if metric != "euclidean" else np.empty(0)
        if metric == "cosine":
            small = np.flatnonzero(self._squares < _LEAST_SQUARE)
            is_tiny = len(small) > 0 and abs(matrix[small]).max() > 0
            if is_tiny or self._squares.max() > _MOST_SQUARE:
                self.matrix = _scale_by_powers(matrix)
                self._squares = _sum_squares(self.matrix)
        self.scores = _MAKERS[metric](self.matrix, self._squares, at)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.matrix.shape[0])

    @property
    def n_columns(self) -> int:
        """Number of columns."""
        return int(self.matrix.shape[1])

    def find_values(
        self, first: NDArray[np.int64], second: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """Return the similarity or distance of each pair, in 64 bits.

        Each value is computed from its two rows alone, in a fixed order.
        """
        a, b = self.matrix[first], self.matrix[second]
        if self.metric == "euclidean":
            difference = _widen(a) - _widen(b)
            return np.sqrt(_sum_products(difference, difference))
        products = _sum_products(_widen(a), _widen(b))
        squares, others = self._squares[first], self._squares[second]
        if self.metric == "hamming":
            return squares + others - 2 * products
        below = (
            np.sqrt(squares * others) if self.metric == "cosine" else squares + others - products
        )
        values = np.divide(products, below, out=np.zeros(len(below)), where=below > 0)
        return np.clip(values, -1.0, 1.0)

    def is_pair(self, values: NDArray[np.float64]) -> NDArray[np.bool_]:
        """Tell which values are at the threshold, or nearer to it than `SLACK`."""
        if self.metric in DISTANCES:
            return np.asarray(values <= self.at * (1 + SLACK))
        least = find_least(self.at) if self.metric == "jaccard" else self.at - SLACK
        return np.asarray(values >= least)

    def take_rows(self, rows: slice | NDArray[np.int64]) -> NDArray[np.float32]:
        """Return rows of a dense matrix as their scores need them, in 32 bits."""
        block = self.matrix[rows]
        scores = self.scores
        if scores.shift is not None:
            block = block - scores.shift
        if scores.scale is not None:
            block = block * scores.scale[rows, None]
        return np.ascontiguousarray(block, np.float32)


def _widen(rows: Any) -> Any:
    return rows.astype(np.float64)


def _sum_products(a: Any, b: Any) -> NDArray[np.float64]:
    """Return Σ_i a_i b_i of each row."""
    if is_sparse(a):
        return np.asarray(a.multiply(b).sum(axis=1), np.float64).ravel()
    # Unlike a matrix product, the order of the sum does not depend on the number of rows.
    return np.asarray(np.einsum("ij,ij->i", a, b))


def _sum_squares(matrix: Matrix) -> NDArray[np.float64]:
    squares = np.empty(matrix.shape[0])
    for rows in iterate_rows(matrix):
        block = _widen(matrix[rows])
        squares[rows] = _sum_products(block, block)
    return squares


def _scale_by_powers(matrix: Matrix) -> Matrix:
    """Scale each row by a power of 2 so that its largest number is near 1: no bit is lost."""
    largest = abs(matrix).max(axis=1)
    largest = largest.toarray().ravel() if is_sparse(largest) else largest
    exponents = -np.frexp(largest.astype(np.float64))[1]
    if is_sparse(matrix):
        scaled = matrix.copy()
        scaled.data = np.ldexp(matrix.data, np.repeat(exponents, np.diff(matrix.indptr)))
        return scaled
    return np.ldexp(matrix.astype(np.float64), exponents[:, None])


def _bound_error(n_columns: int) -> float:
    """Return a bound of the error of a score, relative to Σ|x_i y_i| + |bias_a| + |bias_b|.

    Eight roundings more than the product needs: two of the rows, those of biases, their sums and
    the threshold.
    """
    steps = (n_columns + 8) * _UNIT
    return steps / (1 - steps)


def _score_cosines(matrix: Matrix, squares: NDArray[np.float64], at: float) -> Scores:
    norms = np.sqrt(squares)
    scale = np.divide(1.0, norms, out=np.zeros(len(norms)), where=norms > 0)
    # By Cauchy and Schwarz, Σ|x_i y_i| is at most 1.
    least = at - SLACK - _bound_error(matrix.shape[1])
    return Scores(least, scale=scale, zeros_pass=least <= 0)


def _score_jaccards(matrix: Matrix, squares: NDArray[np.float64], at: float) -> Scores:
    # Products of 0 and 1 are exact in 32 bits. With c common ones and t the threshold,
    # c / (n_a + n_b - c) >= t is c - (n_a + n_b) t / (1 + t) >= 0.
    share = find_least(at)
    bias = -squares * share / (1 + share) * (1 - 32 * _UNIT)
    return Scores(_UNDERFLOW, bias=bias, zeros_pass=False)


def _score_hammings(matrix: Matrix, squares: NDArray[np.float64], at: float) -> Scores:
    # With c common ones, the distance is n_a + n_b - 2c. Halves are exact in 32 bits too.
    most = np.floor(min(at * (1 + SLACK), matrix.shape[1]))
    return Scores(-most / 2 - 0.25, bias=-squares / 2)


def _score_distances(matrix: Matrix, _: NDArray[np.float64], at: float) -> Scores:
    # The squared distance is |a|² + |b|² - 2ab. Its error grows with |a|² and |b|², not with the
    # distance, so it is subtracted from them. Rows around 0 have the smallest squares.
    shift = None
    if not is_sparse(matrix):
        # Any point near most rows will do; unlike the mean, the median ignores outliers.
        some = matrix[:: -(-len(matrix) // _MEDIAN_ROWS)]
        shift = np.asarray(np.median(some.astype(np.float64), axis=0))
    squares = np.empty(matrix.shape[0])
    for rows in iterate_rows(matrix):
        block = _widen(matrix[rows]) if shift is None else matrix[rows] - shift
        squares[rows] = _sum_products(block, block)
    # 32 bits hold numbers to 1e38. Those too small for 32 bits do not matter beside the slack.
    unit = max(np.sqrt(squares.max()), at, np.finfo(np.float64).tiny)
    scale = None if unit < 1e10 else np.full(len(squares), 1 / unit)
    per = 1.0 if scale is None else unit**2
    # By Cauchy and Schwarz, Σ|x_i y_i| is at most (|a|² + |b|²) / 2, as is the sum of biases.
    bias = -squares / (2 * per) * (1 - 2 * _bound_error(matrix.shape[1]))
    least = -((at * (1 + SLACK)) ** 2) / (2 * per) * (1 + 32 * _UNIT) - _UNDERFLOW
    return Scores(least, shift, scale, bias)


_MAKERS = {
    "cosine": _score_cosines,
    "jaccard": _score_jaccards,
    "euclidean": _score_distances,
    "hamming": _score_hammings,
}

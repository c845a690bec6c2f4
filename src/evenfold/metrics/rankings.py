"""Rankings of the labels of each row: ranking loss, one-error, coverage, average precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arguments import check_scores
from .averaging import divide
from .ranked_lists import average_precisions
from .ties import Ties, find_ties


def ranking_loss(y_true: Any, scores: Any) -> float:
    """Return the share of pairs of a true and a false label that are ranked wrongly.

    A pair is ranked wrongly if the false label has the same or a higher score. The share is the
    mean over rows.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.

    Returns
    -------
    float
        The loss, from 0 to 1.

    Notes
    -----
    A row with no label, or with all labels, has no such pair and counts 0, as in scikit-learn.

    Examples
    --------
    >>> evenfold.metrics.ranking_loss([[1, 0, 0]], [[0.5, 0.9, 0.1]])
    0.5
    """
    return _mean_over_rows(y_true, scores, _wrong_pairs)


def one_error(y_true: Any, scores: Any) -> float:
    """Return the share of rows whose label with the highest score is false.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.

    Returns
    -------
    float
        The error, from 0 to 1.

    Notes
    -----
    If several labels have the highest score, a row counts the share of them that are false.
    A row without labels counts 1.

    Examples
    --------
    >>> y_true, scores = [[1, 0, 0], [0, 1, 0]], [[0.5, 0.9, 0.1], [0.1, 0.8, 0.8]]
    >>> evenfold.metrics.one_error(y_true, scores)
    0.75
    """
    return _mean_over_rows(y_true, scores, _error_of_first)


def coverage(y_true: Any, scores: Any) -> float:
    """Return the mean rank of the true label that is ranked last, counted from 0.

    This is the definition of Schapire and Singer (2000) and of later papers. scikit-learn's
    `coverage_error` counts ranks from 1, so it is larger by 1 if every row has a label.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.

    Returns
    -------
    float
        The coverage, from 0 to n_labels - 1.

    Notes
    -----
    Labels of equal score all have the rank of the last of them.
    A row without labels counts 0, here and in scikit-learn.

    Examples
    --------
    >>> y_true, scores = [[1, 0, 0], [0, 1, 1]], [[0.5, 0.9, 0.1], [0.1, 0.8, 0.8]]
    >>> evenfold.metrics.coverage(y_true, scores)
    1.0
    """
    return _mean_over_rows(y_true, scores, _rank_of_last)


def label_ranking_average_precision_score(y_true: Any, scores: Any) -> float:
    """Return the mean over rows of the average precision of the ranking of the labels.

    It is `average_precision_score` with average="samples", but a row without labels counts 1, as
    in scikit-learn.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.

    Returns
    -------
    float
        The average precision, from 0 to 1.

    Examples
    --------
    >>> evenfold.metrics.label_ranking_average_precision_score([[1, 0, 1]], [[0.9, 0.5, 0.1]])
    0.8333333333333333
    """
    return _mean_over_rows(
        y_true, scores, lambda ties: np.nan_to_num(average_precisions(ties), nan=1.0)
    )


def _mean_over_rows(
    y_true: Any, scores: Any, measure: Callable[[Ties], NDArray[np.float64]]
) -> float:
    truth, numbers = check_scores(y_true, scores)
    values = [measure(ties) for ties in find_ties(truth, numbers, "row")]
    return float(np.concatenate(values).mean())


def _wrong_pairs(ties: Ties) -> NDArray[np.float64]:
    n_pairs = ties.sum_lists(ties.n_true) * ties.sum_lists(ties.n_false)
    n_wrong = ties.sum_lists(ties.n_true * ties.cumulate(ties.n_false))
    return np.nan_to_num(divide(n_wrong, n_pairs), nan=0.0)


def _error_of_first(ties: Ties) -> NDArray[np.float64]:
    n_true, n_false = ties.n_true[ties.starts], ties.n_false[ties.starts]
    return divide(n_false, n_true + n_false)


def _rank_of_last(ties: Ties) -> NDArray[np.float64]:
    rank = np.where(ties.n_true > 0, ties.cumulate(ties.n_true + ties.n_false), 1)
    return np.maximum.reduceat(rank, ties.starts) - 1.0

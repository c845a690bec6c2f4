"""Rankings of the labels of each row: ranking loss, one-error, coverage, average precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arguments import check_sample_weight, check_scores
from .averaging import divide, take_mean
from .ranked_lists import average_precisions
from .tie_orders import TieOrder, TieRule, WorstOrder, check_ties
from .ties import Ties, find_ties

RandomState = int | np.random.Generator | np.random.RandomState | None


def ranking_loss(
    y_true: Any,
    scores: Any,
    *,
    ties: TieRule = "worst",
    random_state: RandomState = 0,
    sample_weight: Any = None,
) -> float:
    """Return the share of pairs of a true and a false label that are ranked wrongly.

    A pair is ranked wrongly if the false label has a higher score, or the same score and `ties`
    says so. The share is the mean over rows.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    ties : {"worst", "average", "random"}, default="worst"
        Which of several labels with the same score is ranked first. `"worst"`: false labels.
        `"average"`: the mean over all orders. `"random"`: one order, drawn for each row.
    random_state : int, Generator or RandomState, default=0
        The seed of random orders. Dense and sparse scores give the same orders, and so do the
        other metrics with `ties`.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The loss, from 0 to 1.

    Notes
    -----
    A row with no label, or with all labels, has no such pair and counts 0, as in scikit-learn.
    scikit-learn ranks false labels first among equal scores.
    In evaluations, the loss has the names `ranking_loss` (worst ties), `ranking_loss_average_ties`
    and `ranking_loss_random_ties` (with the seed 0).

    Examples
    --------
    >>> evenfold.metrics.ranking_loss([[1, 0, 0]], [[0.5, 0.9, 0.1]])
    0.5
    >>> y_true, scores = [[1, 0, 0]], [[0.5, 0.5, 0.1]]
    >>> evenfold.metrics.ranking_loss(y_true, scores)
    0.5
    >>> evenfold.metrics.ranking_loss(y_true, scores, ties="average")
    0.25
    """
    values = ranking_losses(y_true, scores, ties=ties, random_state=random_state)
    return take_mean(values, check_sample_weight(sample_weight, len(values)))


def one_error(
    y_true: Any,
    scores: Any,
    *,
    ties: TieRule = "average",
    random_state: RandomState = 0,
    sample_weight: Any = None,
) -> float:
    """Return the share of rows whose label with the highest score is false.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    ties : {"worst", "average", "random"}, default="average"
        Which of several labels with the same score is ranked first. `"worst"`: false labels.
        `"average"`: the mean over all orders. `"random"`: one order, drawn for each row.
    random_state : int, Generator or RandomState, default=0
        The seed of random orders. Dense and sparse scores give the same orders, and so do the
        other metrics with `ties`.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The error, from 0 to 1.

    Notes
    -----
    If several labels have the highest score, a row counts the share of them that are false,
    unless `ties` says otherwise.
    A row without labels counts 1.
    In evaluations, the error has the names `one_error` (average ties), `one_error_worst_ties` and
    `one_error_random_ties` (with the seed 0).

    Examples
    --------
    >>> y_true, scores = [[1, 0, 0], [0, 1, 0]], [[0.5, 0.9, 0.1], [0.1, 0.8, 0.8]]
    >>> evenfold.metrics.one_error(y_true, scores)
    0.75
    >>> evenfold.metrics.one_error(y_true, scores, ties="worst")
    1.0
    """
    values = one_errors(y_true, scores, ties=ties, random_state=random_state)
    return take_mean(values, check_sample_weight(sample_weight, len(values)))


def coverage(
    y_true: Any,
    scores: Any,
    *,
    ties: TieRule = "worst",
    random_state: RandomState = 0,
    sample_weight: Any = None,
) -> float:
    """Return the mean rank of the true label that is ranked last, counted from 0.

    This is the definition of Schapire and Singer (2000) and of later papers. `coverage_error`
    counts ranks from 1, as scikit-learn does.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    ties : {"worst", "average", "random"}, default="worst"
        Which of several labels with the same score is ranked first. `"worst"`: false labels.
        `"average"`: the mean over all orders. `"random"`: one order, drawn for each row.
    random_state : int, Generator or RandomState, default=0
        The seed of random orders. Dense and sparse scores give the same orders, and so do the
        other metrics with `ties`.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The coverage, from 0 to n_labels - 1.

    Notes
    -----
    In the worst order, the rank is that of the last label of equal score, as in scikit-learn.
    In evaluations, coverage has the names `coverage` (worst ties), `coverage_average_ties` and
    `coverage_random_ties` (with the seed 0).
    A row without labels counts 0.

    Examples
    --------
    >>> y_true, scores = [[1, 0, 0], [0, 1, 1]], [[0.5, 0.9, 0.1], [0.1, 0.8, 0.8]]
    >>> evenfold.metrics.coverage(y_true, scores)
    1.0
    >>> evenfold.metrics.coverage([[0, 1, 0]], [[0.1, 0.8, 0.8]])
    1.0
    >>> evenfold.metrics.coverage([[0, 1, 0]], [[0.1, 0.8, 0.8]], ties="average")
    0.5
    """
    values = coverages(y_true, scores, ties=ties, random_state=random_state)
    return take_mean(values, check_sample_weight(sample_weight, len(values)))


def coverage_error(y_true: Any, scores: Any, *, sample_weight: Any = None) -> float:
    """Return the mean rank of the true label that is ranked last, counted from 1.

    It is scikit-learn's function of that name. `coverage` counts from 0, as papers do.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The coverage error, from 0 to n_labels.

    Notes
    -----
    Of labels with the same score, the rank is that of the last. A row without labels counts 0.

    Examples
    --------
    >>> evenfold.metrics.coverage_error([[1, 0, 0], [0, 1, 1]], [[0.5, 0.9, 0.1], [0.1, 0.8, 0.8]])
    2.0
    """
    values = coverage_errors(y_true, scores)
    return take_mean(values, check_sample_weight(sample_weight, len(values)))


def label_ranking_average_precision_score(
    y_true: Any, scores: Any, *, sample_weight: Any = None
) -> float:
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
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float
        The average precision, from 0 to 1.

    Examples
    --------
    >>> evenfold.metrics.label_ranking_average_precision_score([[1, 0, 1]], [[0.9, 0.5, 0.1]])
    0.8333333333333333
    """
    values = label_ranking_precisions(y_true, scores)
    return take_mean(values, check_sample_weight(sample_weight, len(values)))


def ranking_losses(
    y_true: Any, scores: Any, *, ties: TieRule = "worst", random_state: RandomState = 0
) -> NDArray[np.float64]:
    """Return the `ranking_loss` of each row, (n_rows,)."""
    order = check_ties(ties, random_state)

    def measure(ties: Ties) -> NDArray[np.float64]:
        n_pairs = ties.sum_lists(ties.n_true) * ties.sum_lists(ties.n_false)
        n_before = ties.cumulate(ties.n_false) - ties.n_false
        n_wrong = ties.sum_lists(ties.n_true * n_before + order.count_wrong_pairs(ties))
        return np.nan_to_num(divide(n_wrong, n_pairs), nan=0.0)

    return _measure_rows(y_true, scores, measure)


def one_errors(
    y_true: Any, scores: Any, *, ties: TieRule = "average", random_state: RandomState = 0
) -> NDArray[np.float64]:
    """Return the `one_error` of each row, (n_rows,)."""
    order = check_ties(ties, random_state)
    return _measure_rows(
        y_true, scores, lambda ties: order.find_first_false(ties)[ties.starts].astype(float)
    )


def coverages(
    y_true: Any, scores: Any, *, ties: TieRule = "worst", random_state: RandomState = 0
) -> NDArray[np.float64]:
    """Return the `coverage` of each row, (n_rows,)."""
    order = check_ties(ties, random_state)
    ranks = _measure_rows(y_true, scores, lambda ties: _find_last_ranks(ties, order))
    return np.maximum(ranks - 1.0, 0.0)


def coverage_errors(y_true: Any, scores: Any) -> NDArray[np.float64]:
    """Return the `coverage_error` of each row, (n_rows,)."""
    return _measure_rows(y_true, scores, lambda ties: _find_last_ranks(ties, WorstOrder()))


def _find_last_ranks(ties: Ties, order: TieOrder) -> NDArray[np.float64]:
    """Return the rank of the last true label of each row, from 1; 0 without labels."""
    n_before = ties.cumulate(ties.n_true + ties.n_false) - ties.n_false
    rank = np.where(ties.n_true > 0, n_before + order.count_before_last(ties), 0.0)
    return np.asarray(np.maximum.reduceat(rank, ties.starts))


def label_ranking_precisions(y_true: Any, scores: Any) -> NDArray[np.float64]:
    """Return the average precision of the labels of each row, (n_rows,); 1 without labels."""
    return _measure_rows(
        y_true, scores, lambda ties: np.nan_to_num(average_precisions(ties), nan=1.0)
    )


def _measure_rows(
    y_true: Any, scores: Any, measure: Callable[[Ties], NDArray[np.float64]]
) -> NDArray[np.float64]:
    truth, numbers = check_scores(y_true, scores)
    return np.concatenate([measure(ties) for ties in find_ties(truth, numbers, "row")])

"""Rankings of the cells of a label, of a row, or of all cells: average precision and ROC AUC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arguments import check_scores
from .averaging import Average, Undefined, average_values, check_average, check_undefined, divide
from .ties import By, Ties, find_ties

_LIST_OF_AVERAGE: dict[Any, By] = {
    "micro": "all",
    "samples": "row",
    "macro": "label",
    None: "label",
}


def average_precision_score(
    y_true: Any, scores: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the mean of the precisions at each true cell of a ranking.

    Cells of equal score are taken together; there is no interpolation.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    average : {"macro", "micro", "samples"}, default="macro"
        `"macro"`: the mean over labels, each of which ranks the rows. `"micro"`: one ranking of
        all cells. `"samples"`: the mean over rows, each of which ranks its labels. None: the
        value of each label.
    undefined : float or "skip", default=nan
        The value of a label without rows, or of a row without labels. NaN makes the mean NaN;
        `"skip"` leaves it out of the mean.

    Returns
    -------
    float or ndarray
        The average precision; (n_labels,) if `average` is None.

    Examples
    --------
    >>> evenfold.metrics.average_precision_score([[1], [0], [1]], [[0.9], [0.5], [0.1]])
    0.8333333333333333
    """
    return _average_rankings(average_precisions, y_true, scores, average, undefined)


def mean_average_precision(y_true: Any, scores: Any, *, undefined: Undefined = np.nan) -> float:
    """Return the mean over labels of the average precision, MAP.

    It is `average_precision_score` with average="macro".

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    undefined : float or "skip", default=nan
        The value of a label without rows. NaN makes the mean NaN; `"skip"` leaves it out of the
        mean.

    Returns
    -------
    float
        The mean average precision.

    Examples
    --------
    No row has the second label:

    >>> y_true, scores = [[1, 0], [0, 0], [1, 0]], [[0.9, 0.2], [0.5, 0.1], [0.1, 0.6]]
    >>> evenfold.metrics.mean_average_precision(y_true, scores)
    nan
    >>> evenfold.metrics.mean_average_precision(y_true, scores, undefined="skip")
    0.8333333333333333
    """
    return float(average_precision_score(y_true, scores, undefined=undefined))


def roc_auc_score(
    y_true: Any, scores: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the area under the ROC curve.

    It is the share of pairs of a true and a false cell in which the true cell has the higher
    score. Equal scores count one half.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    average : {"macro", "micro", "samples"}, default="macro"
        `"macro"`: the mean over labels, each of which ranks the rows. `"micro"`: one ranking of
        all cells. `"samples"`: the mean over rows, each of which ranks its labels. None: the
        value of each label.
    undefined : float or "skip", default=nan
        The value of a label or row whose cells are all true or all false. NaN makes the mean
        NaN; `"skip"` leaves it out of the mean.

    Returns
    -------
    float or ndarray
        The area; (n_labels,) if `average` is None.

    Examples
    --------
    >>> y_true, scores = [[1, 0], [0, 1], [1, 0]], [[0.9, 0.1], [0.5, 0.1], [0.1, 0.4]]
    >>> evenfold.metrics.roc_auc_score(y_true, scores)
    0.375
    """
    return _average_rankings(_areas, y_true, scores, average, undefined)


def average_precisions(ties: Ties) -> NDArray[np.float64]:
    """Return the average precision of each list, (n_lists,); NaN where nothing is true."""
    precision = ties.cumulate(ties.n_true) / ties.cumulate(ties.n_true + ties.n_false)
    return divide(ties.sum_lists(ties.n_true * precision), ties.sum_lists(ties.n_true))


def _areas(ties: Ties) -> NDArray[np.float64]:
    # Twice the number of pairs in the right order, so that all counts are whole numbers.
    above = 2 * ties.cumulate(ties.n_true) - ties.n_true
    n_pairs = ties.sum_lists(ties.n_true) * ties.sum_lists(ties.n_false)
    return divide(ties.sum_lists(ties.n_false * above), 2 * n_pairs)


def _average_rankings(
    measure: Callable[[Ties], NDArray[np.float64]],
    y_true: Any,
    scores: Any,
    average: Average,
    undefined: Undefined,
) -> Any:
    """Measure the ranking of each label, of each row or of all cells, and average the values."""
    check_average(average)
    check_undefined(undefined)
    truth, numbers = check_scores(y_true, scores)
    ties_of_block = find_ties(truth, numbers, _LIST_OF_AVERAGE[average])
    values = np.concatenate([measure(ties) for ties in ties_of_block])
    return average_values(values, average, undefined)

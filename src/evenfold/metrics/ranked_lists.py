"""How well lists of cells are ranked, each a row, a label or all cells: average precision and area under the ROC curve."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .averaging import Average, Undefined, check_choices, divide, reduce_values
from .checking import check_scores
from .ties import By, Ties, find_ties

_LISTS: dict[Any, By] = {"micro": "all", "samples": "row", "macro": "label", None: "label"}


def average_precision_score(
    y_true: Any, scores: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the mean of the precisions at each true cell of a ranking, equal scores taken at once; no interpolation.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)
    average : "macro" mean over labels, each ranking the rows; "micro" one ranking of all cells; "samples" mean over rows, each ranking its labels;
        None: each label's own, an array
    undefined : what a label without rows, or a row without labels, counts for: NaN (the mean is NaN too), a number, or "skip" (left out of the mean)

    Examples
    --------
    >>> evenfold.metrics.average_precision_score([[1], [0], [1]], [[0.9], [0.5], [0.1]])
    0.8333333333333333
    """
    return _score_lists(average_precisions, y_true, scores, average, undefined)


def mean_average_precision(y_true: Any, scores: Any, *, undefined: Undefined = np.nan) -> float:
    """Return the mean over labels of the average precision, MAP: `average_precision_score` with average="macro".

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)
    undefined : what a label without rows counts for: NaN (the mean is NaN too), a number, or "skip" (left out of the mean)

    Examples
    --------
    >>> truth, scores = [[1, 0], [0, 0], [1, 0]], [[0.9, 0.2], [0.5, 0.1], [0.1, 0.6]]
    >>> evenfold.metrics.mean_average_precision(truth, scores)                          # no row holds the second label
    nan
    >>> evenfold.metrics.mean_average_precision(truth, scores, undefined="skip")
    0.8333333333333333
    """
    return float(average_precision_score(y_true, scores, undefined=undefined))


def roc_auc_score(
    y_true: Any, scores: Any, *, average: Average = "macro", undefined: Undefined = np.nan
) -> Any:
    """Return the area under the ROC curve: the share of pairs, one true and one false, in which the true cell scores higher; equal scores count half.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)
    average : "macro" mean over labels, each ranking the rows; "micro" one ranking of all cells; "samples" mean over rows, each ranking its labels;
        None: each label's own, an array
    undefined : what a label or row counts for that is all true or all false: NaN (the mean is NaN too), a number, or "skip" (left out of the mean)

    Examples
    --------
    >>> evenfold.metrics.roc_auc_score([[1, 0], [0, 1], [1, 0]], [[0.9, 0.1], [0.5, 0.1], [0.1, 0.4]])
    0.375
    """
    return _score_lists(_areas, y_true, scores, average, undefined)


def average_precisions(ties: Ties) -> NDArray[np.float64]:
    """(n_lists,) the average precision of each list; NaN where nothing is true."""
    precision = ties.down_to(ties.n_true) / ties.down_to(ties.n_true + ties.n_false)
    return divide(ties.total(ties.n_true * precision), ties.total(ties.n_true))


def _areas(ties: Ties) -> NDArray[np.float64]:
    # Twice the number of pairs in the right order, to stay with whole numbers.
    above = 2 * ties.down_to(ties.n_true) - ties.n_true
    return divide(
        ties.total(ties.n_false * above), 2 * ties.total(ties.n_true) * ties.total(ties.n_false)
    )


def _score_lists(
    measure: Any, y_true: Any, scores: Any, average: Average, undefined: Undefined
) -> Any:
    check_choices(average, undefined)
    truth, numbers = check_scores(y_true, scores)
    values = np.concatenate([measure(ties) for ties in find_ties(truth, numbers, _LISTS[average])])
    return reduce_values(values, average, undefined)

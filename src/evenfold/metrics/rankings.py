"""How well the labels of each row are ranked: ranking loss, one-error, coverage, label ranking average precision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .averaging import divide
from .checking import check_scores
from .ranked_lists import average_precisions
from .ties import Ties, find_ties


def ranking_loss(y_true: Any, scores: Any) -> float:
    """Return the mean over rows of the share of pairs, a label that holds and one that does not, in which the latter scores as high or higher.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)

    Notes
    -----
    A row with no label, or with all, has no such pair and counts 0, as in scikit-learn.

    Examples
    --------
    >>> evenfold.metrics.ranking_loss([[1, 0, 0]], [[0.5, 0.9, 0.1]])
    0.5
    """
    return _mean_over_rows(y_true, scores, _share_of_wrong_pairs)


def one_error(y_true: Any, scores: Any) -> float:
    """Return the share of rows whose highest-scored label does not hold.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)

    Notes
    -----
    Where several labels share the highest score, a row counts for the share of them that do not hold.
    A row without labels counts 1.

    Examples
    --------
    >>> evenfold.metrics.one_error([[1, 0, 0], [0, 1, 0]], [[0.5, 0.9, 0.1], [0.1, 0.8, 0.8]])
    0.75
    """
    return _mean_over_rows(y_true, scores, _error_at_the_top)


def coverage(y_true: Any, scores: Any) -> float:
    """Return how many labels one must go down the ranking of a row, on average, to have met all that hold; 0 where the first is the only one.

    This is the definition of Schapire & Singer (2000) and of the papers since: depth minus one. scikit-learn's `coverage_error` does not take the
    one away: it is 1 more where every row has a label.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)

    Notes
    -----
    Labels that score the same are all met at once, at the depth of the last.
    A row without labels counts 0, here as in scikit-learn, so there the two differ by 0.

    Examples
    --------
    >>> evenfold.metrics.coverage([[1, 0, 0], [0, 1, 1]], [[0.5, 0.9, 0.1], [0.1, 0.8, 0.8]])
    1.0
    """
    return _mean_over_rows(y_true, scores, _depth_below_first)


def label_ranking_average_precision_score(y_true: Any, scores: Any) -> float:
    """Return the mean over rows of the average, over labels that hold, of the share of labels ranked as high or higher that hold too.

    It is `average_precision_score` over rows, but a row without labels counts 1, as in scikit-learn.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)

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
    return float(
        np.concatenate([measure(ties) for ties in find_ties(truth, numbers, "row")]).mean()
    )


def _share_of_wrong_pairs(ties: Ties) -> NDArray[np.float64]:
    n_true, n_false = ties.total(ties.n_true), ties.total(ties.n_false)
    n_wrong = ties.total(ties.n_true * ties.down_to(ties.n_false))
    return np.nan_to_num(divide(n_wrong, n_true * n_false), nan=0.0)


def _error_at_the_top(ties: Ties) -> NDArray[np.float64]:
    n_true, n_false = ties.n_true[ties.starts], ties.n_false[ties.starts]
    return divide(n_false, n_true + n_false)


def _depth_below_first(ties: Ties) -> NDArray[np.float64]:
    depth = np.where(ties.n_true > 0, ties.down_to(ties.n_true + ties.n_false), 1)
    return np.maximum.reduceat(depth, ties.starts) - 1.0

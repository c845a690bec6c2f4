"""Precision-recall curves, as numbers and as a figure."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..exceptions import InputError
from .arguments import Scores, check_scores, leave_out_unweighted
from .averaging import divide
from .ranked_lists import average_precisions
from .ties import Ties, find_ties

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PrecisionRecall(NamedTuple):
    """A precision-recall curve, in scikit-learn's order.

    Thresholds increase. At the end, recall is 0 and precision 1, without a threshold.

    Attributes
    ----------
    precision : ndarray
        The precision at each threshold and at the end, (n_thresholds + 1,).
    recall : ndarray
        The recall at each threshold and at the end, (n_thresholds + 1,).
    thresholds : ndarray
        The scores from which cells are predicted, (n_thresholds,).

    Examples
    --------
    >>> curve = evenfold.metrics.precision_recall_curve([[1], [0]], [[0.9], [0.2]])
    >>> curve.precision, curve.thresholds
    (array([0.5, 1. , 1. ]), array([0.2, 0.9]))
    """

    precision: NDArray[np.float64]
    recall: NDArray[np.float64]
    thresholds: NDArray[np.floating[Any]]


def precision_recall_curve(
    y_true: Any, scores: Any, *, label: int | None = None, sample_weight: Any = None
) -> PrecisionRecall:
    """Return precision and recall at every threshold that changes them.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    label : int, default=None
        The column of one label. None: all cells together (micro).
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    PrecisionRecall
        Precision, recall and thresholds.

    Raises
    ------
    InputError
        If there is no such column.

    Notes
    -----
    Recall is NaN if nothing is true; scikit-learn has 1.

    Examples
    --------
    >>> y_true, scores = [[1, 0], [0, 1]], [[0.9, 0.3], [0.2, 0.4]]
    >>> evenfold.metrics.precision_recall_curve(y_true, scores, label=0).recall
    array([1., 1., 0.])
    """
    truth, numbers, weights = leave_out_unweighted(*check_scores(y_true, scores), sample_weight)
    return _make_curve(_find_list(truth, numbers, label, weights))


def plot_pr_curve(
    y_true: Any,
    scores: Any,
    *,
    labels: Sequence[int] = (),
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
    sample_weight: Any = None,
) -> Axes:
    """Draw precision against recall, over all cells (micro) and for single labels.

    The legend shows the average precisions.

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    labels : sequence of int, default=()
        The columns of the labels to draw besides.
    names : sequence of str, default=None
        The names of all labels, one per column. None: their numbers.
    ax : Axes, default=None
        The axes to draw on. None: those of a new figure of pyplot.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    Axes
        The axes with the curves.

    Raises
    ------
    InputError
        If there is not one name per label, or no column of that number.

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> y_true, scores, names = [[1, 0], [0, 1]], [[0.9, 0.3], [0.2, 0.4]], ["smoke", "fire"]
    >>> ax = Figure().subplots()
    >>> ax = evenfold.metrics.plot_pr_curve(y_true, scores, labels=[0], names=names, ax=ax)
    >>> [line.get_label() for line in ax.get_lines()]
    ['micro (AP 1.00)', 'smoke (AP 1.00)']
    """
    truth, numbers, weights = leave_out_unweighted(*check_scores(y_true, scores), sample_weight)
    n_labels = truth.shape[1]
    if names is not None and len(names) != n_labels:
        raise InputError(
            f"must be {n_labels:,} names, one per label, got {len(names):,}. "
            "Leave it out for numbers.",
            parameter="names",
        )
    chosen: list[int | None] = [None, *labels]
    drawn = [(label, _find_list(truth, numbers, label, weights)) for label in chosen]
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots()[1]
    for label, ties in drawn:
        curve = _make_curve(ties)
        title = "micro" if label is None else str(label if names is None else names[label])
        ax.plot(
            curve.recall,
            curve.precision,
            drawstyle="steps-post",
            label=f"{title} (AP {average_precisions(ties)[0]:.2f})",
        )
    ax.set(xlabel="recall", ylabel="precision", xlim=(0, 1), ylim=(0, 1.02))
    ax.legend()
    return ax


def _find_list(
    truth: sparse.csr_array,
    scores: Scores,
    label: int | None,
    weights: NDArray[np.float64] | None,
) -> Ties:
    if label is not None:
        n_labels = truth.shape[1]
        try:
            column = operator.index(label)
        except TypeError:
            column = -1
        if not 0 <= column < n_labels:
            raise InputError(
                f"must be a column from 0 to {n_labels - 1}, or None for all cells, "
                f"got {label!r}. Take one of these.",
                parameter="label",
            )
        truth, scores = truth[:, [column]], scores[:, [column]]
    return next(find_ties(truth, scores, "all", weights))


def _make_curve(ties: Ties) -> PrecisionRecall:
    n_true, n_ranked = np.cumsum(ties.n_true), np.cumsum(ties.n_true + ties.n_false)
    recall = divide(n_true, np.full_like(n_true, n_true[-1]))
    return PrecisionRecall(
        np.append((n_true / n_ranked)[::-1], 1.0), np.append(recall[::-1], 0.0), ties.score[::-1]
    )

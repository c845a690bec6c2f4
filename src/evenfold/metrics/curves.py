"""Precision against recall, as numbers and as a figure."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..exceptions import InputError
from .averaging import divide
from .checking import Scores, check_scores
from .ranked_lists import average_precisions
from .ties import Ties, find_ties

if TYPE_CHECKING:
    from matplotlib.axes import Axes


class PrecisionRecall(NamedTuple):
    """A curve, in scikit-learn's order: thresholds rise, recall falls to 0 and precision ends at 1, where no threshold is.

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
    y_true: Any, scores: Any, *, label: int | None = None
) -> PrecisionRecall:
    """Return precision and recall at every threshold that changes them.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)
    label : the column of one label; None: all cells together (micro)

    Notes
    -----
    Recall is NaN where nothing is true; scikit-learn has 1 there.

    Examples
    --------
    >>> precision, recall, thresholds = evenfold.metrics.precision_recall_curve([[1, 0], [0, 1]], [[0.9, 0.3], [0.2, 0.4]], label=0)
    >>> recall
    array([1., 1., 0.])
    """
    return _draw_curve(_find_list(*check_scores(y_true, scores), label))


def plot_pr_curve(
    y_true: Any,
    scores: Any,
    *,
    labels: Sequence[int] = (),
    names: Sequence[str] | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw precision against recall, over all cells (micro) and for single labels, with their average precisions in the legend.

    Parameters
    ----------
    y_true : (n_rows, n_labels) 0/1, dense or SciPy sparse
    scores : (n_rows, n_labels) higher for what is likelier, dense or SciPy sparse (what is not stored scores 0)
    labels : columns of labels to draw too
    names : what all labels are called, one name per column; default their numbers
    ax : where to draw; default a new figure of pyplot

    Examples
    --------
    >>> from matplotlib.figure import Figure
    >>> ax = evenfold.metrics.plot_pr_curve([[1, 0], [0, 1]], [[0.9, 0.3], [0.2, 0.4]], labels=[0], names=["smoke", "fire"], ax=Figure().subplots())
    >>> [line.get_label() for line in ax.get_lines()]
    ['micro (AP 1.00)', 'smoke (AP 1.00)']
    """
    truth, numbers = check_scores(y_true, scores)
    n_labels = truth.shape[1]
    if names is not None and len(names) != n_labels:
        raise InputError(
            f"must be {n_labels:,} names, one per label, got {len(names):,}. Leave it out for numbers.",
            parameter="names",
        )
    chosen: list[int | None] = [None, *labels]
    drawn = [(label, _find_list(truth, numbers, label)) for label in chosen]
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots()[1]
    for label, ties in drawn:
        curve = _draw_curve(ties)
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


def _find_list(truth: sparse.csr_array, scores: Scores, label: int | None) -> Ties:
    if label is not None:
        n_labels = truth.shape[1]
        try:
            column = operator.index(label)
        except TypeError:
            column = -1
        if not 0 <= column < n_labels:
            raise InputError(
                f"must be a column from 0 to {n_labels - 1}, or None for all cells, got {label!r}. Take one of these.",
                parameter="label",
            )
        truth, scores = truth[:, [column]], scores[:, [column]]
    return next(find_ties(truth, scores, "all"))


def _draw_curve(ties: Ties) -> PrecisionRecall:
    n_true, n_ranked = np.cumsum(ties.n_true), np.cumsum(ties.n_true + ties.n_false)
    recall = divide(n_true, np.full_like(n_true, n_true[-1]))
    return PrecisionRecall(
        np.append((n_true / n_ranked)[::-1], 1.0), np.append(recall[::-1], 0.0), ties.score[::-1]
    )

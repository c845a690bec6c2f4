"""Rankings of the cells of a label, of a row, or of all cells: average precision and ROC AUC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._kernels.ranked_lists import measure_samples
from .arguments import Scores, check_scores, leave_out_unweighted
from .averaging import (
    Average,
    Undefined,
    average_values,
    check_average,
    check_undefined,
    choose_undefined,
    divide,
)
from .label_counts import count_overlap
from .resampling import (
    average_lists,
    average_rows,
    check_counts,
    list_blocks,
    sum_lists,
    sum_samples,
)
from .ties import By, RankedCells, Ties, find_ties, rank_cells

# Values of lists in samples, 8 bytes each, that are computed at once.
_MAX_VALUES_AT_ONCE = 1 << 23

_LIST_OF_AVERAGE: dict[Any, By] = {
    "micro": "all",
    "samples": "row",
    "macro": "label",
    "weighted": "label",
    None: "label",
}


def average_precision_score(
    y_true: Any,
    scores: Any,
    *,
    average: Average = "macro",
    undefined: Undefined | None = None,
    zero_division: float | None = None,
    sample_weight: Any = None,
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
    average : {"macro", "micro", "samples", "weighted"}, default="macro"
        `"macro"`: the mean over labels, each of which ranks the rows. `"micro"`: one ranking of
        all cells. `"samples"`: the mean over rows, each of which ranks its labels. `"weighted"`:
        the mean over labels, weighted by their true rows. None: the value of each label.
    undefined : float or "skip", default=None
        The value of a label without rows, or of a row without labels. None and NaN make the mean
        NaN; `"skip"` leaves it out of the mean.
    zero_division : float, default=None
        Another name of `undefined`, as in `f1_score`. NaN leaves the value out of the mean.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

    Returns
    -------
    float or ndarray
        The average precision; (n_labels,) if `average` is None.

    Examples
    --------
    >>> evenfold.metrics.average_precision_score([[1], [0], [1]], [[0.9], [0.5], [0.1]])
    0.8333333333333333
    """
    return _average_rankings(
        average_precisions, y_true, scores, average, undefined, zero_division, sample_weight
    )


def mean_average_precision(
    y_true: Any,
    scores: Any,
    *,
    undefined: Undefined | None = None,
    zero_division: float | None = None,
    sample_weight: Any = None,
) -> float:
    """Return the mean over labels of the average precision, MAP.

    It is `average_precision_score` with average="macro".

    Parameters
    ----------
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape: the higher, the more probable. In a sparse matrix, cells
        that are not stored have the score 0.
    undefined : float or "skip", default=None
        The value of a label without rows. None and NaN make the mean NaN; `"skip"` leaves it out
        of the mean.
    zero_division : float, default=None
        Another name of `undefined`, as in `f1_score`. NaN leaves the value out of the mean.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

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
    return float(
        average_precision_score(
            y_true,
            scores,
            undefined=undefined,
            zero_division=zero_division,
            sample_weight=sample_weight,
        )
    )


def roc_auc_score(
    y_true: Any,
    scores: Any,
    *,
    average: Average = "macro",
    undefined: Undefined | None = None,
    zero_division: float | None = None,
    sample_weight: Any = None,
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
    average : {"macro", "micro", "samples", "weighted"}, default="macro"
        `"macro"`: the mean over labels, each of which ranks the rows. `"micro"`: one ranking of
        all cells. `"samples"`: the mean over rows, each of which ranks its labels. `"weighted"`:
        the mean over labels, weighted by their true rows. None: the value of each label.
    undefined : float or "skip", default=None
        The value of a label or row whose cells are all true or all false. None and NaN make the
        mean NaN; `"skip"` leaves it out of the mean.
    zero_division : float, default=None
        Another name of `undefined`, as in `f1_score`. NaN leaves the value out of the mean.
    sample_weight : array-like, default=None
        How much each row counts, (n_rows,). None: all the same.

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
    return _average_rankings(
        areas, y_true, scores, average, undefined, zero_division, sample_weight
    )


def average_precisions(ties: Ties) -> NDArray[np.float64]:
    """Return the average precision of each list, (n_lists,); NaN where nothing is true."""
    precision = ties.cumulate(ties.n_true) / ties.cumulate(ties.n_true + ties.n_false)
    return divide(ties.sum_lists(ties.n_true * precision), ties.sum_lists(ties.n_true))


def areas(ties: Ties) -> NDArray[np.float64]:
    """Return the area under the ROC curve of each list, (n_lists,); NaN where it is undefined."""
    # Twice the number of pairs in the right order, so that all counts are whole numbers.
    above = 2 * ties.cumulate(ties.n_true) - ties.n_true
    n_pairs = ties.sum_lists(ties.n_true) * ties.sum_lists(ties.n_false)
    return divide(ties.sum_lists(ties.n_false * above), 2 * n_pairs)


def _average_rankings(
    measure: Callable[[Ties], NDArray[np.float64]],
    y_true: Any,
    scores: Any,
    average: Average,
    undefined: Undefined | None,
    zero_division: float | None,
    sample_weight: Any,
) -> Any:
    """Measure the ranking of each label, of each row or of all cells, and average the values."""
    check_average(average)
    undefined = choose_undefined(undefined, zero_division)
    truth, numbers, weights = leave_out_unweighted(*check_scores(y_true, scores), sample_weight)
    values = _measure_lists(measure, truth, numbers, _LIST_OF_AVERAGE[average], weights)
    if average == "weighted":
        weights = count_overlap(truth, truth, average, weights).true
    is_weighted = average in ("samples", "weighted")
    return average_values(values, average, undefined, weights if is_weighted else None)


def _measure_lists(
    measure: Callable[[Ties], NDArray[np.float64]],
    truth: sparse.csr_array,
    scores: Scores,
    by: By,
    weights: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    return np.concatenate([measure(ties) for ties in find_ties(truth, scores, by, weights)])


def resample_rankings(
    measure: Callable[[Ties], NDArray[np.float64]],
    y_true: Any,
    scores: Any,
    counts: Any,
    *,
    average: Average,
    undefined: Undefined = np.nan,
) -> NDArray[np.float64]:
    """Return `average_precision_score` or `roc_auc_score` of the rows of each sample.

    Cells are sorted once, and each counts as often as the sample has its row.

    Parameters
    ----------
    measure : callable
        `average_precisions` or `areas`.
    y_true : array-like or sparse matrix
        The true labels, (n_rows, n_labels) of 0 and 1.
    scores : array-like or sparse matrix
        The scores, of the same shape.
    counts : array-like
        How often each sample has each row, (n_rows, n_samples).
    average : {"macro", "micro", "samples", "weighted"}
        As in the function.
    undefined : float or "skip", default=nan
        As in the function.

    Returns
    -------
    ndarray
        The value of each sample, (n_samples,); NaN where it is undefined.
    """
    check_undefined(undefined)
    truth, numbers = check_scores(y_true, scores)
    by = _LIST_OF_AVERAGE[average]
    if by == "row":
        return average_rows(_measure_lists(measure, truth, numbers, by), counts, undefined)
    n_rows, n_labels = truth.shape
    counts = check_counts(counts, n_rows)
    sums, n_measured = np.zeros((2, 3, counts.shape[1])), 0
    by_label = sparse.csr_array(truth.T)
    cells_per_row = n_labels if by == "all" else 1
    # Kernels are compiled for each type, so there are two: small counts, and any others.
    counts = counts.astype(np.uint8 if counts.max(initial=0) < 256 else np.int64, copy=False)
    for cells in rank_cells(truth, numbers, by):
        lists = _list_rows(cells, cells_per_row)
        own_labels = slice(n_measured, n_measured + len(lists.starts) - 1)
        n_measured = own_labels.stop
        most = max(1, _MAX_VALUES_AT_ONCE // (len(lists.starts) - 1))
        for block in list_blocks(counts, most):
            values = _measure_samples(
                lists, counts[:, block], cells_per_row, measures_areas=measure is areas
            )
            weights = None
            if average == "weighted":
                weights = sum_samples(by_label[own_labels], counts[:, block])
            sums[:, :, block] += sum_lists(values, weights)
    return average_lists(sums, counts, undefined)


class _Lists(NamedTuple):
    """Ranked cells as the kernel takes them."""

    starts: NDArray[np.int64]
    row: NDArray[np.int32]
    is_true: NDArray[np.bool_]
    ends_tie: NDArray[np.bool_]


def _list_rows(cells: RankedCells, cells_per_row: int) -> _Lists:
    starts = np.flatnonzero(np.diff(cells.of_list, prepend=-1))
    # -1, the cells that are not stored, remains -1.
    row = (cells.place if cells_per_row == 1 else cells.place // cells_per_row).astype(np.int32)
    return _Lists(
        np.append(starts, len(row)).astype(np.int64, copy=False),
        row,
        cells.n_true.astype(bool),
        np.append(cells.find_first()[1:], True),
    )


def _measure_samples(
    lists: _Lists, counts: NDArray[Any], cells_per_row: int, *, measures_areas: bool
) -> NDArray[np.float64]:
    n_samples = counts.shape[1]
    values = np.empty((len(lists.starts) - 1, n_samples))
    measure_samples.for_work(len(lists.row) * n_samples)(
        *lists,
        np.ascontiguousarray(counts),
        cells_per_row * counts.sum(axis=0, dtype=np.float64),
        measures_areas,
        np.empty((5, n_samples)),
        values,
    )
    return values

"""Label powerset: every set of labels in the training rows is a class of its own."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.numbers import check_whole
from ..problem.labelsets import number_labelsets
from .base_fits import Weights, fit_base
from .features import count_rows
from .label_models import Scores
from .meta_classifier import MetaClassifier
from .multilabel import Predictions


class LabelPowerset(MetaClassifier):
    """One model whose classes are the labelsets of the training rows.

    Parameters
    ----------
    base : str or estimator, default="random-forest"
        The base learner: a classifier of several classes, or a name of `evenfold.learn.BASES`.
    min_rows : int, default=1
        Labelsets of fewer rows, whatever their weights, are merged into the kept labelset that
        differs in the fewest labels; if there are several, into the most common of them.
    random_state : int, Generator or RandomState, default=None
        Seeds the model, unless the base learner has a seed of its own. None sets no seed.

    Attributes
    ----------
    labelsets_ : csr_array
        The labelsets that can be predicted, (n_labelsets, n_labels), in the order in which they
        first appear in the rows.
    model_ : estimator
        The fitted model; its class i is labelset i. None if there is only one labelset.

    Notes
    -----
    Only labelsets of the training rows are predicted. The most common one is always kept.
    The probability of a label is the sum of the probabilities of the labelsets that hold it.
    The predicted labels are those of the most probable labelset, so a label with a probability
    above one half can be missing from them. Therefore there is no `decision_function`.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0]]
    >>> y = [[0, 1], [0, 1], [1, 1], [1, 0], [1, 0]]
    >>> learner = evenfold.learn.LabelPowerset("tree").fit(X, y)
    >>> learner.labelsets_.toarray()
    array([[0, 1],
           [1, 1],
           [1, 0]]...)
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 1],
           [1, 0]])

    Only one row has both labels, so that labelset is merged into another one:

    >>> evenfold.learn.LabelPowerset("tree", min_rows=2).fit(X, y).labelsets_.shape
    (2, 2)
    """

    def __init__(
        self, base: Any = "random-forest", *, min_rows: int = 1, random_state: Any = None
    ) -> None:
        self.base = base
        self.min_rows = min_rows
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        min_rows = check_whole(self.min_rows, "min_rows", "Try min_rows=1.")
        model = next(self._make_models())
        labelset_of_row, self.labelsets_ = find_labelsets(labels, min_rows)
        with warnings.catch_warnings():
            # scikit-learn warns that so many classes may be meant as numbers (a regression).
            warnings.filterwarnings(
                "ignore", "The number of unique classes is greater", UserWarning
            )
            has_several = self.labelsets_.shape[0] > 1
            self.model_ = fit_base(model, X, labelset_of_row, weights) if has_several else None

    def _score_labels(self, X: Any) -> Scores:
        if self.model_ is None:
            return self._predict_labels(X).astype(np.float64)
        numbers = _read_numbers(self.model_.classes_)
        return np.asarray(self.model_.predict_proba(X), np.float64) @ self.labelsets_[numbers]

    def _predict_labels(self, X: Any) -> Predictions:
        labelset_of_row = np.zeros(count_rows(X)) if self.model_ is None else self.model_.predict(X)
        return self.labelsets_[_read_numbers(labelset_of_row)].toarray().astype(np.int64)

    def _predicts_by_score(self) -> bool:
        return False


def _read_numbers(classes: Any) -> NDArray[np.int64]:
    """Return the numbers of labelsets that are the classes of a model, (n_classes,) or (n_rows,).

    CatBoost predicts a column of them, and other settings make them floats or text.
    """
    return np.asarray(classes).ravel().astype(np.float64).astype(np.int64)


def find_labelsets(
    labels: sparse.csc_array, min_rows: int
) -> tuple[NDArray[np.int64], sparse.csr_array]:
    """Return the number of each row's labelset, and the labelsets; rare labelsets are merged."""
    by_row = sparse.csr_array(labels)
    by_row.sort_indices()
    labelset_of_row = number_labelsets(
        by_row.indptr.astype(np.int64), by_row.indices.astype(np.int32), np.empty(0, np.int64)
    )
    first_row = np.unique(labelset_of_row, return_index=True)[1]
    labelsets, n_rows = by_row[first_row], np.bincount(labelset_of_row)
    is_kept = n_rows >= min(min_rows, n_rows.max())
    new_number = np.cumsum(is_kept) - 1
    kept = labelsets[np.flatnonzero(is_kept)]
    if not is_kept.all():
        rare = labelsets[np.flatnonzero(~is_kept)]
        new_number[~is_kept] = _find_nearest(rare, kept, n_rows[is_kept])
    return new_number[labelset_of_row], kept


def _find_nearest(
    rare: sparse.csr_array, kept: sparse.csr_array, n_rows_of_kept: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each rare labelset the kept one that differs in the fewest labels.

    If there are several, it is the one with the most rows.
    """
    shared = (rare.astype(np.int64) @ kept.astype(np.int64).T).toarray()
    n_in_rare = rare.sum(axis=1, dtype=np.int64)[:, None]
    n_in_kept = kept.sum(axis=1, dtype=np.int64)[None, :]
    n_different = n_in_rare + n_in_kept - 2 * shared
    cost = n_different * (n_rows_of_kept.sum() + 1) - n_rows_of_kept
    nearest: NDArray[np.int64] = cost.argmin(axis=1)
    return nearest

"""Label powerset: every set of labels seen in training is a class of its own."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..problem.labelsets import number_labelsets
from .bases import find_base
from .label_models import Scores, gives_probabilities
from .multilabel import MultilabelClassifier, Predictions
from .seeds import copy_seeded, make_seeder
from .settings import check_whole


class LabelPowerset(MultilabelClassifier):
    """One model whose classes are the labelsets of the training rows.

    Parameters
    ----------
    base : a classifier of several classes, or a name of `evenfold.learn.BASES`.
    min_rows : labelsets of fewer rows are merged into the kept labelset that differs in the fewest labels, of several such into the most common.
    random_state : seeds the model; None leaves the base learner's own.

    Attributes
    ----------
    labelsets_ : sparse (n_labelsets, n_labels), the labelsets that can be predicted, as they first appear among the rows.
    model_ : the fitted model, whose class i is labelset i; None where there is but one.

    Notes
    -----
    Only labelsets of the training rows are predicted. The most common one is always kept.
    The probability of a label is the sum of the probabilities of the labelsets that hold it. The labels predicted are those of the most probable labelset,
    so a label of probability above one half may be missing from them; hence there is no `decision_function`.

    Examples
    --------
    >>> X, y = [[0.0], [1.0], [2.0], [3.0], [4.0]], [[0, 1], [0, 1], [1, 1], [1, 0], [1, 0]]
    >>> learner = evenfold.learn.LabelPowerset("tree").fit(X, y)
    >>> learner.labelsets_.toarray()
    array([[0, 1],
           [1, 1],
           [1, 0]]...)
    >>> learner.predict([[0.2], [2.9]])
    array([[0, 1],
           [1, 0]])
    >>> evenfold.learn.LabelPowerset("tree", min_rows=2).fit(X, y).labelsets_.shape           # one row alone has both labels
    (2, 2)
    """

    def __init__(
        self, base: Any = "random-forest", *, min_rows: int = 1, random_state: Any = None
    ) -> None:
        self.base = base
        self.min_rows = min_rows
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array) -> None:
        min_rows = check_whole(self.min_rows, "min_rows", 1)
        model = copy_seeded(find_base(self.base), make_seeder(self.random_state))
        labelset_of_row, self.labelsets_ = find_labelsets(labels, min_rows)
        with warnings.catch_warnings():
            # scikit-learn takes many classes for a number that should be predicted as such; labelsets are many.
            warnings.filterwarnings(
                "ignore", "The number of unique classes is greater", UserWarning
            )
            self.model_ = model.fit(X, labelset_of_row) if self.labelsets_.shape[0] > 1 else None

    def _score_labels(self, X: Any) -> Scores:
        if self.model_ is None:
            return self._predict_labels(X).astype(np.float64)
        return np.asarray(self.model_.predict_proba(X), np.float64) @ self.labelsets_

    def _predict_labels(self, X: Any) -> Predictions:
        labelset_of_row = (
            np.zeros(X.shape[0], np.int64) if self.model_ is None else self.model_.predict(X)
        )
        return self.labelsets_[np.asarray(labelset_of_row, np.int64)].toarray().astype(np.int64)

    def _made_of(self) -> list[Any]:
        return [find_base(self.base)]

    def _gives_probabilities(self) -> bool:
        return gives_probabilities(find_base(self.base))

    def _predicts_by_score(self) -> bool:
        return False


def find_labelsets(
    labels: sparse.csc_array, min_rows: int
) -> tuple[NDArray[np.int64], sparse.csr_array]:
    """Return the labelset of each row, by number, and the labelsets (n_labelsets, n_labels); rare ones merged."""
    by_row = sparse.csr_array(labels)
    by_row.sort_indices()
    own = number_labelsets(
        by_row.indptr.astype(np.int64), by_row.indices.astype(np.int32), np.empty(0, np.int64)
    )
    first_row = np.unique(own, return_index=True)[1]
    labelsets, n_rows = by_row[first_row], np.bincount(own)
    is_kept = n_rows >= min(min_rows, n_rows.max())
    number = np.cumsum(is_kept) - 1
    kept = labelsets[np.flatnonzero(is_kept)]
    if not is_kept.all():
        number[~is_kept] = _find_nearest(labelsets[np.flatnonzero(~is_kept)], kept, n_rows[is_kept])
    return number[own], kept


def _find_nearest(
    rare: sparse.csr_array, kept: sparse.csr_array, n_rows_of_kept: NDArray[np.int64]
) -> NDArray[np.int64]:
    """Return for each rare labelset the kept one that differs in the fewest labels; of several, the one of most rows."""
    shared = (rare.astype(np.int64) @ kept.astype(np.int64).T).toarray()
    n_different = (
        rare.sum(axis=1, dtype=np.int64)[:, None]
        + kept.sum(axis=1, dtype=np.int64)[None, :]
        - 2 * shared
    )
    nearest: NDArray[np.int64] = (n_different * (n_rows_of_kept.sum() + 1) - n_rows_of_kept).argmin(
        axis=1
    )
    return nearest

"""difficulty(): how hard each row is to predict from its features, to keep it even in splits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils import check_array

from .._checks.numbers import check_whole
from ..exceptions import InputError, InputTypeError
from ..labels.labels import make_labels
from ..labels.wrapping import compute_lazy
from ..links.group_columns import read_groups
from ..metrics.rankings import ranking_losses
from ..model_selection import MultilabelStratifiedGroupKFold
from .bases import is_estimator
from .features import count_rows, is_table_of_numbers
from .label_models import Scores, gives_probabilities
from .nearest_rows import find_nearest_rows
from .seeds import copy_seeded, make_seeder
from .tuned_threshold import fit_and_score

_N_FOLDS = 10


def difficulty(
    X: Any,
    y: Any,
    learner: Any = None,
    *,
    groups: Any = None,
    n_neighbors: int = 10,
    random_state: int = 0,
) -> dict[str, NDArray[np.float64]]:
    """Return how hard each row is to predict, by a learner that was not fitted on it.

    The columns are for `balance` of `split` and `evaluate`: parts with equally hard rows give
    estimates that differ less.

    Parameters
    ----------
    X : array-like, sparse matrix, frame or list of text
        The features, (n_rows, n_features), all numbers; with a learner, whatever it takes.
    y : array-like, sparse matrix, frame or list of label lists
        The labels, as for `split`.
    learner : estimator or str, default=None
        A learner of several labels with `predict_proba` or `decision_function`, or its name, as
        for `make_learner`. It is fitted in ten folds. None: the nearest other rows.
    groups : Links, array-like, mapping or frame, default=None
        A row is never predicted from rows of its own group.
    n_neighbors : int, default=10
        The number of nearest rows, if there is no learner.
    random_state : int, default=0
        The seed of the folds and of the learner. Nearest rows need none.

    Returns
    -------
    dict of str to ndarray
        "squared error": the mean over labels of (probability - label) ** 2, (n_rows,), if there
        are probabilities. "ranking loss": the share of pairs of a true and a false label that are
        ranked wrongly, (n_rows,); equal scores count half.

    Raises
    ------
    InputTypeError
        If `learner` is no learner with scores.
    InputError
        If a label is unknown (NaN), a feature is no finite number and there is no learner, rows are
        missing, or no row is outside the group of another.

    Notes
    -----
    The label of a row, and the labels of its group, have no part in its own prediction.
    Features are divided by their standard deviation before the nearest rows are found. Dense and
    sparse features give the same distances, apart from rounding.
    With nearest rows, the result does not depend on the number of threads.

    Examples
    --------
    >>> X = np.random.default_rng(0).normal(size=(60, 2))
    >>> y = X > 0.5
    >>> hard = evenfold.learn.difficulty(X, y)
    >>> sorted(hard)
    ['ranking loss', 'squared error']
    >>> evenfold.split(y, 5, balance=hard).sizes.tolist()
    [12, 12, 12, 12, 12]
    """
    labels = make_labels(y)
    if labels.unknown is not None and len(labels.unknown[1]):
        raise InputError(
            f"must be known throughout, got {len(labels.unknown[1]):,} unknown entries (NaN). "
            "Fill them, or leave out their rows.",
            parameter="y",
        )
    truth = sparse.csr_array(labels.to_csr().astype(np.int64))
    X = compute_lazy(X, "X")
    is_checked = learner is None or is_table_of_numbers(X)
    rows = _check_features(X) if is_checked else X
    _check_n_rows(rows, labels.n_rows)
    k = check_whole(n_neighbors, "n_neighbors", "Try n_neighbors=10.")
    group_of_row = (
        np.arange(labels.n_rows)
        if groups is None
        else read_groups(groups, labels.n_rows).group_of_row
    )
    if labels.n_rows and np.bincount(group_of_row).max() == labels.n_rows:
        raise InputError(
            "must put rows into at least two groups, got one. Each row is predicted from rows of "
            "other groups.",
            parameter="groups",
        )
    scores: Any
    if learner is None:
        scores = _find_shares(rows, truth, group_of_row, k)
        has_probabilities = True
    else:
        own = _check_learner(learner)
        scores = _score_out_of_fold(own, rows, truth, group_of_row, random_state)
        has_probabilities = gives_probabilities(own)
    columns = {}
    if has_probabilities:
        columns["squared error"] = _squared_errors(truth, scores)
    columns["ranking loss"] = ranking_losses(truth, scores, ties="average")
    return columns


def _check_features(X: Any) -> Any:
    try:
        return check_array(X, accept_sparse="csr", dtype=np.float64, input_name="X")
    except ValueError as error:
        raise InputError(
            f"must be finite numbers, rows × features: {' '.join(str(error).split())}. "
            "Pass numbers, or a learner that takes these features.",
            parameter="X",
        ) from None


def _check_n_rows(rows: Any, n_rows: int) -> None:
    if count_rows(rows) != n_rows:
        raise InputError(
            f"must have the {n_rows:,} rows of 'y', got {count_rows(rows):,}. "
            "Pass the same rows to both.",
            parameter="X",
        )


def _check_learner(learner: Any) -> Any:
    from .names import make_learner  # names.py lists this function

    own = make_learner(learner) if isinstance(learner, str) else learner
    if not is_estimator(own) or not (gives_probabilities(own) or hasattr(own, "decision_function")):
        raise InputTypeError(
            "must be a learner with predict_proba or decision_function, or the name of one, "
            f"got {type(learner).__name__}. Try learner='br:random-forest'.",
            parameter="learner",
        )
    return own


def _find_shares(
    rows: Any, truth: sparse.csr_array, group_of_row: NDArray[Any], k: int
) -> sparse.csr_array:
    """Return the share of the k nearest rows of other groups that have each label."""
    row, near = map(np.concatenate, zip(*find_nearest_rows(rows, group_of_row, k), strict=True))
    n_rows = len(group_of_row)
    n_near = np.bincount(row, minlength=n_rows)
    weights = sparse.csr_array(
        (np.repeat(1.0 / n_near, n_near), near, np.concatenate(([0], np.cumsum(n_near)))),
        shape=(n_rows, n_rows),
    )
    return sparse.csr_array(weights @ truth)


def _score_out_of_fold(
    learner: Any, rows: Any, truth: sparse.csr_array, group_of_row: NDArray[Any], seed: int
) -> Scores:
    """Return the scores of each row by a learner that was fitted on other folds."""
    seeder = make_seeder(seed)
    n_folds = min(_N_FOLDS, int(group_of_row.max()) + 1)
    folds = MultilabelStratifiedGroupKFold(n_folds, shuffle=True, random_state=seed)
    scores = np.empty(truth.shape)
    for train, test in folds.split(None, truth, group_of_row):
        scores[test] = fit_and_score(copy_seeded(learner, seeder), rows, truth, train, test)
    return scores


def _squared_errors(truth: sparse.csr_array, scores: Any) -> NDArray[np.float64]:
    """Return the mean of (score - label) ** 2 over labels, from sums over stored cells."""
    n_labels = max(1, truth.shape[1])
    if isinstance(scores, np.ndarray):
        return np.asarray(((scores - truth.toarray()) ** 2).sum(axis=1) / n_labels)
    squares = scores.multiply(scores).sum(axis=1) - 2 * scores.multiply(truth).sum(axis=1)
    return np.maximum(0.0, np.asarray(squares + truth.sum(axis=1)).ravel() / n_labels)

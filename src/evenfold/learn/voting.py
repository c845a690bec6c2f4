"""Votes of several learners: hard voting counts predictions, soft voting averages probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from .._checks.choices import check_choice
from .._checks.values import show_value
from ..exceptions import InputError
from .base_fits import Weights, adapt_rows, fit_base
from .features import count_rows, take_rows
from .label_models import Scores, gives_probabilities
from .multilabel import MultilabelClassifier

VOTINGS = ("auto", "hard", "soft")


def find_voting(voting: Any, voters: Sequence[Any]) -> str:
    """Return "hard" or "soft"; "auto" is soft if all voters have probabilities."""
    check_choice(voting, "voting", VOTINGS)
    without = [type(voter).__name__ for voter in voters if not gives_probabilities(voter)]
    if voting == "auto":
        return "hard" if without else "soft"
    if voting == "soft" and without:
        raise InputError(
            f"must be 'hard' for {without[0]}, which has no probabilities, got 'soft'. "
            "Take voting='hard' or another learner.",
            parameter="voting",
        )
    return str(voting)


def check_weights(weights: Any, n_members: int, member: str) -> NDArray[np.float64]:
    """Return how much each member counts; all the same if the weights are None."""
    if weights is None:
        return np.ones(n_members)
    numbers = np.asarray(weights, np.float64)
    if numbers.shape != (n_members,) or not (numbers >= 0).all() or not 0 < numbers.sum() < np.inf:
        raise InputError(
            f"must be {n_members} numbers of 0 or more, one for each {member}, not all 0, "
            f"got {show_value(weights)}. Leave them out to count all the same.",
            parameter="weights",
        )
    return numbers


def fit_members(
    members: Sequence[Any],
    X: Any,
    labels: Sequence[sparse.csc_array],
    n_jobs: int | None,
    rows: Sequence[NDArray[np.int64] | None] | None = None,
    weights: Weights = None,
) -> list[Any]:
    """Fit each member to its own labels of its own rows; None means all rows."""
    rows = [None] * len(members) if rows is None else rows
    fitted: list[Any] = Parallel(n_jobs=n_jobs)(
        delayed(_fit_member)(member, X, own, chosen, weights)
        for member, own, chosen in zip(members, labels, rows, strict=True)
    )
    return fitted


def _fit_member(
    member: Any,
    X: Any,
    labels: sparse.csc_array,
    rows: NDArray[np.int64] | None,
    weights: Weights,
) -> Any:
    if rows is not None:
        X, labels = take_rows(X, rows), labels[rows]
        weights = None if weights is None else weights[rows]
    # Few learners of other packages take sparse labels.
    is_own = isinstance(member, MultilabelClassifier)
    table = labels if is_own else labels.toarray().astype(np.int64)
    return fit_base(member, adapt_rows(X, member), table, weights)


def cast_votes(member: Any, X: Any, voting: str) -> Scores:
    """Return a member's predictions (hard) or probabilities (soft), (n_rows, n_labels)."""
    X = adapt_rows(X, member)
    if voting == "hard":
        found: Any = member.predict(X)
        dense = found.toarray() if hasattr(found, "toarray") else found
        return np.asarray(dense, np.float64).reshape(count_rows(X), -1)
    found = member.predict_proba(X)
    if isinstance(found, list):
        # scikit-learn's trees and neighbours: for each label the probabilities of 0 and of 1.
        return np.column_stack(
            [own @ classes for own, classes in zip(found, member.classes_, strict=True)]
        )
    return np.asarray(found, np.float64)

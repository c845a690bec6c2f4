"""Several learners, one answer: hard voting counts predictions, soft voting averages probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from ..exceptions import InputError
from .label_models import Scores, gives_probabilities
from .multilabel import MultilabelClassifier
from .settings import check_choice

VOTINGS = ("auto", "hard", "soft")


def find_voting(voting: Any, voters: Sequence[Any]) -> str:
    """Return hard or soft; auto is soft where all who vote have probabilities."""
    check_choice(voting, "voting", VOTINGS)
    silent = [type(voter).__name__ for voter in voters if not gives_probabilities(voter)]
    if voting == "auto":
        return "hard" if silent else "soft"
    if voting == "soft" and silent:
        raise InputError(
            f"must be 'hard' for {silent[0]}, which has no probabilities, got 'soft'. Take voting='hard' or another learner.",
            parameter="voting",
        )
    return str(voting)


def fit_members(
    members: Sequence[Any],
    X: Any,
    labels: Sequence[sparse.csc_array],
    rows: Sequence[Any],
    n_jobs: int | None,
) -> list[Any]:
    """Fit each member to its own labels of its own rows; None stands for all rows."""
    jobs = zip(members, labels, rows, strict=True)
    fitted: list[Any] = Parallel(n_jobs=n_jobs)(
        delayed(_fit_member)(member, X, own, chosen) for member, own, chosen in jobs
    )
    return fitted


def draw_rows(
    n_rows: int, n_members: int, bagging: bool, rng: np.random.Generator
) -> list[NDArray[np.int64] | None]:
    """Return for each member as many rows as there are, drawn with replacement; None, all rows, without bagging."""
    return [rng.integers(n_rows, size=n_rows) if bagging else None for _ in range(n_members)]


def cast_votes(member: Any, X: Any, voting: str) -> Scores:
    """Return a member's predictions (hard) or probabilities (soft), (n_rows, n_labels)."""
    if voting == "hard":
        found = member.predict(X)
        return np.asarray(
            found.toarray() if hasattr(found, "toarray") else found, np.float64
        ).reshape(X.shape[0], -1)
    found = member.predict_proba(X)
    if isinstance(found, list):
        # scikit-learn's trees and neighbours: for each label the probabilities of 0 and of 1.
        return np.column_stack(
            [own @ classes for own, classes in zip(found, member.classes_, strict=True)]
        )
    return np.asarray(found, np.float64)


def _fit_member(
    member: Any, X: Any, labels: sparse.csc_array, rows: NDArray[np.int64] | None
) -> Any:
    if rows is not None:
        X, labels = X[rows], labels[rows]
    # Other packages' learners seldom take sparse labels.
    return member.fit(
        X, labels if isinstance(member, MultilabelClassifier) else labels.toarray().astype(np.int64)
    )

"""Thresholds of a learner, chosen by a metric on rows that its models have not seen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn.utils.parallel import Parallel, delayed

from .._checks.choices import check_choice
from .._checks.numbers import check_whole
from .._checks.seeds import make_rng
from .._checks.values import show_value
from ..exceptions import InputError, InputTypeError
from ..model_selection import MultilabelStratifiedKFold
from .base_fits import Weights
from .bases import is_estimator
from .features import count_rows, take_rows
from .label_models import Scores, gives_probabilities
from .multilabel import MultilabelClassifier, Predictions, WeightedClassifier
from .seeds import copy_seeded, make_seeder
from .thresholds import THRESHOLD_METRICS, find_thresholds
from .voting import cast_votes, fit_members


class TunedThreshold(WeightedClassifier):
    """A learner whose thresholds are chosen by a metric, for each label or for all together.

    The training rows are divided into folds. The rows of each fold get scores from a copy of the
    learner that is fitted to the other folds. The thresholds are those with the best metric on
    these scores. Then the learner is fitted to all training rows.

    Parameters
    ----------
    learner : str or estimator, default="br:random-forest"
        A multi-label classifier with `predict_proba` or `decision_function`, or a name that
        `evenfold.learn.make_learner` takes.
    metric : str, default="f1_macro"
        The metric to optimise: f1_macro, f1_micro, f1_samples, jaccard_macro, jaccard_micro,
        jaccard_samples, hamming_loss, subset_accuracy or zero_one_loss.
    per_label : bool, default=True
        Whether each label has its own threshold. False: one threshold for all labels.
    cv : int, default=5
        The number of folds, made by `MultilabelStratifiedKFold`.
    n_jobs : int, default=None
        How many copies are fitted at once, as in scikit-learn.
    random_state : int, Generator or RandomState, default=None
        Seeds the folds, and every copy that has no seed of its own. None: the folds depend on
        the labels alone, and no seeds are set.

    Attributes
    ----------
    thresholds_ : ndarray
        The score from which each label is predicted, (n_labels,). None if y is one class per row.
    learner_ : estimator
        The learner, fitted to all training rows.

    Notes
    -----
    A label is predicted if its score is at least its threshold. Scores are those of the learner,
    so metrics of rankings do not change.
    The thresholds are the best ones there are on the scores of the folds, except for f1_samples,
    jaccard_samples, subset_accuracy and zero_one_loss with `per_label`. For these the search
    starts from the best common threshold and changes one label at a time until no change helps.
    Of equally good thresholds it takes the nearest to that of the learner, one half for
    probabilities.
    A row for which nothing is true nor predicted counts 1 in f1_samples and jaccard_samples.
    With `sample_weight`, rows count by their weights in the metric too.
    A label that all training rows have, or none, is always or never predicted: its threshold is
    minus infinity or infinity.
    If y is one class per row, the most probable class is predicted, without thresholds.

    Examples
    --------
    >>> X = [[0.0], [1.0], [2.0], [3.0], [4.0], [5.0], [6.0], [7.0]]
    >>> y = [[0, 1], [0, 1], [0, 1], [0, 1], [0, 1], [0, 0], [1, 1], [1, 0]]
    >>> learner = evenfold.learn.TunedThreshold("br:logistic-regression", cv=2).fit(X, y)
    >>> learner.thresholds_.shape
    (2,)
    >>> learner.predict([[0.2], [6.9]]).shape
    (2, 2)
    """

    def __init__(
        self,
        learner: Any = "br:random-forest",
        *,
        metric: str = "f1_macro",
        per_label: bool = True,
        cv: int = 5,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.learner = learner
        self.metric = metric
        self.per_label = per_label
        self.cv = cv
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_labels(self, X: Any, labels: sparse.csc_array, weights: Weights) -> None:
        check_choice(self.metric, "metric", THRESHOLD_METRICS)
        learner, seeder = self._own_learner(), make_seeder(self.random_state)
        last = copy_seeded(learner, seeder)
        self.thresholds_: Any = None
        if self.multilabel_:
            scores = self._score_folds(learner, seeder, X, labels, weights)
            self.thresholds_ = find_thresholds(
                scores,
                labels.toarray().astype(np.int64),
                self.metric,
                per_label=self.per_label,
                default=self._threshold(),
                weights=weights,
            )
        self.learner_ = fit_members([last], X, [labels], None, weights=weights)[0]

    def _score_folds(
        self,
        learner: Any,
        seeder: np.random.Generator | None,
        X: Any,
        labels: sparse.csc_array,
        weights: Weights,
    ) -> Scores:
        """Return the score of each row by a copy that is fitted to the other folds."""
        by_row = sparse.csr_array(labels)
        folds = list(self._make_folds(by_row))
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(fit_and_score)(copy_seeded(learner, seeder), X, by_row, train, test, weights)
            for train, test in folds
        )
        scores = np.empty(labels.shape)
        for (_, test), own in zip(folds, found, strict=True):
            scores[test] = own
        return scores

    def _make_folds(
        self, labels: sparse.csr_array
    ) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        n_rows = labels.shape[0]
        n_folds = check_whole(self.cv, "cv", "Try cv=5.", least=2)
        if n_folds > n_rows:
            raise InputError(
                f"must be at most the number of rows, got {n_folds:,} for n_samples={n_rows:,}. "
                "Ask for fewer folds.",
                parameter="cv",
            )
        is_seeded = self.random_state is not None
        seed = make_rng(self.random_state) if is_seeded else None
        splitter = MultilabelStratifiedKFold(n_folds, shuffle=is_seeded, random_state=seed)
        yield from splitter.split(None, labels)

    def _score_labels(self, X: Any) -> Scores:
        return _score(self.learner_, X, len(self.classes_))

    def _predict_labels(self, X: Any) -> Predictions:
        return np.asarray(self._score_labels(X) >= self.thresholds_, np.int64)

    def _own_learner(self) -> Any:
        """Return the learner as an object."""
        # names.py lists this class, so it cannot be imported at the top.
        from .names import make_learner

        learner = make_learner(self.learner) if isinstance(self.learner, str) else self.learner
        if not is_estimator(learner) or not (
            gives_probabilities(learner) or hasattr(learner, "decision_function")
        ):
            raise InputTypeError(
                "must be a learner with predict_proba or decision_function, or the name of one, "
                f"got {show_value(self.learner)}. Try learner='br:random-forest'.",
                parameter="learner",
            )
        return learner

    def _parts(self) -> list[Any]:
        return [self._own_learner()]

    def _gives_probabilities(self) -> bool:
        return gives_probabilities(self._own_learner())

    def _predicts_by_score(self) -> bool:
        learner = self._own_learner()
        return not isinstance(learner, MultilabelClassifier) or learner._predicts_by_score()

    def _threshold(self) -> float:
        learner = self._own_learner()
        is_own = isinstance(learner, MultilabelClassifier)
        return learner._threshold() if is_own else super()._threshold()


def fit_and_score(
    learner: Any,
    X: Any,
    labels: sparse.csr_array,
    train: NDArray[np.int64],
    test: NDArray[np.int64],
    weights: Weights = None,
) -> Scores:
    """Fit the learner to the train rows and return its scores of the test rows."""
    own = sparse.csc_array(labels)
    fitted = fit_members([learner], X, [own], None, [train], weights)[0]
    return _score(fitted, take_rows(X, test), labels.shape[1])


def _score(fitted: Any, X: Any, n_labels: int) -> Scores:
    """Return the probabilities of a fitted learner, or else its decisions, (n_rows, n_labels)."""
    if gives_probabilities(fitted):
        found = cast_votes(fitted, X, "soft")
    else:
        found = np.asarray(fitted.decision_function(X), np.float64).reshape(count_rows(X), -1)
    # Learners of other packages take a single column for the classes 0 and 1.
    return found[:, -n_labels:]

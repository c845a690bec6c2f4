"""What learners promise of their probabilities and predictions, on few rows."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from evenfold import learn

from .cases import draw_labels
from .registry import Subject, assume

METRICS_OF_LABELS = ("f1_samples", "jaccard_samples", "f1_macro", "hamming_loss")


@dataclass
class Task:
    """Features and labels of few rows, with labels that all rows have, or none."""

    x: NDArray[np.float64]
    y: NDArray[np.int64]
    seed: int

    @property
    def tree(self) -> DecisionTreeClassifier:
        """A base learner with probabilities between 0 and 1."""
        return DecisionTreeClassifier(max_depth=2, random_state=self.seed)

    def fit(self, learner: Any) -> Any:
        """Fit a learner to all rows."""
        return learner.fit(self.x, self.y)

    @functools.cached_property
    def sets(self) -> list[tuple[int, ...]]:
        """The labelset of each row."""
        return [tuple(row) for row in self.y.tolist()]

    def describe(self) -> Mapping[str, str]:
        """Return nothing: tasks are counted together."""
        return {}


def draw_task(rng: np.random.Generator) -> Task:
    """Draw features of few values, so that some rows are equal."""
    n_rows = int(rng.integers(8, 25))
    y = draw_labels(rng, n_rows, may_be_unknown=False)[:, :5]
    if y.shape[1] < 2:
        y = np.column_stack([y, rng.integers(2, size=n_rows)])
    return Task(rng.integers(0, 6, (n_rows, 3)).astype(float), y, int(rng.integers(100)))


TASKS = Subject("learners", draw_task, 2, Task.describe)


@TASKS.holds(
    "evenfold.learn.LabelPowerset: Only labelsets of the training rows are predicted.",
    "evenfold.learn.LabelPowerset: The probability of a label is the sum of the probabilities of "
    "the labelsets that hold it.",
    "evenfold.learn.LabelPowerset: The predicted labels are those of the most probable labelset, "
    "so a label with a probability above one half can be missing from them.",
    "evenfold.learn.LabelPowerset: Therefore there is no `decision_function`.",
)
def powersets_are_classes(task: Task) -> None:
    """The model of labelsets is fitted here by hand."""
    learner = task.fit(learn.LabelPowerset(task.tree))
    assert not hasattr(learner, "decision_function")
    predicted = learner.predict(task.x)
    assert {tuple(row) for row in predicted.tolist()} <= set(task.sets)
    assume(len(set(task.sets)) > 1)
    model = learner.model_
    labelsets = np.array([_to_dense(own).ravel() for own in learner.labelsets_])
    held = labelsets[model.classes_.astype(int)]
    assert np.allclose(learner.predict_proba(task.x), model.predict_proba(task.x) @ held)
    assert np.array_equal(predicted, labelsets[model.predict(task.x).astype(int)])


def _to_dense(matrix: Any) -> NDArray[Any]:
    return np.asarray(matrix.toarray() if hasattr(matrix, "toarray") else matrix)


@TASKS.holds(
    "evenfold.learn.VotingEnsemble: The probability of a label is the weighted share of the "
    "learners that predict it (hard), or the weighted mean of their probabilities (soft)."
)
def votes_are_means(task: Task) -> None:
    """Of two learners with weights, each fitted alone too."""
    learners = [
        learn.BinaryRelevance(task.tree),
        learn.BinaryRelevance(GaussianNB(var_smoothing=0.1)),
    ]
    alone = [task.fit(clone(own)) for own in learners]
    weights = [1, 3]
    for voting, chances in (
        ("hard", [own.predict(task.x) for own in alone]),
        ("soft", [own.predict_proba(task.x) for own in alone]),
    ):
        ensemble = task.fit(learn.VotingEnsemble(learners, voting=voting, weights=weights))
        expected = np.average(chances, axis=0, weights=weights)
        assert np.allclose(ensemble.predict_proba(task.x), expected)


@TASKS.holds(
    "evenfold.learn.BinaryRelevance: A label that all training rows have, or none, is always or "
    "never predicted, and no model is fitted to it.",
    "evenfold.learn.ClassifierChain: A label that all training rows have, or none, is always or "
    "never predicted.",
)
def constant_labels_are_constant(task: Task) -> None:
    """Also for rows of other features."""
    is_full, is_empty = task.y.all(axis=0), ~task.y.any(axis=0)
    assume((is_full | is_empty).any())
    for learner in (learn.BinaryRelevance(task.tree), learn.ClassifierChain(task.tree)):
        predicted = task.fit(learner).predict(task.x + 0.5)
        assert (predicted[:, is_full] == 1).all()
        assert (predicted[:, is_empty] == 0).all()


@TASKS.holds(
    "evenfold.learn.AveragingRegressor: The squared error of the mean is the mean squared error of "
    "the regressors minus the mean squared difference of their predictions from the mean (Krogh "
    "and Vedelsby 1995).",
    "evenfold.learn.AveragingRegressor: So it is never larger than the mean squared error of the "
    "regressors.",
)
def averages_have_smaller_errors(task: Task) -> None:
    """With three regressors of one target."""
    target = task.x @ [1.0, -2.0, 0.5] + task.y[:, 0]
    regressors = [
        DecisionTreeRegressor(max_depth=depth, random_state=task.seed) for depth in (1, 2)
    ]
    named = list(zip(("one", "two", "line"), [*regressors, Ridge()], strict=True))
    mean = learn.AveragingRegressor(named).fit(task.x, target).predict(task.x)
    alone = [clone(own).fit(task.x, target).predict(task.x) for _, own in named]
    errors = np.mean([(own - target) ** 2 for own in alone])
    spread = np.mean([(own - mean) ** 2 for own in alone])
    error = np.mean((mean - target) ** 2)
    assert np.isclose(error, errors - spread)
    assert error <= errors + 1e-12


@TASKS.holds(
    "evenfold.learn.TunedThreshold: A label is predicted if its score is at least its threshold.",
    "evenfold.learn.TunedThreshold: A label that all training rows have, or none, is always or "
    "never predicted: its threshold is minus infinity or infinity.",
)
def thresholds_decide(task: Task) -> None:
    """For metrics of rows and of labels."""
    name = METRICS_OF_LABELS[task.seed % len(METRICS_OF_LABELS)]
    learner = learn.TunedThreshold(learn.BinaryRelevance(task.tree), metric=name, cv=2)
    task.fit(learner)
    scores = learner.predict_proba(task.x)
    assert np.array_equal(learner.predict(task.x), scores >= learner.thresholds_)
    assert (learner.thresholds_[task.y.all(axis=0)] == -np.inf).all()
    assert (learner.thresholds_[~task.y.any(axis=0)] == np.inf).all()

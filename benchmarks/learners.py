"""How well each learner predicts, beside label frequencies and published results."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import hamming_loss, label_ranking_loss, roc_auc_score

import evenfold
from evenfold.learn import (
    BinaryRelevance,
    CalibratedLabelRanking,
    ChainEnsemble,
    ClassifierChain,
    LabelPowerset,
    MLkNN,
    RAkEL,
)

from .data import read_features, read_labels
from .sections.settings import Settings
from .tables import RecordTable

FOREST = RandomForestClassifier(30)
# Each learner and how many of the ten folds it is tested on. Learners without a published result
# are tested on fewer folds with smaller forests, as some of them train many models.
LEARNERS: dict[str, tuple[Any, int]] = {
    "frequencies": (BinaryRelevance(DummyClassifier()), 10),
    "MLkNN": (MLkNN(), 10),
    "binary relevance": (BinaryRelevance(), 10),
    "calibrated label ranking": (CalibratedLabelRanking(), 10),
    "binary relevance, 30 trees": (BinaryRelevance(FOREST), 3),
    "calibrated label ranking, 30 trees": (CalibratedLabelRanking(FOREST), 3),
    "calibrated label ranking, soft votes": (CalibratedLabelRanking(FOREST, voting="soft"), 3),
    "classifier chain": (ClassifierChain(FOREST), 3),
    "classifier chain, by information gain": (ClassifierChain(FOREST, order="information-gain"), 3),
    "label powerset": (LabelPowerset(FOREST), 3),
    "RAkEL": (RAkEL(FOREST), 3),
    "ensemble of 10 chains": (ChainEnsemble(FOREST), 3),
}
METRICS = (
    "Hamming loss",
    "ranking loss, ties as errors",
    "ties as half errors",
    "micro AUC",
)
FORMATS = {
    "data": "",
    "learner": "",
    "folds of 10": "",
    **{column: ".4f" for metric in METRICS for column in (metric, f"{metric}, published")},
}
# Published results in the order of METRICS.
# MLkNN: Zhang and Zhou 2007, 10 folds, ties as errors. The others: Sechidis et al. 2011, Tables 4
# and 5, iterative stratification, computed with Mulan, which breaks ties.
PUBLISHED = {
    ("yeast", "MLkNN"): (0.194, 0.167, None, None),
    ("yeast", "binary relevance"): (0.1887, None, 0.1578, 0.8539),
    ("yeast", "calibrated label ranking"): (0.1883, None, 0.1575, 0.8344),
    ("emotions", "binary relevance"): (0.1786, None, 0.1380, 0.8787),
    ("emotions", "calibrated label ranking"): (0.1782, None, 0.1382, 0.8596),
}


def measure_learners(settings: Settings) -> list[dict[str, object]]:
    """Return a record for each learner on two sets: means over folds of `even`."""
    table = RecordTable("Learners: means over folds of `even`, and published results", FORMATS)
    for name in ("emotions", "yeast"):
        y = read_labels(settings.folder, name)
        if y is not None:
            compare(table, name, read_features(settings.folder, name), y.toarray())
    print(f"\nForests have 100 trees if all ten folds were run, else {FOREST.n_estimators}.")
    return table.records


def compare(table: RecordTable, name: str, X: np.ndarray, y: np.ndarray) -> None:
    """Add a record for each learner."""
    folds = list(evenfold.split(y, 10).folds())
    for title, (learner, n_folds) in LEARNERS.items():
        wanted = {"random_state": 0, "n_jobs": -1}
        learner = clone(learner).set_params(
            **{setting: wanted[setting] for setting in wanted.keys() & learner.get_params().keys()}
        )
        found = np.mean(
            [
                score(learner.fit(X[train], y[train]), X[test], y[test])
                for train, test in folds[:n_folds]
            ],
            axis=0,
        ).tolist()
        published = PUBLISHED.get((name, title), (None,) * 4)
        table.add(
            {
                "data": name,
                "learner": title,
                "folds of 10": n_folds,
                **dict(zip(METRICS, found, strict=True)),
                **{
                    f"{metric}, published": value
                    for metric, value in zip(METRICS, published, strict=True)
                },
            }
        )


def score(learner: Any, X: np.ndarray, y: np.ndarray) -> tuple[float, float, float, float]:
    """Return the four `METRICS`."""
    probability = learner.predict_proba(X)
    ties_as_errors, ties_as_correct = (
        label_ranking_loss(y, probability),
        label_ranking_loss(y, probability + 1e-9 * y),
    )
    return (
        hamming_loss(y, learner.predict(X)),
        ties_as_errors,
        (ties_as_errors + ties_as_correct) / 2,
        roc_auc_score(y.ravel(), probability.ravel()),
    )

"""Time of `evaluate` beside a loop with scikit-learn's OneVsRestClassifier.

20,000 rows, 50 features, 100 labels, logistic regression, 5 folds, one process. Each job runs in
turn with the others; the least processor time counts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import (
    accuracy_score,
    average_precision_score,
    coverage_error,
    hamming_loss,
    label_ranking_loss,
    roc_auc_score,
)
from sklearn.model_selection import KFold
from sklearn.multiclass import OneVsRestClassifier

import evenfold
from evenfold.learn import BinaryRelevance

from .sections.settings import Settings
from .tables import RecordTable
from .timing import time_job

N_ROWS, N_FEATURES, N_LABELS, N_FOLDS = 20_000, 50, 100, 5
N_REPEATS = 3
FORMATS = {"job": "", "time": ".2f", "s": ".1f"}
LOOP = "scikit-learn: fit, predict, six metrics of each fold"


def measure_evaluation(_: Settings) -> list[dict[str, object]]:
    """Return a record for each job; its time is divided by that of the loop with metrics."""
    X, y = make_rows(N_ROWS)
    jobs: dict[str, Callable[[], object]] = {
        LOOP: lambda: run_loop(X, y, with_metrics=True),
        "scikit-learn: fit and predict only": lambda: run_loop(X, y, with_metrics=False),
        "`evaluate`: OneVsRestClassifier": lambda: evaluate(X, y, OneVsRestClassifier, 200),
        "`evaluate`: BinaryRelevance": lambda: evaluate(X, y, BinaryRelevance, 200),
        "`evaluate`: BinaryRelevance, no intervals": lambda: evaluate(X, y, BinaryRelevance, 0),
    }
    evaluate(X[:500], y[:500], BinaryRelevance, 200)  # compile kernels, or read them
    least = dict.fromkeys(jobs, float("inf"))
    for _ in range(N_REPEATS):
        for name, job in jobs.items():
            least[name] = min(least[name], time_job(job)[0])
    table = RecordTable(
        f"`evaluate` on {N_ROWS:,} rows × {N_FEATURES} features × {N_LABELS} labels", FORMATS
    )
    for name, seconds in least.items():
        table.add({"job": name, "time": seconds / least[LOOP], "s": seconds})
    print(
        f"\nLogistic regression, {N_FOLDS} folds, one process. `evaluate` also splits by `even`, "
        "pools the\npredictions and, unless said, draws 200 bootstrap samples."
    )
    return table.records


def make_rows(n_rows: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return features, and labels of 2 to 40 % of the rows that depend on them."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, N_FEATURES))
    scores = X @ rng.normal(size=(N_FEATURES, N_LABELS)) / np.sqrt(N_FEATURES)
    scores += rng.normal(size=scores.shape)
    share = np.exp(rng.uniform(np.log(0.02), np.log(0.4), N_LABELS))
    threshold = [np.quantile(own, 1 - part) for own, part in zip(scores.T, share, strict=True)]
    return X, (scores > np.array(threshold)).astype(np.int64)


def run_loop(X: NDArray[np.float64], y: NDArray[np.int64], *, with_metrics: bool) -> None:
    """Cross-validate as one would by hand."""
    for train, test in KFold(N_FOLDS, shuffle=True, random_state=0).split(X):
        learner = OneVsRestClassifier(LogisticRegression()).fit(X[train], y[train])
        predicted, scores = learner.predict(X[test]), learner.predict_proba(X[test])
        if with_metrics:
            hamming_loss(y[test], predicted)
            accuracy_score(y[test], predicted)
            coverage_error(y[test], scores)
            label_ranking_loss(y[test], scores)
            average_precision_score(y[test], scores, average="macro")
            roc_auc_score(y[test], scores, average="micro")


def evaluate(
    X: NDArray[np.float64], y: NDArray[np.int64], kind: Callable[..., object], n_samples: int
) -> object:
    """Evaluate with the default metrics on one split."""
    learner = kind(LogisticRegression())
    return evenfold.evaluate(
        {"logistic": learner}, X, y, N_FOLDS, methods=["even"], repeats=1, n_samples=n_samples
    )

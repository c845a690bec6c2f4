"""Estimates on samples of made populations, beside the truth.

A population is a distribution of rows that can be drawn without end, so the score of a learner on
new rows is known. Samples of it are cross-validated. The estimate of a metric is the mean over
folds, or the metric of all out-of-fold predictions pooled. The truth is the mean score of the
learners of all folds on new rows. The score of a learner that is fitted on the whole sample is
shown too: it has more training rows, so it is better than what cross-validation estimates.

Some metrics are higher on few rows than on many, such as the average precision of a rare label.
No estimate on a sample can be free of that. So the mean score on blocks of as many new rows as a
sample has is shown beside.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression, RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier

import evenfold
from evenfold.evaluation.arguments import check_metrics
from evenfold.evaluation.predictions import predict
from evenfold.evaluation.scoring import score_prediction
from evenfold.learn import BinaryRelevance

from .sections.settings import Settings
from .tables import RecordTable

METRICS = {
    "mean_average_precision": "MAP",
    "f1_macro": "macro-F1",
    "roc_auc_macro": "macro-AUC",
    "roc_auc_micro": "micro-AUC",
    "average_precision_micro": "micro-AP",
    "hamming_loss": "Hamming loss",
}
LEARNERS = {
    "k-NN": KNeighborsClassifier(10),
    "logistic": BinaryRelevance(LogisticRegression(C=0.3, max_iter=200)),
    "ridge": RidgeClassifier(30.0),
}
N_POPULATIONS, N_SAMPLES, N_ROWS, N_NEW_ROWS, N_FOLDS = 8, 12, 400, 6_000, 10
STEPS = np.array([0, -1, 1])
COMPARED = {
    "bias of mean %": "+.1f",
    "bias of pooled %": "+.1f",
    "error ratio": ".2f",
    "error ratio, low": ".2f",
    "error ratio, high": ".2f",
}
FORMATS = {
    "learner": "",
    "metric": "",
    "truth": ".3f",
    **COMPARED,
    "coverage %": ".0f",
    **{f"refitted: {name}": form for name, form in COMPARED.items()},
    "blocks %": "+.1f",
}
NOTE = f"""
{N_FOLDS} folds by `even`. The truth is the mean score of the learners of all folds on
{N_NEW_ROWS:,} new rows. Bias: mean of estimate - truth, divided by the mean of the truth. Error:
root of the mean squared difference. Its ratio is pooled divided by mean over folds, a geometric
mean over populations with its 95 % interval. The columns *refitted* take as the truth the learner
that is fitted on the whole sample. *Blocks*: the bias of its mean score on blocks of {N_ROWS} new
rows. Coverage: how often the 95 % interval of the pooled estimate has the truth."""


class Population:
    """Rows with 15 to 40 features, and 10 to 30 correlated labels of 2 to 40 % of the rows."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng([seed, 1])
        n_features, n_labels = int(rng.integers(15, 41)), int(rng.integers(10, 31))
        self._weights = rng.normal(size=(n_features, n_labels)) / np.sqrt(n_features)
        # Labels share the weights of a few others, so that they occur together.
        mixing = np.eye(n_labels) + (rng.random((n_labels, n_labels)) < 0.1)
        self._weights = self._weights @ mixing
        self._noise = float(rng.uniform(0.5, 1.5))
        frequency = np.exp(rng.uniform(np.log(0.02), np.log(0.4), n_labels))
        scores = self._score(rng.normal(size=(50_000, n_features)), rng)
        self._threshold = np.array(
            [np.quantile(own, 1 - share) for own, share in zip(scores.T, frequency, strict=True)]
        )

    def draw(self, n_rows: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
        """Draw rows: their features and their labels."""
        features = rng.normal(size=(n_rows, len(self._weights)))
        return features, (self._score(features, rng) > self._threshold).astype(np.int64)

    def _score(self, features: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
        scores = features @ self._weights
        return np.asarray(scores + self._noise * rng.normal(size=scores.shape))


def measure_populations(_: Settings) -> list[dict[str, object]]:
    """Return bias, error and coverage for each learner and metric."""
    found = {
        (learner, metric): np.empty((N_POPULATIONS, N_SAMPLES, 7))
        for learner in LEARNERS
        for metric in METRICS
    }
    for number in range(N_POPULATIONS):
        population = Population(number)
        for sample in range(N_SAMPLES):
            for key, values in estimate(population, number, sample).items():
                found[key][number, sample] = values
    table = RecordTable(
        f"Estimates on {N_POPULATIONS} made populations, {N_SAMPLES} samples of {N_ROWS} rows each",
        FORMATS,
    )
    for (learner, metric), values in found.items():
        table.add({"learner": learner, "metric": METRICS[metric], **summarise(values)})
    print(NOTE)
    return table.records


def estimate(
    population: Population, number: int, sample: int
) -> dict[tuple[str, str], tuple[float, ...]]:
    """Return three truths, mean over folds, pooled estimate and its interval.

    The keys are learner and metric. The first truth is that of the learners of the folds, the
    others are those of a learner fitted on the whole sample: on all new rows, and the mean over
    blocks of them.
    """
    rng = np.random.default_rng([number, sample, 2])
    X, y = population.draw(N_ROWS, rng)
    new_rows = population.draw(N_NEW_ROWS, rng)
    result = evenfold.evaluate(
        LEARNERS,
        X,
        y,
        N_FOLDS,
        methods=["even"],
        repeats=1,
        metrics=list(METRICS),
        undefined="skip",
        random_state=sample,
    )
    folds = evenfold.split(y, N_FOLDS, random_state=sample).folds()
    trains = [*(train for train, _ in folds), np.arange(N_ROWS)]
    values = {}
    for name, learner in LEARNERS.items():
        fitted = [clone(learner).fit(X[train], y[train]) for train in trains]
        *of_folds, of_sample = (score_on(own, *new_rows) for own in fitted)
        of_blocks = [
            score_on(fitted[-1], *(own[start : start + N_ROWS] for own in new_rows))
            for start in range(0, N_NEW_ROWS, N_ROWS)
        ]
        own = result[name, "even"]
        means = np.mean(of_folds, axis=0), of_sample, np.mean(of_blocks, axis=0)
        for metric, *truths in zip(METRICS, *means, strict=True):
            estimates = own.mean(metric), own.pooled(metric), *own.interval(metric)
            values[name, metric] = (*truths, *estimates)
    return values


def score_on(learner: Any, X: NDArray[Any], y: NDArray[Any]) -> list[float]:
    """Return the metrics of a fitted learner on new rows."""
    prediction = predict(learner, X, np.arange(len(X)), 0, y.shape[1], {"labels", "scores"})
    return score_prediction(y, prediction, check_metrics(list(METRICS), "skip")).values


def summarise(values: NDArray[Any]) -> dict[str, float]:
    """Return the columns of one learner and metric, from its values on populations and samples."""
    of_folds, of_sample, of_blocks, mean, pooled, low, high = np.moveaxis(values, 2, 0)
    covered = ((low <= of_folds) & (of_folds <= high)).mean()
    return {
        "truth": float(of_folds.mean()),
        **compare(of_folds, mean, pooled),
        "coverage %": float(100 * covered),
        **{f"refitted: {name}": own for name, own in compare(of_sample, mean, pooled).items()},
        "blocks %": float(100 * (of_blocks.mean() / of_sample.mean() - 1)),
    }


def compare(truth: NDArray[Any], mean: NDArray[Any], pooled: NDArray[Any]) -> dict[str, float]:
    """Return the biases of both estimates in percent, and the ratio of their errors."""
    biases = [(own - truth).mean() / truth.mean() for own in (mean, pooled)]
    errors = [np.sqrt(((own - truth) ** 2).mean(axis=1)) for own in (mean, pooled)]
    ratios = np.log(errors[1] / errors[0])
    reach = 1.96 * ratios.std(ddof=1) / np.sqrt(len(ratios)) if len(ratios) > 1 else np.nan
    values = (*(100 * bias for bias in biases), *np.exp(ratios.mean() + reach * STEPS))
    return dict(zip(COMPARED, map(float, values), strict=True))

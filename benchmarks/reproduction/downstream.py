"""What a split is worth: how much estimates vary with the folds, and how far they are from truth.

Every set is cross-validated on ten folds: the std of each metric over the folds. Sets with enough
rows are also populations: samples of them are split, and the estimates are compared with the score
on the other rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.preprocessing import StandardScaler

import evenfold
from evenfold.evaluation.arguments import check_metrics
from evenfold.evaluation.predictions import predict
from evenfold.evaluation.scoring import score_prediction
from evenfold.learn import difficulty
from evenfold.methods import Even, Iterative, Method

from ..data import HELD_BACK, read_features
from .experiments import Experiments, print_progress
from .markdown import to_page, to_table
from .score_records import ScoreRecords, Scores, round_scores

SETS = (
    "emotions",
    "scene",
    "yeast",
    "genbase",
    "medical",
    "enron",
    "chd_49",
    "water_quality",
    "eisen",
    "yahoo_education",
)
POPULATIONS = ("scene", "yeast", "enron", "eisen", "yahoo_education", "corel5k", "tmc2007")
BASELINE = "iterative"
METHODS: dict[str, str | Method] = {
    "random": "random",
    BASELINE: Iterative(fullest_first=False),
    "even": "even",
    "even, order 2": Even(order=2),
    "even + difficulty": "even",
}
LEARNERS = {
    "k-NN": KNeighborsClassifier(10),
    "ridge": RidgeClassifier(30.0),
    "forest": RandomForestClassifier(50, random_state=0),
}
METRICS = {
    "hamming_loss": "Hamming loss",
    "subset_accuracy": "subset accuracy",
    "coverage": "coverage",
    "ranking_loss": "ranking loss",
    "mean_average_precision": "MAP",
    "roc_auc_micro": "micro-AUC",
    "f1_macro": "macro-F1",
}
N_FOLDS, N_SAMPLE, N_NEW_ROWS = 10, 400, 1_200
# Repeats of the folds of each set, and samples of each population. Forests take longest.
REPEATS = {"k-NN": 6, "ridge": 6, "forest": 2}
SAMPLES = 8
# Rows of larger sets are drawn once, so that a run takes minutes and not hours.
MAX_ROWS = 2_500
N_RESAMPLES = 2_000


def write_section(experiments: Experiments, _: Path) -> str:
    """Return the section."""
    names = experiments.available(SETS)
    populations = experiments.available(POPULATIONS)
    stds = {name: score_folds(experiments, name) for name in names}
    held_back = [name for name in names if name in HELD_BACK]
    errors = [score_samples(experiments, name) for name in populations]
    return to_page(
        "## What a split is worth",
        f"{len(names)} sets with features ({', '.join(names)}; at most {MAX_ROWS:,} rows of "
        f"each), {N_FOLDS} folds. Repeats: "
        + ", ".join(f"{learner} {n}" for learner, n in REPEATS.items())
        + ". The std of a metric over the folds is divided by that with the paper's iterative "
        "stratification. Cells are geometric means over sets, repeats and seven metrics, with 95 % "
        "intervals from resampled sets and repeats. *Difficulty* is "
        "`evenfold.learn.difficulty`, by nearest neighbours, as `balance`. So its ratio for k-NN "
        "is no claim for other learners.",
        to_table(["std over folds, of iterative", *REPEATS], list_ratios(list(stds.values()))),
        "The same for the sets that no number of `even` was tuned on "
        f"({', '.join(held_back) or 'none at hand'}).",
        to_table(
            ["std over folds, of iterative", *REPEATS],
            list_ratios([stds[name] for name in held_back]),
        ),
        f"Samples of {N_SAMPLE} rows of {len(populations)} sets ({', '.join(populations)}), "
        f"{SAMPLES} of each. The truth is the score on {N_NEW_ROWS:,} other rows of the learner "
        "that is fitted on the whole sample. The error of an estimate is the root of its mean "
        "squared difference from the truth, divided by that with iterative stratification: a "
        "holdout of 25 %, and the mean over 5 folds.",
        to_table(
            [
                "error, of iterative",
                *(f"{kind}, {own}" for own in ERROR_LEARNERS for kind in KINDS),
            ],
            list_errors(errors),
        ),
        "Pooled estimates of 5 folds (the metric of all out-of-fold predictions) beside the mean "
        "over folds, with folds by `even`. Bias: mean of estimate - truth, divided by the truth.",
        to_table(
            ["metric", "learner", "bias, mean", "bias, pooled", "error, pooled / mean"],
            list_pooled(errors),
            n_text_columns=2,
        ),
    )


KINDS = ("holdout", "5 folds")
ERROR_LEARNERS = ("k-NN", "ridge")

# Values by learner, method, metric and repeat.
Found = dict[tuple[str, str, str, int], Mapping[str, float | None]]


@cache
def read_rows(folder: Path, name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return standardised features and labels of at most `MAX_ROWS` rows, drawn once."""
    X = StandardScaler().fit_transform(read_features(folder, name))
    y = Experiments(folder).read(name).toarray().astype(np.int64)
    rows = np.sort(np.random.default_rng(0).permutation(len(X))[:MAX_ROWS])
    X, y = X[rows], y[rows]
    return X[:, X.std(axis=0) > 0], y[:, y.any(axis=0)]


def make_settings(method: str, X: NDArray[Any], y: NDArray[Any]) -> dict[str, Any]:
    """Return the options of `evaluate` for a method."""
    return {
        "methods": {method: METHODS[method]},
        "balance": difficulty(X, y) if method == "even + difficulty" else None,
        "metrics": list(METRICS),
        "undefined": "skip",
        "repeats": 1,
        "n_samples": 0,
    }


def score_folds(experiments: Experiments, name: str) -> Found:
    """Return mean, std and pooled value over the folds of each learner and method."""
    records = ScoreRecords()
    X, y = read_rows(experiments.folder, name)
    found: Found = {}
    for method in METHODS:
        settings = make_settings(method, X, y)
        for seed in range(max(REPEATS.values())):
            folds = evenfold.split(
                y, N_FOLDS, method=METHODS[method], balance=settings["balance"], random_state=seed
            ).part_of_row
            for learner in [own for own, n in REPEATS.items() if seed < n]:
                scores = records.find(
                    ("folds", name, learner, method, seed),
                    folds,
                    _make_fold_scores(X, y, learner, method, seed, settings, name),
                )
                for metric, own in scores.items():
                    found[learner, method, metric, seed] = own
    return found


def _make_fold_scores(
    X: NDArray[Any],
    y: NDArray[Any],
    learner: str,
    method: str,
    seed: int,
    settings: dict[str, Any],
    name: str,
) -> Callable[[], Scores]:
    def compute() -> Scores:
        print_progress(f"{name}: {learner}, {method}, seed {seed}")
        own = evenfold.evaluate(
            {learner: LEARNERS[learner]}, X, y, N_FOLDS, random_state=seed, **settings
        )[learner, method]
        return round_scores(
            {metric: {"mean": own.mean(metric), "std": own.std(metric)} for metric in METRICS}
        )

    return compute


def score_samples(experiments: Experiments, name: str) -> Found:
    """Return the estimates on samples of a set, beside the score on other rows."""
    records = ScoreRecords()
    all_X, all_y = read_rows(experiments.folder, name)
    found: Found = {}
    for seed in range(SAMPLES):
        rows = np.random.default_rng([seed, 3]).permutation(len(all_X))
        sample, others = rows[:N_SAMPLE], rows[N_SAMPLE : N_SAMPLE + N_NEW_ROWS]
        # Labels that the sample holds and that are not too rare to be judged.
        kept = all_y[sample].sum(axis=0) >= 4
        X, y = all_X[sample], all_y[sample][:, kept]
        for method in METHODS:
            settings = make_settings(method, X, y)
            folds = evenfold.split(
                y, 5, method=METHODS[method], balance=settings["balance"], random_state=seed
            ).part_of_row
            for learner in ERROR_LEARNERS:

                def compute(learner: str = learner, method: str = method) -> Scores:
                    print_progress(f"{name}: sample {seed}, {learner}, {method}")  # noqa: B023
                    truth = score_on_others(
                        clone(LEARNERS[learner]).fit(X, y),  # noqa: B023
                        all_X[others],  # noqa: B023
                        all_y[others][:, kept],  # noqa: B023
                    )
                    cross, held = (
                        evenfold.evaluate(
                            {learner: LEARNERS[learner]},
                            X,  # noqa: B023
                            y,  # noqa: B023
                            parts,
                            random_state=seed,  # noqa: B023
                            **settings,  # noqa: B023
                        )[learner, method]
                        for parts in (5, {"train": 0.75, "test": 0.25})
                    )
                    return round_scores(
                        {
                            metric: {
                                "truth": own,
                                "5 folds": cross.mean(metric),
                                "pooled": cross.pooled(metric),
                                "holdout": held.mean(metric),
                            }
                            for metric, own in zip(METRICS, truth, strict=True)
                        }
                    )

                scores = records.find(("sample", name, learner, method, seed), folds, compute)
                for metric, own in scores.items():
                    found[learner, method, metric, seed] = own
    return found


def score_on_others(learner: Any, X: NDArray[Any], y: NDArray[Any]) -> list[float]:
    """Return the metrics of a fitted learner on rows that it has not seen."""
    prediction = predict(learner, X, np.arange(len(X)), 0, y.shape[1], {"labels", "scores"})
    return score_prediction(y, prediction, check_metrics(list(METRICS), "skip")).values


def list_ratios(found: Sequence[Found]) -> list[list[str]]:
    """Return the ratio of the stds to the baseline for each method and learner.

    A last row has the ratio of `even` with difficulty to `even`.
    """
    if not found:
        return []
    pairs = {method: (method, BASELINE) for method in METHODS if method != BASELINE}
    pairs["even + difficulty, of even"] = ("even + difficulty", "even")
    rows = []
    for title, (method, baseline) in pairs.items():
        cells = []
        for learner, n_repeats in REPEATS.items():
            tables = [
                np.array(
                    [
                        [
                            _log_ratio(
                                own[learner, method, metric, seed]["std"],
                                own[learner, baseline, metric, seed]["std"],
                            )
                            for metric in METRICS
                        ]
                        for seed in range(n_repeats)
                    ]
                )
                for own in found
            ]
            cells.append(show_interval(tables))
        rows.append([title, *cells])
    return rows


def _log_ratio(value: float | None, baseline: float | None) -> float:
    return float(np.log(value / baseline)) if value and baseline else float("nan")


def show_interval(tables: Sequence[NDArray[Any]]) -> str:
    """Return the geometric mean of the ratios, with an interval over sets and repeats.

    A table has the logarithms of the ratios of one set, (n_repeats, n_metrics).
    """
    rng = np.random.default_rng(0)
    # Ratios of repeats are not averaged first: the mean over metrics of each repeat is one value.
    of_set = [np.nanmean(table, axis=1) for table in tables]
    draws = []
    for _ in range(N_RESAMPLES):
        chosen = rng.integers(len(of_set), size=len(of_set))
        draws.append(
            np.mean([rng.choice(of_set[at], size=len(of_set[at])).mean() for at in chosen])
        )
    low, high = np.exp(np.quantile(draws, [0.025, 0.975]))
    center = np.exp(np.mean([own.mean() for own in of_set]))
    return f"{center:.2f} [{low:.2f}, {high:.2f}]"


def list_errors(found: Sequence[Found]) -> list[list[str]]:
    """Return the errors of holdout and cross-validation, of those with the baseline."""
    rows = []
    for method in METHODS:
        if method == BASELINE:
            continue
        cells = [
            show_interval(
                [
                    np.array(
                        [
                            [
                                np.log(
                                    find_error(own, learner, method, metric, kind)
                                    / find_error(own, learner, BASELINE, metric, kind)
                                )
                                for metric in METRICS
                            ]
                        ]
                    )
                    for own in found
                ]
            )
            for learner in ERROR_LEARNERS
            for kind in KINDS
        ]
        rows.append([method, *cells])
    return rows


def find_error(found: Found, learner: str, method: str, metric: str, kind: str) -> float:
    """Return the root of the mean squared difference of an estimate from the truth."""
    return float(np.sqrt(np.mean(find_differences(found, learner, method, metric, kind)[0] ** 2)))


def find_differences(
    found: Found, learner: str, method: str, metric: str, kind: str
) -> tuple[NDArray[Any], NDArray[Any]]:
    """Return estimate - truth, and the truth, of each sample."""
    runs = [found[learner, method, metric, seed] for seed in range(SAMPLES)]
    values = np.array([[run[kind], run["truth"]] for run in runs], dtype=float)
    return values[:, 0] - values[:, 1], values[:, 1]


def list_pooled(found: Sequence[Found]) -> list[list[str]]:
    """Return bias and error of pooled estimates and of the mean over folds."""
    rows = []
    for metric, title in METRICS.items():
        for learner in ERROR_LEARNERS:
            biases = []
            for kind in ("5 folds", "pooled"):
                pairs = [find_differences(own, learner, "even", metric, kind) for own in found]
                share = [float(off.mean() / truth.mean()) for off, truth in pairs]
                biases.append(f"{100 * float(np.mean(share)):+.1f} %")
            ratios = [
                np.array(
                    [
                        [
                            np.log(
                                find_error(own, learner, "even", metric, "pooled")
                                / find_error(own, learner, "even", metric, "5 folds")
                            )
                        ]
                    ]
                )
                for own in found
            ]
            rows.append([title, learner, *biases, show_interval(ratios)])
    return rows

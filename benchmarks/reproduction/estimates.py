"""Sechidis et al. 2011, Tables 4 and 5: what the choice of folds does to the spread of an estimate over them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import pairwise_distances

import evenfold
from evenfold.evaluation import Evaluation, average_ranks
from evenfold.learn import BinaryRelevance, CalibratedLabelRanking
from evenfold.methods import Iterative

from ..data import read_features
from .markdown import show, show_list, to_page, to_table
from .runs import Workbench, tell

# As in the paper, iterative stratification takes the rows of a label in random order; with more repeats, also as evenfold does it.
METHODS = {
    "random": "random",
    "labelset": "labelset",
    "iterative": Iterative(fullest_first=False),
    "even": "even",
}
MORE_METHODS = {**METHODS, "iterative, fullest first": "iterative"}
METRICS = {
    "hamming_loss": "Hamming loss",
    "subset_accuracy": "subset accuracy",
    "coverage": "coverage",
    "ranking_loss": "ranking loss",
    "mean_average_precision": "mean average precision",
    "roc_auc_micro": "micro-AUC",
}
# Average ranks of random, labelset and iterative as published, in the order of METRICS: Table 4 over nine data sets, Table 5 over five.
TABLE_4 = [
    (2.7, 1.7, 1.6),
    (2.7, 1.7, 1.7),
    (2.8, 1.7, 1.6),
    (2.7, 1.9, 1.3),
    (2.5, 1.5, 2.0),
    (2.8, 1.8, 1.4),
]
TABLE_5 = [
    (3.0, 1.1, 1.9),
    (2.8, 1.2, 2.0),
    (2.8, 1.4, 1.8),
    (3.0, 1.4, 1.6),
    (3.0, 1.0, 2.0),
    (2.8, 1.4, 1.8),
]
# What is done is kept here: forests take longest of all, and a run that was stopped goes on where it was.
CACHE = Path(".cache") / "estimates"
SETS = ("emotions", "scene", "yeast", "genbase", "medical", "enron")
K, N_REPEATS, N_NEAREST = 10, 100, 250
# Repeats of forests: fewer where there are more labels.
FOREST_REPEATS = {"emotions": 5, "scene": 1, "yeast": 1, "genbase": 2, "medical": 1, "enron": 1}
RANKING_REPEATS = {"emotions": 2, "scene": 1}


class NearestRows(ClassifierMixin, BaseEstimator):
    """Binary relevance over k nearest neighbours, whose distances are measured once: X is the number of each row among all.

    For each row `nearest` lists the others, the nearest first, enough of them that k are in any training part.
    """

    def __init__(self, nearest: np.ndarray, k: int = K) -> None:
        self.nearest = nearest
        self.k = k

    def fit(self, X: np.ndarray, y: Any) -> NearestRows:
        """Keep which rows are in training, and their labels."""
        self.labels_ = np.zeros((len(self.nearest), y.shape[1]))
        self.labels_[X[:, 0]] = y.toarray() if sparse.issparse(y) else y
        self.in_training_ = np.zeros(len(self.nearest), bool)
        self.in_training_[X[:, 0]] = True
        return self

    def predict_proba(self, X: np.ndarray) -> np.ndarray:
        """Return the share of the k nearest training rows that hold each label."""
        near = self.nearest[X[:, 0]]
        known = self.in_training_[near]
        chosen = near[known & (np.cumsum(known, axis=1) <= self.k)].reshape(len(near), self.k)
        return self.labels_[chosen].mean(axis=1)

    def predict(self, X: np.ndarray) -> np.ndarray:
        """Return the labels that more than half of the k nearest hold."""
        return (self.predict_proba(X) > 0.5).astype(int)


def write(bench: Workbench, _: Path) -> str:
    """Return the section."""
    names = bench.at_hand(list(SETS))
    knn = {name: evaluate_neighbours(bench, name) for name in names}
    forest = {name: evaluate_forest(bench, name, "br", FOREST_REPEATS) for name in names}
    ranking = {
        name: evaluate_forest(bench, name, "clr", RANKING_REPEATS)
        for name in names
        if name in RANKING_REPEATS
    }
    said = "the std over the 10 folds of a repeat, averaged over repeats, ± its standard error; the lowest in bold"
    return to_page(
        "## What folds do to an estimate: Tables 4 and 5 of Sechidis et al.",
        "A learner is cross-validated on the 10 folds of each method; the lower the standard deviation of a measure over the folds, the less the "
        "folds add to what differs between them anyway. Five repeats of such a deviation carry about 10 % of noise, more than what the methods "
        f"differ by, so the paper's forests are joined by nearest neighbours (k = {K}), which are cheap enough for {N_REPEATS} repeats. Labels "
        "without a row in a fold are left out of its mean average precision, where the paper has NaN.",
        f"### Binary relevance over {K} nearest neighbours, {N_REPEATS} repeats",
        say_where_even_is_first(knn)
        + " Ranked beside iterative stratification as evenfold does it, the fullest rows first, in place of the paper's: "
        + say_where_even_is_first(
            knn, [*(method for method in MORE_METHODS if method != "iterative")]
        ),
        summarise(knn),
        "Where two methods are within two standard errors of each other, their ranks are chance: so it is for most of mean average precision, whose "
        "cause was not looked into.",
        f"Each entry is {said}.",
        to_std_table(knn),
        "### Table 4: binary relevance over random forests of 30 trees",
        "Repeats: " + ", ".join(f"{name} {FOREST_REPEATS[name]}" for name in forest) + ".",
        say_where_even_is_first(forest)
        + " So few repeats carry more noise than the methods differ by.",
        summarise(forest, TABLE_4),
        to_std_table(forest),
        "### Table 5: calibrated label ranking over random forests of 30 trees",
        "Repeats: "
        + ", ".join(f"{name} {RANKING_REPEATS[name]}" for name in ranking)
        + "; yeast, genbase and medical, with 105, 378 and "
        "1,035 models a fold, are left out.",
        summarise(ranking, TABLE_5),
        to_std_table(ranking),
    )


def evaluate_neighbours(bench: Workbench, name: str) -> Evaluation:
    """Cross-validate nearest neighbours, which must not be measured anew for every fold."""
    tell(f"{name}: nearest neighbours, {N_REPEATS} repeats")
    distance = pairwise_distances(read_features(bench.folder, name))
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :N_NEAREST].astype(np.int32)
    return run(
        bench,
        name,
        {"k-NN": NearestRows(nearest)},
        np.arange(len(distance))[:, None],
        N_REPEATS,
        MORE_METHODS,
    )


def evaluate_forest(bench: Workbench, name: str, kind: str, repeats: dict[str, int]) -> Evaluation:
    """Cross-validate binary relevance or calibrated label ranking over forests."""
    tell(f"{name}: {kind} over random forests, {repeats[name]} repeats")
    base = RandomForestClassifier(n_estimators=30)
    learner = BinaryRelevance(base) if kind == "br" else CalibratedLabelRanking(base)
    return run(
        bench, name, {kind: learner}, read_features(bench.folder, name), repeats[name], METHODS
    )


def run(
    bench: Workbench,
    name: str,
    learners: dict[str, Any],
    features: np.ndarray,
    repeats: int,
    methods: dict[str, Any],
) -> Evaluation:
    """Evaluate with the paper's six measures on ten folds of each method, both cores at work."""
    y = bench.read(name).toarray()
    return evenfold.evaluate(
        learners,
        features,
        y,
        10,
        methods=methods,
        repeats=repeats,
        metrics=list(METRICS),
        undefined="skip",
        n_jobs=2,
        cache=CACHE,
    )


def summarise(
    found: dict[str, Evaluation], published: list[tuple[float, ...]] | None = None
) -> str:
    """Return the average ranks of the methods over the sets, and the ratios of `even` to the others."""
    ranks = average_ranks(keep_methods(evaluation, list(METHODS)) for evaluation in found.values())
    heading = ["average rank of the std", *METRICS.values()]
    methods = list(METHODS)
    others = list(
        dict.fromkeys(
            of.method for evaluation in found.values() for of in evaluation if of.method != "even"
        )
    )
    rows = [[method, *(show(ranks[metric][method], 2) for metric in METRICS)] for method in methods]
    if published:
        rows += [
            [f"{method}, paper, among 3 methods", *(show(ranks[at], 1) for ranks in published)]
            for at, method in enumerate(methods[:3])
        ]
    if len(others) >= len(methods):
        among_all = average_ranks(found.values())
        rows += [
            [f"of five: {method}", *(show(among_all[metric][method], 2) for metric in METRICS)]
            for method in among_all["hamming_loss"]
        ]
    ratios = {
        other: [ratio_of_stds(found, metric, other) for metric in METRICS] for other in others
    }
    rows += [
        [f"even / {other}, geometric mean over sets", *(show(ratio, 2) for ratio in own)]
        for other, own in ratios.items()
    ]
    return to_table(heading, rows)


def say_where_even_is_first(
    found: dict[str, Evaluation], methods: Sequence[str] = tuple(METHODS)
) -> str:
    """Say on which measures `even` has the lowest average rank among these methods, shares it, or has not."""
    ranks = average_ranks(keep_methods(evaluation, methods) for evaluation in found.values())
    first, shared, beaten = [], [], []
    for metric, title in METRICS.items():
        even, best = (
            ranks[metric]["even"],
            min(rank for method, rank in ranks[metric].items() if method != "even"),
        )
        (first if even < best else shared if even == best else beaten).append(title)
    said = [
        f"`even` has the lowest average rank on {show_list(first)}" if first else "",
        f"shares it on {show_list(shared)}" if shared else "",
    ]
    said.append(f"does not have it on {show_list(beaten)}" if beaten else "")
    return "; it ".join(filter(None, said)) + "."


def keep_methods(evaluation: Evaluation, methods: Sequence[str]) -> Evaluation:
    """Return the same evaluation of these methods alone, among which they are ranked."""
    return Evaluation(
        evaluation.about, [estimate for estimate in evaluation if estimate.method in methods]
    )


def ratio_of_stds(found: dict[str, Evaluation], metric: str, other: str) -> float:
    """Return the std under `even` as a share of that under another method, the geometric mean over sets."""
    stds = [
        [of.std(metric) for of in evaluation if of.method == method]
        for evaluation in found.values()
        for method in ("even", other)
    ]
    even, others = np.array(stds[0::2]), np.array(stds[1::2])
    return float(np.exp(np.log(even / others).mean()))


def to_std_table(found: dict[str, Evaluation]) -> str:
    """Return one line for each set and measure."""
    rows = []
    methods: list[str] = []
    for name, evaluation in found.items():
        by_method = {of.method: of for of in evaluation}
        methods = list(by_method)
        for metric, title in METRICS.items():
            std = {method: by_method[method].std(metric) for method in methods}
            digits = max(2, 2 - int(np.floor(np.log10(min(std.values())))))
            cells = []
            for method in methods:
                error = by_method[method].std_error(metric)
                cell = show(std[method], digits) + (
                    f" ± {show(error, digits)}" if np.isfinite(error) else ""
                )
                cells.append(f"**{cell}**" if std[method] == min(std.values()) else cell)
            rows.append([name, title, show(by_method["even"].mean(metric), 4), *cells])
    return to_table(["data", "measure", "mean, even", *methods], rows, n_text_columns=2)

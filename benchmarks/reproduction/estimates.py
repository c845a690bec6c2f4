"""Sechidis et al. 2011, Tables 4 and 5: how the folds change the spread of an estimate."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import pairwise_distances

import evenfold
from evenfold.evaluation.results import Evaluation, average_ranks
from evenfold.learn import BinaryRelevance, CalibratedLabelRanking
from evenfold.methods import Iterative

from ..data import read_features
from .experiments import Experiments, print_progress
from .markdown import format_list, format_number, to_page, to_table
from .nearest_rows import NearestRows

# Iterative stratification takes the rows of a label in random order, as in the paper. With many
# repeats, evenfold's own order is added.
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
# Published average ranks of random, labelset and iterative, in the order of METRICS. Table 4 is
# over nine data sets, Table 5 over five.
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
# Scores are kept here, so that a stopped run can continue. Forests take longest.
CACHE = Path(".cache") / "estimates"
K, N_REPEATS, N_NEAREST = 10, 100, 250
# Repeats of forests: fewer for more labels.
FOREST_REPEATS = {"emotions": 5, "scene": 1, "yeast": 1, "genbase": 2, "medical": 1, "enron": 1}
RANKING_REPEATS = {"emotions": 2, "scene": 1}


def write_section(experiments: Experiments, _: Path) -> str:
    """Return the section."""
    names = experiments.available(list(FOREST_REPEATS))
    return to_page(
        "## How folds change an estimate: Tables 4 and 5 of Sechidis et al.",
        "A learner is cross-validated on the 10 folds of each method. The standard deviation "
        "(std) of a metric over the folds shows how much the folds differ; lower is better. With "
        "five repeats, the std has about 10 % noise, which is more than the difference between "
        f"the methods. So nearest neighbours (k = {K}) are added to the forests of the paper. "
        f"They are fast enough for {N_REPEATS} repeats. Labels without a row in a fold are left "
        "out of its mean average precision, where the paper has NaN.",
        "The first table of each part has average ranks of the std over the data sets. Its rows "
        "*even / other* have the ratio of the two stds, as a geometric mean over data sets. The "
        "second table has the std over the 10 folds, averaged over repeats, ± its standard error. "
        "The lowest is bold.",
        write_neighbours({name: evaluate_neighbours(experiments, name) for name in names}),
        write_forests(
            {name: evaluate_forest(experiments, name, "br", FOREST_REPEATS) for name in names}
        ),
        write_rankings(
            {
                name: evaluate_forest(experiments, name, "clr", RANKING_REPEATS)
                for name in names
                if name in RANKING_REPEATS
            }
        ),
    )


def write_neighbours(found: dict[str, Evaluation]) -> str:
    """Return the part about nearest neighbours."""
    without_shuffled = [method for method in MORE_METHODS if method != "iterative"]
    return to_page(
        f"### Binary relevance over {K} nearest neighbours, {N_REPEATS} repeats",
        describe_ranks_of_even(found),
        "evenfold's own iterative stratification takes the rows with the most labels first. With "
        "it "
        "instead of the paper's: " + describe_ranks_of_even(found, without_shuffled),
        to_rank_table(found),
        "If two methods differ by less than two standard errors, their ranks are chance. This is "
        "so for most values of mean average precision. The reason was not examined.",
        to_std_table(found),
    )


def write_forests(found: dict[str, Evaluation]) -> str:
    """Return Table 4."""
    return to_page(
        "### Table 4: binary relevance over random forests of 30 trees",
        f"Repeats: {format_repeats(found, FOREST_REPEATS)}.",
        describe_ranks_of_even(found)
        + " With so few repeats, the noise is larger than the difference between the methods.",
        to_rank_table(found, TABLE_4),
        to_std_table(found),
    )


def write_rankings(found: dict[str, Evaluation]) -> str:
    """Return Table 5."""
    return to_page(
        "### Table 5: calibrated label ranking over random forests of 30 trees",
        f"Repeats: {format_repeats(found, RANKING_REPEATS)}. yeast, genbase and medical are left "
        "out: they need 105, 378 and 1,035 models per fold.",
        to_rank_table(found, TABLE_5),
        to_std_table(found),
    )


def format_repeats(found: dict[str, Evaluation], repeats: dict[str, int]) -> str:
    """Return the number of repeats of each data set as text."""
    return ", ".join(f"{name} {repeats[name]}" for name in found)


def evaluate_neighbours(experiments: Experiments, name: str) -> Evaluation:
    """Cross-validate nearest neighbours. Distances are computed once for all folds."""
    print_progress(f"{name}: nearest neighbours, {N_REPEATS} repeats")
    distance = pairwise_distances(read_features(experiments.folder, name))
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :N_NEAREST].astype(np.int32)
    return run(
        experiments,
        name,
        {"k-NN": NearestRows(nearest, K)},
        np.arange(len(distance))[:, None],
        N_REPEATS,
        MORE_METHODS,
    )


def evaluate_forest(
    experiments: Experiments, name: str, kind: str, repeats: dict[str, int]
) -> Evaluation:
    """Cross-validate binary relevance or calibrated label ranking over forests."""
    print_progress(f"{name}: {kind} over random forests, {repeats[name]} repeats")
    base = RandomForestClassifier(n_estimators=30)
    learner = BinaryRelevance(base) if kind == "br" else CalibratedLabelRanking(base)
    return run(
        experiments,
        name,
        {kind: learner},
        read_features(experiments.folder, name),
        repeats[name],
        METHODS,
    )


def run(
    experiments: Experiments,
    name: str,
    learners: dict[str, Any],
    features: np.ndarray,
    repeats: int,
    methods: dict[str, Any],
) -> Evaluation:
    """Evaluate with the six metrics of the paper on ten folds of each method, in two processes."""
    y = experiments.read(name).toarray()
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


def to_rank_table(
    found: dict[str, Evaluation], published: list[tuple[float, ...]] | None = None
) -> str:
    """Return the average ranks of the methods, and the ratios of `even` to the others."""
    ranks = average_ranks(keep_methods(evaluation, list(METHODS)) for evaluation in found.values())
    heading = ["average rank of the std", *METRICS.values()]
    methods = list(METHODS)
    others = list(
        dict.fromkeys(
            of.method for evaluation in found.values() for of in evaluation if of.method != "even"
        )
    )
    rows = [
        [method, *(format_number(ranks[metric][method], 2) for metric in METRICS)]
        for method in methods
    ]
    if published:
        rows += [
            [
                f"paper, of three: {method}",
                *(format_number(ranks[at], 1) for ranks in published),
            ]
            for at, method in enumerate(methods[:3])
        ]
    if len(others) >= len(methods):
        among_all = average_ranks(found.values())
        rows += [
            [
                f"of five: {method}",
                *(format_number(among_all[metric][method], 2) for metric in METRICS),
            ]
            for method in among_all["hamming_loss"]
        ]
    ratios = {
        other: [ratio_of_stds(found, metric, other) for metric in METRICS] for other in others
    }
    rows += [
        [f"even / {other}", *(format_number(ratio, 2) for ratio in own)]
        for other, own in ratios.items()
    ]
    return to_table(heading, rows)


def describe_ranks_of_even(
    found: dict[str, Evaluation], methods: Sequence[str] = tuple(METHODS)
) -> str:
    """Return on which metrics `even` has the lowest average rank among these methods."""
    ranks = average_ranks(keep_methods(evaluation, methods) for evaluation in found.values())
    lowest, shared, higher = [], [], []
    for metric, title in METRICS.items():
        even = ranks[metric]["even"]
        best = min(rank for method, rank in ranks[metric].items() if method != "even")
        (lowest if even < best else shared if even == best else higher).append(title)
    parts = [
        f"`even` has the lowest average rank on {format_list(lowest) or 'no metric'}",
        f"shares it on {format_list(shared)}" if shared else "",
        f"does not have it on {format_list(higher)}" if higher else "",
    ]
    return "; it ".join(filter(None, parts)) + "."


def keep_methods(evaluation: Evaluation, methods: Sequence[str]) -> Evaluation:
    """Return the evaluation with these methods only."""
    return Evaluation(
        evaluation.about, [estimate for estimate in evaluation if estimate.method in methods]
    )


def ratio_of_stds(found: dict[str, Evaluation], metric: str, other: str) -> float:
    """Return the std with `even` divided by that with another, a geometric mean over data."""
    stds = [
        [of.std(metric) for of in evaluation if of.method == method]
        for evaluation in found.values()
        for method in ("even", other)
    ]
    even, others = np.array(stds[0::2]), np.array(stds[1::2])
    return float(np.exp(np.log(even / others).mean()))


def to_std_table(found: dict[str, Evaluation]) -> str:
    """Return one row for each data set and metric."""
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
                cell = format_number(std[method], digits) + (
                    f" ± {format_number(error, digits)}" if np.isfinite(error) else ""
                )
                cells.append(f"**{cell}**" if std[method] == min(std.values()) else cell)
            rows.append([name, title, format_number(by_method["even"].mean(metric), 4), *cells])
    return to_table(["data", "measure", "mean, even", *methods], rows, n_text_columns=2)

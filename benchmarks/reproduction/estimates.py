"""How folds change the spread of an estimate, by nearest neighbours in many repeats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.metrics import pairwise_distances

import evenfold
from evenfold.evaluation import Evaluation, average_ranks
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
# Predictions are kept here, so that a stopped run can continue.
CACHE = Path(".cache") / "estimates"
SETS = ("emotions", "scene", "yeast", "genbase", "medical", "enron")
K, N_REPEATS, N_NEAREST = 10, 100, 250


def write_section(experiments: Experiments, _: Path) -> str:
    """Return the section."""
    names = experiments.available(SETS)
    return to_page(
        f"## How folds change an estimate: {K} nearest neighbours, {N_REPEATS} repeats",
        "A learner is cross-validated on the 10 folds of each method, as for Tables 4 and 5 of "
        "Sechidis et al. The standard deviation (std) of a metric over the folds shows how much "
        "the folds differ; lower is better. With five repeats, the std has about 10 % noise, "
        "which is more than the difference between the methods. Binary relevance over nearest "
        f"neighbours (k = {K}) is fast enough for {N_REPEATS} repeats. Labels without a row in a "
        "fold are left out of its mean average precision.",
        "The first table has average ranks of the std over the data sets. Its rows *even / other* "
        "have the ratio of the two stds, as a geometric mean over data sets. The second table has "
        "the std over the 10 folds, averaged over repeats, ± its standard error. The lowest is "
        "bold.",
        write_neighbours({name: evaluate_neighbours(experiments, name) for name in names}),
    )


def write_neighbours(found: dict[str, Evaluation]) -> str:
    """Return the part about nearest neighbours."""
    without_shuffled = [method for method in MORE_METHODS if method != "iterative"]
    return to_page(
        describe_ranks_of_even(found),
        "evenfold's own iterative stratification takes the rows with the most labels first. "
        "With it instead of the paper's: " + describe_ranks_of_even(found, without_shuffled),
        to_rank_table(found),
        "If two methods differ by less than two standard errors, their ranks are chance. This is "
        "so for most values of mean average precision.",
        to_std_table(found),
    )


def evaluate_neighbours(experiments: Experiments, name: str) -> Evaluation:
    """Cross-validate nearest neighbours. Distances are computed once for all folds."""
    print_progress(f"{name}: nearest neighbours, {N_REPEATS} repeats")
    distance = pairwise_distances(read_features(experiments.folder, name))
    np.fill_diagonal(distance, np.inf)
    nearest = np.argsort(distance, axis=1, kind="stable")[:, :N_NEAREST].astype(np.int32)
    return evenfold.evaluate(
        {"k-NN": NearestRows(nearest, K)},
        np.arange(len(distance))[:, None],
        experiments.read(name).toarray(),
        10,
        methods=MORE_METHODS,
        repeats=N_REPEATS,
        metrics=list(METRICS),
        undefined="skip",
        n_samples=0,
        n_jobs=2,
        cache=CACHE,
    )


def to_rank_table(found: dict[str, Evaluation]) -> str:
    """Return the average ranks of the methods, and the ratios of `even` to the others."""
    methods, every = list(METHODS), list(MORE_METHODS)
    ranks = average_ranks(keep_methods(evaluation, methods) for evaluation in found.values())
    among_all = average_ranks(found.values())
    others = [method for method in every if method != "even"]
    rows = [
        [method, *(format_number(ranks[metric][method], 2) for metric in METRICS)]
        for method in methods
    ]
    rows += [
        [f"of five: {method}", *(format_number(among_all[metric][method], 2) for metric in METRICS)]
        for method in every
    ]
    rows += [
        [
            f"even / {other}",
            *(format_number(ratio_of_stds(found, metric, other), 2) for metric in METRICS),
        ]
        for other in others
    ]
    return to_table(["average rank of the std", *METRICS.values()], rows)


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

"""Sechidis et al. 2011, Tables 4 and 5: learners over random forests on the folds of methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from scipy.stats import rankdata
from sklearn.ensemble import RandomForestClassifier

import evenfold
from evenfold.learn import BinaryRelevance, CalibratedLabelRanking
from evenfold.methods import Iterative, Method

from ..data import read_features
from .experiments import Experiments, print_progress
from .markdown import format_number, to_page, to_table
from .published_scores import RANKS_4, RANKS_5, TABLE_4, TABLE_5, PublishedScores
from .score_records import ScoreRecords, Scores, round_scores
from .sechidis import TABLE_1
from .sechidis_ranks import LARGE_RATIO, SMALL_RATIO

# Iterative stratification takes the rows of a label in random order, as in the paper.
METHODS: dict[str, str | Method] = {
    "random": "random",
    "labelset": "labelset",
    "iterative": Iterative(fullest_first=False),
    "even": "even",
}
# Mulan, which the paper used, breaks ties at random. The mean over all orders has the same
# expected value, and no noise of its own.
METRICS = {
    "hamming_loss": "Hamming loss",
    "subset_accuracy": "subset accuracy",
    "coverage_average_ties": "coverage",
    "ranking_loss_average_ties": "ranking loss",
    "mean_average_precision": "MAP",
    "roc_auc_micro": "micro-AUC",
}
MAP = "mean_average_precision"
# Predictions of forests are kept here, so that a stopped run continues, also with other metrics.
CACHE = Path(".cache") / "estimates"
LEARNERS = {"br": BinaryRelevance, "clr": CalibratedLabelRanking}
MAX_DENSITY_OF_SPARSE = 0.05
# Repeats of each data set. A higher number computes only what is missing. On one core, a repeat
# takes about half an hour for bibtex, and a quarter for corel5k and for `clr` of yeast and medical.
REPEATS = {
    "br": {
        "scene": 2,
        "emotions": 2,
        "genbase": 2,
        "yeast": 2,
        "bibtex": 2,
        "medical": 2,
        "enron": 2,
        "corel5k": 2,
    },
    "clr": {"scene": 2, "emotions": 2, "genbase": 2, "yeast": 2, "medical": 2},
}

# By data set and method, the scores of each repeat.
Found = dict[tuple[str, str], list[Scores]]


def write_section(experiments: Experiments, _: Path) -> str:
    """Return the section."""
    tables = {kind: score_all(experiments, kind) for kind in LEARNERS}
    return to_page(
        "## Tables 4 and 5 of Sechidis et al.: learners on the folds",
        "A learner is cross-validated on the ten folds of each method. Cells are mean ± standard "
        "deviation (std) over the folds, averaged over repeats, with the published values in "
        "brackets. Lower stds are better. The paper breaks ties between labels at random; here "
        "coverage and ranking loss are means over all orders of tied labels. Mean average "
        "precision (MAP) is undefined in a fold that lacks a label: the paper then has NaN, and "
        "so have we, in the share of the repeats that is shown. The value beside it leaves such "
        "labels out. The rows *even, pooled* have the metrics of all out-of-fold predictions "
        "together. The published Hamming loss of bibtex, .031, is twice that of predicting no "
        "label at all (.015), so the paper must have had another setting there.",
        write_table(tables["br"], "Table 4: binary relevance", "br", TABLE_4, RANKS_4),
        write_table(tables["clr"], "Table 5: calibrated label ranking", "clr", TABLE_5, RANKS_5),
    )


def score_all(experiments: Experiments, kind: str) -> Found:
    """Return the scores of a learner on all data sets that are at hand."""
    records = ScoreRecords()
    return {
        (name, method): [
            score(experiments, records, kind, name, method, seed)
            for seed in range(REPEATS[kind][name])
        ]
        for name in experiments.available(REPEATS[kind])
        for method in METHODS
    }


def score(
    experiments: Experiments, records: ScoreRecords, kind: str, name: str, method: str, seed: int
) -> Scores:
    """Return the scores of one run: from the records, or from predictions, or computed."""
    y = experiments.read(name).toarray()
    folds = evenfold.split(y, 10, method=METHODS[method], random_state=seed).part_of_row

    def compute() -> Scores:
        print_progress(f"{name}: {kind} over random forests, {method}, seed {seed}")
        learner = LEARNERS[kind](RandomForestClassifier(n_estimators=30))
        skipped, defined = (
            evenfold.evaluate(
                {kind: learner},
                read_for_forests(experiments.folder, name),
                y,
                10,
                methods={method: METHODS[method]},
                repeats=1,
                metrics=list(METRICS),
                undefined=undefined,
                random_state=seed,
                n_samples=0,
                n_jobs=2,
                cache=CACHE,
            )[kind, method]
            for undefined in ("skip", np.nan)
        )
        scores: Scores = {
            metric: {
                "mean": skipped.mean(metric),
                "std": skipped.std(metric),
                "pooled": skipped.pooled(metric),
            }
            for metric in METRICS
        }
        scores[MAP]["undefined"] = defined.n_undefined(MAP)
        return round_scores(scores)

    return records.find(("forest", kind, name, method, seed), folds, compute)


def read_for_forests(folder: Path, name: str) -> Any:
    """Return features in the form in which forests are fitted fastest; the trees are the same."""
    features = read_features(folder, name).astype(np.float32)  # forests convert all others to it
    is_sparse = np.count_nonzero(features) < MAX_DENSITY_OF_SPARSE * features.size
    return sparse.csr_array(features) if is_sparse else features


def write_table(
    found: Found,
    title: str,
    kind: str,
    published: PublishedScores,
    ranks: Mapping[str, Sequence[tuple[float, ...] | None]],
) -> str:
    """Return scores and ranks beside the published ones."""
    names = list(dict.fromkeys(name for name, _ in found))
    if not names:
        return ""
    repeats = ", ".join(f"{name} {REPEATS[kind][name]}" for name in names)
    rows = [row for name in names for row in list_scores(found, name, published)]
    return to_page(
        f"### {title} over random forests of 30 trees",
        f"Repeats: {repeats}.",
        to_table(["data", "folds", *METRICS.values()], rows, n_text_columns=2),
        "Average ranks of the std over data sets, by labelsets per row; 1 is the lowest std. The "
        "published ranks are in brackets. MAP is ranked on sets on which no method has NaN. With "
        "few repeats, the noise of a std is larger than most differences between methods.",
        to_table(
            ["labelsets / rows", "sets", "folds", *METRICS.values()],
            [row for group in ranks for row in list_ranks(found, names, group, ranks[group])],
            n_text_columns=3,
        ),
    )


def list_scores(found: Found, name: str, published: PublishedScores) -> list[list[str]]:
    """Return the rows of one data set."""
    rows = []
    for method in METHODS:
        printed = published.get((name, method))
        cells = []
        for at, metric in enumerate(METRICS):
            cell = f"{show(found, name, method, metric, 'mean')} ± "
            cell += show(found, name, method, metric, "std")
            if metric == MAP and is_undefined(found, name, method):
                runs = found[name, method]
                n_nan = sum(bool(own[MAP]["undefined"]) for own in runs)
                cell = f"NaN in {n_nan} of {len(runs)}; {cell}"
            if printed:
                of_paper = printed[at]
                text = "NaN" if of_paper.is_undefined else f"{of_paper.mean} ± {of_paper.std}"
                cell += " (?)" if of_paper.mean == "?" else f" ({text})"
            cells.append(cell)
        rows.append([name, method, *cells])
    pooled = [show(found, name, "even", metric, "pooled") for metric in METRICS]
    return [*rows, [name, "even, pooled", *pooled]]


def show(found: Found, name: str, method: str, metric: str, number: str) -> str:
    """Return the mean of a number over repeats, with the digits of the paper."""
    return format_number(mean_of(found, name, method, metric, number), 4).replace("0.", ".", 1)


def mean_of(found: Found, name: str, method: str, metric: str, number: str) -> float:
    """Return the mean of a number over repeats."""
    return float(np.mean([own[metric][number] for own in found[name, method]]))


def is_undefined(found: Found, name: str, method: str) -> bool:
    """Return whether MAP is undefined in a fold of a repeat."""
    return any(own[MAP]["undefined"] for own in found[name, method])


def list_ranks(
    found: Found, names: Sequence[str], group: str, published: Sequence[tuple[float, ...] | None]
) -> list[list[str]]:
    """Return the average ranks of three methods beside the published ones, and of four."""
    ratio = {name: round(TABLE_1[name][2] / TABLE_1[name][1], 2) for name in names}
    limits = {f"≤ {SMALL_RATIO}": (0, SMALL_RATIO), f"≥ {LARGE_RATIO}": (LARGE_RATIO, 1)}
    low, high = limits.get(group, (0, 1))
    own_names = [name for name in names if low <= ratio[name] <= high]
    if not own_names:
        return []
    three = [average_ranks(found, own_names, metric, list(METHODS)[:3]) for metric in METRICS]
    four = [average_ranks(found, own_names, metric, list(METHODS)) for metric in METRICS]
    rows = []
    for place, method in enumerate(list(METHODS)[:3]):
        cells = [
            (format_number(own[place], 1) if own is not None else "–")
            + (f" ({printed[place]:.1f})" if printed else "")
            for own, printed in zip(three, published, strict=True)
        ]
        rows.append([group, str(len(own_names)), method, *cells])
    for place, method in enumerate(METHODS):
        cells = [format_number(own[place], 1) if own is not None else "–" for own in four]
        rows.append([group, str(len(own_names)), f"of four: {method}", *cells])
    return rows


def average_ranks(
    found: Found, names: Sequence[str], metric: str, methods: Sequence[str]
) -> list[float] | None:
    """Return the mean rank of the std of each method; None without a set to rank on."""
    kept = [
        name
        for name in names
        if metric != MAP or not any(is_undefined(found, name, method) for method in methods)
    ]
    if not kept:
        return None
    stds = [[mean_of(found, name, method, metric, "std") for method in methods] for name in kept]
    return [float(rank) for rank in np.mean([rankdata(own) for own in stds], axis=0)]

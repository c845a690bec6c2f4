"""evaluate(): every learner on every fold of every method, several times; what is in the cache is not done again."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, product
from os import PathLike
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.utils import indexable

from ..exceptions import InputError
from ..labels.labels import Labels, make_labels
from ..labels.row_values import check_groups
from ..methods import Method
from ..metrics.averaging import Undefined
from ..metrics.names import Metric
from ..splits.compare_methods import choose_methods, choose_seeds
from ..splits.make_split import RandomState
from .bench import Bench, Run
from .cache import ScoreCache, Values
from .choices import choose_learners, choose_metrics
from .results import Estimate, Evaluation
from .scoring import score_fold

DEFAULT_METHODS = ("random", "labelset", "iterative", "even")


def evaluate(
    learners: Any,
    X: Any,  # noqa: N803 - scikit-learn's name
    y: Any,
    parts: int = 10,
    *,
    methods: Sequence[str | Method] | Mapping[str, str | Method] | None = None,
    repeats: int = 5,
    metrics: Sequence[str] | Mapping[str, Metric] | None = None,
    undefined: Undefined = np.nan,
    groups: Any = None,
    random_state: RandomState = 0,
    n_jobs: int | None = 1,
    cache: str | PathLike[str] | None = None,
    progress: Callable[[float], object] | None = None,
) -> Evaluation:
    """Cross-validate learners on the folds of several methods, and show what the choice of method does to an estimate and its variance.

    Parameters
    ----------
    learners : scikit-learn estimators that take several labels, or names such as "br:random-forest" (`evenfold.learn.make_learner`): one, a list,
        or a mapping from a title to one
    X : (n_rows, n_features) array, sparse matrix or frame
    y : the labels, as for `split`; learners are given 0/1, a sparse matrix where `y` is one, else an array
    parts : number of folds
    methods : names or objects of `evenfold.methods`, or a mapping from a title to one; default random, labelset, iterative and even
    repeats : splits by each method, with the seeds random_state, random_state + 1, …
    metrics : names of `evenfold.metrics.METRICS`, or a mapping from a name to a `Metric`; default the six of Sechidis et al. (2011)
    undefined : what an undefined label or row counts for in metrics that are means over them: NaN, a number, or "skip"
    groups : (n_rows,) rows of one group stay together
    random_state : the first seed; learners whose own random_state is None get one of it, the same under all methods
    n_jobs : how many folds are fitted at once; -1 for all processors
    cache : a folder that keeps what is done; the same evaluation, started again, does only what is missing
    progress : called with the share of the folds done, from 0 to 1

    Notes
    -----
    The result does not depend on `n_jobs`.
    A learner that fails loses only its own repeats; the result says why.
    Where a learner has no scores, metrics of scores are NaN. Folds on which a metric is NaN are counted, and make its mean NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X = np.random.default_rng(0).normal(size=(80, 3))
    >>> result = evenfold.evaluate({"knn": KNeighborsClassifier()}, X, X > 0.5, parts=4, methods=["random", "even"], repeats=2)
    >>> result["knn", "even"].std("hamming_loss") > 0
    True
    """
    chosen, scored = choose_learners(learners), choose_metrics(metrics, undefined)
    placed = choose_methods(methods, DEFAULT_METHODS)
    seeds = choose_seeds(random_state, repeats)
    labels = make_labels(y)
    rows = _check_rows(X, labels)
    if (
        isinstance(parts, bool)
        or not isinstance(parts, numbers.Integral)
        or not 2 <= parts <= labels.n_rows
    ):
        raise InputError(
            f"must be a number of folds from 2 to the {labels.n_rows:,} rows, got {parts!r}. Try parts=10.",
            parameter="parts",
        )
    group_of_row = None if groups is None else check_groups(groups, labels.n_rows)
    table = labels.to_csr() if sparse.issparse(y) else labels.to_csr().toarray()
    bench = Bench(chosen, placed, scored, rows, table, labels, int(parts), group_of_row)

    runs = [Run(learner, method, seed) for seed in seeds for method in placed for learner in chosen]
    done = _run_missing(
        bench, runs, None if cache is None else ScoreCache(cache, bench), n_jobs, progress
    )
    estimates = [
        _estimate(bench, [done[run] for run in runs if run[:2] == of], *of)
        for of in product(chosen, placed)
    ]
    about = {
        "rows": labels.n_rows,
        "labels": labels.n_labels,
        "features": rows.shape[1],
        "parts": int(parts),
        "repeats": len(seeds),
    }
    return Evaluation(
        {**about, "groups": None if group_of_row is None else int(group_of_row.max()) + 1},
        estimates,
    )


def _check_rows(X: Any, labels: Labels) -> Any:  # noqa: N803
    if labels.unknown is not None and len(labels.unknown[1]):
        raise InputError(
            f"must be known throughout, got {len(labels.unknown[1]):,} unknown entries (NaN). Fill them, or leave out their rows.",
            parameter="y",
        )
    rows = indexable(X)[0]
    rows = rows if hasattr(rows, "shape") else np.asarray(rows)
    if len(rows.shape) != 2:
        raise InputError(
            f"must have two dimensions, rows × features, got {len(rows.shape)}. Reshape a single feature to (-1, 1).",
            parameter="X",
        )
    if rows.shape[0] != labels.n_rows:
        raise InputError(
            f"must have the {labels.n_rows:,} rows of 'y', got {rows.shape[0]:,}. Pass the same rows to both.",
            parameter="X",
        )
    return rows


def _run_missing(
    bench: Bench,
    runs: Sequence[Run],
    kept: ScoreCache | None,
    n_jobs: int | None,
    progress: Callable[[float], object] | None,
) -> dict[Run, Values | str]:
    """Return what each run gives: the values of its folds, or the error of its learner, which is not kept."""
    done: dict[Run, Values | str] = {} if kept is None else kept.read_all(runs)
    n_done, folds = len(done) * bench.n_parts, []
    for run, fold in _score_all(bench, [run for run in runs if run not in done], n_jobs):
        folds.append(fold)
        if len(folds) == bench.n_parts:
            error = next((fold for fold in folds if isinstance(fold, str)), None)
            done[run] = folds if error is None else error
            if kept is not None and error is None:
                kept.write(run, folds)
            folds = []
        n_done += 1
        if progress is not None:
            progress(n_done / (len(runs) * bench.n_parts))
    return done


def _score_all(bench: Bench, runs: Sequence[Run], n_jobs: int | None) -> Iterator[tuple[Run, Any]]:
    """Yield the values or the error of every fold, in order; runs of one seed are fitted together, so that few splits are in memory at once."""
    with Parallel(n_jobs=n_jobs, return_as="generator") as pool:
        for _, group in groupby(runs, key=lambda run: run.seed):
            own = list(group)
            tasks = list(bench.make_tasks(own))
            scored = pool(
                delayed(score_fold)(task, bench.rows, bench.table, bench.metrics) for task in tasks
            )
            for number, fold in enumerate(scored):
                yield own[number // bench.n_parts], fold


def _estimate(
    bench: Bench, outcomes: Sequence[Values | str], learner: str, method: str
) -> Estimate:
    values = np.array([folds for folds in outcomes if not isinstance(folds, str)], dtype=np.float64)
    shape = (len(values), bench.n_parts, len(bench.metrics))
    return Estimate(
        learner,
        method,
        tuple(bench.metrics),
        values.reshape(shape),
        [error for error in outcomes if isinstance(error, str)],
    )

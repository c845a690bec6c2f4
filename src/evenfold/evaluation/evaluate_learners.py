"""evaluate(): every learner on every fold of every method, repeated with several seeds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby, product
from os import PathLike
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse

from .._checks.numbers import check_whole
from ..labels.labels import make_labels
from ..links.group_columns import read_groups
from ..methods import Method
from ..metrics.averaging import Undefined
from ..metrics.names import Metric
from ..splits.compare_methods import choose_methods, choose_seeds
from ..splits.make_split import RandomState
from .arguments import check_learners, check_metrics, check_rows
from .cache import ScoreCache, Values
from .estimates import Estimate
from .experiment import Experiment, Run
from .results import Evaluation
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
    """Cross-validate learners on the folds of several methods.

    The result shows how the method of splitting changes an estimate and its variance.

    Parameters
    ----------
    learners : str, estimator, sequence or mapping
        Scikit-learn estimators that take several labels, or names such as "br:random-forest"
        (`evenfold.learn.make_learner`): one, a list, or a mapping from a title to one.
    X : array-like, sparse matrix or frame
        The features, (n_rows, n_features).
    y : array-like, sparse matrix, frame or list of label lists
        The labels, as for `split`. Learners get 0 and 1: a sparse matrix if `y` is one, else an
        array.
    parts : int, default=10
        The number of folds.
    methods : sequence or mapping, default=None
        Names or objects of `evenfold.methods`, or a mapping from a title to one. None: random,
        labelset, iterative and even.
    repeats : int, default=5
        The number of splits by each method, with the seeds random_state, random_state + 1, ….
    metrics : sequence of str or mapping of str to Metric, default=None
        Names of `evenfold.metrics.METRICS`, or a mapping from a name to a `Metric`. None: the
        six of Sechidis et al. (2011).
    undefined : float or "skip", default=nan
        What replaces the value of an undefined label or row in metrics that are means over
        labels or rows. `"skip"` leaves it out of the mean.
    groups : Links, array-like, mapping or frame, default=None
        Rows of one group stay together, as for `split`.
    random_state : int, Generator or RandomState, default=0
        The first seed. Learners, and base learners in them, that have no seed of their own get
        seeds that are drawn from it, the same for all methods.
    n_jobs : int, default=1
        How many folds are fitted at once; -1 for all processors.
    cache : str or path-like, default=None
        A folder that keeps the values of each run. The same evaluation, started again, computes
        only what is missing.
    progress : callable, default=None
        Called with the share of the folds done, from 0 to 1.

    Returns
    -------
    Evaluation
        An `Estimate` for each learner and method.

    Raises
    ------
    InputTypeError
        If an argument has a wrong type.
    InputError
        If an argument has a wrong value, or labels are unknown (NaN).

    Notes
    -----
    The result does not depend on `n_jobs`.
    Seeds that the user gave to learners and to base learners are kept.
    A learner that fails loses only its own repeats; the result says why.
    If a learner has no scores, metrics of scores are NaN. Folds on which a metric is NaN are
    counted, and make its mean NaN.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.neighbors import KNeighborsClassifier
    >>> X = np.random.default_rng(0).normal(size=(80, 3))
    >>> result = evenfold.evaluate(
    ...     {"knn": KNeighborsClassifier()}, X, X > 0.5, parts=4, methods=["random", "even"]
    ... )
    >>> result["knn", "even"].std("hamming_loss") > 0
    True
    """
    checked_learners, checked_metrics = check_learners(learners), check_metrics(metrics, undefined)
    checked_methods = choose_methods(methods, DEFAULT_METHODS)
    seeds = choose_seeds(random_state, repeats)
    labels = make_labels(y)
    rows = check_rows(X, labels)
    advice = "Take a number of folds, at most one per row."
    n_parts = check_whole(parts, "parts", advice, least=2, most=labels.n_rows)
    group_of_row = None if groups is None else read_groups(groups, labels.n_rows).group_of_row
    experiment = Experiment(
        checked_learners,
        checked_methods,
        checked_metrics,
        rows,
        labels.to_csr() if sparse.issparse(y) else labels.to_csr().toarray(),
        labels,
        n_parts,
        group_of_row,
    )
    runs = [
        Run(learner, method, seed)
        for seed in seeds
        for method in checked_methods
        for learner in checked_learners
    ]
    score_cache = None if cache is None else ScoreCache(cache, experiment)
    outcome_of_run = _run_missing(experiment, runs, score_cache, n_jobs, progress)
    estimates = [
        _make_estimate(experiment, *pair, [outcome_of_run[run] for run in runs if run[:2] == pair])
        for pair in product(checked_learners, checked_methods)
    ]
    about = {
        "rows": labels.n_rows,
        "labels": labels.n_labels,
        "features": rows.shape[1],
        "parts": n_parts,
        "repeats": len(seeds),
        "groups": None if group_of_row is None else int(group_of_row.max()) + 1,
    }
    return Evaluation(about, estimates)


def _run_missing(
    experiment: Experiment,
    runs: Sequence[Run],
    cache: ScoreCache | None,
    n_jobs: int | None,
    progress: Callable[[float], object] | None,
) -> dict[Run, Values | str]:
    """Return for each run the values of its folds, or the error of its learner.

    Runs in the cache are not computed again. Errors are not written to the cache.
    """
    outcome_of_run: dict[Run, Values | str] = {} if cache is None else cache.read_all(runs)
    missing = [run for run in runs if run not in outcome_of_run]
    n_done, folds = len(outcome_of_run) * experiment.n_parts, []
    for run, fold in _score_all(experiment, missing, n_jobs):
        folds.append(fold)
        if len(folds) == experiment.n_parts:
            error = next((fold for fold in folds if isinstance(fold, str)), None)
            outcome_of_run[run] = folds if error is None else error
            if cache is not None and error is None:
                cache.write(run, folds)
            folds = []
        n_done += 1
        if progress is not None:
            progress(n_done / (len(runs) * experiment.n_parts))
    return outcome_of_run


def _score_all(
    experiment: Experiment, runs: Sequence[Run], n_jobs: int | None
) -> Iterator[tuple[Run, Any]]:
    """Yield the values or the error of every fold, in order.

    Runs of one seed are fitted together, so that few splits are in memory at once.
    """
    with Parallel(n_jobs=n_jobs, return_as="generator") as pool:
        for _, group in groupby(runs, key=lambda run: run.seed):
            own = list(group)
            tasks = list(experiment.make_tasks(own))
            scored = pool(
                delayed(score_fold)(task, experiment.rows, experiment.table, experiment.metrics)
                for task in tasks
            )
            for number, fold in enumerate(scored):
                yield own[number // experiment.n_parts], fold


def _make_estimate(
    experiment: Experiment, learner: str, method: str, outcomes: Sequence[Values | str]
) -> Estimate:
    values = np.array([folds for folds in outcomes if not isinstance(folds, str)], dtype=np.float64)
    return Estimate(
        learner,
        method,
        tuple(experiment.metrics),
        values.reshape(len(values), experiment.n_parts, len(experiment.metrics)),
        [error for error in outcomes if isinstance(error, str)],
    )

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
from ..labels.balances import check_balance
from ..labels.labels import make_labels
from ..learn.features import count_features
from ..methods import Method
from ..methods.orders import Order
from ..metrics.averaging import Undefined
from ..metrics.names import Metric
from ..splits.compare_methods import choose_methods, choose_seeds
from ..splits.make_split import RandomState
from .arguments import check_jobs, check_learners, check_metrics, check_rows, make_plan
from .bootstrap import Counts, draw_counts
from .cache import PredictionCache
from .estimates import Estimate
from .experiment import Experiment, Run
from .pooling import ScoredRun, score_run, stack_scores
from .results import Evaluation
from .scoring import ScoredRows, score_fold, score_prediction

DEFAULT_METHODS = ("random", "labelset", "iterative", "even")


def evaluate(
    learners: Any,
    X: Any,  # noqa: N803 - scikit-learn's name
    y: Any,
    parts: int | Sequence[float] | Mapping[str, float] = 10,
    *,
    methods: Sequence[str | Method] | Mapping[str, str | Method] | None = None,
    repeats: int = 5,
    metrics: Sequence[str] | Mapping[str, Metric] | None = None,
    undefined: Undefined = np.nan,
    groups: Any = None,
    balance: Any = None,
    holdout: float | None = None,
    order: Order | None = None,
    n_samples: int = 200,
    keep_predictions: bool = False,
    random_state: RandomState = 0,
    n_jobs: int | None = 1,
    cache: str | PathLike[str] | None = None,
    progress: Callable[[float], object] | None = None,
) -> Evaluation:
    """Cross-validate learners on the folds of several methods.

    The result has the estimate of each metric, with an interval, and shows how the method of
    splitting changes the estimate and its variance.

    Parameters
    ----------
    learners : str, estimator, sequence or mapping
        Scikit-learn estimators that take several labels, or names such as "br:random-forest"
        (`evenfold.learn.make_learner`): one, a list, or a mapping from a title to one.
    X : array-like, sparse matrix, frame or list of text
        The features, (n_rows, n_features), or one text for each row. Learners get rows of it in its
        own form.
    y : array-like, sparse matrix, frame or list of label lists
        The labels, as for `split`. Learners get 0 and 1: a sparse matrix if `y` is one, else an
        array.
    parts : int, sequence or mapping, default=10
        A number of folds: each is the test part once. Or sizes, as for `split`: with two or three
        of them, or a mapping from name to size, learners are fitted on the first part (train) and
        scored on the last (test). Four or more sizes in a list are folds, and so are any sizes
        with a holdout.
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
        Rows of one group stay together, as for `split`. Intervals resample groups.
    balance : mapping, frame or array-like, default=None
        What methods keep even besides labels, as for `split`.
    holdout : float, default=None
        A test part that is set aside first, as for `split`. Learners are also fitted on all folds
        and scored on it.
    order : 1, 2 or "auto", default=None
        What methods keep even, as for `split`.
    n_samples : int, default=200
        The number of bootstrap samples for the intervals of the estimates. 0: no intervals.
    keep_predictions : bool, default=False
        Whether the estimates keep the predictions for all test rows, for curves and metrics of
        your own.
    random_state : int, Generator or RandomState, default=0
        The first seed. Learners, and base learners in them, that have no seed of their own get
        seeds that are drawn from it, the same for all methods.
    n_jobs : int, default=1
        How many folds are fitted at once; -1 for all processors.
    cache : str or path-like, default=None
        A folder that keeps the predictions of each run. The same evaluation, started again, fits
        only what is missing. Other metrics need no new fits.
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
    If a learner has no scores, metrics of scores are NaN, and the result says why. Folds on which
    a metric is NaN are counted, and make its mean over folds NaN.
    The pooled estimate is the metric of the predictions for the test rows of all folds together:
    the one to report. For a metric that is a mean over rows, it is the mean over folds, weighted
    by their rows.
    All metrics of predicted labels, and all means over rows, are safe to pool. Metrics that rank
    different rows (average precision and AUC, except those of samples) compare scores of
    different folds. If these are not on one scale, the result says so.
    Intervals of estimates are for other test rows, with the fitted learners as they are.

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
    >>> low, high = result["knn", "even"].interval("mean_average_precision")
    >>> low < result["knn", "even"].pooled("mean_average_precision") < high
    True
    """
    checked_learners, checked_metrics = check_learners(learners), check_metrics(metrics, undefined)
    checked_methods = choose_methods(methods, DEFAULT_METHODS)
    check_jobs(n_jobs)
    seeds = choose_seeds(random_state, repeats)
    labels = make_labels(y)
    columns = check_balance(balance, labels.n_rows)
    rows = check_rows(X, labels)
    plan = make_plan(parts, holdout, groups, columns, order, labels.n_rows)
    advice = "Take 200, or 0 for no intervals."
    n_samples = check_whole(n_samples, "n_samples", advice, least=0)
    experiment = Experiment(
        checked_learners,
        checked_methods,
        checked_metrics,
        rows,
        labels.to_csr() if sparse.issparse(y) else labels.to_csr().toarray(),
        labels,
        plan,
    )
    runs = [
        Run(learner, method, seed)
        for seed in seeds
        for method in checked_methods
        for learner in checked_learners
    ]
    prediction_cache = None if cache is None else PredictionCache(cache, experiment)
    counts = draw_counts(labels.n_rows, plan.group_of_row, n_samples, seeds[0])
    outcome_of_run = {}
    for run, outcome in _score_runs(experiment, runs, counts, prediction_cache, n_jobs, progress):
        if not keep_predictions and isinstance(outcome, ScoredRun):
            outcome = outcome._replace(prediction=None)
        outcome_of_run[run] = outcome
    estimates = [
        _make_estimate(experiment, *pair, [outcome_of_run[run] for run in runs if run[:2] == pair])
        for pair in product(checked_learners, checked_methods)
    ]
    about = {
        "rows": labels.n_rows,
        "labels": labels.n_labels,
        "features": count_features(rows),
        "parts": plan.n_folds or len(plan.parts),
        "repeats": len(seeds),
        "groups": None if plan.group_of_row is None else int(plan.group_of_row.max()) + 1,
        "folds": plan.n_folds,
        "holdout": plan.has_holdout,
        "names": list(plan.parts.names),
        "balance": [column.name for column in columns],
        "samples": n_samples,
        "compares_rows": [name for name, own in checked_metrics.items() if own.compares_rows],
        "better_as_mean": [name for name, own in checked_metrics.items() if own.is_better_as_mean],
    }
    return Evaluation(about, estimates)


def _score_runs(
    experiment: Experiment,
    runs: Sequence[Run],
    counts: Counts,
    cache: PredictionCache | None,
    n_jobs: int | None,
    progress: Callable[[float], object] | None,
) -> Iterator[tuple[Run, ScoredRun | str]]:
    """Yield the scores of each run, or the error of its learner.

    Runs in the cache are not fitted again. Errors are not written to the cache.
    """
    n_fits = experiment.plan.n_fits
    missing = []
    for run in runs:
        kept = None if cache is None else cache.read(run)
        if kept is None:
            missing.append(run)
            continue
        fits = [score_prediction(experiment.table, own, experiment.metrics) for own in kept]
        yield run, score_run(experiment, fits, counts)
    n_done, finished = (len(runs) - len(missing)) * n_fits, []
    for run, fit in _fit_all(experiment, missing, n_jobs):
        finished.append(fit)
        if len(finished) == n_fits:
            yield run, _finish_run(experiment, run, finished, counts, cache)
            finished = []
        n_done += 1
        if progress is not None:
            progress(n_done / (len(runs) * n_fits))


def _finish_run(
    experiment: Experiment,
    run: Run,
    fits: Sequence[ScoredRows | str],
    counts: Counts,
    cache: PredictionCache | None,
) -> ScoredRun | str:
    scored = [fit for fit in fits if not isinstance(fit, str)]
    if len(scored) < len(fits):
        return next(fit for fit in fits if isinstance(fit, str))
    if cache is not None:
        cache.write(run, [fit.prediction for fit in scored])
    return score_run(experiment, scored, counts)


def _fit_all(
    experiment: Experiment, runs: Sequence[Run], n_jobs: int | None
) -> Iterator[tuple[Run, ScoredRows | str]]:
    """Yield the predictions and values, or the error, of every fit, in order.

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
            for number, fit in enumerate(scored):
                yield own[number // experiment.plan.n_fits], fit


def _make_estimate(
    experiment: Experiment, learner: str, method: str, outcomes: Sequence[ScoredRun | str]
) -> Estimate:
    scored = [own for own in outcomes if not isinstance(own, str)]
    n_metrics, n_pooled = len(experiment.metrics), experiment.plan.n_pooled
    values = np.array([own.folds for own in scored], dtype=np.float64)
    held_out = [own.held_out for own in scored if own.held_out is not None]
    return Estimate(
        learner,
        method,
        tuple(experiment.metrics),
        values.reshape(len(scored), n_pooled, n_metrics),
        [error for error in outcomes if isinstance(error, str)],
        stack_scores([own.pooled for own in scored], n_metrics),
        stack_scores(held_out, n_metrics) if experiment.plan.has_holdout else None,
        np.array([own.scale_shift for own in scored]),
        [own.prediction for own in scored if own.prediction is not None],
        {name: needs for own in scored for name, needs in own.lacking.items()},
    )

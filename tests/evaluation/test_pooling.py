"""Pooled estimates: all test rows together, scored once, with intervals."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse
from sklearn.base import BaseEstimator, clone

import evenfold
from evenfold.evaluation.bootstrap import draw_counts
from evenfold.metrics import METRICS, Metric

from .counting import KNN, X, Y

# Every metric that is defined for any rows.
NAMES = list(METRICS)


class Drawn(BaseEstimator):
    """Predicts random scores, others after each fit; X has one column, the number of each row."""

    def __init__(self, seed=0, is_sparse=False):
        self.seed = seed
        self.is_sparse = is_sparse

    def fit(self, X, y):
        """Remember which rows it was fitted on."""
        self.shape_, self.fitted_ = y.shape, int((X[:, 0] ** 2).sum())
        return self

    def _draw(self, X):
        rng = np.random.default_rng([self.seed, self.fitted_, *map(int, X[:, 0])])
        return rng.integers(0, 9, (len(X), self.shape_[1])) / 8

    def predict_proba(self, X):
        """Return scores with many ties and zeros."""
        return sparse.csr_array(self._draw(X)) if self.is_sparse else self._draw(X)

    def predict(self, X):
        """Return the labels with scores above a half."""
        labels = (self._draw(X) > 0.5).astype(int)
        return sparse.csr_array(labels) if self.is_sparse else labels


def pool_by_hand(learner, y, arguments, seed):
    """Return predicted labels and scores of all rows, by a loop over the folds of `split`."""
    rows, scores = np.arange(len(y))[:, None], np.empty(y.shape)
    for train, test in evenfold.split(y, **arguments, random_state=seed).folds():
        own = clone(learner).fit(rows[train], y[train]).predict_proba(rows[test])
        scores[test] = own.toarray() if learner.is_sparse else own
    return (scores > 0.5).astype(int), scores


@given(
    st.integers(0, 10_000),
    st.integers(2, 5),
    st.sampled_from(["even", "random", "iterative"]),
    st.booleans(),
    st.booleans(),
    st.sampled_from([None, 2, 4]),
)
@settings(max_examples=20, deadline=None)
def test_pooled_values_equal_the_direct_computation(
    seed, n_folds, method, has_sparse_y, is_sparse, n_together
):
    """Every metric of out-of-fold predictions, of all rows at once, averaged over repeats.

    For dense and sparse labels and predictions, with groups and without.
    """
    rng = np.random.default_rng(seed)
    y = (rng.random((40, 4)) < [0.05, 0.2, 0.5, 0.9]).astype(int)
    groups = None if n_together is None else np.arange(40) // n_together
    arguments = {"parts": n_folds, "method": method, "groups": groups}
    learner = Drawn(seed, is_sparse)
    result = evenfold.evaluate(
        learner,
        np.arange(40)[:, None],
        sparse.csr_array(y) if has_sparse_y else y,
        n_folds,
        methods=[method],
        groups=groups,
        repeats=3,
        random_state=seed,
        metrics=NAMES,
        undefined="skip",
        n_samples=0,
        keep_predictions=True,
    )
    by_hand = [pool_by_hand(learner, y, arguments, seed + repeat) for repeat in range(3)]
    for kept, (_, scores) in zip(result.estimates[0].predictions, by_hand, strict=True):
        own = kept.scores.toarray() if is_sparse else kept.scores
        np.testing.assert_array_equal(own, scores)
    for name in NAMES:
        metric = METRICS[name]
        skip = {"undefined": "skip"} if "undefined" in _parameters(metric.function) else {}
        values = [
            float(metric.function(y, labels if metric.needs == "labels" else scores, **skip))
            for labels, scores in by_hand
        ]
        assert result.estimates[0].pooled(name) == pytest.approx(
            np.mean(values), abs=1e-12, nan_ok=True
        ), name


def _parameters(function):
    import inspect

    return inspect.signature(function).parameters


def test_pooled_values_of_row_means_are_the_weighted_mean_over_folds():
    """Hamming loss of all rows is that of the folds, weighted by their rows."""
    result = evenfold.evaluate(KNN, X, Y, 7, methods=["even"], repeats=1)
    sizes = evenfold.split(Y, 7).sizes
    estimate = result.estimates[0]
    assert estimate.pooled("hamming_loss") == pytest.approx(
        np.average(estimate.values[0, :, 0], weights=sizes)
    )


def test_intervals_are_those_of_resampled_rows():
    """A metric without a resampling of its own is computed on repeated rows, with the same result.

    The interval has the 2.5 and 97.5 percentiles of the means over repeats, around the estimate.
    """
    own = Metric(METRICS["f1_macro"].function, "labels", True)
    result = evenfold.evaluate(
        KNN,
        X,
        Y,
        3,
        methods=["even"],
        repeats=2,
        metrics={"named": METRICS["f1_macro"], "own": own},
        keep_predictions=True,
        n_samples=40,
    )
    estimate = result.estimates[0]
    assert estimate.interval("named") == pytest.approx(estimate.interval("own"), abs=1e-12)
    counts = draw_counts(90, None, 40, 0)
    assert counts.sum(axis=0).tolist() == [90] * 40
    by_hand = [
        np.mean(
            [
                evenfold.metrics.f1_score(
                    np.repeat(Y, drawn, axis=0),
                    np.repeat(own.labels, drawn, axis=0),
                    average="macro",
                )
                for own in estimate.predictions
            ]
        )
        for drawn in counts.T
    ]
    low, high = estimate.interval("own")
    around = np.array(by_hand) - np.mean(by_hand) + estimate.pooled("own")
    assert (low, high) == pytest.approx(tuple(np.percentile(around, [2.5, 97.5])))
    assert low < estimate.pooled("own") < high


def test_groups_are_resampled_whole():
    """All rows of a group are drawn equally often."""
    group_of_row = np.arange(60) // 4
    counts = draw_counts(60, group_of_row, 30, 5)
    assert (counts.reshape(15, 4, 30) == counts.reshape(15, 4, 30)[:, :1]).all()
    assert counts[::4].sum(axis=0).tolist() == [15] * 30
    arguments = {"methods": ["even"], "repeats": 1, "metrics": ["hamming_loss"]}
    twins = {"X": np.repeat(X, 4, axis=0), "y": np.repeat(Y, 4, axis=0)}
    rows, groups = (
        evenfold.evaluate(KNN, **twins, parts=3, groups=own, **arguments).estimates[0]
        for own in (np.arange(360), np.arange(360) // 4)
    )
    widths = [np.diff(own.interval("hamming_loss"))[0] for own in (rows, groups)]
    assert widths[1] > 1.5 * widths[0]


def test_no_samples_give_no_interval():
    """The estimate is there, and tables show no half width."""
    result = evenfold.evaluate(KNN, X, Y, 3, methods=["even"], repeats=1, n_samples=0)
    assert np.isnan(result.estimates[0].interval("hamming_loss")).all()
    assert result.estimates[0].pooled("hamming_loss") > 0
    assert result.to_dict()["estimates"][0]["pooled_low"] is None


@pytest.mark.parametrize(
    ("parts", "title"),
    [
        ([0.75, 0.25], "train/test of 90 rows"),
        ([60, 10, 20], "train/val/test of 90 rows"),
        ({"fit": 0.4, "unused": 0.3, "left": 0.1, "judge": 0.2}, "fit/unused/left/judge of 90"),
    ],
)
def test_sizes_of_few_parts_are_those_of_train_and_test(parts, title):
    """The learner is fitted on the first part and scored on the last, as by hand."""
    result = evenfold.evaluate(
        KNN, X, Y, parts, methods=["even", "random"], repeats=2, metrics=["hamming_loss"]
    )
    assert result.title().startswith(title)
    for method in ("even", "random"):
        by_hand = []
        for seed in (0, 1):
            split = evenfold.split(Y, parts, method=method, random_state=seed)
            train, test = split[split.names[0]], split[split.names[-1]]
            predicted = KNN.fit(X[train], Y[train]).predict(X[test])
            by_hand.append(evenfold.metrics.hamming_loss(Y[test], predicted))
        estimate = result.estimates[0] if method == "even" else result.estimates[1]
        np.testing.assert_array_equal(estimate.values[:, 0, 0], by_hand)
        assert estimate.pooled("hamming_loss") == estimate.mean("hamming_loss")
        assert np.isnan(estimate.std("hamming_loss"))
    assert "over folds" not in str(result)
    assert "mean ± std over repeats" in str(result)


def test_many_sizes_are_those_of_folds():
    """Each of four unequal folds is the test part once."""
    sizes = [30, 25, 20, 15]
    result = evenfold.evaluate(KNN, X, Y, sizes, methods=["even"], repeats=1, keep_predictions=True)
    [prediction] = result.estimates[0].predictions
    assert np.bincount(prediction.fold).tolist() == sizes
    assert prediction.rows.tolist() == list(range(90))


def test_a_holdout_is_scored_by_learners_of_all_folds():
    """The folds are those of `split` with a holdout; the holdout is in none of them."""
    result = evenfold.evaluate(
        KNN, X, Y, 4, holdout=0.2, methods=["even"], repeats=1, keep_predictions=True
    )
    split = evenfold.split(Y, 4, holdout=0.2)
    test = split["test"]
    train = np.setdiff1d(np.arange(90), test)
    predicted = KNN.fit(X[train], Y[train]).predict(X[test])
    estimate = result.estimates[0]
    assert estimate.holdout("hamming_loss") == evenfold.metrics.hamming_loss(Y[test], predicted)
    low, high = estimate.holdout_interval("hamming_loss")
    assert low < estimate.holdout("hamming_loss") < high
    assert estimate.values.shape[1] == 4
    np.testing.assert_array_equal(estimate.predictions[0].rows, train)
    assert "holdout ± half of the 95 % interval" in str(result)
    assert "4 folds and a holdout of 90 rows" in str(result)


def test_balance_and_order_reach_the_split():
    """The folds are those of `split` with the same arguments."""
    balance = {"age": X[:, 3]}
    for arguments in ({"balance": balance}, {"order": 1}, {"order": 2, "balance": balance}):
        result = evenfold.evaluate(
            KNN, X, Y, 3, methods=["even"], repeats=1, keep_predictions=True, **arguments
        )
        split = evenfold.split(Y, 3, **arguments)
        np.testing.assert_array_equal(result.estimates[0].predictions[0].fold, split.part_of_row)


def test_orders_of_ties_have_names_in_evaluations(tmp_path):
    """The random order is the same each time, with a cache and with several jobs."""
    names = [name for name in NAMES if name.endswith("_ties")]
    assert names == [
        "ranking_loss_average_ties",
        "ranking_loss_random_ties",
        "one_error_worst_ties",
        "one_error_random_ties",
        "coverage_average_ties",
        "coverage_random_ties",
    ]
    arguments = {"methods": ["even"], "repeats": 2, "parts": 3, "metrics": names}
    once, written, read, jobs = (
        evenfold.evaluate(KNN, X, Y, **arguments, **more).to_dict()
        for more in ({}, {"cache": tmp_path}, {"cache": tmp_path}, {"n_jobs": 2})
    )
    assert once == written == read == jobs
    worst = evenfold.evaluate(KNN, X, Y, **{**arguments, "metrics": ["ranking_loss"]})
    average, drawn = (own["pooled"] for own in once["estimates"][:2])
    assert average < worst.estimates[0].pooled("ranking_loss")
    assert drawn != average

"""evaluate: learners on the folds of several methods."""

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from scipy import sparse
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.multioutput import MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import evenfold
from evenfold.metrics import Metric

from .counting import KNN, Counting, X, Y


def test_values_equal_those_of_a_loop_by_hand():
    """Folds are those of `split`, values those of scikit-learn, std is averaged over repeats."""
    result = evenfold.evaluate(
        {"knn": KNN}, X, Y, 5, methods=["random", "even"], repeats=2, random_state=7
    )
    for method in ("random", "even"):
        by_repeat = []
        for seed in (7, 8):
            by_fold = []
            for train, test in evenfold.split(Y, 5, method=method, random_state=seed).folds():
                learner = KNeighborsClassifier(3).fit(X[train], Y[train])
                scores = np.column_stack([own[:, 1] for own in learner.predict_proba(X[test])])
                truth, predicted = Y[test], learner.predict(X[test])
                by_fold.append(
                    [
                        sklearn.metrics.hamming_loss(truth, predicted),
                        sklearn.metrics.accuracy_score(truth, predicted),
                        sklearn.metrics.coverage_error(truth, scores) - truth.any(axis=1).mean(),
                        sklearn.metrics.label_ranking_loss(truth, scores),
                        sklearn.metrics.average_precision_score(truth, scores),
                        sklearn.metrics.roc_auc_score(truth, scores, average="micro"),
                    ]
                )
            by_repeat.append(by_fold)
        values = np.array(by_repeat)
        estimate = result["knn", method]
        np.testing.assert_allclose(estimate.values, values, rtol=0, atol=1e-12)
        stds = values.std(axis=1, ddof=1)
        for at, metric in enumerate(result.metrics):
            assert estimate.mean(metric) == pytest.approx(values[:, :, at].mean())
            assert estimate.std(metric) == pytest.approx(stds[:, at].mean())
            assert estimate.std_error(metric) == pytest.approx(abs(stds[0, at] - stds[1, at]) / 2)
            assert estimate.mean_spread(metric) == pytest.approx(
                values.mean(axis=1)[:, at].std(ddof=1)
            )
            low, high = estimate.std_interval(metric)
            assert (high - low) / 2 == pytest.approx(
                12.7062 * estimate.std_error(metric), rel=1e-4
            )  # Student's t of one degree of freedom
    assert result.metrics == [
        "hamming_loss",
        "subset_accuracy",
        "coverage",
        "ranking_loss",
        "mean_average_precision",
        "roc_auc_micro",
    ]


def test_default_methods_are_those_of_the_paper_and_even():
    """Sechidis et al. (2011) compare random, labelset and iterative."""
    assert evenfold.evaluate(DummyClassifier(), X, Y, 2, repeats=1).methods == [
        "random",
        "labelset",
        "iterative",
        "even",
    ]


def test_a_learner_that_fails_loses_only_its_own_repeats(tmp_path):
    """Its error is shown, the other learners are complete, and the cache has no errors."""
    learners = {"failing": Counting(fails_from=3), "knn": KNN}
    result = evenfold.evaluate(
        learners,
        X,
        Y,
        2,
        methods=["random", "even"],
        repeats=2,
        metrics=["hamming_loss"],
        cache=tmp_path,
    )
    assert [result["failing", method].n_repeats for method in ("random", "even")] == [1, 0]
    assert result["failing", "even"].errors == ["RuntimeError: no more than 3"] * 2
    assert np.isnan(result["failing", "even"].std("hamming_loss"))
    assert np.isnan(result["failing", "random"].std_error("hamming_loss"))
    alone = evenfold.evaluate(
        {"knn": KNN}, X, Y, 2, methods=["random", "even"], repeats=2, metrics=["hamming_loss"]
    )
    for estimate in alone:
        np.testing.assert_array_equal(estimate.values, result["knn", estimate.method].values)
    assert (
        "failing, random: failed in 1 of 2 repeats, first with RuntimeError: no more than 3"
        in str(result)
    )
    assert len(list(tmp_path.iterdir())) == 5


def test_scores_are_read_from_all_kinds_of_learners():
    """Learners give lists of classes, one table, only decisions, or no scores."""
    rare = np.column_stack((Y[:, 0], np.zeros(90, int), np.ones(90, int), np.arange(90) == 4))
    metrics = ["ranking_loss", "log_loss", "hamming_loss"]
    learners = {
        "list": DummyClassifier(),
        "several": MultiOutputClassifier(DummyClassifier()),
        "decisions": RidgeClassifier(),
        "none": Counting(),
    }
    result = evenfold.evaluate(learners, X, rare, 3, methods=["random"], repeats=1, metrics=metrics)
    folds = list(evenfold.split(rare, 3, method="random").folds())
    for fold, (train, test) in enumerate(folds):
        prior = np.tile(rare[train].mean(axis=0), (len(test), 1))
        expected = [
            evenfold.metrics.ranking_loss(rare[test], prior),
            evenfold.metrics.log_loss(rare[test], prior),
        ]
        for name in ("list", "several"):
            np.testing.assert_allclose(result[name, "random"].values[0, fold, :2], expected)
    decisions = [
        RidgeClassifier().fit(X[train], rare[train]).decision_function(X[test])
        for train, test in folds
    ]
    by_hand = [
        evenfold.metrics.ranking_loss(rare[test], own)
        for (_, test), own in zip(folds, decisions, strict=True)
    ]
    np.testing.assert_allclose(result["decisions", "random"].values[0, :, 0], by_hand)
    assert [result["decisions", "random"].n_undefined(metric) for metric in metrics] == [0, 3, 0]
    assert [result["none", "random"].n_undefined(metric) for metric in metrics] == [3, 3, 0]


def test_a_single_label_is_a_table_of_one_column():
    """Classes of a single label are not taken for two labels."""
    y = Y[:, [0]]
    tree = DecisionTreeClassifier(random_state=0)
    result = evenfold.evaluate(
        {"tree": tree},
        X,
        y,
        2,
        methods=["random"],
        repeats=1,
        metrics=["hamming_loss", "roc_auc_micro"],
    )
    for fold, (train, test) in enumerate(evenfold.split(y, 2, method="random").folds()):
        score = tree.fit(X[train], y[train]).predict_proba(X[test])[:, 1]
        assert result["tree", "random"].values[0, fold, 1] == pytest.approx(
            sklearn.metrics.roc_auc_score(y[test], score)
        )


def test_every_form_of_labels_and_rows_gives_the_same():
    """Labels may be sparse or lists, rows may be frames, sparse or lists."""
    lists = [[f"label {at}" for at in np.flatnonzero(row)] for row in Y]
    results = [
        evenfold.evaluate(
            {"own": Counting()}, X, y, 3, methods=["even"], repeats=1, metrics=["f1_macro"]
        )
        for y in (Y, sparse.coo_array(Y), lists)
    ]
    for result in results[1:]:
        np.testing.assert_array_equal(result.estimates[0].values, results[0].estimates[0].values)
    frame = pd.DataFrame(X, columns=list("abcd"))
    arguments = {"methods": ["random"], "repeats": 1, "parts": 3}
    of_frame, of_array, of_sparse, of_lists = (
        evenfold.evaluate(KNN, rows, Y, **arguments)
        for rows in (frame, X, sparse.coo_array(X), X.tolist())
    )
    for other in (of_frame, of_sparse, of_lists):
        np.testing.assert_allclose(other.estimates[0].values, of_array.estimates[0].values)


def test_groups_stay_whole():
    """The folds are those of `split` with groups."""
    groups = np.arange(90) // 6
    result = evenfold.evaluate(
        KNN, X, Y, 3, methods=["even"], repeats=1, metrics=["hamming_loss"], groups=groups
    )
    for fold, (train, test) in enumerate(evenfold.split(Y, 3, groups=groups).folds()):
        predicted = KNN.fit(X[train], Y[train]).predict(X[test])
        assert result.estimates[0].values[0, fold, 0] == pytest.approx(
            sklearn.metrics.hamming_loss(Y[test], predicted)
        )
    assert "3 folds of 90 rows in 15 groups" in str(result)


def test_undefined_folds_are_counted_or_skipped():
    """A label of one row is undefined on the other folds; the mean is NaN, or leaves it out."""
    rare = np.column_stack((Y, np.arange(90) == 4))
    arguments = {
        "methods": ["random"],
        "repeats": 2,
        "parts": 3,
        "metrics": ["mean_average_precision", "hamming_loss"],
    }
    plain, skipped = (
        evenfold.evaluate({"knn": KNN}, X, rare, undefined=undefined, **arguments)
        for undefined in (np.nan, "skip")
    )
    assert plain["knn", "random"].n_undefined("mean_average_precision") == 4
    assert np.isnan(plain["knn", "random"].mean("mean_average_precision"))
    assert np.isnan(plain["knn", "random"].std("mean_average_precision"))
    assert "knn, random: no mean_average_precision on 4 of 6 folds." in str(plain)
    assert skipped["knn", "random"].n_undefined("mean_average_precision") == 0
    assert 0 < skipped["knn", "random"].mean("mean_average_precision") < 1
    assert plain["knn", "random"].mean("hamming_loss") == skipped["knn", "random"].mean(
        "hamming_loss"
    )


def test_metrics_may_be_functions_of_the_user():
    """They are passed as a mapping from a name to a Metric."""
    n_rows = Metric(lambda truth, predicted: float(len(truth)), "labels", True)
    result = evenfold.evaluate(
        Counting(), X, Y, 4, methods=["random"], repeats=1, metrics={"rows": n_rows}
    )
    assert result.estimates[0].values[0, :, 0].sum() == 90


def test_learners_may_be_names():
    """Names give the learners of `make_learner`; estimators in a list have their repr as title."""
    arguments = {"methods": ["random"], "repeats": 1, "parts": 2}
    learners = ["br:tree", DummyClassifier(strategy="uniform")]
    by_name = evenfold.evaluate(learners, X, Y, **arguments)
    assert by_name.learners == ["br:tree", "DummyClassifier(strategy='uniform')"]
    made = evenfold.evaluate({"br:tree": evenfold.learn.make_learner("br:tree")}, X, Y, **arguments)
    np.testing.assert_array_equal(
        made["br:tree", "random"].values, by_name["br:tree", "random"].values
    )
    assert evenfold.evaluate("br:tree", X, Y, **arguments).learners == ["br:tree"]

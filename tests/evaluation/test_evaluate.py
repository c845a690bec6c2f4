"""evaluate: learners on the folds of several methods."""

import re

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.dummy import DummyClassifier
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import RidgeClassifier
from sklearn.multioutput import ClassifierChain, MultiOutputClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import evenfold
from evenfold.metrics import METRICS, Metric

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = (X[:, [0, 1, 2]] + 0.5 * RNG.normal(size=(90, 3)) > 0.4).astype(int)
KNN = KNeighborsClassifier(3)


class Counting(BaseEstimator):
    """Predicts that every row holds every label; counts how often it was fitted, and fails where told."""

    n_fits = 0

    def __init__(self, tag="", fails_from=None):
        self.tag = tag
        self.fails_from = fails_from

    def fit(self, X, y):
        """Count."""
        Counting.n_fits += 1
        if self.fails_from is not None and Counting.n_fits >= self.fails_from:
            raise RuntimeError(f"no more\nthan {self.fails_from}")
        self.shape_ = y.shape
        self.is_sparse_ = sparse.issparse(y)
        return self

    def predict(self, X):
        """Return ones, in the form the labels came in."""
        return (
            sparse.csr_array(np.ones((len(X), self.shape_[1])))
            if self.is_sparse_
            else np.ones((len(X), self.shape_[1]))
        )


@pytest.fixture(autouse=True)
def _start_counting():
    Counting.n_fits = 0


def test_figures_are_those_of_a_loop_by_hand():
    """The folds of `split`, a clone fitted on each, scikit-learn's metrics; std over folds, averaged over repeats."""
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


def test_the_usual_methods_are_those_of_the_paper_and_even():
    """As the issue of the variance of estimates was raised."""
    assert evenfold.evaluate(DummyClassifier(), X, Y, 2, repeats=1).methods == [
        "random",
        "labelset",
        "iterative",
        "even",
    ]


def test_the_result_does_not_depend_on_the_number_of_jobs():
    """Nor on the day: learners without a seed get one."""
    learners = {
        "forest": RandomForestClassifier(3),
        "chain": ClassifierChain(DecisionTreeClassifier(max_features=1), order="random"),
    }
    once, again, other = (
        evenfold.evaluate(
            learners,
            X,
            Y,
            3,
            methods=["random", "even"],
            repeats=2,
            n_jobs=n_jobs,
            random_state=seed,
        )
        for n_jobs, seed in ((1, 0), (2, 0), (1, 5))
    )
    for estimate in once:
        np.testing.assert_array_equal(
            estimate.values, again[estimate.learner, estimate.method].values
        )
    assert once["forest", "even"].mean("coverage") != other["forest", "even"].mean("coverage")


def test_a_seed_of_the_learners_own_is_kept():
    """What the user set is what is fitted."""
    forests = {seed: RandomForestClassifier(2, random_state=seed) for seed in (1, 2)}
    result = evenfold.evaluate(
        {"a": forests[1], "b": clone_of(forests[1]), "c": forests[2]},
        X,
        Y,
        3,
        methods=["random"],
        repeats=1,
    )
    a, b, c = (result[name, "random"].values for name in "abc")
    np.testing.assert_array_equal(a, b)
    assert (a != c).any()


def clone_of(learner):
    """Return an unfitted copy."""
    from sklearn.base import clone

    return clone(learner)


def test_an_interrupted_evaluation_does_only_what_is_missing(tmp_path):
    """Whole runs are kept: of 24 folds 11 were fitted, which is 2 runs of 4 and a part of the third."""
    arguments = {
        "parts": 4,
        "methods": ["random", "even"],
        "repeats": 3,
        "metrics": ["hamming_loss"],
        "cache": tmp_path / "kept",
    }
    told = []

    def stop(share):
        told.append(share)
        if len(told) == 11:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evenfold.evaluate(Counting(), X, Y, progress=stop, **arguments)
    assert Counting.n_fits == 11
    assert len(list((tmp_path / "kept").iterdir())) == 2

    shares = []
    resumed = evenfold.evaluate(Counting(), X, Y, progress=shares.append, **arguments)
    assert Counting.n_fits == 11 + 16
    assert shares == [pytest.approx(number / 24) for number in range(9, 25)]
    whole = evenfold.evaluate(Counting(), X, Y, **{**arguments, "cache": None})
    for estimate in whole:
        np.testing.assert_array_equal(
            estimate.values, resumed[estimate.learner, estimate.method].values
        )

    fitted = Counting.n_fits
    evenfold.evaluate({"of another name": Counting()}, X, Y, **arguments)
    assert Counting.n_fits == fitted
    evenfold.evaluate(Counting(), X, Y, **{**arguments, "repeats": 4})
    assert Counting.n_fits == fitted + 8


@pytest.mark.parametrize(
    "change",
    [
        {"learners": Counting(tag="another parameter")},
        {"X": X + 1},
        {"y": 1 - Y},
        {"y": np.column_stack((Y, np.zeros(90, int)))},
        {"y": sparse.csr_array(Y)},
        {"parts": 3},
        {"methods": [evenfold.methods.Random(tries=2)]},
        {"metrics": ["hamming_loss", "recall_macro"]},
        {"metrics": {"recall_macro": METRICS["hamming_loss"]}},
        {"undefined": "skip"},
        {"random_state": 1},
        {"groups": np.arange(90) // 2},
    ],
)
def test_what_depends_on_something_else_is_not_taken_from_the_cache(tmp_path, change):
    """Learner and parameters, data, folds, method, metrics, seed, groups."""
    arguments = {
        "learners": Counting(),
        "X": X,
        "y": Y,
        "parts": 2,
        "methods": ["random"],
        "repeats": 1,
        "metrics": ["recall_macro"],
    }
    evenfold.evaluate(**arguments, cache=tmp_path)
    before = Counting.n_fits
    evenfold.evaluate(**arguments, cache=tmp_path)
    assert Counting.n_fits == before
    changed = {**arguments, **change}
    evenfold.evaluate(**changed, cache=tmp_path)
    assert Counting.n_fits == before + changed["parts"]


@pytest.mark.parametrize(
    "content", [b"", b"{}", b'{"of": {}, "folds": [[1]]}', b'{"of": 1, "folds": 3}', b"[]"]
)
def test_a_damaged_file_of_the_cache_is_made_again(tmp_path, content):
    """It is not taken for a result."""
    arguments = {
        "parts": 2,
        "methods": ["random"],
        "repeats": 1,
        "metrics": ["hamming_loss", "f1_macro"],
        "cache": tmp_path,
    }
    first = evenfold.evaluate(Counting(), X, np.column_stack((Y, np.zeros(90))), **arguments)
    [file] = tmp_path.iterdir()
    good = file.read_bytes()
    file.write_bytes(content)
    again = evenfold.evaluate(Counting(), X, np.column_stack((Y, np.zeros(90))), **arguments)
    assert Counting.n_fits == 4
    assert file.read_bytes() == good
    np.testing.assert_array_equal(first.estimates[0].values, again.estimates[0].values)
    assert np.isnan(again.estimates[0].mean("f1_macro"))


def test_a_learner_that_fails_loses_only_its_own_repeats(tmp_path):
    """Its error is kept and shown; the others are whole; and nothing wrong is in the cache."""
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


def test_learners_that_give_scores_in_other_ways():
    """A list of classes for each label, some never seen in training; one table; decisions only; none at all."""
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
    """Whatever the learner makes of it."""
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


def test_sparse_labels_reach_the_learner_sparse_and_others_dense():
    """Label lists too; frames keep the names of their features."""
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
    """As in split."""
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


def test_undefined_folds_are_counted_or_treated_as_told():
    """A label of one row is in one fold; the mean is NaN, or that of the others."""
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


def test_a_metric_of_the_users_own():
    """A mapping from a name to a Metric."""
    n_rows = Metric(lambda truth, predicted: float(len(truth)), "labels", True)
    result = evenfold.evaluate(
        Counting(), X, Y, 4, methods=["random"], repeats=1, metrics={"rows": n_rows}
    )
    assert result.estimates[0].values[0, :, 0].sum() == 90


def test_learners_by_name():
    """Names are made into learners by evenfold.learn, seeded like others; estimators in a list are called what they show."""
    arguments = {"methods": ["random"], "repeats": 1, "parts": 2}
    learners = ["br:tree", DummyClassifier(strategy="uniform")]
    by_name = evenfold.evaluate(learners, X, Y, **arguments)
    assert by_name.learners == ["br:tree", "DummyClassifier(strategy='uniform')"]
    made = evenfold.evaluate({"br:tree": evenfold.learn.make_learner("br:tree")}, X, Y, **arguments)
    np.testing.assert_array_equal(
        made["br:tree", "random"].values, by_name["br:tree", "random"].values
    )
    assert evenfold.evaluate("br:tree", X, Y, **arguments).learners == ["br:tree"]


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            {"learners": [KNeighborsClassifier]},
            TypeError,
            "'learners' must be names or scikit-learn estimators, got the class KNeighborsClassifier.",
        ),
        (
            {"learners": [3]},
            TypeError,
            "'learners' must be names or scikit-learn estimators, got a int.",
        ),
        (
            {"learners": 3},
            TypeError,
            "'learners' must be a list of learners, or a mapping from title to learner, got int.",
        ),
        (
            {"learners": []},
            ValueError,
            "'learners' must name at least one learner, got none. Try learners=['br:random-forest'].",
        ),
        (
            {"learners": [KNN, KNN]},
            ValueError,
            "'learners' must differ, got 'KNeighborsClassifier(n_neighbors=3)' twice.",
        ),
        ({"metrics": ["hamming"]}, ValueError, "got 'hamming'. Did you mean 'hamming_loss'?"),
        ({"metrics": []}, ValueError, "'metrics' must name at least one metric, got none."),
        (
            {"metrics": {"own": len}},
            TypeError,
            "'metrics' must be names, or a mapping from name to evenfold.metrics.Metric, got <built-in",
        ),
        (
            {"undefined": "drop"},
            ValueError,
            "'undefined' must be a number, NaN included, or 'skip', got 'drop'.",
        ),
        ({"methods": ["evem"]}, ValueError, "got 'evem'. Did you mean 'even'?"),
        ({"repeats": 0}, ValueError, "'repeats' must be 1 or more, got 0."),
        (
            {"parts": 1},
            ValueError,
            "'parts' must be a number of folds from 2 to the 90 rows, got 1.",
        ),
        (
            {"parts": [0.5, 0.5]},
            ValueError,
            "'parts' must be a number of folds from 2 to the 90 rows, got [0.5, 0.5].",
        ),
        ({"X": X[:50]}, ValueError, "'X' must have the 90 rows of 'y', got 50."),
        ({"X": X[:, 0]}, ValueError, "'X' must have two dimensions, rows × features, got 1."),
        (
            {"y": np.where(Y, 1.0, np.nan)},
            ValueError,
            "'y' must be known throughout, got 174 unknown entries (NaN).",
        ),
    ],
)
def test_what_cannot_be_meant_is_refused(change, error, message):
    """In words that say what to do."""
    with pytest.raises(error, match=re.escape(message)):
        evenfold.evaluate(**{"learners": KNN, "X": X, "y": Y, **change})


def test_a_cache_that_cannot_be_used_is_refused(tmp_path):
    """A file, or a learner that has no fingerprint."""
    file = tmp_path / "file"
    file.write_text("")
    with pytest.raises(
        ValueError, match=r"'cache' must be a folder, got the file .*file\. Name another\."
    ):
        evenfold.evaluate(KNN, X, Y, cache=file)
    with pytest.raises(
        ValueError, match=r"'cache' needs learners and data that can be pickled, got .*lambda"
    ):
        evenfold.evaluate(Counting(tag=lambda: 0), X, Y, cache=tmp_path)

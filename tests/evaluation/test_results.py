"""Evaluation: its tables, ranks and plain data."""

import json

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import evenfold
from evenfold.evaluation import Estimate, Evaluation, average_ranks


def make_evaluation(std_of_method, learner="clr", metrics=("loss",), mean=0.5):
    """Return an evaluation of two folds with the given std: method → one std per metric."""
    estimates = []
    for method, stds in std_of_method.items():
        folds = mean + np.array([[0.0] * len(stds), [std * np.sqrt(2) for std in stds]])
        estimates.append(Estimate(learner, method, metrics, folds[None], []))
    return Evaluation(
        {"rows": 4, "labels": 2, "features": 1, "parts": 2, "repeats": 1, "groups": None}, estimates
    )


@pytest.fixture(scope="module")
def result():
    """Return an evaluation of two learners, four methods and six metrics, one undefined."""
    rng = np.random.default_rng(0)
    y = np.column_stack((rng.random((60, 4)) < 0.3, np.arange(60) == 1))
    metrics = [
        "hamming_loss",
        "coverage",
        "mean_average_precision",
        "label_ranking_average_precision",
        "roc_auc_micro",
        "precision_samples",
    ]
    learners = {
        "the prior <b>of every label</b>, by a very long name": DummyClassifier(),
        "uniform": DummyClassifier(strategy="uniform"),
    }
    return evenfold.evaluate(learners, np.zeros((60, 1)), y, 3, repeats=2, metrics=metrics)


def test_average_ranks_are_those_of_table_5():
    """Ranks of published standard deviations equal the published ranks (Sechidis et al. 2011).

    MAP counts only for data on which all methods have one.
    """
    nan = np.nan
    published = {  # set: R, L, I, each micro-AUC and MAP
        "scene": [(0.0082, 0.0242), (0.0062, 0.0218), (0.0083, 0.0232)],
        "emotions": [(0.0225, 0.0500), (0.0202, 0.0371), (0.0221, 0.0432)],
        "genbase": [(0.0083, nan), (0.0064, nan), (0.0063, nan)],
        "yeast": [(0.0095, nan), (0.0058, 0.0134), (0.0059, 0.0254)],
        "medical": [(0.0100, nan), (0.0073, nan), (0.0052, nan)],
    }
    evaluations = [
        make_evaluation(dict(zip("RLI", stds, strict=True)), metrics=("auc", "map"))
        for stds in published.values()
    ]
    ranks = average_ranks(evaluations)
    assert ranks["auc"] == pytest.approx({"R": 2.8, "L": 1.4, "I": 1.8})
    assert ranks["map"] == pytest.approx({"R": 3.0, "L": 1.0, "I": 2.0})
    assert all(np.isnan(rank) for rank in evaluations[3].average_ranks()["map"].values())


def test_equal_stds_share_their_ranks():
    """Each has the mean of the ranks that they take."""
    assert make_evaluation({"a": [0.25], "b": [0.5], "c": [0.25]}).ranks("clr", "loss") == {
        "a": 1.5,
        "b": 3.0,
        "c": 1.5,
    }


def test_an_evaluation_prints_within_eighty_columns(result):
    """Tables have three metrics each; long names are shortened, undefined metrics noted."""
    text = str(result)
    tables = text.split("\n\n")
    assert max(map(len, "\n\n".join(tables[:-1]).splitlines())) <= 80
    assert tables[0] == "3 folds of 60 rows, 5 labels, 2 repeats"
    assert len(tables) == 1 + 2 * 2 + 2 * 2 + 2 * 2 + 2 + 1
    assert tables[1].splitlines()[1].split() == ["hamming", "loss", "coverage", "MAP"]
    assert [line.split()[0] for line in tables[1].splitlines()[2:]] == [
        "random",
        "labelset",
        "iterative",
        "even",
    ]
    assert tables[5].splitlines()[2].split()[-1] == "-"
    assert "uniform, to report: pooled ± half of the 95 % interval" in text
    assert "uniform, to compare splits: mean ± std over folds" in text
    assert "uniform, std over folds ± its standard error" in text
    assert tables[-2].splitlines()[0] == "average rank of the std over folds; 1 is the lowest"
    assert (
        "uniform, even: no mean_average_precision on 4, no precision_samples on 2 of 6 folds."
        in tables[-1]
    )


def test_numbers_are_shown_to_three_digits_of_the_std():
    """Mean and std have the same number of decimals."""
    assert "0.5088 ± 0.0124" in str(make_evaluation({"a": [0.0124], "b": [0.0125]}))
    assert "218.6 ± 12.4" in str(make_evaluation({"a": [12.4], "b": [12.5]}, mean=209.8))
    assert "\na   0.5\n" in str(make_evaluation({"a": [0.0], "b": [0.0]}))


def test_one_method_has_no_rank_and_one_repeat_no_error():
    """Tables without content are left out."""
    text = str(make_evaluation({"a": [0.5]}))
    assert "rank" not in text
    assert "standard error" not in text


def test_an_evaluation_becomes_plain_data(result):
    """It is valid JSON, undefined values are null, and numbers are those of the estimates."""
    read = json.loads(json.dumps(result.to_dict(), allow_nan=False))
    assert read["rows"] == 60
    assert len(read["estimates"]) == 2 * 4 * 6
    first = read["estimates"][0]
    estimate = result.estimates[0]
    assert (first["learner"], first["method"], first["metric"]) == (
        estimate.learner,
        "random",
        "hamming_loss",
    )
    assert first["mean"] == estimate.mean("hamming_loss")
    assert (first["std_low"], first["std_high"]) == estimate.std_interval("hamming_loss")
    assert first["rank"] == result.ranks(estimate.learner, "hamming_loss")["random"]
    undefined = next(
        record for record in read["estimates"] if record["metric"] == "mean_average_precision"
    )
    assert undefined["mean"] is None
    assert undefined["undefined"] == 4
    assert read["average_ranks"]["mean_average_precision"]["even"] is None
    assert read["notes"] == result.notes()


@pytest.mark.parametrize("backend", ["pandas", "polars", "pyarrow"])
def test_an_evaluation_becomes_a_frame(result, backend):
    """It has one row for each learner, method and metric."""
    assert result.to_frame(backend).shape == (48, 20)
    with pytest.raises(
        evenfold.exceptions.InputError,
        match="'backend' must be one of pandas, polars, pyarrow, got 'dask'",
    ):
        result.to_frame("dask")


def test_titles_are_escaped_in_html(result):
    """A title with markup is shown as text."""
    html = result._repr_html_()
    assert "the prior &lt;b&gt;of every label" in html
    assert "<b>" not in html
    assert html.count("<caption>") == html.count("<table>") == 14


def test_unknown_keys_are_refused(result):
    """The message lists the learners, methods and metrics there are."""
    with pytest.raises(
        KeyError,
        match=r"\('uniform', 'evan'\) was not evaluated\. Learners: .*uniform; "
        "methods: random, labelset, iterative, even",
    ):
        result["uniform", "evan"]
    with pytest.raises(KeyError, match=r"'log_loss' was not measured\. Metrics: hamming_loss, "):
        result["uniform", "even"].mean("log_loss")
    assert len(result) == 8
    assert repr(result).startswith("<Evaluation of the prior")

"""Metrics of resampled rows: the values of the metrics on repeated rows."""

import inspect

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from evenfold import metrics
from evenfold.exceptions import InputError
from evenfold.metrics import METRICS, Metric

from ..strategies import label_matrices


@st.composite
def predictions(draw):
    """Return true labels, predicted labels, scores with ties from 0 to 1, and counts of rows."""
    truth = draw(label_matrices(max_rows=12, max_labels=4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    predicted = np.where(rng.random(truth.shape) < 0.7, truth, rng.random(truth.shape) < 0.4)
    n_levels = draw(st.sampled_from([1, 2, 4, 1000]))
    scores = rng.integers(0, n_levels + 1, truth.shape) / n_levels
    most = draw(st.sampled_from([1, 3, 300]))
    counts = rng.integers(0, most, (len(truth), 5), endpoint=True)
    return truth, predicted.astype(int), scores, counts


def repeat_rows(function, truth, given_values, counts, **keywords):
    """Return the values of a metric on repeated rows, NaN where a sample has no rows."""
    samples = [np.repeat(np.arange(len(truth)), count) for count in counts.T]
    return [
        function(truth[rows], given_values[rows], **keywords) if len(rows) else np.nan
        for rows in samples
    ]


@pytest.mark.parametrize("name", [name for name in METRICS if not name.endswith("_random_ties")])
@settings(max_examples=40, deadline=None)
@given(predictions(), st.sampled_from([np.nan, 0, 0.5, "skip"]), st.booleans())
def test_resampled_values_equal_those_of_repeated_rows(name, data, undefined, is_sparse):
    """Values agree to 1e-12, and NaN where the metric is NaN, for dense and sparse tables."""
    truth, predicted, scores, counts = data
    metric = METRICS[name]
    given_values = predicted if metric.needs == "labels" else scores
    takes_undefined = "undefined" in inspect.signature(metric.function).parameters
    assert takes_undefined == ("undefined" in inspect.signature(metric.resample).parameters)
    keywords = {"undefined": undefined} if takes_undefined else {}
    expected = repeat_rows(metric.function, truth, given_values, counts, **keywords)
    form = sparse.csr_array if is_sparse else np.asarray
    values = metric.resample(form(truth), form(given_values), counts, **keywords)
    assert values.dtype == np.float64
    np.testing.assert_allclose(values, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", METRICS)
def test_resampled_values_do_not_depend_on_blocks_or_types(name, monkeypatch):
    """Samples are computed in blocks, lists too; counts may be of any whole-number type."""
    rng = np.random.default_rng(0)
    truth, predicted = rng.integers(0, 2, (2, 40, 3))
    scores = rng.integers(0, 9, truth.shape) / 9
    counts = rng.integers(0, 4, (40, 11))
    metric = METRICS[name]
    given_values = predicted if metric.needs == "labels" else scores
    whole = metric.resample(truth, given_values, counts)
    for dtype in (np.uint8, np.int16, np.uint64):
        other = np.asfortranarray(counts, dtype)
        values = metric.resample(truth, given_values, other)
        np.testing.assert_allclose(values, whole, rtol=1e-13)
    monkeypatch.setattr("evenfold.metrics.ties.MAX_CELLS_PER_BLOCK", 50)
    monkeypatch.setattr("evenfold.metrics.ranked_lists._MAX_VALUES_AT_ONCE", 6)
    monkeypatch.setattr("evenfold.metrics.resampling.MAX_SAMPLES_AT_ONCE", 4)
    np.testing.assert_allclose(metric.resample(truth, given_values, counts), whole, rtol=1e-13)
    assert metric.resample(truth, given_values, counts[:, :0]).shape == (0,)


def test_metrics_that_compare_rows_change_with_the_scale_of_a_row():
    """Constants added to the scores of rows alter them, and no other metric of scores."""
    rng = np.random.default_rng(1)
    truth, scores = np.tile([[0, 1], [1, 0]], (15, 2)), rng.random((30, 4)) / 2
    shifted = scores + np.linspace(0, 0.5, 30)[:, None]
    for name, metric in METRICS.items():
        if metric.needs == "scores":
            is_same = np.isclose(metric.function(truth, scores), metric.function(truth, shifted))
            assert is_same != metric.compares_rows, name
        else:
            assert not metric.compares_rows, name


def test_own_metrics_need_neither_resampling_nor_comparisons():
    """Both fields may be left out."""
    metric = Metric(metrics.f1_score, "labels", True)
    assert metric.resample is None
    assert metric.compares_rows is False


@pytest.mark.parametrize("name", ["hamming_loss", "f1_macro", "f1_samples", "roc_auc_macro"])
@pytest.mark.parametrize(
    ("counts", "got"),
    [
        (np.ones((2, 5), int), r"2 × 5 of int64"),
        (np.ones((3, 5)), r"3 × 5 of float64"),
        (np.ones(3, int), r"3 of int64"),
        (np.array([[1], [-2], [0]]), r"-2\."),
    ],
)
def test_counts_must_be_whole_numbers_of_all_rows(name, counts, got):
    """The message has the shape and type, or the number below 0."""
    table = np.eye(3)
    with pytest.raises(
        InputError,
        match=rf"'counts' must be whole numbers of 0 or more, 3 rows × samples, got {got}",
    ):
        METRICS[name].resample(table, table, counts)


@pytest.mark.parametrize(
    "name", [name for name, metric in METRICS.items() if metric.values_of_rows is not None]
)
@pytest.mark.parametrize("is_sparse", [False, True])
def test_means_over_rows_are_exactly_the_metric(name, is_sparse):
    """So an evaluation may compute each row once, for folds, all rows and samples."""
    rng = np.random.default_rng(5)
    metric = METRICS[name]
    for n_rows in (1, 7, 90):
        truth = (rng.random((n_rows, 6)) < 0.4).astype(np.int64)
        given = rng.integers(0, 5, truth.shape) / 4
        given = (given > 0.5).astype(np.int64) if metric.needs == "labels" else given
        pair = [sparse.csr_array(own) if is_sparse else own for own in (truth, given)]
        values = metric.values_of_rows(*pair)
        assert values.shape == (n_rows,)
        assert float(values.mean()) == metric.function(*pair)

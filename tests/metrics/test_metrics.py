"""Values of metrics: worked examples, and those of scikit-learn on dense and sparse data."""

import functools

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import evenfold
from evenfold import metrics
from evenfold.metrics import METRICS, count_undefined

# The five rows of the lecture: four cells of twenty are wrong, in three rows.
TRUTH = np.array([[1, 0, 1, 0], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 1, 0], [1, 0, 0, 0]])
PREDICTED = np.array([[1, 0, 0, 1], [0, 1, 0, 1], [1, 0, 0, 1], [0, 1, 0, 0], [1, 0, 0, 1]])

FORMS = {
    "dense": lambda table: table,
    "lists": lambda table: table.tolist(),
    "csr": sparse.csr_array,
    "csc": sparse.csc_matrix,
    "coo": sparse.coo_array,
    "fortran": np.asfortranarray,
}


def in_forms(function, truth, given):
    """Return the value of a metric; check that it is the same for all forms of its arguments."""
    values = [
        function(own(truth), other(given)) for own in FORMS.values() for other in FORMS.values()
    ]
    for value in values:
        np.testing.assert_array_equal(value, values[0])
    return values[0]


def make_data(seed, n_rows=60, n_labels=7, n_levels=None, share=0.4):
    """Return true labels, predicted labels and probabilities; `n_levels` limits their values.

    Every row and every label has both 0 and 1, in the true and in the predicted labels.
    """
    rng = np.random.default_rng(seed)
    while True:
        tables = rng.random((2, n_rows, n_labels)) < share
        if all(
            table.sum(axis).min() > 0 and table.sum(axis).max() < table.shape[axis]
            for table in tables
            for axis in (0, 1)
        ):
            break
    scores = (
        rng.random((n_rows, n_labels))
        if n_levels is None
        else rng.integers(0, n_levels, (n_rows, n_labels)) / n_levels
    )
    return tables[0].astype(int), tables[1].astype(int), scores


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("hamming_loss", 0.20),
        ("zero_one_loss", 0.60),
        ("subset_accuracy", 0.40),
        # Rows share 1 of 3, 2 of 2, 2 of 2, 1 of 2, 1 of 2.
        ("jaccard_samples", (1 / 3 + 1 + 1 + 1 / 2 + 1 / 2) / 5),
        # 7 cells are both true and predicted, 9 true, 9 predicted.
        ("jaccard_micro", 7 / 11),
        ("precision_micro", 7 / 9),
        ("recall_micro", 7 / 9),
        ("f1_micro", 7 / 9),
        ("precision_samples", (1 / 2 + 1 + 1 + 1 + 1 / 2) / 5),
        ("recall_samples", (1 / 2 + 1 + 1 + 1 / 2 + 1) / 5),
        ("f1_samples", (1 / 2 + 1 + 1 + 2 / 3 + 2 / 3) / 5),
        # The third label is never predicted: precision is undefined, F1 is 0.
        ("precision_macro", np.nan),
        ("recall_macro", (1 + 1 + 0 + 1) / 4),
        ("f1_macro", (1 + 1 + 0 + 4 / 6) / 4),
        ("jaccard_macro", (1 + 1 + 0 + 2 / 4) / 4),
    ],
)
def test_values_equal_the_worked_example_of_the_lecture(name, value):
    """Hamming loss 0.20 and 0/1 loss 0.60 are the lecture's, the others computed by hand."""
    assert in_forms(METRICS[name].function, TRUTH, PREDICTED) == pytest.approx(
        value, abs=1e-15, nan_ok=True
    )


LABEL_METRICS = {
    "hamming_loss": (metrics.hamming_loss, sklearn.metrics.hamming_loss),
    "zero_one_loss": (metrics.zero_one_loss, sklearn.metrics.zero_one_loss),
    "subset_accuracy": (metrics.subset_accuracy, sklearn.metrics.accuracy_score),
}
for _name in ("precision_score", "recall_score", "f1_score", "jaccard_score", "fbeta_score"):
    for _average in ("micro", "macro", "samples", None):
        _keywords = {"average": _average, **({"beta": 0.7} if _name == "fbeta_score" else {})}
        LABEL_METRICS[f"{_name} {_average}"] = (
            functools.partial(getattr(metrics, _name), **_keywords),
            functools.partial(getattr(sklearn.metrics, _name), **_keywords),
        )


@pytest.mark.parametrize("name", LABEL_METRICS)
@pytest.mark.parametrize("seed", range(3))
def test_metrics_of_labels_equal_those_of_scikit_learn(name, seed):
    """Values agree to 1e-12 in every form of the matrices."""
    truth, predicted, _ = make_data(seed)
    own, other = LABEL_METRICS[name]
    np.testing.assert_allclose(
        in_forms(own, truth, predicted), other(truth, predicted), rtol=0, atol=1e-12
    )


def coverage_by_scikit_learn(truth, scores):
    """Return coverage as papers define it: ranks are counted from 0."""
    return sklearn.metrics.coverage_error(truth, scores) - truth.any(axis=1).mean()


SCORE_METRICS = {
    "ranking_loss": (metrics.ranking_loss, sklearn.metrics.label_ranking_loss),
    "coverage": (metrics.coverage, coverage_by_scikit_learn),
    "coverage_error": (metrics.coverage_error, sklearn.metrics.coverage_error),
    "lrap": (
        metrics.label_ranking_average_precision_score,
        sklearn.metrics.label_ranking_average_precision_score,
    ),
    "map": (metrics.mean_average_precision, sklearn.metrics.average_precision_score),
    "log_loss": (
        metrics.log_loss,
        lambda truth, scores: sklearn.metrics.log_loss(truth.ravel(), scores.ravel()),
    ),
}
for _name in ("average_precision_score", "roc_auc_score"):
    for _average in ("micro", "macro", "samples", None):
        SCORE_METRICS[f"{_name} {_average}"] = (
            functools.partial(getattr(metrics, _name), average=_average),
            functools.partial(getattr(sklearn.metrics, _name), average=_average),
        )


@pytest.mark.parametrize("name", SCORE_METRICS)
@pytest.mark.parametrize("n_levels", [None, 2, 5])
@pytest.mark.parametrize("seed", range(3))
def test_metrics_of_scores_equal_those_of_scikit_learn(name, n_levels, seed):
    """Values agree to 1e-12 with and without ties; in sparse scores zeros are not stored."""
    truth, _, scores = make_data(seed, n_levels=n_levels)
    own, other = SCORE_METRICS[name]
    expected = other(truth, scores)
    for form in FORMS.values():
        for other_form in FORMS.values():
            np.testing.assert_allclose(
                own(form(truth), other_form(scores)), expected, rtol=0, atol=1e-12
            )


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_rankings_equal_those_of_scikit_learn_on_any_table(data):
    """Tables may have constant rows, single cells, negative scores and stored zeros."""
    n_rows, n_labels = data.draw(st.integers(1, 5)), data.draw(st.integers(2, 5))
    cells = st.lists(st.integers(-2, 2), min_size=n_rows * n_labels, max_size=n_rows * n_labels)
    truth = np.array(data.draw(cells)).reshape(n_rows, n_labels) > 0
    scores = np.array(data.draw(cells)).reshape(n_rows, n_labels).astype(float)
    stored = sparse.csr_array(scores + 9)
    stored.data -= 9
    for name in ("ranking_loss", "coverage", "coverage_error", "lrap"):
        own, other = SCORE_METRICS[name]
        for given_scores in (scores, sparse.csr_array(scores), stored):
            assert own(truth, given_scores) == pytest.approx(other(truth, scores), abs=1e-12)
    for average in ("micro", "macro", "samples", None):
        for function in (metrics.average_precision_score, metrics.roc_auc_score):
            dense, without_zeros, with_zeros = (
                function(truth, form, average=average)
                for form in (scores, sparse.csr_array(scores), stored)
            )
            np.testing.assert_allclose(without_zeros, dense, rtol=0, atol=1e-12)
            np.testing.assert_allclose(with_zeros, dense, rtol=0, atol=1e-12)


def test_many_rows_are_ranked_in_blocks(monkeypatch):
    """The size of a block changes no value."""
    truth, _, scores = make_data(0, n_levels=4)
    whole = [own(truth, scores) for own, _ in SCORE_METRICS.values()]
    monkeypatch.setattr("evenfold.metrics.ties.MAX_CELLS_PER_BLOCK", 100)
    for (own, _), value in zip(SCORE_METRICS.values(), whole, strict=True):
        np.testing.assert_array_equal(own(truth, scores), value)


# Rows: a tie between a true and a false label; all labels tied; both true labels last; no label;
# all labels.
RANKED_TRUTH = np.array([[1, 0, 1, 0], [1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1]])
RANKED_SCORES = np.array(
    [
        [0.9, 0.5, 0.5, 0.1],
        [0.3, 0.3, 0.3, 0.3],
        [0.1, 0.2, 0.8, 0.9],
        [0.4, 0.3, 0.2, 0.1],
        [0.4, 0.3, 0.2, 0.1],
    ]
)


@pytest.mark.parametrize(
    ("function", "by_row"),
    [
        # Pairs in which the false label has the same or a higher score: 1 of 4, 3 of 3, 4 of 4,
        # no pair, no pair.
        (metrics.ranking_loss, [1 / 4, 1, 1, 0, 0]),
        # False labels among those with the highest score: 0 of 1, 3 of 4, 1 of 1, 1 of 1, 0 of 1.
        (metrics.one_error, [0, 3 / 4, 1, 1, 0]),
        # Rank of the last true label from 0, ties at the rank of the last; 0 without labels.
        (metrics.coverage, [2, 3, 3, 0, 3]),
        # Precision at each true label: (1/1 + 2/3) / 2; 1/4; (1/3 + 2/4) / 2; 1 by convention; 1.
        (metrics.label_ranking_average_precision_score, [5 / 6, 1 / 4, 5 / 12, 1, 1]),
    ],
)
def test_rankings_with_ties_equal_those_by_hand(function, by_row):
    """The value of each row and the mean of all rows agree."""
    for row, value in enumerate(by_row):
        assert function(RANKED_TRUTH[[row]], RANKED_SCORES[[row]]) == pytest.approx(
            value, abs=1e-15
        )
    assert in_forms(function, RANKED_TRUTH, RANKED_SCORES) == pytest.approx(
        np.mean(by_row), abs=1e-15
    )


def test_log_loss_clips_probabilities():
    """Values of 0 and 1 are clipped as in scikit-learn, in double and single precision."""
    truth, scores = np.array([[1, 0, 1, 0]]), np.array([[0.0, 0.0, 1.0, 0.7]])
    expected = (-np.log(np.finfo(float).eps) - np.log(0.3)) / 4
    assert metrics.log_loss(truth, scores) == pytest.approx(expected, abs=1e-12)
    assert metrics.log_loss(sparse.csr_array(truth), sparse.csr_array(scores)) == pytest.approx(
        expected, abs=1e-12
    )
    single = scores.astype(np.float32)
    assert metrics.log_loss(truth, sparse.csr_array(single)) == pytest.approx(
        sklearn.metrics.log_loss(truth[0], single[0]), rel=1e-6
    )


def test_repeated_entries_count_once_and_stored_zeros_are_zeros():
    """Labels and scores are read so, and the input is not changed."""
    row, label, value = [0, 0, 1, 1], [0, 0, 1, 0], [1, 1, 1, 0]
    given_truth = sparse.coo_array((value, (row, label)), shape=(2, 2))
    assert metrics.hamming_loss(given_truth, np.eye(2)) == 0
    assert given_truth.nnz == 4
    scores = sparse.csr_array(
        (np.array([0.25, 0.25]), np.array([0, 0]), np.array([0, 2, 2])), shape=(2, 2)
    )
    assert metrics.roc_auc_score(np.eye(2), scores, average="micro") == metrics.roc_auc_score(
        np.eye(2), [[0.5, 0], [0, 0]], average="micro"
    )
    assert scores.nnz == 2


def test_sparse_matrices_are_never_made_dense(monkeypatch):
    """No metric makes an array of the 50,000 × 5,000 cells, of which few are stored."""
    rng = np.random.default_rng(0)
    shape = (50_000, 5_000)
    truth = sparse.random_array(
        shape, density=2e-4, rng=rng, format="csr", data_sampler=lambda size: np.ones(size)
    )
    scores = sparse.random_array(shape, density=1e-3, rng=rng, format="csr")
    predicted = (scores > 0.5).astype(np.int8)
    counts = rng.integers(0, 3, (shape[0], 2), dtype=np.uint8)
    # Numba looks up np.zeros when it compiles the first kernel: not the one of this test.
    METRICS["mean_average_precision"].resample(truth, scores, counts)

    def refuse(*_, **__):
        raise AssertionError("made dense")

    for kind in (
        sparse.csr_array,
        sparse.csr_matrix,
        sparse.csc_array,
        sparse.coo_array,
        sparse.lil_array,
    ):
        monkeypatch.setattr(kind, "toarray", refuse)
        monkeypatch.setattr(kind, "todense", refuse)
    make_zeros = np.zeros
    monkeypatch.setattr(
        np,
        "zeros",
        lambda size, *rest, **more: (
            make_zeros(size, *rest, **more) if np.prod(size) < 1e8 else refuse()
        ),
    )
    for name, metric in METRICS.items():
        given_values = predicted if metric.needs == "labels" else scores
        assert isinstance(metric.function(truth, given_values), float), name
        if metric.compares_rows or name == "f1_macro":
            assert metric.resample(truth, given_values, counts).shape == (2,), name
    assert len(metrics.precision_recall_curve(truth, scores, label=3).precision) > 2
    assert count_undefined("mean_average_precision", truth, scores) == 5_000 - len(
        np.unique(truth.indices)
    )


def test_every_named_metric_is_best_for_a_perfect_prediction():
    """A score is then 1 and a loss 0; coverage counts the labels of a row, from 0 or from 1."""
    truth, _, _ = make_data(3)
    for name, metric in METRICS.items():
        value = metric.function(truth, truth if metric.needs == "labels" else truth.astype(float))
        expected = (
            truth.sum(axis=1).mean() - (name != "coverage_error")
            if name.startswith("coverage")
            else float(metric.greater_is_better)
        )
        assert value == pytest.approx(expected, abs=1e-12), name
    assert evenfold.metrics is metrics

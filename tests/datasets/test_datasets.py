"""Made data has the shape it promises."""

import inspect
import re

import numpy as np
import pytest

import evenfold
from evenfold import datasets
from evenfold.exceptions import InputError, InputTypeError

MATRICES = {
    "exponential": lambda seed: datasets.make_exponential(2000, 30, 6, random_state=seed),
    "zipf": lambda seed: datasets.make_zipf(2000, 300, 4, random_state=seed),
    "ontology": lambda seed: datasets.make_ontology(2000, 80, random_state=seed)[0],
    "patients": lambda seed: datasets.make_patients(2000, 600, random_state=seed)[0],
}


def same(one, other):
    """Return whether two matrices hold the same entries."""
    return one.shape == other.shape and (one != other).nnz == 0


def labels_of_row(y):
    """Return how many labels each row holds."""
    return np.diff(y.indptr)


def test_movies_are_multi_label_with_a_tail():
    """Common and rare genres, movies with several and with none, the same for the same seed."""
    movies = datasets.make_movies(3000)
    assert movies == datasets.make_movies(3000)
    assert movies != datasets.make_movies(3000, random_state=1)
    labels = evenfold.labels.make_labels(movies.genres)
    counts = sorted(labels.count_of_label)
    assert counts[0] < 15 < 500 < counts[-1]
    n_genres = [len(genres) for genres in movies.genres]
    assert min(n_genres) == 0
    assert max(n_genres) >= 4
    assert len(set(movies.director)) < len(movies.title) == len(set(movies.title))


@pytest.mark.parametrize("make", MATRICES.values(), ids=MATRICES)
def test_matrices_are_canonical_zeros_and_ones(make):
    """int8, sorted, each entry once; ready for `split`."""
    y = make(0)
    assert y.format == "csr"
    assert y.dtype == np.int8
    assert y.has_canonical_format
    assert set(y.data.tolist()) == {1}
    assert y.shape[0] == 2000
    assert evenfold.split(y, 4, method="random").sizes.tolist() == [500] * 4


@pytest.mark.parametrize("make", MATRICES.values(), ids=MATRICES)
def test_matrices_follow_the_seed(make):
    """The same number the same rows, another number or none others."""
    assert same(make(3), make(3))
    assert same(make(3), make(np.random.default_rng(3)))
    assert not same(make(3), make(4))
    assert not same(make(None), make(None))


def test_every_public_name_is_listed_and_has_an_example():
    """A user finds all of them, with something to run."""
    makers = [name for name in datasets.__all__ if name.startswith("make_")]
    assert len(makers) == 7
    for name in makers:
        assert ">>> " in inspect.getdoc(getattr(datasets, name))


def test_exponential_is_the_set_of_the_blog_by_default():
    """100,000 rows, 100 labels, 1 to 10 of them a row, every number of labels equally often."""
    y = datasets.make_exponential()
    assert y.shape == (100_000, 100)
    n_rows_with = np.bincount(labels_of_row(y), minlength=11)
    assert n_rows_with[0] == 0
    assert n_rows_with[1:] == pytest.approx(np.full(10, 10_000), abs=500)


def test_exponential_labels_fall_off_by_a_constant_factor():
    """Seen where rows hold one label each: there, no label stands in another's way."""
    count = datasets.make_exponential(200_000, 10, most_labels=1).sum(axis=0, dtype=np.int64)
    share = np.exp(-0.5 * np.arange(10))
    assert count / 200_000 == pytest.approx(share / share.sum(), abs=0.005)


def test_zipf_rows_hold_exactly_as_many_labels_as_asked():
    """Distinct ones, up to all there are."""
    for n_each in (1, 7, 20):
        y = datasets.make_zipf(500, 20, n_each, exponent=2.0)
        assert set(labels_of_row(y)) == {n_each}


def test_zipf_labels_fall_off_by_rank():
    """Label i is drawn in proportion to (i + 1) ** -exponent; with exponent 0 all are alike."""
    for exponent in (0, 1.5):
        count = datasets.make_zipf(200_000, 8, 1, exponent).sum(axis=0, dtype=np.int64)
        share = np.arange(1, 9.0) ** -exponent
        assert count / 200_000 == pytest.approx(share / share.sum(), abs=0.005)


@pytest.mark.parametrize("n_rounds", [1, 10])
def test_labels_drawn_after_the_first_follow_the_weights_that_are_left(n_rounds, monkeypatch):
    """Two of three labels weighing 4, 2, 1: the pairs' probabilities by hand, whether repeats are drawn again or the rest is drawn the sure way.

    {0, 1}: 4/7 · 2/3 + 2/7 · 4/5 = 64/105; {0, 2}: 4/7 · 1/3 + 1/7 · 4/6 = 30/105; {1, 2}: 2/7 · 1/5 + 1/7 · 2/6 = 11/105.
    """
    from evenfold.datasets import draws

    monkeypatch.setattr(draws, "_N_ROUNDS", n_rounds)
    monkeypatch.setattr(draws, "_KEYS_AT_ONCE", 30_000)
    y = draws.draw_distinct(
        np.random.default_rng(0), np.full(100_000, 2), np.log([4.0, 2.0, 1.0])
    ).toarray()
    lacks = (y == 0).mean(axis=0)
    assert lacks == pytest.approx([11 / 105, 30 / 105, 64 / 105], abs=0.006)


def test_the_thinnest_tail_still_fills_the_rows():
    """Weights below the smallest float are weights all the same, and their order holds."""
    y = datasets.make_zipf(50, 30, 20, exponent=1e6)
    assert (y[:, :20].toarray() == 1).all()


def test_ontology_rows_hold_the_root_and_all_ancestors():
    """Closing the labels over the hierarchy, by the library's own function, adds nothing."""
    y, parents = datasets.make_ontology(3000, 200)
    assert y.shape == (3000, 200)
    assert (y[:, [0]].toarray() == 1).all()
    closed = evenfold.labels.propagate(y, parents)
    assert closed.names == list(range(200))
    assert same(closed.to_csr(), y)


def test_ontology_labels_have_one_or_two_parents_of_smaller_number():
    """The root has none; without second parents the hierarchy is a tree."""
    _, parents = datasets.make_ontology(10, 300, second_parents=0.5)
    assert list(parents) == list(range(300))
    assert parents.pop(0) == []
    assert all(len(set(own)) == len(own) and max(own) < label for label, own in parents.items())
    assert {len(own) for own in parents.values()} == {1, 2}
    _, tree = datasets.make_ontology(10, 300, second_parents=0)
    assert [len(own) for own in tree.values()] == [0] + [1] * 299


def test_ontology_is_uneven():
    """Few labels in many rows, most labels in few."""
    y, _ = datasets.make_ontology()
    share = np.sort(y.sum(axis=0, dtype=np.int64))[::-1] / y.shape[0]
    assert share[0] == 1
    assert share[5] > 0.2
    assert np.median(share) < 0.02


def test_ontology_of_the_root_alone():
    """One label, held by every row."""
    y, parents = datasets.make_ontology(5, 1, most_specific=1)
    assert y.toarray().tolist() == [[1]] * 5
    assert parents == {0: []}


def test_patients_all_have_a_row_and_follow_each_other():
    """Most have few rows, some many."""
    y, groups = datasets.make_patients(5000, 1500)
    assert y.shape == (5000, 14)
    assert np.array_equal(np.unique(groups), np.arange(1500))
    assert (np.diff(groups) >= 0).all()
    n_rows_of_group = np.bincount(groups)
    assert np.median(n_rows_of_group) <= 3
    assert n_rows_of_group.max() > 12


def test_patients_have_few_findings_and_some_rows_none():
    """At most three of the patient's own and one in passing."""
    y, _ = datasets.make_patients()
    assert labels_of_row(y).max() == 4
    assert 0.1 < (labels_of_row(y) == 0).mean() < 0.5


def test_rows_of_one_patient_are_alike():
    """Neighbouring rows share more labels within a patient than across patients."""
    y, groups = datasets.make_patients()
    n_shared = y[:-1].multiply(y[1:]).sum(axis=1)
    is_same = groups[:-1] == groups[1:]
    assert n_shared[is_same].mean() > 2 * n_shared[~is_same].mean()


def test_patients_can_be_as_many_as_rows_and_have_one_finding():
    """The smallest sizes there are."""
    y, groups = datasets.make_patients(7, 7, n_labels=1)
    assert y.shape == (7, 1)
    assert groups.tolist() == list(range(7))


@pytest.mark.parametrize(
    ("kind", "rld", "dcp", "fewest", "most"),
    [
        ("equal", 0, 0, 20, 50_000),
        ("difference", 0.04, 0.02, 50, 50_000),
        ("one missing", 0.2, 1 / 9 - 1 / 10, 18, 50_004),
    ],
)
def test_measure_experiment_has_its_known_answers(kind, rld, dcp, fewest, most):
    """optisplit, section 4.1: rLD and DCP are the same for every size of a label, LD grows with it. Counts are whole, so nothing is approximate."""
    y, part_of_row = datasets.make_measure_experiment(kind)
    quality = evenfold.measure(y, part_of_row, 10).per_label
    assert quality.rld == pytest.approx(np.full(100, rld), abs=1e-12)
    assert quality.dcp == pytest.approx(np.full(100, dcp), abs=1e-12)
    assert quality.rows[[0, -1]].tolist() == [fewest, most]
    assert (np.diff(quality.rows) > 0).all()
    if kind == "equal":
        assert quality.ld == pytest.approx(np.zeros(100), abs=1e-12)
    else:
        assert (np.diff(quality.ld) > 0).all()


@pytest.mark.parametrize("kind", ["equal", "difference", "one missing"])
def test_measure_experiment_has_even_steps_and_even_rows(kind):
    """Sizes are the paper's to the nearest multiple; the labels of a fold are dealt round its rows."""
    y, part_of_row = datasets.make_measure_experiment(kind)
    assert y.shape == (100_000, 100)
    assert y.dtype == np.int8
    assert set(y.data.tolist()) == {1}
    assert np.bincount(part_of_row).tolist() == [10_000] * 10
    assert y.sum(axis=0, dtype=np.int64) == pytest.approx(np.linspace(20, 50_000, 100), abs=30)
    assert np.ptp(labels_of_row(y).reshape(10, 10_000), axis=1).max() <= 1


def test_weights_are_those_of_the_benchmark():
    """Ones, uniform numbers in a tenth of the columns, and a row of zeros."""
    weights = datasets.make_weights()
    assert weights.shape == (11, 200)
    assert (weights[0] == 1).all()
    assert (weights[7] == 0).all()
    drawn = np.delete(weights, [0, 7], axis=0)
    assert ((drawn > 0).sum(axis=1) == 20).all()
    assert drawn[drawn > 0].min() >= 1
    assert drawn.max() < 10
    assert drawn[drawn > 0].mean() == pytest.approx(5.5, abs=0.6)
    assert len({tuple(np.flatnonzero(row)) for row in drawn}) == 9


def test_weights_follow_the_seed_and_the_sizes():
    """Any size, and the transpose goes into `split` as it is."""
    assert np.array_equal(
        datasets.make_weights(random_state=1), datasets.make_weights(random_state=1)
    )
    assert not np.array_equal(
        datasets.make_weights(random_state=1), datasets.make_weights(random_state=2)
    )
    assert datasets.make_weights(30, 1).tolist() == [[1.0] * 30]
    assert (datasets.make_weights(30, 5) > 0).sum(axis=1).tolist() == [30, 3, 3, 3, 3]
    s = evenfold.split(balance=datasets.make_weights().T, parts=[0.5, 0.5])
    assert s.sizes.tolist() == [100, 100]


@pytest.mark.parametrize(
    ("maker", "wrong", "message"),
    [
        (
            "movies",
            {"n_movies": -1},
            "'n_movies' must be 1 or more, got -1. Ask for at least one movie.",
        ),
        (
            "exponential",
            {"n_rows": 0},
            "'n_rows' must be 1 or more, got 0. Ask for at least one row.",
        ),
        (
            "exponential",
            {"n_labels": -2},
            "'n_labels' must be 1 or more, got -2. Ask for at least one label.",
        ),
        (
            "exponential",
            {"n_labels": 5, "most_labels": 6},
            "'most_labels' must be from 1 to 5, got 6. The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        ),
        ("zipf", {"n_rows": -1}, "'n_rows' must be 1 or more, got -1. Ask for at least one row."),
        (
            "zipf",
            {"n_labels": 0},
            "'n_labels' must be 1 or more, got 0. Ask for at least one label.",
        ),
        (
            "zipf",
            {"labels_per_row": 1001},
            "'labels_per_row' must be from 1 to 1,000, got 1,001. The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        ),
        (
            "zipf",
            {"exponent": -1},
            "'exponent' must be finite and 0 or more, got -1. Zipf's own law has 1.",
        ),
        (
            "zipf",
            {"exponent": float("nan")},
            "'exponent' must be finite and 0 or more, got nan. Zipf's own law has 1.",
        ),
        (
            "zipf",
            {"exponent": float("inf")},
            "'exponent' must be finite and 0 or more, got inf. Zipf's own law has 1.",
        ),
        ("ontology", {"n_rows": 0}, "'n_rows' must be 1 or more, got 0. Ask for at least one row."),
        (
            "ontology",
            {"n_labels": 0},
            "'n_labels' must be 1 or more, got 0. The root alone is one label.",
        ),
        (
            "ontology",
            {"n_labels": 2},
            "'most_specific' must be from 1 to 2, got 3. The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        ),
        (
            "ontology",
            {"second_parents": 1.5},
            "'second_parents' must be from 0 to 1, got 1.5. It is a share of the labels; 0 makes a tree.",
        ),
        ("patients", {"n_rows": 0}, "'n_rows' must be 1 or more, got 0. Ask for at least one row."),
        (
            "patients",
            {"n_rows": 10, "n_groups": 11},
            "'n_groups' must be from 1 to 10, got 11. Every patient has a row: ask for fewer, or raise 'n_rows'.",
        ),
        (
            "patients",
            {"n_labels": 0},
            "'n_labels' must be 1 or more, got 0. Ask for at least one label.",
        ),
        (
            "measure_experiment",
            {"kind": "missing"},
            "'kind' must be one of 'equal', 'difference', 'one missing', got 'missing'. Try kind='difference'.",
        ),
        (
            "weights",
            {"n_columns": 0},
            "'n_columns' must be 1 or more, got 0. Ask for at least one unit.",
        ),
        (
            "weights",
            {"n_criteria": 0},
            "'n_criteria' must be 1 or more, got 0. The number of units alone is one criterion.",
        ),
    ],
)
def test_sizes_that_cannot_be_are_refused(maker, wrong, message):
    """The message names the parameter, what it may be, what it was, and what to do."""
    with pytest.raises(InputError, match=f"^{re.escape(message)}$"):
        getattr(datasets, f"make_{maker}")(**wrong)


@pytest.mark.parametrize(
    ("maker", "wrong", "message"),
    [
        (
            "movies",
            {"n_movies": 2.5},
            "'n_movies' must be a whole number, got 2.5. Ask for at least one movie.",
        ),
        (
            "exponential",
            {"n_rows": "10"},
            "'n_rows' must be a whole number, got '10'. Ask for at least one row.",
        ),
        (
            "patients",
            {"n_groups": True},
            "'n_groups' must be a whole number, got True. Every patient has a row: ask for fewer, or raise 'n_rows'.",
        ),
        ("zipf", {"exponent": "1"}, "'exponent' must be a number, got '1'. Zipf's own law has 1."),
    ],
)
def test_sizes_of_the_wrong_kind_are_refused(maker, wrong, message):
    """What is no number, or not a whole one where rows are counted, is a TypeError."""
    with pytest.raises(InputTypeError, match=f"^{re.escape(message)}$"):
        getattr(datasets, f"make_{maker}")(**wrong)


def test_sizes_may_be_numbers_of_numpy():
    """As they come out of a computation."""
    assert datasets.make_zipf(np.int64(10), np.int32(5), np.int8(2), np.float32(1)).shape == (10, 5)

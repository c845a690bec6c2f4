"""Properties of the data that evenfold makes."""

import inspect

import numpy as np
import pytest

import evenfold
from evenfold import datasets
from evenfold.datasets import random_labels

MATRICES = {
    "exponential": lambda seed: datasets.make_exponential(2000, 30, 6, random_state=seed),
    "zipf": lambda seed: datasets.make_zipf(2000, 300, 4, random_state=seed),
    "ontology": lambda seed: datasets.make_ontology(2000, 80, random_state=seed)[0],
    "patients": lambda seed: datasets.make_patients(2000, 600, random_state=seed)[0],
}


def same(one, other):
    """Tell whether two matrices have the same entries."""
    return one.shape == other.shape and (one != other).nnz == 0


def labels_of_row(y):
    """Return how many labels each row has."""
    return np.diff(y.indptr)


def test_movies_have_common_and_rare_genres():
    """Movies have several genres or none, and are the same for the same seed."""
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
    """They are int8 and sorted, with each entry once, and `split` takes them."""
    y = make(0)
    assert y.format == "csr"
    assert y.dtype == np.int8
    assert y.has_canonical_format
    assert set(y.data.tolist()) == {1}
    assert y.shape[0] == 2000
    assert evenfold.split(y, 4, method="random").sizes.tolist() == [500] * 4


@pytest.mark.parametrize("make", MATRICES.values(), ids=MATRICES)
def test_matrices_follow_the_seed(make):
    """The same number gives the same rows; another number or None gives others."""
    assert same(make(3), make(3))
    assert same(make(3), make(np.random.default_rng(3)))
    assert not same(make(3), make(4))
    assert not same(make(None), make(None))


def test_every_maker_is_public_and_has_an_example():
    """All seven are listed in `__all__`."""
    makers = [name for name in datasets.__all__ if name.startswith("make_")]
    assert len(makers) == 7
    for name in makers:
        assert ">>> " in inspect.getdoc(getattr(datasets, name))


def test_exponential_is_the_data_of_the_blog_by_default():
    """It has 100,000 rows, 100 labels and 1 to 10 labels per row, each number equally often."""
    y = datasets.make_exponential()
    assert y.shape == (100_000, 100)
    n_rows_with = np.bincount(labels_of_row(y), minlength=11)
    assert n_rows_with[0] == 0
    assert n_rows_with[1:] == pytest.approx(np.full(10, 10_000), abs=500)


def test_exponential_labels_decrease_by_a_constant_factor():
    """With one label per row, the shares are exactly those of the distribution."""
    count = datasets.make_exponential(200_000, 10, most_labels=1).sum(axis=0, dtype=np.int64)
    share = np.exp(-0.5 * np.arange(10))
    assert count / 200_000 == pytest.approx(share / share.sum(), abs=0.005)


def test_zipf_rows_have_the_given_number_of_labels():
    """The labels are distinct, up to all labels."""
    for n_each in (1, 7, 20):
        y = datasets.make_zipf(500, 20, n_each, exponent=2.0)
        assert set(labels_of_row(y)) == {n_each}


def test_zipf_labels_decrease_by_rank():
    """Label i has a share proportional to (i + 1) ** -exponent; with exponent 0 all are equal."""
    for exponent in (0, 1.5):
        count = datasets.make_zipf(200_000, 8, 1, exponent).sum(axis=0, dtype=np.int64)
        share = np.arange(1, 9.0) ** -exponent
        assert count / 200_000 == pytest.approx(share / share.sum(), abs=0.005)


@pytest.mark.parametrize("n_rounds", [1, 10])
def test_labels_drawn_after_the_first_follow_the_weights_that_are_left(n_rounds, monkeypatch):
    """Pairs of three labels with weights 4, 2, 1 have the probabilities computed by hand.

    {0, 1}: 4/7 · 2/3 + 2/7 · 4/5 = 64/105; {0, 2}: 4/7 · 1/3 + 1/7 · 4/6 = 30/105;
    {1, 2}: 2/7 · 1/5 + 1/7 · 2/6 = 11/105. With one round, most rows are drawn by sorting keys.
    """
    monkeypatch.setattr(random_labels, "MAX_ROUNDS", n_rounds)
    monkeypatch.setattr(random_labels, "MAX_KEYS_PER_BLOCK", 30_000)
    y = random_labels.draw_labels(
        np.random.default_rng(0), np.full(100_000, 2), np.log([4.0, 2.0, 1.0])
    ).toarray()
    lacks = (y == 0).mean(axis=0)
    assert lacks == pytest.approx([11 / 105, 30 / 105, 64 / 105], abs=0.006)


def test_very_small_weights_are_not_zero():
    """Weights below the smallest float still fill the rows in their order."""
    y = datasets.make_zipf(50, 30, 20, exponent=1e6)
    assert (y[:, :20].toarray() == 1).all()


def test_ontology_rows_have_the_root_and_all_ancestors():
    """`labels.propagate` adds no label."""
    y, parents = datasets.make_ontology(3000, 200)
    assert y.shape == (3000, 200)
    assert (y[:, [0]].toarray() == 1).all()
    closed = evenfold.labels.propagate(y, parents)
    assert closed.names == list(range(200))
    assert same(closed.to_csr(), y)


def test_ontology_labels_have_one_or_two_parents_of_smaller_number():
    """The root has no parent; without second parents the hierarchy is a tree."""
    _, parents = datasets.make_ontology(10, 300, second_parents=0.5)
    assert list(parents) == list(range(300))
    assert parents.pop(0) == []
    assert all(len(set(own)) == len(own) and max(own) < label for label, own in parents.items())
    assert {len(own) for own in parents.values()} == {1, 2}
    _, tree = datasets.make_ontology(10, 300, second_parents=0)
    assert [len(own) for own in tree.values()] == [0] + [1] * 299


def test_ontology_labels_have_uneven_frequencies():
    """Few labels are in many rows, most labels in few rows."""
    y, _ = datasets.make_ontology()
    share = np.sort(y.sum(axis=0, dtype=np.int64))[::-1] / y.shape[0]
    assert share[0] == 1
    assert share[5] > 0.2
    assert np.median(share) < 0.02


def test_ontology_may_have_only_the_root():
    """Every row then has the one label."""
    y, parents = datasets.make_ontology(5, 1, most_specific=1)
    assert y.toarray().tolist() == [[1]] * 5
    assert parents == {0: []}


def test_patients_all_have_adjacent_rows():
    """Every patient has a row; most have few rows, some many."""
    y, groups = datasets.make_patients(5000, 1500)
    assert y.shape == (5000, 14)
    assert np.array_equal(np.unique(groups), np.arange(1500))
    assert (np.diff(groups) >= 0).all()
    n_rows_of_group = np.bincount(groups)
    assert np.median(n_rows_of_group) <= 3
    assert n_rows_of_group.max() > 12


def test_patients_have_few_findings_and_some_rows_none():
    """A row has at most three findings of its patient and one more."""
    y, _ = datasets.make_patients()
    assert labels_of_row(y).max() == 4
    assert 0.1 < (labels_of_row(y) == 0).mean() < 0.5


def test_rows_of_one_patient_are_similar():
    """Adjacent rows share more labels if they are of one patient."""
    y, groups = datasets.make_patients()
    n_shared = y[:-1].multiply(y[1:]).sum(axis=1)
    is_same = groups[:-1] == groups[1:]
    assert n_shared[is_same].mean() > 2 * n_shared[~is_same].mean()


def test_patients_can_be_as_many_as_rows_and_have_one_finding():
    """The smallest sizes work."""
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
    """Values of rLD and DCP do not depend on the size of a label, LD increases with it.

    This is the result of the optisplit paper, section 4.1. Counts are whole numbers, so nothing
    is approximate.
    """
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
    """Sizes are those of the paper, rounded; rows of a fold have equally many labels, to one."""
    y, part_of_row = datasets.make_measure_experiment(kind)
    assert y.shape == (100_000, 100)
    assert y.dtype == np.int8
    assert set(y.data.tolist()) == {1}
    assert np.bincount(part_of_row).tolist() == [10_000] * 10
    assert y.sum(axis=0, dtype=np.int64) == pytest.approx(np.linspace(20, 50_000, 100), abs=30)
    assert np.ptp(labels_of_row(y).reshape(10, 10_000), axis=1).max() <= 1


def test_weights_have_the_properties_of_the_benchmark():
    """There is a row of ones, a row of zeros, and uniform numbers in a tenth of the columns."""
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
    """Any size can be made, and `split` takes the transpose."""
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

"""svd: RandomSplit without its decomposition; and random's best of several tries."""

import math
import re

import numpy as np
import pytest
from scipy import sparse

import evenfold
from evenfold.methods import Random, Svd, bound_residuals
from evenfold.methods.svd import project_into_null_space

from .. import naive


@pytest.mark.parametrize("seed", range(20))
def test_the_projection_is_that_of_the_decomposition(seed):
    """Up to a constant, which changes no cut; rows of any scale, some of them sums of others."""
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(1, 12)), int(rng.integers(13, 60))
    weights = np.where(
        rng.random((k, n)) < 0.4, rng.uniform(0.1, 10, (k, n)), 0
    ) * 10.0 ** rng.integers(-3, 4, (k, 1))
    weights = np.vstack((weights, weights[:1] + weights[-1:]))
    draw = rng.standard_normal((n, 3))
    ours = project_into_null_space(sparse.csr_array(weights.T), draw)
    for at in range(3):
        difference = ours[:, at] - naive.null_space_vector(weights, draw[:, at])
        assert np.ptp(difference) < 1e-7


@pytest.mark.parametrize(
    ("parts", "tries", "published"),
    [
        (2, 1, 0.20),
        (2, 10, 0.13),
        (3, 1, 0.32),
        (3, 10, 0.21),
        (5, 1, 0.32),
        (5, 10, 0.24),
        (10, 1, 0.28),
        (10, 10, 0.23),
    ],
)
def test_the_means_of_its_benchmark(parts, tries, published):
    """RandomSplit's tables, over 150 of its 100,000 weight matrices."""
    residuals = [
        evenfold.split(
            balance=evenfold.datasets.make_weights(random_state=run).T,
            parts=parts,
            method=Svd(tries=tries),
            random_state=run,
        ).quality.residual
        for run in range(150)
    ]
    assert np.mean(residuals) == pytest.approx(published, abs=0.01)


def test_the_means_of_the_random_column():
    """Its other column: shuffling, best of 1 and of 10."""
    for tries, published in ((1, 0.33), (10, 0.22)):
        weights = [evenfold.datasets.make_weights(random_state=run).T for run in range(150)]
        splits = [
            evenfold.split(balance=own, parts=2, method=Random(tries=tries), random_state=run)
            for run, own in enumerate(weights)
        ]
        assert np.mean([s.quality.residual for s in splits]) == pytest.approx(published, abs=0.015)


@pytest.mark.parametrize("method", [Svd, Random])
def test_more_tries_lower_the_residual(method):
    """By the chosen aggregator."""
    weights = evenfold.datasets.make_weights().T
    largest = [
        evenfold.split(balance=weights, parts=5, method=method(tries=tries)).quality.residual
        for tries in (1, 10, 100)
    ]
    assert largest[0] > largest[1] > largest[2]
    of_mean, of_max = (
        [
            evenfold.split(
                balance=weights,
                parts=5,
                method=method(tries=20, aggregator=aggregator),
                random_state=seed,
            )
            for seed in range(10)
        ]
        for aggregator in (np.mean, "max")
    )
    assert sum(s.quality.per_part.residual.mean() for s in of_mean) < sum(
        s.quality.per_part.residual.mean() for s in of_max
    )
    assert of_mean[0].origin.parameters["aggregator"] == "mean"
    assert of_mean[0] == evenfold.split(
        balance=weights, parts=5, method=method(tries=20, aggregator="mean")
    )


def test_a_test_part_and_folds_of_the_rest():
    """MakeBalancedCrossValidation: exact sizes, and lower residuals than random."""
    weights = evenfold.datasets.make_weights().T
    s = evenfold.split(balance=weights, parts=5, holdout=0.25, method="svd")
    assert s.sizes.tolist() == [30] * 5 + [50]
    assert (
        s.quality.per_part.residual
        < evenfold.split(balance=weights, parts=5, holdout=0.25, method="random").quality.residual
    ).all()


def test_patients_of_several_scans_stay_whole():
    """Units of one to four rows: sizes are near, the residual is lower than of random splits."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(150), rng.integers(1, 5, 150))
    volume = rng.uniform(0, 10, (len(patient), 3)) * (rng.random((len(patient), 3)) < 0.3)
    s = evenfold.split(balance=volume, parts=[0.65, 0.25, 0.1], groups=patient, method="svd")
    assert all(len(set(s.part_of_row[patient == own])) == 1 for own in range(150))
    assert np.abs(s.sizes - len(patient) * np.array([0.65, 0.25, 0.1])).max() <= 4
    random = [
        evenfold.split(
            balance=volume,
            parts=[0.65, 0.25, 0.1],
            groups=patient,
            method="random",
            random_state=seed,
        )
        for seed in range(20)
    ]
    assert s.quality.residual < np.mean([other.quality.residual for other in random])


def test_with_more_labels_than_rows_chance_decides():
    """There is no null space; sizes are still exact and the best try is kept."""
    y = np.random.default_rng(0).random((30, 80)) < 0.3
    s = evenfold.split(y, 3, method=Svd(tries=50))
    assert s.sizes.tolist() == [10] * 3
    assert s.quality.residual < np.mean(
        [
            evenfold.split(y, 3, method="random", random_state=seed).quality.residual
            for seed in range(20)
        ]
    )


def test_rows_that_are_fixed_count_in_the_residual():
    """Five fixed rows hold much of one amount; the free rows compensate for it."""
    weights = evenfold.datasets.make_weights().T
    fixed = np.full(200, -1)
    fixed[np.argsort(-weights[:, 1])[:5]] = 0
    s = evenfold.split(balance=weights, parts=2, fixed=fixed, method=Svd(tries=200))
    assert (s.part_of_row[fixed == 0] == 0).all()
    assert s.sizes.tolist() == [100, 100]
    few = evenfold.split(balance=weights, parts=2, fixed=fixed, method=Svd(tries=1))
    assert s.quality.residual < few.quality.residual


@pytest.mark.parametrize("norm", [1, 2, math.inf])
@pytest.mark.parametrize("method", [Svd, Random])
def test_the_norm_selects_among_the_same_tries(method, norm):
    """The try that is kept has the lowest residual in that norm; with one try, no norm matters."""
    weights = evenfold.datasets.make_weights().T

    def split(tries, norm, seed):
        own = method(tries=tries, norm=norm)
        return evenfold.split(balance=weights, parts=3, method=own, random_state=seed)

    def largest(s, norm):
        return bound_residuals(weights, s.part_of_row, norm=norm).residual.max()

    assert split(1, norm, 0) == split(1, 2, 0)
    for seed in range(5):
        chosen = split(30, norm, seed)
        assert all(
            largest(chosen, norm) <= largest(split(30, other, seed), norm) + 1e-12
            for other in (1, 2, math.inf)
        )
    found = [[split(30, other, seed) for seed in range(5)] for other in (1, 2, math.inf)]
    assert found[0] != found[1] != found[2]


def test_a_split_by_the_largest_difference_is_saved_as_json(tmp_path):
    """JSON has no infinity: the setting is recorded as text."""
    y = [["a"], ["b"], ["a", "b"], []] * 5
    s = evenfold.split(y, 2, method=Svd(norm=math.inf))
    assert s.origin.parameters["norm"] == "inf"
    s.save(tmp_path / "split.json")
    assert "Infinity" not in (tmp_path / "split.json").read_text(encoding="utf-8")
    assert evenfold.load_split(tmp_path / "split.json") == s


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"tries": 0}, "'tries' must be 1 or more, got 0."),
        ({"tries": 1.5}, "'tries' must be a whole number, got 1.5."),
        (
            {"aggregator": "maximum"},
            "'aggregator' must be max, mean, median, sum, or a function of the residuals, "
            "got 'maximum'.",
        ),
        ({"norm": 3}, "'norm' must be 1, 2 or inf, got 3. Leave it out for 2."),
        ({"norm": "2"}, "'norm' must be 1, 2 or inf, got '2'."),
    ],
)
@pytest.mark.parametrize("method", [Svd, Random])
def test_wrong_settings_are_errors(method, keywords, message):
    """The message names the setting and the value."""
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        method(**keywords)

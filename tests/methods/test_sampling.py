"""sampling and pmbsrs: what their papers say of them; and second-order iterative stratification."""

import math
import re

import numpy as np
import pytest

import evenfold
from evenfold.methods import Pmbsrs, Sampling
from evenfold.methods.sampling import _score_labels
from evenfold.problem.criteria import Level, make_criteria


def test_labels_are_scored_as_the_paper_does():
    """Labels with a fifth, all, none, too many and too few rows in the part, and one of one row."""
    in_part = np.array([2.0, 10.0, 0.0, 6.0, 1.0, 1.0])
    total = np.array([10.0, 10.0, 10.0, 10.0, 10.0, 1.0])
    # (.2 - .2) / .8 = 0; wholly in the part: the mean labels per row, 3; none: -3;
    # (.6 - .2) / .8 = .5; (.1 - .2) / .2 = -.5; one row: 0.
    assert _score_labels(in_part, total, 0.2, 3.0).tolist() == pytest.approx(
        [0, 3, -3, 0.5, -0.5, 0]
    )


def test_flips_make_labels_even():
    """More epochs are more even; sizes stay near the wanted ones."""
    y = np.random.default_rng(0).random((2000, 30)) < 0.05
    rld = [
        np.mean(
            [
                evenfold.split(
                    y, [0.8, 0.2], method=Sampling(epochs), random_state=seed
                ).quality.rld
                for seed in range(3)
            ]
        )
        for epochs in (1, 10, 50)
    ]
    assert rld[0] > rld[1] > 1.3 * rld[2]
    s = evenfold.split(y, [0.8, 0.2], method="sampling")
    assert np.abs(s.sizes - [1600, 400]).max() < 60


def test_folds_are_cut_off_one_after_another():
    """Five of about equal size, every label in each."""
    y = np.random.default_rng(1).random((1500, 20)) < 0.1
    s = evenfold.split(y, 5, method="sampling")
    assert np.abs(s.sizes - 300).max() < 50
    assert s.quality.rld < evenfold.split(y, 5, method="random").quality.rld / 2


@pytest.mark.parametrize(
    ("epochs", "message"),
    [
        (0, "'epochs' must be 1 or more, got 0. Leave it out for 50."),
        (2.5, "'epochs' must be a whole number, got 2.5. Leave it out for 50."),
        (True, "'epochs' must be a whole number, got True. Leave it out for 50."),
    ],
)
def test_sampling_refuses_epochs_that_are_not_positive_whole_numbers(epochs, message):
    """The message names the value and the default."""
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        Sampling(epochs)


def test_pmbsrs_deals_every_stratum_of_like_weight():
    """Every fold has a fifth of each stratum of rows with like products of frequencies."""
    y = np.random.default_rng(0).random((500, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.02]
    weight = np.array([math.prod(y[:, i].mean() for i in np.flatnonzero(row)) for row in y])
    s = evenfold.split(y, 5, method=Pmbsrs())
    assert s.sizes.tolist() == [100] * 5
    cuts = np.sort(weight)[[100, 200, 300, 400]]
    for low, high in zip([-1, *cuts], [*cuts, 2], strict=True):
        # Rows of the same weight as a cut may be on either side of it.
        inside = (weight > low) & (weight < high)
        assert np.ptp(np.bincount(s.part_of_row[inside], minlength=5)) <= 8
    rare = np.bincount(s.part_of_row[weight < cuts[0]], minlength=5)
    assert rare.sum() > 80
    assert np.ptp(rare) <= 4


def test_rows_without_labels_weigh_most():
    """They weigh 1, make the last stratum and are dealt like any other."""
    y = [["a"]] * 20 + [[]] * 20
    s = evenfold.split(y, 2, method="pmbsrs")
    assert np.bincount(s.part_of_row[20:]).tolist() == [10, 10]


def test_second_order_keeps_pairs_even_that_first_order_does_not():
    """SOIS: pairs are more even over several seeds, and rare pairs are spread one per fold."""
    rng = np.random.default_rng(0)
    y = rng.random((400, 12)) < 0.12
    first, second = (
        np.mean(
            [
                evenfold.split(
                    y, 5, method="iterative", order=order, random_state=seed
                ).quality.rld_pairs
                for seed in range(5)
            ]
        )
        for order in (1, 2)
    )
    assert second < 0.97 * first
    y = np.zeros((100, 2), int)
    y[:50, 0], y[45:95, 1] = 1, 1
    s = evenfold.split(y, 5, method="iterative", order=2)
    assert np.bincount(s.part_of_row[45:50], minlength=5).tolist() == [1] * 5


def test_second_order_takes_no_criteria_but_labels_and_pairs():
    """Labelsets and the like are what `even` adds."""
    y = np.random.default_rng(0).random((60, 4)) < 0.3
    s = evenfold.split(y, 3, method="iterative", order=2)
    assert s.origin.parameters["order"] == 2
    labels = evenfold.labels.make_labels(y)
    paired = make_criteria(labels, pairs=True)
    assert set(paired.level_of_criterion) == {Level.LABELS, Level.PAIRS}

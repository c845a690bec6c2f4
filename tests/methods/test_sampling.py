"""sampling and pmbsrs: what their papers say of them; and second-order iterative stratification."""

import copy
import math
import re

import numpy as np
import pytest

import evenfold
from evenfold.methods import Method, Pmbsrs, Sampling, SamplingPublished
from evenfold.methods.sampling import _find_chances, _score_labels, _sum_rld
from evenfold.problem.criteria import Level, make_criteria
from evenfold.problem.criteria_order import order_criteria

from .naive_published import sampling_published


def test_labels_are_scored_as_the_paper_does():
    """Labels with a fifth, all, none, too many and too few rows in the part, and one of one row."""
    in_part = np.array([2.0, 10.0, 0.0, 6.0, 1.0, 1.0])
    total = np.array([10.0, 10.0, 10.0, 10.0, 10.0, 1.0])
    # (.2 - .2) / .8 = 0; wholly in the part: 1 and the mean labels per row, 3; none: -1 - 3;
    # (.6 - .2) / .8 = .5; (.1 - .2) / .2 = -.5; one row: 0.
    assert _score_labels(in_part, total, 0.2, 3.0).tolist() == pytest.approx(
        [0, 4, -4, 0.5, -0.5, 0]
    )


def test_rows_with_high_scores_may_change_sides():
    """At the mean labels per row, 2, or above: 1/4; above the threshold: 1/10; else never."""
    score = np.array([2.0, 5.0, *np.arange(1, 11) / 10, -1.0])
    # The 0.9 quantile of 11 scores below 2 is the second highest, 0.9; only 1.0 is above it.
    assert _find_chances(score, 2.0, 0).tolist() == [0.25, 0.25, *[0] * 9, 0.1, 0]
    # In epoch 1, the quantile is 1 - .1 / 1.1, between 0.9 and 1.0.
    assert _find_chances(score, 2.0, 1).tolist() == pytest.approx(
        [0.25 / 1.05, 0.25 / 1.05, *[0] * 9, 0.1 / 1.1, 0]
    )
    # The threshold is not below 0.
    assert _find_chances(np.array([-3.0, -2.0, -1.0]), 2.0, 0).tolist() == [0, 0, 0]


def test_a_cut_is_judged_by_what_whole_rows_allow():
    """A label of 3 of 30 rows, parts of 3: none or one row in the first of ten are equally even."""
    per_row = np.array([0.1])
    # None: 1; then 3 of 9 parts hold a row, |1 / .3 - 1| each, and 6 hold none.
    none = _sum_rld(np.array([0.0]), 3, np.array([3.0]), 27, 9, per_row)
    assert none == pytest.approx(1 + 3 * (1 / 0.3 - 1) + 6)
    one = _sum_rld(np.array([1.0]), 3, np.array([2.0]), 27, 9, per_row)
    assert one == pytest.approx(none)
    # Two in one part are worse.
    assert _sum_rld(np.array([2.0]), 3, np.array([1.0]), 27, 9, per_row) == pytest.approx(none + 2)
    # With 4 rows in the part, its share of the label is 1/4, and .1 is wanted.
    larger = _sum_rld(np.array([1.0]), 4, np.array([2.0]), 26, 1, per_row)
    assert larger == pytest.approx(1.5 + 1 - 2 / 2.6)
    # An empty part is 1 off.
    assert _sum_rld(np.array([0.0]), 0, np.array([3.0]), 30, 1, per_row) == pytest.approx(1)


class Published(Method):
    """sampling-published, and beside it what the slow version makes of the same problem."""

    name = "published"

    def place(self, problem, rng):
        """Return the parts of the method."""
        own_rng = copy.deepcopy(rng)
        by_unit = order_criteria(problem, own_rng).to_csr().toarray()
        self.expected = sampling_published(
            [{i: int(row[i]) for i in np.flatnonzero(row)} for row in by_unit],
            problem.rows_of_unit.tolist(),
            problem.weights.tolist(),
            problem.fixed.tolist(),
            20,
            own_rng,
        )
        self.found = SamplingPublished(epochs=20).place(problem, rng)
        return self.found.copy()


@pytest.mark.parametrize("parts", [[0.8, 0.2], 5, [0.5, 0.2, 0.3]])
@pytest.mark.parametrize("is_grouped", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_published_equals_the_published_code(parts, is_grouped, seed):
    """Rows and groups, some of them fixed; in the published code rows only, none fixed."""
    rng = np.random.default_rng(seed)
    y = rng.random((150, 12)) < rng.choice([0.01, 0.02, 0.1, 0.3], 12)
    method = Published()
    evenfold.split(
        y,
        parts,
        groups=rng.integers(0, 80, 150) if is_grouped else None,
        fixed=[0 if row % 20 == 0 else None for row in range(150)],
        method=method,
        random_state=seed,
    )
    assert method.found.tolist() == method.expected


def test_parts_share_the_rows_that_are_left_if_these_are_too_few():
    """Published: with rare labels only, the first five parts take 361 of 400 rows, not 200."""
    y = np.eye(200)[np.arange(400) // 2]
    s = evenfold.split(y, 10, method="sampling-published")
    assert s.sizes[:5].sum() == 361
    assert s.sizes[5:].min() >= 7


@pytest.mark.parametrize("seed", range(10))
def test_two_parts_are_never_less_even_than_published(seed):
    """The same draws, of which the best state is kept; and five parts are more even."""
    y = np.random.default_rng(seed).random((500, 25)) < 0.04
    for parts in ([0.8, 0.2], 5):
        ours, published = (
            evenfold.split(y, parts, method=method, random_state=seed).quality.rld
            for method in ("sampling", "sampling-published")
        )
        assert ours <= published + 1e-12


def test_rare_labels_are_not_left_to_the_last_part():
    """Labels of three rows, ten parts: never two rows of a label in the same part."""
    rng = np.random.default_rng(0)
    y = np.zeros((600, 40), int)
    for label in range(40):
        y[rng.choice(600, 3, replace=False), label] = 1
    s = evenfold.split(y, 10, method="sampling")
    assert s.quality.flz == s.quality.bound.flz == 280
    assert evenfold.split(y, 10, method="sampling-published").quality.flz > 280


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
    assert rld[0] > 1.3 * rld[1] > 1.3 * rld[2]
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

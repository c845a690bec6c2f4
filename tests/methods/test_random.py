"""random: each part has its share of the rows and, with groups, of the groups."""

import numpy as np
import pytest

import evenfold
from evenfold import datasets
from evenfold.methods import Random


@pytest.mark.parametrize("parts", [5, [0.8, 0.1, 0.1], [0.5, 0.45, 0.05]])
def test_each_part_has_about_its_share_of_the_groups(parts):
    """Groups of one to many rows: a part of a tenth of the rows has a tenth of the patients."""
    y, groups = datasets.make_patients(6000, 1500, 6, random_state=0)
    n_groups = len(np.unique(groups))
    for seed in range(5):
        s = evenfold.split(y, parts, groups=groups, method="random", random_state=seed)
        n_in_part = [len(np.unique(groups[part])) for part in s]
        # Four standard deviations of a draw without replacement, or a hundredth.
        share = s.sizes / s.sizes.sum()
        tolerance = 4 * np.sqrt(share * (1 - share) / n_groups) + 0.01
        assert (np.abs(np.array(n_in_part) / n_groups - share) < tolerance).all()


@pytest.mark.parametrize("parts", [5, [0.8, 0.1, 0.1], 40])
def test_sizes_are_exact_with_groups_of_one_row_among_the_large(parts):
    """Exchanges of groups repair what the cut leaves over."""
    y, groups = datasets.make_patients(3000, 900, 4, random_state=1)
    s = evenfold.split(y, parts, groups=groups, method="random")
    assert s.quality.ed == pytest.approx(s.quality.bound.ed)


def test_large_groups_are_in_every_part_as_often_as_its_share():
    """Over many seeds, the largest of thirty groups falls into the larger part most often."""
    groups = np.repeat(np.arange(30), [6, *[1, 2, 3] * 9, 1, 1])
    y = np.ones((len(groups), 1))
    part_of_largest = [
        evenfold.split(
            y, [0.7, 0.3], groups=groups, method="random", random_state=seed
        ).part_of_row[0]
        for seed in range(200)
    ]
    assert np.mean(part_of_largest) == pytest.approx(0.3, abs=0.12)


def test_fixed_groups_stay_and_count():
    """The free groups fill the room that fixed ones leave."""
    groups = np.repeat(np.arange(60), [1, 2, 3] * 20)
    fixed = np.where(groups < 20, 0, -1)
    s = evenfold.split(np.ones((120, 1)), [0.5, 0.5], groups=groups, fixed=fixed, method="random")
    assert (s.part_of_row[groups < 20] == 0).all()
    assert s.sizes.tolist() == [60, 60]


def test_groups_of_one_size_that_fit_nowhere_exactly_are_left_alone():
    """Three groups of four rows over parts of six: no exchange can help."""
    s = evenfold.split(np.ones((12, 1)), 2, groups=np.arange(12) // 4, method=Random())
    assert sorted(s.sizes.tolist()) == [4, 8]

"""What must hold of every split."""

from __future__ import annotations

import numpy as np

from evenfold.methods import METHODS

# The methods that promise the sizes asked for.
EXACT = [name for name, method in METHODS.items() if method.exact_sizes]


def check_partition(split, n_rows):
    """Every row is in exactly one part, and the ways to ask agree."""
    assert split.part_of_row.shape == (n_rows,)
    assert np.array_equal(np.sort(np.concatenate(list(split))), np.arange(n_rows))
    assert split.sizes.sum() == n_rows
    assert [len(part) for part in split] == split.sizes.tolist()


def check_sizes(split, shares):
    """Every part is within one row of its share."""
    assert (np.abs(split.sizes - split.sizes.sum() * np.asarray(shares)) < 1).all()


def check_groups_whole(split, groups):
    """No group is in two parts."""
    for group in set(groups):
        assert len(set(split.part_of_row[[own == group for own in groups]])) == 1

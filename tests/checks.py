"""What must hold of every split."""

from __future__ import annotations

import numpy as np
from scipy import sparse

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


def check_labelsets_dealt(split, y):
    """Every labelset is within two rows of its share in every part."""
    sets = np.unique(y, axis=0, return_inverse=True)[1]
    for number in np.unique(sets):
        own = np.bincount(split.part_of_row[sets == number], minlength=len(split))
        assert (np.abs(own - (sets == number).sum() * split.sizes / len(y)) < 2).all()


def is_unchanged(before, given):
    """Tell whether an input still equals the copy that was made before."""
    if sparse.issparse(before):
        a, b = before.tocoo(), given.tocoo()
        return before.format == given.format and all(
            np.array_equal(one, other, equal_nan=True)
            for one, other in zip((a.data, *a.coords), (b.data, *b.coords), strict=True)
        )
    if isinstance(before, np.ndarray) and before.dtype != object:
        same_mask = np.array_equal(np.ma.getmaskarray(before), np.ma.getmaskarray(given))
        is_float = before.dtype.kind == "f"
        return same_mask and np.array_equal(before, given, equal_nan=is_float)
    if isinstance(before, np.ndarray):  # lists find the same NaN equal
        before, given = before.tolist(), given.tolist()
    if hasattr(before, "equals"):
        return before.equals(given)
    return all(
        np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
        for one, other in zip(before, given, strict=True)
    )

"""Labels as a 0/1 matrix, and the split that every form of them must give."""

import numpy as np

import evenfold

Y = (np.random.default_rng(7).random((60, 4)) < [0.6, 0.4, 0.2, 0.1]).astype(np.int64)
NAMES = ["war", "drama", "crime", "art"]
GROUP = np.arange(60) // 3
EXPECTED = evenfold.split(Y, 3)
IN_GROUPS = evenfold.split(Y, 3, groups=GROUP)


def check_same(split, expected=EXPECTED):
    """Compare the parts of all rows."""
    assert np.array_equal(split.part_of_row, expected.part_of_row)

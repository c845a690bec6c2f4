"""measure(): the sizes of parts."""

import numpy as np

import evenfold


def test_sizes_that_are_wanted_as_they_are_have_no_difference():
    """Shares such as 89 / 200 have rounding errors, which are no rows."""
    part_of_row = np.repeat([0, 1, 2], [89, 57, 54])
    assert evenfold.measure([["a"]] * 200, part_of_row).ed == 0

"""measure(): the sizes of parts."""

import numpy as np
import pytest

import evenfold


def test_sizes_that_are_wanted_as_they_are_have_no_difference():
    """Shares such as 89 / 200 have rounding errors, which are no rows."""
    part_of_row = np.repeat([0, 1, 2], [89, 57, 54])
    assert evenfold.measure([["a"]] * 200, part_of_row).ed == 0


@pytest.mark.parametrize("none", [None, float("nan"), -1])
def test_every_row_needs_a_part_also_where_parts_have_names(none):
    """A row without a part could be left out of the counts otherwise."""
    message = r"'part_of_row' must name a part for each row \(0 to 1: x, y\), got .* at row 1\."
    with pytest.raises(ValueError, match=message):
        evenfold.measure([["a"], ["b"], ["a"]], ["x", none, "y"], names=["x", "y"])

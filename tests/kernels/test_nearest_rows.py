"""The kernel of nearest rows equals a sort, compiled and not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold._kernels.nearest_rows import take_nearest


@pytest.mark.parametrize("form", ["function", "compiled"])
@settings(max_examples=60, deadline=None)
@given(
    st.integers(0, 2**32 - 1), st.integers(1, 9), st.integers(1, 4), st.integers(1, 9), st.data()
)
def test_take_nearest_equals_a_sort(form, seed, n_rows, n_groups, k, data):
    """Many rows are at the same distance, and a row may have no other group."""
    rng = np.random.default_rng(seed)
    rows = rng.integers(-2, 3, (n_rows, 2)).astype(np.float64)
    group_of_row = rng.integers(0, n_groups, n_rows)
    first = data.draw(st.integers(0, n_rows - 1))
    block = rows[first : first + data.draw(st.integers(1, n_rows))]
    near = np.full((len(block), k), -1)
    n_near = np.full(len(block), -1)
    getattr(take_nearest, form)(
        block @ rows.T, (rows**2).sum(axis=1), group_of_row, first, near, n_near
    )
    for place, row in enumerate(block):
        others = np.flatnonzero(group_of_row != group_of_row[first + place])
        others = sorted(others, key=lambda other: (((rows[other] - row) ** 2).sum(), other))
        assert near[place, : n_near[place]].tolist() == others[:k]

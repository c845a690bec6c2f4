"""Groups that limit where they can be."""

import numpy as np
import pytest

import evenfold


@pytest.mark.parametrize("method", ["even", "random", "assignment"])
def test_a_group_that_fits_into_one_part_only_is_there(method):
    """A search must not begin with it in a part that is too small for it."""
    for seed in range(4):
        rng = np.random.default_rng(seed)
        y = evenfold.datasets.make_zipf(800, 30, 4, random_state=seed)
        groups = rng.integers(1, 200, 800)
        groups[rng.choice(800, 120, replace=False)] = 0
        s = evenfold.split(y, [0.8, 0.1, 0.1], groups=groups, method=method, random_state=seed)
        assert s.sizes.tolist() == [640, 80, 80]

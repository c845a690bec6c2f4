"""Label matrices for hypothesis: empty rows, empty and full labels, one row, rare labels."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st


@st.composite
def label_matrices(draw, max_rows=30, max_labels=6, min_rows=1):
    """Return an (n, q) 0/1 int array."""
    n = draw(st.integers(min_rows, max_rows))
    q = draw(st.integers(1, max_labels))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    kinds = draw(
        st.lists(
            st.sampled_from(["empty", "full", "one", "rare", "half", "copy"]),
            min_size=q,
            max_size=q,
        )
    )
    rate = {"empty": 0.0, "full": 1.0, "rare": 0.15, "half": 0.5}
    y = np.zeros((n, q), dtype=int)
    for i, kind in enumerate(kinds):
        if kind == "one":
            y[rng.integers(n), i] = 1
        elif kind == "copy" and i:
            y[:, i] = y[:, i - 1]
        else:
            y[:, i] = rng.random(n) < rate.get(kind, 0.3)
    return y


@st.composite
def part_weights(draw, max_parts=5):
    """Return wanted shares as whole numbers, equal or not."""
    k = draw(st.integers(2, max_parts))
    if draw(st.booleans()):
        return [1] * k
    return draw(st.lists(st.integers(1, 9), min_size=k, max_size=k))

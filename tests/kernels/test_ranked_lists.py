"""The kernel of ranked lists equals its slow version on repeated rows, compiled and not."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold._kernels.ranked_lists import measure_samples

from .. import naive


@pytest.mark.parametrize("form", ["function", "compiled"])
@pytest.mark.parametrize("areas", [False, True])
@pytest.mark.parametrize("dtype", [np.uint8, np.int64])
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 8), st.integers(1, 3), st.integers(1, 4))
def test_measure_samples_equals_its_slow_version(
    form, areas, dtype, seed, n_rows, n_lists, n_levels
):
    """Lists may leave out false cells of score 0, and rows may be drawn never or often."""
    rng = np.random.default_rng(seed)
    is_true = rng.random((n_lists, n_rows)) < rng.choice([0, 0.4, 1], (n_lists, 1))
    scores = rng.integers(-1, n_levels, (n_lists, n_rows))
    listed = is_true | (scores != 0) | (rng.random(is_true.shape) < rng.choice([0.3, 1]))
    counts = rng.integers(0, rng.choice([2, 5]), (n_rows, 4)).astype(dtype)
    lists, rows, truths, ends = [0], [], [], []
    for own_true, own_scores, own_listed in zip(is_true, scores, listed, strict=True):
        cells = [(-own_scores[row], row, own_true[row]) for row in np.flatnonzero(own_listed)]
        if not own_listed.all():
            cells.append((0, -1, False))
        cells = [cells[place] for place in rng.permutation(len(cells))]
        cells.sort(key=lambda cell: cell[0])
        rows += [row for _, row, _ in cells]
        truths += [own for _, _, own in cells]
        ends += [a[0] != b[0] for a, b in itertools.pairwise(cells)] + [True]
        lists.append(len(rows))
    values = np.empty((n_lists, counts.shape[1]))
    getattr(measure_samples, form)(
        np.array(lists, np.int64),
        np.array(rows, np.int32),
        np.array(truths, bool),
        np.array(ends, bool),
        counts,
        counts.sum(axis=0, dtype=float),
        areas,
        np.full((5, counts.shape[1]), 7.0),
        values,
    )
    expected = [
        [
            naive.measure_list(
                [
                    cell
                    for cell, count in zip(zip(score, true, strict=True), sample, strict=True)
                    for _ in range(count)
                ],
                areas,
            )
            for sample in counts.T
        ]
        for score, true in zip(scores.tolist(), is_true.tolist(), strict=True)
    ]
    np.testing.assert_allclose(values, expected, rtol=0, atol=1e-14)

"""Nearest rows: exact distances, so that neither threads nor blocks change them."""

import numpy as np
import pytest
from scipy import sparse
from threadpoolctl import threadpool_limits

from evenfold.learn import nearest_rows
from evenfold.learn.nearest_rows import find_nearest_rows


def find_all(rows, group_of_row, k):
    """Return the nearest rows of each row, as lists."""
    row, near = map(np.concatenate, zip(*find_nearest_rows(rows, group_of_row, k), strict=True))
    assert (np.diff(row) >= 0).all()
    return [near[row == at].tolist() for at in range(len(group_of_row))]


def test_first_rows_are_taken_among_equals():
    """Rows 1 to 4 are equally far from row 0; rows of its own group do not count."""
    rows = np.array([[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]], float)
    assert find_all(rows, np.arange(5), 2)[0] == [1, 2]
    assert find_all(rows, np.array([0, 0, 1, 2, 3]), 2)[0] == [2, 3]
    assert find_all(rows, np.array([0, 0, 1, 0, 0]), 2) == [[2], [2], [0, 3], [2], [2]]


@pytest.mark.parametrize("is_sparse", [False, True])
@pytest.mark.parametrize("scale", [1e-200, 1.0, 1e150])
def test_distances_are_exact_whole_numbers(is_sparse, scale):
    """All sums of products are below 2 ** 53, whatever the features."""
    rng = np.random.default_rng(0)
    rows = rng.exponential(size=(300, 40)) ** 6 * scale * (rng.random((300, 40)) < 0.3)
    points = nearest_rows._round(sparse.csr_array(rows) if is_sparse else rows)
    dense = points.toarray() if is_sparse else points
    assert (dense == np.rint(dense)).all()
    assert 2**46 < (dense**2).sum(axis=1).max() <= 2**51
    exact = dense.astype(object)
    assert (exact[:5] @ exact.T == (points @ points.T)[:5]).all()


@pytest.mark.parametrize("is_sparse", [False, True])
def test_neither_threads_nor_blocks_change_the_rows(is_sparse, monkeypatch):
    """Many rows are nearly at the same distance."""
    rng = np.random.default_rng(1)
    rows = rng.integers(0, 3, (700, 90)) / 7.0
    rows = sparse.csr_array(rows) if is_sparse else rows
    found = []
    for n_threads, n_pairs in ((1, 1 << 24), (2, 1 << 24), (2, 9_000)):
        monkeypatch.setattr(nearest_rows, "_PAIRS_AT_ONCE", n_pairs)
        with threadpool_limits(n_threads):
            found.append(find_all(rows, np.arange(700), 5))
    assert found[0] == found[1] == found[2]


def test_constant_features_have_no_part():
    """Also if all features are constant."""
    rows = np.column_stack((np.arange(5.0), np.full(5, 0.1)))
    assert find_all(rows, np.arange(5), 1) == find_all(rows[:, :1], np.arange(5), 1)
    assert find_all(rows[:, 1:], np.arange(5), 2)[4] == [0, 1]

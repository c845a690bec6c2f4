"""Pairs of row and label in canonical form."""

import numpy as np

from evenfold.labels.entries import make_positions


def test_positions_do_not_depend_on_the_order_of_pairs_nor_on_repeats():
    """Sorted pairs are taken as they are; others are sorted, and repeated ones count once."""
    row, label = np.array([0, 0, 2, 3, 3]), np.array([1, 4, 0, 0, 2])
    shuffled = np.array([3, 0, 4, 2, 1, 3, 0])
    repeated = np.array([0, 1, 1, 2, 3, 4])
    for order in (np.arange(5), shuffled, repeated):
        indptr, indices = make_positions(row[order], label[order], 5, 6)
        assert (indptr.tolist(), indptr.dtype) == ([0, 2, 2, 3, 5, 5], np.int64)
        assert (indices.tolist(), indices.dtype) == ([1, 4, 0, 0, 2], np.int32)


def test_positions_of_no_pairs():
    """Rows without labels are rows."""
    nothing = np.empty(0, np.int64)
    indptr, indices = make_positions(nothing, nothing, 3, 2)
    assert indptr.tolist() == [0, 0, 0, 0]
    assert indices.tolist() == []

"""Numbers past 32 bits: shapes that need no memory, and thresholds that are set low."""

import numpy as np
import pytest
import scipy.sparse

import evenfold
from evenfold.exceptions import ImpossibleSplit, InputError
from evenfold.problem import problem
from evenfold.quality.groups_of_label import count_groups_of_label
from evenfold.quality.pieces import find_pieces, number_pieces

PAST = 2**31


@pytest.mark.parametrize("make", [scipy.sparse.csr_array, scipy.sparse.coo_array])
def test_labels_past_32_bits_are_refused(make):
    """Label 2**32 + 1 would be label 1."""
    y = make((np.ones(2, np.int8), ([0, 1], [0, 2**32 + 1])), shape=(2, 2**33))
    with pytest.raises(InputError, match=r"must have fewer than 2,147,483,648 rows and labels"):
        evenfold.labels.make_labels(y)


def test_the_last_label_of_32_bits_is_read():
    """Its number is not changed, and no array of all labels is made."""
    y = scipy.sparse.csr_array((np.ones(1, np.int8), ([1], [PAST - 2])), shape=(2, PAST - 1))
    labels = evenfold.labels.make_labels(y)
    assert (labels.n_labels, labels.indices.tolist()) == (PAST - 1, [PAST - 2])
    assert labels.indptr.dtype == np.int64


def test_too_many_units_are_refused(monkeypatch):
    """Kernels number rows and groups in 32 bits."""
    monkeypatch.setattr(problem, "MOST_UNITS", 5)
    y = np.eye(6, 2, dtype=np.int8)
    with pytest.raises(ImpossibleSplit, match=r"has at most 5 rows or groups, got 6. Use evenfold"):
        evenfold.split(y, 2)
    assert len(evenfold.split(y, 2, groups=[0, 0, 1, 2, 3, 4]).part_of_row) == 6


def test_values_times_parts_pass_32_bits():
    """The number of a value times the number of parts is a number of 64 bits."""
    code = np.array([PAST - 1, -1, PAST - 1, 3], np.int64)
    part = np.array([6, 2, 0, 5], np.int32)
    pieces = find_pieces(code, part, 7)
    assert pieces.code.tolist() == [3, PAST - 1, PAST - 1]
    assert pieces.part.tolist() == [5, 0, 6]
    piece_of_row, pieces = number_pieces(code[[0, 2, 3]], part[[0, 2, 3]], 7)
    assert piece_of_row.tolist() == [2, 1, 0]
    assert pieces.code.tolist() == [3, PAST - 1, PAST - 1]


def test_groups_times_labels_times_parts_pass_32_bits():
    """Groups that hold a label are counted by 64-bit numbers of group, label and part."""
    labels = evenfold.labels.make_labels([["a", "b"], ["b"], ["b"]])
    group = np.array([0, PAST, PAST], np.int64)
    count = count_groups_of_label(labels, group, np.array([0, 1, 1], np.int32), 2)
    assert count.tolist() == [[1, 1], [0, 1]]


def test_the_widest_cover_is_all_rows():
    """A number that no array holds is as good as the number of rows."""
    y = np.tile(np.eye(2, dtype=np.int8), (6, 1))
    widest = evenfold.split(y, 2, cover=10**30)
    assert (widest.part_of_row == evenfold.split(y, 2, cover=12).part_of_row).all()


def test_unknown_entries_of_wide_matrices_are_kept_apart():
    """The key of a row and a label has 64 bits."""
    value = np.array([1.0, np.nan, 1.0])
    row, label = np.array([0, 2, 2]), np.array([PAST - 3, PAST - 3, 5])
    y = scipy.sparse.coo_array((value, (row, label)), shape=(3, PAST - 1))
    labels = evenfold.labels.make_labels(y)
    assert labels.indices.tolist() == [PAST - 3, 5]
    assert labels.unknown is not None
    assert labels.unknown[1].tolist() == [PAST - 3]
    assert labels.unknown[0].tolist() == [0, 0, 0, 1]

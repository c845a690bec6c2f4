"""Chunks of rows are matched with numbers of rows, and a changed file is refused."""

import numpy as np
import pytest

from evenfold.exceptions import InputError
from evenfold.files.row_chunks import cut_into_chunks, number_chunks, pair_chunks

ROWS = ["a", "b", "c", "d", "e"]


def test_chunks_hold_all_rows_in_order():
    """The last chunk may be shorter, and there is no empty one."""
    assert list(cut_into_chunks(ROWS, 2)) == [["a", "b"], ["c", "d"], ["e"]]
    assert list(cut_into_chunks(iter(ROWS), 5)) == [ROWS]
    assert list(cut_into_chunks([], 2)) == []


def test_chunks_have_the_numbers_of_their_rows():
    """The number of the first row, or one number for each row."""
    chunks = list(cut_into_chunks(ROWS, 2))
    assert list(number_chunks("data", chunks, 5)) == [(0, chunks[0]), (2, chunks[1]), (4, ["e"])]
    paired = list(pair_chunks("data", chunks, np.array([3, 1, -1, 0, 2], np.int32)))
    assert [numbers for _, numbers in paired] == [[3, 1], [-1, 0], [2]]
    assert list(pair_chunks("data", [], np.empty(0, np.int32))) == []


@pytest.mark.parametrize("n_rows", [0, 3, 4, 6, 7])
def test_another_number_of_rows_is_refused(n_rows):
    """More rows and fewer, also within a chunk."""
    message = f"data: no longer holds the {n_rows} rows whose labels were read. Split it again"
    with pytest.raises(InputError, match=message):
        list(pair_chunks("data", cut_into_chunks(ROWS, 2), np.zeros(n_rows, np.int32)))

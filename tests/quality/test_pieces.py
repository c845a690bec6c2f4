"""Pieces are the values of each part, as a slow count finds them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evenfold.quality.pieces import find_pieces

N_PARTS = 3
some_rows = st.lists(st.tuples(st.integers(-1, 4), st.integers(0, N_PARTS - 1)), max_size=12)


@given(some_rows)
def test_pieces_are_the_values_of_each_part(rows):
    """Each once, by value and part; rows without a value are in none."""
    code_of_row = np.array([code for code, _ in rows], np.int64)
    part_of_row = np.array([part for _, part in rows], np.int32)
    pieces = find_pieces(code_of_row, part_of_row, N_PARTS)
    expected = sorted({row for row in rows if row[0] >= 0})
    assert list(zip(pieces.code.tolist(), pieces.part.tolist(), strict=True)) == expected
    n_parts_of_value = [sum(code == own for own, _ in expected) for code in range(6)]
    assert pieces.count_parts(6).tolist() == n_parts_of_value


@given(some_rows)
def test_the_piece_of_a_row_is_found(rows):
    """By its value and its part."""
    held = [row for row in rows if row[0] >= 0]
    code = np.array([code for code, _ in held], np.int64)
    part = np.array([part for _, part in held], np.int32)
    pieces = find_pieces(code, part, N_PARTS)
    found = pieces.find(code, part)
    assert pieces.code[found].tolist() == code.tolist()
    assert pieces.part[found].tolist() == part.tolist()

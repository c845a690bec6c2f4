"""Pieces are the values of each part, as a slow count finds them."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from evenfold.quality.pieces import find_pieces, number_pieces, sort_distinct

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


@given(st.lists(st.integers(-3, 3), max_size=12))
def test_distinct_numbers_are_sorted(numbers):
    """Each number once."""
    assert sort_distinct(np.array(numbers, np.int64)).tolist() == sorted(set(numbers))


@given(some_rows)
def test_the_piece_of_each_row_is_numbered(rows):
    """It has the row's value and part; the pieces are the same."""
    held = [row for row in rows if row[0] >= 0]
    code = np.array([code for code, _ in held], np.int64)
    part = np.array([part for _, part in held], np.int32)
    piece_of_row, pieces = number_pieces(code, part, N_PARTS)
    assert pieces.code[piece_of_row].tolist() == code.tolist()
    assert pieces.part[piece_of_row].tolist() == part.tolist()
    assert pieces.cells.tolist() == find_pieces(code, part, N_PARTS).cells.tolist()

"""Passes over all entries of a sparse matrix that copy none of them."""

import numpy as np
from numpy.typing import NDArray

from .compiler import kernel, shared

# Longest row that is sorted by insertion while it is read: fastest for a few labels, slow for
# thousands. Chosen by hand.
_MOST_TO_INSERT = 64
# NumPy makes a 64-bit copy of what it counts; this many entries at a time keep that copy small.
_COUNT_AT_ONCE = 1 << 16


def count_entries(indices: NDArray[np.int32], n_columns: int) -> NDArray[np.int64]:
    """Return (n_columns,) how often each column occurs, without a 64-bit copy of all indices."""
    total = np.zeros(n_columns, np.int64)
    at_once = max(_COUNT_AT_ONCE, n_columns)
    for start in range(0, len(indices), at_once):
        total += np.bincount(indices[start : start + at_once], minlength=n_columns)
    return total


@kernel
def join_rows(left_indptr, left, right_indptr, right, offset, joined):
    """Put the entries of each row of `right`, plus `offset`, after those of `left`.

    OUT: `joined`. Cost O(nnz).
    """
    at = 0
    for row in range(left_indptr.shape[0] - 1):
        for entry in range(left_indptr[row], left_indptr[row + 1]):
            joined[at] = left[entry]
            at += 1
        for entry in range(right_indptr[row], right_indptr[row + 1]):
            joined[at] = right[entry] + offset
            at += 1


@kernel
def find_highest_price(indptr, indices, amounts, price, highest):
    """Find the largest sum over a unit's entries of amount (`amounts` empty: 1) times price.

    OUT: `highest` (1,). Cost O(nnz).
    """
    counted = amounts.shape[0] > 0
    highest[0] = 0.0
    for unit in range(indptr.shape[0] - 1):
        total = 0.0
        for entry in range(indptr[unit], indptr[unit + 1]):
            total += price[indices[entry]] * (amounts[entry] if counted else 1)
        highest[0] = max(highest[0], total)


@kernel
def count_in_parts(indptr, indices, amounts, part_of_unit, held):
    """Add up what each part holds of each criterion.

    INOUT: `held` (n_criteria, n_parts), zeros. Cost O(nnz).
    """
    counted = amounts.shape[0] > 0
    for unit in range(indptr.shape[0] - 1):
        part = part_of_unit[unit]
        for entry in range(indptr[unit], indptr[unit + 1]):
            held[indices[entry], part] += amounts[entry] if counted else 1


@kernel
def sort_rows(length_of_row, codes, rank, sorted_codes, n_kept):
    """Sort the labels of each row by rank and drop repeated ones.

    IN: rows one after another. OUT: `sorted_codes`, as far as needed, and `n_kept` of each row.
    Cost O(nnz), for rows of more than 64 labels up to O(nnz · root of the longest row).
    """
    start = 0
    at = 0
    for row in range(length_of_row.shape[0]):
        stop = start + length_of_row[row]
        first = at
        if stop - start > _MOST_TO_INSERT:
            for entry in range(start, stop):
                sorted_codes[first + entry - start] = rank[codes[entry]]
            # Shell's sort: Numba takes a second to compile a call of NumPy's.
            gap = 1
            while gap < (stop - start) // 3:
                gap = 3 * gap + 1
            while gap > 0:
                for entry in range(first + gap, first + stop - start):
                    code = sorted_codes[entry]
                    place = entry
                    while place - gap >= first and sorted_codes[place - gap] > code:
                        sorted_codes[place] = sorted_codes[place - gap]
                        place -= gap
                    sorted_codes[place] = code
                gap //= 3
            for place in range(first, first + stop - start):
                if at == first or sorted_codes[place] != sorted_codes[at - 1]:
                    sorted_codes[at] = sorted_codes[place]
                    at += 1
        else:
            for entry in range(start, stop):
                code = rank[codes[entry]]
                place = at
                while place > first and sorted_codes[place - 1] > code:
                    place -= 1
                if place > first and sorted_codes[place - 1] == code:
                    continue
                for later in range(at, place, -1):
                    sorted_codes[later] = sorted_codes[later - 1]
                sorted_codes[place] = code
                at += 1
        n_kept[row] = at - first
        start = stop


@kernel
def number_equal_rows(indptr, indices, amounts, scramble, keys, table, number):
    """Number rows by first appearance; rows with the same columns and amounts get one number.

    IN: rows whose columns are sorted; `amounts`, empty: 1 each; `scramble` (n_columns,) random
    numbers of 40 bits. WORK: `keys` (n_rows,); `table`, -1 everywhere, with a power of 2 of places,
    at least two per row. OUT: `number` (n_rows,). Cost O(nnz).
    Rows are compared only if their sums of scrambles, which do not pass 63 bits, are equal.
    """
    counted = amounts.shape[0] > 0
    mask = table.shape[0] - 1
    n_numbers = 0
    for row in range(number.shape[0]):
        key = 0
        for entry in range(indptr[row], indptr[row + 1]):
            value = scramble[indices[entry]]
            if counted:
                # An odd factor of 22 bits, so that the product has 62 bits; its lower 40 are kept.
                value = value * ((2 * amounts[entry] + 1) & 0x3FFFFF) & 0xFFFFFFFFFF
            key += value
        keys[row] = key
        place = (key ^ (key >> 20)) & mask
        while table[place] >= 0 and not (
            keys[table[place]] == key
            and is_equal_row(indptr, indices, amounts, table[place], row, counted)
        ):
            place = (place + 1) & mask
        if table[place] < 0:
            table[place] = row
            number[row] = n_numbers
            n_numbers += 1
        else:
            number[row] = number[table[place]]


@shared
def is_equal_row(indptr, indices, amounts, one, other, counted):
    """Return whether two rows have the same columns and, if `counted`, the same amounts."""
    length = indptr[one + 1] - indptr[one]
    if indptr[other + 1] - indptr[other] != length:
        return False
    shift = indptr[other] - indptr[one]
    for entry in range(indptr[one], indptr[one + 1]):
        if indices[entry] != indices[entry + shift]:
            return False
        if counted and amounts[entry] != amounts[entry + shift]:
            return False
    return True

"""Single passes over all entries, which make no copies of them on the way."""

from .compiler import kernel


@kernel
def join_rows(left_indptr, left, right_indptr, right, offset, joined):
    """Put the entries of each row of `right`, plus `offset`, after those of `left`. OUT: `joined`. Cost O(nnz)."""
    at = 0
    for row in range(left_indptr.shape[0] - 1):
        for entry in range(left_indptr[row], left_indptr[row + 1]):
            joined[at] = left[entry]
            at += 1
        for entry in range(right_indptr[row], right_indptr[row + 1]):
            joined[at] = right[entry] + offset
            at += 1


@kernel
def find_dearest(indptr, indices, amounts, price, dearest):
    """Find the largest sum over a unit's entries of amount (`amounts` empty: 1) times price. OUT: `dearest` (1,). Cost O(nnz)."""
    counted = amounts.shape[0] > 0
    dearest[0] = 0.0
    for unit in range(indptr.shape[0] - 1):
        total = 0.0
        for entry in range(indptr[unit], indptr[unit + 1]):
            total += price[indices[entry]] * (amounts[entry] if counted else 1)
        dearest[0] = max(dearest[0], total)


@kernel
def count_in_parts(indptr, indices, amounts, part_of_unit, held):
    """Add up what each part holds of each criterion. INOUT: `held` (n_criteria, n_parts), zeros. Cost O(nnz)."""
    counted = amounts.shape[0] > 0
    for unit in range(indptr.shape[0] - 1):
        part = part_of_unit[unit]
        for entry in range(indptr[unit], indptr[unit + 1]):
            held[indices[entry], part] += amounts[entry] if counted else 1

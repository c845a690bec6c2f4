"""scale: passes over the units of a partition, and quotas of partitions."""

import numpy as np

from .compiler import kernel, shared


@kernel
def find_rarest(indptr, indices, rows_of_criterion, common, rows_without, n_rows, rarest):
    """Find how rare the rarest criterion of each unit is.

    IN: `rows_of_criterion` (n_criteria,), 0 for criteria that do not count; `common` lists the
    criteria of most rows, for which lacking them is rare: `rows_without` (n_common,) rows do.
    OUT: `rarest` (n_units,): the least number of rows that share something with the unit.
    Cost O(nnz + n_units · n_common).
    """
    holder = np.full(rows_of_criterion.shape[0], -1, np.int64)
    for unit in range(indptr.shape[0] - 1):
        least = n_rows
        for entry in range(indptr[unit], indptr[unit + 1]):
            criterion = indices[entry]
            holder[criterion] = unit
            if 0 < rows_of_criterion[criterion] < least:
                least = rows_of_criterion[criterion]
        for at in range(common.shape[0]):
            if holder[common[at]] != unit and rows_without[at] < least:
                least = rows_without[at]
        rarest[unit] = least


@kernel
def take_turns(n_before, n_own, shares, offset, quota):
    """Give each part its quota of the rows that a partition has, after those of others before it.

    IN: `n_before`, `n_own`, `offset` (n_criteria,); `shares` (n_criteria, n_parts), each row
    summing to 1 (or 0). OUT: `quota` (n_criteria, n_parts), whole numbers that sum to `n_own`.
    Rows take turns by Webster's method, beginning at `offset`. The quotas of all partitions add up
    to what the last of them would get if it had all rows. Cost O(n_criteria · n_parts²).
    """
    n_parts = quota.shape[1]
    first = np.empty(n_parts, np.int64)
    last = np.empty(n_parts, np.int64)
    for criterion in range(n_own.shape[0]):
        begin = offset[criterion] + n_before[criterion]
        apportion(begin, shares[criterion], first)
        apportion(begin + n_own[criterion], shares[criterion], last)
        for part in range(n_parts):
            quota[criterion, part] = last[part] - first[part]


@shared
def apportion(n_rows, shares, seats):
    """Share out rows by Webster's method, which gives no part fewer if there are more rows.

    OUT: `seats` (n_parts,).
    """
    n_parts = shares.shape[0]
    n_given = 0
    for part in range(n_parts):
        seats[part] = np.int64(np.floor(n_rows * shares[part] + 0.5))
        n_given += seats[part]
    while n_given != n_rows:
        best = -1
        best_price = 0.0
        for part in range(n_parts):
            if shares[part] <= 0.0:
                continue
            if n_given < n_rows:
                price = (seats[part] + 0.5) / shares[part]
                if best < 0 or price < best_price:
                    best, best_price = part, price
            elif seats[part] > 0:
                price = (seats[part] - 0.5) / shares[part]
                if best < 0 or price >= best_price:
                    best, best_price = part, price
        if best < 0:
            break
        step = 1 if n_given < n_rows else -1
        seats[best] += step
        n_given += step

"""The most even way to spread the rows of one label over parts of given sizes, in whole rows."""

import numpy as np

from .compiler import kernel


@kernel
def spread_relative(count_of_label, sizes, cost_of_label):
    """Find the least sum over parts of |n c_j - m S_j| / S_j, the sum that rLD averages.

    The c_j are whole numbers from 0 to S_j that sum to m; a part without rows costs m.
    IN: m of each label, `sizes` S (n_labels or 1, n_parts). OUT: `cost_of_label`.
    Cost O(n_labels · n_parts log n_parts). Assumes m <= n, the sum of S.

    The cost of a part is convex in c_j, so adding the cheapest next row each time is exact.
    Start at the floors of the exact shares m S_j / n. The next row of a part crosses its exact
    share and costs (n - 2 remainder) / S_j; each row after that, up to S_j in all, costs n / S_j.
    One row less than the floor also costs n / S_j.
    """
    n_parts = sizes.shape[1]
    crossing = np.empty(n_parts, np.float64)
    floor = np.empty(n_parts, np.int64)
    for label in range(count_of_label.shape[0]):
        size = sizes[label if sizes.shape[0] > 1 else 0]
        n = size.sum()
        m = count_of_label[label]
        cost_of_label[label] = 0.0
        if m == 0:
            continue
        left = m
        cost = 0.0
        for part in range(n_parts):
            floor[part] = m * size[part] // n
            remainder = m * size[part] - floor[part] * n
            left -= floor[part]
            if size[part] > 0:
                cost += remainder / size[part]
                crossing[part] = (n - 2 * remainder) / size[part]
            else:
                cost += m
                crossing[part] = np.inf
        by_crossing = np.argsort(crossing)
        by_size = np.argsort(size)

        # Place the rows that the floors leave: cross the share of the next part, or fill the
        # largest part that is not full. That part is crossed already, because crossing its share
        # costs no more than a row beyond it. Parts without rows are never reached: m <= n.
        crossed = 0
        largest = n_parts - 1
        while left > 0:
            part = by_size[largest]
            if crossed < n_parts and crossing[by_crossing[crossed]] <= n / size[part]:
                cost += crossing[by_crossing[crossed]]
                crossed += 1
                left -= 1
            else:
                placed = min(left, size[part] - floor[part] - 1)
                cost += placed * (n / size[part])
                left -= placed
                largest -= 1

        # Move a row from the largest part to the next part that then exceeds its share, while this
        # lowers the cost.
        giver = n_parts - 1
        while crossed < n_parts and giver >= 0:
            part = by_size[giver]
            if floor[part] == 0:
                giver -= 1
                continue
            change = crossing[by_crossing[crossed]] + n / size[part]
            if change >= 0:
                break
            cost += change
            floor[part] -= 1
            crossed += 1
        cost_of_label[label] = cost


@kernel
def spread_odds(count_of_label, sizes, cost_of_label):
    """Find the least sum over parts of |c_j / (S_j - c_j) - m / (n - m)|, which LD averages.

    The c_j are whole numbers from 0 to S_j that sum to m, and m < n, the sum of S.
    IN: m of each label, `sizes` S (n_labels or 1, n_parts). OUT: `cost_of_label`.
    Cost O(n_labels · n_parts³).

    If one part were at least one row below the floor of its share and another at least one row
    above the ceiling, moving a row between them would improve both. So in a best spread either
    no part is below its floor or none is above its ceiling. Each case is a dynamic programme over
    the rows still to add, or to remove. (The odds are not convex in c_j, so adding the cheapest
    next row, exact for rLD, is not exact here.)
    """
    n_parts = sizes.shape[1]
    best = np.empty(n_parts + 1, np.float64)
    following = np.empty(n_parts + 1, np.float64)
    for label in range(count_of_label.shape[0]):
        size = sizes[label if sizes.shape[0] > 1 else 0]
        n = size.sum()
        m = count_of_label[label]
        cost_of_label[label] = 0.0
        if m == 0:
            continue
        odds = m / (n - m)
        cost_of_label[label] = np.inf
        for direction in (1, -1):
            n_moves = direction * m
            for part in range(n_parts):
                base = m * size[part] // n if direction == 1 else -(-m * size[part] // n)
                n_moves -= direction * base
            best[: n_moves + 1] = np.inf
            best[0] = 0.0
            for part in range(n_parts):
                base = m * size[part] // n if direction == 1 else -(-m * size[part] // n)
                following[: n_moves + 1] = np.inf
                for move in range(n_moves + 1):
                    c = base + direction * move
                    if c < 0 or c > size[part]:
                        break
                    # A part's share of 1 is read as (size - 1) / size.
                    value = (
                        0.0
                        if size[part] == 0
                        else (c / (size[part] - c) if c < size[part] else size[part] - 1.0)
                    )
                    step = abs(value - odds)
                    for before in range(n_moves + 1 - move):
                        if best[before] + step < following[before + move]:
                            following[before + move] = best[before] + step
                best, following = following, best
            cost_of_label[label] = min(cost_of_label[label], best[n_moves])

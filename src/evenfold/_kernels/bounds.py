"""Spreading: the most even way to cut whole rows of one label over parts of given sizes."""

import numpy as np

from .compiler import kernel


@kernel
def spread_relative(count_of_label, sizes, cost_of_label):
    """Least sum over parts of |n c_j - m S_j| / S_j, the sum that rLD averages, over whole c_j that sum to m.

    IN: m of each label, `sizes` (n_labels or 1, n_parts). OUT: `cost_of_label`. Cost O(n_labels · n_parts log n_parts).
    From the floors of the exact shares, another row costs (n - 2 remainder) / S_j where it crosses the share, n / S_j beyond it, and
    taking one away n / S_j: convex, so the cheapest next row is always right. Only the widest parts are worth going beyond or short.
    """
    n_parts = sizes.shape[1]
    crossing = np.empty(n_parts, np.float64)
    whole = np.empty(n_parts, np.int64)
    for label in range(count_of_label.shape[0]):
        size = sizes[label if sizes.shape[0] > 1 else 0]
        n = size.sum()
        m = count_of_label[label]
        cost_of_label[label] = 0.0
        if m == 0:
            continue
        left = m
        cost = 0.0
        widest = 0
        for part in range(n_parts):
            whole[part] = m * size[part] // n
            remainder = m * size[part] - whole[part] * n
            left -= whole[part]
            widest = max(widest, size[part])
            if size[part] > 0:
                cost += remainder / size[part]
                crossing[part] = (n - 2 * remainder) / size[part]
            else:
                cost += m
                crossing[part] = np.inf
        cheapest = np.argsort(crossing)
        at = 0
        while left > 0 and at < n_parts and crossing[cheapest[at]] <= n / widest:
            cost += crossing[cheapest[at]]
            left -= 1
            at += 1
        cost += left * n / widest
        by_size = np.argsort(size)
        giver = n_parts - 1
        while at < n_parts and giver >= 0:
            part = by_size[giver]
            if whole[part] == 0:
                giver -= 1
                continue
            change = crossing[cheapest[at]] + n / size[part]
            if change >= 0:
                break
            cost += change
            whole[part] -= 1
            at += 1
        cost_of_label[label] = cost


@kernel
def spread_odds(count_of_label, sizes, cost_of_label):
    """Least sum over parts of |c_j / (S_j - c_j) - m / (n - m)|, the sum that LD averages, over whole c_j that sum to m < n.

    IN: m of each label, `sizes` (n_labels or 1, n_parts). OUT: `cost_of_label`. Cost O(n_labels · n_parts³).
    If one part were a whole row short of its share and another a whole row over, moving a row would mend both. So either no part is below
    its floor or none above its ceiling: two small dynamic programmes over the rows still to be given, or taken. (The odds bend, so the
    cheapest next row, right for rLD, is not always right here.)
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

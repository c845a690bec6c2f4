"""Slow, obvious versions of every kernel and measure, written from the papers, not the code."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np


def iterative(
    units, rows_of_unit, weights, levels, visiting_order, draw, fixed, is_amount, precedence
):
    """Sechidis et al. 2011, Algorithm 1, in exact fractions.

    `units`: per unit a dict criterion → amount. Ties between equally rare criteria: the lowest
    precedence, then the one whose count changed in the latest pass, then the one whose units' draws
    sum to most. Ties between parts: the draw of the unit, modulo the number of tied parts. How rare
    a criterion is counts its rows, or its units if it `is_amount`. Units that are `fixed` (not -1)
    are in their part from the start.
    Returns the part of each unit and the criteria in the order taken.
    """
    k, n = len(weights), sum(rows_of_unit)
    shares = [Fraction(int(weight), int(sum(weights))) for weight in weights]
    criteria = range(len(levels))
    held = [{i: 1 if is_amount[i] else amount for i, amount in unit.items()} for unit in units]
    total = {i: sum(unit.get(i, 0) for unit in units) for i in criteria}
    remaining = {i: sum(unit.get(i, 0) for unit in held) for i in criteria}
    wanted_rows = [share * n for share in shares]
    wanted = {i: [share * total[i] for share in shares] for i in criteria}
    part_of_unit = [None] * len(units)
    taken = []

    def assign(unit, part):
        part_of_unit[unit] = part
        wanted_rows[part] -= rows_of_unit[unit]
        for i, amount in units[unit].items():
            wanted[i][part] -= amount
            remaining[i] -= held[unit][i]

    def place(unit, desire):
        most = max(desire)
        tied = [j for j in range(k) if desire[j] == most]
        most_rows = max(wanted_rows[j] for j in tied)
        tied = [j for j in tied if wanted_rows[j] == most_rows]
        assign(unit, tied[int(draw[unit]) % len(tied)])

    for unit, part in enumerate(fixed):
        if part >= 0:
            assign(unit, int(part))

    for level in sorted(set(levels)):
        own = [i for i in criteria if levels[i] == level]
        changed = dict.fromkeys(own, 0)
        draws = {
            i: sum(
                unit.get(i, 0) * int(own_draw) for unit, own_draw in zip(units, draw, strict=True)
            )
            for i in own
        }
        while any(remaining[i] > 0 for i in own):
            rarest = min(
                (i for i in own if remaining[i] > 0),
                key=lambda i: (remaining[i], precedence[i], -changed[i], -draws[i]),
            )
            taken.append(rarest)
            for unit in visiting_order:
                if part_of_unit[unit] is None and rarest in units[unit]:
                    place(unit, wanted[rarest])
                    changed |= {i: len(taken) for i in units[unit] if i in own}
    for unit in visiting_order:
        if part_of_unit[unit] is None:
            place(unit, [0] * k)
    return part_of_unit, taken


def deal(units, stratum_of_unit, rows_of_unit, sizes, part_order, fixed):
    """Deal strata in order; each adds to what a part is owed: its share less what it has.

    A unit goes to the part that is owed most among those with room for it. Units that are `fixed`
    (not -1) are in their part from the start.
    """
    n = sum(sizes)
    owed = [Fraction(0)] * len(sizes)
    part_of_unit = {unit: int(part) for unit, part in enumerate(fixed) if part >= 0}
    for _, members in itertools.groupby(units, key=lambda unit: stratum_of_unit[unit]):
        members = list(members)
        for j, size in enumerate(sizes):
            owed[j] += Fraction(
                int(sum(rows_of_unit[unit] for unit in members)) * int(size), int(n)
            )
        for unit in members:
            if fixed[unit] >= 0:
                owed[fixed[unit]] -= int(rows_of_unit[unit])
        for unit in members:
            if fixed[unit] >= 0:
                continue
            filled = [
                sum(int(rows_of_unit[other]) for other, part in part_of_unit.items() if part == j)
                for j in range(len(sizes))
            ]
            roomy = [j for j in part_order if sizes[j] - filled[j] >= rows_of_unit[unit]]
            part = max(roomy or part_order, key=lambda j: owed[j])
            part_of_unit[unit] = part
            owed[part] -= int(rows_of_unit[unit])
    return [part_of_unit[unit] for unit in range(len(units))]


def optisplit_epoch(
    units,
    rows_of_unit,
    weights,
    sizes,
    measure,
    weight_of_label,
    label_order,
    unit_order,
    rank_of_part,
    part_of_unit,
):
    """One epoch of optisplit in exact fractions.

    The surplus of each label moves to the parts that lack it; kept if all labels together gain.
    `units`: per unit a dict label → amount; `unit_order`: the units that may move, the first to
    move first. Parts are assumed to have the wanted sizes. Returns the part of each unit.
    """
    k, n, labels = len(weights), sum(rows_of_unit), range(len(weight_of_label))
    shares = [Fraction(int(weight), int(sum(weights))) for weight in weights]
    total = [sum(unit.get(i, 0) for unit in units) for i in labels]
    part_of_unit = list(part_of_unit)

    def count(i):
        return [
            sum(unit.get(i, 0) for unit, part in zip(units, part_of_unit, strict=True) if part == j)
            for j in range(k)
        ]

    def score(i):
        own = count(i)
        if measure == "dcp":
            value = max(Fraction(c, total[i]) - share for c, share in zip(own, shares, strict=True))
        elif measure == "rld" or total[i] == n:
            value = (
                sum(
                    abs(Fraction(c, total[i]) / share - 1)
                    for c, share in zip(own, shares, strict=True)
                )
                / k
            )
        else:
            odds = [
                Fraction(c, size - c) if size > c else Fraction(size - 1)
                for c, size in zip(own, sizes, strict=True)
            ]
            value = sum(abs(odd - Fraction(total[i], n - total[i])) for odd in odds) / k
        return value * Fraction(float(weight_of_label[i]))

    for label in label_order:
        before, old = list(part_of_unit), sum(map(score, labels))
        room = [
            size
            - sum(rows for rows, part in zip(rows_of_unit, part_of_unit, strict=True) if part == j)
            for j, size in enumerate(sizes)
        ]
        exact = [total[label] * share for share in shares]
        wanted = [math.floor(amount) for amount in exact]
        neediest = sorted(range(k), key=lambda j: (-(exact[j] % 1), -room[j], rank_of_part[j]))
        for j in neediest[: total[label] - sum(wanted)]:
            wanted[j] += 1
        surplus = [c - w for c, w in zip(count(label), wanted, strict=True)]
        for unit in unit_order:
            amount = units[unit].get(label, 0)
            part = part_of_unit[unit]
            lacking = [j for j in range(k) if surplus[j] < 0]
            if not amount or surplus[part] < amount or not lacking:
                continue
            to = min(lacking, key=lambda j: (surplus[j], -room[j], j))
            part_of_unit[unit] = to
            surplus[part], surplus[to] = surplus[part] - amount, surplus[to] + amount
            room[part], room[to] = room[part] + rows_of_unit[unit], room[to] - rows_of_unit[unit]
        if old - sum(map(score, labels)) <= Fraction(1, 10**9):
            part_of_unit = before
    return part_of_unit


def null_space_vector(weights, draw):
    """RandomSplit, steps 1 to 5, with a singular value decomposition.

    `weights` is criteria × units, `draw` n normal numbers.
    Q u with u of n - K + 1 normal numbers has the law of Q Qᵀ u with n of them.
    """
    weights = np.asarray(weights, dtype=float)
    weights = weights[weights.sum(axis=1) > 0]
    k = len(weights)
    zdw = (np.eye(k) - 1 / k) @ (weights / weights.sum(axis=1, keepdims=True))
    _, sizes, vt = np.linalg.svd(zdw)
    null = vt[int((sizes > 1e-10 * sizes.max(initial=0)).sum()) :]
    return null.T @ (null @ draw)


def counts(y, part_of_row, k):
    """Return size of each part and, per label, the rows in each part; `y` is a list of 0/1 rows."""
    q = len(y[0])
    sizes = [sum(part == j for part in part_of_row) for j in range(k)]
    return sizes, [
        [
            sum(row[i] for row, part in zip(y, part_of_row, strict=True) if part == j)
            for j in range(k)
        ]
        for i in range(q)
    ]


def ed(sizes, shares):
    """Mean over parts of |rows - wanted|."""
    return sum(
        abs(size - sum(sizes) * share) for size, share in zip(sizes, shares, strict=True)
    ) / len(sizes)


def ld_of_label(own, sizes):
    """Mean over parts of |odds - odds of all|."""
    m, n = sum(own), sum(sizes)
    total = 0.0
    for c, size in zip(own, sizes, strict=True):
        p = c / size if size else 0.0
        p = (size - 1) / size if p == 1 else p
        total += abs(p / (1 - p) - (m / n) / (1 - m / n))
    return total / len(sizes)


def rld_of_label(own, sizes):
    """Mean over parts of |p - d| / d."""
    d = sum(own) / sum(sizes)
    return sum(
        abs((c / size if size else 0.0) - d) / d for c, size in zip(own, sizes, strict=True)
    ) / len(sizes)


def dcp_of_label(own, shares):
    """Largest surplus of a label's rows in a part."""
    return max(c / sum(own) - share for c, share in zip(own, shares, strict=True))


def kl(p, q):
    """Kullback-Leibler divergence of two lists of masses."""
    p, q = [x / sum(p) for x in p], [x / sum(q) for x in q]
    return sum(
        0 if a == 0 else math.inf if b == 0 else a * math.log(a / b)
        for a, b in zip(p, q, strict=True)
    )


def compositions(m, capacities):
    """Every way to cut m rows over parts that hold so many."""
    if len(capacities) == 1:
        if m <= capacities[0]:
            yield (m,)
        return
    for c in range(min(m, capacities[0]) + 1):
        for rest in compositions(m - c, capacities[1:]):
            yield (c, *rest)


def best_of_label(measure, m, sizes):
    """Least value of a measure of one label over every way to cut its m rows."""
    return min(measure(own) for own in compositions(m, tuple(sizes)))


def least_rld(units, rows_of_unit, sizes):
    """Least mean rLD of all ways to place units (units × labels, in rows) in parts of these sizes.

    Labels without rows are left out; without labels it is 0.
    """
    totals = [sum(column) for column in zip(*units, strict=True)]
    labels = [label for label, total in enumerate(totals) if total]
    n, best = sum(sizes), math.inf
    for parts in itertools.product(range(len(sizes)), repeat=len(units)):
        rows = [0] * len(sizes)
        for unit, part in enumerate(parts):
            rows[part] += rows_of_unit[unit]
        if rows != list(sizes):
            continue
        values = []
        for label in labels:
            held = [0] * len(sizes)
            for unit, part in enumerate(parts):
                held[part] += units[unit][label]
            shares = [own / size if size else 0.0 for own, size in zip(held, sizes, strict=True)]
            values += [abs(share / (totals[label] / n) - 1) for share in shares]
        best = min(best, sum(values) / len(values) if values else 0.0)
    return best


def webster(n, shares):
    """Share out n rows one after the other, each to the part with the least (2 rows + 1) / share.

    Webster's method as a divisor method; the first of equal parts is served first.
    """
    seats = [0] * len(shares)
    for _ in range(n):
        prices = [(2 * own + 1) / s if s else None for own, s in zip(seats, shares, strict=True)]
        best = min(price for price in prices if price is not None)
        seats[prices.index(best)] += 1
    return seats


def rarest(y, n_rows):
    """Return for each row of a 0/1 matrix the least number of rows that share something with it.

    That is having a label of at most half of the rows, or lacking one of more than half of them.
    """
    n_with = y.sum(axis=0)
    found = []
    for row in y:
        least = n_rows
        for has, n_own in zip(row, n_with, strict=True):
            is_common = 2 * n_own > n_rows
            if has and not is_common:
                least = min(least, n_own)
            if not has and is_common:
                least = min(least, n_rows - n_own)
        found.append(least)
    return found


def rankings_of_row(is_true, scores):
    """Return ranking loss, one-error and coverage of a row for every order of equal scores."""
    labels, found = range(len(scores)), []
    for order in itertools.permutations(labels):
        if any(scores[a] < scores[b] for a, b in itertools.pairwise(order)):
            continue
        ranks = {label: rank for rank, label in enumerate(order)}
        true = [label for label in labels if is_true[label]]
        false = [label for label in labels if not is_true[label]]
        pairs = [ranks[a] > ranks[b] for a in true for b in false]
        loss = Fraction(sum(pairs), len(pairs)) if pairs else Fraction(0)
        last = max((ranks[label] for label in true), default=0)
        found.append((loss, int(not is_true[order[0]]), last))
    return found


def measure_list(cells, areas):
    """Return the average precision or ROC AUC of (score, is_true) cells by its definition."""
    true = [score for score, is_true in cells if is_true]
    false = [score for score, is_true in cells if not is_true]
    if not true or (areas and not false):
        return math.nan
    if areas:
        won = sum(Fraction((a > b) - (a < b) + 1, 2) for a in true for b in false)
        return float(won / (len(true) * len(false)))
    shares = [
        Fraction(sum(other >= score for other in true), sum(other >= score for other, _ in cells))
        for score in true
    ]
    return float(sum(shares) / len(true))

"""Assignment: units are placed a batch at a time, each batch at the least cost."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiler import inlined, kernel, shared

# Bits of the random numbers that decide between placements of equal cost.
TIE_BITS = 8


class Units(NamedTuple):
    """Units × criteria as CSR (`amounts` empty: 1 each), and 32 random bits for each unit.

    The first `n_counts` criteria are numbers of rows.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    n_counts: int
    draw: NDArray[np.int64]


class Slots(NamedTuple):
    """The part of each slot, at least as many as units; a batch takes the next `batch_size`."""

    part_of_slot: NDArray[np.int32]
    batch_size: int
    is_strict: bool


class Prices(NamedTuple):
    """Weights of the criteria and of the number of units, factors of the parts, and prices.

    `price` (n_criteria, n_parts) is 2 · weight · factor · (held - target), `row_price` (n_parts,)
    the same for the number of units.
    """

    weight_of_criterion: NDArray[np.int64]
    row_weight: int
    factor_of_part: NDArray[np.int64]
    price: NDArray[np.int64]
    row_price: NDArray[np.int64]


class Batch(NamedTuple):
    """Work arrays of one batch: its members, and as columns the parts that have slots in it.

    `n_in_column` members are in a column, listed in `members` from `first_of_column` on; the next
    one would cost `next_price`, which grows by `step` with each.
    """

    cost: NDArray[np.int64]
    column_of_member: NDArray[np.int64]
    place_of_member: NDArray[np.int64]
    part_of_column: NDArray[np.int64]
    first_of_column: NDArray[np.int64]
    n_in_column: NDArray[np.int64]
    members: NDArray[np.int64]
    next_price: NDArray[np.int64]
    step: NDArray[np.int64]
    potential: NDArray[np.int64]
    distance: NDArray[np.int64]
    via: NDArray[np.int64]
    is_final: NDArray[np.bool_]


@kernel
def place_by_assignment(units, order, slots, prices, part_of_unit):
    """Place the units in `order`, a batch at a time, each batch at the least cost.

    IN: `units`, `slots`. INOUT: `prices`, which say what the parts hold. OUT: `part_of_unit` of the
    units in `order`.
    In a strict batch every part takes at most as many units as it has slots in the batch.
    Otherwise it may take more, up to all its slots that are left, each at a higher price than the
    one before. The cost of a unit in a part is Σ amount · price + factor · Σ weight · amount². All
    numbers are whole, so that the order of the criteria does not matter. The random bits decide
    between equal costs.
    Cost O(nnz · n_parts + n_units · batch_size · n_parts) at most. Source: assignment-based
    anticlustering (arXiv 2601.06351).
    """
    indptr, indices, amounts = units.indptr, units.indices, units.amounts
    part_of_slot, batch_size, is_strict = slots.part_of_slot, slots.batch_size, slots.is_strict
    weight_of_criterion, factor_of_part = prices.weight_of_criterion, prices.factor_of_part
    price, row_price, row_weight = prices.price, prices.row_price, prices.row_weight
    n_parts = price.shape[1]
    counted = amounts.shape[0] > 0
    n_left = np.zeros(n_parts, np.int64)
    for part in part_of_slot:
        n_left[part] += 1
    batch = Batch(
        np.empty((batch_size, n_parts), np.int64),
        np.zeros(batch_size, np.int64),
        np.zeros(batch_size, np.int64),
        np.empty(n_parts, np.int64),
        np.zeros(n_parts + 1, np.int64),
        np.empty(n_parts, np.int64),
        np.empty(n_parts * batch_size, np.int64),
        np.empty(n_parts, np.int64),
        np.empty(n_parts, np.int64),
        np.empty(n_parts, np.int64),
        np.empty(n_parts, np.int64),
        np.empty(n_parts, np.int64),
        np.empty(n_parts, np.bool_),
    )
    most_of_part = np.empty(n_parts, np.int64)
    # The batch in which a criterion was last seen, and the most of it that a member there holds.
    last_start = np.full(price.shape[0], -1, np.int64)
    most_amount = np.zeros(price.shape[0], np.int64)

    for start in range(0, order.shape[0], batch_size):
        n_members = min(batch_size, order.shape[0] - start)
        _limit_parts(
            part_of_slot[start : start + batch_size], n_members, is_strict, n_left, most_of_part
        )
        n_columns = 0
        for part in range(n_parts):
            if most_of_part[part] > 0:
                first = batch.first_of_column[n_columns]
                batch.part_of_column[n_columns] = part
                batch.first_of_column[n_columns + 1] = first + most_of_part[part]
                batch.n_in_column[n_columns] = 0
                batch.potential[n_columns] = 0
                n_columns += 1

        shared_weight = 0
        for member in range(n_members):
            unit = order[start + member]
            cost = batch.cost[member]
            cost[:n_columns] = 0
            squares = 0
            for entry in range(indptr[unit], indptr[unit + 1]):
                criterion = indices[entry]
                amount = amounts[entry] if counted else 1
                weight = weight_of_criterion[criterion]
                squares += weight * amount * amount
                for column in range(n_columns):
                    cost[column] += amount * price[criterion, batch.part_of_column[column]]
                if criterion < units.n_counts:
                    if last_start[criterion] != start:
                        last_start[criterion] = start
                        most_amount[criterion] = 0
                    shared_weight = max(shared_weight, weight * amount * most_amount[criterion])
                    most_amount[criterion] = max(most_amount[criterion], amount)
            for column in range(n_columns):
                part = batch.part_of_column[column]
                cost[column] += squares * factor_of_part[part]
                cost[column] = (cost[column] << TIE_BITS) + _draw_tie(units.draw[unit], part)

        for column in range(n_columns):
            batch.next_price[column] = 0
            batch.step[column] = 0
            if not is_strict:
                part = batch.part_of_column[column]
                step = 2 * factor_of_part[part] * (shared_weight + row_weight)
                batch.next_price[column] = row_price[part] << TIE_BITS
                batch.step[column] = step << TIE_BITS
        lowest_price = batch.next_price[:n_columns].min()
        for member in range(n_members):
            _add_member(batch, member, n_columns, lowest_price)

        for member in range(n_members):
            unit = order[start + member]
            part = batch.part_of_column[batch.column_of_member[member]]
            part_of_unit[unit] = part
            n_left[part] -= 1
            row_price[part] += 2 * row_weight * factor_of_part[part]
            for entry in range(indptr[unit], indptr[unit + 1]):
                criterion = indices[entry]
                amount = amounts[entry] if counted else 1
                price[criterion, part] += (
                    2 * weight_of_criterion[criterion] * factor_of_part[part] * amount
                )


@kernel
def sum_over_entries(indptr, indices, amounts, value_of_criterion, total_of_unit):
    """Add up amount (`amounts` empty: 1) times value over each unit's entries. INOUT: the total.

    Cost O(nnz).
    """
    counted = amounts.shape[0] > 0
    for unit in range(indptr.shape[0] - 1):
        for entry in range(indptr[unit], indptr[unit + 1]):
            amount = amounts[entry] if counted else 1
            total_of_unit[unit] += value_of_criterion[indices[entry]] * amount


@shared
def _limit_parts(part_of_slot, n_members, is_strict, n_left, most_of_part):
    """Find how many members of a batch each part may take. OUT: `most_of_part`."""
    most_of_part[:] = 0
    for part in part_of_slot:
        most_of_part[part] += 1
    if is_strict:
        return
    n_places = 0
    for part in range(most_of_part.shape[0]):
        if most_of_part[part] > 0:
            most_of_part[part] = min(n_left[part], n_members)
            n_places += most_of_part[part]
    if n_places < n_members:
        for part in range(most_of_part.shape[0]):
            most_of_part[part] = min(n_left[part], n_members)


@inlined
def _draw_tie(draw, part):
    """Return a few random bits for a unit in a part (two rounds of a multiplicative hash)."""
    tie = (draw ^ ((part + 1) * 0x9E3779B1)) & 0xFFFFFFFF
    tie = (tie * 0x2C1B3C6D) & 0xFFFFFFFF
    tie = ((tie ^ (tie >> 15)) * 0x297A2D39) & 0xFFFFFFFF
    return tie >> (32 - TIE_BITS)


@shared
def _add_member(batch, member, n_columns, lowest_price):
    """Place one more member of the batch, along the shortest augmenting path (Dijkstra).

    A path goes from the member to a column, from there, with a member that leaves it, to another
    column, and so on; it ends in a column with room, at that column's next price. Distances are
    reduced by the potentials, so that none is negative.
    """
    cost = batch.cost
    potential = batch.potential
    distance = batch.distance
    for column in range(n_columns):
        distance[column] = cost[member, column] - potential[column]
        batch.via[column] = member
        batch.is_final[column] = False
    last = -1
    shortest = 0
    while True:
        nearest = -1
        for column in range(n_columns):
            if not batch.is_final[column] and (nearest < 0 or distance[column] < distance[nearest]):
                nearest = column
        if nearest < 0 or (last >= 0 and shortest <= distance[nearest]):
            break
        batch.is_final[nearest] = True
        first = batch.first_of_column[nearest]
        n_in = batch.n_in_column[nearest]
        if n_in < batch.first_of_column[nearest + 1] - first:
            through = distance[nearest] + batch.next_price[nearest] + potential[nearest]
            through -= lowest_price
            if last < 0 or through < shortest:
                last = nearest
                shortest = through
            if shortest <= distance[nearest]:
                break
        for place in range(first, first + n_in):
            other = batch.members[place]
            base = distance[nearest] - cost[other, nearest] + potential[nearest]
            for column in range(n_columns):
                through = base + cost[other, column] - potential[column]
                if not batch.is_final[column] and through < distance[column]:
                    distance[column] = through
                    batch.via[column] = other
    for column in range(n_columns):
        if batch.is_final[column]:
            potential[column] += min(0, distance[column] - shortest)

    # Along the path, each member moves to the next column, into the place that became free there.
    column = last
    place = batch.first_of_column[column] + batch.n_in_column[column]
    batch.n_in_column[column] += 1
    batch.next_price[column] += batch.step[column]
    while True:
        moved = batch.via[column]
        column_before = batch.column_of_member[moved]
        place_before = batch.place_of_member[moved]
        batch.members[place] = moved
        batch.column_of_member[moved] = column
        batch.place_of_member[moved] = place
        if moved == member:
            break
        column = column_before
        place = place_before

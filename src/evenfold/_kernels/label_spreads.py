"""The cheapest way to spread each label over parts if its rows have prices: a Lagrangian's half."""

import numpy as np

from .compiler import kernel, shared


@kernel
def spread_at_prices(
    rows_of_label, weight, sizes, n_alike, price, indptr, groups, max_nodes, least, count
):
    """Find the least w Σ_j |n c_j / (m S_j) - 1| + Σ_j price c_j of each label.

    The c_j are whole numbers that sum to m; the large groups of the label are in one part each,
    and no part has more rows than S_j. Parts come in classes of `n_alike` parts of one size.
    IN: `rows_of_label` m, `weight` w, `sizes` S and `n_alike` (n_classes,), all above 0, `price`
    (n_labels, n_classes), `indptr` of the labels in `groups` (n, 2), the label's rows and all rows
    of its large groups, largest first; `max_nodes`.
    OUT: `least` (n_labels,), and `count` (n_labels, n_classes), the rows in each class.
    Cost O(n_labels · max_nodes · n_slots³), few slots. Assumes that the groups fit into the parts.

    A best-first search over the placements of the large groups. The rows outside of the groups
    placed so far are spread row by row, so a node's cost is a lower bound of what follows from it.
    The search ends at a node with every group placed, or at `max_nodes`: the least cost of an open
    node is a lower bound then, and `least` is that.
    """
    n_classes = sizes.shape[0]
    n = 0
    for own in range(n_classes):
        n += sizes[own] * n_alike[own]
    max_slots = n_classes + max_nodes
    # Most parts are alike, so nodes have few children. A search with more open nodes ends early.
    max_open = 1 + max_nodes * min(max_slots, 4)
    # A slot is some parts of one class that hold the same: class, parts, rows of the label, rows.
    slots = np.empty((max_open + 1, max_slots, 4), np.int64)
    # Of each node: slots, groups placed.
    state = np.empty((max_open + 1, 2), np.int64)
    cost = np.empty(max_open + 1, np.float64)
    slope = np.empty(3 * max_slots, np.float64)
    # Of each segment of a slot's cost: rows at that slope, class, and the segments by slope.
    segments = np.empty((3 * max_slots, 3), np.int64)
    for label in range(rows_of_label.shape[0]):
        m = rows_of_label[label]
        first = indptr[label]
        n_groups = indptr[label + 1] - first
        for own in range(n_classes):
            slots[0, own, 0] = own
            slots[0, own, 1] = n_alike[own]
            slots[0, own, 2] = 0
            slots[0, own, 3] = 0
        state[0, 0] = n_classes
        state[0, 1] = 0
        cost[0] = _fill(
            label, m, n, weight, sizes, price, 0, slots, n_classes, slope, segments, count
        )
        n_open = 1
        best = 0
        n_nodes = 0
        while state[best, 1] < n_groups and n_nodes < max_nodes:
            # A child of each slot, and the parent's place is free.
            if n_open - 1 + state[best, 0] > max_open:
                break
            n_nodes += 1
            n_open -= 1
            # The parent moves to the spare place at the end, the last node to its place.
            _move(best, max_open, slots, state, cost)
            _move(n_open, best, slots, state, cost)
            group = first + state[max_open, 1]
            for slot in range(state[max_open, 0]):
                if slots[max_open, slot, 3] + groups[group, 1] > sizes[slots[max_open, slot, 0]]:
                    continue
                _move(max_open, n_open, slots, state, cost)
                place = slot
                if slots[n_open, slot, 1] > 1:
                    slots[n_open, slot, 1] -= 1
                    place = state[n_open, 0]
                    for field in range(4):
                        slots[n_open, place, field] = slots[n_open, slot, field]
                    slots[n_open, place, 1] = 1
                    state[n_open, 0] += 1
                slots[n_open, place, 2] += groups[group, 0]
                slots[n_open, place, 3] += groups[group, 1]
                state[n_open, 1] += 1
                n_slots = state[n_open, 0]
                cost[n_open] = _fill(
                    label, m, n, weight, sizes, price, n_open, slots, n_slots, slope, segments,
                    count,
                )  # fmt: skip
                n_open += 1
            best = 0
            for node in range(1, n_open):
                # Of equal costs the deeper one, which is nearer to the end.
                if cost[node] < cost[best] or (
                    cost[node] == cost[best] and state[node, 1] > state[best, 1]
                ):
                    best = node
        least[label] = cost[best]
        if n_nodes > 0:
            n_slots = state[best, 0]
            _fill(label, m, n, weight, sizes, price, best, slots, n_slots, slope, segments, count)


@shared
def _move(source, target, slots, state, cost):
    """Copy a node."""
    for slot in range(state[source, 0]):
        for field in range(4):
            slots[target, slot, field] = slots[source, slot, field]
    state[target, 0] = state[source, 0]
    state[target, 1] = state[source, 1]
    cost[target] = cost[source]


@shared
def _fill(label, m, n, weight, sizes, price, node, slots, n_slots, slope, segments, count):
    """Return the least cost if the rows outside of the groups placed go where they cost least.

    The cost of a part is convex in its rows of the label: one slope up to the floor of its exact
    share m S / n, one for the row that crosses it, one beyond. So rows take the lowest slopes.
    """
    cost = 0.0
    left = m
    for own in range(count.shape[1]):
        count[label, own] = 0.0
    for slot in range(n_slots):
        own = slots[node, slot, 0]
        alike = slots[node, slot, 1]
        held = slots[node, slot, 2]
        free = sizes[own] - slots[node, slot, 3]
        floor = m * sizes[own] // n
        remainder = (m * sizes[own] - floor * n) / n
        per_row = weight * n / (m * sizes[own])
        cost += alike * (per_row * abs(held - floor - remainder) + price[label, own] * held)
        count[label, own] += alike * held
        left -= alike * held
        below = min(free, max(0, floor - held))
        crossing = min(free - below, 1 if held <= floor else 0)
        at = 3 * slot
        slope[at] = price[label, own] - per_row
        slope[at + 1] = price[label, own] + per_row * (1 - 2 * remainder)
        slope[at + 2] = price[label, own] + per_row
        segments[at, 0] = alike * below
        segments[at + 1, 0] = alike * crossing
        segments[at + 2, 0] = alike * (free - below - crossing)
        for segment in range(at, at + 3):
            segments[segment, 1] = own
            # Sorted by insertion: there are few.
            place = segment
            while place > 0 and slope[segments[place - 1, 2]] > slope[segment]:
                segments[place, 2] = segments[place - 1, 2]
                place -= 1
            segments[place, 2] = segment
    for place in range(3 * n_slots):
        if left == 0:
            break
        segment = segments[place, 2]
        placed = min(left, segments[segment, 0])
        cost += placed * slope[segment]
        count[label, segments[segment, 1]] += placed
        left -= placed
    # Groups can leave too little room: nothing follows from this node.
    return cost if left == 0 else np.inf


@kernel
def add_prices(indptr, indices, amounts, price, price_of_unit):
    """Add up the prices of what each unit holds.

    IN: units × labels as CSR (`amounts` empty: 1 each), `price` (n_labels, n_classes).
    OUT: `price_of_unit` (n_units, n_classes). Cost O(entries · n_classes).
    """
    for unit in range(price_of_unit.shape[0]):
        for own in range(price.shape[1]):
            price_of_unit[unit, own] = 0.0
        for entry in range(indptr[unit], indptr[unit + 1]):
            amount = amounts[entry] if amounts.shape[0] else 1
            for own in range(price.shape[1]):
                price_of_unit[unit, own] += amount * price[indices[entry], own]


@kernel
def count_placed(indptr, indices, amounts, placed, count):
    """Count the rows of each label in each class of parts.

    IN: units × labels as CSR (`amounts` empty: 1 each), `placed` (n_units, n_classes), how many of
    the units that are alike are in each class. OUT: `count` (n_labels, n_classes).
    Cost O(entries · n_classes).
    """
    for label in range(count.shape[0]):
        for own in range(count.shape[1]):
            count[label, own] = 0.0
    for unit in range(placed.shape[0]):
        for entry in range(indptr[unit], indptr[unit + 1]):
            amount = amounts[entry] if amounts.shape[0] else 1
            for own in range(count.shape[1]):
                count[indices[entry], own] += amount * placed[unit, own]

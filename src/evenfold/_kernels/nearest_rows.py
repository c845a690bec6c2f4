"""Nearest rows: the lowest distances of each row to the rows of other groups."""

import numpy as np

from .compiler import kernel


@kernel
def take_nearest(product, squared_length, group_of_row, first, near, n_near):
    """Find the k nearest rows of other groups for a block of rows.

    IN: `product` (n_block, n_rows), the dot products of the rows from row `first` on with all rows;
    `squared_length`, `group_of_row` (n_rows,). OUT: `near` (n_block, k), the nearest rows by
    distance, the lower number first among equals; `n_near` (n_block,), how many there are.
    Cost O(n_block · n_rows), and O(k) for each row that is nearer than those before it.
    """
    k = near.shape[1]
    lowest = np.empty(k)
    for place in range(near.shape[0]):
        n_held = 0
        for other in range(squared_length.shape[0]):
            # The squared length of the row itself is the same for all others.
            distance = squared_length[other] - 2.0 * product[place, other]
            if n_held == k and distance >= lowest[k - 1]:
                continue
            if group_of_row[other] == group_of_row[first + place]:
                continue
            at = n_held
            if n_held == k:
                at = k - 1
            else:
                n_held += 1
            while at > 0 and lowest[at - 1] > distance:
                lowest[at] = lowest[at - 1]
                near[place, at] = near[place, at - 1]
                at -= 1
            lowest[at] = distance
            near[place, at] = other
        n_near[place] = n_held

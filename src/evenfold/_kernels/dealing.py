"""Dealing: stratum after stratum, each unit to the part that is owed most."""

import numpy as np

from .compiler import kernel


@kernel
def deal(units, stratum_of_unit, rows_of_unit, rows_of_stratum, sizes, part_order, part_of_unit):
    """Deal units so that after every stratum each part has its share of the rows so far, to the row where units are rows.

    IN: `units` in dealing order, strata without gaps; `sizes` sum to the rows; `part_order` breaks ties. OUT: `part_of_unit`.
    What a part is owed is counted in n_rows-ths of a row, so it is a whole number. Cost O(n_units · n_parts).
    """
    n_rows = sizes.sum()
    n_parts = sizes.shape[0]
    owed = np.zeros(n_parts, np.int64)
    is_empty = np.ones(n_parts, np.bool_)
    n_empty = n_parts
    dealt = -1
    for at in range(units.shape[0]):
        unit = units[at]
        stratum = stratum_of_unit[unit]
        if stratum != dealt:
            dealt = stratum
            for part in range(n_parts):
                owed[part] += rows_of_stratum[stratum] * sizes[part]
        # With groups a part may be owed less than every unit weighs; it still must not go without.
        only_empty = units.shape[0] - at <= n_empty
        best = -1
        for part in part_order:
            if only_empty and not is_empty[part]:
                continue
            if best < 0 or owed[part] > owed[best]:
                best = part
        part_of_unit[unit] = best
        owed[best] -= n_rows * rows_of_unit[unit]
        if is_empty[best]:
            is_empty[best] = False
            n_empty -= 1

"""labelset and pmbsrs: deal strata one after another, each unit to the part that is owed most."""

import numpy as np

from .compiler import kernel


@kernel
def deal(units, stratum_of_unit, rows_of_unit, rows_of_stratum, sizes, part_order, part_of_unit):
    """Deal units so that after every stratum each part has its share of the rows so far.

    If units are rows, the shares are exact to the row. IN: `units` in dealing order, strata without
    gaps, in each stratum first the units that have a part; `sizes` sum to the rows; `part_order`
    breaks ties.
    INOUT: `part_of_unit`, -1 where free; other units keep their part. Cost O(n_units · n_parts).
    What a part is owed is counted in n_rows-ths of a row, so it is a whole number.
    """
    n_rows = sizes.sum()
    n_parts = sizes.shape[0]
    owed = np.zeros(n_parts, np.int64)
    room = sizes.copy()
    for unit in units:
        if part_of_unit[unit] >= 0:
            room[part_of_unit[unit]] -= rows_of_unit[unit]
    dealt = -1
    for unit in units:
        stratum = stratum_of_unit[unit]
        if stratum != dealt:
            dealt = stratum
            for part in range(n_parts):
                owed[part] += rows_of_stratum[stratum] * sizes[part]
        if part_of_unit[unit] >= 0:
            owed[part_of_unit[unit]] -= n_rows * rows_of_unit[unit]
            continue
        best = -1
        best_fits = False
        for part in part_order:
            fits = room[part] >= rows_of_unit[unit]
            if (
                best < 0
                or (fits and not best_fits)
                or (fits == best_fits and owed[part] > owed[best])
            ):
                best = part
                best_fits = fits
        part_of_unit[unit] = best
        room[best] -= rows_of_unit[unit]
        owed[best] -= n_rows * rows_of_unit[unit]

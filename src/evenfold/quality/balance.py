"""How even what was balanced besides labels is."""

from __future__ import annotations

import numpy as np

from .placement import Placement
from .records import Records, make_records
from .values import relative_share_difference


def measure_balance(placement: Placement) -> Records:
    """Return the rLD of each balanced column: of its categories or bins, and of its total.

    That is the mean over parts, and over categories, of |share in the part / share in all - 1|.
    """
    names, rld = [], []
    size = placement.sizes[:, None]
    for column in placement.balance:
        count = placement.count_values(column.code)
        held = count.sum(axis=0) > 0
        names.append(f"{column.name}: {'bins' if column.amount is not None else 'categories'}")
        rld.append(float(relative_share_difference(count[:, held], size).mean()))
        if column.amount is not None and column.amount.any():
            total = np.bincount(placement.part_of_row, column.amount, minlength=len(size))[:, None]
            names.append(f"{column.name}: total")
            rld.append(float(relative_share_difference(total, size)[0]))
    return make_records(
        criterion=np.array(names, dtype=object), rld=np.array(rld, dtype=np.float64)
    )

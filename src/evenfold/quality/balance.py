"""How even what was balanced besides labels is."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ..labels.balances import Balance
from .part_counts import PartCounts
from .placement import Placement
from .records import Records, make_records
from .values import relative_share_difference


def measure_balance(part_counts: PartCounts) -> Records:
    """Return the rLD of each balanced column: of its categories or bins, and of its total.

    That is the mean over parts, and over categories, of |share in the part / share in all - 1|.
    Without rows no column is known.
    """
    own = [] if part_counts.rows is None else list(_measure_columns(part_counts.rows))
    return make_records(
        criterion=np.array([name for name, _ in own], dtype=object),
        rld=np.array([rld for _, rld in own], dtype=np.float64),
    )


def find_column_rld(column: Balance, per_balance: Records) -> float:
    """Return the rLD of a column; the larger one if it has a total as well as bins."""
    names = {column.name, *(f"{column.name}: {kind}" for kind in ("bins", "categories", "total"))}
    own = [float(record.rld) for record in per_balance if record.criterion in names]
    return max(own, default=0.0)


def _measure_columns(placement: Placement) -> Iterator[tuple[str, float]]:
    size = placement.sizes[:, None]
    for column in placement.balance:
        count = placement.count_values(column.code)
        held = count.sum(axis=0) > 0
        kind = "bins" if column.amount is not None else "categories"
        rld = relative_share_difference(count[:, held], size)
        yield f"{column.name}: {kind}", float(rld.mean())
        if column.amount is not None and column.amount.any():
            total = np.bincount(placement.part_of_row, column.amount, minlength=len(size))[:, None]
            yield f"{column.name}: total", float(relative_share_difference(total, size)[0])

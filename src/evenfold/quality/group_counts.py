"""How many groups each part holds."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .._tables.table import shorten
from .records import Records

# A part whose groups differ from its share by more than this share of them is pointed out.
_MAX_OFF_SHARE = 0.01


def find_group_shares(per_part: Records) -> NDArray[np.float64] | None:
    """Return (n_parts,) the share of all groups that each part has; None without groups."""
    if "groups" not in (per_part.dtype.names or ()):
        return None
    return np.asarray(per_part.groups / per_part.groups_wanted.sum())


def describe_groups_off(per_part: Records) -> list[str]:
    """Return a sentence on the part whose groups differ most from its share; none if all are near.

    A part wants the same share of the groups as of the rows.
    """
    if find_group_shares(per_part) is None:
        return []
    wanted = per_part.groups_wanted
    off = per_part.groups - wanted
    # Less than one group can be rounding: the share need not be a whole number.
    relative = np.zeros_like(off)
    np.divide(off, wanted, out=relative, where=(np.abs(off) >= 1) & (wanted > 0))
    worst = int(np.abs(relative).argmax())
    if abs(relative[worst]) <= _MAX_OFF_SHARE:
        return []
    own = per_part[worst]
    direction = "more" if off[worst] > 0 else "fewer"
    return [
        f"{shorten(own.part)} has {own.groups:,} groups, {100 * abs(relative[worst]):,.1f} % "
        f"{direction} than its share ({own.groups_wanted:,.1f})."
    ]

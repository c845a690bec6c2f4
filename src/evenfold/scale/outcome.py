"""What a run is asked for, and what it has found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .columns import Columns
from .manifest import GroupRecord


class Wanted(NamedTuple):
    """What a split is asked for.

    Attributes
    ----------
    columns : Columns
        The columns that are read.
    order : int, str or None
        1, "auto" or None for the default.
    cover : int or None
        Rows of each label in every part; None for the default rule.
    seed : int
        The seed.
    memory : int
        Bytes that a split in memory may take.
    budget : float or None
        Label entries to gather, or a share of them; None for the default.
    streams : bool
        Whether data past memory is placed in sequence, not by quotas.
    """

    columns: Columns
    order: int | str | None
    cover: int | None
    seed: int
    memory: int
    budget: float | None
    streams: bool


class Earlier(NamedTuple):
    """A split that is extended.

    Attributes
    ----------
    names : list
        Its labels.
    counts : NDArray[np.int64]
        (n_parts, n_labels) rows of each label in each part.
    rows : NDArray[np.int64]
        (n_parts,) rows in each part.
    """

    names: list[Any]
    counts: NDArray[np.int64]
    rows: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a run has found; the parts of the rows are in the work folder, as `parts-…`.

    Attributes
    ----------
    scheme : str
        "memory", "stream", "gather" or "gather with groups".
    names : list
        The labels.
    counts : NDArray[np.int64]
        (n_parts, n_labels) rows of each label in each part, those of an earlier split included.
    sizes : NDArray[np.int64]
        (n_parts,) rows in each part.
    budget : int or None
        The label entries that could be gathered.
    groups : GroupRecord or None
        The groups.
    notes : list of str
        What a user should know.
    """

    scheme: str
    names: list[Any]
    counts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    budget: int | None
    groups: GroupRecord | None
    notes: list[str]

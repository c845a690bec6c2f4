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
    budget : int, float or None
        Label entries to gather, or as float a share of them; None for the default.
    streams : bool
        Whether data past memory is placed in sequence, not by quotas.
    """

    columns: Columns
    order: int | str | None
    cover: int | None
    seed: int
    memory: int
    budget: int | float | None
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


def join_earlier(
    earlier: Earlier | None, names: list[Any], total: NDArray[np.int64], n_parts: int
) -> tuple[list[Any], NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return all label names, their rows, what the parts hold already, and the rows of these."""
    if earlier is None:
        return names, total, np.zeros((len(names), n_parts), np.int64), np.zeros(n_parts, np.int64)
    known = set(earlier.names)
    joined = [*earlier.names, *(name for name in names if name not in known)]
    number_of = {name: number for number, name in enumerate(joined)}
    held = np.zeros((len(joined), n_parts), np.int64)
    held[: len(earlier.names)] = earlier.counts.T
    whole = held.sum(axis=1)
    whole[[number_of[name] for name in names]] += total
    return joined, whole, held, earlier.rows.copy()

"""SplitRows: rows in their parts, what is known of them, and how even they are."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.balances import Balance
from ..labels.fingerprints import make_fingerprint
from ..labels.labels import Labels
from ..links.group_columns import Groups
from ..problem.parts import Parts
from ..quality import Quality, measure_labels
from .origin import Origin
from .part_rows import find_part
from .placed import Placed


class SplitRows:
    """What a `Split` holds.

    Parameters
    ----------
    part_of_row : ndarray of int32, shape (n_rows,)
        The number of each row's part.
    parts : Parts
        The names of the parts and the shares wanted.
    origin : Origin
        How the split was made.
    labels : Labels, default=None
        The labels of the rows. Without them the split cannot be measured.
    groups : Groups, default=None
        Which rows stay together.
    balance : sequence of Balance, default=()
        The columns that were kept even besides labels.
    n_folds : int, default=None
        The number of parts that are folds; a holdout comes after them. By default all parts.
    fingerprint : str, default=None
        The fingerprint of the labels, if they are not given.
    """

    def __init__(
        self,
        part_of_row: NDArray[np.int32],
        parts: Parts,
        origin: Origin,
        labels: Labels | None = None,
        groups: Groups | None = None,
        balance: Sequence[Balance] = (),
        n_folds: int | None = None,
        fingerprint: str | None = None,
    ) -> None:
        self.part_of_row = part_of_row
        self.part_of_row.flags.writeable = False
        self.names = parts.names
        self.origin = origin
        self._parts = parts
        self._labels = labels
        self._groups = groups
        self._group_of_row = None if groups is None else groups.group_of_row
        self._balance = balance
        # With a holdout, the parts before it are the folds.
        self._n_folds = len(parts) if n_folds is None else n_folds
        if fingerprint is not None:
            self.fingerprint = fingerprint

    @property
    def method(self) -> str:
        """The name of the method that made it."""
        return self.origin.method

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_parts,) rows in each part."""
        return np.bincount(self.part_of_row, minlength=len(self.names))

    @property
    def shares(self) -> NDArray[np.float64]:
        """(n_parts,) the share of the rows that each part was to have."""
        return self._parts.shares

    @functools.cached_property
    def quality(self) -> Quality:
        """How even the split is, and how even it could be."""
        if self._labels is None:
            raise InputError(
                "this split was loaded without its labels, so it cannot be measured. "
                "Load it with them: load_split(path, y)."
            )
        return measure_labels(
            self._labels, self.part_of_row, self._parts, self._group_of_row, self._balance
        )

    @functools.cached_property
    def fingerprint(self) -> str:
        """A short name for the content of the labels; it does not depend on their form."""
        assert self._labels is not None
        return make_fingerprint(self._labels)

    @property
    def _placed(self) -> Placed:
        """The split, as a certificate takes it."""
        return Placed(self.part_of_row, self.names, self._parts, self.fingerprint)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, part: str | int) -> NDArray[np.int64]:
        """Return the row indices of a part, by name or number, sorted."""
        return np.flatnonzero(self.part_of_row == find_part(self.names, part))

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        return (self[number] for number in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SplitRows):
            return NotImplemented
        return self.names == other.names and np.array_equal(self.part_of_row, other.part_of_row)

    __hash__ = None  # type: ignore[assignment]

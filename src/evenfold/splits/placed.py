"""Rows in their parts as a certificate takes them: the rows, or their counts alone."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..labels.fingerprints import name_content
from ..problem.parts import Parts


class Placed(NamedTuple):
    """Rows in their parts, and the sizes that were wanted; None if that is not known."""

    part_of_row: NDArray[np.int32]
    names: tuple[str, ...]
    parts: Parts | None
    fingerprint: str | None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.part_of_row)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_parts,) rows in each part."""
        return np.bincount(self.part_of_row, minlength=len(self.names))

    @property
    def digest(self) -> str:
        """A name of the content of `part_of_row`."""
        return name_content(self.part_of_row)


class PlacedCounts(NamedTuple):
    """Rows of each part, where the part of each row is not known.

    Attributes
    ----------
    sizes : (n_parts,) array of int
        Rows in each part.
    names : tuple of str
        The names of the parts.
    parts : Parts or None
        The sizes that were wanted; None if they are not known.
    digest : str
        A name of the part of each row, made where the rows are.
    fingerprint : str, default=None
        The fingerprint of the labels; None if it is not known.
    """

    sizes: NDArray[np.int64]
    names: tuple[str, ...]
    parts: Parts | None
    digest: str
    fingerprint: str | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.sizes.sum())

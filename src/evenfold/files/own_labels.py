"""Labels of the formats that keep them beside their columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..labels.labels import Labels, make_labels


def label_entries(
    row: NDArray[np.int64], label: NDArray[np.int64], names: Sequence[Any], n_rows: int
) -> Labels:
    """Make labels of pairs (row, label), in any order; repeated pairs count once."""
    held = make_labels(
        sparse.coo_array((np.ones(len(row), np.int8), (row, label)), shape=(n_rows, len(names)))
    )
    return Labels(held.indptr, held.indices, names)

"""What the papers say about a data set before they split it."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from scipy import sparse


class LabelStatistics(NamedTuple):
    """Counts of one label matrix; sizes are rows per label, quartiles included, and rows per distinct labelset."""

    n_labels: int
    n_rows: int
    n_labelsets: int
    density: float
    rows_per_labelset: tuple[int, float, int]
    rows_per_label: tuple[int, float, int]
    label_quartiles: tuple[float, float, float, float, float]

    @property
    def ratio(self) -> float:
        """Distinct labelsets per row."""
        return self.n_labelsets / self.n_rows


def describe(y: sparse.csr_array) -> LabelStatistics:
    """Count; labels that no row or every row holds are left out, as in the optisplit paper (the sets of the other have none)."""
    rows_of_label = np.bincount(y.indices, minlength=y.shape[1])
    kept = y[:, (rows_of_label > 0) & (rows_of_label < y.shape[0])].sorted_indices()
    rows_of_label = np.bincount(kept.indices, minlength=kept.shape[1])
    labelsets = Counter(own.tobytes() for own in np.split(kept.indices, kept.indptr[1:-1]))
    rows_of_labelset = np.array(list(labelsets.values()))
    return LabelStatistics(
        n_labels=kept.shape[1],
        n_rows=kept.shape[0],
        n_labelsets=len(rows_of_labelset),
        density=kept.nnz / (kept.shape[0] * kept.shape[1]),
        rows_per_labelset=_least_mean_most(rows_of_labelset),
        rows_per_label=_least_mean_most(rows_of_label),
        label_quartiles=tuple(np.percentile(rows_of_label, [0, 25, 50, 75, 100]).tolist()),
    )


def _least_mean_most(counts: np.ndarray) -> tuple[int, float, int]:
    return int(counts.min()), float(counts.mean()), int(counts.max())

"""Statistics of a label matrix that the papers print."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

import numpy as np
from scipy import sparse


class LabelStatistics(NamedTuple):
    """Counts of one label matrix. Triples are minimum, mean and maximum."""

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
    """Count labels, rows and labelsets.

    Labels that no row or every row has are left out, as in the optisplit paper. The data sets of
    Sechidis et al. have no such labels.
    """
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
        rows_per_labelset=_min_mean_max(rows_of_labelset),
        rows_per_label=_min_mean_max(rows_of_label),
        label_quartiles=tuple(np.percentile(rows_of_label, [0, 25, 50, 75, 100]).tolist()),
    )


def _min_mean_max(counts: np.ndarray) -> tuple[int, float, int]:
    return int(counts.min()), float(counts.mean()), int(counts.max())

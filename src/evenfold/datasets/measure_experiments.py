"""The experiment that shows which measures depend on the size of a label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..exceptions import InputError

_N_ROWS = 100_000
_N_LABELS = 100
_N_FOLDS = 10
_FEWEST, _MOST = 20, 50_000

# The fewest whole rows of a label, fold by fold, that have the shares of each kind.
_PATTERN_OF_KIND = {
    "equal": [1] * 10,
    "difference": [6, 4] + [5] * 8,
    "one missing": [0] + [1] * 9,
}


def make_measure_experiment(kind: str = "difference") -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """Make the synthetic experiment of the optisplit paper, section 4.1: labels of all sizes, each cut over ten folds in the same shares.

    Parameters
    ----------
    kind : "equal": the same in every fold; "difference": a fifth more in fold 0, a fifth less in fold 1; "one missing": none in fold 0, the same in the rest

    Returns
    -------
    y : (100,000, 100) int8 matrix of 0 and 1
    part_of_row : (100,000,) number of each row's fold

    Notes
    -----
    Every fold has 10,000 rows. Within a fold, every row holds equally many labels, to one.
    Labels have 20 to 50,000 rows in even steps, each size rounded to the nearest whose share in every fold is whole:
    a multiple of 10 for "equal", of 50 for "difference" (there the smallest has 50), of 9 for "one missing" (there from 18 to 50,004).
    So every label has the same rLD, 0, 0.04 or 0.2, and the same DCP, 0, 0.02 or 1/9 - 1/10, while LD grows with its size.

    Examples
    --------
    >>> y, part_of_row = evenfold.datasets.make_measure_experiment("difference")
    >>> quality = evenfold.measure(y, part_of_row)
    >>> round(quality.rld, 10), round(quality.dcp, 10)
    (0.04, 0.02)
    """
    if kind not in _PATTERN_OF_KIND:
        raise InputError(
            f"must be one of {', '.join(map(repr, _PATTERN_OF_KIND))}, got {kind!r}. Try kind='difference'.",
            parameter="kind",
        )
    pattern = np.array(_PATTERN_OF_KIND[kind])
    n_patterns_of_label = np.maximum(
        1, np.rint(np.linspace(_FEWEST, _MOST, _N_LABELS) / pattern.sum())
    ).astype(np.int64)
    n_in_fold = _N_ROWS // _N_FOLDS
    row, label = [], []
    for fold, n_per_pattern in enumerate(pattern):
        own = np.repeat(np.arange(_N_LABELS), n_patterns_of_label * n_per_pattern)
        # Round and round the fold: no label has more entries there than the fold has rows, so it meets no row twice.
        row.append(fold * n_in_fold + np.arange(len(own)) % n_in_fold)
        label.append(own)
    at = (np.concatenate(row), np.concatenate(label))
    y = sparse.csr_array((np.ones(len(at[0]), np.int8), at), shape=(_N_ROWS, _N_LABELS))
    return y, np.repeat(np.arange(_N_FOLDS), n_in_fold)

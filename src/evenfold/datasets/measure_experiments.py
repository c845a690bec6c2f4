"""The experiment that shows which measures depend on the size of a label."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.choices import check_choice

_N_ROWS = 100_000
_N_LABELS = 100
_N_FOLDS = 10
_MIN_ROWS_OF_LABEL, _MAX_ROWS_OF_LABEL = 20, 50_000

# The smallest whole numbers of rows per fold that have the shares of each kind.
_PATTERN_OF_KIND = {
    "equal": [1] * 10,
    "difference": [6, 4] + [5] * 8,
    "one missing": [0] + [1] * 9,
}


def make_measure_experiment(kind: str = "difference") -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """Make the experiment of the optisplit paper, section 4.1.

    It has labels of all sizes, each with the same shares in ten folds.

    Parameters
    ----------
    kind : {"equal", "difference", "one missing"}, default="difference"
        `"equal"`: a label has the same number of rows in every fold. `"difference"`: a fifth
        more in fold 0 and a fifth less in fold 1. `"one missing"`: none in fold 0, the same
        number in the other folds.

    Returns
    -------
    y : csr_array
        The labels, (100_000, 100) int8 of 0 and 1.
    part_of_row : ndarray
        The number of the fold of each row, (100_000,).

    Raises
    ------
    InputError
        If there is no such kind.

    Notes
    -----
    Every fold has 10,000 rows. Within a fold, the numbers of labels of two rows differ by at
    most one.
    Labels have 20 to 50,000 rows in even steps. Each size is rounded to the nearest that has
    whole numbers in all folds: a multiple of 10 for "equal", of 50 for "difference" (the
    smallest is 50), of 9 for "one missing" (from 18 to 50,004).
    So every label has the same rLD, 0, 0.04 or 0.2, and the same DCP, 0, 0.02 or 1/9 - 1/10,
    while LD increases with the size of the label.

    Examples
    --------
    >>> y, part_of_row = evenfold.datasets.make_measure_experiment("difference")
    >>> quality = evenfold.measure(y, part_of_row)
    >>> round(quality.rld, 10), round(quality.dcp, 10)
    (0.04, 0.02)
    """
    check_choice(kind, "kind", _PATTERN_OF_KIND, "Try kind='difference'.")
    pattern = np.array(_PATTERN_OF_KIND[kind])
    n_rows_of_label = np.linspace(_MIN_ROWS_OF_LABEL, _MAX_ROWS_OF_LABEL, _N_LABELS)
    n_patterns_of_label = np.maximum(1, np.rint(n_rows_of_label / pattern.sum())).astype(np.int64)
    n_in_fold = _N_ROWS // _N_FOLDS
    row, label = [], []
    for fold, n_per_pattern in enumerate(pattern):
        own = np.repeat(np.arange(_N_LABELS), n_patterns_of_label * n_per_pattern)
        # The rows of the fold get the entries in turn. No label has more entries than the
        # fold has rows, so no row gets a label twice.
        row.append(fold * n_in_fold + np.arange(len(own)) % n_in_fold)
        label.append(own)
    cells = (np.concatenate(row), np.concatenate(label))
    y = sparse.csr_array((np.ones(len(cells[0]), np.int8), cells), shape=(_N_ROWS, _N_LABELS))
    return y, np.repeat(np.arange(_N_FOLDS), n_in_fold)

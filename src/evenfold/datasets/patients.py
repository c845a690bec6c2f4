"""Rows in groups, such as the images of patients."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.numbers import check_whole
from .._checks.seeds import make_rng
from .random_labels import check_shape, draw_labels, log_zipf

_MAX_FINDINGS_OF_PATIENT = 3
# The probability that an image shows a finding of its patient.
_SHARE_SHOWN = 0.7
# The probability that an image shows one more finding.
_SHARE_WITH_EXTRA = 0.2


def make_patients(
    n_rows: int = 10_000, n_groups: int = 3000, n_labels: int = 14, random_state: int | None = 0
) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """Make images of patients, with a few findings per image.

    The images of a patient have similar findings. Some images have none.

    Parameters
    ----------
    n_rows : int, default=10_000
        The number of images.
    n_groups : int, default=3000
        The number of patients.
    n_labels : int, default=14
        The number of findings.
    random_state : int, default=0
        The same number gives the same rows. With None, the result differs each time.

    Returns
    -------
    y : csr_array
        The labels, (n_rows, n_labels) int8 of 0 and 1.
    groups : ndarray
        The number of the patient of each row, (n_rows,).

    Raises
    ------
    InputError
        If a number is below 1, or `n_groups` above `n_rows`.

    Notes
    -----
    Every patient from 0 to `n_groups` - 1 has at least one row; most have few, some many. The
    rows of a patient are adjacent.
    A patient has 0 to 3 findings, drawn by Zipf's law. A row shows each of them with probability
    0.7, and with probability 0.2 one more finding.
    Rows of one patient are more similar than rows of two patients. Some rows have no label.

    Examples
    --------
    >>> y, groups = evenfold.datasets.make_patients(1000, n_groups=300)
    >>> s = evenfold.split(y, parts=5, groups=groups)
    >>> set(groups[s["fold0"]]) & set(groups[s["fold1"]])
    set()
    """
    check_shape(n_rows, n_labels)
    advice = "Every patient has a row: ask for fewer, or raise 'n_rows'."
    check_whole(n_groups, "n_groups", advice, most=n_rows)
    rng = make_rng(random_state)
    share_of_group = rng.lognormal(size=n_groups)
    n_rows_of_group = 1 + rng.multinomial(n_rows - n_groups, share_of_group / share_of_group.sum())
    group_of_row = np.repeat(np.arange(n_groups), n_rows_of_group)
    log_weight = log_zipf(n_labels, 1.0)
    most_findings = min(_MAX_FINDINGS_OF_PATIENT, n_labels)
    n_findings_of_group = rng.integers(0, most_findings, n_groups, endpoint=True)
    shown = draw_labels(rng, n_findings_of_group, log_weight)[group_of_row]
    shown.data = (rng.random(shown.nnz) < _SHARE_SHOWN).astype(np.int8)
    shown.eliminate_zeros()
    n_extra_of_row = (rng.random(n_rows) < _SHARE_WITH_EXTRA).astype(np.int64)
    extra = draw_labels(rng, n_extra_of_row, log_weight)
    return sparse.csr_array(shown.maximum(extra)), group_of_row

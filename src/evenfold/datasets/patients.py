"""Rows that belong together, as images of one patient do."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.seeds import make_rng
from .draws import draw_distinct
from .numbers_asked import check_count
from .tails import log_zipf

_MOST_FINDINGS = 3
_SHOWN = 0.7
_PASSING = 0.2


def make_patients(
    n_rows: int = 10_000, n_groups: int = 3000, n_labels: int = 14, random_state: int | None = 0
) -> tuple[sparse.csr_array, NDArray[np.int64]]:
    """Make images of patients: a few findings an image, much the same ones in all images of a patient, and some images without any.

    Parameters
    ----------
    n_rows : images
    n_groups : patients
    n_labels : findings
    random_state : the same number gives the same rows; None draws afresh

    Returns
    -------
    y : (n_rows, n_labels) int8 matrix of 0 and 1
    groups : (n_rows,) number of each row's patient

    Notes
    -----
    Every patient from 0 to `n_groups` - 1 has at least one row; most have few, some many. The rows of a patient follow each other.
    A patient has 0 to 3 findings, drawn by Zipf's law. A row shows each of them with probability 0.7, and with probability 0.2 a finding in passing.
    Rows of one patient are more alike than rows of two, and some rows hold no label.

    Examples
    --------
    >>> y, groups = evenfold.datasets.make_patients(1000, n_groups=300)
    >>> s = evenfold.split(y, parts=5, groups=groups)
    >>> set(groups[s["fold0"]]) & set(groups[s["fold1"]])
    set()
    """
    check_count(n_rows, "n_rows", "Ask for at least one row.")
    check_count(
        n_groups, "n_groups", "Every patient has a row: ask for fewer, or raise 'n_rows'.", n_rows
    )
    check_count(n_labels, "n_labels", "Ask for at least one label.")
    rng = make_rng(random_state)
    share_of_group = rng.lognormal(size=n_groups)
    n_rows_of_group = 1 + rng.multinomial(n_rows - n_groups, share_of_group / share_of_group.sum())
    group_of_row = np.repeat(np.arange(n_groups), n_rows_of_group)
    log_weight = log_zipf(n_labels, 1.0)
    findings = draw_distinct(
        rng, rng.integers(0, min(_MOST_FINDINGS, n_labels), n_groups, endpoint=True), log_weight
    )
    shown = findings[group_of_row]
    shown.data = (rng.random(shown.nnz) < _SHOWN).astype(np.int8)
    shown.eliminate_zeros()
    passing = draw_distinct(rng, (rng.random(n_rows) < _PASSING).astype(np.int64), log_weight)
    return sparse.csr_array(shown.maximum(passing)), group_of_row

"""The measures of the papers, each label's or part's own value; the mean is taken last.

Arrays: `count` (n_parts, n_labels) rows of a label in a part, `size` (n_parts, n_labels or 1) rows of a part in which the label is known.
Labels without rows are left to the caller; a part without rows holds no label.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def examples_distribution(size: Ints, shares: Floats) -> float:
    """ED: mean over parts of |rows - wanted rows|."""
    return float(np.abs(size - size.sum() * shares).mean())


def label_odds_difference(count: Ints, size: Ints) -> Floats:
    """LD of each label: mean over parts of |odds in the part - odds in the data|; NaN for labels that every row holds.

    A part's share of 1 is read as (size - 1) / size.
    """
    whole, n = count.sum(axis=0), size.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.where(count < size, count / (size - count), np.maximum(size - 1.0, 0.0))
        difference = np.abs(odds - whole / (n - whole)).mean(axis=0)
    return np.where(whole < n, difference, np.nan)


def relative_share_difference(count: Ints, size: Ints) -> Floats:
    """Return rLD of each label: mean over parts of |share in the part - share in the data| / share in the data."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = count.sum(axis=0) / size.sum(axis=0)
        own = np.where(size > 0, count / size, 0.0)
        return np.asarray(np.abs(own / share - 1).mean(axis=0))


def class_proportion_excess(count: Ints, shares: Floats) -> Floats:
    """DCP of each label: the largest (share of the label's rows in a part - share that the part wants)."""
    with np.errstate(invalid="ignore"):
        return np.asarray((count / count.sum(axis=0) - shares[:, None]).max(axis=0))


def label_mass_divergence(count: Ints) -> tuple[Floats, Floats]:
    """Return each part's KL(part ‖ all) and KL(all ‖ part) of the label mass; NaN for a part without labels.

    The second is infinite where the part lacks a label.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        mass = count.sum(axis=1)
        part = count / mass[:, None]
        whole = count.sum(axis=0) / count.sum()
        log_ratio = np.log(part / whole)
        from_part = np.where(part > 0, part * log_ratio, part).sum(axis=1)
        from_whole = -(whole * log_ratio).sum(axis=1)
    # Rounding can leave a hair below 0, which no divergence is.
    return np.where(mass > 0, np.maximum(from_part, 0.0), np.nan), np.where(
        mass > 0, np.maximum(from_whole, 0.0), np.nan
    )

"""The published measures: the own value of each label or part, from counts.

Arrays: `count` (n_parts, n_labels) has the rows of a label in a part, `size` (n_parts, n_labels or
1) the rows of a part in which the label is known. Values of labels without rows are undefined, and
left to the caller. A part without rows holds no label.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def size_difference(size: Ints, shares: Floats) -> Floats:
    """Return for each part |rows - wanted rows|, which ED averages."""
    difference = np.abs(size - size.sum() * shares)
    # Rounding errors of the shares are no rows.
    return np.where(difference < 1e-9, 0.0, difference)


def label_odds_difference(count: Ints, size: Ints) -> Floats:
    """Return LD of each label: mean over parts of |odds in the part - odds in the data|.

    A part's share of 1 is read as (size - 1) / size. NaN for labels that every row holds.
    """
    whole, n = count.sum(axis=0), size.sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = np.where(count < size, count / (size - count), np.maximum(size - 1.0, 0.0))
        difference = np.abs(odds - whole / (n - whole)).mean(axis=0)
    return np.where(whole < n, difference, np.nan)


def relative_share_difference(count: Ints, size: Ints) -> Floats:
    """Return rLD of each label: mean over parts of |share in the part / share in the data - 1|."""
    with np.errstate(divide="ignore", invalid="ignore"):
        share = count.sum(axis=0) / size.sum(axis=0)
        own = np.where(size > 0, count / size, 0.0)
        return np.asarray(np.abs(own / share - 1).mean(axis=0))


def share_difference(count: Ints, size: Ints) -> Floats:
    """Return for each label the mean over parts of |share in the part - share in the data|."""
    share = count.sum(axis=0) / size.sum(axis=0)
    return np.asarray(relative_share_difference(count, size) * share)


def class_proportion_excess(count: Ints, shares: Floats) -> Floats:
    """Return DCP of each label: the largest surplus of a part, as a share of the label's rows.

    The surplus is the share of the label's rows in the part, less the share the part wants.
    """
    with np.errstate(invalid="ignore"):
        return np.asarray((count / count.sum(axis=0) - shares[:, None]).max(axis=0))


def divergence_of_part(count: Ints) -> Floats:
    """Return KL(part ‖ all) of the label mass for each part; NaN for a part without labels."""
    mass, part, whole = _label_mass(count)
    with np.errstate(divide="ignore", invalid="ignore"):
        divergence = np.where(part > 0, part * np.log(part / whole), part).sum(axis=1)
    # Rounding can leave a value slightly below 0, which no divergence is.
    return np.where(mass > 0, np.maximum(divergence, 0.0), np.nan)


def divergence_of_all(count: Ints) -> Floats:
    """Return KL(all ‖ part) of the label mass for each part; NaN for a part without labels.

    It is infinite where the part lacks a label.
    """
    mass, part, whole = _label_mass(count)
    with np.errstate(divide="ignore", invalid="ignore"):
        divergence = -(whole * np.log(part / whole)).sum(axis=1)
    return np.where(mass > 0, np.maximum(divergence, 0.0), np.nan)


def _label_mass(count: Ints) -> tuple[Ints, Floats, Floats]:
    """Return the label entries of each part, and how they divide among labels: by part, in all."""
    mass = count.sum(axis=1)
    with np.errstate(invalid="ignore"):
        return mass, count / mass[:, None], count.sum(axis=0) / count.sum()

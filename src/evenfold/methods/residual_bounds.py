"""RandomSplit's two bounds of the residual: by the share of a part, and by its vector."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.row_values import check_part_of_row
from ..problem.residuals import check_norm, residual
from .svd import project_into_null_space

Floats = NDArray[np.float64]

# How far Z D W v may be from 0, relative to the sizes of Z D W and v. The vectors of `svd` are
# below 1e-7.
_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class ResidualBounds:
    """The residual of each part, and two values that it cannot exceed.

    Attributes
    ----------
    residual : (n_parts,) array of float
        ‖Z D W x‖, with x the 0/1 indicator of the part.
    by_share : (n_parts,) array of float
        The bound of any part that has this number of units.
    by_vector : (n_parts,) array of float
        The bound by the distance between the indicator and a soft indicator a v + b 1, with v in
        the null space of Z D W.

    Examples
    --------
    >>> bounds = evenfold.methods.bound_residuals([[1, 0], [0, 1], [1, 0], [0, 1]], [0, 0, 1, 1])
    >>> bounds.residual.tolist(), bounds.by_share.round(3).tolist()
    ([0.0, 0.0], [1.0, 1.0])
    """

    residual: Floats
    by_share: Floats
    by_vector: Floats


def bound_residuals(
    weights: Any, part_of_unit: Any, *, vector: Any = None, norm: float = 2
) -> ResidualBounds:
    """Return RandomSplit's two upper bounds of the residual of each part.

    With W the criteria × units, K criteria, N units and DW the shares of each criterion, a part
    with a share p of the units has a residual of at most sqrt(K N min(p, 1 - p) Σ var((DW)_n)),
    the sum over the columns of DW. If a v + b 1 is near the indicator of the part, sqrt(K Σ
    var((DW)_n)) times their distance is lower.

    Parameters
    ----------
    weights : (n_units, n_criteria) array or sparse matrix
        The criteria of each unit, 0 or more, as for `balance` of `evenfold.split`.
    part_of_unit : (n_units,) array of int
        The part of each unit from 0, such as `Split.part_of_row`.
    vector : (n_units,) array of float, default=None
        A vector v in the null space of Z D W, such as the one whose values were sorted and cut.
        The nearest a v + b 1 is used. None: of all vectors in the null space, the one nearest to
        each part.
    norm : {1, 2, inf}, default=2
        The norm of the residual.

    Returns
    -------
    ResidualBounds
        The residual of each part, and the two bounds.

    Raises
    ------
    InputError
        If the weights are negative or not finite, the numbers of units differ, the vector is not in
        the null space, or the norm is unknown.

    Notes
    -----
    `residual` <= `by_vector` <= `by_share`, up to rounding.
    In the norm 1, bounds are sqrt(K) times those of the norm 2; in the norm inf they are those of
    the norm 2.
    Criteria that are 0 in every unit are left out.

    Examples
    --------
    >>> weights = evenfold.datasets.make_weights().T
    >>> s = evenfold.split(balance=weights, parts=2, method="svd")
    >>> bounds = evenfold.methods.bound_residuals(weights, s.part_of_row)
    >>> bool((bounds.residual <= bounds.by_vector).all())
    True
    >>> bool((bounds.by_vector <= bounds.by_share).all())
    True
    """
    by_unit = _check_weights(weights)
    part_of_unit = np.asarray(part_of_unit)
    n_units = by_unit.shape[0]
    check_norm(norm)
    _check_length(part_of_unit, "part_of_unit", n_units)
    part_of_unit, _ = check_part_of_row(part_of_unit, n_units, "part_of_unit")
    indicator = (part_of_unit[:, None] == np.arange(part_of_unit.max() + 1)).astype(np.float64)
    total = by_unit.sum(axis=0)
    by_unit = scipy.sparse.csr_array(by_unit[:, total > 0])
    n_criteria = by_unit.shape[1]
    # K times the variance of a column is the sum of the squares of that column of Z D W.
    share = by_unit / total[total > 0]
    squares = share.multiply(share).sum() - (share.sum(axis=1) ** 2).sum() / max(n_criteria, 1)
    factor = np.sqrt(max(squares, 0.0)) * (np.sqrt(n_criteria) if norm == 1 else 1.0)
    size = indicator.sum(axis=0)
    if vector is None:
        soft = project_into_null_space(by_unit, indicator)
    else:
        vector = np.asarray(vector, np.float64)
        _check_length(vector, "vector", n_units)
        _check_null_space(scipy.sparse.csr_array(by_unit / total[total > 0]), vector)
        soft = np.repeat(vector[:, None], len(size), axis=1)
    return ResidualBounds(
        residual((by_unit.T @ indicator).T, norm),
        factor * np.sqrt(np.minimum(size, n_units - size)),
        factor * _distance(indicator, soft),
    )


def _distance(indicator: Floats, soft: Floats) -> Floats:
    """Return the distance of each indicator to the nearest a v + b 1, by least squares."""
    left = indicator - indicator.mean(axis=0)
    along = soft - soft.mean(axis=0)
    length = (along * along).sum(axis=0)
    # A vector that is constant but for rounding has no direction.
    slope = np.divide(
        (left * along).sum(axis=0), length, out=np.zeros_like(length), where=length > 1e-18
    )
    return np.asarray(np.linalg.norm(left - slope * along, axis=0))


def _check_weights(weights: Any) -> scipy.sparse.csr_array:
    by_unit = scipy.sparse.csr_array(weights).astype(np.float64)
    wrong = by_unit.data[~((by_unit.data >= 0) & (by_unit.data < np.inf))]
    if len(wrong):
        raise InputError(
            f"must be finite and 0 or more, got {wrong[0]:g}. Shares of other numbers have no "
            "meaning.",
            parameter="weights",
        )
    return by_unit


def _check_length(values: NDArray[Any], parameter: str, n_units: int) -> None:
    if values.shape != (n_units,):
        raise InputError(
            f"must have one value for each of the {n_units:,} rows of 'weights', got an array of "
            f"shape {values.shape}. Pass units × criteria as 'weights'.",
            parameter=parameter,
        )


def _check_null_space(share: scipy.sparse.csr_array, vector: Floats) -> None:
    found = share.T @ vector
    off = np.linalg.norm(found - found.mean()) if len(found) else 0.0
    if off > _TOLERANCE * np.sqrt(share.multiply(share).sum()) * np.linalg.norm(vector):
        raise InputError(
            f"must be in the null space of Z D W, got a vector with |Z D W v| = {off:.3g}. Leave "
            "it out for the nearest vector.",
            parameter="vector",
        )

"""What `assignment` weighs: units × columns in whole numbers, counts of rows before amounts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy
from numpy.typing import NDArray

from .._kernels.assignment import Prices, sum_over_entries
from .._kernels.entries import count_in_parts
from ..problem.criteria import Level
from ..problem.problem import Problem
from .standardised import standardise, to_whole

# The largest part has this factor where parts are unequal: factors are rounded to whole numbers.
_FACTOR_STEPS = 64
# Amounts are rounded to this fraction of their standard deviation, as a power of 2: coarser beside
# counts of rows, whose weights take up more of the 64 bits.
_FRACTION_BITS, _MIXED_FRACTION_BITS = 12, 4
# Factor of the weight of criteria after labels.
_LATER = 0.1
# Weight of the number of rows in a part, relative to the commonest label. Tuned on scene, medical,
# enron and bibtex, where values from 1 to 4 give equal results.
_ROW_WEIGHT = 4.0
# Rarities are rounded to steps of 1 / this number, so that the order is equal on every machine.
_RARITY_STEPS = 2.0**40


class Columns(NamedTuple):
    """Units × columns as CSR: the first `n_counts` columns are numbers of rows, the others amounts.

    `total` (n_columns,) is what all parts together should hold: 0 for amounts, because their mean
    is subtracted. `largest_cost` is an upper bound of the cost of any unit in any part, without the
    factors of the parts.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    n_counts: int
    total: NDArray[np.int64]
    weight: NDArray[np.float64]
    row_weight: float
    largest_cost: float

    def find_deviation(self, problem: Problem) -> NDArray[np.float64]:
        """Return (n_columns, n_parts) the sum of each part's fixed units minus its target."""
        held = np.zeros((len(self.total), problem.n_parts + 1), np.int64)
        if (problem.fixed >= 0).any():
            # Free units are counted in an extra part, which is then left out.
            part = np.where(problem.fixed < 0, problem.n_parts, problem.fixed)
            count_in_parts.for_work(len(self.indices))(
                self.indptr, self.indices, self.amounts, part, held
            )
        return held[:, :-1] - self.total[:, None] * (problem.sizes / problem.n_rows)

    def make_prices(self, problem: Problem, n_slots: NDArray[np.int64], cost_bits: int) -> Prices:
        """Return weights and prices as whole numbers; costs stay below 2 to the power `cost_bits`.

        If there are only amounts, their weight is 1: their values already use all bits.
        """
        factor = find_factors(problem)
        scale = 1.0
        if self.n_counts:
            # 4.004 instead of 4: a margin for rounding errors.
            largest = 4.004 * max(self.largest_cost, 1e-300) * float(factor.max())
            scale = 2.0 ** (cost_bits - np.ceil(np.log2(largest)))
        weight = np.maximum(1, np.round(self.weight * scale)).astype(np.int64)
        row_weight = int(self.row_weight * scale)
        price = np.round(2.0 * weight[:, None] * factor * self.find_deviation(problem))
        row_price = np.round(-2.0 * row_weight * factor * n_slots)
        return Prices(
            weight, row_weight, factor, price.astype(np.int64), row_price.astype(np.int64)
        )


class Ranks(NamedTuple):
    """The order of units: largest rarity first, then largest distance from the mean."""

    rarity_of_unit: NDArray[np.int64]
    distance_of_unit: NDArray[np.int64]


def make_columns(problem: Problem, cost_bits: int) -> tuple[Columns, Ranks]:
    """Put counts and amounts side by side, and rank the units."""
    values = np.empty((problem.n_units, 0))
    if problem.is_amount.any():
        values = standardise(problem, problem.is_amount.astype(np.float64))
    if values.shape[1] and problem.is_amount.all() and problem.n_units == problem.n_rows:
        largest_factor = int(find_factors(problem).max())
        return _make_amounts(to_whole(values, largest_factor, cost_bits, _FRACTION_BITS))
    whole = np.round(values * 2.0**_MIXED_FRACTION_BITS).astype(np.int64)
    rarity_of_unit = _find_rarity(problem)
    counts = _make_counts(problem, float(rarity_of_unit.max()) / _RARITY_STEPS)
    ranks = Ranks(rarity_of_unit, problem.rows_of_unit + (whole * whole).sum(axis=1))
    if problem.is_amount.any() or problem.n_units < problem.n_rows:
        return _add_rows_and_amounts(counts, problem, whole), ranks
    return counts, ranks


def _make_amounts(whole: NDArray[np.int64]) -> tuple[Columns, Ranks]:
    """Return columns of amounts only; the rows farthest from the mean come first."""
    n_units, n_columns = whole.shape
    columns = Columns(
        np.arange(n_units + 1, dtype=np.int64) * n_columns,
        np.tile(np.arange(n_columns, dtype=np.int32), n_units),
        whole.ravel(),
        0,
        np.zeros(n_columns, np.int64),
        np.ones(n_columns),
        0.0,
        0.0,
    )
    return columns, Ranks(np.zeros(n_units, np.int64), (whole * whole).sum(axis=1))


def _find_rarity(problem: Problem) -> NDArray[np.int64]:
    """Return the sum of 1 / m_l over a unit's labels, in steps; later criteria count less."""
    rarity = np.round(_find_importance(problem) * _RARITY_STEPS / problem.total_of_criterion)
    rarity[problem.is_amount] = 0
    rarity_of_unit = np.zeros(problem.n_units, np.int64)
    sum_over_entries.for_work(len(problem.indices))(
        problem.indptr, problem.indices, problem.amounts, rarity.astype(np.int64), rarity_of_unit
    )
    return rarity_of_unit


def _find_importance(problem: Problem) -> NDArray[np.float64]:
    """Return (n_criteria,) 1 for labels, less for criteria after labels."""
    return np.where(problem.level_of_criterion <= Level.LABELS, 1.0, _LATER)


def _make_counts(problem: Problem, largest_rarity: float) -> Columns:
    """Return the criteria as they are; only the weights of counts are used."""
    is_count = ~problem.is_amount
    total = problem.total_of_criterion
    row_weight = _ROW_WEIGHT / float(total[is_count].max(initial=1)) ** 2
    return Columns(
        problem.indptr,
        problem.indices,
        problem.amounts,
        problem.n_criteria,
        total,
        _find_importance(problem) / total.astype(np.float64) ** 2,
        row_weight,
        largest_rarity + row_weight * problem.n_rows,
    )


def _add_rows_and_amounts(counts: Columns, problem: Problem, whole: NDArray[np.int64]) -> Columns:
    """Return counts, then with groups the number of rows of a unit, then amounts."""
    is_count = ~problem.is_amount
    blocks = [scipy.sparse.csr_array(problem.to_csr()[:, is_count])]
    total, weight = counts.total[is_count], counts.weight[is_count]
    row_weight, largest_cost = counts.row_weight, counts.largest_cost
    if problem.n_units < problem.n_rows:
        blocks.append(scipy.sparse.csr_array(problem.rows_of_unit[:, None].astype(np.float64)))
        total, weight = np.append(total, problem.n_rows), np.append(weight, row_weight)
        largest_cost += row_weight * problem.n_rows * float(problem.rows_of_unit.max())
        row_weight = 0.0
    # An amount weighs as much as a label that half of the rows hold.
    importance = _find_importance(problem)[problem.is_amount].max(initial=_LATER)
    own = np.full(whole.shape[1], importance / float(problem.n_rows << _MIXED_FRACTION_BITS) ** 2)
    size = np.abs(whole)
    largest_cost += float((size @ (own * size.sum(axis=0))).max(initial=0.0))
    joined = scipy.sparse.csr_array(
        scipy.sparse.hstack([*blocks, scipy.sparse.csr_array(whole)], format="csr")
    )
    return Columns(
        joined.indptr.astype(np.int64),
        joined.indices.astype(np.int32),
        np.round(joined.data).astype(np.int64),
        len(total),
        np.append(total, np.zeros(len(own), np.int64)),
        np.append(weight, own),
        row_weight,
        largest_cost,
    )


def find_factors(problem: Problem) -> NDArray[np.int64]:
    """Return 1 / r_j as whole numbers, all 1 for equal parts: rows weigh more in a small part."""
    if (problem.weights == problem.weights[0]).all():
        return np.ones(problem.n_parts, np.int64)
    share = problem.weights / problem.weights.sum()
    return np.asarray(np.round(_FACTOR_STEPS * share.max() / share), dtype=np.int64)

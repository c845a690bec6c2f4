"""assignment: one pass over batches of rows, each batch placed by an optimal assignment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .._kernels.assignment import TIE_BITS, Slots, Units, place_by_assignment
from ..problem.problem import Problem
from .assignment_columns import make_columns
from .even.refinement import mend_sizes
from .method import Method
from .orders import Order, check_order

# The sum of the costs along a path through a batch stays below 2 to this power.
_PATH_BITS = 61
# A batch is just large enough that the smallest part has one slot in it. This is its maximum size.
_MAX_BATCH = 128
# With more parts than this and many units, a batch covers only some of the parts: for each unit, an
# assignment takes up to the square of the number of parts.
_MAX_PARTS_OF_BATCH, _MANY_STEPS = 128, 2e10


@dataclass(frozen=True)
class Assignment(Method):  # numpydoc ignore=PR02
    """Rows in batches, each batch placed by an optimal assignment: one pass, exact sizes.

    For real amounts this is assignment-based anticlustering (ABA, arXiv 2601.06351): rows are taken
    by their distance from the mean, farthest first, in batches of one row per part. The assignment
    of a batch maximises the distance of each row to the mean of the part it joins, on columns
    divided by their standard deviation.

    For labels, rows with rare labels come first: those with the largest Σ 1 / m_l over their
    labels, m_l the rows of label l. The cost of a row in part j is the sum over its labels of
    w_l (2 d_lj + 1) / r_j, where d_lj is the number of rows of label l in the part minus its
    target, w_l = 1 / m_l², and r_j is the share of the part. A part may take several rows of a
    batch. Each further row costs more. The increase is the largest cost of two rows with a common
    label, plus 4 w_l of the commonest label for the extra row.

    Parameters
    ----------
    order : 1, 2 or "auto", default=1
        What is kept even if `split` does not say. See `split`.

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.
    Equal parts: batches of one row per part. Unequal parts: batches in which the smallest part has
    one slot, up to 128 slots; the others have slots in proportion.
    Criteria after labels (categories, unknown labels, numbers) weigh a tenth of labels; a number
    weighs as much as a label that half of the rows hold.
    Groups are placed in the same way. Then the cheapest moves bring the sizes as near to their
    targets as groups allow.
    Cost O(nnz · n_parts + n · n_parts · batch) at most; usually the second term is far smaller.

    Examples
    --------
    >>> s = evenfold.split([["a", "b"], ["a"], ["b"], []] * 5, 5, method="assignment")
    >>> s.sizes.tolist(), s.quality.excess
    ([4, 4, 4, 4, 4], 0.0)
    """

    name = "assignment"
    exact_sizes = True
    order: Order = 1

    def __post_init__(self) -> None:
        check_order(self.order)

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps of a loop, each a nanosecond or so, one split takes."""
        n_columns = n_parts
        if float(n_units) * n_parts**2 > _MANY_STEPS:
            n_columns = min(n_parts, _MAX_PARTS_OF_BATCH)
        return n_columns * (float(n_entries) + n_units * (20 + n_columns / 8))

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        part_of_unit = problem.fixed.copy()
        free = rng.permutation(np.flatnonzero(part_of_unit < 0))
        if not len(free):
            return part_of_unit
        n_slots = _count_slots(problem, len(free))
        batch_size = _choose_batch_size(n_slots)
        cost_bits = _PATH_BITS - TIE_BITS - batch_size.bit_length()
        columns, ranks = make_columns(problem, cost_bits)
        prices = columns.make_prices(problem, n_slots, cost_bits)
        is_strict = columns.n_counts == 0
        if is_strict and len(free) == problem.n_rows and (prices.factor_of_part == 1).all():
            # Any part may get an extra row: the last batch may choose among all parts.
            n_slots[:] = n_slots.max()
        order = free[np.lexsort((-ranks.distance_of_unit[free], -ranks.rarity_of_unit[free]))]
        draw = rng.integers(0, 2**32, problem.n_units)
        n_steps = (len(columns.indices) + 4 * len(free)) * min(problem.n_parts, batch_size)
        place_by_assignment.for_work(n_steps)(
            Units(columns.indptr, columns.indices, columns.amounts, columns.n_counts, draw),
            order,
            Slots(_make_slots(n_slots, rng), batch_size, is_strict),
            prices,
            part_of_unit,
        )
        if problem.n_units < problem.n_rows:
            return mend_sizes(problem, part_of_unit, rng)
        return part_of_unit


def _count_slots(problem: Problem, n_free: int) -> NDArray[np.int64]:
    """Return (n_parts,) how many of the free units each part should get."""
    is_fixed = problem.fixed >= 0
    n_fixed = np.bincount(
        problem.fixed[is_fixed], problem.rows_of_unit[is_fixed], minlength=problem.n_parts
    )
    wanted = np.maximum(problem.sizes - n_fixed, 0)
    running = np.round(np.cumsum(wanted) * (n_free / max(1.0, float(wanted.sum()))))
    return np.diff(running, prepend=0.0).astype(np.int64)


def _choose_batch_size(n_slots: NDArray[np.int64]) -> int:
    """Return a batch size with about one slot for the smallest part, within limits."""
    n_free, used = int(n_slots.sum()), n_slots[n_slots > 0]
    n_parts = len(used)
    if used.max() - used.min() <= 1:
        is_slow = float(n_free) * n_parts**2 > _MANY_STEPS and n_parts > _MAX_PARTS_OF_BATCH
        return _MAX_PARTS_OF_BATCH if is_slow else n_parts
    return min(n_free, _MAX_BATCH, -(-n_free // int(used.min())))


def _make_slots(n_slots: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int32]:
    """Return the part of each slot; the slots of a part are at equal distances."""
    part = np.repeat(np.arange(len(n_slots), dtype=np.int32), n_slots)
    rank = np.arange(len(part)) - np.repeat(np.cumsum(n_slots) - n_slots, n_slots)
    position = (2 * rank + 1 << 32) // np.repeat(n_slots, n_slots)
    return part[np.lexsort((rng.permutation(len(part)), position))]

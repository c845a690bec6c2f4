"""even: every criterion as close to its share as whole rows allow, in parts of exact sizes."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from numbers import Real

import numpy as np
from numpy.typing import NDArray

from ..._checks.values import show_value
from ...exceptions import InputError, InputTypeError
from ...problem.cover import Cover, check_cover
from ...problem.problem import Problem
from ..method import Method
from ..orders import Order, check_order
from .amounts import is_by_amounts, place_by_amounts
from .plan import Budget, place_evenly
from .tuning import EFFORTS


@dataclass(frozen=True)
class Even(Method):  # numpydoc ignore=PR02
    """Iterative stratification, then annealed moves and swaps that lower rLD. The default method.

    The cost is a sum over criteria l and parts j::

        Σ_l w_l Σ_j f_j (|c_lj - t_lj| + p max(0, a_lj - c_lj))

    c_lj rows of part j have criterion l, t_lj = m_l S_j / n is their share, w_l = 1 / min(m_l,
    n - m_l) and f_j = 1 / (k r_j): for labels of at most half of the rows this is rLD. a_lj rows
    must be there (`cover`), at the price p. Labels come first; the weight of other criteria falls
    to 0.001 of theirs. If labels of large data compete, their weights are proportional to min(m_l,
    n - m_l)^-0.67 instead. With groups, the number of groups in each part is even too.
    docs/methods.md describes all terms.

    Most rows that are equal are dealt to the parts. The others start from iterative stratification
    (or from `assignment`, if labels compete and it is better). Then they move one by one and swap
    parts in pairs, at falling temperatures. If these others have more than 2.5 million entries, a
    random split is tried first: it is kept if one sweep at temperature 0 brings it to the bound.

    Without labels, with numbers to balance, the cost is Σ_j n_j ‖mean_j - mean‖² over all columns,
    each divided by its standard deviation: n_j rows are in part j, mean_j is their mean. Quantile
    bins of at most 4 numbers are also columns, with 1/100 of the weight. The split starts from
    `assignment`, or for very many rows from a random split. Then rows swap parts in pairs while the
    temperature falls.

    Parameters
    ----------
    effort : str or float, default="normal"
        "fast", "normal" or "best", or a number of seconds to improve the split for; with seconds,
        results depend on the machine's speed.
    order : 1, 2 or "auto", default="auto"
        What is kept even if `split` does not say: 1 labels, "auto" also row profiles, 2 also label
        pairs.
    progress : callable, default=None
        Called several times with the share of the work done, from 0 to 1.
    cover : int or bool, default=None
        The rows of each label that every part should hold if `split` does not say; None: a row,
        where the part's share is more than half a row.

    Notes
    -----
    Every part has its target size, to the row, where there are no groups.

    Examples
    --------
    >>> y = [["a", "b"], ["a"], ["b"], []] * 5
    >>> s = evenfold.split(y, [0.5, 0.5], method=evenfold.methods.Even(effort="fast"))
    >>> s.sizes.tolist(), s.quality.excess
    ([10, 10], 0.0)
    """

    name = "even"
    improves = True
    exact_sizes = True
    balances_profiles = True
    covers = True
    uses_size_slack = True
    effort: str | float = "normal"
    order: Order = "auto"
    cover: Cover = field(default=None, kw_only=True)
    progress: Callable[[float], object] | None = field(default=None, repr=False, compare=False)

    def __post_init__(self) -> None:
        check_order(self.order)
        check_cover(self.cover)
        is_seconds = (
            isinstance(self.effort, Real)
            and not isinstance(self.effort, bool)
            and 0 < self.effort < math.inf
        )
        if not is_seconds and not (isinstance(self.effort, str) and self.effort in EFFORTS):
            error = InputError if isinstance(self.effort, str | Real) else InputTypeError
            raise error(
                f"must be {', '.join(EFFORTS)} or a number of seconds, "
                f"got {show_value(self.effort)}. Leave it out for 'normal'.",
                parameter="effort",
            )

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        if isinstance(self.effort, str):
            budget = Budget(EFFORTS[self.effort], np.inf, self.progress)
        else:
            budget = Budget(EFFORTS["fast"], time.monotonic() + self.effort, self.progress)
        if is_by_amounts(problem):
            # Means do not depend on the sizes: nothing is gained by sizes that are off.
            exact = replace(problem, size_slack=np.zeros_like(problem.size_slack))
            part_of_unit = place_by_amounts(exact, rng, budget)
        else:
            part_of_unit = place_evenly(problem, rng, budget)
        if self.progress is not None:
            self.progress(1.0)
        return part_of_unit

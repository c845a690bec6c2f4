"""How probable a random split is that is off by as much as the one at hand, or more."""

from __future__ import annotations

import numpy as np
import scipy
from numpy.typing import NDArray

from .values import Floats, Ints

# Terms of a tail below this share of their sum are left out: the next ones are smaller still.
_NEGLIGIBLE = 1e-17
# Labels whose tails are summed at once, so that arrays stay in the cache.
_AT_ONCE = 4096


def find_row_tails(count: Ints, held: Ints, n_drawn: Ints, n_rows: Ints) -> Floats:
    """Return the two-sided tail of the hypergeometric distribution.

    Of `n_rows` rows, `held` have a label, and `n_drawn` are drawn at random, of which `count` have
    it. The result is twice the probability of a draw at least as far to the same side, at most 1.
    It is exact but for rounding, about 1e-7 of its value for ten million rows.

    All arguments are whole numbers, broadcast together. O(standard deviation) each.
    """
    count, held, n_drawn, n_rows = np.broadcast_arrays(count, held, n_drawn, n_rows)
    flat = np.stack([each.ravel() for each in (count, held, n_drawn, n_rows)]).astype(np.float64)
    tails = [_sum_tails(flat[:, at : at + _AT_ONCE]) for at in range(0, flat.shape[1], _AT_ONCE)]
    whole = np.concatenate(tails) if tails else np.empty(0)
    return np.asarray(np.minimum(1.0, 2.0 * whole).reshape(count.shape))


def _sum_tails(draws: Floats) -> Floats:
    """Return the probability of each draw and those further to its side."""
    count, held, n_drawn, n_rows = draws
    # A lower tail of the rows with the label is an upper tail of those without it.
    is_low = count * n_rows < n_drawn * held
    count = np.where(is_low, n_drawn - count, count)
    held = np.where(is_low, n_rows - held, held)
    log_first = (
        _log_choose(held, count)
        + _log_choose(n_rows - held, n_drawn - count)
        - _log_choose(n_rows, n_drawn)
    )
    term = np.ones(len(count))
    total = np.ones(len(count))
    active = np.arange(len(count))
    while len(active):
        at, of, drawn, rows = count[active], held[active], n_drawn[active], n_rows[active]
        term[active] *= (of - at) * (drawn - at) / ((at + 1) * (rows - of - drawn + at + 1))
        total[active] += term[active]
        count[active] += 1
        active = active[term[active] > _NEGLIGIBLE * total[active]]
    return np.asarray(np.exp(log_first) * total)


def _log_choose(n: Floats, k: Floats) -> Floats:
    log_factorial = scipy.special.gammaln
    return np.asarray(log_factorial(n + 1) - log_factorial(k + 1) - log_factorial(n - k + 1))


def bound_unit_tails(
    off: Floats, squares: Floats, largest: Floats, n_drawn: Ints, n_units: int
) -> Floats:
    """Return an upper bound of the two-sided tail, where whole units are drawn.

    Units have numbers that sum to 0. The result bounds the probability that the sum over units
    drawn at random without replacement is `off` or more to either side (Bernstein's inequality,
    which by Hoeffding 1963 holds without replacement too).

    Parameters
    ----------
    off : array of float
        The sum over the units drawn.
    squares : array of float
        The sum of the squared numbers of all units.
    largest : array of float
        The largest absolute number of a unit, or more.
    n_drawn : array of int
        How many units are drawn.
    n_units : int
        How many units there are.

    Returns
    -------
    ndarray of float
        The bounds, at most 1.
    """
    size = np.abs(off)
    # The units that are not drawn are off by as much to the other side.
    variance = np.minimum(n_drawn, n_units - n_drawn) * squares / max(1, n_units)
    spread: NDArray[np.float64] = 2.0 * (variance + largest * size / 3.0)
    exponent = np.divide(size**2, spread, out=np.zeros(np.shape(spread)), where=spread > 0)
    return np.asarray(np.minimum(1.0, 2.0 * np.exp(-exponent)))

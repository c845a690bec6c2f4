"""Tight bounds of rLD: all labels together, every row or group placed once."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..labels.labels import Labels
from .measure_record import excess_over
from .prices import raise_bound
from .relaxation import make_relaxation
from .values import Ints

# Steps of the search for prices. On Wiki10-31K at 80/10/10, a good split is 2.0 % above the bound
# after 100 steps and 1.9 % after 300.
_MAX_STEPS = 300
# The work of a bound that is read without a limit: about 20 s at most.
MAX_WORK = 2_000_000_000

_UNKNOWN = "Some labels are unknown in some rows: the tight bound is the cheap one."
_STOPPED = "The search for the tight bound was stopped early, so that it may be too low."
_COUNTED = "Only counts of the rows are known: the tight bound is the cheap one."
_LARGE = "The tight bound is the cheap one: computing it would take a while."


class TightRecord(NamedTuple):
    """A tight bound and what it took.

    Attributes
    ----------
    bound : float
        No split into parts of these sizes is below it, and it is not below the cheap bound.
    seconds : float
        Seconds that it took.
    note : str
        Why it may be too low; empty if nothing is to be said.
    is_limited : bool
        Whether a limit of the work made it lower.
    """

    bound: float
    seconds: float
    note: str
    is_limited: bool = False


def bound_tightly(
    labels: Labels,
    sizes: Ints,
    group_of_row: NDArray[np.int64] | None,
    cheap: float,
    reached: float,
    max_work: int = MAX_WORK,
) -> TightRecord:
    """Return the tight bound of mean rLD.

    Parameters
    ----------
    labels : Labels
        The labels of the rows.
    sizes : (n_parts,) array of int
        Rows of each part.
    group_of_row : (n_rows,) array of int or None
        The groups that are to stay whole.
    cheap : float
        The bound of each label alone.
    reached : float
        The mean rLD of a split with these sizes and groups.
    max_work : int, default=2_000_000_000
        A limit of the steps of all loops; a hundred million take about a second.

    Returns
    -------
    TightRecord
        The bound, the seconds, and a note.
    """
    # No bound can be above what was reached.
    if excess_over(reached, cheap) == 0:
        return TightRecord(cheap, 0.0, "")
    if labels.unknown is not None:
        return TightRecord(cheap, 0.0, _UNKNOWN)
    # Summing up the entries of groups takes about ten steps for each.
    if 10 * len(labels.indices) > max_work:
        return TightRecord(cheap, 0.0, _LARGE, True)
    start = time.perf_counter()
    relaxation = make_relaxation(labels, sizes, group_of_row)
    max_steps = min(_MAX_STEPS, max_work // relaxation.n_steps)
    if max_steps == 0:
        return TightRecord(cheap, time.perf_counter() - start, _LARGE, True)
    raised = raise_bound(relaxation, max_steps)
    # The rLD of a part without rows is 1.
    bound = raised.bound + float((sizes == 0).mean())
    is_limited = max_steps < _MAX_STEPS and not raised.is_final
    seconds = time.perf_counter() - start
    return TightRecord(max(cheap, bound), seconds, _STOPPED if is_limited else "", is_limited)


def bound_without_rows(sizes: Ints, grouped: bool, cheap: float, reached: float) -> TightRecord:
    """Return the tight bound of mean rLD of a split of which only counts are known.

    Where the parts are of equal sizes and nothing is grouped, it is the cheap bound. Otherwise it
    is not known, and the cheap bound is returned with a note.
    """
    is_tight = excess_over(reached, cheap) == 0 or (not grouped and bool((sizes == sizes[0]).all()))
    return TightRecord(cheap, 0.0, "" if is_tight else _COUNTED)

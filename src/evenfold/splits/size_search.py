"""The search for sizes that make labels more even, within a size tolerance."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..methods import Even, Method
from ..problem.parts import Parts
from ..problem.problem import Problem, set_size_slack
from ..problem.size_tolerance import find_size_slack

# Sizes are searched within these shares of the parts one after the other, up to the tolerance.
# So a larger tolerance also finds what a smaller one finds, and is not worse.
_SHARES_TRIED = (0.01, 0.05, 0.1, 0.2, 0.5)

Place = Callable[[Method, Problem], NDArray[np.int32]]


class SizeSearch(NamedTuple):
    """The part of each unit, and that in a split with exact sizes; None if there was no search."""

    part_of_unit: NDArray[np.int32]
    of_exact_sizes: NDArray[np.int32] | None


def search_sizes(
    method: Method,
    problem: Problem,
    place: Place,
    measure: Callable[[NDArray[np.int32]], tuple[float, ...]],
) -> SizeSearch:
    """Place the units with exact sizes, then with sizes that may be off, and keep the best split.

    With each slack there are two searches, one of them from the best split so far.

    Parameters
    ----------
    method : Method
        A method that uses `problem.size_slack`.
    problem : Problem
        The problem with its slack.
    place : callable
        Places the units of a problem by a method.
    measure : callable
        Returns what is compared of a split; less is better.

    Returns
    -------
    SizeSearch
        The best split; the one with exact sizes, if none is better.
    """
    slacks = _list_slacks(problem)
    n_searches = 1 + 2 * len(slacks)
    exact = set_size_slack(problem, np.zeros_like(problem.size_slack))
    best = of_exact_sizes = place(_share_effort(method, 0, n_searches), exact)
    lowest = measure(best)
    for number in range(n_searches - 1):
        tried = replace(problem, start=best) if number % 2 else problem
        tried = set_size_slack(tried, slacks[number // 2])
        found = place(_share_effort(method, number + 1, n_searches), tried)
        value = measure(found)
        if value < lowest:
            best, lowest = found, value
    return SizeSearch(best, of_exact_sizes)


def describe_sizes(
    problem: Problem,
    parts: Parts,
    part_of_unit: NDArray[np.int32],
    of_exact_sizes: NDArray[np.int32] | None,
    measure_rld: Callable[[NDArray[np.int32]], float],
) -> dict[str, Any]:
    """Return what the size tolerance changed, and which part grew to the size of a group.

    Parameters
    ----------
    problem : Problem
        The problem.
    parts : Parts
        The wanted shares.
    part_of_unit : NDArray[np.int32]
        (n_units,) the split.
    of_exact_sizes : NDArray[np.int32] | None
        (n_units,) the split without tolerance; None if there is none.
    measure_rld : callable
        Returns the rLD of such a split.

    Returns
    -------
    dict of str to Any
        Records for `Origin.parameters`.
    """
    wanted = problem.n_rows * parts.shares
    records: dict[str, Any] = {}
    if of_exact_sizes is not None:
        records["gain_of_size_tolerance"] = {
            "rld": measure_rld(part_of_unit),
            "rld_without": measure_rld(of_exact_sizes),
            "size_off": _find_largest_share(problem, part_of_unit, wanted),
            "size_off_without": _find_largest_share(problem, of_exact_sizes, wanted),
        }
    largest = int(problem.rows_of_unit.argmax())
    room = int(np.ceil(wanted.max() - 1e-6))
    if problem.rows_of_unit[largest] > room:
        part = int(part_of_unit[largest])
        records["large_group"] = {
            "rows": int(problem.rows_of_unit[largest]),
            "largest_wanted": room,
            "part": parts.names[part],
            "size": int(problem.count_rows(part_of_unit)[part]),
        }
    return records


def _find_largest_share(
    problem: Problem, part_of_unit: NDArray[np.int32], wanted: NDArray[np.float64]
) -> float:
    """Return the largest deviation of a size, as a share of the wanted size."""
    return float((np.abs(problem.count_rows(part_of_unit) - wanted) / wanted).max())


def _list_slacks(problem: Problem) -> list[NDArray[np.int64]]:
    """Return rising slacks, the last of them that of the problem."""
    slacks = [np.zeros_like(problem.size_slack)]
    # Not `problem.sizes`: these are other than wanted where a part grew to the size of a group.
    wanted = problem.n_rows * (problem.weights / problem.weights.sum())
    for share in _SHARES_TRIED:
        slack = np.minimum(problem.size_slack, find_size_slack(share, wanted))
        if (slack > slacks[-1]).any():
            slacks.append(slack)
    if (problem.size_slack > slacks[-1]).any():
        slacks.append(problem.size_slack)
    return slacks[1:]


def _share_effort(method: Method, number: int, n_searches: int) -> Method:
    """Return the method for one search of several: its share of the seconds and of the progress."""
    if not isinstance(method, Even):
        return method
    if not isinstance(method.effort, str):
        method = replace(method, effort=method.effort / n_searches)
    report = method.progress
    if report is None:
        return method
    return replace(method, progress=lambda share: report((number + share) / n_searches))

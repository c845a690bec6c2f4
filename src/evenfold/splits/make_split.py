"""split(), which makes a Split."""

from __future__ import annotations

import copy
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from .._checks.numbers import is_whole
from .._checks.seeds import make_rng
from ..exceptions import ImpossibleSplit, InputError
from ..labels.balances import Balance
from ..labels.labels import Labels, read_rows
from ..labels.row_values import check_placed
from ..links.group_columns import Groups, read_groups
from ..links.remarks import describe_groups
from ..methods import METHODS, Even, Method, find_method
from ..methods.orders import Order, check_order
from ..problem.cover import Cover, check_cover
from ..problem.criteria import make_criteria
from ..problem.parts import Parts, check_parts, check_parts_and_holdout
from ..problem.problem import (
    Problem,
    count_beyond_slack,
    count_lacking,
    make_problem,
    set_cover,
)
from ..problem.size_tolerance import SizeTolerance, check_size_tolerance
from ..quality import measure_labels
from .origin import Origin
from .placing import place_units
from .size_search import SizeSearch, describe_sizes, search_sizes
from .split_result import Split

RandomState = int | np.random.Generator | np.random.RandomState | None


def split(
    y: Any = None,
    parts: int | Sequence[float] | Mapping[str, float] = 5,
    *,
    names: Sequence[str] | None = None,
    groups: Any = None,
    balance: Any = None,
    fixed: Any = None,
    start: Any = None,
    holdout: float | None = None,
    method: str | Method = "even",
    order: Order | None = None,
    cover: Cover = None,
    size_tolerance: SizeTolerance = None,
    effort: str | float | None = None,
    random_state: RandomState = 0,
) -> Split:
    """Cut rows that carry several labels each into parts in which every label has its fair share.

    Parameters
    ----------
    y : array-like, sparse matrix, frame or list of labels, default=None
        The labels: a 0/1 array or nested list, a SciPy sparse matrix, a list of label lists or
        sets, 1-D classes, a pandas, polars or Arrow frame, a column of lists, or a Hugging Face
        dataset of label columns. None if `balance` alone is to be even.
    parts : int, sequence or mapping, default=5
        A number of equal folds, fractions that sum to 1, or whole numbers that sum to the
        number of rows; as a list, or as a mapping from name to size.
    names : sequence of str, default=None
        One name per part; by default train/test, train/val/test, or fold0, fold1, ….
    groups : Links, array-like of shape (n_rows,), mapping or frame, default=None
        Rows of one group stay together. In a mapping or a frame of several columns, rows that share
        a value of any column are one group. Missing values (None, NaN, blank text) join nothing.
        Links are what `evenfold.link` returns, which also joins near-duplicates.
    balance : mapping, frame or array-like, default=None
        What to keep even besides labels: a mapping or frame of columns (numbers: totals and
        quantile bins; anything else: categories), or an (n_rows, n_amounts) matrix of numbers.
        Without labels, totals come first, and bins after them if there are at most 4 numbers.
    fixed : array-like of shape (n_rows,), default=None
        The part, by number or name, of each row that may not move; -1 or None where it is free.
    start : Split or array-like of shape (n_rows,), default=None
        A split to improve: a `Split`, or the part of each row by number or name.
    holdout : float, default=None
        A fraction or a number of rows for a part 'test'; the other rows are cut into `parts`.
    method : str or Method, default="even"
        A name in `evenfold.methods.METHODS`, such as "even", "iterative" or "random", or an object
        of `evenfold.methods`.
    order : {"auto", 1, 2}, default=None
        What is kept even. 1: labels only. "auto": labels, then labelsets, the number of labels per
        row (rows without labels included) and the rarity of a row's rarest label, at little or no
        cost to single labels. 2: label pairs too; with it "iterative" is second-order iterative
        stratification (SOIS). By default "auto" for the method "even" and 1 for the others.
    cover : int or bool, default=None
        How many rows of each label every part should hold, before labels are made even; with the
        method "even". True is 1. If a label has too few rows for that, each part should hold as
        many as there are for each part. With groups, the groups that hold the label are counted
        instead of its rows. None: a part should hold one row of each label of which its share is
        more than half a row, if the label has at least as many rows (groups) as there are parts.
        False or 0: no such rule. With 1 or more, the rows are also placed by the rule of None, so
        that the result can say what the cover costs.
    size_tolerance : int or float, default=None
        By how much sizes may be off where groups make labels uneven: a number of rows, or a share
        of each part below 1, such as 0.05. The method "even" searches for sizes that make labels
        more even; the result says what was gained. For the others, sizes that are further off are
        corrected. A group larger than any part is then no error: a part grows to its size. Without
        groups, methods that promise exact sizes keep them.
    effort : {"fast", "normal", "best"} or float, default=None
        How long the method "even" searches, by default "normal"; or a number of seconds to
        search for: results then depend on the machine's speed.
    random_state : int, Generator, RandomState or None, default=0
        The same number gives the same split; None draws a new one each time.

    Returns
    -------
    Split
        The parts, and how even they are.

    Raises
    ------
    InputTypeError
        If an argument is of a kind that evenfold does not take.
    InputError
        If an argument has a value that cannot be used.
    ImpossibleSplit
        If such parts cannot be made of these rows.

    Notes
    -----
    Every row is in exactly one part.
    Groups are never cut, and fixed rows never move.
    No part is without rows.
    The same labels give the same split whatever their form, and the input is not modified.
    Where rows do not divide evenly, the parts that get one row more are drawn at random.

    Examples
    --------
    >>> genres = [["drama"], ["drama", "crime"], ["crime"], ["comedy"], ["comedy", "drama"], []] * 5
    >>> s = evenfold.split(genres, parts=[0.8, 0.2])
    >>> s.sizes.tolist(), s.quality.excess
    ([24, 6], 0.0)
    >>> evenfold.split(genres, parts=4, holdout=0.2).names
    ('fold0', 'fold1', 'fold2', 'fold3', 'test')
    >>> evenfold.split(balance=[[1, 0.5], [1, 0.0], [1, 0.5], [1, 0.0]], parts=2).quality.residual
    0.0
    """
    labels, columns = read_rows(y, balance, "y")
    wanted = (
        check_parts(parts, labels.n_rows, names)
        if holdout is None
        else check_parts_and_holdout(parts, holdout, labels.n_rows, names)
    )
    return make_split(
        labels,
        wanted,
        groups=groups,
        balance=columns,
        fixed=None
        if fixed is None
        else check_placed(fixed, labels.n_rows, wanted.names, "fixed", free=True),
        start=None
        if start is None
        else check_placed(
            start.part_of_row if isinstance(start, Split) else start,
            labels.n_rows,
            wanted.names,
            "start",
            free=False,
        ),
        method=method,
        order=order,
        cover=cover,
        size_tolerance=size_tolerance,
        effort=effort,
        random_state=random_state,
        measure_cover=True,
        n_folds=len(wanted) - (holdout is not None),
        parameters={"parts": _plain(parts), "holdout": _plain(holdout)},
    )


def make_split(
    labels: Labels,
    parts: Parts | int | Sequence[float],
    *,
    groups: Any = None,
    balance: Sequence[Balance] = (),
    fixed: NDArray[np.int32] | None = None,
    start: NDArray[np.int32] | None = None,
    method: str | Method = "even",
    order: Order | None = None,
    cover: Cover = None,
    size_tolerance: SizeTolerance = None,
    effort: str | float | None = None,
    random_state: RandomState = 0,
    n_folds: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    may_outgrow: bool = False,
    exact_sizes: bool = False,
    measure_cover: bool = False,
) -> Split:
    """Make a split of checked arguments; every public function that splits calls this one.

    With `exact_sizes`, sizes are corrected where the method does not promise them. With
    `may_outgrow`, a part may have more fixed rows than its share. With `measure_cover`, the split
    records what its cover cost.
    """
    began = time.perf_counter()
    wanted = parts if isinstance(parts, Parts) else check_parts(parts, labels.n_rows)
    read = None if groups is None else read_groups(groups, labels.n_rows)
    group_of_row = None if read is None else read.group_of_row
    chosen = find_method(method, effort)
    if start is not None and not chosen.improves:
        raise InputError(
            f"can be used only with a method that improves splits, got {chosen.name!r}. "
            "Leave out the method, or the start.",
            parameter="start",
        )
    kept_even = check_order(chosen.order if order is None else order)
    wanted_cover = _find_cover(chosen, cover)
    tolerance = check_size_tolerance(size_tolerance)
    rng = make_rng(random_state)
    # Order 2 adds label pairs to what the method keeps even anyway.
    profiles = kept_even == "auto" or (kept_even == 2 and chosen.balances_profiles)
    smallest_share = 0.0 if wanted.are_equal else float(wanted.shares.min())
    criteria = make_criteria(labels, balance, profiles, kept_even == 2, smallest_share)
    try:
        problem = make_problem(
            criteria,
            wanted,
            group_of_row,
            rng,
            fixed,
            start,
            may_outgrow,
            balance_groups=profiles and chosen.balances_profiles,
            cover=wanted_cover,
            size_tolerance=tolerance,
        )
    except ImpossibleSplit as error:
        raise _explain(error, read) from None
    if group_of_row is None and chosen.exact_sizes:
        problem = replace(problem, size_slack=np.zeros_like(problem.size_slack))
    has_labels = len(labels.indices) > 0
    mends_sizes = exact_sizes or tolerance is not None

    def measure_rld(part_of_unit: NDArray[np.int32]) -> float:
        return _measure_rld(labels, part_of_unit, wanted, group_of_row)

    def place(method: Method, problem: Problem, rng: np.random.Generator) -> SizeSearch:
        if not (problem.size_slack.any() and method.uses_size_slack and has_labels):
            return SizeSearch(place_units(method, problem, rng, mends_sizes), None)
        return search_sizes(
            method,
            problem,
            lambda method, problem: place_units(method, problem, rng, mends_sizes),
            lambda part_of_unit: (
                count_beyond_slack(problem, part_of_unit),
                count_lacking(problem, part_of_unit) if wanted_cover else 0,
                # Rounded: the sum over labels depends on their order in its last digits.
                round(measure_rld(part_of_unit), 12),
            ),
        )

    needs_cost = measure_cover and wanted_cover and problem.least.size and has_labels
    placing, without = _share_time(chosen) if needs_cost else (chosen, chosen)
    rng_before = copy.deepcopy(rng)
    part_of_unit, of_exact_sizes = place(placing, problem, rng)
    rld_without = None
    if needs_cost:
        other = place(without, set_cover(problem, None), rng_before).part_of_unit
        rld_without = measure_rld(other)
        # If labels compete, the search for cover can fail to be better.
        if count_lacking(problem, other) < count_lacking(problem, part_of_unit):
            part_of_unit = other
    seconds = time.perf_counter() - began
    part_of_row = part_of_unit if group_of_row is None else part_of_unit[group_of_row]
    settings = {name: _plain_setting(value) for name, value in chosen.list_settings().items()}
    about = {
        **(parameters or {}),
        **settings,
        "order": kept_even,
        **({"cover": wanted_cover} if chosen.covers else {}),
        "groups": groups is not None,
        "balance": [column.name for column in balance],
    }
    if read is not None:
        about |= {"group_columns": [column.name for column in read.columns]}
        if read.links is not None and read.links.searches:
            about["links"] = read.links.to_dict()
    if "extended" not in about:
        about |= {
            name: True for name, given in (("fixed", fixed), ("start", start)) if given is not None
        }
    if criteria.left_out:
        about["left_out"] = criteria.left_out
    if rld_without is not None:
        about["cost_of_cover"] = {
            "rld": measure_rld(part_of_unit),
            "rld_without": rld_without,
            "lacking": count_lacking(problem, part_of_unit),
        }
    if tolerance is not None:
        about["size_tolerance"] = tolerance
        about |= describe_sizes(problem, wanted, part_of_unit, of_exact_sizes, measure_rld)
    seed = int(random_state) if is_whole(random_state) else None  # type: ignore[arg-type]
    origin = Origin(chosen.name, about, seed, __version__, seconds)
    return Split(part_of_row, wanted, origin, labels, read, balance, n_folds)


def _explain(error: ImpossibleSplit, groups: Groups | None) -> ImpossibleSplit:
    """Add to an error about groups what made the largest group so large."""
    if groups is None or error.parameter not in ("groups", "parts"):
        return error
    advice = []
    if groups.links is not None and groups.links.searches:
        advice = ["Or choose a stricter threshold in evenfold.link, or set max_group there."]
    remarks = [remark.rstrip(".") + "." for remark in describe_groups(groups)]
    message = " ".join([error.message, *advice, *remarks])
    return ImpossibleSplit(message, parameter=error.parameter)


def _share_time(method: Method) -> tuple[Method, Method]:
    """Return the method for the split and for the one without cover, which reports no progress.

    If the effort is a number of seconds, each gets half of it.
    """
    if not isinstance(method, Even):
        return method, method
    if not isinstance(method.effort, str):
        method = replace(method, effort=method.effort / 2)
    return method, replace(method, progress=None)


def _measure_rld(
    labels: Labels,
    part_of_unit: NDArray[np.int32],
    parts: Parts,
    group_of_row: NDArray[np.int64] | None,
) -> float:
    part_of_row = part_of_unit if group_of_row is None else part_of_unit[group_of_row]
    return float(measure_labels(labels, part_of_row, parts, group_of_row).rld)


def _find_cover(method: Method, cover: Cover) -> int | None:
    """Return the cover that the method is to reach; 0 if it cannot reach any."""
    if method.covers:
        return check_cover(method.cover if cover is None else cover)
    if cover is not None:
        names = " or ".join(repr(name) for name, kind in METHODS.items() if kind.covers)
        raise InputError(
            f"can be used only with the method {names}, got method {method.name!r}. "
            "Leave out one of the two.",
            parameter="cover",
        )
    return 0


def _plain(value: Any) -> Any:
    """Turn numbers and sequences of NumPy into values that JSON has."""
    if isinstance(value, Mapping):
        return {str(name): _plain(size) for name, size in value.items()}
    return np.asarray(value).tolist() if value is not None else None


def _plain_setting(value: Any) -> Any:
    """Return a function as its name and infinity as "inf": JSON has neither."""
    if callable(value):
        return getattr(value, "__name__", str(value))
    return "inf" if isinstance(value, float) and math.isinf(value) else value

"""split(), which makes a Split; extend() and sample(), which use it."""

from __future__ import annotations

import numbers
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from .._checks.seeds import make_rng
from ..exceptions import InputError
from ..labels.balances import Balance
from ..labels.fingerprints import make_fingerprint
from ..labels.labels import Labels, read_rows
from ..labels.row_values import check_groups, check_placed
from ..methods import Method, find_method
from ..methods.even.refinement import mend_sizes
from ..methods.orders import Order, check_order
from ..problem.criteria import make_criteria
from ..problem.parts import Parts, check_parts, check_parts_and_holdout
from ..problem.problem import fill_empty_parts, make_problem
from .split import Origin, Split

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
    effort: str | float | None = None,
    random_state: RandomState = 0,
) -> Split:
    """Cut rows that carry several labels each into parts in which every label has its fair share.

    Parameters
    ----------
    y : the labels: 0/1 array or nested list, SciPy sparse matrix, list of label lists or sets, 1-D classes,
        pandas, polars or Arrow frame, column of lists; None with `balance` alone
    parts : a number of equal folds, fractions that sum to 1, or whole numbers that sum to the rows; as a list, or a mapping from name to size
    names : one name per part; default train/test, train/val/test, or fold0, fold1, …
    groups : (n_rows,) rows of one group stay together
    balance : what to keep even besides labels: a mapping or frame of columns (numbers: totals and quantile bins; anything else: categories),
        or an (n_rows, n_amounts) matrix of amounts of 0 or more
    fixed : (n_rows,) the part, by number or name, of each row that may not move; -1 or None where it is free
    start : (n_rows,) a split to improve, by number or name, or a `Split`
    holdout : a fraction or number of rows for a part 'test', beside which the rest makes the `parts`
    method : "even", "iterative", "optisplit", "sampling", "svd", "labelset", "pmbsrs", "random", or an object of `evenfold.methods`
    order : what is kept even: 1 labels only; "auto" then labelsets, the number of labels per row (rows without any included) and how rare a row's
        rarest label is, at little or no cost to single labels; 2 label pairs too, which makes "iterative" second-order iterative stratification (SOIS).
        Default "auto" for the method "even", 1 for the others
    effort : "fast", "normal" (default) or "best", for the method "even"; or a number of seconds to go on improving for, which gives up that the
        same call gives the same split
    random_state : the same number gives the same split; None draws afresh

    Notes
    -----
    Every row is in exactly one part.
    Groups are never cut, and fixed rows never move.
    No part is without rows.
    The same labels give the same split in whatever form they come, and the input is not modified.
    Where rows do not divide evenly, the parts that get a row more are drawn, not always the first.

    Examples
    --------
    >>> genres = [["drama"], ["drama", "crime"], ["crime"], ["comedy"], ["comedy", "drama"], ["drama"], ["comedy"], []] * 5
    >>> s = evenfold.split(genres, parts=[0.8, 0.2])
    >>> s.sizes.tolist(), s.quality.excess
    ([32, 8], 0.0)
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
            getattr(start, "part_of_row", start), labels.n_rows, wanted.names, "start", free=False
        ),
        method=method,
        order=order,
        effort=effort,
        random_state=random_state,
        n_folds=len(wanted) - (holdout is not None),
        parameters={"parts": _plain(parts), "holdout": _plain(holdout)},
    )


def extend(
    s: Split,
    y_all: Any,
    *,
    groups: Any = None,
    balance: Any = None,
    method: str | Method = "even",
    order: Order | None = None,
    effort: str | float | None = None,
    random_state: RandomState = 0,
) -> Split:
    """Add rows to a split; the old ones stay where they were.

    Parameters
    ----------
    s : the split so far, made by `split` or read by `load_split`
    y_all : the labels of all rows, the old ones first
    groups : (n_rows,) of all rows; new rows of an old group join it
    balance : of all rows, as for `split`
    order : as for `split`; default that of the old split
    method, effort, random_state : as for `split`

    Notes
    -----
    No old row moves.
    New rows of an old group are in its part.
    A part that has outgrown its share gets no new row but those of its groups; the others share the rest.

    Examples
    --------
    >>> old = [["a"], ["b"], ["a"], ["b"]]
    >>> s = evenfold.split(old, parts=2)
    >>> more = evenfold.extend(s, [*old, ["a"], ["a"], ["b"], ["b"]])
    >>> more.sizes.tolist(), bool((more.part_of_row[:4] == s.part_of_row).all())
    ([4, 4], True)
    """
    labels, columns = read_rows(y_all, balance, "y_all")
    n_old = len(s.part_of_row)
    if labels.n_rows < n_old:
        raise InputError(
            f"must hold the {n_old:,} rows of the split and the new ones, got {labels.n_rows:,}. Put the old rows first.",
            parameter="y_all",
        )
    if make_fingerprint(labels.first_rows(n_old)) != s.fingerprint:
        raise InputError(
            f"must begin with the {n_old:,} rows of the split, got other labels there. Put the old rows first, in their old order.",
            parameter="y_all",
        )
    fixed = np.full(labels.n_rows, -1, np.int32)
    fixed[:n_old] = s.part_of_row
    return make_split(
        labels,
        s._parts,
        groups=groups,
        balance=columns,
        fixed=fixed,
        start=None,
        method=method,
        order=s.origin.parameters.get("order") if order is None else order,
        effort=effort,
        random_state=random_state,
        n_folds=s._n_folds,
        parameters={"extended": n_old, "before": dict(s.origin.parameters)},
        may_outgrow=True,
    )


def sample(
    y: Any,
    n: float,
    *,
    groups: Any = None,
    balance: Any = None,
    effort: str | float | None = None,
    random_state: RandomState = 0,
) -> NDArray[np.int64]:
    """Return the indices of a subsample in which every label has its share, sorted.

    Parameters
    ----------
    y : the labels, as for `split`
    n : how many rows, or which fraction of them
    groups, balance, effort, random_state : as for `split`

    Notes
    -----
    There are exactly `n` rows where there are no groups.

    Examples
    --------
    >>> rows = evenfold.sample([["a"], ["b"]] * 50, 10)
    >>> len(rows), sum(row % 2 for row in rows.tolist())
    (10, 5)
    """
    labels, _ = read_rows(y, balance, "y")
    n_rows = labels.n_rows
    number = isinstance(n, numbers.Real) and not isinstance(n, bool)
    if not number or not 0 < n < n_rows or (n > 1 and n != int(n)):
        raise InputError(
            f"must be a number of rows between 1 and {n_rows - 1:,}, or a fraction below 1, got {n!r}. Ask for fewer rows.",
            parameter="n",
        )
    parts = [n, 1 - n] if n < 1 else [int(n), n_rows - int(n)]
    return split(
        labels,
        parts,
        names=["sample", "rest"],
        groups=groups,
        balance=balance,
        effort=effort,
        random_state=random_state,
    )["sample"]


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
    effort: str | float | None = None,
    random_state: RandomState = 0,
    n_folds: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    may_outgrow: bool = False,
    exact_sizes: bool = False,
) -> Split:
    """Make a split of what has been checked: the one way that every door leads to.

    `exact_sizes`: mend the sizes where the method does not promise them.
    """
    began = time.perf_counter()
    wanted = parts if isinstance(parts, Parts) else check_parts(parts, labels.n_rows)
    group_of_row = None if groups is None else check_groups(groups, labels.n_rows)
    chosen = find_method(method, effort)
    if start is not None and not chosen.improves:
        raise InputError(
            f"must go with a method that improves splits, got {chosen.name!r}. Leave out the method, or the start.",
            parameter="start",
        )
    kept_even = check_order(chosen.order if order is None else order)
    rng = make_rng(random_state)
    # Order 2 adds label pairs to what the method keeps even anyway.
    profiles = kept_even == "auto" or (kept_even == 2 and chosen.balances_profiles)
    criteria = make_criteria(labels, balance, profiles, pairs=kept_even == 2)
    problem = make_problem(criteria, wanted, group_of_row, rng, fixed, start, may_outgrow)
    part_of_unit = chosen.place(problem, rng)
    _check_result(part_of_unit, problem.n_units, problem.n_parts, chosen)
    if exact_sizes:
        part_of_unit = mend_sizes(problem, part_of_unit, rng)
    fill_empty_parts(problem, part_of_unit)
    part_of_row = part_of_unit if group_of_row is None else part_of_unit[group_of_row]
    settings = {name: _plain_setting(value) for name, value in chosen.list_settings().items()}
    about = {
        **(parameters or {}),
        **settings,
        "order": kept_even,
        "groups": groups is not None,
        "balance": [column.name for column in balance],
    }
    if "extended" not in about:
        about |= {
            name: True for name, given in (("fixed", fixed), ("start", start)) if given is not None
        }
    if criteria.left_out:
        about["left_out"] = criteria.left_out
    seed = int(random_state) if isinstance(random_state, numbers.Integral) else None
    origin = Origin(chosen.name, about, seed, __version__, time.perf_counter() - began)
    return Split(part_of_row, wanted, origin, labels, group_of_row, balance, n_folds)


def _plain(value: Any) -> Any:
    """Turn numbers and sequences of NumPy into what JSON knows."""
    if isinstance(value, Mapping):
        return {str(name): _plain(size) for name, size in value.items()}
    return np.asarray(value).tolist() if value is not None else None


def _plain_setting(value: Any) -> Any:
    """Name a function, so that the record of a split can be kept."""
    return getattr(value, "__name__", str(value)) if callable(value) else value


def _check_result(part_of_unit: Any, n_units: int, n_parts: int, method: Method) -> None:
    """Catch a method of the user's own that breaks its contract, before its result is taken for a split."""
    good = (
        isinstance(part_of_unit, np.ndarray)
        and part_of_unit.shape == (n_units,)
        and part_of_unit.dtype.kind == "i"
    )
    if not good or part_of_unit.min() < 0 or part_of_unit.max() >= n_parts:
        raise InputError(
            f"must return a part from 0 to {n_parts - 1} for each of the {n_units:,} units, which {method.name!r} did not.",
            parameter="method",
        )

"""compare(): every method on the same rows, measured and compared with the best possible."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_number, check_whole, is_whole
from .._checks.seeds import make_rng
from .._checks.values import show_some
from ..exceptions import InputError, InputTypeError
from ..labels.balances import Balance
from ..labels.labels import Labels, read_rows
from ..links.group_columns import read_groups
from ..methods import METHODS, Iterative, Method, find_method
from ..problem.combinations import Combinations
from ..problem.parts import Parts, check_parts, check_parts_and_holdout
from ..quality import measure_labels
from ..quality.measures import MEASURES
from .comparison import Comparison, Outcome
from .make_split import RandomState, make_split

DEFAULT_METHODS: tuple[str | Method, ...] = (
    "even",
    "iterative",
    Iterative(order=2),
    *(name for name in METHODS if name not in ("even", "iterative")),
)


def compare(
    y: Any = None,
    parts: int | Sequence[float] | Mapping[str, float] = 5,
    *,
    methods: Sequence[str | Method] | Mapping[str, str | Method] | None = None,
    repeats: int = 3,
    names: Sequence[str] | None = None,
    groups: Any = None,
    balance: Any = None,
    holdout: float | None = None,
    random_state: RandomState = 0,
    max_seconds: float | None = 60.0,
) -> Comparison:
    """Split the same rows by several methods, each with several seeds, and measure every split.

    Parameters
    ----------
    y : array, frame or list, default=None
        The labels, as for `split`.
    parts : int, sequence or mapping, default=5
        The wanted sizes, as for `split`.
    methods : sequence or mapping, default=None
        Names or objects of `evenfold.methods`, or a mapping from titles to them. None: all methods,
        and second-order iterative stratification.
    repeats : int, default=3
        Splits by each method, with the seeds random_state, random_state + 1, ….
    names : sequence of str, default=None
        The names of the parts, as for `split`.
    groups : Links, (n_rows,) array, mapping or frame, default=None
        The groups that stay whole, as for `split`.
    balance : mapping, frame or array, default=None
        What is kept even besides labels, as for `split`.
    holdout : float, default=None
        A test part to set aside first, as for `split`.
    random_state : int, Generator or None, default=0
        The first seed. None: other seeds at each call.
    max_seconds : float or None, default=60.0
        A method whose split would take longer, by a rough estimate, is skipped, and the result says
        so. A method whose split took longer is not repeated. None: no limit.

    Returns
    -------
    Comparison
        The measures of every method, as a table.

    Examples
    --------
    >>> labels = [["a", "b"], ["a"], ["b"], []] * 25
    >>> table = evenfold.compare(labels, 5, methods=["even", "random"], repeats=2)
    >>> table["even"].mean("rld") < table["random"].mean("rld")
    True
    """
    labels, columns = read_rows(y, balance, "y")
    wanted = (
        check_parts(parts, labels.n_rows, names)
        if holdout is None
        else check_parts_and_holdout(parts, holdout, labels.n_rows, names)
    )
    group_of_row = None if groups is None else read_groups(groups, labels.n_rows).group_of_row
    chosen = choose_methods(methods, DEFAULT_METHODS)
    if max_seconds is not None:
        check_number(max_seconds, "max_seconds", "Leave it out for a minute, or pass None.")
    seeds = choose_seeds(random_state, repeats)
    combinations = Combinations(labels)
    rows = _Rows(labels, wanted, group_of_row, columns, combinations)
    outcomes = [
        _run_method(title, method, rows, seeds, max_seconds) for title, method in chosen.items()
    ]
    shares = [
        f"{name} {share:.4g}" for name, share in zip(wanted.names, wanted.shares, strict=True)
    ]
    about = {
        "rows": labels.n_rows,
        "labels": labels.n_labels,
        "parts": len(wanted),
        "shares": show_some(shares, 5),
        "repeats": int(repeats),
        "groups": None if group_of_row is None else int(group_of_row.max()) + 1,
        "balance": [column.name for column in columns],
        "left_out": combinations.pairs.left_out,
    }
    return Comparison(about, outcomes)


class _Rows(NamedTuple):
    """What every method splits."""

    labels: Labels
    parts: Parts
    group_of_row: NDArray[np.int64] | None
    balance: Sequence[Balance]
    combinations: Combinations


def _run_method(
    title: str, method: Method, rows: _Rows, seeds: Sequence[int], max_seconds: float | None
) -> Outcome:
    """Split the rows with each seed and measure the splits, unless that would take too long."""
    estimate = _estimate_seconds(method, rows.labels, len(rows.parts))
    if max_seconds is not None and estimate > max_seconds:
        note = (
            f"skipped: one split would take about {_show_seconds(estimate)}, "
            f"more than max_seconds={max_seconds:g}"
        )
        return Outcome(title, [], [], note)
    measured, seconds = [], []
    for seed in seeds:
        start = time.perf_counter()
        s = make_split(
            rows.labels,
            rows.parts,
            groups=rows.group_of_row,
            balance=rows.balance,
            method=method,
            random_state=seed,
        )
        seconds.append(time.perf_counter() - start)
        measured.append(_measure(s.part_of_row, rows))
        if max_seconds is not None and seconds[-1] > max_seconds and seed != seeds[-1]:
            note = (
                f"not repeated: one split took {_show_seconds(seconds[-1])}, "
                f"more than max_seconds={max_seconds:g}"
            )
            return Outcome(title, measured, seconds, note)
    return Outcome(title, measured, seconds, "")


def _measure(part_of_row: NDArray[np.int32], rows: _Rows) -> dict[str, tuple[float, float]]:
    """Return value and bound of every measure by name."""
    quality = measure_labels(
        rows.labels, part_of_row, rows.parts, rows.group_of_row, rows.balance, rows.combinations
    )
    return {
        measure.name: (float(quality.value_of(measure)), float(quality.bound_of(measure)))
        for measure in MEASURES
    }


def choose_methods(methods: Any, default: Sequence[str | Method]) -> dict[str, Method]:
    """Return the methods by title: the name, and what is set to other than its default.

    Parameters
    ----------
    methods : sequence, mapping or None
        Names or objects, or a mapping from titles to them. None: the default ones.
    default : sequence of str or Method
        The methods to take for None.

    Returns
    -------
    dict of str to Method
        The methods.

    Raises
    ------
    InputTypeError
        If `methods` is neither a list nor a mapping.
    InputError
        If there is none, or one twice.
    """
    if isinstance(methods, str) or (
        methods is not None and not isinstance(methods, Sequence | Mapping)
    ):
        raise InputTypeError(
            "must be a list of methods, or a mapping from title to method, "
            f"got {methods!r}. Try methods=['even', 'random'].",
            parameter="methods",
        )
    if isinstance(methods, Mapping):
        return {str(title): find_method(method) for title, method in methods.items()}
    chosen: dict[str, Method] = {}
    for method in map(find_method, default if methods is None else methods):
        title = _make_title(method)
        if title in chosen:
            raise InputError(
                f"must differ, got {title!r} twice. "
                "Give them titles of their own: a mapping from title to method.",
                parameter="methods",
            )
        chosen[title] = method
    if not chosen:
        raise InputError(
            "must name at least one method, got none. Leave it out for the default ones.",
            parameter="methods",
        )
    return chosen


def _make_title(method: Method) -> str:
    changed = method.list_settings(changed_only=True)
    shown = [f"{name} {getattr(value, '__name__', value)}" for name, value in changed.items()]
    return ", ".join([method.name, *shown])


def choose_seeds(random_state: RandomState, repeats: int) -> list[int]:
    """Return a seed for each repeat: consecutive ones from `random_state`, or random ones.

    Parameters
    ----------
    random_state : int, Generator or None
        The first seed, or a generator that draws all of them; None: a new generator.
    repeats : int
        How many seeds.

    Returns
    -------
    list of int
        The seeds.

    Raises
    ------
    InputError
        If `repeats` is below 1, or the seed below 0.
    """
    n_seeds = check_whole(repeats, "repeats", "Try repeats=3.")
    rng = make_rng(random_state)
    if is_whole(random_state):
        return [int(random_state) + repeat for repeat in range(n_seeds)]  # type: ignore[arg-type]
    return [int(seed) for seed in rng.integers(0, 2**31, n_seeds)]


def _estimate_seconds(method: Method, labels: Labels, n_parts: int) -> float:
    """Return about how long one split takes, at 1 ns for each step that the method estimates.

    Methods that estimate nothing are quick.
    """
    n_steps = method.count_steps(labels.n_rows, len(labels.indices), labels.n_labels, n_parts)
    return 1e-9 * float(n_steps)


def _show_seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:,.0f} minutes"

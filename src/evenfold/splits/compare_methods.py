"""compare(): every method on the same rows, each measured beside what could be reached."""

from __future__ import annotations

import numbers
import time
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from .._checks.seeds import make_rng
from ..exceptions import InputError, InputTypeError
from ..labels.labels import Labels, read_rows
from ..labels.row_values import check_groups
from ..methods import METHODS, Iterative, Method, find_method
from ..problem.combinations import Combinations
from ..problem.parts import check_parts, check_parts_and_holdout
from ..quality import Quality, measure_labels
from .comparison import MEASURES, Comparison, Outcome
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
    y, parts, names, groups, balance, holdout : as for `split`
    methods : names or objects of `evenfold.methods`, or a mapping from a title to one; default all, and second-order iterative stratification
    repeats : splits by each method, with the seeds random_state, random_state + 1, …
    random_state : the first seed; None draws afresh
    max_seconds : a method of which one split would take longer, by a rough estimate, is skipped, and the result says so; one that took longer is
        not repeated. None: every method, however long it takes

    Examples
    --------
    >>> table = evenfold.compare([["a", "b"], ["a"], ["b"], []] * 25, 5, methods=["even", "random"], repeats=2)
    >>> table["even"].mean("rld") < table["random"].mean("rld")
    True
    """
    labels, columns = read_rows(y, balance, "y")
    wanted = (
        check_parts(parts, labels.n_rows, names)
        if holdout is None
        else check_parts_and_holdout(parts, holdout, labels.n_rows, names)
    )
    group_of_row = None if groups is None else check_groups(groups, labels.n_rows)
    chosen = choose_methods(methods, DEFAULT_METHODS)
    seeds = choose_seeds(random_state, repeats)
    combinations = Combinations(labels)
    outcomes = []
    for title, method in chosen.items():
        estimate = _estimate_seconds(method, labels, len(wanted))
        if max_seconds is not None and estimate > max_seconds:
            outcomes.append(
                Outcome(
                    title,
                    [],
                    [],
                    f"skipped: one split would take about {_show_seconds(estimate)}, more than max_seconds={max_seconds:g}",
                )
            )
            continue
        measured, seconds, note = [], [], ""
        for seed in seeds:
            start = time.perf_counter()
            s = make_split(
                labels,
                wanted,
                groups=group_of_row,
                balance=columns,
                method=method,
                random_state=seed,
            )
            seconds.append(time.perf_counter() - start)
            quality = measure_labels(
                labels, s.part_of_row, wanted, group_of_row, columns, combinations
            )
            measured.append(
                {
                    name: (_measure(quality, name), _measure(quality.bound, name))
                    for name in MEASURES
                }
            )
            if max_seconds is not None and seconds[-1] > max_seconds and seed != seeds[-1]:
                note = f"not repeated: one split took {_show_seconds(seconds[-1])}, more than max_seconds={max_seconds:g}"
                break
        outcomes.append(Outcome(title, measured, seconds, note))
    shares = ", ".join(
        f"{name} {share:.4g}"
        for name, share in zip(wanted.names[:5], wanted.shares[:5], strict=True)
    )
    about = {
        "rows": labels.n_rows,
        "labels": labels.n_labels,
        "parts": len(wanted),
        "shares": shares + (", …" if len(wanted) > 5 else ""),
    }
    about |= {
        "repeats": int(repeats),
        "groups": None if group_of_row is None else int(group_of_row.max()) + 1,
        "left_out": combinations.pairs.left_out,
    }
    return Comparison(about, outcomes)


def choose_methods(methods: Any, default: Sequence[str | Method]) -> dict[str, Method]:
    """Return the methods by their titles: a name, and what is set other than usual; without any, the default ones."""
    if isinstance(methods, str) or (
        methods is not None and not isinstance(methods, Sequence | Mapping)
    ):
        raise InputTypeError(
            f"must be a list of methods, or a mapping from title to method, got {methods!r}. Try methods=['even', 'random'].",
            parameter="methods",
        )
    if isinstance(methods, Mapping):
        return {str(title): find_method(method) for title, method in methods.items()}
    chosen: dict[str, Method] = {}
    for method in map(find_method, default if methods is None else methods):
        title = _title(method)
        if title in chosen:
            raise InputError(
                f"must differ, got {title!r} twice. Give them titles of their own: a mapping from title to method.",
                parameter="methods",
            )
        chosen[title] = method
    if not chosen:
        raise InputError(
            "must name at least one method, got none. Leave it out for the usual ones.",
            parameter="methods",
        )
    return chosen


def _title(method: Method) -> str:
    settings = method.list_settings(changed_only=True)
    return ", ".join(
        [
            method.name,
            *(f"{name} {getattr(value, '__name__', value)}" for name, value in settings.items()),
        ]
    )


def choose_seeds(random_state: RandomState, repeats: int) -> list[int]:
    """Return a seed for each repeat: those from `random_state` on, or drawn where it is no number."""
    if isinstance(repeats, bool) or not isinstance(repeats, numbers.Integral) or repeats < 1:
        raise InputError(
            f"must be a whole number of at least 1, got {repeats!r}. Try repeats=3.",
            parameter="repeats",
        )
    if isinstance(random_state, numbers.Integral) and not isinstance(random_state, bool):
        make_rng(int(random_state))
        return [int(random_state) + repeat for repeat in range(repeats)]
    return [int(seed) for seed in make_rng(random_state).integers(0, 2**31, repeats)]


def _estimate_seconds(method: Method, labels: Labels, n_parts: int) -> float:
    """Return about how long one split takes, by the steps a method says it makes; methods that do not say are quick."""
    n_steps = method.count_steps(labels.n_rows, len(labels.indices), labels.n_labels, n_parts)
    return 1e-9 * float(n_steps)


def _measure(quality: Quality | Any, name: str) -> float:
    return float(getattr(quality, name, np.nan))


def _show_seconds(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 600 else f"{seconds / 60:,.0f} minutes"

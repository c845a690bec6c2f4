"""Drawn calls of `evenfold.split`: labels, parts, groups and all the rest."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import evenfold
from evenfold.exceptions import ImpossibleSplit
from evenfold.methods import METHODS

from .forms import copy_form, draw_form

# Settings of methods that change how they work; a name is drawn more often.
OBJECTS = (
    evenfold.methods.Even(effort="fast"),
    evenfold.methods.Iterative(fullest_first=False),
    evenfold.methods.OptiSplit(measure="ld"),
    evenfold.methods.OptiSplit(measure="dcp"),
    evenfold.methods.Random(tries=3),
    evenfold.methods.Sampling(epochs=3),
    evenfold.methods.Svd(tries=1),
)


@dataclass
class Case:
    """A call of `evenfold.split`, and what it gave.

    Attributes
    ----------
    y : (n_rows, n_labels) array
        The labels as 0, 1 and NaN; without columns if only `balance` is given.
    given : object
        The labels in the drawn form.
    shares : (n_parts,) array of float
        The wanted shares.
    group_of_row : (n_rows,) array of int or None
        The groups, numbered by hand; missing ones are groups of one row.
    fixed_part : (n_rows,) array of int
        The part of each fixed row, -1 where free.
    """

    y: NDArray[Any]
    form: str
    given: Any
    shares: NDArray[np.float64]
    kind_of_parts: str
    group_of_row: NDArray[np.int64] | None
    kind_of_groups: str
    fixed_part: NDArray[np.int64]
    keywords: dict[str, Any]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.y)

    @property
    def method(self) -> Any:
        """The method, by name or as an object."""
        return self.keywords["method"]

    @property
    def method_object(self) -> evenfold.methods.Method:
        """The method as an object."""
        return METHODS[self.method]() if isinstance(self.method, str) else self.method

    @property
    def has_fixed(self) -> bool:
        """Whether some rows are fixed."""
        return bool((self.fixed_part >= 0).any())

    @property
    def has_unknown(self) -> bool:
        """Whether labels are unknown in some rows."""
        return bool(np.isnan(self.y.astype(float)).any())

    def call(self, **changes: Any) -> evenfold.Split:
        """Call `split` with the arguments of the case, some of them changed."""
        return evenfold.split(**({"y": self.given} | self.keywords | changes))

    @functools.cached_property
    def before(self) -> Any:
        """A copy of the labels as they were before any call."""
        return copy_form(self.given)

    @functools.cached_property
    def result(self) -> evenfold.Split | ImpossibleSplit:
        """The split, or the error that it is impossible."""
        assert self.before is not None or self.given is None
        try:
            return self.call()
        except ImpossibleSplit as error:
            return error

    def describe(self) -> Mapping[str, str]:
        """Return what the case is counted by."""
        return {
            "method": self.method_object.name,
            "input form": self.form,
            "parts": self.kind_of_parts,
            "groups": self.kind_of_groups,
            "other arguments": ", ".join(
                name
                for name in ("fixed", "start", "holdout", "balance", "cover", "size_tolerance")
                if self.keywords.get(name) is not None
            )
            or "none",
        }


def draw_labels(rng: np.random.Generator, n_rows: int, may_be_unknown: bool) -> NDArray[Any]:
    """Draw labels: empty, full, rare, common and copied ones, one class per row, unknown cells."""
    n_labels = int(rng.integers(1, 9))
    kind = rng.random()
    if kind < 0.15:
        return np.eye(n_labels, dtype=int)[rng.integers(n_labels, size=n_rows)]
    rates = rng.choice([0.0, 1.0, 0.05, 0.15, 0.3, 0.5, 0.9], n_labels)
    y = (rng.random((n_rows, n_labels)) < rates).astype(int)
    if n_labels > 1 and rng.random() < 0.2:
        y[:, 1] = y[:, 0]
    if rng.random() < 0.2:
        y[rng.random(n_rows) < 0.4] = 0
    if may_be_unknown and kind > 0.8:
        return np.where(rng.random(y.shape) < rng.choice([0.05, 0.4]), np.nan, y)
    return y


def draw_parts(rng: np.random.Generator, n_rows: int) -> tuple[str, Any, NDArray[np.float64]]:
    """Draw `parts` for at least two rows: their kind, the argument and the wanted shares."""
    kind = str(rng.choice(["folds", "fractions", "integers", "very unequal", "many", "mapping"]))
    if kind == "folds":
        k = int(rng.integers(2, min(n_rows, 7) + 1))
        return kind, k, np.full(k, 1 / k)
    if kind == "many":
        k = min(n_rows, 50)
        return kind, k, np.full(k, 1 / k)
    if kind == "very unequal":
        small = rng.choice([0.01, 0.02, 0.05])
        sizes: list[float] = [small, 1 - small] if rng.random() < 0.5 else [1 - 2 * small, small]
        sizes += [] if len(sizes) == 2 and sum(sizes) > 0.999 else [small]
        return kind, sizes, np.array(sizes)
    k = int(rng.integers(2, min(n_rows, 6) + 1))
    if kind == "integers":
        cuts = np.sort(rng.choice(n_rows - 1, k - 1, replace=False)) + 1
        counts = np.diff([0, *cuts, n_rows])
        return kind, counts.tolist(), counts / n_rows
    weights = rng.integers(1, 10, k)
    shares = weights / weights.sum()
    if kind == "mapping":
        return kind, {f"p{j}": float(share) for j, share in enumerate(shares)}, shares
    return kind, shares.tolist(), shares


def draw_groups(rng: np.random.Generator, n_rows: int) -> tuple[str, Any, NDArray[np.int64] | None]:
    """Draw `groups`: their kind, the argument, and the number of each row's group."""
    kind = str(rng.choice(["none"] * 5 + ["unequal", "heavy tail", "one per row", "missing"]))
    if kind == "none":
        return kind, None, None
    if kind == "one per row":
        own = rng.permutation(n_rows)
    elif kind == "heavy tail":
        n_large = int(n_rows * rng.uniform(0.1, 0.5))
        own = np.where(np.arange(n_rows) < n_large, 0, 1 + rng.integers(n_rows, size=n_rows))
    else:
        own = np.repeat(np.arange(n_rows), rng.integers(1, 5, n_rows))[:n_rows]
    own = rng.permutation(np.unique(own, return_inverse=True)[1]).astype(np.int64)
    if kind == "missing":
        is_missing = rng.random(n_rows) < 0.3
        names = [
            None if gone else f"g{number}" for gone, number in zip(is_missing, own, strict=True)
        ]
        return kind, names, np.where(is_missing, n_rows + np.arange(n_rows), own)
    return kind, own if rng.random() < 0.5 else [f"g{number}" for number in own], own


def draw_balance(rng: np.random.Generator, n_rows: int) -> Any:
    """Draw columns to balance: numbers, some of them missing, and text; or a matrix."""
    numbers = np.round(rng.lognormal(size=n_rows), 2)
    if rng.random() < 0.3:
        return np.column_stack([numbers, rng.integers(0, 5, n_rows)])
    if rng.random() < 0.3:
        numbers[rng.random(n_rows) < 0.2] = np.nan
    return {"age": numbers, "sex": rng.choice(["f", "m", "other"], n_rows)}


def draw_case(rng: np.random.Generator) -> Case:
    """Draw a call of `split`."""
    n_rows = int(rng.choice([rng.integers(2, 12), rng.integers(12, 61)]))
    method: Any = str(rng.choice(list(METHODS)))
    if rng.random() < 0.2:
        method = OBJECTS[rng.integers(len(OBJECTS))]
    facts = METHODS[method]() if isinstance(method, str) else method
    y = draw_labels(rng, n_rows, may_be_unknown=True)
    form, given = draw_form(y, rng)
    kind_of_parts, parts, shares = draw_parts(rng, n_rows)
    kind_of_groups, groups, group_of_row = draw_groups(rng, n_rows)
    keywords: dict[str, Any] = {"parts": parts, "method": method, "groups": groups}
    if rng.random() < 0.15:
        keywords["balance"] = draw_balance(rng, n_rows)
        if rng.random() < 0.3:
            y, form, given = y[:, :0], "no labels", None
    if kind_of_parts in ("folds", "fractions", "mapping") and rng.random() < 0.15 and n_rows > 9:
        part = float(rng.choice([0.1, 0.2, 0.25, 0.5]))
        keywords["holdout"] = part if rng.random() < 0.5 else max(1, round(part * n_rows))
        if keywords["holdout"] >= 1:
            part = keywords["holdout"] / n_rows
        shares = np.array([*(shares * (1 - part)), part])
    if rng.random() < 0.5:
        keywords["order"] = [1, 2, "auto"][rng.integers(3)]
    if method == "even" and rng.random() < 0.7:
        keywords["effort"] = str(rng.choice(["fast", "fast", "normal", "best"]))
    if facts.covers and rng.random() < 0.3:
        keywords["cover"] = [True, False, 2][rng.integers(3)]
    if group_of_row is not None and rng.random() < 0.3:
        keywords["size_tolerance"] = [1, 3, 0.1, 0.5][rng.integers(4)]
    if facts.improves and rng.random() < 0.25:
        keywords["start"] = rng.integers(len(shares), size=n_rows)
    fixed_part = np.full(n_rows, -1)
    if rng.random() < 0.25:
        fixed_part = _draw_fixed(rng, n_rows, keywords)
        names = np.array(_name_parts(keywords, n_rows), object)
        by_name = np.where(fixed_part < 0, None, names[fixed_part])
        keywords["fixed"] = by_name if rng.random() < 0.3 else fixed_part
    keywords["random_state"] = int(rng.integers(1000))
    return Case(
        y, form, given, shares, kind_of_parts, group_of_row, kind_of_groups, fixed_part, keywords
    )


def _draw_fixed(
    rng: np.random.Generator, n_rows: int, keywords: Mapping[str, Any]
) -> NDArray[np.int64]:
    """Fix some rows where a random split has them; none if there is no such split."""
    try:
        s = _split_at_random(keywords, n_rows)
    except ImpossibleSplit:
        return np.full(n_rows, -1)
    is_fixed = rng.random(n_rows) < rng.choice([0.1, 0.5, 1.0])
    return np.where(is_fixed, s.part_of_row, -1)


def _name_parts(keywords: Mapping[str, Any], n_rows: int) -> tuple[str, ...]:
    try:
        return _split_at_random(keywords, n_rows).names
    except ImpossibleSplit:
        return ("",)


def _split_at_random(keywords: Mapping[str, Any], n_rows: int) -> evenfold.Split:
    given = {name: keywords.get(name) for name in ("parts", "holdout", "groups")}
    return evenfold.split(np.zeros((n_rows, 1)), **given, method="random")

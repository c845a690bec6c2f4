"""Rows that join a split (`extend`), and rows that are drawn (`sample`)."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.checks import check_groups_whole, check_partition

import evenfold
from evenfold.exceptions import ImpossibleSplit
from evenfold.methods import METHODS

from .cases import draw_groups, draw_labels
from .forms import draw_form
from .registry import Subject, assume, skip


@dataclass
class Extension:
    """A call of `extend`, and what it gave."""

    y: NDArray[Any]
    form: str
    given: Any
    old_part: NDArray[np.int64]
    shares: NDArray[np.float64]
    group_of_row: NDArray[np.int64] | None
    kind_of_groups: str
    keywords: dict[str, Any]

    @functools.cached_property
    def result(self) -> evenfold.Split:
        """The split of all rows; the property is skipped if there is none."""
        names = [f"p{part}" for part in range(len(self.shares))]
        parts = dict(zip(names, self.shares.tolist(), strict=True))
        try:
            return evenfold.extend(
                self.old_part, self.given, parts=parts, names=names, **self.keywords
            )
        except ImpossibleSplit:
            return skip()

    def describe(self) -> Mapping[str, str]:
        """Return what the call is counted by."""
        return {
            "method": self.keywords["method"],
            "input form": self.form,
            "groups": self.kind_of_groups,
        }


def draw_extension(rng: np.random.Generator) -> Extension:
    """Draw old and new rows, mixed or in order; old rows fill some parts too much."""
    n_rows = int(rng.integers(4, 61))
    y = draw_labels(rng, n_rows, may_be_unknown=True)
    form, given = draw_form(y, rng)
    n_parts = int(rng.integers(2, min(5, n_rows // 2) + 1))
    weights = rng.integers(1, 8, n_parts)
    kind, groups, own = draw_groups(rng, n_rows)
    number = own if own is not None else np.arange(n_rows)
    number = np.unique(number, return_inverse=True)[1]
    chance = rng.dirichlet(np.ones(n_parts) * rng.choice([0.5, 5]))
    old_part = rng.choice(n_parts, p=chance, size=number.max() + 1)[number]
    is_new = np.arange(n_rows) >= rng.integers(1, n_rows)
    old_part = np.where(rng.permutation(is_new) if rng.random() < 0.5 else is_new, -1, old_part)
    keywords = {
        "groups": groups,
        "method": str(rng.choice(list(METHODS))),
        "random_state": int(rng.integers(1000)),
    }
    return Extension(y, form, given, old_part, weights / weights.sum(), own, kind, keywords)


EXTENSIONS = Subject("extend", draw_extension, 8, Extension.describe)


@EXTENSIONS.holds("evenfold.extend: No old row moves.")
def old_rows_stay(case: Extension) -> None:
    """Every old row is in its part, and every row in one part."""
    check_partition(case.result, len(case.y))
    is_old = case.old_part >= 0
    assert np.array_equal(case.result.part_of_row[is_old], case.old_part[is_old])


@EXTENSIONS.holds("evenfold.extend: New rows of an old group are in its part.")
def new_rows_join_their_group(case: Extension) -> None:
    """Groups of old and new rows are whole."""
    assume(case.group_of_row is not None)
    check_groups_whole(case.result, case.group_of_row.tolist())


@EXTENSIONS.holds(
    "evenfold.extend: A part that is larger than its share gets no new rows but those of its "
    "groups."
)
def full_parts_get_no_rows(case: Extension) -> None:
    """A part that has more than its share of all rows, rounded up, before any row joins."""
    assume(METHODS[case.keywords["method"]].exact_sizes and case.group_of_row is None)
    old = np.bincount(case.old_part[case.old_part >= 0], minlength=len(case.shares))
    is_full = old > np.ceil(case.shares * len(case.y) - 1e-9)
    assume(is_full.any())
    assert np.array_equal(case.result.sizes[is_full], old[is_full])


@dataclass
class Sample:
    """A call of `sample`."""

    y: NDArray[Any]
    form: str
    given: Any
    n: float
    group_of_row: NDArray[np.int64] | None
    kind_of_groups: str
    keywords: dict[str, Any]

    @functools.cached_property
    def rows(self) -> NDArray[np.int64]:
        """The rows drawn; the property is skipped if there are none."""
        try:
            return evenfold.sample(self.given, self.n, **self.keywords)
        except ImpossibleSplit:
            return skip()

    def describe(self) -> Mapping[str, str]:
        """Return what the call is counted by."""
        return {"method": "even", "input form": self.form, "groups": self.kind_of_groups}


def draw_sample(rng: np.random.Generator) -> Sample:
    """Draw a number or a fraction of some rows."""
    n_rows = int(rng.integers(2, 61))
    y = draw_labels(rng, n_rows, may_be_unknown=True)
    form, given = draw_form(y, rng)
    kind, groups, own = draw_groups(rng, n_rows)
    n = int(rng.integers(1, n_rows)) if rng.random() < 0.6 else float(rng.choice([0.1, 0.3, 0.8]))
    keywords = {"groups": groups, "effort": "fast", "random_state": int(rng.integers(1000))}
    return Sample(y, form, given, n, own, kind, keywords)


SAMPLES = Subject("sample", draw_sample, 4, Sample.describe)


@SAMPLES.holds("evenfold.sample: There are exactly `n` rows where there are no groups.")
def samples_have_n_rows(case: Sample) -> None:
    """The number asked for, or the fraction within a row; sorted, each once."""
    assert (np.diff(case.rows) > 0).all()
    assert 0 <= case.rows[0] <= case.rows[-1] < len(case.y)
    if case.group_of_row is None:
        wanted = case.n if case.n >= 1 else case.n * len(case.y)
        assert abs(len(case.rows) - wanted) < 1


@SAMPLES.holds()
def samples_keep_groups_whole(case: Sample) -> None:
    """All rows of a group are drawn, or none."""
    assume(case.group_of_row is not None)
    is_drawn = np.isin(np.arange(len(case.y)), case.rows)
    for group in np.unique(case.group_of_row):
        assert len(set(is_drawn[case.group_of_row == group].tolist())) == 1

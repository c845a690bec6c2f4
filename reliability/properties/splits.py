"""What every split must be, whatever the method, the form of the labels and the arguments."""

from __future__ import annotations

from typing import Any

import numpy as np
from tests.checks import (
    check_groups_whole,
    check_labelsets_dealt,
    check_partition,
    check_sizes,
    is_unchanged,
)

import evenfold
from evenfold.exceptions import ImpossibleSplit

from .cases import Case, draw_case
from .registry import Subject, assume, skip

SPLITS = Subject("split", draw_case, 40, Case.describe)
EXACT_SIZES = "Every part has its target size, to the row, where there are no groups."


def made(case: Case) -> evenfold.Split:
    """Return the split; skip the property if it is impossible."""
    return skip() if isinstance(case.result, ImpossibleSplit) else case.result


@SPLITS.holds()
def impossible_only_if_something_does_not_fit(case: Case) -> None:
    """Parts of less than a row, too few groups, or groups and fixed rows larger than parts."""
    assume(isinstance(case.result, ImpossibleSplit))
    wanted = case.shares * case.n_rows
    reasons = [wanted.min() < 1 - 1e-9]
    if case.group_of_row is not None:
        rows_of_group = np.unique(case.group_of_row, return_counts=True)[1]
        reasons += [
            len(rows_of_group) < len(wanted),
            rows_of_group.max() >= wanted.max() - 1,
            case.has_fixed,
        ]
    assert any(reasons), case.result


@SPLITS.holds()
def what_cannot_be_is_refused(case: Case) -> None:
    """There is no split into more parts than groups, or with a group larger than all parts."""
    assume(case.group_of_row is not None)
    rows_of_group = np.unique(case.group_of_row, return_counts=True)[1]
    is_too_large = (
        case.keywords.get("size_tolerance") is None
        and not case.has_fixed
        and rows_of_group.max() >= (case.shares * case.n_rows).max() + 1
    )
    assume(len(rows_of_group) < len(case.shares) or is_too_large)
    assert isinstance(case.result, ImpossibleSplit)


@SPLITS.holds("evenfold.split: Every row is in exactly one part.")
def rows_are_in_one_part(case: Case) -> None:
    """The part of each row, the rows of each part and the sizes agree."""
    s = made(case)
    check_partition(s, case.n_rows)
    assert len(s) == len(case.shares)
    for part, rows in zip(s.names, s, strict=True):
        assert np.array_equal(s[part], rows)
        assert (np.diff(rows) > 0).all()


@SPLITS.holds(
    "evenfold.split: Groups are never cut, and fixed rows never move.",
    "evenfold.methods.OptiSplitPublished: Groups move with all their rows.",
    "evenfold.methods.SamplingPublished: Groups change sides with all their rows.",
)
def groups_are_whole(case: Case) -> None:
    """Each group is in one part."""
    assume(case.group_of_row is not None)
    check_groups_whole(made(case), case.group_of_row.tolist())


@SPLITS.holds(
    "evenfold.split: Groups are never cut, and fixed rows never move.",
    "evenfold.methods.OptiSplitPublished: Fixed rows count, but do not move.",
    "evenfold.methods.SamplingPublished: Fixed rows count, but do not change sides.",
)
def fixed_rows_stay(case: Case) -> None:
    """Each fixed row is in its part."""
    assume(case.has_fixed)
    is_fixed = case.fixed_part >= 0
    assert np.array_equal(made(case).part_of_row[is_fixed], case.fixed_part[is_fixed])


@SPLITS.holds("evenfold.split: No part is without rows.")
def no_part_is_empty(case: Case) -> None:
    """Every part has a row, if the fixed rows leave it one."""
    s = made(case)
    assert (s.sizes > 0).all()


@SPLITS.holds(
    "evenfold.split: The same labels give the same split whatever their form, and the input is "
    "not modified."
)
def form_does_not_matter(case: Case) -> None:
    """The labels as an array of 0, 1 and NaN give the same split."""
    s = made(case)
    assume(case.given is not None)
    assert np.array_equal(case.call(y=case.y).part_of_row, s.part_of_row)


@SPLITS.holds(
    "evenfold.split: The same labels give the same split whatever their form, and the input is "
    "not modified."
)
def input_is_not_modified(case: Case) -> None:
    """The labels are as they were, and the measures do not change them either."""
    s = made(case)
    assume(case.given is not None and case.form != "Labels")
    s.quality.to_dict()
    assert is_unchanged(case.before, case.given)


@SPLITS.holds()
def order_of_labels_does_not_matter(case: Case) -> None:
    """Columns in reverse order, one without rows between them, give the same split."""
    s = made(case)
    assume(case.given is not None)
    other = np.insert(case.y[:, ::-1], 0, 0, axis=1)
    assert np.array_equal(case.call(y=other).part_of_row, s.part_of_row)


@SPLITS.holds()
def one_seed_one_split(case: Case) -> None:
    """The same call gives the same split, or a generator of the same seed does."""
    s = made(case)
    seed = case.keywords["random_state"]
    again = seed if seed % 2 else np.random.default_rng(seed)
    assert np.array_equal(case.call(random_state=again).part_of_row, s.part_of_row)


@SPLITS.holds(
    *(
        f"evenfold.methods.{name}: {EXACT_SIZES}"
        for name in ("Assignment", "Even", "Labelset", "Pmbsrs", "Random", "Svd")
    )
)
def sizes_are_exact(case: Case) -> None:
    """Every part is within one row of its share, and ED is the least there is."""
    assume(case.method_object.exact_sizes and case.group_of_row is None)
    s = made(case)
    check_sizes(s, case.shares)
    if not case.has_fixed:
        assert abs(s.quality.ed - s.quality.bound.ed) < 1e-6


@SPLITS.holds(
    "evenfold.methods.Labelset: Every labelset is within two rows of its share in every part, "
    "where there are no groups."
)
def labelsets_are_dealt(case: Case) -> None:
    """Less than a row is carried over from one labelset to the next, either way."""
    assume(case.method == "labelset" and case.group_of_row is None and not case.has_fixed)
    assume(not case.has_unknown and case.keywords.get("balance") is None)
    check_labelsets_dealt(made(case), case.y)


@SPLITS.holds(
    "evenfold.methods.Labelset: Only the first level of criteria, the labels, makes strata.",
    "evenfold.methods.Pmbsrs: Only the first level of criteria, the labels, makes weights.",
)
def labels_alone_decide(case: Case) -> None:
    """Balanced columns and the order change nothing if there are labels."""
    assume(case.method in ("labelset", "pmbsrs") and (case.y == 1).any())
    s = made(case)
    for changes in ({"balance": {"number": np.arange(case.n_rows) % 3 + 0.5}}, {"order": 2}):
        assert np.array_equal(case.call(**changes).part_of_row, s.part_of_row)


@SPLITS.holds()
def no_measure_is_below_its_bound(case: Case) -> None:
    """Each measure of the split, each label's own value, and the tight bound."""
    quality: Any = made(case).quality
    for measure in evenfold.quality.measures.MEASURES:
        if measure.bound is not None:
            bound = quality.bound_of(measure)
            assert not quality.value_of(measure) < bound - 1e-9, measure.name
    for name in ("rld", "ld", "dcp", "flz"):
        own, bound = quality.per_label[name], quality.per_label[f"{name}_bound"]
        assert not (own < bound - 1e-9).any(), name
    assert quality.bound.rld - 1e-12 <= quality.tight_bound.rld <= quality.rld + 1e-9


@SPLITS.holds()
def a_size_tolerance_limits_sizes(case: Case) -> None:
    """By the methods that promise sizes, parts are off by at most the tolerance and a group."""
    tolerance = case.keywords.get("size_tolerance")
    assume(tolerance is not None and not case.has_fixed)
    s = made(case)
    wanted = case.shares * case.n_rows
    slack = tolerance if tolerance >= 1 else tolerance * wanted
    largest = np.unique(case.group_of_row, return_counts=True)[1].max()
    assert (s.sizes <= np.maximum(wanted + slack, wanted) + largest + 1).all()

"""A split known by counts only: the numbers are those of its rows, bit for bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.labels import make_labels
from evenfold.problem.parts import Parts, check_parts
from evenfold.quality import measure_counts, measure_labels
from evenfold.quality.counts import GroupsOfLabel
from evenfold.quality.measures import LABEL_LEVELS, MEASURES

from ..strategies import label_matrices, part_weights

PAIRS = [[2, 1], [1, 1]]


def count_by_hand(y, part, n_parts):
    """Return the rows of each label in each part, and the rows of each part."""
    return (
        np.array([y[part == own].sum(axis=0) for own in range(n_parts)]),
        np.array([(part == own).sum() for own in range(n_parts)]),
    )


def group_by_hand(y, group):
    """Return the most rows of each label in one group, and its number of groups."""
    held = np.array([y[group == own].sum(axis=0) for own in np.unique(group)])
    return GroupsOfLabel(held.max(axis=0), (held > 0).sum(axis=0))


def measure_both(y, part, parts, group=None):
    """Return the quality of the rows and the quality of their counts."""
    counts, sizes = count_by_hand(y, part, len(parts))
    of_rows = measure_labels(make_labels(y), part.astype(np.int32), parts, group)
    names = range(y.shape[1])
    if group is None:
        return of_rows, measure_counts(names, counts, sizes, parts)
    n_groups = [len(np.unique(group[part == own])) for own in range(len(parts))]
    groups = group_by_hand(y, group)
    return of_rows, measure_counts(names, counts, sizes, parts, groups, n_groups)


def check_same(of_rows, of_counts):
    """Check that all numbers of sizes and labels are equal, bit for bit."""
    for name in ("per_label", "per_part", "per_balance", "per_size_class"):
        own, other = getattr(of_rows, name), getattr(of_counts, name)
        assert own.dtype == other.dtype
        for column in own.dtype.names:
            np.testing.assert_array_equal(own[column], other[column], strict=True)
    for measure in MEASURES:
        if measure.level in LABEL_LEVELS:
            np.testing.assert_equal(of_counts.value_of(measure), of_rows.value_of(measure))
            np.testing.assert_equal(of_counts.bound_of(measure), of_rows.bound_of(measure))
    assert of_counts.excess == of_rows.excess
    assert of_counts.n_cut_groups == of_rows.n_cut_groups
    assert str(of_counts) == str(of_rows)
    assert of_counts._repr_html_() == of_rows._repr_html_()
    assert of_counts.to_dict() == of_rows.to_dict()


@settings(deadline=None)
@given(label_matrices(), part_weights(), st.integers(0, 2**32 - 1))
def test_numbers_are_those_of_the_rows(y, weights, seed):
    """Measures, bounds, records, tables and JSON do not depend on the rows, only on the counts."""
    parts = Parts(np.array(weights), tuple(f"p{j}" for j in range(len(weights))))
    part = np.random.default_rng(seed).integers(len(parts), size=len(y))
    check_same(*measure_both(y, part, parts))


@settings(deadline=None)
@given(label_matrices(), part_weights(), st.integers(1, 8), st.integers(0, 2**32 - 1))
def test_numbers_with_whole_groups_are_those_of_the_rows(y, weights, n_groups, seed):
    """The largest group and the groups of each label are enough for the bounds."""
    parts = Parts(np.array(weights), tuple(f"p{j}" for j in range(len(weights))))
    rng = np.random.default_rng(seed)
    group = rng.integers(n_groups, size=len(y))
    part = rng.integers(len(parts), size=n_groups)[group]
    check_same(*measure_both(y, part, parts, group))


def test_the_order_of_the_array_in_memory_does_not_matter():
    """Sums are the same, to the last digit, for counts that are stored by label."""
    rng = np.random.default_rng(0)
    counts = rng.integers(0, 90, (40, 50))
    parts = check_parts(40, 4000)
    by_part, by_label = (
        measure_counts(range(50), own, [100] * 40, parts)
        for own in (counts, np.asfortranarray(counts))
    )
    assert by_part.to_dict() == by_label.to_dict()


@pytest.mark.parametrize(
    "read",
    [
        lambda quality: quality.rld_pairs,
        lambda quality: quality.rld_labelsets,
        lambda quality: quality.bound.lpd,
        lambda quality: quality.tight_bound.rld_pairs,
        lambda quality: quality.left_out,
        lambda quality: quality.placement,
        lambda quality: quality.measure_other(np.zeros(4, np.int32)),
    ],
)
def test_what_needs_rows_is_an_error_when_read(read):
    """The message says what is missing, and what to do."""
    quality = measure_counts(["a", "b"], PAIRS, [2, 2], check_parts(2, 4))
    with pytest.raises(InputError, match=r"only the rows of each label .* evenfold\.measure"):
        read(quality)


def test_tight_bound_of_equal_parts_without_groups_is_the_bound():
    """It is that of the rows too, and needs no note."""
    rng = np.random.default_rng(1)
    y, part = (rng.random((60, 5)) < 0.3).astype(int), np.arange(60) % 3
    parts = check_parts(3, 60)
    of_rows, of_counts = measure_both(y, part, parts)
    assert of_counts.tight_bound.rld == of_counts.bound.rld
    assert of_counts.tight_bound.rld == pytest.approx(of_rows.tight_bound.rld, rel=1e-12)
    assert of_counts.tight_bound.note == ""
    assert of_counts.with_tight_bound().to_dict()["tight_bound"]["seconds"] == 0


@pytest.mark.parametrize(
    ("sizes", "groups"),
    [([6, 2], None), ([4, 4], GroupsOfLabel(np.array([1, 1]), np.array([2, 3])))],
)
def test_tight_bound_that_needs_rows_is_the_bound_with_a_note(sizes, groups):
    """Sizes that differ, and groups, need the labels of each row."""
    parts = check_parts(2, 8)
    quality = measure_counts(["a", "b"], [[3, 4], [2, 0]], sizes, parts, groups)
    assert quality.tight_bound.rld == quality.bound.rld
    assert quality.tight_bound.note.startswith("Only counts of the rows are known")
    assert "Only counts of the rows are known" in str(quality.with_tight_bound())


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"counts": [[2, 1]]}, r"'counts' must .* shape \(2, 2\), got the shape \(1, 2\)"),
        ({"counts": [[2, -1], [1, 1]]}, r"'counts' must be counts from 0 .* got -1"),
        ({"counts": [[2, 3], [1, 1]]}, r"'counts' must be at most .* got 3 of 'b' in fold0, .* 2 "),
        ({"counts": [[2, 0.5], [1, 1]]}, r"'counts' must be whole numbers, got float64"),
        ({"sizes": [2, 1, 1]}, r"'sizes' must .* shape \(2,\), got the shape \(3,\)"),
        ({"groups": GroupsOfLabel(np.ones(3), np.ones(3))}, r"'groups' must be"),
        ({"n_groups_of_part": [1]}, r"'n_groups_of_part' must .* got the shape \(1,\)"),
    ],
)
def test_counts_that_do_not_fit_together_are_an_error(changed, message):
    """The message names the argument and what was found."""
    given = {"counts": PAIRS, "sizes": [2, 2], **changed}
    with pytest.raises(InputError, match=message):
        measure_counts(["a", "b"], parts=check_parts(2, 4), **given)

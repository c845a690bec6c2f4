"""Criteria: blocks side by side, labelsets of unequal parts, and what groups add."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.labels.labels import make_labels, read_rows
from evenfold.problem.criteria import Block, Criteria, Level, join_blocks, make_criteria
from evenfold.problem.groups import add_group_criteria, sum_by_group

from ..strategies import label_matrices


def to_dense(criteria):
    """Return rows × criteria as lists."""
    dense = np.zeros((len(criteria.indptr) - 1, len(criteria.level_of_criterion)), int)
    row = np.repeat(np.arange(len(dense)), np.diff(criteria.indptr))
    dense[row, criteria.indices] = criteria.amounts if len(criteria.amounts) else 1
    return dense.tolist()


def to_block(y, level, counted):
    """Return a block with the entries of a dense matrix."""
    indptr = np.concatenate(([0], np.cumsum((y > 0).sum(axis=1)))).astype(np.int64)
    indices = np.nonzero(y)[1].astype(np.int32)
    return Block(indptr, indices, y.shape[1], level, y[y > 0] if counted else None)


@settings(max_examples=80, deadline=None)
@given(
    y=label_matrices(max_rows=12),
    counted=st.lists(st.booleans(), max_size=3),
    seed=st.integers(0, 99),
)
def test_join_blocks_puts_held_columns_side_by_side(y, counted, seed):
    """Columns that no row holds are dropped; without amounts each entry is 1."""
    rng = np.random.default_rng(seed)
    y = y[:, y.any(axis=0)]
    first = to_block(y, Level.LABELS, False)
    start = Criteria(
        first.indptr,
        first.indices,
        np.empty(0, np.int64),
        np.zeros(y.shape[1], np.int64),
        np.zeros(y.shape[1], bool),
    )
    others = [
        (rng.random((len(y), 4)) < 0.2) * (rng.integers(1, 9, (len(y), 4)) if own else 1)
        for own in counted
    ]
    blocks = [to_block(z, Level.REST, own) for z, own in zip(others, counted, strict=True)]
    joined = join_blocks(start, blocks)
    held = [z[:, z.any(axis=0)] for z in others]
    assert to_dense(joined) == np.concatenate([y, *held], axis=1).astype(int).tolist()
    n_held = [z.shape[1] for z in held]
    assert joined.level_of_criterion.tolist() == [0] * y.shape[1] + [1] * sum(n_held)
    expected = [False] * y.shape[1] + np.repeat(np.array(counted, bool), n_held).tolist()
    assert joined.is_amount.tolist() == expected


def test_rows_without_a_number_are_a_criterion_of_their_own():
    """Without labels it is on the first level; the bins of known numbers come later."""
    numbers = np.array([1.0, np.nan, 3.0, np.nan, 2.0, 9.0])
    labels, balance = read_rows(None, numbers[:, None], "y")
    for profiles in (False, True):
        criteria = make_criteria(labels, balance, profiles)
        counts = np.array(to_dense(criteria))[:, ~criteria.is_amount]
        levels = criteria.level_of_criterion[~criteria.is_amount].tolist()
        assert levels == [Level.LABELS, *([Level.REST] * 4 if profiles else [])]
        assert counts[:, 0].tolist() == [0, 1, 0, 1, 0, 0]
        if profiles:
            assert counts[:, 1:].sum(axis=1).tolist() == [1, 0, 1, 0, 1, 1]
            assert counts[:, 1:].sum(axis=0).tolist() == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("numbers", "steps_in_one"),
    [
        (np.arange(2000.0, 2010.0), 128 / np.arange(10.0).std()),
        (np.array([0.5, 3.0, 9.5, 0.0, 7.0]), 1024 / 5.0),
    ],
)
def test_numbers_that_differ_little_get_finer_steps(numbers, steps_in_one):
    """Years have 128 steps in a standard deviation, other numbers 1,024 in the mean of all > 0."""
    criteria = make_criteria(*read_rows(None, numbers[:, None], "y"))
    total = np.array(to_dense(criteria))[:, criteria.is_amount]
    assert total[:, 0].tolist() == np.round(numbers * steps_in_one).astype(int).tolist()


def list_profiles(rows, smallest_share):
    """Return the rows of each criterion of labelsets, as `make_criteria` should pool them."""
    sets = [frozenset(row) for row in rows]
    pooled = {}
    for at, own in enumerate(sets):
        n_equal = sets.count(own)
        if n_equal * smallest_share > 0.5:
            key = own
        else:
            key = n_equal.bit_length() if smallest_share else own if n_equal > 1 else None
        if key is not None:
            pooled.setdefault(key, []).append(at)
    return sorted(pooled.values())


def test_rare_labelsets_of_unequal_parts_are_pooled_by_their_size():
    """With a tenth as the smallest share, sets of up to five rows: 1, 2 to 3, 4 to 5."""
    rows = [["a"]] * 6 + [["b"]] * 5 + [["c"]] * 4 + [["d"]] * 3 + [["e"]] * 2
    rows += [["f"], ["a", "b"], ["a", "c"], [], ["a", "d"], ["a", "d"]]
    labels = make_labels(rows)
    for share in (0.0, 0.1, 0.3):
        criteria = make_criteria(labels, (), profiles=True, smallest_share=share)
        columns = np.array(to_dense(criteria)).T
        own = [np.flatnonzero(column).tolist() for column in columns[labels.n_labels :]]
        expected = list_profiles(rows, share)
        assert sorted(own[: len(expected)]) == expected


def test_groups_are_balanced_by_number_size_class_and_labels():
    """Groups of 1, 3, 2 and 4 rows: by hand."""
    y = [["a"], ["a"], ["a", "b"], [], ["b"], [], ["a"], [], [], []]
    group_of_row = np.array([0, 1, 1, 1, 2, 2, 3, 3, 3, 3])
    summed = sum_by_group(make_criteria(make_labels(y)), group_of_row)
    criteria = add_group_criteria(summed, np.bincount(group_of_row))
    # Rows with a, with b; the group; 1 row, 2 to 3, 4 to 7; holds a, holds b.
    assert to_dense(criteria) == [
        [1, 0, 1, 1, 0, 0, 1, 0],
        [2, 1, 1, 0, 1, 0, 1, 1],
        [0, 1, 1, 0, 1, 0, 0, 1],
        [1, 0, 1, 0, 0, 1, 1, 0],
    ]
    levels = [Level.LABELS] * 2 + [Level.GROUPS] + [Level.REST] * 5
    assert criteria.level_of_criterion.tolist() == levels
    assert not criteria.is_amount.any()


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("shares", [[0.2] * 5, [0.8, 0.1, 0.1]], ids=["folds", "unequal"])
def test_parts_get_their_share_of_groups_of_very_unequal_size(shares, seed):
    """Of 3,000 groups: within 1 %, or one group, of the target; sizes exact, groups whole.

    With 800 groups, a part was two groups off its 160.
    """
    y, groups = evenfold.datasets.make_patients(random_state=seed)
    assert np.bincount(groups).max() > 20
    s = evenfold.split(y, shares, groups=groups)
    part_of_group = s.part_of_row[np.unique(groups, return_index=True)[1]]
    assert np.array_equal(part_of_group[groups], s.part_of_row)
    target = 3000 * np.array(shares)
    off = np.abs(np.bincount(part_of_group) - target)
    assert (off <= np.maximum(1, 0.01 * target)).all()
    assert s.sizes.tolist() == (10_000 * np.array(shares)).round().astype(int).tolist()

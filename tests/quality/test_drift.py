"""Labels that drift are found, and random splits have hardly any."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import evenfold
from evenfold.quality.drift import LEVEL, _correct_for_number, find_drift
from evenfold.quality.tails import bound_unit_tails

N_ROWS = 600
# Parts of 480 and 120 rows.
PARTS = np.arange(N_ROWS) % 5 // 4


def make_labels(seed, n_rows=N_ROWS):
    """Return labels of different frequencies that do not depend on each other."""
    rng = np.random.default_rng(seed)
    return (rng.random((n_rows, 12)) < np.linspace(0.02, 0.6, 12)).astype(int)


def find(y, part_of_row, **options):
    """Return the drift of a split."""
    return find_drift(evenfold.measure(y, part_of_row, **options).placement)


def test_a_planted_drift_is_found_and_no_other():
    """A label that is twice as frequent in one part."""
    y = make_labels(0)
    even = evenfold.split(y, [0.8, 0.2]).part_of_row
    assert not len(find(y, even).drifting)
    rows = np.flatnonzero(even == 1)
    y[rows[:60], 5] = 1
    drift = find(y, even)
    assert drift.drifting.tolist() == [5]
    assert drift.find_furthest_part(5) == 1
    assert drift.share[1, 5] > 1.4 * drift.share_of_all[5]
    assert not drift.by_groups


def test_labels_per_row_that_drift_are_found():
    """Every label is a little more frequent in one part."""
    rng = np.random.default_rng(0)
    y = (rng.random((N_ROWS, 40)) < np.where(PARTS, 0.13, 0.1)[:, None]).astype(int)
    drift = find(y, PARTS)
    assert drift.cardinality_drifts
    assert drift.cardinality[1] > drift.cardinality_of_all > drift.cardinality[0]
    shuffled = np.random.default_rng(1).permutation(PARTS)
    assert not find(y, shuffled).cardinality_drifts


@pytest.mark.parametrize("n_parts", [2, 4])
def test_random_splits_hardly_ever_drift(n_parts):
    """At most 1 in 100 by the correction; probabilities of a label are not too small either."""
    y, n_splits = make_labels(1), 300
    n_drifting, smallest = 0, []
    for seed in range(n_splits):
        part_of_row = np.random.default_rng(seed).permutation(np.arange(N_ROWS) % n_parts)
        drift = find(y, part_of_row)
        n_drifting += len(drift.drifting) > 0
        smallest.append(drift.p_value[0])
    assert n_drifting <= 3 * LEVEL * n_splits
    p_value = np.sort(np.array(smallest).ravel())
    for level in (0.01, 0.05, 0.2):
        assert (p_value <= level).mean() <= 1.3 * level
    # The test is not without power: about as many are small as may be.
    assert (p_value <= 0.2).mean() >= 0.1


def test_rows_of_one_group_are_no_evidence():
    """Where labels are those of groups, random splits of whole groups hardly ever drift."""
    rng = np.random.default_rng(2)
    group = rng.integers(0, 60, N_ROWS)
    y = ((rng.random((60, 12)) < 0.3)[group] & (rng.random((N_ROWS, 12)) < 0.7)).astype(int)
    n_by_groups = n_by_rows = 0
    for seed in range(100):
        part_of_row = np.random.default_rng(seed).permutation(np.arange(60) % 5 // 4)[group]
        drift = find(y, part_of_row, groups=group)
        assert drift.by_groups
        n_by_groups += len(drift.drifting) > 0
        n_by_rows += len(find(y, part_of_row).drifting) > 0
    assert n_by_groups <= 2
    assert n_by_rows >= 50


def test_drift_of_many_groups_is_found():
    """A label of most groups of one part, and of few of the other."""
    group = np.arange(N_ROWS) // 3
    part_of_row = (group % 5 == 4).astype(int)
    y = np.zeros((N_ROWS, 2), int)
    y[:, 0] = np.random.default_rng(0).random(200)[group] < np.where(part_of_row, 0.8, 0.1)
    y[::2, 1] = 1
    drift = find(y, part_of_row, groups=group)
    assert drift.drifting.tolist() == [0]


def test_groups_in_two_parts_count_by_their_pieces():
    """The rows of a group in one part are one draw."""
    y = make_labels(3)
    group = np.arange(N_ROWS) // 2
    whole = find(y, PARTS, groups=group * 2 + PARTS)
    assert np.array_equal(find(y, PARTS, groups=group).p_value, whole.p_value)


def test_unknown_labels_count_in_neither():
    """Shares are of the rows in which a label is known, with groups too."""
    y = make_labels(4).astype(float)
    y[:300, 3] = np.nan
    drift = find(y, PARTS)
    known = y[300:, 3]
    assert drift.share_of_all[3] == pytest.approx(known.mean())
    assert drift.share[1, 3] == pytest.approx(known[PARTS[300:] == 1].mean())
    own = find(y[300:, 3:4], PARTS[300:])
    assert drift.p_value[:, 3] == pytest.approx(own.p_value[:, 0])
    grouped = find(y, PARTS, groups=np.arange(N_ROWS))
    rows_known = find(y[300:, 3:4], PARTS[300:], groups=np.arange(300))
    assert grouped.count[:, 3].tolist() == rows_known.count[:, 0].tolist()
    # Rows in which the label is unknown are draws that change nothing.
    assert grouped.p_value[:, 3] == pytest.approx(rows_known.p_value[:, 0])


def test_labels_without_rows_do_not_drift():
    """Nor do data without any label."""
    drift = find(np.zeros((20, 2), int), np.arange(20) % 2)
    assert not len(drift.drifting)
    assert not drift.cardinality_drifts
    assert drift.share_of_all.tolist() == [0, 0]


def test_a_part_without_rows_has_no_shares():
    """It is named, but empty."""
    drift = find(make_labels(0), PARTS, names=["train", "test", "empty"])
    assert np.isnan(drift.share[2]).all()
    assert np.isnan(drift.cardinality[2])
    assert (drift.p_value[2] == 1).all()


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8))
def test_correction_is_that_of_holm(p_value):
    """As in Holm 1979: the k-th smallest of m times m - k + 1, not below those before."""
    order = sorted(range(len(p_value)), key=lambda at: p_value[at])
    expected, highest = [0.0] * len(p_value), 0.0
    for rank, at in enumerate(order):
        highest = max(highest, p_value[at] * (len(p_value) - rank))
        expected[at] = min(1.0, highest)
    found = _correct_for_number(np.array(p_value), np.ones(len(p_value), bool))
    assert found.tolist() == pytest.approx(expected)


def test_probabilities_are_corrected_for_the_number_of_parts():
    """Once for each of four parts; the two of two parts are the same."""
    y = make_labels(5)[:, 5:6]
    for n_parts, n_tests in ((2, 1), (4, 4)):
        part_of_row = np.minimum(np.arange(N_ROWS) // 60, n_parts - 1)
        drift = find(y, part_of_row)
        assert drift.corrected[0] == pytest.approx(min(1, n_tests * drift.p_value.min()))


@pytest.mark.parametrize("has_unknown", [False, True])
def test_bounds_with_groups_are_those_of_a_dense_table(has_unknown):
    """The number of a group: its rows with a label, less its share of the rows that are known."""
    y = make_labels(6).astype(float)
    if has_unknown:
        y[np.random.default_rng(0).random(y.shape) < 0.2] = np.nan
    group = np.random.default_rng(7).integers(0, 100, N_ROWS)
    part_of_group = np.random.default_rng(8).permutation(np.arange(100) % 4 // 3)
    drift = find(y, part_of_group[group], groups=group)
    off = np.nan_to_num(y - np.nanmean(y, axis=0))
    off_of_group = np.array([off[group == own].sum(axis=0) for own in range(100)])
    expected = bound_unit_tails(
        np.array([off_of_group[part_of_group == part].sum(axis=0) for part in (0, 1)]),
        (off_of_group**2).sum(axis=0),
        np.abs(off_of_group).max(axis=0),
        np.array([[75], [25]]),
        100,
    )
    assert (expected < 1).any()
    assert np.allclose(drift.p_value, expected, rtol=1e-9)

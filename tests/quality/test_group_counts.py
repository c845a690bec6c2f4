"""Group counts: how many groups each part holds."""

import numpy as np
import pytest

import evenfold

# Parts of six and six rows: the first has the groups of three rows, the second those of one row.
Y = [["a"], ["b"]] * 6
PART = ["train"] * 6 + ["test"] * 6
GROUPS = [0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7]


def test_groups_of_each_part_are_counted():
    """Each part has its groups and its share of them, in the proportion of the wanted rows."""
    per_part = evenfold.measure(Y, PART, groups=GROUPS).per_part
    assert per_part.groups.tolist() == [2, 6]
    assert per_part.groups_wanted.tolist() == [4, 4]
    per_part = evenfold.measure(Y, PART, {"train": 0.75, "test": 0.25}, groups=GROUPS).per_part
    assert per_part.groups_wanted.tolist() == [6, 2]


def test_a_group_in_two_parts_counts_in_both():
    """Cut groups are counted once in each part; the wanted groups stay the same."""
    quality = evenfold.measure(Y, [0, 1, *[0] * 4, *[1] * 6], groups=GROUPS)
    assert quality.n_cut_groups == 1
    assert quality.per_part.groups.tolist() == [2, 7]
    assert quality.per_part.groups_wanted.sum() == 8
    assert not any("its share" in remark for remark in quality.remarks())


def test_a_part_without_rows_wants_no_groups():
    """A named part that no row is in has no share of the groups and no remark."""
    quality = evenfold.measure(Y[6:], [0, 1] * 3, groups=GROUPS[6:], names=["a", "b", "empty"])
    assert quality.per_part.groups.tolist() == [3, 3, 0]
    assert quality.per_part.groups_wanted.tolist() == [3, 3, 0]
    assert not any("its share" in remark for remark in quality.remarks())


def test_without_groups_there_are_no_columns_of_them():
    """Parts have no number of groups if there are none, in print and in JSON."""
    quality = evenfold.measure(Y, PART)
    assert quality.per_part.dtype.names[-1] == "residual"
    assert "groups" not in quality.to_dict()["per_part"][0]
    assert "groups" not in str(quality)


def test_groups_are_printed_and_written():
    """The printed parts have the number of groups and the percentage of all."""
    quality = evenfold.measure(Y, PART, groups=GROUPS)
    lines = str(quality).splitlines()
    assert lines[0].split("  ")[-3:] == ["groups", "% of groups", "labels it lacks"]
    assert lines[1].split() == ["train", "6", "6", "2", "25.0", "0"]
    assert lines[2].split() == ["test", "6", "6", "6", "75.0", "0"]
    record = quality.to_dict()["per_part"][1]
    assert (record["groups"], record["groups_wanted"]) == (6, 4.0)


def test_a_printed_table_with_groups_fits_80_columns():
    """Long names of parts are shortened further where groups need columns."""
    rows = np.arange(100_000)
    names = np.array(["a long name of a part, train", "a long name of a part, test"])
    text = str(evenfold.measure(rows % 3, names[rows % 2], groups=rows))
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("n_groups_of_part", "expected"),
    [
        ((2, 6), ["train has 2 groups, 50.0 % fewer than its share (4.0)."]),
        ((7, 3), ["train has 7 groups, 40.0 % more than its share (5.0)."]),
        # One row of 99 groups: half a group off is rounding. Ten of 1,010 are 1 %.
        ((50, 49), []),
        ((500, 510), []),
        ((490, 520), ["train has 490 groups, 3.0 % fewer than its share (505.0)."]),
    ],
)
def test_a_share_of_groups_far_off_is_remarked(n_groups_of_part, expected):
    """The part furthest off is named if it is off by a group and by more than 1 %."""
    first, second = n_groups_of_part
    n_rows = 2 * max(first, second)
    groups = np.r_[np.arange(n_rows) % first, first + np.arange(n_rows) % second]
    part = np.repeat(["train", "test"], n_rows)
    assert evenfold.measure(np.ones((2 * n_rows, 1)), part, groups=groups).remarks() == expected

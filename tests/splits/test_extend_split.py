"""extend(): old rows stay, new rows join their parts."""

import numpy as np
import pytest

import evenfold

from ..checks import check_groups_whole, check_partition

Y = np.random.default_rng(0).random((120, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.05]


def test_extend_moves_no_old_row_and_fills_up():
    """Sizes of the whole are those of the shares."""
    s = evenfold.split(Y[:80], [0.7, 0.2, 0.1])
    more = evenfold.extend(s, Y)
    check_partition(more, 120)
    assert np.array_equal(more.part_of_row[:80], s.part_of_row)
    assert more.sizes.tolist() == [84, 24, 12]
    assert more.names == s.names
    assert more.quality.rld < evenfold.split(Y, [0.7, 0.2, 0.1], method="random").quality.rld


def test_extend_works_on_a_loaded_split_and_again(tmp_path):
    """A split from a file, extended twice."""
    evenfold.split(Y[:60], 3).save(tmp_path / "s.json")
    s = evenfold.load_split(tmp_path / "s.json")
    more = evenfold.extend(evenfold.extend(s, Y[:90]), Y)
    assert np.array_equal(more.part_of_row[:60], s.part_of_row)
    assert more.sizes.tolist() == [40, 40, 40]


def test_extend_puts_new_rows_of_an_old_group_with_it():
    """Groups of old and new rows stay whole."""
    groups = np.arange(120) % 30
    s = evenfold.split(Y[:60], 3, groups=groups[:60])
    more = evenfold.extend(s, Y, groups=groups)
    check_groups_whole(more, groups.tolist())
    assert np.array_equal(more.part_of_row[:60], s.part_of_row)


def test_extend_lets_a_part_be_too_large_already():
    """The others share the new rows."""
    s = evenfold.split(Y[:40], [0.9, 0.1], fixed=[0] * 36 + [1] * 4)
    evenly = evenfold.split(Y[:40], [0.5, 0.5], start=s, method="even")
    assert evenly.sizes.tolist() == [20, 20]
    lopsided = evenfold.split(Y[:40], [38, 2])
    more = evenfold.extend(lopsided, Y[:41])
    assert more.sizes.sum() == 41
    assert np.array_equal(more.part_of_row[:40], lopsided.part_of_row)


def test_extend_without_new_rows_is_the_same_split():
    """Nothing to add, nothing changes."""
    s = evenfold.split(Y, 4, method="iterative")
    assert evenfold.extend(s, Y) == s


def test_extend_takes_unknown_labels_in_new_rows():
    """The old rows are recognised in a matrix that holds NaN elsewhere."""
    s = evenfold.split(Y, 4)
    more = evenfold.extend(s, np.vstack((Y.astype(float), [[np.nan, 1, 0, 0, 0, 1]])))
    assert np.array_equal(more.part_of_row[:120], s.part_of_row)
    assert more.origin.parameters["order"] == "auto"
    assert evenfold.extend(evenfold.split(Y[:80], 4, order=1), Y).origin.parameters["order"] == 1


def test_extend_refuses_other_rows():
    """Fewer rows, or others in front."""
    s = evenfold.split(Y[:80], 3)
    with pytest.raises(
        ValueError, match="'y_all' must hold the 80 rows of the split and the new ones, got 40"
    ):
        evenfold.extend(s, Y[:40])
    with pytest.raises(
        ValueError, match="'y_all' must begin with the 80 rows of the split, got other labels there"
    ):
        evenfold.extend(s, Y[::-1])


def test_extend_takes_old_and_new_rows_mixed():
    """The part of each row by name or number, with None, NaN or -1 for new rows."""
    rng = np.random.default_rng(1)
    old = evenfold.split(Y[:80], [0.7, 0.2, 0.1])
    order = rng.permutation(120)
    placed = np.full(120, -1)
    placed[:80] = old.part_of_row
    numbers = placed[order]
    names = [None if number < 0 else old.names[number] for number in numbers]
    by_name = evenfold.extend(names, Y[order], parts=[0.7, 0.2, 0.1])
    assert by_name.names == ("train", "val", "test")
    assert by_name.sizes.tolist() == [84, 24, 12]
    assert np.array_equal(by_name.part_of_row[numbers >= 0], numbers[numbers >= 0])
    for form in (numbers, np.where(numbers < 0, np.nan, numbers)):
        by_number = evenfold.extend(form, Y[order], parts=[0.7, 0.2, 0.1], names=by_name.names)
        assert by_number == by_name
    assert by_name.origin.parameters["extended"] == 80


def test_extend_keeps_the_proportions_of_old_rows():
    """Without `parts`; numbered parts are named part0, part1, …."""
    more = evenfold.extend([0, 1, 1, 1] + [-1] * 116, Y)
    assert more.names == ("part0", "part1")
    assert more.sizes.tolist() == [30, 90]
    assert evenfold.extend([0, 1] + [-1] * 118, Y, names=["a", "b"]).names == ("a", "b")


def test_extend_can_change_the_sizes_of_a_split():
    """New parts get new rows only; a holdout is no longer one."""
    s = evenfold.split(Y[:60], 2, names=["a", "b"])
    more = evenfold.extend(s, Y, parts={"a": 40, "b": 40, "c": 40})
    assert np.array_equal(more.part_of_row[:60], s.part_of_row)
    assert more.sizes.tolist() == [40, 40, 40]
    assert len(list(more.folds())) == 3


def test_extend_places_all_rows_if_none_is_old():
    """Given the sizes, that is a split."""
    assert evenfold.extend([None] * 120, Y, parts=[0.5, 0.5]).sizes.tolist() == [60, 60]


@pytest.mark.parametrize(
    ("part_of_row", "keywords", "message"),
    [
        (
            ["train"] + [None] * 119,
            {},
            "'s' must name two parts or more, got train. Give all parts with their sizes as",
        ),
        ([None] * 120, {}, "'s' must name two parts or more, got none."),
        (
            [0, 2] + [-1] * 118,
            {},
            "'s' must have rows in every part, got none in 'part1'. Give the sizes wanted",
        ),
        ([0, 1], {}, "'s' must have one entry for each of the 120 rows, got 2."),
        ([0, -2] + [-1] * 118, {}, "'s' must number the parts from 0, got -2 at row 1."),
        (
            [0, 3] + [-1] * 118,
            {"names": ["a", "b"]},
            r"'s' must name a part for each row \(0 to 1: a, b\), or -1 where it is free, got 3",
        ),
        (
            ["a", "b"] + [None] * 118,
            {"parts": {"a": 0.5, "c": 0.5}},
            "'parts' must say which part wants which share, got sizes for a, c and rows in a, b.",
        ),
    ],
)
def test_extend_refuses_wrong_parts(part_of_row, keywords, message):
    """With the parameter, what was wanted and what was found."""
    with pytest.raises(ValueError, match=message):
        evenfold.extend(part_of_row, Y, **keywords)


def test_extend_refuses_names_for_a_split():
    """A split has names."""
    with pytest.raises(ValueError, match=r"'names' must be left out with a Split, .* got \['a'\]"):
        evenfold.extend(evenfold.split(Y, 3), Y, names=["a"])


def test_groups_that_are_not_given_again_are_missed():
    """New rows may leave their groups, and the result says so."""
    y = [["a"], ["b"]] * 6
    s = evenfold.split(y, 2, groups=np.arange(12) // 2)
    assert evenfold.extend(s, [*y, *y], groups=np.arange(24) // 2).remarks() == []
    (remark,) = evenfold.extend(s, [*y, *y]).remarks()
    assert remark.startswith("The split that was extended kept groups whole.")

"""Quality: what is printed, written and refused."""

import json
import math

import numpy as np
import pytest

import evenfold

from .example import PART, Y


def test_wanted_shares_go_by_name():
    """Wanted shares are matched by name: of a mapping, or the default names."""
    y = [["a"]] * 12
    part = ["train"] * 9 + ["dev"] * 3
    assert evenfold.measure(y, part, parts={"train": 0.75, "dev": 0.25}).ed == 0
    assert evenfold.measure(
        y, ["train"] * 9 + ["test"] * 3, parts=[0.5, 0.25, 0.25]
    ).per_part.rows.tolist() == [9, 0, 3]
    assert evenfold.measure(y, ["b", "a"] * 6, parts=2).per_part.part.tolist() == ["a", "b"]
    with pytest.raises(
        ValueError,
        match="'parts' must say which part wants which share, got sizes for train, test "
        "and rows in dev, train",
    ):
        evenfold.measure(y, part, parts=[0.75, 0.25])
    with pytest.raises(ValueError, match="got sizes for a, b and rows in dev, train"):
        evenfold.measure(y, part, parts={"a": 0.5, "b": 0.5})


def test_part_names_are_sorted_by_their_numbers():
    """fold2 comes before fold10; numbers that no row has are not parts."""
    assert evenfold.measure(
        Y, [f"fold{i}" for i in (10, 2, 1, 1, 2, 10)]
    ).per_part.part.tolist() == ["fold1", "fold2", "fold10"]
    assert evenfold.measure(Y, [1, 1, 1, 2, 2, 2]).per_part.part.tolist() == ["part1", "part2"]


def test_another_split_of_the_same_rows_is_measured_alike():
    """`measure_other` gives what `measure` gives, with groups and balance."""
    y, groups = np.random.default_rng(0).random((60, 4)) < 0.3, np.arange(60) // 3
    keywords = {"parts": [0.5, 0.3, 0.2], "groups": groups, "balance": {"age": np.arange(60)}}
    one, other = groups % 3, (groups + 1) % 3
    measured = evenfold.measure(y, one, **keywords).measure_other(other.astype(np.int32))
    assert measured.to_dict() == evenfold.measure(y, other, **keywords).to_dict()
    assert measured.rld_pairs == evenfold.measure(y, other, **keywords).rld_pairs


def test_to_dict_is_json():
    """Undefined is null, infinite a string, and all numbers are plain."""
    read = json.loads(json.dumps(evenfold.measure(Y, PART).to_dict(), allow_nan=False))
    assert read["per_label"][2]["ld"] is None
    assert read["per_part"][1]["kl_of_all"] == "Infinity"
    assert read["bound"]["flz"] == 0
    assert read["flz"] == 1
    assert read["excess"] == pytest.approx(1)
    assert json.dumps(evenfold.measure(np.array([b"a", b"b"]), [0, 1]).to_dict())


def test_print_shows_measures_beside_bounds_in_80_columns():
    """The printed table has each measure beside its bound, in 80 columns."""
    text = str(evenfold.measure(Y, PART))
    assert max(map(len, text.splitlines())) <= 80
    line = next(line for line in text.splitlines() if line.startswith("rLD"))
    assert line.split()[-4:] == ["0.25000", "0.12500", "100.0", "%"]
    assert "1 time a part lacks a label that it could have had." in text


def test_print_of_many_parts_is_short():
    """Many parts are not printed one by one."""
    q = evenfold.measure(np.arange(2000).reshape(1000, 2) % 3 == 0, np.arange(1000))
    assert "and 988 more" in str(q)
    assert math.isnan(q.bound.ld)


def test_html_shows_names_as_text():
    """A part whose name is markup is shown as text."""
    html = evenfold.measure(Y, ["<b>x</b>"] * 4 + ["b"] * 2)._repr_html_()
    assert "&lt;b&gt;x" in html
    assert "<b>x" not in html


def test_parts_may_be_named():
    """Parts may be strings; train, val and test come in this order."""
    q = evenfold.measure(Y, ["train"] * 3 + ["val"] + ["test"] * 2)
    assert q.per_part.part.tolist() == ["train", "val", "test"]
    assert q.per_part.rows.tolist() == [3, 1, 2]


@pytest.mark.parametrize(
    ("part", "parts", "error", "message"),
    [
        (
            [0, 0, 1],
            None,
            ValueError,
            "'part_of_row' must have one entry for each of the 6 rows, got 3",
        ),
        (
            [0, 0, 1, 1, -1, 1],
            None,
            ValueError,
            "'part_of_row' must number the parts from 0, got -1 at row 4",
        ),
        ([0, 0, 1, 1, 99999, 1], None, ValueError, "got part 99,999 for 6 rows"),
        (
            ["a", None, "b", "a", "a", "a"],
            None,
            ValueError,
            "'part_of_row' is missing for 1 of 6 rows, first row 1",
        ),
        (
            [0.5, 1, 0, 0, 0, 0],
            None,
            TypeError,
            "'part_of_row' must hold part numbers or part names, got 0.5, a float",
        ),
        (
            [[0, 0, 1, 1, 1, 1]],
            None,
            ValueError,
            "'part_of_row' must have one entry for each of the 6 rows, got 1",
        ),
        (7, None, TypeError, "'part_of_row' must be an array with one entry per row, got int"),
        (
            [*PART[:-1], 2],
            2,
            ValueError,
            "'parts' must name as many parts as there are, got 2 for a split into 3",
        ),
    ],
)
def test_measure_refuses_what_is_no_split(part, parts, error, message):
    """Each message says what was wrong, where, and what to do."""
    with pytest.raises(error, match=message.replace("(", r"\(")):
        evenfold.measure(Y, part, parts=parts)

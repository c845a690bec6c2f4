"""Size classes: labels by their number of rows."""

import json
import math

import numpy as np
import pytest

import evenfold
from evenfold.quality.size_classes import name_size_classes

# Two parts of ten rows each; label: rows in the first, rows in the second part.
COUNTS = {"a": (1, 0), "b": (2, 0), "c": (3, 1), "d": (6, 4), "e": (6, 6), "f": (6, 5), "g": (0, 0)}
PART = np.repeat([0, 1], 10)


@pytest.fixture(scope="module")
def quality():
    """The quality of those parts."""
    columns = [np.r_[np.arange(10) < one, np.arange(10) < two] for one, two in COUNTS.values()]
    return evenfold.measure(np.column_stack(columns), PART)


@pytest.mark.parametrize(
    ("n_parts", "expected"),
    [
        (1, ["1-9", "10-49", "50-199", "200-999", "1,000+"]),
        (2, ["1", "2-9", "10-49", "50-199", "200-999", "1,000+"]),
        (3, ["1-2", "3-9", "10-49", "50-199", "200-999", "1,000+"]),
        (5, ["1-4", "5-9", "10-49", "50-199", "200-999", "1,000+"]),
        # A class of 6-9 rows would be narrower than the number of parts.
        (6, ["1-5", "6-49", "50-199", "200-999", "1,000+"]),
        (10, ["1-9", "10-49", "50-199", "200-999", "1,000+"]),
        (30, ["1-29", "30-199", "200-999", "1,000+"]),
        (2000, ["1-1,999", "2,000+"]),
    ],
)
def test_classes_begin_with_labels_of_fewer_rows_than_parts(n_parts, expected):
    """Every number of rows is in one class; the classes are few and ordered."""
    names = name_size_classes(np.arange(5000), n_parts)
    assert names[0] == "0"
    assert list(dict.fromkeys(names[1:])) == expected
    assert names[n_parts - 1] == ("0" if n_parts == 1 else expected[0])
    assert names[n_parts] == expected[n_parts > 1]


def test_classes_are_measured_by_hand(quality):
    """Means of rLD, sums of FLZ, their bounds, the excess and the largest rLD are those counted."""
    classes = quality.per_size_class
    assert classes.size_class.tolist() == ["1", "2-9", "10-49"]
    assert classes.labels.tolist() == [1, 2, 3]
    # rLD of two equal parts is |difference of the counts| / rows: 1; 1, .5; .2, 0, 1 / 11.
    assert classes.rld.tolist() == pytest.approx([1, 0.75, (0.2 + 1 / 11) / 3])
    # An even number of rows can be halved; an odd one is a row apart.
    assert classes.rld_bound.tolist() == pytest.approx([1, 0, 1 / 33])
    assert classes.excess.tolist() == pytest.approx([0, math.inf, 2.2])
    assert classes.largest_rld.tolist() == pytest.approx([1, 1, 0.2])
    # "a" and "b" are in one part only; "b" could be in both.
    assert classes.flz.tolist() == [1, 1, 0]
    assert classes.flz_bound.tolist() == [1, 0, 0]
    # DCP of two equal parts is half of rLD.
    assert classes.dcp.tolist() == pytest.approx((classes.rld / 2).tolist())


def test_labels_have_their_class(quality):
    """The class of a label is the one that it is measured in; labels without rows are in none."""
    assert quality.per_label.size_class.tolist() == ["1", "2-9", "2-9", *["10-49"] * 3, "0"]


@pytest.mark.parametrize("n_parts", [1, 4, 60])
def test_classes_add_up_to_the_measures(n_parts):
    """Means weighted by the number of labels, and sums, are the measures of all labels."""
    rng = np.random.default_rng(0)
    y = (rng.random((600, 40)) < np.geomspace(0.6, 0.001, 40)).astype(float)
    y[rng.random(y.shape) < 0.01] = np.nan
    groups = np.arange(600) // 2
    quality = evenfold.measure(y, groups % n_parts, groups=groups)
    classes = quality.per_size_class
    for own in (quality, quality.bound):
        suffix = "" if own is quality else "_bound"
        for name in ("rld", "dcp"):
            mean = np.average(classes[f"{name}{suffix}"], weights=classes.labels)
            assert mean == pytest.approx(getattr(own, name))
        assert classes[f"flz{suffix}"].sum() == own.flz
    assert np.isnan(classes.ld_bound).all() == (n_parts > 50)


def test_classes_are_written_as_plain_data(quality):
    """JSON has one record per class and the class of each label."""
    read = json.loads(json.dumps(quality.to_dict(), allow_nan=False))
    assert [own["size_class"] for own in read["per_size_class"]] == ["1", "2-9", "10-49"]
    assert read["per_size_class"][1]["excess"] == "Infinity"
    assert read["per_label"][0]["size_class"] == "1"


def test_classes_are_printed_where_there_are_several(quality):
    """The printed table has one line per class; a single class has no table."""
    lines = str(quality).splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("labels with"))
    assert [line.split() for line in lines[at : at + 4]] == [
        ["labels", "with", "number", "rLD", "bound", "over", "bound", "FLZ", "bound"],
        ["1", "row", "1", "1.00000", "1.00000", "0.0", "%", "1", "1"],
        ["2-9", "rows", "2", "0.75000", "0.00000", "infinite", "1", "0"],
        ["10-49", "rows", "3", "0.09697", "0.03030", "220.0", "%", "0", "0"],
    ]
    assert "labels with" not in str(evenfold.measure([["a", "b"]] * 4, [0, 0, 1, 1]))


def test_printed_classes_of_many_parts_fit_80_columns():
    """Large numbers of parts and labels leave the lines short enough."""
    y = np.zeros((3000, 300), bool)
    y[:, 0] = y[:5, 1:] = True
    text = str(evenfold.measure(y, np.arange(3000)))
    assert "1-2,999 rows" in text
    assert max(map(len, text.splitlines())) <= 80


def test_data_without_labels_have_no_classes():
    """A split by amounts alone has no classes and no table of them."""
    quality = evenfold.measure(None, [0, 1, 0, 1], balance={"age": [1, 2, 3, 4]})
    assert len(quality.per_size_class) == 0
    assert quality.to_dict()["per_size_class"] == []
    assert "labels with" not in str(quality)

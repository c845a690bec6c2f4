"""Measures against arithmetic by hand and against slow twins."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.measures.quality import excess_over

from . import naive
from .strategies import label_matrices

# Six rows, labels a b c; parts of 4 and 2 rows.
#        a  b  c
Y = [
    [1, 1, 1],  # part 0
    [1, 0, 1],  # part 0
    [0, 1, 1],  # part 0
    [0, 0, 1],  # part 0
    [1, 0, 1],  # part 1
    [0, 0, 1],  # part 1
]
PART = [0, 0, 0, 0, 1, 1]


def test_every_measure_by_hand():
    """Shares: a 2/4 and 1/2 of 3/6, b 2/4 and 0/2 of 2/6, c everywhere."""
    q = evenfold.measure(Y, PART)
    # a: both shares equal that of all. b: |.5 - 1/3| / (1/3) = .5 and 1, mean .75. c: 0.
    assert q.per_label.rld.tolist() == pytest.approx([0, 0.75, 0])
    assert q.rld == pytest.approx(0.25)
    # Odds: a 1, 1 against 1. b 1 and 0 against .5, mean .5. c is held by every row: left out.
    assert q.per_label.ld[:2].tolist() == pytest.approx([0, 0.5])
    assert math.isnan(q.per_label.ld[2])
    assert q.ld == pytest.approx(0.25)
    # Shares of the label's rows less 4/6 and 2/6: a 2/3 - 2/3 = 0, b 1 - 2/3, c 0.
    assert q.per_label.dcp.tolist() == pytest.approx([0, 1 / 3, 0])
    assert q.dcp == pytest.approx(1 / 9)
    assert (q.ed, q.fz, q.flz) == (0, 1, 1)
    # Label mass of all: 3/11 2/11 6/11; part 0: 2/8 2/8 4/8; part 1: 1/3 0 2/3.
    first = 0.25 * math.log(0.25 * 11 / 3) + 0.25 * math.log(0.25 * 11 / 2) + 0.5 * math.log(0.5 * 11 / 6)
    second = 1 / 3 * math.log(11 / 9) + 2 / 3 * math.log(22 / 18)
    assert q.per_part.kl.tolist() == pytest.approx([first, second])
    assert q.kl == pytest.approx((first + second) / 2)
    assert q.per_part.kl_of_all[1] == math.inf
    # Shares of each label in part 0: 2/3 1 2/3, mean 7/9: sqrt(1/81 + 4/81 + 1/81).
    assert q.per_part.residual.tolist() == pytest.approx([math.sqrt(6) / 9] * 2)


def test_wanted_sizes_change_ed_and_dcp_only():
    """Two equal parts of six rows were wanted: each is a row off; dcp of a: 2/3 - 1/2."""
    q = evenfold.measure(Y, PART, parts=2)
    assert q.ed == pytest.approx(1)
    assert q.bound.ed == 0
    assert q.per_label.dcp.tolist() == pytest.approx([1 / 6, 1 / 2, 1 / 6])
    assert q.rld == evenfold.measure(Y, PART).rld


def test_bounds_by_hand():
    """Parts of 4 and 2. a: 3 rows go 2/1 exactly. b: 2 rows, share 4/3 and 2/3: 1/1 gives |.25-1/3|, |.5-1/3|, mean 3 · 1/8 = .375."""
    q = evenfold.measure(Y, PART)
    assert q.per_label.rld_bound.tolist() == pytest.approx([0, 0.375, 0])
    # odds of b at 1/1: 1/3 and 1 against 1/2: (1/6 + 1/2) / 2 = 1/3.
    assert q.per_label.ld_bound[1] == pytest.approx(1 / 3)
    # dcp of b at 1/1: 1/2 - 1/3.
    assert q.per_label.dcp_bound.tolist() == pytest.approx([0, 1 / 6, 0])
    assert (q.bound.fz, q.bound.flz) == (0, 0)
    assert q.excess == pytest.approx(1)


def test_rld_of_unknown_labels_is_taken_over_known_rows():
    """B is unknown in rows 3 and 5: known sizes 3 and 1, shares 2/3 and 0 of 2/4: |2/3 - 1/2| / (1/2) = 1/3 and 1."""
    y = np.array(Y, dtype=float)
    y[[3, 5], 1] = np.nan
    q = evenfold.measure(y, PART)
    assert q.per_label.rld[1] == pytest.approx(2 / 3)
    assert q.per_label.ld[1] == pytest.approx((abs(2 - 1) + abs(0 - 1)) / 2)
    # The best whole cut of 2 rows over known sizes 3 and 1 is 2/0 (that) or 1/1: |1/3-1/2|, |1-1/2|, mean over .5: 2/3.
    assert q.per_label.rld_bound[1] == pytest.approx(2 / 3)


def test_group_bounds_by_hand():
    """Label in 4 rows, 3 of them in one group, 8 rows, two parts of 4.

    Share 2 a part; the group makes one part 3: (3 - 2) · (1/4 + 1/4) / (2 · 4/8) = .5. DCP: 3/4 - 1/2. Two groups hold it.
    """
    y = [[1], [1], [1], [1], [0], [0], [0], [0]]
    groups = [0, 0, 0, 1, 2, 3, 4, 5]
    part = [0, 0, 0, 1, 0, 1, 1, 1]
    q = evenfold.measure(y, part, groups=groups)
    assert evenfold.measure(y, part).bound.rld == 0
    assert q.bound.rld == pytest.approx(0.5)
    assert q.rld == pytest.approx(0.5)
    assert q.excess == pytest.approx(0)
    assert q.bound.dcp == pytest.approx(0.25)
    assert evenfold.measure([[1], [1], [0], [0]], [0, 0, 1, 1], groups=[7, 7, 8, 9]).bound.flz == 1


@settings(max_examples=150, deadline=None)
@given(y=label_matrices(min_rows=3), k=st.integers(2, 4), seed=st.integers(0, 1000))
def test_measures_equal_their_twins(y, k, seed):
    """Any split, any labels; shares wanted equal."""
    part = np.random.default_rng(seed).integers(0, k, len(y))
    assume(len(y) >= k)
    q = evenfold.measure(y, part, parts=k)
    sizes, counts = naive.counts(y.tolist(), part, k)
    shares = [1 / k] * k
    held = [i for i, own in enumerate(counts) if sum(own)]
    partial = [i for i in held if sum(counts[i]) < len(y)]
    assert q.ed == pytest.approx(naive.ed(sizes, shares))
    assert q.per_label.rld[held] == pytest.approx([naive.rld_of_label(counts[i], sizes) for i in held])
    assert q.per_label.ld[partial] == pytest.approx([naive.ld_of_label(counts[i], sizes) for i in partial])
    assert q.per_label.dcp[held] == pytest.approx([naive.dcp_of_label(counts[i], shares) for i in held])
    assert q.flz == sum(c == 0 for i in held for c in counts[i])
    assert q.fz == sum(any(counts[i][j] == 0 for i in held) for j in range(k))
    mass = [[counts[i][j] for i in held] for j in range(k)]
    everything = [sum(column) for column in zip(*mass, strict=True)]
    for j in range(k):
        if sum(mass[j]):
            assert q.per_part.kl[j] == pytest.approx(naive.kl(mass[j], everything), abs=1e-12)
            assert q.per_part.kl_of_all[j] == pytest.approx(naive.kl(everything, mass[j]), abs=1e-12)
        else:
            assert math.isnan(q.per_part.kl[j])
    for name in ("rld", "ld", "dcp"):
        values = getattr(q.per_label, name)
        assert getattr(q, name) == pytest.approx(np.mean(values[~np.isnan(values)]) if not np.isnan(values).all() else 0)


@settings(max_examples=100, deadline=None)
@given(y=label_matrices(min_rows=4, max_rows=14), k=st.integers(2, 4), seed=st.integers(0, 1000), grouped=st.booleans())
def test_no_split_is_below_its_bound(y, k, seed, grouped):
    """Each label's value is at least its bound, with and without groups."""
    rng = np.random.default_rng(seed)
    groups = rng.integers(0, 6, len(y)) if grouped else None
    part = rng.integers(0, k, 6)[groups] if grouped else rng.integers(0, k, len(y))
    q = evenfold.measure(y, part, groups=groups)
    for name in ("rld", "ld", "dcp", "flz"):
        value, bound = q.per_label[name], q.per_label[f"{name}_bound"]
        assert not (value < bound - 1e-12).any(), name
    assert q.fz >= q.bound.fz
    assert q.excess >= -1e-12


@settings(max_examples=60, deadline=None)
@given(m=st.integers(1, 12), sizes=st.lists(st.integers(1, 5), min_size=2, max_size=4))
def test_dcp_bound_is_the_least(m, sizes):
    """Against all ways to cut m rows, where no part is too small for its ceiling."""
    n = sum(sizes)
    assume(m <= n)
    part = np.repeat(np.arange(len(sizes)), sizes)
    y = (np.arange(n) < m).astype(int).reshape(-1, 1)
    best = naive.best_of_label(lambda own: naive.dcp_of_label(own, [size / n for size in sizes]), m, sizes)
    assert evenfold.measure(y, part).per_label.dcp_bound[0] == pytest.approx(best, abs=1e-12)


def test_ed_bound_is_the_largest_remainder():
    """593 rows over ten folds: three of 60, seven of 59; (3 · .7 + 7 · .3) / 10."""
    q = evenfold.split(np.ones((593, 1)), 10, method="random").quality
    assert q.bound.ed == pytest.approx(0.42)
    assert q.ed == pytest.approx(0.42)


@pytest.mark.parametrize(("value", "bound", "expected"), [(0.0, 0.0, 0.0), (0.1, 0.0, math.inf), (3.0, 2.0, 0.5)])
def test_excess_where_the_bound_is_zero(value, bound, expected):
    """0 if the measure is 0 too, else infinite."""
    assert excess_over(value, bound) == expected


def test_labels_without_rows_are_left_out_of_every_mean():
    """A further empty column changes nothing but itself."""
    q, padded = evenfold.measure(Y, PART), evenfold.measure(np.column_stack((Y, np.zeros(6))), PART)
    for name in ("ed", "ld", "rld", "dcp", "fz", "flz", "kl", "residual", "excess"):
        assert getattr(padded, name) == getattr(q, name), name
    assert math.isnan(padded.per_label.rld[3])


def test_no_labels_at_all_is_even():
    """Nothing to spread, nothing uneven."""
    q = evenfold.measure([[], [], []], [0, 1, 1])
    assert (q.rld, q.ld, q.dcp, q.flz, q.kl, q.residual, q.excess) == (0, 0, 0, 0, 0, 0, 0)


def test_a_part_without_rows_lacks_every_label():
    """Fold 2 of 3 is empty: it counts 1 in rLD, as a part that has none of a label."""
    q = evenfold.measure([[1], [1], [1], [1]], [0, 1, 1, 0], parts=[0.4, 0.4, 0.2])
    assert q.flz == 1
    assert q.rld == pytest.approx(1 / 3)
    assert q.bound.rld == pytest.approx(1 / 3)


def test_to_dict_is_json():
    """Undefined is null, infinite a string, numbers are plain."""
    read = json.loads(json.dumps(evenfold.measure(Y, PART).to_dict(), allow_nan=False))
    assert read["per_label"][2]["ld"] is None
    assert read["per_part"][1]["kl_of_all"] == "Infinity"
    assert read["bound"]["flz"] == 0
    assert read["flz"] == 1
    assert read["excess"] == pytest.approx(1)


def test_print_shows_measures_beside_bounds_in_80_columns():
    """The table a person reads."""
    text = str(evenfold.measure(Y, PART))
    assert max(map(len, text.splitlines())) <= 80
    line = next(line for line in text.splitlines() if line.startswith("rLD"))
    assert line.split()[-4:] == ["0.25000", "0.12500", "100.0", "%"]
    assert "1 times a part lacks a label that it could have had." in text


def test_print_of_many_parts_is_short():
    """Leave-one-out does not print a line per row."""
    q = evenfold.measure(np.arange(2000).reshape(1000, 2) % 3 == 0, np.arange(1000))
    assert "and 988 more" in str(q)
    assert math.isnan(q.bound.ld)


def test_html_shows_names_as_text():
    """A part called like markup is data."""
    html = evenfold.measure(Y, ["<b>x</b>"] * 4 + ["b"] * 2)._repr_html_()
    assert "&lt;b&gt;x" in html
    assert "<b>x" not in html


def test_parts_may_be_named():
    """Strings are names; train, val, test come in this order."""
    q = evenfold.measure(Y, ["train"] * 3 + ["val"] + ["test"] * 2)
    assert q.per_part.part.tolist() == ["train", "val", "test"]
    assert q.per_part.rows.tolist() == [3, 1, 2]


@pytest.mark.parametrize(
    ("part", "parts", "error", "message"),
    [
        ([0, 0, 1], None, ValueError, "'part_of_row' must have one entry for each of the 6 rows, got 3"),
        ([0, 0, 1, 1, -1, 1], None, ValueError, "'part_of_row' must number the parts from 0, got -1 at row 4"),
        ([0, 0, 1, 1, 99999, 1], None, ValueError, "got part 99,999 for 6 rows"),
        (["a", None, "b", "a", "a", "a"], None, ValueError, "'part_of_row' is missing for 1 of 6 rows, first row 1"),
        ([0.5, 1, 0, 0, 0, 0], None, TypeError, "'part_of_row' must hold part numbers or part names, got 0.5, a float"),
        ([[0, 0, 1, 1, 1, 1]], None, ValueError, "'part_of_row' must have one entry for each of the 6 rows, got 1"),
        (7, None, TypeError, "'part_of_row' must be an array with one entry per row, got int"),
        ([*PART[:-1], 2], 2, ValueError, "'parts' must name as many parts as there are, got 2 for a split into 3"),
    ],
)
def test_measure_refuses_what_is_no_split(part, parts, error, message):
    """Each message says what was wrong, where, and what to do."""
    with pytest.raises(error, match=message.replace("(", r"\(")):
        evenfold.measure(Y, part, parts=parts)

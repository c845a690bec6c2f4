"""Measures against arithmetic by hand and against slow twins."""

import json
import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.quality.deviations import excess_over

from .. import naive
from ..strategies import label_matrices

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
    first = (
        0.25 * math.log(0.25 * 11 / 3)
        + 0.25 * math.log(0.25 * 11 / 2)
        + 0.5 * math.log(0.5 * 11 / 6)
    )
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
    assert q.per_label.rld[held] == pytest.approx(
        [naive.rld_of_label(counts[i], sizes) for i in held]
    )
    assert q.per_label.ld[partial] == pytest.approx(
        [naive.ld_of_label(counts[i], sizes) for i in partial]
    )
    assert q.per_label.dcp[held] == pytest.approx(
        [naive.dcp_of_label(counts[i], shares) for i in held]
    )
    assert q.flz == sum(c == 0 for i in held for c in counts[i])
    assert q.fz == sum(any(counts[i][j] == 0 for i in held) for j in range(k))
    mass = [[counts[i][j] for i in held] for j in range(k)]
    everything = [sum(column) for column in zip(*mass, strict=True)]
    for j in range(k):
        if sum(mass[j]):
            assert q.per_part.kl[j] == pytest.approx(naive.kl(mass[j], everything), abs=1e-12)
            assert q.per_part.kl_of_all[j] == pytest.approx(
                naive.kl(everything, mass[j]), abs=1e-12
            )
        else:
            assert math.isnan(q.per_part.kl[j])
    for name in ("rld", "ld", "dcp"):
        values = getattr(q.per_label, name)
        assert getattr(q, name) == pytest.approx(
            np.mean(values[~np.isnan(values)]) if not np.isnan(values).all() else 0
        )


@settings(max_examples=100, deadline=None)
@given(
    y=label_matrices(min_rows=4, max_rows=14),
    k=st.integers(2, 4),
    seed=st.integers(0, 1000),
    grouped=st.booleans(),
)
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
    best = naive.best_of_label(
        lambda own: naive.dcp_of_label(own, [size / n for size in sizes]), m, sizes
    )
    assert evenfold.measure(y, part).per_label.dcp_bound[0] == pytest.approx(best, abs=1e-12)


def test_ed_bound_is_the_largest_remainder():
    """593 rows over ten folds: three of 60, seven of 59; (3 · .7 + 7 · .3) / 10."""
    q = evenfold.split(np.ones((593, 1)), 10, method="random").quality
    assert q.bound.ed == pytest.approx(0.42)
    assert q.ed == pytest.approx(0.42)


@pytest.mark.parametrize(
    ("value", "bound", "expected"), [(0.0, 0.0, 0.0), (0.1, 0.0, math.inf), (3.0, 2.0, 0.5)]
)
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


def test_a_label_unknown_everywhere_is_left_out():
    """Compiled and not."""
    y = np.array(Y, dtype=float)
    y[:, 1] = np.nan
    q = evenfold.measure(y, PART)
    assert math.isnan(q.per_label.rld[1])
    assert q.rld == pytest.approx(0)


def test_group_bounds_where_one_part_knows_nothing():
    """The label is unknown in all rows of part 1."""
    q = evenfold.measure(
        [[1.0], [1], [0], [0], [np.nan], [np.nan]], [0, 0, 0, 0, 1, 1], groups=range(6)
    )
    assert (q.rld, q.bound.rld) == (0.5, 0.5)


def test_cut_groups_are_said_and_not_allowed_for():
    """The bound that groups give does not bind a split that cuts them."""
    q = evenfold.measure(
        [[1]] * 4 + [[0]] * 4, [0, 0, 1, 1, 0, 0, 1, 1], groups=[0, 0, 0, 0, 1, 2, 3, 4]
    )
    assert q.n_cut_groups == 1
    assert q.excess == 0
    assert "1 group in more than one part" in str(q)


def test_wanted_shares_go_by_name():
    """A mapping, or the usual names; anything else must be said."""
    y = [["a"]] * 12
    part = ["train"] * 9 + ["dev"] * 3
    assert evenfold.measure(y, part, parts={"train": 0.75, "dev": 0.25}).ed == 0
    assert evenfold.measure(
        y, ["train"] * 9 + ["test"] * 3, parts=[0.5, 0.25, 0.25]
    ).per_part.rows.tolist() == [9, 0, 3]
    assert evenfold.measure(y, ["b", "a"] * 6, parts=2).per_part.part.tolist() == ["a", "b"]
    with pytest.raises(
        ValueError,
        match="'parts' must say which part wants which share, got sizes for train, test and rows in dev, train",
    ):
        evenfold.measure(y, part, parts=[0.75, 0.25])
    with pytest.raises(ValueError, match="got sizes for a, b and rows in dev, train"):
        evenfold.measure(y, part, parts={"a": 0.5, "b": 0.5})


def test_part_names_are_sorted_by_their_numbers():
    """Fold2 before fold10; numbers that no row has are no part."""
    assert evenfold.measure(
        Y, [f"fold{i}" for i in (10, 2, 1, 1, 2, 10)]
    ).per_part.part.tolist() == ["fold1", "fold2", "fold10"]
    assert evenfold.measure(Y, [1, 1, 1, 2, 2, 2]).per_part.part.tolist() == ["part1", "part2"]


def test_fz_bound_is_the_rarest_labels_lack():
    """A label of one row is lacking in all parts but one."""
    assert evenfold.measure(np.eye(6, 2), [0, 1, 2, 3, 0, 1]).bound.fz == 3


def test_another_split_of_the_same_rows_is_measured_alike():
    """As if measured from the start, groups and balance included."""
    y, groups = np.random.default_rng(0).random((60, 4)) < 0.3, np.arange(60) // 3
    keywords = {"parts": [0.5, 0.3, 0.2], "groups": groups, "balance": {"age": np.arange(60)}}
    one, other = groups % 3, (groups + 1) % 3
    measured = evenfold.measure(y, one, **keywords).measure_other(other.astype(np.int32))
    assert measured.to_dict() == evenfold.measure(y, other, **keywords).to_dict()
    assert measured.rld_pairs == evenfold.measure(y, other, **keywords).rld_pairs


def test_counts_do_not_depend_on_the_block_they_are_counted_in(monkeypatch):
    """More entries than are counted at once."""
    from evenfold.quality import placement as placement

    y = np.random.default_rng(0).random((200, 8)) < 0.4
    part = np.random.default_rng(1).integers(0, 3, 200)
    whole = evenfold.measure(y, part).to_dict()
    monkeypatch.setattr(placement, "_AT_ONCE", 7)
    assert evenfold.measure(y, part).to_dict() == whole


@settings(max_examples=60, deadline=None)
@given(y=label_matrices(min_rows=4, max_rows=20), k=st.integers(2, 3), seed=st.integers(0, 1000))
def test_pairs_and_labelsets_equal_their_twins(y, k, seed):
    """Each pair and each labelset that occurs is measured like a label."""
    part = np.random.default_rng(seed).integers(0, k, len(y))
    assume(len(set(part.tolist())) == k)
    q = evenfold.measure(y, part)
    n = len(y)
    pairs = {
        (a, b): y[:, a] * y[:, b]
        for a in range(y.shape[1])
        for b in range(a)
        if (y[:, a] * y[:, b]).any()
    }
    sets = {tuple(row): (y == row).all(axis=1).astype(int) for row in y}
    sizes = np.bincount(part)
    for found, name in ((pairs, "rld_pairs"), (sets, "rld_labelsets")):
        own = [[int(column[part == j].sum()) for j in range(k)] for column in found.values()]
        expected = np.mean([naive.rld_of_label(counts, sizes) for counts in own]) if own else 0
        bound = (
            np.mean(
                [
                    naive.best_of_label(lambda c: naive.rld_of_label(c, sizes), sum(counts), sizes)
                    for counts in own
                ]
            )
            if own
            else 0
        )
        assert getattr(q, name) == pytest.approx(expected)
        assert getattr(q.bound, name) == pytest.approx(bound)
    own = [[int(column[part == j].sum()) for j in range(k)] for column in pairs.values()]
    partial = [counts for counts in own if sum(counts) < n]
    assert q.lpd == pytest.approx(
        np.mean([naive.ld_of_label(counts, sizes) for counts in partial]) if partial else 0
    )
    assert q.flpz == sum(c == 0 for counts in own for c in counts)
    assert q.fzlp == sum(any(counts[j] == 0 for counts in own) for j in range(k))
    assert q.bound.flpz == sum(max(0, k - sum(counts)) for counts in own)
    shares = [
        [abs(column[part == j].mean() - column.mean()) for j in range(k)]
        for column in sets.values()
    ]
    assert q.labelset == pytest.approx(np.mean(shares))
    assert q.bound.labelset <= q.labelset + 1e-12
    assert q.left_out == ""


def test_pairs_past_the_memory_limit_are_left_out_and_said(monkeypatch):
    """The rows with the most labels go first."""
    from evenfold.problem import combinations as combinations

    monkeypatch.setattr(combinations, "MOST_PAIR_ENTRIES", 4)
    y = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]])
    q = evenfold.measure(y, [0, 1, 0, 1])
    assert q.left_out == "1 of 4 rows, those with more than 3 labels, are left out of the pairs."
    assert (q.flpz, q.rld_pairs) == (1, pytest.approx(0.5))


def test_to_dict_is_json():
    """Undefined is null, infinite a string, numbers are plain."""
    read = json.loads(json.dumps(evenfold.measure(Y, PART).to_dict(), allow_nan=False))
    assert read["per_label"][2]["ld"] is None
    assert read["per_part"][1]["kl_of_all"] == "Infinity"
    assert read["bound"]["flz"] == 0
    assert read["flz"] == 1
    assert read["excess"] == pytest.approx(1)
    assert json.dumps(evenfold.measure(np.array([b"a", b"b"]), [0, 1]).to_dict())


def test_print_shows_measures_beside_bounds_in_80_columns():
    """The table a person reads."""
    text = str(evenfold.measure(Y, PART))
    assert max(map(len, text.splitlines())) <= 80
    line = next(line for line in text.splitlines() if line.startswith("rLD"))
    assert line.split()[-4:] == ["0.25000", "0.12500", "100.0", "%"]
    assert "1 time a part lacks a label that it could have had." in text


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

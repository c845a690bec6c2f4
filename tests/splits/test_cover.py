"""The argument `cover`: labels that every part holds, and what that costs."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.methods import Even
from evenfold.model_selection import train_val_test_split
from evenfold.splits.origin import Origin

TRAIN_VAL_TEST = [0.8, 0.1, 0.1]
# A rare label, which by default is in the train part alone.
RARE = [["common", "rare"]] * 3 + [["common"]] * 57 + [[]] * 60


class WithoutRule(Even):
    """The method without any rule for labels that parts lack."""

    covers = False


def count_rows(s, y):
    """Return (n_parts, n_labels) rows with each label in each part."""
    return np.array([np.asarray(y)[rows].sum(axis=0) for rows in s])


def count_of(s, label):
    """Return the rows of RARE with a label in each part."""
    return [sum(label in RARE[row] for row in rows) for rows in s]


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 999), n_rows=st.integers(310, 400), cover=st.integers(1, 2))
def test_cover_leaves_no_avoidable_gap(seed, n_rows, cover):
    """With one label per row, each part has room for every label: FLZ is at its bound."""
    rng = np.random.default_rng(seed)
    y = np.eye(4, dtype=int)[rng.choice(4, n_rows, p=[0.85, 0.08, 0.05, 0.02])]
    s = evenfold.split(y, TRAIN_VAL_TEST, cover=cover, effort="fast", random_state=seed)
    assert s.quality.flz == s.quality.bound.flz
    assert (count_rows(s, y).min(axis=0) >= np.minimum(cover, y.sum(axis=0) // 3)).all()
    assert s.origin.parameters.get("cost_of_cover", {}).get("lacking", 0) == 0


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 999), n_labels=st.integers(1, 8))
def test_by_default_parts_hold_labels_above_half_a_row(seed, n_labels):
    """Without groups, and with labels that have as many rows as there are parts."""
    rng = np.random.default_rng(seed)
    y = (rng.random((150, n_labels)) < rng.uniform(0.01, 0.3, n_labels)).astype(int)
    s = evenfold.split(y, TRAIN_VAL_TEST, random_state=seed)
    total = y.sum(axis=0)
    is_due = (total * s.shares[:, None] > 0.5 + 1e-9) & (total >= 3)
    assert (count_rows(s, y)[is_due] > 0).all()


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 999), parts=st.sampled_from([4, (0.8, 0.1, 0.1)]))
def test_without_cover_there_is_no_rule(seed, parts):
    """False and 0 give the split of the method without rules."""
    y = np.random.default_rng(seed).random((90, 6)) < np.geomspace(0.5, 0.02, 6)
    plain = evenfold.split(y, parts, method=WithoutRule(), random_state=seed)
    assert evenfold.split(y, parts, cover=False, random_state=seed) == plain
    assert evenfold.split(y, parts, cover=0, random_state=seed) == plain


def test_cover_puts_a_label_into_very_small_parts():
    """37 of 50,000 rows at 98/1/1: a share of 0.37 rows, which the default rule leaves alone."""
    y = np.zeros((50_000, 2), int)
    y[np.random.default_rng(0).choice(50_000, 37, replace=False), 0] = 1
    y[::3, 1] = 1
    by_default = evenfold.split(y, [0.98, 0.01, 0.01], order=1)
    assert count_rows(by_default, y)[:, 0].tolist() == [37, 0, 0]
    covered = evenfold.split(y, [0.98, 0.01, 0.01], order=1, cover=True)
    assert count_rows(covered, y)[:, 0].tolist() == [35, 1, 1]
    assert covered.sizes.tolist() == [49_000, 500, 500]


def test_cover_is_a_setting_of_the_method():
    """`Even(cover=...)` gives the same split; the argument comes before the setting."""
    covered = evenfold.split(RARE, TRAIN_VAL_TEST, cover=True)
    assert count_of(covered, "rare") == [1, 1, 1]
    assert evenfold.split(RARE, TRAIN_VAL_TEST, method=Even(cover=True)) == covered
    overruled = evenfold.split(RARE, TRAIN_VAL_TEST, method=Even(cover=True), cover=False)
    assert count_of(overruled, "rare") == [3, 0, 0]
    parts = train_val_test_split(
        RARE, val_size=0.1, test_size=0.1, method=Even(cover=True), random_state=0
    )
    assert [sum("rare" in row for row in rows) for rows in parts] == [1, 1, 1]
    table = evenfold.compare(RARE, TRAIN_VAL_TEST, methods=["even", Even(cover=1)], repeats=1)
    assert table["even, cover 1"].mean("flz") == 0 < table["even"].mean("flz")


def test_cover_keeps_groups_whole():
    """A label of three groups is in every part."""
    groups = np.r_[np.repeat(np.arange(6), 3), np.arange(6, 108)]
    y = [["a"]] * 9 + [[]] * 111
    s = evenfold.split(y, TRAIN_VAL_TEST, groups=groups, cover=2)
    assert np.array_equal(s.part_of_row[:18:3], s.part_of_row[1:18:3])
    assert [int((rows < 9).sum()) for rows in s] == [3, 3, 3]


def test_a_method_of_ones_own_can_cover():
    """With `covers`, it gets the rows to hold, and its `cover` is the default."""

    class Seen:
        name = "seen"
        covers = True
        cover = 2

        def place(self, problem, rng):
            self.least = problem.least
            return Even().place(problem, rng)

    method = Seen()
    s = evenfold.split(RARE, TRAIN_VAL_TEST, method=method, order=1, cover=None)
    assert s.origin.parameters["cover"] == 2
    evenfold.split(RARE, TRAIN_VAL_TEST, method=method, order=1, cover=1)
    assert method.least.tolist() != [[0, 0, 0]] * 2


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        (
            {"method": "iterative", "cover": True},
            ValueError,
            "'cover' can be used only with the method 'even', got method 'iterative'. "
            "Leave out one of the two.",
        ),
        (
            {"method": "random", "cover": 0},
            ValueError,
            "'cover' can be used only with the method 'even', got method 'random'.",
        ),
        ({"cover": -2}, ValueError, "'cover' must be 0 or more rows of each label"),
        ({"cover": "1"}, TypeError, "'cover' must be True, False or a number of rows, got '1'."),
    ],
)
def test_wrong_cover_is_refused(keywords, error, message):
    """By `split`, `extend` and the method alike."""
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split(RARE, TRAIN_VAL_TEST, **keywords)
    with pytest.raises(error, match=re.escape(message)):
        evenfold.extend(["train", None, "test"] * 40, RARE, **keywords)
    if "method" not in keywords:
        with pytest.raises(error, match=re.escape(message)):
            Even(cover=keywords["cover"])


def test_the_cost_of_cover_is_that_of_the_split_without_it():
    """The rLD with cover, that of the same call without it, and no pair that lacks rows."""
    s = evenfold.split(RARE, TRAIN_VAL_TEST, cover=True, random_state=3)
    without = evenfold.split(RARE, TRAIN_VAL_TEST, random_state=3)
    assert s.origin.parameters["cover"] == 1
    assert s.origin.parameters["cost_of_cover"] == {
        "rld": s.quality.rld,
        "rld_without": without.quality.rld,
        "lacking": 0,
    }
    assert s.origin.describe_cover() == (
        "Every part holds at least 1 row of each label that has enough; rLD is 0.875, "
        "without cover 0.375."
    )
    for text in (str(s), s._repr_html_()):
        assert s.origin.describe_cover() in " ".join(text.split())
    assert max(map(len, str(s).splitlines())) <= 80


def test_the_cost_of_cover_leaves_a_generator_as_it_was():
    """The second placing draws from a copy."""
    rng, same = np.random.default_rng(5), np.random.default_rng(5)
    s = evenfold.split(RARE, TRAIN_VAL_TEST, cover=1, random_state=rng)
    assert s == evenfold.split(RARE, TRAIN_VAL_TEST, method=Even(cover=1), random_state=same)
    assert rng.integers(1 << 40) == same.integers(1 << 40)


def test_no_cost_is_told_without_a_cover():
    """By default, with cover=False, and where no label is asked for."""
    for keywords in ({}, {"cover": False}, {"method": "iterative"}):
        s = evenfold.split(RARE, TRAIN_VAL_TEST, **keywords)
        assert "cost_of_cover" not in s.origin.parameters
        assert s.origin.describe_cover() == ""
    sex = ["F", "M"] * 20
    by_balance = evenfold.split(balance={"sex": sex}, parts=TRAIN_VAL_TEST, cover=1)
    assert by_balance.origin.describe_cover() == ""
    assert "cover" not in evenfold.split(RARE, 2, method="random").origin.parameters


def test_the_cost_of_cover_counts_what_is_lacking():
    """Fixed rows may leave no row of a label for a part."""
    fixed = ["train" if "rare" in row else None for row in RARE]
    s = evenfold.split(RARE, TRAIN_VAL_TEST, fixed=fixed, cover=1, effort="fast")
    assert s.origin.parameters["cost_of_cover"]["lacking"] == 2
    assert "of each label that has enough, except in 2 cases; rLD is" in s.origin.describe_cover()


def test_progress_with_cover_never_decreases():
    """The second placing reports none."""
    shares = []
    evenfold.split(RARE, TRAIN_VAL_TEST, method=Even(cover=1, progress=shares.append))
    assert shares == sorted(shares)
    assert shares.count(1.0) == 1


@pytest.mark.parametrize("cover", [None, 0, 1, 3])
def test_the_call_of_a_split_has_its_cover(cover):
    """It makes the same split again, also where the cover was a setting of the method."""
    for keywords in ({"cover": cover}, {"method": Even(effort="fast", cover=cover)}):
        s = evenfold.split(RARE, TRAIN_VAL_TEST, **keywords)
        call = s.origin.write_call(s.names)
        assert (f"cover={cover}" in call) == (cover is not None)
        assert call.count("cover") <= 1
        again = eval(call, {"evenfold": evenfold, "y": RARE})
        assert again == s
        assert again.origin.parameters == s.origin.parameters


def test_a_saved_split_keeps_its_cover(tmp_path):
    """The file has the cover and its cost, with and without the labels."""
    s = evenfold.split(RARE, TRAIN_VAL_TEST, cover=1)
    s.save(tmp_path / "split.json")
    for read in (
        evenfold.load_split(tmp_path / "split.json"),
        evenfold.load_split(tmp_path / "split.json", RARE),
    ):
        assert read.origin.parameters == s.origin.parameters
        assert read.origin.describe_cover() == s.origin.describe_cover()
        assert s.origin.describe_cover() in " ".join(str(read).split())
        assert read.origin.write_call(read.names) == s.origin.write_call(s.names)


@pytest.mark.parametrize(
    "parameters",
    [
        {"cost_of_cover": {"rld": 0.5, "rld_without": 0.4, "lacking": 0}},
        {"cover": 1, "cost_of_cover": "much"},
        {"cover": 1, "cost_of_cover": {"rld": 0.5}},
        {"cover": 1, "cost_of_cover": {"rld": 0.5, "rld_without": None, "lacking": "no"}},
    ],
)
def test_a_damaged_cost_of_cover_is_not_shown(parameters):
    """The record may have been written by another program."""
    assert Origin("even", parameters, 0, "1").describe_cover() == ""


def test_extend_keeps_the_cover_of_the_split():
    """Unless the call or the method has one, or the method cannot cover."""
    old = evenfold.split(RARE, TRAIN_VAL_TEST, cover=True)
    y = [*RARE, *([["new"]] * 3), *([[]] * 57)]
    more = evenfold.extend(old, y)
    assert np.array_equal(more.part_of_row[:120], old.part_of_row)
    assert [sum("new" in y[row] for row in rows) for rows in more] == [1, 1, 1]
    assert more.origin.parameters["cover"] == 1
    assert "cover=1" in more.origin.write_call(more.names)
    assert "Every part holds at least 1 row" in str(more)
    for keywords in ({"cover": False}, {"method": Even(cover=0)}):
        again = evenfold.extend(old, y, **keywords)
        assert [sum("new" in y[row] for row in rows) for rows in again] == [3, 0, 0]
    assert "cover" not in evenfold.extend(old, y, method="iterative").origin.parameters

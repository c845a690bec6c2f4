"""Values of the measures against arithmetic by hand and against slow twins."""

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import evenfold

from .. import naive
from ..strategies import label_matrices
from .example import PART, Y


def test_every_measure_by_hand():
    """The shares are 2/4 and 1/2 of a (3/6 in all), 2/4 and 0/2 of b (2/6), and 1 of c."""
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
    """With two equal parts wanted, each part is one row off, and DCP of a is 2/3 - 1/2."""
    q = evenfold.measure(Y, PART, parts=2)
    assert q.ed == pytest.approx(1)
    assert q.bound.ed == 0
    assert q.per_label.dcp.tolist() == pytest.approx([1 / 6, 1 / 2, 1 / 6])
    assert q.rld == evenfold.measure(Y, PART).rld


def test_rld_of_unknown_labels_is_taken_over_known_rows():
    """Shares are taken over the rows in which the label is known.

    b is unknown in rows 3 and 5: the known sizes are 3 and 1, the shares 2/3 and 0, 2/4 in all.
    rLD: |2/3 - 1/2| / (1/2) = 1/3 and 1.
    """
    y = np.array(Y, dtype=float)
    y[[3, 5], 1] = np.nan
    q = evenfold.measure(y, PART)
    assert q.per_label.rld[1] == pytest.approx(2 / 3)
    assert q.per_label.ld[1] == pytest.approx((abs(2 - 1) + abs(0 - 1)) / 2)
    # Two rows over known sizes 3 and 1 are spread best as 2/0, as here, or as 1/1:
    # |1/3 - 1/2| and |1 - 1/2|, mean over .5: 2/3.
    assert q.per_label.rld_bound[1] == pytest.approx(2 / 3)


@settings(max_examples=150, deadline=None)
@given(y=label_matrices(min_rows=3), k=st.integers(2, 4), seed=st.integers(0, 1000))
def test_measures_equal_their_twins(y, k, seed):
    """Measures of any split of any labels equal those of the slow twins."""
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
    """The rows with the most labels are left out first, and `left_out` says so."""
    from evenfold.problem import combinations as combinations

    monkeypatch.setattr(combinations, "MOST_PAIR_ENTRIES", 4)
    y = np.array([[1, 1, 1, 1], [1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1]])
    q = evenfold.measure(y, [0, 1, 0, 1])
    assert q.left_out == "1 of 4 rows, those with more than 3 labels, are left out of the pairs."
    assert (q.flpz, q.rld_pairs) == (1, pytest.approx(0.5))


def test_labels_without_rows_are_left_out_of_every_mean():
    """A column without rows changes no measure; its own values are NaN."""
    q, padded = evenfold.measure(Y, PART), evenfold.measure(np.column_stack((Y, np.zeros(6))), PART)
    for name in ("ed", "ld", "rld", "dcp", "fz", "flz", "kl", "residual", "excess"):
        assert getattr(padded, name) == getattr(q, name), name
    assert math.isnan(padded.per_label.rld[3])


def test_no_labels_at_all_is_even():
    """Every measure of data without labels is 0."""
    q = evenfold.measure([[], [], []], [0, 1, 1])
    assert (q.rld, q.ld, q.dcp, q.flz, q.kl, q.residual, q.excess) == (0, 0, 0, 0, 0, 0, 0)


def test_a_label_unknown_everywhere_is_left_out():
    """A label that is unknown in every row has no own value and changes no mean."""
    y = np.array(Y, dtype=float)
    y[:, 1] = np.nan
    q = evenfold.measure(y, PART)
    assert math.isnan(q.per_label.rld[1])
    assert q.rld == pytest.approx(0)


def test_counts_do_not_depend_on_the_block_they_are_counted_in(monkeypatch):
    """Counting in many small blocks gives the same counts as counting at once."""
    from evenfold.quality import placement as placement

    y = np.random.default_rng(0).random((200, 8)) < 0.4
    part = np.random.default_rng(1).integers(0, 3, 200)
    whole = evenfold.measure(y, part).to_dict()
    monkeypatch.setattr(placement, "_ENTRIES_AT_ONCE", 7)
    assert evenfold.measure(y, part).to_dict() == whole

"""split(): names, methods, fixed rows, a start and a holdout."""

import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold.methods import METHODS

from ..checks import EXACT, check_groups_whole, check_partition
from ..strategies import label_matrices

RNG = np.random.default_rng(0)
Y = RNG.random((300, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.03]


def test_names_can_be_given():
    """Any names, in the order of the parts."""
    s = evenfold.split(Y, 2, names=["left", "right"])
    assert s.names == ("left", "right")
    assert len(s["left"]) == s.sizes[0]


def test_a_method_can_be_an_object():
    """Also an object of a class of the user."""

    class First:
        name = "first come"

        def place(self, problem, rng):
            return np.repeat(np.arange(problem.n_parts), problem.sizes)

    s = evenfold.split(Y, [100, 200], method=First())
    assert s["train"].tolist() == list(range(100))
    assert s.method == "first come"


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=30, deadline=None)
@given(y=label_matrices(min_rows=15, max_rows=40), seed=st.integers(0, 99))
def test_fixed_rows_never_move(method, y, seed):
    """And groups stay whole around them; sizes are still met where they are promised."""
    rng = np.random.default_rng(seed)
    fixed = np.full(len(y), -1)
    chosen = rng.permutation(len(y))[: len(y) // 4]
    fixed[chosen] = rng.permutation(np.arange(len(chosen)) % 3)
    s = evenfold.split(y, 3, fixed=fixed, method=method, random_state=seed)
    assert (s.part_of_row[chosen] == fixed[chosen]).all()
    check_partition(s, len(y))
    if method in EXACT:
        assert np.abs(s.sizes - len(y) / 3).max() < 1


@pytest.mark.parametrize("method", METHODS)
def test_a_group_with_a_fixed_row_follows_it(method):
    """All of its rows are in that part."""
    groups = np.arange(60) // 3
    fixed = np.full(60, -1)
    fixed[[0, 30]] = 1
    s = evenfold.split(Y[:60], [0.5, 0.5], groups=groups, fixed=fixed, method=method)
    assert (s.part_of_row[[0, 1, 2, 30, 31, 32]] == 1).all()
    check_groups_whole(s, groups.tolist())


def test_fixed_rows_can_be_named():
    """By part name, None where free."""
    fixed = ["test", None, "train"] + [None] * 297
    s = evenfold.split(Y, [0.8, 0.2], fixed=fixed)
    assert (s.names[s.part_of_row[0]], s.names[s.part_of_row[2]]) == ("test", "train")
    assert s == evenfold.split(Y, [0.8, 0.2], fixed=[1, -1, 0] + [-1] * 297)


def test_all_rows_may_be_fixed():
    """Then there is nothing to do."""
    fixed = np.arange(300) % 3
    for method in METHODS:
        assert (
            evenfold.split(Y, 3, fixed=fixed, method=method).part_of_row.tolist() == fixed.tolist()
        )


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"fixed": [5] + [-1] * 299},
            "'fixed' must name a part for each row (0 to 1: train, test), "
            "or -1 where it is free, got 5 at row 0.",
        ),
        ({"fixed": ["val"] + [None] * 299}, "got 'val' at row 0. Correct it, or add the part."),
        ({"fixed": [-1] * 5}, "'fixed' must have one entry for each of the 300 rows, got 5."),
        (
            {"fixed": [1] * 100 + [-1] * 200},
            "'fixed' must leave every part its size, got 100 rows for 'test', "
            "which is to have 60 of 300.",
        ),
        (
            {"fixed": [0, 1] + [-1] * 298, "groups": np.arange(300) // 2},
            "'fixed' must keep groups whole, got rows 0 and 1 of one group in 'train' and 'test'.",
        ),
        ({"start": [0] * 5}, "'start' must have one entry for each of the 300 rows, got 5."),
        (
            {"start": [0] * 299 + [np.nan]},
            "'start' must name a part for each row (0 to 1: train, test), got nan at row 299.",
        ),
        ({"start": [0] * 299 + [[1]]}, "got [1] at row 299."),
        ({"fixed": [np.inf] + [-1] * 299}, "got inf at row 0."),
        (
            {"start": [0] * 299 + [2]},
            "'start' must name a part for each row (0 to 1: train, test), got 2 at row 299.",
        ),
        (
            {"start": [0] * 300, "method": "iterative"},
            "'start' can be used only with a method that improves splits, got 'iterative'.",
        ),
        (
            {"holdout": 1.5},
            "'holdout' must be a fraction below 1 or a number of rows below 300, got 1.5.",
        ),
        (
            {"holdout": 300},
            "'holdout' must be a fraction below 1 or a number of rows below 300, got 300.",
        ),
    ],
)
def test_what_cannot_be_done_is_refused_with_advice(keywords, message):
    """Fixed rows in no part, sizes that contradict them, starts of the wrong length."""
    with pytest.raises(ValueError, match=re.escape(message)):
        evenfold.split(Y, [0.8, 0.2], **keywords)


def test_start_is_improved_and_brought_to_size():
    """From a bad split to one near the bound; from a good one to one as good."""
    bad = np.sort(np.arange(300) % 5)
    s = evenfold.split(Y, 5, start=bad)
    assert s.sizes.tolist() == [60] * 5
    assert s.quality.rld < 0.5 * evenfold.measure(Y, bad).rld
    good = evenfold.split(Y, 5)
    again = evenfold.split(Y, 5, start=good)
    assert again.quality.rld <= good.quality.rld
    uneven = evenfold.split(Y[:299], 5, random_state=1)
    for seed in range(5):
        assert (
            evenfold.split(Y[:299], 5, start=uneven, random_state=seed).sizes.tolist()
            == uneven.sizes.tolist()
        )


def test_start_may_cut_groups():
    """Each group begins where most of it is."""
    groups = np.arange(300) // 4
    s = evenfold.split(Y, 3, start=np.arange(300) % 3, groups=groups)
    check_groups_whole(s, groups.tolist())


def test_holdout_is_a_part_beside_the_folds():
    """Folds never touch it; sizes are exact; every part is even."""
    s = evenfold.split(Y, 5, holdout=0.25)
    assert s.names == ("fold0", "fold1", "fold2", "fold3", "fold4", "test")
    assert s.sizes.tolist() == [45] * 5 + [75]
    test = set(s["test"].tolist())
    tested = []
    for train, fold in s.folds():
        assert not test & set(train.tolist())
        assert len(train) + len(fold) == 225
        tested += fold.tolist()
    assert sorted([*tested, *test]) == list(range(300))
    assert evenfold.split(Y, 5, holdout=75).sizes.tolist() == [45] * 5 + [75]
    assert evenfold.split(Y, [0.6, 0.4], holdout=50, names=["a", "b"]).names == ("a", "b", "test")
    assert evenfold.split(Y, {"a": 0.6, "b": 0.4}, holdout=50).names == ("a", "b", "test")
    assert evenfold.split(Y, [100, 150], holdout=50).sizes.tolist() == [100, 150, 50]

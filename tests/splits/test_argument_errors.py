"""Arguments of `split` that are refused, and the words they are refused in."""

import re

import numpy as np
import pytest

import evenfold

BAD_GROUPS = {
    "wrong length": (
        [1, 2],
        ValueError,
        "'groups' must have one entry for each of the 6 rows, got 2.",
    ),
    "three dimensions": (
        np.zeros((6, 2, 2)),
        ValueError,
        "'groups' must have one dimension, got 3.",
    ),
    "no columns": ({}, ValueError, "'groups' must have at least one column, got none."),
    "a short column": (
        {"a": range(6), "b": range(5)},
        ValueError,
        "'groups' must have one entry for each of the 6 rows, got 5.",
    ),
    "a name": ("patient", TypeError, "'groups' must be an array with one entry per row, got str."),
    "lists": (
        [[1], [1], [2], [2], [3], [3]],
        TypeError,
        "'groups' must hold one name or number per row, got [1] at row 0. Pass several",
    ),
    "tuples with lists": (
        [("a", 1), ("a", [1])] * 3,
        TypeError,
        "'groups' must hold one name or number per row, got ('a', 1) at row 0. Pass several",
    ),
    "chained": (
        {"patient": [1, 1, 2, 2, 3, 3], "study": ["a", "b", "b", "c", "c", "d"]},
        ValueError,
        "'parts' must be at most the number of groups (1), got 3. Ask for fewer parts, or split "
        "the groups. The largest group has 6 rows: 3 values of patient and 4 values of study. It "
        "is chained by patient 2, which occurs with 2 values of other columns; without it, the "
        "largest piece would have 3 rows.",
    ),
    "too few": (
        [0, 0, 0, 1, 1, 1],
        ValueError,
        "'parts' must be at most the number of groups (2), got 3.",
    ),
    "too large": (
        [0, 0, 0, 0, 1, 2],
        ValueError,
        "'groups' puts 4 of 6 rows into one group, more than the largest part (2). Ask for "
        "fewer or larger parts, split the group, or pass size_tolerance",
    ),
}


@pytest.mark.parametrize("case", BAD_GROUPS)
def test_wrong_groups_are_refused(case):
    """Every error about `groups` has its type and its message."""
    groups, error, message = BAD_GROUPS[case]
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split([["a"], ["b"]] * 3, 3, groups=groups)


BAD_PARTS = {
    "sum below 1": (
        [0.7, 0.2],
        ValueError,
        "'parts' must sum to 1 or to the 593 rows, got 0.9. Did you leave out a part?",
    ),
    "sum above 1": (
        [0.7, 0.7],
        ValueError,
        "'parts' must sum to 1 or to the 593 rows, got 1.4. Make one of the parts smaller.",
    ),
    "too few rows": (
        [500, 90],
        ValueError,
        "'parts' must sum to 1 or to the 593 rows, got 590. Did you leave out a part?",
    ),
    "too many rows": (
        [500, 100],
        ValueError,
        "'parts' must sum to 1 or to the 593 rows, got 600. Make one of the parts smaller.",
    ),
    "one fold": (1, ValueError, "'parts' must be at least 2, got 1."),
    "no fold": (0, ValueError, "'parts' must be at least 2, got 0."),
    "one part": ([1.0], ValueError, "'parts' must have at least 2 sizes, got 1."),
    "more folds than rows": (
        594,
        ValueError,
        "'parts' must be at most the number of rows, got 594 parts for 593 rows. Ask for fewer "
        "parts.",
    ),
    "more shares than rows": (
        [1 / 600] * 600,
        ValueError,
        "'parts' must be at most the number of rows, got 600 parts for 593 rows.",
    ),
    "empty part": (
        [0.9996, 0.0004],
        ValueError,
        "'parts' must leave every part a row, got a share of 0.0004 of 593 rows for 'test'. "
        "Give it at least 0.00169",
    ),
    "nothing": ([0.5, 0.5, 0.0], ValueError, "'parts' must hold sizes above 0, got 0.0."),
    "negative": ([1.5, -0.5], ValueError, "'parts' must hold sizes above 0, got -0.5."),
    "NumPy": ([1.5, np.float64(-0.5)], ValueError, "'parts' must hold sizes above 0, got -0.5."),
    "NaN": ([0.5, float("nan")], ValueError, "'parts' must hold sizes above 0, got nan."),
    "a string": (
        "0.8,0.2",
        TypeError,
        "'parts' must be a number of folds or a list of sizes, got '0.8,0.2'. Try parts=5 or "
        "parts=[0.8, 0.2].",
    ),
    "strings": (["0.8", "0.2"], TypeError, "'parts' must hold numbers, got '0.8', a str."),
    "a float": (2.5, TypeError, "'parts' must be a number of folds or a list of sizes, got 2.5."),
    "halves of rows": (
        [592.5, 0.5],
        ValueError,
        "'parts' must hold whole numbers of rows, or fractions that sum to 1, got 592.5. Round "
        "the sizes.",
    ),
    "infinite": ([1e308, 1e308], ValueError, "'parts' must hold sizes above 0, got 1e+308."),
    "None": (None, TypeError, "'parts' must be a number of folds or a list of sizes, got None."),
}


@pytest.mark.parametrize("case", BAD_PARTS)
def test_wrong_parts_are_refused(case):
    """Every error about `parts` has its type and its message."""
    parts, error, message = BAD_PARTS[case]
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split(np.ones((593, 1)), parts)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"names": ["a"]}, ValueError, "'names' must have one name per part, got 1 for 2 parts."),
        ({"names": ["a", "a"]}, ValueError, "'names' must differ, got 'a' twice."),
        ({"names": "ab"}, TypeError, "'names' must be a list of strings, one per part, got 'ab'."),
        ({"names": 5}, TypeError, "'names' must be a list of strings, one per part, got 5."),
        (
            {"names": {"a", "b"}},
            TypeError,
            "'names' must be a list of strings, one per part, got {",
        ),
        (
            {"effort": "hard"},
            ValueError,
            "'effort' must be fast, normal, best or a number of seconds, got 'hard'.",
        ),
        (
            {"effort": -1},
            ValueError,
            "'effort' must be fast, normal, best or a number of seconds, got -1.",
        ),
        ({"order": 3}, ValueError, "'order' must be 1, 2 or 'auto', got 3."),
        (
            {"effort": "best", "method": "random"},
            ValueError,
            "'effort' can be used only with the method 'even', got method 'random'.",
        ),
        (
            {"method": "iterativ"},
            ValueError,
            "svd, labelset, pmbsrs, random, got 'iterativ'. Did you mean 'iterative'?",
        ),
        ({"method": "xyz"}, ValueError, "got 'xyz'. Take one of these."),
        (
            {"method": 3},
            TypeError,
            "'method' must be a name or an object like evenfold.methods.Iterative(), got 3, a int.",
        ),
        ({"method": evenfold.methods.Random}, TypeError, "got the class Random."),
        ({"random_state": -1}, ValueError, "'random_state' must be 0 or more, got -1."),
        (
            {"random_state": "0"},
            TypeError,
            "'random_state' must be a whole number, a NumPy generator or None, got str.",
        ),
    ],
)
def test_wrong_settings_are_refused(keywords, error, message):
    """Every error about names, method and seed has its type and its message."""
    with pytest.raises(error, match=re.escape(message)):
        evenfold.split([["a"], ["b"], ["a"], []], 2, **keywords)


def test_a_method_that_returns_wrong_parts_is_refused():
    """A user's own method must return a part for each unit."""

    class Wrong:
        name = "wrong"

        def place(self, problem, rng):
            return np.full(problem.n_units, 7)

    with pytest.raises(
        ValueError,
        match="'method' must return a part from 0 to 1 for each of the 4 units, which 'wrong' "
        "did not",
    ):
        evenfold.split([["a"], ["b"], ["a"], []], 2, method=Wrong())


def test_a_part_that_a_split_does_not_have_is_refused():
    """The error says which parts there are, by name and by number."""
    s = evenfold.split([["a"], ["b"], ["a"], []], [0.5, 0.5])
    with pytest.raises(KeyError, match=r"'val' is not a part of this split\. Parts: train, test"):
        s["val"]
    with pytest.raises(IndexError, match="part 2 of a split into 2"):
        s[2]
    with pytest.raises(TypeError, match=r"a part must be a name or a number, got 1\.5"):
        s[1.5]

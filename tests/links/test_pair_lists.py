"""Given pairs: read from every form, each kept once with its highest score."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError, InputTypeError
from evenfold.links.pair_lists import make_pair_search

from .pair_dicts import collect

ROWS = st.integers(0, 6)


@given(
    st.lists(st.tuples(ROWS, ROWS, st.integers(-3, 3).map(float)), max_size=20),
    st.none() | st.integers(-3, 3),
)
def test_pairs_are_kept_once_with_their_highest_score(pairs, at):
    """In either order; without pairs of a row with itself and pairs below the threshold."""
    expected = {}
    for one, other, score in pairs:
        key = min(one, other), max(one, other)
        if one != other and (at is None or score >= at):
            expected[key] = max(score, expected.get(key, -np.inf))
    assert collect(make_pair_search(pairs, at=at, n_rows=7)) == expected
    if pairs:
        frame = pd.DataFrame(pairs, columns=["query", "target", "identity"])
        assert collect(make_pair_search(frame, at=at, n_rows=7)) == expected
        assert collect(make_pair_search(np.array(pairs), at=at, n_rows=7)) == expected
    names = "abcdefg"
    named = [(names[one], names[other], score) for one, other, score in pairs]
    search = make_pair_search(named, list(names), at)
    assert collect(search) == expected
    assert search.n_rows == 7


@pytest.mark.parametrize(
    "pairs",
    [
        [(2, 0), (0, 1)],
        [["2", "0"], [" 0", "1"]],
        np.array([[0, 2], [1, 0]]),
        np.array([["0", "2"], ["1", "0"]]),
        pd.DataFrame({"a": [0, 0], "b": [1, 2]}),
        pl.DataFrame({"a": ["0", "0"], "b": ["1", "2"]}).to_arrow(),
    ],
)
def test_pairs_without_scores_have_the_value_1(pairs):
    """Their strength is .5, whatever form they have."""
    search = make_pair_search(pairs)
    assert collect(search) == {(0, 1): 1.0, (0, 2): 1.0}
    assert search.find_strength(np.ones(2)).tolist() == [0.5, 0.5]
    assert (search.n_rows, search.at) == (3, 1.0)
    assert search.is_at(np.ones(2)).all()
    assert search.describe() == "a link in the list of 2 pairs"
    assert search.describe_pairs(2) == "2 pairs given"


def test_strength_is_the_scaled_score():
    """From the threshold, or the lowest score, to the highest."""
    pairs = [(0, 1, 40.0), (1, 2, 60.0), (2, 3, 90.0)]
    values = np.array([40.0, 60.0, 90.0])
    assert make_pair_search(pairs).find_strength(values).tolist() == [0.0, 0.4, 1.0]
    search = make_pair_search(pairs, at=50)
    assert search.find_strength(values[1:]).tolist() == [0.25, 1.0]
    assert search.describe() == "a link in the list of 2 pairs with a score of 50 or more"
    assert search.describe_pairs(1) == "1 pair given with a score of 50 or more"
    equal = make_pair_search([(0, 1, 7), (1, 2, 7)])
    assert equal.find_strength(np.array([7.0, 7.0])).tolist() == [0.5, 0.5]


@pytest.mark.parametrize("pairs", [[], np.empty((0, 2)), [(1, 1)]])
def test_no_pairs_are_no_error(pairs):
    """Nothing is linked then."""
    search = make_pair_search(pairs, n_rows=3)
    assert collect(search) == {}
    assert search.describe() == "a link in the list of 0 pairs"
    assert search.find_strength(np.empty(0)).tolist() == []


def test_ids_of_numbers_match_text():
    """As a text file gives them; missing ids are in no pair."""
    assert collect(make_pair_search([("17", "5")], ids=[5, 17])) == {(0, 1): 1.0}
    assert collect(make_pair_search([(17, 5)], ids=pd.Series(["5", None, "17"]))) == {(0, 2): 1.0}
    scored = np.array([[17, 5, 0.5]])
    for ids in ([5, 17], ["5", "17"]):
        assert collect(make_pair_search(scored, ids=ids)) == {(0, 1): 0.5}


def test_fingerprint_names_the_pairs():
    """The order and form of the pairs do not matter, their rows and scores do."""
    one = make_pair_search([(0, 1, 0.5), (1, 2, 0.7)], n_rows=3).fingerprint
    same = make_pair_search(np.array([[2, 1, 0.7], [0, 1, 0.5]]), n_rows=3).fingerprint
    others = {
        make_pair_search([(0, 1, 0.5), (1, 2, 0.8)], n_rows=3).fingerprint,
        make_pair_search([(0, 1, 0.5), (1, 2, 0.7)], n_rows=4).fingerprint,
        make_pair_search([(0, 1, 0.5)], n_rows=3).fingerprint,
    }
    assert one == same
    assert len(others | {one}) == 4


@pytest.mark.parametrize(
    ("pairs", "options", "error", "message"),
    [
        ([(0, 3), (9, 1)], {"n_rows": 3}, InputError, "from 0 to 2, got 2 others, first 3"),
        ([(0, -1)], {}, InputError, "row numbers from 0, got 1 others, first -1"),
        ([(0, 10**30)], {"n_rows": 3}, InputError, "from 0 to 2, got 1 others, first 10{30}[.]"),
        ([(0, 1), (1e30, 1)], {"n_rows": 3}, InputError, "from 0 to 2, got 1 others, first 1000"),
        ([(0, "-9"), ("9" * 30, 1)], {}, InputError, "from 0, got 2 others, first -9"),
        ([("a", "b")], {}, InputError, "row numbers from 0 if there are no ids, got 'a'"),
        ([(0, 1.5)], {}, InputError, "row numbers from 0 if there are no ids, got 1.5"),
        (
            [("a", "x"), ("y", "x")],
            {"ids": ["a", "b"]},
            InputError,
            "'pairs' holds 2 ids that are not in 'ids', first 'x'",
        ),
        ([("a", "b")], {"ids": ["a", "b", "a"]}, InputError, "'ids' must be unique, got 'a' at ro"),
        ([("a", "b")], {"ids": ["a", "b"], "n_rows": 3}, InputError, "each of the 3 rows"),
        ([(0, 1)], {"at": 0.5}, InputError, "'at' must be left out if the pairs have no scores"),
        ([(0, 1, 2)], {"at": "x"}, InputTypeError, "'at' must be a number, got 'x'"),
        ([(0, 1, np.nan)], {}, InputError, "finite numbers as scores, got nan at pair 0"),
        ([(0, 1, "high")], {}, InputError, "finite numbers as scores, got 'high' at pair 0"),
        ([(0, 1, 2), (0, 1)], {}, InputError, r"\(0, 1, 2\) and, at pair 1, \(0, 1\)\. Give every"),
        ([(0,), (1,)], {}, InputError, "got 1 columns"),
        ([0, 1], {}, InputError, "got 0 at pair 0"),
        (np.zeros((2, 4)), {}, InputError, r"or \(row, row, score\), got 4 columns"),
        (np.zeros(4), {}, InputTypeError, "'pairs' must be an array, a frame or a list"),
        ("hits.m8", {}, InputTypeError, "got str. Pass one pair per row"),
    ],
)
def test_wrong_pairs_are_refused(pairs, options, error, message):
    """The error has the first wrong value."""
    with pytest.raises(error, match=message):
        make_pair_search(pairs, **options)

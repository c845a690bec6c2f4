"""Names as arguments: choices and close matches."""

import re

import pytest

from evenfold._checks.choices import check_choice, find_close, suggest

NAMES = ["even", "iterative", "random"]


@pytest.mark.parametrize(
    ("name", "expected"),
    [("Iteratve", "iterative"), ("EVEN", "even"), ("randm", "random"), ("svd", None)],
)
def test_the_closest_name_is_found(name, expected):
    """Upper and lower case do not matter; a name that is not close is not suggested."""
    assert find_close(name, NAMES) == expected


def test_a_suggestion_is_a_question():
    """Or the given sentence if no name is close."""
    assert suggest("evn", NAMES) == "Did you mean 'even'?"
    assert suggest("svd", NAMES) == ""
    assert suggest("svd", NAMES, "Take one of these.") == "Take one of these."


@pytest.mark.parametrize(
    ("value", "advice", "error", "message"),
    [
        ("evn", "", ValueError, "got 'evn'. Did you mean 'even'?"),
        ("svd", "", ValueError, "got 'svd'. Take one of these."),
        ("svd", "Leave it out.", ValueError, "got 'svd'. Leave it out."),
        (3, "", TypeError, "got 3. Try method='even'."),
        (None, "Leave it out.", TypeError, "got None. Leave it out."),
    ],
)
def test_other_values_are_refused(value, advice, error, message):
    """The message lists the names and ends with a suggestion or advice."""
    message = f"'method' must be one of even, iterative, random, {message}"
    with pytest.raises(error, match=re.escape(message)):
        check_choice(value, "method", iter(NAMES), advice)


def test_a_choice_is_returned():
    """As it was given."""
    assert check_choice("random", "method", NAMES) == "random"

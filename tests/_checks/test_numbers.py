"""Whole numbers and finite numbers as arguments."""

import re

import numpy as np
import pytest

from evenfold._checks.numbers import check_number, check_whole, is_whole


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, True),
        (np.int64(3), True),
        (np.uint8(3), True),
        (3.0, False),
        (True, False),
        ("3", False),
    ],
)
def test_whole_numbers_are_those_of_python_and_numpy(value, expected):
    """True and False are not whole numbers."""
    assert is_whole(value) is expected


@pytest.mark.parametrize("value", [1, 5, np.int32(5)])
def test_a_whole_number_is_returned_as_an_int(value):
    """Within the limits, which are allowed themselves."""
    checked = check_whole(value, "k", "Try k=3.", least=1, most=5)
    assert checked == value
    assert type(checked) is int


@pytest.mark.parametrize(
    ("value", "keywords", "error", "message"),
    [
        (2.5, {}, TypeError, "'k' must be a whole number, got 2.5. Try k=3."),
        (True, {}, TypeError, "'k' must be a whole number, got True. Try k=3."),
        (0, {}, ValueError, "'k' must be 1 or more, got 0. Try k=3."),
        (7000, {"most": 6000}, ValueError, "'k' must be from 1 to 6,000, got 7,000. Try k=3."),
    ],
)
def test_other_values_are_not_whole_numbers(value, keywords, error, message):
    """The message has the parameter, the limits, the value and the advice."""
    with pytest.raises(error, match=re.escape(message)):
        check_whole(value, "k", "Try k=3.", **keywords)


def test_a_number_is_returned_as_a_float():
    """Whole numbers too."""
    assert check_number(np.float32(0.5), "s", "Try s=1.0.") == 0.5
    assert type(check_number(1, "s", "Try s=1.0.")) is float


@pytest.mark.parametrize(
    ("value", "keywords", "error", "message"),
    [
        ("1", {}, TypeError, "'s' must be a number, got '1'. Try s=1.0."),
        (False, {}, TypeError, "'s' must be a number, got False. Try s=1.0."),
        (-1, {}, ValueError, "'s' must be 0 or more and finite, got -1. Try s=1.0."),
        (0, {"above": True}, ValueError, "'s' must be above 0 and finite, got 0. Try s=1.0."),
        (2, {"most": 1}, ValueError, "'s' must be 0 or more and at most 1, got 2. Try s=1.0."),
        (np.inf, {}, ValueError, "'s' must be 0 or more and finite, got inf. Try s=1.0."),
        (np.nan, {}, ValueError, "'s' must be 0 or more and finite, got nan. Try s=1.0."),
    ],
)
def test_numbers_outside_the_limits_are_refused(value, keywords, error, message):
    """The message has the parameter, the limits, the value and the advice."""
    with pytest.raises(error, match=re.escape(message)):
        check_number(value, "s", "Try s=1.0.", **keywords)

"""Bad inputs are refused with clear errors, and what is not clear is found."""

import pytest
from reliability.bad_inputs import find_unclear, judge_call, try_calls, try_commands
from reliability.bad_inputs_calls import Wrong
from reliability.bad_inputs_commands import list_cases

from evenfold.exceptions import InputError


def test_bad_arguments_are_refused_clearly():
    """Each names the parameter, the value, and what to do."""
    for tried in try_calls():
        assert not tried.unclear, "\n".join(tried.unclear)


def test_bad_commands_are_refused_clearly():
    """Each names the option or file, what is wrong in it, and what to do; nothing is written.

    `make bad-inputs` runs all of them.
    """
    for tried in try_commands(every=4):
        assert not tried.unclear, "\n".join(tried.unclear)


def test_each_command_is_there_once():
    """So that they are counted rightly."""
    words = [case.words for cases in list_cases().values() for case in cases]
    assert len(words) == len(set(words))


def fail(error):
    """Return a function that raises."""

    def call(**_):
        raise error

    return call


@pytest.mark.parametrize(
    ("function", "why"),
    [
        (lambda **_: None, "no error"),
        (fail(KeyError("x")), "KeyError of another library: 'x'"),
        (fail(InputError("must be 2, got 1. Try 2.", parameter="b")), "does not name a"),
        (fail(InputError("must be 2. Try 2.", parameter="a")), "does not say 1"),
        (fail(InputError("must be 2, got 1.", parameter="a")), "does not say what to do"),
        (fail(InputError(f"got 1. {'x' * 900}", parameter="a")), "is long"),
        (fail(InputError("must be 2, got 1. Try 2.", parameter="a")), ""),
    ],
)
def test_unclear_errors_are_found(function, why):
    """Another library's, one without name, value or advice, and a long one."""
    found = judge_call(Wrong(function, "a", 1))
    assert found.startswith(why)
    assert bool(found) == bool(why)


def test_the_right_type_is_demanded():
    """A wrong type is a TypeError."""
    wrong = Wrong(fail(InputError("got 1. Try 2.", parameter="a")), "a", 1, (), TypeError)
    assert judge_call(wrong).startswith("InputError is no TypeError")
    assert find_unclear("-1 is not in the range x>=0.", ("-1",)) == ""

"""The errors of evenfold: their classes, and the parameter that each one carries."""

import pickle

import pytest

from evenfold.exceptions import (
    EngineError,
    EvenfoldError,
    ImpossibleSplit,
    InputError,
    InputTypeError,
)


@pytest.mark.parametrize(
    ("error", "base"),
    [
        (InputTypeError, TypeError),
        (InputError, ValueError),
        (ImpossibleSplit, ValueError),
        (EngineError, InputError),
    ],
)
def test_errors_are_also_those_of_python(error, base):
    """So that `except ValueError` finds them."""
    assert issubclass(error, base)
    assert issubclass(error, EvenfoldError)


def test_an_error_about_a_parameter_names_it():
    """The name and the message can be read apart."""
    error = InputError("must be at least 2, got 1.", parameter="parts")
    assert str(error) == "'parts' must be at least 2, got 1."
    assert (error.parameter, error.message) == ("parts", "must be at least 2, got 1.")


def test_an_error_without_parameter_is_its_message():
    """The parameter is None."""
    error = InputError("this split was loaded without its labels.")
    assert str(error) == error.message == "this split was loaded without its labels."
    assert error.parameter is None


def test_a_long_message_keeps_its_start_and_end():
    """What a file is called, and what its cells hold, may have any length."""
    error = InputError(f"must be a column, got {'x' * 70_000}. Rename it.", parameter="labels")
    assert len(str(error)) < 2_000
    assert str(error).startswith("'labels' must be a column, got xxx")
    assert str(error).endswith("xxx. Rename it.")


def test_an_error_keeps_its_parameter_when_pickled():
    """Errors of other processes arrive whole."""
    error = pickle.loads(pickle.dumps(InputTypeError("must be a list.", parameter="y")))
    assert (str(error), error.parameter) == ("'y' must be a list.", "y")

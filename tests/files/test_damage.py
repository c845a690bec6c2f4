"""Errors of libraries about damaged files become messages that name the file."""

import errno

import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.damage import explain_arrow_damage, explain_damage, find_refused


def test_an_error_about_content_is_explained_with_its_first_line():
    """The statement, the reason of the library, and the advice."""
    with (
        pytest.raises(InputError, match=r"^data: is torn: no end\. Save it again\.$") as caught,
        explain_damage("data: is torn", (ValueError,), "Save it again."),
    ):
        raise ValueError("no end.\nmore about it")
    assert isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize(
    "error",
    [
        InputError("ours"),
        KeyError("a bug"),
        FileNotFoundError(errno.ENOENT, "No such file"),
        OSError(errno.ENOSPC, "No space left on device"),
    ],
)
def test_other_errors_stay_as_they_are(error):
    """Messages of evenfold, bugs, and what the operating system refuses."""
    with (
        pytest.raises(type(error)) as caught,
        explain_damage("data: is torn", (ValueError, OSError), "Save it again."),
    ):
        raise error
    assert caught.value is error


@pytest.mark.parametrize("error", [OSError("bad magic"), OSError(errno.EINVAL, "Invalid argument")])
def test_an_oserror_about_content_is_explained(error):
    """Libraries raise it without a number, or for a position before the beginning."""
    with (
        pytest.raises(InputError, match=r"^data: cannot be read: .*(bad magic|Invalid argument)"),
        explain_arrow_damage("data"),
    ):
        raise error


def test_what_arrow_cannot_do_has_its_own_advice():
    """The file is not damaged."""
    with (
        pytest.raises(
            InputError, match=r"^data: cannot be cast: no\. Arrow cannot do that: write the file"
        ),
        explain_arrow_damage("data", "cannot be cast"),
    ):
        raise pa.ArrowNotImplementedError("no")


def test_the_first_refused_value_is_found():
    """Whatever kind of error the reader raises about a value."""
    assert find_refused(int, ["1", "2", "x", "y"]) == 2
    assert find_refused({"a": 1}.__getitem__, ["a", "b"]) == 1

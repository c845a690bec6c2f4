"""The errors evenfold raises, and the warnings that it gives.

EvenfoldError
├── InputTypeError        a TypeError: an argument of a type that evenfold does not accept
├── LeakError             a ValueError: rows that belong together are in two parts
└── InputError            a ValueError: an argument with a wrong value
    ├── ImpossibleSplit   a split that cannot be made of these rows
    └── EngineError       an engine that gave up a task; a second run goes on

AssumptionWarning         a UserWarning: labels that could be read in two ways
CacheWarning              a UserWarning: a damaged file of predictions, which are made anew
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

# Names of columns, labels and files may have any length; advice stands at the end of a message.
_CHARACTERS_OF_START, _CHARACTERS_OF_END = 1_500, 400


def _shorten_message(message: str) -> str:
    """Return a message; of one that is longer than 2,000 characters, the start and the end.

    Parameters
    ----------
    message : str
        A message of any length.

    Returns
    -------
    str
        The message, or its two ends.

    Examples
    --------
    >>> from evenfold.exceptions import _shorten_message
    >>> len(_shorten_message("no such column: " + "x" * 10_000 + ". Rename it."))
    1903
    """
    if len(message) <= _CHARACTERS_OF_START + _CHARACTERS_OF_END + 100:
        return message
    return f"{message[:_CHARACTERS_OF_START]} … {message[-_CHARACTERS_OF_END:]}"


class EvenfoldError(Exception):
    """Base of every error evenfold raises on purpose.

    Parameters
    ----------
    message : str
        What is wrong and what to do. If it is about a parameter, the text after its name.
    parameter : str, default=None
        The parameter that the message is about.

    Attributes
    ----------
    message : str
        The message without the name of the parameter. The command line puts its option there.
    parameter : str or None
        The parameter that the message is about.

    Examples
    --------
    >>> error = evenfold.exceptions.InputError("must be at least 2, got 1.", parameter="parts")
    >>> str(error), error.parameter
    ("'parts' must be at least 2, got 1.", 'parts')
    """

    def __init__(self, message: str, parameter: str | None = None) -> None:
        message = _shorten_message(message)
        super().__init__(message if parameter is None else f"'{parameter}' {message}")
        self.message = message
        self.parameter = parameter


class InputTypeError(EvenfoldError, TypeError):
    """An argument is of a type that evenfold does not accept."""


class InputError(EvenfoldError, ValueError):
    """An argument has a value that cannot be used."""


class ImpossibleSplit(InputError):  # noqa: N818 - names what is wrong, as StopIteration does
    """The split cannot be made of these rows; the message says what to change."""


class EngineError(InputError):
    """An engine gave up a task, because its workers or its scheduler were lost.

    What is done stays in the work folder, so that the same call goes on where it stopped. A split
    of a DataFrame begins again.
    """


class LeakError(EvenfoldError, ValueError):
    """Rows that belong together are in two parts of a split.

    Parameters
    ----------
    failures : sequence of str
        What leaks, one line each.
    certificate : Certificate, default=None
        What was checked.

    Attributes
    ----------
    certificate : Certificate or None
        What was checked and found; `certificate.leaking_pairs` are the pairs.
    pairs : list of LeakingPair
        The pairs of rows that leak; of each search at most 1,000, the most alike.
    """

    def __init__(self, failures: Sequence[str], certificate: Any = None) -> None:
        found = ". ".join(failures)
        super().__init__(
            f"the split leaks. {found}. Join such rows with evenfold.link, and split again."
        )
        # What an exception is unpickled from.
        self.args = (failures, certificate)
        self.certificate = certificate

    def __str__(self) -> str:
        return self.message

    @property
    def pairs(self) -> list[Any]:
        """The pairs of rows that leak."""
        return [] if self.certificate is None else self.certificate.leaking_pairs


class AssumptionWarning(UserWarning):
    """Labels could be read in two ways, and one was assumed; the message says how to be explicit.

    Examples
    --------
    >>> import warnings
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     labels = evenfold.labels.make_labels(["war|art", "art", "war", "art|war"])
    >>> labels.names, said[0].category.__name__
    (['art', 'war'], 'AssumptionWarning')
    """


class CacheWarning(UserWarning):
    """A file of predictions is damaged, so they are made anew; the message names the file."""

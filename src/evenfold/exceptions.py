"""The errors evenfold raises, and the warning that it gives.

EvenfoldError
├── InputTypeError        a TypeError: an argument of a type that evenfold does not accept
└── InputError            a ValueError: an argument with a wrong value
    └── ImpossibleSplit   a split that cannot be made of these rows

AssumptionWarning         a UserWarning: labels that could be read in two ways
"""

from __future__ import annotations


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
        super().__init__(message if parameter is None else f"'{parameter}' {message}")
        self.message = message
        self.parameter = parameter


class InputTypeError(EvenfoldError, TypeError):
    """An argument is of a type that evenfold does not accept."""


class InputError(EvenfoldError, ValueError):
    """An argument has a value that cannot be used."""


class ImpossibleSplit(InputError):  # noqa: N818 - names what is wrong, as StopIteration does
    """The split cannot be made of these rows; the message says what to change."""


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

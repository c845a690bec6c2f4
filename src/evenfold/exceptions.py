"""The errors evenfold raises.

EvenfoldError
├── InputTypeError        a TypeError: an argument of a kind evenfold does not take
└── InputError            a ValueError: a value that cannot be meant
    └── ImpossibleSplit   what is asked for cannot be had from these rows
"""

from __future__ import annotations


class EvenfoldError(Exception):
    """Base of every error evenfold raises on purpose."""


class InputTypeError(EvenfoldError, TypeError):
    """An argument is of a kind that evenfold does not take."""


class InputError(EvenfoldError, ValueError):
    """An argument holds a value that cannot be meant."""


class ImpossibleSplit(InputError):  # noqa: N818 - names what is wrong, as StopIteration does
    """What is asked for cannot be had from these rows; the message says what to change."""

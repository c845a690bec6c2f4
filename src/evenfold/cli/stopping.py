"""Signals to stop, such as Ctrl-C. They take effect even if a library catches their exception."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

import click

_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
_received: list[int] = []


class Unfinished(click.Abort):
    """Ctrl-C in work that the same command takes up again."""


def listen() -> None:
    """Turn signals into exceptions, so that everything is cleaned up.

    Signals that the parent process told this one to ignore stay ignored.
    """
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _receive)
    sys.unraisablehook = _report_unraisable


def stop_if_told() -> None:
    """Stop now if a signal was received whose exception was caught elsewhere.

    Called before anything is written and before an error is reported.
    """
    if _received:
        _stop(_received[0])


@contextmanager
def can_go_on() -> Iterator[None]:
    """Raise `Unfinished` at Ctrl-C, also if a library turned it into another exception."""
    try:
        yield
    except KeyboardInterrupt:
        raise Unfinished from None
    except Exception:
        if signal.SIGINT in _received:
            raise Unfinished from None
        raise


def _report_unraisable(lost: sys.UnraisableHookArgs) -> None:
    """Report exceptions that cannot be raised, except signals, which `stop_if_told` handles."""
    if not isinstance(lost.exc_value, KeyboardInterrupt | SystemExit):
        sys.__unraisablehook__(lost)


def _receive(number: int, _: FrameType | None) -> None:
    _received.append(number)
    _stop(number)


def _stop(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)

"""Signals to stop, such as Ctrl-C. They take effect even if a library catches their exception."""

from __future__ import annotations

import atexit
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
# How many blocks put signals off, and whether one of them has made the outputs appear.
_n_holds = 0
_is_done = False


class Unfinished(click.Abort):
    """Ctrl-C in work that the same command takes up again."""


def listen() -> None:
    """Turn signals into exceptions, so that everything is cleaned up.

    Signals that the parent process told this one to ignore stay ignored.
    """
    global _is_done
    _received.clear()
    _is_done = False
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _receive)
    sys.unraisablehook = _report_unraisable
    # While Python shuts down, it would let them end the process, as if it had not finished.
    atexit.unregister(_ignore)
    atexit.register(_ignore)


def end() -> None:
    """Let no signal stop the command any more, because it has done all; a second one ends it."""
    global _is_done
    _is_done = True


def _ignore() -> None:
    for number in _SIGNALS:
        signal.signal(number, signal.SIG_IGN)


def stop_if_told() -> None:
    """Stop now if a signal was received whose exception was caught elsewhere.

    Called before anything is written and before an error is reported.
    """
    if _received and not _is_done:
        _stop(_received[0])


@contextmanager
def held() -> Iterator[None]:
    """Put signals off until the block ends.

    When it has ended without an error, the outputs are there, and a signal does not stop the
    command any more; a second one ends the process.
    """
    global _n_holds, _is_done
    _n_holds += 1
    try:
        yield
        _is_done = True
    finally:
        _n_holds -= 1


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
    if _is_done:
        signal.signal(number, signal.SIG_DFL)
    elif not _n_holds:
        _stop(number)


def _stop(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)

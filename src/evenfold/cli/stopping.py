"""Ctrl-C and the like: heard even where a library that is just being loaded swallows what they raise."""

from __future__ import annotations

import signal
import sys
from types import FrameType

_SIGNALS = [
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
]
_heard: list[int] = []


def listen() -> None:
    """Stop by way of all that cleans up; a signal that whoever started us has us ignore stays ignored."""
    for number in _SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _hear)
    sys.unraisablehook = _report_but_stops


def stop_if_told() -> None:
    """Stop now if that was asked for and has got lost: before anything is written, and before an error is reported that came of it."""
    if _heard:
        _stop(_heard[0])


def _report_but_stops(lost: sys.UnraisableHookArgs) -> None:
    """Report what was raised where nobody could take it, unless it is a signal, which `stop_if_told` does not forget."""
    if not isinstance(lost.exc_value, KeyboardInterrupt | SystemExit):
        sys.__unraisablehook__(lost)


def _hear(number: int, _: FrameType | None) -> None:
    _heard.append(number)
    _stop(number)


def _stop(number: int) -> None:
    if number == signal.SIGINT:
        raise KeyboardInterrupt
    sys.exit(128 + number)

"""Signals are heard even where what they raise is swallowed."""

import os
import signal

import pytest

from evenfold.cli import stopping


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    """Put the handlers back, and forget what was heard."""
    monkeypatch.setattr(stopping, "_heard", [])
    before = {number: signal.getsignal(number) for number in stopping._SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_ctrl_c_that_was_swallowed_still_stops():
    """As where a library catches whatever is raised while it loads another."""
    stopping.stop_if_told()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stopping.listen()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        stopping.stop_if_told()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_leave_with_their_number(number):
    """By way of all that cleans up."""
    signal.signal(number, signal.SIG_DFL)
    stopping.listen()
    with pytest.raises(SystemExit) as stopped:
        os.kill(os.getpid(), number)
    assert stopped.value.code == 128 + number
    with pytest.raises(SystemExit):
        stopping.stop_if_told()


def test_what_is_to_be_ignored_stays_ignored():
    """As under nohup, or in the background of a script."""
    for number in stopping._SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    stopping.listen()
    for number in stopping._SIGNALS:
        os.kill(os.getpid(), number)
    stopping.stop_if_told()

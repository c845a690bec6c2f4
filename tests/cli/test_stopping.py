"""Signals take effect even if their exception is caught elsewhere."""

import os
import signal
import sys

import pytest

from evenfold.cli import stopping

from ..files.made_files import write_csv


@pytest.fixture(autouse=True)
def _as_before(monkeypatch):
    """Restore the signal handlers and forget received signals."""
    monkeypatch.setattr(stopping, "_received", [])
    monkeypatch.setattr(stopping, "_is_done", False)
    monkeypatch.setattr(sys, "unraisablehook", sys.unraisablehook)
    before = {number: signal.getsignal(number) for number in stopping._SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def test_a_caught_ctrl_c_still_stops():
    """As in a library that catches every exception while it imports another."""
    stopping.stop_if_told()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    stopping.listen()
    with pytest.raises(KeyboardInterrupt):
        os.kill(os.getpid(), signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        stopping.stop_if_told()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_other_signals_leave_with_their_number(number):
    """The exception runs all clean-up code."""
    signal.signal(number, signal.SIG_DFL)
    stopping.listen()
    with pytest.raises(SystemExit) as stopped:
        os.kill(os.getpid(), number)
    assert stopped.value.code == 128 + number
    with pytest.raises(SystemExit):
        stopping.stop_if_told()


def test_ignored_signals_stay_ignored():
    """As under nohup, or in the background of a script."""
    for number in stopping._SIGNALS:
        signal.signal(number, signal.SIG_IGN)
    stopping.listen()
    for number in stopping._SIGNALS:
        os.kill(os.getpid(), number)
    stopping.stop_if_told()


def test_a_signal_does_not_stop_what_has_finished():
    """It is put off while outputs are renamed; a second one ends the process as usual."""
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    stopping.listen()
    with stopping.held():
        os.kill(os.getpid(), signal.SIGTERM)
    stopping.stop_if_told()
    os.kill(os.getpid(), signal.SIGTERM)
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_a_signal_that_was_put_off_stops_what_has_failed():
    """The outputs are not there then."""
    stopping.listen()

    def fail():
        with stopping.held():
            os.kill(os.getpid(), signal.SIGINT)
            raise ValueError("disk full")

    with pytest.raises(ValueError, match="disk full"):
        fail()
    with pytest.raises(KeyboardInterrupt):
        stopping.stop_if_told()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_outputs_are_renamed_comes_too_late(tmp_path, monkeypatch, command, number):
    """The outputs are all there, and the exit code says so."""
    data, link = write_csv(tmp_path / "data.csv"), os.link

    def link_and_signal(*given, **named):
        stopping._receive(number, None)
        return link(*given, **named)

    monkeypatch.setattr("os.link", link_and_signal)
    done = command(f"split {data} --labels genres --folds 2 -o out.csv --manifest m.json -q")
    assert done == (0, "", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv", "m.json", "out.csv"]


def test_nothing_is_written_after_a_caught_signal(tmp_path, monkeypatch, command):
    """Finished temporary files are removed too."""
    data = write_csv(tmp_path / "data.csv")

    def receive_signal(self, target, *others):
        stopping._received.append(signal.SIGINT)
        target.write_text("written")

    monkeypatch.setattr("evenfold.files.formats.delimited.Csv.write_with_column", receive_signal)
    done = command(f"split {data} --labels genres --folds 2 -o out.csv -q")
    assert done.code == 130
    assert sorted(path.name for path in tmp_path.iterdir()) == ["data.csv"]


@pytest.mark.parametrize(
    ("raised", "shown"),
    [(KeyboardInterrupt(), False), (SystemExit(143), False), (ValueError("odd"), True)],
)
def test_a_signal_that_cannot_be_raised_prints_no_traceback(raised, shown, capsys):
    """All other exceptions are reported."""

    class Odd:
        def __del__(self):
            raise raised

    stopping.listen()
    Odd()
    assert ("ValueError: odd" in capsys.readouterr().err) == shown


def test_a_ctrl_c_that_became_another_error_is_ctrl_c():
    """Work that can go on says so, and other errors stay what they are."""
    with pytest.raises(ValueError, match="other"), stopping.can_go_on():
        raise ValueError("other")
    with pytest.raises(stopping.Unfinished), stopping.can_go_on():
        raise KeyboardInterrupt
    stopping._received.append(signal.SIGINT)
    with pytest.raises(stopping.Unfinished), stopping.can_go_on():
        raise ValueError("other")

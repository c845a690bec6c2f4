"""What pytest does differently when tests are measured or meet a mutant: plugins for pytest."""

from __future__ import annotations

import re
import signal
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import hypothesis
import pytest

Work = Callable[[pytest.Session, dict[str, list[pytest.Item]]], None]

# The code of evenfold and of its tests.
OWN_CODE = re.compile(r"/(src/evenfold|tests)/")


class TooSlow(BaseException):
    """A test took more processor time than it may: not an Exception, which a test may catch."""


class QuickFailures:
    """Failures of hypothesis are not made smaller: that one failed is all that counts."""

    def pytest_sessionstart(self) -> None:
        """Take the profile of the tests, without phases after the first failure."""
        hypothesis.settings.register_profile(
            "mutants",
            parent=hypothesis.settings.get_profile("evenfold"),
            phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
            derandomize=True,
            database=None,
        )
        hypothesis.settings.load_profile("mutants")


class TimedTests:
    """Measures the tests, and says which test runs."""

    def __init__(self, most_seconds: float, say: Callable[[str], None]) -> None:
        self.most_seconds = most_seconds
        self.say = say
        self.seconds: dict[str, float] = {}
        self.failed: set[str] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        """Run one test, for no longer than it may."""
        name = item.nodeid
        self.say(name)
        before = time.process_time()
        signal.signal(signal.SIGPROF, stop_test)
        signal.setitimer(signal.ITIMER_PROF, self.most_seconds)
        try:
            return (yield)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            took = time.process_time() - before
            self.seconds[name] = took
            self.say("")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember tests that failed, and those that did not run."""
        if report.outcome != "passed":
            self.failed.add(report.nodeid)


class InsteadOfTests:
    """Calls something with the tests that were collected, instead of running them."""

    def __init__(self, work: Work):
        self.work = work

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Do the work with the tests by their names, and run nothing else."""
        items = defaultdict(list)
        for item in session.items:
            items[item.nodeid].append(item)
            items[item.nodeid.split("[")[0]].append(item)
        self.work(session, items)
        return True


def run_items(session: pytest.Session, items: Sequence[pytest.Item]) -> bool:
    """Run tests until one fails, and return whether all passed."""
    for item, following in zip(items, [*items, None][1:], strict=True):
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if session.testsfailed:
            return False
    return True


def stop_test(signal_number: int, frame: Any) -> None:
    """Stop the test that runs, if it is in its own code: others may hold locks."""
    if frame is not None and OWN_CODE.search(frame.f_code.co_filename):
        raise TooSlow
    signal.setitimer(signal.ITIMER_PROF, 0.01)

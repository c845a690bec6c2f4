"""A few faults of each kind, and whether the judge of faults notices what is wrong."""

import os
import random

import pytest
from reliability.faults import changes, disks, kills, permissions, writers
from reliability.faults.commands import find
from reliability.faults.places import make_place
from reliability.faults.processes import Done
from reliability.faults.verdicts import check_end, check_left, check_sources, check_states

pytestmark = [
    pytest.mark.skipif(not hasattr(os, "fork"), reason="needs copies of a process"),
]
COMMAND = find("split -o file --force")


@pytest.mark.slow
@pytest.mark.parametrize("module", [changes, disks, kills, permissions, writers])
def test_faults_are_survived(module):
    """Three of each kind, drawn anew only if the list of faults changes."""
    rng = random.Random(3)
    for fault in rng.sample(list(module.list_faults(rng)), 3):
        assert fault.inject().problems == [], fault.title


@pytest.fixture
def place():
    """A folder in which a command could run."""
    with make_place(COMMAND) as made:
        yield made


def test_changed_and_lost_sources_are_noticed(place):
    """One byte is enough."""
    assert check_sources(place) == []
    (place.folder / "first.csv").unlink()
    with (place.folder / "data.csv").open("ab") as file:
        file.write(b"x")
    assert check_sources(place) == ["data.csv has changed", "first.csv has changed"]


def test_temporary_files_are_noticed(place):
    """Beside the outputs and in TMPDIR."""
    assert check_left(place) == []
    (place.folder / ".out.csv.evenfold-1").mkdir()
    (place.temporary / "x").touch()
    assert check_left(place) == ["left: .out.csv.evenfold-1, TMPDIR/x"]


@pytest.mark.parametrize(
    ("states", "code", "found"),
    [
        ({"a": "new", "b": "new"}, 0, 0),
        ({"a": "old", "b": "old"}, 1, 0),
        ({"a": "old", "b": "old"}, 0, 1),
        ({"a": "new", "b": "new"}, 1, 1),
        ({"a": "new", "b": "old"}, 130, 2),
        ({"a": "new", "b": "old"}, -9, 0),  # the next run decides
        ({"a": "half", "b": "old"}, -9, 1),
    ],
)
def test_states_of_outputs_are_judged(states, code, found):
    """All are new exactly if the exit code is 0; none is ever half-written."""
    assert len(check_states(states, Done(code, "", ""), may_be_done=False)) == found


@pytest.mark.parametrize(
    ("code", "stderr", "found"),
    [
        (1, "evenfold: data.csv: Permission denied.\n", 0),
        (0, "", 0),
        (143, "", 0),
        (1, "", 1),
        (1, "Traceback (most recent call last):\n", 2),
        (-11, "", 1),
        (1, "evenfold: an error of evenfold itself: KeyError: 1.\n", 1),
    ],
)
def test_messages_and_exit_codes_are_judged(code, stderr, found):
    """A refusal needs a message, and no run ends with a traceback or in a crash."""
    assert len(check_end(Done(code, "", stderr))) == found

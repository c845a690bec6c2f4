"""Small data is cut into as many sections as it has partitions."""

import pytest

from evenfold.scale import sections


@pytest.fixture(autouse=True)
def _small_sections(monkeypatch):
    """Place every partition by itself, as if it were large."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 1)


@pytest.fixture(autouse=True)
def _no_wait_for_disks(monkeypatch):
    """Do not wait until each of the many small files is on the disk."""
    monkeypatch.setattr("os.fsync", lambda _: None)

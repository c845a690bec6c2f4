"""Small data is cut into as many sections as it has partitions."""

import pytest

from evenfold.scale import sections


@pytest.fixture(autouse=True)
def _small_sections(monkeypatch):
    """Place every partition by itself, as if it were large."""
    monkeypatch.setattr(sections, "ENTRIES_OF_SECTION", 1)

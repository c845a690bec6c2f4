"""Settings of the process that shorten the start of a command."""

from __future__ import annotations

import gc
import sys
from typing import Any

# Allocations between two searches for garbage. Imports make many objects that stay; with Python's
# own number, searching them takes a twentieth of a short command.
_GARBAGE_THRESHOLD = 50_000


class PandasHider:
    """A finder of modules that refuses to import pandas.

    Where pandas is installed, Arrow imports it before it converts its first values, which takes
    longer than to split a small file. Arrow needs it only for values of pandas, and the commands
    have none. If the import fails, Arrow does not try again.
    """

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        """Raise ModuleNotFoundError for pandas, and leave all else to the other finders."""
        if name == "pandas":
            raise ModuleNotFoundError("No module named 'pandas'", name=name)


def start_quickly() -> None:
    """Hide pandas, and search for garbage less often."""
    sys.meta_path.insert(0, PandasHider())
    gc.set_threshold(_GARBAGE_THRESHOLD)


def show_pandas() -> None:
    """Let imports of pandas succeed again."""
    sys.meta_path[:] = [each for each in sys.meta_path if not isinstance(each, PandasHider)]

"""Writing files and folders completely or not at all."""

from .leftovers import ScratchFolder
from .staging import finish_killed_runs, staged, write_whole
from .targets import check_target, follow_links

__all__ = [
    "ScratchFolder",
    "check_target",
    "finish_killed_runs",
    "follow_links",
    "staged",
    "write_whole",
]

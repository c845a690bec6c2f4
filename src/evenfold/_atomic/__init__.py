"""Writing files and folders completely or not at all."""

from .exchange import finish_killed_exchange
from .staging import staged, write_whole
from .targets import check_target, follow_links

__all__ = ["check_target", "finish_killed_exchange", "follow_links", "staged", "write_whole"]

"""Which rows belong together: shared group values, copies, and rows that are alike."""

from .link_rows import link
from .linked_rows import Links

__all__ = ["Links", "link"]

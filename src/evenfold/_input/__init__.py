"""Whatever the user hands over → plain arrays; the only place that words errors about it."""

from .label_entries import Entries
from .row_values import check_groups, check_part_of_row
from .seeds import make_rng
from .targets import read_classes, read_labels

__all__ = ["Entries", "check_groups", "check_part_of_row", "make_rng", "read_classes", "read_labels"]

"""Whatever the user hands over → plain arrays; the only place that words errors about it."""

from .balances import Balance, check_balance
from .classes import sort_names
from .hierarchies import check_hierarchy
from .label_entries import Entries, Positions, make_positions
from .row_values import check_groups, check_part_of_row, check_placed
from .seeds import make_rng
from .targets import read_classes, read_labels
from .words import shorten

__all__ = [
    "Balance",
    "Entries",
    "Positions",
    "check_balance",
    "check_groups",
    "check_hierarchy",
    "check_part_of_row",
    "check_placed",
    "make_positions",
    "make_rng",
    "read_classes",
    "read_labels",
    "shorten",
    "sort_names",
]

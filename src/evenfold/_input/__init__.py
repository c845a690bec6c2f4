"""Whatever the user hands over → plain arrays; the only place that words errors about it."""

from .balances import Balance, check_balance
from .hierarchies import check_hierarchy
from .label_entries import Entries
from .row_values import check_groups, check_part_of_row, check_placed
from .seeds import make_rng
from .targets import read_classes, read_labels

__all__ = [
    "Balance",
    "Entries",
    "check_balance",
    "check_groups",
    "check_hierarchy",
    "check_part_of_row",
    "check_placed",
    "make_rng",
    "read_classes",
    "read_labels",
]

"""Labels in the columns of a file: which columns hold them, and what is in these."""

from .choice import LabelChoice, choose_label_columns, read_labels
from .forms import LabelForm, find_form, read_piece, settle_form

__all__ = [
    "LabelChoice",
    "LabelForm",
    "choose_label_columns",
    "find_form",
    "read_labels",
    "read_piece",
    "settle_form",
]

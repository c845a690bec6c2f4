"""Labels in the columns of a file: which columns hold them, and what is in these."""

from .choice import LabelChoice, choose_label_columns, read_labels

__all__ = ["LabelChoice", "choose_label_columns", "read_labels"]

"""scikit-learn splitters and `train_test_split` for multi-label data."""

from .array_splits import train_test_split, train_val_test_split
from .k_folds import (
    MultilabelStratifiedGroupKFold,
    MultilabelStratifiedKFold,
    RepeatedMultilabelStratifiedKFold,
)
from .shuffle_splits import MultilabelStratifiedShuffleSplit

__all__ = [
    "MultilabelStratifiedGroupKFold",
    "MultilabelStratifiedKFold",
    "MultilabelStratifiedShuffleSplit",
    "RepeatedMultilabelStratifiedKFold",
    "train_test_split",
    "train_val_test_split",
]

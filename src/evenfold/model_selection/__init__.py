"""scikit-learn splitters and `train_test_split`, for several labels and for one target."""

from .array_splits import train_test_split, train_val_test_split
from .k_folds import (
    MultilabelStratifiedGroupKFold,
    MultilabelStratifiedKFold,
    RepeatedMultilabelStratifiedKFold,
)
from .one_target import (
    RepeatedStratifiedKFold,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)
from .shuffle_splits import MultilabelStratifiedShuffleSplit

__all__ = [
    "MultilabelStratifiedGroupKFold",
    "MultilabelStratifiedKFold",
    "MultilabelStratifiedShuffleSplit",
    "RepeatedMultilabelStratifiedKFold",
    "RepeatedStratifiedKFold",
    "StratifiedGroupKFold",
    "StratifiedKFold",
    "StratifiedShuffleSplit",
    "train_test_split",
    "train_val_test_split",
]

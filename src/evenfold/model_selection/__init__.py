"""scikit-learn splitters and train_test_split, by the names and signatures people know."""

from .splitters import (
    MultilabelStratifiedGroupKFold,
    MultilabelStratifiedKFold,
    MultilabelStratifiedShuffleSplit,
    RepeatedMultilabelStratifiedKFold,
    train_test_split,
    train_val_test_split,
)

__all__ = [
    "MultilabelStratifiedGroupKFold",
    "MultilabelStratifiedKFold",
    "MultilabelStratifiedShuffleSplit",
    "RepeatedMultilabelStratifiedKFold",
    "train_test_split",
    "train_val_test_split",
]

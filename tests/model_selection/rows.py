"""Rows, labels and splitters that tests of model_selection share."""

import numpy as np
import pytest

import evenfold
from evenfold.methods import METHODS
from evenfold.model_selection import MultilabelStratifiedGroupKFold as GroupKFold
from evenfold.model_selection import MultilabelStratifiedKFold as KFold
from evenfold.model_selection import MultilabelStratifiedShuffleSplit as ShuffleSplit
from evenfold.model_selection import RepeatedMultilabelStratifiedKFold as Repeated
from evenfold.model_selection import train_test_split, train_val_test_split

SEEDED = {
    "KFold": lambda seed: KFold(4, shuffle=True, random_state=seed),
    "GroupKFold": lambda seed: GroupKFold(4, shuffle=True, random_state=seed),
    "Repeated": lambda seed: Repeated(4, n_repeats=2, random_state=seed),
    "ShuffleSplit": lambda seed: ShuffleSplit(3, test_size=0.3, random_state=seed),
}

every_method = pytest.mark.parametrize("method", METHODS)
every_seeded = pytest.mark.parametrize("make", SEEDED.values(), ids=SEEDED)
both_functions = pytest.mark.parametrize("function", [train_test_split, train_val_test_split])


def make_y(n_rows, n_labels=4, density=0.3):
    """Return a 0/1 matrix."""
    return (np.random.default_rng(0).random((n_rows, n_labels)) < density).astype(int)


def make_crowded_y(n_rows):
    """Return many labels per row: methods that do not promise sizes then miss them."""
    return make_y(n_rows, n_labels=10, density=0.5)


def make_data(n_rows=240):
    """Return features, labels that depend on them, and groups of two rows."""
    features = np.random.default_rng(0).normal(size=(n_rows, 3))
    return features, (features > 0.4).astype(int), np.arange(n_rows) % (n_rows // 2)


def list_folds(cv, y, groups=None, features=None):
    """Return the test rows of each fold."""
    return [test.tolist() for _, test in cv.split(features, y, groups)]


def measure_folds(cv, y):
    """Return rLD of the folds."""
    part_of_row = np.empty(len(y), int)
    for number, (_, test) in enumerate(cv.split(None, y)):
        part_of_row[test] = number
    return evenfold.measure(y, part_of_row).rld

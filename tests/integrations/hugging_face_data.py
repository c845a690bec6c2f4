"""A small dataset with a column of each kind, as plain lists."""

import numpy as np

NAMES = ["war", "drama", "crime, true", "comedy"]
N_ROWS = 60
_rng = np.random.default_rng(0)
CODES = [sorted(np.flatnonzero(row).tolist()) for row in _rng.random((N_ROWS, 4)) < 0.4]
KINDS = _rng.integers(-1, 4, N_ROWS).tolist()
PATIENTS = [f"p{at // 3}" for at in range(N_ROWS)]
AGES = _rng.random(N_ROWS).tolist()
# What the rows hold, by name.
LABELS = [[NAMES[code] for code in row] for row in CODES]
CLASSES = [None if code < 0 else NAMES[code] for code in KINDS]


def make_dataset():
    """Return a Dataset of titles, lists of classes, classes, 0 and 1, groups and numbers."""
    from datasets import ClassLabel, Dataset, Features, Sequence, Value

    kind = ClassLabel(names=NAMES)
    features = {
        "title": Value("string"),
        "labels": Sequence(kind),
        "kind": kind,
        "is_war": Value("int8"),
        "is_drama": Value("bool"),
        "patient": Value("string"),
        "age": Value("float64"),
        "about": {"labels": Sequence(kind)},
    }
    columns = {
        "title": [f"title {at}" for at in range(N_ROWS)],
        "labels": CODES,
        "kind": KINDS,
        "is_war": [int(0 in row) for row in CODES],
        "is_drama": [1 in row for row in CODES],
        "patient": PATIENTS,
        "age": AGES,
        "about": [{"labels": row} for row in CODES],
    }
    return Dataset.from_dict(columns, features=Features(features))


def make_dataset_dict():
    """Return the same rows in two splits, train before test."""
    from datasets import DatasetDict

    dataset = make_dataset()
    return DatasetDict(train=dataset.select(range(40)), test=dataset.select(range(40, N_ROWS)))

"""train_test_split and train_val_test_split."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
import sklearn.model_selection as theirs
from scipy import sparse

from .rows import (
    both_functions,
    every_method,
    make_crowded_y,
    make_data,
    make_y,
    train_test_split,
    train_val_test_split,
)


def test_sizes_are_rounded_as_scikit_learn_rounds():
    """Sizes agree for up to 80 rows; what scikit-learn refuses is refused."""

    def sizes_of(function, **sizes):
        try:
            return [len(part) for part in function(y[:n_rows], **sizes)]
        except ValueError:
            return "refused"

    y = make_y(80, n_labels=1, density=0.5)
    for n_rows in (*range(4, 35), 57, 80):
        for size in (None, 0.05, 0.1, 0.15, 0.25, 1 / 3, 0.55, 0.7, 0.9, 3, 7):
            for sizes in (
                {"test_size": size},
                {"train_size": size},
                {"train_size": 0.29, "test_size": size},
            ):
                assert sizes_of(train_test_split, method="random", **sizes) == sizes_of(
                    theirs.train_test_split, **sizes
                ), (n_rows, sizes)


@pytest.mark.parametrize(
    ("n_rows", "sizes"), [(100, {"test_size": 0.55}), (90, {"train_size": 0.7})], ids=str
)
def test_sizes_near_a_whole_number_are_rounded_as_scikit_learn_rounds(n_rows, sizes):
    """For example 0.55 · 100 is 55.000000000000007 in floats, which is rounded up to 56."""
    y = make_y(n_rows)
    assert [len(part) for part in train_test_split(y, **sizes)] == [
        len(part) for part in theirs.train_test_split(y, **sizes)
    ]


@every_method
@pytest.mark.parametrize(
    ("sizes", "expected"),
    [
        ({}, [69, 16, 16]),
        ({"val_size": 10, "test_size": 20}, [71, 10, 20]),
        ({"val_size": 0.2, "test_size": 20, "train_size": 50}, [50, 21, 20]),
        ({"val_size": 0.1, "test_size": None, "train_size": 0.7}, [70, 11, 20]),
        ({"val_size": None, "test_size": 11, "train_size": 60}, [60, 30, 11]),
    ],
    ids=str,
)
def test_three_sizes_are_exact_for_every_method(method, sizes, expected):
    """Val and test are rounded up, train down; the remaining rows are in no part."""
    parts = train_val_test_split(
        np.arange(101), stratify=make_crowded_y(101), random_state=0, method=method, **sizes
    )
    assert [len(part) for part in parts] == expected
    assert len(set(np.concatenate(parts))) == sum(expected)


def test_three_fractions_of_sum_1_use_all_rows():
    """Val and test are rounded up, and train has as many rows fewer."""
    parts = train_val_test_split(
        make_y(25), train_size=0.8, val_size=0.1, test_size=0.1, random_state=0
    )
    assert [len(part) for part in parts] == [19, 3, 3]


def test_three_parts_are_even():
    """Every label is within a row of its share in each part, and arrays have the same rows."""
    y = make_y(400, density=0.2)
    parts = train_val_test_split(np.arange(400), y, random_state=1)
    for rows, own in zip(parts[:3], parts[3:], strict=True):
        assert np.array_equal(y[rows], own)
        assert np.abs(own.sum(axis=0) - y.sum(axis=0) * len(own) / 400).max() <= 1


@both_functions
def test_seeds_reproduce_splits(function):
    """Only equal numbers give equal splits; None and a RandomState give new ones."""
    y, state = make_y(240), np.random.RandomState(0)
    splits = [
        str(function(np.arange(240), stratify=y, random_state=seed))
        for seed in (1, 1, 2, None, None, state, state)
    ]
    assert splits[0] == splits[1]
    assert len(set(splits)) == 6


def test_parts_have_the_type_of_their_array():
    """All arrays have the same rows, train before test; pandas keeps its index."""
    features, y, _ = make_data(40)
    index = np.random.default_rng(0).permutation(40)
    frame, column = (
        pd.DataFrame(features, index=index),
        pd.Series(range(40), index=index, name="own"),
    )
    texts, wide, tall = (
        [f"text {row}" for row in range(40)],
        pl.DataFrame(features),
        pl.Series(range(40)),
    )
    arrays = [
        np.arange(40),
        features,
        texts,
        frame,
        column,
        wide,
        tall,
        sparse.csr_array(features),
        y,
    ]
    out = train_test_split(*arrays, test_size=0.25, random_state=0)
    assert [type(part) for part in out] == [type(array) for array in arrays for _ in range(2)]
    for at, rows in enumerate(out[:2]):
        own = out[at::2]
        assert own[2] == [f"text {row}" for row in rows]
        assert own[3].equals(frame.iloc[rows])
        assert own[4].equals(column.iloc[rows])
        assert own[5].equals(wide[rows])
        assert own[6].to_list() == rows.tolist()
        assert np.array_equal(own[7].toarray(), features[rows])
        assert np.array_equal(own[1], features[rows])
        assert np.array_equal(own[8], y[rows])


def test_labels_are_those_of_stratify_or_the_last_array():
    """The last array is split in its own form; labels in `stratify` have priority."""
    y = make_y(40)
    rows, _ = train_test_split(np.arange(40), stratify=y, random_state=0)
    assert np.array_equal(
        train_test_split(np.arange(40), np.repeat([0, 1], 20), stratify=y, random_state=0)[0], rows
    )
    for given in (pd.DataFrame(y), pl.DataFrame(y), sparse.csr_matrix(y), y.tolist()):
        own_rows, _, train, test = train_test_split(np.arange(40), given, random_state=0)
        assert np.array_equal(own_rows, rows)
        assert type(train) is type(test) is type(given)
        assert np.array_equal(
            train.toarray() if sparse.issparse(train) else np.asarray(train), y[rows]
        )

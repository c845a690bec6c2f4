"""`balance` in its forms: the same columns give the same split."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

import evenfold
from evenfold.labels.balances import check_balance

FLAGS = np.random.default_rng(3).random((40, 3)) < 0.3


@pytest.mark.parametrize(
    "balance",
    [
        FLAGS,
        FLAGS.tolist(),
        sparse.csr_array(FLAGS),
        pd.DataFrame(FLAGS),
        dict(enumerate(FLAGS.T)),
    ],
    ids=["array", "lists", "sparse", "frame", "mapping"],
)
def test_booleans_are_categories_in_every_form(balance):
    """A matrix and the mapping of its columns give the same split."""
    columns = check_balance(balance, 40)
    assert [column.amount for column in columns] == [None] * 3
    expected = evenfold.split(None, 4, balance=dict(enumerate(FLAGS.T))).part_of_row
    assert np.array_equal(evenfold.split(None, 4, balance=balance).part_of_row, expected)


def test_the_index_of_a_balance_is_kept_without_labels():
    """The frame of a split by balance alone fits the frame given."""
    df = pd.DataFrame({"age": [3, 1, 4, 1, 5, 9]}, index=[7, 3, 5, 1, 0, 2])
    assert evenfold.split(None, 2, balance=df).to_frame().index.tolist() == df.index.tolist()

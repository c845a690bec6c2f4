"""One value per row: groups in every form."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import evenfold
from evenfold.exceptions import InputError, InputTypeError
from evenfold.labels.row_values import check_part_of_row, check_placed

N = 57
Y = (np.random.default_rng(5).random((N, 12)) < 0.9 / np.arange(1, 13)).astype(np.int64)
GROUPS = [f"patient {i // 3}" for i in range(N)]


@pytest.mark.parametrize(
    "groups",
    [
        GROUPS,
        tuple(GROUPS),
        np.array(GROUPS),
        np.array(GROUPS, dtype=object),
        pd.Series(GROUPS),
        pd.Series(GROUPS, dtype="category"),
        pl.Series(GROUPS),
        pa.array(GROUPS),
        np.arange(N) // 3,
        -(np.arange(N) // 3),
        [i // 3 + 0.5 for i in range(N)],
        pd.Series(np.arange(N) // 3),
    ],
    ids=lambda groups: f"{type(groups).__module__}.{type(groups).__name__}",
)
def test_groups_in_every_form_give_the_same_split(groups):
    """The split depends on which rows belong together, not on the names of groups."""
    expected = evenfold.split(Y, 3, groups=np.arange(N) // 3 + 100).part_of_row
    assert np.array_equal(evenfold.split(Y, 3, groups=groups).part_of_row, expected)


def test_true_is_no_part_number():
    """Neither among old parts nor among placed rows."""
    with pytest.raises(InputTypeError, match="must hold part numbers or part names, got True"):
        check_part_of_row([True, 0, 1], 3, "part_of_row")
    with pytest.raises(InputError, match=r"must name a part for each row .*, got True at row 1"):
        check_placed([0, True, 1], 3, ["a", "b"], "fixed", free=False)


def test_a_split_is_not_the_part_of_each_row():
    """The message names what to pass."""
    s = evenfold.split([["a"], ["b"]] * 4, 2)
    message = r"'part_of_row' must be the part of each row, got Split\. Pass its 'part_of_row'\."
    with pytest.raises(InputTypeError, match=message):
        evenfold.measure([["a"], ["b"]] * 4, s)


def test_names_of_parts_are_in_the_order_of_their_numbers():
    """Also those of the same number, whatever the order of a set of them, and very long ones."""
    names = ["a10", "a2", "a02", "a002", "a" + "9" * 5000, "a" + "1" * 5000]
    for rows in (names, names[::-1]):
        assert check_part_of_row(rows, len(rows))[1] == [
            "a002", "a02", "a2", "a10", "a" + "1" * 5000, "a" + "9" * 5000
        ]  # fmt: skip

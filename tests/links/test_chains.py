"""The value is found without which the largest group falls into the smallest pieces."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold._kernels.links import weigh_pieces
from evenfold.links.chains import _find_rows_left, describe_largest
from evenfold.links.group_columns import GroupColumn, join_columns, read_groups

cells = st.one_of(st.none(), st.integers(0, 4))


@settings(deadline=None, max_examples=60)
@given(st.lists(st.tuples(cells, cells), min_size=2, max_size=14), st.booleans())
def test_rows_left_are_those_of_joining_again(rows, compiled):
    """Without each value in turn, the columns are joined again."""
    groups = {"a": [a for a, _ in rows], "b": [b for _, b in rows]}
    read = read_groups(groups, len(rows))
    own = np.flatnonzero(read.group_of_row == np.bincount(read.group_of_row).argmax())
    columns = [
        GroupColumn("c", np.unique(column.code_of_row[own], return_inverse=True)[1])
        for column in read.columns
        if (column.code_of_row[own] >= 0).all()
    ]
    if not columns or join_columns(columns).max() > 0:
        return
    expected = []
    for at, column in enumerate(columns):
        for code in range(column.n_values):
            without = np.where(column.code_of_row == code, -1, column.code_of_row)
            others = [*columns[:at], column._replace(code_of_row=without), *columns[at + 1 :]]
            expected.append(np.bincount(join_columns(others)).max())
    form = weigh_pieces.compiled if compiled else weigh_pieces.function
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weigh_pieces, "for_work", lambda n_steps: form)
        assert _find_rows_left(columns).tolist() == expected


def test_the_bridge_between_two_dense_halves_is_named():
    """Not the values that occur with most others."""
    rng = np.random.default_rng(0)
    patient = [f"p{half}-{number}" for half in (0, 1) for number in rng.integers(0, 30, 500)]
    study = [f"s{half}-{number}" for half in (0, 1) for number in rng.integers(0, 30, 500)]
    groups = {"patient": [*patient, "bridge", "bridge"], "study": [*study, "s0-3", "s1-4"]}
    read = read_groups(groups, 1002)
    assert "It is chained by patient 'bridge', which occurs with 2 values of other columns; " in (
        text := describe_largest(read.columns, read.group_of_row)
    )
    assert text.endswith("without it, the largest piece would have 501 rows.")


def test_the_middle_of_a_chain_is_named():
    """It leaves the smallest pieces."""
    row = np.arange(401)
    links = evenfold.link(groups={"a": [*(row // 2), 999], "b": [*((row + 1) // 2), 999]})
    text = " ".join(str(links).split())
    assert "without it, the largest piece would have 201 rows." in text

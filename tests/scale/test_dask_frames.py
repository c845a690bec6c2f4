"""What workers do with partitions of Dask DataFrames; neither Dask nor a cluster is needed."""

import numpy as np
import pandas as pd
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.scale.dask_frames import return_error, write_frame


@pytest.mark.parametrize(
    "values",
    [
        [np.array(["a", "b"], object), np.array(["c"], object)],
        [np.array(["it's", "b, c"]), np.array([], object), None],
        [np.arange(50), np.array([7])],
    ],
)
def test_text_of_arrays_is_refused(values, tmp_path):
    """Dask makes it of objects; labels read from it would be wrong."""
    cells = pd.array([None if each is None else str(each) for each in values], "string")
    frame = pd.DataFrame({"id": range(len(values)), "labels": cells})
    with pytest.raises(InputError, match=r"'data' must hold lists, got .* 'labels', ") as raised:
        write_frame(str(tmp_path / "0.parquet"), frame, False)
    assert "dask.config.set({'dataframe.convert-string': False})" in str(raised.value)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "values",
    [
        [["a", "b"], ["c"], []],
        ["['a', 'b']", "['c']", "[]"],
        ["[1 2]", "a text"],
        ["[0.5 0.25]", "[0.125 1.0]"],
        ["['a']", "[]"],
        [None, None],
    ],
)
def test_lists_and_other_text_are_written(values, tmp_path):
    """The text of lists can be read."""
    path = str(tmp_path / "0.parquet")
    write_frame(path, pd.DataFrame({"labels": values}), False)
    assert pq.read_table(path)["labels"].to_pylist() == values


def test_index_is_written_where_it_is_kept(tmp_path):
    """It is a column, which pandas reads as the index."""
    frame = pd.DataFrame({"labels": ["a", "b"]}, pd.Index([7, 3], name="key"))
    for keep_index, names in [(True, ["labels", "key"]), (False, ["labels"])]:
        path = tmp_path / f"{keep_index}.parquet"
        write_frame(str(path), frame, keep_index)
        assert pq.read_schema(path).names == names
    pd.testing.assert_frame_equal(pd.read_parquet(tmp_path / "True.parquet"), frame)


def refuse(number):
    """Refuse 3, and divide by others."""
    if number == 3:
        raise InputError("must not be 3.", parameter="number")
    return 1 / number


def test_only_errors_of_evenfold_are_returned():
    """Others are errors of a program, and are raised."""
    assert str(return_error(refuse, 3)) == "'number' must not be 3."
    assert return_error(refuse, 1) is None
    with pytest.raises(ZeroDivisionError, match="division by zero"):
        return_error(refuse, 0)

"""Copies are numbered as a slow comparison of all rows numbers them."""

import datetime

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import sparse

from evenfold.exceptions import InputError, InputTypeError
from evenfold.links.copies import number_equal_files, number_equal_rows


def number_slowly(rows, is_equal):
    """Compare each row with the first row of each number."""
    firsts, numbers = [], []
    for row in rows:
        number = next((at for at, first in enumerate(firsts) if is_equal(first, row)), len(firsts))
        firsts += [row] if number == len(firsts) else []
        numbers.append(number)
    return numbers


@given(
    arrays(
        st.sampled_from([np.float64, np.float32, np.int64, np.uint8, bool]),
        st.tuples(st.integers(0, 12), st.integers(1, 3)),
        elements=st.integers(0, 1),
    ),
    st.lists(st.tuples(st.integers(0, 11), st.integers(0, 2)), max_size=8),
)
def test_rows_of_numbers_are_numbered_by_value(matrix, missing):
    """NaN equals NaN and 0 equals -0; rows of NaN alone are -1; sparse as dense."""
    if matrix.dtype.kind == "f":
        matrix = np.where(matrix == 0, np.float32(-0.0), matrix).astype(matrix.dtype)
        matrix[::2] = np.abs(matrix[::2])
        for row, column in missing:
            if row < matrix.shape[0] and column < matrix.shape[1]:
                matrix[row, column] = np.nan
    is_gone = np.isnan(matrix.astype(float)).all(axis=1)
    expected = np.full(len(matrix), -1)
    expected[~is_gone] = number_slowly(
        matrix[~is_gone].astype(float), lambda one, other: np.array_equal(one, other, True)
    )
    assert np.array_equal(number_equal_rows(matrix), expected)
    assert np.array_equal(number_equal_rows(np.asfortranarray(matrix)), expected)
    if not is_gone.any():
        assert np.array_equal(number_equal_rows(sparse.coo_array(matrix)), expected)
    if matrix.dtype != np.float32:
        assert np.array_equal(number_equal_rows(pd.DataFrame(matrix)), expected)


def test_sparse_rows_are_compared_by_value():
    """Stored zeros and repeated entries do not matter; empty rows are equal."""
    rows = sparse.csr_matrix(([1.0, 1.0, 2.0, 0.0], ([0, 0, 1, 2], [3, 3, 3, 1])), shape=(4, 5))
    assert number_equal_rows(rows).tolist() == [0, 0, 1, 1]


def test_frames_are_compared_in_all_columns():
    """Text is normalised, missing cells are equal, rows without any value are -1."""
    columns = {
        "name": ["Ann", "ann ", None, "Bob", "", "Bob"],
        "age": [3.5, 3.5, None, None, None, None],
        "born": [datetime.date(2020, 1, 1)] * 2 + [None] * 4,
    }
    for frame in (pl.DataFrame(columns), pd.DataFrame(columns), pl.DataFrame(columns).to_arrow()):
        assert number_equal_rows(frame).tolist() == [0, 0, -1, 1, -1, 1]


@pytest.mark.parametrize("make", [list, pd.Series, pl.Series, np.array])
def test_texts_are_compared_after_normalising(make):
    """Empty text joins nothing."""
    assert number_equal_rows(make(["A b", "", "a  B", "c", " "])).tolist() == [0, -1, 0, 1, -1]


def test_columns_of_numbers_are_compared_by_value():
    """A missing number joins nothing."""
    assert number_equal_rows([3, 4, 3]).tolist() == [0, 1, 0]
    assert number_equal_rows(np.array([3.0, np.nan, 3.0, np.nan])).tolist() == [0, -1, 0, -1]


def test_tuples_are_compared_by_value():
    """Of any length and with anything in them."""
    rows = [
        ("A", 1),
        ("a", 1.0),
        ("a", 2),
        ("a",),
        (None, np.nan),
        ("x", [1, "B"]),
        ("x", (1, "b")),
    ]
    assert number_equal_rows(rows).tolist() == [0, 0, 1, 2, -1, 3, 3]


def test_arrays_of_objects_are_compared_by_value():
    """Text in a matrix is normalised too."""
    rows = np.array([["A", 1], ["a", 1], ["b", None], [None, None]], object)
    assert number_equal_rows(rows).tolist() == [0, 0, 1, -1]


def test_cells_of_any_type_are_compared():
    """Lists, arrays, dicts and sets in a frame."""
    frame = pd.DataFrame(
        {
            "list": [[1, 2], np.array([1, 2]), [2, 1]],
            "dict": [{"a": 1, "b": "X"}, {"b": "x", "a": 1}, {}],
            "set": [{1, 2}, {2, 1}, set()],
        }
    )
    assert number_equal_rows(frame).tolist() == [0, 0, 1]


def test_times_that_python_does_not_have_are_compared():
    """Arrow counts them in 64 bits; rows are copies if the numbers are equal."""
    long = pa.array([2**62, 5, 2**62, None], pa.duration("s"))
    late = pa.array([2**62, 5, 2**62, None], pa.timestamp("us"))
    days = pa.array([2**30, 5, 2**30, None], pa.date32())
    table = pa.table({"long": long, "late": late, "days": days})
    assert number_equal_rows(table).tolist() == [0, 1, 0, -1]


def test_wrong_rows_are_refused():
    """Another length, no columns, values that have no equality, no rows at all."""
    with pytest.raises(
        InputError, match="'copies' must have one entry for each of the 4 rows, got"
    ):
        number_equal_rows(np.zeros((3, 2)), 4)
    for empty in (np.zeros((3, 0)), pd.DataFrame(index=[0, 1]), np.zeros((3, 0), object)):
        with pytest.raises(InputError, match="'copies' must have at least one column, got none"):
            number_equal_rows(empty)
    with pytest.raises(InputTypeError, match=r"can be compared, got bytearray\(b'x'\) at row 1"):
        number_equal_rows(["a", bytearray(b"x")])
    with pytest.raises(InputTypeError, match="'copies' must be an array with one entry per row"):
        number_equal_rows("text")


def test_files_are_compared_by_content(tmp_path):
    """Files of one size are read; empty files and missing paths join nothing."""
    content = {"a": b"one", "b": b"two", "c": b"one", "d": b"three", "e": b"", "f": b""}
    for name, data in content.items():
        (tmp_path / name).write_bytes(data)
    paths = [tmp_path / name for name in content]
    paths = [str(paths[0]), *paths[1:], None, "", paths[3]]
    assert number_equal_files(paths).tolist() == [0, 1, 0, 2, -1, -1, -1, -1, 2]
    assert number_equal_files(pd.Series([str(tmp_path / "b")] * 2), 2).tolist() == [0, 0]


def test_files_of_other_sizes_are_not_read(tmp_path, monkeypatch):
    """A size that is the only one of its kind needs no hash."""
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"22")
    monkeypatch.setattr("evenfold.links.copies._digest_file", None)
    assert number_equal_files([tmp_path / "a", tmp_path / "b"]).tolist() == [0, 1]


def test_files_that_cannot_be_read_are_refused(tmp_path, monkeypatch):
    """The error has the path and the row."""
    (tmp_path / "a").write_bytes(b"1")
    (tmp_path / "b").write_bytes(b"2")
    good = tmp_path / "a"
    with pytest.raises(InputError, match=r"'files' must name files .*gone' at row 1: No such file"):
        number_equal_files([good, tmp_path / "gone"])
    with pytest.raises(InputError, match=r"at row 2: it is no file\. Correct the path"):
        number_equal_files([good, None, tmp_path])
    with pytest.raises(InputError, match=r"at row 0: .*null"):
        number_equal_files(["a\0b"])
    with pytest.raises(InputTypeError, match="'files' must hold paths of files, got 3 at row 1"):
        number_equal_files([good, 3])

    def refuse(self, mode):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("pathlib.Path.open", refuse)
    with pytest.raises(InputError, match="a' at row 0: Permission denied"):
        number_equal_files([good, tmp_path / "b"])

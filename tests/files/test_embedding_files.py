"""Embeddings from files and from columns of lists or of numbers."""

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from scipy import sparse

from evenfold.exceptions import InputError
from evenfold.files.embedding_files import (
    is_embedding_file,
    read_embedding_columns,
    read_embedding_file,
)
from evenfold.files.registry import open_data

NUMBERS = np.array([[1.5, 0.0, 2.0], [0.0, -3.0, 4.0], [7.0, 0.0, 0.5]])


def write_csv(path):
    """Write a column for each dimension."""
    rows = [",".join(map(str, row)) for row in NUMBERS.tolist()]
    path.write_text("\n".join(["x,y,z", *rows, ""]))


def write_lists(path, kind):
    """Write one column of lists."""
    column = pa.array(NUMBERS.tolist(), kind)
    pq.write_table(pa.table({"id": [1, 2, 3], "vector": column}), path)


WRITERS = {
    "e.npy": lambda path: np.save(path, NUMBERS),
    "e.npz": lambda path: np.savez(path, X=NUMBERS, other=np.ones((3, 1))),
    "sparse.npz": lambda path: sparse.save_npz(path, sparse.csr_array(NUMBERS)),
    "e.csv": write_csv,
    "e.feather": lambda path: pa.feather.write_feather(
        pa.table(dict(zip("xyz", NUMBERS.T, strict=True))), path
    ),
    "e.parquet": lambda path: pq.write_table(pa.table({"vector": NUMBERS.tolist()}), path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_form_gives_the_same_matrix(name, tmp_path):
    """Arrays, sparse matrices, columns of numbers and one column of lists."""
    path = tmp_path / name
    WRITERS[name](path)
    assert is_embedding_file(str(path))
    matrix = read_embedding_file(path, "--similar")
    np.testing.assert_array_equal(matrix.toarray() if sparse.issparse(matrix) else matrix, NUMBERS)


@pytest.mark.parametrize(
    "kind",
    [pa.list_(pa.float64()), pa.list_(pa.float32(), 3), pa.large_list(pa.float64())],
    ids=str,
)
def test_every_kind_of_lists_is_read(kind, tmp_path):
    """By the name of the column, as an array."""
    write_lists(tmp_path / "data.parquet", kind)
    file = open_data(str(tmp_path / "data.parquet"))
    matrix = read_embedding_columns(file, ["vector"], "--similar")
    assert isinstance(matrix, np.ndarray)
    np.testing.assert_array_equal(matrix, NUMBERS)


@pytest.mark.parametrize(
    "rows",
    [[[1.0], [1.0, 2.0]], [[1.0, 2.0, 3.0], [1.0]], [[1.0], None], [[1.0], [None]], [[], []]],
)
def test_lists_of_several_lengths_stay_lists(rows, tmp_path):
    """The search says which row is wrong."""
    pq.write_table(
        pa.table({"vector": pa.array(rows, pa.list_(pa.float64()))}), tmp_path / "d.parquet"
    )
    file = open_data(str(tmp_path / "d.parquet"))
    assert read_embedding_columns(file, ["vector"], "--similar") == rows


def test_columns_are_chosen_by_pattern(tmp_path):
    """In the order of the file."""
    write_csv(tmp_path / "e.csv")
    file = open_data(str(tmp_path / "e.csv"))
    np.testing.assert_array_equal(
        read_embedding_columns(file, ["[zx]"], "--similar"), NUMBERS[:, [0, 2]]
    )
    assert not is_embedding_file("emb_*")


@pytest.mark.parametrize(
    ("name", "write", "message"),
    [
        ("no.npy", lambda _: None, "--similar .*no.npy: no such file"),
        ("e.npy", lambda path: path.write_bytes(b"x"), "--similar .*: cannot be read as npy"),
        (
            "e.npy",
            lambda path: np.save(path, np.array([{}], dtype=object)),
            "--similar .*: cannot be read as npy",
        ),
        (
            "e.npz",
            lambda path: np.savez(path, a=NUMBERS, b=NUMBERS),
            "--similar .*: does not say which array to take",
        ),
        ("e.svm", lambda path: path.write_text("1 1:1\n"), "has no columns"),
        ("e.csv", lambda path: path.write_text("a,b\n1,x\n"), "Leave it out of --similar"),
    ],
)
def test_wrong_files_are_refused(name, write, message, tmp_path):
    """With the option, or the file, and what to do."""
    write(tmp_path / name)
    with pytest.raises(InputError, match=message):
        read_embedding_file(tmp_path / name, "--similar")

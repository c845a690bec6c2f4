"""npz: sparse matrices and arrays are read, and their rows written to parts."""

import re
import zipfile

import numpy as np
import pyarrow as pa
import pytest
from scipy import sparse

from evenfold.exceptions import InputError
from evenfold.files.formats.npz import Npz

from .part_files import write_parts

Y = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 1], [1, 0, 0]])


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("compressed", [True, False])
def test_sparse_npz_parts_hold_their_rows_in_the_same_form(tmp_path, kind, compressed):
    """Format, type, class and compression stay; labels are those of the matrix."""
    path = tmp_path / "y.npz"
    sparse.save_npz(path, sparse.csr_array(Y.astype(np.int16)).asformat(kind), compressed)
    file = Npz(path)
    assert file.read_own_labels().to_csr().toarray().tolist() == Y.tolist()
    for target, rows in zip(write_parts(file, tmp_path, [1, 0, 1, -1]), ([1], [0, 2]), strict=True):
        part = sparse.load_npz(target)
        assert (part.format, part.dtype, type(part).__name__) == (kind, np.int16, f"{kind}_array")
        assert part.toarray().tolist() == Y[rows].tolist()
        with zipfile.ZipFile(target) as archive:
            assert {info.compress_type == zipfile.ZIP_DEFLATED for info in archive.infolist()} == {
                compressed
            }
        assert Npz(target).read_own_labels().to_csr().toarray().tolist() == Y[rows].tolist()


def test_entries_stored_twice_stay_so(tmp_path):
    """A coordinate matrix may hold an entry twice; it is one label and must not become 2."""
    path = tmp_path / "y.npz"
    sparse.save_npz(path, sparse.coo_matrix(([1, 1, 1], ([1, 1, 0], [0, 0, 1])), shape=(2, 2)))
    target = write_parts(Npz(path), tmp_path, [-1, 0], 1)[0]
    assert sparse.load_npz(target).data.tolist() == [1, 1]
    assert Npz(target).read_own_labels().to_csr().toarray().tolist() == [[1, 0]]


def make_arrays():
    """Return images, labels and two columns of the same rows."""
    image = np.arange(4 * 6, dtype=np.float32).reshape(4, 2, 3)
    return {
        "x": np.asfortranarray(image),
        "y": Y.astype(bool),
        "patient": np.array(["a", "ü", "a", "b"]),
        "site": np.array([b"k", b"l", b"k", b"\xc3\xbc"]),
    }


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_of_npz_are_split_row_by_row(tmp_path, save):
    """Name, order, type and compression stay; the same rows give the same bytes."""
    path = tmp_path / "data.npz"
    arrays = make_arrays()
    save(path, **arrays)
    file = Npz(path)
    for target, rows in zip(write_parts(file, tmp_path, [1, 0, 1, -1]), ([1], [0, 2]), strict=True):
        part = np.load(target)
        assert part.files == list(arrays)
        assert all(
            part[name].dtype == array.dtype and part[name].tolist() == array[rows].tolist()
            for name, array in arrays.items()
        )
        with zipfile.ZipFile(target) as archive:
            assert {info.compress_type == zipfile.ZIP_DEFLATED for info in archive.infolist()} == {
                save is np.savez_compressed
            }
    before = (tmp_path / "part0").read_bytes()
    assert write_parts(file, tmp_path, [1, 0, 1, -1])[0].read_bytes() == before
    with pytest.raises(
        InputError, match=r"data.npz: no longer holds the 3 rows whose labels were read"
    ):
        write_parts(file, tmp_path, [0, 0, 1])


def test_columns_of_npz_are_its_one_dimensional_arrays(tmp_path, monkeypatch):
    """They can be read in batches, bytes as text, and another can be added."""
    monkeypatch.setattr("evenfold.files.formats.npz._ROWS_AT_ONCE", 3)
    path, target = tmp_path / "data.npz", tmp_path / "out"
    np.savez_compressed(path, **make_arrays())
    file = Npz(path)
    assert (list(file.columns), list(file.label_columns)) == (["patient", "site"], [])
    batches = list(file.read_batches(["site", "patient"]))
    assert [batch.num_rows for batch in batches] == [3, 1]
    assert pa.Table.from_batches(batches).to_pydict() == {
        "site": ["k", "l", "k", "ü"],
        "patient": ["a", "ü", "a", "b"],
    }
    file.write_with_column(target, "part", ["train", "test"], np.array([0, 1, 1, -1], np.int32))
    assert np.load(target)["part"].tolist() == ["train", "test", "test", ""]
    assert np.load(target)["x"].tolist() == make_arrays()["x"].tolist()
    with pytest.raises(InputError, match=r"data.npz: has an array 'site' already"):
        file.write_with_column(target, "site", ["a"], np.zeros(4, np.int32))


@pytest.mark.parametrize(
    ("arrays", "found", "label_columns"),
    [
        ({"x": Y + 0.5, "labels": Y}, Y, []),
        ({"tags": Y, "age": [1, 2, 3, 4]}, Y, []),
        ({"x": Y + 0.5, "y": [0, 1, 2, 1]}, None, ["y"]),
        ({"a": Y, "b": Y}, None, []),
        ({"age": [1, 2]}, None, []),
    ],
)
def test_the_label_matrix_is_found_by_name_or_as_the_only_table(
    tmp_path, arrays, found, label_columns
):
    """An array y, Y or labels has priority; of one dimension, it is a column of labels."""
    path = tmp_path / "data.npz"
    np.savez(path, **arrays)
    labels = Npz(path).read_own_labels()
    assert labels is None if found is None else labels.to_csr().toarray().tolist() == found.tolist()
    assert list(Npz(path).label_columns) == label_columns


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        (
            {"y": Y * 2},
            "data.npz: 'y' holds values other than 0, 1 and NaN: 5 of them, "
            "first 2 at row 0, label 0",
        ),
        ({"y": np.empty((0, 3))}, "data.npz: 'y' must have at least one row"),
        (
            {"y": Y, "names": np.array(["a", None], object)},
            "data.npz: array 'names' holds pickled Python objects",
        ),
        ({"y": Y, "seeds": ["a", "b"]}, "data.npz: array 'seeds' has 2 rows, array 'y' 4 rows"),
        ({"seed": 1, "y": Y}, "data.npz: array 'seed' has a single value, array 'y' 4 rows"),
        ({}, "data.npz: holds no arrays"),
    ],
)
def test_wrong_arrays_are_refused(tmp_path, arrays, message):
    """The message has the array, and what is wrong with it."""
    np.savez(tmp_path / "data.npz", **arrays)
    with pytest.raises(InputError, match=message):
        Npz(tmp_path / "data.npz").read_own_labels()


def test_sparse_matrices_that_are_no_labels_are_refused(tmp_path):
    """Other values, and another number of rows."""
    path = tmp_path / "y.npz"
    sparse.save_npz(path, sparse.csr_array(Y * 3))
    with pytest.raises(
        InputError,
        match=r"y.npz: 'y' holds values other than 0, 1 and NaN: 5 of them, first 3 at row 0",
    ):
        Npz(path).read_own_labels()
    with pytest.raises(
        InputError, match=r"y.npz: no longer holds the 5 rows whose labels were read"
    ):
        write_parts(Npz(path), tmp_path, [0] * 5)


@pytest.mark.parametrize(
    "keep",
    [slice(0, 0), slice(0, 700), slice(0, -5), slice(30, None)],
    ids=["nothing", "beginning", "nearly all", "end"],
)
def test_a_damaged_npz_is_refused(tmp_path, keep):
    """The message has the path, wherever the archive is cut."""
    path = tmp_path / "data.npz"
    np.savez(path, **make_arrays())
    path.write_bytes(path.read_bytes()[keep])
    with pytest.raises(InputError, match=r"data.npz: cannot be read as npz"):
        Npz(path)
    with pytest.raises(FileNotFoundError, match=r"missing\.npz"):
        Npz(tmp_path / "missing.npz")


def test_a_flipped_byte_of_an_array_is_noticed(tmp_path):
    """Damage behind the header is found when the array is read."""
    path = tmp_path / "data.npz"
    np.savez(path, y=Y)
    content = bytearray(path.read_bytes())
    content[content.index(b"NUMPY") + 130] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"data.npz: cannot be read as npz: Bad CRC-32"):
        Npz(path).read_own_labels()


def test_a_sparse_matrix_with_positions_outside_it_is_refused(tmp_path):
    """SciPy alone would read it."""
    path = tmp_path / "y.npz"
    sparse.save_npz(path, sparse.csr_array(np.eye(3)))
    with np.load(path) as archive:
        arrays = {**archive, "indices": np.array([0, 7, 2], np.int32)}
    np.savez(path, **arrays)
    with pytest.raises(InputError, match=r"y.npz: cannot be read as npz: "):
        Npz(path).read_own_labels()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        (b"(6, 3), }", b"(6, 3(, }", "EOF in multi-line statement"),
        (b"(6, 3), }", b"(9999999999, 3), }", "the header of y.npy does not fit its 144 bytes"),
        (b"(6, 3), }", b"(6, 2), }", "the header of y.npy does not fit its 144 bytes"),
        (b"(6, 3), }", b"(-6, 3), }", "the header of y.npy does not fit its 144 bytes"),
    ],
)
def test_a_header_that_does_not_fit_is_refused(tmp_path, old, new, reason):
    """Before the memory that it asks for is taken."""
    np.savez(tmp_path / "data.npz", y=np.eye(6, 3, dtype=np.int64))
    with zipfile.ZipFile(tmp_path / "data.npz") as archive:
        content = archive.read("y.npy")
    blanks = b" " * (len(new) - len(old))
    content = content.replace(old + blanks, new, 1)
    assert new in content
    with zipfile.ZipFile(tmp_path / "data.npz", "w") as archive:
        archive.writestr("y.npy", content)
    with pytest.raises(InputError, match=re.escape(reason)):
        Npz(tmp_path / "data.npz")


def test_two_arrays_of_one_name_are_refused(tmp_path):
    """One of them would be read, and both written."""
    np.savez(tmp_path / "data.npz", y=np.eye(3))
    with (
        zipfile.ZipFile(tmp_path / "data.npz", "a") as archive,
        pytest.warns(UserWarning, match="Duplicate"),
    ):
        archive.writestr("y.npy", archive.read("y.npy"))
    with pytest.raises(InputError, match=r"cannot be read as npz: two arrays are named 'y'"):
        Npz(tmp_path / "data.npz")

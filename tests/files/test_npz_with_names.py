"""npz: arrays beside a sparse matrix, and arrays with the names of labels."""

import zipfile

import numpy as np
import pytest
from scipy import sparse

import evenfold
from evenfold.exceptions import InputError
from evenfold.files.array_roles import NAMES_OF_LABELS
from evenfold.files.data_sets import open_data_set
from evenfold.files.formats.npz import Npz

from .part_files import write_parts

Y = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 1], [1, 0, 0]])
TERMS = np.array(["cat", "dog", "ü"])


def save_sparse(path, y=Y, kind="csr", compressed=True, **others):
    """Write the arrays of `save_npz`, and others beside them."""
    sparse.save_npz(path, sparse.csr_array(y.astype(np.int16)).asformat(kind), compressed)
    with np.load(path) as archive:
        arrays = {**archive, **others}
    (np.savez_compressed if compressed else np.savez)(path, **arrays)
    return path


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("compressed", [True, False])
def test_arrays_beside_a_sparse_matrix_are_split_with_it(tmp_path, kind, compressed):
    """Rows of columns and tables, names as they are; SciPy reads the matrix of each part."""
    others = {
        "patient": np.array(["a", "ü", "a", "b"]),
        "age": np.array([30, 40, 50, 60]),
        "X": np.arange(8.0).reshape(4, 2),
        "label_names": TERMS,
        "feature_names": np.array(["u", "v"]),
    }
    path = save_sparse(tmp_path / "y.npz", kind=kind, compressed=compressed, **others)
    file = Npz(path)
    assert list(file.columns) == ["patient", "age"]
    assert file.read_own_labels().names == TERMS.tolist()
    assert file.read_own_features().tolist() == others["X"].tolist()
    for target, rows in zip(write_parts(file, tmp_path, [1, 0, 1, -1]), ([1], [0, 2]), strict=True):
        part = sparse.load_npz(target)
        assert (part.format, part.dtype, part.toarray().tolist()) == (
            kind,
            np.int16,
            Y[rows].tolist(),
        )
        with np.load(target) as archive:
            for name, array in others.items():
                wanted = array if name.endswith("names") else array[rows]
                assert archive[name].dtype == array.dtype
                assert archive[name].tolist() == wanted.tolist()
        with zipfile.ZipFile(target) as archive:
            assert {info.compress_type == zipfile.ZIP_DEFLATED for info in archive.infolist()} == {
                compressed
            }
        again = Npz(target)
        assert again.read_own_labels().names == TERMS.tolist()
        assert again.read_own_labels().to_csr().toarray().tolist() == Y[rows].tolist()
    before = (tmp_path / "part0").read_bytes()
    assert write_parts(file, tmp_path, [1, 0, 1, -1])[0].read_bytes() == before


def test_a_column_is_added_beside_a_sparse_matrix(tmp_path):
    """The other arrays stay byte for byte, and the result is read again."""
    path, target = save_sparse(tmp_path / "y.npz", names=TERMS), tmp_path / "out.npz"
    Npz(path).write_with_column(target, "part", ["train", "test"], np.array([0, 1, 1, -1]))
    with np.load(path) as old, np.load(target) as new:
        assert new["part"].tolist() == ["train", "test", "test", ""]
        assert all(new[name].tobytes() == old[name].tobytes() for name in old)
    assert list(Npz(target).columns) == ["part"]
    assert sparse.load_npz(target).toarray().tolist() == Y.tolist()
    with pytest.raises(InputError, match=r"y.npz: has an array 'indices' already"):
        Npz(path).write_with_column(target, "indices", ["a"], np.zeros(4, np.int32))


@pytest.mark.parametrize("name", NAMES_OF_LABELS)
@pytest.mark.parametrize("is_sparse", [True, False])
def test_each_known_name_names_the_labels(tmp_path, name, is_sparse):
    """Of a sparse matrix and of a dense one, as text or bytes."""
    path = tmp_path / "data.npz"
    arrays = {name: np.char.encode(TERMS, "utf-8")}
    if is_sparse:
        save_sparse(path, **arrays)
    else:
        np.savez(path, y=Y, **arrays)
    labels = Npz(path).read_own_labels()
    assert (labels.names, labels.to_csr().toarray().tolist()) == (TERMS.tolist(), Y.tolist())
    assert list(Npz(path).columns) == []


def test_names_come_before_the_labels_in_the_archive_too(tmp_path):
    """The order of the arrays does not say how many rows there are."""
    np.savez(tmp_path / "data.npz", names=TERMS, y=Y)
    file = Npz(tmp_path / "data.npz")
    assert file.read_own_labels().names == TERMS.tolist()
    assert np.load(write_parts(file, tmp_path, [0, 0, 1, 1])[1])["names"].tolist() == TERMS.tolist()


def test_names_decide_where_there_are_as_many_labels_as_rows(tmp_path):
    """The first known name has the labels; the next one, and every other array, has the rows."""
    rows = np.array(["r0", "r1", "r2"])
    np.savez(tmp_path / "data.npz", y=Y[:3], names=rows, ids=rows, label_names=TERMS)
    file = Npz(tmp_path / "data.npz")
    assert (file.columns, file.read_own_labels().names) == (["names", "ids"], TERMS.tolist())
    np.savez(tmp_path / "data.npz", y=Y[:3], names=TERMS, ids=rows)
    file = Npz(tmp_path / "data.npz")
    assert (file.columns, file.read_own_labels().names) == (["ids"], TERMS.tolist())


def test_an_array_called_names_may_have_the_rows(tmp_path):
    """Its length says so if there are not as many labels as rows, and if there is no matrix."""
    for arrays in ({"y": Y}, {"y": np.array([0, 1, 2, 1])}, {}):
        np.savez(tmp_path / "data.npz", **arrays, names=["a", "b", "c", "d"])
        assert "names" in Npz(tmp_path / "data.npz").columns


@pytest.mark.parametrize("is_sparse", [True, False])
@pytest.mark.parametrize(
    ("others", "message"),
    [
        (
            {"names": ["a", "b", "a"]},
            "array 'names' must hold a different name for each label, and label 2 has the name "
            "'a', which is repeated",
        ),
        (
            {"classes": ["a", " ", "c"]},
            "array 'classes' must hold a different name for each label, and label 1 has no name",
        ),
        (
            {"names": [5, 6, 7]},
            "array 'names' must hold text, since it has the names of the labels, got int64",
        ),
        (
            {"names": ["a", "b"]},
            "array 'names' has 2 entries, and must have one for each of the 3 labels or the 4 rows",
        ),
        (
            {"names": TERMS, "classes": TERMS},
            "array 'classes' has 3 entries, and must have one for each of the 3 labels or the 4 ",
        ),
        ({"names": np.array(["a", 1, None], object)}, "array 'names' holds pickled Python objects"),
        ({"names": [b"a", b"b", b"\xff"]}, "data.npz: cannot be read as npz: 'utf-8' codec"),
        ({"groups": ["a", "b", "c"]}, "array 'groups' has 3 rows, .*(matrix|'y') 4 rows"),
        ({"seed": 3}, "array 'seed' has a single value, .*(matrix|'y') 4 rows"),
        ({"feature_names": ["a", "b"]}, "array 'feature_names' has 2 rows, .*(matrix|'y') 4 rows"),
        (
            {"X": np.zeros((4, 2)), "feature_names": [1, 2]},
            "'feature_names' must hold text, since it has the names of the features, got int64",
        ),
    ],
)
def test_wrong_arrays_beside_labels_are_refused(tmp_path, is_sparse, others, message):
    """One message says which array, what is wrong with it, and what fits."""
    path = tmp_path / "data.npz"
    if is_sparse:
        save_sparse(path, **others)
    else:
        np.savez(path, y=Y, **others)
    with pytest.raises(InputError, match=message):
        Npz(path).read_own_labels()


def test_names_of_columns_that_hold_classes_are_refused(tmp_path):
    """A matrix of text has a label for each value, so names of its columns name no labels."""
    np.savez(tmp_path / "data.npz", y=np.array([["a", "u"], ["a", "v"]]), label_names=["x", "z"])
    with pytest.raises(InputError, match="array 'label_names' names the columns of 'y', which"):
        Npz(tmp_path / "data.npz").read_own_labels()


def test_a_sparse_matrix_of_one_dimension_is_refused(tmp_path):
    """SciPy saves and reads such arrays, but they are no table of labels."""
    sparse.save_npz(tmp_path / "y.npz", sparse.coo_array(np.array([1, 0, 1])))
    with pytest.raises(
        InputError, match=r"y.npz: the sparse matrix must be of two dimensions, .*3"
    ):
        Npz(tmp_path / "y.npz")


def test_several_archives_must_all_name_their_labels(tmp_path):
    """Labels are joined by name, and a number is the name of none."""
    paths = [save_sparse(tmp_path / "a.npz", names=TERMS), save_sparse(tmp_path / "b.npz")]
    with pytest.raises(InputError, match=r"b.npz: its labels have no names, those of .*a.npz have"):
        open_data_set([str(path) for path in paths]).read_own_labels()
    save_sparse(paths[1], Y[:, ::-1], names=TERMS[::-1])
    labels = open_data_set([str(path) for path in paths]).read_own_labels()
    assert labels.names == TERMS.tolist()
    assert labels.to_csr().toarray().tolist() == [*Y.tolist(), *Y.tolist()]


def test_the_split_is_that_of_the_matrix(tmp_path):
    """With names, groups and balance, in the file as in Python."""
    rng = np.random.default_rng(0)
    y = (rng.random((60, 5)) < 0.3).astype(int)
    groups, age = rng.integers(0, 20, 60), rng.random(60)
    path = save_sparse(tmp_path / "y.npz", y, names=list("abcde"), groups=groups, age=age)
    file = Npz(path)
    table = next(file.read_batches(["groups", "age"]))
    options = {"parts": 3, "random_state": 4}
    ours = evenfold.split(
        file.read_own_labels(),
        groups=table["groups"],
        balance={"age": table["age"]},
        **options,
    )
    theirs = evenfold.split(y, groups=groups, balance={"age": age}, **options)
    assert ours.part_of_row.tolist() == theirs.part_of_row.tolist()

"""svmlight, extreme classification text and npz: labels and rows come out of the parts as they went in."""

import json
import zipfile

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from scipy import sparse
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from evenfold.exceptions import InputError
from evenfold.files.formats.npz import Npz
from evenfold.files.formats.svmlight import Svmlight
from evenfold.labels.labels import make_labels

from ..strategies import label_matrices

SVM = b"# made by hand\n3,1 1:0.5 2:1 # a remark\n 4:1\n\n1 qid:7 2:1\r\n2:5 3:1\n-7,1,1#x\n"
SVM_LABELS = [[1, 3], [], [1], [], [-7, 1]]
XC = b"4 9 30 \n5,12 0:1.0 8:2\n 3:1\n\n12 1:1"
XC_LABELS = [[5, 12], [], [], [12]]


def check_labels(labels, lists):
    """Fail unless labels are those of label lists: names and canonical arrays."""
    wanted = make_labels(lists)
    assert list(labels.names) == list(wanted.names)
    for found, array in ((labels.indptr, wanted.indptr), (labels.indices, wanted.indices)):
        assert (found.dtype, found.tolist()) == (array.dtype, array.tolist())


def names_of_rows(labels):
    """Return the names of the labels of each row."""
    return [
        [labels.names[label] for label in labels.indices[start:stop]]
        for start, stop in zip(labels.indptr[:-1], labels.indptr[1:], strict=True)
    ]


def write(folder, content, name="data"):
    """Write bytes, or an object as JSON, and return the path."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    return path


def parts(file, folder, part_of_row, n_parts=2):
    """Write the parts of a file and return their paths."""
    targets = [folder / f"part{part}" for part in range(n_parts)]
    file.write_parts(targets, np.array(part_of_row, np.int32))
    return targets


@pytest.mark.parametrize(("content", "lists"), [(SVM, SVM_LABELS), (XC, XC_LABELS)])
def test_labels_at_the_beginning_of_lines_are_read_as_lists_are(tmp_path, content, lists):
    """Labels come before the first blank; comments, qid and line ends do not matter."""
    check_labels(Svmlight(write(tmp_path, content)).read_own_labels(), lists)


def test_labels_of_many_blocks_are_read_as_one(tmp_path, monkeypatch):
    """Where a block of lines ends makes no difference."""
    monkeypatch.setattr("evenfold.files.formats.svmlight._ROWS_AT_ONCE", 2)
    check_labels(Svmlight(write(tmp_path, SVM)).read_own_labels(), SVM_LABELS)


def test_rows_without_any_label_are_read(tmp_path):
    """No label at all is no error of the file."""
    check_labels(Svmlight(write(tmp_path, b" 1:1\n 2:1\n")).read_own_labels(), [[], []])


def test_svmlight_parts_hold_their_lines_byte_for_byte(tmp_path):
    """Remarks at the beginning stay, lines are bytes of the input, and a row of part -1 is nowhere."""
    targets = parts(Svmlight(write(tmp_path, SVM)), tmp_path, [1, 0, 0, -1, 1])
    assert [target.read_bytes() for target in targets] == [
        b"# made by hand\n 4:1\n1 qid:7 2:1\r\n",
        b"# made by hand\n3,1 1:0.5 2:1 # a remark\n-7,1,1#x\n",
    ]
    check_labels(Svmlight(targets[1]).read_own_labels(), [SVM_LABELS[0], SVM_LABELS[4]])


def test_extreme_classification_parts_say_how_many_rows_they_have(tmp_path):
    """The header counts the rows of the part and is otherwise as it was; a blank line is a row there."""
    targets = parts(Svmlight(write(tmp_path, XC)), tmp_path, [-1, 1, 1, 0])
    assert [target.read_bytes() for target in targets] == [b"1 9 30 \n12 1:1", b"2 9 30 \n 3:1\n\n"]
    check_labels(Svmlight(targets[1]).read_own_labels(), [[], []])


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None
)
@given(y=label_matrices())
def test_svmlight_agrees_with_scikit_learn(tmp_path, y):
    """What scikit-learn writes is read as its labels, and each part is read by scikit-learn as the rows it should hold."""
    path = tmp_path / "data.svm"
    x = np.arange(1.0, 1 + len(y))[:, None]
    dump_svmlight_file(x, y, str(path), multilabel=True, comment="two\nlines")
    file = Svmlight(path)
    lists = [np.flatnonzero(row).tolist() for row in y]
    assert names_of_rows(file.read_own_labels()) == lists
    for part, target in enumerate(parts(file, tmp_path, np.arange(len(y)) % 2)):
        if len(y) > part:
            rows, held = load_svmlight_file(str(target), n_features=1, multilabel=True)
            assert rows.toarray().tolist() == x[part::2].tolist()
            assert [sorted(labels) for labels in held] == lists[part::2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"1 1:1\n2, 3 1:1\n", "line 2 begins with '2, 3', which must be labels"),
        (b"1 1:1\n2, 1:1\n", "line 2 begins with '2,', which must be labels"),
        (b"1 1:1\n1 2 3 1:1\n", "line 2 begins with '1 2', which must be labels"),
        (b"1 1:1\n\n1\t,2\n", r"line 3 begins with '1\\t,2', which must be labels"),
        (b"1 12# 1:1\n", "line 1 begins with '1 12', which must be labels"),
        (b"# x\n\nspam 1:1\n", "line 3 begins with 'spam', which must be labels"),
        (b"0.5 1:1\n", "line 1 begins with '0.5', which must be labels"),
        (
            b"9999999999999999999 1:1\n",
            "line 1 begins with '9999999999999999999', which must be labels",
        ),
        (b"\xff 1:1\n", "line 1 begins with '\ufffd', which must be labels"),
        (b"", "data: holds no rows"),
        (b"# remark\n", "data: holds no rows"),
        (b"3 9 30\n1 1:1\n2 1:1\n", "line 1 says 3 rows, but fewer lines follow"),
        (b"# x\n1 9 30\n1 1:1\n\n2 1:1\n", "line 2 says 1 rows, but more lines follow"),
    ],
)
def test_damaged_svmlight_is_refused_with_its_line(tmp_path, content, message):
    """The first line that cannot be meant is named."""
    with pytest.raises(InputError, match=message):
        Svmlight(write(tmp_path, content)).read_own_labels()


def test_svmlight_has_no_columns(tmp_path):
    """Columns can be neither read nor added, and no file belongs beside it."""
    path = write(tmp_path, SVM)
    assert Svmlight(path).companions(tmp_path / "part.svm") == []
    assert list(Svmlight(path).columns) == []
    with pytest.raises(
        InputError, match=r"format svmlight has no columns, so none can be 'patient', 'age'"
    ):
        Svmlight(path).read_batches(["patient", "age"])
    with pytest.raises(InputError, match="format svmlight has no columns to add 'part' to"):
        Svmlight(path).write_with_column(tmp_path / "out", "part", ["a"], np.zeros(5, np.int32))


Y = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 1], [1, 0, 0]])


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
@pytest.mark.parametrize("compressed", [True, False])
def test_sparse_npz_parts_hold_their_rows_in_the_same_form(tmp_path, kind, compressed):
    """Format, type, class and compression stay; labels are those of the matrix."""
    path = tmp_path / "y.npz"
    sparse.save_npz(path, sparse.csr_array(Y.astype(np.int16)).asformat(kind), compressed)
    file = Npz(path)
    assert file.read_own_labels().to_csr().toarray().tolist() == Y.tolist()
    for target, rows in zip(parts(file, tmp_path, [1, 0, 1, -1]), ([1], [0, 2]), strict=True):
        part = sparse.load_npz(target)
        assert (part.format, part.dtype, type(part).__name__) == (kind, np.int16, f"{kind}_array")
        assert part.toarray().tolist() == Y[rows].tolist()
        with zipfile.ZipFile(target) as archive:
            assert {info.compress_type == zipfile.ZIP_DEFLATED for info in archive.infolist()} == {
                compressed
            }
        assert Npz(target).read_own_labels().to_csr().toarray().tolist() == Y[rows].tolist()


def test_entries_stored_twice_stay_so(tmp_path):
    """A coordinate matrix may hold an entry twice: it is one label, and must not become 2 in a part."""
    path = tmp_path / "y.npz"
    sparse.save_npz(path, sparse.coo_matrix(([1, 1, 1], ([1, 1, 0], [0, 0, 1])), shape=(2, 2)))
    target = parts(Npz(path), tmp_path, [-1, 0], 1)[0]
    assert sparse.load_npz(target).data.tolist() == [1, 1]
    assert Npz(target).read_own_labels().to_csr().toarray().tolist() == [[1, 0]]


def make_arrays():
    """Return arrays as people keep them together."""
    image = np.arange(4 * 6, dtype=np.float32).reshape(4, 2, 3)
    return {
        "x": np.asfortranarray(image),
        "y": Y.astype(bool),
        "patient": np.array(["a", "ü", "a", "b"]),
        "site": np.array([b"k", b"l", b"k", b"\xc3\xbc"]),
    }


@pytest.mark.parametrize("save", [np.savez, np.savez_compressed])
def test_arrays_of_npz_are_split_row_by_row(tmp_path, save):
    """Every array keeps name, order, type and compression, and has the rows of its part; the same rows give the same bytes."""
    path = tmp_path / "data.npz"
    arrays = make_arrays()
    save(path, **arrays)
    file = Npz(path)
    for target, rows in zip(parts(file, tmp_path, [1, 0, 1, -1]), ([1], [0, 2]), strict=True):
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
    assert parts(file, tmp_path, [1, 0, 1, -1])[0].read_bytes() == before
    with pytest.raises(
        InputError, match=r"data.npz: no longer holds the 3 rows whose labels were read"
    ):
        parts(file, tmp_path, [0, 0, 1])


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
def test_the_label_matrix_is_known_by_name_or_alone(tmp_path, arrays, found, label_columns):
    """An array y, Y or labels goes before the only table; a one-dimensional one is a column of labels."""
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
            "data.npz: 'y' holds values other than 0, 1 and NaN: 5 of them, first 2 at row 0, label 0",
        ),
        ({"y": np.empty((0, 3))}, "data.npz: 'y' must have at least one row"),
        (
            {"y": Y, "names": np.array(["a", None], object)},
            "data.npz: array 'names' holds pickled Python objects",
        ),
        ({"y": Y, "names": ["a", "b"]}, "data.npz: array 'names' has 2 rows, array 'y' 4 rows"),
        ({"seed": 1, "y": Y}, "data.npz: array 'seed' has a single value, array 'y' 4 rows"),
        ({}, "data.npz: holds no arrays"),
    ],
)
def test_wrong_arrays_are_refused(tmp_path, arrays, message):
    """The array is named, and what is wrong with it."""
    np.savez(tmp_path / "data.npz", **arrays)
    with pytest.raises(InputError, match=message):
        Npz(tmp_path / "data.npz").read_own_labels()


def test_sparse_matrices_that_are_no_labels_are_refused(tmp_path):
    """Other values, another number of rows, a column to add: each is said with the path."""
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
        parts(Npz(path), tmp_path, [0] * 5)
    with pytest.raises(InputError, match="format npz has no columns to add 'part' to"):
        Npz(path).write_with_column(tmp_path / "out", "part", ["a"], np.zeros(4, np.int32))


@pytest.mark.parametrize(
    "keep",
    [slice(0, 0), slice(0, 700), slice(0, -5), slice(30, None)],
    ids=["nothing", "beginning", "nearly all", "end"],
)
def test_a_damaged_npz_is_refused(tmp_path, keep):
    """Wherever the archive is cut, the message has its path; that there is no file is said by Python."""
    path = tmp_path / "data.npz"
    np.savez(path, **make_arrays())
    path.write_bytes(path.read_bytes()[keep])
    with pytest.raises(InputError, match=r"data.npz: cannot be read as npz"):
        Npz(path)
    with pytest.raises(FileNotFoundError, match=r"missing\.npz"):
        Npz(tmp_path / "missing.npz")


def test_a_flipped_byte_of_an_array_is_noticed(tmp_path):
    """Damage behind the head is found when the array is read."""
    path = tmp_path / "data.npz"
    np.savez(path, y=Y)
    content = bytearray(path.read_bytes())
    content[content.index(b"NUMPY") + 130] ^= 1
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"data.npz: cannot be read as npz: Bad CRC-32"):
        Npz(path).read_own_labels()


def test_a_sparse_matrix_with_positions_outside_it_is_refused(tmp_path):
    """SciPy reads it without a word."""
    path = tmp_path / "y.npz"
    sparse.save_npz(path, sparse.csr_array(np.eye(3)))
    with np.load(path) as archive:
        arrays = {**archive, "indices": np.array([0, 7, 2], np.int32)}
    np.savez(path, **arrays)
    with pytest.raises(InputError, match=r"y.npz: cannot be read as npz: "):
        Npz(path).read_own_labels()

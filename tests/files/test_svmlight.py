"""svmlight and extreme classification text: labels are read, parts keep their lines."""

import json

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from evenfold.exceptions import InputError
from evenfold.files.formats.svmlight import Svmlight
from evenfold.labels.labels import make_labels

from ..strategies import label_matrices
from .part_files import write_parts

SVM = b"# made by hand\n3,1 1:0.5 2:1 # a remark\n 4:1\n\n1 qid:7 2:1\r\n2:5 3:1\n-7,1,1#x\n"
SVM_LABELS = [[1, 3], [], [1], [], [-7, 1]]
XC = b"4 9 30 \n5,12 0:1.0 8:2\n 3:1\n\n12 1:1"
XC_LABELS = [[5, 12], [], [], [12]]


def check_labels(labels, lists):
    """Check that labels are those of label lists: names and canonical arrays."""
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


@pytest.mark.parametrize(("content", "lists"), [(SVM, SVM_LABELS), (XC, XC_LABELS)])
def test_labels_at_the_beginning_of_lines_are_read_as_lists_are(tmp_path, content, lists):
    """Labels come before the first blank; comments, qid and line ends do not matter."""
    check_labels(Svmlight(write(tmp_path, content)).read_own_labels(), lists)


def test_labels_of_many_blocks_are_read_as_one(tmp_path, monkeypatch):
    """It does not matter where a chunk of lines ends."""
    monkeypatch.setattr("evenfold.files.formats.svmlight._ROWS_AT_ONCE", 2)
    check_labels(Svmlight(write(tmp_path, SVM)).read_own_labels(), SVM_LABELS)


def test_rows_without_any_label_are_read(tmp_path):
    """A file without any label is valid."""
    check_labels(Svmlight(write(tmp_path, b" 1:1\n 2:1\n")).read_own_labels(), [[], []])


def test_svmlight_parts_hold_their_lines_byte_for_byte(tmp_path):
    """Comments at the beginning stay; rows of part -1 are left out."""
    targets = write_parts(Svmlight(write(tmp_path, SVM)), tmp_path, [1, 0, 0, -1, 1])
    assert [target.read_bytes() for target in targets] == [
        b"# made by hand\n 4:1\n1 qid:7 2:1\r\n",
        b"# made by hand\n3,1 1:0.5 2:1 # a remark\n-7,1,1#x\n",
    ]
    check_labels(Svmlight(targets[1]).read_own_labels(), [SVM_LABELS[0], SVM_LABELS[4]])


def test_extreme_classification_parts_say_how_many_rows_they_have(tmp_path):
    """The header counts the rows of the part; below it a blank line is a row."""
    targets = write_parts(Svmlight(write(tmp_path, XC)), tmp_path, [-1, 1, 1, 0])
    assert [target.read_bytes() for target in targets] == [b"1 9 30 \n12 1:1", b"2 9 30 \n 3:1\n\n"]
    check_labels(Svmlight(targets[1]).read_own_labels(), [[], []])


@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None
)
@given(y=label_matrices())
def test_svmlight_agrees_with_scikit_learn(tmp_path, y):
    """What scikit-learn writes is read, and scikit-learn reads the parts."""
    path = tmp_path / "data.svm"
    x = np.arange(1.0, 1 + len(y))[:, None]
    dump_svmlight_file(x, y, str(path), multilabel=True, comment="two\nlines")
    file = Svmlight(path)
    lists = [np.flatnonzero(row).tolist() for row in y]
    assert names_of_rows(file.read_own_labels()) == lists
    for part, target in enumerate(write_parts(file, tmp_path, np.arange(len(y)) % 2)):
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
    """The message has the first line that is wrong."""
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

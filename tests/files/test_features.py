"""Features of files: columns of numbers, svmlight's pairs, arrays of an npz file."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet
import pytest
from scipy import sparse
from sklearn.datasets import load_svmlight_file

from evenfold.exceptions import InputError
from evenfold.files.features import read_features
from evenfold.files.formats.svmlight import Svmlight
from evenfold.files.registry import open_data

NUMBERS = np.array([[1.5, 0.0, 2.0], [0.0, -3.0, 4.0], [7.0, 0.0, 0.0]])


def write(folder, name, content):
    """Write text and return the path."""
    path = folder / name
    path.write_text(content)
    return path


def dense(matrix):
    """Return an array, whatever the form."""
    return matrix.toarray() if sparse.issparse(matrix) else matrix


CSV = "id,text,a,b,c,gap,label\nx1,hello,1.5,0,2,,1\nx2,5,0,-3,4,2.5,0\nx3,,7.0,0.0,0,,1\n"


def test_columns_of_numbers_are_found_among_others(tmp_path):
    """Labels, groups and text are left out; a missing cell is NaN; what was taken is said."""
    matrix, guessed, _ = read_features(
        open_data(str(write(tmp_path, "data.csv", CSV))), [], ["label"]
    )
    np.testing.assert_array_equal(matrix, np.column_stack((NUMBERS, [np.nan, 2.5, np.nan])))
    assert guessed == "No --features given: 4 columns of numbers are read: a, b, c, gap."


@pytest.mark.parametrize("given", [["a", "b", "c"], ["[abc]"], ["c", "a", "b", "a"]])
def test_columns_asked_for_are_read_in_the_order_of_the_file(tmp_path, given):
    """Columns are named or matched by a pattern, each is read once, and nothing is said."""
    matrix, guessed, _ = read_features(
        open_data(str(write(tmp_path, "data.csv", CSV))), given, ["label"]
    )
    np.testing.assert_array_equal(matrix, NUMBERS)
    assert guessed == ""


def test_patterns_leave_out_the_other_columns(tmp_path):
    """A name reads them; a pattern that has only such columns is refused."""
    file = open_data(str(write(tmp_path, "data.csv", CSV)))
    others = ["label", "c"]
    assert read_features(file, ["?"], others).columns == ["a", "b"]
    assert read_features(file, ["[ab]", "label"], others).columns == ["a", "b", "label"]
    with pytest.raises(
        InputError,
        match=r"data\.csv: --features 'c\*,lab\*' leaves no column besides those of labels, groups "
        r"and the like\. Name columns\.",
    ):
        read_features(file, ["c*", "lab*"], others)


def test_columns_of_every_type_of_number(tmp_path):
    """Whole numbers, booleans, decimals, text that is all numbers; but no dates and no lists."""
    import datetime
    import decimal

    table = pa.table(
        {
            "whole": pa.array([1, 2, None], pa.int16()),
            "truth": [True, False, True],
            "exact": pa.array([decimal.Decimal("1.5"), decimal.Decimal("2.5"), None]),
            "category": pa.array(["1", "2", "1"]).dictionary_encode(),
            "word": pa.array(["a", "b", "a"]).dictionary_encode(),
            "day": [datetime.date(2024, 1, 1)] * 3,
            "list": [[1.0], [2.0], [3.0]],
            "nothing": pa.nulls(3),
        }
    )
    pa.parquet.write_table(table, tmp_path / "data.parquet")
    file = open_data(str(tmp_path / "data.parquet"))
    matrix, guessed, _ = read_features(file, [], [])
    np.testing.assert_array_equal(matrix, [[1, 1, 1.5, 1], [2, 0, 2.5, 2], [np.nan, 1, np.nan, 1]])
    assert "whole, truth, exact, category." in guessed
    for name, value in (("day", "datetime.date(2024, 1, 1)"), ("list", "[1.0]"), ("word", "'a'")):
        with pytest.raises(
            InputError,
            match=re.escape(
                f"column '{name}' holds {value} at row 0, where a number is expected. Leave it "
                f"out of --features."
            ),
        ):
            read_features(file, [name], [])
    np.testing.assert_array_equal(
        read_features(file, ["nothing"], []).matrix, np.full((3, 1), np.nan)
    )


def test_the_row_of_what_is_no_number_is_said(tmp_path):
    """The row in the error is counted from 0 over the whole file."""
    path = write(tmp_path, "data.csv", "a,label\n" + "1,1\n" * 20_000 + "one,1\n")
    with pytest.raises(
        InputError,
        match=r"data\.csv: column 'a' holds 'one' at row 20000, where a number is expected\.",
    ):
        read_features(open_data(str(path)), [], ["label"])


ARFF = """@relation r
@attribute a numeric
@attribute b numeric
@attribute c numeric
@attribute kind {red,blue}
@attribute label {0,1}
@data
"""


@pytest.mark.parametrize(
    ("rows", "is_sparse"),
    [
        ("1.5,0,2,red,1\n0,-3,4,blue,0\n7,0,0,red,1\n", False),
        ("{0 1.5,2 2,4 1}\n{1 -3,2 4,3 blue}\n{0 7,4 1}\n", True),
    ],
)
def test_arff_rows_that_leave_out_zeros_become_a_sparse_matrix(tmp_path, rows, is_sparse):
    """A dense file gives an array; nominal attributes of words are no numbers."""
    matrix, guessed, _ = read_features(
        open_data(str(write(tmp_path, "data.arff", ARFF + rows))), [], ["label"]
    )
    assert sparse.issparse(matrix) == is_sparse
    np.testing.assert_array_equal(dense(matrix), NUMBERS)
    assert guessed.endswith("a, b, c.")


SVM = b"# made by hand\n3,1 1:0.5 2:1 # a:remark\n 4:1\n\n1 qid:7 2:1e-3\r\n2:5 3:1\n-7,1,1#x\n"
XC = b"4 9 30 \n5,12 0:1.0 8:2\n 3:1\n\n12 1:1"


def test_pairs_of_svmlight_are_read_as_scikit_learn_does(tmp_path):
    """Remarks, numbers of queries and lines without labels or features do not matter."""
    (tmp_path / "data.svm").write_bytes(SVM)
    matrix = Svmlight(tmp_path / "data.svm").read_own_features()
    expected = np.array(
        [[0, 0.5, 1, 0, 0], [0, 0, 0, 0, 1], [0, 0, 1e-3, 0, 0], [0, 0, 5, 1, 0], [0, 0, 0, 0, 0]]
    )
    np.testing.assert_array_equal(dense(matrix), expected)
    (tmp_path / "data.txt").write_bytes(XC)
    matrix = Svmlight(tmp_path / "data.txt").read_own_features()
    assert matrix.shape == (4, 9)
    assert dict(
        zip(
            zip(*(place.tolist() for place in matrix.nonzero()), strict=True),
            matrix.data.tolist(),
            strict=True,
        )
    ) == {
        (0, 0): 1.0,
        (0, 8): 2.0,
        (1, 3): 1.0,
        (3, 1): 1.0,
    }


def test_many_lines_are_read_in_blocks(tmp_path):
    """The features are those that scikit-learn reads."""
    rng = np.random.default_rng(0)
    lines = [
        f"{row % 3},7 "
        + " ".join(
            f"{column}:{rng.normal():.6g}" for column in sorted(rng.choice(50, row % 5, False))
        )
        for row in range(9000)
    ]
    path = write(tmp_path, "data.svm", "\n".join(lines) + "\n")
    expected, _ = load_svmlight_file(str(path), multilabel=True, zero_based=True)
    found = Svmlight(path).read_own_features()
    assert abs(found - expected).max() == 0


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("1 2:x", "'2:x'"),
        ("1 a:1", "'a:1'"),
        ("1 2:1 7", "'2:1 7'"),
        ("1 1.5:2", "'1.5:2'"),
        ("1 -2:2", "'-2:2'"),
        ("1 2:1:3", "'2:1:3'"),
    ],
)
def test_what_is_no_pair_is_said_with_its_line(tmp_path, line, shown):
    """The error names the line and what it should be."""
    path = write(tmp_path, "data.svm", f"1 1:1\n{line}\n")
    message = (
        f"data.svm: line 2 has {shown} for features. "
        "Write each as a whole number from 0, a colon and its value"
    )
    with pytest.raises(InputError, match=re.escape(message)):
        Svmlight(path).read_own_features()


def test_npz_arrays(tmp_path):
    """X or features beside the labels; a file of features alone beside any data, sparse or not."""
    y = np.eye(3)
    np.savez(tmp_path / "both.npz", X=NUMBERS, y=y, extra=np.arange(3))
    np.testing.assert_array_equal(
        read_features(open_data(str(tmp_path / "both.npz")), [], []).matrix, NUMBERS
    )
    np.testing.assert_array_equal(
        read_features(open_data(str(tmp_path / "both.npz")), ["extra"], []).matrix, [[0], [1], [2]]
    )
    sparse.save_npz(tmp_path / "labels.npz", sparse.csr_array(y))
    labels = open_data(str(tmp_path / "labels.npz"))
    sparse.save_npz(tmp_path / "sparse.npz", sparse.coo_array(NUMBERS))
    np.savez(tmp_path / "one.npz", anything=NUMBERS)
    for name, is_sparse in (("sparse.npz", True), ("one.npz", False), ("both.npz", False)):
        matrix = read_features(labels, [str(tmp_path / name)], []).matrix
        assert sparse.issparse(matrix) == is_sparse
        np.testing.assert_array_equal(dense(matrix), NUMBERS)


def test_files_without_features_are_refused(tmp_path):
    """The error says where features could be."""
    sparse.save_npz(tmp_path / "labels.npz", sparse.csr_array(np.eye(3)))
    labels = open_data(str(tmp_path / "labels.npz"))
    with pytest.raises(
        InputError,
        match=r"labels\.npz: holds no features: no column of numbers besides the labels\. Say "
        r"with --features where they are: columns, or an npz file\.",
    ):
        read_features(labels, [], [])
    with pytest.raises(
        InputError,
        match=r"a file in the format npz has no columns, so none can be 'a'\. Leave out "
        r"--features, or name an npz file",
    ):
        read_features(labels, ["a"], [])
    np.savez(tmp_path / "two.npz", a=NUMBERS, b=NUMBERS)
    with pytest.raises(
        InputError,
        match=r"two\.npz: holds no features: no array X or features, nor a single one of two "
        r"dimensions\. Save them as X\.",
    ):
        read_features(labels, [str(tmp_path / "two.npz")], [])
    with pytest.raises(
        InputError,
        match=r"none\.npz: no such file\. Check the name and the folder, or name columns\.",
    ):
        read_features(labels, [str(tmp_path / "none.npz")], [])
    with pytest.raises(
        InputError,
        match=r"--features 'aa' is not a column of .*data\.csv\. Columns: id, text, a, b, c, "
        r"gap, label\.",
    ):
        read_features(open_data(str(write(tmp_path, "data.csv", CSV))), ["aa"], [])
    with pytest.raises(
        InputError, match=r"data\.svm: holds no features\. Check how it was written\."
    ):
        read_features(open_data(str(write(tmp_path, "data.svm", "1\n2\n"))), [], [])
    empty = write(tmp_path, "empty.csv", "a,label\n")
    with pytest.raises(InputError, match=r"empty\.csv: holds no rows\. Check how it was written\."):
        read_features(open_data(str(empty)), ["a"], ["label"])

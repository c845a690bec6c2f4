"""Files of linked pairs are read from every format."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files.pair_files import read_pair_file
from evenfold.links.pair_lists import make_pair_search

BLAST = "P1\tP2\t93.1\t120\t1\t0\t1\t120\t5\t124\t1e-50\t200\n"


def read(tmp_path, name, text):
    """Write a file and return its columns."""
    path = tmp_path / name
    path.write_bytes(text.encode())
    return read_pair_file(path).to_pydict()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("hits.m8", BLAST),
        ("hits.txt", f"# BLASTP 2.12\n# Fields: query, subject\n{BLAST}# BLAST processed 1\n"),
        ("hits.tsv", "query\ttarget\tidentity\r\nP1\tP2\t93.1\r\n"),
        ("hits.csv", 'query,target,identity,note\n"P1",P2,93.1,"a, b"\n'),
        ("hits.m8", f"{BLAST}#P3\tP4\tx\t1\t1\t0\t1\t1\t5\t1\t1\t1\n"),
        ("hits.csv", "query,target,identity\n#a,b,c\nP1,P2, 93.1 \n#d,e,1\n"),
        ("HITS.CSV", "\ufeffquery,target,identity\nP1,P2,93.1\n"),
    ],
)
def test_text_files_give_ids_and_scores(tmp_path, name, text):
    """With and without a header and comments; further columns are left out."""
    found = read(tmp_path, name, text)
    assert found == {"first": ["P1"], "second": ["P2"], "score": [93.1]}


def test_ids_stay_text(tmp_path):
    """Zeros at the beginning are kept, and quotes of tab files."""
    found = read(tmp_path, "a.tsv", '007\t"x\n1\t2\n')
    assert found == {"first": ["007", "1"], "second": ['"x', "2"]}


def test_third_column_of_text_is_no_score(tmp_path):
    """The first line of such a file is no header."""
    found = read(tmp_path, "a.tsv", "P1\tP2\tnear\nP1\tP3\tfar\n")
    assert found == {"first": ["P1", "P1"], "second": ["P2", "P3"]}


def test_parquet_and_npy_files_keep_their_types(tmp_path):
    """Numbers stay numbers."""
    pq.write_table(pa.table({"a": [1], "b": [2], "c": [0.5], "d": [9]}), tmp_path / "a.parquet")
    table = read_pair_file(tmp_path / "a.parquet").to_pydict()
    assert table == {"first": [1], "second": [2], "score": [0.5]}
    pq.write_table(pa.table({"a": [1, 1], "b": [2, 3], "c": ["1", "-"]}), tmp_path / "b.parquet")
    with pytest.raises(InputError, match=r"b\.parquet: pair 1 has no score, got '-'\."):
        read_pair_file(tmp_path / "b.parquet")
    np.save(tmp_path / "a.npy", np.array([[1, 2, 0.5, 9]]))
    assert read_pair_file(tmp_path / "a.npy").tolist() == [[1, 2, 0.5]]


def test_files_can_be_linked(tmp_path):
    """What is read is what `make_pair_search` takes."""
    (tmp_path / "hits.m8").write_text(BLAST)
    search = make_pair_search(read_pair_file(tmp_path / "hits.m8"), ids=["P0", "P2", "P1"])
    assert next(search.find_pairs()).value.tolist() == [93.1]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.xlsx", "", r"a\.xlsx: a file of pairs must end in \.m8, \.tsv, \.txt, \.csv, \.parqu"),
        ("a.csv", "a,b\n", r"a\.csv: holds no pairs\."),
        ("a.m8", "# nothing\n\n", r"a\.m8: holds no pairs\. Check that the file is complete"),
        ("a.tsv", "P1 P2\n", r"a\.tsv: line 1 has one column\. .* with a tab between"),
        ("a.csv", "a\n1\n", r"a\.csv: line 2 has one column\. .* with a comma between"),
        ("a.tsv", "P1\tP2\nP3\n", r"a\.tsv: cannot be read: .*Expected 2 columns, got 1"),
        (
            "a.csv",
            "a,b,c\nP1,P2,\nP1,P3,0.5\n",
            r"a\.csv: line 2 has no score, got ''\. Give every",
        ),
        ("a.tsv", "P1\tP2\t\nP1\tP3\t0.5\n", r"a\.tsv: line 1 has no score, got ''\."),
        (
            "a.tsv",
            "a\tb\tc\nP1\tP2\t0.5\n\n# x\ty\tz\nP1\tP3\tNA\n",
            r"a\.tsv: line 5 has no score, got 'NA'\. .* or leave out the third column",
        ),
        ("a.parquet", "text", r"a\.parquet: cannot be read"),
        ("a.npy", "text", r"a\.npy: cannot be read as npy.*Save it again with numpy\.save"),
    ],
)
def test_wrong_files_are_refused(tmp_path, name, text, message):
    """The error has the file and the line."""
    with pytest.raises(InputError, match=message):
        read(tmp_path, name, text)


def test_files_without_two_columns_are_refused(tmp_path):
    """In parquet, npy and text in another encoding."""
    pq.write_table(pa.table({"a": [1]}), tmp_path / "a.parquet")
    with pytest.raises(InputError, match=r"must have two columns of ids, got 1\. Save one row"):
        read_pair_file(tmp_path / "a.parquet")
    np.save(tmp_path / "a.npy", np.array([1, 2]))
    with pytest.raises(InputError, match=r"must have rows of two ids, got an array of shape \(2,"):
        read_pair_file(tmp_path / "a.npy")
    with pytest.raises(InputError, match=r"gone\.csv: no such file"):
        read_pair_file(tmp_path / "gone.csv")
    (tmp_path / "a.csv").write_bytes(b"\xff\xfe\n")
    with pytest.raises(InputError, match=r"a\.csv is not UTF-8"):
        read_pair_file(tmp_path / "a.csv")


def test_first_line_with_two_ids_or_numbers_is_a_pair(tmp_path):
    """A csv file need not have a header."""
    path = tmp_path / "pairs.csv"
    path.write_text("0,1\n2,3\n")
    assert read_pair_file(path).num_rows == 2
    path.write_text("a,b\nc,d\n")
    assert read_pair_file(path, {"a", "b", "c", "d"}).num_rows == 2
    assert read_pair_file(path, {"c", "d"}).num_rows == 1

"""Csv files with semicolons or tabs: found in the first rows, and kept in what is written."""

import gzip

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.files.delimiters import find_delimiter
from evenfold.files.formats.delimited import Csv, Tsv

from .text_files import BOM, SmallCsv, fill, make, read, small, split, with_column

ALL = (",", ";", "\t")


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a;b\n1;2\n", ";"),
        ("a\tb\n1\t2\n", "\t"),
        ("a,b\n1,2\n", ","),
        ("a,b;c\n1,x;y\n", ","),
        ("id,tags\n1,a;b\n2,c;d\n", ","),
        ("id;first, last\n1;Ada\n2;Tim\n", ";"),
        ("id;price\n1;2,50\n2;3,75\n", ";"),
        ("id;text\n1;a, b, c\n2;d, e\n3;f\n", ";"),
        ('id;text\n1;"a;b\n;c"\n2;"d"\n', ";"),
        ("tags\na;b\nc;d\n", ","),
        ("tags\n", ","),
        ("a;b", ";"),
        ("", ","),
        ("a;b\r1;2\r", ";"),
        ("\n\na;b\n1;2\n", ";"),
        ("a;b;c\n1;2;3\n4;5\n6;7;8\n", ";"),
        ("a;b;c\n1;2\n4;5\n6;7;8\n", ","),
    ],
)
def test_the_delimiter_cuts_the_header_and_most_rows(text, delimiter):
    """The comma comes first; quoted cells, blank lines and ragged rows are allowed."""
    for start in (text.encode(), BOM + text.encode()):
        assert find_delimiter(start, True, ALL) == delimiter


def test_a_row_that_is_cut_off_does_not_count():
    """Only the first bytes of a file are looked at."""
    start = b"a;b\n1;2\n3"
    assert find_delimiter(start, False, ALL) == ";"
    assert find_delimiter(b"a;b\n1", True, ALL) == ","


@small
@given(
    delimiter=st.sampled_from(ALL),
    rows=st.lists(
        st.lists(st.sampled_from(["a", "b c", "1.5", "x|y", ""]), min_size=3, max_size=3),
        max_size=8,
    ),
)
def test_files_of_any_delimiter_are_the_same_data(delimiter, rows, tmp_path_factory):
    """Cells, parts and a new column are those of the file with commas."""
    folder = tmp_path_factory.mktemp("data")
    lines = [["id", "tags", "who"], *rows]

    def join(delimiter):
        return "".join(delimiter.join(line) + "\n" for line in lines).encode()

    file = make(folder, join(delimiter))
    assert file.delimiter == delimiter
    codes = [number % 2 for number in range(len(rows))]
    own = [*split(file, codes, 2), with_column(file, "part", ["x", "y"], codes)]
    table = read(file, ["who", "id"])
    plain = make(folder, join(","))
    assert read(plain, ["who", "id"]) == table
    commas = [*split(plain, codes, 2), with_column(plain, "part", ["x", "y"], codes)]
    assert [content.replace(delimiter.encode(), b",") for content in own] == commas


def test_a_delimiter_in_a_new_cell_is_quoted(tmp_path):
    """A comma needs no quotes in a file with semicolons."""
    file = make(tmp_path, b"id;x\n1;2\n3;4\n")
    expected = b'id;x;"a;b"\n1;2;c,d\n3;4;"e;f"\n'
    assert with_column(file, "a;b", ["c,d", "e;f"], [0, 1]) == expected
    assert fill(file, "id", ["e;f"], [-1, 0]) == b'id;x\n1;2\n"e;f";4\n'


def test_what_was_found_is_said(tmp_path):
    """Not for commas, nor for a tsv file, whose name says it."""
    name = str(tmp_path / "data.csv")
    semicolons = make(tmp_path, b"a;b\n1;2\n")
    assert semicolons.remarks == [f"The cells of {name} are separated by ';'."]
    assert make(tmp_path, b"a\tb\n1\t2\n").remarks == [
        f"The cells of {name} are separated by tabs."
    ]
    assert make(tmp_path, b"a,b\n1,2\n").remarks == ()
    assert make(tmp_path, b"a\tb\n1\t2\n", Tsv).remarks == ()


def test_the_delimiter_of_a_compressed_file_is_found(tmp_path):
    """In its text."""
    path = tmp_path / "data.csv.gz"
    path.write_bytes(gzip.compress(b"a;b\n1;2\n"))
    assert read(Csv(path), ["b"]) == {"b": ["2"]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"a;b\n1;2\n3;4\n5\n", r"line 4 has 1 instead of 2 cells\. Check its delimiters"),
        (b'a;b\n1;2\n3;"4\n', r"the row that starts in line 3 does not end"),
        (b"a;b\n1;2\n3;na\xefve\n", r"line 3 is not UTF-8\. Convert the file"),
        (b"a;b;a\n1;2;3\n", r"more than one column is named 'a'\. Give each"),
        (b"na\xefve;b\n1;2\n", r"the line of column names is not UTF-8"),
        (b";\n1;2\n", r"no column has a name"),
    ],
)
def test_damaged_files_with_semicolons_are_refused_with_their_place(content, message, tmp_path):
    """As those with commas."""
    with pytest.raises(InputError, match=rf"data\.csv: {message}"):
        list(make(tmp_path, content, SmallCsv).read_batches(["b"]))

"""Csv and tsv: cells are read as text, and what is written has the bytes of the file."""

import csv
import io

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import csv as arrow_csv

from evenfold.exceptions import InputError
from evenfold.files.formats.delimited import Csv, Tsv

from .text_files import (
    BOM,
    SmallCsv,
    SmallTsv,
    fill,
    make,
    read,
    small,
    split,
    with_column,
)


@st.composite
def delimited_files(draw, delimiter):
    """Return the head and the raw records of a file, some cells quoted without need."""
    characters = st.sampled_from(
        ["a", "b", '"', ",", "\t", "\n", "\r", "\r\n", "é", "日", "🙂", " ", "\0"]
    )
    n_columns = draw(st.integers(1, 3))

    def draw_record(cells):
        raw = []
        for cell in cells:
            must = any(character in cell for character in (delimiter, '"', "\n", "\r")) or (
                n_columns == 1 and not cell
            )
            raw.append('"' + cell.replace('"', '""') + '"' if must or draw(st.booleans()) else cell)
        return (delimiter.join(raw) + draw(st.sampled_from(["\n", "\r\n"]))).encode()

    mark = draw(st.sampled_from([b"", BOM]))
    head = mark + draw_record([f"column {number}" for number in range(n_columns)])
    cells = st.lists(
        st.lists(characters, max_size=4).map("".join), min_size=n_columns, max_size=n_columns
    )
    records = [draw_record(draw(cells)) for _ in range(draw(st.integers(0, 6)))]
    if records and draw(st.booleans()):
        records[-1] = records[-1].rstrip(b"\r\n")
    return head, records


@pytest.mark.parametrize(("kind", "delimiter"), [(SmallCsv, ","), (SmallTsv, "\t"), (Csv, ",")])
@small
@given(data=st.data())
def test_delimited_rows_are_read_and_written_as_they_are(kind, delimiter, data, tmp_path_factory):
    """Cells are those of Python's csv module; parts and a new column keep the bytes."""
    head, records = data.draw(delimited_files(delimiter))
    part_of_row = data.draw(
        st.lists(st.integers(-1, 2), min_size=len(records), max_size=len(records))
    )
    file = make(tmp_path_factory.mktemp("data"), head + b"".join(records), kind)
    text = (head.removeprefix(BOM) + b"".join(records)).decode()
    names, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    assert file.columns == names
    columns = read(file, names) or {name: [] for name in names}
    assert [[cell or "" for cell in row] for row in zip(*columns.values(), strict=True)] == rows
    expected = [
        head
        + b"".join(
            record for record, part in zip(records, part_of_row, strict=True) if part == number
        )
        for number in range(3)
    ]
    assert split(file, part_of_row, 3) == expected
    longer = with_column(
        file, "new", ["x", 'say "no"'], [number % 2 for number in range(len(records))]
    )
    contents = [(raw.rstrip(b"\r\n"), raw) for raw in [head, *records]]
    cells = [b"new", *([b"x", b'"say ""no"""'][number % 2] for number in range(len(records)))]
    pieces = [
        content + delimiter.encode() + cell + raw[len(content) :]
        for (content, raw), cell in zip(contents, cells, strict=True)
    ]
    assert longer == b"".join(pieces)


def ends_in_quotes(content):
    """Tell whether the last cell is quoted and not closed, character by character."""
    state = "start of cell"
    for character in content.decode():
        if state == "quoted":
            state = "quote in quoted" if character == '"' else "quoted"
        elif character == '"' and state in ("start of cell", "quote in quoted"):
            state = "quoted"
        else:
            state = "start of cell" if character in ",\r\n" else "plain"
    return state == "quoted"


@small
@given(
    content=st.lists(
        st.sampled_from([b"a", b'"', b'""', b",", b"\n", b"\r", b"\r\n", b',"', b'",']), max_size=30
    ).map(b"".join)
)
def test_records_are_those_that_arrow_reads(tmp_path_factory, content):
    """With any quotes, returns and blank lines; only an open quote is refused."""
    folder = tmp_path_factory.mktemp("data")
    if ends_in_quotes(content):
        with pytest.raises(InputError, match="does not end"):
            list(make(folder, b"x,y\n" + content).read_records())
        return
    skipped = []
    options = arrow_csv.ParseOptions(
        newlines_in_values=True, invalid_row_handler=lambda row: skipped.append(row) or "skip"
    )
    n_rows = arrow_csv.read_csv(
        io.BytesIO(b"x,y\n" + content), parse_options=options
    ).num_rows + len(skipped)
    assert sum(map(len, make(folder, b"x,y\n" + content).read_records())) == n_rows


def test_csv_cells_are_text_or_missing(tmp_path):
    """An empty cell is null, a quoted empty one is empty text, all else is text."""
    file = make(tmp_path, BOM + b'"id",tags,size\r\n01,,1.50\r\n02,"",NA\r\n')
    assert file.columns == ["id", "tags", "size"]
    assert read(file, ["size", "tags"]) == {"size": ["1.50", "NA"], "tags": [None, ""]}
    assert {batch.schema for batch in file.read_batches(["tags"])} == {
        pa.schema([("tags", pa.string())])
    }
    assert sum(batch.num_rows for batch in file.read_batches([])) == 2


def test_csv_is_read_a_bounded_number_of_rows_at_a_time(tmp_path):
    """A batch comes from one chunk of the file."""
    file = make(tmp_path, b"id\n" + b"".join(b"%06d\n" % number for number in range(100_000)), Csv)
    file.chunk_bytes = 7_000
    batches = list(file.read_batches(["id"]))
    assert max(batch.num_rows for batch in batches) <= 1_000
    assert [id_ for batch in batches for id_ in batch["id"].to_pylist()] == [
        f"{number:06d}" for number in range(100_000)
    ]


def test_csv_blank_lines_are_no_rows_and_are_not_written(tmp_path):
    """Before the header, between rows and after them; a line of spaces is a row."""
    file = make(tmp_path, b"\n\r\nid\n\n1\n\r\n\r \n2\n\n")
    assert read(file, ["id"]) == {"id": ["1", " ", "2"]}
    assert split(file, [0, 1, 0]) == [b"id\n1\n2\n", b"id\n \n"]
    assert with_column(file, "part", ["a"], [0, 0, 0]) == b"id,part\n1,a\n ,a\n2,a\n"


def test_csv_stray_quotes_are_characters(tmp_path):
    """A quote opens a quoted cell only at its start, as in Python's csv module."""
    file = make(tmp_path, b'id,text\n1,5" disk\n2,"a""\n"\n3,say "hi"\n4,"c"d"\n', Csv)
    assert read(file, ["text"]) == {"text": ['5" disk', 'a"\n', 'say "hi"', 'cd"']}
    assert split(file, [0, 1, 0, 1]) == [
        b'id,text\n1,5" disk\n3,say "hi"\n',
        b'id,text\n2,"a""\n"\n4,"c"d"\n',
    ]


def test_csv_of_old_macs_ends_lines_with_returns(tmp_path):
    """Returns are found and kept, and a new cell goes before them."""
    file = make(tmp_path, b"a,b\r1,2\r3,4")
    assert split(file, [1, 0]) == [b"a,b\r3,4", b"a,b\r1,2\r"]
    assert with_column(file, "c", ["x"], [0, 0]) == b"a,b,c\r1,2,x\r3,4,x"


def test_csv_columns_without_a_name_are_copied(tmp_path):
    """Such a column, as pandas writes for row numbers, is copied but cannot be read."""
    file = make(tmp_path, b",a,,b\n0,x,y,\n1,z,,w\n")
    assert file.columns == ["a", "b"]
    assert read(file, ["b", "a"]) == {"b": [None, "w"], "a": ["x", "z"]}
    assert split(file, [1, 0]) == [b",a,,b\n1,z,,w\n", b",a,,b\n0,x,y,\n"]
    assert with_column(file, "c", ["v"], [0, 0]) == b",a,,b,c\n0,x,y,,v\n1,z,,w,v\n"
    assert fill(file, "b", ["v"], [0, -1]) == b",a,,b\n0,x,y,v\n1,z,,w\n"


def test_csv_of_a_header_alone_has_no_rows(tmp_path):
    """It can be read, and split into files of a header alone."""
    file = make(tmp_path, b"a,b")
    assert list(file.read_batches(["a"])) == []
    assert split(file, [], 2) == [b"a,b", b"a,b"]
    assert with_column(file, "c", ["x"], []) == b"a,b,c"


def test_a_new_column_is_quoted_if_necessary(tmp_path):
    """The rules are those of the format: in tsv, a comma needs no quotes."""
    values = ["a,b", "c\td", "e\nf", 'g"h']
    rows = b"".join(b"%d\n" % number for number in range(4))
    assert (
        with_column(make(tmp_path, b"id\n" + rows), "x,y", values, range(4))
        == b'id,"x,y"\n0,"a,b"\n1,c\td\n2,"e\nf"\n3,"g""h"\n'
    )
    assert (
        with_column(make(tmp_path, b"id\n" + rows, Tsv), "x,y", values, range(4))
        == b'id\tx,y\n0\ta,b\n1\t"c\td"\n2\t"e\nf"\n3\t"g""h"\n'
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"data\.csv: is empty\. The first line must hold"),
        (BOM + b"\n\n", r"data\.csv: is empty"),
        (b",\n1,2\n", r"data\.csv: no column has a name\. Give each one in the first line"),
        (b"a,b,c,b,a\n", r"data\.csv: more than one column is named 'a', 'b'\. Give each"),
        (
            b"na\xefve,b\n1,2\n",
            r"data\.csv: the line of column names is not UTF-8\. Convert the file to UTF-8",
        ),
        ("a,b\n1,2\n".encode("utf-16-le"), "column names is not UTF-8"),
        (b"a" * 200_000 + b"\n", r"column names cannot be read: field larger than field limit"),
        (
            b"a,b\n1,2\n\n3,4,5\n6\n",
            r"data\.csv: line 4 has 3 instead of 2 cells\. Check its delimiters",
        ),
        (b'a,b\r\n1,"2\r\n\r\n3"\r\n4\r\n', r"data\.csv: line 5 has 1 instead of 2 cells"),
        (b"a,b\r1,2\r3\r", r"data\.csv: line 3 has 1 instead of 2 cells"),
        (
            b"a,b\n1,fine\n2,na\xefve\n",
            r"data\.csv: line 3 is not UTF-8\. Convert the file to UTF-8",
        ),
        (
            b'a,b\n1,2\n"3,4\n5,6\n',
            r"data\.csv: the row that starts in line 3 does not end\. Check its quotes",
        ),
    ],
)
def test_damaged_csv_is_refused_with_its_place(content, message, tmp_path):
    """The message has the path, the line if there is one, and what to do."""
    with pytest.raises(InputError, match=message):
        list(make(tmp_path, content).read_batches(["b"]))


def test_bytes_that_are_not_utf8_are_refused_only_where_they_are_read(tmp_path):
    """In other columns they are copied like all else."""
    file = make(tmp_path, b"a,b\nna\xefve,x\n")
    assert read(file, ["b"]) == {"b": ["x"]}
    assert split(file, [0]) == [b"a,b\nna\xefve,x\n"]


def test_a_ragged_row_is_named_where_text_is_not_utf8(tmp_path):
    """Not an earlier row whose bytes are not read."""
    path = tmp_path / "data.csv"
    path.write_bytes(b"id,name,tags\n1,Jos\xe9,a\n2,x,b\n3,J\xe9,a,zz\n4,y,b\n")
    with pytest.raises(InputError, match="line 4 has 4 instead of 3 cells"):
        list(Csv(path).read_batches(["tags"]))

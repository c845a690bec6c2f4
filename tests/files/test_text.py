"""Files of text: what is read from them, and that what is written has the bytes of the original."""

import csv
import io
import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyarrow import csv as arrow_csv

from evenfold.exceptions import InputError
from evenfold.files.formats.delimited import Csv, Tsv
from evenfold.files.formats.json_lines import JsonLines

BOM = b"\xef\xbb\xbf"
small = settings(max_examples=60, deadline=None)


class SmallCsv(Csv):
    """Csv in chunks so small that everything straddles their borders."""

    chunk_bytes = 5


class SmallTsv(Tsv):
    """Tsv in small chunks."""

    chunk_bytes = 5


class SmallJsonLines(JsonLines):
    """JsonLines in small chunks."""

    chunk_bytes = 5


def make(folder, content, kind=SmallCsv):
    """Write a file and open it."""
    path = folder / f"data{kind.suffix}"
    path.write_bytes(content)
    return kind(path)


def split(file, part_of_row, n_parts=None):
    """Write the parts and return their bytes."""
    n_parts = max(part_of_row, default=-1) + 1 if n_parts is None else n_parts
    targets = [file.path.parent / f"part{number}" for number in range(n_parts)]
    file.write_parts(targets, np.array(part_of_row, np.int32))
    return [target.read_bytes() for target in targets]


def with_column(file, column, values, codes):
    """Write the file with a column and return its bytes."""
    target = file.path.parent / "with_column"
    file.write_with_column(target, column, values, np.array(codes, np.int32))
    return target.read_bytes()


def read(file, columns):
    """Return the columns as lists."""
    batches = list(file.read_batches(columns))
    return pa.Table.from_batches(batches).to_pydict() if batches else None


@st.composite
def delimited_files(draw, delimiter):
    """Return the head and the raw records of a file, some of their cells quoted without need."""
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
    """Cells are those of Python's csv module; each part is the head and its records, byte for byte; a column goes before the line end."""
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
    """Say whether the last cell is quoted and not closed, character by character."""
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
    """However quotes, returns and blank lines are strewn; only a quote that stays open is refused."""
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


def test_csv_tells_missing_from_empty_and_text_from_numbers_it_does_not(tmp_path):
    """An empty cell is null, a quoted empty one is empty text, and all else is text as it stands."""
    file = make(tmp_path, BOM + b'"id",tags,size\r\n01,,1.50\r\n02,"",NA\r\n')
    assert file.columns == ["id", "tags", "size"]
    assert read(file, ["size", "tags"]) == {"size": ["1.50", "NA"], "tags": [None, ""]}
    assert {batch.schema for batch in file.read_batches(["tags"])} == {
        pa.schema([("tags", pa.string())])
    }
    assert sum(batch.num_rows for batch in file.read_batches([])) == 2


def test_csv_is_read_a_bounded_number_of_rows_at_a_time(tmp_path):
    """A batch comes from one chunk of the file, however long the file is."""
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
    """A quote within a cell opens nothing, as in Python's csv module; those at the start of one still do."""
    file = make(tmp_path, b'id,text\n1,5" disk\n2,"a""\n"\n3,say "hi"\n4,"c"d"\n', Csv)
    assert read(file, ["text"]) == {"text": ['5" disk', 'a"\n', 'say "hi"', 'cd"']}
    assert split(file, [0, 1, 0, 1]) == [
        b'id,text\n1,5" disk\n3,say "hi"\n',
        b'id,text\n2,"a""\n"\n4,"c"d"\n',
    ]


def test_csv_of_old_macs_ends_lines_with_returns(tmp_path):
    """They are found, kept, and a new cell goes before them."""
    file = make(tmp_path, b"a,b\r1,2\r3,4")
    assert split(file, [1, 0]) == [b"a,b\r3,4", b"a,b\r1,2\r"]
    assert with_column(file, "c", ["x"], [0, 0]) == b"a,b,c\r1,2,x\r3,4,x"


def test_csv_columns_without_a_name_are_carried_along(tmp_path):
    """As the numbers of rows that pandas writes; they cannot be asked for, and the others are found in their places."""
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


def test_new_column_is_quoted_where_it_needs_to_be(tmp_path):
    """By the rules of the format itself: a comma means nothing in tsv."""
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
    """The path, the line where there is one, and what to do."""
    with pytest.raises(InputError, match=message):
        list(make(tmp_path, content).read_batches(["b"]))


def test_bytes_that_are_not_utf8_hurt_only_where_they_are_read(tmp_path):
    """In other columns they are copied like all else."""
    file = make(tmp_path, b"a,b\nna\xefve,x\n")
    assert read(file, ["b"]) == {"b": ["x"]}
    assert split(file, [0]) == [b"a,b\nna\xefve,x\n"]


@pytest.mark.parametrize("kind", [SmallCsv, SmallJsonLines])
def test_a_row_without_end_is_refused_before_it_fills_the_memory(kind, tmp_path, monkeypatch):
    """The line is the one in which the row starts."""
    file = make(tmp_path, b'{"a": 1}\n"' + b"x" * 1_000 + b'"\n', kind)
    monkeypatch.setattr(kind, "max_row_bytes", 100)
    with pytest.raises(InputError, match="the row that starts in line 2 does not end"):
        list(file.read_records())


def test_columns_that_are_not_there_are_refused_and_those_that_are_not_added(tmp_path):
    """With the names there are."""
    file = make(tmp_path, b"a,b\n1,2\n")
    with pytest.raises(InputError, match=r"data\.csv: has no column 'c'\. Its columns: a, b\."):
        list(file.read_batches(["b", "c"]))
    with pytest.raises(InputError, match=r"data\.csv: has a column 'b' already"):
        with_column(file, "b", ["x"], [0])
    with pytest.raises(InputError, match=r"data\.jsonl: has a column 'b' already"):
        with_column(make(tmp_path, b'{"b": 1}', JsonLines), "b", ["x"], [0])


@pytest.mark.parametrize("n_split", [1, 3])
@pytest.mark.parametrize(
    ("kind", "content"), [(SmallCsv, b"id\n1\n2\n"), (SmallJsonLines, b'{"id": 1}\n{"id": 2}\n')]
)
def test_a_file_that_changed_after_it_was_split_is_refused(kind, content, n_split, tmp_path):
    """Rows would go to parts that were meant for others."""
    with pytest.raises(
        InputError, match=rf"no longer holds the {n_split} rows whose labels were read\. Split it again"
    ):
        split(make(tmp_path, content, kind), [0] * n_split)


json_values = (
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text('a"\\}{,é日\n', max_size=4)
)


@small
@given(data=st.data())
def test_json_lines_are_written_as_they_are(data, tmp_path_factory):
    """Each part has its lines, byte for byte; a new key comes last, and nothing else changes."""
    objects = data.draw(
        st.lists(
            st.dictionaries(
                st.sampled_from("abc{}"),
                json_values | st.lists(json_values, max_size=2),
                max_size=3,
            ),
            min_size=1,
            max_size=6,
        )
    )
    ends = st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n \t\r\n"])
    lines = [
        (json.dumps(found, ensure_ascii=data.draw(st.booleans())), data.draw(ends))
        for found in objects
    ]
    mark = data.draw(st.sampled_from([b"", BOM]))
    file = make(
        tmp_path_factory.mktemp("data"),
        mark + "".join(text + end for text, end in lines).encode(),
        SmallJsonLines,
    )
    assert file.columns == list(dict.fromkeys(key for found in objects for key in found))
    written = [(text + end[: end.index("\n") + 1]).encode() for text, end in lines]
    part_of_row = data.draw(st.lists(st.integers(-1, 1), min_size=len(lines), max_size=len(lines)))
    expected = [
        mark
        + b"".join(line for line, part in zip(written, part_of_row, strict=True) if part == number)
        for number in range(2)
    ]
    assert split(file, part_of_row, 2) == expected
    new = [
        ("" if found == {} else ", ") + f'"the \\"part\\"": "{"x日"[number % 2]}"'
        for number, found in enumerate(objects)
    ]
    pieces = [
        text[:-1] + entry + "}" + end[: end.index("\n") + 1]
        for (text, end), entry in zip(lines, new, strict=True)
    ]
    assert (
        with_column(file, 'the "part"', ["x", "日"], np.arange(len(lines)) % 2)
        == mark + "".join(pieces).encode()
    )
    assert [json.loads(piece)['the "part"'] for piece in pieces] == [
        "x日"[number % 2] for number in range(len(pieces))
    ]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([None, "a", None, "b"], pa.string()),
        ([None, None], pa.string()),
        ([1, 2, None], pa.int64()),
        ([1, 2.5, 3], pa.float64()),
        ([True, None, False], pa.bool_()),
        ([[], None, ["a", None], ["b", "c"]], pa.list_(pa.string())),
        ([[], [1], [2.5, 3]], pa.list_(pa.float64())),
        ([[], [None]], pa.list_(pa.string())),
    ],
)
def test_json_values_have_one_type_in_all_batches(values, kind, tmp_path):
    """Whichever comes first."""
    file = make(
        tmp_path,
        "".join(
            json.dumps({"id": 0, "x": value, "more": "{}"}) + "\n" for value in values
        ).encode(),
        SmallJsonLines,
    )
    batches = list(file.read_batches(["x"]))
    assert len(batches) > 1
    assert {batch.schema for batch in batches} == {pa.schema([("x", kind)])}
    assert [value for batch in batches for value in batch["x"].to_pylist()] == values


def test_json_keys_may_come_late_or_be_missing(tmp_path):
    """The columns are those of all objects, null where one has them not; NaN, which Python writes, is null too."""
    file = make(
        tmp_path,
        b'{"a": 1, "b": "x"}\n{"c": [1], "a": NaN}\n\n{"b": "y", "a": -Infinity}',
        JsonLines,
    )
    assert file.columns == ["a", "b", "c"]
    assert read(file, ["c", "a", "b"]) == {
        "c": [None, [1], None],
        "a": [1.0, None, -np.inf],
        "b": ["x", None, "y"],
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\n \n", r"data\.jsonl: is empty\. Each line must hold one JSON object"),
        (
            b'{"a": 1}\n\n{"a": 2\n',
            r"data\.jsonl: line 3 is not JSON: Expecting ',' delimiter: column 8 \(char 7\)\. Each line",
        ),
        (b'{"a": 1} {"a": 2}\n', r"data\.jsonl: line 1 is not JSON: Extra data: column 10"),
        (
            b'{"a": 1}\n{"a": "\xff"}\n',
            r"data\.jsonl: line 2 is not JSON: 'utf-8' codec can't decode byte 0xff in position 7",
        ),
        (
            b'{"a": 1}\n{"a": ' + b"[" * 5_000 + b"\n",
            r"data\.jsonl: line 2 is not JSON: maximum recursion depth",
        ),
        (
            b'[{"a": 1}, {"a": 2}]',
            r"data\.jsonl: line 1 is not an object, it starts with \[\{\"a\": 1\}, ",
        ),
        (b'{"a": 1}\n17', r"data\.jsonl: line 2 is not an object, it starts with 17\."),
        (b'{"b": 1}\n', r"data\.jsonl: no line has the key 'a'\. The keys there are: b\."),
        (
            b'{"a": "x"}\n{"a": null}\n{"a": ["x"]}',
            r"'a' holds text \(line 1\) and lists of text \(line 3\)\. Let it hold only text",
        ),
        (b'{"a": 1}\n{"a": true}', r"'a' holds whole numbers \(line 1\) and booleans \(line 2\)"),
        (b'{"a": {"b": 1}}', r"'a' holds objects \(line 1\)\. Let it"),
        (b'{"a": [[1]]}', r"'a' holds lists of lists \(line 1\)\. Let it"),
        (
            b'{"a": 1}\n{"a": 9223372036854775808}',
            r"line 2 has '9223372036854775808' for 'a', which does not fit into a column of type int64",
        ),
        (
            b'{"a": "\\ud800"}',
            r"line 1 has '\\ud800' for 'a', which does not fit into a column of type string\. Write it as plain text",
        ),
    ],
)
def test_damaged_json_lines_are_refused_with_their_place(content, message, tmp_path):
    """The path, the line, and what to do."""
    with pytest.raises(InputError, match=message):
        list(make(tmp_path, content, SmallJsonLines).read_batches(["a"]))


def test_a_key_that_a_later_line_has_already_is_not_added(tmp_path):
    """That line would hold it twice; the word elsewhere than as a key does no harm."""
    with pytest.raises(
        InputError, match=r"data\.jsonl: has a column 'part' already\. Choose another name"
    ):
        with_column(
            make(tmp_path, b'{"a": "part"}\n{"part": "x"}\n', JsonLines), "part", ["x"], [0, 0]
        )
    assert (
        with_column(make(tmp_path, b'{"a": "part"}', JsonLines), "part", ["x"], [0])
        == b'{"a": "part", "part": "x"}'
    )


def fill(file, column, values, codes):
    """Write the file with some values of a column filled and return its bytes."""
    target = file.path.parent / "filled"
    file.fill_column(target, column, values, np.array(codes, np.int32))
    return target.read_bytes()


@pytest.mark.parametrize(
    ("old", "values", "new"),
    [
        ("1", ["0", "1"], "0"),
        ("true", ["false", "true"], "false"),
        ("2.5", ["1", "2.5"], "1.0"),
        ('"1"', ["0", "1"], '"0"'),
    ],
)
def test_json_values_are_filled_in_the_type_of_the_others(old, values, new, tmp_path):
    """Numbers stay numbers and booleans booleans, so that the key can be read again."""
    file = make(tmp_path, f'{{"part": {old}}}\n{{"part": null}}\n'.encode(), JsonLines)
    assert fill(file, "part", values, [-1, 0]) == f'{{"part": {old}}}\n{{"part": {new}}}\n'.encode()


def test_a_json_value_that_is_none_of_its_key_is_not_filled_in(tmp_path):
    """A part with a name among numbered ones."""
    with pytest.raises(
        InputError,
        match=r"data\.jsonl: 'part' is of type int64, which cannot hold 1, test\. Name a new column with --column",
    ):
        fill(make(tmp_path, b'{"part": 1}\n{"a": 1}\n', JsonLines), "part", ["1", "test"], [-1, 1])


@small
@given(
    others=st.dictionaries(
        st.text('aN"\\{}:,é\ud800', max_size=3),
        st.floats(width=16)
        | st.lists(st.floats(width=16), max_size=2)
        | st.text('NaInfity"\\-,\ud800'),
        max_size=4,
    ),
    is_there=st.booleans(),
    before=st.sampled_from(["", " "]),
)
def test_a_line_that_only_python_takes_for_json_keeps_all_but_the_value_filled_in(
    others, is_there, before, tmp_path_factory
):
    """NaN, Infinity and halves of surrogate pairs, wherever they are, stay as they are."""
    new = {"part": None} if is_there else {}
    line = before + json.dumps({**new, **others, "last": float("nan")})
    file = make(tmp_path_factory.mktemp("data"), f'{{"part": "x"}}\n{line}\n'.encode(), JsonLines)
    expected = (
        line.replace('"part": null', '"part": "x"') if is_there else line[:-1] + ', "part": "x"}'
    )
    assert fill(file, "part", ["x"], [-1, 0]).decode().splitlines()[1] == expected


def test_a_ragged_row_is_named_where_text_is_not_utf8(tmp_path):
    """Neither an earlier row, whose bytes nobody asked for, nor a traceback of Arrow's."""
    path = tmp_path / "data.csv"
    path.write_bytes(b"id,name,tags\n1,Jos\xe9,a\n2,x,b\n3,J\xe9,a,zz\n4,y,b\n")
    with pytest.raises(InputError, match="line 4 has 4 instead of 3 cells"):
        list(Csv(path).read_batches(["tags"]))

"""Tables written in another format than their own."""

import datetime
import decimal
import json
import sys

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files.codecs.csv_lines import to_csv_lines
from evenfold.files.codecs.flat_columns import holds_bytes, to_values, without_categories
from evenfold.files.conversion import Converted, convert
from evenfold.files.new_tables import FLAT, WRITABLE, check_can_write, open_new_table
from evenfold.files.registry import FORMATS, open_data

from .made_files import N_ROWS, WRITERS, write_huggingface
from .text_files import make, read

TABLES = [
    "data.csv",
    "data.tsv.gz",
    "data.parquet",
    "parquet_folder",
    "data.feather",
    "data.jsonl",
    "records.json",
    "data.arff",
    "hf_folder",
    "data.xlsx",
    "data.sqlite",
    "data.duckdb",
]
CODES = np.arange(N_ROWS, dtype=np.int32) % 3 - 1


def read_rows(file, columns):
    """Return rows of text, lists as JSON; None for empty text, which some formats do not have."""
    return [
        [normal(value) for value in row] for row in zip(*read(file, columns).values(), strict=True)
    ]


def normal(value):
    """Return a value as text."""
    if isinstance(value, str) and value.startswith("["):
        value = json.loads(value)
    if isinstance(value, list):
        return json.dumps(value)
    return None if value in (None, "") else f"{value:g}" if isinstance(value, float) else str(value)


@pytest.mark.parametrize("target_format", WRITABLE)
@pytest.mark.parametrize("name", TABLES)
def test_every_table_can_be_written_in_every_format(name, target_format, tmp_path):
    """Parts, and all rows with a column; text, numbers and lists are those of the source."""
    source = open_data(str(WRITERS[name](tmp_path / name)))
    suffix = FORMATS[target_format].suffixes[0]
    file = convert(source, [target_format], f"out{suffix}")
    assert (file.format, file.columns) == (target_format, list(source.columns))
    rows = read_rows(source, source.columns)
    targets = [tmp_path / f"part{part}{suffix}" for part in range(2)]
    file.write_parts(targets, CODES)
    for part, target in enumerate(targets):
        written = open_data(str(target))
        assert written.format == target_format
        wanted = [row for row, code in zip(rows, CODES, strict=True) if code == part]
        assert read_rows(written, source.columns) == wanted
    more = tmp_path / f"more{suffix}"
    file.write_with_column(more, "part", ["a", "b"], CODES)
    assert read(open_data(str(more)), ["part"])["part"] == [[None, "a", "b"][c + 1] for c in CODES]


MORNING = datetime.datetime(2020, 1, 2, 3)
ODD = pa.table(
    {
        "number": pa.array([0.5, float("nan"), 3.0], pa.float32()),
        "when": pa.array([MORNING, None, None], pa.timestamp("us")),
        "zoned": pa.array([MORNING] * 3, pa.timestamp("us", "UTC")),
        "day": pa.array([datetime.date(2020, 2, 29), None, None]),
        "price": pa.array([decimal.Decimal("1.50"), None, None], pa.decimal128(9, 2)),
        "long": pa.array([datetime.timedelta(hours=30), None, None], pa.duration("us")),
        "kind": pa.array(["x", "y", "x"]).dictionary_encode(),
        "box": pa.array([{"x": 1, "y": [2]}, None, {"x": 3, "y": []}]),
        "kinds": pa.array([["x"], [], None], pa.list_(pa.dictionary(pa.int8(), pa.string()))),
        "flag": pa.array([True, False, None]),
        "large": pa.array([2**63, 0, 1], pa.uint64()),
    }
)


def write_odd(folder, target_format, columns):
    """Write some of the odd columns in a format and return the new file, open."""
    pq.write_table(ODD.select(columns), folder / "odd.parquet")
    path = folder / f"out{FORMATS[target_format].suffixes[0]}"
    file = Converted(open_data(str(folder / "odd.parquet")), target_format, path.name)
    file.write_parts([path], np.zeros(3, np.int32))
    return open_data(str(path))


@pytest.mark.parametrize("target_format", ["parquet", "feather"])
def test_columns_keep_their_types_where_the_format_has_them(target_format, tmp_path):
    """Categories become text."""
    written = write_odd(tmp_path, target_format, ODD.column_names)
    assert [str(field.type) for field in written.schema][:7] == [
        "float",
        "timestamp[us]",
        "timestamp[us, tz=UTC]",
        "date32[day]",
        "decimal128(9, 2)",
        "duration[us]",
        "string",
    ]
    assert [str(field.type) for field in written.schema][9:] == ["bool", "uint64"]
    found = read(written, ["price", "kind", "kinds", "box"])
    assert found["price"] == [decimal.Decimal("1.50"), None, None]
    assert found["kind"] == ["x", "y", "x"]
    assert found["kinds"] == [["x"], [], None]
    assert found["box"] == ODD.column("box").to_pylist()


def test_columns_become_text_where_the_format_has_only_text(tmp_path):
    """NaN is missing, lists and structs are JSON."""
    written = write_odd(tmp_path, "csv", ODD.column_names)
    assert [row[0] for row in read(written, ODD.column_names).values()] == [
        "0.5",
        "2020-01-02 03:00:00.000000",
        "2020-01-02 03:00:00.000000Z",
        "2020-02-29",
        "1.50",
        "108000000000",
        "x",
        '{"x":1,"y":[2]}',
        '["x"]',
        "true",
        "9223372036854775808",
    ]
    assert read(written, ["number"]) == {"number": ["0.5", None, "3"]}


def test_columns_become_what_sqlite_and_excel_have(tmp_path):
    """Numbers, text and, in Excel, dates and times without a zone."""
    columns = [name for name in ODD.column_names if name not in ("large", "long")]
    found = read(write_odd(tmp_path, "sqlite", columns), columns)
    assert [values[0] for values in found.values()] == [
        0.5,
        "2020-01-02 03:00:00.000000",
        "2020-01-02 03:00:00.000000Z",
        "2020-02-29",
        1.5,
        "x",
        '{"x":1,"y":[2]}',
        '["x"]',
        1,
    ]
    found = read(write_odd(tmp_path, "xlsx", columns), columns)
    assert [values[0] for values in found.values()] == [
        0.5,
        MORNING,
        "2020-01-02 03:00:00.000000Z",
        datetime.date(2020, 2, 29),
        1.5,
        "x",
        '{"x":1,"y":[2]}',
        '["x"]',
        True,
    ]
    (tmp_path / "large").mkdir()
    with pytest.raises(InputError, match=r"out\.sqlite: cannot be written as sqlite: .*too large"):
        write_odd(tmp_path / "large", "sqlite", ["large"])


def test_json_has_numbers_lists_and_booleans(tmp_path):
    """Dates are text."""
    for target_format in ("jsonl", "json"):
        written = write_odd(tmp_path, target_format, ["number", "kinds", "day", "flag"])
        assert read(written, ["number", "kinds", "day", "flag"]) == {
            "number": [0.5, None, 3.0],
            "kinds": [["x"], [], None],
            "day": ["2020-02-29", None, None],
            "flag": [True, False, None],
        }
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert rows == json.loads((tmp_path / "out.json").read_text())


@pytest.mark.parametrize("target_format", ["csv", "tsv", "jsonl", "json", "xlsx"])
def test_bytes_are_refused_where_the_format_has_none(target_format, tmp_path):
    """Also within lists; the message names the columns."""
    table = pa.table({"id": [1], "image": [b"x"], "images": [[b"x"]]})
    pq.write_table(table, tmp_path / "data.parquet")
    with pytest.raises(
        InputError,
        match=rf"data\.parquet: 'image', 'images' hold bytes, which {target_format} cannot hold\. "
        r"Write parquet, feather or duckdb\.",
    ):
        convert(open_data(str(tmp_path / "data.parquet")), [target_format], "out")


@pytest.mark.parametrize("target_format", ["sqlite", "duckdb", "feather"])
def test_bytes_are_kept_where_the_format_has_them(target_format, tmp_path):
    """As they are."""
    pq.write_table(pa.table({"image": [b"\x00\xff"]}), tmp_path / "data.parquet")
    path = tmp_path / f"out{FORMATS[target_format].suffixes[0]}"
    file = convert(open_data(str(tmp_path / "data.parquet")), [target_format], path.name)
    file.write_parts([path], np.zeros(1, np.int32))
    assert read(open_data(str(path)), ["image"]) == {"image": [b"\x00\xff"]}


def test_what_is_converted_is_said(tmp_path):
    """Formats, types and which columns become JSON."""
    source = open_data(str(WRITERS["data.parquet"](tmp_path / "data.parquet")))
    types = "Types, as read: int64: id, age; string: title, patient; list<element: string>: genres."
    [said] = convert(source, ["feather"], "o.feather").remarks
    assert said == f"{source.path} is converted from parquet to feather. {types}"
    [said] = convert(source, ["csv"], "o.csv").remarks
    assert said == f"{source.path} is converted from parquet to csv. {types} As JSON text: genres."


def test_only_tables_are_converted(tmp_path):
    """Other formats hold more than columns, or none, and are not written."""
    for name in ("data.svm", "data.npz", "data.json"):
        assert convert(open_data(str(WRITERS[name](tmp_path / name))), ["csv"], "o.csv") is None
    source = open_data(str(WRITERS["data.csv"](tmp_path / "data.csv")))
    assert convert(source, ["arff"], "o.arff") is None
    assert convert(source, ["coco", "json", "jsonl"], "o.json").format == "json"
    with pytest.raises(InputError, match="holds no rows"):
        convert(make(tmp_path, b"a,b\n"), ["parquet"], "o.parquet")


def test_classes_of_hugging_face_are_written_by_name(tmp_path):
    """Their numbers mean nothing elsewhere."""
    table = pa.table({"kind": pa.array([1, 0, -1]), "kinds": [[0], [1, 0], []]})
    folder = write_huggingface(tmp_path / "hf", table)
    names = {"names": ["cat", "dog"], "_type": "ClassLabel"}
    features = {"kind": names, "kinds": {"feature": names, "_type": "Sequence"}}
    (folder / "dataset_info.json").write_text(json.dumps({"features": features}))
    file = convert(open_data(str(folder)), ["jsonl"], "o.jsonl")
    file.write_parts([tmp_path / "o.jsonl"], np.zeros(3, np.int32))
    assert read(open_data(str(tmp_path / "o.jsonl")), ["kind", "kinds"]) == {
        "kind": ["dog", "cat", None],
        "kinds": [["cat"], ["dog", "cat"], []],
    }


def test_a_column_is_filled_while_it_is_converted(tmp_path):
    """As in the format itself; a column without a name is left out."""
    file = convert(make(tmp_path, b"id,,fold\n1,x,a\n2,y,\n"), ["parquet"], "o.parquet")
    file.fill_column(tmp_path / "o.parquet", "fold", ["b"], np.array([-1, 0], np.int32))
    assert read(open_data(str(tmp_path / "o.parquet")), ["id", "fold"]) == {
        "id": ["1", "2"],
        "fold": ["a", "b"],
    }
    assert pq.read_schema(tmp_path / "o.parquet").names == ["id", "fold"]


def test_csv_cells_are_quoted_only_where_they_must_be():
    """A line of one missing cell is not blank."""
    texts = pa.array(["a", "a,b", 'q"r', "", None, "l\nm", "c\rd", "e;f"])
    assert to_csv_lines([texts[:3]], ",") == b'a\n"a,b"\n"q""r"\n'
    assert to_csv_lines([texts[3:5]], ",") == b'""\n""\n'
    assert to_csv_lines([texts[3:5], texts[3:5]], ",") == b'"",""\n,\n'
    assert to_csv_lines([texts[5:]], ";") == b'"l\nm"\n"c\rd"\n"e;f"\n'


def test_flat_values():
    """Bytes are found within lists and structs; times become text if they must."""
    assert holds_bytes(pa.list_(pa.struct([("a", pa.binary())])))
    assert holds_bytes(pa.dictionary(pa.int8(), pa.binary()))
    assert not holds_bytes(pa.list_(pa.dictionary(pa.int8(), pa.string())))
    coded = pa.array([["a"], None], pa.large_list(pa.dictionary(pa.int8(), pa.string())))
    assert without_categories(coded).type == pa.large_list(pa.string())
    assert to_values(pa.array([datetime.time(1, 2)]), with_times=False) == ["01:02:00.000000"]


def test_a_format_whose_package_is_missing_is_refused_before_the_work(tmp_path, monkeypatch):
    """Both packages that are needed to write."""
    source = open_data(str(WRITERS["data.csv"](tmp_path / "data.csv")))
    for package, target_format in (("xlsxwriter", "xlsx"), ("duckdb", "duckdb")):
        monkeypatch.setitem(sys.modules, package, None)
        with pytest.raises(InputError, match=rf"^o: needs the package {package}, .* Run: pip"):
            convert(source, [target_format], "o")
    check_can_write("csv", "o.csv")


def test_every_format_that_can_be_written_is_one_that_can_be_read():
    """Under the same name."""
    assert set(WRITABLE) <= set(FORMATS)
    assert set(FLAT) <= set(WRITABLE)


def test_files_without_rows_can_be_written(tmp_path):
    """A part may have none."""
    for name in WRITABLE:
        path = tmp_path / f"empty{FORMATS[name].suffixes[0]}"
        with open_new_table(name, path, pa.schema([("a", pa.string())])):
            pass
        assert path.exists()
    assert (tmp_path / "empty.json").read_text() == "[]\n"

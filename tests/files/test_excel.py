"""Excel: sheets are read as columns of one type, and written with the values of their cells."""

import datetime
import errno
import math
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
import python_calamine
import xlsxwriter
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.files.codecs import excel_cells
from evenfold.files.codecs.excel_cells import make_column, open_sheet
from evenfold.files.formats.excel import Excel

from .made_files import write_xlsx
from .text_files import read, small

DAY = datetime.date(2020, 2, 29)
NOON = datetime.datetime(2021, 3, 4, 12)


def make(folder, rows, name="data.xlsx"):
    """Write a sheet and open it."""
    return Excel(write_xlsx(folder / name, {"Films": rows}))


def read_sheet(path):
    """Return the name and the cells of the only sheet of a workbook."""
    with python_calamine.load_workbook(path) as book:
        [name] = book.sheet_names
        return name, book.get_sheet_by_name(name).to_python(skip_empty_area=False)


def write_parts(file, folder, part_of_row, n_parts):
    """Write the parts, and return the rows of each with the header."""
    targets = [folder / f"part{part}.xlsx" for part in range(n_parts)]
    file.write_parts(targets, np.array(part_of_row, np.int32))
    return [read_sheet(target)[1] for target in targets]


def test_columns_have_the_type_of_their_cells(tmp_path):
    """Whole numbers, numbers, text, booleans; of several types, text as Excel shows it."""
    file = make(
        tmp_path,
        [
            ["whole", "number", "text", "flag", "mixed", "none", 2020],
            [1, 0.5, "a", True, 12, None, 1],
            [None, 2, "007", False, "x", None, 2],
            [2**53, None, None, None, True, None, 3],
        ],
    )
    assert file.columns == ["whole", "number", "text", "flag", "mixed", "none", "2020"]
    assert read(file, file.columns) == {
        "whole": [1, None, 2**53],
        "number": [0.5, 2.0, None],
        "text": ["a", "007", None],
        "flag": [True, False, None],
        "mixed": ["12", "x", "TRUE"],
        "none": [None] * 3,
        "2020": [1, 2, 3],
    }
    assert [str(file.find_type(column)) for column in ("whole", "number", "flag", "mixed")] == [
        "int64",
        "double",
        "bool",
        "string",
    ]


def test_a_column_without_a_name_stays_unless_it_is_empty(tmp_path):
    """It is copied and cannot be read; blank rows are no rows."""
    file = make(tmp_path, [["a", None, None, "b"], [1, "x", None, 2], [], [3, None, None, 4]])
    assert file.columns == ["a", "b"]
    assert read(file, ["b"]) == {"b": [2, 4]}
    assert write_parts(file, tmp_path, [1, 0], 2) == [
        [["a", "", "b"], [3, "", 4]],
        [["a", "", "b"], [1, "x", 2]],
    ]


def test_a_table_may_start_anywhere_in_the_sheet(tmp_path):
    """What is written starts in the first cell."""
    with xlsxwriter.Workbook(str(tmp_path / "data.xlsx")) as book:
        sheet = book.add_worksheet("Films")
        for number, row in enumerate([["a", "b"], [1, "x"], [2, "y"]]):
            sheet.write_row(number + 3, 2, row)
    file = Excel(tmp_path / "data.xlsx")
    assert read(file, ["a", "b"]) == {"a": [1, 2], "b": ["x", "y"]}
    assert write_parts(file, tmp_path, [0, 0], 1) == [[["a", "b"], [1, "x"], [2, "y"]]]


def test_formulas_have_their_saved_values_and_errors_are_missing(tmp_path):
    """Neither is written as a formula."""
    with xlsxwriter.Workbook(str(tmp_path / "data.xlsx")) as book:
        sheet = book.add_worksheet()
        sheet.write_row(0, 0, ["a", "b"])
        sheet.write_formula(1, 0, "=1+1", None, 2)
        sheet.write_formula(1, 1, "=NA()", None, "#N/A")
        sheet.write_row(2, 0, [3, "x"])
    file = Excel(tmp_path / "data.xlsx")
    assert read(file, ["a", "b"]) == {"a": [2, 3], "b": [None, "x"]}
    assert write_parts(file, tmp_path, [0, 0], 1) == [[["a", "b"], [2, ""], [3, "x"]]]


cells = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**53), 2**53),
    st.floats(-1e300, 1e300).map(lambda own: float(f"{own:.15g}")),
    st.text(st.characters(codec="utf-8"), min_size=1, max_size=9),
    st.dates(datetime.date(1900, 3, 1), datetime.date(2100, 1, 1)),
    st.sampled_from(["=1+1", "http://a.b", "#N/A", " x ", "_x0041_", "1", "TRUE", "a\nb", NOON]),
)


@small
@given(data=st.data())
def test_cells_are_written_as_they_were_read(data, tmp_path_factory):
    """Numbers, text that looks like something else, dates; in parts and with a column."""
    folder = tmp_path_factory.mktemp("data")
    rows = [(0, "first", "first")]
    rows += data.draw(st.lists(st.tuples(st.integers(0, 9), cells, cells), max_size=5))
    with open_sheet(folder / "data.xlsx", "Films", ["id", "a", "b"]) as write:
        write(rows)
    before = read_sheet(folder / "data.xlsx")[1]
    for own, row in zip(rows, before[1:], strict=True):
        assert list(row) == ["" if cell is None else cell for cell in own]
    file = Excel(folder / "data.xlsx")
    codes = [
        0,
        *data.draw(st.lists(st.integers(-1, 1), min_size=len(rows) - 1, max_size=len(rows) - 1)),
    ]
    for part, written in enumerate(write_parts(file, folder, codes, 2)):
        wanted = [row for row, code in zip(before[1:], codes, strict=True) if code == part]
        assert [(*row, "", "")[:3] for row in written[1:]] == [tuple(row) for row in wanted]
    file.write_with_column(folder / "more.xlsx", "part", ["x", "y"], np.array(codes, np.int32))
    more = read_sheet(folder / "more.xlsx")[1]
    names = {0: "x", 1: "y", -1: ""}
    assert more == [[*before[0], "part"]] + [
        [*row, names[code]] for row, code in zip(before[1:], codes, strict=True)
    ]


def test_a_column_is_filled_in_its_type(tmp_path):
    """Numbers stay numbers; a value that is none is refused."""
    file = make(tmp_path, [["id", "fold"], [1, 0], [2, None], [3, 1]])
    file.fill_column(tmp_path / "out.xlsx", "fold", ["0", "1"], np.array([-1, 1, -1], np.int32))
    assert read_sheet(tmp_path / "out.xlsx") == ("Films", [["id", "fold"], [1, 0], [2, 1], [3, 1]])
    with pytest.raises(InputError, match=r"'fold' is of type int64, which cannot hold train, test"):
        file.fill_column(tmp_path / "out.xlsx", "fold", ["train", "test"], np.zeros(3, np.int32))


def test_the_same_rows_give_the_same_bytes(tmp_path):
    """The time of writing is not in the file."""
    file = make(tmp_path, [["id"], [1], [2]])
    for name in ("a.xlsx", "b.xlsx"):
        file.write_parts([tmp_path / name], np.zeros(2, np.int32))
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.xlsx") as archive:
        assert b"2000-01-01" in archive.read("docProps/core.xml")


def test_the_sheet_is_the_one_that_is_named_or_the_only_one_with_cells(tmp_path):
    """Hidden and empty sheets are taken only if they are named."""
    path = tmp_path / "data.xlsx"
    with xlsxwriter.Workbook(str(path)) as book:
        for name, value in (("Films", 1), ("Lists", 2)):
            book.add_worksheet(name).write_column(0, 0, ["id", value])
        book.add_worksheet("Sheet3")
        book.get_worksheet_by_name("Lists").hide()
    assert read(Excel(path), ["id"]) == {"id": [1]}
    assert read(Excel(path, None, "Lists"), ["id"]) == {"id": [2]}
    with pytest.raises(InputError, match=r"sheet 'Sheet3' is empty\. Its first row must hold"):
        Excel(path, None, "Sheet3")
    with pytest.raises(InputError, match=r"has no sheet 'films'\. .*Did you mean 'Films'\?"):
        Excel(path, f"{path}::films", "films")
    two = write_xlsx(tmp_path / "two.xlsx", {"A": [["id"], [1]], "B": [["id"], [2]]})
    with pytest.raises(
        InputError, match=r"two\.xlsx: holds 2 sheets\. Name one of them: .*two\.xlsx::A, .*::B\."
    ):
        Excel(two)


def test_dates_are_dates():
    """Of one column: dates, dates and times, times, durations; mixed with others, text."""
    time, duration = datetime.time(1, 2, 3), datetime.timedelta(hours=30)
    for values, kind in (
        ([DAY, None], pa.date32()),
        ([DAY, NOON], pa.timestamp("us")),
        ([time], pa.time64("us")),
        ([duration], pa.duration("us")),
    ):
        assert make_column(values).type == kind
    assert make_column([DAY, "x", NOON, 1.5, 3.0]).to_pylist() == [
        "2020-02-29",
        "x",
        "2021-03-04 12:00:00",
        "1.5",
        "3",
    ]
    assert make_column([None]).type == pa.string()


def test_what_excel_cannot_hold_is_refused(tmp_path, monkeypatch):
    """Rows, columns and text beyond its limits; numbers that are too large are written as text."""
    with monkeypatch.context() as patch:
        patch.setattr(excel_cells, "MAX_ROWS", 3)
        with (
            pytest.raises(InputError, match=r"a\.xlsx: a sheet of Excel has at most 2 rows below"),
            open_sheet(tmp_path / "a.xlsx", "A", ["id"]) as write,
        ):
            write([[1], [2], [3]])
    with (
        pytest.raises(
            InputError,
            match=r"a\.xlsx: column 'text' has a text of 32,768 characters at row 1, and a cell of "
            r"Excel holds 32,767\.",
        ),
        open_sheet(tmp_path / "a.xlsx", "A", ["text"]) as write,
    ):
        write([["x" * 32_767], ["x" * 32_768]])
    with (
        pytest.raises(
            InputError, match=r"a\.xlsx: a sheet of Excel has at most 16,384 columns, got"
        ),
        open_sheet(tmp_path / "a.xlsx", "A", ["id"] * 16_385),
    ):
        pass
    with open_sheet(tmp_path / "a.xlsx", "A", ["id"]) as write:
        write([[2**53 + 1], [-5], [math.inf], [math.nan], [0]])
    written = [["id"], [str(2**53 + 1)], [-5], ["inf"], [""], [0]]
    assert read_sheet(tmp_path / "a.xlsx")[1] == written
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.xlsx"]


def change(path, member, before, after):
    """Replace bytes in a member of a zip archive."""
    with zipfile.ZipFile(path) as archive:
        content = {info.filename: archive.read(info) for info in archive.infolist()}
    assert before in content[member]
    content[member] = content[member].replace(before, after)
    with zipfile.ZipFile(path, "w") as archive:
        for name, own in content.items():
            archive.writestr(name, own)


def cut(path):
    """Remove the end of a file."""
    path.write_bytes(path.read_bytes()[:-200])


DAMAGE = {
    "cut off": (cut, "cannot be read as xlsx: "),
    "empty": (lambda path: path.write_bytes(b""), "cannot be read as xlsx: "),
    "text": (lambda path: path.write_bytes(b"id,tags\n1,a\n"), "cannot be read as xlsx: "),
    "an archive of something else": (
        lambda path: path.write_bytes(b"PK\x05\x06" + bytes(18)),
        "cannot be read as xlsx: ",
    ),
    "a text that is nowhere": (
        lambda path: change(path, "xl/worksheets/sheet1.xml", b't="s"><v>7<', b't="s"><v>7777<'),
        "cannot be read as xlsx: ",
    ),
    "a sheet that is missing": (
        lambda path: change(path, "xl/workbook.xml", b'r:id="rId1"', b'r:id="rId9"'),
        "cannot be read as xlsx: ",
    ),
    "a password": (
        lambda path: path.write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)),
        "is protected by a password or in the format of Excel before 2007. Save it as .xlsx",
    ),
}


@pytest.mark.parametrize("kind", DAMAGE)
def test_damaged_workbooks_are_refused_with_their_name(kind, tmp_path):
    """One message that says what to do."""
    path = write_xlsx(tmp_path / "data.xlsx")
    damage, message = DAMAGE[kind]
    damage(path)
    with pytest.raises(InputError) as refused:
        Excel(path)
    assert str(refused.value).startswith(f"{path}: {message}")
    assert "ave it" in str(refused.value)


def test_sheets_without_columns_are_refused(tmp_path):
    """No names, or the same twice."""
    with pytest.raises(InputError, match=r"more than one column is named 'a'\. Give each"):
        make(tmp_path, [["a", "b", "a"], [1, 2, 3]])
    with pytest.raises(InputError, match=r"holds no sheet to read"):
        Excel(write_xlsx(tmp_path / "e.xlsx", {"A": [], "B": []}))
    with pytest.raises(InputError, match=r"no longer holds the 3 rows"):
        write_parts(make(tmp_path, [["a"], [1], [2]]), tmp_path, [0, 0, 0], 1)


def test_what_the_system_refuses_is_its_error(tmp_path, monkeypatch):
    """Not one of the package."""
    close = xlsxwriter.Workbook.close

    def close_and_fail(book):
        close(book)
        full = OSError(errno.ENOSPC, "No space left on device")
        raise xlsxwriter.exceptions.FileCreateError(full)

    monkeypatch.setattr(xlsxwriter.Workbook, "close", close_and_fail)
    with (
        pytest.raises(OSError, match=r"^\[Errno 28\] No space left on device$"),
        open_sheet(tmp_path / "a.xlsx", "rows", ["id"]) as write,
    ):
        write([[1]])


def test_the_writer_needs_its_package(tmp_path, monkeypatch):
    """A workbook can be read without it."""
    file = make(tmp_path, [["a"], [1]])
    monkeypatch.setitem(__import__("sys").modules, "xlsxwriter", None)
    with pytest.raises(InputError, match=r"out\.xlsx: needs the package xlsxwriter"):
        file.write_parts([Path(tmp_path / "out.xlsx")], np.zeros(1, np.int32))

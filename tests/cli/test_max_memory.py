"""Tests of --max-memory: small files that hold much are refused before memory is taken."""

import gzip
import json
import sqlite3
import zipfile

import numpy as np
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.ipc
import pyarrow.parquet as pq
import pytest
import scipy.sparse
from click.testing import CliRunner

from evenfold.cli.main import COMMANDS, evenfold

N_ROWS = 40_000
READING = [own.name for own in COMMANDS if own.name not in ("demo", "completion")]


def run(*arguments):
    """Run a command in this process; return its exit code and what it says on one line."""
    found = CliRunner().invoke(evenfold, list(map(str, arguments)))
    return found.exit_code, " ".join(found.output.split())


def is_refused(needs, *arguments):
    """Run `info` with so little memory; tell whether the file is refused with these words."""
    code, said = run("info", *arguments)
    assert code == 1, said
    assert "are allowed. Allow more with --max-memory, name fewer columns, or split" in said
    assert needs in said, said
    return True


def write_csv(path, n_rows=N_ROWS):
    """Write a compressed file of rows that are all the same."""
    with gzip.open(path, "wb") as file:
        file.write(b"a,b\n" + b"1,0\n" * n_rows)


def write_parquet(path):
    """Write a run of one value."""
    pq.write_table(pa.table({"y": pa.array(["a"] * N_ROWS)}), path)
    assert path.stat().st_size < 2000


def write_feather(path, stream=False):
    """Write a compressed column of equal texts; in the file format the last batch is large."""
    table = pa.table({"y": pa.array(["a" * 50] * N_ROWS)})
    if stream:
        options = pa.ipc.IpcWriteOptions(compression="zstd")
        with pa.ipc.new_stream(path, table.schema, options=options) as writer:
            writer.write_table(table.slice(0, 3))
            writer.write_table(table)
    else:
        feather.write_feather(table, str(path), compression="zstd", chunksize=1 << 20)


def test_a_compressed_text_is_refused(tmp_path):
    """Rows are counted while they are read."""
    write_csv(tmp_path / "a.csv.gz")
    assert (tmp_path / "a.csv.gz").stat().st_size < 1000
    needs = "the labels of its rows need 2.4 MB of memory or more, and 1.0 MB are allowed"
    assert is_refused(needs, tmp_path / "a.csv.gz", "--max-memory", "1M")
    assert run("info", tmp_path / "a.csv.gz", "--max-memory", "1G")[0] == 0


@pytest.mark.parametrize("start", [b"a,b\n1,", b"", b'{"y":["'], ids=["row", "header", "json"])
def test_a_row_that_does_not_end_is_refused(tmp_path, start):
    """Before the bytes that are read for it take more than is allowed."""
    path = tmp_path / ("a.jsonl.gz" if start.startswith(b"{") else "a.csv.gz")
    with gzip.open(path, "wb") as file:
        file.write(start + b"a" * (40 << 20))
    assert is_refused("its long rows need", path, "--max-memory", "50M")


def test_lines_of_json_are_refused(tmp_path):
    """Rows of another text format are counted too."""
    with gzip.open(tmp_path / "a.jsonl.gz", "wb") as file:
        file.write(b'{"y":["a"]}\n' * N_ROWS)
    assert is_refused("the labels of its rows", tmp_path / "a.jsonl.gz", "--max-memory", "1M")


def test_many_columns_are_refused(tmp_path):
    """The columns that are read take memory, however few rows they have."""
    names = [f"c{number}" for number in range(1000)]
    cells = ["01"[number % 2] for number in range(1000)]
    (tmp_path / "a.csv").write_text("\n".join([",".join(names), *[",".join(cells)] * 20]))
    needs = "1,000 columns need 4.1 MB of memory or more, and 1.0 MB are allowed"
    assert is_refused(needs, tmp_path / "a.csv", "--max-memory", "1M")
    assert is_refused(needs, tmp_path / "a.csv", "--max-memory", "1M", "--labels", "c*")
    assert run("info", tmp_path / "a.csv", "--max-memory", "1M", "--labels", "c1?")[0] == 0


def test_names_of_columns_are_refused(tmp_path):
    """A first line of many names is refused before it is cut."""
    (tmp_path / "a.csv").write_text(",".join(f"c{number}" for number in range(1000)) + "\n")
    assert is_refused("the names of its columns", tmp_path / "a.csv", "--max-memory", "9K")


def test_rows_of_parquet_are_refused_by_the_footer(tmp_path, monkeypatch):
    """Their number is known before a label is read."""
    from evenfold.files.label_columns.codes import RowCodes

    write_parquet(tmp_path / "a.parquet")
    monkeypatch.setattr(RowCodes, "add", lambda *_: pytest.fail("labels are read"))
    needs = "the labels of 40,000 rows need 1.9 MB of memory or more, and 1.0 MB are allowed"
    assert is_refused(needs, tmp_path / "a.parquet", "--labels", "y", "--max-memory", "1M")


@pytest.mark.parametrize("stream", [False, True])
def test_compressed_arrow_files_are_refused(tmp_path, stream):
    """What a batch takes is in front of each compressed buffer."""
    write_feather(tmp_path / "a.feather", stream)
    assert (tmp_path / "a.feather").stat().st_size < 200_000
    needs = "rows that are compressed together need 2.2 MB of memory or more"
    arguments = (tmp_path / "a.feather", "--labels", "y", "--max-memory", "2M")
    assert is_refused(needs, *arguments)


def test_dictionaries_of_arrow_files_are_refused(tmp_path):
    """The values of codes are compressed too."""
    values = pa.array([f"{number:050}" for number in range(10_000)])
    codes = pa.DictionaryArray.from_arrays(pa.array([0, 1] * 10, pa.int32()), values)
    feather.write_feather(pa.table({"y": codes}), str(tmp_path / "a.feather"), compression="zstd")
    needs = "rows that are compressed together need 540 KB of memory or more"
    assert is_refused(needs, tmp_path / "a.feather", "--labels", "y", "--max-memory", "500K")


def test_uncompressed_arrow_files_are_read_in_place(tmp_path):
    """A batch that is not compressed takes no memory."""
    table = pa.table({"y": pa.array([1, 0] * 20), "x": pa.array(["a" * 50_000] * 40)})
    feather.write_feather(table, str(tmp_path / "a.feather"), compression="uncompressed")
    arguments = ("--labels", "y", "--max-memory", "100K")
    assert run("info", tmp_path / "a.feather", *arguments)[0] == 0


def test_arrays_are_refused_by_their_headers(tmp_path):
    """An archive of zeros is small."""
    np.savez_compressed(tmp_path / "a.npz", y=np.zeros((2000, 1000), np.int8))
    assert (tmp_path / "a.npz").stat().st_size < 10_000
    needs = "the arrays 'y' need 2.0 MB of memory or more, and 1.0 MB are allowed"
    assert is_refused(needs, tmp_path / "a.npz", "--max-memory", "1M")


@pytest.mark.parametrize("form", ["csr", "csc", "coo"])
def test_shapes_of_matrices_are_refused(tmp_path, form):
    """A matrix of few entries may have any shape."""
    shape = {"csr": (3, 2**31 - 2), "csc": (2**40, 3), "coo": (2**40, 3)}[form]
    index = np.int64
    y = scipy.sparse.coo_array((np.ones(2, np.int8), (index([0, 1]), index([0, 2]))), shape=shape)
    scipy.sparse.save_npz(tmp_path / "a.npz", y.asformat(form) if form != "coo" else y)
    needs = {"csr": "17 GB", "csc": "8.8 TB", "coo": "8.8 TB"}[form]
    said = f"{shape[0]:,} rows and {shape[1]:,} columns need {needs} of memory or more"
    assert is_refused(said, tmp_path / "a.npz", "--max-memory", "1G")


def test_labels_past_32_bits_are_refused(tmp_path):
    """Labels are numbered in 32 bits; a larger number would be another label."""
    y = scipy.sparse.csr_array((np.ones(1, np.int8), ([0], [2**32 + 1])), shape=(2, 2**33))
    scipy.sparse.save_npz(tmp_path / "a.npz", y)
    code, said = run("info", tmp_path / "a.npz", "--max-memory", "1T")
    assert code == 1
    assert "must have fewer than 2,147,483,648 rows and labels, got 2 × 8,589,934,592" in said


def test_sheets_are_refused_by_their_cells(tmp_path):
    """Two cells far apart make a table of all between them."""
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(str(tmp_path / "a.xlsx")) as book:
        sheet = book.add_worksheet()
        sheet.write(0, 0, "a")
        sheet.write(999_999, 15_999, 1)
    assert (tmp_path / "a.xlsx").stat().st_size < 10_000
    needs = "the cells of its sheets need 512 GB of memory or more, and 1.0 GB are allowed"
    assert is_refused(needs, tmp_path / "a.xlsx", "--max-memory", "1G")


def test_sheets_are_refused_by_their_text(tmp_path):
    """What a member of the archive expands to is in the archive."""
    xlsxwriter = pytest.importorskip("xlsxwriter")
    with xlsxwriter.Workbook(str(tmp_path / "a.xlsx")) as book:
        book.add_worksheet().write_column(0, 0, ["a", *range(50)])
    with zipfile.ZipFile(tmp_path / "a.xlsx", "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/worksheets/other.xml", b" " * 2_000_000)
    arguments = (tmp_path / "a.xlsx", "--labels", "a")
    assert is_refused("the cells of its sheets need 2.0 MB", *arguments, "--max-memory", "1M")
    assert run("info", *arguments, "--max-memory", "1G")[0] == 0


def test_endless_views_are_refused(tmp_path):
    """Rows of a view that never ends are counted."""
    with sqlite3.connect(tmp_path / "a.sqlite") as database:
        database.execute(
            "CREATE VIEW v AS WITH RECURSIVE n(y) AS (SELECT 'a' UNION ALL SELECT y FROM n) "
            "SELECT y FROM n LIMIT 3000000"
        )
    database.close()
    arguments = (tmp_path / "a.sqlite", "--labels", "y", "--max-memory", "2M")
    assert is_refused("the labels of its rows need 2.", *arguments)


def test_large_values_of_a_database_are_refused(tmp_path):
    """A view may make a value of any size."""
    with sqlite3.connect(tmp_path / "a.sqlite") as database:
        database.execute("CREATE TABLE t (y)")
        database.execute("INSERT INTO t VALUES ('a'), ('b')")
        database.execute("CREATE VIEW v AS SELECT y, zeroblob(5000000) AS x FROM t")
    database.close()
    path = f"{tmp_path / 'a.sqlite'}::v"
    code, said = run("check", path, "--labels", "y", "--part-column", "x", "--max-memory", "2M")
    assert code == 1
    assert "string or blob too big" in said


def test_json_is_refused_by_its_size(tmp_path):
    """A file that is read as a whole must fit as a whole."""
    (tmp_path / "a.json").write_text(json.dumps([{"y": ["a"]}] * 1000))
    assert is_refused("its text and what it holds", tmp_path / "a.json", "--max-memory", "9K")


def test_columns_of_groups_are_refused(tmp_path):
    """A column that is kept whole is counted by its bytes."""
    table = pa.table({"y": pa.array(["a", "b"] * 50), "g": pa.array(["x" * 10_000] * 100)})
    pq.write_table(table, tmp_path / "a.parquet")
    needs = "the rows that are read need 1.0 MB of memory or more, and 900 KB are allowed"
    arguments = (tmp_path / "a.parquet", "--labels", "y", "--max-memory", "900K")
    assert is_refused(needs, *arguments, "--groups", "g")
    assert run("info", *arguments)[0] == 0


def test_features_are_refused(tmp_path):
    """Features are numbers of 64 bits, whatever they take in the file."""
    columns = {f"x{number}": pa.array([1.0] * 4000) for number in range(10)}
    pq.write_table(pa.table({"y": pa.array([1, 0] * 2000), **columns}), tmp_path / "a.parquet")
    options = ("--labels", "y", "--features", "x*", "--learner", "br:tree", "--max-memory", "250K")
    code, said = run("evaluate", tmp_path / "a.parquet", *options)
    assert code == 1
    assert "10 features of its rows need 320 KB of memory or more, and 250 KB are allowed" in said


@pytest.mark.parametrize("command", READING)
def test_every_command_that_reads_has_the_option(command):
    """It stands in the help of each, and a wrong size is wrong usage."""
    assert "--max-memory SIZE" in run(command, "--help")[1]
    code, said = run(command, "data.csv", "--max-memory", "much")
    assert code == 2
    assert "'much' is not a size above 0. Try 4GB or 512MB." in said


@pytest.mark.parametrize("size", ["0", "-1", "nan", "inf", "", "1e9", "9" * 5000 + "K"])
def test_wrong_sizes_are_wrong_usage(tmp_path, size):
    """Only a number above 0 with a unit is a size."""
    (tmp_path / "a.csv").write_text("a,b\n" + "1,0\n0,1\n" * 9)
    code, said = run("info", tmp_path / "a.csv", "--max-memory", size)
    is_large = size.startswith("9")
    assert code == (0 if is_large else 2), said
    assert is_large or "is not a size above 0" in said


def test_commands_that_read_nothing_have_no_limit():
    """The demo makes its data."""
    assert "--max-memory" not in run("demo", "--help")[1]

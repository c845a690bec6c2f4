"""Files that cannot be read: exit code 1, one message, nothing written."""

import gzip
import sys

import pytest

from ..files.made_files import WRITERS, write_sqlite, write_xlsx
from .refusals import (
    DATA,
    ROWS,
    check_refusal,
    check_wrong_data,
    damaged_parquet,
    each,
    truncated_parquet,
)


def two_tables(path):
    """Write a database with two tables."""
    write_sqlite(path, "films")
    write_sqlite(path, "more films")


def cut_off_xlsx(path):
    """Write a workbook whose end is missing."""
    path.write_bytes(write_xlsx(path).read_bytes()[:-99])


def make_nested(folder):
    """Make a folder with data, and a folder in it."""
    (folder / "more").mkdir(parents=True)
    (folder / "a.csv").write_text("x")


def make_mixed(folder):
    """Make a folder with data of two formats."""
    folder.mkdir()
    (folder / "a.csv").write_text("x")
    (folder / "b.jsonl").write_text("{}")


CASES = [
    (
        "missing file",
        "split no.csv --folds 2",
        "no.csv: no such file. Check the name and the folder.",
        {},
    ),
    (
        "a link to itself",
        "split loop.csv --folds 2",
        "loop.csv: no such file. Check the name and the folder.",
        {"loop.csv": lambda path: path.symlink_to(path)},
    ),
    (
        "a pattern of files in a loop of links",
        "split loop/*.csv data.csv --folds 2",
        "loop/*.csv: matches no file. Check the pattern.",
        {"loop": lambda path: path.symlink_to(path), "data.csv": ROWS},
    ),
    (
        "unknown suffix",
        "split data.cvs --folds 2",
        "Say it with --format: csv, tsv",
        {"data.cvs": ROWS},
    ),
    (
        "folder as csv",
        "split d --format csv --folds 2",
        "d: is not one file, as the format csv must be.",
        {"d": make_nested},
    ),
    (
        "folder without parquet",
        "split d --folds 2",
        "d: is a folder without parquet files. Name its csv files: 'd/*.csv'.",
        {"d": make_nested},
    ),
    (
        "folder of two formats",
        "split d --folds 2",
        "d: is a folder without parquet files. Name its csv files: 'd/*.csv'.",
        {"d": make_mixed},
    ),
    (
        "glob that matches nothing",
        "split 'no/*.parquet' --folds 2",
        "no/*.parquet: matches no file.",
        {},
    ),
    (
        "folder from stdin",
        "split - --format huggingface --folds 2",
        "huggingface is of folders, which cannot come from a stream.",
        {},
    ),
    ("empty file", "split data.csv --labels tags --folds 2", "data.csv: is empty.", {DATA: b""}),
    (
        "header only",
        "split data.csv --labels tags --folds 2",
        "data.csv: holds no rows.",
        {DATA: b"id,tags,who\n"},
    ),
    (
        "ragged rows",
        "split data.csv --labels tags --folds 2",
        "data.csv: line 14 has 2 instead of 3 cells.",
        {DATA: ROWS + b"13,a\n"},
    ),
    (
        "an open quote",
        "split data.csv --labels tags --folds 2",
        "data.csv: the row that starts in line 14 does not end.",
        {DATA: ROWS + b'13,"a,1\n'},
    ),
    (
        "not UTF-8",
        "split data.csv --labels tags --folds 2",
        "UTF-8",
        {DATA: ROWS + b"13,\xff\xfe,1\n"},
    ),
    (
        "two columns of one name",
        "split data.csv --labels tags --folds 2",
        "more than one column is named 'tags'",
        {DATA: b"tags,tags\na,b\n"},
    ),
    (
        "binary garbage",
        "split data.csv --labels tags --folds 2",
        DATA,
        {DATA: bytes(range(256)) * 20},
    ),
    (
        "truncated gzip",
        "split x.csv.gz --labels tags --folds 2",
        "x.csv.gz: cannot be decompressed with gzip: Truncated compressed stream. Is it whole?",
        {"x.csv.gz": gzip.compress(ROWS)[:-6]},
    ),
    (
        "gzip in name only",
        "split x.csv.gz --labels tags --folds 2",
        "x.csv.gz: is not compressed with gzip, as its name says. Rename it without '.gz'.",
        {"x.csv.gz": ROWS},
    ),
    (
        "compressed parquet",
        "split x.parquet.gz --folds 2",
        "only csv, tsv, jsonl are read compressed (.gz and .zst), got .parquet.gz.",
        {"x.parquet.gz": gzip.compress(ROWS)},
    ),
    (
        "several tables",
        "split x.db --folds 2",
        "x.db: holds 2 tables. Name one of them: x.db::films, x.db::more films.",
        {"x.db": two_tables},
    ),
    (
        "no such table",
        "split x.db::fims --folds 2",
        "x.db: has no table 'fims'. Tables: films, more films. Did you mean 'films'?",
        {"x.db": two_tables},
    ),
    (
        "a table of a csv file",
        "split data.csv::films --labels tags --folds 2",
        "data.csv::films: a table is named after ::, and only files of xlsx, sqlite, duckdb",
        {},
    ),
    (
        "truncated xlsx",
        "split x.xlsx --labels genres --folds 2",
        "x.xlsx: cannot be read as xlsx",
        {"x.xlsx": cut_off_xlsx},
    ),
    (
        "sqlite that is text",
        "split x.db --labels tags --folds 2",
        "x.db: cannot be read as sqlite: file is not a database.",
        {"x.db": ROWS},
    ),
    (
        "duckdb that is text",
        "split x.duckdb --labels tags --folds 2",
        "x.duckdb: is not a DuckDB database.",
        {"x.duckdb": ROWS},
    ),
    (
        "truncated parquet",
        "split x.parquet --folds 2",
        "x.parquet: cannot be read",
        {"x.parquet": truncated_parquet},
    ),
    (
        "damaged parquet",
        "split x.parquet --labels id --folds 2",
        "x.parquet: cannot be read",
        {"x.parquet": damaged_parquet},
    ),
    (
        "parquet that is text",
        "split x.parquet --folds 2",
        "x.parquet: cannot be read",
        {"x.parquet": ROWS},
    ),
    (
        "feather that is text",
        "split x.feather --folds 2",
        "x.feather: cannot be read",
        {"x.feather": ROWS},
    ),
    (
        "json that is not COCO",
        "split x.json --folds 2",
        "x.json: is not COCO",
        {"x.json": b'{"a": 1}'},
    ),
    (
        "COCO that is not json",
        "split x.json --folds 2",
        "x.json: cannot be read as JSON",
        {"x.json": b'{"images": ['},
    ),
    (
        "an array that is not json",
        "split x.json --labels a --folds 2",
        "x.json: cannot be read as JSON: Input data was truncated. Is it whole?",
        {"x.json": b'[{"a": 1}, '},
    ),
    (
        "an array of numbers",
        "split x.json --labels a --folds 2",
        "x.json: record 1 (from 0) is not an object, it starts with 2.",
        {"x.json": b'[{"a": 1}, 2]'},
    ),
    (
        "jsonl that is not json",
        "split x.jsonl --labels a --folds 2",
        "x.jsonl",
        {"x.jsonl": b'{"a": ["x"]}\n{"a": \n'},
    ),
    (
        "ARFF without labels",
        "split x.arff --folds 2",
        "x.arff",
        {"x.arff": b"@relation r\n@attribute a numeric\n@data\n1.5\n2.5\n"},
    ),
    ("ARFF that is text", "split x.arff --folds 2", "x.arff", {"x.arff": ROWS}),
    (
        "svmlight with names",
        "split x.svm --folds 2",
        "which must be labels",
        {"x.svm": b"a,b 1:2\n"},
    ),
    ("npz that is text", "split x.npz --folds 2", "x.npz: cannot be read as npz", {"x.npz": ROWS}),
    (
        "column for a format without any",
        "split x.svm --folds 2 -o out.svm",
        "has no columns to add 'part' to",
        {"x.svm": b"1 1:1\n2 1:1\n"},
    ),
]


@each(CASES)
def test_wrong_files_are_refused(words, message, files, command, tmp_path):
    """Exit code 1, one message that names the file, and no output."""
    check_wrong_data(command, words, message, files, tmp_path)


@pytest.mark.parametrize(
    ("name", "package", "extra"),
    [("data.xlsx", "python_calamine", "excel"), ("data.duckdb", "duckdb", "duckdb")],
)
def test_a_missing_package_is_named_with_the_line_that_installs_it(
    name, package, extra, command, tmp_path, monkeypatch
):
    """Instead of a traceback."""
    WRITERS[name](tmp_path / name)
    monkeypatch.setitem(sys.modules, package, None)
    check_refusal(
        command(f"split {name} --labels genres --folds 2"),
        1,
        f"evenfold: {name}: needs the package {package}, which is not installed. "
        f"Run: pip install 'evenfold[{extra}]'",
    )


def test_an_error_about_stdin_does_not_name_the_temporary_file(command):
    """The message says stdin."""
    check_refusal(
        command("split", "-", "--labels", "tags", "--folds", "2", stdin=b"tags,who\na\n"),
        1,
        "evenfold: stdin: line 2 has 1 instead of 2 cells.",
    )

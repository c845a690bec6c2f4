"""`evenfold split`: files, columns, indices and manifests that it writes."""

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import evenfold
from evenfold.files.registry import open_data

from ..files.made_files import (
    GENRES,
    MATRIX,
    PATIENT,
    WRITERS,
    write_csv,
    write_parquet,
)
from .read_back import names_of, read_rows_labels


@pytest.mark.parametrize("name", WRITERS)
def test_a_split_of_every_format_is_that_from_python_and_comes_back_in_that_format(
    name, command, tmp_path
):
    """There is one file per part, with its rows and labels; the input stays as it was."""
    data = WRITERS[name](tmp_path / name)
    before = {
        path: path.read_bytes() for path in ([data] if data.is_file() else sorted(data.iterdir()))
    }
    done = command(f"split {data} --parts 0.5,0.25,0.25 --seed 3 -o parts --indices rows.json")
    assert (done.code, done.stdout) == (0, "")
    expected = evenfold.split(MATRIX, [0.5, 0.25, 0.25], random_state=3)
    assert json.loads(Path("rows.json").read_text()) == {
        name: rows.tolist() for name, rows in zip(expected.names, expected, strict=True)
    }
    written = sorted(Path("parts").iterdir())
    suffix = {"parquet_folder": ".parquet", "hf_folder": ""}.get(name, "".join(data.suffixes))
    assert {f"train{suffix}", f"val{suffix}", f"test{suffix}"} <= {path.name for path in written}
    for part in expected.names:
        labels = read_rows_labels(Path("parts") / f"{part}{suffix}")
        held = MATRIX[expected[part]]
        assert np.array_equal(
            labels, held[:, held.any(axis=0)] if labels.shape[1] < held.shape[1] else held
        )
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    "name",
    [
        "data.csv",
        "data.tsv",
        "data.parquet",
        "data.feather",
        "data.jsonl",
        "data.arff",
        "data.csv.gz",
        "data.jsonl.zst",
        "records.json",
        "data.xlsx",
        "data.sqlite",
        "data.duckdb",
    ],
)
def test_a_column_more_names_the_part(name, command, tmp_path):
    """The format and all other columns stay as they were."""
    data = WRITERS[name](tmp_path / name)
    out = Path("out" + "".join(data.suffixes))
    assert command(f"split {data} --folds 4 -o {out} --column fold -q").code == 0
    file = open_data(str(out))
    assert list(file.columns) == [*open_data(str(data)).columns, "fold"]
    parts = [part for batch in file.read_batches(["fold"]) for part in batch.column(0).to_pylist()]
    assert parts == names_of(evenfold.split(MATRIX, 4))
    assert out.with_suffix(".xml").exists() == (name == "data.arff")


def test_a_dataset_folder_gets_a_column_when_its_name_is_given(command, tmp_path):
    """Otherwise a folder without a suffix means one dataset for each part."""
    data = WRITERS["hf_folder"](tmp_path / "hf")
    assert command(f"split {data} --folds 2 -o out --column fold").code == 0
    assert open_data("out").columns[-1] == "fold"


def test_bytes_of_rows_are_kept(command, tmp_path):
    """Quotes, commas, unicode and line ends of a csv file, in parts and with a column."""
    data = tmp_path / "odd.csv"
    rows = ['1,"a, ""b""\nc",x|y', "2,ü,", "3, spaced ,y", '4,"",x', '"5",,x|y', "6,plain,y"]
    data.write_bytes("\r\n".join(["id,text,tags", *rows, ""]).encode())
    assert command(f"split {data} --labels tags --separator '|' --parts 3,3 -o parts").code == 0
    pieces = [
        Path("parts", f"{name}.csv").read_bytes().decode().split("\r\n")
        for name in ("train", "test")
    ]
    assert all((piece[0], piece[-1]) == ("id,text,tags", "") for piece in pieces)
    assert sorted(row for piece in pieces for row in piece[1:-1]) == sorted(rows)
    assert command(f"split {data} --labels tags --separator '|' --parts 3,3 -o out.csv").code == 0
    marked = Path("out.csv").read_bytes().decode().split("\r\n")
    assert [row.rpartition(",")[0] for row in marked[1:-1]] == rows


def test_from_stdin_to_stdout(command, tmp_path):
    """The format is csv by default; stdout has only data, and no temporary file stays."""
    import tempfile

    data = write_csv(tmp_path / "data.csv")
    tempfile.tempdir = str(tmp_path / "spool")
    Path(tempfile.tempdir).mkdir()
    try:
        done = command("split - --labels genres --folds 2 -o -", stdin=data.read_bytes())
        assert list(Path(tempfile.tempdir).iterdir()) == []
    finally:
        tempfile.tempdir = None
    assert done.code == 0
    lines = done.stdout.splitlines()
    assert [line.rpartition(",")[0] for line in lines] == data.read_text().splitlines()
    assert [line.rpartition(",")[2] for line in lines[1:]] == names_of(evenfold.split(GENRES, 2))
    assert done.stderr.endswith("Written: stdout\n")
    tsv = command(
        "split - --format tsv --labels genres --folds 2 -o -",
        stdin=write_csv(data, "\t").read_bytes(),
    )
    assert tsv.stdout.splitlines()[0] == "id\ttitle\tpatient\tage\tgenres\tpart"


@pytest.mark.parametrize("out", ["out.parquet", "out.xlsx", "out.db", "out.json", "out.csv.gz"])
def test_an_output_in_another_format_is_converted(out, command, tmp_path):
    """The split is that of the input, and stderr says what becomes of the columns."""
    data = WRITERS["data.jsonl"](tmp_path / "data.jsonl")
    done = command(f"split {data} --labels genres --folds 2 -o {out}")
    assert done.code == 0
    file = open_data(out)
    said = f"{data} is converted from jsonl to {file.format}. Types, as read: int64: id, age; "
    assert said in done.stderr
    assert list(file.columns) == ["id", "title", "patient", "age", "genres", "part"]
    parts = [part for batch in file.read_batches(["part"]) for part in batch.column(0).to_pylist()]
    assert parts == names_of(evenfold.split(GENRES, 2))
    checked = command(f"check {out} --labels genres --part-column part --max-excess 9 --json")
    assert checked.code == 0
    assert command(f"split {data} --labels genres --folds 2 -o {out} --force -q").stderr == ""


def test_every_command_that_writes_data_converts_it(command, tmp_path):
    """Each says so."""
    (tmp_path / "data.csv").write_text("tags,who,fold\n" + "a|b,1,x\nb|a,2,y\na,3,\n" * 9)
    for words, n_rows in (
        ("extend data.csv --labels tags --part-column fold -o a.parquet", 27),
        ("extend data.csv --labels tags --part-column fold --column new -o b.jsonl", 27),
        ("sample data.csv --labels tags -n 5 -o c.db", 5),
        ("link data.csv --groups who -o d.parquet", 27),
    ):
        done = command(words)
        assert (done.code, "data.csv is converted from csv to" in done.stderr) == (0, True), words
        file = open_data(words.rpartition(" ")[2])
        assert sum(batch.num_rows for batch in file.read_batches(["tags"])) == n_rows
    [batch] = open_data("a.parquet").read_batches(["fold"])
    assert batch.column(0).null_count == 0


def test_an_output_is_compressed_as_its_name_says(command, tmp_path):
    """Whatever the input is; the text is the same."""
    data = WRITERS["data.csv.gz"](tmp_path / "data.csv.gz")
    plain = write_csv(tmp_path / "data.csv")
    words = "--labels genres --folds 2"
    assert command(f"split {plain} {words} -o plain.csv -q").code == 0
    expected = Path("plain.csv").read_bytes()
    for out in ("out.csv", "out.csv.gz"):
        assert command(f"split {data} {words} -o {out} -q").code == 0
    assert Path("out.csv").read_bytes() == expected
    assert gzip.decompress(Path("out.csv.gz").read_bytes()) == expected
    assert command(f"split {plain} {words} -o packed.csv.gz -q").code == 0
    assert Path("packed.csv.gz").read_bytes() == Path("out.csv.gz").read_bytes()


def test_indices_as_array_and_by_id(command, tmp_path):
    """.npy has the part of each row; with --id, .json lists ids."""
    data = write_csv(tmp_path / "data.csv")
    s = evenfold.split(GENRES, 2)
    assert command(f"split {data} --folds 2 --indices parts.npy -q").code == 0
    assert np.load("parts.npy").tolist() == s.part_of_row.tolist()
    done = command(f"split {data} --folds 2 --indices ids.json --id patient")
    assert json.loads(Path("ids.json").read_text())["fold1"] == [PATIENT[row] for row in s["fold1"]]
    assert "ids are in more than one part, first 'p" in done.stderr


def test_ids_that_are_numbers_are_listed_as_numbers(command, tmp_path):
    """If the file has a type for numbers; csv has none."""
    s = evenfold.split(GENRES, 2)
    for data, kind in (
        (write_parquet(tmp_path / "data.parquet"), int),
        (write_csv(tmp_path / "data.csv"), str),
    ):
        assert command(f"split {data} --folds 2 --indices ids.json --id id -q --force").code == 0
        assert json.loads(Path("ids.json").read_text())["fold1"] == [
            kind(row) for row in s["fold1"]
        ]


def test_a_manifest_is_the_split_itself(command, tmp_path):
    """It can be loaded with the data, and knows the settings."""
    data = write_csv(tmp_path / "data.csv")
    assert command(f"split {data} --folds 3 --manifest split.json --seed 7 -q").code == 0
    kept = evenfold.load_split("split.json", GENRES)
    assert kept == evenfold.split(GENRES, 3, random_state=7)
    assert kept.origin.random_state == 7
    parameters = evenfold.split(GENRES, 3, random_state=7).origin.parameters
    assert parameters.items() <= kept.origin.parameters.items()
    assert kept.origin.parameters.keys() - parameters.keys() == {"columns", "sources"}


def test_force_replaces_files_and_leaves_others(command, tmp_path):
    """In a folder that exists only the files of the parts are touched."""
    data = write_csv(tmp_path / "data.csv")
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "mine.txt").write_text("kept")
    (folder / "train.csv").write_text("old")
    assert command(f"split {data} --parts 0.5,0.5 -o parts").code == 2
    assert command(f"split {data} --parts 0.5,0.5 -o parts --force").code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["mine.txt", "test.csv", "train.csv"]
    assert len((folder / "train.csv").read_text().splitlines()) == 21


@pytest.mark.parametrize("name", ["data.csv", "hf_folder"])
def test_parts_of_an_older_split_in_the_folder_are_named(name, command, tmp_path):
    """They stay, and a warning names up to five; the input and outputs do not count."""
    folder = tmp_path / "parts"
    folder.mkdir()
    data = WRITERS[name](folder / name)
    (folder / "mine.txt").write_text("kept")
    suffix = Path(name).suffix
    assert "also holds" not in command(f"split {data} --folds 4 -o parts").stderr
    few = command(f"split {data} --folds 3 -o parts --force --json")
    message = f"parts also holds 1 part of another split: fold3{suffix}"
    assert message in few.stderr.splitlines()
    assert message in json.loads(few.stdout)["warnings"]
    assert command(f"split {data} --folds 9 -o parts --force -q") == (0, "", "")
    several = command(f"split {data} --folds 2 -o parts --force").stderr
    assert (
        "parts also holds 7 parts of another split: "
        f"fold2{suffix}, fold3{suffix}, fold4{suffix}, fold5{suffix}, fold6{suffix}, …" in several
    )


def test_a_suffix_of_the_input_is_kept(command, tmp_path):
    """An .arrow file gives .arrow files."""
    data = WRITERS["data.feather"](tmp_path / "data.arrow")
    assert command(f"split {data} --parts 0.5,0.5 -o parts").code == 0
    assert sorted(path.name for path in Path("parts").iterdir()) == ["test.arrow", "train.arrow"]
    assert command(f"split {data} --parts 0.5,0.5 -o out.feather").code == 0

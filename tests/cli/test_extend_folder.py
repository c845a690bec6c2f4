"""Tests of extend with a folder as output: new rows name their part in the files."""

import json

import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from evenfold.cli.main import evenfold

LINES = [f"{row},{'ab'[row % 2]},{['x', 'y', ''][row % 3]}" for row in range(30)]
TEXT = "id,genre,part\n" + "\n".join(LINES) + "\n"


def run(*arguments):
    """Run a command that must work; return what it prints."""
    found = CliRunner().invoke(evenfold, list(map(str, arguments)))
    assert found.exit_code == 0, found.output
    return found.output


def check_folder(folder, read, suffix):
    """Each file has the name of its part in every row, and all rows are there."""
    ids = []
    for part in ("x", "y"):
        for row in read(folder / f"{part}{suffix}"):
            assert row["part"] == part
            ids.append(int(row["id"]))
    assert sorted(ids) == list(range(30))


def read_csv(path):
    """Return the rows of a file."""
    return pa.csv.read_csv(path).to_pylist()


def read_jsonl(path):
    """Return the rows of a file."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_files_of_parts_name_the_part_of_new_rows(tmp_path):
    """Old rows keep their part."""
    (tmp_path / "a.csv").write_text(TEXT)
    options = ("--labels", "genre", "--part-column", "part")
    run("extend", tmp_path / "a.csv", *options, "-o", tmp_path / "out")
    check_folder(tmp_path / "out", read_csv, ".csv")
    for row, line in enumerate(LINES):
        old = line.split(",")[2]
        assert not old or line in (tmp_path / "out" / f"{old}.csv").read_text().splitlines(), row


def test_rows_of_another_file_name_their_part(tmp_path):
    """So do rows of --new, which have no column of parts."""
    (tmp_path / "a.csv").write_text("id,genre,part\n" + "\n".join(LINES[:2] * 1) + "\n")
    (tmp_path / "b.csv").write_text(
        "id,genre\n" + "\n".join(line.rsplit(",", 1)[0] for line in LINES[2:]) + "\n"
    )
    paths = (tmp_path / "a.csv", "--new", tmp_path / "b.csv")
    run("extend", *paths, "--labels", "genre", "-o", tmp_path / "out")
    check_folder(tmp_path / "out", read_csv, ".csv")


@pytest.mark.parametrize("suffix", [".parquet", ".jsonl", ".csv.gz"])
def test_other_formats_are_filled_too(tmp_path, suffix):
    """The column has the type that it has in the data."""
    (tmp_path / "a.csv").write_text(TEXT)
    rows = [row | {"part": row["part"] or None} for row in read_csv(tmp_path / "a.csv")]
    path, read = tmp_path / f"b{suffix}", read_csv
    if suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(rows), path)
        read = lambda own: pq.read_table(own).to_pylist()  # noqa: E731
    elif suffix == ".jsonl":
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        read = read_jsonl
    else:
        with pa.CompressedOutputStream(str(path), "gzip") as file:
            file.write(TEXT.encode())
    run("extend", path, "--labels", "genre", "--part-column", "part", "-o", tmp_path / "out")
    check_folder(tmp_path / "out", read, suffix)


def test_mirrored_files_are_filled_too(tmp_path):
    """Each file of the data is filled by its own rows."""
    head, lines = "id,genre,part\n", [line + "\n" for line in LINES]
    (tmp_path / "a.csv").write_text(head + "".join(lines[:13]))
    (tmp_path / "b.csv").write_text(head + "".join(lines[13:]))
    options = ("--labels", "genre", "--part-column", "part", "--mirror")
    run("extend", tmp_path / "a.csv", tmp_path / "b.csv", *options, "-o", tmp_path / "out")
    for part in ("x", "y"):
        for name in ("a", "b"):
            rows = read_csv(tmp_path / "out" / part / f"{name}.csv")
            assert {row["part"] for row in rows} == {part}


def test_items_of_lines_are_filled(tmp_path):
    """With --long, all lines of a new item name its part."""
    lines = [f"{item},{label},{['x', 'y', ''][item % 3]}" for item in range(12) for label in "ab"]
    (tmp_path / "a.csv").write_text("id,genre,part\n" + "\n".join(lines) + "\n")
    options = ("--long", "id,genre", "--part-column", "part")
    run("extend", tmp_path / "a.csv", *options, "-o", tmp_path / "out")
    for part in ("x", "y"):
        assert {row["part"] for row in read_csv(tmp_path / "out" / f"{part}.csv")} == {part}


def test_no_copy_is_left(tmp_path, monkeypatch):
    """The parts are written from a temporary copy."""
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "temporary").mkdir()
    (tmp_path / "a.csv").write_text(TEXT)
    options = ("--labels", "genre", "--part-column", "part")
    run("extend", tmp_path / "a.csv", *options, "-o", tmp_path / "out")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_column_that_cannot_be_filled_is_named(tmp_path):
    """A format that cannot fill a column says so; the files are written."""
    import numpy as np

    y = np.array([[row % 2, 1 - row % 2] for row in range(30)], np.int8)
    parts = np.array(["x", "y", ""] * 10)
    np.savez(tmp_path / "a.npz", y=y, part=parts)
    said = run("extend", tmp_path / "a.npz", "--part-column", "part", "-o", tmp_path / "out")
    said = " ".join(said.split())
    assert "'part' stays as it is: in the format npz, it cannot be filled." in said
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["x.npz", "y.npz"]

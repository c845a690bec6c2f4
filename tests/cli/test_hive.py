"""Hive-partitioned folders, read and written by the commands."""

from pathlib import Path

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

import evenfold

from ..files.made_files import GENRES, WRITERS
from ..files.made_images import write_image_folder
from .refusals import check_refusal


def list_files(folder):
    """Return the files of a folder."""
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*.*"))


def write_by_year(folder):
    """Write 40 rows into the folders of two years, as pyarrow does."""
    rows = pa.table({"id": range(40), "genres": GENRES, "year": [1999, 2004] * 20})
    ds.write_dataset(
        rows, folder, format="parquet", partitioning=["year"], partitioning_flavor="hive"
    )
    return rows


@pytest.mark.parametrize("name", ["data.csv", "data.parquet", "data.feather"])
def test_parts_are_written_into_folders_of_their_names(name, command, tmp_path):
    """Pyarrow reads them as one table with the column part."""
    data = WRITERS[name](tmp_path / name)
    done = command(f"split {data} --labels genres --parts 0.5,0.5 -o out --hive")
    assert done.code == 0
    assert "also holds" not in done.stderr
    files = [f"part={part}/part-0{data.suffix}" for part in ("test", "train")]
    assert list_files("out") == files
    table = ds.dataset("out", format=data.suffix[1:], partitioning="hive").to_table()
    parts = dict(zip(table["id"].to_pylist(), table["part"].to_pylist(), strict=True))
    assert command(f"split {data} --labels genres --parts 0.5,0.5 -o flat").code == 0
    for part, file in zip(("test", "train"), files, strict=True):
        assert (Path("out") / file).read_bytes() == (
            Path("flat") / f"{part}{data.suffix}"
        ).read_bytes()
    assert sorted(parts.values()) == ["test"] * 20 + ["train"] * 20


def test_an_older_split_is_replaced_with_force_only(command, tmp_path):
    """Folders of other parts stay and are named."""
    data = WRITERS["data.parquet"](tmp_path / "data.parquet")
    assert command(f"split {data} --folds 3 -o out --hive -q") == (0, "", "")
    assert "also holds" not in command(f"split {data} --folds 2 -o more --hive").stderr
    done = command(f"split {data} --folds 2 -o out --hive")
    check_refusal(done, 2, "part=fold0: exists already. Name another file, or add --force")
    done = command(f"split {data} --folds 2 -o out --hive --force")
    assert "out also holds 1 part of another split: part=fold2" in done.stderr
    assert pq.read_metadata("out/part=fold0/part-0.parquet").num_rows == 20


def test_signs_in_names_are_escaped(command, tmp_path):
    """The column and its values are read as they were."""
    data = WRITERS["data.parquet"](tmp_path / "data.parquet")
    line = f"split {data} --parts 0.5,0.5 --names '50%,a=b' --column 'p/q' --hive -o out -q"
    assert command(line) == (0, "", "")
    assert list_files("out") == ["p%2Fq=50%25/part-0.parquet", "p%2Fq=a%3Db/part-0.parquet"]
    table = ds.dataset("out", partitioning="hive").to_table()
    assert set(table["p/q"].to_pylist()) == {"50%", "a=b"}


def test_keys_of_folders_are_columns_of_the_data(command, tmp_path):
    """They can group rows, and are in what is written."""
    rows = write_by_year(tmp_path / "data")
    assert "columns: id, genres, year" in command("info data --labels genres").stdout
    line = "split data --labels genres --parts 0.5,0.5 --groups year --hive -o out -q"
    assert command(line) == (0, "", "")
    written = ds.dataset("out", partitioning="hive").to_table().sort_by("id")
    assert written.drop_columns("part").equals(rows.cast(written.schema.remove(3)))
    years = {(row["year"], row["part"]) for row in written.to_pylist()}
    assert len(years) == 2
    check = command("check out --labels genres --part-column part --groups year --json")
    assert (check.code, check.stderr) == (0, "OK: 1 check of out.\n")


def test_new_rows_of_a_folder_are_extended(command, tmp_path):
    """A column of old parts needs another name beside the new one."""
    s = evenfold.split(GENRES[:30], 2)
    old = [s.names[part] for part in s.part_of_row] + [None] * 10
    pq.write_table(pa.table({"genres": GENRES, "part": old}), tmp_path / "data.parquet")
    line = "extend data.parquet --labels genres --part-column part -o out --hive"
    check_refusal(
        command(line), 2, "data.parquet has a column 'part' already. Name another with --column."
    )
    assert command(f"{line} --column fold -q").code == 0
    table = ds.dataset("out", partitioning="hive").to_table()
    assert sorted(table["fold"].to_pylist()) == ["fold0"] * 20 + ["fold1"] * 20


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("data.parquet --folds 2", "--hive writes a folder for each part. Name their folder with"),
        ("data.parquet --folds 2 -o out.parquet", "--hive writes a folder for each part."),
        (
            "hf --folds 2 -o out",
            "--hive writes files into folders, and the format huggingface is of folders. Leave it",
        ),
        (
            "classes --folds 2 -o out",
            "--hive writes tables into folders, and the format imagefolder is of images. Leave",
        ),
        ("classes --folds 2 -o out --with-images copy", "--hive writes tables into folders, and"),
        ("data.parquet --folds 2 -o out --memory 1GB", "--hive does not go with --memory."),
        ("data.parquet --folds 2 -o out --column id", "data.parquet has a column 'id' already."),
        ("data.parquet --folds 2 -o taken", "part=fold0: is a file, and the output is a folder."),
    ],
)
def test_wrong_uses_are_refused(words, message, command, tmp_path):
    """Exit code 2, and nothing is written."""
    WRITERS["data.parquet"](tmp_path / "data.parquet")
    WRITERS["hf_folder"](tmp_path / "hf")
    write_image_folder(tmp_path / "classes")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "part=fold0").write_text("precious")
    before = list_files(tmp_path)
    check_refusal(command(f"split {words} --hive"), 2, message)
    assert list_files(tmp_path) == before

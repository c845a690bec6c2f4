"""Several DATA: one data set in many files, written as one file for each part or as they are."""

import gzip
import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import evenfold
from evenfold.files.registry import open_data

from ..files.made_files import GENRES, MATRIX, N_ROWS, PATIENT, WRITERS, make_table, write_csv
from .read_back import names_of, read_parts, read_rows_labels
from .refusals import check_refusal, read_all

PIECES = {
    "data/a.csv": range(15),
    "data/b.csv": range(15, 38),
    "data/more/c.csv": range(38, N_ROWS),
}


@pytest.fixture
def pieces(tmp_path):
    """Write the table into three files and into one, and return the words that name the three."""
    for name, rows in PIECES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        write_csv(tmp_path / name, rows=rows)
    write_csv(tmp_path / "whole.csv")
    return " ".join(PIECES)


def read_bytes(folder):
    """Return the content of each file of a folder, by its path in it."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file()
    }


def test_several_files_are_split_as_one(pieces, command, tmp_path):
    """Parts, a column and indices are those of the file that has all rows."""
    words = "--labels genres --groups patient --folds 3 --seed 5 -q"
    for data, out in ((pieces, "many"), ("whole.csv", "one")):
        done = command(f"split {data} {words} -o {out} --indices {out}.npy")
        assert (done.code, done.stderr) == (0, "")
        assert command(f"split {data} {words} -o {out}.csv").code == 0
    assert read_bytes("many") == read_bytes("one")
    assert Path("many.csv").read_bytes() == Path("one.csv").read_bytes()
    assert np.array_equal(np.load("many.npy"), np.load("one.npy"))
    expected = evenfold.split(GENRES, 3, groups=PATIENT, random_state=5)
    assert np.load("many.npy").tolist() == expected.part_of_row.tolist()


@pytest.mark.parametrize("words", ["data", "data/", "data --format csv"])
def test_a_folder_of_files_of_one_format_is_its_files(pieces, words, command):
    """Hidden files and, with a format, files of others are left out; it cannot be overwritten."""
    Path("data/more/c.csv").rename("data/c.csv")
    Path("data/more").rmdir()
    for name in (".hidden", "_SUCCESS", *(["notes.txt"] if "--format" in words else [])):
        Path("data", name).write_text("no data")
    done = command(f"split {words} --labels genres --folds 3 --indices a.npy -q")
    assert (done.code, done.stderr) == (0, "")
    command("split whole.csv --labels genres --folds 3 --indices b.npy -q")
    assert Path("a.npy").read_bytes() == Path("b.npy").read_bytes()
    before = read_all(Path("data"))
    over = command(f"split {words} --labels genres --folds 3 -o data/a.csv --force")
    check_refusal(over, 2, "data/a.csv: is the input, which is never written.")
    assert read_all(Path("data")) == before


def test_a_folder_of_parts_is_checked_by_its_files(pieces, command):
    """As `split -o folder/` wrote it."""
    assert command("split whole.csv --labels genres --folds 3 -o folds -q").code == 0
    done = command("check folds --labels genres")
    files = command("check folds/fold0.csv folds/fold1.csv folds/fold2.csv --labels genres")
    assert done.code == files.code == 0
    assert done.stdout == files.stdout
    assert "OK: " in done.stdout


def test_a_pattern_in_quotes_is_that_of_the_shell(pieces, command):
    """Its files are sorted."""
    command("split 'data/**/*.csv' --labels genres --folds 3 --indices a.npy -q")
    command(f"split {pieces} --labels genres --folds 3 --indices b.npy -q")
    assert np.array_equal(np.load("a.npy"), np.load("b.npy"))
    check_refusal(
        command("split 'data/*.tsv' --labels genres --folds 3"),
        1,
        "data/*.tsv: matches no file. Check the pattern.",
    )


@pytest.mark.parametrize(
    "words",
    [
        "info {} --labels genres --groups patient --json",
        "compare {} --labels genres --folds 2 --methods random,even --json",
        "sample {} --labels genres -n 10 -o out.csv --json -q",
        "link {} --groups patient -o out.csv --json -q",
    ],
)
def test_every_command_reads_several_files(words, pieces, command):
    """The result is that of the one file; so is what is written."""
    results = []
    for data in (pieces, "whole.csv"):
        done = command(words.format(data) + " --force" * ("out.csv" in words))
        found = json.loads(done.stdout)
        found.pop("path", None)
        for run in found.get("runs", []):
            run.pop("seconds", None)
        results.append((done.code, drop_times(found)))
        if "out.csv" in words:
            results[-1] += (Path("out.csv").read_bytes(),)
    assert results[0] == results[1]
    assert results[0][0] == 0


def drop_times(value):
    """Return plain data without seconds."""
    if isinstance(value, dict):
        return {key: drop_times(own) for key, own in value.items() if "second" not in key}
    return [drop_times(own) for own in value] if isinstance(value, list) else value


def test_parts_mirror_the_files_of_the_data(pieces, command, tmp_path):
    """Each part has a folder with the same files, and rows in their files; nothing is lost."""
    before = read_all(tmp_path / "data")
    words = "--labels genres --parts 0.5,0.5 -o out/ --mirror --manifest m.json"
    done = command(f"split {pieces} {words}")
    assert done.code == 0
    assert "Written: out/, m.json" in done.stderr
    expected = names_of(evenfold.split(GENRES, [0.5, 0.5]))
    written = read_bytes("out")
    for name, rows in PIECES.items():
        header, *lines = (tmp_path / name).read_text().splitlines()
        place = name.removeprefix("data/")
        for part in ("train", "test"):
            own = [line for line, row in zip(lines, rows, strict=True) if expected[row] == part]
            text = "".join(f"{line}\n" for line in [header, *own])
            assert written.pop(f"{part}/{place}", b"").decode() == (text if own else "")
    assert written == {}
    assert read_all(tmp_path / "data") == before
    checked = command(f"check {pieces} --manifest m.json")
    assert (checked.code, "OK: " in checked.stdout) == (0, True)
    assert command("check 'out/train/**/*.csv' --labels genres --part-column patient -q").code == 0


def test_a_file_without_rows_of_a_part_is_left_out(command, tmp_path):
    """It would be a header alone, which many formats cannot have."""
    for name, tags in (("a.jsonl", ["x"]), ("b.jsonl", ["x", "y", "y"])):
        (tmp_path / name).write_text("".join(json.dumps({"tags": [tag]}) + "\n" for tag in tags))
    done = command("split a.jsonl b.jsonl --labels tags --parts 2,2 -o out/ --mirror -q")
    assert done.code == 0
    found = sorted(read_bytes("out"))
    assert len(found) == 3
    assert sum(len(content.splitlines()) for content in read_bytes("out").values()) == 4


@pytest.mark.parametrize(
    "name",
    ["data.csv.gz", "data.arff", "data.svm", "data.npz", "data.json", "data.xlsx", "hf_folder"],
)
def test_every_format_can_be_mirrored(name, command, tmp_path):
    """Also those that are not written as one file, with the files that belong to them."""
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        WRITERS[name](tmp_path / folder / name)
    labels = "--labels genres" if name in ("data.csv.gz", "data.xlsx", "hf_folder") else ""
    done = command(f"split one/{name} two/{name} {labels} --parts 0.5,0.5 -o out --mirror")
    assert done.code == 0, done.stderr
    expected = evenfold.split(np.vstack([MATRIX, MATRIX]), [0.5, 0.5])
    assert f"{expected.quality.rld:.5f}" in done.stderr
    for number, folder in enumerate(("one", "two")):
        n_rows = 0
        for part in ("train", "test"):
            n_rows += len(read_rows_labels(tmp_path / "out" / part / folder / name))
            xml = tmp_path / "out" / part / folder / "data.xml"
            assert xml.exists() == (name == "data.arff")
        assert n_rows == N_ROWS, number


def test_folders_of_parquet_are_mirrored_with_their_folders(command, tmp_path):
    """Columns in the names of folders stay there."""
    for year in (2020, 2021):
        folder = tmp_path / "data" / f"year={year}"
        folder.mkdir(parents=True)
        for number in range(2):
            table = make_table().slice(number * 20, 20)
            pq.write_table(table, folder / f"{number}.parquet")
    done = command("split data --labels genres --groups year --parts 0.5,0.5 -o out --mirror -q")
    assert done.code == 0, done.stderr
    assert sorted(read_bytes("out")) == sorted(
        f"{part}/year={year}/{number}.parquet"
        for part, year in zip(*[("train", "test"), read_years(tmp_path)], strict=True)
        for number in range(2)
    )
    file = pq.ParquetFile(next((tmp_path / "out").rglob("*.parquet")))
    assert file.schema_arrow.names == make_table().column_names


def read_years(folder):
    """Return the year that each part got."""
    return [
        int(next((folder / "out" / part).iterdir()).name.removeprefix("year="))
        for part in ("train", "test")
    ]


def test_mirrored_folders_may_be_those_of_hive(pieces, command):
    """Then their names hold the column of parts."""
    words = "--labels genres --parts 0.5,0.5 -o out/ --mirror --hive --column fold"
    assert command(f"split {pieces} {words} -q").code == 0
    assert {path.name for path in Path("out").iterdir()} == {"fold=train", "fold=test"}
    assert "fold=train/a.csv" in read_bytes("out")


def test_a_mirror_replaces_only_the_folders_of_its_parts(pieces, command, tmp_path):
    """With --force; a folder with the input in it is never replaced."""
    (tmp_path / "out" / "train").mkdir(parents=True)
    (tmp_path / "out" / "train" / "old.csv").write_text("old")
    (tmp_path / "out" / "mine.txt").write_text("kept")
    words = f"split {pieces} --labels genres --mirror -o"
    check_refusal(command(f"{words} out --parts 0.5,0.5"), 2, "out/train: exists already.")
    assert command(f"{words} out --parts 0.5,0.5 --force -q").code == 0
    assert "train/old.csv" not in read_bytes("out")
    assert (tmp_path / "out" / "mine.txt").read_text() == "kept"
    before = read_all(tmp_path)
    refused = command(f"{words} . --parts data=20,other=20 --force")
    check_refusal(refused, 2, "data: is the input, which is never written.")
    assert read_all(tmp_path) == before


WRONG = [
    ("split data/a.csv --labels genres --folds 2 --mirror", 2, "--mirror writes the files of DATA"),
    (
        "split data/a.csv --labels genres --folds 2 --mirror -o out.csv",
        2,
        "Name their folder with -o.",
    ),
    ("split data/a.csv data/a.csv --labels genres --folds 2", 1, "data/a.csv: is named more than"),
    ("split data/a.csv whole.tsv --labels genres --folds 2", 1, "whole.tsv: is in the format tsv"),
    ("split data/a.csv no.csv --labels genres --folds 2", 1, "no.csv: no such file."),
    (
        "split one.arff two.arff --folds 2 -o out/",
        1,
        "one.arff and 1 more: several files in the format arff are read together, but not written",
    ),
    (
        "sample one.arff two.arff -n 5 -o out.arff",
        1,
        "Write each by itself: with --mirror.",
    ),
    (
        "split two.xlsx::A two.xlsx::B --labels genres --folds 2 --mirror -o out",
        1,
        "two.xlsx: with --mirror a file is written once, and 2 tables of it are named.",
    ),
]


@pytest.mark.parametrize(("words", "code", "message"), WRONG)
def test_wrong_files_and_outputs_are_refused(words, code, message, pieces, command, tmp_path):
    """One message, and nothing is written."""
    write_csv(tmp_path / "whole.tsv", "\t")
    for name in ("one.arff", "two.arff"):
        WRITERS["data.arff"](tmp_path / name)
    header, *rows = [line.split(",") for line in ["genres,id", "a,1", "b,2", "a,3", "b,4"]]
    from ..files.made_files import write_xlsx

    write_xlsx(tmp_path / "two.xlsx", {"A": [header, *rows], "B": [header, *rows]})
    before = read_all(tmp_path)
    check_refusal(command(words), code, message)
    assert read_all(tmp_path) == before


def test_tables_that_are_not_joined_are_written_in_a_new_file(command, tmp_path):
    """Workbooks and databases; the line on stderr says so."""
    for number in range(2):
        WRITERS["data.sqlite"](tmp_path / f"{number}.db")
    done = command("split 0.db 1.db --labels genres --folds 2 -o out.db")
    assert done.code == 0
    assert "0.db and 1 more is converted from sqlite to sqlite." in done.stderr
    file = open_data("out.db")
    parts = [part for batch in file.read_batches(["part"]) for part in batch.column(0).to_pylist()]
    assert parts == names_of(evenfold.split(np.vstack([MATRIX, MATRIX]), 2))
    assert command("split 0.db 1.db --labels genres --folds 2 -o out/ -q").code == 0
    assert sorted(read_bytes("out")) == ["fold0.db", "fold1.db"]


def test_a_split_that_is_in_several_files_is_checked_by_its_column(pieces, command):
    """Without a column, each file is a part."""
    assert (
        command("split whole.csv --labels genres --folds 2 -o folds.csv --column fold -q").code == 0
    )
    lines = Path("folds.csv").read_text().splitlines()
    Path("f1.csv").write_text("\n".join(lines[:20]) + "\n")
    Path("f2.csv").write_text("\n".join([lines[0], *lines[20:]]))
    for data in ("folds.csv", "f1.csv f2.csv"):
        done = command(f"check {data} --labels genres --part-column fold --json")
        assert (done.code, json.loads(done.stdout)["quality"]["rld"]) == (
            0,
            evenfold.split(GENRES, 2).quality.rld,
        )
    parts = json.loads(command("check 'f*.csv' --labels genres --json").stdout)["quality"][
        "per_part"
    ]
    assert [part["part"] for part in parts] == ["f1", "f2", "folds"]
    audited = command("audit f1.csv f2.csv --labels genres --part-column fold --json")
    assert audited.code == 0


def test_new_rows_may_be_in_several_files(command, tmp_path):
    """The column is filled in all of them together."""
    for name, fold in (("old.csv", "x"), ("more.csv", "y"), ("new.csv", "")):
        lines = [f"{'ab'[at % 2]},{fold}" for at in range(10)]
        (tmp_path / name).write_text("\n".join(["tags,fold", *lines]) + "\n")
    words = "extend old.csv more.csv new.csv --labels tags --part-column fold -o all.csv -q"
    assert command(words).code == 0
    parts = read_parts(Path("all.csv"), "fold")
    assert parts[:20] == ["x"] * 10 + ["y"] * 10
    assert sorted(parts[20:]) == ["x"] * 5 + ["y"] * 5


def test_paths_and_embeddings_belong_to_their_file(command, tmp_path):
    """Paths are relative to the folder of each file; embeddings may be of all rows or of each."""
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "x.txt").write_text("same")
        (folder / "y.txt").write_text(f"other {number}")
        (folder / "data.csv").write_text("tags,path\na,x.txt\nb,y.txt\n")
        np.save(tmp_path / f"{number}.npy", np.eye(4)[[0, 2 + number]])
    np.save(tmp_path / "all.npy", np.eye(4)[[0, 2, 0, 3]])
    for words in (
        "--files path",
        "--similar all.npy",
        "--similar 0.npy --similar 1.npy",
    ):
        done = command(f"link 0/data.csv 1/data.csv {words} --indices g.json --force -q")
        assert done.code == 0, done.stderr
        assert json.loads(Path("g.json").read_text()) == [0, 1, 0, 2]


def test_compressed_files_are_joined(pieces, command, tmp_path):
    """In one stream for each part."""
    for name in PIECES:
        content = (tmp_path / name).read_bytes()
        (tmp_path / f"{name}.gz").write_bytes(gzip.compress(content))
    packed = " ".join(f"{name}.gz" for name in PIECES)
    assert command(f"split {packed} --labels genres --folds 2 -o packed -q").code == 0
    assert command(f"split {pieces} --labels genres --folds 2 -o plain -q").code == 0
    assert gzip.decompress(Path("packed/fold0.csv.gz").read_bytes()) == (
        Path("plain/fold0.csv").read_bytes()
    )

"""--long: a line for each item and label, in every command that reads labels."""

import json
from pathlib import Path

import numpy as np
import pytest

import evenfold

from ..files.made_files import GENRES, N_ROWS, PATIENT
from .read_back import names_of
from .refusals import check_refusal, read_all

# Items in another order than their lines: the second label of a row comes after all first ones.
LINES = [
    (row, genre)
    for place in range(3)
    for row in range(N_ROWS)
    for genre in ((GENRES[row] or [""])[place : place + 1])
]


@pytest.fixture
def long_file(tmp_path):
    """Write a tsv file with a line for each film and genre, and return its lines."""
    lines = [
        f"film {row}\t{genre}\t{PATIENT[row]}\t{row % 7}\t{number}"
        for number, (row, genre) in enumerate(LINES)
    ]
    (tmp_path / "long.tsv").write_text(
        "\n".join(["film\tgenre\tpatient\tage\tline", *lines]) + "\n"
    )
    return lines


WORDS = "--long film,genre --groups patient --balance age"


def test_a_split_of_items_is_that_of_their_lists_of_labels(long_file, command):
    """Their lines are in the part of the item; indices are numbers or ids of items."""
    s = evenfold.split(GENRES, 3, groups=PATIENT, balance={"age": np.arange(N_ROWS) % 7})
    words = f"split long.tsv {WORDS} --folds 3 -o out --indices rows.npy --manifest m.json -q"
    assert command(words).code == 0
    assert np.load("rows.npy").tolist() == s.part_of_row.tolist()
    part_of_row = names_of(s)
    for name in s.names:
        own = [
            text
            for text, (row, _) in zip(long_file, LINES, strict=True)
            if part_of_row[row] == name
        ]
        header, *written = Path("out", f"{name}.tsv").read_text().splitlines()
        assert (header.split("\t")[:2], written) == (["film", "genre"], own)
    words = f"split long.tsv {WORDS} --folds 3 --id film --indices ids.json -o fold.tsv"
    assert command(words).code == 0
    assert json.loads(Path("ids.json").read_text())["fold1"] == [
        f"film {row}" for row in s["fold1"]
    ]
    for text, (row, _) in zip(Path("fold.tsv").read_text().splitlines()[1:], LINES, strict=True):
        assert text.rpartition("\t")[2] == part_of_row[row]
    checked = command("check fold.tsv --manifest m.json")
    assert (checked.code, "OK:" in checked.stdout) == (0, True)


@pytest.mark.parametrize(
    "words",
    [
        "compare {} --folds 2 --methods even --json",
        "evaluate {} --learner br:tree --methods even --folds 2 --repeats 1 --samples 0 --json -q",
    ],
)
def test_other_commands_read_items(words, long_file, command, tmp_path):
    """Results are those of one line for each film; the item is no feature."""
    wide = [f"{row},{'|'.join(GENRES[row])},{PATIENT[row]},{row % 7}" for row in range(N_ROWS)]
    (tmp_path / "wide.csv").write_text("\n".join(["title,genres,patient,age", *wide]) + "\n")
    features = " --features age" if words.startswith("evaluate") else ""
    long = command(words.format("long.tsv --long film,genre --groups patient") + features)
    other = command(words.format("wide.csv --labels genres --groups patient") + features)
    assert (long.code, other.code) == (0, 0), long.stderr
    assert without_times(json.loads(long.stdout)) == without_times(json.loads(other.stdout))


def without_times(value):
    """Return plain data without seconds."""
    if isinstance(value, dict):
        return {key: without_times(own) for key, own in value.items() if "second" not in key}
    return [without_times(own) for own in value] if isinstance(value, list) else value


def test_info_shows_items_and_lines(long_file, command):
    """As text and as JSON."""
    done = command("info long.tsv --long film,genre --groups patient --json")
    record = json.loads(done.stdout)
    assert (record["rows"], record["lines"], record["labels"]) == (N_ROWS, len(LINES), 5)
    assert record["columns"] == ["film", "patient", "age", "line"]
    text = command("info long.tsv --long film,genre").stdout
    assert ["lines", str(len(LINES))] in [line.split() for line in text.splitlines()]


def test_a_feature_is_guessed_among_columns_of_items(long_file, command):
    """Not the item itself, nor a column that differs between its lines."""
    done = command(
        "evaluate long.tsv --long film,genre --learner br:tree --methods even --folds 2 "
        "--repeats 1 --samples 0"
    )
    assert done.code == 0, done.stderr
    assert "1 columns of numbers are read: age." in done.stderr


def test_an_item_in_two_parts_fails_the_check(long_file, command, tmp_path):
    """In a column of parts, and in files that are parts."""
    words = "split long.tsv --long film,genre --parts 0.5,0.5 -o out -q"
    assert command(words).code == 0
    files = "check out/train.tsv out/test.tsv --long film,genre"
    assert command(files).code == 0
    train, test = Path("out/train.tsv"), Path("out/test.tsv")
    test.write_text(test.read_text() + train.read_text().splitlines()[1] + "\n")
    done = command(files)
    assert (done.code, "1 id is in more than one part" in done.stderr) == (1, True), done.stderr
    lines = [f"{text}\t{'train' if at % 2 else 'test'}" for at, text in enumerate(long_file)]
    (tmp_path / "parts.tsv").write_text(
        "\n".join(["film\tgenre\tpatient\tage\tline\tpart", *lines]) + "\n"
    )
    done = command("check parts.tsv --long film,genre --part-column part")
    check_refusal(done, 1, "column 'part' holds 'train' in line 1 and 'test' in line 40")


def test_samples_and_new_items(long_file, command):
    """A sample has all lines of its items; new items are those without a part."""
    assert command("sample long.tsv --long film,genre -n 10 -o few.tsv -q").code == 0
    films = {line.partition("\t")[0] for line in Path("few.tsv").read_text().splitlines()[1:]}
    assert len(films) == 10
    assert command("split long.tsv --long film,genre --parts 0.5,0.5 -o p.tsv -q").code == 0
    lines = Path("p.tsv").read_text().splitlines()
    empty = [line.rpartition("\t")[0] + "\t" if "film 7\t" in line else line for line in lines]
    Path("gaps.tsv").write_text("\n".join(empty) + "\n")
    done = command("extend gaps.tsv --long film,genre --part-column part -o full.tsv")
    assert done.code == 0, done.stderr
    assert "1 new rows placed, 39 left where they were." in done.stderr
    assert not [line for line in Path("full.tsv").read_text().splitlines() if line[-1] == "\t"]


def test_lines_of_several_files_are_mirrored(long_file, command, tmp_path):
    """An item may have lines in both files."""
    header = "film\tgenre\tpatient\tage\tline"
    for name, own in (("a.tsv", long_file[:30]), ("b.tsv", long_file[30:])):
        (tmp_path / name).write_text("\n".join([header, *own]) + "\n")
    words = "split a.tsv b.tsv --long film,genre --parts 0.5,0.5 -o out --mirror -q"
    assert command(words).code == 0
    part_of = {}
    n_lines = 0
    for path in Path("out").rglob("*.tsv"):
        for line in path.read_text().splitlines()[1:]:
            n_lines += 1
            film = line.partition("\t")[0]
            assert part_of.setdefault(film, path.parts[1]) == path.parts[1]
    assert (n_lines, len(part_of)) == (len(LINES), N_ROWS)


WRONG = [
    (
        "split long.tsv --long film,genre --groups line --folds 2 -o out",
        1,
        "long.tsv: column 'line' holds '1' in line 1 and '40' in line 40 (from 0), both of the "
        "item 'film 1'. Let it hold one value in all lines of an item, or leave it out.",
    ),
    (
        "split long.tsv --long film,genre --balance line --folds 2 -o out",
        1,
        "column 'line' holds '1' in line 1",
    ),
    ("split long.tsv --long film,gnre --folds 2 -o out", 1, "--long 'gnre' is not a column of"),
    ("split long.tsv --long film --folds 2 -o out", 1, "--long 'film' must name two columns of"),
    (
        "split long.tsv --long film,genre --labels genre --folds 2 -o out",
        2,
        "--long names the column of labels, each cell one label, so --labels does not go with it.",
    ),
    (
        "split long.tsv --long film,genre --separator , --folds 2 -o out",
        2,
        "so --separator does not go with it. Leave out one of them.",
    ),
    (
        "split x.parquet --long film,genre --folds 2 -o out --memory 1GB",
        2,
        "--long does not go with --memory.",
    ),
    (
        "split long.tsv --long film,genre --folds 2 -o out.tsv --column genre",
        1,
        "has a column 'genre' already.",
    ),
]


@pytest.mark.parametrize(("words", "code", "message"), WRONG)
def test_wrong_columns_are_refused(words, code, message, long_file, command, tmp_path):
    """One message, and nothing is written."""
    before = read_all(tmp_path)
    check_refusal(command(words), code, message)
    assert read_all(tmp_path) == before

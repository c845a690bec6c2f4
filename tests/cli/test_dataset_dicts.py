"""Saved datasets of Hugging Face, and files of its hub, as DATA of all commands."""

import json
import shutil

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evenfold
from evenfold.files.registry import open_data

from ..files.arrow_writing import save_dict_to_disk, save_to_disk
from ..files.made_files import GENRES, N_ROWS, NAMES, PATIENT, make_table

# Genres as classes, whose names look like several labels.
CLASS = {"names": [f"{name}, x" for name in NAMES], "_type": "ClassLabel"}
LABELS = [[f"{name}, x" for name in row] for row in GENRES]
TEXT, NUMBER = ({"dtype": kind, "_type": "Value"} for kind in ("string", "int64"))
FEATURES = {
    "id": NUMBER,
    "title": TEXT,
    "patient": TEXT,
    "age": NUMBER,
    "genres": {"feature": CLASS, "_type": "List"},
}
CODES = [[NAMES.index(name) for name in row] for row in GENRES]
TABLE = make_table().set_column(4, "genres", pa.array(CODES))
EVEN = evenfold.split(GENRES, [0.5, 0.25, 0.25], groups=PATIENT)
WORDS = ["--parts", "0.5,0.25,0.25", "--groups", "patient"]


@pytest.fixture
def splits(tmp_path):
    """Return a DatasetDict of two splits, whose rows together are those of TABLE."""
    parts = {"train": [TABLE.slice(0, 30)], "test": [TABLE.slice(30)]}
    return save_dict_to_disk(tmp_path / "splits", parts, FEATURES)


@pytest.fixture
def whole(tmp_path):
    """Return a Dataset of the same rows."""
    return save_to_disk(tmp_path / "whole", [TABLE], FEATURES)


@pytest.fixture
def parts(tmp_path):
    """Return a DatasetDict whose splits are the parts of an even split."""
    tables = {name: [TABLE.take(pa.array(EVEN[name]))] for name in EVEN.names}
    return save_dict_to_disk(tmp_path / "parts", tables, FEATURES)


def read_ids(folder):
    """Return the ids in a saved dataset."""
    batches = open_data(str(folder)).read_batches(["id"])
    return [row for batch in batches for row in batch.column(0).to_pylist()]


def read_content(folder):
    """Return the bytes of every file in a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", ["splits", "whole"])
def test_parts_are_the_splits_of_a_dataset_dict(name, command, request, tmp_path):
    """With the rows that the split has in Python; the input is not touched."""
    data = request.getfixturevalue(name)
    before = read_content(tmp_path)
    done = command("split", data, *WORDS, "-o", "out/", "-q")
    assert (done.code, done.stderr) == (0, "")
    listed = json.loads((tmp_path / "out" / "dataset_dict.json").read_text())
    assert listed == {"splits": ["train", "val", "test"]}
    for part in EVEN.names:
        assert read_ids(tmp_path / "out" / part) == EVEN[part].tolist()
    assert before.items() <= read_content(tmp_path).items()


def test_the_list_of_splits_is_an_output_too(whole, command, tmp_path):
    """In a folder that exists, it is overwritten only with --force."""
    (tmp_path / "out").mkdir()
    listed = tmp_path / "out" / "dataset_dict.json"
    listed.write_text("precious")
    done = command("split", whole, *WORDS, "-o", "out/")
    assert done.code == 2
    assert "out/dataset_dict.json: exists already." in done.stderr.replace("\n", " ")
    assert listed.read_text() == "precious"
    assert list((tmp_path / "out").iterdir()) == [listed]
    assert command("split", whole, *WORDS, "-o", "out/", "--force", "-q").code == 0
    assert len(read_ids(tmp_path / "out")) == N_ROWS


def test_splits_are_the_parts_that_are_checked(parts, command):
    """Their names, rows and measures; groups and copies that are in two of them."""
    done = command(f"check {parts} --groups patient --id id --json")
    report = json.loads(done.stdout)
    assert (done.code, report["failures"]) == (0, [])
    quality = report["quality"]
    assert [part["part"] for part in quality["per_part"]] == list(EVEN.names)
    assert [part["rows"] for part in quality["per_part"]] == EVEN.sizes.tolist()
    assert quality["rld"] == pytest.approx(evenfold.measure(GENRES, EVEN.part_of_row).rld)
    assert {label["label"] for label in quality["per_label"]} == set(CLASS["names"])
    done = command(f"check {parts} --groups age -q")
    assert (done.code, done.stderr[:10]) == (1, "evenfold: ")
    done = command(f"audit {parts} --groups patient --strict")
    assert done.code == 0
    train, val, test = EVEN.sizes
    assert f"40 rows in 3 parts: train {train}, val {val}, test {test}" in done.stdout


def test_a_column_of_parts_goes_before_the_splits(splits, command):
    """And so does a manifest."""
    assert command("split", splits, *WORDS, "-o", "out", "--column", "fold", "-q").code == 0
    done = command("check out --part-column fold --groups patient --json")
    assert [part["part"] for part in json.loads(done.stdout)["quality"]["per_part"]] == [
        *EVEN.names
    ]
    assert command("split", splits, *WORDS, "--manifest", "split.json", "-q").code == 0
    done = command("check", splits, "--manifest", "split.json")
    assert done.code == 0
    assert "parts: those of the record" in done.stdout
    done = command("check out --manifest split.json")
    assert done.code == 0


def test_one_split_does_not_say_what_the_parts_are(command, tmp_path):
    """As for any other file."""
    save_dict_to_disk(tmp_path / "one", {"train": [TABLE]}, FEATURES)
    done = command("check one")
    assert done.code == 2
    assert "Say what the parts are: --part-column COL, or one file for each part" in done.stderr


def test_other_commands_read_the_rows_of_all_splits(splits, whole, command, tmp_path):
    """Compared, described, evaluated and extended as one dataset."""
    for line in ("info {} --json", "compare {} --folds 2 --methods random,iterative --json"):
        ours, theirs = (json.loads(command(line.format(data)).stdout) for data in (splits, whole))
        for record in (ours, theirs):
            record.pop("path", None)
            for row in record.get("methods", []):
                row.pop("seconds", None)
        assert ours == theirs
    done = command(
        f"evaluate {splits} --features age --learner br:tree --method random --folds 2 -q"
    )
    assert done.code == 0
    assert command("link", splits, "--groups", "patient", "-o", "linked", "-q").code == 0
    assert open_data("linked").columns[-1] == "group"
    assert read_ids(tmp_path / "linked" / "train") == list(range(30))


def test_a_sample_keeps_the_splits(splits, command, tmp_path):
    """The rows are those that are drawn in Python."""
    assert command("sample", splits, "-n", "16", "-o", "few", "-q").code == 0
    rows = evenfold.sample(GENRES, 16)
    assert read_ids(tmp_path / "few" / "train") == [row for row in rows if row < 30]
    assert read_ids(tmp_path / "few" / "test") == [row for row in rows if row >= 30]


def test_rows_without_a_part_are_placed_in_their_split(command, tmp_path):
    """The column is filled in each split; the other rows stay."""
    given = [None if at % 3 == 0 else f"fold{at % 2}" for at in range(N_ROWS)]
    table = TABLE.append_column("fold", pa.array(given))
    data = save_dict_to_disk(
        tmp_path / "data",
        {"a": [table.slice(0, 25)], "b": [table.slice(25)]},
        FEATURES | {"fold": TEXT},
    )
    assert command(f"extend {data} --part-column fold -o more -q").code == 0
    filled = pa.Table.from_batches(open_data("more").read_batches(["fold"]))["fold"].to_pylist()
    s = evenfold.extend(given, GENRES)
    assert filled == [s.names[part] for part in s.part_of_row]
    assert len(read_ids(tmp_path / "more" / "a")) == 25


def test_paths_in_columns_are_relative_to_the_folder(command, tmp_path):
    """Of the DatasetDict, whether its splits are read together or as parts."""
    names = ["a.txt", "b.txt", "c.txt", "d.txt"]
    table = pa.table({"path": names, "tags": [["x"], ["y"], ["x"], ["y"]]})
    halves = {"train": [table.slice(0, 2)], "test": [table.slice(2)]}
    folder = save_dict_to_disk(tmp_path / "data", halves)
    for name, content in zip(names, ["one", "two", "three", "one"], strict=True):
        (folder / name).write_text(content)
    done = command("check data --files path --json")
    assert done.code == 1
    assert "1 group (files) is in more than one part" in json.loads(done.stdout)["failures"][0]
    assert command("link data --files path --indices rows.json -q").code == 0
    assert json.loads((tmp_path / "rows.json").read_text()) == [0, 1, 2, 0]


def make_hub_folder(folder, shards=(2, 1)):
    """Write the parts train and test as files of the hub, in several shards."""
    (folder / "data").mkdir(parents=True)
    (folder / "README.md").write_text("---\nconfigs:\n- config_name: default\n---\n")
    halves = {"train": TABLE.slice(0, 30), "test": TABLE.slice(30)}
    for (name, table), n_shards in zip(halves.items(), shards, strict=True):
        for at, rows in enumerate(np.array_split(np.arange(len(table)), n_shards)):
            path = folder / "data" / f"{name}-{at:05d}-of-{n_shards:05d}.parquet"
            pq.write_table(table.take(pa.array(rows)), path)
    return folder


def test_splits_of_files_of_the_hub_are_the_parts_that_are_checked(splits, command, tmp_path):
    """Train comes first; shards of one split are one part."""
    make_hub_folder(tmp_path / "hub[1]")
    ours = json.loads(command("check 'hub[1]' --id id --json").stdout)
    theirs = json.loads(command(f"check {splits} --id id --json").stdout)
    rows = [(part["part"], part["rows"]) for part in ours["quality"]["per_part"]]
    assert rows == [("train", 30), ("test", 10)]
    assert ours["quality"]["rld"] == theirs["quality"]["rld"]
    done = command("audit 'hub[1]' --quiet")
    assert (done.code, done.stderr) == (0, "")


@pytest.mark.parametrize("other", ["extra.parquet", "more/train-00000-of-00001.parquet"])
def test_other_files_among_those_of_the_hub_make_no_parts(other, command, tmp_path):
    """It is not clear then what they are."""
    folder = make_hub_folder(tmp_path / "hub")
    (folder / "more").mkdir()
    shutil.copy(folder / "data" / "test-00000-of-00001.parquet", folder / other)
    done = command("check hub")
    assert done.code == 2
    assert "Say what the parts are" in done.stderr


def truncate(folder):
    """Cut off the end of a data file."""
    path = folder / "test" / "data-00000-of-00001.arrow"
    path.write_bytes(path.read_bytes()[:-200])


def replace(name, content):
    """Return a function that writes another content into a file, or removes it."""

    def damage(folder):
        path = folder / name
        path.unlink() if content is None else path.write_text(content)

    return damage


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (replace("test/state.json", None), "splits/test: is not a dataset saved with save_to_disk"),
        (truncate, "test/data-00000-of-00001.arrow: cannot be read: Expected to be able to read"),
        (replace("test/state.json", "{"), "splits/test/state.json: is not JSON: "),
        (replace("test/dataset_info.json", "[]"), "dataset_info.json: must hold a JSON object, "),
        (
            replace("test/dataset_info.json", '{"features": {"id": 1}}'),
            "its features do not match the columns of data-00000-of-00001.arrow: 'title', ",
        ),
        (replace("dataset_dict.json", '{"splits": []}'), "names no splits under 'splits'."),
        (replace("dataset_dict.json", None), "splits: has no dataset_dict.json, which says "),
        (
            replace("test/data-00000-of-00001.arrow", "no arrow"),
            "test/data-00000-of-00001.arrow: cannot be read: ",
        ),
    ],
)
@pytest.mark.parametrize("line", ["split {} --folds 2 -o out/", "check {}"])
def test_damaged_datasets_are_refused_with_one_message(line, damage, message, splits, command):
    """Nothing is written, and nothing is left beside the input."""
    damage(splits)
    before = read_content(splits.parent)
    done = command(line.format(splits))
    assert (done.code, done.stdout) == (1, "")
    assert done.stderr.startswith("evenfold: ")
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert read_content(splits.parent) == before
    assert [path.name for path in splits.parent.iterdir()] == ["splits"]

"""Datasets saved to disk: what the command line writes is read by `datasets`, and the reverse."""

import json
import subprocess
import sys
from datetime import date

import numpy as np
import pytest

import evenfold

from .hugging_face_data import LABELS, N_ROWS, PATIENTS, make_dataset, make_dataset_dict

datasets = pytest.importorskip("datasets", reason="datasets is not installed")
pytestmark = pytest.mark.slow
WORDS = ["--parts", "0.6,0.2,0.2", "--groups", "patient", "--seed", "3"]


@pytest.fixture(autouse=True)
def _no_progress_bars():
    datasets.disable_progress_bars()


def split_in_python(data):
    """Return the split that WORDS means."""
    return evenfold.split(
        data.select_columns("labels"),
        [0.6, 0.2, 0.2],
        groups=data.select_columns("patient"),
        random_state=3,
    )


def read_content(folder):
    """Return the bytes of every file in a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("make", [make_dataset, make_dataset_dict])
def test_a_split_folder_is_loaded_as_the_dataset_dict_of_python(make, command, tmp_path):
    """Names, features, rows and their order; every part has a fingerprint of its own."""
    data = make()
    data.save_to_disk(tmp_path / "saved")
    before = read_content(tmp_path / "saved")
    done = command("split saved/", *WORDS, "-o", "out/", "-q")
    assert (done.code, done.stderr) == (0, "")
    loaded = datasets.load_from_disk(tmp_path / "out")
    expected = split_in_python(data).to_dataset_dict(data)
    assert list(loaded) == list(expected) == ["train", "val", "test"]
    for name, part in loaded.items():
        assert part.features == expected[name].features
        assert part.to_list() == expected[name].to_list()
        assert part.split == expected[name].split
        assert part.features["labels"].feature.names == make_dataset().features["kind"].names
    fingerprints = {part._fingerprint for part in loaded.values()}
    assert len(fingerprints) == 3
    assert read_content(tmp_path / "saved") == before


def test_what_is_loaded_can_be_worked_with_and_saved_again(command, tmp_path):
    """Mapped, filtered, saved by `datasets`, and split again."""
    make_dataset().save_to_disk(tmp_path / "saved", num_shards=3)
    assert command("split saved", *WORDS, "-o", "out", "-q").code == 0
    loaded = datasets.load_from_disk(tmp_path / "out")
    mapped = loaded.map(lambda row: {"n": len(row["labels"])}, load_from_cache_file=False)
    assert sum(sum(part["n"]) for part in mapped.values()) == sum(map(len, LABELS))
    mapped.save_to_disk(tmp_path / "again")
    done = command("check again --groups patient --json")
    rows = [part["rows"] for part in json.loads(done.stdout)["quality"]["per_part"]]
    assert (done.code, rows) == (0, [len(part) for part in mapped.values()])
    assert command("split again", *WORDS, "-o", "third", "-q").code == 0
    third = datasets.load_from_disk(tmp_path / "third")
    titles = sorted(title for part in third.values() for title in part["title"])
    assert titles == sorted(make_dataset()["title"])


def test_new_columns_are_features(command, tmp_path):
    """Of parts and of groups, in every split; as `datasets` would add them."""
    data = make_dataset_dict()
    data.save_to_disk(tmp_path / "saved")
    s = split_in_python(data)
    assert command("split saved", *WORDS, "-o", "more", "--column", "fold", "-q").code == 0
    more = datasets.load_from_disk(tmp_path / "more")
    names = [s.names[part] for part in s.part_of_row]
    for split, rows in (("train", slice(0, 40)), ("test", slice(40, N_ROWS))):
        expected = data[split].add_column("fold", names[rows])
        assert more[split].features == expected.features
        assert more[split].to_list() == expected.to_list()
    assert command("link saved --groups patient -o linked -q").code == 0
    group = datasets.concatenate_datasets([*datasets.load_from_disk("linked").values()])["group"]
    assert list(group) == [str(list(dict.fromkeys(PATIENTS)).index(own)) for own in PATIENTS]


def test_a_sample_is_loaded_with_its_splits(command, tmp_path):
    """Also where a split has no row of it."""
    data = make_dataset_dict()
    data.save_to_disk(tmp_path / "saved")
    assert command("sample saved -n 20 -o few -q").code == 0
    few = datasets.load_from_disk(tmp_path / "few")
    rows = evenfold.sample(LABELS, 20)
    joined = datasets.concatenate_datasets([*data.values()])
    own = datasets.concatenate_datasets([*few.values()])
    assert own.to_list() == joined.select(rows).to_list()
    assert len(few["train"]) == (rows < 40).sum()
    one = datasets.DatasetDict(train=data["train"], test=data["test"].select(range(1)))
    one.save_to_disk(tmp_path / "one")
    assert command("sample one -n 1 -o first -q").code == 0
    first = datasets.load_from_disk(tmp_path / "first")
    assert sorted(map(len, first.values())) == [0, 1]
    assert first["test"].features == data["test"].features


def make_unusual_dataset():
    """Return a dataset with features that Arrow has no plain type for."""
    rng = np.random.default_rng(0)
    kind = datasets.ClassLabel(names=["a", "b"])
    n_rows = 12
    columns = {
        "labels": [[at % 2] for at in range(n_rows)],
        "matrix": rng.integers(0, 9, (n_rows, 2, 3)).tolist(),
        "picture": [{"bytes": bytes([at]), "path": None} for at in range(n_rows)],
        "large": [[at % 2] for at in range(n_rows)],
        "boxes": [[{"kind": 0, "at": [1.0, 2.0]}] * (at % 3) for at in range(n_rows)],
        "day": [None, *[date(2024, 1, 1 + at) for at in range(n_rows - 1)]],
    }
    features = {
        "labels": datasets.Sequence(kind),
        "matrix": datasets.Array2D((2, 3), "int32"),
        "picture": datasets.Image(decode=False),
        "large": datasets.LargeList(kind),
        "boxes": [{"kind": kind, "at": datasets.Sequence(datasets.Value("float32"))}],
        "day": datasets.Value("date32"),
    }
    data = datasets.Dataset.from_dict(columns, features=datasets.Features(features))
    return data.with_format("numpy", columns=["matrix"])


@pytest.mark.parametrize("in_this_process", [True, False])
def test_unusual_features_are_kept(in_this_process, command, tmp_path):
    """Whether `datasets` is imported, which tells Arrow of its types, or not."""
    data = make_unusual_dataset()
    data.save_to_disk(tmp_path / "saved")
    line = "split saved --labels labels --folds 3 -o out"
    if in_this_process:
        assert command(line).code == 0
    else:
        words = [sys.executable, "-m", "evenfold", *line.split()]
        subprocess.run(words, cwd=tmp_path, check=True, capture_output=True)
    parts = datasets.load_from_disk(tmp_path / "out")
    expected = evenfold.split(data["labels"], 3).to_dataset_dict(data)
    for name, part in parts.items():
        assert part.features == data.features
        assert part.format == data.format
        own, other = (each.with_format(None).to_list() for each in (part, expected[name]))
        assert own == other


def test_files_of_the_hub_are_checked_by_their_splits(command, tmp_path):
    """As `datasets` writes and names them."""
    data = make_dataset_dict()
    for name, part in data.items():
        part.to_parquet(tmp_path / "hub" / "data" / f"{name}-00000-of-00001.parquet")
    done = command("check hub --labels labels --json")
    quality = json.loads(done.stdout)["quality"]
    expected = evenfold.measure(LABELS, ["train"] * 40 + ["test"] * 20)
    assert [part["rows"] for part in quality["per_part"]] == [40, 20]
    assert quality["rld"] == pytest.approx(expected.rld)
    again = datasets.load_dataset(
        "parquet", data_dir=str(tmp_path / "hub"), cache_dir=str(tmp_path / "cache")
    )
    assert list(again) == ["train", "test"]


def test_damaged_folders_are_refused_by_both(command, tmp_path):
    """What evenfold refuses, `datasets` cannot load either; one message, nothing left behind."""
    make_dataset_dict().save_to_disk(tmp_path / "whole")
    whole = tmp_path / "whole"
    damages = {
        "test/state.json": None,
        "test/dataset_info.json": b"{",
        "dataset_dict.json": b"[]",
        "test/data-00000-of-00001.arrow": (whole / "test/data-00000-of-00001.arrow").read_bytes()[
            :900
        ],
        "train/dataset_info.json": json.dumps(
            {"features": {"other": {"dtype": "int8", "_type": "Value"}}}
        ).encode(),
    }
    for name, content in damages.items():
        before = (whole / name).read_bytes()
        (whole / name).unlink() if content is None else (whole / name).write_bytes(content)
        done = command("split whole --folds 2 -o out")
        assert (done.code, done.stdout, len(done.stderr.splitlines())) == (1, "", 1), name
        assert name.rpartition("/")[2] in done.stderr or content is None
        with pytest.raises(Exception):  # noqa: B017, PT011 - of whatever type
            datasets.load_from_disk(whole)
        (whole / name).write_bytes(before)
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
    assert command("split whole --folds 2 -o out -q").code == 0

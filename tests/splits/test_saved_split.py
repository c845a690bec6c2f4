"""Saved splits: what is written, what is read, and what is refused."""

import json
import re

import numpy as np
import pytest

import evenfold

Y = np.random.default_rng(0).random((120, 6)) < [0.5, 0.3, 0.2, 0.1, 0.05, 0.05]


def test_a_saved_split_is_loaded_as_it_was(tmp_path):
    """Parts, names and origin; with its labels it can be measured."""
    path = tmp_path / "split.json"
    s = evenfold.split(Y, 4, holdout=0.2, groups=np.arange(120) // 2, random_state=7)
    s.save(path)
    read = evenfold.load_split(path, Y, groups=np.arange(120) // 2)
    assert read == s
    assert (read.method, read.origin.random_state, read.origin.version) == (
        "even",
        7,
        evenfold.__version__,
    )
    assert read.origin.parameters["holdout"] == 0.2
    assert read.quality.rld == s.quality.rld
    assert len(list(read.folds())) == 4
    assert read.fingerprint == s.fingerprint
    assert [path.name for path in tmp_path.iterdir()] == ["split.json"]


def test_a_saved_split_is_plain_json(tmp_path):
    """Anyone can read it."""
    evenfold.split(Y, [0.8, 0.2]).save(tmp_path / "s.json")
    record = json.loads((tmp_path / "s.json").read_text(encoding="utf-8"))
    assert record["format"] == "evenfold split"
    assert record["names"] == ["train", "test"]
    assert len(record["part_of_row"]) == 120
    assert {"method", "parameters", "random_state", "version", "fingerprint"} <= set(record)


def test_a_split_by_a_mapping_can_be_saved(tmp_path):
    """With NumPy's numbers as sizes."""
    evenfold.split(Y, {"a": np.int64(100), "b": np.int64(20)}).save(tmp_path / "s.json")
    assert evenfold.load_split(tmp_path / "s.json").sizes.tolist() == [100, 20]


def test_a_split_loaded_without_labels_shows_its_sizes(tmp_path):
    """It says what it needs to be measured."""
    evenfold.split(Y, [0.8, 0.2]).save(tmp_path / "s.json")
    s = evenfold.load_split(tmp_path / "s.json")
    assert "train    96" in str(s)
    assert "train    96" in s._repr_html_()
    with pytest.raises(
        ValueError,
        match=r"loaded without its labels, so it cannot be measured. "
        r"Load it with them: load_split\(path, y\)",
    ):
        s.quality  # noqa: B018 - the access is the test


def test_loading_checks_the_labels(tmp_path):
    """Other labels, or rows in another order, are refused; another form of the same is not."""
    path = tmp_path / "s.json"
    evenfold.split(Y, 3).save(path)
    other = Y.copy()
    other[5, 2] = not other[5, 2]
    with pytest.raises(
        ValueError, match=r"'y' must hold the labels the split in .* was made for, got others"
    ):
        evenfold.load_split(path, other)
    with pytest.raises(ValueError, match="got others"):
        evenfold.load_split(path, Y[::-1])
    with pytest.raises(ValueError, match=r"'y' must have the 120 rows of the split in .*, got 119"):
        evenfold.load_split(path, Y[1:])
    lists = [[f"l{i}" for i in np.flatnonzero(row)] for row in Y]
    assert evenfold.load_split(path, lists).quality.rld == evenfold.load_split(path, Y).quality.rld


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("not json", "must be a split saved by evenfold, got something that is not JSON"),
        ("[" * 200_000, "must be a split saved by evenfold, got something that is not JSON"),
        ("[1, 2]", "must be a split saved by evenfold, got other JSON"),
        (
            '{"format": "evenfold scaled split", "format_version": 1}',
            "got the manifest of a split past memory. Read it with evenfold.scale.load, or check "
            "its files with `evenfold check .*`",
        ),
        (
            '{"format": "evenfold split", "format_version": 99}',
            "is of format 99, this evenfold .* reads format 1",
        ),
        ('{"format": "evenfold split", "format_version": 1}', "is damaged: KeyError 'names'"),
        ("[1, 7]", "its rows, parts and names do not fit each other"),
        ('["x"]', "is damaged: ValueError"),
    ],
)
def test_damaged_files_are_refused(tmp_path, content, message):
    """With what is wrong and what to do."""
    path = tmp_path / "s.json"
    evenfold.split(Y[:4], 2, method="random").save(path)
    if "rows, parts" in message or "ValueError" in message:
        record = json.loads(path.read_text(encoding="utf-8"))
        record["part_of_row"] = json.loads(content)
        content = json.dumps(record)
    path.write_text(content, encoding="utf-8")
    with pytest.raises(ValueError, match=message):
        evenfold.load_split(path)


@pytest.mark.parametrize(
    "change",
    [
        {"wanted": [0, 0]},
        {"wanted": [[1, 1]]},
        {"names": ["a", "a"]},
        {"n_folds": 0},
        {"part_of_row": [0.7, 1, 0, 1]},
        {"names": "ab"},
        {"wanted": [2**62, 1]},
        {"wanted": [2**60, 2**60]},
        {"wanted": [2**70, 1]},
        {"method": ["even"]},
        {"version": None},
        {"random_state": "0"},
        {"parameters": []},
    ],
)
def test_contradictory_files_are_refused(tmp_path, change):
    """Weights, names, folds and parts of rows that cannot be of one split."""
    path = tmp_path / "s.json"
    evenfold.split(Y[:4], 2, method="random").save(path)
    path.write_text(
        json.dumps(json.loads(path.read_text(encoding="utf-8")) | change), encoding="utf-8"
    )
    with pytest.raises(ValueError, match="is damaged"):
        evenfold.load_split(path)


def test_a_missing_file_raises_file_not_found(tmp_path):
    """Python's own error names it."""
    with pytest.raises(FileNotFoundError, match=re.escape("nowhere.json")):
        evenfold.load_split(tmp_path / "nowhere.json")

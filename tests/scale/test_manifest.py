"""A manifest is read as it was written, and damage is found."""

import dataclasses
import json

import fsspec
import numpy as np
import pytest

from evenfold.exceptions import InputError
from evenfold.scale.manifest import (
    find_missing_files,
    has_manifest,
    read_manifest,
    write_manifest,
)

from .made_manifests import make_groups, make_manifest, write_files

GROUPS = {
    "number": 22,
    "missing": 4,
    "in_part": [15, 7],
    "most_rows": [2, 1, 1],
    "n_groups": [10, 3, 1],
}


def show(value):
    """Return a field of a manifest as plain data."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if dataclasses.is_dataclass(value):
        return {own.name: show(getattr(value, own.name)) for own in dataclasses.fields(value)}
    return [show(each) for each in value] if isinstance(value, list | tuple) else value


@pytest.fixture
def folder(tmp_path):
    """Return a folder with a finished split."""
    write_files(tmp_path, make_manifest())
    write_manifest(str(tmp_path), make_manifest(), {"excess": 0.5}, {"passed": True})
    return tmp_path


@pytest.mark.parametrize("groups", [None, make_groups()], ids=["rows", "groups"])
def test_a_manifest_is_read_as_it_was_written(tmp_path, groups):
    """With its files, parts, counts, groups and notes."""
    manifest = make_manifest(groups=groups)
    write_files(tmp_path, manifest)
    write_manifest(str(tmp_path), manifest, {}, {})
    found = read_manifest(str(tmp_path))
    assert show(found) == show(manifest)
    assert found.digest == manifest.digest


def test_an_object_store_has_manifests(tmp_path):
    """Any file system of fsspec will do."""
    assert not has_manifest("memory://manifests/out")
    store = fsspec.filesystem("memory")
    for file in make_manifest().files:
        store.pipe(f"/manifests/out/{file.path}", b"")
    write_manifest("memory://manifests/out", make_manifest(), {}, {})
    assert has_manifest("memory://manifests/out")
    assert show(read_manifest("memory://manifests/out")) == show(make_manifest())
    store.rm("/manifests", recursive=True)


def test_the_digest_depends_on_the_parts_of_all_files():
    """Two splits that differ in one file, or in the order of files, differ."""
    manifest = make_manifest()
    assert make_manifest(files=manifest.files[::-1]).digest != manifest.digest
    assert make_manifest(seed=4).digest == manifest.digest


def test_a_split_that_lost_a_file_gets_no_manifest(folder):
    """The manifest makes the files valid, so all of them must be there."""
    (folder / "_manifest.json").unlink()
    (folder / "b" / "c.parquet").unlink()
    assert find_missing_files(str(folder), make_manifest()) == ["b/c.parquet"]
    with pytest.raises(InputError, match=r"'output' must keep .* without b/c.parquet"):
        write_manifest(str(folder), make_manifest(), {}, {})
    assert not has_manifest(str(folder))


def test_numbers_of_numpy_are_written(tmp_path):
    """What was computed need not be converted; other objects are refused before writing."""
    parameters = {"budget": np.int64(3), "shares": np.array([0.5, 0.5])}
    manifest = make_manifest(
        parameters=parameters, files=[], sizes=np.array([0, 0]), counts=np.zeros((2, 3), np.int64)
    )
    write_manifest(str(tmp_path), manifest, {}, {})
    assert read_manifest(str(tmp_path)).parameters == {"budget": 3, "shares": [0.5, 0.5]}
    with pytest.raises(TypeError, match="a manifest cannot hold a object"):
        write_manifest(str(tmp_path), dataclasses.replace(manifest, kept={"a": object()}), {}, {})
    assert has_manifest(str(tmp_path))


def test_a_folder_without_a_manifest_is_refused(tmp_path):
    """It is no output, or the split was not finished."""
    with pytest.raises(InputError, match=r"'folder' must be .* which has no _manifest.json"):
        read_manifest(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is damaged: it is not JSON"),
        ("[" * 200_000, "is damaged: it is not JSON"),
        ("[]", "got other JSON"),
        ('{"format": "evenfold split"}', "got other JSON"),
        ('{"format": "evenfold scaled split", "format_version": 2}', "is of format 2, this"),
        ('{"format": "evenfold scaled split", "format_version": 1}', "is damaged: KeyError"),
    ],
)
def test_other_content_is_refused(tmp_path, content, message):
    """The message names the file."""
    (tmp_path / "_manifest.json").write_text(content)
    with pytest.raises(InputError, match=rf"_manifest.json: .*{message}"):
        read_manifest(str(tmp_path))


@pytest.mark.parametrize(
    "change",
    [
        {"scheme": "magic"},
        {"sizes": [20, 11]},
        {"sizes": [20.5, 9.5]},
        {"counts": [[8, 3, 1], [4, 0, 11]]},
        {"counts": [[8, 3], [4, 0]]},
        {"counts": [[8, 3, 1], [4, 0, -1]]},
        {"names": ["train", "train"]},
        {"wanted": [2, 0]},
        {"digest": "0"},
        {"files": [{"path": "a.parquet", "rows": 30}]},
        {"columns": {"separator": None, "kind": "lists"}},
        {"columns": {"labels": ["a"], "separator": None, "kind": "lists", "\0ey": None}},
        {"columns": {"labels": [3], "separator": None, "kind": "lists"}},
        {"columns": {"labels": ["a"], "separator": 3, "kind": "lists"}},
        {"columns": {"labels": ["a"], "separator": None, "kind": "lists", "width": "x"}},
        {"columns": {"labels": ["a"], "separator": "|", "kind": "x", "balance_is_number": 3}},
        {"parameters": {"column": ["a"]}},
        {"kept": {"inputs": 3}},
        {"groups": GROUPS | {"in_part": [22]}},
        {"groups": GROUPS | {"number": 23}},
        {"groups": GROUPS | {"most_rows": [1, 1]}},
    ],
    ids=str,
)
def test_damage_is_found(folder, change):
    """What does not fit the rest is not believed."""
    path = folder / "_manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(InputError, match=r"is damaged: .*Split the data again"):
        read_manifest(str(folder))

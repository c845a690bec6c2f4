"""Outputs are named as the input, never written into it, and never mixed with other files."""

import os

import fsspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.scale.manifest import has_manifest, write_manifest
from evenfold.scale.output_folder import (
    check_output,
    clear_output,
    digest_run,
    list_content,
    name_outputs,
    name_work_folder,
    remove_outputs,
)

from .made_manifests import make_manifest, write_files

NAMES = ["a.parquet", "b/c.parquet"]


@pytest.fixture
def data(tmp_path):
    """Return a folder with two input files."""
    for name in NAMES:
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"rows")
    return tmp_path / "data"


def list_paths(folder):
    """Return the input files."""
    return [str(folder / name) for name in NAMES]


def test_outputs_are_named_as_the_input(data):
    """Their paths are relative to the common folder."""
    assert name_outputs(list_paths(data)) == NAMES
    assert name_outputs([str(data / "b" / "c.parquet")]) == ["c.parquet"]
    assert name_outputs(["memory://x/a.parquet", "memory://x/b/c.parquet"]) == NAMES


def test_outputs_beside_others_are_in_a_new_folder(data):
    """New files that have the names of old ones do not replace them."""
    taken = ["a.parquet"]
    assert name_outputs(list_paths(data), taken) == ["data/a.parquet", "data/b/c.parquet"]
    taken.append("data/b/c.parquet")
    assert name_outputs(list_paths(data), taken) == ["data-2/a.parquet", "data-2/b/c.parquet"]
    assert name_outputs(list_paths(data), ["z.parquet"]) == NAMES


def test_files_of_two_file_systems_have_different_names():
    """Paths that are equal within their file systems are numbered."""
    paths = ["memory://x/a.parquet", "/x/a.parquet"]
    assert name_outputs(paths) == ["00000-a.parquet", "00001-a.parquet"]


def test_files_of_two_drives_stay_in_the_output_folder(monkeypatch):
    """On Windows, a path with a drive would lead out of it, to the input."""
    monkeypatch.setattr("evenfold.scale.output_folder._normalise", lambda path: path)
    paths = ["C:/x/a.parquet", "D:/x/a.parquet"]
    assert name_outputs(paths) == ["C/x/a.parquet", "D/x/a.parquet"]
    assert name_outputs(["D:/x/a.parquet", "D:/x/y/b.parquet"]) == ["a.parquet", "y/b.parquet"]


@given(
    st.lists(
        st.lists(st.sampled_from("abc"), min_size=1, max_size=3).map("/".join),
        min_size=1,
        max_size=6,
        unique=True,
    )
)
def test_names_are_unique_and_within_the_folder(inner):
    """Whatever folders the input is in."""
    paths = [f"/no/such/{path}.parquet" for path in inner]
    names = name_outputs(paths)
    assert len(set(names)) == len(paths)
    assert not any(name.startswith(("/", "..")) for name in names)
    assert all(path.endswith(f"/{name}") for path, name in zip(paths, names, strict=True))


def test_a_run_is_named_by_settings_and_files(data, tmp_path):
    """A changed setting, order of parts or file is another run."""
    paths = list_paths(data)
    first = digest_run({"parts": 5}, paths)
    assert digest_run({"parts": 5}, paths) == first
    assert digest_run({"parts": 4}, paths) != first
    assert digest_run({"parts": 5}, paths[::-1]) != first
    shares = [{"train": 0.9, "test": 0.1}, {"test": 0.1, "train": 0.9}]
    assert digest_run({"parts": shares[0]}, paths) != digest_run({"parts": shares[1]}, paths)
    os.utime(paths[0], (1, 1))
    assert digest_run({"parts": 5}, paths) != first
    folder = name_work_folder(str(tmp_path / "out"), first)
    assert folder == str(tmp_path / "out" / f".evenfold-work-{first[:12]}")


def test_a_file_of_an_object_store_is_told_from_its_next_version():
    """Its time or its ETag is part of the digest."""
    store = fsspec.filesystem("memory")
    store.pipe("/runs/a.parquet", b"one")
    first = digest_run({}, ["memory://runs/a.parquet"])
    store.pipe("/runs/a.parquet", b"two")
    assert digest_run({}, ["memory://runs/a.parquet"]) != first
    store.rm("/runs", recursive=True)


@pytest.mark.parametrize(
    ("given_as", "output"),
    [
        ("data", "data/out"),
        ("data", "data/b/out"),
        ("data", "data/../data/x"),
        ("data", "link/out"),
        ("link", "data/out"),
        (["other", "data"], "data/out"),
        ("data/**/*.parquet", "data/out"),
        ("data/*", "data/out"),
        ("link/*", "data/out"),
        ("data/*/*.parquet", "data/out"),
    ],
)
def test_the_output_is_never_read_by_a_second_run(data, tmp_path, monkeypatch, given_as, output):
    """It is neither in a folder that was named, nor matched by a pattern, also through links."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "link").symlink_to(data)
    (tmp_path / "other").mkdir()
    with pytest.raises(InputError, match=r"'output' must be outside the data, got .* next time"):
        check_output(output, given_as, list_paths(data), NAMES)


@pytest.mark.parametrize("given_as", ["data/*.parquet", ["data/a.parquet", "data/b/c.parquet"], 5])
def test_the_output_may_be_beside_the_input(data, tmp_path, monkeypatch, given_as):
    """A pattern of files in the current folder, and an output there, are usual."""
    monkeypatch.chdir(tmp_path)
    check_output("data/out", given_as, list_paths(data), NAMES)


def test_a_pattern_of_an_object_store_does_not_match_the_output():
    """Patterns are compared with keys too."""
    store = fsspec.filesystem("memory")
    store.pipe("/patterns/data/a.parquet", b"")
    arguments = ["memory://patterns/data/a.parquet"], ["a.parquet"]
    check_output("memory://patterns/data/out", "memory://patterns/data/*.parquet", *arguments)
    for given_as in ("memory://patterns/data/*", "memory://patterns/data"):
        with pytest.raises(InputError, match="must be outside the data"):
            check_output("memory://patterns/data/out", given_as, *arguments)
    store.rm("/patterns", recursive=True)


@pytest.mark.parametrize("force", [False, True])
def test_the_input_is_never_within_the_output(data, tmp_path, force):
    """Its files would be taken for those of an earlier split."""
    with pytest.raises(InputError, match=r"'output' must be a folder without the input"):
        check_output(str(tmp_path), str(data), list_paths(data), NAMES, force=force)


def test_the_same_path_on_another_file_system_is_another_folder(data):
    """Only paths of one file system are compared."""
    check_output(f"memory://{data}", str(data), list_paths(data), NAMES)


def test_an_output_that_is_a_file_is_refused(data, tmp_path):
    """A folder cannot be made there."""
    (tmp_path / "out").write_bytes(b"")
    with pytest.raises(InputError, match=r"'output' must be a folder, got .*out, which is a file"):
        check_output(str(tmp_path / "out"), str(data), list_paths(data), NAMES)


def test_other_files_in_the_output_are_refused(data, tmp_path):
    """Readers of the folder would read them with the split; an empty folder is fine."""
    out = tmp_path / "out"
    out.mkdir()
    check_output(str(out), str(data), list_paths(data), NAMES)
    (out / "notes.txt").write_bytes(b"")
    with pytest.raises(InputError, match=r"which has 1 file: notes.txt. .* force=True"):
        check_output(str(out), str(data), list_paths(data), NAMES)
    check_output(str(out), str(data), list_paths(data), NAMES, force=True)
    (out / "z.parquet").write_bytes(b"")
    with pytest.raises(InputError, match=r"without other Parquet files, .* which has z.parquet"):
        check_output(str(out), str(data), list_paths(data), NAMES, force=True)


def test_an_interrupted_run_goes_on(data, tmp_path):
    """Its own files and what it was writing are allowed, those of another run are not."""
    out = tmp_path / "out"
    work = name_work_folder(str(out), "f" * 64)
    (out / ".evenfold-work-ffffffffffff").mkdir(parents=True)
    (out / ".evenfold-work-ffffffffffff" / "read-00000.npz").write_bytes(b"")
    (out / "a.parquet").write_bytes(b"")
    (out / ".a.parquet.0123456789ab.tmp").write_bytes(b"")
    arguments = str(out), str(data), list_paths(data), NAMES
    check_output(*arguments, work=work)
    with pytest.raises(InputError, match="an unfinished split of other data or settings"):
        check_output(*arguments, work=name_work_folder(str(out), "0" * 64))
    check_output(*arguments, force=True)


def test_force_replaces_an_earlier_split(data, tmp_path):
    """Files that the new split does not have are removed, and nothing that is not of a split."""
    out = tmp_path / "out"
    earlier = make_manifest()
    write_files(out, earlier)
    write_manifest(str(out), earlier, {}, {})
    (out / "notes.txt").write_bytes(b"")
    (out / ".evenfold-work-0123").mkdir()
    (out / ".evenfold-work-0123" / "read.npz").write_bytes(b"")
    arguments = str(out), str(data), list_paths(data), ["a.parquet"]
    with pytest.raises(InputError, match="must be a folder without other files"):
        check_output(*arguments)
    check_output(*arguments, force=True)
    assert has_manifest(str(out))
    clear_output(str(out), ["a.parquet"])
    assert not has_manifest(str(out))
    assert list_content(str(out)) == ["a.parquet", "notes.txt"]
    assert not (out / "b").exists()
    assert not (out / ".evenfold-work-0123").exists()


def test_the_files_of_a_damaged_manifest_are_not_removed(data, tmp_path):
    """What it says cannot be believed, so its other files are not replaced either."""
    out = tmp_path / "out"
    write_files(out, make_manifest())
    (out / "_manifest.json").write_text("{")
    with pytest.raises(InputError, match="without other Parquet files"):
        check_output(str(out), str(data), list_paths(data), ["a.parquet"], force=True)


def test_files_of_a_split_that_failed_are_removed(tmp_path):
    """With their folders, if nothing else is there."""
    write_files(tmp_path / "out", make_manifest())
    (tmp_path / "out" / "b" / "more").write_bytes(b"")
    remove_outputs(str(tmp_path / "out"), NAMES)
    assert list_content(str(tmp_path / "out")) == ["b/more"]
    (tmp_path / "out" / "b" / "more").unlink()
    remove_outputs(str(tmp_path / "out"), NAMES)
    assert not (tmp_path / "out").exists()
    assert tmp_path.exists()


def test_an_object_store_is_checked_and_cleared(data):
    """Any file system of fsspec will do."""
    store = fsspec.filesystem("memory")
    out, work = "memory://outputs/out", name_work_folder("memory://outputs/out", "f" * 64)
    arguments = out, str(data), list_paths(data), NAMES
    check_output(*arguments, work=work)
    store.pipe("/outputs/out/a.parquet", b"")
    with pytest.raises(InputError, match="must be a folder without other files"):
        check_output(*arguments, work=work)
    store.pipe(f"/outputs/out/.evenfold-work-{'f' * 12}/read.npz", b"")
    check_output(*arguments, work=work)
    assert list_content(out, work) == ["a.parquet"]
    remove_outputs(out, NAMES)
    assert list_content(out, work) == []
    store.rm("/outputs", recursive=True)

from pathlib import Path, PureWindowsPath

import fsspec
import pytest

from evenfold.exceptions import InputError, InputTypeError
from evenfold.scale.locations import (
    join_path,
    list_files,
    open_file_system,
    restore_whole,
    to_absolute,
    write_whole,
)


@pytest.fixture
def folder(tmp_path):
    """A folder with Parquet files at two depths, and with files that are not data."""
    names = ["b.parquet", "a.parquet", "day=2/c.parquet", "_temporary/d.parquet"]
    for name in [*names, ".hidden.parquet", "_SUCCESS", "notes.txt", "day=2/_e.parquet"]:
        path = tmp_path / "data" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"x")
    return tmp_path / "data"


@pytest.fixture
def memory():
    """An empty file system in memory."""
    files = fsspec.filesystem("memory")
    files.store.clear()
    files.pseudo_dirs[:] = [""]
    yield files
    files.store.clear()
    files.pseudo_dirs[:] = [""]


def test_folder_gives_its_parquet_files_sorted(folder):
    """A folder stands for all its Parquet files but the hidden ones."""
    expected = [str(folder / name) for name in ("a.parquet", "b.parquet", "day=2/c.parquet")]
    assert list_files(folder) == list_files(str(folder)) == list_files(f"file://{folder}")
    assert list_files(folder) == expected


def test_pattern_gives_files_and_the_files_of_folders(folder):
    """A pattern stands for the files it matches and for those in the folders it matches."""
    assert list_files(f"{folder}/*.parquet") == [
        str(folder / "a.parquet"),
        str(folder / "b.parquet"),
    ]
    assert list_files(f"{folder}/day=*") == [str(folder / "day=2/c.parquet")]
    assert list_files(f"{folder}/**/*.parquet") == list_files(folder)


def test_list_keeps_its_order(folder):
    """Files of a list are in the order of the list."""
    names = [folder / "b.parquet", str(folder / "a.parquet"), folder / "day=2"]
    assert [Path(path).name for path in list_files(names)] == [
        "b.parquet",
        "a.parquet",
        "c.parquet",
    ]


def test_relative_path_becomes_absolute(folder, monkeypatch):
    """A relative path is made absolute, since workers may run in another folder."""
    monkeypatch.chdir(folder)
    assert list_files("a.parquet") == [str(folder / "a.parquet")]


def test_existing_name_with_signs_of_patterns_is_a_file(tmp_path):
    """A file whose name holds [ is found by its name."""
    path = tmp_path / "a[1].parquet"
    path.write_bytes(b"x")
    assert list_files(path) == [str(path)]


def test_url_of_another_file_system(memory):
    """Folders, patterns and files of fsspec URLs are found, and the URLs can be opened."""
    for name in ("b.parquet", "a.parquet", "_old/c.parquet"):
        memory.pipe_file(f"/data/{name}", name.encode())
    found = list_files("memory://data")
    assert found == list_files("memory://data/*.parquet")
    files, path = open_file_system(found[0])
    assert files.cat_file(path) == b"a.parquet"
    assert len(list_files(["memory://data/b.parquet", "memory://data/a.parquet"])) == 2


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ("{}/none.parquet", "'data' must name files that are there, got .*none.parquet, which is"),
        ("{}/none*.parquet", "none.*, which matches none"),
        ("{}/_temporary/none", "which is not"),
        ("", "got ''"),
        ([], "at least one file, got none"),
        (["{}/a.parquet", "{}"], "name each file once, got .*a.parquet more than once"),
        ("nosuch://a/b", "nosuch://a/b: cannot be reached"),
    ],
)
def test_files_that_are_not_there_are_named(folder, given, message):
    """What is not there, or there twice, is an error with its name."""
    text = (
        [each.format(folder) for each in given] if isinstance(given, list) else given.format(folder)
    )
    with pytest.raises(InputError, match=message):
        list_files(text)


def test_folder_without_parquet_files_is_refused(tmp_path):
    """A folder without Parquet files is an error."""
    (tmp_path / "a.csv").touch()
    with pytest.raises(InputError, match=r"has no \*\.parquet file"):
        list_files(tmp_path)


def test_delta_table_is_refused(folder):
    """The folder of a Delta table also has deleted rows, so it is not read."""
    (folder / "_delta_log").mkdir()
    with pytest.raises(InputError, match="is a Delta table"):
        list_files(folder)


@pytest.mark.parametrize("data", [3, b"a.parquet", [3]])
def test_other_types_are_refused(data):
    """Only paths are taken."""
    with pytest.raises(InputTypeError, match=r"'data' must (be|hold)"):
        list_files(data)


def test_join_path_keeps_urls():
    """Names are joined by / in URLs and on this machine."""
    assert join_path("memory://a/b", "c", "d.npz") == "memory://a/b/c/d.npz"
    assert join_path("a", "b.npz") == "a/b.npz"


def test_joined_paths_have_slashes_on_windows(monkeypatch):
    """The last name of a path is what comes after its last slash."""
    monkeypatch.setattr("evenfold.scale.locations.Path", PureWindowsPath)
    assert join_path(r"C:\data\out", ".work") == "C:/data/out/.work"


def test_written_file_replaces_the_old_one(tmp_path):
    """A file is written with its folder, and replaces one that is there."""
    path = str(tmp_path / "new" / "a.bin")
    for content in (b"one", b"two"):
        write_whole(path, lambda file, content=content: file.write(content))
        assert Path(path).read_bytes() == content
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["a.bin"]


def _fail(file):
    file.write(b"half")
    raise RuntimeError("stopped")


def test_failed_writing_leaves_no_file(tmp_path, memory):
    """If writing fails, the old content stays and no temporary file is left."""
    path = str(tmp_path / "a.bin")
    write_whole(path, lambda file: file.write(b"old"))
    memory.pipe_file("/out/a.bin", b"old")
    for target in (path, "memory://out/a.bin"):
        with pytest.raises(RuntimeError, match="stopped"):
            write_whole(target, _fail)
    assert [file.name for file in tmp_path.iterdir()] == ["a.bin"]
    assert Path(path).read_bytes() == memory.cat_file("/out/a.bin") == b"old"


def test_object_store_gets_the_final_key(memory):
    """On file systems without renaming, only the final key is written."""
    write_whole("memory://out/b/a.bin", lambda file: file.write(b"new"))
    assert memory.find("/out") == ["/out/b/a.bin"]
    assert memory.cat_file("/out/b/a.bin") == b"new"


def test_file_system_with_rename_gets_a_temporary_name(memory, monkeypatch):
    """On remote file systems with renaming, an existing file is replaced and nothing is left."""
    monkeypatch.setattr(type(memory), "protocol", ("memory", "hdfs"))
    for content in (b"one", b"two"):
        write_whole("memory://out/a.bin", lambda file, content=content: file.write(content))
        assert memory.cat_file("/out/a.bin") == content
    assert memory.find("/out") == ["/out/a.bin"]


def test_old_file_is_restored_where_its_replacement_was_interrupted(memory, monkeypatch):
    """A file system that cannot rename onto a file keeps the old one until the new one is there."""
    monkeypatch.setattr(type(memory), "protocol", ("memory", "hdfs"))
    write_whole("memory://out/a.bin", lambda file: file.write(b"old"))
    move = type(memory).mv

    def move_or_stop(self, source, target, **settings):
        if source.endswith(".tmp"):
            raise KeyboardInterrupt
        move(self, source, target, **settings)

    with monkeypatch.context() as context:
        context.setattr(type(memory), "mv", move_or_stop)
        with pytest.raises(KeyboardInterrupt):
            write_whole("memory://out/a.bin", lambda file: file.write(b"new"))
    assert memory.find("/out") == ["/out/a.bin"]
    memory.mv("/out/a.bin", "/out/.a.bin.old")  # as after a kill
    restore_whole("memory://out/a.bin")
    restore_whole("memory://out/b.bin")
    assert memory.cat_file("/out/a.bin") == b"old"
    assert memory.find("/out") == ["/out/a.bin"]


def test_object_store_gets_a_finished_file(memory, monkeypatch):
    """No object is opened to write, because closing it after an error would keep half of it."""
    put = []

    def put_file(_, source, key):
        put.append((Path(source).read_bytes(), key))

    monkeypatch.setattr(type(memory), "put_file", put_file)
    monkeypatch.setattr(type(memory), "open", None)
    write_whole("memory://out/a.bin", lambda file: file.write(b"new"))
    assert put == [(b"new", "/out/a.bin")]


def test_local_paths_become_absolute(tmp_path, monkeypatch):
    """Workers may run in other folders; URLs mean the same everywhere."""
    monkeypatch.chdir(tmp_path)
    assert to_absolute("out") == to_absolute(f"file://{tmp_path}/out") == str(tmp_path / "out")
    assert to_absolute("memory://out") == "memory://out"

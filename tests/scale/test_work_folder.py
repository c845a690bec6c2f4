"""Records in the work folder."""

import pickle
from typing import ClassVar

import fsspec
import numpy as np
import pytest
from fsspec.implementations.memory import MemoryFile, MemoryFileSystem
from hypothesis import given
from hypothesis import strategies as st

from evenfold.scale.work_folder import WorkFolder, encode_record

RECORD = {
    "counts": np.array([3, 1, 2]),
    "empty": np.empty((0, 2), np.uint16),
    "n_rows": 7,
    "share": 0.25,
    "kind": "lists",
    "names": ["a", 3, "é"],
    "nothing": None,
}


@pytest.fixture(params=["folder", "memory"])
def work(request, tmp_path):
    """Return a work folder on the disk, and one in memory."""
    folder = WorkFolder(
        str(tmp_path / "work") if request.param == "folder" else f"memory://{tmp_path.name}/work"
    )
    yield folder
    folder.remove()


def check_equal(found, expected):
    """Check that two records are the same, with the types of arrays."""
    assert found.keys() == expected.keys()
    for name, value in expected.items():
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(found[name], value)
            assert found[name].dtype == value.dtype
        else:
            assert found[name] == value


def test_records_come_back_as_they_were(work):
    """Arrays, numbers, texts, lists and None; a saved record replaces another."""
    work.save("pass", {"other": 1})
    work.save("pass", RECORD)
    check_equal(work.load("pass"), RECORD)


def test_only_the_fields_asked_for_are_read(work):
    """A field that the record lacks is left out."""
    work.save("pass", RECORD)
    check_equal(
        work.load("pass", ["counts", "kind", "absent"]),
        {"counts": RECORD["counts"], "kind": "lists"},
    )


@given(st.dictionaries(st.text("abc_", min_size=1), st.lists(st.integers(-(2**62), 2**62))))
def test_equal_records_have_equal_bytes(record):
    """Arrays and lists alike, also if the numbers are NumPy's."""
    arrays = {name: np.array(values, np.int64) for name, values in record.items()}
    assert encode_record(arrays) == encode_record(dict(arrays))
    numbers = {name: list(values) for name, values in arrays.items()}
    assert encode_record(numbers) == encode_record(record)


def test_done_records_are_listed_by_their_stem(work):
    """Numbers may have more than five digits, and other stems do not count."""
    assert work.list_done("read") == set()
    for name in ["read", "read-00003", "read-123456", "read-old-00001", "reread-00002"]:
        work.save(name, {})
    assert work.list_done("read") == {3, 123456}
    work.remove_record("read-00003")
    assert work.list_done("read") == {123456}
    assert not work.has("read-00003")
    assert work.has("read")


def test_objects_are_refused(work):
    """A record is never pickled, and nothing is left of one that could not be written."""
    for value in [np.array([None, 1]), [object()]]:
        with pytest.raises((TypeError, ValueError)):
            work.save("pass", {"value": value})
    assert not work.has("pass")


def test_removed_folder_is_gone_and_may_be_removed_again(work):
    """A split that failed early may have written nothing."""
    work.save("pass", RECORD)
    work.remove()
    assert not work.has("pass")
    work.remove()


def test_work_folder_can_be_pickled(work):
    """Workers get it with their tasks."""
    assert pickle.loads(pickle.dumps(work)) == work


class ListingStore(MemoryFileSystem):
    """A store that keeps listings, and takes a file for absent that is not in one, as s3fs does."""

    protocol = "listing"
    store: ClassVar = {}
    pseudo_dirs: ClassVar = [""]

    @classmethod
    def _strip_protocol(cls, path):
        return "/" + path.removeprefix("listing://").strip("/")

    def invalidate_cache(self, path=None):
        """Forget the listing of a folder, or all."""
        if path is None:
            self.dircache.clear()
        else:
            self.dircache.pop(path, None)

    def ls(self, path, detail=True, **settings):
        """List a folder, once."""
        path = self._strip_protocol(path)
        if path not in self.dircache:
            self.dircache[path] = super().ls(path, detail=True)
        found = self.dircache[path]
        return found if detail else [each["name"] for each in found]

    def info(self, path, **settings):
        """Look into the listing of the folder if there is one."""
        path = self._strip_protocol(path)
        listed = self._ls_from_cache(path)
        if listed is None:
            return super().info(path)
        for each in listed:
            if each["name"] == path:
                return each
        raise FileNotFoundError(path)

    def exists(self, path, **settings):
        """Tell whether there is such a file or folder."""
        try:
            self.info(path)
        except FileNotFoundError:
            return False
        return True

    def _open(self, path, mode="rb", **settings):
        if mode == "rb":
            self.info(path)
        return super()._open(path, mode, **settings)

    def cat_file(self, path, start=None, end=None, **settings):
        """Return the content of a file."""
        self.info(path)
        return super().cat_file(path, start, end, **settings)


def test_records_of_other_processes_are_found_despite_kept_listings(monkeypatch):
    """A listing from before a worker wrote a record does not hide it."""
    fsspec.register_implementation("listing", ListingStore, clobber=True)
    monkeypatch.setattr(ListingStore, "store", {})
    work = WorkFolder("listing://bucket/work")
    work.save("units-00000", {"n_rows": 3})
    assert work.list_done("units") == {0}
    # What another process writes does not change the listings of this one.
    content = encode_record({"n_rows": 4})
    ListingStore.store["/bucket/work/units-00001.npz"] = MemoryFile(
        None, "/bucket/work/units-00001.npz", content
    )
    assert work.load("units-00001") == {"n_rows": 4}
    work.list_done("units")
    del ListingStore.store["/bucket/work/units-00000.npz"]
    assert not work.has("units-00000")
    assert work.has_bytes("units-00001", content)
    assert work.list_done("units") == {1}

"""Records in the work folder."""

import pickle

import numpy as np
import pytest
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

"""Folders as datasets.DatasetDict.save_to_disk writes them."""

import json
import re

import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.formats.hf_datasets import HuggingFaceFolder
from evenfold.files.registry import open_data

from .arrow_writing import save_dict_to_disk, save_to_disk

CLASS = {"names": ["cat", "dog"], "_type": "ClassLabel"}
TEXT = {"dtype": "string", "_type": "Value"}
FEATURES = {"text": TEXT, "all": {"feature": CLASS, "_type": "List"}, "part": TEXT}
TABLE = pa.table(
    {
        "text": list("abcdef"),
        "all": [[0], [1], [0, 1], [], [1], [0]],
        "part": ["x", None, "y", None, "x", "y"],
    }
)
# In the files of the splits, in order.
CUT = {"train": [TABLE.slice(0, 3), TABLE.slice(3, 1)], "test": [TABLE.slice(4)]}


@pytest.fixture
def saved(tmp_path):
    """Return two splits of six rows in all, train in two data files."""
    return save_dict_to_disk(tmp_path / "saved", CUT, FEATURES)


def read_json(path):
    """Return the content of a JSON file."""
    return json.loads(path.read_text())


def read_rows(folder, columns):
    """Return columns of all rows, classes by name."""
    return pa.Table.from_batches(HuggingFaceFolder(folder).read_batches(columns)).to_pydict()


def read_content(folder):
    """Return the bytes of every file in a folder."""
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_rows_of_the_splits_follow_each_other(saved):
    """In the order of dataset_dict.json."""
    file = open_data(str(saved))
    assert (file.format, file.columns) == ("huggingface", TABLE.column_names)
    assert read_rows(saved, ["text", "all"]) == {
        "text": list("abcdef"),
        "all": [["cat"], ["dog"], ["cat", "dog"], [], ["dog"], ["cat"]],
    }


def test_a_part_has_rows_of_all_splits(saved, tmp_path):
    """It is of no split, and its fingerprint depends on those of all splits."""
    file, before = HuggingFaceFolder(saved), read_content(saved)
    part_of_row = np.array([0, 1, 1, 0, 0, -1], np.int32)
    file.write_parts([tmp_path / "a", tmp_path / "b"], part_of_row)
    assert read_rows(tmp_path / "a", ["text"]) == {"text": ["a", "d", "e"]}
    assert read_rows(tmp_path / "b", ["all"]) == {"all": [["dog"], ["cat", "dog"]]}
    states = {name: read_json(tmp_path / name / "state.json") for name in "ab"}
    assert {state["_split"] for state in states.values()} == {None}
    assert file.plan_folder(["a", "b"], "", None) == {
        "a": True,
        "b": True,
        "dataset_dict.json": False,
    }
    assert read_content(saved) == before
    state = read_json(saved / "test" / "state.json")
    (saved / "test" / "state.json").write_text(json.dumps(state | {"_fingerprint": "other"}))
    HuggingFaceFolder(saved).write_parts([tmp_path / "c"], part_of_row)
    other = read_json(tmp_path / "c" / "state.json")["_fingerprint"]
    assert len({other, *(state["_fingerprint"] for state in states.values())}) == 3


def test_the_only_split_keeps_its_name(tmp_path):
    """As a dataset that is cut by itself."""
    saved = save_dict_to_disk(tmp_path / "saved", {"test": [TABLE]}, FEATURES)
    HuggingFaceFolder(saved).write_parts([tmp_path / "a"], np.zeros(6, np.int32))
    assert read_json(tmp_path / "a" / "state.json")["_split"] == "test"


def test_what_is_written_whole_keeps_the_splits(saved, tmp_path):
    """With a new column, with a filled one, and as a sample."""
    file, codes = HuggingFaceFolder(saved), np.array([0, 1, 1, 0, 1, 0], np.int32)
    file.write_with_column(tmp_path / "more", "fold", ["one", "two"], codes)
    file.fill_column(tmp_path / "full", "part", ["x", "y"], np.array([-1, 0, -1, 1, -1, -1]))
    file.write_sample(tmp_path / "few", np.array([0, 1, 1, 0, 0, 0], bool))
    for name in ("more", "full", "few"):
        splits = read_json(tmp_path / name / "dataset_dict.json")
        assert splits == {"splits": ["train", "test"]}
        for split in ("train", "test"):
            assert read_json(tmp_path / name / split / "state.json")["_split"] == split
    assert read_rows(tmp_path / "more" / "train", ["text", "fold"]) == {
        "text": list("abcd"),
        "fold": ["one", "two", "two", "one"],
    }
    assert read_rows(tmp_path / "more" / "test", ["fold"]) == {"fold": ["two", "one"]}
    assert read_rows(tmp_path / "full", ["part"]) == {"part": ["x", "x", "y", "y", "x", "y"]}
    assert read_rows(tmp_path / "few" / "train", ["text"]) == {"text": ["b", "c"]}
    assert read_rows(tmp_path / "few", ["text"]) == {"text": ["b", "c"]}
    assert list(HuggingFaceFolder(tmp_path / "few" / "test").read_all_columns()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "dataset_dict.json: is not JSON: Expecting property name enclosed in double quotes"),
        ('{"splits": []}', "dataset_dict.json: names no splits under 'splits'. Save the dataset"),
        ("{}", "dataset_dict.json: names no splits under 'splits'. Save the dataset again"),
        ('{"splits": "train"}', "dataset_dict.json: names no splits under 'splits'."),
        (
            '{"splits": ["train", "../test"]}',
            "dataset_dict.json: the split '../test' is not the name of a folder. Save the dataset",
        ),
        ('{"splits": ["..", "test"]}', "the split '..' is not the name of a folder."),
        ('{"splits": [1]}', "dataset_dict.json: the split 1 is not the name of a folder."),
        (
            '{"splits": ["train", "val"]}',
            "saved/val: is not a dataset saved with save_to_disk, for it has no state.json. "
            "Pass the folder that has one.",
        ),
        (
            None,
            "saved: has no dataset_dict.json, which says which of test, train are its splits. "
            "Pass one of them, or save the DatasetDict again.",
        ),
    ],
)
def test_damaged_lists_of_splits_are_refused(saved, content, message):
    """The message has the file, and what is wrong."""
    if content is None:
        (saved / "dataset_dict.json").unlink()
    else:
        (saved / "dataset_dict.json").write_text(content)
    with pytest.raises(InputError, match=re.escape(message)):
        open_data(str(saved))


def test_splits_that_do_not_fit_together_are_refused(tmp_path):
    """Of other columns, of other types, of other classes: the message has both splits."""
    saved = save_dict_to_disk(tmp_path / "columns", {"a": [TABLE], "b": [TABLE.drop(["part"])]})
    (saved / "b" / "dataset_info.json").write_text("{}")
    with pytest.raises(
        InputError, match=r"columns/b: differs from .*columns/a: it has not the same .* \('part'\)"
    ):
        open_data(str(saved))
    other = TABLE.set_column(0, "text", pa.array(range(6)))
    saved = save_dict_to_disk(tmp_path / "types", {"a": [TABLE], "b": [other]})
    with pytest.raises(InputError, match=r"types/b: differs .* 'text' is int64, not string"):
        open_data(str(saved))
    saved = save_dict_to_disk(tmp_path / "classes", {"a": [TABLE], "b": [TABLE]}, FEATURES)
    (saved / "b" / "dataset_info.json").write_text(
        json.dumps({"features": FEATURES | {"all": [CLASS | {"names": ["dog", "cat"]}]}})
    )
    with pytest.raises(
        InputError,
        match=r"classes/b: the classes of column 'all' are not those of .*classes/a\. Pass one of "
        r"them, or save both with the same features\.",
    ):
        open_data(str(saved))


def test_a_dataset_without_its_state_is_still_known_as_one(tmp_path):
    """The message does not speak of parquet files."""
    saved = save_to_disk(tmp_path / "saved", [TABLE], FEATURES)
    (saved / "state.json").unlink()
    with pytest.raises(InputError, match=r"saved: is not a dataset saved .* has no state\.json\."):
        open_data(str(saved))


def test_a_dict_is_read_where_a_dataset_beside_it_is_not_whole(saved):
    """As `datasets` does."""
    (saved / "dataset_info.json").write_text("{}")
    assert read_rows(saved, ["text"]) == {"text": list("abcdef")}
    (saved / "state.json").write_text("{}")
    with pytest.raises(InputError, match=r"saved/state\.json: names no data files"):
        open_data(str(saved))

"""Folders as datasets.Dataset.save_to_disk writes them."""

import json
import re

import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.formats.hf_datasets import HuggingFaceFolder
from evenfold.files.label_columns import choose_label_columns, read_labels

from .arrow_writing import save_to_disk

CLASS = {"names": ["cat", "dog", "emu"], "_type": "ClassLabel"}
TEXT = {"dtype": "string", "_type": "Value"}
TABLE = pa.table(
    {
        "text": ["a", "b", "c", "d"],
        "own": pa.array([2, 0, -1, None], pa.int64()),
        "all": pa.array([[0, 2], [], None, [1]], pa.list_(pa.int64())),
        "pair": pa.array([[0, 2], [0, 0], None, [1, 2]], pa.list_(pa.int64(), 2)),
        "old": pa.array([[0], [1], [2], []], pa.large_list(pa.int32())),
    }
)
FEATURES = {
    "text": TEXT,
    "own": CLASS,
    "all": {"feature": CLASS, "_type": "Sequence"},
    "pair": {"feature": CLASS, "length": 2, "_type": "List"},
    "old": [CLASS],
}


@pytest.fixture
def saved(tmp_path):
    """Return a dataset with classes, in two data files."""
    return save_to_disk(tmp_path / "saved", [TABLE.slice(0, 3), TABLE.slice(3)], FEATURES)


def read_json(path):
    """Return the content of a JSON file."""
    return json.loads(path.read_text())


def test_classes_are_read_by_name_and_written_by_number(saved, tmp_path):
    """One per row or a list of them, however datasets describes lists; -1 is no class."""
    file = HuggingFaceFolder(saved)
    assert file.columns == TABLE.column_names
    assert pa.Table.from_batches(file.read_batches(["own", "all", "pair", "old"])).to_pydict() == {
        "own": ["emu", "cat", None, None],
        "all": [["cat", "emu"], [], None, ["dog"]],
        "pair": [["cat", "emu"], ["cat", "cat"], None, ["dog", "emu"]],
        "old": [["cat"], ["dog"], ["emu"], []],
    }
    file.write_parts([tmp_path / "part"], np.zeros(4, np.int32))
    with pa.OSFile(str(tmp_path / "part" / "data-00000-of-00001.arrow")) as source:
        assert pa.ipc.open_stream(source).read_all().equals(TABLE)


@pytest.mark.parametrize(
    "feature",
    [None, TEXT, {"names": None, "num_classes": 3, "_type": "ClassLabel"}, {"all": CLASS}, [TEXT]],
)
def test_numbers_without_names_stay_numbers(tmp_path, feature):
    """The features do not say that they are classes."""
    path = save_to_disk(tmp_path / "saved", [TABLE], FEATURES | {"all": feature})
    assert HuggingFaceFolder(path).read_batches(["all"]).__next__().column(0).to_pylist() == [
        [0, 2],
        [],
        None,
        [1],
    ]


def test_text_that_features_call_classes_stays_text(tmp_path):
    """The type of the data file counts, not the features."""
    path = save_to_disk(tmp_path / "saved", [TABLE], FEATURES | {"text": CLASS})
    assert HuggingFaceFolder(path).read_batches(["text"]).__next__().column(0).to_pylist() == [
        "a",
        "b",
        "c",
        "d",
    ]


def test_a_class_without_a_name_is_refused(tmp_path):
    """The features name three classes, and the column holds a fourth."""
    path = save_to_disk(
        tmp_path / "saved",
        [TABLE.append_column("more", pa.array([[0], [1], [3], []]))],
        FEATURES | {"more": [CLASS]},
    )
    with pytest.raises(
        InputError,
        match=r"saved: column 'more' holds class 3, and its features name 3\. "
        r"Correct dataset_info\.json\.",
    ):
        list(HuggingFaceFolder(path).read_batches(["more"]))


def test_a_part_is_a_dataset_of_its_own(saved, tmp_path):
    """It has one data file, its own sizes, and a fingerprint that depends on its rows."""
    file = HuggingFaceFolder(saved)
    file.write_parts([tmp_path / "a", tmp_path / "b"], np.array([0, 1, 0, 0], np.int32))
    file.write_parts([tmp_path / "again"], np.array([0, 1, 0, 0], np.int32))
    states = {name: read_json(tmp_path / name / "state.json") for name in ("a", "b", "again")}
    for name, n_rows in (("a", 3), ("b", 1)):
        state, info = states[name], read_json(tmp_path / name / "dataset_info.json")
        before = read_json(saved / "dataset_info.json")
        assert state | {"_fingerprint": "f00"} == read_json(saved / "state.json") | {
            "_data_files": [{"filename": "data-00000-of-00001.arrow"}]
        }
        size = (tmp_path / name / "data-00000-of-00001.arrow").stat().st_size
        train = {"name": "train", "num_bytes": size, "num_examples": n_rows}
        sizes = {
            "splits": {"train": train, "test": {"name": "test", "num_bytes": 7}},
            "dataset_size": size + 7,
            "size_in_bytes": size + 107,
        }
        assert info == before | sizes
        assert HuggingFaceFolder(tmp_path / name).schema.metadata == file.schema.metadata
    assert states["a"] == states["again"]
    assert len({"f00", states["a"]["_fingerprint"], states["b"]["_fingerprint"]}) == 3


@pytest.mark.parametrize("sizes", ["x", [1], {"train": 7}, {"train": {"num_bytes": "x"}}])
def test_wrong_sizes_do_not_prevent_writing(saved, tmp_path, sizes):
    """They are for readers: the file is read without them, and they are corrected or left out."""
    info = read_json(saved / "dataset_info.json") | {"download_size": sizes, "dataset_size": sizes}
    info["splits"] = sizes if isinstance(sizes, dict) else None
    (saved / "dataset_info.json").write_text(json.dumps(info))
    HuggingFaceFolder(saved).write_parts([tmp_path / "part"], np.zeros(4, np.int32))
    found = read_json(tmp_path / "part" / "dataset_info.json")
    size = (tmp_path / "part" / "data-00000-of-00001.arrow").stat().st_size
    assert found["dataset_size"] == found["size_in_bytes"] == size


def test_sizes_that_the_info_lacks_are_not_added(tmp_path):
    """What an old state says about indices is left out."""
    path = save_to_disk(tmp_path / "saved", [TABLE], FEATURES, _indices_data_files=None)
    (path / "dataset_info.json").write_text(
        '{"features": null, "splits": null, "dataset_size": null}'
    )
    HuggingFaceFolder(path).write_with_column(
        tmp_path / "more", "part", ["a"], np.zeros(4, np.int32)
    )
    assert read_json(tmp_path / "more" / "dataset_info.json") == {
        "features": None,
        "splits": None,
        "dataset_size": None,
    }
    assert "_indices_data_files" not in read_json(tmp_path / "more" / "state.json")


def test_an_added_column_is_a_feature(saved, tmp_path):
    """In dataset_info.json and in the schema, as datasets compares them."""
    HuggingFaceFolder(saved).write_with_column(
        tmp_path / "more", "part", ["a", "b"], np.array([0, 1, 1, 0], np.int32)
    )
    again = HuggingFaceFolder(tmp_path / "more")
    expected = FEATURES | {"part": TEXT}
    assert read_json(tmp_path / "more" / "dataset_info.json")["features"] == expected
    assert list(read_json(tmp_path / "more" / "dataset_info.json")["features"]) == list(expected)
    assert json.loads(again.schema.metadata[b"huggingface"]) == {
        "info": {"features": expected},
        "fingerprint": "f00",
    }
    assert pa.Table.from_batches(again.read_batches(["part"])).column(0).to_pylist() == [
        "a",
        "b",
        "b",
        "a",
    ]


def test_features_mark_the_columns_of_classes(saved, tmp_path):
    """One column of lists of classes is the labels; of several, the user says which."""
    file = HuggingFaceFolder(saved)
    assert (file.label_columns, file.class_columns) == ([], ["own"])
    assert choose_label_columns(file, ["own"]) == (["own"], "", "")
    table = TABLE.select(["text", "all"]).append_column("words", pa.array([["a"]] * 4))
    one = save_to_disk(
        tmp_path / "one", [table], {"text": TEXT, "all": FEATURES["all"], "words": [TEXT]}
    )
    assert HuggingFaceFolder(one).label_columns == ["all"]
    assert choose_label_columns(HuggingFaceFolder(one), None) == (["all"], None, "")


def test_names_of_classes_are_never_cut(tmp_path):
    """A separator in them is a part of the name, also if labels seem to change places."""
    names = ["a|b", "b|a", "c"]
    table = pa.table({"kind": pa.array([0, 1, 2, 0]), "other": pa.array([0, 1, 2, 0])})
    features = {
        "kind": {"names": names, "_type": "ClassLabel"},
        "other": {"names": names, "_type": "ClassLabel"},
    }
    file = HuggingFaceFolder(save_to_disk(tmp_path / "saved", [table], features))
    assert read_labels(file, choose_label_columns(file, ["kind"])).names == names
    both = choose_label_columns(file, ["kind", "other"])
    assert both.guessed == ""
    assert read_labels(file, both).names[:3] == ["kind=a|b", "kind=b|a", "kind=c"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "state.json",
            None,
            "saved: is not a dataset saved with save_to_disk, for it has no state.json. "
            "Pass the folder that has one.",
        ),
        (
            "dataset_info.json",
            None,
            "saved: is not a dataset saved with save_to_disk, for it has no dataset_info.json.",
        ),
        (
            "state.json",
            "{",
            "state.json: is not JSON: Expecting property name enclosed in double quotes: line 1",
        ),
        (
            "dataset_info.json",
            "[1]",
            "dataset_info.json: must hold a JSON object, got list. Save the dataset again",
        ),
        (
            "state.json",
            "{}",
            "state.json: names no data files under '_data_files'. Save the dataset again",
        ),
        (
            "state.json",
            '{"_data_files": [{"name": "x"}]}',
            "state.json: names no data files under '_data_files'.",
        ),
        (
            "dataset_info.json",
            '{"features": {"text": null, "tags": null}}',
            "dataset_info.json: its features do not match the columns of "
            "data-00000-of-00002.arrow: 'tags', 'own', 'all', 'pair', 'old' in one of them only. "
            "Save the dataset again",
        ),
        (
            "dataset_info.json",
            '{"features": ["text"]}',
            "dataset_info.json: 'features' must be a JSON object, got list. Save the dataset again",
        ),
        (
            "state.json",
            '{"_data_files": []}',
            "state.json: names no data files under '_data_files'.",
        ),
        (
            "state.json",
            '{"_data_files": [{"filename": "dataset.arrow"}],'
            ' "_indices_data_files": [{"filename": "indices.arrow"}]}',
            "state.json: picks its rows through a table of indices, as very old 'datasets' did. "
            "Load it and save it again.",
        ),
    ],
)
def test_an_incomplete_folder_is_refused(saved, name, content, message):
    """The message has the file that is wrong, and what is wrong."""
    if content is None:
        (saved / name).unlink()
    else:
        (saved / name).write_text(content)
    with pytest.raises(InputError, match=re.escape(message)):
        HuggingFaceFolder(saved)


def test_data_files_of_two_schemas_are_refused(tmp_path):
    """The message has the columns that differ."""
    path = save_to_disk(
        tmp_path / "saved", [TABLE, TABLE.rename_columns(["text", "own", "all", "pair", "new"])]
    )
    with pytest.raises(InputError, match=re.escape("it has not the same columns ('old', 'new').")):
        HuggingFaceFolder(path)


def test_a_column_of_classes_is_filled_with_their_numbers(tmp_path):
    """Names of classes that are digits are not taken for numbers."""
    table = pa.table({"part": pa.array([0, 1, 2, -1, None], pa.int64())})
    file = HuggingFaceFolder(
        save_to_disk(
            tmp_path / "saved", [table], {"part": {"names": ["1", "2", "3"], "_type": "ClassLabel"}}
        )
    )
    file.fill_column(tmp_path / "more", "part", ["3", "1"], np.array([-1, -1, -1, 0, 1], np.int32))
    with pa.OSFile(str(tmp_path / "more" / "data-00000-of-00001.arrow")) as source:
        assert pa.ipc.open_stream(source).read_all().column("part").to_pylist() == [0, 1, 2, 2, 0]
    with pytest.raises(
        InputError,
        match=r"'part' holds classes, and none is named 0, 4\. "
        r"Add it to the features in dataset_info\.json",
    ):
        file.fill_column(tmp_path / "other", "part", ["1", "0", "4"], np.zeros(5, np.int32))

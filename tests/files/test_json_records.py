"""JSON arrays of records: read as JSON Lines are, and told apart from COCO."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.files.codecs.json_lists import cut_list
from evenfold.files.content import tell_apart
from evenfold.files.formats import json_records as json_records_module
from evenfold.files.formats.json_lines import JsonLines
from evenfold.files.formats.json_records import JsonRecords
from evenfold.files.registry import find_format, open_data

from .made_files import write_coco, write_json, write_jsonl
from .text_files import BOM, fill, make, read, small, split, with_column

values = st.one_of(
    st.none(), st.booleans(), st.integers(-9, 9), st.text('a"\\}]{[,é\n', max_size=4)
)


@small
@given(data=st.data())
def test_records_are_read_as_json_lines_are_and_written_as_they_are(data, tmp_path_factory):
    """Each part has its records, byte for byte; a new key comes last."""
    folder = tmp_path_factory.mktemp("data")
    objects = data.draw(
        st.lists(
            st.dictionaries(st.sampled_from("abc{}"), values | st.lists(values), max_size=3),
            min_size=1,
            max_size=6,
        )
    )
    indent = data.draw(st.sampled_from([None, 1]))
    mark = data.draw(st.sampled_from([b"", BOM, b" \n"]))
    content = json.dumps(objects, indent=indent, ensure_ascii=data.draw(st.booleans()))
    file = make(folder, mark + content.encode() + b"\n", JsonRecords)
    lines = make(folder, "".join(json.dumps(own) + "\n" for own in objects).encode(), JsonLines)
    assert file.columns == lines.columns
    assert [batch.to_pylist() for batch in file.read_to_guess(file.columns)] == [
        batch.to_pylist() for batch in lines.read_to_guess(file.columns)
    ]
    codes = data.draw(st.lists(st.integers(-1, 1), min_size=len(objects), max_size=len(objects)))
    for part, written in enumerate(split(file, codes, 2)):
        wanted = [own for own, code in zip(objects, codes, strict=True) if code == part]
        assert json.loads(written) == wanted
        assert all(bytes(own) in content.encode() for own in cut_list(written))
    longer = json.loads(with_column(file, "new", ["x", "y"], [max(0, code) for code in codes]))
    assert longer == [
        {**own, "new": "xy"[max(0, code)]} for own, code in zip(objects, codes, strict=True)
    ]


def test_what_is_written_has_one_record_on_each_line(tmp_path):
    """An empty part is an empty array."""
    file = make(tmp_path, b'[{"a": 1},\n {"a":2} , {"a": [3]}]', JsonRecords)
    assert split(file, [0, 0, 0], 2) == [b'[{"a": 1},\n {"a":2},\n {"a": [3]}]\n', b"[]\n"]


def test_a_key_is_filled_in_its_type(tmp_path):
    """Numbers stay numbers; records of code -1 keep their bytes."""
    file = make(tmp_path, b'[{"a": 1, "b":  "x"}, {"b":  "y"}, {"a":  3}]', JsonRecords)
    written = fill(file, "a", ["7", "8"], [0, 1, -1])
    assert json.loads(written) == [{"a": 7, "b": "x"}, {"b": "y", "a": 8}, {"a": 3}]
    assert b'{"a":  3}' in written


def test_records_are_cut_into_bounded_pieces(tmp_path, monkeypatch):
    """Places in messages are those in the array."""
    monkeypatch.setattr(json_records_module, "_RECORDS_AT_ONCE", 3)
    records = [{"id": at, "odd": at if at < 7 else "x"} for at in range(8)]
    file = make(tmp_path, json.dumps(records).encode(), JsonRecords)
    assert [len(found) for found in file.read_records()] == [3, 3, 2]
    assert read(file, ["id"]) == {"id": list(range(8))}
    with pytest.raises(
        InputError,
        match=r"'odd' holds whole numbers \(record 0 \(from 0\)\) and text \(record 7 \(from 0\)\)",
    ):
        list(file.read_batches(["odd"]))


def test_what_only_python_reads_is_read(tmp_path):
    """NaN is missing, and kept byte for byte."""
    file = make(tmp_path, b'[{"a": NaN, "b": 1}, {"a": 2.5}]', JsonRecords)
    assert read(file, ["a", "b"]) == {"a": [None, 2.5], "b": [1, None]}
    assert split(file, [0, 1]) == [b'[{"a": NaN, "b": 1}]\n', b'[{"a": 2.5}]\n']


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", r"cannot be read as JSON: Input data was truncated\. Is it whole\?"),
        (b'[{"a": 1}, {"a": ', r"cannot be read as JSON: Input data was truncated\."),
        (b'[{"a": 1} {"a": 2}]', r"cannot be read as JSON: JSON is malformed: "),
        (b'[{"a": 1}]]', r"cannot be read as JSON: JSON is malformed: "),
        (b'{"a": [1]}', r"is not an array of records: Expected `array`, got `object`\. Write"),
        (b'{"a": NaN}', r"is not an array of records: Expected `array`, got `object`\. Write"),
        (b'[{"a": NaN}, {"a": 1]', r"cannot be read as JSON: JSON is malformed: "),
        (b"[]", r"is an empty array\. The array must hold JSON objects\."),
        (b"[1, 2]", r"record 0 \(from 0\) is not an object, it starts with 1\. The array must"),
        (b'[{"a": 1}, ["a"]]', r'record 1 \(from 0\) is not an object, it starts with \["a"\]\.'),
        (b'[{"a": "\xff"}]', r"record 0 \(from 0\) is not JSON: 'utf-8' codec can't decode"),
        (b"[" * 9999, r"cannot be read as JSON: "),
        (b'[{"b": 1}]', r"no object has the key 'a'\. The keys there are: b\."),
    ],
)
def test_damaged_arrays_are_refused_with_their_place(content, message, tmp_path):
    """The message has the path, the record if there is one, and what to do."""
    with pytest.raises(InputError, match=rf"data\.json: {message}"):
        list(make(tmp_path, content, JsonRecords).read_batches(["a"]))


def test_an_array_that_changed_after_it_was_split_is_refused(tmp_path):
    """In all ways of writing."""
    file = make(tmp_path, b'[{"a": 1}]', JsonRecords)
    codes = np.zeros(2, np.int32)
    for write in (
        lambda: file.write_parts([tmp_path / "a"], codes),
        lambda: file.write_with_column(tmp_path / "a", "b", ["x"], codes),
        lambda: file.fill_column(tmp_path / "a", "a", ["1"], codes),
    ):
        with pytest.raises(InputError, match="no longer holds the 2 rows"):
            write()


def test_files_named_json_are_told_apart_by_their_content(tmp_path):
    """Arrays, one object per line, and COCO, on one line, with line ends or damaged."""
    path = tmp_path / "data.json"
    for content, format_name in (
        (b'\xef\xbb\xbf \n [{"images": []}]', "json"),
        (b'{"images": [], "annotations": [], "categories": []}', "coco"),
        (b'{"images": [],\n"annotations": [], "categories": []}\n\n', "coco"),
        (b'{\n{"a": 1}', "coco"),
        (b'{"a": 1}\n{"a": 2}\n', "jsonl"),
        (b'\n{"a": 1}\r\n\r\n{"a": 2}', "jsonl"),
        (b'{"a": 1}\n{"a":', "jsonl"),
        (b'{"a": 1}\n', "coco"),
        (b"", "coco"),
        (b"id,tags\n", "coco"),
    ):
        path.write_bytes(content)
        assert find_format(path) == format_name, content
    assert tell_apart(tmp_path / "none.json", ["coco", "json"]) == "coco"
    for write, kind in ((write_coco, "coco"), (write_json, "json"), (write_jsonl, "jsonl")):
        assert open_data(str(write(path))).format == kind

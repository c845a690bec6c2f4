"""JSON Lines: values have one type, and what is written has the bytes of the file."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.files.formats.json_lines import JsonLines

from .text_files import BOM, SmallJsonLines, fill, make, read, small, split, with_column

json_values = (
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text('a"\\}{,é日\n', max_size=4)
)


@small
@given(data=st.data())
def test_json_lines_are_written_as_they_are(data, tmp_path_factory):
    """Each part has its lines, byte for byte; a new key comes last, nothing else changes."""
    objects = data.draw(
        st.lists(
            st.dictionaries(
                st.sampled_from("abc{}"),
                json_values | st.lists(json_values, max_size=2),
                max_size=3,
            ),
            min_size=1,
            max_size=6,
        )
    )
    ends = st.sampled_from(["\n", "\r\n", " \n", "\n\n", "\n \t\r\n"])
    lines = [
        (json.dumps(found, ensure_ascii=data.draw(st.booleans())), data.draw(ends))
        for found in objects
    ]
    mark = data.draw(st.sampled_from([b"", BOM]))
    file = make(
        tmp_path_factory.mktemp("data"),
        mark + "".join(text + end for text, end in lines).encode(),
        SmallJsonLines,
    )
    assert file.columns == list(dict.fromkeys(key for found in objects for key in found))
    written = [(text + end[: end.index("\n") + 1]).encode() for text, end in lines]
    part_of_row = data.draw(st.lists(st.integers(-1, 1), min_size=len(lines), max_size=len(lines)))
    expected = [
        mark
        + b"".join(line for line, part in zip(written, part_of_row, strict=True) if part == number)
        for number in range(2)
    ]
    assert split(file, part_of_row, 2) == expected
    new = [
        ("" if found == {} else ", ") + f'"the \\"part\\"": "{"x日"[number % 2]}"'
        for number, found in enumerate(objects)
    ]
    pieces = [
        text[:-1] + entry + "}" + end[: end.index("\n") + 1]
        for (text, end), entry in zip(lines, new, strict=True)
    ]
    assert (
        with_column(file, 'the "part"', ["x", "日"], np.arange(len(lines)) % 2)
        == mark + "".join(pieces).encode()
    )
    assert [json.loads(piece)['the "part"'] for piece in pieces] == [
        "x日"[number % 2] for number in range(len(pieces))
    ]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([None, "a", None, "b"], pa.string()),
        ([None, None], pa.string()),
        ([1, 2, None], pa.int64()),
        ([1, 2.5, 3], pa.float64()),
        ([True, None, False], pa.bool_()),
        ([[], None, ["a", None], ["b", "c"]], pa.list_(pa.string())),
        ([[], [1], [2.5, 3]], pa.list_(pa.float64())),
        ([[], [None]], pa.list_(pa.string())),
    ],
)
def test_json_values_have_one_type_in_all_batches(values, kind, tmp_path):
    """The type does not depend on which value comes first."""
    file = make(
        tmp_path,
        "".join(
            json.dumps({"id": 0, "x": value, "more": "{}"}) + "\n" for value in values
        ).encode(),
        SmallJsonLines,
    )
    batches = list(file.read_batches(["x"]))
    assert len(batches) > 1
    assert {batch.schema for batch in batches} == {pa.schema([("x", kind)])}
    assert [value for batch in batches for value in batch["x"].to_pylist()] == values


def test_json_keys_may_come_late_or_be_missing(tmp_path):
    """The columns are those of all objects; a missing key and NaN are null."""
    file = make(
        tmp_path,
        b'{"a": 1, "b": "x"}\n{"c": [1], "a": NaN}\n\n{"b": "y", "a": -Infinity}',
        JsonLines,
    )
    assert file.columns == ["a", "b", "c"]
    assert read(file, ["c", "a", "b"]) == {
        "c": [None, [1], None],
        "a": [1.0, None, -np.inf],
        "b": ["x", None, "y"],
    }


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\n \n", r"data\.jsonl: is empty\. Each line must hold one JSON object"),
        (
            b'{"a": 1}\n\n{"a": 2\n',
            r"data\.jsonl: line 3 is not JSON: Expecting ',' delimiter: "
            r"column 8 \(char 7\)\. Each line",
        ),
        (b'{"a": 1} {"a": 2}\n', r"data\.jsonl: line 1 is not JSON: Extra data: column 10"),
        (
            b'{"a": 1}\n{"a": "\xff"}\n',
            r"data\.jsonl: line 2 is not JSON: 'utf-8' codec can't decode byte 0xff in position 7",
        ),
        (
            b'{"a": 1}\n{"a": ' + b"[" * 1_000_000 + b"\n",
            r"data\.jsonl: line 2 is not JSON: (maximum recursion depth|Stack overflow)",
        ),
        (
            b'[{"a": 1}, {"a": 2}]',
            r"data\.jsonl: line 1 is not an object, it starts with \[\{\"a\": 1\}, ",
        ),
        (b'{"a": 1}\n17', r"data\.jsonl: line 2 is not an object, it starts with 17\."),
        (b'{"b": 1}\n', r"data\.jsonl: no object has the key 'a'\. The keys there are: b\."),
        (
            b'{"a": "x"}\n{"a": null}\n{"a": ["x"]}',
            r"'a' holds text \(line 1\) and lists of text \(line 3\)\. Let it hold only text",
        ),
        (b'{"a": 1}\n{"a": true}', r"'a' holds whole numbers \(line 1\) and booleans \(line 2\)"),
        (b'{"a": {"b": 1}}', r"'a' holds objects \(line 1\)\. Name a field of them: a\.b\."),
        (b'{"a": [[1]]}', r"'a' holds lists of lists \(line 1\)\. Let it"),
        (
            b'{"a": 1}\n{"a": 9223372036854775808}',
            r"line 2 has '9223372036854775808' for 'a', "
            "which does not fit into a column of type int64",
        ),
        (
            b'{"a": "\\ud800"}',
            r"line 1 has '\\ud800' for 'a', which does not fit into a column of type string\. "
            "Write it as plain text",
        ),
    ],
)
def test_damaged_json_lines_are_refused_with_their_place(content, message, tmp_path):
    """The message has the path, the line, and what to do."""
    with pytest.raises(InputError, match=message):
        list(make(tmp_path, content, SmallJsonLines).read_batches(["a"]))


def test_a_key_that_a_later_line_has_already_is_not_added(tmp_path):
    """That line would hold the key twice; a value of that text is no key."""
    with pytest.raises(
        InputError, match=r"data\.jsonl: has a column 'part' already\. Choose another name"
    ):
        with_column(
            make(tmp_path, b'{"a": "part"}\n{"part": "x"}\n', JsonLines), "part", ["x"], [0, 0]
        )
    assert (
        with_column(make(tmp_path, b'{"a": "part"}', JsonLines), "part", ["x"], [0])
        == b'{"a": "part", "part": "x"}'
    )


@pytest.mark.parametrize(
    ("old", "values", "new"),
    [
        ("1", ["0", "1"], "0"),
        ("true", ["false", "true"], "false"),
        ("2.5", ["1", "2.5"], "1.0"),
        ('"1"', ["0", "1"], '"0"'),
    ],
)
def test_json_values_are_filled_in_the_type_of_the_others(old, values, new, tmp_path):
    """Numbers stay numbers and booleans booleans, so that the key can be read again."""
    file = make(tmp_path, f'{{"part": {old}}}\n{{"part": null}}\n'.encode(), JsonLines)
    assert fill(file, "part", values, [-1, 0]) == f'{{"part": {old}}}\n{{"part": {new}}}\n'.encode()


def test_a_json_value_of_another_type_is_not_filled_in(tmp_path):
    """The message has the type and the values that do not fit."""
    with pytest.raises(
        InputError,
        match=r"data\.jsonl: 'part' is of type int64, which cannot hold 1, test\. "
        "Name a new column with --column",
    ):
        fill(make(tmp_path, b'{"part": 1}\n{"a": 1}\n', JsonLines), "part", ["1", "test"], [-1, 1])


@small
@given(
    others=st.dictionaries(
        st.text('aN"\\{}:,é\ud800', max_size=3),
        st.floats(width=16)
        | st.lists(st.floats(width=16), max_size=2)
        | st.text('NaInfity"\\-,\ud800'),
        max_size=4,
    ),
    is_there=st.booleans(),
    before=st.sampled_from(["", " "]),
)
def test_a_line_of_python_json_changes_only_in_the_value_filled_in(
    others, is_there, before, tmp_path_factory
):
    """NaN, Infinity and halves of surrogate pairs stay as they are."""
    new = {"part": None} if is_there else {}
    line = before + json.dumps({**new, **others, "last": float("nan")})
    file = make(tmp_path_factory.mktemp("data"), f'{{"part": "x"}}\n{line}\n'.encode(), JsonLines)
    expected = (
        line.replace('"part": null', '"part": "x"') if is_there else line[:-1] + ', "part": "x"}'
    )
    assert fill(file, "part", ["x"], [-1, 0]).decode().splitlines()[1] == expected

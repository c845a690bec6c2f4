"""Data with a line for each item and label: its rows are the items."""

import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.files.chain import Chain
from evenfold.files.conversion import convert
from evenfold.files.long_format import LongTable, open_long
from evenfold.files.registry import open_data
from evenfold.labels import make_labels

from .memory_file import Columns
from .text_files import make, read, small, split


def make_long(folder, text, columns="id,term"):
    """Write a csv file and open its items."""
    return open_long(make(folder, text.encode()), columns)


lines_of_items = st.lists(
    st.tuples(st.sampled_from("pqrst"), st.sampled_from([None, "a", "b", "c d"])),
    min_size=1,
    max_size=12,
)


@small
@given(lines=lines_of_items, rows_at_once=st.integers(1, 4))
def test_rows_are_items_by_first_appearance_with_their_labels(lines, rows_at_once):
    """As lists of labels in Python; lines without a label add none, repeated ones count once."""
    table = {
        "id": [own for own, _ in lines],
        "term": pa.array([term for _, term in lines], "string"),
    }
    file = LongTable(Columns(table, rows_at_once=rows_at_once), "id", "term")
    items = list(dict.fromkeys(own for own, _ in lines))
    assert file.items.names == items
    held = [sorted({term for own, term in lines if own == item and term}) for item in items]
    labels = file.read_own_labels()
    expected = make_labels(held)
    assert list(labels.names) == list(expected.names)
    assert np.array_equal(labels.to_csr().toarray(), expected.to_csr().toarray())
    assert read(file, ["id"]) == {"id": items}


@small
@given(lines=lines_of_items, codes=st.lists(st.integers(-1, 1), min_size=5, max_size=5))
def test_lines_of_an_item_stay_together(lines, codes, tmp_path_factory):
    """In its part, in their order, byte for byte; a new column is the same in all of them."""
    folder = tmp_path_factory.mktemp("data")
    texts = [f"{own},{term or ''}\n" for own, term in lines]
    file = make_long(folder, "id,term\n" + "".join(texts))
    items = list(dict.fromkeys(own for own, _ in lines))
    code_of = dict(zip(items, codes, strict=False))
    part_of_row = [code_of[item] for item in items]
    for part, written in enumerate(split(file, part_of_row, 2)):
        own = [text for text, (item, _) in zip(texts, lines, strict=True) if code_of[item] == part]
        assert written.decode() == "".join(["id,term\n", *own])
    target = folder / "more.csv"
    file.write_with_column(target, "part", ["x", "y"], np.array(part_of_row, np.int32) * 0)
    assert target.read_text() == "".join(
        ["id,term,part\n", *(text.replace("\n", ",x\n") for text in texts)]
    )


def test_labels_may_be_numbers_and_are_never_cut(tmp_path):
    """Each cell is one label, 0 and 1 too."""
    file = make_long(tmp_path, "id,term\np,a|b\np,1\nq,a|b\nq,\nr,\n")
    labels = file.read_own_labels()
    assert (list(labels.names), labels.n_rows) == (["1", "a|b"], 3)
    numbers = LongTable(Columns({"id": [7, 7, 3], "term": [1, 0, 1]}), "id", "term")
    assert list(numbers.read_own_labels().names) == [0, 1]
    assert read(numbers, ["id"]) == {"id": [7, 3]}


def test_columns_are_read_once_for_each_item(tmp_path):
    """If all lines of an item have the same value; missing is a value too."""
    file = make_long(tmp_path, "id,sex,term,note\np,f,a,1\nq,,b,2\np,f,c,3\nq,,d,2\n")
    assert file.columns == ["id", "sex", "note"]
    assert file.key_columns == ["id"]
    assert read(file, ["sex", "id"]) == {"sex": ["f", None], "id": ["p", "q"]}
    with pytest.raises(
        InputError,
        match=r"data\.csv: column 'note' holds '1' in line 0 and '3' in line 2 \(from 0\), both of "
        r"the item 'p'\. Let it hold one value in all lines of an item, or leave it out\.",
    ):
        read(file, ["sex", "note"])
    [batch] = file.read_to_guess(["note", "sex"])
    assert batch.to_pydict() == {"note": [None, None], "sex": ["f", None]}


def test_missing_and_nested_values_are_compared():
    """A line without the value differs; lists and categories are compared too."""
    table = {
        "id": ["p", "q", "p"],
        "term": ["a", "b", "c"],
        "gap": ["x", "y", None],
        "same": [[1], [2], [1]],
        "other": [[1], [2], [3]],
        "kind": pa.array(["x", "y", "x"]).dictionary_encode(),
        "number": [float("nan"), 1.0, float("nan")],
    }
    file = LongTable(Columns(table, rows_at_once=9), "id", "term")
    assert read(file, ["same", "kind"]) == {"same": [[1], [2]], "kind": ["x", "y"]}
    assert len(read(file, ["number"])["number"]) == 2
    with pytest.raises(InputError, match=r"column 'gap' holds 'x' in line 0 and None in line 2"):
        read(file, ["gap"])
    with pytest.raises(InputError, match=r"column 'other' holds \[1\] in line 0 and \[3\] in"):
        read(file, ["other"])


def test_a_column_is_filled_for_some_items(tmp_path):
    """In all of their lines."""
    file = make_long(tmp_path, "id,term,fold\np,a,x\nq,b,\np,c,x\nq,d,\n")
    file.fill_column(tmp_path / "out.csv", "fold", ["y"], np.array([-1, 0], np.int32))
    assert (tmp_path / "out.csv").read_text() == "id,term,fold\np,a,x\nq,b,y\np,c,x\nq,d,y\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "id,term\np,a\n,b\n ,c\n",
            r"--long column 'id' is empty in 2 of 3 lines, first line 1",
        ),
        ("id,term\n", r"data\.csv: holds no rows"),
        ("id,term\np,a\np\n", r"line 3 has 1 instead of 2 cells"),
        ('id,term\np,"a\n', r"the row that starts in line 2 does not end"),
        ("id,term\np,na\udcefve\n", r"line 2 is not UTF-8"),
    ],
)
def test_damaged_tables_are_refused_with_their_place(text, message, tmp_path):
    """The line is that of the table, not of the item."""
    content = text.encode("utf-8", "surrogateescape")
    with pytest.raises(InputError, match=message):
        open_long(make(tmp_path, content), "id,term").read_own_labels()


def test_labels_and_items_that_are_none_are_refused(tmp_path):
    """Lists, items that are missing numbers, and labels that are fractions."""
    file = LongTable(Columns({"id": [["p"]], "term": ["a"]}), "id", "term")
    with pytest.raises(InputError, match=r"--long column 'id' must name an item in each line, got"):
        file.read_own_labels()
    file = LongTable(Columns({"id": [1.0, float("nan")], "term": ["a", "b"]}), "id", "term")
    with pytest.raises(
        InputError, match=r"--long column 'id' is empty in 1 of 2 lines, first line 1"
    ):
        file.read_own_labels()
    file = LongTable(Columns({"id": ["p"], "term": [["a"]]}), "id", "term")
    with pytest.raises(
        InputError,
        match=r"column 'term' holds list<item: string>, which is no label, at row 0\. Leave out "
        r"--long, and name the column with --labels\.",
    ):
        file.read_own_labels()
    file = LongTable(Columns({"id": ["p"], "term": [0.5]}), "id", "term")
    with pytest.raises(InputError, match=r"column 'term' holds 0\.5, which is no class"):
        file.read_own_labels()


def test_the_option_names_two_columns(tmp_path):
    """Names may have commas and blanks; one that is not there has a hint."""
    lines = make(tmp_path, b'"a,b",term,id\n1,x,2\n')
    for text, item in (("a,b,term", "a,b"), ("id, term", "id"), ("id,a,b", "id")):
        assert open_long(lines, text).key_columns == [item]
    with pytest.raises(InputError, match=r"--long 'trm' is not a column .*Did you mean 'term'\?"):
        open_long(lines, "id,trm")
    for text in ("id", "id,id", "x,y,z", ""):
        with pytest.raises(InputError, match=rf"--long '{text}' must name two columns of .*id\.$"):
            open_long(lines, text)
    svmlight = tmp_path / "data.svm"
    svmlight.write_text("1 1:1\n")
    with pytest.raises(InputError, match=r"has no columns, so none can be 'id,term'\. Leave out"):
        open_long(open_data(str(svmlight)), "id,term")


def test_items_of_several_files(tmp_path):
    """Of files that are parts each by itself, of a data set all together."""
    for number, text in enumerate(("id,term\np,a\nq,b\n", "id,term\np,c\n")):
        (tmp_path / f"{number}.csv").write_text(text)
    files = [open_data(str(tmp_path / f"{number}.csv")) for number in range(2)]
    chain = Chain([open_long(file, "id,term") for file in files], "ab")
    assert chain.read_own_labels().n_rows == 3
    assert chain.rows_of_file == [2, 1]
    joined = open_long(files[0].join(files, "all"), "id,term")
    assert joined.read_own_labels().n_rows == 2
    assert [(own.path.name, n) for own, n in joined.list_files(2)] == [("0.csv", 2), ("1.csv", 1)]
    assert joined.to_lines(np.array([5, 7], np.int32)).tolist() == [5, 7, 5]


def test_a_long_table_is_converted_line_by_line(tmp_path):
    """Its items stay those of the lines."""
    file = make_long(tmp_path, "id,term\np,a\nq,b\np,c\n")
    converted = convert(file, ["jsonl"], "out.jsonl")
    assert "is converted from csv to jsonl" in converted.remarks[0]
    converted.write_parts([tmp_path / "out.jsonl"], np.array([0, -1], np.int32))
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text().splitlines()]
    assert rows == [{"id": "p", "term": "a"}, {"id": "p", "term": "c"}]
    with pytest.raises(InputError, match="has a column 'term' already"):
        converted.check_new("term")
    svm = Columns({"id": ["p"], "term": ["a"]})
    assert convert(LongTable(svm, "id", "term"), ["arff"], "o.arff") is None

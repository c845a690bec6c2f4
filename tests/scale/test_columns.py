import pickle

import pyarrow as pa
import pytest

from evenfold.exceptions import InputError, InputTypeError
from evenfold.scale.columns import Columns, choose_columns, merge_names
from evenfold.scale.partitions import Partition
from evenfold.scale.reading import read_partition

from .partitioned import list_label_names, write_partitions


def _read_all(partitions, columns):
    return [list_label_names(read_partition(partition, columns)) for partition in partitions]


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ([["a"], ["b", "a"]], "lists"),
        ([[1], [2, 1]], "lists"),
        (["a|b", "b|c", "a", "c|a|b"], "cut text"),
        (["['a']", "['b', 'a']"], "text lists"),
        (["x", "y", "x"], "classes"),
        ([3, 4, 3], "classes"),
        ([0, 1, 1], "columns"),
        ([True, False, True], "columns"),
    ],
)
def test_kind_of_one_column(tmp_path, cells, kind):
    """The kind is decided as for one file."""
    partitions = write_partitions(tmp_path, [{"labels": cells[:0]}, {"labels": cells}])
    columns, _ = choose_columns(partitions, "labels")
    assert columns.kind == kind
    assert pickle.loads(pickle.dumps(columns)) == columns
    read_partition(partitions[0], columns)


def test_columns_are_guessed_and_said(tmp_path):
    """Without names of label columns, a safe guess is made and said."""
    partitions = write_partitions(tmp_path, [{"id": [1, 2], "tags": [["a"], ["b", "a"]]}])
    columns, said = choose_columns(partitions)
    assert columns.labels == ("tags",)
    assert "'tags' is read, the only column of lists" in said


def test_separator_is_found_and_said(tmp_path):
    """A separator is found in the first rows, or taken as given."""
    cells = ["a|b", "b|c", "a", "c|a|b"]
    partitions = write_partitions(tmp_path, [{"y": cells}])
    columns, said = choose_columns(partitions, "y")
    assert (columns.separator, said) == ("|", "Each cell of 'y' is cut at '|'.")
    columns, said = choose_columns(partitions, "y", separator="")
    assert (columns.kind, said) == ("classes", "")


def test_form_is_the_same_where_partitions_look_different(tmp_path):
    """Cells of a later partition are cut too, though none there has a separator."""
    partitions = write_partitions(
        tmp_path, [{"y": ["a|b", "b|c", "c|a"]}, {"y": ["c", "a"]}, {"y": ["", None, "a|"]}]
    )
    columns, _ = choose_columns(partitions, "y")
    assert _read_all(partitions, columns)[1:] == [[["c"], ["a"]], [[], [], ["a"]]]


def test_classes_sorted_by_value_are_classes(tmp_path):
    """Classes are not taken for one label though the first partitions hold only 0 and 1."""
    partitions = write_partitions(tmp_path, [{"y": [0] * 9_999}, {"y": [1, 1]}, {"y": [2, 3]}])
    columns, _ = choose_columns(partitions, "y")
    assert columns.kind == "classes"
    assert _read_all(partitions, columns)[1:] == [[[1], [1]], [[2], [3]]]


def test_column_of_flags_is_one_label_everywhere(tmp_path):
    """A column of 0 and 1 is one label, also in a partition without a 1."""
    partitions = write_partitions(tmp_path, [{"y": [0, 0]}, {"y": [1, 0]}])
    columns, _ = choose_columns(partitions, "y")
    assert _read_all(partitions, columns) == [[[], []], [["y"], []]]
    assert read_partition(partitions[0], columns)["names"] == ["y"]


def test_lists_of_flags_are_a_matrix_only_if_all_are(tmp_path):
    """Lists of 0 and 1 of one length are a matrix only if those of all partitions are."""
    matrix = [[0, 1, 1], [1, 0, 0]]
    whole = write_partitions(tmp_path, [{"y": matrix}, {"y": [[0, 0, 0]]}])
    columns, _ = choose_columns(whole, "y")
    assert columns.width == 3
    assert _read_all(whole, columns) == [[[1, 2], [0]], [[]]]
    assert read_partition(whole[1], columns)["names"] == [0, 1, 2]
    # What is decided from the first 10,000 rows alone would be wrong.
    mixed = write_partitions(tmp_path, [{"y": [[0], [1]] * 5_000}, {"y": [[2, 1]]}])
    columns, _ = choose_columns(mixed, "y")
    assert columns.width == 0
    assert _read_all(mixed, columns) == [[[0], [1]] * 5_000, [[1, 2]]]


def test_partition_that_looks_like_a_matrix_is_read_as_the_others(tmp_path):
    """Lists of one length with 0 twice are labels where those of other partitions are."""
    partitions = write_partitions(tmp_path, [{"y": [[5], [6, 7]]}, {"y": [[0, 0, 1, 1, 7]] * 4}])
    columns, _ = choose_columns(partitions, "y")
    assert _read_all(partitions, columns)[1] == [[0, 1, 7]] * 4


def test_matrix_with_wrong_values_is_refused(tmp_path):
    """Rows of 0 and 1 with a few other values are an error, as in one file."""
    rows = [[0, 0, 1, 1]] * 4 + [[0, 0, 1, 7]]
    partitions = write_partitions(tmp_path, [{"y": rows}])
    with pytest.raises(InputError, match="column 'y' holds 7, where 0, 1 or nothing is expected"):
        choose_columns(partitions, "y")


def test_matrix_that_changes_is_refused(tmp_path):
    """A partition that no longer holds rows of 0 and 1 is an error that names it."""
    partitions = write_partitions(tmp_path, [{"y": [[0, 1], [1, 0]]}])
    columns, _ = choose_columns(partitions, "y")
    partitions = write_partitions(tmp_path, [{"y": [[0, 2], [1, 0]]}])
    with pytest.raises(InputError, match=r"part-000.*must hold lists of 2 values 0 or 1"):
        read_partition(partitions[0], columns)


def test_merged_names_keep_the_order_of_every_partition(tmp_path):
    """Names of several columns are in the order of columns and values, as in each partition."""
    tables = [
        {
            "z": pa.array(numbers).dictionary_encode(),
            "flag": [0, 1],
            "a": pa.array(texts).dictionary_encode(),
        }
        for numbers, texts in (
            (["n10", "n2"], ["x", "10"]),
            (["n9", "n10"], ["2", "x"]),
            (["n9", "n9"], ["", "b"]),
        )
    ]
    partitions = write_partitions(tmp_path, tables)
    columns, _ = choose_columns(partitions, ["z", "flag", "a"])
    assert columns.column_kinds == ("class", "flag", "class")
    own = [read_partition(partition, columns)["names"] for partition in partitions]
    merged = merge_names(columns, own)
    assert merged == ["z=n10", "z=n2", "z=n9", "flag", "a=10", "a=2", "a=b", "a=x"]
    for names in own:
        assert names == [name for name in merged if name in names]
    [whole] = write_partitions(tmp_path, [pa.concat_tables(map(pa.table, tables))])
    assert read_partition(whole, columns)["names"] == merged


def test_merged_names_are_of_one_kind():
    """Text in one partition and numbers in another are an error."""
    columns = Columns(("y",), None, "text lists")
    with pytest.raises(InputTypeError, match="column 'y' must hold labels of one kind"):
        merge_names(columns, [["a"], [1]])
    assert merge_names(columns, [["b"], [], ["a", "b"]]) == ["a", "b"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"labels": "tag"}, "'labels' must name columns of .*, got 'tag'.*Did you mean 'tags'"),
        ({"labels": "x_*"}, r"'labels' must name columns of .*, got 'x_\*'"),
        ({"labels": "tags", "groups": "grup"}, "'groups' must name .*Did you mean 'group'"),
        ({"labels": "tags", "key": "t*"}, r"'key' must name .*, got 't\*'"),
        ({"labels": "tags", "balance": ["size", "b"]}, "'balance' must name .*, got 'b'"),
        ({"labels": "tags", "fixed": "part"}, "'fixed' must name .*, got 'part'"),
        ({"labels": "tags", "groups": "tags"}, "'groups' must name a column with one name"),
        ({"labels": "tags", "balance": "tags"}, "'balance' .*holds list<"),
        ({"labels": "size"}, "column 'size' holds 0.5, which is no class"),
        ({"labels": "when"}, "column 'when' holds date32.*, which is no label"),
        ({"labels": ["tags", "flag"]}, "column 'tags' holds list.*Pass a column of lists alone"),
        ({"labels": ["hole", "flag"]}, "column 'hole' holds an unknown label .null. at row 1"),
        ({"labels": "tags", "separator": "|"}, "a separator cuts one column of text"),
        ({"labels": ["group", "group=x"]}, "'labels' must name columns whose labels differ"),
    ],
)
def test_columns_that_cannot_be_used_are_refused(tmp_path, arguments, message):
    """What is no column, or holds no labels, is refused before the first pass."""
    table = {
        "tags": [["a"], ["b"]],
        "group": ["u", "v"],
        "group=x": ["u", "v"],
        "size": [0.5, 1.0],
        "when": pa.array([1, 2], pa.date32()),
        "flag": [0, 1],
        "hole": [1, None],
    }
    partitions = write_partitions(tmp_path, [table])
    with pytest.raises(InputError, match=message):
        choose_columns(partitions, **arguments)


def test_other_types_of_names_are_refused(tmp_path):
    """A name must be text."""
    partitions = write_partitions(tmp_path, [{"y": [["a"]]}])
    with pytest.raises(InputTypeError, match="'groups' must be the name of a column, got 3"):
        choose_columns(partitions, "y", groups=3)


def test_data_without_rows_or_files_is_refused(tmp_path):
    """Data without rows is an error, and so is data without files."""
    partitions = write_partitions(tmp_path, [{"y": pa.array([], pa.list_(pa.string()))}])
    with pytest.raises(InputError, match=r"part-000\.parquet: holds no rows"):
        choose_columns(partitions, "y")
    with pytest.raises(InputError, match="'data' must have files"):
        choose_columns([Partition(0, ())], "y")


def test_schema_that_differs_is_refused(tmp_path):
    """Only the columns that are read must have types that go together."""
    partitions = write_partitions(
        tmp_path, [{"y": [["a"]], "n": [1], "g": [1]}, {"y": [["a"]], "n": ["b"], "g": ["c"]}]
    )
    choose_columns(partitions, "y")
    choose_columns(partitions)
    with pytest.raises(InputError, match=r"part-001.*column 'g' is string, but int64 in"):
        choose_columns(partitions, "y", groups="g")


def test_first_rows_may_be_of_several_types(tmp_path):
    """Files in which labels have other types of the same kind are read together."""
    kinds = [pa.list_(pa.null()), pa.list_(pa.string()), pa.large_list(pa.large_string())]
    cells = [[[], None], [["a"], ["b"]], [["c"], []]]
    tables = [{"y": pa.array(*each)} for each in zip(cells, kinds, strict=True)]
    partitions = write_partitions(tmp_path, tables)
    columns, _ = choose_columns(partitions, "y")
    assert _read_all(partitions, columns) == [[[], []], [["a"], ["b"]], [["c"], []]]


def test_columns_of_balance_are_numbers_or_categories(tmp_path):
    """Whether a column of balance holds numbers is decided by the types of all files."""
    partitions = write_partitions(
        tmp_path,
        [
            {"y": [["a"]], "n": pa.nulls(1), "c": ["u"], "b": [True]},
            {"y": [["a"]], "n": [1], "c": pa.nulls(1), "b": [False]},
        ],
    )
    columns, _ = choose_columns(partitions, "y", balance=["n", "c", "b"])
    assert columns.balance_is_number == (True, False, False)
    assert columns.needed == ["y", "n", "c", "b"]
    columns, _ = choose_columns(partitions, "y", balance="c")
    assert columns.balance == ("c",)

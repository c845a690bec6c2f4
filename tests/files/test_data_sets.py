"""Several files of one format and the same columns, read and written as one data set."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenfold.exceptions import InputError
from evenfold.files.conversion import convert
from evenfold.files.data_sets import expand_pattern, open_data_set
from evenfold.files.label_columns import choose_label_columns, read_labels
from evenfold.files.many_files import ManyColumnar, ManyFiles
from evenfold.files.registry import open_data
from evenfold.labels import Labels

from .made_files import MATRIX, N_ROWS, WRITERS, write_csv
from .text_files import SmallCsv, fill, read, small, split

FORMATS = [
    "data.csv",
    "data.tsv.gz",
    "data.jsonl",
    "records.json",
    "data.parquet",
    "data.feather",
    "data.arff",
    "data.svm",
    "data.npz",
    "data.json",
    "hf_folder",
    "data.xlsx",
    "data.sqlite",
    "data.duckdb",
]
AS_ONE = ["data.csv", "data.tsv.gz", "data.jsonl", "records.json", "data.parquet", "data.feather"]
AS_ONE += ["data.duckdb"]


def open_twice(folder, name):
    """Write a file twice, into two folders, and open both as one data set."""
    paths = []
    for number in range(2):
        (folder / str(number)).mkdir()
        paths.append(WRITERS[name](folder / str(number) / name))
    return open_data_set(list(map(str, paths)))


def read_genres(file):
    """Return the labels of a file."""
    own = file.read_own_labels()
    if own is not None:
        return own
    return read_labels(file, choose_label_columns(file, None if file.label_columns else ["genres"]))


@pytest.mark.parametrize("name", FORMATS)
def test_the_rows_of_all_files_follow_each_other(name, tmp_path):
    """Labels, columns, the numbers of rows, and the files that may not be written."""
    file = open_twice(tmp_path, name)
    assert file.name == f"{tmp_path / '0' / name} and 1 more"
    labels = read_genres(file)
    assert isinstance(labels, Labels)
    dense = labels.to_csr().toarray()
    dense = dense[:, np.argsort([str(own) for own in labels.names])]
    assert np.array_equal(dense[:, dense.any(axis=0)], np.vstack([MATRIX, MATRIX]))
    assert list(file.rows_of_file) == [N_ROWS, N_ROWS]
    assert {own.path for own in file.files} <= {file.path, *file.goes_with}
    assert file.are_parts is False
    for column in list(file.columns)[:2]:
        one = read(file.files[0], [column])[column]
        assert read(file, [column])[column] == one + one


@pytest.mark.parametrize("name", AS_ONE)
def test_many_files_are_written_as_one(name, tmp_path):
    """Parts, and all rows with a column, in the format of the files."""
    file = open_twice(tmp_path, name)
    one = file.files[0]
    suffix = "".join(one.path.suffixes)
    codes = np.arange(2 * N_ROWS, dtype=np.int32) % 3 - 1
    targets = [tmp_path / f"part{part}{suffix}" for part in range(2)]
    file.write_parts(targets, codes)
    rows = list(zip(*read(file, file.columns).values(), strict=True))
    for part, target in enumerate(targets):
        written = open_data(str(target))
        assert (written.format, list(written.columns)) == (one.format, list(one.columns))
        wanted = [row for row, code in zip(rows, codes, strict=True) if code == part]
        assert list(zip(*read(written, written.columns).values(), strict=True)) == wanted
    more = tmp_path / f"more{suffix}"
    file.write_with_column(more, "part", ["a", "b"], np.maximum(codes, 0))
    assert read(open_data(str(more)), ["part"])["part"] == ["ab"[max(0, code)] for code in codes]


@small
@given(data=st.data())
def test_csv_files_are_written_byte_for_byte(data, tmp_path_factory):
    """As if their rows were in one file; a last row without a line end gets one."""
    folder = tmp_path_factory.mktemp("data")
    cell = st.sampled_from(["a", '"b,c"', "", '"d\ne"'])
    line_end = data.draw(st.sampled_from(["\n", "\r\n"]))
    paths, rows = [], []
    for number in range(data.draw(st.integers(2, 4))):
        own = [f"{number},{data.draw(cell)}" for _ in range(data.draw(st.integers(0, 3)))]
        text = line_end.join(["id,text", *own]) + line_end * data.draw(st.booleans())
        paths.append(folder / f"{number}.csv")
        paths[-1].write_bytes(text.encode())
        rows += own
    files = [SmallCsv(path) for path in paths]
    file = files[0].join(files, "all")
    codes = data.draw(st.lists(st.integers(0, 1), min_size=len(rows), max_size=len(rows)))
    for part, written in enumerate(split(file, codes, 2)):
        own = [row for row, code in zip(rows, codes, strict=True) if code == part]
        wanted = "".join(f"{row}{line_end}" for row in ["id,text", *own]).encode()
        assert written.rstrip(b"\r\n") == wanted.rstrip(b"\r\n")
    if rows:
        assert read(file, ["id"])["id"] == [row[0] for row in rows]
        filled = fill(file, "id", ["9"], [0] * len(rows))
        assert filled == split(file, [0] * len(rows), 1)[0].replace(b"\n0,", b"\n9,").replace(
            b"\n1,", b"\n9,"
        ).replace(b"\n2,", b"\n9,").replace(b"\n3,", b"\n9,")


def test_objects_may_have_other_keys_in_each_file(tmp_path):
    """Columns and types are those of all files; a place in a message names its file."""
    texts = ['{"a": 1, "b": null}\n{"a": 2}', '{"a": 0.5, "c": ["x"], "b": "y"}\n{"a": "z"}\n']
    for number, text in enumerate(texts):
        (tmp_path / f"{number}.jsonl").write_text(text)
    paths = [str(tmp_path / f"{number}.jsonl") for number in range(2)]
    file = open_data_set(paths)
    assert file.columns == ["a", "b", "c"]
    assert read(file, ["b", "c"]) == {"b": [None, None, "y", None], "c": [None, None, ["x"], None]}
    with pytest.raises(
        InputError,
        match=r"0\.jsonl and 1 more: 'a' holds whole numbers \(line 1 of .*0\.jsonl\) and numbers "
        r"\(line 1 of .*1\.jsonl\) and text \(line 2 of .*1\.jsonl\)",
    ):
        read(file, ["a"])
    assert split(file, [0, 0, 0, 0]) == [(texts[0] + "\n" + texts[1]).encode()]


def write_texts(folder, *texts, suffix=".csv"):
    """Write texts as files and return their paths."""
    paths = [folder / f"{number}{suffix}" for number in range(len(texts))]
    for path, text in zip(paths, texts, strict=True):
        path.write_text(text)
    return list(map(str, paths))


@pytest.mark.parametrize(
    ("second", "message"),
    [
        ("a,b\n1,2\n3\n", r"line 3 has 1 instead of 2 cells"),
        ('a,b\n1,"2\n', r"the row that starts in line 2 does not end"),
        ("a,c\n1,2\n", r"differs from \S*0\.csv: it has not the same columns \('b', 'c'\)\. Name"),
        ("b,a\n1,2\n", r"differs from \S*0\.csv: its columns are in another order\. Name files"),
        ("a;b\n1;2\n", r"differs from \S*0\.csv: its cells are separated by ';'\. Name files of"),
        ("", r"is empty\. The first line must hold"),
    ],
)
def test_a_wrong_file_among_others_is_named(second, message, tmp_path):
    """With the line in it, if there is one."""
    paths = write_texts(tmp_path, "a,b\n1,2\n3,4\n", second)
    with pytest.raises(InputError, match=rf"^\S*1\.csv: {message}"):
        read(open_data_set(paths), ["a"])


def test_files_that_changed_after_they_were_split_are_refused(tmp_path):
    """They are named together."""
    file = open_data_set(write_texts(tmp_path, "a\n1\n", "a\n2\n"))
    with pytest.raises(InputError, match=r"0\.csv and 1 more: no longer holds the 1 rows"):
        split(file, [0])


def test_files_of_two_formats_are_refused(tmp_path):
    """And a file that is named twice."""
    paths = write_texts(tmp_path, "a\n1\n") + write_texts(tmp_path, '{"a": 1}', suffix=".jsonl")
    with pytest.raises(
        InputError, match=r"0\.jsonl: is in the format jsonl, \S*0\.csv in csv\. Name files of one"
    ):
        open_data_set(paths)
    with pytest.raises(InputError, match=r"0\.csv: is named more than once\. Name each file once"):
        open_data_set([paths[0], f"{tmp_path}/../{tmp_path.name}/0.csv"])


@pytest.mark.parametrize("name", ["data.parquet", "data.xlsx"])
def test_tables_of_other_columns_are_refused(name, tmp_path):
    """The message has the columns."""
    first = open_data(str(WRITERS[name](tmp_path / name)))
    write_csv(tmp_path / "other.csv", extra=("more", ["x"] * N_ROWS))
    other = open_data(str(tmp_path / "other.csv"))
    path = tmp_path / f"other{first.suffix}"
    convert(other, [first.format], "o").write_parts([path], np.zeros(N_ROWS, np.int32))
    with pytest.raises(
        InputError, match=r"differs from \S*data\.\w+: it has not the same columns \('more'\)"
    ):
        open_data_set([str(first.path), str(path)])


def test_files_that_are_not_written_as_one_say_so(tmp_path):
    """Formats that hold more than columns; COCO files cannot be read for amounts together."""
    for number, name in enumerate(("data.arff", "data.svm", "data.npz", "data.json", "hf_folder")):
        (tmp_path / str(number)).mkdir()
        file = open_twice(tmp_path / str(number), name)
        assert (type(file), file.is_written) == (ManyFiles, False)
        with pytest.raises(InputError, match=r" and 1 more: several files in the format .* are"):
            file.write_parts([tmp_path / "out"], np.zeros(2 * N_ROWS, np.int32))
        if name == "data.json":
            with pytest.raises(InputError, match=r"amounts are read from one COCO file"):
                file.read_counts()
        else:
            assert file.read_counts() is None


def test_files_of_arrow_keep_their_schema(tmp_path):
    """What the first file cannot have, they cannot."""
    file = open_twice(tmp_path, "data.parquet")
    assert isinstance(file, ManyColumnar)
    assert file.schema == file.files[0].schema
    with pytest.raises(InputError, match="has a column 'age' already"):
        file.check_new("age")
    paths = []
    for number, table in enumerate((pa.table({"a": [1]}), pa.table({"a": ["x"]}))):
        paths.append(str(tmp_path / f"{number}.parquet"))
        pa.parquet.write_table(table, paths[-1])
    with pytest.raises(InputError, match=r"1\.parquet: differs from .*: column 'a' is string, not"):
        open_data_set(paths)


def test_patterns_are_those_of_any_format(tmp_path):
    """Sorted; parquet reads its own, which may have columns in the names of folders."""
    write_texts(tmp_path, "a\n1\n", "a\n2\n")
    pattern = str(tmp_path / "*.csv")
    assert expand_pattern(pattern) == [str(tmp_path / "0.csv"), str(tmp_path / "1.csv")]
    assert read(open_data_set([pattern]), ["a"]) == {"a": ["1", "2"]}
    assert expand_pattern(pattern, "parquet") == [pattern]
    assert expand_pattern(str(tmp_path / "*.tsv")) == [str(tmp_path / "*.tsv")]
    with pytest.raises(InputError, match=r"\*\.tsv: matches no file\. Check the pattern\."):
        open_data_set([str(tmp_path / "*.tsv")])
    odd = tmp_path / "[a].csv"
    odd.write_text("a\n3\n")
    assert expand_pattern(str(odd)) == [str(odd)]
    assert expand_pattern(f"{tmp_path}/*.db::t") == [f"{tmp_path}/*.db::t"]
    (tmp_path / "x.db").write_bytes(b"")
    assert expand_pattern(f"{tmp_path}/*.db::t") == [f"{tmp_path}/x.db::t"]
    assert expand_pattern("-") == ["-"]


def test_each_file_knows_its_rows(tmp_path):
    """Those of folders among them, whose files are opened by themselves."""
    folders = []
    for number in range(2):
        folders.append(str(WRITERS["parquet_folder"](tmp_path / f"folder{number}")))
    file = open_data_set(folders)
    assert len(read(file, ["id"])["id"]) == 2 * N_ROWS
    found = [(own.path.name, n_rows) for own, n_rows in file.list_files(2 * N_ROWS)]
    assert found == [("part-0.parquet", 25), ("part-1.parquet", 15)] * 2
    single = open_data(str(write_csv(tmp_path / "one.csv")))
    assert single.list_files(7) == [(single, 7)]

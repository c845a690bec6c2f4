"""Fields of structs are read by their path, in every format that holds structs."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files.arrow_types import to_plain_type
from evenfold.files.data_sets import open_data_set
from evenfold.files.named_columns import leave_out, match_columns, read_column
from evenfold.files.registry import open_data
from evenfold.files.struct_fields import Field, list_fields, take_field, take_value

from .arrow_writing import save_to_disk
from .made_files import GENRES, N_ROWS, PATIENT
from .struct_files import CLASS_NAMES, STRUCT_WRITERS, make_rows, make_struct_table

FIELDS = [
    "ann.labels",
    "ann.war",
    "ann.art",
    "meta.patient",
    "meta.id",
    "meta.age",
    "meta.place.site",
    "objects.genre",
    "objects.box",
]


@pytest.fixture(params=STRUCT_WRITERS)
def file(request, tmp_path):
    """The same rows in one of the formats."""
    path = tmp_path / request.param
    STRUCT_WRITERS[request.param](path)
    return open_data(str(path))


def test_each_format_has_the_fields_of_its_structs(file):
    """In their order; fields of structs in lists are lists, and the columns are as they were."""
    assert list(file.columns) == ["title", "ann", "meta", "objects"]
    assert list(file.fields) == FIELDS
    names = ["objects.genre", "title", "ann.labels", "meta.patient", "meta.place.site"]
    table = pa.Table.from_batches(list(file.read_batches(names)))
    assert table.column_names == names
    sites = [at % 3 for at in range(N_ROWS)]
    if file.format == "huggingface":
        sites = [CLASS_NAMES[site] for site in sites]
    assert table.to_pydict() == {
        "objects.genre": GENRES,
        "title": [f"film {at}" for at in range(N_ROWS)],
        "ann.labels": GENRES,
        "meta.patient": PATIENT,
        "meta.place.site": sites,
    }


def test_a_class_within_a_struct_is_a_class(tmp_path):
    """A ClassLabel in a saved dataset is one label per row there too."""
    STRUCT_WRITERS["saved"](tmp_path / "saved")
    assert list(open_data(str(tmp_path / "saved")).class_columns) == ["meta.place.site"]


@pytest.mark.parametrize("form", ["struct of lists", "list of structs", "old list"])
def test_classes_in_lists_of_structs_are_named(tmp_path, form):
    """As `datasets` describes them, in three forms; they are lists, not one class per row."""
    label = {"names": ["cat", "dog"], "_type": "ClassLabel"}
    if form == "struct of lists":
        cells = [{"category": [0, 1]}, None, {"category": [1]}]
        feature = {"feature": {"category": label}, "_type": "Sequence"}
    else:
        cells = [[{"category": 0}, {"category": 1}], None, [{"category": 1}]]
        feature = {"feature": {"category": label}, "_type": "List"}
        feature = [{"category": label}] if form == "old list" else feature
    save_to_disk(tmp_path / "saved", [pa.table({"objects": cells})], {"objects": feature})
    file = open_data(str(tmp_path / "saved"))
    [batch] = file.read_batches(["objects.category"])
    assert batch.to_pydict() == {"objects.category": [["cat", "dog"], None, ["dog"]]}
    assert list(file.class_columns) == []


def test_wrong_paths_are_refused(file):
    """The message has the fields of the struct, and the nearest of them."""
    with pytest.raises(
        InputError,
        match=r"'ann.lables' is not a column of .*\. Fields of 'ann': ann.labels, ann.war, "
        r"ann.art. Did you mean 'ann.labels'\?",
    ):
        match_columns(file, "ann.lables", "--labels")
    with pytest.raises(
        InputError, match=r"'titel.x' is not a column of .* Columns: title, ann, me"
    ):
        read_column(file, "titel.x", "--id")
    with pytest.raises(
        InputError, match=r"'meta' holds (structs|objects .*)\. Name a field of them: meta.patient,"
    ):
        read_column(file, "meta", "--groups")


def test_patterns_stand_for_the_fields_of_one_level(file):
    """Columns come first: fields are looked at only if no column matches."""
    assert match_columns(file, "ann.*", "--labels") == ["ann.labels", "ann.war", "ann.art"]
    assert match_columns(file, "ann.[aw]*", "--labels") == ["ann.war", "ann.art"]
    assert match_columns(file, "meta.*", "--labels") == ["meta.patient", "meta.id", "meta.age"]
    assert match_columns(file, "*.*.site", "--labels") == ["meta.place.site"]
    assert match_columns(file, "m*a", "--labels") == ["meta"]
    with pytest.raises(InputError, match=r"'ann.x\*' is not a column of .* Fields of 'ann': "):
        match_columns(file, "ann.x*", "--labels")


def test_the_other_fields_of_a_struct_stay_when_one_is_left_out(file):
    """Ids, groups and parts within a struct tell copies apart, so they are not compared."""
    kept = leave_out(file, file.columns, {"meta.id", "meta.patient", "title"})
    assert kept == {"ann", "objects", "meta.age", "meta.place.site"}
    assert leave_out(file, ["title", "ann"], {"meta.id"}) == {"title", "ann"}


def test_parts_keep_their_structs(file, tmp_path):
    """Rows are written as they are."""
    suffix = file.path.suffix
    targets = [tmp_path / f"part{at}{suffix}" for at in range(2)]
    part_of_row = (np.arange(N_ROWS) % 2).astype(np.int32)
    file.write_folder(
        {path.name: path for path in targets}
        | ({} if suffix else {"dataset_dict.json": tmp_path / "dataset_dict.json"}),
        ["part0", "part1"],
        part_of_row,
        None,
    )
    for part, target in enumerate(targets):
        batches = open_data(str(target)).read_batches(["meta.id", "objects.genre"])
        rows = make_rows()[part::2]
        assert pa.Table.from_batches(list(batches)).to_pydict() == {
            "meta.id": [row["meta"]["id"] for row in rows],
            "objects.genre": [[own["genre"] for own in row["objects"]] for row in rows],
        }


NULLS = [
    {"ann": {"labels": ["a"], "n": 1}, "list": [{"k": "x"}, {"k": None}]},
    {"ann": None, "list": None},
    {"ann": {"labels": None, "n": None}, "list": []},
    {"ann": {"labels": ["b", "c"], "n": 4}, "list": [None, {"k": "y"}]},
]


@pytest.mark.parametrize("name", ["data.parquet", "data.feather", "data.jsonl", "data.json"])
def test_a_null_struct_has_null_fields(tmp_path, name):
    """As has an object in which a key is missing; nulls within lists stay in their lists."""
    path = tmp_path / name
    if name.startswith("data.json"):
        text = "\n".join(map(json.dumps, NULLS)) if name.endswith("l") else json.dumps(NULLS)
        path.write_text(text.replace('"labels": null, ', ""))
    elif name == "data.parquet":
        pq.write_table(make_struct_table(NULLS), path)
    else:
        pa.feather.write_feather(make_struct_table(NULLS), path)
    batches = open_data(str(path)).read_batches(["ann.n", "ann.labels", "list.k"])
    assert pa.Table.from_batches(list(batches)).to_pydict() == {
        "ann.n": [1, None, None, 4],
        "ann.labels": [["a"], None, None, ["b", "c"]],
        "list.k": [["x", None], None, [], [None, "y"]],
    }


@pytest.mark.parametrize("name", ["data.parquet", "data.feather", "data.jsonl"])
def test_a_column_of_the_very_name_comes_first(tmp_path, name):
    """It hides the field, which the other fields of the struct do not change."""
    rows = [{"ann": {"x": at, "y": -at}, "ann.x": f"own {at}"} for at in range(3)]
    path = tmp_path / name
    if name == "data.jsonl":
        path.write_text("\n".join(map(json.dumps, rows)))
    else:
        write = pq.write_table if name == "data.parquet" else pa.feather.write_feather
        write(make_struct_table(rows), path)
    file = open_data(str(path))
    assert match_columns(file, "ann.*", "--labels") == ["ann.x"]
    table = pa.Table.from_batches(list(file.read_batches(["ann.y", "ann.x"])))
    assert table.to_pydict() == {"ann.y": [0, -1, -2], "ann.x": ["own 0", "own 1", "own 2"]}


def test_parquet_reads_only_the_fields_it_needs(tmp_path, monkeypatch):
    """A struct may hold images too."""
    rows = [{"image": {"path": f"{at}.png", "bytes": b"x" * 9}} for at in range(3)]
    pq.write_table(make_struct_table(rows), tmp_path / "data.parquet")
    read, asked = pq.ParquetFile.iter_batches, []

    def note(self, *args, columns=None, **options):
        asked.append(columns)
        return read(self, *args, columns=columns, **options)

    monkeypatch.setattr(pq.ParquetFile, "iter_batches", note)
    file = open_data(str(tmp_path / "data.parquet"))
    assert [batch.num_rows for batch in file.read_batches(["image.path"])] == [3]
    assert asked == [["image.path"]]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            '{"ann": {"a": "x"}}\n{"ann": "text"}',
            r"data.jsonl: line 2 has 'text' for 'ann', where an object with 'ann.a' is expected. W",
        ),
        (
            '{"ann": {"a": "x"}}\n{"ann": [{"a": "y"}, 3]}',
            r"data.jsonl: line 2 has .* for 'ann', where an object with 'ann.a' is expected",
        ),
        (
            '{"ann": {"a": "x"}}\n{"ann": {"a": 5}}',
            r"'ann.a' holds text \(line 1\) and whole numbers \(line 2\)\. Let it hold only text",
        ),
        (
            '{"ann": {"a": "x"}}\n{"ann": {"a": {"b": 1}}}',
            r"'ann.a' holds text \(line 1\) and objects \(line 2\)\. Let it hold only text",
        ),
        ('{"ann": {"a": 99999999999999999999}}', r"line 1 has '99999999999999999999' for 'ann.a'"),
        ('{"ann": {"a": "x"}}\n{"ann": {"a": "y"}', r"data.jsonl: line 2 is not JSON"),
        ('{"ann": {"b": "x"}}', r"no object has the key 'ann.a'\. The keys there are: ann\."),
    ],
)
def test_wrong_values_in_objects_are_refused(tmp_path, content, message):
    """With the line, as those of other columns are."""
    (tmp_path / "data.jsonl").write_text(content)
    file = open_data(str(tmp_path / "data.jsonl"))
    with pytest.raises(InputError, match=message):
        list(file.read_batches(["ann.a"]))


def test_fields_of_the_same_path_are_none(tmp_path):
    """Names may have dots, so that two fields can have one path."""
    dotted = pa.struct([("b.c", pa.int64()), ("d", pa.int64())])
    nested = pa.struct([("c", pa.int64())])
    schema = pa.schema([("a", dotted), ("a.b", nested)])
    assert list_fields(schema) == {"a.d": Field(("a", "d"))}
    assert list_fields(pa.schema([("a", dotted)]))["a.b.c"] == Field(("a", "b.c"))


def test_fields_of_several_files_are_those_of_all(tmp_path):
    """Of parts in two files, and of files that are one data set."""
    for name in ("one", "two"):
        STRUCT_WRITERS["data.jsonl"](tmp_path / f"{name}.jsonl")
        STRUCT_WRITERS["data.parquet"](tmp_path / f"{name}.parquet")
    for suffix in ("jsonl", "parquet"):
        file = open_data_set([str(tmp_path / f"{name}.{suffix}") for name in ("one", "two")])
        assert list(file.fields) == FIELDS
        assert read_column(file, "meta.patient", "--groups").to_pylist() == PATIENT * 2


@pytest.mark.parametrize(
    "kind",
    [
        pa.struct([("x", pa.string_view())]),
        pa.struct([("x", pa.dictionary(pa.int8(), pa.string()))]),
        pa.list_(pa.struct([("x", pa.string())])),
        pa.large_list(pa.struct([("x", pa.string())])),
        pa.list_(pa.struct([("x", pa.string())]), 1),
        pa.list_(pa.list_(pa.struct([("x", pa.string())]))),
    ],
)
def test_fields_agree_with_those_of_python_values(kind):
    """For slices too, and for nulls at each level."""
    value = {"x": "a"}
    for _ in range(str(kind).count("list<") + str(kind).count("fixed_size_list")):
        value = [value]
    if pa.types.is_fixed_size_list(kind):
        value = [{"x": "a"}]
    cells = pa.array([value, None, value, None if isinstance(value, list) else {"x": None}], kind)
    for part in (cells, cells.slice(1), cells.slice(1, 2)):
        plain = part.cast(to_plain_type(kind))
        expected = [take_value(own, ["x"]) for own in part.to_pylist()]
        assert take_field(plain, ["x"]).to_pylist() == expected


def test_a_field_cannot_be_filled(tmp_path):
    """New parts go into a column of their own."""
    STRUCT_WRITERS["data.parquet"](tmp_path / "data.parquet")
    with pytest.raises(InputError, match=r"'meta.patient' is a field of a struct, which cannot be"):
        open_data(str(tmp_path / "data.parquet")).check_fill("meta.patient")

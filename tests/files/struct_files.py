"""The same rows with structs in every format that holds them."""

import json

import duckdb
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

from .arrow_writing import save_to_disk
from .made_files import GENRES, N_ROWS, PATIENT

# The class of a ClassLabel within the struct.
CLASS_NAMES = ["north", "south", "west"]


def make_rows():
    """Return rows of three structs, one of lists of structs, and one plain column."""
    return [
        {
            "title": f"film {at}",
            "ann": {"labels": GENRES[at], "war": int("war" in GENRES[at]), "art": at % 2},
            "meta": {
                "patient": PATIENT[at],
                "id": f"r{at}",
                "age": at * 7 % 30,
                "place": {"site": at % 3},
            },
            "objects": [{"genre": genre, "box": [1, 2]} for genre in GENRES[at]],
        }
        for at in range(N_ROWS)
    ]


# Old versions of pyarrow sort the fields of a struct that they infer.
SCHEMA = pa.schema(
    [
        ("title", pa.string()),
        (
            "ann",
            pa.struct(
                [("labels", pa.list_(pa.string())), ("war", pa.int64()), ("art", pa.int64())]
            ),
        ),
        (
            "meta",
            pa.struct(
                [
                    ("patient", pa.string()),
                    ("id", pa.string()),
                    ("age", pa.int64()),
                    ("place", pa.struct([("site", pa.int64())])),
                ]
            ),
        ),
        (
            "objects",
            pa.list_(pa.struct([("genre", pa.string()), ("box", pa.list_(pa.int64()))])),
        ),
    ]
)


def make_struct_table(rows=None):
    """Return rows as an Arrow table, by default those of `make_rows`."""
    if rows is None:
        return pa.Table.from_pylist(make_rows(), SCHEMA)
    return pa.Table.from_pylist(rows)


def write_parquet(path):
    """Write one file, in several row groups."""
    pa.parquet.write_table(make_struct_table(), path, row_group_size=16)


def write_feather(path):
    """Write one file."""
    pa.feather.write_feather(make_struct_table(), path)


def write_jsonl(path):
    """Write an object in each line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in make_rows()))


def write_json(path):
    """Write an array of objects."""
    path.write_text(json.dumps(make_rows()))


def write_duckdb(path):
    """Write a database with one table."""
    table = make_struct_table()
    with duckdb.connect(str(path)) as connection:
        connection.register("given", table)
        connection.execute("CREATE TABLE data AS FROM given")


def write_saved(path):
    """Write a Hugging Face dataset whose site is a ClassLabel within structs."""
    value = {"dtype": "string", "_type": "Value"}
    number = {"dtype": "int64", "_type": "Value"}
    label = {"names": CLASS_NAMES, "_type": "ClassLabel"}
    table = make_struct_table()
    save_to_disk(
        path,
        [table.slice(0, 30), table.slice(30)],
        {
            "title": value,
            "ann": {
                "labels": {"feature": value, "_type": "List"},
                "war": number,
                "art": number,
            },
            "meta": {"patient": value, "id": value, "age": number, "place": {"site": label}},
            "objects": {
                "feature": {"genre": value, "box": {"feature": number, "_type": "List"}},
                "_type": "List",
            },
        },
    )


STRUCT_WRITERS = {
    "data.parquet": write_parquet,
    "data.feather": write_feather,
    "data.jsonl": write_jsonl,
    "data.json": write_json,
    "data.duckdb": write_duckdb,
    "saved": write_saved,
}

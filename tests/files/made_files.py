"""The same small data in every format."""

import gzip
import json
import sqlite3

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import xlsxwriter
from scipy import sparse

GENRES = [
    ["drama"],
    ["crime", "drama"],
    ["comedy"],
    ["drama", "war"],
    [],
    ["comedy", "romance"],
    ["crime"],
    ["drama", "romance"],
] * 5
NAMES = sorted({name for row in GENRES for name in row})
N_ROWS = len(GENRES)
TITLE = [f'title {at}, "quoted" – ü' for at in range(N_ROWS)]
PATIENT = [f"p{at // 4}" for at in range(N_ROWS)]
MATRIX = np.array([[name in row for name in NAMES] for row in GENRES], dtype=np.int8)


def make_table():
    """Return id, title, patient, age and a list of genres."""
    return pa.table(
        {
            "id": np.arange(N_ROWS),
            "title": TITLE,
            "patient": PATIENT,
            "age": np.arange(N_ROWS) * 7 % 30,
            "genres": GENRES,
        }
    )


def write_csv(path, delimiter=",", rows=range(N_ROWS), extra=None):
    """Write the table as text, genres with | between them; `extra` is a name and values."""
    quote = {text: '"' + text.replace('"', '""') + '"' for text in TITLE}
    lines = [["id", "title", "patient", "age", "genres"]]
    lines += [
        [str(at), quote[TITLE[at]], PATIENT[at], str(at * 7 % 30), "|".join(GENRES[at])]
        for at in rows
    ]
    if extra is not None:
        lines = [[*line, cell] for line, cell in zip(lines, [extra[0], *extra[1]], strict=True)]
    path.write_text("".join(delimiter.join(line) + "\n" for line in lines), encoding="utf-8")
    return path


def write_parquet(path):
    """Write one file."""
    pa.parquet.write_table(make_table(), path)
    return path


def write_parquet_folder(path):
    """Write two files into a folder."""
    path.mkdir()
    for number, start in enumerate((0, 25)):
        pa.parquet.write_table(make_table().slice(start, 25), path / f"part-{number}.parquet")
    return path


def write_feather(path):
    """Write one file."""
    pa.feather.write_feather(make_table(), path)
    return path


def write_jsonl(path):
    """Write one object per line."""
    path.write_text("".join(json.dumps(row) + "\n" for row in make_table().to_pylist()))
    return path


def write_json(path):
    """Write an array of objects."""
    path.write_text(json.dumps(make_table().to_pylist(), indent=2))
    return path


def write_arff(path):
    """Write a dense file with Mulan's list of labels beside it."""
    attributes = ["@attribute size numeric", *(f"@attribute {name} {{0,1}}" for name in NAMES)]
    rows = [",".join([str(at), *map(str, flags)]) for at, flags in enumerate(MATRIX)]
    path.write_text("\n".join(["@relation movies", *attributes, "@data", *rows, ""]))
    labels = "".join(f'<label name="{name}"></label>' for name in NAMES)
    path.with_suffix(".xml").write_text(
        f'<labels xmlns="http://mulan.sourceforge.net/labels">{labels}</labels>'
    )
    return path


def write_svmlight(path):
    """Write label numbers and one feature per line."""
    path.write_text(
        "".join(
            f"{','.join(str(NAMES.index(name)) for name in row)} {at + 1}:0.5\n"
            for at, row in enumerate(GENRES)
        )
    )
    return path


def write_npz(path):
    """Write a sparse matrix."""
    sparse.save_npz(path, sparse.csr_array(MATRIX))
    return path


def write_coco(path):
    """Write images, two annotations of each of their categories, and categories."""
    images = [{"id": 100 + at, "file_name": f"{at}.jpg"} for at in range(N_ROWS)]
    seen = [
        (at, NAMES.index(name)) for at, row in enumerate(GENRES) for name in row for _ in range(2)
    ]
    annotations = [
        {"id": number, "image_id": 100 + at, "category_id": label}
        for number, (at, label) in enumerate(seen)
    ]
    categories = [{"id": label, "name": name} for label, name in enumerate(NAMES)]
    path.write_text(
        json.dumps(
            {
                "info": {"year": 2024},
                "images": images,
                "annotations": annotations,
                "categories": categories,
            }
        )
    )
    return path


def list_text_rows():
    """Return the header and the rows of the table, genres with | between them."""
    rows = [[at, TITLE[at], PATIENT[at], at * 7 % 30, "|".join(GENRES[at])] for at in range(N_ROWS)]
    return [["id", "title", "patient", "age", "genres"], *rows]


def write_xlsx(path, sheets=None):
    """Write a workbook: the table as one sheet, or the rows of each sheet."""
    with xlsxwriter.Workbook(str(path)) as book:
        for name, rows in ({"Films": list_text_rows()} if sheets is None else sheets).items():
            sheet = book.add_worksheet(name)
            for number, row in enumerate(rows):
                sheet.write_row(number, 0, row)
    return path


def write_sqlite(path, table="films"):
    """Write a database with one table."""
    header, *rows = list_text_rows()
    connection = sqlite3.connect(path)
    with connection:
        kinds = ("INTEGER PRIMARY KEY", "TEXT NOT NULL", "TEXT", "INT", "TEXT")
        columns = ", ".join(map(" ".join, zip(header, kinds, strict=True)))
        connection.execute(f'CREATE TABLE "{table}" ({columns})')
        connection.executemany(f'INSERT INTO "{table}" VALUES (?, ?, ?, ?, ?)', rows)
    connection.close()
    return path


def write_duckdb(path, table="films"):
    """Write a database with one table, genres as lists."""
    with duckdb.connect(str(path)) as connection:
        connection.register("made", make_table())
        connection.execute(f'CREATE TABLE "{table}" AS SELECT * FROM made')
    return path


def write_huggingface(path, table=None):
    """Write a folder as `datasets` saves one."""
    path.mkdir()
    table = make_table() if table is None else table
    with (
        pa.OSFile(str(path / "data-00000-of-00001.arrow"), "wb") as file,
        pa.ipc.new_stream(file, table.schema) as stream,
    ):
        stream.write_table(table)
    state = {
        "_data_files": [{"filename": "data-00000-of-00001.arrow"}],
        "_fingerprint": "abc",
        "_split": None,
    }
    (path / "state.json").write_text(json.dumps(state))
    (path / "dataset_info.json").write_text("{}")
    return path


def write_compressed(path, write):
    """Write a file by another function, and compress it as its name says."""
    plain = write(path.with_suffix(""))
    content = plain.read_bytes()
    plain.unlink()
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(content))
    else:
        with pa.CompressedOutputStream(str(path), "zstd") as file:
            file.write(content)
    return path


WRITERS = {
    "data.csv": write_csv,
    "data.tsv": lambda path: write_csv(path, "\t"),
    "data.parquet": write_parquet,
    "parquet_folder": write_parquet_folder,
    "data.feather": write_feather,
    "data.jsonl": write_jsonl,
    "data.csv.gz": lambda path: write_compressed(path, write_csv),
    "data.csv.zst": lambda path: write_compressed(path, write_csv),
    "data.tsv.gz": lambda path: write_compressed(path, lambda plain: write_csv(plain, "\t")),
    "data.jsonl.gz": lambda path: write_compressed(path, write_jsonl),
    "data.jsonl.zst": lambda path: write_compressed(path, write_jsonl),
    "data.arff": write_arff,
    "data.svm": write_svmlight,
    "data.npz": write_npz,
    "data.json": write_coco,
    "records.json": write_json,
    "hf_folder": write_huggingface,
    "data.xlsx": write_xlsx,
    "data.sqlite": write_sqlite,
    "data.duckdb": write_duckdb,
}

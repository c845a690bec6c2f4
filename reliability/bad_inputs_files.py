"""Files that are damaged or hold something else, and the good ones beside them."""

from __future__ import annotations

import gzip
import sqlite3
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import evenfold

N_ROWS = 24
_TAGS = ["a|b" if at % 2 else "b|c" if at % 3 else "" for at in range(N_ROWS)]
_HEAD = "id,tags,who,age,text,part,e0,e1"
_LINES = [
    f"{at},{_TAGS[at]},w{at // 3},{at % 7},text {at},{'test' if at % 4 == 0 else 'train'},{at},1"
    for at in range(N_ROWS)
]
DATA = "\n".join([_HEAD, *_LINES, ""]).encode()
_SPLIT = "split data.csv --labels tags --folds 2 -o out"
_LINK = "link data.csv -o out.csv"

# Files that are damaged or hold something else, the command that reads them, and what is said.
FILES: dict[str, tuple[bytes, str, tuple[str, ...]]] = {
    "empty.csv": (b"", "info {} --labels tags", ("is empty",)),
    "blank.csv": (b"\n\n\n", "info {} --labels tags", ()),
    "header.csv": (b"id,tags\n", "info {} --labels tags", ("no rows",)),
    "ragged.csv": (b"id,tags\n1,a\n2\n", "info {} --labels tags", ("line 3", "1 instead of 2")),
    "long_row.csv": (b"id,tags\n1,a,b\n", "info {} --labels tags", ("line 2", "3 instead of 2")),
    "open_quote.csv": (b'id,tags\n1,"a\n', "info {} --labels tags", ("line 2",)),
    "latin.csv": (b"id,tags\n1,\xe9t\xe9\n", "info {} --labels tags", ("UTF-8", "line 2")),
    "utf16.csv": ("id,tags\n1,a\n".encode("utf-16"), "info {} --labels tags", ()),
    "nul.csv": (b"id,tags\n1,a\0b\n2,c\n", "info {} --labels tagz", ("tagz",)),
    "twice.csv": (b"tags,tags\na,b\n", "info {} --labels tags", ("'tags'",)),
    "unnamed.csv": (b"id,\n1,a\n", "info {} --labels tags", ("tags",)),
    "numbers.csv": (b"id,x,y\n1,0.5,1\n2,0.7,0\n", "info {} --labels x,y", ("0.5", "'x'")),
    "two.csv": (b"id,x,y\n1,0,1\n2,2,0\n", "info {} --labels x,y", ("2", "row 1", "'x'")),
    "words.csv": (b"id,x,y\n1,0,1\n2,yes,0\n", "info {} --labels x,y", ("'x'",)),
    "half.csv.gz": (gzip.compress(DATA)[:60], "info {} --labels tags", ("gzip",)),
    "plain.csv.gz": (DATA, "info {} --labels tags", ("gzip", "Rename")),
    "plain.csv.zst": (DATA, "info {} --labels tags", ("zst",)),
    "data.parquet.gz": (b"x", "info {}", (".parquet.gz",)),
    "text.parquet": (DATA, "info {} --labels tags", ("cannot be read",)),
    "empty.parquet": (b"", "info {} --labels tags", ("cannot be read",)),
    "text.feather": (DATA, "info {} --labels tags", ("cannot be read",)),
    "empty.feather": (b"", "info {} --labels tags", ("cannot be read",)),
    "bracket.jsonl": (b'{"tags": ["a"]}\n{"tags": [\n', "info {} --labels tags", ("line 2",)),
    "list.jsonl": (b'{"tags": ["a"]}\n[1]\n', "info {} --labels tags", ("line 2",)),
    "deep.jsonl": (b'{"tags": ' + b"[" * 9999, "info {} --labels tags", ("line 1",)),
    "mixed.jsonl": (b'{"tags": ["a"]}\n{"tags": [1]}\n', "info {} --labels tags", ("tags",)),
    "nested.jsonl": (b'{"tags": [["a"]]}\n' * 3, "info {} --labels tags", ("tags",)),
    "object.json": (b'{"a": 1}', "info {}", ("COCO",)),
    "cut.json": (b'{"images": [', "info {}", ("JSON",)),
    "array.json": (b'[{"tags": ["a"]}, 3]', "info {} --labels tags", ("JSON",)),
    "no_image.json": (
        b'{"images": [{"id": 1}], "annotations": [{"image_id": 2, "category_id": 1}],'
        b' "categories": [{"id": 1, "name": "a"}]}',
        "info {}",
        ("2",),
    ),
    "no_category.json": (
        b'{"images": [{"id": 1}], "annotations": [{"image_id": 1, "category_id": 5}],'
        b' "categories": [{"id": 1, "name": "a"}]}',
        "info {}",
        ("5",),
    ),
    "no_data.arff": (b"@relation r\n@attribute a {0,1}\n", "info {} --labels a", ("@data",)),
    "kind.arff": (b"@relation r\n@attribute a x\n@data\n1\n", "info {}", ("line 2",)),
    "value.arff": (
        b"@relation 'r: -C 1'\n@attribute a {0,1}\n@attribute f numeric\n@data\n7,1\n",
        "info {}",
        ("7", "line 5"),
    ),
    "cells.arff": (
        b"@relation 'r: -C 1'\n@attribute a {0,1}\n@attribute f numeric\n@data\n1\n",
        "info {}",
        ("line 5",),
    ),
    "many.arff": (b"@relation 'r: -C 9'\n@attribute a {0,1}\n@data\n1\n", "info {}", ("9",)),
    "word.svm": (b"a 1:1\n", "info {}", ("line 1", "'a'")),
    "blank.svm": (b"1, 2 1:1\n", "info {}", ("line 1",)),
    "large.svm": (b"99999999999999999999 1:1\n", "info {}", ("line 1",)),
    "empty.svm": (b"", "info {}", ("no rows",)),
    "feature.svm": (b"1 x:1\n2 1:1\n", "split {} --folds 2 --difficulty -o out", ("line 1", "x:1")),
    "text.npz": (DATA, "info {}", ("npz",)),
    "empty.npz": (b"", "info {}", ("npz",)),
    "text.xlsx": (DATA, "info {} --labels tags", ("xlsx",)),
    "text.db": (DATA, "info {} --labels tags", ("sqlite",)),
    "text.duckdb": (DATA, "info {} --labels tags", ("DuckDB",)),
    "empty.txt": (b"", "info {}", ("no rows",)),
    "bad.yaml": (b"names: [a\n", "info {}", ("line",)),
    "list.yaml": (b"- a\n- b\n", "info {}", ()),
    "no_images.yaml": (b"train: gone\nnames: [a]\n", "info {}", ("gone",)),
    "data.cvs": (DATA, "info {} --labels tags", ("--format", "csv")),
    "data": (DATA, "info {} --labels tags", ("--format",)),
    "circle.csv": (
        b"label,parent\na,b\nb,a\n",
        f"{_SPLIT} --propagate {{}}",
        ("--propagate", "circle", "'a', 'b'"),
    ),
    "other.csv": (b"label,parent\nGO:1,GO:2\n", f"{_SPLIT} --propagate {{}}", ("GO:1",)),
    "wide.csv": (b"label,parent,x\na,b,c\n", f"{_SPLIT} --propagate {{}}", ("line 1", "3")),
    "nameless.csv": (b"label,parent\n,b\n", f"{_SPLIT} --propagate {{}}", ("line 2", "'b'")),
    "none.obo": (b"format-version: 1.2\n", f"{_SPLIT} --propagate {{}}", ("[Term]",)),
    "id.obo": (b"[Term]\nname: a\n", f"{_SPLIT} --propagate {{}}", ("line 1", "0 ids")),
    "tree.txt": (b"a,b\n", f"{_SPLIT} --propagate {{}}", (".obo",)),
    "latin.obo": (b"[Term]\nid: \xe9\n", f"{_SPLIT} --propagate {{}}", ("line 2", "UTF-8")),
    "pairs.csv": (b"a,b\n0,99\n", f"{_LINK} --pairs {{}}", ("--pairs", "99")),
    "negative.csv": (b"a,b\n0,-1\n", f"{_LINK} --pairs {{}}", ("--pairs", "-1")),
    "one.csv": (b"a\n1\n", f"{_LINK} --pairs {{}}", ("line 2",)),
    "none.csv": (b"a,b\n", f"{_LINK} --pairs {{}}", ("no pairs",)),
    "score.csv": (b"a,b,c\n0,1,0.9\n0,2,x\n", f"{_LINK} --pairs {{}}", ("line 3", "'x'")),
    "pairs.xml": (b"<a/>", f"{_LINK} --pairs {{}}", (".m8",)),
    "text.npy": (DATA, f"{_LINK} --similar {{}}", ("npy",)),
    "pairs.npy": (b"", f"{_LINK} --pairs {{}}", ("npy",)),
    "emb.csv": (b"a,b\n1,2\n", f"{_LINK} --similar {{}}", ("--similar", "24", "1")),
    "embtext.csv": (b"a,b\n1,x\n", f"{_LINK} --similar {{}}", ("'b'",)),
    "list.json": (b"[]", "check data.csv --from-manifest {}", ("other JSON",)),
    "text.json": (b"{", "check data.csv --from-manifest {}", ("JSON",)),
    "version.json": (
        b'{"format": "evenfold split", "format_version": 99}',
        "check data.csv --from-manifest {}",
        ("99",),
    ),
}


def write_files(folder: Path) -> None:
    """Write what the commands read, good and bad."""
    (folder / "data.csv").write_bytes(DATA)
    (folder / "old.csv").write_bytes(b"precious")
    (folder / "l.xml").write_bytes(b"<labels/>")
    for name in ("folder", "folder2", "folder3"):
        (folder / name).mkdir()
    (folder / "folder2" / "_manifest.json").write_text("{")
    (folder / "folder3" / "fold0.csv").write_text("precious")
    tags = [text.split("|") if text else [] for text in _TAGS]
    part = ["train" if at % 4 else "test" for at in range(N_ROWS)]
    table = pa.table({"id": np.arange(N_ROWS), "tags": tags, "part": part})
    pq.write_table(table, folder / "data.parquet")
    split = evenfold.split(tags, {"train": 0.75, "test": 0.25})
    split.save(folder / "split.json")
    other = DATA.replace(b"a|b", b"c")
    (folder / "other24.csv").write_bytes(other)
    with sqlite3.connect(folder / "two.db") as connection:
        connection.execute("CREATE TABLE a (tags TEXT)")
        connection.execute("CREATE TABLE b (tags TEXT)")
    connection.close()
    for name, (content, *_) in FILES.items():
        (folder / name).write_bytes(content)

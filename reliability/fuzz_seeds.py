"""Valid files that fuzzing begins with; those of the tests, and others of rarer forms."""

from __future__ import annotations

import json
import sqlite3
import struct
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy import sparse
from tests.files.arrow_writing import save_dict_to_disk, write_ipc
from tests.files.made_files import GENRES, MATRIX, N_ROWS, NAMES, PATIENT, WRITERS, make_table
from tests.files.made_images import write_image_folder, write_label_studio, write_label_studio_min
from tests.files.made_images import write_yolo as write_many_images

PARTS = ["train" if at % 4 else "test" for at in range(N_ROWS)]
_PARENTS = [("crime", "drama"), ("war", "drama"), ("romance", "comedy"), ("drama", "film")]


def run(folder: Path, *words: str) -> None:
    """Run a command that makes a seed."""
    command = [sys.executable, "-m", "evenfold", *words, "-q"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def write_made(name: str) -> Any:
    """Return a function that writes the file of the tests."""
    return lambda folder: WRITERS[name](folder / name)


def write_flags_csv(folder: Path) -> None:
    """Write one column of 0 and 1 for each label, a part, a text, and embeddings."""
    rng = np.random.default_rng(0)
    lines = [["id", "part", "text", *NAMES, "emb_0", "emb_1", "file"]]
    for at, flags in enumerate(MATRIX):
        emb = [f"{value:.3f}" for value in rng.normal(size=2)]
        text = (
            '"a, ""quoted""\nfilm"'
            if at == 3
            else f"{NAMES[at % 5] * (at % 13)} of the year {at // 2}"
        )
        lines.append([str(at), PARTS[at], text, *map(str, flags), *emb, f"{at % 9}.bin"])
    (folder / "data.csv").write_text("".join(",".join(line) + "\n" for line in lines))
    for at in range(9):
        (folder / f"{at}.bin").write_bytes(b"%d" % (at % 4))


def write_lists_csv(folder: Path) -> None:
    """Write labels as Python's lists, with a byte order mark and CRLF."""
    rows = [f'{at},"{row!r}",{PARTS[at]}' for at, row in enumerate(GENRES)]
    text = "\ufeff" + "\r\n".join(["id,genres,part", *rows, ""])
    (folder / "data.csv").write_text(text, encoding="utf-8", newline="")


def write_long_csv(folder: Path) -> None:
    """Write one line for each item and label."""
    lines = [f"{at};{name};{at % 7}" for at, row in enumerate(GENRES) for name in row]
    (folder / "data.csv").write_text("\n".join(["item;label;age", *lines, ""]))


def write_odd_table(number: int) -> pa.Table:
    """Return a table in which each column has a rare type."""
    n = N_ROWS
    whole = np.arange(n)
    labels: list[Any] = [
        pa.array(GENRES),
        pa.array(["|".join(row) for row in GENRES]).dictionary_encode(),
        pa.array([row or None for row in GENRES], pa.large_list(pa.large_string())),
        pa.array([[[name, 1] for name in []] for _ in GENRES], pa.list_(pa.list_(pa.string()))),
        pa.array([[(name, 1) for name in row] for row in GENRES], pa.map_(pa.string(), pa.int8())),
        pa.array([{"a": row, "b": 1} for row in GENRES]),
        pa.array([[at % 2, at % 3 // 2] for at in range(n)], pa.list_(pa.int8(), 2)),
        pa.array([[at % 3] for at in range(n)], pa.list_view(pa.int64())),
        pa.array([row[0] if row else None for row in GENRES], pa.string_view()),
        pa.array([b"b" if at % 2 else b"a" for at in range(n)], pa.binary()),
        pa.array(whole % 2 == 0),
        pa.array((whole % 3).astype(np.float32)),
    ]
    columns: dict[str, Any] = {
        "genres": labels[number % len(labels)],
        "id": pa.array(whole * 10**7, pa.uint64()),
        "patient": pa.array(PATIENT).dictionary_encode(),
        "part": pa.array(PARTS, pa.large_string()),
        "age": pa.array([None if at % 5 == 0 else at for at in range(n)], pa.decimal128(9, 2)),
        "title": pa.array([f"t{at % 9}" if at % 4 else None for at in range(n)]),
        "when": pa.array(whole * 10**12, pa.timestamp("us", "UTC")),
        "day": pa.array(whole.astype(np.int32), pa.date32()),
        "took": pa.array(whole, pa.duration("s")),
        "none": pa.nulls(n),
    }
    return pa.table(columns)


def write_odd_parquet(number: int, **options: Any) -> Any:
    """Return a function that writes a parquet file of rare types."""

    def write(folder: Path) -> None:
        table = write_odd_table(number)
        kept = [name for name in table.column_names if not _is_view(table.schema.field(name).type)]
        pq.write_table(table.select(kept), folder / "data.parquet", **options)

    return write


def write_odd_arrow(number: int, *, stream: bool, codec: str | None = None) -> Any:
    """Return a function that writes an Arrow file, or stream, of rare types."""
    return lambda folder: write_ipc(
        folder / "data.arrow", write_odd_table(number), stream=stream, codec=codec
    )


def _is_view(kind: pa.DataType) -> bool:
    return pa.types.is_list_view(kind)


def write_parted_jsonl(folder: Path) -> None:
    """Write objects with members of several types, some of which are missing."""
    rows = []
    for at, row in enumerate(GENRES):
        own: dict[str, Any] = {"id": at, "genres": row, "part": PARTS[at], "patient": PATIENT[at]}
        own["meta"] = {"age": at, "deep": [{"a": None}]}
        own |= {"age": at / 2, "title": f"t{at % 9}"} if at % 7 else {"age": None}
        rows.append(json.dumps(own))
    (folder / "data.jsonl").write_text("\n".join(rows))


def write_meka_arff(folder: Path) -> None:
    """Write a sparse ARFF file of MEKA, with quoted names and a date."""
    attributes = [f"@attribute '{name} x' {{0,1}}" for name in NAMES]
    attributes += ["@attribute age numeric % years", '@attribute "a text" string']
    rows = []
    for at, flags in enumerate(MATRIX):
        cells = [f"{label} 1" for label, own in enumerate(flags) if own]
        cells += [f"5 {at}", f"6 'it\\'s {at}'"] if at % 3 else []
        rows.append("{" + ", ".join(cells) + "}")
    head = [f"@relation 'movies: -C {len(NAMES)}'", "", *attributes, "", "@data", "% rows"]
    (folder / "data.arff").write_text("\n".join([*head, *rows, ""]))


def write_extreme(folder: Path) -> None:
    """Write the text of the extreme classification repository."""
    rows = [
        f"{','.join(str(NAMES.index(name)) for name in row)} {at % 9}:0.5 {9 + at % 9}:1"
        for at, row in enumerate(GENRES)
    ]
    (folder / "data.txt").write_text("\n".join([f"{N_ROWS} 18 {len(NAMES)}", *rows, ""]))


def write_svmlight_with_comments(folder: Path) -> None:
    """Write comments, numbers of queries and rows without labels."""
    rows = [
        f"{','.join(str(NAMES.index(name)) for name in row)} qid:{at % 4} {at + 1}:0.5 # row {at}"
        for at, row in enumerate(GENRES)
    ]
    (folder / "data.svm").write_text("\n".join(["# made", *rows, ""]))


def write_named_npz(folder: Path) -> None:
    """Write arrays with names of labels, features, ids and parts."""
    rng = np.random.default_rng(0)
    np.savez_compressed(
        folder / "data.npz",
        y=MATRIX,
        X=rng.normal(size=(N_ROWS, 3)),
        label_names=np.array(NAMES),
        feature_names=np.array(["a", "b", "c"]),
        id=np.arange(N_ROWS),
        part=np.array(PARTS),
        note=np.array([b"x\xc3\xa9"] * N_ROWS),
    )


def write_sparse_npz(folder: Path) -> None:
    """Write a sparse matrix in another format, with arrays beside it."""
    sparse.save_npz(folder / "data.npz", sparse.coo_array(MATRIX))
    with np.load(folder / "data.npz") as own:
        arrays = dict(own)
    np.savez(folder / "data.npz", **arrays, names=np.array(NAMES), part=np.array(PARTS))


def write_boxed_coco(folder: Path) -> None:
    """Write COCO with boxes, sizes and licenses."""
    images = [
        {"id": at, "file_name": f"{at}.jpg", "width": 640, "height": 480} for at in range(N_ROWS)
    ]
    seen = [(at, name) for at, row in enumerate(GENRES) for name in row]
    annotations = [
        {"id": number, "image_id": at, "category_id": NAMES.index(name), "bbox": [1, 2.5, 30, 40],
         "area": 1200, "iscrowd": 0}
        for number, (at, name) in enumerate(seen)
    ]  # fmt: skip
    categories = [{"id": label, "name": name} for label, name in enumerate(NAMES)]
    content = {"images": images, "annotations": annotations, "categories": categories}
    (folder / "data.json").write_text(json.dumps(content | {"licenses": []}))


def write_yolo(folder: Path) -> None:
    """Write images, label files, lists and a YAML file."""
    write_many_images(folder / "data")


def write_classes(folder: Path) -> None:
    """Write images into folders of classes."""
    write_image_folder(folder / "data")


def write_pictures(folder: Path) -> None:
    """Write a csv that names small images, two of which are alike."""
    lines = ["id,genres,file"]
    for at, row in enumerate(GENRES[:12]):
        (folder / f"{at}.png").write_bytes(make_png(at % 5))
        lines.append(f"{at},{'|'.join(row)},{at}.png")
    (folder / "data.csv").write_text("\n".join([*lines, ""]))


def make_png(seed: int) -> bytes:
    """Return a grey picture of 16 × 16 dots."""
    dots = np.random.default_rng(seed).integers(0, 256, (16, 16), dtype=np.uint8)
    lines = b"".join(b"\0" + line.tobytes() for line in dots)

    def chunk(kind: bytes, content: bytes) -> bytes:
        check = struct.pack(">I", zlib.crc32(kind + content))
        return struct.pack(">I", len(content)) + kind + content + check

    head = struct.pack(">IIBBBBB", 16, 16, 8, 0, 0, 0, 0)
    parts = chunk(b"IHDR", head), chunk(b"IDAT", zlib.compress(lines)), chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def write_studio(folder: Path) -> None:
    """Write tasks of Label Studio."""
    write_label_studio(folder / "data.json")


def write_studio_min(folder: Path) -> None:
    """Write JSON-MIN of Label Studio."""
    write_label_studio_min(folder / "data.json")


def write_odd_sqlite(folder: Path) -> None:
    """Write cells of several types in a column, a view, and a name with quotes."""
    with sqlite3.connect(folder / "data.db") as connection:
        connection.execute('CREATE TABLE "a ""b" (id, genres, part TEXT, age NUMERIC, raw BLOB)')
        rows = [
            (at, "|".join(row), PARTS[at], (None, 2**62, "x", 0.5)[at % 4], b"\xff\0")
            for at, row in enumerate(GENRES)
        ]
        connection.executemany('INSERT INTO "a ""b" VALUES (?, ?, ?, ?, ?)', rows)
        connection.execute('CREATE VIEW v AS SELECT id, genres FROM "a ""b"')
    connection.close()


def write_saved_dict(folder: Path) -> None:
    """Write a DatasetDict with classes by number."""
    table = pa.table(
        {"genres": [[NAMES.index(name) for name in row] for row in GENRES], "text": PATIENT}
    )
    features = {
        "genres": {"feature": {"names": NAMES, "_type": "ClassLabel"}, "_type": "Sequence"},
        "text": {"dtype": "string", "_type": "Value"},
    }
    splits = {"train": [table.slice(0, 15), table.slice(15, 10)], "test": [table.slice(25)]}
    save_dict_to_disk(folder / "data", splits, features)


def write_manifest(folder: Path) -> None:
    """Write data and the record of a split of it, with what it remembers of the command."""
    WRITERS["data.csv"](folder / "data.csv")
    words = "split data.csv --labels genres --folds 3 --groups patient --copies title --id id"
    run(folder, *words.split(), "--manifest", "split.json")
    WRITERS["data.csv"](folder / "new.csv")


def write_plain_manifest(folder: Path) -> None:
    """Write a record of named parts."""
    WRITERS["data.jsonl"](folder / "data.jsonl")
    words = "split data.jsonl --labels genres --parts train=0.7,test=0.3 --manifest split.json"
    run(folder, *words.split())


def write_scaled(folder: Path) -> None:
    """Write a folder that a split past memory has written, and a new file."""
    for number in range(2):
        table = make_table().append_column("fixed", pa.array([*PARTS[:20], *[None] * 20]))
        pq.write_table(table, folder / f"{number}.parquet")
    words = "split 0.parquet --labels genres --parts train=0.7,test=0.3 --memory 1KB -o out"
    run(folder, *words.split())


def write_cache(folder: Path) -> None:
    """Write data and the predictions of an evaluation."""
    write_flags_csv(folder)
    run(folder, *EVALUATE.split(), "--cache", "cache")


EVALUATE = (
    "evaluate data.csv --labels comedy:war --features emb_* --learner mlknn --folds 2 "
    "--repeats 1 --method random --metrics hamming_loss,ranking_loss --samples 0"
)


def write_hierarchies(folder: Path) -> None:
    """Write hierarchies in each form."""
    WRITERS["data.jsonl"](folder / "data.jsonl")
    lines = [",".join(pair) for pair in _PARENTS]
    (folder / "h.csv").write_text("\n".join(["label,parent", *lines, "film,", ""]))
    (folder / "h.tsv").write_text("\n".join(lines).replace(",", "\t"))
    terms = [
        f"[Term]\nid: {child}\nname: {child}\nis_a: {parent} ! {parent}\n"
        "relationship: part_of film\n"
        for child, parent in _PARENTS[:3]
    ]
    old = "[Term]\nid: old\nis_obsolete: true\n"
    typedef = "[Typedef]\nid: part_of\n"
    (folder / "h.obo").write_text("\n".join(["format-version: 1.2\n", *terms, old, typedef]))


def write_pairs(folder: Path) -> None:
    """Write pairs of rows in each form, and embeddings in each form."""
    WRITERS["data.csv"](folder / "data.csv")
    pairs = [(at, at + 1, round(0.5 + at / 99, 3)) for at in range(0, 30, 3)]
    (folder / "p.csv").write_text("a,b,score\n" + "".join(f"{a},{b},{c}\n" for a, b, c in pairs))
    lines = "".join(f"{a}\t{b}\t{c}\t120\n" for a, b, c in pairs)
    (folder / "p.m8").write_text("# hits\n" + lines)
    (folder / "p.tsv").write_text(lines)
    pq.write_table(
        pa.table({"a": [a for a, *_ in pairs], "b": [b for _, b, _ in pairs]}), folder / "p.parquet"
    )
    np.save(folder / "p.npy", np.array(pairs)[:, :2].astype(np.int64))


def write_embeddings(folder: Path) -> None:
    """Write embeddings in each form."""
    WRITERS["data.csv"](folder / "data.csv")
    rng = np.random.default_rng(0)
    emb = rng.normal(size=(N_ROWS, 4)).astype(np.float32)
    np.save(folder / "e.npy", emb)
    np.savez(folder / "e.npz", X=emb)
    sparse.save_npz(folder / "s.npz", sparse.csr_array(emb * (emb > 0)))
    pq.write_table(pa.table({"emb": emb.tolist()}), folder / "e.parquet")
    text = "\n".join(",".join(f"{own:.3f}" for own in row) for row in emb)
    (folder / "e.csv").write_text(f"a,b,c,d\n{text}\n")


def write_journal(folder: Path) -> None:
    """Write what a killed process left in a folder of outputs: a journal and its files."""
    WRITERS["data.csv"](folder / "data.csv")
    box = folder / "box"
    (box / ".evenfold-a1").mkdir(parents=True)
    (box / ".evenfold-a1" / "0").write_text("new")
    (box / "old.csv").write_text("old")
    entries = [{"from": [".evenfold-a1", "0"], "to": "old.csv", "keep": ".evenfold-a1-old"}]
    (box / ".evenfold-journal-0a1b2c3d.json").write_text(json.dumps(entries))

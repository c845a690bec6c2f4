"""Data with rows that belong together, in the ways that options can find."""

import csv

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

N_ROWS = 60
# Rows that are alike, in every way but those of `PATIENT`.
TWINS = [(3, 30), (30, 45), (8, 50)]
PATIENT = [f"p{row // 3}" if row % 10 else "" for row in range(N_ROWS)]
STUDY = [f"s{row // 6}" if row % 2 else "" for row in range(N_ROWS)]
TAGS = [["a"], ["b"], ["a", "b"], ["c"], []] * 12


def make_embeddings():
    """Return random vectors; those of twins are almost equal."""
    vectors = np.random.default_rng(0).normal(size=(N_ROWS, 8))
    for first, second in TWINS:
        vectors[second] = vectors[first] * 1.5 + 1e-4
    return vectors


def make_texts():
    """Return random sentences; those of twins differ in case and a word."""
    rng = np.random.default_rng(1)
    words = [f"{first}{second}" for first in ("ka", "lo", "mi", "re") for second in "bdfgnstz"]
    texts = [" ".join(rng.choice(words, 40)) for _ in range(N_ROWS)]
    for first, second in TWINS:
        texts[second] = texts[first].upper()
    return texts


def write_leaky(path):
    """Write id, patient, study, body, path, tags and e0 to e7 as csv."""
    texts, vectors = make_texts(), make_embeddings()
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        names = [f"e{at}" for at in range(vectors.shape[1])]
        writer.writerow(["id", "patient", "study", "body", "path", "tags", *names])
        for row in range(N_ROWS):
            cells = [f"r{row}", PATIENT[row], STUDY[row], texts[row], f"files/{row}.txt"]
            writer.writerow([*cells, "|".join(TAGS[row]), *vectors[row]])
    return path


def write_files(folder):
    """Write a file for each row; those of twins are equal."""
    (folder / "files").mkdir()
    for row in range(N_ROWS):
        (folder / "files" / f"{row}.txt").write_text(f"content {row}")
    for first, second in TWINS:
        content = (folder / "files" / f"{first}.txt").read_text()
        (folder / "files" / f"{second}.txt").write_text(content)


def write_pairs(path):
    """Write the twins by id, and a pair with a low score."""
    lines = [f"r{first},r{second},0.9" for first, second in TWINS]
    path.write_text("\n".join(["one,other,score", *lines, "r1,r59,0.2", ""]))
    return path


def write_embedding_parquet(path):
    """Write the embeddings as one column of lists."""
    pq.write_table(pa.table({"vector": make_embeddings().tolist()}), path)
    return path


def join_twins(group_of_row):
    """Return groups that are joined along the twins, numbered by first appearance."""
    groups = list(group_of_row)
    for first, second in TWINS:
        old, new = groups[second], groups[first]
        groups = [new if group == old else group for group in groups]
    numbers = {}
    return [numbers.setdefault(group, len(numbers)) for group in groups]

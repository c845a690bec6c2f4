"""Made-up rows in Parquet files, and what a split of them has written."""

import hashlib
import itertools

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq


def make_labels(n_rows=3000, n_labels=60, seed=0, per_row=3.0):
    """Return label lists by Zipf's law; some rows have none, label 0 is in most rows."""
    rng = np.random.default_rng(seed)
    share = 1 / np.arange(2, n_labels + 1)
    share *= (per_row - 0.7) / share.sum()
    has = rng.random((n_rows, n_labels - 1)) < share
    has = np.concatenate((rng.random((n_rows, 1)) < 0.7, has), axis=1)
    has[rng.random(n_rows) < 0.05] = False
    return [[f"label{at:02d}" for at in np.flatnonzero(row)] for row in has]


def make_table(n_rows=3000, n_labels=60, seed=0, **columns):
    """Return a table with the columns id, labels and those given."""
    labels = pa.array(make_labels(n_rows, n_labels, seed), pa.list_(pa.string()))
    return pa.table({"id": np.arange(n_rows), "labels": labels, **columns})


def cut(table, n_files=5):
    """Return a table in consecutive pieces of different sizes."""
    edges = np.round(table.num_rows * np.linspace(0, 1, n_files + 1) ** 1.3).astype(int)
    return [table.slice(a, b - a) for a, b in itertools.pairwise(edges)]


def write_files(folder, tables):
    """Write each table as a file of a new folder; return the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, table in enumerate(tables):
        pq.write_table(table, folder / f"{number:03d}.parquet", row_group_size=400)
    return folder


def read_output(s):
    """Return the rows of all files of a split, in order."""
    return pa.concat_tables([pq.read_table(path) for path in s.files])


def find_part_of_row(s):
    """Return the number of the part of each row, as it was written."""
    number_of = {name: number for number, name in enumerate(s.names)}
    return np.array([number_of[name] for name in read_output(s)["part"].to_pylist()])


def check_split(s, table, exact=True):
    """Check that all rows were written once with the parts that the manifest counts."""
    written = read_output(s)
    assert written.drop_columns("part").to_pylist() == table.to_pylist()
    parts = written["part"].to_pylist()
    assert [parts.count(name) for name in s.names] == s.sizes.tolist()
    count = {(part, label): 0 for part in s.names for label in s.labels}
    for part, own in zip(parts, table["labels"].to_pylist(), strict=True):
        for label in own:
            count[part, label] += 1
    assert [[count[part, label] for label in s.labels] for part in s.names] == s.counts.tolist()
    if exact:
        assert (np.abs(s.sizes - s.n_rows * s.shares) < 1).all()
    assert s.certificate().passed


def hash_files(folder):
    """Return the SHA-256 and the time of change of every file in a folder."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest(),
            path.stat().st_mtime_ns,
        )
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }

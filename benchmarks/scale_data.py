"""Made data past the memory of one machine: labels by Zipf's law, in many Parquet files.

    python -m benchmarks.scale_data FOLDER [--files 200] [--rows-per-file 500000]

The whole set has 100 million rows with 5 labels each in the mean, 500 million label entries, and
20,000 labels. Each file depends on its number alone, so the first 20 files are a tenth of the set.
A file that is there is kept.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from scipy import sparse

N_FILES = 200
ROWS_PER_FILE = 500_000
N_LABELS = 20_000
LABELS_PER_ROW = 5
# An odd number: multiplied by it, the ids stay unique, but are not in the order of the rows.
ID_FACTOR = np.uint64(0x9E3779B97F4A7C15)


def make_files(
    folder: Path,
    n_files: int = N_FILES,
    rows_per_file: int = ROWS_PER_FILE,
    processes: int | None = None,
) -> list[Path]:
    """Write the files that are not there yet, with several processes, and return all paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"rows-{number:05d}.parquet" for number in range(n_files)]
    missing = [number for number, path in enumerate(paths) if not path.exists()]
    if missing:
        # Forked processes would inherit the threads of a caller that uses Dask.
        context = multiprocessing.get_context("spawn")
        with context.Pool(min(processes or os.cpu_count() or 1, len(missing))) as pool:
            for _ in pool.imap_unordered(partial(write_file, folder, rows_per_file), missing):
                pass
    return paths


def write_file(folder: Path, rows_per_file: int, number: int) -> None:
    """Write one file under a temporary name, then rename it."""
    ids, indptr, labels = make_rows(number, rows_per_file)
    temporary = folder / f".rows-{number:05d}.temporary"
    write_rows(temporary, indptr, labels, {"id": ids})
    temporary.replace(folder / f"rows-{number:05d}.parquet")


def make_rows(number: int, n_rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the ids, the indptr and the labels of one file; the labels of a row are distinct.

    Each row has one label, and the others of the file are dealt to random rows, so that the number
    of entries is exact.
    """
    rng = np.random.default_rng((16, number))
    n_more = (LABELS_PER_ROW - 1) * n_rows
    lengths = 1 + np.bincount(rng.integers(0, n_rows, n_more), minlength=n_rows)
    cumulative = np.cumsum(1 / np.arange(1, N_LABELS + 1))
    cumulative /= cumulative[-1]
    # The last label may be rounded out of reach of a number below 1.
    cumulative[-1] = 1.0
    first_key = np.repeat(np.arange(n_rows) * N_LABELS, lengths)
    keys = np.sort(first_key + draw_labels(rng, len(first_key), cumulative))
    while len(again := 1 + np.flatnonzero(keys[1:] == keys[:-1])):
        row_key = first_key[again]
        keys[again] = row_key + draw_labels(rng, len(again), cumulative)
        is_changed_row = np.zeros(n_rows, bool)
        is_changed_row[row_key // N_LABELS] = True
        changed = np.flatnonzero(np.repeat(is_changed_row, lengths))
        keys[changed] = np.sort(keys[changed])
    labels = (keys - first_key).astype(np.int32)
    row = np.arange(number * n_rows, (number + 1) * n_rows, dtype=np.uint64)
    ids = (row * ID_FACTOR & np.uint64(2**63 - 1)).astype(np.int64)
    return ids, np.concatenate(([0], np.cumsum(lengths))), labels


def draw_labels(rng: np.random.Generator, n_entries: int, cumulative: np.ndarray) -> np.ndarray:
    """Return labels drawn by their cumulative frequencies."""
    return np.searchsorted(cumulative, rng.random(n_entries), side="right")


def write_rows(
    path: Path, indptr: np.ndarray, labels: np.ndarray, others: dict[str, np.ndarray]
) -> None:
    """Write rows as a Parquet file: other columns, then the labels as lists of int32."""
    lists = pa.ListArray.from_arrays(
        pa.array(indptr - indptr[0], pa.int32()),
        pa.array(labels[indptr[0] : indptr[-1]], pa.int32()),
    )
    pq.write_table(pa.table({**others, "labels": lists}), path, compression="zstd")


def write_partitions(
    folder: Path,
    y: sparse.csr_array,
    starts: Sequence[int] | np.ndarray,
    groups: np.ndarray | None = None,
) -> list[Path]:
    """Write the rows of a matrix, with their numbers as ids, as one file from each start.

    Two equal starts make an empty file.
    """
    folder.mkdir(parents=True, exist_ok=True)
    others = {"id": np.arange(y.shape[0])} | ({} if groups is None else {"group": groups})
    paths = []
    for number, (first, end) in enumerate(zip(starts, [*starts[1:], y.shape[0]], strict=True)):
        paths.append(folder / f"rows-{number:05d}.parquet")
        own = {name: column[first:end] for name, column in others.items()}
        write_rows(paths[-1], y.indptr[first : end + 1], y.indices, own)
    return paths


def read_matrix(paths: Sequence[Path]) -> sparse.csr_array:
    """Return the labels of generated files as a matrix."""
    lists = list(_read_column(paths, "labels"))
    lengths = np.concatenate([own.value_lengths().to_numpy() for own in lists])
    indices = np.concatenate([own.flatten().to_numpy() for own in lists])
    # int32 as SciPy has it for this many entries; int64 would make it copy the indices to int64.
    indptr = np.concatenate(([0], np.cumsum(lengths))).astype(np.int32)
    ones = np.ones(len(indices), np.int8)
    return sparse.csr_array((ones, indices, indptr), shape=(len(lengths), N_LABELS))


def read_parts(paths: Sequence[Path], names: Sequence[str]) -> np.ndarray:
    """Return the number of the part of each row of written files."""
    texts = pa.array(names)
    return np.concatenate(
        [
            pc.index_in(column.cast(pa.string()), texts).to_numpy()
            for column in _read_column(paths, "part")
        ]
    )


def _read_column(paths: Sequence[Path], name: str) -> Iterator[pa.Array]:
    for path in paths:
        yield pq.ParquetFile(path).read([name]).column(0).combine_chunks()


def main() -> None:
    """Write the files of the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=N_FILES)
    parser.add_argument("--rows-per-file", type=int, default=ROWS_PER_FILE)
    options = parser.parse_args()
    paths = make_files(options.folder, options.files, options.rows_per_file)
    n_bytes = sum(path.stat().st_size for path in paths)
    n_rows = len(paths) * options.rows_per_file
    print(f"{len(paths)} files, {n_rows:,} rows, {n_bytes / 1e9:.2f} GB in {options.folder}")


if __name__ == "__main__":
    main()

"""Data to measure on: real label matrices from a folder, and large made ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse


def read_labels(folder: Path, name: str) -> sparse.csr_array | None:
    """Return the matrix of `folder/name/labels.npz`, or None where it is not at hand."""
    path = folder / name / "labels.npz"
    return sparse.csr_array(sparse.load_npz(path)) if path.exists() else None


def read_groups(folder: Path, name: str) -> np.ndarray:
    """Return the groups of `folder/name/groups.npy`."""
    return np.load(folder / name / "groups.npy")


def make_zipf(n_rows: int, n_labels: int, n_per_row: int, seed: int = 0) -> sparse.csr_array:
    """Make rows of about `n_per_row` labels whose frequencies fall off like rank to the -0.8."""
    rng = np.random.default_rng(seed)
    cumulative = np.cumsum(np.arange(1, n_labels + 1) ** -0.8)
    drawn = np.searchsorted(cumulative, rng.random(n_rows * n_per_row) * cumulative[-1]).astype(np.int32)
    y = sparse.csr_array((np.ones(len(drawn), np.int8), drawn, np.arange(0, len(drawn) + 1, n_per_row)), shape=(n_rows, n_labels))
    y.sum_duplicates()
    y.data[:] = 1
    return y

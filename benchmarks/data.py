"""Real label matrices, read from a folder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from scipy import sparse


def read_labels(folder: Path, name: str) -> sparse.csr_array | None:
    """Return the matrix of `folder/name/labels.npz`, or None if there is no such file."""
    path = folder / name / "labels.npz"
    return sparse.csr_array(sparse.load_npz(path)) if path.exists() else None


def read_features(folder: Path, name: str) -> np.ndarray:
    """Return the features of `folder/name/features.npz` as a dense array."""
    return sparse.load_npz(folder / name / "features.npz").toarray()


def read_groups(folder: Path, name: str) -> np.ndarray:
    """Return the groups of `folder/name/groups.npy`."""
    return np.load(folder / name / "groups.npy")

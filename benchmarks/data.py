"""Label matrices: real ones, read from a folder, and generated ones."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy import sparse

import evenfold

# The sets that the numbers in `methods/even/tuning.py` were chosen on.
TUNED_ON = (
    "emotions",
    "genbase",
    "medical",
    "enron",
    "scene",
    "yeast",
    "corel5k",
    "bibtex",
    "tmc2007",
    "delicious",
    "chestxray14",
    "debtags",
    "wiki10_31k",
    "go_sp2014_mf",
)
HELD_BACK = ("chd_49", "water_quality", "eisen", "yahoo_education")
# Generated, and not tuned on either.
GENERATED: dict[str, Callable[[], sparse.csr_array]] = {
    "made_patients": lambda: evenfold.datasets.make_patients(10_000, random_state=5)[0],
    "made_zipf": lambda: evenfold.datasets.make_zipf(6_000, 300, 4, random_state=5),
    "made_ontology": lambda: evenfold.datasets.make_ontology(5_000, 400, random_state=5)[0],
    "made_exponential": lambda: evenfold.datasets.make_exponential(10_000, random_state=5),
}
ALL_SETS = (*TUNED_ON, *HELD_BACK, *GENERATED)


def read_set(folder: Path | None, name: str) -> sparse.csr_array | None:
    """Return a generated or a stored set, or None if there is no such file."""
    if name in GENERATED:
        return GENERATED[name]()
    return None if folder is None else read_labels(folder, name)


def read_labels(folder: Path, name: str) -> sparse.csr_array | None:
    """Return the matrix of `folder/name/labels.npz`, or None if there is no such file."""
    path = folder / name / "labels.npz"
    return sparse.csr_array(sparse.load_npz(path)) if path.exists() else None


def read_features(folder: Path, name: str) -> np.ndarray:
    """Return the features of `folder/name/features.npz` as a dense array."""
    return sparse.load_npz(folder / name / "features.npz").toarray()


def read_groups(folder: Path, name: str, file: str = "groups") -> np.ndarray:
    """Return the groups of `folder/name/groups.npy`, or of another file, numbered from 0."""
    return np.unique(np.load(folder / name / f"{file}.npy"), return_inverse=True)[1]


def make_amounts() -> np.ndarray:
    """Return 500,000 rows of two amounts, one normal and one exponential."""
    rng = np.random.default_rng(0)
    return np.column_stack((rng.normal(size=500_000), rng.exponential(size=500_000)))

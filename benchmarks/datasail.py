"""DataSAIL beside evenfold, on rows in clusters: how even labels are, and how alike the parts are.

Part of `python -m benchmarks.coming_from --datasail`.
"""

from __future__ import annotations

import contextlib
import io

import numpy as np

import evenfold

from .tables import RecordTable

PACKAGES = ("numpy", "scipy", "datasail", "PySCIPOpt")
PARTS = {"train": 0.8, "val": 0.1, "test": 0.1}
N_ROWS, N_CLUSTERS, N_LABELS = 600, 100, 10
# DataSAIL's `delta` says how much less than its share a part may have of a class. The first is its
# default, and so is the limit of its search.
DELTAS = (0.05, 0.2, 0.5)
MAX_SECONDS = 100
# Rows of a cluster have a cosine similarity of about 0.9.
THRESHOLD = 0.8
FORMATS = {
    "package": "",
    "call": "",
    "rLD": ".4f",
    "bound": ".4f",
    "least test rows": "d",
    "similarity between parts %": ".1f",
    "similar pairs in two parts": "d",
}


def measure_all() -> list[dict[str, object]]:
    """Print a table, and return its records."""
    y, similarity = make_rows()
    table = RecordTable("DataSAIL beside evenfold", FORMATS)
    splits = {
        ("evenfold", "split(Y, parts, groups=links)"): split_by_evenfold(y, similarity),
        ("evenfold", 'split(Y, parts, method="random")'): evenfold.split(
            y, PARTS, method="random"
        ).part_of_row,
    }
    for delta in DELTAS:
        splits["datasail", f"C1e, delta={delta:g}"] = split_by_datasail(y, similarity, delta)
    for (package, call), part_of_row in splits.items():
        found = {} if part_of_row is None else measure(y, similarity, part_of_row)
        table.add({"package": package, "call": call, **found})
    return table.records


def make_rows() -> tuple[np.ndarray, np.ndarray]:
    """Return labels, and the cosine similarity of rows in clusters; below 0, it is 0."""
    y = evenfold.datasets.make_zipf(N_ROWS, N_LABELS, labels_per_row=3, random_state=0).toarray()
    rng = np.random.default_rng(0)
    cluster = rng.integers(0, N_CLUSTERS, N_ROWS)
    vectors = rng.normal(size=(N_CLUSTERS, 16))[cluster] + 0.3 * rng.normal(size=(N_ROWS, 16))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    similarity = np.clip(vectors @ vectors.T, 0, 1)
    np.fill_diagonal(similarity, 1)
    return y, similarity


def split_by_evenfold(y: np.ndarray, similarity: np.ndarray) -> np.ndarray:
    """Return the split that keeps similar rows together."""
    pairs = np.argwhere(np.triu(similarity, 1) >= THRESHOLD)
    links = evenfold.link(pairs=pairs, ids=np.arange(len(y)))
    return evenfold.split(y, PARTS, groups=links).part_of_row


def split_by_datasail(y: np.ndarray, similarity: np.ndarray, delta: float) -> np.ndarray | None:
    """Return the part of each row, or None if there is none within the limit of the search."""
    from datasail.sail import datasail

    names = [str(row) for row in range(len(y))]
    classes = [{str(label) for label in np.flatnonzero(own)} for own in y]
    with contextlib.redirect_stdout(io.StringIO()):
        parts, _, _ = datasail(
            techniques=["C1e"],
            splits=[8, 1, 1],
            names=list(PARTS),
            e_type="O",
            e_data=dict(zip(names, names, strict=True)),
            e_strat=dict(zip(names, classes, strict=True)),
            e_sim=(names, similarity),
            delta=delta,
            solver="SCIP",
            max_sec=MAX_SECONDS,
        ) or ({}, {}, {})
    if not parts:
        return None
    return np.array([list(PARTS).index(parts["C1e"][0][name]) for name in names])


def measure(
    y: np.ndarray, similarity: np.ndarray, part_of_row: np.ndarray
) -> dict[str, float | int]:
    """Return how even the labels of a split are, and how alike its parts.

    The bound is that without groups. 'similarity between parts' is the share of the similarity of
    all pairs that is between rows of two parts: what DataSAIL minimises, but for its clusters.
    """
    quality = evenfold.measure(y, part_of_row, len(PARTS))
    upper = np.triu(similarity, 1)
    is_between = part_of_row[:, None] != part_of_row
    return {
        "rLD": float(quality.rld),
        "bound": float(quality.bound.rld),
        "least test rows": int(quality.per_part.rows[-1]),
        "similarity between parts %": float(100 * upper[is_between].sum() / upper.sum()),
        "similar pairs in two parts": int((upper[is_between] >= THRESHOLD).sum()),
    }

"""Fingerprints: short names for the content of labels and of columns of numbers."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from .labels import Labels


def make_fingerprint(labels: Labels) -> str:
    """Return a name for labels that does not depend on their form, names or order of columns.

    Each column is hashed by the rows that hold it, and the hashes are hashed in sorted order.
    Columns without rows do not count.

    Parameters
    ----------
    labels : Labels
        The labels.

    Returns
    -------
    str
        32 hexadecimal digits, others when a row gains or loses a label, or one becomes unknown.

    Examples
    --------
    >>> a = evenfold.labels.make_labels([["x"], ["x", "y"]])
    >>> make_fingerprint(a) == make_fingerprint(evenfold.labels.make_labels([[0, 1, 0], [1, 1, 0]]))
    True
    """
    whole = hashlib.sha256(f"evenfold labels 1, {labels.n_rows} rows".encode())
    for kind, positions in (("held", (labels.indptr, labels.indices)), ("unknown", labels.unknown)):
        if positions is not None and (kind == "held" or len(positions[1])):
            whole.update(kind.encode())
            for digest in sorted(_column_digests(*positions, labels.n_labels)):
                whole.update(digest)
    return whole.hexdigest()[:32]


def name_content(codes: NDArray[Any]) -> str:
    """Return 32 hexadecimal digits that name the content of an array of whole numbers."""
    return hashlib.sha256(codes.astype("<i8").tobytes()).hexdigest()[:32]


def _column_digests(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], n_labels: int
) -> list[bytes]:
    # SciPy would widen `indices` to the type of `indptr`.
    narrow = indptr.astype(np.int32) if len(indices) < 2**31 else indptr
    by_row = scipy.sparse.csr_array(
        (np.ones(len(indices), np.int8), indices, narrow), shape=(len(indptr) - 1, n_labels)
    )
    by_column = by_row.tocsc()
    starts = by_column.indptr
    # One column at a time is widened to 64 bits, to save memory.
    rows_of_column = (
        by_column.indices[starts[at] : starts[at + 1]].astype("<i8") for at in range(n_labels)
    )
    return [hashlib.sha256(rows.tobytes()).digest() for rows in rows_of_column if len(rows)]

"""The file of the predictions of one run: an npz archive, which is checked when it is read."""

from __future__ import annotations

import tokenize
import zlib
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile, ZipFile

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .predictions import Cells, Prediction

# What NumPy, SciPy and zipfile raise where the content of a file is wrong.
UNREADABLE = (
    ArithmeticError,
    AttributeError,
    BadZipFile,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
    tokenize.TokenError,
    zlib.error,
)
# A cell of labels and one of scores have at most 16 bytes each: a value and its column.
_BYTES_OF_CELL = 2 * 16
# A row number and two positions in sparse matrices.
_BYTES_OF_ROW = 3 * 8
_BYTES_OF_HEADS = 100_000


def pack_predictions(key: str, fits: Sequence[Prediction]) -> bytes:
    """Return the content of a file: the key, and the predictions of each fit."""
    arrays: dict[str, Any] = {"key": np.array(key)}
    for number, fit in enumerate(fits):
        arrays[f"{number} rows"] = fit.rows
        arrays[f"{number} is probability"] = np.array(fit.has_probabilities)
        arrays |= _pack(f"{number} labels", fit.labels)
        arrays |= _pack(f"{number} scores", fit.scores)
    content = BytesIO()
    np.savez_compressed(content, **arrays)
    return content.getvalue()


def read_predictions(
    path: Path, key: str, n_fits: int, n_rows: int, n_labels: int
) -> list[Prediction]:
    """Read the predictions of each fit; raise one of `UNREADABLE` if the file is damaged.

    A file that would take more memory than these predictions can is refused before it is
    expanded.
    """
    content = BytesIO(path.read_bytes())
    most = n_rows * (_BYTES_OF_ROW + n_labels * _BYTES_OF_CELL) + _BYTES_OF_HEADS * (n_fits + 1)
    with ZipFile(content) as archive:
        n_bytes = sum(member.file_size for member in archive.infolist())
        if n_bytes > most + 4 * len(key):
            raise ValueError(f"it expands to {n_bytes:,} bytes")
        # Each is opened, because one with a damaged name would be taken for one that is missing.
        for member in archive.infolist():
            archive.read(member)
            if member.comment:  # with a damaged length, other members would be taken for it
                raise ValueError("it has a comment")
    content.seek(0)
    with np.load(content, allow_pickle=False) as arrays:
        if arrays["key"].item() != key:
            raise ValueError("it is of another run")
        fits = [_read_fit(arrays, number, n_rows, n_labels) for number in range(n_fits)]
    n_times = np.bincount(np.concatenate([fit.rows for fit in fits]), minlength=n_rows)
    if (n_times > 1).any():
        raise ValueError("it has a row twice")
    return fits


def _read_fit(arrays: Any, number: int, n_rows: int, n_labels: int) -> Prediction:
    rows = arrays[f"{number} rows"]
    if rows.ndim != 1 or rows.dtype.kind != "i" or ((rows < 0) | (rows >= n_rows)).any():
        raise ValueError("its row numbers are wrong")
    shape = len(rows), n_labels
    return Prediction(
        rows,
        np.full(len(rows), number),
        _unpack(f"{number} labels", arrays, shape),
        _unpack(f"{number} scores", arrays, shape),
        bool(arrays[f"{number} is probability"]),
    )


def _pack(name: str, cells: Cells) -> dict[str, Any]:
    """Return the arrays of labels or scores: the cells, or those of a sparse matrix."""
    if cells is None:
        return {}
    if isinstance(cells, np.ndarray):
        return {name: cells}
    return {
        f"{name} data": cells.data,
        f"{name} indices": cells.indices,
        f"{name} indptr": cells.indptr,
    }


def _unpack(name: str, arrays: Any, shape: tuple[int, int]) -> Cells:
    if name in arrays:
        dense: NDArray[Any] = arrays[name]
        cells: Cells = dense
    elif f"{name} data" not in arrays:
        return None
    else:
        parts = (arrays[f"{name} {part}"] for part in ("data", "indices", "indptr"))
        cells = sparse.csr_array(tuple(parts), shape=shape)
        cells.check_format(full_check=True)
    if cells.shape != shape or cells.dtype.kind not in "biuf":
        raise ValueError(f"its cells are {cells.shape} of {cells.dtype}, not {shape} of numbers")
    return cells

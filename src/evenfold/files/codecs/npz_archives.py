"""Archives of NumPy arrays: their headers, and arrays read and written one at a time."""

from __future__ import annotations

import math
import shutil
import zipfile
from collections.abc import Mapping
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

_SUFFIX = ".npy"


class Header(NamedTuple):
    """What the header of an array says.

    Attributes
    ----------
    shape : tuple of int
        Its shape.
    dtype : numpy.dtype
        Its type.
    """

    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def name_array(member: zipfile.ZipInfo) -> str:
    """Return the name of the array that a member of an archive is."""
    return member.filename.removesuffix(_SUFFIX)


def read_headers(archive: zipfile.ZipFile) -> dict[str, Header]:
    """Return the header of every array, in the order of the archive."""
    headers = {}
    for info in archive.infolist():
        if name_array(info) in headers:
            raise ValueError(f"two arrays are named {name_array(info)!r}")
        with archive.open(info) as member:
            headers[name_array(info)] = read_header(member, info.file_size, info.filename)
    return headers


def read_header(file: IO[bytes], n_bytes: int, name: str) -> Header:
    """Read the header of an array, at the start of a file of `n_bytes` bytes, and check it.

    So no memory is taken for what the header says and the file does not have.
    """
    is_first = np.lib.format.read_magic(file) == (1, 0)
    read = np.lib.format.read_array_header_1_0 if is_first else np.lib.format.read_array_header_2_0
    shape, _, dtype = read(file)
    n_bytes -= file.tell()
    if not dtype.hasobject and math.prod(shape) * dtype.itemsize != n_bytes:
        raise ValueError(f"the header of {name} does not fit its {n_bytes:,} bytes")
    if min(shape, default=0) < 0 or any(isinstance(length, bool) for length in shape):
        raise ValueError(f"the header of {name} has the shape {shape}")
    return Header(shape, dtype)


def read_array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> NDArray[Any]:
    """Read one array; pickled objects are refused."""
    with archive.open(member) as file:
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    return array


def add_array(archive: zipfile.ZipFile, name: str, array: NDArray[Any], compress_type: int) -> None:
    """Write one array at the end of an archive."""
    member = _make_member(f"{name}{_SUFFIX}", compress_type)
    with archive.open(member, "w", force_zip64=True) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)


def copy_array(source: zipfile.ZipFile, member: zipfile.ZipInfo, archive: zipfile.ZipFile) -> None:
    """Write one array of an archive, as it is, at the end of another."""
    new = _make_member(member.filename, member.compress_type)
    with source.open(member) as file, archive.open(new, "w", force_zip64=True) as copy:
        shutil.copyfileobj(file, copy)


def _make_member(filename: str, compress_type: int) -> zipfile.ZipInfo:
    """Describe a new member of an archive, without a time: the same rows give the same bytes."""
    info = zipfile.ZipInfo(filename)
    info.compress_type = compress_type
    return info


def find_matrix_arrays(headers: Mapping[str, Header]) -> frozenset[str]:
    """Return the arrays of the sparse matrix that `scipy.sparse.save_npz` wrote; none without one.

    Which arrays it has depends on its format: of compressed rows or columns, `row` is another one.
    """
    if not {"format", "shape", "data"} <= headers.keys():
        return frozenset()
    for own in ({"indices", "indptr"}, {"row", "col"}, {"offsets"}, {"coords"}):
        if own <= headers.keys():
            return frozenset({"format", "shape", "data", *own, "_is_array"} & headers.keys())
    return frozenset({"format", "shape", "data", "_is_array"} & headers.keys())


def take_rows(matrix: Any, rows: NDArray[np.int64]) -> Any:
    """Return rows of a sparse matrix in its format; entries that are stored twice stay so."""
    if matrix.format != "coo":
        return matrix.tocsr()[rows].asformat(matrix.format)
    # CSR would sum entries that are stored twice, and a label matrix would hold 2.
    new_row = np.full(matrix.shape[0], -1)
    new_row[rows] = np.arange(len(rows))
    kept = new_row[matrix.row] >= 0
    return type(matrix)(
        (matrix.data[kept], (new_row[matrix.row[kept]], matrix.col[kept])),
        shape=(len(rows), matrix.shape[1]),
    )

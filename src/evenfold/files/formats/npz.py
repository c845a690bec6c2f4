"""npz: a sparse label matrix as SciPy saves it, or NumPy arrays with one entry per row."""

from __future__ import annotations

import math
import struct
import zipfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...exceptions import EvenfoldError, InputError
from ...labels.labels import Labels, make_labels
from ..array_roles import check_names, find_roles
from ..codecs.npy_arrays import WRONG_HEADER
from ..codecs.npz_archives import (
    add_array,
    copy_array,
    find_matrix_arrays,
    name_array,
    read_array,
    read_headers,
    take_rows,
)
from ..damage import explain_damage
from ..datafile import DataFile
from ..memory import check_memory
from ..row_chunks import rows_changed

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 1 << 16
# Where a row begins, or how many rows a label has.
_BYTES_OF_POSITION = 8
# What NumPy, SciPy and zipfile raise where the content of an archive is wrong.
_DAMAGE = (*WRONG_HEADER, zipfile.BadZipFile, zlib.error, struct.error, OSError, RuntimeError)


class Npz(DataFile):
    """A sparse matrix of `scipy.sparse.save_npz`, or arrays of equally many rows of `numpy.savez`.

    Notes
    -----
    The sparse matrix is rows × labels; other arrays may be beside it. Arrays of one dimension are
    columns. The labels are the sparse matrix, or the array `y`, `Y` or `labels`, else the only one
    of two dimensions; the features are the array `X` or `features`. Arrays of names belong to the
    labels or the features (`array_roles.NAMES_OF_LABELS`) and are written as they are. Writing
    holds one array in memory at a time, not the archive. Pickled objects are refused.
    """

    format: ClassVar[str] = "npz"
    suffix: ClassVar[str] = ".npz"
    column_word: ClassVar[str] = "an array"
    can_add_columns = True

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        with self._explain_damage(), zipfile.ZipFile(self.path) as archive:
            headers = read_headers(archive)
        for array, header in headers.items():
            if header.dtype.hasobject:
                raise InputError(
                    f"{self.name}: array {array!r} holds pickled Python objects, "
                    "which are not loaded. Save it as an array of numbers or strings."
                )
        if not headers:
            raise self.holds_no("arrays")
        self._names = list(headers)
        self._bytes_of_array = {
            array: math.prod(header.shape) * header.dtype.itemsize
            for array, header in headers.items()
        }
        self._matrix_arrays = find_matrix_arrays(headers)
        others = {
            array: header for array, header in headers.items() if array not in self._matrix_arrays
        }
        self._roles = find_roles(others, self._read_matrix_shape(), self.name)
        self.columns = self._roles.columns
        self.label_columns = self._roles.label_columns

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, in order, a bounded number of rows at a time."""
        import pyarrow as pa

        self._check_memory(columns)
        with self._explain_damage(), np.load(self.path, allow_pickle=False) as archive:
            arrays = [pa.array(_decode(archive[column])) for column in columns]
        yield from pa.table(arrays, names=list(columns)).to_batches(_ROWS_AT_ONCE)

    def read_own_labels(self) -> Labels | None:
        """Read the label matrix, where there is one, with its names."""
        if self._matrix_arrays:
            y = self._load_matrix()
        elif self._roles.labels is not None:
            y = self._load(self._roles.labels)
        else:
            return None
        try:
            labels = make_labels(y)
        except EvenfoldError as error:
            raise InputError(f"{self.name}: {error}") from None
        array = self._roles.label_names
        return labels if array is None else self._name_labels(labels, array)

    def _name_labels(self, labels: Labels, array: str) -> Labels:
        with self._explain_damage():
            names = _decode(self._load(array)).tolist()
        if not isinstance(labels.names, range):
            raise InputError(
                f"{self.name}: array {array!r} names the columns of '{self._roles.labels}', which "
                "must then hold 0 and 1, got classes. Leave it out, or save 0 and 1."
            )
        check_names(names, array, self.name)
        return replace(labels, names=names)

    def read_own_features(self) -> Any:
        """Read the features, where there are any beside the labels."""
        return None if self._roles.features is None else self._load(self._roles.features)

    def read_matrix(self) -> Any:
        """Read a file that holds features alone; None where it is not clear which array they are.

        That is the sparse matrix, the array of features, or the only one of two dimensions.
        """
        if self._matrix_arrays:
            return self._load_matrix().tocsr()
        tables = self._roles.tables
        name = self._roles.features or (tables[0] if len(tables) == 1 else None)
        return None if name is None else self._load(name)

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of the sparse matrix, in its format, and of every array for each part."""
        rows_of_part = [np.flatnonzero(part_of_row == part) for part in range(len(targets))]
        if self._matrix_arrays:
            self._write_matrix(targets, rows_of_part, len(part_of_row))
        mode: Literal["a", "w"] = "a" if self._matrix_arrays else "w"
        with self._explain_damage(), ExitStack() as stack:
            source = stack.enter_context(zipfile.ZipFile(self.path))
            archives = [stack.enter_context(zipfile.ZipFile(target, mode)) for target in targets]
            for info in source.infolist():
                name = name_array(info)
                if name in self._matrix_arrays:
                    continue
                if name in self._roles.unchanged:
                    for archive in archives:
                        copy_array(source, info, archive)
                    continue
                self._check_memory([name])
                array = read_array(source, info)
                if len(array) != len(part_of_row):
                    raise rows_changed(self.name, len(part_of_row))
                for archive, rows in zip(archives, rows_of_part, strict=True):
                    add_array(archive, name, array[rows], info.compress_type)

    def find_used_names(self) -> Sequence[str]:
        """Return the names of all arrays, of any shape."""
        return self._names

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the archive with one more array of text, empty text where the code is -1."""
        self.check_new(column)
        with (
            self._explain_damage(),
            zipfile.ZipFile(self.path) as source,
            zipfile.ZipFile(target, "w") as archive,
        ):
            for info in source.infolist():
                copy_array(source, info, archive)
            array = np.array([*values, ""])[code_of_row]
            add_array(archive, column, array, info.compress_type)

    def _check_memory(self, arrays: Iterable[str]) -> None:
        """Refuse arrays that are too large, by their headers."""
        names = list(arrays)
        n_bytes = sum(self._bytes_of_array[name] for name in names)
        check_memory(self.name, n_bytes, f"the arrays {', '.join(map(repr, names))}")

    def _load(self, name: str) -> NDArray[Any]:
        self._check_memory([name])
        with self._explain_damage(), np.load(self.path, allow_pickle=False) as archive:
            array: NDArray[Any] = archive[name]
        return array

    def _read_matrix_shape(self) -> tuple[int, int] | None:
        """Return the shape of the sparse matrix; None without one."""
        if not self._matrix_arrays:
            return None
        shape = self._load("shape").ravel().tolist()
        if len(shape) != 2 or not all(isinstance(own, int) for own in shape):
            raise InputError(
                f"{self.name}: the sparse matrix must be of two dimensions, rows and labels, got "
                f"the shape {shape}. Save it again with scipy.sparse.save_npz."
            )
        return shape[0], shape[1]

    def _load_matrix(self) -> Any:
        self._check_memory(sorted(self._matrix_arrays))
        # In other forms than by rows, the shape may be of any size: it takes no place in the file.
        shape = self._read_matrix_shape()
        if shape is not None:
            what = f"a matrix of {shape[0]:,} rows and {shape[1]:,} columns"
            check_memory(self.name, _BYTES_OF_POSITION * sum(shape), what)
        with self._explain_damage():
            y = sparse.load_npz(self.path)
            if hasattr(y, "check_format"):
                # SciPy does not check that positions are within the matrix when it reads one.
                y.check_format(full_check=True)
            return y

    def _write_matrix(
        self, targets: Sequence[Path], rows_of_part: Sequence[NDArray[np.int64]], n_rows: int
    ) -> None:
        y = self._load_matrix()
        if y.shape[0] != n_rows:
            raise rows_changed(self.name, n_rows)
        with zipfile.ZipFile(self.path) as source:
            compressed = source.getinfo("data.npy").compress_type != zipfile.ZIP_STORED
        for target, rows in zip(targets, rows_of_part, strict=True):
            with target.open("wb") as file:
                sparse.save_npz(file, take_rows(y, rows), compressed)

    @contextmanager
    def _explain_damage(self) -> Iterator[None]:
        advice = "Save it again with numpy.savez or scipy.sparse.save_npz."
        with explain_damage(f"{self.name}: cannot be read as npz", _DAMAGE, advice):
            yield


def _decode(column: NDArray[Any]) -> NDArray[Any]:
    return np.char.decode(column, "utf-8") if column.dtype.kind == "S" else column

"""npz: a sparse label matrix as SciPy saves it, or NumPy arrays with one entry per row."""

from __future__ import annotations

import errno
import shutil
import struct
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...exceptions import EvenfoldError, InputError
from ...labels.labels import Labels, make_labels
from ..datafile import DataFile
from ..row_lines import rows_changed

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 1 << 16
_NAMES_OF_LABELS = ("y", "Y", "labels")
_NAMES_OF_FEATURES = ("X", "features")


class Npz(DataFile):
    """What `scipy.sparse.save_npz` writes: rows × labels; or what `numpy.savez` writes: arrays of equally many rows.

    Notes
    -----
    Of arrays, those of one dimension are columns. The labels are the array `y`, `Y` or `labels`, else the only one of two dimensions; the features
    are the array `X` or `features`.
    Writing holds one array in memory at a time, not the archive. Pickled objects are refused.
    """

    format: ClassVar[str] = "npz"
    suffix: ClassVar[str] = ".npz"

    def __init__(self, path: Path) -> None:
        self.path = path
        with _refusing_damage(path):
            shapes = _read_shapes(path)
        self._is_sparse = {"format", "shape", "data"} <= shapes.keys()
        if self._is_sparse:
            self.columns = ()
            self._features = None
            return
        _check_rows(path, shapes)
        self._names = list(shapes)
        self.columns = [name for name, shape in shapes.items() if len(shape) == 1]
        tables = [name for name, shape in shapes.items() if len(shape) == 2]
        self._features = next((name for name in _NAMES_OF_FEATURES if name in tables), None)
        self._tables = tables
        named = next((name for name in _NAMES_OF_LABELS if name in shapes), None)
        self.label_columns = [named] if named in self.columns else []
        self._table = (
            named if named in tables else tables[0] if named is None and len(tables) == 1 else None
        )

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, in order, a bounded number of rows at a time."""
        import pyarrow as pa

        with _refusing_damage(self.path), np.load(self.path, allow_pickle=False) as archive:
            batches = pa.table(
                [pa.array(_decode(archive[column])) for column in columns], names=list(columns)
            ).to_batches(_ROWS_AT_ONCE)
        yield from batches

    def read_own_labels(self) -> Labels | None:
        """Read the label matrix, where there is one."""
        if self._is_sparse:
            y = self._load_sparse()
        elif self._table is not None:
            y = self._load_table(self._table)
        else:
            return None
        try:
            return make_labels(y)
        except EvenfoldError as error:
            raise InputError(f"{self.path}: {error}") from None

    def read_own_features(self) -> Any:
        """Read the features, where there are any beside the labels."""
        return None if self._features is None else self._load_table(self._features)

    def read_matrix(self) -> Any:
        """Read a file that holds features alone: the sparse matrix, the array of features, or the only one of two dimensions; None without one."""
        if self._is_sparse:
            return self._load_sparse().tocsr()
        name = self._features or (self._tables[0] if len(self._tables) == 1 else None)
        return None if name is None else self._load_table(name)

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of every array, or of the sparse matrix in its format, for each part."""
        rows_of_part = [np.flatnonzero(part_of_row == part) for part in range(len(targets))]
        if self._is_sparse:
            self._write_sparse(targets, rows_of_part, len(part_of_row))
            return
        with _refusing_damage(self.path), ExitStack() as stack:
            source = stack.enter_context(zipfile.ZipFile(self.path))
            archives = [stack.enter_context(zipfile.ZipFile(target, "w")) for target in targets]
            for info in source.infolist():
                with source.open(info) as member:
                    array = np.lib.format.read_array(member, allow_pickle=False)
                if len(array) != len(part_of_row):
                    raise rows_changed(self.path, len(part_of_row))
                for archive, rows in zip(archives, rows_of_part, strict=True):
                    _add_array(archive, info.filename, array[rows], info.compress_type)

    def check_new(self, column: str) -> None:
        """Refuse an array that is there already, of any shape, and any beside a sparse matrix."""
        if self._is_sparse:
            raise self.cannot_add(column)
        if column in self._names:
            raise InputError(f"{self.path}: already has an array {column!r}. Choose another name.")

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the archive with one more array of text; a row of code -1 has an empty one there."""
        self.check_new(column)
        with (
            _refusing_damage(self.path),
            zipfile.ZipFile(self.path) as source,
            zipfile.ZipFile(target, "w") as archive,
        ):
            for info in source.infolist():
                with (
                    source.open(info) as member,
                    archive.open(
                        _member(info.filename, info.compress_type), "w", force_zip64=True
                    ) as copy,
                ):
                    shutil.copyfileobj(member, copy)
            _add_array(
                archive, f"{column}.npy", np.array([*values, ""])[code_of_row], info.compress_type
            )

    def _load_table(self, name: str) -> NDArray[Any]:
        with _refusing_damage(self.path), np.load(self.path, allow_pickle=False) as archive:
            table: NDArray[Any] = archive[name]
        return table

    def _load_sparse(self) -> Any:
        with _refusing_damage(self.path):
            y = sparse.load_npz(self.path)
            if hasattr(y, "check_format"):
                # SciPy does not look whether positions are within the matrix, and would compute with whatever is there.
                y.check_format(full_check=True)
            return y

    def _write_sparse(
        self, targets: Sequence[Path], rows_of_part: Sequence[NDArray[np.int64]], n_rows: int
    ) -> None:
        y = self._load_sparse()
        if y.shape[0] != n_rows:
            raise rows_changed(self.path, n_rows)
        with zipfile.ZipFile(self.path) as source:
            compressed = source.infolist()[0].compress_type != zipfile.ZIP_STORED
        for target, rows in zip(targets, rows_of_part, strict=True):
            with target.open("wb") as file:
                sparse.save_npz(file, _take_rows(y, rows), compressed)


@contextmanager
def _refusing_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except EvenfoldError:
        raise
    except (
        zipfile.BadZipFile,
        zlib.error,
        struct.error,
        EOFError,
        LookupError,
        OSError,
        RuntimeError,
        TypeError,
        ValueError,
    ) as error:
        # A damaged directory makes zipfile seek before the beginning; any other OSError is about the disk.
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise
        raise InputError(
            f"{path}: cannot be read as npz: {error}. Save it again with numpy.savez or scipy.sparse.save_npz."
        ) from None


def _read_shapes(path: Path) -> dict[str, tuple[int, ...]]:
    """Return the shape of every array, which stands before its content."""
    shapes = {}
    with zipfile.ZipFile(path) as archive:
        for info in archive.infolist():
            name = info.filename.removesuffix(".npy")
            with archive.open(info) as member:
                version = np.lib.format.read_magic(member)
                read = (
                    np.lib.format.read_array_header_1_0
                    if version == (1, 0)
                    else np.lib.format.read_array_header_2_0
                )
                shapes[name], _, dtype = read(member)
            if dtype.hasobject:
                raise InputError(
                    f"{path}: array {name!r} holds pickled Python objects, which are not loaded. Save it as an array of numbers or strings."
                )
    return shapes


def _check_rows(path: Path, shapes: dict[str, tuple[int, ...]]) -> None:
    if not shapes:
        raise InputError(f"{path}: holds no arrays. Save at least the labels.")
    first, (n_rows, *_) = next(
        ((name, shape) for name, shape in shapes.items() if shape), ("", (0,))
    )
    for name, shape in shapes.items():
        if shape[:1] != (n_rows,):
            shown = f"{shape[0]:,} rows" if shape else "a single value"
            raise InputError(
                f"{path}: array {name!r} has {shown}, array {first!r} {n_rows:,} rows. Save only arrays of equally many rows together."
            )


def _decode(column: NDArray[Any]) -> NDArray[Any]:
    return np.char.decode(column, "utf-8") if column.dtype.kind == "S" else column


def _take_rows(y: Any, rows: NDArray[np.int64]) -> Any:
    if y.format != "coo":
        return y.tocsr()[rows].asformat(y.format)
    # Made CSR, entries that are there twice would be summed, and the label matrix none any more.
    new_row = np.full(y.shape[0], -1)
    new_row[rows] = np.arange(len(rows))
    kept = new_row[y.row] >= 0
    return type(y)(
        (y.data[kept], (new_row[y.row[kept]], y.col[kept])), shape=(len(rows), y.shape[1])
    )


def _member(filename: str, compress_type: int) -> zipfile.ZipInfo:
    """Name a member of an archive without the time, so that the same rows give the same bytes."""
    info = zipfile.ZipInfo(filename)
    info.compress_type = compress_type
    return info


def _add_array(
    archive: zipfile.ZipFile, filename: str, array: NDArray[Any], compress_type: int
) -> None:
    with archive.open(_member(filename, compress_type), "w", force_zip64=True) as member:
        np.lib.format.write_array(member, array, allow_pickle=False)

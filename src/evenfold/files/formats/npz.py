"""npz: a sparse label matrix as SciPy saves it, or NumPy arrays with one entry per row."""

from __future__ import annotations

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
from ..damage import explain_damage
from ..datafile import DataFile
from ..row_chunks import rows_changed

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 1 << 16
_NAMES_OF_LABELS = ("y", "Y", "labels")
_NAMES_OF_FEATURES = ("X", "features")
# What NumPy, SciPy and zipfile raise where the content of an archive is wrong.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    LookupError,
    OSError,
    RuntimeError,
    TypeError,
    ValueError,
)


class Npz(DataFile):
    """A sparse matrix of `scipy.sparse.save_npz`, or arrays of equally many rows of `numpy.savez`.

    Notes
    -----
    The sparse matrix is rows × labels. Of arrays, those of one dimension are columns; the labels
    are the array `y`, `Y` or `labels`, else the only one of two dimensions; the features are the
    array `X` or `features`. Writing holds one array in memory at a time, not the archive. Pickled
    objects are refused.
    """

    format: ClassVar[str] = "npz"
    suffix: ClassVar[str] = ".npz"
    column_word: ClassVar[str] = "an array"

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        with self._explain_damage():
            shapes = self._read_shapes()
        self._is_sparse = {"format", "shape", "data"} <= shapes.keys()
        self.can_add_columns = not self._is_sparse
        if self._is_sparse:
            self.columns = ()
            self._features = None
            return
        self._check_rows(shapes)
        self._names = list(shapes)
        self.columns = [array for array, shape in shapes.items() if len(shape) == 1]
        tables = [array for array, shape in shapes.items() if len(shape) == 2]
        self._tables = tables
        self._features = next((array for array in _NAMES_OF_FEATURES if array in tables), None)
        named = next((array for array in _NAMES_OF_LABELS if array in shapes), None)
        self.label_columns = [named] if named in self.columns else []
        # Without an array named so, the only table holds the labels.
        only_table = tables[0] if named is None and len(tables) == 1 else None
        self._table = named if named in tables else only_table

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, in order, a bounded number of rows at a time."""
        import pyarrow as pa

        with self._explain_damage(), np.load(self.path, allow_pickle=False) as archive:
            arrays = [pa.array(_decode(archive[column])) for column in columns]
        yield from pa.table(arrays, names=list(columns)).to_batches(_ROWS_AT_ONCE)

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
            raise InputError(f"{self.name}: {error}") from None

    def read_own_features(self) -> Any:
        """Read the features, where there are any beside the labels."""
        return None if self._features is None else self._load_table(self._features)

    def read_matrix(self) -> Any:
        """Read a file that holds features alone; None where it is not clear which array they are.

        That is the sparse matrix, the array of features, or the only one of two dimensions.
        """
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
        with self._explain_damage(), ExitStack() as stack:
            source = stack.enter_context(zipfile.ZipFile(self.path))
            archives = [stack.enter_context(zipfile.ZipFile(target, "w")) for target in targets]
            for info in source.infolist():
                with source.open(info) as member:
                    array = np.lib.format.read_array(member, allow_pickle=False)
                if len(array) != len(part_of_row):
                    raise rows_changed(self.name, len(part_of_row))
                for archive, rows in zip(archives, rows_of_part, strict=True):
                    _add_array(archive, info.filename, array[rows], info.compress_type)

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
                new = _make_member(info.filename, info.compress_type)
                with (
                    source.open(info) as member,
                    archive.open(new, "w", force_zip64=True) as copy,
                ):
                    shutil.copyfileobj(member, copy)
            array = np.array([*values, ""])[code_of_row]
            _add_array(archive, f"{column}.npy", array, info.compress_type)

    def _load_table(self, name: str) -> NDArray[Any]:
        with self._explain_damage(), np.load(self.path, allow_pickle=False) as archive:
            table: NDArray[Any] = archive[name]
        return table

    def _load_sparse(self) -> Any:
        with self._explain_damage():
            y = sparse.load_npz(self.path)
            if hasattr(y, "check_format"):
                # SciPy does not check that positions are within the matrix when it reads one.
                y.check_format(full_check=True)
            return y

    def _write_sparse(
        self, targets: Sequence[Path], rows_of_part: Sequence[NDArray[np.int64]], n_rows: int
    ) -> None:
        y = self._load_sparse()
        if y.shape[0] != n_rows:
            raise rows_changed(self.name, n_rows)
        with zipfile.ZipFile(self.path) as source:
            compressed = source.infolist()[0].compress_type != zipfile.ZIP_STORED
        for target, rows in zip(targets, rows_of_part, strict=True):
            with target.open("wb") as file:
                sparse.save_npz(file, _take_rows(y, rows), compressed)

    @contextmanager
    def _explain_damage(self) -> Iterator[None]:
        advice = "Save it again with numpy.savez or scipy.sparse.save_npz."
        with explain_damage(f"{self.name}: cannot be read as npz", _DAMAGE, advice):
            yield

    def _read_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the shape of every array; only the headers are read."""
        shapes = {}
        with zipfile.ZipFile(self.path) as archive:
            for info in archive.infolist():
                array = info.filename.removesuffix(".npy")
                with archive.open(info) as member:
                    is_first = np.lib.format.read_magic(member) == (1, 0)
                    read = (
                        np.lib.format.read_array_header_1_0
                        if is_first
                        else np.lib.format.read_array_header_2_0
                    )
                    shapes[array], _, dtype = read(member)
                if dtype.hasobject:
                    raise InputError(
                        f"{self.name}: array {array!r} holds pickled Python objects, "
                        "which are not loaded. Save it as an array of numbers or strings."
                    )
        return shapes

    def _check_rows(self, shapes: dict[str, tuple[int, ...]]) -> None:
        """Refuse arrays of different numbers of rows."""
        if not shapes:
            raise self.holds_no("arrays")
        first, (n_rows, *_) = next(
            ((array, shape) for array, shape in shapes.items() if shape), ("", (0,))
        )
        for array, shape in shapes.items():
            if shape[:1] != (n_rows,):
                shown = f"{shape[0]:,} rows" if shape else "a single value"
                raise InputError(
                    f"{self.name}: array {array!r} has {shown}, array {first!r} {n_rows:,} rows. "
                    "Save only arrays of equally many rows together."
                )


def _decode(column: NDArray[Any]) -> NDArray[Any]:
    return np.char.decode(column, "utf-8") if column.dtype.kind == "S" else column


def _take_rows(y: Any, rows: NDArray[np.int64]) -> Any:
    if y.format != "coo":
        return y.tocsr()[rows].asformat(y.format)
    # CSR would sum entries that are stored twice, and a label matrix would hold 2.
    new_row = np.full(y.shape[0], -1)
    new_row[rows] = np.arange(len(rows))
    kept = new_row[y.row] >= 0
    return type(y)(
        (y.data[kept], (new_row[y.row[kept]], y.col[kept])), shape=(len(rows), y.shape[1])
    )


def _make_member(filename: str, compress_type: int) -> zipfile.ZipInfo:
    """Describe a new member of an archive, without a time: the same rows give the same bytes."""
    info = zipfile.ZipInfo(filename)
    info.compress_type = compress_type
    return info


def _add_array(
    archive: zipfile.ZipFile, filename: str, array: NDArray[Any], compress_type: int
) -> None:
    member = _make_member(filename, compress_type)
    with archive.open(member, "w", force_zip64=True) as file:
        np.lib.format.write_array(file, array, allow_pickle=False)

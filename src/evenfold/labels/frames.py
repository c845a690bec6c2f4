"""Frames and columns of pandas, polars and Arrow → Entries."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from .._checks.values import shorten
from ..exceptions import InputError, InputTypeError
from .classes import is_missing, read_class_column, read_class_vector
from .entries import Entries, check_has_rows, lay_side_by_side, make_positions
from .lists import is_collection, read_rows
from .matrices import read_dense, read_sparse

_CLASS_TYPES = (nw.String, nw.Categorical, nw.Enum)
_LIST_TYPES = (nw.List, nw.Array)


def to_narwhals(value: Any, parameter: str = "y") -> nw.DataFrame[Any] | nw.Series[Any] | None:
    """Wrap a frame or a column; None for anything else."""
    kind = type(value).__module__.partition(".")[0]
    if kind == "pyarrow":
        import pyarrow as pa

        if isinstance(value, pa.RecordBatch):
            value = pa.Table.from_batches([value])
        elif isinstance(value, pa.Array):
            value = pa.chunked_array([value])
    try:
        wrapped = nw.from_native(value, allow_series=True, pass_through=True)
    except Exception as error:  # narwhals and the frame libraries raise types of their own here
        raise InputTypeError(
            f"must be a frame evenfold can read, got {type(value).__name__}: {error}. Try one of NumPy or Arrow.",
            parameter=parameter,
        ) from error
    if isinstance(wrapped, nw.LazyFrame):
        raise InputTypeError(
            f"must be in memory, got a {type(value).__name__}. Call .collect() first.",
            parameter=parameter,
        )
    return wrapped if isinstance(wrapped, nw.DataFrame | nw.Series) else None


def read_frame(frame: nw.DataFrame[Any], classes: bool) -> Entries:
    """Read 0/1 columns as labels and columns of strings or categories as one label per value; with `classes`, all as the latter."""
    check_has_rows(len(frame))
    if not frame.columns:
        raise InputError(
            "must have at least one column, got a frame without any. Check how the label columns were chosen.",
            parameter="y",
        )
    columns = list(frame.iter_columns())
    if len(columns) == 1 and _holds_lists(columns[0]) and not classes:
        return read_series(columns[0])
    native = nw.to_native(frame)
    if (
        not classes
        and hasattr(native, "dtypes")
        and all(_is_sparse_from_zero(dtype) for dtype in native.dtypes)
    ):
        return read_sparse(native.sparse.to_coo())._replace(names=list(frame.columns))
    if any(str(dtype).startswith("Sparse[") for dtype in getattr(native, "dtypes", ())):
        dense = native.apply(
            lambda column: (
                column.sparse.to_dense() if str(column.dtype).startswith("Sparse[") else column
            )
        )
        columns = list(nw.from_native(dense).iter_columns())
    return lay_side_by_side([_read_column(column, classes) for column in columns])


def _read_column(column: nw.Series[Any], classes: bool) -> Entries:
    if classes or _holds_classes(column):
        return read_class_column(_plain_values(column), column.name)
    return read_dense(_binary_column(column).reshape(-1, 1), [column.name])


def read_series(series: nw.Series[Any]) -> Entries:
    """Read a column of lists as label lists, any other as classes."""
    if isinstance(series.dtype, _LIST_TYPES):
        return _read_list_column(series)
    if isinstance(series.dtype, nw.Object):
        return (
            read_rows(series.to_list())
            if _holds_lists(series)
            else read_class_vector(series.to_list())
        )
    if isinstance(series.dtype, nw.Unknown) and series.is_null().all():
        return read_class_vector([None] * len(series))
    if series.dtype.is_numeric() or isinstance(series.dtype, (nw.Boolean, *_CLASS_TYPES)):
        return read_class_vector(_plain_values(series))
    raise InputTypeError(
        f"must be a column of classes or of lists of labels, got one of type {series.dtype}. Convert it to strings.",
        parameter="y",
    )


def _holds_lists(column: nw.Series[Any]) -> bool:
    if isinstance(column.dtype, nw.Object):
        return is_collection(
            next((value for value in column.to_list() if not is_missing(value)), None)
        )
    return isinstance(column.dtype, _LIST_TYPES)


def _holds_classes(column: nw.Series[Any]) -> bool:
    if isinstance(column.dtype, _CLASS_TYPES):
        return True
    if isinstance(column.dtype, nw.Object) and not _holds_lists(column):
        return any(isinstance(value, str) for value in column.to_list())
    if isinstance(column.dtype, nw.Unknown) and column.is_null().all():
        return True
    if not column.dtype.is_numeric() and not isinstance(column.dtype, nw.Boolean):
        raise InputTypeError(
            f"must have columns of 0 and 1, or of strings, got column {column.name!r} of type {column.dtype}. Pass the label columns alone.",
            parameter="y",
        )
    return False


def _binary_column(column: nw.Series[Any]) -> NDArray[Any]:
    if isinstance(column.dtype, nw.Object):
        values = [np.nan if is_missing(value) else value for value in column.to_list()]
        try:
            return np.array(values, dtype=np.float64)
        except (TypeError, ValueError):
            odd = next(value for value in values if not isinstance(value, int | float | np.number))
            raise InputError(
                f"must have columns of 0 and 1, got {shorten(odd)} in column {column.name!r}. Pass the label columns alone.",
                parameter="y",
            ) from None
    missing = column.is_null().to_numpy()
    if not missing.any():
        return column.to_numpy()
    filled: NDArray[np.float64] = (
        column.fill_null(False if isinstance(column.dtype, nw.Boolean) else 0)
        .to_numpy()
        .astype(np.float64)
    )
    filled[missing] = np.nan
    return filled


def _plain_values(column: nw.Series[Any]) -> Any:
    if (
        column.dtype.is_numeric() or isinstance(column.dtype, nw.Boolean)
    ) and not column.is_null().any():
        return column.to_numpy()
    return column.to_list()


def _read_list_column(series: nw.Series[Any]) -> Entries:
    import pyarrow as pa
    import pyarrow.compute as pc

    check_has_rows(len(series))
    lists = series.to_arrow()
    lists = lists.combine_chunks() if isinstance(lists, pa.ChunkedArray) else lists
    lengths = pc.fill_null(pc.list_value_length(lists), 0).to_numpy(zero_copy_only=False)
    row = np.repeat(np.arange(len(lists)), lengths)
    flat = pc.list_flatten(lists)
    if pa.types.is_integer(flat.type) and _is_rectangular_binary(lengths, flat, lists.null_count):
        return read_dense(flat.to_numpy(zero_copy_only=False).reshape(len(lists), -1))
    if pa.types.is_dictionary(flat.type):
        flat = flat.cast(flat.type.value_type)
    if not (
        pa.types.is_integer(flat.type)
        or pa.types.is_string(flat.type)
        or pa.types.is_large_string(flat.type)
        or len(flat) == 0
    ):
        raise InputTypeError(
            f"must hold lists of strings or whole numbers, got lists of {flat.type}. Convert the labels to strings.",
            parameter="y",
        )
    if flat.null_count:
        at = row[np.flatnonzero(flat.is_null().to_numpy(zero_copy_only=False))[0]]
        raise InputError(
            f"holds a missing label (null) at row {at}. Leave it out of the row's list.",
            parameter="y",
        )
    coded = flat.dictionary_encode()
    found = coded.dictionary.to_pylist()
    order = sorted(range(len(found)), key=found.__getitem__)
    rank = np.empty(len(found), np.int64)
    rank[order] = np.arange(len(found))
    label = rank[coded.indices.to_numpy(zero_copy_only=False)]
    return Entries(*make_positions(row, label, len(lists), len(found)), [found[at] for at in order])


def _is_rectangular_binary(lengths: NDArray[Any], flat: Any, n_missing: int) -> bool:
    """Tell a matrix written as lists, by the rule for nested lists."""
    if n_missing or flat.null_count or not lengths[0] or (lengths != lengths[0]).any():
        return False
    values = flat.to_numpy(zero_copy_only=False)
    return bool(((values == 0) | (values == 1)).all())


def _is_sparse_from_zero(dtype: Any) -> bool:
    return (
        str(dtype).startswith("Sparse[")
        and not is_missing(dtype.fill_value)
        and not dtype.fill_value
    )

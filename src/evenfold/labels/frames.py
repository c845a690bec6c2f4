"""Frames and columns of pandas, polars and Arrow → Entries."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_some, show_value
from ..exceptions import InputError, InputTypeError
from .classes import Subject, code_column, make_class_entries, rank_values, sort_names
from .column_rules import UNKNOWN, is_missing
from .entries import Entries, check_has_rows, join_columns, make_positions
from .list_matrices import MatrixEvidence
from .lists import is_collection, read_rows
from .matrices import not_binary, read_dense, read_sparse
from .several_columns import NamedColumn, join_named_columns, read_named_column
from .text_columns import read_only_column, read_single_column

_CATEGORY_TYPES = (nw.Categorical, nw.Enum)
_CLASS_TYPES = (nw.String, nw.Binary, *_CATEGORY_TYPES)
_LIST_TYPES = (nw.List, nw.Array)
_LABELS_ALONE = "Pass the label columns alone."
_MOST_FIELDS = 5


def read_frame(frame: nw.DataFrame[Any], whole: Collection[str] = ()) -> Entries:
    """Read 0/1 columns as labels and columns of other text or categories as one label per value.

    The only column of a frame is read as the only label column of a file. Cells of the columns
    `whole` are one class each, whatever their text.
    """
    native = nw.to_native(frame)
    dtypes = list(getattr(native, "dtypes", ()))
    if len(frame) and len(dtypes) > 1 and all(map(_is_sparse_from_zero, dtypes)):
        return read_sparse(native.sparse.to_coo())._replace(names=list(frame.columns))
    columns = _list_columns(frame)
    if len(columns) > 1:
        return join_named_columns(
            [_read_column(column, column.name in whole) for column in columns]
        )
    column = columns[0]
    if _holds_lists(column):
        return read_series(column)
    _holds_classes(column)  # raises an error if the type cannot hold labels
    return read_only_column(
        code_column(plain_values(column), Subject(prefix=f"column {column.name!r} ")),
        column.name,
        is_whole=column.name in whole,
    )


def read_class_frame(frame: nw.DataFrame[Any]) -> Entries:
    """Read every column as classes, whatever its values."""
    return join_columns(
        [
            make_class_entries(
                code_column(plain_values(column), Subject("classes", f"column {column.name!r} ")),
                column.name,
            )
            for column in _list_columns(frame)
        ]
    )


def _list_columns(frame: nw.DataFrame[Any]) -> list[nw.Series[Any]]:
    """Return the columns of a frame, those of pandas' sparse types made dense."""
    check_has_rows(len(frame))
    if not frame.columns:
        raise InputError(
            "must have at least one column, got a frame without any. "
            "Check how the label columns were chosen.",
            parameter="y",
        )
    native = nw.to_native(frame)
    if not any(map(_is_sparse, getattr(native, "dtypes", ()))):
        return list(frame.iter_columns())
    dense = native.apply(
        lambda column: column.sparse.to_dense() if _is_sparse(column.dtype) else column
    )
    return list(nw.from_native(dense).iter_columns())


def _read_column(column: nw.Series[Any], is_whole: bool) -> NamedColumn:
    if not _holds_classes(column):
        entries = read_dense(_binary_column(column).reshape(-1, 1), [column.name])
        return NamedColumn(column.name, entries, holds_flags=True)
    return read_named_column(
        code_column(plain_values(column), Subject(prefix=f"column {column.name!r} ")),
        column.name,
        is_category=isinstance(column.dtype, _CATEGORY_TYPES),
        is_whole=is_whole,
    )


def read_series(series: nw.Series[Any]) -> Entries:
    """Read a column of lists as label lists, any other as classes or as text of several labels."""
    if isinstance(series.dtype, _LIST_TYPES):
        return _read_list_column(series)
    if _holds_lists(series):
        return read_rows(series.to_list())
    is_empty = isinstance(series.dtype, nw.Unknown) and series.is_null().all()
    known = (nw.Boolean, nw.Object, *_CLASS_TYPES)
    if not (is_empty or series.dtype.is_numeric() or isinstance(series.dtype, known)):
        raise InputTypeError(
            "must be a column of classes or of lists of labels, "
            f"got one of type {series.dtype}. {_advise(series, 'Convert it to strings.')}",
            parameter="y",
        )
    values = [None] * len(series) if is_empty else plain_values(series)
    return read_single_column(code_column(values, Subject()))


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
        return any(isinstance(value, str | bytes) for value in column.to_list())
    if isinstance(column.dtype, nw.Unknown) and column.is_null().all():
        return True
    if not column.dtype.is_numeric() and not isinstance(column.dtype, nw.Boolean):
        raise InputTypeError(
            "must have columns of 0 and 1, or of strings, got column "
            f"{column.name!r} of type {column.dtype}. {_advise(column, _LABELS_ALONE)}",
            parameter="y",
        )
    return False


def _advise(column: nw.Series[Any], otherwise: str) -> str:
    """Say what to do with a column that holds no labels; of structs, a field may hold them."""
    if not isinstance(column.dtype, nw.Struct):
        return otherwise
    fields = show_some((repr(field.name) for field in column.dtype.fields), _MOST_FIELDS)
    return f"Pass one of its fields: {fields}."


def _binary_column(column: nw.Series[Any]) -> NDArray[Any]:
    if isinstance(column.dtype, nw.Object):
        values = [np.nan if is_missing(value) else value for value in column.to_list()]
        try:
            return np.array(values, dtype=np.float64)
        except (TypeError, ValueError):
            odd = next(value for value in values if not isinstance(value, int | float | np.number))
            raise InputError(
                f"must have columns of 0 and 1, got {show_value(odd)} in column {column.name!r}. "
                f"{_LABELS_ALONE}",
                parameter="y",
            ) from None
    missing = column.is_null().to_numpy()
    if not missing.any():
        return column.to_numpy()
    zero = False if isinstance(column.dtype, nw.Boolean) else 0
    filled: NDArray[np.float64] = column.fill_null(zero).to_numpy().astype(np.float64)
    filled[missing] = np.nan
    return filled


def plain_values(column: nw.Series[Any]) -> Any:
    """Return the values of a column, as an array where they are numbers and none is missing."""
    is_number = column.dtype.is_numeric() or isinstance(column.dtype, nw.Boolean)
    return column.to_numpy() if is_number and not column.is_null().any() else column.to_list()


def _read_list_column(series: nw.Series[Any]) -> Entries:
    import pyarrow as pa

    from .arrow_cells import can_be_label, find_width, is_number, read_flags, read_lists

    check_has_rows(len(series))
    lists = series.to_arrow()
    lists = lists.combine_chunks() if isinstance(lists, pa.ChunkedArray) else lists
    lengths, values = read_lists(lists)
    width = find_width(lengths, values)
    if width is not None:
        flags = read_flags(values).reshape(-1, width)
        return read_dense(np.where(flags == UNKNOWN, np.nan, flags))
    if is_number(values.type):
        evidence = MatrixEvidence()
        evidence.add(lengths, read_flags(values), values)
        wrong = evidence.find_wrong()
        if wrong is not None:
            raise not_binary(evidence.n_wrong, wrong.value.as_py(), wrong.row, wrong.label)
    if not can_be_label(values.type):
        raise InputTypeError(
            f"must hold lists of strings or whole numbers, got lists of {values.type}. "
            "Convert the labels to strings.",
            parameter="y",
        )
    row = np.repeat(np.arange(len(lists)), lengths)
    if values.null_count:
        at = row[np.flatnonzero(values.is_null().to_numpy(zero_copy_only=False))[0]]
        raise InputError(
            f"holds a missing label (null) at row {at}. Leave it out of the row's list.",
            parameter="y",
        )
    if pa.types.is_dictionary(values.type):
        # A dictionary may hold values that no row has.
        values = values.cast(values.type.value_type)
    coded = values.dictionary_encode()
    found = coded.dictionary.to_pylist()
    names = sort_names(found, Subject())
    label = rank_values(found, names)[coded.indices.to_numpy(zero_copy_only=False)]
    return Entries(*make_positions(row, label, len(lists), len(names)), names)


def _is_sparse(dtype: Any) -> bool:
    """Tell whether a type is a sparse type of pandas."""
    return str(dtype).startswith("Sparse[")


def _is_sparse_from_zero(dtype: Any) -> bool:
    """Tell whether a type is a sparse type of pandas that leaves out zeros."""
    return _is_sparse(dtype) and not is_missing(dtype.fill_value) and not dtype.fill_value

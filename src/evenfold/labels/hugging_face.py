"""Datasets of Hugging Face in memory: their columns as Arrow, and their rows.

The package `datasets` is not imported: whoever passes one of its objects has imported it.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from ..exceptions import InputError, InputTypeError
from .classes import Subject

if TYPE_CHECKING:
    import pyarrow as pa

_STREAMS = ("IterableDataset", "IterableDatasetDict", "IterableColumn")


class ArrowColumns(NamedTuple):
    """Columns of a dataset, with classes by name.

    Attributes
    ----------
    table : pa.Table
        The columns.
    features : dict of str to Any
        The feature of each column, as JSON has it.
    only : str or None
        The name of the column where one was passed and not a dataset.
    """

    table: pa.Table
    features: dict[str, Any]
    only: str | None


def is_dataset(value: Any) -> bool:
    """Tell whether a value is a Dataset, a DatasetDict or a column of a Dataset."""
    return _is_one_of(value, "Dataset", "DatasetDict", "Column")


def _is_one_of(value: Any, *names: str) -> bool:
    module = sys.modules.get("datasets")
    kinds = (getattr(module, name, None) for name in names)
    return isinstance(value, tuple(kind for kind in kinds if isinstance(kind, type)))


def join_splits(value: Any, parameter: str) -> Any:
    """Return the splits of a DatasetDict below each other as one Dataset; all else as it is.

    Parameters
    ----------
    value : Any
        Any value.
    parameter : str
        The name of the argument, for errors.

    Returns
    -------
    Any
        A Dataset for a DatasetDict, for other values the value. No rows are copied.

    Raises
    ------
    InputError
        If there are no splits, or if their features differ.
    InputTypeError
        If rows can only be read one after the other.
    """
    _refuse_stream(value, parameter)
    if not _is_one_of(value, "DatasetDict"):
        return value
    if not value:
        raise InputError("is a DatasetDict without splits. Pass a Dataset.", parameter=parameter)
    (first, dataset), *others = value.items()
    for split, other in others:
        column = _find_difference(dataset, other)
        if column is not None:
            raise InputError(
                f"is a DatasetDict whose splits differ: the column {column!r} of {split!r} is not "
                f"that of {first!r}. Pass one split, or give all of them the same features.",
                parameter=parameter,
            )
    return sys.modules["datasets"].concatenate_datasets(list(value.values())) if others else dataset


def _find_difference(first: Any, second: Any) -> str | None:
    """Return the first column that one dataset has not, or has with another feature."""
    own, other = first.features.to_dict(), second.features.to_dict()
    return next((name for name in [*own, *other] if own.get(name) != other.get(name)), None)


def _refuse_stream(value: Any, parameter: str) -> None:
    if _is_one_of(value, *_STREAMS):
        raise InputTypeError(
            f"must have all rows at hand, got an {type(value).__name__}. Load the dataset without "
            "streaming=True, or pass a list: [row['COLUMN'] for row in dataset].",
            parameter=parameter,
        )


def select_rows(value: Any, rows: Any) -> Any:
    """Return some rows of a Dataset or of a column, in this order; nothing is copied."""
    if _is_one_of(value, "Column"):
        return select_rows(value.source, rows)[value.column_name]
    return value.select(rows)


def read_columns(value: Any, parameter: str) -> ArrowColumns | None:
    """Return a dataset or a column as Arrow; None for any other value, and for images.

    Formats and transforms of the dataset do not change what is read.

    Parameters
    ----------
    value : Any
        Any value.
    parameter : str
        The name of the argument, for errors.

    Returns
    -------
    ArrowColumns or None
        The columns. What `datasets` decodes, such as images, is left to it where one column of it
        is passed.
    """
    dataset = join_splits(value, parameter)
    if not is_dataset(dataset):
        return None
    path: list[str] = []
    while _is_one_of(dataset, "Column"):
        path.insert(0, dataset.column_name)
        if hasattr(dataset.features, "decode_example"):
            return None
        dataset = dataset.source
    if path:
        dataset = dataset.select_columns(path[:1])
    features = dataset.features.to_dict()
    table = dataset.with_format("arrow")[:]
    if len(path) > 1:
        table, features = _find_field(table, features, path)
    named = _name_classes(table, features, parameter)
    return ArrowColumns(named, features, path[-1] if path else None)


def _find_field(
    table: pa.Table, features: dict[str, Any], path: list[str]
) -> tuple[pa.Table, dict[str, Any]]:
    """Return one field of a column of structs as a table of its own."""
    import pyarrow as pa
    import pyarrow.compute as pc

    name = path[-1]
    feature: Any = features
    for field in path:
        feature = feature[field]
    return pa.table({name: pc.struct_field(table.column(0), path[1:])}), {name: feature}


def _name_classes(table: pa.Table, features: dict[str, Any], parameter: str) -> pa.Table:
    """Put names in the place of class numbers."""
    from .class_names import find_class_names, name_classes

    for at, column in enumerate(table.column_names):
        names = find_class_names(features.get(column))
        if names:
            subject = Subject(parameter, f"column {column!r} ")
            cells = table.column(at).combine_chunks()
            named = name_classes(cells, names, subject, "Correct the features.")
            table = table.set_column(at, column, named)
    return table

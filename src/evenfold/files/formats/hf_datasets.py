"""A folder as save_to_disk of `datasets` writes it: Arrow streams and JSON files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from ...exceptions import InputError
from ...labels.arrow_cells import is_list
from ...labels.class_names import find_class_names, find_feature, is_class, name_classes
from ...labels.classes import Subject
from ..arrow_types import to_plain_types
from ..columnar import ColumnarFile
from ..same_schema import check_same_schema
from ..saved_datasets import (
    INFO,
    SPLITS,
    STATE,
    SavedDataset,
    check_features,
    describe_splits,
    list_splits,
    parse_json,
    read_saved,
    with_sizes,
)
from ..struct_fields import find_type, read_with_fields
from .arrow_ipc import IpcLayout, open_ipc_writer, read_ipc, read_layout

_DATA = "data-00000-of-00001.arrow"
_TEXT_FEATURE = {"dtype": "string", "_type": "Value"}


class HuggingFaceFolder(ColumnarFile):
    """A Dataset or a DatasetDict saved to disk.

    Notes
    -----
    The splits of a DatasetDict are read one after the other, as one table. What is written keeps
    them, unless the rows are cut into new parts.
    Columns of ClassLabel, and of lists of them, are read as the names of the classes; written, they
    stay numbers. A part is a folder of the same kind with one data file and a fingerprint of its
    own: `datasets` takes rows with equal fingerprints for equal.
    """

    format: ClassVar[str] = "huggingface"
    suffix: ClassVar[str] = ""

    def __init__(self, path: Path, name: str | None = None) -> None:
        self._splits = [HuggingFaceFolder(path / split) for split in list_splits(path)]
        if self._splits:
            self._saved, self._layout = _join(self._splits)
        else:
            self._saved, self._layout = _open_files(path)
        super().__init__(path, self._layout.schema, name)
        self.class_columns = [
            name
            for name in (*self.columns, *self.fields)
            if is_class(self._find_feature(name)) and not is_list(self._find_type(name))
        ]
        lists = [own for own in self.columns if self._holds_class_lists(own)]
        # Of several such columns, as of words and phrases, one alone is meant.
        self.label_columns = lists if len(lists) == 1 else []

    def _find_type(self, name: str) -> pa.DataType:
        is_column = self.schema.get_field_index(name) >= 0
        return (
            self.schema.field(name).type if is_column else find_type(self.schema, self.fields[name])
        )

    def _holds_class_lists(self, column: str) -> bool:
        return is_list(self.schema.field(column).type) and bool(self._find_class_names(column))

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns, classes by name."""
        names_of = [self._find_class_names(column) for column in columns]
        for batch in read_with_fields(self._read_plain, columns, self.columns, self.fields):
            cells = zip(batch.columns, names_of, columns, strict=True)
            arrays = [
                self._name_classes(array, names, column) if names else array
                for array, names, column in cells
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    def _find_class_names(self, column: str) -> list[str] | None:
        return find_class_names(self._find_feature(column))

    def _find_feature(self, column: str) -> Any:
        is_column = self.schema.get_field_index(column) >= 0
        field = None if is_column else self.fields[column]
        return find_feature(self._saved.features, (column,) if field is None else field.path)

    def _name_classes(self, array: pa.Array, names: Sequence[str], column: str) -> pa.Array:
        subject = Subject(None, f"{self.name}: column '{column}' ")
        return name_classes(array, names, subject, f"Correct {INFO}.")

    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows with the types they have in the files."""
        return self._read(self.columns)

    def _read_plain(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        return map(to_plain_types, self._read(columns))

    def _read(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for file in self._saved.files:
            yield from read_ipc(file, str(file), self._layout, columns)

    def read_to_convert(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows, classes by name."""
        return self.read_batches(self.columns)

    @contextmanager
    def open_writer(self, target: Path, schema: pa.Schema) -> Iterator[Any]:
        """Make the folder and open its data file."""
        target.mkdir(parents=True, exist_ok=True)
        layout = self._layout._replace(schema=_add_features(schema, self.name))
        with open_ipc_writer(target / _DATA, layout) as writer:
            yield writer

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j to the folder `targets[j]`."""
        super().write_parts(targets, part_of_row)
        for part, target in enumerate(targets):
            is_own = part_of_row == part
            self._describe(target, self._saved.info, int(is_own.sum()), is_own.tobytes())

    def plan_folder(
        self, names: Sequence[str], suffix: str, transfer: str | None
    ) -> dict[str, bool]:
        """Return a folder for each part, and the file that makes them one DatasetDict."""
        return {**super().plan_folder(names, suffix, transfer), SPLITS: False}

    def write_folder(
        self,
        targets: Mapping[str, Path],
        names: Sequence[str],
        part_of_row: NDArray[np.int32],
        transfer: str | None,
    ) -> None:
        """Write the parts of a DatasetDict, and its list of them."""
        parts = {name: path for name, path in targets.items() if name != SPLITS}
        super().write_folder(parts, names, part_of_row, transfer)
        targets[SPLITS].write_bytes(describe_splits(list(names)))

    def write_sample(self, target: Path, is_drawn: NDArray[np.bool_]) -> None:
        """Write the rows drawn; they stay in their splits."""
        if not self._splits:
            super().write_sample(target, is_drawn)
            return
        for split, folder, rows in self._make_splits(target):
            split.write_sample(folder, is_drawn[rows])

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the dataset with one more feature, a string."""
        if self._splits:
            for split, folder, rows in self._make_splits(target):
                split.write_with_column(folder, column, values, code_of_row[rows])
            return
        super().write_with_column(target, column, values, code_of_row)
        info = _with_feature(self._saved.info, column)
        self._describe_column(target, info, column, values, code_of_row)

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the dataset with other values of one feature in some rows."""
        if self._splits:
            for split, folder, rows in self._make_splits(target):
                split.fill_column(folder, column, values, code_of_row[rows])
            return
        super().fill_column(target, column, values, code_of_row)
        self._describe_column(target, self._saved.info, column, values, code_of_row)

    def _make_splits(self, target: Path) -> Iterator[tuple[HuggingFaceFolder, Path, slice]]:
        """Make a folder for splits; yield each split, its new folder and its rows."""
        target.mkdir(parents=True, exist_ok=True)
        names = [split.path.name for split in self._splits]
        (target / SPLITS).write_bytes(describe_splits(names))
        start = 0
        for name, split in zip(names, self._splits, strict=True):
            n_rows = sum(batch.num_rows for batch in split._read(self.columns[:1]))
            yield split, target / name, slice(start, start + n_rows)
            start += n_rows

    def to_cells(self, column: str, values: Sequence[str]) -> pa.Array:
        """Return the numbers of classes for a column of classes, else the values in its type."""
        names = self._find_class_names(column)
        if not names or not pa.types.is_integer(self.schema.field(column).type):
            return super().to_cells(column, values)
        unknown = [value for value in values if value not in names]
        if unknown:
            raise InputError(
                f"{self.name}: '{column}' holds classes, and none is named "
                f"{', '.join(unknown[:5])}. "
                f"Add it to the features in {INFO}, or name a new column with --column."
            )
        return pa.array([names.index(value) for value in values], self.schema.field(column).type)

    def _describe_column(
        self,
        target: Path,
        info: dict[str, Any],
        column: str,
        values: Sequence[str],
        code_of_row: NDArray[np.int32],
    ) -> None:
        """Write the two JSON files of a folder in which one column is new."""
        content = code_of_row.tobytes() + json.dumps([column, *values]).encode()
        self._describe(target, info, len(code_of_row), content)

    def _describe(self, target: Path, info: dict[str, Any], n_rows: int, content: bytes) -> None:
        """Write the two JSON files of a folder whose data file is written.

        `content` is what the fingerprint depends on, besides that of the whole dataset.
        """
        old = self._saved.state
        fingerprint = hashlib.blake2b(
            str(old.get("_fingerprint")).encode() + content, digest_size=8
        ).hexdigest()
        state = {key: value for key, value in old.items() if not key.startswith("_indices")}
        state |= {"_data_files": [{"filename": _DATA}], "_fingerprint": fingerprint}
        info = with_sizes(info, old.get("_split"), n_rows, (target / _DATA).stat().st_size)
        (target / STATE).write_text(json.dumps(state, indent=2, sort_keys=True), encoding="utf-8")
        # Not sorted: the order of the features is that of the columns.
        (target / INFO).write_text(json.dumps(info, indent=2), encoding="utf-8")


def _open_files(path: Path) -> tuple[SavedDataset, IpcLayout]:
    """Return what is known of one dataset, and how its data files are written."""
    saved = read_saved(path)
    first, *others = saved.files
    layout = read_layout(first, str(first))
    for file in others:
        check_same_schema(file, read_layout(file, str(file)).schema, first, layout.schema)
    check_features(path, saved, layout.schema.names)
    return saved, layout


def _join(splits: Sequence[HuggingFaceFolder]) -> tuple[SavedDataset, IpcLayout]:
    """Return what is known of the splits of a DatasetDict as one dataset.

    It is in no split itself, and its fingerprint depends on those of all splits.
    """
    first, *others = splits
    for other in others:
        check_same_schema(other.path, other.schema, first.path, first.schema)
        for column in first.columns:
            if other._find_class_names(column) != first._find_class_names(column):
                raise InputError(
                    f"{other.path}: the classes of column '{column}' are not those of "
                    f"{first.path}. Pass one of them, or save both with the same features."
                )
    prints = [str(split._saved.state.get("_fingerprint")) for split in splits]
    state = first._saved.state
    if others:
        state = {**state, "_split": None, "_fingerprint": " ".join(prints)}
    files = [file for split in splits for file in split._saved.files]
    return SavedDataset(state, first._saved.info, files), first._layout


def _add_features(schema: pa.Schema, name: str) -> pa.Schema:
    """Add new columns to the features that the metadata of a schema lists."""
    kept = (schema.metadata or {}).get(b"huggingface")
    described = parse_json(kept, name) if kept else {}
    features = (described.get("info") or {}).get("features") or {}
    new = [column for column in schema.names if features and column not in features]
    if not new:
        return schema
    features.update(dict.fromkeys(new, _TEXT_FEATURE))
    metadata = {**schema.metadata, b"huggingface": json.dumps(described).encode()}
    return schema.with_metadata(metadata)


def _with_feature(info: dict[str, Any], column: str) -> dict[str, Any]:
    if not info.get("features"):
        return info
    return {**info, "features": {**info["features"], column: _TEXT_FEATURE}}

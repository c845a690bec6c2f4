"""A folder as `datasets.Dataset.save_to_disk` writes it: Arrow streams, state.json and dataset_info.json."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from ...exceptions import InputError
from ...labels.arrow_cells import is_list, read_lists
from ..columnar import ColumnarFile, check_same_schema, without_views
from .arrow_ipc import open_ipc_writer, read_ipc, read_layout

_DATA, _STATE, _INFO = "data-00000-of-00001.arrow", "state.json", "dataset_info.json"
_TEXT_FEATURE = {"dtype": "string", "_type": "Value"}


class HuggingFaceFolder(ColumnarFile):
    """One dataset saved to disk.

    Notes
    -----
    Columns of ClassLabel, and of lists of them, are read as the names of the classes; written, they stay the numbers they are.
    A part is a folder of the same kind with one data file and a fingerprint of its own: `datasets` takes equal fingerprints for equal rows.
    """

    format: ClassVar[str] = "huggingface"
    suffix: ClassVar[str] = ""

    def __init__(self, path: Path) -> None:
        _refuse_dict_of_datasets(path)
        self._state, self._info = _read_json(path / _STATE), _read_json(path / _INFO)
        self._files = [path / name for name in _name_data_files(path / _STATE, self._state)]
        self._layout = read_layout(self._files[0])
        super().__init__(path, self._layout.schema)
        for file in self._files[1:]:
            check_same_schema(file, read_layout(file).schema, self._files[0], self.schema)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns, classes by name."""
        names_of = [self._find_class_names(column) for column in columns]
        for batch in map(without_views, self._read(columns)):
            cells = zip(batch.columns, names_of, columns, strict=True)
            arrays = [
                self._decode(array, names, column) if names else array
                for array, names, column in cells
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    def _find_class_names(self, column: str) -> list[str] | None:
        return _find_class_names((self._info.get("features") or {}).get(column))

    def _decode(self, array: pa.Array, names: Sequence[str], column: str) -> pa.Array:
        """Turn class numbers, or lists of them, into names; -1 stands for no class."""
        if pa.types.is_integer(array.type):
            largest = pc.max(array).as_py()
            if largest is not None and largest >= len(names):
                raise InputError(
                    f"{self.path}: column '{column}' holds class {largest}, and its features name {len(names)}. Correct {_INFO}."
                )
            return pa.DictionaryArray.from_arrays(
                pc.if_else(pc.less(array, 0), None, array), pa.array(names, pa.string())
            )
        if not is_list(array.type):
            return array
        lengths, values = read_lists(array)
        offsets = pa.array(np.concatenate(([0], np.cumsum(lengths))))
        return pa.LargeListArray.from_arrays(
            offsets, self._decode(values, names, column), mask=array.is_null()
        )

    def read_all_columns(self) -> Iterator[pa.RecordBatch]:
        """Yield all rows as they are in the files."""
        return self._read(self.columns)

    def _read(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for file in self._files:
            yield from read_ipc(file, self._layout, columns)

    @contextmanager
    def open_writer(self, target: Path, schema: pa.Schema) -> Iterator[Any]:
        """Make the folder and open its data file."""
        target.mkdir(parents=True, exist_ok=True)
        with open_ipc_writer(
            target / _DATA, self._layout._replace(schema=_tell_features(schema, self.path))
        ) as writer:
            yield writer

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j to the folder `targets[j]`."""
        super().write_parts(targets, part_of_row)
        for part, target in enumerate(targets):
            is_own = part_of_row == part
            self._describe(target, self._info, int(is_own.sum()), is_own.tobytes())

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the dataset with one more feature, a string."""
        super().write_with_column(target, column, values, code_of_row)
        info = _with_feature(self._info, column)
        self._describe(
            target,
            info,
            len(code_of_row),
            code_of_row.tobytes() + json.dumps([column, *values]).encode(),
        )

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the dataset with other values of one feature in some rows."""
        super().fill_column(target, column, values, code_of_row)
        self._describe(
            target,
            self._info,
            len(code_of_row),
            code_of_row.tobytes() + json.dumps([column, *values]).encode(),
        )

    def to_cells(self, column: str, values: Sequence[str]) -> pa.Array:
        """Return the numbers of classes where the column holds classes, else the values as they are there."""
        names = self._find_class_names(column)
        if not names or not pa.types.is_integer(self.schema.field(column).type):
            return super().to_cells(column, values)
        unknown = [value for value in values if value not in names]
        if unknown:
            raise InputError(
                f"{self.path}: '{column}' holds classes, and none is named {', '.join(unknown[:5])}. "
                f"Add it to the features in {_INFO}, or name a new column with --column."
            )
        return pa.array([names.index(value) for value in values], self.schema.field(column).type)

    def _describe(self, target: Path, info: dict[str, Any], n_rows: int, content: bytes) -> None:
        """Write the two JSON files of a folder whose data file is written."""
        fingerprint = hashlib.blake2b(
            str(self._state.get("_fingerprint")).encode() + content, digest_size=8
        ).hexdigest()
        state = {key: value for key, value in self._state.items() if not key.startswith("_indices")}
        state |= {"_data_files": [{"filename": _DATA}], "_fingerprint": fingerprint}
        info = _with_sizes(info, self._state.get("_split"), n_rows, (target / _DATA).stat().st_size)
        (target / _STATE).write_text(json.dumps(state, indent=2, sort_keys=True), encoding="utf-8")
        # Not sorted: the order of the features is that of the columns.
        (target / _INFO).write_text(json.dumps(info, indent=2), encoding="utf-8")


def _refuse_dict_of_datasets(path: Path) -> None:
    if (path / "dataset_dict.json").exists():
        splits = _read_json(path / "dataset_dict.json").get("splits") or []
        first = path / str(next(iter(splits), "train"))
        raise InputError(
            f"{path}: holds several datasets: {', '.join(map(str, splits))}. Pass one of them: {first}"
        )


def _name_data_files(path: Path, state: dict[str, Any]) -> list[str]:
    if state.get("_indices_data_files"):
        raise InputError(
            f"{path}: picks its rows through a table of indices, as very old 'datasets' did. Load it and save it again."
        )
    try:
        names = [str(entry["filename"]) for entry in state["_data_files"]]
    except (KeyError, TypeError):
        names = []
    if not names:
        raise InputError(
            f"{path}: names no data files under '_data_files'. Save the dataset again with save_to_disk."
        )
    return names


def _read_json(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise InputError(
            f"{path.parent}: is not a dataset saved with save_to_disk, for it has no {path.name}. Pass the folder that has one."
        )
    return _parse_json(path.read_bytes(), path)


def _parse_json(text: bytes, path: Path) -> dict[str, Any]:
    try:
        content = json.loads(text)
    except ValueError as error:
        raise InputError(
            f"{path}: is not JSON: {error}. Save the dataset again with save_to_disk."
        ) from None
    if not isinstance(content, dict):
        raise InputError(
            f"{path}: must hold a JSON object, got {type(content).__name__}. Save the dataset again with save_to_disk."
        )
    return content


def _find_class_names(feature: Any) -> list[str] | None:
    """Return the names of the classes where a feature is ClassLabel or a list of it."""
    if isinstance(feature, list) and len(feature) == 1:
        return _find_class_names(feature[0])
    if not isinstance(feature, dict):
        return None
    if feature.get("_type") in ("Sequence", "List", "LargeList"):
        return _find_class_names(feature.get("feature"))
    return feature.get("names") if feature.get("_type") == "ClassLabel" else None


def _tell_features(schema: pa.Schema, path: Path) -> pa.Schema:
    """Add the columns that the features kept in the schema do not know yet."""
    kept = (schema.metadata or {}).get(b"huggingface")
    told = _parse_json(kept, path) if kept else {}
    features = (told.get("info") or {}).get("features") or {}
    new = [name for name in schema.names if features and name not in features]
    if not new:
        return schema
    features.update(dict.fromkeys(new, _TEXT_FEATURE))
    return schema.with_metadata({**schema.metadata, b"huggingface": json.dumps(told).encode()})


def _with_feature(info: dict[str, Any], column: str) -> dict[str, Any]:
    return (
        {**info, "features": {**info["features"], column: _TEXT_FEATURE}}
        if info.get("features")
        else info
    )


def _with_sizes(info: dict[str, Any], split: Any, n_rows: int, n_bytes: int) -> dict[str, Any]:
    """Correct what is said about the size of this split, and of all, where it is said."""
    info = dict(info)
    if split in (info.get("splits") or {}):
        own = {**info["splits"][split], "num_examples": n_rows, "num_bytes": n_bytes}
        own.pop("shard_lengths", None)
        info["splits"] = {**info["splits"], split: own}
        n_bytes = sum(other.get("num_bytes") or 0 for other in info["splits"].values())
    if info.get("dataset_size") is not None:
        info["dataset_size"] = n_bytes
    if info.get("size_in_bytes") is not None:
        info["size_in_bytes"] = n_bytes + (info.get("download_size") or 0)
    return info

"""A folder as `datasets.Dataset.save_to_disk` writes it: Arrow streams and two JSON files."""

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
from ..arrow_types import to_plain_types
from ..columnar import ColumnarFile
from ..damage import explain_damage
from ..same_schema import check_same_schema
from .arrow_ipc import open_ipc_writer, read_ipc, read_layout

_DATA, _STATE, _INFO = "data-00000-of-00001.arrow", "state.json", "dataset_info.json"
_TEXT_FEATURE = {"dtype": "string", "_type": "Value"}
_SAVE_AGAIN = "Save the dataset again with save_to_disk."


class HuggingFaceFolder(ColumnarFile):
    """One dataset saved to disk.

    Notes
    -----
    Columns of ClassLabel, and of lists of them, are read as the names of the classes; written, they
    stay numbers. A part is a folder of the same kind with one data file and a fingerprint of its
    own: `datasets` takes rows with equal fingerprints for equal.
    """

    format: ClassVar[str] = "huggingface"
    suffix: ClassVar[str] = ""

    def __init__(self, path: Path, name: str | None = None) -> None:
        _refuse_dict_of_datasets(path)
        self._state, self._info = _read_json(path / _STATE), _read_json(path / _INFO)
        self._files = [path / file for file in _name_data_files(path / _STATE, self._state)]
        self._layout = read_layout(self._files[0], str(self._files[0]))
        super().__init__(path, self._layout.schema, name)
        for file in self._files[1:]:
            schema = read_layout(file, str(file)).schema
            check_same_schema(file, schema, self._files[0], self.schema)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns, classes by name."""
        names_of = [self._find_class_names(column) for column in columns]
        for batch in map(to_plain_types, self._read(columns)):
            cells = zip(batch.columns, names_of, columns, strict=True)
            arrays = [
                self._decode(array, names, column) if names else array
                for array, names, column in cells
            ]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))

    def _find_class_names(self, column: str) -> list[str] | None:
        return _find_class_names((self._info.get("features") or {}).get(column))

    def _decode(self, array: pa.Array, names: Sequence[str], column: str) -> pa.Array:
        """Turn class numbers, or lists of them, into names; -1 is no class."""
        if pa.types.is_integer(array.type):
            largest = pc.max(array).as_py()
            if largest is not None and largest >= len(names):
                raise InputError(
                    f"{self.name}: column '{column}' holds class {largest}, "
                    f"and its features name {len(names)}. Correct {_INFO}."
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
        """Yield all rows with the types they have in the files."""
        return self._read(self.columns)

    def _read(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        for file in self._files:
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
            self._describe(target, self._info, int(is_own.sum()), is_own.tobytes())

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the dataset with one more feature, a string."""
        super().write_with_column(target, column, values, code_of_row)
        info = _with_feature(self._info, column)
        self._describe_column(target, info, column, values, code_of_row)

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the dataset with other values of one feature in some rows."""
        super().fill_column(target, column, values, code_of_row)
        self._describe_column(target, self._info, column, values, code_of_row)

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
                f"Add it to the features in {_INFO}, or name a new column with --column."
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
            f"{path}: holds several datasets: {', '.join(map(str, splits))}. "
            f"Pass one of them: {first}"
        )


def _name_data_files(path: Path, state: dict[str, Any]) -> list[str]:
    if state.get("_indices_data_files"):
        raise InputError(
            f"{path}: picks its rows through a table of indices, as very old 'datasets' did. "
            "Load it and save it again."
        )
    try:
        names = [str(entry["filename"]) for entry in state["_data_files"]]
    except (KeyError, TypeError):
        names = []
    if not names:
        raise InputError(f"{path}: names no data files under '_data_files'. {_SAVE_AGAIN}")
    return names


def _read_json(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise InputError(
            f"{path.parent}: is not a dataset saved with save_to_disk, for it has no {path.name}. "
            "Pass the folder that has one."
        )
    return _parse_json(path.read_bytes(), str(path))


def _parse_json(text: bytes, name: str) -> dict[str, Any]:
    with explain_damage(f"{name}: is not JSON", (ValueError, RecursionError), _SAVE_AGAIN):
        content = json.loads(text)
    if not isinstance(content, dict):
        kind = type(content).__name__
        raise InputError(f"{name}: must hold a JSON object, got {kind}. {_SAVE_AGAIN}")
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


def _add_features(schema: pa.Schema, name: str) -> pa.Schema:
    """Add new columns to the features that the metadata of a schema lists."""
    kept = (schema.metadata or {}).get(b"huggingface")
    described = _parse_json(kept, name) if kept else {}
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


def _with_sizes(info: dict[str, Any], split: Any, n_rows: int, n_bytes: int) -> dict[str, Any]:
    """Correct the sizes of this split and of all splits, where the info has them."""
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

"""COCO json: images, and annotations that say which categories are seen on them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, ClassVar, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...exceptions import InputError
from ...labels.labels import Labels
from ..codecs.python_json import find_members, read_python_json
from ..datafile import DataFile
from ..own_labels import label_entries
from ..row_lines import rows_changed

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 1 << 16
_Kind = TypeVar("_Kind")
_Id = int | str
_CUT = ("images", "annotations")
_Fields = Mapping[str, bytes | msgspec.Raw]
_Records = Mapping[str, Sequence[bytes | msgspec.Raw]]


class _Annotation(msgspec.Struct):
    image_id: _Id
    category_id: _Id
    id: _Id | None = None


class _Category(msgspec.Struct):
    id: _Id
    name: str = ""


class _Images(msgspec.Struct):
    images: list[dict[str, Any]]


class _Dataset(_Images):
    annotations: list[_Annotation]
    categories: list[_Category]


class Coco(DataFile):
    """A COCO file: its rows are the images, their labels the categories of their annotations.

    Notes
    -----
    Labels come in the order of the categories, also those that no image shows; they are named by id where two names are the same.
    The columns are the fields of the images that hold single values.
    A json file cannot be read by its head: opening reads all of it, and writing holds all of it in memory. NaN, as Python writes it, is a missing value.
    """

    format: ClassVar[str] = "coco"
    suffix: ClassVar[str] = ".json"

    def __init__(self, path: Path) -> None:
        self.path = path
        dataset = _decode(path, _Dataset)
        self.columns = _find_columns(dataset.images)
        self._n_images = len(dataset.images)
        self._names = _name_categories(dataset.categories)
        self._row, self._label = self._place_annotations(dataset)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these fields of all images, in order, a bounded number of rows at a time."""
        import pyarrow as pa

        images = _decode(self.path, _Images).images
        arrays = []
        for column in columns:
            try:
                arrays.append(pa.array([image.get(column) for image in images]))
            except (pa.ArrowException, OverflowError) as error:
                raise InputError(
                    f"{self.path}: the field {column!r} of the images cannot be read as a column: {error}. Give it one type."
                ) from None
        yield from pa.table(arrays, names=list(columns)).to_batches(_ROWS_AT_ONCE)

    def read_own_labels(self) -> Labels:
        """Return which categories are seen on which image."""
        if not self._n_images:
            raise InputError(f"{self.path}: holds no images. Check how it was made or filtered.")
        return label_entries(self._row, self._label, self._names, self._n_images)

    def read_counts(self) -> sparse.csr_array:
        """Return how many annotations of each category every image has, images × categories, to balance amounts by."""
        once = np.ones(len(self._row), np.int64)
        return sparse.csr_array(
            (once, (self._row, self._label)), shape=(self._n_images, len(self._names))
        )

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write for each part its images, their annotations, and all else; every record byte for byte."""
        fields, records = _cut(self.path)
        if len(part_of_row) != len(records["images"]) or len(self._row) != len(
            records["annotations"]
        ):
            raise rows_changed(self.path, len(part_of_row))
        part_of = {"images": part_of_row, "annotations": part_of_row[self._row]}
        for part, target in enumerate(targets):
            with target.open("wb") as file:
                for place, (name, value) in enumerate(fields.items()):
                    file.write((b", " if place else b"{") + msgspec.json.encode(name) + b": ")
                    if name in records:
                        _write_list(
                            file,
                            (
                                records[name][at]
                                for at in np.flatnonzero(part_of[name] == part).tolist()
                            ),
                        )
                    else:
                        file.write(value)
                file.write(b"}\n")

    def _place_annotations(self, dataset: _Dataset) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return row and label of every annotation."""
        row_of = self._number_ids("image", [image.get("id") for image in dataset.images])
        label_of = self._number_ids("category", [category.id for category in dataset.categories])
        row = self._look_up("image", row_of, dataset.annotations)
        return row, self._look_up("category", label_of, dataset.annotations)

    def _number_ids(self, kind: str, ids: list[Any]) -> dict[_Id, int]:
        number_of: dict[_Id, int] = {}
        for number, own in enumerate(ids):
            if not isinstance(own, int | str):
                raise InputError(
                    f"{self.path}: is not COCO: {kind} {number} has the id {own!r}. Give it a whole number or a string."
                )
            if number_of.setdefault(own, number) != number:
                raise InputError(
                    f"{self.path}: the {kind} id {own!r} is there twice. Give each its own."
                )
        return number_of

    def _look_up(
        self, kind: str, number_of: dict[_Id, int], annotations: list[_Annotation]
    ) -> NDArray[np.int64]:
        ids = [getattr(annotation, f"{kind}_id") for annotation in annotations]
        numbers = [number_of.get(own, -1) for own in ids]
        if -1 in numbers:
            at = numbers.index(-1)
            raise InputError(
                f"{self.path}: annotation {annotations[at].id!r} has the {kind}_id {ids[at]!r}, but there is no such {kind}. Remove it, or add the {kind}."
            )
        return np.array(numbers, np.int64)


def _decode(path: Path, kind: type[_Kind]) -> _Kind:
    content = _read_bytes(path)
    with _refusing_damage(path):
        try:
            return msgspec.json.decode(content, type=kind)
        except msgspec.ValidationError:
            raise
        except msgspec.DecodeError as error:
            try:
                found = read_python_json(content)
            except ValueError:
                raise error from None
            return msgspec.convert(found, kind)


def _cut(path: Path) -> tuple[_Fields, _Records]:
    """Return the fields of the file, and the records of two of them, byte for byte."""
    content = _read_bytes(path)
    with _refusing_damage(path):
        try:
            return _cut_strictly(content)
        except msgspec.DecodeError as error:
            try:
                return _cut_slowly(content.decode())
            except (ValueError, LookupError):
                raise error from None


def _cut_strictly(content: bytes) -> tuple[_Fields, _Records]:
    fields = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    return fields, {
        name: msgspec.json.decode(fields[name], type=list[msgspec.Raw]) for name in _CUT
    }


def _cut_slowly(text: str) -> tuple[_Fields, _Records]:
    """Do so in a file that only Python takes for JSON."""
    place_of = {str(name): (start, end) for name, start, end in find_members(text)}
    fields = {name: text[start:end].encode() for name, (start, end) in place_of.items()}
    return fields, {
        name: [text[start:end].encode() for _, start, end in find_members(text, place_of[name][0])]
        for name in _CUT
    }


def _read_bytes(path: Path) -> bytes:
    return path.read_bytes().removeprefix(b"\xef\xbb\xbf")


@contextmanager
def _refusing_damage(path: Path) -> Iterator[None]:
    try:
        yield
    except msgspec.ValidationError as error:
        raise InputError(
            f"{path}: is not COCO: {error}. A COCO file holds images, annotations and categories."
        ) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(
            f"{path}: cannot be read as JSON: {error}. Check that the file is whole."
        ) from None


def _write_list(file: BinaryIO, records: Iterable[bytes | msgspec.Raw]) -> None:
    between = b"["
    for record in records:
        file.write(between)
        file.write(record)
        between = b", "
    file.write(b"[]" if between == b"[" else b"]")


def _find_columns(images: list[dict[str, Any]]) -> list[str]:
    fields = {name: None for image in images for name in image}
    nested = {
        name for image in images for name, value in image.items() if isinstance(value, list | dict)
    }
    return [name for name in fields if name not in nested]


def _name_categories(categories: list[_Category]) -> list[str]:
    names = [category.name for category in categories]
    return (
        names
        if len({*names, ""}) == len(names) + 1
        else [str(category.id) for category in categories]
    )

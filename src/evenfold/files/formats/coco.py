"""COCO json: images, and annotations that say which categories they show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from ...exceptions import InputError
from ...labels.labels import Labels
from ..codecs.json_lists import JsonBytes, open_list
from ..codecs.python_json import find_members, read_python_json
from ..damage import explain_damage
from ..datafile import DataFile
from ..memory import read_whole
from ..row_chunks import rows_changed
from ..vision.boxes import BOX_COLUMNS, Boxes

if TYPE_CHECKING:
    import pyarrow as pa

_ROWS_AT_ONCE = 1 << 16
# The fields whose records are written to parts.
_SPLIT_FIELDS = ("images", "annotations")
_Kind = TypeVar("_Kind")
_Id = int | str
_Fields = Mapping[str, JsonBytes]
_Records = Mapping[str, Sequence[JsonBytes]]


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


class _SizedImage(msgspec.Struct):
    id: _Id
    width: float | None = None
    height: float | None = None


class _BoxedAnnotation(msgspec.Struct):
    id: _Id | None = None
    bbox: list[float] | None = None


class _BoxedDataset(msgspec.Struct):
    images: list[_SizedImage]
    annotations: list[_BoxedAnnotation]


class Coco(DataFile):
    """A COCO file: its rows are the images, their labels the categories of their annotations.

    Notes
    -----
    Labels are in the order of the categories, with those that no image shows; where two categories
    have the same name, all are named by id. The columns are the fields of the images that hold
    single values. To open a json file reads all of it, and to write it holds all of it in memory.
    NaN, as Python writes it, is a missing value.
    """

    format: ClassVar[str] = "coco"
    suffix: ClassVar[str] = ".json"
    path_column = "file_name"
    box_columns = BOX_COLUMNS

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        dataset = self._decode(_Dataset)
        self.columns = _find_columns(dataset.images)
        self._n_images = len(dataset.images)
        self._names = _name_categories(dataset.categories)
        self._row, self._label = self._place_annotations(dataset)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these fields of all images, in order, a bounded number of rows at a time."""
        import pyarrow as pa

        images = self._decode(_Images).images
        arrays = []
        for column in columns:
            what = f"{self.name}: the field {column!r} of the images cannot be read as a column"
            with explain_damage(what, (pa.ArrowException, OverflowError), "Give it one type."):
                arrays.append(pa.array([image.get(column) for image in images]))
        yield from pa.table(arrays, names=list(columns)).to_batches(_ROWS_AT_ONCE)

    def read_own_labels(self) -> Labels:
        """Return which categories each image shows."""
        if not self._n_images:
            raise self.holds_no("images")
        return self._read_boxes().to_labels(self._names, self._n_images)

    def read_counts(self) -> dict[str, NDArray[np.float64]]:
        """Return how many annotations of each category every image has, by category."""
        return self._read_boxes().count_labels(self._names, self._n_images)

    def read_box_column(self, column: str) -> NDArray[np.float64]:
        """Return the number of annotations of each image, or the share of its area in boxes."""
        area = self._read_areas() if column == "box_area" else None
        return self._read_boxes(area).measure(column, self._n_images)

    def _read_boxes(self, area: NDArray[np.float64] | None = None) -> Boxes:
        once = np.ones(len(self._row))
        return Boxes(self._row, self._label, once * np.nan if area is None else area, once)

    def _read_areas(self) -> NDArray[np.float64]:
        """Return which share of its image the box of each annotation is."""
        dataset = self._decode(_BoxedDataset)
        if len(dataset.annotations) != len(self._row):
            raise rows_changed(self.name, self._n_images)
        for image in dataset.images:
            if not (image.width or 0) > 0 or not (image.height or 0) > 0:
                raise self._lacks(f"image {image.id!r}", "width and height")
        for annotation in dataset.annotations:
            if len(annotation.bbox or ()) != 4:
                raise self._lacks(f"annotation {annotation.id!r}", "bbox of four numbers")
        size = np.array([(image.width, image.height) for image in dataset.images], np.float64)
        box = np.array([own.bbox for own in dataset.annotations], np.float64).reshape(-1, 4)
        area: NDArray[np.float64] = box[:, 2:].prod(axis=1) / size.prod(axis=1)[self._row]
        return area

    def _lacks(self, record: str, what: str) -> InputError:
        return InputError(f"{self.name}: {record} has no {what}, which box_area needs. Add it.")

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write for each part its images and their annotations, byte for byte, and all else."""
        fields, records = self._cut()
        n_annotations = len(records["annotations"])
        if len(part_of_row) != len(records["images"]) or len(self._row) != n_annotations:
            raise rows_changed(self.name, len(part_of_row))
        part_of = {"images": part_of_row, "annotations": part_of_row[self._row]}
        for part, target in enumerate(targets):
            with target.open("wb") as file:
                for place, (name, value) in enumerate(fields.items()):
                    file.write((b", " if place else b"{") + msgspec.json.encode(name) + b": ")
                    if name in records:
                        own = np.flatnonzero(part_of[name] == part).tolist()
                        with open_list(file) as write:
                            write(records[name][at] for at in own)
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
                    f"{self.name}: is not COCO: {kind} {number} has the id {own!r}. "
                    "Give it a whole number or a string."
                )
            if number_of.setdefault(own, number) != number:
                raise InputError(
                    f"{self.name}: the {kind} id {own!r} is there twice. Give each its own."
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
                f"{self.name}: annotation {annotations[at].id!r} has the {kind}_id {ids[at]!r}, "
                f"but there is no such {kind}. Remove it, or add the {kind}."
            )
        return np.array(numbers, np.int64)

    def _decode(self, kind: type[_Kind]) -> _Kind:
        content = self._read_bytes()
        with self._explain_damage():
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

    def _cut(self) -> tuple[_Fields, _Records]:
        """Return the fields of the file, and the records of two of them, byte for byte."""
        content = self._read_bytes()
        with self._explain_damage():
            try:
                return _cut_json(content)
            except msgspec.DecodeError as error:
                try:
                    return _cut_python_json(content.decode())
                except (ValueError, LookupError):
                    raise error from None

    def _read_bytes(self) -> bytes:
        return read_whole(self.path, self.name).removeprefix(b"\xef\xbb\xbf")

    @contextmanager
    def _explain_damage(self) -> Iterator[None]:
        with (
            explain_damage(
                f"{self.name}: cannot be read as JSON",
                (msgspec.DecodeError, UnicodeDecodeError, RecursionError),
                "Is it whole? Of one object per line, say --format jsonl.",
            ),
            explain_damage(
                f"{self.name}: is not COCO",
                (msgspec.ValidationError,),
                "A COCO file holds images, annotations and categories; other data is an array of "
                "records.",
            ),
        ):
            yield


def _cut_json(content: bytes) -> tuple[_Fields, _Records]:
    fields = msgspec.json.decode(content, type=dict[str, msgspec.Raw])
    return fields, {
        name: msgspec.json.decode(fields[name], type=list[msgspec.Raw]) for name in _SPLIT_FIELDS
    }


def _cut_python_json(text: str) -> tuple[_Fields, _Records]:
    """Cut a file that only Python's json module can read."""
    place_of = {str(name): (start, end) for name, start, end in find_members(text)}
    fields = {name: text[start:end].encode() for name, (start, end) in place_of.items()}
    return fields, {
        name: [text[start:end].encode() for _, start, end in find_members(text, place_of[name][0])]
        for name in _SPLIT_FIELDS
    }


def _find_columns(images: list[dict[str, Any]]) -> list[str]:
    fields = {name: None for image in images for name in image}
    nested = {
        name for image in images for name, value in image.items() if isinstance(value, list | dict)
    }
    return [name for name in fields if name not in nested]


def _name_categories(categories: list[_Category]) -> list[str]:
    names = [category.name for category in categories]
    if len({*names, ""}) == len(names) + 1:
        return names
    return [str(category.id) for category in categories]

"""Label Studio: a JSON list of tasks with annotations, or JSON-MIN."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
import numpy as np
from numpy.typing import NDArray

from ..._checks.values import show_some
from ...exceptions import AssumptionWarning, InputError
from ...labels.labels import Labels
from ..codecs.python_json import find_members, read_python_json
from ..damage import damaged, explain_damage
from ..datafile import DataFile
from ..encoding import find_wrong_line, not_utf8
from ..memory import read_whole
from ..own_labels import label_entries
from ..row_chunks import rows_changed
from ..vision.boxes import BOX_COLUMNS, Boxes
from ..vision.image_paths import is_image
from ..vision.studio_regions import Mark
from ..vision.studio_tasks import read_tasks

if TYPE_CHECKING:
    import pyarrow as pa

_IMAGE = "image"
_ROWS_AT_ONCE = 1 << 16


class LabelStudio(DataFile):
    """A Label Studio export: its rows are the tasks, their labels those of all annotations.

    Notes
    -----
    Labels are choices and the labels of regions, sorted by name. If several controls have choices,
    these are named `control=choice`. Cancelled annotations do not count. An image with several
    annotations has the labels of all; its numbers of boxes are means. In JSON-MIN, objects of one
    id are one row. The columns are the id and the fields of the data that hold single values.
    """

    format: ClassVar[str] = "labelstudio"
    suffix: ClassVar[str] = ".json"
    box_columns = BOX_COLUMNS

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        content, self._is_strict = self._decode()
        self._tasks, self._texts = read_tasks(content, self.name)
        fields = {key: None for task in self._tasks for key in task.fields}
        nested = {
            key
            for task in self._tasks
            for key, value in task.fields.items()
            if isinstance(value, list | dict)
        }
        self.columns = [key for key in fields if key not in nested]
        self.path_column = self._find_path_column()

    def _find_path_column(self) -> str | None:
        """Return the column named image, else the first whose first value is named like one."""
        if _IMAGE in self.columns:
            return _IMAGE
        first = self._tasks[0].fields if self._tasks else {}
        return next((key for key in self.columns if is_image(str(first.get(key)))), None)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Return these fields of all tasks, in order."""
        import pyarrow as pa

        arrays = []
        for column in columns:
            what = f"{self.name}: the field {column!r} of the tasks cannot be read as a column"
            with explain_damage(what, (pa.ArrowException, OverflowError), "Give it one type."):
                arrays.append(pa.array([task.fields.get(column) for task in self._tasks]))
        return iter(pa.table(arrays, names=list(columns)).to_batches(_ROWS_AT_ONCE))

    def read_own_labels(self) -> Labels:
        """Return the labels of each image; say what was assumed of its annotations."""
        if not self._tasks:
            raise self.holds_no("images")
        for sentence in self._list_assumptions():
            warnings.warn(sentence, AssumptionWarning, stacklevel=2)
        label_of = self._label_of
        row, label = np.array(
            [
                (row, label_of[self._name_label(mark)])
                for row, task in enumerate(self._tasks)
                for marks in task.annotations
                for mark in marks
            ],
            np.int64,
        ).T
        return label_entries(row, label, self._names, len(self._tasks))

    def _list_assumptions(self) -> Iterator[str]:
        n_tasks = len(self._tasks)
        n_several = sum(len(task.annotations) > 1 for task in self._tasks)
        n_none = sum(not task.annotations for task in self._tasks)
        if self._texts:
            yield f"The text of {show_some(map(repr, self._texts), 5)} is read as a class."
        if n_several:
            yield (
                f"{n_several:,} of {n_tasks:,} images {_have(n_several)} several annotations. An "
                "image has the labels of all of them."
            )
        if n_none:
            yield (
                f"{n_none:,} of {n_tasks:,} images {_have(n_none)} no annotation, or only "
                "cancelled ones, and so no labels."
            )

    @cached_property
    def _controls_of_choices(self) -> set[str]:
        return {
            mark.control
            for task in self._tasks
            for marks in task.annotations
            for mark in marks
            if mark.area is None
        }

    def _name_label(self, mark: Mark) -> str:
        is_one_of_several = mark.area is None and len(self._controls_of_choices) > 1
        return f"{mark.control}={mark.label}" if is_one_of_several else mark.label

    @cached_property
    def _names(self) -> list[str]:
        names = {
            self._name_label(mark)
            for task in self._tasks
            for marks in task.annotations
            for mark in marks
        }
        if not names:
            raise InputError(
                f"{self.name}: holds no labels: no annotation has choices, rectanglelabels or the "
                "like. Check how it was exported."
            )
        return sorted(names)

    @cached_property
    def _label_of(self) -> dict[str, int]:
        return {name: at for at, name in enumerate(self._names)}

    @cached_property
    def _boxes(self) -> Boxes:
        found = [
            (row, self._label_of[self._name_label(mark)], mark.area, 1 / len(task.annotations))
            for row, task in enumerate(self._tasks)
            for marks in task.annotations
            for mark in marks
            if mark.area is not None
        ]
        row, label, area, weight = np.array(found, np.float64).reshape(-1, 4).T
        return Boxes(row.astype(np.int64), label.astype(np.int64), area, weight)

    def read_counts(self) -> dict[str, NDArray[np.float64]] | None:
        """Return how many regions of each label every image has, by label; choices have none."""
        counts = self._boxes.count_labels(self._names, len(self._tasks))
        return {name: count for name, count in counts.items() if count.any()} or None

    def read_box_column(self, column: str) -> NDArray[np.float64]:
        """Return the number of regions of each image, or the share of its area in boxes."""
        return self._boxes.measure(column, len(self._tasks))

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write for each part the objects of its tasks, byte for byte."""
        records = self._cut()
        n_records = sum(len(task.records) for task in self._tasks)
        if len(part_of_row) != len(self._tasks) or len(records) != n_records:
            raise rows_changed(self.name, len(part_of_row))
        part_of_record = np.empty(n_records, np.int32)
        for task, part in zip(self._tasks, part_of_row.tolist(), strict=True):
            part_of_record[task.records] = part
        for part, target in enumerate(targets):
            own = [records[at] for at in np.flatnonzero(part_of_record == part).tolist()]
            target.write_bytes(b"[" + b",\n".join(own) + b"]\n")

    def _decode(self) -> tuple[Any, bool]:
        """Return the content, and whether it is JSON to the letter."""
        content = self._read_bytes()
        try:
            return msgspec.json.decode(content), True
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            pass
        try:
            return read_python_json(content), False
        except UnicodeDecodeError:
            raise not_utf8(f"{self.name}: line {find_wrong_line(content)}") from None
        except json.JSONDecodeError as error:
            place = f"{self.name}: line {error.lineno} cannot be read as JSON"
            raise damaged(place, error.msg, "Check that the file is whole.") from None
        except (ValueError, LookupError, RecursionError) as error:
            raise damaged(
                f"{self.name}: cannot be read as JSON", error, "Check that the file is whole."
            ) from None

    def _cut(self) -> list[bytes]:
        """Return the objects of the file, byte for byte."""
        content = self._read_bytes()
        if self._is_strict:
            return [bytes(own) for own in msgspec.json.decode(content, type=list[msgspec.Raw])]
        text = content.decode()
        return [text[start:end].encode() for _, start, end in find_members(text)]

    def _read_bytes(self) -> bytes:
        return read_whole(self.path, self.name).removeprefix(b"\xef\xbb\xbf")


def _have(number: int) -> str:
    return "has" if number == 1 else "have"

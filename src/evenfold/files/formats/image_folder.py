"""A folder of images with one folder for each class, as torchvision and datasets read them."""

from __future__ import annotations

import csv
import warnings
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..._tables.numbers import show_count
from ...exceptions import AssumptionWarning
from ...labels.labels import Labels
from ..datafile import DataFile
from ..own_labels import label_entries
from ..vision.class_folders import ClassFile, ClassFolders, find_rows, list_class_files
from ..vision.transfers import transfer as transfer_files

if TYPE_CHECKING:
    import pyarrow as pa

_LABEL, _BETWEEN = "label", "|"


class ImageFolder(DataFile):
    """Class folders: the rows are the images, their labels the folders that they are in.

    Notes
    -----
    Rows are sorted by path, labels by name. Folders below that of a class belong to the class. An
    image in the folders of several classes, with the same name and the same content, is one row
    with several labels. A part is a csv file with the path from the folder of the data, and the
    label; several labels have a | between them.
    """

    format: ClassVar[str] = "imagefolder"
    suffix: ClassVar[str] = ".csv"
    can_add_columns = True
    path_column = "path"
    has_images = True

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        self._files = list_class_files(path, self.name)
        self._classes = sorted({file.class_name for file in self._files})
        has_splits = len({file.split for file in self._files}) > 1
        self.columns = ["path", "split"] if has_splits else ["path"]
        self.split_column = "split" if has_splits else None

    @cached_property
    def _found(self) -> ClassFolders:
        return find_rows(self._files, self.path)

    @property
    def _rows(self) -> list[list[ClassFile]]:
        return self._found.rows

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Return paths from the folder of the data, and splits."""
        import pyarrow as pa

        arrays = [pa.array([getattr(own[0], name) for own in self._rows]) for name in columns]
        return iter([pa.RecordBatch.from_arrays(arrays, names=list(columns))])

    def read_own_labels(self) -> Labels:
        """Return which classes each image is in; say what was taken for one image."""
        n_several = sum(len(own) > 1 for own in self._rows)
        said = []
        if n_several:
            said.append(
                f"{show_count(n_several, 'image')} in the folders of several classes, with the "
                "same name and content, counted once with all labels."
            )
        if self._found.n_different:
            said.append(
                f"{show_count(self._found.n_different, 'name')} in the folders of several classes "
                "with other content, read as other images."
            )
        for sentence in said:
            warnings.warn(sentence, AssumptionWarning, stacklevel=2)
        label_of = {name: at for at, name in enumerate(self._classes)}
        pairs = [
            (at, label_of[file.class_name]) for at, own in enumerate(self._rows) for file in own
        ]
        row, label = np.array(pairs, np.int64).T
        return label_entries(row, label, self._classes, len(self._rows))

    def find_used_names(self) -> Sequence[str]:
        """Return the columns of the csv files that are written."""
        return ["path", _LABEL]

    def plan_folder(
        self, names: Sequence[str], suffix: str, transfer: str | None
    ) -> dict[str, bool]:
        """Return csv files, or folders with folders of classes."""
        if transfer is None:
            return super().plan_folder(names, suffix, transfer)
        return dict.fromkeys(names, True)

    def write_folder(
        self,
        targets: Mapping[str, Path],
        names: Sequence[str],
        part_of_row: NDArray[np.int32],
        transfer: str | None,
    ) -> None:
        """Write csv files, or copies or links of the images."""
        if transfer is None:
            super().write_folder(targets, names, part_of_row, transfer)
            return
        for name in names:
            # Readers number classes by the folders, so each part has all of them.
            for own in self._classes:
                (targets[name] / own).mkdir(parents=True)
        pairs = {}
        new_names = self._choose_names()
        for part, files in zip(part_of_row.tolist(), self._rows, strict=True):
            for file in files if part >= 0 else ():
                new = targets[names[part]] / file.class_name / new_names[file.path]
                pairs[new] = str(self.path / file.path)
        transfer_files(pairs, transfer)

    def _choose_names(self) -> dict[str, str]:
        """Return the new name of each file in the folder of its class, with its split if needed."""
        if len({(file.class_name, file.name) for file in self._files}) == len(self._files):
            return {file.path: file.name for file in self._files}
        return {file.path: f"{file.split}/{file.name}" for file in self._files}

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write path and label of the images of part j to `targets[j]`, as csv."""
        for part, target in enumerate(targets):
            rows = np.flatnonzero(part_of_row == part).tolist()
            _write_csv(target, ["path", _LABEL], [self._to_cells(row) for row in rows])

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write path, label and one more column of all images, as csv."""
        self.check_new(column)
        cells = ["" if code < 0 else values[code] for code in code_of_row.tolist()]
        rows = [[*self._to_cells(row), cell] for row, cell in enumerate(cells)]
        _write_csv(target, ["path", _LABEL, column], rows)

    def _to_cells(self, row: int) -> list[str]:
        own = self._rows[row]
        return [own[0].path, _BETWEEN.join(file.class_name for file in own)]


def _write_csv(target: Path, header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    with target.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([header, *rows])

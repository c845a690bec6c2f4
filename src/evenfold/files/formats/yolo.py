"""YOLO: a YAML file with classes and folders, images, and a text file of boxes for each."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray

from ...exceptions import InputError
from ...labels.labels import Labels
from ..datafile import DataFile
from ..row_chunks import rows_changed
from ..vision.boxes import BOX_COLUMNS, Boxes
from ..vision.image_paths import show_relative
from ..vision.transfers import choose_names
from ..vision.transfers import transfer as transfer_files
from ..vision.yaml_text import write_yaml
from ..vision.yolo_config import read_config
from ..vision.yolo_folders import list_configs, make_config
from ..vision.yolo_images import find_images, find_label_files
from ..vision.yolo_lines import read_label_files

if TYPE_CHECKING:
    import pyarrow as pa


class Yolo(DataFile):
    """A YOLO dataset: its rows are the images, their labels the classes of their boxes.

    Notes
    -----
    Rows are sorted by path, each image once, whatever splits it is in. Labels are in the order of
    the class numbers, with those that no image shows; where two classes have the same name, all are
    named by number. An image without a label file, or with an empty one, has no labels. A polygon
    counts as the box around it. A part is a list of absolute paths of images.
    """

    format: ClassVar[str] = "yolo"
    suffix: ClassVar[str] = ".txt"
    path_column = "path"
    box_columns = BOX_COLUMNS
    has_images = True

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        self._config = read_config(path, self.name)
        self._images = find_images(self._config, self.name)
        self._folder = path if path.is_dir() else path.parent
        has_splits = len(self._images.splits) > 1
        self.columns = ["path", "split"] if has_splits else ["path"]
        self.split_column = "split" if has_splits else None
        config = [] if self._config.path is None else [self._config.path]
        self.goes_with = [*config, *self._images.inputs]

    @property
    def _n_images(self) -> int:
        return len(self._images.paths)

    @cached_property
    def _names(self) -> list[str]:
        names = list(self._config.class_names.values())
        if len(set(names)) == len(names):
            return names
        return [str(number) for number in self._config.class_names]

    @cached_property
    def _label_files(self) -> dict[int, str]:
        return find_label_files(self._images.paths, self.name)

    @cached_property
    def _boxes(self) -> Boxes:
        files = self._label_files
        label_of_class = {number: at for at, number in enumerate(self._config.class_names)}
        boxes = read_label_files(list(files.values()), label_of_class, self._config.n_values)
        return boxes._replace(row=np.array(list(files), np.int64)[boxes.row])

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Return paths, from the folder of the data if they are in it, and splits."""
        import pyarrow as pa

        values = {
            "path": lambda: show_relative(self._images.paths, self._folder),
            "split": self._read_splits,
        }
        arrays = [pa.array(values[column](), pa.string()) for column in columns]
        return iter([pa.RecordBatch.from_arrays(arrays, names=list(columns))])

    def _read_splits(self) -> list[str]:
        """Return the split of each image; refuse an image in several."""
        in_split = self._images.in_split
        several = np.flatnonzero(in_split.sum(axis=1) > 1)
        if len(several):
            first = int(several[0])
            own = [
                name
                for name, held in zip(self._images.splits, in_split[first], strict=True)
                if held
            ]
            raise InputError(
                f"{self.name}: {len(several):,} of the {self._n_images:,} images are in several "
                f"splits, first {self._images.paths[first]} in {' and '.join(own)}. "
                "Put each image into one split."
            )
        return [self._images.splits[at] for at in in_split.argmax(axis=1).tolist()]

    def read_own_labels(self) -> Labels:
        """Return which classes each image shows."""
        return self._boxes.to_labels(self._names, self._n_images)

    def read_counts(self) -> dict[str, NDArray[np.float64]]:
        """Return how many boxes of each class every image has, by class."""
        return self._boxes.count_labels(self._names, self._n_images)

    def read_box_column(self, column: str) -> NDArray[np.float64]:
        """Return the number of boxes of each image, or the share of its area in boxes."""
        return self._boxes.measure(column, self._n_images)

    def plan_folder(
        self, names: Sequence[str], suffix: str, transfer: str | None
    ) -> dict[str, bool]:
        """Return lists of images, or their folders, and the YAML files that name them."""
        configs = dict.fromkeys(self._list_configs(names), False)
        if transfer is not None:
            return {"images": True, "labels": True, **configs}
        return {**super().plan_folder(names, suffix, transfer), **configs}

    def write_folder(
        self,
        targets: Mapping[str, Path],
        names: Sequence[str],
        part_of_row: NDArray[np.int32],
        transfer: str | None,
    ) -> None:
        """Write lists, or copies or links of images and their labels, and the YAML files."""
        pattern = "{}.txt" if transfer is None else "images/{}"
        for file_name, parts_of_split in self._list_configs(names).items():
            content = make_config(parts_of_split, self._config.values, pattern)
            targets[file_name].write_bytes(write_yaml(content, self.name))
        if transfer is None:
            self.write_parts([targets[f"{name}{self.suffix}"] for name in names], part_of_row)
            return
        folders = targets["images"], targets["labels"]
        for folder in folders:
            for name in names:
                (folder / name).mkdir(parents=True)
        pairs = self._pair_files(folders, names, part_of_row)
        transfer_files(pairs, transfer)

    def _list_configs(self, names: Sequence[str]) -> dict[str, dict[str, str | list[str]]]:
        return list_configs(names, None if self._config.path is None else self._config.path.name)

    def _pair_files(
        self, folders: tuple[Path, Path], names: Sequence[str], part_of_row: NDArray[np.int32]
    ) -> dict[Path, str]:
        """Return the image or label file that each file of new folders is made from."""
        images, labels = folders
        pairs = {}
        new_names = choose_names(self._images.paths, self.name)
        for row, (part, name) in enumerate(zip(part_of_row.tolist(), new_names, strict=True)):
            if part < 0:
                continue
            pairs[images / names[part] / name] = self._images.paths[row]
            if row in self._label_files:
                stem = name.rpartition(".")[0]
                pairs[labels / names[part] / f"{stem}.txt"] = self._label_files[row]
        return pairs

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the absolute paths of the images of part j to `targets[j]`, one per line."""
        if len(part_of_row) != self._n_images:
            raise rows_changed(self.name, len(part_of_row))
        for part, target in enumerate(targets):
            own = np.flatnonzero(part_of_row == part).tolist()
            target.write_bytes(os.fsencode("".join(f"{self._images.paths[row]}\n" for row in own)))

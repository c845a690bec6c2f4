"""SplitWriter: a split as files, as a column, as indices, as a manifest and as a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .._atomic import ScratchFolder
from ..files.compression import find_suffix
from ..files.hive_folders import name_folder
from ..splits.saved_split import save_split
from .filled_copies import can_fill, fill_copy
from .mirror import MirroredFile, list_mirrored, write_mirrored
from .output_checks import (
    STDOUT,
    check_column,
    check_hive,
    check_images,
    check_indices,
    check_is_no_folder,
    check_kind,
    check_mirror,
    check_part_names,
    check_paths,
    check_report,
    choose_suffix,
    in_format_of,
    is_file,
    is_made_of_folders,
    list_inputs,
)
from .writing import (
    command_line,
    list_companions,
    staged_unless_stopped,
    to_stdout,
    write_companions,
    write_numbers,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..files.datafile import DataFile
    from ..splits import Comparison, Split
    from .options import Reading, Target
    from .reading import Coded


class Fill(NamedTuple):
    """A column of parts, and the new rows in which it is to be filled."""

    column: str
    is_new: NDArray[np.bool_]

    def number_parts(self, split: Split) -> NDArray[np.int32]:
        """Return the part of each new row, -1 for the others."""
        return np.where(self.is_new, split.part_of_row, -1).astype(np.int32)


class SplitWriter:
    """Writes a split. Made before the split, to refuse early what cannot be written.

    The parts go into a new column; with `fill`, and no name for a new column, into the one that is
    there. Files `beside` the data are inputs too. `remarks` say what the output does not have of
    the data.
    """

    def __init__(
        self,
        target: Target,
        file: DataFile,
        reading: Reading,
        names: Sequence[str],
        fill: Fill | None = None,
        beside: Sequence[Path] = (),
    ) -> None:
        self._target = target
        self._inputs = [*list_inputs(file, reading), *beside]
        self._file = file if target.mirror else in_format_of(target.output, file)
        self.remarks: Sequence[str] = () if self._file is file else self._file.remarks
        file = self._file
        self._column = target.column or "part"
        self._fill = fill if target.column is None else None
        self._folder = self._whole = None
        if target.output == STDOUT:
            check_is_no_folder(file)
        elif target.output is not None:
            # A format of folders has no suffixes; a named column then means one output with it.
            is_whole = is_file(target.output, file) or (
                is_made_of_folders(file) and (target.column or fill)
            )
            if is_whole:
                self._whole = Path(target.output)
            else:
                self._folder = Path(target.output)
        self._fills_parts = False
        if self._folder is not None and self._fill is not None:
            self._fills_parts = can_fill(file, self._fill.column)
            if not self._fills_parts:
                said = f"'{self._fill.column}' stays as it is: in the format {file.format}, it "
                self.remarks = [*self.remarks, f"{said}cannot be filled."]
        check_images(target.with_images, target.output, file)
        self._entries = self._plan_folder(names)
        self._check_data_targets(names)
        check_indices(target.indices)
        check_report(target.report)
        others = (self._whole, target.indices, target.manifest, target.report)
        self._targets = [
            *self._list_folder_targets(),
            *(path for path in others if path is not None),
        ]
        check_paths(
            [*self._targets, *list_companions(file, self._list_data_targets())],
            target.force,
            self._inputs,
        )

    def _check_data_targets(self, names: Sequence[str]) -> None:
        """Refuse a column that cannot be written, and a folder or file of the wrong kind."""
        if self._target.mirror:
            check_mirror(self._folder, self._target.with_images, self._file)
            list_mirrored(self._file, 0)  # to refuse tables of one file; rows are not needed yet
        if self._target.hive:
            check_hive(self._folder, self._column, self._file)
        if self._folder is not None:
            check_part_names(names)
            check_kind(self._folder, is_folder=True)
        elif self._target.output is not None and self._fill is None:
            check_column(self._column, self._file)
        elif self._target.output is not None and self._fill is not None:
            self._file.check_fill(self._fill.column)
        for name, is_folder in self._entries.items():
            check_kind(Path(self._folder or "", name), is_folder)
        if self._whole is not None:
            check_kind(self._whole, is_made_of_folders(self._file))

    @property
    def written(self) -> list[str]:
        """The outputs, named as on the command line."""
        output = "stdout" if self._target.output == STDOUT else self._target.output
        return [
            str(path)
            for path in (output, self._target.indices, self._target.manifest, self._target.report)
            if path is not None
        ]

    @property
    def part_column(self) -> str | None:
        """The column that the parts are written to; None if they are written to none."""
        if self._target.output is None or self._folder is not None:
            return None
        return self._column if self._fill is None else self._fill.column

    def find_others(self) -> list[str]:
        """Return files in the folder that look like parts of this split but are not."""
        if self._folder is None or not self._folder.is_dir() or self._target.with_images:
            return []
        own = {path.resolve() for path in (*self._list_entries(), *self._targets, *self._inputs)}
        return sorted(
            path.name
            for path in self._folder.iterdir()
            if self._looks_like_part(path) and path.resolve() not in own
        )

    def write(
        self,
        split: Split,
        ids: Coded | None = None,
        notes: Sequence[str] = (),
        comparison: Comparison | None = None,
        about: Mapping[str, Any] | None = None,
    ) -> None:
        """Write everything; `notes` and `comparison` go into the report, `about` is recorded."""
        certificate = None
        if self._target.manifest is not None or self._target.report is not None:
            certificate = split.certificate(None if ids is None else ids.list_values())
        with staged_unless_stopped(
            self._targets, force=self._target.force, inputs=self._inputs
        ) as paths:
            path_of = dict(zip(self._targets, paths, strict=True))
            if self._folder is not None:
                self._write_parts(path_of, split)
            if self._whole is not None:
                self._write_column(path_of[self._whole], split)
            if self._target.indices is not None:
                _write_indices(path_of[self._target.indices], split, ids)
            if self._target.manifest is not None:
                save_split(
                    split,
                    path_of[self._target.manifest],
                    certificate,
                    about,
                )
            if self._target.report is not None:
                split.report(
                    path_of[self._target.report],
                    title=self._file.path.name,
                    call=command_line(),
                    notes=notes,
                    comparison=comparison,
                    certificate=certificate,
                    date="today",
                )
            if self._target.output == STDOUT:
                with to_stdout(self._file) as path:
                    self._write_column(path, split)

    def _plan_folder(self, names: Sequence[str]) -> dict[str, bool]:
        """Return what goes into the folder: the name of each entry, and whether it is a folder."""
        if self._folder is None:
            return {}
        if self._target.hive or self._target.mirror:
            return dict.fromkeys(map(self._name_part_folder, names), True)
        suffix = choose_suffix(self._file)
        return self._file.plan_folder(names, suffix, self._target.with_images)

    def _name_part_folder(self, name: str) -> str:
        return name_folder(self._column, name) if self._target.hive else name

    def _looks_like_part(self, path: Path) -> bool:
        if self._target.hive:
            return path.is_dir() and path.name.startswith(name_folder(self._column, ""))
        if self._target.mirror:
            return path.is_dir() and not path.name.startswith(".")
        is_kind = path.is_dir() if is_made_of_folders(self._file) else path.is_file()
        suffix = choose_suffix(self._file)
        return is_kind and find_suffix(path) == suffix and not path.name.startswith(".")

    def _list_data_targets(self) -> list[Path]:
        """Return the outputs that have the format of the data; none with --mirror."""
        if self._target.mirror:
            return []
        if self._whole is not None:
            return [self._whole]
        return [self._name_data(path) for path in self._list_entries()]

    def _name_data(self, entry: Path) -> Path:
        """Return where the data of an entry of the folder is: with --hive, a file in it."""
        return entry / f"part-0{choose_suffix(self._file)}" if self._target.hive else entry

    def _list_folder_targets(self) -> list[Path]:
        """Return the folder if it does not exist yet, else each file or folder in it."""
        if self._folder is None:
            return []
        return self._list_entries() if self._folder.is_dir() else [self._folder]

    def _list_entries(self) -> list[Path]:
        """Return the files and folders that go into the folder."""
        return [] if self._folder is None else [self._folder / name for name in self._entries]

    def _write_parts(self, path_of: dict[Path, Path], split: Split) -> None:
        assert self._folder is not None
        folder = path_of.get(self._folder)
        if folder is not None:
            folder.mkdir()
        paths = {}
        for entry in self._list_entries():
            own = path_of[entry] if folder is None else folder / entry.name
            if self._target.hive or self._target.mirror:
                own.mkdir()
            paths[entry.name] = own if self._target.mirror else self._name_data(own)
        with self._make_scratch() as scratch:
            if self._target.mirror:
                part_of_line = self._file.to_lines(split.part_of_row)
                files = list_mirrored(self._file, len(part_of_line))
                files = self._fill_mirrored(files, split, scratch)
                write_mirrored(files, list(paths.values()), part_of_line)
                return
            file = self._fill_whole(split, scratch)
            file.write_folder(paths, split.names, split.part_of_row, self._target.with_images)
        for path in paths.values():
            write_companions(self._file, path)

    def _make_scratch(self) -> AbstractContextManager[Path | None]:
        """Give a folder for copies in which new rows name their part; None if there are none."""
        return ScratchFolder("filled") if self._fills_parts else nullcontext()

    def _fill_whole(self, split: Split, scratch: Path | None) -> DataFile:
        """Return the data with the parts of new rows in their column, where there is one."""
        if scratch is None:
            return self._file
        assert self._fill is not None
        codes = self._fill.number_parts(split)
        return fill_copy(self._file, self._fill.column, split.names, codes, scratch)

    def _fill_mirrored(
        self, files: list[MirroredFile], split: Split, scratch: Path | None
    ) -> list[MirroredFile]:
        """Return the files of the data with the parts of new rows in their column."""
        if scratch is None:
            return files
        assert self._fill is not None
        codes = self._file.to_lines(self._fill.number_parts(split))
        stops = np.cumsum([own.n_rows for own in files]).tolist()
        filled = []
        for number, (own, stop) in enumerate(zip(files, stops, strict=True)):
            own_codes = codes[stop - own.n_rows : stop]
            folder = scratch / str(number)
            folder.mkdir()
            copy = fill_copy(own.file, self._fill.column, split.names, own_codes, folder)
            filled.append(own._replace(file=copy))
        return filled

    def _write_column(self, path: Path, split: Split) -> None:
        if self._fill is None:
            self._file.write_with_column(path, self._column, split.names, split.part_of_row)
        else:
            self._file.fill_column(
                path,
                self._fill.column,
                split.names,
                self._fill.number_parts(split),
            )
        write_companions(self._file, path)


def _write_indices(path: Path, split: Split, ids: Coded | None) -> None:
    """Write the rows of each part, by number or by id; as .npy, the part of each row."""
    rows_of_part = dict(zip(split.names, split, strict=True))
    if ids is None:
        content = {name: rows.tolist() for name, rows in rows_of_part.items()}
    else:
        values = ids.list_values()
        content = {name: [values[row] for row in rows] for name, rows in rows_of_part.items()}
    write_numbers(path, split.part_of_row, content)

"""Writers of results: they write all outputs of a command, or none."""

from __future__ import annotations

import json
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click
import numpy as np

from .._atomic import staged
from .output_checks import (
    STDOUT,
    check_column,
    check_indices,
    check_is_no_folder,
    check_kind,
    check_part_names,
    check_paths,
    check_report,
    choose_suffix,
    expand_pattern,
    is_file,
    is_made_of_folders,
    list_inputs,
)
from .stopping import stop_if_told

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..files.datafile import DataFile
    from ..quality import Quality
    from ..splits import Comparison, Split
    from .options import Reading, Target
    from .reading import Coded


class Fill(NamedTuple):
    """A column of parts, and the new rows in which it is to be filled."""

    column: str
    is_new: NDArray[np.bool_]


@contextmanager
def _staged_unless_stopped(
    targets: Sequence[Path], *, force: bool, inputs: Sequence[Path]
) -> Iterator[list[Path]]:
    """Give paths as `staged` does; after a signal to stop, nothing is begun and nothing is kept."""
    stop_if_told()
    with staged(targets, force=force, inputs=inputs) as paths:
        yield paths
        stop_if_told()


class SplitWriter:
    """Writes a split. Made before the split, to refuse early what cannot be written.

    The parts go into a new column; with `fill`, and no name for a new column, into the one that is
    there.
    """

    def __init__(
        self,
        target: Target,
        file: DataFile,
        reading: Reading,
        names: Sequence[str],
        fill: Fill | None = None,
    ) -> None:
        self._target = target
        self._file = file
        self._inputs = list_inputs(file, reading)
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
        self._part_files = [f"{name}{choose_suffix(file)}" for name in names]
        self._check_data_targets(names)
        check_indices(target.indices)
        check_report(target.report)
        others = (self._whole, target.indices, target.manifest, target.report)
        self._targets = [
            *self._list_folder_targets(),
            *(path for path in others if path is not None),
        ]
        check_paths(
            [*self._targets, *_list_companions(file, self._list_data_targets())],
            target.force,
            self._inputs,
        )

    def _check_data_targets(self, names: Sequence[str]) -> None:
        """Refuse a column that cannot be written, and a folder or file of the wrong kind."""
        if self._folder is not None:
            check_part_names(names)
            check_kind(self._folder, is_folder=True)
        elif self._target.output is not None and self._fill is None:
            check_column(self._column, self._file)
        elif self._target.output is not None and self._fill is not None:
            self._file.check_fill(self._fill.column)
        for path in self._list_data_targets():
            check_kind(path, is_made_of_folders(self._file))

    @property
    def written(self) -> list[str]:
        """The outputs, named as on the command line."""
        output = "stdout" if self._target.output == STDOUT else self._target.output
        return [
            str(path)
            for path in (output, self._target.indices, self._target.manifest, self._target.report)
            if path is not None
        ]

    def find_others(self) -> list[str]:
        """Return files in the folder that look like parts of this split but are not."""
        if self._folder is None or not self._folder.is_dir():
            return []
        own = {
            path.resolve() for path in (*self._list_data_targets(), *self._targets, *self._inputs)
        }
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
    ) -> None:
        """Write everything; `notes` and `comparison` go into the report."""
        with _staged_unless_stopped(
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
                split.save(path_of[self._target.manifest])
            if self._target.report is not None:
                split.report(
                    path_of[self._target.report],
                    title=self._file.path.name,
                    call=command_line(),
                    notes=notes,
                    comparison=comparison,
                )
            if self._target.output == STDOUT:
                with _to_stdout(self._file) as path:
                    self._write_column(path, split)

    def _looks_like_part(self, path: Path) -> bool:
        is_kind = path.is_dir() if is_made_of_folders(self._file) else path.is_file()
        return (
            is_kind and path.suffix == choose_suffix(self._file) and not path.name.startswith(".")
        )

    def _list_data_targets(self) -> list[Path]:
        """Return the outputs that have the format of the data."""
        files = [] if self._folder is None else [self._folder / name for name in self._part_files]
        return files if self._whole is None else [self._whole]

    def _list_folder_targets(self) -> list[Path]:
        """Return the folder if it does not exist yet, else each file in it."""
        if self._folder is None:
            return []
        return (
            [self._folder / name for name in self._part_files]
            if self._folder.is_dir()
            else [self._folder]
        )

    def _write_parts(self, path_of: dict[Path, Path], split: Split) -> None:
        assert self._folder is not None
        new = path_of.get(self._folder)
        if new is not None:
            new.mkdir()
        _write_rows(
            self._file,
            [
                path_of[self._folder / name] if new is None else new / name
                for name in self._part_files
            ],
            split.part_of_row,
        )

    def _write_column(self, path: Path, split: Split) -> None:
        if self._fill is None:
            self._file.write_with_column(path, self._column, split.names, split.part_of_row)
        else:
            self._file.fill_column(
                path,
                self._fill.column,
                split.names,
                np.where(self._fill.is_new, split.part_of_row, -1).astype(np.int32),
            )
        _write_companions(self._file, path)


class ReportWriter:
    """Writes the report of a measured split. Made before the measuring, to refuse early."""

    def __init__(self, report: Path, force: bool, inputs: Sequence[str]) -> None:
        check_report(report)
        self._inputs = [path for given in inputs for path in expand_pattern(given)]
        self._report, self._force = report, force
        check_paths([report], force, self._inputs)

    def write(self, quality: Quality, title: str, notes: Sequence[str]) -> None:
        """Write the report."""
        with _staged_unless_stopped([self._report], force=self._force, inputs=self._inputs) as [
            path
        ]:
            quality.report(path, title=title, call=command_line(), notes=notes)


class SampleWriter:
    """Writes a sample. Made before the sample is drawn, to refuse early what cannot be written."""

    def __init__(
        self,
        output: str | None,
        indices: Path | None,
        force: bool,
        file: DataFile,
        reading: Reading,
    ) -> None:
        self._file = file
        self._inputs = list_inputs(file, reading)
        self._force = force
        self._to_stdout = output == STDOUT
        self._output = None if output is None or self._to_stdout else Path(output)
        if (
            output is not None
            and self._output is not None
            and not is_file(output, file)
            and not is_made_of_folders(file)
        ):
            raise click.UsageError(
                f"-o {output}: a sample is one file. Name one that ends in {choose_suffix(file)!r}."
            )
        if self._output is not None:
            check_kind(self._output, is_made_of_folders(file))
        if self._to_stdout:
            check_is_no_folder(file)
        check_indices(indices)
        self._indices = indices
        self._targets = [path for path in (self._output, indices) if path is not None]
        check_paths(
            [
                *self._targets,
                *_list_companions(file, [] if self._output is None else [self._output]),
            ],
            force,
            self._inputs,
        )

    @property
    def written(self) -> list[str]:
        """The outputs, named as on the command line."""
        return [*(["stdout"] if self._to_stdout else []), *map(str, self._targets)]

    def write(self, part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part 0."""
        with _staged_unless_stopped(self._targets, force=self._force, inputs=self._inputs) as paths:
            path_of = dict(zip(self._targets, paths, strict=True))
            if self._output is not None:
                _write_rows(self._file, [path_of[self._output]], part_of_row)
            if self._indices is not None:
                rows = (part_of_row == 0).nonzero()[0]
                _write_numbers(path_of[self._indices], rows, rows.tolist())
            if self._to_stdout:
                with _to_stdout(self._file) as path:
                    _write_rows(self._file, [path], part_of_row)


def command_line() -> str:
    """Return the command as it was given, in a form that can be run again."""
    return shlex.join(["evenfold", *sys.argv[1:]])


def _write_rows(file: DataFile, paths: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
    """Write a file for each part, with its companions."""
    file.write_parts(paths, part_of_row)
    for path in paths:
        _write_companions(file, path)


def _write_numbers(path: Path, array: NDArray[Any], content: Any) -> None:
    """Write the array as .npy, or the content as .json."""
    if path.suffix == ".npy":
        with path.open("wb") as file:
            np.save(file, array)
    else:
        path.write_text(json.dumps(content) + "\n", encoding="utf-8")


@contextmanager
def _to_stdout(file: DataFile) -> Iterator[Path]:
    """Give a path to write to; the finished file is copied to stdout."""
    with tempfile.TemporaryDirectory(prefix="evenfold-") as folder:
        path = Path(folder) / f"stdout{choose_suffix(file)}"
        yield path
        with path.open("rb") as written:
            shutil.copyfileobj(written, sys.stdout.buffer)
        sys.stdout.buffer.flush()


def _write_indices(path: Path, split: Split, ids: Coded | None) -> None:
    """Write the rows of each part, by number or by id; as .npy, the part of each row."""
    rows_of_part = dict(zip(split.names, split, strict=True))
    if ids is None:
        content = {name: rows.tolist() for name, rows in rows_of_part.items()}
    else:
        values = [int(value) for value in ids.values] if ids.whole_numbers else ids.values
        content = {
            name: [values[code] for code in ids.code_of_row[rows]]
            for name, rows in rows_of_part.items()
        }
    _write_numbers(path, split.part_of_row, content)


def _list_companions(file: DataFile, paths: Sequence[Path]) -> list[Path]:
    """Return the files to write beside these, except in folders that do not exist yet."""
    return [beside for path in paths if path.parent.is_dir() for beside, _ in file.companions(path)]


def _write_companions(file: DataFile, path: Path) -> None:
    """Write the files that belong beside a data file, such as the label list of ARFF."""
    for beside, content in file.companions(path):
        beside.write_bytes(content)

"""SampleWriter: the rows of a sample and their numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from .output_checks import (
    STDOUT,
    check_indices,
    check_is_no_folder,
    check_kind,
    check_paths,
    choose_suffix,
    in_format_of,
    is_file,
    is_made_of_folders,
    list_inputs,
)
from .writing import (
    list_companions,
    staged_unless_stopped,
    to_stdout,
    write_companions,
    write_numbers,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ..files.datafile import DataFile
    from .options import Reading


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
        self._inputs = list_inputs(file, reading)
        self._file = in_format_of(output, file)
        self.remarks = () if self._file is file else self._file.remarks
        file = self._file
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
                *list_companions(file, [] if self._output is None else [self._output]),
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
        with staged_unless_stopped(self._targets, force=self._force, inputs=self._inputs) as paths:
            path_of = dict(zip(self._targets, paths, strict=True))
            if self._output is not None:
                self._write_rows(path_of[self._output], part_of_row)
            if self._indices is not None:
                rows = (part_of_row == 0).nonzero()[0]
                write_numbers(path_of[self._indices], rows, rows.tolist())
            if self._to_stdout:
                with to_stdout(self._file) as path:
                    self._write_rows(path, part_of_row)

    def _write_rows(self, path: Path, part_of_row: NDArray[np.int32]) -> None:
        self._file.write_sample(path, part_of_row == 0)
        write_companions(self._file, path)

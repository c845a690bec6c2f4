"""LinkWriter: the group of each row, as a column and as numbers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
import numpy as np

from .output_checks import (
    STDOUT,
    check_column,
    check_indices,
    check_is_no_folder,
    check_kind,
    check_paths,
    choose_suffix,
    expand_pattern,
    in_format_of,
    is_file,
    is_made_of_folders,
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
    from .link_options import Linking


class LinkWriter:
    """Writes groups of rows. Made before the search, to refuse early what cannot be written."""

    def __init__(
        self,
        output: str | None,
        column: str,
        indices: Path | None,
        force: bool,
        file: DataFile,
        linking: Linking,
    ) -> None:
        self._inputs = [*expand_pattern(str(file.path)), *file.goes_with, *linking.paths]
        self._file = in_format_of(output, file)
        self.remarks = () if self._file is file else self._file.remarks
        file = self._file
        self._column, self._indices, self._force = column, indices, force
        self._to_stdout = output == STDOUT
        self._output = None if output is None or self._to_stdout else Path(output)
        if output is not None:
            check_column(column, file)
        if self._to_stdout:
            check_is_no_folder(file)
        if self._output is not None:
            if not is_file(str(output), file) and not is_made_of_folders(file):
                raise click.UsageError(
                    f"-o {output}: the output is one file. "
                    f"Name one that ends in {choose_suffix(file)!r}."
                )
            check_kind(self._output, is_made_of_folders(file))
        check_indices(indices)
        self._targets = [path for path in (self._output, indices) if path is not None]
        data_targets = [] if self._output is None else [self._output]
        check_paths([*self._targets, *list_companions(file, data_targets)], force, self._inputs)

    @property
    def written(self) -> list[str]:
        """The outputs, named as on the command line."""
        return [*(["stdout"] if self._to_stdout else []), *map(str, self._targets)]

    def write(self, group_of_row: NDArray[np.int64]) -> None:
        """Write the group of each row."""
        with staged_unless_stopped(self._targets, force=self._force, inputs=self._inputs) as paths:
            path_of = dict(zip(self._targets, paths, strict=True))
            if self._output is not None:
                self._write_column(path_of[self._output], group_of_row)
            if self._indices is not None:
                write_numbers(path_of[self._indices], group_of_row, group_of_row.tolist())
            if self._to_stdout:
                with to_stdout(self._file) as path:
                    self._write_column(path, group_of_row)

    def _write_column(self, path: Path, group_of_row: NDArray[np.int64]) -> None:
        names = list(map(str, range(int(group_of_row.max()) + 1)))
        self._file.write_with_column(path, self._column, names, group_of_row.astype(np.int32))
        write_companions(self._file, path)

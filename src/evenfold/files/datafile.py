"""DataFile: the base class of all formats, and what a format must define."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.labels import Labels
from .struct_fields import NO_FIELDS, Fields

if TYPE_CHECKING:
    import pyarrow as pa


class DataFile(ABC):
    """A file of rows, or a folder of such files.

    To open one reads no more than its head, where the format allows that. Damage found later
    raises `InputError` with the name of the file and the place.

    A new format is a subclass in `files/formats` and one line in `files/registry.py`.

    It must define:

    - `format` and `suffix`;
    - `__init__(path, name=None)`, which calls the one of this class and sets `columns`;
    - `read_batches` and `write_parts`.

    It defines what else the format has:

    - labels: `label_columns` where the format says which columns are labels, `class_columns` where
      it says which hold classes, `read_own_labels` where it keeps labels outside of columns;
    - features and amounts outside of columns: `read_own_features`, `read_counts`, and
      `read_box_column` with `box_columns`;
    - `write_with_column` with `can_add_columns`, `fill_column` with `can_fill_columns`;
    - files that describe the data: `goes_with`, `companions`;
    - a folder of parts that has more than one entry for each: `plan_folder`, `write_folder`;
    - `write_sample` where a sample is more than one part.

    It inherits the checks and the errors: `check_new`, `check_fill`, `check_distinct`, `holds_no`,
    `cannot_add`, `cannot_hold`, `has_no_columns`. Formats of text records inherit from
    `RecordFile`, formats that Arrow reads in batches from `ColumnarFile`, formats of rows of Python
    values from `RowTable`; these write for them.

    Parameters
    ----------
    path : Path
        The file or folder to read.
    name : str, default=None
        What messages call it; by default its path.

    Attributes
    ----------
    format : str
        The name of the format, its key in the registry.
    suffix : str
        The suffix of new files.
    column_word : str
        What the format calls a column, with its article.
    cells_are_text : bool
        Whether all cells are read as text, numbers included.
    is_written : bool
        Whether it can be written as one file, or as one for each part.
    is_table : bool
        Whether its columns are all that it holds, so that other formats of tables can hold it.
    can_add_columns : bool
        Whether `write_with_column` is defined.
    can_fill_columns : bool
        Whether `fill_column` is defined.
    path : Path
        The file or folder to read; for stdin and pipes, a temporary copy.
    columns : sequence of str
        The names of its columns, in order; empty where the format has none.
    fields : mapping of str to Field
        The fields of its struct columns, by their path: `ann.labels`. `read_batches` takes these
        too.
    label_columns : sequence of str
        The columns that the format itself says are labels.
    class_columns : sequence of str
        The columns that the format says hold one class per cell, whatever their text.
    leaves_out_zeros : bool
        Whether rows hold only values other than 0.
    goes_with : sequence of Path
        Other files that describe this one.
    key_columns : sequence of str
        Columns that identify rows, and are no features unless they are named.
    remarks : sequence of str
        Sentences for the user about what was assumed when it was opened.
    path_column : str or None
        The column of paths of images, where the format has one.
    split_column : str or None
        The column that names the part that each row is in already, where the format says so.
    box_columns : sequence of str
        Columns of numbers that are computed from the boxes of images. They are not in `columns`:
        no feature of a row, and nothing that tells copies apart.
    has_images : bool
        Whether rows are images in files, which can be written with the parts.
    files : sequence of DataFile
        The files of a data set of several; none where it is one.
    are_parts : bool
        Whether each of these files is one part.
    rows_of_file : sequence of int
        How many rows each of these files has, known once labels or a column have been read.
    n_rows_stated : int or None
        How many rows the head of the file says that there are; None where it says nothing.
    """

    format: ClassVar[str]
    suffix: ClassVar[str]
    column_word: ClassVar[str] = "a column"
    cells_are_text: ClassVar[bool] = False
    is_written: ClassVar[bool] = True
    is_table: ClassVar[bool] = False
    can_add_columns: bool = False
    can_fill_columns: bool = False
    path: Path
    columns: Sequence[str]
    fields: Fields = NO_FIELDS
    label_columns: Sequence[str] = ()
    class_columns: Sequence[str] = ()
    leaves_out_zeros: bool = False
    goes_with: Sequence[Path] = ()
    key_columns: Sequence[str] = ()
    remarks: Sequence[str] = ()
    path_column: str | None = None
    split_column: str | None = None
    box_columns: Sequence[str] = ()
    has_images: bool = False
    files: Sequence[DataFile] = ()
    are_parts: ClassVar[bool] = False
    rows_of_file: Sequence[int] = ()
    n_rows_stated: int | None = None
    _name: str | None = None

    def __init__(self, path: Path, name: str | None = None) -> None:
        self.path = path
        self._name = name

    @property
    def name(self) -> str:
        """What messages call the file: its path, or `stdin`."""
        return str(self.path) if self._name is None else self._name

    @abstractmethod
    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns or fields of all rows in order, a bounded number at a time."""

    @abstractmethod
    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the rows of part j to `targets[j]`, in the same format; leave out part -1.

        The rows stay in order and are otherwise not changed.
        """

    def plan_folder(
        self, names: Sequence[str], suffix: str, transfer: str | None
    ) -> dict[str, bool]:
        """Return what a folder of parts gets: the name of each entry, and whether it is a folder.

        With `transfer`, "copy" or "link", it gets the images too; only where `has_images`.
        """
        return {f"{name}{suffix}": not suffix for name in names}

    def write_folder(
        self,
        targets: Mapping[str, Path],
        names: Sequence[str],
        part_of_row: NDArray[np.int32],
        transfer: str | None,
    ) -> None:
        """Write what `plan_folder` names, each to its target."""
        self.write_parts(list(targets.values()), part_of_row)

    def read_to_guess(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield what `read_batches` does, but nulls where it would refuse the values of a column.

        For columns that the user did not name.
        """
        return self.read_batches(columns)

    def read_to_compare(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Yield these columns of all rows, so that rows with equal values have equal cells.

        Cells of any kind can be compared, also those that `read_batches` refuses.
        """
        return self.read_batches(columns)

    def read_to_convert(self) -> Iterator[pa.RecordBatch]:
        """Yield all columns of all rows, with the types that another format should have."""
        return self.read_batches(self.columns)

    def read_own_labels(self) -> Labels | None:
        """Return the labels where the format keeps them outside of columns, else None."""
        return None

    def read_own_features(self) -> Any:
        """Return the features where the format keeps them outside of columns, else None.

        They are a matrix, rows × features.
        """
        return None

    def read_counts(self) -> Mapping[str, NDArray[np.float64]] | None:
        """Return how often each row has each label, by label, where the format counts that."""
        return None

    def read_box_column(self, column: str) -> NDArray[np.float64]:
        """Return one of `box_columns`, a number for each row."""
        raise KeyError(column)

    def find_lacking(self, pattern: str) -> DataFile:
        """Return the file to name where no column matches a name or shell pattern."""
        return self

    def write_with_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with a new last column, `values[code_of_row[i]]` in row i."""
        raise self.cannot_add(column)

    def fill_column(
        self, target: Path, column: str, values: Sequence[str], code_of_row: NDArray[np.int32]
    ) -> None:
        """Write the file with `values[code_of_row[i]]` in row i of a column that it has.

        Rows of code -1 keep their value.
        """
        self.check_fill(column)

    def write_sample(self, target: Path, is_drawn: NDArray[np.bool_]) -> None:
        """Write some of the rows in the same format."""
        self.write_parts([target], np.where(is_drawn, 0, -1).astype(np.int32))

    def list_files(self, n_rows: int) -> list[tuple[DataFile, int]]:
        """Return the files that the data is in, each open by itself, with its number of rows.

        All rows, `n_rows`, must have been read.
        """
        if not self.files:
            return [(self, n_rows)]
        pairs = zip(self.files, self.rows_of_file, strict=True)
        return [own for file, n_own in pairs for own in file.list_files(n_own)]

    def to_lines(self, number_of_row: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return numbers of rows as numbers of the lines that `list_files` counts."""
        return number_of_row

    def companions(self, target: Path) -> list[tuple[Path, bytes]]:
        """Return the files that belong beside data written to `target`: path and content."""
        return []

    def check_new(self, column: str) -> None:
        """Refuse a new column that is there already, or that the file cannot have."""
        if not self.can_add_columns:
            raise self.cannot_add(column)
        if column in self.find_used_names():
            raise InputError(
                f"{self.name}: has {self.column_word} '{column}' already. "
                "Choose another name for the new one."
            )

    def find_used_names(self) -> Sequence[str]:
        """Return the names that a new column cannot have."""
        return self.columns

    def check_fill(self, column: str) -> None:
        """Refuse to fill a column in a format that cannot."""
        if not self.can_fill_columns:
            raise InputError(
                f"{self.name}: in the format {self.format}, '{column}' cannot be filled. "
                "Name a new column with --column."
            )
        if column not in self.columns:
            raise InputError(
                f"{self.name}: '{column}' is a field of a struct, which cannot be filled. "
                "Name a new column with --column."
            )

    def check_distinct(self, names: Sequence[str]) -> None:
        """Refuse columns of the same name."""
        repeated = [name for name, n_times in Counter(names).items() if n_times > 1]
        if repeated:
            shown = ", ".join(map(repr, repeated[:5]))
            raise InputError(
                f"{self.name}: more than one column is named {shown}. Give each its own name."
            )

    def holds_no(self, what: str) -> InputError:
        """Return the error about a file without rows, or without something else."""
        return InputError(f"{self.name}: holds no {what}. Check how it was written.")

    def has_no_columns(self, asked: Sequence[str], advice: str) -> InputError:
        """Return the error about columns asked for in a format that has none."""
        return InputError(
            f"{self.name}: a file in the format {self.format} has no columns, "
            f"so none can be {', '.join(map(repr, asked))}. {advice}"
        )

    def cannot_add(self, column: str) -> InputError:
        """Return the error about a new column in a format that has none."""
        return InputError(
            f"{self.name}: a file in the format {self.format} has no columns to add '{column}' to. "
            "Write a folder of parts, or indices."
        )

    def cannot_be_one(self) -> InputError:
        """Return the error about several files that are not written as one."""
        return InputError(
            f"{self.name}: several files in the format {self.format} are read together, but not "
            "written as one. Write each by itself: with --mirror."
        )

    def cannot_hold(self, column: str, kind: object, values: Sequence[str]) -> InputError:
        """Return the error about values that do not fit the type of a column."""
        return InputError(
            f"{self.name}: '{column}' is of type {kind}, "
            f"which cannot hold {', '.join(values[:5])}. Name a new column with --column."
        )

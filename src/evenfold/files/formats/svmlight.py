"""svmlight, and the text of the extreme classification repository: labels, a blank, and features, which are read only where they are asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...exceptions import InputError
from ...labels.labels import Labels
from ..datafile import DataFile
from ..own_labels import label_entries
from ..row_lines import deal_lines

if TYPE_CHECKING:
    import pyarrow as pa

_XC_HEADER = re.compile(rb"(\d{1,15})([ \t]+\d+[ \t]+\d+[ \t]*\r?\n?)")
_LABELS = re.compile(rb"[ \t]*([^\s:#]*)(:?)")
_NO_FEATURE = re.compile(rb"[ \t]+[^\s:#]+(?![^\s#])")
_QUERY = re.compile(rb"\bqid:\S*")
_ROWS_AT_ONCE = 1 << 16
_FEATURE_ROWS_AT_ONCE = 1 << 12


class Svmlight(DataFile):
    """Lines `label,label feature:value feature:value # comment`; without labels, a line begins with a blank or a feature.

    Notes
    -----
    The labels are whole numbers, sorted, as those of lists of whole numbers are.
    Comments before the first row are kept in every part; other lines that are blank or a comment are not rows.
    Below a header `rows features labels`, which needs no `Xc` to be seen, every line is a row.
    """

    format: ClassVar[str] = "svmlight"
    suffix: ClassVar[str] = ".svm"

    def __init__(self, path: Path) -> None:
        self.path = path
        self.columns = ()
        self._remarks: list[bytes] = []
        self._header: re.Match[bytes] | None = None
        with path.open("rb") as file:
            for line in file:
                if not _is_remark(line):
                    self._header = _XC_HEADER.fullmatch(line)
                    break
                self._remarks.append(line)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Refuse: there are no columns."""
        raise InputError(
            f"{self.path}: a file in the format {self.format} has no columns, so none can be {', '.join(map(repr, columns))}. Leave them out."
        )

    def read_own_labels(self) -> Labels:
        """Read the labels at the beginning of every line and nothing else."""
        lengths, found = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        rows = ((number, _label_text(line)) for number, line in self._read_lines())
        while block := list(islice(rows, _ROWS_AT_ONCE)):
            lengths.append(
                np.fromiter(
                    (text.count(b",") + 1 if text else 0 for _, text in block), np.int64, len(block)
                )
            )
            try:
                found.append(_read_numbers(b",".join(text for _, text in block if text)))
            except (ValueError, OverflowError):
                raise self._not_whole(block) from None
        length_of_row = np.concatenate(lengths)
        if not len(length_of_row):
            raise InputError(f"{self.path}: holds no rows. Check that it is whole.")
        names, label = np.unique(np.concatenate(found), return_inverse=True)
        row = np.repeat(np.arange(len(length_of_row)), length_of_row)
        return label_entries(row, label, names.tolist(), len(length_of_row))

    def read_own_features(self) -> sparse.csr_array:
        """Read what follows the labels of every line, `feature:value`; the numbers of the features are columns as they stand."""
        lengths, found = [np.empty(0, np.int64)], [np.empty((0, 2))]
        rows = ((number, _feature_text(line)) for number, line in self._read_lines())
        while block := list(islice(rows, _FEATURE_ROWS_AT_ONCE)):
            try:
                found.append(_read_pairs(b" ".join(text for _, text in block)))
            except (ValueError, OverflowError):
                raise self._not_features(block) from None
            lengths.append(
                np.fromiter((text.count(b":") for _, text in block), np.int64, len(block))
            )
        length_of_row, pairs = np.concatenate(lengths), np.concatenate(found)
        if not len(pairs):
            raise InputError(f"{self.path}: holds no features. Check that it is whole.")
        row, column = (
            np.repeat(np.arange(len(length_of_row)), length_of_row),
            pairs[:, 0].astype(np.int64),
        )
        return sparse.csr_array(
            (pairs[:, 1], (row, column)), shape=(len(length_of_row), int(column.max()) + 1)
        )

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the lines of every part; a header says how many they are."""
        heads = [b"".join(self._remarks)] * len(targets)
        if self._header:
            sizes = np.bincount(part_of_row[part_of_row >= 0], minlength=len(targets))
            heads = [
                head + b"%d" % size + self._header[2]
                for head, size in zip(heads, sizes, strict=True)
            ]
        deal_lines(self.path, (line for _, line in self._read_lines()), part_of_row, heads, targets)

    def _read_lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield number and bytes of every line that is a row."""
        with self.path.open("rb") as file:
            lines = enumerate(file, 1)
            if self._header is None:
                yield from ((number, line) for number, line in lines if not _is_remark(line))
                return
            n_rows = int(self._header[1])
            n_before = len(self._remarks) + 1
            number = n_before
            for number, line in islice(lines, n_before, n_before + n_rows):
                yield number, line
            if number < n_before + n_rows or any(line.strip() for _, line in lines):
                raise InputError(
                    f"{self.path}: line {n_before} says {n_rows:,} rows, but {'fewer' if number < n_before + n_rows else 'more'} lines follow. Correct it."
                )

    def _not_whole(self, block: list[tuple[int, bytes]]) -> InputError:
        number, text = next(
            (number, text) for number, text in block if not _can(_read_numbers, text)
        )
        return InputError(
            f"{self.path}: line {number} begins with {text.decode(errors='replace')[:60]!r}, which must be labels. "
            "Write them as whole numbers with commas and no blanks between them."
        )

    def _not_features(self, block: list[tuple[int, bytes]]) -> InputError:
        number, text = next((number, text) for number, text in block if not _can(_read_pairs, text))
        return InputError(
            f"{self.path}: line {number} has {text.strip().decode(errors='replace')[:60]!r} for features. "
            "Write each as a whole number from 0, a colon and its value, with blanks between them."
        )


class Xc(Svmlight):
    """Text of the extreme classification repository: the same lines below a header `rows features labels`."""

    format: ClassVar[str] = "xc"
    suffix: ClassVar[str] = ".txt"

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        if self._header is None:
            raise InputError(
                f"{path}: must begin with a line of three whole numbers: rows, features, labels. Without it, read it as svmlight."
            )


def _is_remark(line: bytes) -> bool:
    content = line.lstrip()
    return not content or content.startswith(b"#")


def _label_text(line: bytes) -> bytes:
    """Return what stands before the first blank; nothing where that is a feature already.

    Where what follows is no feature, it is returned too: with a blank in it, that is no list of labels.
    """
    found = _LABELS.match(line)
    if found is None or found[2]:
        return b""
    odd = _NO_FEATURE.match(line, found.end())
    return found[1] if odd is None else found[1] + odd[0]


def _read_numbers(text: bytes) -> NDArray[np.int64]:
    if b" " in text or b"\t" in text:
        raise ValueError(text)
    return np.fromiter(map(int, text.split(b",")) if text else (), np.int64)


def _feature_text(line: bytes) -> bytes:
    """Return what stands after the labels, without a remark and the number of a query."""
    content = line.partition(b"#")[0]
    found = _LABELS.match(content)
    return _QUERY.sub(b"", content if found is None or found[2] else content[found.end() :])


def _read_pairs(text: bytes) -> NDArray[np.float64]:
    """(n_pairs, 2) read features and their values; raise ValueError where something else is there."""
    pairs = (
        np.array(text.replace(b":", b" ").split(), dtype=bytes).astype(np.float64).reshape(-1, 2)
    )
    if (
        len(pairs) != text.count(b":")
        or (pairs[:, 0] != np.floor(pairs[:, 0])).any()
        or not ((pairs[:, 0] >= 0) & (pairs[:, 0] < 2**31)).all()
    ):
        raise ValueError(text)
    return pairs


def _can(read: Callable[[bytes], object], text: bytes) -> bool:
    try:
        read(text)
    except (ValueError, OverflowError):
        return False
    return True

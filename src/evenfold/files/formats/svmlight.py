"""svmlight, and the text of the extreme classification repository: labels, then features."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ...exceptions import InputError
from ...labels.labels import Labels
from ..damage import find_refused
from ..datafile import DataFile
from ..own_labels import label_entries
from ..row_chunks import cut_into_chunks, pair_chunks
from ..row_lines import LINES_AT_ONCE, write_part_lines

if TYPE_CHECKING:
    import pyarrow as pa

_EXTREME_HEADER = re.compile(rb"(\d{1,15})([ \t]+\d+[ \t]+\d+[ \t]*\r?\n?)")
_LABELS = re.compile(rb"[ \t]*([^\s:#]*)(:?)")
_NO_FEATURE = re.compile(rb"[ \t]+[^\s:#]+(?![^\s#])")
_QUERY = re.compile(rb"\bqid:\S*")
# A chunk of labels is short text; a chunk of features takes some 100 bytes a feature.
_ROWS_AT_ONCE = 1 << 16
_FEATURE_ROWS_AT_ONCE = 1 << 12


class Svmlight(DataFile):
    """Lines `label,label feature:value feature:value # comment`.

    A line without labels begins with a blank or a feature.

    Notes
    -----
    The labels are whole numbers, sorted, as those of lists of whole numbers are. Comments before
    the first row are kept in every part; other lines that are blank or a comment are not rows.
    Below a header `rows features labels`, as the extreme classification repository has it, every
    line is a row.
    """

    format: ClassVar[str] = "svmlight"
    suffix: ClassVar[str] = ".svm"

    def __init__(self, path: Path, name: str | None = None) -> None:
        super().__init__(path, name)
        self.columns = ()
        self._comments: list[bytes] = []
        self._header: re.Match[bytes] | None = None
        with path.open("rb") as file:
            for line in file:
                if not _is_comment(line):
                    self._header = _EXTREME_HEADER.fullmatch(line)
                    break
                self._comments.append(line)

    def read_batches(self, columns: Sequence[str]) -> Iterator[pa.RecordBatch]:
        """Refuse: there are no columns."""
        raise self.has_no_columns(columns, "Leave them out.")

    def read_own_labels(self) -> Labels:
        """Read the labels at the beginning of every line and nothing else."""
        lengths, found = [np.empty(0, np.int64)], [np.empty(0, np.int64)]
        rows = ((number, _label_text(line)) for number, line in self._read_lines())
        for chunk in cut_into_chunks(rows, _ROWS_AT_ONCE):
            texts = [text for _, text in chunk]
            n_labels = (text.count(b",") + 1 if text else 0 for text in texts)
            lengths.append(np.fromiter(n_labels, np.int64, len(chunk)))
            try:
                found.append(_parse_labels(b",".join(filter(None, texts))))
            except (ValueError, OverflowError):
                number, text = chunk[find_refused(_parse_labels, texts)]
                raise InputError(
                    f"{self.name}: line {number} begins with {_show(text)}, which must be labels. "
                    "Write them as whole numbers with commas and no blanks between them."
                ) from None
        length_of_row = np.concatenate(lengths)
        if not len(length_of_row):
            raise self.holds_no("rows")
        names, label = np.unique(np.concatenate(found), return_inverse=True)
        row = np.repeat(np.arange(len(length_of_row)), length_of_row)
        return label_entries(row, label, names.tolist(), len(length_of_row))

    def read_own_features(self) -> sparse.csr_array:
        """Read the pairs `feature:value` of every line; the feature is the number of its column."""
        lengths, found = [np.empty(0, np.int64)], [np.empty((0, 2))]
        rows = ((number, _feature_text(line)) for number, line in self._read_lines())
        for chunk in cut_into_chunks(rows, _FEATURE_ROWS_AT_ONCE):
            texts = [text for _, text in chunk]
            try:
                found.append(_parse_features(b" ".join(texts)))
            except (ValueError, OverflowError):
                number, text = chunk[find_refused(_parse_features, texts)]
                raise InputError(
                    f"{self.name}: line {number} has {_show(text.strip())} for features. "
                    "Write each as a whole number from 0, a colon and its value, "
                    "with blanks between them."
                ) from None
            n_features = (text.count(b":") for text in texts)
            lengths.append(np.fromiter(n_features, np.int64, len(chunk)))
        length_of_row, pairs = np.concatenate(lengths), np.concatenate(found)
        if not len(pairs):
            raise self.holds_no("features")
        row = np.repeat(np.arange(len(length_of_row)), length_of_row)
        column = pairs[:, 0].astype(np.int64)
        return sparse.csr_array(
            (pairs[:, 1], (row, column)), shape=(len(length_of_row), int(column.max()) + 1)
        )

    def write_parts(self, targets: Sequence[Path], part_of_row: NDArray[np.int32]) -> None:
        """Write the lines of every part; a header has the number of rows of its part."""
        heads = [b"".join(self._comments)] * len(targets)
        if self._header:
            sizes = np.bincount(part_of_row[part_of_row >= 0], minlength=len(targets))
            heads = [
                head + b"%d" % size + self._header[2]
                for head, size in zip(heads, sizes, strict=True)
            ]
        lines = cut_into_chunks((line for _, line in self._read_lines()), LINES_AT_ONCE)
        write_part_lines(targets, heads, pair_chunks(self.name, lines, part_of_row))

    def _read_lines(self) -> Iterator[tuple[int, bytes]]:
        """Yield number and bytes of every line that is a row."""
        with self.path.open("rb") as file:
            lines = enumerate(file, 1)
            if self._header is None:
                yield from ((number, line) for number, line in lines if not _is_comment(line))
                return
            n_rows = int(self._header[1])
            n_before = len(self._comments) + 1
            last = n_before + n_rows
            number = n_before
            for number, line in islice(lines, n_before, last):
                yield number, line
            if number < last or any(line.strip() for _, line in lines):
                raise InputError(
                    f"{self.name}: line {n_before} says {n_rows:,} rows, "
                    f"but {'fewer' if number < last else 'more'} lines follow. Correct it."
                )


def _is_comment(line: bytes) -> bool:
    content = line.lstrip()
    return not content or content.startswith(b"#")


def _show(text: bytes) -> str:
    return repr(text.decode(errors="replace")[:60])


def _label_text(line: bytes) -> bytes:
    """Return what comes before the first blank; nothing where that is a feature already.

    Where what follows the blank is not a feature, it is returned too: with a blank in it, the text
    is refused as a list of labels.
    """
    found = _LABELS.match(line)
    if found is None or found[2]:
        return b""
    odd = _NO_FEATURE.match(line, found.end())
    return found[1] if odd is None else found[1] + odd[0]


def _parse_labels(text: bytes) -> NDArray[np.int64]:
    """Read whole numbers between commas; raise ValueError where something else is there."""
    if b" " in text or b"\t" in text:
        raise ValueError(text)
    return np.fromiter(map(int, text.split(b",")) if text else (), np.int64)


def _feature_text(line: bytes) -> bytes:
    """Return what comes after the labels, without a comment and the number of a query."""
    content = line.partition(b"#")[0]
    found = _LABELS.match(content)
    return _QUERY.sub(b"", content if found is None or found[2] else content[found.end() :])


def _parse_features(text: bytes) -> NDArray[np.float64]:
    """Read features and their values, (n_pairs, 2); raise ValueError where something else is."""
    numbers = np.array(text.replace(b":", b" ").split(), dtype=bytes).astype(np.float64)
    pairs = numbers.reshape(-1, 2)
    features = pairs[:, 0]
    if (
        len(pairs) != text.count(b":")
        or (features != np.floor(features)).any()
        or not ((features >= 0) & (features < 2**31)).all()
    ):
        raise ValueError(text)
    return pairs

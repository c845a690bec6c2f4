"""Rows that are lines of text, passed on byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import zip_longest
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError


def deal_lines(
    path: Path,
    lines: Iterable[bytes],
    part_of_row: NDArray[np.int32],
    heads: Sequence[bytes],
    targets: Sequence[Path],
) -> None:
    """Write each part's head and the lines of its rows to its target; lines of part -1 nowhere."""
    with ExitStack() as stack:
        files = [stack.enter_context(target.open("wb")) for target in targets]
        for file, head in zip(files, heads, strict=True):
            file.write(head)
        for line, part in pair_with_rows(path, lines, part_of_row):
            if part >= 0:
                files[part].write(line)


def pair_with_rows(
    path: Path, rows: Iterable[Any], number_of_row: NDArray[np.int32]
) -> Iterator[tuple[Any, int]]:
    """Yield each row of the file with its number; there must be as many of the one as of the other."""
    for row, number in zip_longest(rows, number_of_row.tolist()):
        if row is None or number is None:
            raise rows_changed(path, len(number_of_row))
        yield row, number


def rows_changed(path: Path, n_rows: int) -> InputError:
    """Word what is wrong where a file does not hold the rows that were split."""
    return InputError(
        f"{path}: no longer holds the {n_rows:,} rows whose labels were read. Split it again."
    )

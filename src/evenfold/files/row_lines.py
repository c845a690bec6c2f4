"""Rows that are lines of text, copied byte for byte to the file of their part."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path

from .compression import open_to_write

# The lines of a chunk are in memory together; those of extreme classification data have some 10 KB.
LINES_AT_ONCE = 1 << 12


def write_part_lines(
    targets: Sequence[Path],
    heads: Sequence[bytes],
    chunks: Iterable[tuple[Sequence[bytes], Sequence[int]]],
) -> None:
    """Write a file for each part.

    Parameters
    ----------
    targets : sequence of Path
        The file of each part.
    heads : sequence of bytes
        What comes before the rows of each part.
    chunks : iterable of tuples
        Lines with their line ends, and the part of each line; a line of part -1 is left out.
    """
    with ExitStack() as stack:
        files = [stack.enter_context(open_to_write(target)) for target in targets]
        for file, head in zip(files, heads, strict=True):
            file.write(head)
        for lines, parts in chunks:
            # The last list takes the lines of part -1.
            lines_of_part: list[list[bytes]] = [[] for _ in range(len(files) + 1)]
            for line, part in zip(lines, parts, strict=True):
                lines_of_part[part].append(line)
            for file, own_lines in zip(files, lines_of_part, strict=False):
                file.write(b"".join(own_lines))

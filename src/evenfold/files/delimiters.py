"""Which character separates the cells of a csv file."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence


def find_delimiter(start: bytes, is_whole: bool, delimiters: Sequence[str]) -> str:
    r"""Find the delimiter of a csv file in its first bytes.

    Parameters
    ----------
    start : bytes
        What the file begins with.
    is_whole : bool
        Whether that is all of it.
    delimiters : sequence of str
        The characters to choose from.

    Returns
    -------
    str
        The first one that cuts the header into two or more cells, and at least half of the rows
        into as many. If none does, the first of all.

    Examples
    --------
    >>> from evenfold.files.delimiters import find_delimiter
    >>> find_delimiter(b"id;name, first\n1;Ada\n", True, [",", ";"])
    ';'
    >>> find_delimiter(b"id,tags\n1,a;b\n", True, [",", ";"])
    ','
    """
    text = start.decode("utf-8-sig", errors="replace")
    fitting = (own for own in delimiters if _makes_columns(text, own, is_whole))
    return next(fitting, delimiters[0])


def _makes_columns(text: str, delimiter: str, is_whole: bool) -> bool:
    try:
        rows = list(filter(None, csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)))
    except csv.Error:
        return False
    if not is_whole:
        del rows[-1:]  # it may be cut off
    n_cells = list(map(len, rows))
    if not n_cells or n_cells[0] < 2:
        return False
    return 2 * (n_cells.count(n_cells[0]) - 1) >= len(n_cells) - 1

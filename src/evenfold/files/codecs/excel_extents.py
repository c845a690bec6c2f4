"""How large the sheets of a workbook are, found before a reader takes memory for them."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

_SHEET = re.compile(r"xl/worksheets/[^/]+\.xml", re.IGNORECASE)
_CELL = re.compile(rb'\br\s*=\s*["\']([A-Z]{1,3})([0-9]{1,7})["\']')
# Longer than any reference of a cell, which may be cut in two by the end of a block.
_OVERLAP = 32
_BYTES_AT_ONCE = 1 << 20
# What a reader takes for each cell between the first and the last one, empty ones included.
# Measured with python-calamine: 24 bytes, and 8 more for the value that Python gets.
_BYTES_OF_CELL = 32


def count_bytes_of_sheets(path: Path) -> int:
    """Return how much memory the largest sheet takes, at least.

    Readers hold a sheet as a full table: two cells far apart are enough for a huge one.

    Raises
    ------
    zipfile.BadZipFile, NotImplementedError, OSError, ValueError
        If it is not an archive that can be read.
    """
    most = 0
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            most = max(most, member.file_size)
            if _SHEET.fullmatch(member.filename):
                most = max(most, _BYTES_OF_CELL * _count_cells(archive, member))
    return most


def _count_cells(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> int:
    """Return the number of cells of the table that has the first and the last cell."""
    columns: set[bytes] = set()
    rows: set[int] = set()
    rest = b""
    with archive.open(member) as file:
        while block := file.read(_BYTES_AT_ONCE):
            found = _CELL.findall(rest + block)
            columns.update(column for column, _ in found)
            numbers = [int(row) for _, row in found]
            rows.update({min(numbers), max(numbers)} if numbers else ())
            rest = block[-_OVERLAP:]
    if not rows:
        return 0
    places = [_find_place(column) for column in columns]
    return (max(rows) - min(rows) + 1) * (max(places) - min(places) + 1)


def _find_place(column: bytes) -> int:
    """Return the number of a column: 1 for A, 27 for AA."""
    place = 0
    for letter in column:
        place = 26 * place + letter - ord("A") + 1
    return place

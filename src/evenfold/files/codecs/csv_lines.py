"""Arrow columns as lines of a csv file."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from .flat_columns import to_text


def to_csv_lines(columns: Sequence[pa.Array], delimiter: str) -> bytes:
    r"""Return the rows of columns as lines.

    Parameters
    ----------
    columns : sequence of pyarrow.Array
        The columns.
    delimiter : str
        What separates the cells.

    Returns
    -------
    bytes
        One line for each row. A missing cell is empty, empty text is quoted, and other text only
        where it must be.

    Examples
    --------
    >>> import pyarrow as pa
    >>> from evenfold.files.codecs.csv_lines import to_csv_lines
    >>> to_csv_lines([pa.array([1, None]), pa.array(["a,b", ""])], ",")
    b'1,"a,b"\n,""\n'
    """
    cells = [_quote(to_text(column), delimiter) for column in columns]
    if len(cells) == 1:  # a line without any cell would be no row
        cells = [cells[0].fill_null('""')]
    lines = pc.binary_join_element_wise(
        *cells,
        pa.scalar(delimiter, pa.large_string()),
        null_handling="replace",
        null_replacement="",
    )
    return "".join(f"{line}\n" for line in lines.to_pylist()).encode()


def _quote(texts: pa.Array, delimiter: str) -> pa.Array:
    must = pc.or_(pc.match_substring_regex(texts, f'["\r\n{delimiter}]'), pc.equal(texts, ""))
    if not pc.any(must).as_py():
        return texts
    escaped = pc.replace_substring(texts, '"', '""')
    mark = pa.scalar('"', pa.large_string())
    none = pa.scalar("", pa.large_string())
    return pc.if_else(must, pc.binary_join_element_wise(mark, escaped, mark, none), texts)

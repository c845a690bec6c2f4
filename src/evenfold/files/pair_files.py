"""Files of linked pairs: tables of MMseqs2 and BLAST, csv with a header, parquet, npy."""

from __future__ import annotations

import contextlib
import csv
import itertools
import math
from collections.abc import Container, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._checks.values import show_value
from ..exceptions import InputError
from .damage import explain_arrow_damage
from .encoding import not_utf8

if TYPE_CHECKING:
    import pyarrow as pa

_DELIMITERS = {".m8": "\t", ".tsv": "\t", ".txt": "\t", ".csv": ","}
_SUFFIXES = (*_DELIMITERS, ".parquet", ".npy")
_COMMENT = "#"


def read_pair_file(path: Path, ids: Container[str] = ()) -> Any:
    r"""Read linked pairs, as `evenfold.link` takes them.

    Parameters
    ----------
    path : Path
        A file that ends in .m8, .tsv, .txt, .csv, .parquet or .npy.
    ids : container of str, default=()
        The ids of the rows: a first line with two of them is no header.

    Returns
    -------
    pyarrow.Table or ndarray
        Two columns of ids, which are text in text files, and a third of scores if the third column
        of the file holds numbers. Other columns are left out.

    Raises
    ------
    InputError
        If the file holds no pairs, or if only some cells of the third column are numbers.

    Notes
    -----
    A csv file begins with a header, unless the first two cells are numbers or ids of rows. In other
    text files, the first line is a header if its third cell is text and that of the second line is
    a number. Lines whose first cell begins with # are left out.

    Examples
    --------
    >>> from evenfold.files.pair_files import read_pair_file
    >>> hits = tmp_path / "hits.m8"
    >>> _ = hits.write_text("P1\tP2\t0.93\t120\nP1\tP3\t0.41\t80\n")
    >>> read_pair_file(hits).to_pylist()[0]
    {'first': 'P1', 'second': 'P2', 'score': 0.93}
    """
    suffix = path.suffix.lower()
    if suffix not in _SUFFIXES:
        raise InputError(
            f"{path}: a file of pairs must end in {', '.join(_SUFFIXES)}. Rename or convert it."
        )
    if not path.exists():
        raise InputError(f"{path}: no such file. Check the name and the folder.")
    if suffix == ".npy":
        return _read_npy(path)
    if suffix == ".parquet":
        import pyarrow.parquet as pq

        with explain_arrow_damage(path):
            return _choose_columns(path, pq.read_table(path))
    return _read_text(path, _DELIMITERS[suffix], ids)


def _read_npy(path: Path) -> Any:
    from .codecs.npy_arrays import read_npy

    array = read_npy(path, str(path))
    if array.ndim != 2 or array.shape[1] < 2:
        raise InputError(
            f"{path}: must have rows of two ids, got an array of shape {array.shape}. "
            "Save one row per pair."
        )
    return array[:, :3]


def _read_text(path: Path, delimiter: str, ids: Container[str]) -> pa.Table:
    """Read all cells as text, so that an id such as 007 stays as it is."""
    from pyarrow import compute, string
    from pyarrow import csv as arrow_csv

    n_skipped, names = _read_beginning(path, delimiter, ids)
    with explain_arrow_damage(path):
        table = arrow_csv.read_csv(
            path,
            read_options=arrow_csv.ReadOptions(column_names=names, skip_rows=n_skipped),
            parse_options=arrow_csv.ParseOptions(
                delimiter=delimiter,
                quote_char='"' if delimiter == "," else False,
                newlines_in_values=False,
                invalid_row_handler=lambda row: (
                    "skip" if (row.text or "").startswith(_COMMENT) else "error"
                ),
            ),
            convert_options=arrow_csv.ConvertOptions(
                include_columns=names[:3], column_types=dict.fromkeys(names, string())
            ),
        )
    # Arrow keeps comments that have as many cells as the pairs.
    is_comment = compute.starts_with(table.column(0), _COMMENT)
    kept = table.filter(compute.invert(is_comment))
    return _choose_columns(path, kept, delimiter, n_skipped)


def _read_lines(path: Path, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that is neither empty nor a comment."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            for number, line in enumerate(file):
                if not line.strip():
                    continue
                cells = (
                    next(csv.reader([line]))
                    if delimiter == ","
                    else line.rstrip("\r\n").split(delimiter)
                )
                if not cells[0].startswith(_COMMENT):
                    yield number, cells
    except UnicodeDecodeError:
        raise not_utf8(str(path)) from None


def _read_beginning(path: Path, delimiter: str, ids: Container[str]) -> tuple[int, list[str]]:
    """Return how many lines come before the first pair, and names for the columns."""
    lines = list(itertools.islice(_read_lines(path, delimiter), 2))
    first = [cell.strip() for cell in lines[0][1][:2]] if lines else []
    is_pair = all(_is_number(cell) or cell in ids for cell in first)
    has_header = (delimiter == "," and not is_pair) or (
        len(lines) == 2
        and any(cell.strip() and not _is_number(cell) for cell in lines[0][1][2:3])
        and any(map(_is_number, lines[1][1][2:3]))
    )
    if len(lines) < 1 + has_header:
        raise InputError(f"{path}: holds no pairs. Check that the file is complete.")
    number, cells = lines[int(has_header)]
    if len(cells) < 2:
        raise InputError(
            f"{path}: line {number + 1} has one column. Give two ids on each line, with "
            f"{'a comma' if delimiter == ',' else 'a tab'} between them."
        )
    return number, [f"column {at}" for at in range(len(cells))]


def _is_number(cell: Any) -> bool:
    try:
        return math.isfinite(float(cell))
    except (TypeError, ValueError):
        return False


def _choose_columns(
    path: Path, table: pa.Table, delimiter: str | None = None, n_skipped: int = 0
) -> pa.Table:
    """Keep two columns of ids and, if it holds numbers, a third of scores.

    `delimiter` is that of a text file, None for parquet.
    """
    import pyarrow as pa

    if table.num_columns < 2:
        raise InputError(
            f"{path}: must have two columns of ids, got {table.num_columns}. Save one row per pair."
        )
    chosen = {"first": table.column(0), "second": table.column(1)}
    scores = (
        None
        if table.num_columns == 2
        else _read_scores(path, table.column(2), delimiter, n_skipped)
    )
    if scores is not None:
        chosen["score"] = scores
    return pa.table(chosen)


def _read_scores(path: Path, column: Any, delimiter: str | None, n_skipped: int) -> Any:
    """Return a column as numbers; None if it has none, so that it holds something else."""
    import pyarrow as pa

    with contextlib.suppress(pa.ArrowInvalid, pa.ArrowNotImplementedError):
        return column.cast(pa.float64())
    cells = column.to_pylist()
    is_number = list(map(_is_number, cells))
    if not any(is_number):
        return None
    if all(is_number):
        # Python ignores blanks around numbers, Arrow does not.
        return pa.array(list(map(float, cells)))
    at = is_number.index(False)
    where = f"pair {at}"
    if delimiter is not None:
        lines = (number for number, _ in _read_lines(path, delimiter) if number >= n_skipped)
        where = f"line {next(itertools.islice(lines, at, None)) + 1}"
    raise InputError(
        f"{path}: {where} has no score, got {show_value(cells[at])}. "
        "Give every pair a number, or leave out the third column."
    )

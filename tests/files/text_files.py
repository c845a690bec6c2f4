"""Small text files, opened in chunks of a few bytes, and what is written from them."""

import numpy as np
import pyarrow as pa
from hypothesis import settings

from evenfold.files.formats.delimited import Csv, Tsv
from evenfold.files.formats.json_lines import JsonLines

from .part_files import write_parts

BOM = b"\xef\xbb\xbf"
small = settings(max_examples=60, deadline=None)


class SmallCsv(Csv):
    """Csv in chunks so small that everything straddles their borders."""

    chunk_bytes = 5


class SmallTsv(Tsv):
    """Tsv in small chunks."""

    chunk_bytes = 5


class SmallJsonLines(JsonLines):
    """JsonLines in small chunks."""

    chunk_bytes = 5


def make(folder, content, kind=SmallCsv):
    """Write a file and open it."""
    path = folder / f"data{kind.suffix}"
    path.write_bytes(content)
    return kind(path)


def split(file, part_of_row, n_parts=None):
    """Write the parts and return their bytes."""
    n_parts = max(part_of_row, default=-1) + 1 if n_parts is None else n_parts
    return [path.read_bytes() for path in write_parts(file, file.path.parent, part_of_row, n_parts)]


def with_column(file, column, values, codes):
    """Write the file with a column and return its bytes."""
    target = file.path.parent / "with_column"
    file.write_with_column(target, column, values, np.array(codes, np.int32))
    return target.read_bytes()


def read(file, columns):
    """Return the columns as lists."""
    batches = list(file.read_batches(columns))
    return pa.Table.from_batches(batches).to_pydict() if batches else None


def fill(file, column, values, codes):
    """Write the file with some values of a column filled and return its bytes."""
    target = file.path.parent / "filled"
    file.fill_column(target, column, values, np.array(codes, np.int32))
    return target.read_bytes()

"""Parquet files whose footer describes a column wrongly, for which Arrow would end the process."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from evenfold.exceptions import InputError
from evenfold.files.codecs.thrift import read_struct, write_struct
from evenfold.files.formats.parquet import Parquet

ROW_GROUPS, COLUMNS, METADATA, SIZES = 4, 1, 3, 16
COUNTS = (9, (6, [1, 2, 3, 4]))


def write(path, change):
    """Write two columns, the first one of lists, and change its description in the footer."""
    pq.write_table(pa.table({"tags": [["a"], [], ["b"]], "id": np.arange(3)}), path)
    content = path.read_bytes()
    n_bytes = int.from_bytes(content[-8:-4], "little")
    footer = read_struct(content[-8 - n_bytes : -8])
    change(footer[ROW_GROUPS][1][1][0][COLUMNS][1][1])
    own = write_struct(footer)
    path.write_bytes(content[: -8 - n_bytes] + own + len(own).to_bytes(4, "little") + b"PAR1")
    return path


def set_sizes(column, field, value):
    """Return a change of the sizes of a column."""
    return lambda chunks: chunks[column][METADATA][1].update({SIZES: (12, {field: value})})


WRONG = {
    "too few columns": (lambda chunks: chunks.pop(), "row group 0 has 1 of 2 columns"),
    "counts of definitions": (
        set_sizes(0, 3, (9, (6, [1]))),
        "column 'tags.list.element' in row group 0 has 1 counts of levels instead of 4",
    ),
    "counts of repetitions": (
        set_sizes(1, 2, COUNTS),
        "column 'id' in row group 0 has 4 counts of levels instead of 1",
    ),
    "bytes of text": (
        set_sizes(1, 1, (6, 7)),
        "column 'id' in row group 0 has a size of text, and is none",
    ),
}


@pytest.mark.parametrize(("change", "message"), WRONG.values(), ids=WRONG)
def test_a_wrong_description_is_refused(tmp_path, change, message):
    """The column is named, and the process goes on."""
    path = write(tmp_path / "data.parquet", change)
    with pytest.raises(InputError, match=re.escape(f"data.parquet: cannot be read: {message}.")):
        Parquet(path)


@pytest.mark.parametrize(
    "change",
    [
        lambda _: None,
        set_sizes(0, 3, COUNTS),
        set_sizes(0, 1, (6, 7)),
        set_sizes(0, 3, (9, (6, []))),
    ],
)
def test_a_description_that_fits_is_read(tmp_path, change):
    """Sizes may be there or not."""
    assert list(Parquet(write(tmp_path / "data.parquet", change)).columns) == ["tags", "id"]


def test_a_column_without_metadata_is_refused(tmp_path):
    """By Arrow or by evenfold."""
    path = write(tmp_path / "data.parquet", lambda chunks: chunks[0].pop(METADATA))
    with pytest.raises(InputError, match=r"data\.parquet: cannot be read"):
        Parquet(path)

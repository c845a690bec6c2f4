"""The base class of the formats: what a format inherits."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.datafile import DataFile


class Smallest(DataFile):
    """A format that defines only what it must."""

    format = "smallest"
    suffix = ".small"

    def __init__(self, path, name=None):
        super().__init__(path, name)
        self.columns = ["a"]

    def read_batches(self, columns):
        """Yield one row."""
        yield pa.record_batch({column: [1] for column in columns})

    def write_parts(self, targets, part_of_row):
        """Write empty files."""
        for target in targets:
            target.write_bytes(b"")


def test_a_format_needs_only_reading_and_writing():
    """Labels, features, counts and companions are none by default."""
    file = Smallest(Path("data.small"))
    assert (file.name, file.label_columns, file.goes_with) == ("data.small", (), ())
    assert file.read_own_labels() is file.read_own_features() is file.read_counts() is None
    assert list(file.read_to_guess(["a"])) == list(file.read_batches(["a"]))
    assert file.find_lacking("b*") is file
    assert file.companions(Path("out.small")) == []


def test_a_format_without_columns_to_write_refuses_them():
    """Both ways, with the name that was given."""
    file, codes = Smallest(Path("data.small"), "stdin"), np.zeros(1, np.int32)
    for refused in (
        lambda: file.check_new("b"),
        lambda: file.write_with_column(Path("out"), "b", ["x"], codes),
    ):
        with pytest.raises(
            InputError, match=r"^stdin: a file in the format smallest has no columns to add 'b' to"
        ):
            refused()
    for refused in (
        lambda: file.check_fill("a"),
        lambda: file.fill_column(Path("out"), "a", ["x"], codes),
    ):
        with pytest.raises(
            InputError, match=r"^stdin: in the format smallest, 'a' cannot be filled\. Name a new"
        ):
            refused()


def test_at_most_five_repeated_names_are_shown():
    """A wide table may have many."""
    names = [f"c{number}" for number in range(9)] * 2
    with pytest.raises(
        InputError, match=r"more than one column is named 'c0', 'c1', 'c2', 'c3', 'c4'\. Give each"
    ):
        Smallest(Path("data.small")).check_distinct(names)

"""What csv and JSON Lines have in common."""

import pytest

from evenfold.exceptions import InputError
from evenfold.files.formats.json_lines import JsonLines

from .text_files import SmallCsv, SmallJsonLines, make, split, with_column


@pytest.mark.parametrize("kind", [SmallCsv, SmallJsonLines])
def test_a_row_without_end_is_refused_before_it_fills_the_memory(kind, tmp_path, monkeypatch):
    """The message has the line in which the row starts."""
    file = make(tmp_path, b'{"a": 1}\n"' + b"x" * 1_000 + b'"\n', kind)
    monkeypatch.setattr(kind, "max_row_bytes", 100)
    with pytest.raises(InputError, match="the row that starts in line 2 does not end"):
        list(file.read_records())


def test_unknown_columns_are_not_read_and_known_ones_not_added(tmp_path):
    """The message has the columns."""
    file = make(tmp_path, b"a,b\n1,2\n")
    with pytest.raises(InputError, match=r"data\.csv: has no column 'c'\. Its columns: a, b\."):
        list(file.read_batches(["b", "c"]))
    with pytest.raises(InputError, match=r"data\.csv: has a column 'b' already"):
        with_column(file, "b", ["x"], [0])
    with pytest.raises(InputError, match=r"data\.jsonl: has a column 'b' already"):
        with_column(make(tmp_path, b'{"b": 1}', JsonLines), "b", ["x"], [0])


@pytest.mark.parametrize("n_split", [1, 3])
@pytest.mark.parametrize(
    ("kind", "content"), [(SmallCsv, b"id\n1\n2\n"), (SmallJsonLines, b'{"id": 1}\n{"id": 2}\n')]
)
def test_a_file_that_changed_after_it_was_split_is_refused(kind, content, n_split, tmp_path):
    """Its rows would go to wrong parts."""
    with pytest.raises(
        InputError,
        match=rf"no longer holds the {n_split} rows whose labels were read\. Split it again",
    ):
        split(make(tmp_path, content, kind), [0] * n_split)

"""The registry of formats, and data that comes from stdin or a pipe."""

import gc
import importlib
import io
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from evenfold.exceptions import InputError
from evenfold.files.label_columns import choose_label_columns, read_labels
from evenfold.files.registry import FORMATS, open_data

STDIN_FORMATS = [
    name for name, known in FORMATS.items() if known.suffixes and not known.names_files
]


NEW_SUFFIXES = {"yolo": ".txt", "imagefolder": ".csv"}


def open_stdin(monkeypatch, content, format_name=None):
    """Open bytes as they come from stdin."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    return open_data("-", format_name)


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_agrees_with_its_entry(name):
    """The class has the name and the first suffix of the registry; lists of files have another."""
    known = FORMATS[name]
    module = importlib.import_module(f"evenfold.files.formats.{known.module}")
    kind = getattr(module, known.class_name)
    suffix = NEW_SUFFIXES.get(name, known.suffixes[0] if known.suffixes else "")
    assert (kind.format, kind.suffix) == (name, suffix)


@pytest.mark.parametrize("content", [b"", b"spam \xff\n" * 100])
@pytest.mark.parametrize("format_name", STDIN_FORMATS)
def test_an_error_about_stdin_names_stdin_in_every_format(monkeypatch, format_name, content):
    """The temporary copy is not something that the user knows."""

    def read():
        file = open_stdin(monkeypatch, content, format_name)
        assert file.name == "stdin"
        file.read_own_labels()

    with pytest.raises(InputError, match=r"^stdin: (?!.*evenfold-stdin)"):
        read()


def test_an_error_about_label_columns_of_stdin_names_stdin(monkeypatch):
    """Columns, cells and rows."""
    file = open_stdin(monkeypatch, b"id,a,b\n1,1,x\n")
    with pytest.raises(InputError, match=r"^--labels 'tags' is not a column of stdin\. Columns: "):
        choose_label_columns(file, ["tags"])
    with pytest.raises(InputError, match=r"^stdin: which columns are labels is not clear\."):
        choose_label_columns(open_stdin(monkeypatch, b"a,b,c,d\n1,0,x,y\n"), None)
    with pytest.raises(InputError, match=r"^stdin: holds no rows\. Check how it was written\."):
        choose_label_columns(open_stdin(monkeypatch, b"a,b\n"), ["a"])
    choice = choose_label_columns(file, ["a", "b"])._replace(separator="|")
    with pytest.raises(InputError, match=r"^stdin: a separator cuts one column of text, got '\|'"):
        read_labels(file, choice)


def test_an_error_while_stdin_is_written_names_stdin(monkeypatch, tmp_path):
    """In a new column, and in parts of other rows."""
    file = open_stdin(monkeypatch, b"id\n1\n2\n")
    with pytest.raises(InputError, match=r"^stdin: has a column 'id' already\."):
        file.write_with_column(tmp_path / "out", "id", ["a"], np.zeros(2, np.int32))
    with pytest.raises(InputError, match=r"^stdin: no longer holds the 3 rows"):
        file.write_parts([tmp_path / "out"], np.zeros(3, np.int32))


def test_an_xml_for_another_format_is_refused(monkeypatch, tmp_path):
    """Only ARFF files go with one; the message names the file, or stdin."""
    (tmp_path / "data.csv").write_text("a\n1\n")
    message = r"a list of labels in xml goes with ARFF files, got one in the format csv\."
    with pytest.raises(InputError, match=rf"data\.csv: {message} Leave out --xml\."):
        open_data(str(tmp_path / "data.csv"), xml=tmp_path / "labels.xml")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"a\n1\n")))
    with pytest.raises(InputError, match=f"^stdin: {message}"):
        open_data("-", xml=tmp_path / "labels.xml")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_is_copied_and_its_copy_is_removed(tmp_path):
    """It can be read only once, and rows are read several times."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_bytes, args=(b"id\n1\n2\n",))
    writer.start()
    file = open_data(str(pipe))
    writer.join()
    copy = Path(file.path)
    for _ in range(2):
        assert sum(batch.num_rows for batch in file.read_batches(["id"])) == 2
    assert file.name == "stdin"
    assert copy.exists()
    del file
    gc.collect()
    assert not copy.exists()


def test_a_suffix_that_no_format_has_is_refused_with_the_nearest(tmp_path):
    """Upper and lower case alike."""
    path = tmp_path / "data.PARKET"
    path.write_text("")
    with pytest.raises(
        InputError,
        match=r"the suffix '\.PARKET' does not tell its format\. Say it with --format: csv, tsv, "
        r".*\. Did you mean 'data\.parquet'\?",
    ):
        open_data(str(path))

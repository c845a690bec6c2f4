"""Errors of the machine, of libraries and of evenfold itself: one message each."""

import errno
import os
from concurrent.futures import BrokenExecutor

import pyarrow as pa
import pyarrow.feather
import pytest

from evenfold.cli.errors import _replace_arguments

from ..files.made_files import write_csv
from .refusals import check_refusal, fail_with, make_files, read_all


@pytest.mark.parametrize(
    ("place", "error", "message"),
    [
        (
            "os.fsync",
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "out.csv"),
            "out.csv: No space left on device.",
        ),
        (
            "evenfold.files.formats.delimited.Csv.write_with_column",
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
            "No space left on device.",
        ),
        (
            "pathlib.Path.mkdir",
            PermissionError(errno.EACCES, "Permission denied", "folder"),
            "folder: Permission denied.",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            MemoryError(),
            "there is not enough memory for this. Try --order 1",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            MemoryError("9 GB"),
            "there is not enough memory for this (9 GB).",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            BrokenExecutor("a worker was unexpectedly terminated"),
            "a process that --jobs has started was killed, perhaps because there was too little",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            ImportError("lib.so: failed to map segment from shared object"),
            "there is not enough memory to load a package: lib.so: failed to map segment from",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            RuntimeError("can't start new thread"),
            "the system allows no more threads. There is too little memory, or there are",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            KeyError("odd"),
            "an error of evenfold itself: KeyError: 'odd'. Please report it",
        ),
    ],
)
def test_an_error_of_the_machine_is_one_message(
    place, error, message, command, tmp_path, monkeypatch
):
    """A full disk, a read-only folder, too little memory, and a bug of evenfold."""
    make_files(tmp_path, {})
    before = read_all(tmp_path)
    monkeypatch.setattr(place, fail_with(error))
    check_refusal(command("split data.csv --labels tags --folds 2 -o out.csv"), 1, message)
    assert read_all(tmp_path) == before


@pytest.mark.parametrize("kind", [pa.ArrowNotImplementedError, EOFError])
def test_an_error_of_arrow_is_one_message(kind, command, tmp_path, monkeypatch):
    """Also one that no format expects, and one that is not taken for Ctrl-C."""
    make_files(tmp_path, {})
    monkeypatch.setattr("evenfold.files.label_columns.read_labels", fail_with(kind("no kernel")))
    check_refusal(
        command("split data.csv --labels tags --folds 2"),
        1,
        "data.csv: cannot be read or written: no kernel",
    )


@pytest.mark.parametrize("words", [["--parts", "a\udcff=6,b=6"], ["--column", "p\udcff"]])
def test_names_that_are_no_unicode_are_refused(words, command, tmp_path):
    """As bytes of a command line that are no UTF-8."""
    make_files(tmp_path, {})
    before = read_all(tmp_path)
    line = "split data.csv --labels tags -o out.csv"
    words = [*words, *(["--folds", "2"] if "--column" in words else [])]
    check_refusal(command(line, *words), 2, "has characters that are no valid Unicode. Choose")
    assert read_all(tmp_path) == before


def test_a_bug_of_evenfold_shows_its_traceback_on_request(command, tmp_path, monkeypatch):
    """With EVENFOLD_DEBUG=1 the exception is not caught."""
    make_files(tmp_path, {})
    monkeypatch.setenv("EVENFOLD_DEBUG", "1")
    monkeypatch.setattr("evenfold.splits.make_split.make_criteria", fail_with(KeyError("odd")))
    with pytest.raises(KeyError, match="odd"):
        command("split data.csv --labels tags --folds 2")


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("Set max_group, or max_group=100.", "Set --max-group, or --max-group 100."),
        ("Pass exact=True, or an array.", "Pass --exact, or an array."),
        ("Try metric='cosine' or at=0.95.", "Try --metric cosine or --at 0.95."),
        ("not in 'ids'. Pass ids.", "not in --id. Name a column of ids with --id."),
        ("rows at row 3, other_word=1", "rows at row 3, other_word=1"),
        ("must have the 6 rows of 'y', got 5.", "must have the 6 rows of the labels, got 5."),
        ("'who' holds 'y', 'ids' and 'x'", "'who' holds 'y', 'ids' and 'x'"),
        (
            "list<dictionary<values=string, metric=int8>>",
            "list<dictionary<values=string, metric=int8>>",
        ),
    ],
)
def test_arguments_in_messages_become_options(message, expected):
    """Only those of options that the command has."""
    given = dict.fromkeys(("max_group", "exact", "metric", "at", "ids"))
    assert _replace_arguments(message, given) == expected


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("split data.csv --folds 99", "--folds must be at most the number of rows, got 99 parts"),
        ("compare data.csv --method random --folds 99", "--folds must be at most the number of"),
        (
            "evaluate few.csv --learner br:tree",
            "--folds must be at most the number of rows, got 10",
        ),
        (
            "split data.csv --folds 4 --names a,b",
            "--names must have one name per part, got 2 for 4",
        ),
        ("split data.csv --folds 2 --holdout 99", "got 99. Try --holdout 0.2."),
        (
            "extend gaps.csv --part-column part --parts train=0.5,test=0.6",
            "--parts must sum to 1, to 100 (percent) or to the 40 rows, got 1.1.",
        ),
        (
            "extend gaps.csv --part-column part --parts 0.5,0.3,0.2",
            "--parts must say which part wants which share, got sizes for train, val, test",
        ),
    ],
)
def test_errors_name_the_option_that_was_typed(words, message, command, tmp_path):
    """And not the argument of the library that it becomes."""
    write_csv(tmp_path / "data.csv")
    write_csv(tmp_path / "few.csv", rows=range(5))
    write_csv(tmp_path / "gaps.csv", extra=("part", ["a", "b", "", ""] * 10))
    check_refusal(command(f"{words} --labels genres -q"), 1, message)


def test_characters_that_control_a_terminal_are_escaped(command, tmp_path):
    """A name in a file could otherwise clear the screen, or hide a message."""
    make_files(tmp_path, {"data.csv": "id,\x1b[2Jta\u202egs\n1,a\n".encode()})
    done = command("split data.csv --labels tags --folds 2")
    check_refusal(done, 1, "Columns: id, \\x1b[2Jta\\u202egs.")


def test_a_long_path_is_shortened(command, tmp_path, monkeypatch):
    """What the system says stands at the end."""
    make_files(tmp_path, {})
    error = OSError(errno.ENAMETOOLONG, "File name too long", "x" * 70_000)
    monkeypatch.setattr("evenfold.splits.make_split.make_criteria", fail_with(error))
    done = command("split data.csv --labels tags --folds 2 -o out.csv")
    check_refusal(done, 1, "xxx: File name too long.")
    assert len(done.stderr) < 2_500


def test_a_column_of_another_type_is_named(command, tmp_path):
    """Arrow cannot write an interval of months and days as text."""
    took = pa.array([(at, 1, 1) for at in range(12)], pa.month_day_nano_interval())
    table = pa.table({"tags": ["a", "b"] * 6, "took": took})
    pa.feather.write_feather(table, tmp_path / "x.feather")
    done = command("split x.feather --labels tags --folds 2 --groups took")
    message = "x.feather: --groups 'took' must hold names or numbers, got month_day_nano_interval."
    check_refusal(done, 1, message)

"""Inputs that change between reading and writing: nothing is written."""

import os

import pytest

from evenfold.splits import make_split

from ..files.made_files import write_csv, write_feather, write_parquet
from .refusals import check_refusal

MESSAGE = "was changed while it was read, so the parts may be those of other rows."


def replace_by_reversed_rows(path):
    """Put another file with the same rows in another order, and of the same size, in its place."""
    head, *rows = path.read_bytes().splitlines(keepends=True)
    new = path.with_suffix(".new")
    new.write_bytes(head + b"".join(reversed(rows)))
    state = path.stat()
    os.utime(new, ns=(state.st_atime_ns, state.st_mtime_ns))
    new.replace(path)


def write_in_place(path):
    """Write over a byte, and restore the time."""
    state = path.stat()
    with path.open("r+b") as file:
        file.seek(-3, os.SEEK_END)
        file.write(b"9")
    os.utime(path, ns=(state.st_atime_ns, state.st_mtime_ns))


def touch(path):
    """Write the same content."""
    path.write_bytes(path.read_bytes())


def remove(path):
    """Remove the file."""
    path.unlink()


@pytest.fixture
def change_while_splitting(monkeypatch):
    """Return a function that has a file changed when labels are read and nothing is written."""

    def change_later(change, path):
        make_criteria = make_split.make_criteria

        def change_first(*given, **named):
            if path.exists():
                change(path)
            return make_criteria(*given, **named)

        monkeypatch.setattr("evenfold.splits.make_split.make_criteria", change_first)

    return change_later


@pytest.mark.parametrize("change", [replace_by_reversed_rows, write_in_place, touch])
@pytest.mark.parametrize(
    "output", ["-o out.csv", "-o out", "-o -", "--manifest m.json", "-o out.parquet"]
)
def test_nothing_is_written_for_a_file_that_has_changed(
    change, output, command, tmp_path, change_while_splitting
):
    """Also if its number of rows, its size and its time are the same."""
    data = write_csv(tmp_path / "data.csv")
    change_while_splitting(change, data)
    done = command(f"split {data.name} --labels genres --folds 2 -q {output}")
    check_refusal(done, 1, f"data.csv: {MESSAGE}")
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


@pytest.mark.parametrize("write", [write_parquet, write_feather])
def test_files_of_a_data_set_are_looked_at(write, command, tmp_path, change_while_splitting):
    """One of two files in a folder, or of two that are named."""
    (tmp_path / "data").mkdir()
    for number in range(2):
        write(tmp_path / "data" / f"{number}{'.parquet' if write is write_parquet else '.feather'}")
    second = sorted((tmp_path / "data").iterdir())[1]
    change_while_splitting(touch, second)
    words = (
        "data"
        if write is write_parquet
        else " ".join(f"data/{number}.feather" for number in (0, 1))
    )
    done = command(f"split {words} --labels genres --folds 2 -q -o out.parquet")
    check_refusal(done, 1, MESSAGE)
    assert not (tmp_path / "out.parquet").exists()


def test_a_file_that_is_gone_is_an_error(command, tmp_path, change_while_splitting):
    """Whether its content is needed again or not."""
    data = write_csv(tmp_path / "data.csv")
    change_while_splitting(remove, data)
    done = command("split data.csv --labels genres --folds 2 -q --manifest m.json")
    check_refusal(done, 1, f"data.csv: {MESSAGE}")


def test_another_name_of_the_file_is_no_change(command, tmp_path, change_while_splitting):
    """A program that makes backups may link to it."""
    data = write_csv(tmp_path / "data.csv")
    change_while_splitting(lambda path: os.link(path, tmp_path / "backup"), data)
    assert command("split data.csv --labels genres --folds 2 -q -o out.csv") == (0, "", "")


@pytest.mark.parametrize(
    "words",
    [
        "split data.csv --labels tags --folds 2 -o out",
        "check data.csv other.csv --labels tags --report r.html",
    ],
)
def test_a_file_that_changes_while_it_is_opened_is_noticed(words, command, tmp_path, monkeypatch):
    """The names of its columns are read first, so they must be those of the same file."""
    from evenfold.files import data_sets, registry

    from .refusals import ROWS

    (tmp_path / "other.csv").write_bytes(ROWS)
    path = tmp_path / "data.csv"
    path.write_bytes(ROWS)
    open_data = registry.open_data

    def open_and_change(name, *given):
        opened = open_data(name, *given)
        if opened.path.name == path.name:
            replace_by_reversed_rows(path)
        return opened

    monkeypatch.setattr(data_sets, "open_data", open_and_change)
    monkeypatch.setattr(registry, "open_data", open_and_change)
    check_refusal(command(words), 1, MESSAGE)
    assert not (tmp_path / "out").exists()
    assert not (tmp_path / "r.html").exists()

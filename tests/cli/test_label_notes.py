"""What the command line says about how it read label columns."""

import numpy as np

ROWS = ["war|art", "art|fun", "fun", "war", "art|war", "fun|war"]


def write_csv(path, **columns):
    """Write columns to a csv file."""
    lines = [
        ",".join(columns),
        *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_cells_that_are_cut_or_whole_are_said(command, tmp_path):
    """On stderr, unless the separator is given."""
    data = write_csv(tmp_path / "data.csv", id=range(6), tags=ROWS)
    words = ["split", data, "--labels", "tags", "--folds", "2"]
    assert "Each cell of 'tags' is cut at '|'." in command(*words).stderr
    assert "is cut at" not in command(*words, "--separator", "|").stderr
    assert "is cut at" not in command(*words, "-q").stderr


def test_a_likely_separator_is_asked_for(command, tmp_path):
    """The error names both options, and both work."""
    data = write_csv(tmp_path / "data.csv", tags=["a|x", "a|y", "b|x", "b|y"] * 2)
    words = ["split", data, "--labels", "tags", "--folds", "2", "--json"]
    done = command(*words)
    assert done.code == 1
    assert "Write --separator '' for classes, or --separator '|' for labels." in done.stderr
    assert command(*words, "--separator", "").code == 0
    assert command(*words, "--separator", "|").code == 0


def test_a_value_other_than_0_and_1_is_an_error_or_said(command, tmp_path):
    """An error among several label columns, a note where the column is alone."""
    data = write_csv(tmp_path / "data.csv", a=[0, 1, 1, 0, 1, 0], b=[1, 0, -1, 0, 1, 0])
    done = command("split", data, "--labels", "a,b", "--folds", "2")
    assert done.code == 1
    assert "column 'b' holds '-1', where 0, 1 or nothing is expected, at row 2." in done.stderr
    done = command("split", data, "--labels", "b", "--folds", "2")
    assert done.code == 0
    assert "Each value of 'b' is a class, since it holds '-1' besides 0 and 1." in done.stderr


def test_what_was_assumed_of_a_matrix_of_text_is_said(command, tmp_path):
    """In npz files, whose labels are in no column."""
    np.savez(tmp_path / "data.npz", y=np.column_stack((ROWS, ["p", "q"] * 3)))
    done = command("split", "data.npz", "--folds", "2")
    assert done.code == 0
    assert (
        "'y' column 0 holds text such as 'art|fun': each cell was read as one class." in done.stderr
    )

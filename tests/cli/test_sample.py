"""`evenfold sample`: the rows that Python draws, in the format of the data."""

import json
from pathlib import Path

import numpy as np
import pytest

import evenfold

from ..files.made_files import (
    GENRES,
    MATRIX,
    PATIENT,
    WRITERS,
    write_csv,
)
from .read_back import read_rows_labels


@pytest.mark.parametrize(
    "name",
    ["data.csv", "data.parquet", "data.arff", "data.svm", "data.npz", "data.json", "hf_folder"],
)
def test_a_sample_is_that_of_python_in_the_same_format(name, command, tmp_path):
    """The file has the rows that --indices lists."""
    data = WRITERS[name](tmp_path / name)
    out = f"few{data.suffix}"
    done = command(f"sample {data} -n 12 --seed 3 -o {out} --indices rows.json")
    rows = evenfold.sample(MATRIX, 12, random_state=3)
    assert done.code == 0
    assert "A sample of 12 of 40 rows, seed 3" in done.stderr
    assert json.loads(Path("rows.json").read_text()) == rows.tolist()
    held, labels = MATRIX[rows], read_rows_labels(Path(out))
    assert np.array_equal(
        labels, held[:, held.any(axis=0)] if labels.shape[1] < held.shape[1] else held
    )


def test_a_fraction_is_sampled_and_groups_stay_whole(command, tmp_path):
    """The row numbers come as an array and as JSON."""
    data = write_csv(tmp_path / "data.csv")
    assert command(
        f"sample {data} --labels genres -n 0.25 --groups patient --indices rows.npy -q"
    ) == (0, "", "")
    rows = evenfold.sample(GENRES, 0.25, groups=PATIENT)
    assert np.load("rows.npy").tolist() == rows.tolist()
    record = json.loads(
        command(f"sample {data} --labels genres -n 0.25 --groups patient --json").stdout
    )
    assert (record["rows"], record["seed"], record["written"]) == (rows.tolist(), 0, [])


def test_a_whole_number_is_a_number_of_rows(command, tmp_path):
    """1 is one row, not the fraction 1.0; 2.0 and 1e1 are whole numbers."""
    data = write_csv(tmp_path / "data.csv")
    for text, n_rows in (("1", 1), ("2.0", 2), ("1e1", 10)):
        assert (
            len(
                json.loads(command(f"sample {data} --labels genres -n {text} --json").stdout)[
                    "rows"
                ]
            )
            == n_rows
        )
        held_out = command(f"split {data} --labels genres --folds 2 --holdout {text} --json")
        assert json.loads(held_out.stdout)["sizes"][-1] == n_rows


def test_a_sample_goes_to_stdout(command, tmp_path):
    """The lines are those of the file."""
    data = write_csv(tmp_path / "data.csv")
    done = command("sample - --labels genres -n 5 -o -", stdin=data.read_bytes())
    lines = data.read_text().splitlines()
    assert done.stdout.splitlines() == [
        lines[0],
        *(lines[row + 1] for row in evenfold.sample(GENRES, 5)),
    ]

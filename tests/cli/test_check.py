"""`evenfold check`: measures, and what fails."""

import json

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evenfold
from evenfold.exceptions import InputError
from evenfold.files.chain import Chain
from evenfold.files.registry import open_data
from evenfold.labels.labels import stack

from ..files.made_files import GENRES, MATRIX, N_ROWS, PATIENT, write_csv, write_svmlight

EVEN = evenfold.split(GENRES, [0.5, 0.25, 0.25])
PARTS = [EVEN.names[part] for part in EVEN.part_of_row]


@pytest.fixture
def data(tmp_path):
    """A csv file with an even split in the column fold."""
    return write_csv(tmp_path / "data.csv", extra=("fold", PARTS))


def test_a_split_is_measured_as_in_python(data, command):
    """The sizes that are there count as wanted, unless --parts gives others."""
    done = command(f"check {data} --labels genres --part-column fold")
    assert (done.code, done.stderr) == (0, "")
    verdict = "OK: data.csv is measured. No limits were given."
    assert done.stdout == f"{evenfold.measure(GENRES, PARTS)}\n\n{verdict}\n"
    as_json = command(
        f"check {data} --labels genres --part-column fold --json --parts "
        "train=0.5,val=0.25,test=0.25"
    )
    assert json.loads(as_json.stdout) == {
        "passed": True,
        "failures": [],
        "quality": json.loads(json.dumps(EVEN.quality.to_dict())),
    }
    assert command(f"check {data} --labels genres --part-column fold --quiet") == (0, "", "")


def test_bound_shows_the_tight_bound_too(data, command):
    """In the printed table and in JSON; the other numbers stay the same."""
    done = command(f"check {data} --labels genres --part-column fold --bound tight")
    assert done.code == 0
    assert "tight  over it" in done.stdout
    as_json = command(f"check {data} --labels genres --part-column fold --bound tight --json")
    quality = json.loads(as_json.stdout)["quality"]
    expected = evenfold.measure(GENRES, PARTS, bound="tight")
    assert quality["tight_bound"]["rld"] == expected.tight_bound.rld
    assert quality["tight_excess"] == expected.tight_excess
    assert quality["bound"]["rld"] == expected.bound.rld


def test_one_file_for_each_part_is_the_same_split(data, command, tmp_path):
    """Parts are named after files; a label of one file is a label of all."""
    paths = [write_csv(tmp_path / f"{name}.csv", rows=EVEN[name].tolist()) for name in EVEN.names]
    done = command("check", *paths, "--labels", "genres", "--id", "id", "--json")
    quality = json.loads(done.stdout)["quality"]
    expected = EVEN.quality
    assert (done.code, quality["rld"], quality["flz"]) == (
        0,
        pytest.approx(expected.rld),
        expected.flz,
    )
    assert [part["part"] for part in quality["per_part"]] == ["train", "val", "test"]
    again = command(
        "check", paths[0], paths[1], paths[0], "--labels", "genres", "--id", "id", "--quiet"
    )
    assert again.code == 1
    assert again.stderr.startswith(
        f"evenfold: 20 ids are in more than one part, first '{EVEN['train'][0]}' in "
    )


@pytest.mark.parametrize("at", [0, 1, 2])
def test_a_file_without_rows_is_a_part_that_lacks_every_label(at, command, tmp_path):
    """The other parts keep their names and rows, whatever the order of the files."""
    paths = [
        write_csv(tmp_path / f"{name}.csv", rows=rows)
        for name, rows in (("train", range(20)), ("test", range(20, N_ROWS)))
    ]
    paths.insert(at, write_csv(tmp_path / "empty.csv", rows=[]))
    done = command(
        "check", *paths, "--labels", "genres", "--separator", "|", "--max-empty", "0", "--json"
    )
    report = json.loads(done.stdout)
    n_labels = len(report["quality"]["per_label"])
    found = {part["part"]: (part["rows"], part["flz"]) for part in report["quality"]["per_part"]}
    assert found == {"train": (20, 0), "test": (20, 0), "empty": (0, n_labels)}
    assert (done.code, report["failures"]) == (
        1,
        [f"{n_labels} times a part lacks a label that it could have had; the limit is 0."],
    )


def test_groups_that_are_cut_fail(data, command):
    """The message has their number and the first of them."""
    done = command(f"check {data} --labels genres --part-column fold --groups patient")
    n_cut = sum(
        len({PARTS[at] for at in range(N_ROWS) if PATIENT[at] == own}) > 1 for own in set(PATIENT)
    )
    assert done.code == 1
    assert done.stderr.startswith(
        f"evenfold: {n_cut} groups are in more than one part, first 'p0' in "
    )
    assert len(done.stderr.splitlines()) == 1


def test_whole_groups_and_single_ids_pass(command, tmp_path):
    """The bounds allow for the groups."""
    s = evenfold.split(GENRES, 2, groups=PATIENT)
    data = write_csv(
        tmp_path / "data.csv", extra=("fold", [s.names[part] for part in s.part_of_row])
    )
    done = command(
        f"check {data} --labels genres --part-column fold --groups patient --id id --json"
    )
    assert done.code == 0
    assert json.loads(done.stdout)["quality"]["bound"]["rld"] == s.quality.bound.rld


def test_wanted_sizes_are_checked(data, command):
    """A part that is a row or more off fails, unless there are groups."""
    done = command(
        f"check {data} --labels genres --part-column fold --parts train=0.6,val=0.2,test=0.2 -q"
    )
    assert done.code == 1
    assert done.stderr.splitlines() == [
        "evenfold: train has 20 rows, 24 are wanted.",
        "evenfold: val has 10 rows, 8 are wanted.",
        "evenfold: test has 10 rows, 8 are wanted.",
    ]
    grouped = command(
        f"check {data} --labels genres --part-column fold --parts "
        "train=0.6,val=0.2,test=0.2 --groups id -q"
    )
    assert grouped.code == 0


def test_limits_fail_what_is_over_them(command, tmp_path):
    """The limits are for the excess of rLD and for labels that a part could have."""
    parts = ["b" if row == ["comedy"] else "a" for row in GENRES]
    data = write_csv(tmp_path / "data.csv", extra=("fold", parts))
    quality = evenfold.measure(GENRES, parts)
    n_empty = quality.flz - quality.bound.flz
    words = ["check", data, "--labels", "genres", "--part-column", "fold", "-q"]
    assert command(*words, "--max-excess", quality.excess + 0.01, "--max-empty", n_empty).code == 0
    done = command(*words, "--max-excess", "0.05", "--max-empty", n_empty - 1)
    assert done.code == 1
    assert done.stderr.splitlines() == [
        f"evenfold: rLD is {quality.rld:.5f}, {100 * quality.excess:.1f} % over the best "
        "possible "
        f"({quality.bound.rld:.5f}); the limit is 5.0 %.",
        f"evenfold: {n_empty} times a part lacks a label that it could have had; "
        f"the limit is {n_empty - 1}.",
    ]


def test_a_label_too_rare_for_every_part_does_not_count_as_empty(command, tmp_path):
    """One row of a label can be in one part only."""
    data = tmp_path / "data.csv"
    data.write_text(
        "tags,fold\n" + "".join(f"{'rare' if at == 0 else 'a'},{at % 3}\n" for at in range(12))
    )
    done = command(f"check {data} --labels tags --part-column fold --max-empty 0 --json")
    assert done.code == 0
    assert json.loads(done.stdout)["quality"]["flz"] == 2


def test_a_manifest_holds_for_the_same_data(data, command):
    """Without a part column it gives the parts; with one, the parts are compared."""
    EVEN.save("split.json")
    done = command(f"check {data} --labels genres --manifest split.json")
    assert done.code == 0
    assert done.stdout.startswith(f"{EVEN.quality}\n\nok     labels: as recorded")
    assert done.stdout.endswith("\nOK: 2 checks of data.csv against split.json.\n")
    assert command(f"check {data} --labels genres --from-manifest split.json") == done
    assert (
        command(f"check {data} --labels genres --manifest split.json --part-column fold").code == 0
    )


def test_a_manifest_does_not_hold_for_other_labels_or_parts(command, tmp_path):
    """Changed labels, moved rows and other numbers of rows are reported."""
    EVEN.save(tmp_path / "split.json")
    other = "val" if PARTS[0] != "val" else "test"
    moved = [other, *PARTS[1:]]
    data = write_csv(tmp_path / "data.csv", extra=("fold", moved))
    data.write_text(data.read_text().replace("comedy|romance", "comedy"))
    done = command(f"check {data} --labels genres --manifest split.json --part-column fold -q")
    assert done.code == 1
    assert done.stderr.splitlines() == [
        "evenfold: the labels are not those that split.json was made for: "
        "some were changed, or rows reordered.",
        "evenfold: 1 of 40 rows are in another part than in split.json, "
        f"first row 0 (from 0): '{other}', not '{PARTS[0]}'.",
    ]
    fewer = write_csv(tmp_path / "fewer.csv", rows=range(39))
    alone = command(f"check {fewer} --labels genres --manifest split.json")
    assert (alone.code, alone.stdout) == (1, "")
    said = f"the record of the split is of 40 rows, {fewer} has 39. Name the data that was split."
    assert alone.stderr == f"evenfold: {said}\n"
    fewer = write_csv(tmp_path / "fewer.csv", rows=range(39), extra=("fold", PARTS[:39]))
    beside = command(f"check {fewer} --labels genres --manifest split.json --part-column fold -q")
    assert beside.stderr == "evenfold: split.json is of 40 rows, the data has 39.\n"


def test_labels_mean_the_same_in_all_files(command, tmp_path):
    """A file is not read on its own, as 0 and 1 or as cells of one label."""
    (tmp_path / "a.csv").write_text("kind,tags\n" + "2,x|y\n0,x\n1,y\n" * 2)
    (tmp_path / "b.csv").write_text("kind,tags\n" + "0,x\n1,y\n")
    kinds = json.loads(command("check a.csv b.csv --labels kind --json").stdout)["quality"][
        "per_label"
    ]
    assert [(own["label"], own["rows"]) for own in kinds] == [("0", 3), ("1", 3), ("2", 2)]
    tags = json.loads(command("check b.csv a.csv --labels tags --json").stdout)["quality"][
        "per_label"
    ]
    assert [(own["label"], own["rows"]) for own in tags] == [("x", 5), ("y", 5)]


def test_files_whose_columns_differ_in_type_are_refused(command, tmp_path):
    """Values that fit the type in the first file are accepted; a chain is not written."""
    for name, ids in (
        ("a", pa.array([1, 2])),
        ("b", pa.array([3.0, 4.0])),
        ("c", pa.array(["x", "y"])),
    ):
        pq.write_table(pa.table({"id": ids, "tags": [["x"], ["y"]]}), tmp_path / f"{name}.parquet")
    words = ["--labels", "tags", "--id", "id", "-q"]
    assert command("check a.parquet b.parquet", *words) == (0, "", "")
    done = command("check a.parquet c.parquet", *words)
    assert (done.code, done.stderr) == (
        1,
        "evenfold: c.parquet: the column 'id' is string here and int64 in a.parquet. "
        "Write both with one type.\n",
    )
    with pytest.raises(InputError, match="several files in the format parquet are read together"):
        Chain([open_data("a.parquet"), open_data("b.parquet")], ["a", "b"]).write_parts(
            [], np.zeros(4, np.int32)
        )


@pytest.mark.parametrize("column", ["tags", "tag*"])
def test_a_column_that_one_file_lacks_is_missed_in_that_file(column, command, tmp_path):
    """The message names that file and its columns."""
    for name, header in (("a", "id,tags"), ("b", "id,tgs"), ("c", "id,tags")):
        (tmp_path / f"{name}.csv").write_text(f"{header}\n1,x\n2,y\n")
    done = command(f"check a.csv b.csv c.csv --labels {column}")
    assert done.code == 1
    assert done.stderr.startswith(
        f"evenfold: --labels '{column}' is not a column of b.csv. Columns: id, tgs."
    )
    assert (
        "--groups 'who' is not a column of a.csv. Columns: id, tags."
        in command("check a.csv c.csv --labels tags --groups who").stderr
    )


def test_files_of_a_format_without_columns_can_be_parts(command, tmp_path):
    """In svmlight files, labels are numbers."""
    write_svmlight(tmp_path / "all.svm")
    lines = (tmp_path / "all.svm").read_text().splitlines(keepends=True)
    half = np.arange(N_ROWS) % 2
    for part in (0, 1):
        (tmp_path / f"{part}.svm").write_text(
            "".join(line for line, own in zip(lines, half, strict=True) if own == part)
        )
    done = command("check 0.svm 1.svm --json")
    assert done.code == 0
    assert json.loads(done.stdout)["quality"]["rld"] == pytest.approx(
        evenfold.measure(MATRIX, half).rld
    )


def test_stacked_labels_of_one_name_are_one():
    """Labels are matched by name; unknown entries stay unknown."""
    first = evenfold.labels.make_labels([["b"], ["a", "b"]])
    second = evenfold.labels.make_labels(pd.DataFrame({"c": [1.0, np.nan], "a": [0.0, 1.0]}))
    whole = stack([first, second])
    assert whole.names == ["a", "b", "c"]
    assert whole.to_csr().toarray().tolist() == [[0, 1, 0], [1, 1, 0], [0, 0, 1], [1, 0, 0]]
    assert [part.tolist() for part in whole.unknown] == [[0, 0, 0, 0, 1], [2]]
    assert stack([first, first]).unknown is None

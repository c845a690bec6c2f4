"""`evenfold info`: what is in a file, and how even a split of it could be."""

import json

import pytest

import evenfold
from evenfold.problem.parts import check_parts
from evenfold.quality.label_bounds import bound_labels

from ..files.made_files import GENRES, N_ROWS, PATIENT, WRITERS, write_csv


def test_info_counts_what_is_in_a_file(command, tmp_path):
    """The figures were computed by hand."""
    data = write_csv(tmp_path / "data.csv")
    record = json.loads(
        command(f"info {data} --labels genres --groups patient --folds 4 --json").stdout
    )
    expected = {
        "format": "csv",
        "columns": ["id", "title", "patient", "age", "genres"],
        "rows": 40,
        "labels": 5,
        "entries": 55,
        "cardinality": 11 / 8,
        "density": 11 / 40,
        "most_labels_in_a_row": 2,
        "rows_without_labels": 5,
        "labels_without_rows": 0,
        "labelsets": 8,
        "labelsets_of_one_row": 0,
        "rarest": [{"label": "war", "rows": 5}, *record["rarest"][1:]],
        "commonest": [{"label": "drama", "rows": 20}, *record["commonest"][1:]],
        "groups": {"number": 10, "largest": "p0", "rows_of_largest": 4},
    }
    assert {name: record[name] for name in expected} == expected
    assert record["split"]["wanted"] == [10.0] * 4
    assert record["split"]["labels_not_in_every_part"] == []


def test_info_shows_the_bounds_of_a_split(command, tmp_path):
    """The bounds are those that the split itself will have."""
    data = tmp_path / "data.csv"
    data.write_text(
        "tags,who\n" + "".join(f"{'rare' if at < 2 else 'common'},{at // 6}\n" for at in range(30))
    )
    words = ["info", data, "--labels", "tags", "--parts", "0.6,0.2,0.2"]
    record = json.loads(command(*words, "--json").stdout)["split"]
    s = evenfold.split(["rare"] * 2 + ["common"] * 28, [0.6, 0.2, 0.2])
    assert record["best_rld"] == pytest.approx(s.quality.bound.rld)
    assert (record["labels_not_in_every_part"], record["least_flz"]) == (
        ["rare"],
        s.quality.bound.flz,
    )
    text = command(*words, "--groups", "who").stdout
    assert "1 of 2 labels cannot be in every part: rare" in text
    assert "5 groups, the largest '0' of 6 rows" in text
    tight = command(f"info {data} --labels tags --groups who --parts 0.8,0.1,0.1").stdout
    assert "The largest group has 6 rows, more than the size of 'val' (3), so it can only" in tight


@pytest.mark.parametrize("n_rows", [1, 2, 3, 5, 6])
def test_info_of_few_rows_has_fewer_folds(n_rows, command, tmp_path):
    """By default at most one fold per row; an explicit larger number is refused."""
    data = tmp_path / "data.csv"
    data.write_text("tags\n" + "a|b\n" * n_rows)
    words = ["info", data, "--labels", "tags", "--separator", "|"]
    record = json.loads(command(*words, "--json").stdout)
    assert (record["rows"], record["labels"]) == (n_rows, 2)
    assert len(record["split"]["names"] if record["split"] else []) == (
        min(n_rows, 5) if n_rows > 1 else 0
    )
    assert ("a split into" in command(*words).stdout) == (n_rows > 1)
    done = command(*words, "--folds", "7")
    assert (done.code, "--folds must be at most the number of rows" in done.stderr) == (1, True)


def test_bounds_with_groups_are_those_of_a_split_that_keeps_them():
    """If the split has the sizes wanted."""
    labels = evenfold.labels.make_labels(GENRES)
    s = evenfold.split(labels, 2, groups=PATIENT)
    assert s.sizes.tolist() == [20, 20]
    bounds = bound_labels(labels, check_parts(2, N_ROWS), s._group_of_row)
    assert bounds.rld_bound.tolist() == s.quality.per_label.rld_bound.tolist()
    assert bounds.flz_bound.tolist() == s.quality.per_label.flz_bound.tolist()


def test_info_of_a_format_without_columns(command, tmp_path):
    """There is no line about columns; the default is 5 folds."""
    done = command("info", WRITERS["data.svm"](tmp_path / "data.svm"))
    assert done.code == 0
    assert "columns" not in done.stdout
    assert "a split into 5 parts of 8, 8, 8, 8, 8 rows" in done.stdout


def test_the_sizes_shown_add_up(command, tmp_path):
    """They are those that a split has, though shares are fractions of rows."""
    (tmp_path / "data.csv").write_text("y\n" + "a|b\nb|a\n" * 6 + "a\n")
    done = command("info data.csv --labels y --folds 5")
    assert "a split into 5 parts of 3, 3, 3, 2, 2 rows" in done.stdout
    done = command("info data.csv --labels y --parts 0.5,0.3,0.2")
    assert "a split into 3 parts of 6, 4, 3 rows" in done.stdout
    split = command("split data.csv --labels y --parts 0.5,0.3,0.2 --json -q")
    assert sorted(json.loads(split.stdout)["sizes"]) == [3, 4, 6]

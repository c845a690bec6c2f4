"""Which columns ranges and patterns of --labels take, and what is said of odd ones."""

import json

import numpy as np
import pandas as pd
import pytest

import evenfold
from evenfold.exceptions import InputError

from .refusals import check_refusal

N_ROWS = 40
FINDINGS = ["Atelectasis", "Edema", "Effusion", "Hernia"]


def make_frame():
    """Return images of patients with findings, as a table."""
    rng = np.random.default_rng(0)
    row = np.arange(N_ROWS)
    frame = pd.DataFrame(
        {
            "path": [f"images/{at // 3}.png" for at in row],
            "patient_id": row // 4,
            "report": [f"report {at}" for at in row],
            "serial": row + 7,
            "sex": rng.integers(0, 2, N_ROWS),
            "site": row % 2,
        }
    )
    for name in FINDINGS:
        frame[name] = rng.integers(0, 2, N_ROWS)
    return frame


@pytest.fixture
def data(tmp_path):
    """The table as csv."""
    make_frame().to_csv(tmp_path / "data.csv", index=False)
    return tmp_path / "data.csv"


def read_names(command, *words):
    """Return the labels that options take."""
    done = command("split data.csv --folds 2 --json", *words)
    assert done.code == 0, done.stderr
    return [label["label"] for label in json.loads(done.stdout)["quality"]["per_label"]]


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("given", "names"),
    [
        ("Atelectasis:Hernia", FINDINGS),
        ("Edema : Effusion", FINDINGS[1:3]),
        ("Hernia:Hernia", FINDINGS[3:]),
        ("sex:site,Edema:Effusion", ["sex", "site", *FINDINGS[1:3]]),
    ],
)
def test_a_range_takes_the_columns_from_the_first_to_the_last(given, names, command):
    """Both ends included; several ranges have commas between them."""
    assert read_names(command, "--labels", given) == names


def test_a_column_of_this_name_wins_over_a_range(tmp_path, command):
    """Also if both ends are columns, and if an end has a colon itself."""
    frame = pd.DataFrame({"a": [0, 1] * 4, "go:1": [1, 0] * 4, "a:c": [1, 1, 0, 0] * 2})
    frame["c"] = [0, 0, 1, 1] * 2
    frame.to_csv(tmp_path / "data.csv", index=False)
    assert read_names(command, "--labels", "a:c") == ["a:c"]
    assert read_names(command, "--labels", "a:go:1") == ["a", "go:1"]
    assert read_names(command, "--labels", "go:1:c") == ["go:1", "a:c", "c"]
    done = command("split data.csv --folds 2 --labels go:2")
    check_refusal(done, 1, "--labels 'go:2' is not a column of data.csv.")


@pytest.mark.usefixtures("data")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            "Edema:Hernya",
            "is a range of columns, but no column is 'Hernya'. Did you mean 'Hernia'?",
        ),
        ("Edma:Hernia", "is a range of columns, but no column is 'Edma'. Did you mean 'Edema'?"),
        ("Edma:Hernias", "is a range of columns, but no column is 'Edma'. Did you mean 'Edema'?"),
        ("Edema:", "is a range of columns, but no column is ''. Columns: path, "),
        ("Hernia:Edema", "is a range from a later column to an earlier one. Write 'Edema:Hernia'."),
        ("x:y", "is not a column of data.csv."),
    ],
)
def test_ranges_of_other_columns_are_refused(given, message, command):
    """With what was probably meant."""
    done = command("split data.csv --folds 2", "--labels", given)
    check_refusal(done, 1, f"--labels '{given}' {message}")


def test_ranges_work_past_memory(data, tmp_path, command):
    """With the same errors; a pattern leaves out groups there too."""
    frame = make_frame()
    frame.to_parquet(tmp_path / "data.parquet")
    split = "split data.parquet --folds 2 --engine sync -o out --json --labels"
    done = command(split, "Edema:Hernia")
    assert done.code == 0, done.stderr
    written = pd.read_parquet(tmp_path / "out" / "data.parquet")
    assert written["part"].value_counts().tolist() == [20, 20]
    for given, message in (
        ("Edema:Hernya", "a range of columns, but no column is 'Hernya'. Did you mean 'Hernia'?"),
        ("Hernia:Edema", "a range from a later column to an earlier one."),
    ):
        check_refusal(command(split.replace("out", "new"), given), 1, message)
    with pytest.raises(
        InputError, match=r"'labels' must name columns of .*'Edema:Hernya', a range"
    ):
        evenfold.scale.split(
            tmp_path / "data.parquet", 2, labels="Edema:Hernya", output=tmp_path / "new"
        )
    star = command(split.replace("out", "star"), "*", "--groups", "patient_id")
    assert "--labels '*' leaves out path (paths), patient_id (groups), report (" in star.stderr


@pytest.mark.usefixtures("data")
def test_all_columns_are_those_that_can_be_labels(command):
    """Ids, paths, text that is nearly unique and balance columns are left out, and named."""
    done = command("split data.csv --folds 2 --json --labels * --balance sex")
    assert [one["label"] for one in json.loads(done.stdout)["quality"]["per_label"]] == [
        "site",
        *FINDINGS,
    ]
    assert done.stderr.startswith(
        "--labels '*' leaves out path (paths), patient_id (ids), report (nearly every cell "
        "differs), serial (nearly every cell differs), sex (balance).\n"
    )


@pytest.mark.usefixtures("data")
def test_patterns_leave_out_columns_of_other_options(command):
    """A name takes them, and so does a range without other roles."""
    assert read_names(command, "--labels", "E*,s*", "--balance", "sex", "--id", "serial") == [
        "site",
        "Edema",
        "Effusion",
    ]
    assert read_names(command, "--labels", "E*,sex", "--balance", "sex") == [
        "sex",
        "Edema",
        "Effusion",
    ]


def test_a_pattern_that_leaves_out_everything_is_refused(data, command):
    """With the reason of each column."""
    pd.read_csv(data)[["path", "patient_id", "sex"]].to_csv(data, index=False)
    done = command("split data.csv --folds 2 --labels * --groups sex")
    check_refusal(
        done,
        1,
        "data.csv: --labels '*' leaves out all columns: path (paths), patient_id (ids), "
        "sex (groups). Name the columns of labels.",
    )


@pytest.mark.usefixtures("data")
def test_labels_of_one_row_each_are_questioned(command):
    """A column of text that is not labels gives as many labels as rows."""
    done = command("split data.csv --folds 2 --labels report")
    question = (
        "40 labels for 40 rows, 40 of them in one row only: does report hold labels? Name other "
        "columns with --labels.\n"
    )
    assert question in done.stderr
    assert question not in command("split data.csv --folds 2 --labels report -q").stderr
    assert "does " not in command("split data.csv --folds 2 --labels path").stderr


def test_a_guess_that_is_refused_names_what_spoilt_it(data, command):
    """The column, the value and the row."""
    frame = pd.read_csv(data, dtype=str)
    frame.loc[5, "Hernia"] = "yes"
    frame[["path", *FINDINGS]].to_csv(data, index=False)
    done = command("split data.csv --folds 2")
    check_refusal(
        done,
        1,
        "data.csv: which columns are labels is not clear. There are 0 and 1: Atelectasis, Edema, "
        "Effusion; others: path, Hernia. Column 'Hernia' holds 'yes' at row 5, and otherwise 0 and "
        "1. Say with --labels which to take.",
    )
    lists = ['["a", "b"]', '["b"]', "none"] * 2 + ['["a"]'] * 4
    pd.DataFrame({"tags": lists, "title": list("abcdefghij")}).to_csv(data, index=False)
    done = command("split data.csv --folds 2")
    check_refusal(
        done,
        1,
        "data.csv: no column looks like labels. Columns: tags, title. Column 'tags' holds 'none' "
        "at row 2, and otherwise lists. Say with --labels which one holds them.",
    )


def test_a_guess_leaves_out_the_columns_of_other_options(command, tmp_path):
    """Parts, groups and balanced columns are no labels, and the one other column is the id."""
    rows = [f"r{row},{row % 2},{row % 3 % 2},{row % 5 % 2},{'ab'[row % 2]}" for row in range(30)]
    header = "id,sex,cat,dog"
    lines = [row.rpartition(",")[0] for row in rows]
    (tmp_path / "old.csv").write_text("\n".join([f"{header},part", *rows]) + "\n")
    (tmp_path / "new.csv").write_text("\n".join([header, *lines[:10]]) + "\n")
    both = "No --labels given: all columns of 0 and 1 are read: cat, dog.\n"
    words = "--balance sex"
    assert both in command(f"split new.csv --folds 2 {words}").stderr
    assert both in command(f"extend old.csv --new new.csv -o out.csv {words}").stderr
    done = command("check old.csv --part-column part --groups sex")
    assert done.stdout.splitlines()[-1].startswith("OK: 1 check of old.csv.")
    done = command("split old.csv --folds 2 --groups sex")
    assert done.code == 1
    assert "There are 0 and 1: cat, dog; others: id, part. Say with --labels" in done.stderr


def test_a_spoilt_column_is_not_passed_over(command, tmp_path):
    """One stray value does not turn a label into the other column that there may be."""
    lines = [f"{row % 2},{row % 3 % 2},{'yes' if row == 7 else row % 5 % 2}" for row in range(30)]
    (tmp_path / "data.csv").write_text("\n".join(["cat,dog,bird", *lines]) + "\n")
    done = command("split data.csv --folds 2")
    assert done.code == 1
    assert "Column 'bird' holds 'yes' at row 7, and otherwise 0 and 1." in done.stderr


def test_columns_of_yes_and_no_are_named(command, tmp_path):
    """They are no labels unasked, and the message says which values are not 0 and 1."""
    lines = [f"r{row},{['no', 'yes'][row % 2]},{['no', 'yes'][row % 3 % 2]}" for row in range(9)]
    (tmp_path / "data.csv").write_text("\n".join(["id,cat,dog", *lines]) + "\n")
    done = command("split data.csv --folds 2")
    assert done.code == 1
    assert "Columns: id, cat, dog. Column 'cat' holds 'no' and 'yes', not 0 and 1. " in done.stderr

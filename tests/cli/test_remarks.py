"""What commands say about odd labels, groups and options, and do not pass over."""

import json

import numpy as np
import pytest

import evenfold
from evenfold.methods import METHODS

N_ROWS = 60
NO_FINDING = (
    "Label 'No Finding' is held by exactly the rows without other labels. It counts as a label; "
    "leave it out if it is none.\n"
)
SINGLE = (
    "--groups 'scan': every row is its own group, so no rows are kept together. Is it the right "
    "column?\n"
)
NEARLY = (
    "--groups 'visit': 57 groups of 60 rows keep hardly any rows together. Is it the right "
    "column?\n"
)


@pytest.fixture(autouse=True)
def data(tmp_path):
    """Findings with the label No Finding, and three columns of groups."""
    rng = np.random.default_rng(0)
    findings = rng.integers(0, 2, (N_ROWS, 3))
    findings[::5] = 0
    none = (findings.sum(axis=1) == 0).astype(int)
    lines = ["scan,visit,patient,site,Edema,Mass,Hernia,No Finding,part"]
    for row in range(N_ROWS):
        visit, patient = 0 if row in (2, 4, 6) else row, row // 3
        flags = ",".join(map(str, [*findings[row], none[row]]))
        lines.append(f"s{row},v{visit},p{patient},{row % 2},{flags},{'ab'[row % 2]}")
    (tmp_path / "data.csv").write_text("\n".join(lines) + "\n")


COMMANDS = {
    "split": "split data.csv --folds 2",
    "info": "info data.csv --folds 2",
    "compare": "compare data.csv --folds 2 --methods random",
    "sample": "sample data.csv -n 20 --json",
    "evaluate": "evaluate data.csv --folds 2 --learner br:tree --method random --repeats 1 "
    "--features site --metrics f1_micro",
    "extend": "extend data.csv --part-column part --parts a=30,b=30",
}
ALL = "--labels 'Edema:No Finding'"


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
def test_a_label_for_the_rows_without_others_is_named(words, command):
    """Once; not without it, and not with --quiet."""
    done = command(f"{words} {ALL}")
    assert (done.code, done.stderr.count(NO_FINDING)) == (0, 1), done.stderr
    assert "held by exactly" not in command(f"{words} --labels Edema:Hernia").stderr
    assert "held by exactly" not in command(f"{words} {ALL} --quiet").stderr


def test_classes_are_no_such_labels(command, tmp_path):
    """Each of them is held by just the rows without the others; so are labels some rows lack."""
    (tmp_path / "classes.csv").write_text("y\n" + "a\nb\nc\n" * 10)
    done = command("split classes.csv --labels y --folds 2")
    assert (done.code, "held by" in done.stderr) == (0, False)
    text = (tmp_path / "data.csv").read_text().replace("0,0,0,1,", "0,0,0,0,", 1)
    (tmp_path / "data.csv").write_text(text)
    assert "held by" not in command(f"split data.csv --folds 2 {ALL}").stderr


@pytest.mark.parametrize("words", COMMANDS.values(), ids=COMMANDS)
@pytest.mark.parametrize(("column", "said"), [("scan", SINGLE), ("visit", NEARLY)])
def test_groups_that_keep_no_rows_together_are_named(words, column, said, command):
    """Once; groups of three rows are not."""
    words += " --labels Edema:Hernia"
    done = command(f"{words} --groups {column}")
    assert (done.code, done.stderr.count(said)) == (0, 1), done.stderr
    assert "Is it the right" not in command(f"{words} --groups {column} -q").stderr
    if not words.startswith("extend"):  # where patients are in both parts
        assert "Is it the right" not in command(f"{words} --groups patient").stderr


def test_check_names_such_groups_too(command):
    """That they are whole says nothing."""
    done = command("check data.csv --labels Edema:Hernia --part-column part --groups scan")
    assert (done.code, done.stderr) == (0, SINGLE)
    assert done.stdout.endswith("OK: 1 check of data.csv.\n")


def test_the_remarks_of_a_split_are_in_its_json(command):
    """Among the warnings."""
    words = "split data.csv --labels Edema:Hernia --folds 2 --method random --order 2 --json -q"
    warnings = json.loads(command(f"{words} --groups scan").stdout)["warnings"]
    assert SINGLE.strip() in warnings
    assert "--order 2 is ignored: the method random does not use it." in warnings


def test_groups_past_memory_are_named(command, tmp_path):
    """As those of data in memory."""
    command(f"split data.csv {ALL} --folds 2 --column fold -o data.parquet")
    words = f"split data.parquet {ALL} --folds 2 --engine sync --groups scan --column again -o out"
    done = command(words)
    assert (done.code, done.stderr.count(SINGLE)) == (0, 1), done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            f"{COMMANDS['split']} --method random --order 2",
            "--order 2 is ignored: the method random does not use it.\n",
        ),
        (
            f"{COMMANDS['extend']} --method pmbsrs --order auto",
            "--order auto is ignored: the method pmbsrs does not use it.\n",
        ),
        (
            COMMANDS["evaluate"].replace("random", "random,labelset,iterative") + " --order 2",
            "--order 2 is ignored: the methods random, labelset do not use it.\n",
        ),
    ],
)
def test_an_order_that_a_method_does_not_use_is_said(words, said, command):
    """With the methods that do not; order 1 is what they do."""
    done = command(f"{words} --labels Edema:Hernia")
    assert (done.code, done.stderr.count(said)) == (0, 1), done.stderr
    plain = words.partition(" --order")[0]
    for other in (plain, f"{plain} --order 1"):
        assert "is ignored" not in command(f"{other} --labels Edema:Hernia").stderr


@pytest.mark.parametrize("name", METHODS)
def test_methods_say_whether_they_use_the_order(name):
    """Those that do make another split by order 2."""
    y = evenfold.datasets.make_movies(300).genres
    one, two = (evenfold.split(y, 3, method=name, order=order).part_of_row for order in (1, 2))
    assert METHODS[name].uses_order == bool((one != two).any())


def test_a_part_that_holds_a_larger_group_is_not_said_to_lack_it(command, tmp_path):
    """Two groups of half the rows: each part has one, whatever sizes were asked for."""
    rows = [f"{row % 2},{row % 3 % 2},{row % 5 % 2}" for row in range(40)]
    (tmp_path / "data.csv").write_text("\n".join(["sex,cat,dog", *rows]) + "\n")
    words = "split data.csv --labels cat,dog --groups sex --parts"
    done = command(f"{words} 60,40")
    assert done.code == 0, done.stderr
    assert ["test", "20", "16"] in [line.split()[:3] for line in done.stderr.splitlines()]
    assert "The largest group has" not in done.stderr

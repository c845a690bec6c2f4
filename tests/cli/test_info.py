"""`evenfold info`, `compare`, `completion`, help and the reference made from it."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import evenfold
from evenfold.cli.main import COMMANDS
from evenfold.problem.parts import check_parts
from evenfold.quality.label_bounds import foresee_labels

from ..files.made_files import GENRES, N_ROWS, PATIENT, WRITERS, write_csv


def test_info_counts_what_is_in_a_file(command, tmp_path):
    """Figures worked out by hand."""
    data = write_csv(tmp_path / "data.csv")
    record = json.loads(
        command(
            "info", data, "--labels", "genres", "--groups", "patient", "--folds", "4", "--json"
        ).stdout
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


def test_info_foresees_what_no_split_can_achieve(command, tmp_path):
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
    tight = command(
        "info", data, "--labels", "tags", "--groups", "who", "--parts", "0.8,0.1,0.1"
    ).stdout
    assert "The largest group has 6 rows, more than 'val' wants (3)" in tight


@pytest.mark.parametrize("n_rows", [1, 2, 3, 5, 6])
def test_info_of_few_rows_foresees_fewer_folds(n_rows, command, tmp_path):
    """As many as there are rows, none for one row; more that were asked for are refused."""
    data = tmp_path / "data.csv"
    data.write_text("tags\n" + "a|b\n" * n_rows)
    words = ["info", data, "--labels", "tags", "--separator", "|"]
    record = json.loads(command(*words, "--json").stdout)
    assert (record["rows"], record["labels"]) == (n_rows, 2)
    assert len(record["split"]["names"] if record["split"] else []) == (
        min(n_rows, 5) if n_rows > 1 else 0
    )
    assert ("a split into" in command(*words).stdout) == (n_rows > 1)
    asked = command(*words, "--folds", "7")
    assert (asked.code, "--folds must be at most the number of rows" in asked.stderr) == (1, True)


def test_what_is_foreseen_with_groups_is_the_bound_of_a_split_that_keeps_them():
    """For sizes that come out as wanted."""
    labels = evenfold.labels.make_labels(GENRES)
    s = evenfold.split(labels, 2, groups=PATIENT)
    assert s.sizes.tolist() == [20, 20]
    foreseen = foresee_labels(labels, check_parts(2, N_ROWS), s._group_of_row)
    assert foreseen.rld_bound.tolist() == s.quality.per_label.rld_bound.tolist()
    assert foreseen.flz_bound.tolist() == s.quality.per_label.flz_bound.tolist()


def test_info_of_a_format_without_columns(command, tmp_path):
    """No line about columns; by default what 5 folds could be."""
    done = command("info", WRITERS["data.svm"](tmp_path / "data.svm"))
    assert done.code == 0
    assert "columns" not in done.stdout
    assert "a split into 5 parts of 8, 8, 8, 8, 8 rows" in done.stdout


def test_compare_is_that_of_the_library(command, tmp_path):
    """Labels, sizes, methods, repeats, seed, groups and balance go in; text or JSON comes back."""
    data = write_csv(tmp_path / "data.csv")
    asked = [
        "--labels",
        "genres",
        "--methods",
        "even,random",
        "--repeats",
        "2",
        "--seed",
        "4",
        "--groups",
        "patient",
        "--balance",
        "age",
    ]
    done = command("compare", data, *asked)
    assert done.code == 0
    age = [at * 7 % 30 for at in range(N_ROWS)]
    table = evenfold.compare(
        GENRES,
        5,
        methods=["even", "random"],
        repeats=2,
        random_state=4,
        groups=PATIENT,
        balance={"age": age},
    )
    assert [line.split("  ")[0] for line in done.stdout.splitlines()] == [
        line.split("  ")[0] for line in str(table).splitlines()
    ]
    read = json.loads(command("compare", data, *asked, "--json").stdout)
    assert [method["rld"] for method in read["methods"]] == [
        method["rld"] for method in table.to_dict()["methods"]
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_prints_a_script(shell, command):
    """Which asks evenfold itself."""
    done = command("completion", shell)
    assert done.code == 0
    assert "_EVENFOLD_COMPLETE" in done.stdout


def test_completion_offers_commands_options_and_methods():
    """As the shell asks for it."""

    def complete(words):
        variables = {
            "_EVENFOLD_COMPLETE": "bash_complete",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        }
        done = subprocess.run(
            [sys.executable, "-m", "evenfold"],
            env={**environment(), **variables},
            capture_output=True,
            text=True,
            check=True,
        )
        return {
            line.partition(",")[2] if line.startswith("plain") else line
            for line in done.stdout.splitlines()
        }

    assert complete("evenfold s") == {"split", "sample"}
    assert "--part-column" in complete("evenfold check --par")
    assert complete("evenfold split --method it") == {"iterative"}
    for words in (
        "evenfold split mov",
        "evenfold check mov",
        "evenfold split a.csv -o mov",
        "evenfold sample a.csv -o mov",
    ):
        assert complete(words) == {"file,mov"}, "files are the shell's to offer"


def environment():
    """Return the environment of this process."""
    import os

    return dict(os.environ)


def test_the_reference_is_the_help_of_today():
    """docs/commands.md is made by `make reference`."""
    from evenfold.cli.reference import make_reference

    assert (Path(__file__).parents[2] / "docs" / "commands.md").read_text(
        encoding="utf-8"
    ) == make_reference()


@pytest.mark.parametrize("name", [one.name for one in COMMANDS])
def test_help_ends_with_an_example_that_runs(name, command):
    """On the movies of the demo."""
    help_text = command(name, "--help").stdout
    example = help_text.partition("Example:")[2].replace("\\\n", " ").partition(" > ")[0]
    words = shlex.split(example)
    assert words[:2] == ["evenfold", name]
    if name != "demo":
        assert command("demo", "-o", "movies.csv").code == 0
    assert command(*words[1:]).code == 0


def test_the_commands_in_the_readme_run(command):
    """As they stand, one after the other."""
    section = (
        (Path(__file__).parents[2] / "README.md")
        .read_text(encoding="utf-8")
        .partition("## Command line")[2]
    )
    lines = section.partition("```bash\n")[2].partition("```")[0].splitlines()
    assert len(lines) >= 8
    for line in lines:
        words = shlex.split(line, comments=True)
        done = command(*words[1:])
        assert (words[0], done.code) == ("evenfold", 0), (line, done.stderr)


@pytest.mark.parametrize("name", [one.name for one in COMMANDS])
def test_help_loads_nothing_heavy(name):
    """Neither NumPy nor Arrow nor scikit-learn."""
    code = f"import sys; sys.argv = ['evenfold', '{name}', '--help']\nfrom evenfold.cli.main import main\ntry: main()\nexcept SystemExit: pass\n"
    code += "print(*[name for name in ('numpy', 'pyarrow', 'sklearn', 'scipy', 'rich', 'numba') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == ""
    assert re.match(rf"Usage: evenfold {name} ", done.stdout)

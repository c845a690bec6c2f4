"""The command as a person meets it."""

import csv
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import evenfold


def run(*words, cwd=None):
    """Run the installed command."""
    return subprocess.run(
        [Path(sys.executable).parent / "evenfold", *words],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )


def test_demo_shows_quality_beside_random_and_the_bound_and_writes_the_split(tmp_path):
    """The file holds every movie with its part; the sizes are those printed."""
    out = tmp_path / "movies.csv"
    done = run("demo", "-o", str(out))
    assert (done.returncode, done.stderr) == (0, "")
    assert max(map(len, done.stdout.splitlines()[:-2])) <= 80
    assert f"The movies and their parts are in {out}" in done.stdout
    with out.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 3000
    train = sum(row["part"] == "train" for row in rows)
    assert re.search(rf"^train +{train:,} +2,100 +2,100$", done.stdout, re.MULTILINE)
    line = next(line for line in done.stdout.splitlines() if line.startswith("rLD"))
    ours, random, best = map(float, line.split()[-3:])
    assert best <= ours < random
    s = evenfold.split(
        [row["genres"].split("|") if row["genres"] else [] for row in rows], [0.7, 0.15, 0.15]
    )
    assert [s.names[part] for part in s.part_of_row] == [row["part"] for row in rows]


def test_demo_without_output_writes_to_a_new_folder(tmp_path):
    """The current folder stays as it was."""
    done = run("demo", cwd=tmp_path)
    path = Path(done.stdout.split("parts are in ")[1].splitlines()[0])
    assert [own.name for own in sorted(path.parent.iterdir())] == ["movies.csv", "movies_later.csv"]
    assert list(tmp_path.iterdir()) == []
    shutil.rmtree(path.parent)


def test_demo_overwrites_only_when_told(tmp_path):
    """Exit 2, a hint, and the old file as it was."""
    out = tmp_path / "mine.csv"
    out.write_text("precious")
    done = run("demo", "-o", str(out))
    assert done.returncode == 2
    assert "exists already. Name another file, or add --force to overwrite it." in done.stderr
    assert out.read_text() == "precious"
    assert run("demo", "-o", str(out), "--force").returncode == 0
    assert out.read_text().startswith("title,director,year,minutes,budget,genres,part")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.csv", "mine_later.csv"]


def test_the_later_movies_of_the_demo_can_be_placed(command):
    """They have other titles, and no part."""
    done = command("demo -o movies.csv")
    assert "200 later movies without parts are in movies_later.csv, for evenfold ext" in done.stdout
    done = command(
        "extend movies.csv --labels genres --new movies_later.csv -o more.csv --id title"
    )
    assert done.code == 0, done.stderr
    assert "200 new rows placed, 3,000 left where they were." in done.stderr
    assert "more than one part" not in done.stderr
    refused = command("demo -o movies.csv")
    assert refused.code == 2


def test_the_later_movies_of_the_demo_join_any_split_of_the_others(command):
    """Parts in another column, in a folder, and in a manifest."""
    command("demo -o movies.csv")
    command(
        "split movies.csv --labels genres --folds 5 --column fold -o folds.csv --manifest f.json"
    )
    command("split movies.csv --labels genres --parts 80,10,10 -o parts/")
    for old in (
        "folds.csv --part-column fold --labels genres",
        "folds.csv --from-manifest f.json",
        "movies.csv --from-manifest f.json",
        "parts/ --labels genres",
    ):
        done = command(f"extend {old} --new movies_later.csv -o more.csv --column now --force")
        assert done.code == 0, done.stderr
        assert "200 new rows placed, 3,000 left where they were." in done.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["demo", "--sed", "1"], "--seed"),
        (["dmo"], "No such command 'dmo'. Did you mean 'demo'?"),
        (["unheard-of"], "No such command 'unheard-of'."),
        (["demo", "--seed", "-1"], "-1 is not in the range x>=0"),
        (["demo", "-o", "nowhere/at/all.csv"], "there is no folder nowhere/at. Make it first."),
        (["demo", "-o", "."], "is a directory"),
    ],
)
def test_wrong_usage_is_exit_2_with_a_hint(words, message, tmp_path):
    """No traceback, nothing on stdout, nothing written."""
    done = run(*words, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert list(tmp_path.iterdir()) == []


def test_version():
    """The version is that of the package."""
    assert run("--version").stdout == f"evenfold, version {evenfold.__version__}\n"


def test_a_data_error_is_exit_1_in_one_line(monkeypatch, capsys):
    """Errors of the library reach the user as a sentence."""
    from evenfold.cli import main as module

    def fail(*_):
        raise evenfold.exceptions.InputError("must have rows.", parameter="y")

    monkeypatch.setattr("evenfold.datasets.make_movies", fail)
    monkeypatch.setattr("sys.argv", ["evenfold", "demo"])
    monkeypatch.setattr("signal.signal", lambda *_: None)
    monkeypatch.setattr(module, "start_quickly", lambda: None)
    with pytest.raises(SystemExit) as stopped:
        module.main()
    assert stopped.value.code == 1
    assert capsys.readouterr().err == "evenfold: the labels must have rows.\n"


def test_demo_writes_csv_only(command, tmp_path):
    """Another suffix would name a file that no command can read."""
    done = command("demo -o movies.parquet")
    assert done.code == 2
    assert "movies.parquet: the movies are written as csv. End the name in .csv." in done.stderr
    assert not list(tmp_path.iterdir())

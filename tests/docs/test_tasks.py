"""The page of tasks: its commands run on made data, and what it says of their results holds."""

import json
import re
import shlex
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from .setups import how_to__tasks as tasks_data

PAGE = (Path(__file__).parents[2] / "docs" / "how-to" / "tasks.md").read_text(encoding="utf-8")
TASKS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
MOST_COMMANDS = 3


def list_commands(title):
    """Return the commands of a task, each as its words."""
    blocks = re.findall(r"```bash\n(.*?)```", TASKS[title], re.DOTALL)
    lines = "".join(blocks).replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines]


def run_task(title, command):
    """Run the commands of a task, and return what each printed."""
    done = []
    for words in list_commands(title):
        assert words[0] == "evenfold"
        done.append(command(*words[1:]))
        assert done[-1].code == 0, (words, done[-1].stderr)
    return done


def test_there_are_seven_tasks_of_three_commands_at_most():
    """One of them is for Python, and runs with the other examples of docs."""
    n_commands = {title: len(list_commands(title)) for title in TASKS}
    assert len(TASKS) == 7
    assert max(n_commands.values()) <= MOST_COMMANDS
    assert [title for title, number in n_commands.items() if not number] == ["Folds in a notebook"]
    assert TASKS["Folds in a notebook"].count("\n>>> ") <= MOST_COMMANDS + 1


def test_chest_images_stay_with_their_patient(command, tmp_path):
    """And the check ends in the line that the page shows."""
    tasks_data.make_chest_images(tmp_path)
    title = "Chest images by patient, for a reviewer"
    split, check = run_task(title, command)
    [verdict] = re.findall("`(OK: .*?)`", TASKS[title])
    assert check.stdout.splitlines()[-1] == verdict
    frame = pd.read_csv("chest_split.csv")
    assert (frame.groupby("Patient ID")["part"].nunique() == 1).all()
    shares = frame["part"].value_counts(normalize=True)
    assert shares["train"] == pytest.approx(0.7, abs=0.01)
    labels = json.loads(Path("chest.json").read_text())["parameters"]["columns"]["labels"]
    assert labels == tasks_data.FINDINGS
    assert "<svg" in Path("chest.html").read_text()
    assert "percent" in split.stderr


def test_proteins_have_the_ancestors_of_their_terms(command, tmp_path):
    """Clusters stay whole; every line of a protein is in the part of the protein."""
    tasks_data.make_proteins(tmp_path)
    split, check = run_task("Proteins with an ontology", command)
    assert "3 parts of 400 rows in 134 groups, 80 labels" in split.stderr
    assert check.stdout.splitlines()[-1].startswith("OK: ")
    parts = [pd.read_csv(f"proteins/{name}.tsv", sep="\t") for name in ("train", "val", "test")]
    clusters = [set(part["cluster"]) for part in parts]
    assert not clusters[0] & clusters[1] | clusters[0] & clusters[2] | clusters[1] & clusters[2]
    assert sum(map(len, parts)) == len(pd.read_csv("annotations.tsv", sep="\t"))


def test_frames_stay_with_their_video(command, tmp_path):
    """In files of COCO."""
    tasks_data.make_frames(tmp_path)
    _, check = run_task("COCO frames by video", command)
    assert check.stdout.splitlines()[-1].startswith("OK: ")
    parts = [
        json.loads(Path(f"frames/{name}.json").read_text()) for name in ("train", "val", "test")
    ]
    videos = [{image["file_name"][:7] for image in part["images"]} for part in parts]
    assert [len(own) for own in videos] == [24, 3, 3]
    assert len(set.union(*videos)) == 30


def test_the_paper_gets_tables_and_figures(command):
    """With every method and learner."""
    assert command("demo -o movies.csv").code == 0
    run_task("A comparison of methods, for a paper", command)
    for name in ("methods", "scores"):
        text = Path(f"{name}.tex").read_text()
        assert r"\toprule" in text
        assert "\neven & " in text
        assert Path(f"{name}.pdf").read_bytes().startswith(b"%PDF")
    assert pd.read_csv("methods.csv")["method"].tolist() == ["even", "iterative", "random"]


def test_the_check_in_ci_fails_if_something_changed(command):
    """A moved row, or a changed label."""
    assert command("demo -o movies.csv").code == 0
    _, check = run_task("A check in CI", command)
    assert check.stdout.splitlines()[-1].startswith("OK: ")
    words = list_commands("A check in CI")[-1][1:]
    text = Path("movies_split.csv").read_text()
    for old, new in ((",train\n", ",test\n"), ("drama", "comedy")):
        Path("movies_split.csv").write_text(text.replace(old, new, 1))
        failed = command(*words)
        assert failed.code == 1
        assert failed.stdout.splitlines()[-1].startswith("FAILED: ")


def test_fifty_files_get_folds_and_later_ones_join(command, tmp_path):
    """Every file is written with its rows and one more column."""
    tasks_data.make_shards(tmp_path)
    _, extend, check = run_task("A folder of 50 parquet files", command)
    assert "180 new rows placed, 3,000 left where they were." in extend.stderr
    assert check.stdout.splitlines()[-1].startswith("OK: ")
    folds = pq.read_table("folds", columns=["id", "part"]).to_pandas()
    assert sorted(folds["id"]) == list(range(53 * 60))
    assert folds["part"].value_counts().tolist() == [636] * 5

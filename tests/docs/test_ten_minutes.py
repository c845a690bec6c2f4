"""With only the README: a csv split by patient, its report opened, and a check put into CI."""

import csv
import re
import shlex
from html.parser import HTMLParser

import pytest
import yaml

import evenfold

from .blocks import ROOT, read_blocks

README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = read_blocks(README)
LINES = [
    line
    for block in BLOCKS
    if block.language == "bash" and block.remark != "not run"
    for line in block.code.replace("\\\n", " ").splitlines()
]
# What the reader puts in place of the README's names.
OWN_NAMES = {"movies.csv": "chest.csv", "genres": "findings", "director": "patient"}


def find_line(*words):
    """Return the first line of the README's shell blocks with all these words."""
    return next(line for line in LINES if all(word in line for word in words))


def use_own_names(line):
    """Return the words of a line after `evenfold`, with the reader's names."""
    return [OWN_NAMES.get(word, word) for word in shlex.split(line)[1:]]


@pytest.fixture
def chest(tmp_path):
    """Write a csv as a reader may have it: images, patients and findings with | between them."""
    y, patient = evenfold.datasets.make_patients(400, n_groups=120, n_labels=5)
    rows = [
        (f"{row}.png", f"P{patient[row]}", "|".join(f"finding {label}" for label in own.indices))
        for row, own in enumerate(y[[row]] for row in range(400))
    ]
    with (tmp_path / "chest.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("image", "patient", "findings"), *rows])
    return tmp_path


@pytest.fixture
def split(chest, command):
    """Type the README's split by group, with the --report of the line above it."""
    [report] = re.findall(r"--report \S+", find_line("evenfold split", "--report"))
    line = find_line("evenfold split", "--groups", "--manifest")
    done = command(*use_own_names(f"{line} {report}"))
    assert done.code == 0, done.stderr
    return chest


class Text(HTMLParser):
    """The text of a page, without its script and style."""

    def __init__(self):
        super().__init__()
        self.words, self.hidden = [], False

    def handle_starttag(self, tag, attrs):
        """Text of scripts and styles is not shown."""
        self.hidden = tag in ("script", "style")

    def handle_endtag(self, tag):
        """What follows is shown again."""
        self.hidden = False

    def handle_data(self, data):
        """Keep what a reader sees."""
        if not self.hidden:
            self.words += data.split()


def list_parts_of_patients(folder):
    """Return the folds of each patient in the written file."""
    parts = {}
    with (folder / "folds.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            parts.setdefault(row["patient"], set()).add(row["fold"])
    return parts


def read_hook():
    """Return what pre-commit runs by the README's configuration: the hook's entry and its args."""
    [config] = [yaml.safe_load(block.code) for block in BLOCKS if block.language == "yaml"]
    [hook] = config["repos"][0]["hooks"]
    known = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8"))
    [entry] = [own["entry"] for own in known if own["id"] == hook["id"]]
    return entry.split()[1:] + hook["args"]


def move_one_image(folder):
    """Put one image of a patient with several into another fold."""
    path = folder / "folds.csv"
    rows = list(csv.reader(path.open(newline="")))
    patients = [row[1] for row in rows]
    moved = next(row for row in rows[1:] if patients.count(row[1]) > 1)
    moved[-1] = "fold1" if moved[-1] == "fold0" else "fold0"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows(rows)


def test_the_readme_splits_by_patient(split):
    """Every patient is in one fold, and all five folds are there."""
    parts = list_parts_of_patients(split)
    assert len(parts) == 120
    assert {len(own) for own in parts.values()} == {1}
    assert set().union(*parts.values()) == {f"fold{number}" for number in range(5)}


def test_the_report_of_the_readme_opens(split):
    """One page of its own, with the reader's labels and sizes in its text."""
    page = Text()
    page.feed((split / "page.html").read_text(encoding="utf-8"))
    text = " ".join(page.words)
    for words in ("400", "fold4", "finding 0", "120", "rLD"):
        assert words in text


def test_the_hook_of_the_readme_passes_and_fails(split, command):
    """The check of the README, and the hook as pre-commit runs it; then an image moves."""
    line = use_own_names(find_line("evenfold check", "f.json"))
    assert command(*line).code == 0
    assert command(*read_hook()).code == 0
    move_one_image(split)
    done = command(*read_hook())
    assert done.code == 1
    assert "1 value is in more than one part" in done.stdout + done.stderr

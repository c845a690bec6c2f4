"""`evenfold split` and `extend` with rows that belong together."""

import json
from pathlib import Path

import numpy as np
import pytest

import evenfold

from .leaky_data import N_ROWS, PATIENT, STUDY, TAGS, TWINS, make_embeddings, write_leaky
from .read_back import names_of, read_parts


@pytest.fixture
def data(tmp_path):
    """A csv file with twins, and their embeddings."""
    np.save(tmp_path / "emb.npy", make_embeddings())
    return write_leaky(tmp_path / "data.csv")


@pytest.mark.parametrize(
    ("options", "sources"),
    [
        ("--groups patient", {"groups": {"patient": PATIENT}}),
        ("--groups patient,study", {"groups": {"patient": PATIENT, "study": STUDY}}),
        (
            "--groups patient --similar emb.npy --at 0.95",
            {"groups": {"patient": PATIENT}, "similar": make_embeddings(), "at": 0.95},
        ),
        ("--similar emb.npy", {"similar": make_embeddings()}),
        ("--similar emb.npy --max-group 2", {"similar": make_embeddings(), "max_group": 2}),
    ],
)
def test_a_linked_split_is_that_of_python(options, sources, data, command):
    """The command links, then splits; what it prints says what links rows."""
    done = command(f"split data.csv --labels tags --folds 3 {options} -o out.csv")
    links = evenfold.link(**sources)
    s = evenfold.split(TAGS, 3, groups=links)
    assert done.code == 0, done.stderr
    assert read_parts(data.parent / "out.csv") == names_of(s)
    assert f"\n{s}\n" in f"\n{done.stderr}"


def test_rows_without_a_group_are_said(data, command):
    """They join nothing, and are no error."""
    words = "data.csv --labels tags --groups patient,study"
    said = "patient: 20 values; 6 rows have no value"
    for line in (
        f"split {words} --folds 2",
        f"compare {words} --folds 2 --methods random",
        f"sample {words} -n 12 --indices rows.json",
        f"info {words}",
        f"evaluate {words} --features 'e?' --learner br:tree --folds 2 --repeats 1 "
        "--method random --metrics hamming_loss",
    ):
        done = command(line)
        assert done.code == 0, done.stderr
        assert said in done.stderr, line


def test_info_says_what_chains_the_largest_group(data, command):
    """Of several columns."""
    done = command("info data.csv --labels tags --groups patient,study")
    links = evenfold.link(groups={"patient": PATIENT, "study": STUDY})
    assert f"{links.n_groups} groups, the largest 'p" in done.stdout
    assert "The largest group has" in done.stdout
    record = json.loads(command("info data.csv --labels tags --groups patient,study --json").stdout)
    assert record["groups"]["chain"].startswith("The largest group has")


def test_new_rows_join_their_twins(data, command):
    """`extend` links old and new rows."""
    assert command("split data.csv --labels tags --folds 2 --similar emb.npy -o old.csv").code == 0
    lines = (data.parent / "old.csv").read_text().splitlines()
    second = {new for _, new in TWINS}
    cut = [
        line.rpartition(",")[0] + "," if at - 1 in second else line for at, line in enumerate(lines)
    ]
    (data.parent / "gaps.csv").write_text("\n".join([*cut, ""]))
    done = command(
        "extend gaps.csv --labels tags --part-column part --similar emb.npy -o new.csv --id id "
        "--indices rows.json"
    )
    assert done.code == 0, done.stderr
    parts = read_parts(data.parent / "new.csv")
    assert all(parts[first] == parts[other] for first, other in TWINS)
    rows = json.loads((data.parent / "rows.json").read_text())
    assert sorted(rows["fold0"] + rows["fold1"]) == sorted(f"r{row}" for row in range(N_ROWS))


def test_inputs_beside_the_data_are_not_overwritten(data, command):
    """Also with --force."""
    before = (data.parent / "emb.npy").read_bytes()
    done = command(
        "split data.csv --labels tags --folds 2 --similar emb.npy --indices emb.npy --force"
    )
    assert (done.code, (data.parent / "emb.npy").read_bytes()) == (2, before)


def test_approximate_searches_are_named_in_every_output(data, command):
    """In the printed result, JSON, the report, the manifest and the check of it."""
    done = command(
        "split data.csv --labels tags --folds 2 --text body --approximate --report r.md --json "
        "--manifest m.json"
    )
    assert done.code == 0, done.stderr
    checked = command("check data.csv --manifest m.json")
    pages = [Path(name).read_text() for name in ("r.md", "m.json")]
    for shown in (done.stderr, done.stdout, checked.stdout, *pages):
        assert "approximate search, recall " in " ".join(shown.split())

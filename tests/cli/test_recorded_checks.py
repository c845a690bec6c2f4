"""`evenfold check --manifest`: what it takes from the record, and what it does not allow."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest

import evenfold

from .leaky_data import N_ROWS, make_embeddings, write_leaky, write_pairs

CHECK = "check split.csv --manifest split.json"


@pytest.fixture
def data(tmp_path):
    """A csv file with twins, and their embeddings and pairs beside it."""
    np.save(tmp_path / "emb.npy", make_embeddings())
    write_pairs(tmp_path / "pairs.csv")
    return write_leaky(tmp_path / "data.csv")


@pytest.fixture
def record(data, command):
    """Return a function that splits with given options, and returns the manifest."""

    def split(options):
        done = command(
            f"split data.csv --labels tags --folds 2 {options} -o split.csv "
            "--manifest split.json --force"
        )
        assert done.code == 0, done.stderr
        return read_manifest(data)

    return split


@pytest.fixture
def cut(data, record):
    """A manifest with pairs that --max-group left in two parts."""
    angle = np.linspace(0, 1.5, N_ROWS)
    np.save(data.parent / "emb.npy", np.column_stack((np.cos(angle), np.sin(angle))))
    manifest = record("--similar emb.npy --at 0.99 --max-group 4")
    assert manifest["certificate"]["pairs"][0]["in_two_parts"] > 10
    return manifest


def read_manifest(data):
    """Return the content of the manifest."""
    return json.loads((data.parent / "split.json").read_text())


def write_manifest(data, record):
    """Write a manifest that was changed."""
    (data.parent / "split.json").write_text(json.dumps(record))


def test_recorded_pairs_are_allowed_to_the_same_search(cut, command):
    """JSON passes as the exit code does; the certificate says that pairs are in two parts."""
    n_left = cut["certificate"]["pairs"][0]["in_two_parts"]
    done = command(CHECK)
    assert (done.code, done.stderr) == (0, "")
    assert f"; {n_left} are recorded, because --max-group cut their links" in done.stdout
    found = json.loads(command(f"{CHECK} --json").stdout)
    assert found["passed"]
    assert not found["certificate"]["passed"]
    (pairs,) = found["certificate"]["pairs"]
    assert (pairs["in_two_parts"], pairs["allowed"]) == (n_left, n_left)


@pytest.mark.parametrize("options", ["--at 0.9995", "--metric euclidean --at 0.05"])
def test_recorded_pairs_are_not_allowed_to_another_search(options, cut, command):
    """Even if that one finds fewer pairs."""
    done = command(f"{CHECK} {options} --json")
    (pairs,) = json.loads(done.stdout)["certificate"]["pairs"]
    assert 0 < pairs["in_two_parts"] < cut["certificate"]["pairs"][0]["in_two_parts"]
    assert (done.code, pairs["allowed"], json.loads(done.stdout)["passed"]) == (1, 0, False)


def test_recorded_pairs_are_not_allowed_to_other_data(cut, data, command):
    """Other embeddings have other pairs."""
    vectors = np.load(data.parent / "emb.npy")
    vectors[:30] = np.random.default_rng(0).normal(size=(30, 2))
    np.save(data.parent / "emb.npy", vectors)
    done = command(CHECK)
    assert done.code == 1
    assert "are recorded, because" not in done.stdout


def test_pairs_are_not_allowed_without_max_group(cut, data, command):
    """A record of pairs in two parts does not say why they are."""
    cut["parameters"]["sources"]["max_group"] = None
    write_manifest(data, cut)
    assert command(CHECK).code == 1


def test_a_threshold_replaces_only_its_own(record, command):
    """Of several sources, that of the other is the recorded one."""
    record("--text body --similar emb.npy --at text=0.6,similar=0.95")
    done = command(f"{CHECK} --at similar=0.9")
    assert "cosine similarity of 0.9 or more" in done.stdout
    assert "shingles) of 0.6 or more" in done.stdout
    record("--similar emb.npy --pairs pairs.csv --id id --at similar=0.95,pairs=0.5")
    done = command(f"{CHECK} --at 0.9")
    assert done.code == 0, done.stderr
    assert "cosine similarity of 0.9 or more" in done.stdout
    assert "with a score of 0.5 or more" in done.stdout


def test_one_threshold_for_two_recorded_sources_is_refused(record, command):
    """As on the command line."""
    record("--text body --similar emb.npy --at text=0.6,similar=0.95")
    done = command(f"{CHECK} --at 0.9")
    assert done.code == 2
    assert "--at 0.9 is one threshold, got --text and --similar." in done.stderr


def test_another_metric_does_not_take_the_recorded_threshold(record, command):
    """A similarity is no distance."""
    record("--similar emb.npy --at 0.95")
    done = command(f"{CHECK} --metric euclidean")
    assert done.code == 1
    assert "--at must be given for --metric euclidean" in done.stderr
    assert "euclidean distance of 0.01 or less" in (
        command(f"{CHECK} --metric euclidean --at 0.01").stdout.lower()
    )


@pytest.mark.parametrize(
    ("options", "thresholds"),
    [
        ("--pairs pairs.csv --at 0.5", {"pairs": 0.5}),
        ("--pairs pairs.csv", {}),
        ("--pairs pairs.csv --text body --at text=0.7", {"text": 0.7}),
        ("--pairs pairs.csv --text body --at text=0.7,pairs=0.5", {"text": 0.7, "pairs": 0.5}),
    ],
)
def test_thresholds_are_recorded_by_source(options, thresholds, record, command):
    """Pairs without a threshold have none."""
    assert record(f"{options} --id id")["parameters"]["sources"]["at"] == thresholds
    assert command(CHECK).code == 0


def test_a_column_of_groups_named_sizes_is_not_the_sizes(data, record, command):
    """The line of the sizes says how many rows parts have."""
    data.write_text(data.read_text().replace("patient", "sizes", 1))
    record("--groups sizes")
    lines = command(CHECK).stdout.splitlines()
    assert [line for line in lines if line.startswith("ok     sizes: fold0 30, fold1 30; ")]
    assert [line for line in lines if line.startswith("ok     sizes: 20 values; ")]


def test_a_column_of_groups_named_copies_has_not_changed(data, record, command):
    """It is compared with its own entry of the record."""
    data.write_text(data.read_text().replace("patient", "copies", 1))
    record("--groups copies --copies body")
    done = command(CHECK)
    assert (done.code, "changed" in done.stdout) == (0, False)


def test_a_recall_is_remembered(record, command):
    """An approximate search is repeated as it was."""
    sources = record("--text body --approximate --recall 0.9")["parameters"]["sources"]
    assert (sources["exact"], sources["recall"]) == (False, 0.9)
    done = command(CHECK)
    assert done.code == 0
    assert "approximate search, recall " in done.stdout


@pytest.mark.parametrize(
    ("path", "value", "what"),
    [
        ("parameters columns format", 3, "columns and sources"),
        ("parameters columns format", "odt", "columns and sources"),
        ("parameters columns balance", "age", "columns and sources"),
        ("parameters sources exact", "x", "columns and sources"),
        ("parameters sources recall", "x", "columns and sources"),
        ("parameters sources at similar", 10**400, "columns and sources"),
        ("parameters sources max_group", 2.5, "columns and sources"),
        ("certificate pairs 0 in_two_parts", "2", "certificate"),
        ("certificate pairs 0 at", None, "certificate"),
        ("certificate pairs", {"kind": "similar"}, "certificate"),
        ("certificate parts 1 rows", "30", "certificate"),
        ("certificate parts 1 rows", None, "certificate"),
        ("certificate parts", 3, "certificate"),
        ("certificate groups 0", "patient", "certificate"),
        ("certificate ids", 2**62, "certificate"),
        ("certificate ids", ["id"], "certificate"),
        ("certificate evenness rld", "0", "certificate"),
        ("certificate evenness", "0", "certificate"),
        ("certificate evenness bound", [1], "certificate"),
    ],
)
def test_a_damaged_record_is_refused(path, value, what, data, record, command):
    """One message that names the manifest."""
    manifest = record("--groups patient --similar emb.npy --max-group 3")
    *keys, last = [int(key) if key.isdecimal() else key for key in path.split()]
    entry = manifest
    for key in keys:
        entry = entry[key]
    entry[last] = value
    write_manifest(data, manifest)
    done = command(CHECK)
    assert (done.code, done.stdout) == (1, "")
    assert f"evenfold: 'split.json' is damaged: its {what} cannot be read (" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_record_without_its_certificate_fails(data, record, command):
    """Nothing says what was certified."""
    manifest = record("--groups patient")
    del manifest["certificate"]
    write_manifest(data, manifest)
    done = command(CHECK)
    assert done.code == 1
    assert "split.json has no certificate." in done.stderr


def test_a_record_that_was_edited_fails(data, record, command):
    """Its parts, a threshold and the sources are compared with the certificate."""
    manifest = record("--groups patient --similar emb.npy --at 0.95 --id id")
    edited = json.loads(json.dumps(manifest))
    edited["part_of_row"] = edited["part_of_row"][::-1]
    write_manifest(data, edited)
    done = command("check data.csv --manifest split.json")
    assert "split.json are not those that its certificate is for." in done.stderr
    edited = json.loads(json.dumps(manifest))
    edited["parameters"]["sources"]["at"] = {"similar": 0.9999}
    write_manifest(data, edited)
    done = command(CHECK)
    assert "similar was checked at 0.9999, the certificate is for 0.95." in done.stderr
    edited["parameters"]["sources"] = {}
    edited["parameters"]["columns"]["groups"] = []
    edited["parameters"]["columns"]["id"] = None
    write_manifest(data, edited)
    done = command(CHECK)
    assert done.code == 1
    assert "similar is in the certificate, but was not checked. Pass --similar." in done.stderr
    assert "patient is in the certificate, but was not checked." in done.stderr
    assert "ids are in the certificate, but were not checked. Pass --id." in done.stderr


def test_a_split_saved_in_python_names_what_was_not_checked(data, command):
    """The record has no columns of the file, so groups must be named."""
    table = csv.DictReader((data.parent / "data.csv").read_text().splitlines())
    rows = list(table)
    y = [row["tags"].split("|") if row["tags"] else [] for row in rows]
    groups = {"patient": [row["patient"] for row in rows]}
    evenfold.split(y, 2, groups=groups).save(data.parent / "python.json")
    told = "check data.csv --labels tags --separator | --manifest python.json"
    done = command(told)
    assert done.code == 1
    assert "patient is in the certificate, but was not checked. Pass --groups" in done.stderr
    done = command(
        "check data.csv --labels tags --separator | --manifest python.json --groups patient"
    )
    assert done.code == 0, done.stderr


def test_a_balanced_column_is_recorded_and_not_measured_again(data, record, command):
    """The page on leaks says so; that the labels are even is checked."""
    assert record("--balance e0")["parameters"]["columns"]["balance"] == ["e0"]
    path = data.parent / "split.csv"
    path.write_text(path.read_text().replace(",-", ",7"))
    assert command(CHECK).code == 0
    page = Path(__file__).parents[2] / "docs" / "leaks.md"
    assert "- How even the columns of `--balance` are is not measured." in page.read_text()

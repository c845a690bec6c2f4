"""`evenfold check` with rows that belong together, and against the manifest of a command."""

import json
import shutil

import numpy as np
import pytest

import evenfold

from .leaky_data import (
    N_ROWS,
    make_embeddings,
    make_texts,
    write_files,
    write_leaky,
    write_pairs,
)
from .read_back import read_parts


@pytest.fixture
def data(tmp_path):
    """A csv file with twins, and all that finds them beside it."""
    np.save(tmp_path / "emb.npy", make_embeddings())
    write_files(tmp_path)
    write_pairs(tmp_path / "pairs.csv")
    return write_leaky(tmp_path / "data.csv")


@pytest.fixture
def recorded(data, command):
    """A split by everything, with its manifest in another folder."""
    (data.parent / "records").mkdir()
    done = command(
        "split data.csv --labels tags --folds 2 --groups patient --text body --similar emb.npy "
        "--at text=0.8,similar=0.95 --files path --copies 'e*' --pairs pairs.csv --id id "
        "--column fold -o split.csv --manifest records/split.json"
    )
    assert done.code == 0, done.stderr
    return data.parent / "split.csv"


def move(path, row, column="fold"):
    """Put a row of a split into the other part."""
    lines = path.read_text().splitlines()
    before, _, part = lines[row + 1].rpartition(",")
    lines[row + 1] = f"{before},{'fold1' if part == 'fold0' else 'fold0'}"
    path.write_text("\n".join([*lines, ""]))


def test_leaking_pairs_fail_and_are_listed(data, command):
    """The pairs are those that Python finds; JSON has them all."""
    assert command("split data.csv --labels tags --folds 2 --method random -o out.csv").code == 0
    parts = read_parts(data.parent / "out.csv")
    with pytest.raises(evenfold.exceptions.LeakError) as leak:
        evenfold.check(parts, similar=make_embeddings(), at=0.95)
    words = "check out.csv --labels tags --part-column part --similar emb.npy --at 0.95"
    done = command(words)
    assert done.code == 1
    (failure,) = leak.value.certificate.failures
    assert done.stderr.startswith(f"evenfold: {failure}.\n  rows ")
    assert f"FAILED {failure}" in done.stdout
    found = json.loads(command(f"{words} --json").stdout)
    assert found["leaking_pairs"] == [pair._asdict() for pair in leak.value.pairs]
    assert not found["passed"]
    quiet = command(f"{words} -q")
    assert (quiet.code, quiet.stdout, quiet.stderr) == (1, "", f"evenfold: {failure}.\n")


def test_a_split_without_leaks_passes(data, command):
    """Copies, files, text and pairs are checked too, also of one file for each part."""
    options = "--text body --files path --copies body --pairs pairs.csv --id id"
    done = command(f"split data.csv --labels tags --parts 0.5,0.5 {options} -o parts")
    assert done.code == 0, done.stderr
    shutil.move(data.parent / "files", data.parent / "parts" / "files")
    done = command(f"check parts/train.csv parts/test.csv --labels tags {options}")
    assert done.code == 0, done.stderr
    assert "ok     copies: 57 values; each value is in one part" in done.stdout
    assert "ok     files: 57 values; each value is in one part" in done.stdout
    assert "ok     text: 0 pairs in two parts" in done.stdout
    assert "ok     pairs: 0 pairs in two parts" in done.stdout


def test_the_groups_of_each_column_are_checked(data, command):
    """The failure names the column."""
    done = command("split data.csv --labels tags --folds 2 --groups patient -o out.csv")
    words = "check out.csv --labels tags --part-column part"
    assert command(f"{words} --groups patient").code == 0
    done = command(f"{words} --groups patient,study -q")
    assert done.code == 1
    assert "groups (study) are in more than one part, first 's" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_manifest_alone_says_all_that_is_checked(recorded, command, monkeypatch, tmp_path):
    """One line for each thing, from any folder."""
    expected = [
        "ok     labels: as recorded, fingerprint ",
        "ok     parts: 60 rows are in the part that is recorded",
        "ok     patient: 20 values; 6 rows have no value; each value is in one part",
        "ok     copies: 60 values; each value is in one part",
        "ok     files: 57 values; each value is in one part",
        "ok     ids: 60 values; each value is in one part",
        "ok     text: 0 pairs in two parts with Jaccard similarity",
        "ok     similar: 0 pairs in two parts with cosine similarity of 0.95 or more (exact",
        "ok     pairs: 0 pairs in two parts with a link in the list of 4 pairs",
        "ok     sizes: fold0 30, fold1 30; every part is within one row of its share",
        "ok     evenness: rLD ",
        "OK: 11 checks of split.csv against ",
    ]
    done = command("check split.csv --manifest records/split.json")
    assert (done.code, done.stderr) == (0, "")
    for line, beginning in zip(done.stdout.splitlines(), expected, strict=True):
        assert line.startswith(beginning)
    monkeypatch.chdir(tmp_path / "records")
    again = command("check ../split.csv --manifest split.json")
    assert (again.code, len(again.stdout.splitlines())) == (0, len(expected))


def test_the_manifest_carries_columns_sources_and_certificate(recorded, tmp_path):
    """Paths are relative to its folder."""
    record = json.loads((tmp_path / "records" / "split.json").read_text())
    assert record["parameters"]["columns"] == {
        "labels": ["tags"],
        "separator": "|",
        "propagate": None,
        "xml": None,
        "format": None,
        "groups": ["patient"],
        "id": "id",
        "balance": [],
        "part": "fold",
    }
    assert record["parameters"]["sources"] == {
        "copies": [f"e{at}" for at in range(8)],
        "files": "path",
        "text": "body",
        "similar": "../emb.npy",
        "metric": "cosine",
        "pairs": "../pairs.csv",
        "at": {"text": 0.8, "similar": 0.95},
        "exact": None,
        "recall": None,
        "max_group": None,
    }
    certificate = record["certificate"]
    assert certificate["passed"]
    assert certificate["ids"]["in_two_parts"] == 0
    assert [entry["kind"] for entry in certificate["pairs"]] == ["text", "similar", "pairs"]
    call = evenfold.load_split(tmp_path / "records" / "split.json").origin.write_call(
        ("fold0", "fold1")
    )
    assert "columns" not in call
    assert "sources" not in call


def test_a_moved_row_fails_every_check_that_it_breaks(recorded, command):
    """Parts, groups, text, similarity, files and sizes."""
    move(recorded, 45)
    done = command("check split.csv --manifest records/split.json")
    assert done.code == 1
    lines = done.stdout.splitlines()
    failed = [line.split()[1].rstrip(":") for line in lines if line.startswith("FAILED ")]
    assert {"parts", "patient", "files", "text", "similar", "pairs", "sizes"} <= set(failed)
    assert lines[-1].startswith("FAILED: ")
    assert lines[-1].endswith(" of 11 checks of split.csv against records/split.json.")
    assert "evenfold: 1 of 60 rows are in another part than in records/split.json" in done.stderr
    assert "  rows 30 (fold" in done.stderr


def test_changed_labels_and_content_are_seen(recorded, command, tmp_path):
    """Labels fail, and columns and files that are not those that were recorded."""
    text = recorded.read_text()
    recorded.write_text(text.replace(",p1,", ",,", 1))
    done = command("check split.csv --manifest records/split.json")
    assert done.code == 1
    assert "the values of patient are not those that were recorded." in done.stderr
    recorded.write_text(text.replace(",a|b,", ",a,", 1))
    done = command("check split.csv --manifest records/split.json -q")
    assert done.code == 1
    assert "the labels are not those that records/split.json was made for" in done.stderr
    vectors = make_embeddings()
    parts = read_parts(recorded, "fold")
    vectors[parts.index("fold0")] = vectors[parts.index("fold1")]
    np.save(tmp_path / "emb.npy", vectors)
    recorded.write_text(text)
    done = command("check split.csv --manifest records/split.json")
    assert done.code == 1
    assert "(exact search), first rows " in done.stdout
    np.save(tmp_path / "emb.npy", np.random.default_rng(0).normal(size=vectors.shape) * 0)
    done = command("check split.csv --manifest records/split.json")
    assert done.code == 1
    assert "the data of --similar is not that which was recorded." in done.stderr


def test_data_without_the_part_column_has_the_recorded_parts(recorded, command):
    """The original data is checked by the manifest too."""
    done = command("check data.csv --manifest records/split.json")
    assert (done.code, done.stdout.splitlines()[-1]) == (
        0,
        "OK: 11 checks of data.csv against records/split.json.",
    )
    assert "ok     parts: those of the record; the data has no column of parts" in done.stdout


def test_options_override_what_is_recorded(recorded, command):
    """The threshold, the groups, the labels; the others are those of the record."""
    done = command("check split.csv --manifest records/split.json --at text=0.5,similar=0.9")
    assert "cosine similarity of 0.9 or more" in done.stdout
    done = command("check split.csv --manifest records/split.json --groups study")
    assert done.code == 1
    assert "FAILED study: " in done.stdout
    assert "patient" not in done.stdout
    done = command("check split.csv --manifest records/split.json --labels patient")
    assert "FAILED labels: " in done.stdout
    assert json.loads(command("check data.csv --manifest records/split.json --json").stdout)[
        "certificate"
    ]["passed"]


def test_pairs_that_max_group_left_are_allowed(data, command, tmp_path):
    """As many as are recorded, and no more."""
    done = command(
        "split data.csv --labels tags --folds 2 --similar emb.npy --max-group 1 -o split.csv "
        "--manifest split.json"
    )
    assert done.code == 0
    record = json.loads((tmp_path / "split.json").read_text())
    n_left = record["certificate"]["pairs"][0]["in_two_parts"]
    done = command("check split.csv --manifest split.json")
    if n_left:
        assert f"{n_left} are recorded, because --max-group cut their links" in done.stdout
    assert done.code == 0
    record["certificate"]["pairs"][0]["in_two_parts"] = max(n_left - 1, 0)
    (tmp_path / "split.json").write_text(json.dumps(record))
    assert command("check split.csv --manifest split.json").code == int(n_left > 0)


def test_labels_less_even_than_recorded_fail(recorded, command, tmp_path):
    """The value of the record is what counts."""
    path = tmp_path / "records" / "split.json"
    record = json.loads(path.read_text())
    record["certificate"]["evenness"]["rld"] = -1.0
    path.write_text(json.dumps(record))
    done = command("check split.csv --manifest records/split.json")
    assert done.code == 1
    assert done.stderr == "evenfold: rLD is 0.00000, records/split.json records -1.00000.\n"
    assert "FAILED evenness: rLD 0, recorded -1, bound 0" in done.stdout


def test_other_labels_are_not_cut_at_the_recorded_separator(recorded, command):
    """The separator belongs to the recorded column."""
    text = recorded.read_text().replace(",p1,", ",p|1,")
    recorded.write_text(text)
    words = "check split.csv --manifest records/split.json --labels patient --json"
    labels = json.loads(command(words).stdout)["quality"]["per_label"]
    assert "p|1" in [own["label"] for own in labels]
    labels = json.loads(command(f"{words} --separator '|'").stdout)["quality"]["per_label"]
    assert "p" in [own["label"] for own in labels]


def test_extended_splits_are_recorded_too(recorded, command, tmp_path):
    """The column that was filled is the one that is checked."""
    lines = recorded.read_text().splitlines()
    lines[1:6] = [line.rpartition(",")[0] + "," for line in lines[1:6]]
    (tmp_path / "gaps.csv").write_text("\n".join([*lines, ""]))
    done = command(
        "extend gaps.csv --labels tags --part-column fold --groups patient -o full.csv "
        "--manifest m.json"
    )
    assert done.code == 0, done.stderr
    done = command("check full.csv --manifest m.json")
    assert done.code == 0, done.stderr
    assert "parts: 60 rows are in the part" in done.stdout


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("columns", {"labels": "tags"}, "is damaged: its columns and sources cannot be read"),
        ("columns", [1], "is damaged: its columns and sources cannot be read"),
        ("sources", {"at": {"text": "high"}}, "is damaged: its columns and sources cannot be"),
        ("sources", {"text": 3}, "is damaged: its columns and sources cannot be read"),
    ],
)
def test_a_damaged_manifest_is_refused(key, value, message, recorded, command, tmp_path):
    """One message that names it."""
    path = tmp_path / "records" / "split.json"
    record = json.loads(path.read_text())
    record["parameters"][key] = value
    path.write_text(json.dumps(record))
    done = command("check split.csv --manifest records/split.json")
    assert (done.code, done.stdout) == (1, "")
    assert message in done.stderr


def test_similar_text_of_python_is_what_check_finds(data, command):
    """The number of pairs is that of a brute-force count."""
    assert command("split data.csv --labels tags --folds 2 --method random -o out.csv").code == 0
    parts = read_parts(data.parent / "out.csv")
    texts = [" ".join(text.lower().split()) for text in make_texts()]
    n_pairs = sum(
        parts[first] != parts[second] and texts[first] == texts[second]
        for first in range(N_ROWS)
        for second in range(first)
    )
    done = command("check out.csv --labels tags --part-column part --text body --at 1 --json")
    assert json.loads(done.stdout)["certificate"]["pairs"][0]["in_two_parts"] == n_pairs

"""`audit` finds what is planted in a split, and nothing in an even one."""

import json

import numpy as np
import pytest

import evenfold
from evenfold.exceptions import InputError, InputTypeError
from evenfold.splits.audit_findings import find_sizes

N_ROWS = 500
# Of 500 rows, the last 100 are the test part.
PARTS = np.array(["train"] * 400 + ["test"] * 100)
RNG = np.random.default_rng(0)
Y = (RNG.random((N_ROWS, 8)) < np.linspace(0.1, 0.6, 8)).astype(int)
TEXT = [f"text {at}" for at in range(N_ROWS)]


def find_states(audit):
    """Return the state of each check."""
    return {finding.check: finding.state for finding in audit.findings}


def test_nothing_is_found_in_an_even_split_without_copies():
    """All that was checked is sound, and what was not checked is said."""
    s = evenfold.split(Y, [0.8, 0.2])
    audit = evenfold.audit(Y, s.part_of_row, copies=TEXT, names=s.names)
    assert audit.passed
    assert audit.problems == []
    assert str(audit).startswith("No problem found in what was checked.\n500 rows in 2 parts")
    states = find_states(audit)
    assert states["copies"] == states["label drift"] == states["labels per row"] == "ok"
    assert states["near-duplicates"] == states["groups"] == states["ids"] == "not checked"
    assert "near-duplicates: not checked; pass text=, images=, similar= or pairs=" in str(audit)
    assert repr(audit) == "<Audit: No problem found in what was checked.>"


def test_planted_copies_are_found_with_their_labels():
    """Ten copies in test, of which four have other labels."""
    text, y = list(TEXT), Y.copy()
    for at in range(10):
        text[400 + at] = text[at].upper()
        y[400 + at] = y[at]
    y[400:404, 0] = 1 - y[400:404, 0]
    audit = evenfold.audit(y, PARTS, copies=text)
    assert not audit.passed
    record = audit.to_dict()
    assert record["matches"][0] == {
        "part": "test", "other": "train", "rows": 10, "share": 0.1, "by": {"copies": 10},
    }  # fmt: skip
    assert "copies: 10 values are in more than one part; 10 of 100 rows of test (10.0 %)" in (
        str(audit).replace("\n       ", "")
    )
    differ = [example["labels_differ"] for example in record["examples"]]
    assert differ == [True] * 4 + [False] * 6
    rows = {tuple(row["row"] for row in example["rows"]) for example in record["examples"]}
    assert rows == {(at, 400 + at) for at in range(10)}
    assert "contradictions: matches in two parts with different labels: 4 by copies" in (
        audit.problems
    )


def test_copies_with_the_same_labels_do_not_contradict():
    """That is said too."""
    text, y = list(TEXT), Y.copy()
    text[400], y[400] = text[0], y[0]
    states = find_states(evenfold.audit(y, PARTS, copies=text))
    assert (states["copies"], states["contradictions"]) == ("problem", "ok")


def test_shared_groups_ids_and_similar_rows_are_found():
    """Each is a problem, and rows that match by several count once."""
    embeddings = np.random.default_rng(1).normal(size=(N_ROWS, 16))
    embeddings[450] = embeddings[3] + 1e-6
    patient = np.arange(N_ROWS)
    patient[450] = patient[460] = 3
    ids = [f"r{at}" for at in range(N_ROWS)]
    ids[460] = "r7"
    audit = evenfold.audit(
        Y, PARTS, groups={"patient": patient}, similar=embeddings, at=0.99, ids=ids
    )
    assert len(audit.problems) == 3 + (find_states(audit)["contradictions"] == "problem")
    matches = audit.to_dict()["matches"]
    assert [(own["part"], own["other"], own["rows"], own["by"]) for own in matches] == [
        ("test", "train", 2, {"patient": 2, "similar": 1, "ids": 1}),
        ("train", "test", 2, {"patient": 1, "similar": 1, "ids": 1}),
    ]
    assert "similar rows in two parts" in audit.verdict
    assert "train r3" in str(audit), "rows are shown by their ids"
    assert find_states(audit)["similar"] == "problem"
    assert audit.drift.by_groups


def test_links_are_checked_by_each_of_their_columns():
    """As `check` does."""
    links = evenfold.link(groups={"a": np.arange(N_ROWS) // 2, "b": np.arange(N_ROWS) // 3})
    audit = evenfold.audit(Y, PARTS, groups=links)
    assert [check.column.name for check in audit.certificate.values] == ["a", "b"]
    assert find_states(audit)["a"] == "ok"
    assert find_states(audit)["b"] == "problem"


def test_planted_drift_is_found():
    """One label is twice as frequent in test."""
    y = Y.copy()
    y[400:460, 2] = 1
    audit = evenfold.audit(y, PARTS)
    record = audit.to_dict()["drift"]
    assert [line["label"] for line in record["worst"]] == [2]
    (line,) = record["worst"]
    assert line["part"] == "test"
    assert line["share_in_part"] == pytest.approx(y[400:, 2].mean())
    assert line["share"] == pytest.approx(y[:, 2].mean())
    assert line["rows_off"] == pytest.approx(y[400:, 2].sum() - 100 * y[:, 2].mean())
    assert "1 of 8 labels further off than a random split explains" in str(audit)


def test_labels_that_a_part_lacks_are_found():
    """Not in train: cannot be learnt. Not in test: never judged."""
    y = np.c_[Y, np.zeros((N_ROWS, 3), int)]
    y[400:402, 8] = 1
    y[:30, 9] = 1
    y[0, 10] = 1
    audit = evenfold.audit(y, PARTS)
    assert "labels not in train: 1 of 11 (8); cannot be learnt" in audit.problems
    lacking = "labels not in test: 2 of 11 (9, 10); never judged there, avoidable for 1"
    assert lacking in audit.problems
    rare = evenfold.audit(np.c_[Y, y[:, 10]], PARTS)
    states = [finding.state for finding in rare.findings if finding.check == "labels to judge"]
    assert states == ["note"], "a label with a single row is in one part, whatever the split"


def test_matches_with_train_come_first():
    """Even if more rows match between other parts."""
    parts = np.repeat(["train", "val", "test"], [400, 50, 50])
    groups = np.arange(N_ROWS)
    groups[450:490] = groups[400:440]
    groups[495] = 0
    record = evenfold.audit(Y, parts, groups=groups).to_dict()
    found = [(own["part"], own["other"], own["rows"]) for own in record["matches"]]
    assert found == [
        ("test", "train", 1),
        ("val", "test", 40),
        ("test", "val", 40),
        ("train", "test", 1),
    ]
    assert "1 of 50 rows of test (2.0 %) match train" in record["checks"][0]["text"]


def test_in_folds_models_train_on_all_other_parts():
    """No part is the one to train on, and matches with any other part count."""
    folds = np.arange(N_ROWS) % 5
    y = np.c_[Y, np.zeros(N_ROWS, int)]
    y[0, 8] = 1
    audit = evenfold.audit(y, folds, groups=np.arange(N_ROWS) // 2)
    record = audit.to_dict()
    assert record["train"] is None
    assert {(own["other"], own["rows"]) for own in record["matches"]} == {("other parts", 100)}
    assert any("labels in one part only: 1 of 9 (8)" in problem for problem in audit.problems)


def test_without_labels_the_rest_is_checked():
    """Labels are listed as not checked."""
    audit = evenfold.audit(None, PARTS, copies=["a", *TEXT[1:-1], "A"])
    assert audit.quality is None
    assert find_states(audit)["copies"] == "problem"
    assert "labels: not checked; pass y=" in str(audit)
    assert "contradictions" not in find_states(audit)
    assert evenfold.audit(None, PARTS).verdict == "Nothing was checked."


def test_rows_without_labels_are_audited():
    """There is nothing to learn, but copies leak."""
    audit = evenfold.audit(np.zeros((N_ROWS, 2), int), PARTS, copies=TEXT)
    assert audit.passed
    assert find_states(audit)["labels"] == "note"


@pytest.mark.parametrize(
    ("names", "sizes", "train"),
    [
        (["test", "Train"], [9, 5], 1),
        (["X_TRAIN", "X_TEST"], [5, 9], 0),
        (["train-clean", "train-other", "test"], [5, 5, 5], None),
        (["train-clean", "train-other", "rest"], [2, 3, 9], 2),
        (["part0", "part1"], [8, 2], 0),
        (["fold0", "fold1"], [5, 5], None),
        (["constrained", "strained"], [5, 5], None),
    ],
)
def test_the_part_to_train_on_is_found(names, sizes, train):
    """By its name if no other is named so, or because it has more than half of the rows."""
    assert find_sizes(names, np.array(sizes)).train == train


def test_the_page_fits_a_terminal():
    """No line is longer than 80 columns, and there are less than 60, whatever the names."""
    wild = "x" * 300
    y = [[f"{wild}{label}" for label in np.flatnonzero(row)] for row in Y]
    parts = [f"train{wild}"] * 300 + [f"test{wild}"] * 200
    groups = {f"{wild}\x1b[31m{at}": np.arange(N_ROWS) // (7 + at) for at in range(3)}
    ids = [f"{wild}{at % 300}" for at in range(N_ROWS)]
    similar = np.random.default_rng(0).normal(size=(N_ROWS, 3))
    lines = str(
        evenfold.audit(y, parts, groups=groups, copies=similar, similar=similar, ids=ids)
    ).splitlines()
    assert max(map(len, lines)) <= 80
    assert len(lines) < 60
    assert "\x1b" not in "".join(lines)


def test_plain_data_is_fit_for_json():
    """With all that can be undefined: empty parts, unknown labels, no labels."""
    y = Y.astype(float)
    y[:250, 1] = np.nan
    names = ["train", "test", "empty"]
    audit = evenfold.audit(y, (PARTS == "test").astype(int), names=names, copies=TEXT)
    record = json.loads(json.dumps(audit.to_dict(), allow_nan=False))
    assert [part["rows"] for part in record["parts"]] == [400, 100, 0]
    assert record["certificate"]["format"] == "evenfold certificate"
    assert "empty" in str(audit)


def test_notebooks_show_the_page_escaped():
    """Names come from data."""
    page = evenfold.audit(Y, PARTS, groups={"<b>": np.arange(N_ROWS) // 3})._repr_html_()
    assert "&lt;b&gt;" in page
    assert "<b>:" not in page


def test_one_part_is_refused():
    """There is nothing to compare."""
    with pytest.raises(
        InputError, match="'part_of_row' must have rows in two parts or more, got a"
    ):
        evenfold.audit(Y, ["a"] * N_ROWS)


@pytest.mark.parametrize("parts", [[], np.array([], str), np.array([])])
@pytest.mark.parametrize("names", [None, ["train", "test"]])
def test_no_rows_are_refused(parts, names):
    """Whatever type an empty array has."""
    with pytest.raises(InputError, match="'part_of_row' must have at least one row, got none"):
        evenfold.audit(None, parts, names=names)


def test_a_leak_is_described_as_in_its_certificate():
    """In the same words, but without the first rows of copies and pairs."""
    similar = np.random.default_rng(0).normal(size=(N_ROWS, 4))
    similar[450] = similar[0]
    audit = evenfold.audit(
        Y, PARTS, groups=np.arange(N_ROWS) // 3, copies=similar, similar=similar, at=0.9999999
    )
    said = [finding.text.partition(";")[0] for finding in audit.findings[:3]]
    groups, copies, pairs = (check.describe() for check in audit.certificate.checks)
    assert said == [groups, copies.partition(", first")[0], pairs.partition(", first")[0]]
    assert "is in more than one part, first 133 in train and test" in said[0]


def test_a_wrong_type_of_parts_is_refused():
    """One entry per row is needed."""
    with pytest.raises(InputTypeError, match="'part_of_row' must be the part of each row, got int"):
        evenfold.audit(Y, 5)


def test_a_split_is_audited_with_its_names():
    """As its parts by name are."""
    y = [["a"], ["b"]] * 20
    groups = np.arange(40) // 2
    s = evenfold.split(y, [0.8, 0.1, 0.1], groups=groups)
    by_name = [s.names[part] for part in s.part_of_row]
    assert (
        str(evenfold.audit(y, s)).splitlines()[1] == "40 rows in 3 parts: train 32, val 4, test 4"
    )
    assert str(evenfold.audit(y, s, groups=groups)) == str(
        evenfold.audit(y, by_name, groups=groups, names=s.names)
    )
    renamed = evenfold.audit(y, s, names=["a", "b", "c"])
    assert "a 32, b 4, c 4" in str(renamed)

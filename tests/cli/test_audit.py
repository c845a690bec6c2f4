"""`evenfold audit`: what it finds in files, with and without options."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evenfold

N_TRAIN, N_TEST = 80, 20
GENRES = ["drama", "crime|drama", "comedy", "drama|war", "comedy|romance"]


def write(path, rows, header="id,text,owner,genres"):
    """Write rows of text."""
    path.write_text("\n".join([header, *rows]) + "\n", encoding="utf-8")


def make_rows(start, stop):
    """Return rows that differ, with labels in a cycle."""
    return [f"r{at},words of row {at} here,o{at},{GENRES[at % 5]}" for at in range(start, stop)]


@pytest.fixture
def files(tmp_path):
    """Train and test without any problem."""
    write(tmp_path / "train.csv", make_rows(0, N_TRAIN))
    write(tmp_path / "test.csv", make_rows(N_TRAIN, N_TRAIN + N_TEST))
    return tmp_path


def test_a_sound_split_has_no_problem(files, command):
    """Rows are compared without any option; the labels are found."""
    done = command("audit train.csv test.csv --id id --strict")
    assert done.code == 0
    assert done.stdout.startswith("No problem found in what was checked.\n100 rows in 2 parts")
    assert "ok      copies: 100 values; each value is in one part" in done.stdout
    assert "near-duplicates: not checked; pass --text" in done.stdout
    assert "'genres' is read" in done.stderr
    assert command("audit train.csv test.csv --quiet") == (0, "", "")


def test_copies_are_found_without_options(files, command):
    """Labels, ids and groups are not compared; rows are numbered within their files."""
    rows = make_rows(N_TRAIN, N_TRAIN + N_TEST)
    rows[3] = "new,Words of  ROW 7 here,other,war"
    rows[4] = f"new2,words of row 9 here,other2,{GENRES[9 % 5]}"
    write(files / "test.csv", rows)
    done = command("audit train.csv test.csv --labels genres --id id --groups owner")
    assert done.code == 0, "without --strict"
    assert done.stdout.startswith("2 problems: copies in two parts, matches with different labels.")
    assert "2 of 20 rows of test (10.0 %)" in done.stdout.replace("\n       ", "")
    assert "contradictions: matches in two parts with different labels: 1 by copies" in done.stdout
    numbered = command("audit train.csv test.csv --labels genres --copies text --json")
    examples = json.loads(numbered.stdout)["examples"]
    assert [[row["name"] for row in own["rows"]] for own in examples] == [["7", "3"], ["9", "4"]]
    assert [own["labels_differ"] for own in examples] == [True, False]
    assert command("audit train.csv test.csv --copies text --strict").code == 1


def test_a_column_may_name_the_parts(files, command):
    """One file; its part column is not compared either."""
    rows = [f"{row},train" for row in make_rows(0, 80)]
    rows += [f"{row},test" for row in make_rows(0, 20)]
    write(files / "data.csv", rows, "id,text,owner,genres,fold")
    done = command("audit data.csv --labels genres --part-column fold --groups owner --json")
    record = json.loads(done.stdout)
    assert record["matches"][0]["rows"] == 20
    assert set(record["matches"][0]["by"]) == {"owner", "copies"}
    assert record["matches"][0]["by"]["copies"] == 20


def test_near_copies_are_found_by_option(files, command):
    """The options of link; the audit is that of Python."""
    train = [f"the same long sentence of several words number {at} stands here" for at in range(9)]
    test = [f"{train[2]} !", "another thing altogether, with nothing alike"]
    for name, texts in (("train", train), ("test", test)):
        table = {"body": texts, "tags": [["a"], ["b"], ["a", "b"]] * 3}
        table["tags"] = table["tags"][: len(texts)]
        pq.write_table(pa.table(table), files / f"{name}.parquet")
    done = command("audit train.parquet test.parquet --text body --at 0.9 --json")
    record = json.loads(done.stdout)
    tags = [["a"], ["b"], ["a", "b"]] * 3 + [["a"], ["b"]]
    parts = ["train"] * 9 + ["test"] * 2
    expected = evenfold.audit(tags, parts, copies=train + test, text=train + test, at=0.9)
    assert record["matches"] == expected.to_dict()["matches"]
    assert record["matches"][0]["by"] == {"text": 1}


def test_without_labels_the_rest_is_audited(files, command):
    """Which labels there are is not clear; that is said."""
    write(files / "a_train.csv", ["one,1", "two,2"], "text,number")
    write(files / "a_test.csv", ["One,1", "four,4"], "text,number")
    done = command("audit a_train.csv a_test.csv")
    assert done.code == 0
    assert done.stderr.startswith("Audited without labels. a_train.csv: no column looks like")
    assert "copies: 1 value is in more than one part" in done.stdout
    assert "labels: not checked; pass --labels" in done.stdout
    wrong = command("audit a_train.csv a_test.csv --labels genre")
    assert wrong.code == 1
    assert "--labels 'genre' is not a column" in wrong.stderr


def test_features_outside_of_columns_are_compared(files, command):
    """In svmlight files, rows with the same features are copies."""
    (files / "train.svm").write_text("0,1 1:0.5 3:1\n1 2:1\n0 1:2\n")
    (files / "test.svm").write_text("1 1:0.5 3:1\n0 2:3\n")
    record = json.loads(command("audit train.svm test.svm --json").stdout)
    assert record["matches"][0]["by"] == {"copies": 1}
    assert record["examples"][0]["labels_differ"]


def test_files_of_only_labels_are_audited(files, command):
    """There is nothing else to compare, which is said."""
    write(files / "train.csv", ["1,0", "0,1"] * 4, "a,b")
    write(files / "test.csv", ["1,0", "0,1"], "a,b")
    done = command("audit train.csv test.csv")
    assert "exact copies: not checked; pass --copies or --files" in done.stdout


def test_report_is_written(files, command):
    """As a page; an existing file needs --force."""
    assert command("audit train.csv test.csv --report audit.html -q").code == 0
    page = (files / "audit.html").read_text(encoding="utf-8")
    assert "evenfold audit train.csv test.csv --report audit.html -q" in page
    assert "2 files" in page
    refused = command("audit train.csv test.csv --report audit.html")
    assert refused.code == 2
    assert "--force" in refused.stderr
    assert command("audit train.csv test.csv --report audit.html --force").code == 0


def test_files_with_other_columns_are_refused(files, command):
    """Unless the columns to compare are named."""
    write(files / "test.csv", ["a,b"], "id,genres")
    done = command("audit train.csv test.csv")
    assert done.code == 1
    assert (
        "test.csv: has not the same columns as train.csv: 'text', 'owner' are in one of them only. "
        "Name the columns to compare with --copies." in done.stderr
    )
    assert command("audit train.csv test.csv --copies id").code == 0


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("audit train.csv", "Say what the parts are: --part-column COL, or one file"),
    ],
)
def test_parts_must_be_clear(files, command, line, message):
    """One file for each part, or a column."""
    done = command(line)
    assert done.code == 2
    assert message in done.stderr


def test_one_part_is_refused(files, command):
    """The option is named."""
    rows = [f"{row},train" for row in make_rows(0, 4)]
    write(files / "data.csv", rows, "id,text,owner,genres,fold")
    done = command("audit data.csv --labels genres --part-column fold")
    assert done.code == 1
    assert "--part-column must have rows in two parts or more, got train only" in done.stderr


@pytest.mark.parametrize(
    "line",
    [
        "audit a.csv b.csv",
        "audit a.csv b.csv --copies text",
        "audit a.csv --part-column part",
        "audit a.csv --part-column part --labels genres",
    ],
)
def test_files_without_rows_are_refused(files, command, line):
    """With labels or without."""
    for name in ("a.csv", "b.csv"):
        write(files / name, [], "text,genres,part")
    done = command(line)
    assert done.code == 1
    assert "evenfold: a.csv: holds no rows. Check how it was written." in done.stderr


def test_files_without_a_common_column_are_refused(files, command):
    """Also if --copies names a column."""
    (files / "a.svm").write_text("1 1:0.5\n")
    done = command("audit a.svm train.csv --copies text")
    assert done.code == 1
    assert "evenfold: train.csv: has not the same columns as a.svm: 'id', 'text'" in done.stderr


def test_embeddings_are_compared(files, command):
    """Each file has its own embeddings; one file for all could be in another order."""
    embeddings = np.random.default_rng(0).normal(size=(100, 8))
    embeddings[95] = embeddings[4]
    np.save(files / "emb.npy", embeddings)
    np.save(files / "train.npy", embeddings[:80])
    np.save(files / "test.npy", embeddings[80:])
    done = command("audit train.csv test.csv --similar emb.npy --json")
    assert done.code == 1
    assert "--similar must name one file of embeddings for each of the 2 files" in done.stderr
    told = "audit train.csv test.csv --similar train.npy --similar test.npy --json"
    record = json.loads(command(told).stdout)
    (example,) = record["examples"]
    assert [row["name"] for row in example["rows"]] == ["4", "15"]


def test_a_file_without_rows_is_no_part(files, command):
    """The message names what was given: files, or a column."""
    write(files / "test.csv", [])
    done = command("audit train.csv test.csv --labels genres -q")
    assert (done.code, done.stderr) == (
        1,
        "evenfold: DATA must have rows in two parts or more, got train only. "
        "Name a file with rows for each part.\n",
    )
    write(files / "one.csv", ["a,x,train", "b,y,train"], "text,genres,fold")
    done = command("audit one.csv --labels genres --part-column fold")
    assert "evenfold: --part-column must have rows in two parts or more" in done.stderr


def test_columns_that_are_named_like_ids_are_not_compared(files, command):
    """Copies under other ids are found without --id; it is said which column is left out."""
    rows = [f"t{number},text {number},a" for number in range(50)]
    copies = [f"x{number},text {number},a" for number in range(20)]
    (files / "one.csv").write_text("\n".join(["image_id,text,tags", *rows]) + "\n")
    (files / "two.csv").write_text("\n".join(["image_id,text,tags", *copies]) + "\n")
    done = command("audit one.csv two.csv --labels tags --strict")
    assert done.code == 1
    assert "PROBLEM copies: 20 values" in done.stdout
    assert "Rows are compared without image_id: all values differ." in done.stderr


def test_rows_that_are_equal_by_chance_are_no_copies(files, command):
    """Age and sex do not tell rows apart: it is said, and that copies were not looked for."""
    rng = np.random.default_rng(0)
    rows = [
        f"{age},{sex},{tag}"
        for age, sex, tag in zip(
            rng.integers(30, 60, 200), rng.choice(["F", "M"], 200), ["a", "b"] * 100, strict=True
        )
    ]
    write(files / "one.csv", rows[:150], "age,sex,tags")
    write(files / "two.csv", rows[150:], "age,sex,tags")
    done = command("audit one.csv two.csv --labels tags")
    assert "PROBLEM copies" not in done.stdout
    assert "exact copies: not checked; pass --copies or --files" in done.stdout
    assert "Copies are not looked for: 1" in done.stderr
    assert (
        "of 150 rows of one part are equal in age, sex. Name columns that tell rows apart with "
        "--copies.\n"
    ) in done.stderr
    asked = command("audit one.csv two.csv --labels tags --copies age,sex")
    assert "PROBLEM copies" in asked.stdout
    assert "not looked for" not in asked.stderr


def test_a_part_that_repeats_another_has_copies(files, command):
    """The rows of each part differ, so the columns tell them apart."""
    for name in ("one.csv", "two.csv", "three.csv"):
        write(files / name, [f"{at},{'ab'[at % 2]}" for at in range(50)], "size,tags")
    done = command("audit one.csv two.csv three.csv --labels tags")
    assert "PROBLEM copies: 50 values are in more than one part" in done.stdout

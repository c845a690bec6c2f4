"""Paths of fields such as ann.labels, in place of columns in every option."""

import json
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest

import evenfold

from ..files.made_files import GENRES, N_ROWS, PATIENT
from ..files.struct_files import STRUCT_WRITERS, make_rows, make_struct_table
from .read_back import names_of
from .refusals import read_all

AGE = np.arange(N_ROWS) * 7 % 30
WORDS = "--labels ann.labels --groups meta.patient --balance meta.age"


@pytest.fixture(params=STRUCT_WRITERS)
def data(request, tmp_path):
    """The name of a file of each format with structs."""
    STRUCT_WRITERS[request.param](tmp_path / request.param)
    return request.param


def test_a_split_by_paths_is_that_of_python(data, command):
    """Labels, groups, balance and ids; parts keep all structs, and can be checked again."""
    done = command(
        f"split {data} {WORDS} --id meta.id --folds 3 -o out --indices rows.json "
        "--manifest m.json --seed 2"
    )
    assert done.code == 0, done.stderr
    s = evenfold.split(GENRES, 3, groups=PATIENT, balance={"meta.age": AGE}, random_state=2)
    ids = json.loads(Path("rows.json").read_text())
    assert ids == {name: [f"r{row}" for row in s[name]] for name in s.names}
    assert command(f"check {data} --manifest m.json").code == 0
    if data != "saved":
        parts = " ".join(f"out/{name}{Path(data).suffix}" for name in s.names)
        found = command(f"check {parts} --labels ann.labels --groups meta.patient --id meta.id")
        assert found.code == 0, found.stderr
        audited = command(f"audit {parts} --labels ann.labels --strict")
        assert "copies: 40 values; each value is in one part" in audited.stdout
        assert "Rows are compared without meta.id: all values differ." in audited.stderr


def test_patterns_of_paths_name_several_label_columns(data, command):
    """Their labels are called by their paths."""
    done = command(f"split {data} --labels ann.[aw]* --folds 2 --indices rows.npy")
    assert done.code == 0, done.stderr
    y = np.array([["war" in genres, at % 2] for at, genres in enumerate(GENRES)], int)
    assert np.load("rows.npy").tolist() == evenfold.split(y, 2).part_of_row.tolist()
    record = json.loads(command(f"info {data} --labels ann.[aw]* --json").stdout)
    assert {entry["label"] for entry in record["commonest"]} == {"ann.war", "ann.art"}


def test_fields_of_lists_of_structs_are_labels(data, command):
    """As of images with a list of boxes."""
    assert command(f"split {data} --labels objects.genre --folds 2 --indices rows.npy").code == 0
    assert np.load("rows.npy").tolist() == evenfold.split(GENRES, 2).part_of_row.tolist()


def test_other_options_take_paths(data, command):
    """Patterns in groups, items of --long, copies, texts and features."""
    assert command(f"info {data} --labels ann.labels --groups", r"meta.patient:^(p\d)").code == 0
    done = command(f"split {data} --long meta.patient,meta.place.site --folds 2 --indices i.npy")
    assert done.code == 0, done.stderr
    sites = [
        [str(at % 3) for at in range(N_ROWS) if PATIENT[at] == p] for p in dict.fromkeys(PATIENT)
    ]
    assert np.load("i.npy").tolist() == evenfold.split(sites, 2).part_of_row.tolist()
    linked = command(f"link {data} --groups meta.patient --copies ann.labels,meta.age")
    assert linked.stderr.startswith("40 rows in "), linked.stderr
    done = command(
        f"evaluate {data} --labels ann.labels --features meta.age,ann.art --learner br:tree "
        "--method random --folds 2 --repeats 1"
    )
    assert done.code == 0, done.stderr


def test_a_column_of_parts_may_be_a_field(tmp_path, command):
    """It is read by check and extend, which write new parts elsewhere."""
    names = names_of(evenfold.split(GENRES, 2, groups=PATIENT))
    rows = [
        {**row, "meta": {**row["meta"], "fold": names[at]}} for at, row in enumerate(make_rows())
    ]
    pq.write_table(make_struct_table(rows), tmp_path / "data.parquet")
    words = "data.parquet --labels ann.labels --groups meta.patient --part-column meta.fold"
    assert command(f"check {words}").code == 0
    rows[3]["meta"]["fold"] = None
    pq.write_table(make_struct_table(rows), tmp_path / "data.parquet")
    before = read_all(tmp_path)
    done = command(f"extend {words} -o out.parquet")
    assert (done.code, done.stdout) == (1, "")
    assert "'meta.fold' is a field of a struct, which cannot be filled. Name a new" in done.stderr
    assert read_all(tmp_path) == before
    assert command(f"extend {words} -o out.parquet --column fold").code == 0
    found = pq.read_table(tmp_path / "out.parquet").column("fold").to_pylist()
    assert found[:3] + found[4:] == names[:3] + names[4:]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "--labels ann.label",
            "Fields of 'ann': ann.labels, ann.war, ann.art. Did you mean 'ann.l",
        ),
        ("--labels an.labels", "Columns: title, ann, meta, objects."),
        ("--labels ann.x*", "--labels 'ann.x*' is not a column of"),
        ("--labels ann", "Name a field of them: ann.labels, ann.war, ann.art."),
        ("--labels objects", "Name a field of them: objects.genre, objects.box."),
        (
            "--labels ann.labels --groups meta",
            "Name a field of them: meta.patient, meta.id, meta.age",
        ),
        ("--labels ann.labels --groups meta.pat", "Did you mean 'meta.patient'?"),
        ("--labels ann.labels --id meta.age.x", "--id 'meta.age.x' is not a column of"),
        ("--labels ann.labels --balance meta.aeg", "Did you mean 'meta.age'?"),
        ("--labels ann.labels --groups objects.genre", "must hold one name or number in each row"),
        ("--labels ann.labels,ann.war", "'ann.labels' holds list"),
        ("--labels meta.id --long meta.id,ann", "--long names the column of labels"),
    ],
)
def test_wrong_paths_are_refused(data, tmp_path, command, words, message):
    """One message, and nothing is written."""
    before = read_all(tmp_path)
    done = command(f"split {data} {words} --folds 2 -o out/ --manifest m.json")
    assert done.code in (1, 2)
    assert done.stdout == ""
    assert message in done.stderr
    assert read_all(tmp_path) == before


@pytest.mark.parametrize("name", ["data.parquet", "data.feather", "data.jsonl", "data.json"])
def test_a_damaged_file_is_refused(tmp_path, command, name):
    """Cut off in the middle, it gives one message that names it."""
    STRUCT_WRITERS[name](tmp_path / name)
    content = (tmp_path / name).read_bytes()
    (tmp_path / name).write_bytes(content[: len(content) // 2])
    before = read_all(tmp_path)
    done = command(f"split {name} {WORDS} --folds 2 -o out/")
    assert (done.code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert done.stderr.startswith(f"evenfold: {name}: ")
    assert read_all(tmp_path) == before


def test_paths_are_read_past_memory(tmp_path, command):
    """In one process and by an engine, with labels in memory and without."""
    (tmp_path / "many").mkdir()
    table = make_struct_table()
    for at in range(2):
        pq.write_table(table.slice(at * 20, 20), tmp_path / "many" / f"{at}.parquet")
    flat = table.flatten()
    for at in range(2):
        (tmp_path / "flat").mkdir(exist_ok=True)
        pq.write_table(flat.slice(at * 20, 20), tmp_path / "flat" / f"{at}.parquet")
    for memory in ("1GB", "0"):
        for data in ("many", "flat"):
            done = command(
                f"split {data} {WORDS} --engine sync --memory {memory} --folds 2 "
                f"-o {data}-{memory}/"
            )
            assert done.code == 0, done.stderr
        written = [pq.read_table(tmp_path / f"{data}-{memory}") for data in ("many", "flat")]
        assert written[0].column("part").equals(written[1].column("part"))
        assert written[0].column("meta").equals(table.column("meta"))
    before = read_all(tmp_path)
    done = command("split many --labels ann.lables --engine sync --folds 2 -o new/")
    assert (done.code, done.stdout) == (1, "")
    assert (
        "Fields of 'ann': ann.labels, ann.war, ann.art. Did you mean 'ann.labels'?" in done.stderr
    )
    assert read_all(tmp_path) == before

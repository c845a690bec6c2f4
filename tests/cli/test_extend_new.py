"""`evenfold extend OLD --new NEW`: an old split and a file of new rows, in every form."""

import json
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import evenfold

from ..files.made_files import GENRES, N_ROWS, PATIENT, make_table, write_csv
from .refusals import check_refusal

N_OLD = 30
OLD = evenfold.split(GENRES[:N_OLD], [0.6, 0.2, 0.2])
NAMES = [OLD.names[part] for part in OLD.part_of_row]


@pytest.fixture(autouse=True)
def files(tmp_path):
    """An old split with a column, its data without one, one file for each part, and new rows."""
    write_csv(tmp_path / "old.csv", rows=range(N_OLD), extra=("part", NAMES))
    write_csv(tmp_path / "raw.csv", rows=range(N_OLD))
    write_csv(tmp_path / "new.csv", rows=range(N_OLD, N_ROWS))
    (tmp_path / "parts").mkdir()
    for name in OLD.names:
        write_csv(tmp_path / "parts" / f"{name}.csv", rows=OLD[name].tolist())


def extend_in_python(order=range(N_OLD), **options):
    """Return the part of each row, old rows in some order first, by evenfold.extend."""
    rows = [*order, *range(N_OLD, N_ROWS)]
    parts = [NAMES[row] if row < N_OLD else None for row in rows]
    s = evenfold.extend(parts, [GENRES[row] for row in rows], **options)
    return {row: s.names[part] for row, part in zip(rows, s.part_of_row, strict=True)}


def read_parts(path, column="part"):
    """Return the part of each row by its id."""
    frame = pd.read_csv(path) if Path(path).suffix == ".csv" else pd.read_parquet(path)
    assert sorted(frame["id"]) == list(range(N_ROWS))
    return dict(zip(frame["id"], frame[column], strict=True))


def test_new_rows_join_a_file_with_a_column_of_parts(command):
    """The column part is taken if none is named; it is filled, and every old byte stays."""
    done = command("extend old.csv --labels genres --new new.csv -o out.csv")
    assert done.code == 0, done.stderr
    assert "The parts are those of the column 'part'.\n" in done.stderr
    assert "10 new rows placed, 30 left where they were.\n" in done.stderr
    assert read_parts("out.csv") == extend_in_python()
    old, out = Path("old.csv").read_bytes(), Path("out.csv").read_bytes()
    assert out.startswith(old)
    bare = b"".join(line.rpartition(b",")[0] + b"\n" for line in out[len(old) :].splitlines())
    assert Path("new.csv").read_bytes().endswith(bare)


def test_the_column_may_have_any_name_and_place(command, tmp_path):
    """And the new file may have it, and may be in several files."""
    frame = pd.read_csv("old.csv").rename(columns={"part": "fold"})
    frame[["fold", *frame.columns[:-1]]].to_csv("first.csv", index=False)
    new = pd.read_csv("new.csv")
    new[:4].to_csv("new1.csv", index=False)
    new[4:].assign(fold=None)[["fold", *new.columns]].to_csv("new2.csv", index=False)
    words = "extend first.csv --part-column fold --labels genres --new new1.csv --new new2.csv"
    done = command(f"{words} -o out.csv --column now")
    assert done.code == 0, done.stderr
    assert "The parts are" not in done.stderr
    assert read_parts("out.csv", "now") == extend_in_python()
    assert command(f"{words} -o filled.csv").code == 0
    assert read_parts("filled.csv", "fold") == extend_in_python()
    assert list(pd.read_csv("filled.csv").columns) == ["fold", *new.columns]


@pytest.mark.parametrize("data", ["parts", "parts/train.csv parts/val.csv parts/test.csv"])
def test_new_rows_join_one_file_for_each_part(data, command):
    """A folder that is named alone gives the usual order of parts; both outputs hold all rows."""
    order = [row for name in OLD.names for row in OLD[name].tolist()]
    expected = extend_in_python(order)
    done = command(f"extend {data} --labels genres --new new.csv -o more/ --indices rows.json")
    assert done.code == 0, done.stderr
    assert "Each file is a part: train, val, test.\n" in done.stderr
    found = {
        row: name for name in OLD.names for row in pd.read_csv(f"more/{name}.csv")["id"].tolist()
    }
    assert found == expected
    rows = [*order, *range(N_OLD, N_ROWS)]
    indices = json.loads(Path("rows.json").read_text())
    assert {rows[at]: name for name, own in indices.items() for at in own} == expected
    assert command(f"extend {data} --labels genres --new new.csv -o out.csv -q").code == 0
    assert read_parts("out.csv") == expected


def test_new_rows_join_the_data_of_a_manifest(command):
    """The options of its command are remembered, so that groups stay whole."""
    words = "split raw.csv --labels genres --groups patient --parts 60,20,20 --manifest old.json"
    assert command(words).code == 0
    saved = evenfold.load_split("old.json", GENRES[:N_OLD])
    done = command(
        "extend raw.csv --from-manifest old.json --new new.csv -o out.csv --manifest m.json --json"
    )
    assert done.code == 0, done.stderr
    expected = evenfold.extend(saved, GENRES, groups=PATIENT)
    found = read_parts("out.csv")
    assert [found[row] for row in range(N_ROWS)] == [
        expected.names[part] for part in expected.part_of_row
    ]
    assert (expected.part_of_row[:N_OLD] == saved.part_of_row).all()
    assert command("check out.csv --from-manifest m.json").code == 0
    again = command("extend out.csv --from-manifest m.json --column again -o same.csv")
    assert "0 new rows placed, 40 left where they were." in again.stderr
    write_csv(Path("all.csv"))
    assert command("extend all.csv --from-manifest old.json --indices rows.npy").code == 0


def test_a_manifest_remembers_its_column_of_parts(command):
    """It is filled if the data has it, and else added under this name."""
    words = "split raw.csv --labels genres --folds 2 --column fold -o old2.csv --manifest old.json"
    assert command(words).code == 0
    for data in ("old2.csv", "raw.csv"):
        done = command(f"extend {data} --from-manifest old.json --new new.csv -o out.csv --force")
        assert done.code == 0, done.stderr
        assert sorted(read_parts("out.csv", "fold").values()) == ["fold0"] * 20 + ["fold1"] * 20


def test_new_parquet_rows_get_the_types_of_the_old_ones(command):
    """A column of categories is filled too; integers may be smaller."""
    table = make_table()
    part = pa.array(NAMES).dictionary_encode()
    pq.write_table(table[:N_OLD].append_column("part", part), "old.parquet")
    new = table[N_OLD:]
    age = new.schema.get_field_index("age")
    new = new.set_column(age, "age", new["age"].cast(pa.int8()))
    pq.write_table(new.select(["title", "id", "patient", "age", "genres"]), "new.parquet")
    done = command("extend old.parquet --new new.parquet -o out.parquet")
    assert done.code == 0, done.stderr
    assert read_parts("out.parquet") == extend_in_python()
    out = pq.read_table("out.parquet")
    assert out.schema.equals(pq.read_schema("old.parquet"))
    assert out.drop(["part"]).equals(table)
    pq.write_table(new.set_column(age, "age", pa.array(["x"] * 10)), "new.parquet")
    done = command("extend old.parquet --new new.parquet -o more.parquet")
    check_refusal(
        done,
        1,
        "new.parquet: the column 'age' is string here and int64 in old.parquet. Write both with "
        "one type.",
    )


@pytest.mark.parametrize("suffix", ["jsonl", "json", "xlsx", "db", "feather"])
def test_other_formats_take_new_rows_too(suffix, command):
    """The old file with the column, and the new one without it, are converted from parquet."""
    table = make_table()
    pq.write_table(table[:N_OLD].append_column("part", pa.array(NAMES)), "old.parquet")
    pq.write_table(table[N_OLD:], "new.parquet")
    for name in ("old", "new"):
        frame = pq.read_table(f"{name}.parquet").to_pandas()
        frame["genres"] = ["|".join(own) for own in frame["genres"]]
        frame.to_csv(f"{name}_text.csv", index=False)
        words = f"sample {name}_text.csv --labels genres -n {len(frame)} -o {name}_text.{suffix} -q"
        source = f"{name}_text.csv"
        made = command(f"split {source} --labels genres --folds 2 --column x -o {name}.{suffix} -q")
        assert made.code == 0, (words, made.stderr)
    done = command(f"extend old.{suffix} --labels genres --new new.{suffix} -o out.{suffix}")
    assert done.code == 0, done.stderr
    converted = command(f"split out.{suffix} --labels genres --folds 2 --column y -o out.csv -q")
    assert converted.code == 0, converted.stderr
    assert read_parts("out.csv") == extend_in_python()


def test_paths_are_looked_up_beside_their_file(command, tmp_path):
    """Also those of new rows, which are read from a copy."""
    (tmp_path / "later").mkdir()
    for at in range(N_ROWS):
        folder = tmp_path if at < N_OLD else tmp_path / "later"
        (folder / f"{at}.txt").write_text(str(at % 20))
    frame = pd.read_csv("old.csv").assign(file=[f"{at}.txt" for at in range(N_OLD)])
    frame["part"] = ["train" if at % 20 < 12 else "test" for at in range(N_OLD)]
    frame.to_csv("old.csv", index=False)
    new = pd.read_csv("new.csv").assign(file=[f"{at}.txt" for at in range(N_OLD, N_ROWS)])
    new.to_csv("later/new.csv", index=False)
    done = command("extend old.csv --labels genres --files file --new later/new.csv -o out.csv")
    assert done.code == 0, done.stderr
    found = read_parts("out.csv")
    assert all(found[at] == found[at - 20] for at in range(N_OLD, N_ROWS))


REFUSED = {
    "a part without rows": (
        "extend parts --new new.csv --labels genres -q",
        1,
        "DATA must have rows in every part, got none in 'val'. Give the sizes wanted with --parts.",
    ),
    "no parts": (
        "extend raw.csv --new new.csv",
        1,
        "raw.csv: does not say which row is in which part: no column is 'part'. Name one with "
        "--part-column, the record of the split with --from-manifest, or one file for each part. "
        "Columns: id, title, patient, age, genres.",
    ),
    "a manifest as data": (
        "extend old.json --new new.csv",
        1,
        "old.json: is the record of a split. Name the data of the split as DATA, and the record "
        "with --from-manifest old.json.",
    ),
    "columns that the new rows lack": (
        "extend old.csv --new few.csv",
        1,
        "few.csv: lacks 'genres' and has also 'more', unlike old.csv. Write new rows with the "
        "columns of the old ones; 'part' may be missing.",
    ),
    "another format": (
        "extend old.csv --new new.parquet",
        1,
        "new.parquet: is in the format parquet, old.csv in csv. Name files of one format.",
    ),
    "files that name parts themselves": (
        "extend old.csv raw.csv --new new.csv",
        1,
        "old.csv: has a column 'part', so DATA is not taken for one file for each part. Write "
        "--part-column part if it names the parts. Put a pattern of new files in quotes: --new "
        "'new/*.csv'.",
    ),
    "a folder of other files": (
        "extend others --new new.csv",
        1,
        "DATA must be the output folder of a finished split",
    ),
    "parts said twice": (
        "extend old.csv --new new.csv --part-column part --from-manifest old.json",
        2,
        "--part-column and --from-manifest both say what the parts are. Give one of them.",
    ),
    "nothing that says what is new": (
        "extend old.csv",
        2,
        "Missing option '--part-column'. Or are the new rows in another file? Then name it with "
        "--new.",
    ),
    "lines of items in files of parts": (
        "extend parts --new new.csv --long id,genres",
        2,
        "--long does not go with one file for each part. Name the data before the split, and its "
        "record with --from-manifest.",
    ),
    "other old rows than recorded": (
        "extend parts/train.csv --from-manifest old.json --new new.csv",
        1,
        "the labels must",
    ),
    "an output that is an input": (
        "extend old.csv --labels genres --new new.csv -o new.csv --force",
        2,
        "new.csv: is the input, which is never written.",
    ),
}


@pytest.mark.parametrize(("words", "code", "message"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_old_split_with_new_rows_is_refused(words, code, message, command, tmp_path):
    """With one message that says what to do, and nothing is written."""
    assert command("split raw.csv --labels genres --folds 2 --manifest old.json").code == 0
    if "parts" in words:
        write_csv(tmp_path / "parts" / "val.csv", rows=[])
    frame = pd.read_csv("new.csv").rename(columns={"genres": "more"})
    frame.to_csv("few.csv", index=False)
    pq.write_table(make_table()[N_OLD:], "new.parquet")
    (tmp_path / "others").mkdir()
    for at in range(2):
        write_csv(tmp_path / "others" / f"monday{at}.csv")
    before = sorted(tmp_path.rglob("*"))
    check_refusal(command(words), code, message)
    assert sorted(tmp_path.rglob("*")) == before

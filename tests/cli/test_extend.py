"""`evenfold extend`: new rows are placed, old rows stay."""

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet
import pytest

import evenfold
from evenfold.files.registry import open_data

from ..files.made_files import (
    GENRES,
    N_ROWS,
    PATIENT,
    make_table,
    write_csv,
    write_huggingface,
)


def read_column(path, at=-1):
    """Return a column of a csv file whose last columns have no commas."""
    return [line.split(",")[at] for line in Path(path).read_text(encoding="utf-8").splitlines()[1:]]


def test_new_rows_join_as_in_python(command, tmp_path):
    """With the old rows first, the result is that of `evenfold.extend` for a `Split`."""
    old = evenfold.split(GENRES[:30], [0.7, 0.3])
    parts = [old.names[part] for part in old.part_of_row] + [""] * 10
    data = write_csv(tmp_path / "data.csv", extra=("fold", parts))
    done = command(
        f"extend {data} --labels genres --part-column fold --parts 0.7,0.3 -o out.csv --seed 2"
    )
    assert done.code == 0
    assert "10 new rows placed, 30 left where they were." in done.stderr
    more = evenfold.extend(old, GENRES, random_state=2)
    assert read_column("out.csv") == [more.names[part] for part in more.part_of_row]


def test_cover_is_that_of_python(command, tmp_path):
    """The option of `extend` is its argument."""
    parts = ["train", "val", "train", "", "test"] * (N_ROWS // 5)
    data = write_csv(tmp_path / "data.csv", extra=("fold", parts))
    done = command(f"extend {data} --labels genres --part-column fold --cover 3 -o out.csv")
    more = evenfold.extend([part or None for part in parts], GENRES, cover=3)
    assert read_column("out.csv") == [more.names[part] for part in more.part_of_row]
    assert more.origin.describe_cover() in " ".join(done.stderr.split())


def test_old_rows_may_be_anywhere_and_stay(command, tmp_path):
    """By default sizes are in proportion to the old rows; parts may be numbers."""
    parts = ["" if at % 3 == 0 else str(at % 2) for at in range(N_ROWS)]
    data = write_csv(tmp_path / "data.csv", extra=("fold", parts))
    assert (
        command(
            f"extend {data} --labels genres --part-column fold --column new -o out.csv "
            "--manifest m.json"
        ).code
        == 0
    )
    new = read_column("out.csv")
    assert all(now == then for now, then in zip(new, parts, strict=True) if then)
    assert sorted(map(new.count, "01")) == [20, 20]
    assert evenfold.load_split("m.json", GENRES).names == ("0", "1")


def test_new_rows_join_their_group(command, tmp_path):
    """Groups stay whole even if sizes suffer."""
    parts = [("a" if at < 20 else "b") if at % 4 == 0 else "" for at in range(N_ROWS)]
    data = write_csv(tmp_path / "data.csv", extra=("fold", parts))
    done = command(
        f"extend {data} --labels genres --part-column fold --groups patient --column new -o out.csv"
    )
    assert done.code == 0
    part_of = {own: part for own, part in zip(PATIENT, parts, strict=True) if part}
    assert read_column("out.csv") == [part_of[own] for own in PATIENT]


def test_a_part_that_has_outgrown_its_share_gets_no_new_row(command, tmp_path):
    """The other parts share the new rows."""
    parts = ["" if at >= 32 else "b" if at % 16 == 0 else "a" for at in range(N_ROWS)]
    data = write_csv(tmp_path / "data.csv", extra=("fold", parts))
    assert (
        command(
            f"extend {data} --labels genres --part-column fold --parts a=0.5,b=0.5 -o out.csv"
        ).code
        == 0
    )
    assert read_column("out.csv") == [part or "b" for part in parts]


def test_a_part_without_old_rows_can_be_added(command, tmp_path):
    """--parts names it with its size."""
    parts = ["train" if at < 10 else "" for at in range(N_ROWS)]
    data = write_csv(tmp_path / "data.csv", extra=("fold", parts))
    done = command(
        f"extend {data} --labels genres --part-column fold --parts train=0.75,test=0.25 --json -q"
    )
    record = json.loads(done.stdout)
    assert (record["names"], record["sizes"]) == (["train", "test"], [30, 10])


def empty_some(table):
    """Return a table with a column of parts, every third one missing, and the parts."""
    parts = [None if at % 3 == 0 else f"fold{at % 2}" for at in range(N_ROWS)]
    return table.append_column("fold", pa.array(parts)), parts


def write_hf(table, path):
    """Write a dataset folder of a table."""
    write_huggingface(path, table)


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("data.parquet", pa.parquet.write_table),
        ("data.feather", pa.feather.write_feather),
        (
            "data.jsonl",
            lambda table, path: path.write_text(
                "".join(json.dumps(row) + "\n" for row in table.to_pylist())
            ),
        ),
        ("hf", write_hf),
        (
            "coded.parquet",
            lambda table, path: pa.parquet.write_table(
                table.set_column(5, "fold", table["fold"].dictionary_encode()), path
            ),
        ),
    ],
)
def test_the_column_is_filled_where_it_was_empty(name, write, command, tmp_path):
    """Order and types of all columns, and all other values, stay as they were."""
    table, parts = empty_some(make_table())
    write(table, tmp_path / name)
    out = f"out{Path(name).suffix}"
    done = command(f"extend {name} --labels genres --part-column fold -o {out} --indices parts.npy")
    assert done.code == 0
    before, after = (
        pa.Table.from_batches(list(open_data(path).read_batches(table.column_names)))
        for path in (name, out)
    )
    assert after.schema == before.schema
    assert after.drop_columns("fold") == before.drop_columns("fold")
    placed = [f"fold{part}" for part in np.load("parts.npy")]
    assert after["fold"].to_pylist() == placed
    assert all(now == then for now, then in zip(placed, parts, strict=True) if then)


def test_only_the_empty_cells_of_a_csv_file_change(command, tmp_path):
    """Quotes before the column are kept; a quoted empty cell is empty too."""
    data = tmp_path / "data.csv"
    rows = [
        '1,"a, ""b""",,x|y',
        '2,"c",one,',
        '3,,"",y',
        "4,d,two,x",
        '5,"e,",one,x|y',
        "6,f,two,y",
    ]
    data.write_bytes("\r\n".join(["id,text,fold,tags", *rows, ""]).encode())
    assert (
        command(f"extend {data} --labels tags --separator '|' --part-column fold -o out.csv").code
        == 0
    )
    after = Path("out.csv").read_bytes().decode().split("\r\n")
    first, third = (
        after[at].removeprefix(start).removesuffix(end)
        for at, start, end in ((1, '1,"a, ""b""",', ",x|y"), (3, "3,,", ",y"))
    )
    assert {first, third} == {"one", "two"}
    assert [row for row in after[1:-1] if row in rows] == [rows[at] for at in (1, 3, 4, 5)]


def test_a_key_that_is_not_there_is_added(command, tmp_path):
    """Objects of new rows get the key; the others stay byte for byte."""
    lines = [
        '{"tags": ["a"], "fold": "x"}',
        '{"fold": null , "tags":["b"]}',
        '{"tags": ["a" ]}',
        '{"tags": ["b"], "fold": "y"}',
    ]
    (tmp_path / "data.jsonl").write_text("\n".join(lines) + "\n")
    assert command("extend data.jsonl --labels tags --part-column fold -o out.jsonl").code == 0
    after = Path("out.jsonl").read_text().splitlines()
    assert (after[0], after[3]) == (lines[0], lines[3])
    assert {json.loads(after[1])["fold"], json.loads(after[2])["fold"]} == {"x", "y"}
    assert after[2].startswith('{"tags": ["a" ], "fold": ')


def test_parts_that_are_no_text_are_refused(command):
    """Such names could not be written into the column again."""
    parts = pa.array(
        [None if at % 3 == 0 else bytes([200 + at % 2]) for at in range(N_ROWS)], pa.binary()
    )
    pa.feather.write_feather(make_table().append_column("fold", parts), "data.feather")
    done = command("extend data.feather --labels genres --part-column fold -o out.feather")
    assert done.code == 1
    assert (
        "data.feather: --part-column 'fold' must hold names or numbers, "
        "got bytes that are no text. Name another column." in done.stderr
    )

"""`evenfold split`: label columns, hierarchies, groups and formats that it reads."""

import json
import os
import uuid
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest

import evenfold

from ..files.made_files import (
    GENRES,
    MATRIX,
    N_ROWS,
    PATIENT,
    WRITERS,
    list_text_rows,
    make_table,
    write_coco,
    write_csv,
    write_duckdb,
    write_parquet,
    write_xlsx,
)
from .read_back import names_of, read_parts


def test_label_columns_by_pattern_name_or_repetition(command, tmp_path):
    """Names with commas between them, a pattern, or the option given twice."""
    data = tmp_path / "flags.csv"
    lines = [
        "note,g_a,g_b,other",
        *(f"n{at},{at % 2},{int(at % 3 == 0)},{at % 5}" for at in range(30)),
    ]
    data.write_text("\n".join(lines) + "\n")
    expected = names_of(evenfold.split([[at % 2, int(at % 3 == 0)] for at in range(30)], 3))
    for number, words in enumerate(
        (["--labels", "g_a,g_b"], ["--labels", "g_*"], ["--labels", "g_a", "--labels", "g_b"])
    ):
        assert (
            command(f"split {data}", *words, "--folds", "3", "-o", f"{number}.csv", "-q").code == 0
        )
        assert read_parts(Path(f"{number}.csv")) == expected


def test_blanks_around_a_name_of_a_column_may_be_given(command, tmp_path):
    """Blanks in the column name are kept; others are removed."""
    (tmp_path / "data.csv").write_text("c, a,b\n" + "1,1,0\n0,0,1\n" * 5)
    for labels in (
        ["--labels", " a", "--labels", "b"],
        ["--labels", " a, b"],
        ["--labels", " *a,b"],
    ):
        done = command("split data.csv", *labels, "--folds", "2", "--json")
        assert (done.code, json.loads(done.stdout)["sizes"]) == (0, [5, 5])


def test_a_hierarchy_adds_ancestors_first(command, tmp_path):
    """The split is that of the labels with all ancestors."""
    data = write_csv(tmp_path / "data.csv")
    parents = tmp_path / "parents.csv"
    parents.write_text("label,parent\ncrime,dark\nwar,dark\n")
    done = command(f"split {data} --labels genres --propagate {parents} --folds 2 --json -q")
    record = json.loads(done.stdout)
    assert {row["label"] for row in record["quality"]["per_label"]} >= {"dark", "war"}
    assert (
        record["fingerprint"]
        == evenfold.split(
            evenfold.labels.propagate(GENRES, {"crime": "dark", "war": "dark"}), 2
        ).fingerprint
    )


def test_a_hierarchy_holds_for_labels_that_are_numbers(command, tmp_path):
    """The split is that of the same labels as text."""
    (tmp_path / "data.svm").write_text("".join(f"{at % 4} 1:{at}\n" for at in range(40)))
    (tmp_path / "parents.csv").write_text("label,parent\n0,10\n1,10\n2,11\n3,11\n")
    done = command(
        "split",
        tmp_path / "data.svm",
        "--propagate",
        tmp_path / "parents.csv",
        "--folds",
        "2",
        "--json",
        "-q",
    )
    closed = evenfold.labels.propagate(
        [[str(at % 4)] for at in range(40)], {"0": "10", "1": "10", "2": "11", "3": "11"}
    )
    assert json.loads(done.stdout)["fingerprint"] == evenfold.split(closed, 2).fingerprint


def test_only_text_files_have_their_numbers_guessed(command, tmp_path):
    """Text in parquet is always categories, as in Python."""
    zips = [["7", "11", "30"][at % 3] for at in range(N_ROWS)]
    expected = names_of(evenfold.split(GENRES, 3, balance={"zip": zips}))
    for kind in (pa.string(), pa.large_string(), pa.dictionary(pa.int32(), pa.string())):
        pq.write_table(
            pa.table({"genres": GENRES, "zip": pa.array(zips).cast(kind)}),
            tmp_path / "data.parquet",
        )
        assert (
            command(
                "split",
                tmp_path / "data.parquet",
                "--balance",
                "zip",
                "--folds",
                "3",
                "-o",
                "out.parquet",
                "--force",
                "-q",
            ).code
            == 0
        )
        assert pq.read_table("out.parquet").column("part").to_pylist() == expected


def test_text_labels_of_npz_are_cut_whether_named_or_not(command, tmp_path):
    """The separator found is printed."""
    np.savez(tmp_path / "data.npz", labels=["|".join(own) for own in GENRES])
    results = [
        command("split data.npz", *named, "--folds", "2", "--json")
        for named in ([], ["--labels", "labels"])
    ]
    assert [done.code for done in results] == [0, 0]
    assert results[0].stdout == results[1].stdout
    assert "Each cell of 'labels' is cut at '|'." in results[0].stderr


@pytest.mark.parametrize(("delimiter", "shown"), [(";", "';'"), ("\t", "tabs")])
def test_another_delimiter_is_found_said_and_kept(delimiter, shown, command, tmp_path):
    """The split is that of the same labels; every command that opens a file says so."""
    data = write_csv(tmp_path / "data.csv", delimiter)
    said = f"The cells of {data} are separated by {shown}."
    done = command(f"split {data} --labels genres --folds 2 -o parts --indices parts.npy")
    assert (done.code, said in done.stderr.splitlines()) == (0, True)
    assert np.load("parts.npy").tolist() == evenfold.split(GENRES, 2).part_of_row.tolist()
    assert Path("parts/fold0.csv").read_text().splitlines()[0] == delimiter.join(
        ["id", "title", "patient", "age", "genres"]
    )
    for words in (
        f"info {data} --labels genres",
        f"link {data} --groups patient",
        "check parts/fold0.csv parts/fold1.csv --labels genres",
        "audit parts/fold0.csv parts/fold1.csv --labels genres",
    ):
        assert f"are separated by {shown}." in command(words).stderr, words
        assert command(words + " -q").stderr == ""


def test_a_table_of_a_workbook_or_database_is_named_after_two_colons(command, tmp_path):
    """The split is that from Python; parts that are sheets are checked by their names."""
    header, *rows = list_text_rows()
    sheets = {"Old": [header, rows[0]], "Films": [header, *rows]}
    write_xlsx(tmp_path / "data.xlsx", sheets)
    write_duckdb(write_duckdb(tmp_path / "data.db", "old films"), "films")
    expected = evenfold.split(GENRES, 2, groups=PATIENT).part_of_row.tolist()
    for number, data in enumerate(("data.xlsx::Films", "data.db::films")):
        words = f"--labels genres --groups patient --folds 2 --indices {number}.npy"
        assert command(f"split {data} {words} -q").code == 0
        assert np.load(f"{number}.npy").tolist() == expected
    done = command("check 'data.xlsx::Old' 'data.xlsx::Films' --labels genres --json")
    assert [part["part"] for part in json.loads(done.stdout)["quality"]["per_part"]] == [
        "Old",
        "Films",
    ]


def test_amounts_of_coco_are_kept_even_too(command, tmp_path):
    """The split is that of a matrix of amounts as `balance`."""
    data = write_coco(tmp_path / "data.json")
    assert command(f"split {data} --folds 2 --amounts --indices parts.npy").code == 0
    assert (
        np.load("parts.npy").tolist()
        == evenfold.split(MATRIX, 2, balance=2 * MATRIX).part_of_row.tolist()
    )


def test_a_glob_of_parquet_files_is_one_table(command, tmp_path):
    """Files are read in the order of their names."""
    WRITERS["parquet_folder"](tmp_path / "many")
    assert command("split 'many/*.parquet' --folds 2 --indices parts.npy").code == 0
    assert np.load("parts.npy").tolist() == evenfold.split(MATRIX, 2).part_of_row.tolist()
    refused = command("split 'many/*.parquet' --folds 2 -o many/part-0.parquet --force")
    assert refused.code == 2
    assert "is the input, which is never written" in refused.stderr


def test_the_label_list_of_arff_may_have_another_name(command, tmp_path):
    """Every file written gets a label list of its own."""
    data = WRITERS["data.arff"](tmp_path / "data.arff")
    (tmp_path / "data.xml").rename(tmp_path / "all.xml")
    assert command(f"split {data} --xml all.xml --folds 2 -o parts --indices parts.npy").code == 0
    assert np.load("parts.npy").tolist() == evenfold.split(MATRIX, 2).part_of_row.tolist()
    assert sorted(path.name for path in Path("parts").iterdir()) == [
        "fold0.arff",
        "fold0.xml",
        "fold1.arff",
        "fold1.xml",
    ]


def test_a_format_can_be_given(command, tmp_path):
    """--format is for files with another suffix."""
    data = write_parquet(tmp_path / "data.bin")
    assert command(f"split {data} --format parquet --folds 2 -o parts").code == 0
    assert sorted(path.name for path in Path("parts").iterdir()) == [
        "fold0.parquet",
        "fold1.parquet",
    ]


UUIDS = [uuid.UUID(int=(1 << 127) + at // 4) for at in range(N_ROWS)]


BYTES = pa.array([own.bytes for own in UUIDS], pa.binary(16))


# What tells rows apart, and how its values are written.
OTHER_GROUPS = {
    "uuid": (pa.ExtensionArray.from_storage(pa.uuid(), BYTES), [str(own) for own in UUIDS]),
    "16 bytes": (BYTES, [own.hex for own in UUIDS]),
    "bytes": (BYTES.cast(pa.large_binary()), [own.hex for own in UUIDS]),
    "coded bytes": (BYTES.cast(pa.binary()).dictionary_encode(), [own.hex for own in UUIDS]),
    "bytes of text": (pa.array(PATIENT).cast(pa.binary()), PATIENT),
    "a category of polars": (
        pa.DictionaryArray.from_arrays(
            pa.array(PATIENT).dictionary_encode().indices,
            pa.array(list(dict.fromkeys(PATIENT)), pa.string_view()),
        ),
        PATIENT,
    ),
}


@pytest.mark.parametrize(("column", "spelled"), OTHER_GROUPS.values(), ids=OTHER_GROUPS)
def test_groups_and_ids_may_be_bytes_and_categories(column, spelled, command):
    """Bytes that are no text are written in hexadecimal digits, UUIDs as usual."""
    pa.feather.write_feather(make_table().append_column("own", column), "data.feather")
    assert (
        command(
            "split data.feather --labels genres --folds 2 --groups own --id own --indices rows.json"
        ).code
        == 0
    )
    s = evenfold.split(GENRES, 2, groups=PATIENT)
    assert json.loads(Path("rows.json").read_text()) == {
        name: [spelled[row] for row in s[name]] for name in s.names
    }


def test_unreadable_keys_of_json_lines_do_not_hide_the_labels(command, tmp_path):
    """Keys that cannot be labels are ignored, unless --labels names one: an error."""
    odd = {"meta": {"a": 1}, "boxes": [[1]], "parts": [{"a": 1}], "large": 2**63, "half": "\ud800"}
    rows = [{**odd, "mixed": at if at % 2 else "x", "tags": own} for at, own in enumerate(GENRES)]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = command("split data.jsonl --folds 2 --indices rows.npy")
    assert (done.code, "No --labels given: 'tags' is read" in done.stderr) == (0, True)
    assert np.array_equal(np.load("rows.npy"), evenfold.split(GENRES, 2).part_of_row)
    assert (
        "'meta' holds objects (line 1)"
        in command("split data.jsonl --labels meta --folds 2").stderr
    )


def test_keys_that_come_late_can_be_named(command, tmp_path):
    """As labels, groups and parts; a new column cannot have the name of one."""
    late = [
        {"tags": own, "is_x": int("drama" in own), "who": own_group, "part": at % 2}
        for at, (own, own_group) in enumerate(zip(GENRES, PATIENT, strict=True))
    ]
    (tmp_path / "data.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in [{"id": 1, "who": "none", "part": 0}, *late])
    )
    assert command("split data.jsonl --labels tags --groups who --folds 2 -q").code == 0
    assert command("split data.jsonl --labels 'is_*' --folds 2 -q").code == 0
    assert command("check data.jsonl --labels tags --part-column part -q").code == 0
    assert (
        "has a column 'tags' already"
        in command("split data.jsonl --labels tags --folds 2 --column tags -o o.jsonl").stderr
    )


def test_a_pipe_is_read_once(command, tmp_path):
    """A pipe such as the shell makes of <(command)."""
    pipe, other = os.pipe()
    os.write(other, write_csv(tmp_path / "data.csv").read_bytes())
    os.close(other)
    assert (
        command(
            "split",
            f"/dev/fd/{pipe}",
            "--labels",
            "genres",
            "--folds",
            "2",
            "--indices",
            "parts.npy",
        ).code
        == 0
    )
    os.close(pipe)
    assert np.load("parts.npy").tolist() == evenfold.split(GENRES, 2).part_of_row.tolist()

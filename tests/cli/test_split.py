"""`evenfold split`: from any file to any output, the same as from Python."""

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
from evenfold.files.registry import open_data

from ..files.made_files import (
    GENRES,
    MATRIX,
    N_ROWS,
    PATIENT,
    WRITERS,
    make_table,
    write_coco,
    write_csv,
    write_parquet,
)


def read_parts(path, column="part"):
    """Return the last column of a csv file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    assert lines[0].endswith(f",{column}")
    return [line.rpartition(",")[2] for line in lines[1:]]


def names_of(s):
    """Return the name of each row's part."""
    return [s.names[part] for part in s.part_of_row]


def read_rows_labels(path):
    """Return the labels of a file as a 0/1 array, in the order of the label names."""
    from evenfold.cli.options import Reading
    from evenfold.cli.reading import read_rows

    # Some rows of text are too few to guess what holds labels.
    named = (
        {"labels": ("genres",), "separator": "|"}
        if path.suffix in (".csv", ".tsv")
        else {"labels": (), "separator": None}
    )
    labels = read_rows(str(path), Reading(format=None, xml=None, propagate=None, **named)).labels
    dense = labels.to_csr().toarray()
    return dense[:, np.argsort([str(name) for name in labels.names])]


@pytest.mark.parametrize("name", WRITERS)
def test_a_split_of_every_format_is_that_from_python_and_comes_back_in_that_format(
    name, command, tmp_path
):
    """Indices, one file per part named after it, labels of each part as before, and the input untouched."""
    data = WRITERS[name](tmp_path / name)
    before = {
        path: path.read_bytes() for path in ([data] if data.is_file() else sorted(data.iterdir()))
    }
    done = command(
        "split",
        data,
        "--parts",
        "0.5,0.25,0.25",
        "--seed",
        "3",
        "-o",
        "parts",
        "--indices",
        "rows.json",
    )
    assert (done.code, done.stdout) == (0, "")
    expected = evenfold.split(MATRIX, [0.5, 0.25, 0.25], random_state=3)
    assert json.loads(Path("rows.json").read_text()) == {
        name: rows.tolist() for name, rows in zip(expected.names, expected, strict=True)
    }
    written = sorted(Path("parts").iterdir())
    suffix = {"parquet_folder": ".parquet", "hf_folder": ""}.get(name, data.suffix)
    assert {f"train{suffix}", f"val{suffix}", f"test{suffix}"} <= {path.name for path in written}
    for part in expected.names:
        labels = read_rows_labels(Path("parts") / f"{part}{suffix}")
        held = MATRIX[expected[part]]
        assert np.array_equal(
            labels, held[:, held.any(axis=0)] if labels.shape[1] < held.shape[1] else held
        )
    assert {path: path.read_bytes() for path in before} == before


@pytest.mark.parametrize(
    "name", ["data.csv", "data.tsv", "data.parquet", "data.feather", "data.jsonl", "data.arff"]
)
def test_a_column_more_names_the_part(name, command, tmp_path):
    """In the same format, with the name asked for, all else as it was."""
    data = WRITERS[name](tmp_path / name)
    out = Path(f"out{data.suffix}")
    assert command("split", data, "--folds", "4", "-o", out, "--column", "fold", "-q").code == 0
    file = open_data(str(out))
    assert list(file.columns) == [*open_data(str(data)).columns, "fold"]
    parts = [part for batch in file.read_batches(["fold"]) for part in batch.column(0).to_pylist()]
    assert parts == names_of(evenfold.split(MATRIX, 4))
    assert out.with_suffix(".xml").exists() == (name == "data.arff")


def test_a_dataset_folder_gets_a_column_when_its_name_is_given(command, tmp_path):
    """Otherwise a folder without a suffix means one dataset for each part."""
    data = WRITERS["hf_folder"](tmp_path / "hf")
    assert command("split", data, "--folds", "2", "-o", "out", "--column", "fold").code == 0
    assert open_data("out").columns[-1] == "fold"


def test_bytes_of_rows_are_kept(command, tmp_path):
    """Quotes, commas, unicode and line ends of a csv file, in parts and with a column."""
    data = tmp_path / "odd.csv"
    rows = ['1,"a, ""b""\nc",x|y', "2,ü,", "3, spaced ,y", '4,"",x', '"5",,x|y', "6,plain,y"]
    data.write_bytes("\r\n".join(["id,text,tags", *rows, ""]).encode())
    assert (
        command(
            "split", data, "--labels", "tags", "--separator", "|", "--parts", "3,3", "-o", "parts"
        ).code
        == 0
    )
    pieces = [
        Path("parts", f"{name}.csv").read_bytes().decode().split("\r\n")
        for name in ("train", "test")
    ]
    assert all((piece[0], piece[-1]) == ("id,text,tags", "") for piece in pieces)
    assert sorted(row for piece in pieces for row in piece[1:-1]) == sorted(rows)
    assert (
        command(
            "split", data, "--labels", "tags", "--separator", "|", "--parts", "3,3", "-o", "out.csv"
        ).code
        == 0
    )
    marked = Path("out.csv").read_bytes().decode().split("\r\n")
    assert [row.rpartition(",")[0] for row in marked[1:-1]] == rows


def test_from_stdin_to_stdout(command, tmp_path):
    """It is csv unless told otherwise; nothing but data on stdout, and no temporary file stays."""
    import tempfile

    data = write_csv(tmp_path / "data.csv")
    tempfile.tempdir = str(tmp_path / "spool")
    Path(tempfile.tempdir).mkdir()
    try:
        done = command(
            "split", "-", "--labels", "genres", "--folds", "2", "-o", "-", stdin=data.read_bytes()
        )
        assert list(Path(tempfile.tempdir).iterdir()) == []
    finally:
        tempfile.tempdir = None
    assert done.code == 0
    lines = done.stdout.splitlines()
    assert [line.rpartition(",")[0] for line in lines] == data.read_text().splitlines()
    assert [line.rpartition(",")[2] for line in lines[1:]] == names_of(evenfold.split(GENRES, 2))
    assert done.stderr.endswith("Written: stdout\n")
    tsv = command(
        "split",
        "-",
        "--format",
        "tsv",
        "--labels",
        "genres",
        "--folds",
        "2",
        "-o",
        "-",
        stdin=write_csv(data, "\t").read_bytes(),
    )
    assert tsv.stdout.splitlines()[0] == "id\ttitle\tpatient\tage\tgenres\tpart"


def test_a_pipe_is_read_once(command, tmp_path):
    """As the shell makes one of <(command)."""
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


def test_everything_that_can_be_asked_is_what_python_gives(command, tmp_path):
    """Groups, balance (text that is numbers counts as numbers), names, holdout, method, order, effort and seed."""
    data = write_csv(tmp_path / "data.csv")
    age = [at * 7 % 30 for at in range(N_ROWS)]
    options = [
        "--groups",
        "patient",
        "--balance",
        "age",
        "--folds",
        "2",
        "--holdout",
        "0.25",
        "--names",
        "a,b",
        "--order",
        "1",
        "--effort",
        "fast",
    ]
    assert command("split", data, *options, "--seed", "5", "-o", "out.csv").code == 0
    s = evenfold.split(
        GENRES,
        2,
        groups=PATIENT,
        balance={"age": age},
        holdout=0.25,
        names=["a", "b"],
        order=1,
        effort="fast",
        random_state=5,
    )
    assert read_parts(Path("out.csv")) == names_of(s)
    assert set(s.names) == {"a", "b", "test"}
    assert (
        command(
            "split", data, "--method", "iterative", "--parts", "train=30,dev=10", "-o", "it.csv"
        ).code
        == 0
    )
    assert read_parts(Path("it.csv")) == names_of(
        evenfold.split(GENRES, {"train": 30, "dev": 10}, method="iterative")
    )


def test_label_columns_by_pattern_name_or_repetition(command, tmp_path):
    """Names with commas between them, a pattern, an option given twice."""
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
        assert command("split", data, *words, "--folds", "3", "-o", f"{number}.csv", "-q").code == 0
        assert read_parts(Path(f"{number}.csv")) == expected


def test_blanks_around_a_name_of_a_column_may_be_given(command, tmp_path):
    """Those of the file itself are kept; others are left out."""
    (tmp_path / "data.csv").write_text("id, a,b\n" + "1,1,0\n2,0,1\n" * 5)
    for labels in (
        ["--labels", " a", "--labels", "b"],
        ["--labels", " a, b"],
        ["--labels", " *,b"],
    ):
        done = command("split", "data.csv", *labels, "--folds", "2", "--json")
        assert (done.code, json.loads(done.stdout)["sizes"]) == (0, [5, 5])


def test_a_hierarchy_closes_the_labels_first(command, tmp_path):
    """The split is that of the closed labels."""
    data = write_csv(tmp_path / "data.csv")
    parents = tmp_path / "parents.csv"
    parents.write_text("label,parent\ncrime,dark\nwar,dark\n")
    done = command(
        "split", data, "--labels", "genres", "--propagate", parents, "--folds", "2", "--json", "-q"
    )
    record = json.loads(done.stdout)
    assert {row["label"] for row in record["quality"]["per_label"]} >= {"dark", "war"}
    assert (
        record["fingerprint"]
        == evenfold.split(
            evenfold.labels.propagate(GENRES, {"crime": "dark", "war": "dark"}), 2
        ).fingerprint
    )


def test_a_hierarchy_holds_for_labels_that_are_numbers(command, tmp_path):
    """As it does for the same labels as text."""
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
    """A column of text in parquet is one of categories, however it is stored, as from Python."""
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


def test_indices_as_array_and_by_id(command, tmp_path):
    """.npy has the part of each row; with --id, .json lists ids."""
    data = write_csv(tmp_path / "data.csv")
    s = evenfold.split(GENRES, 2)
    assert command("split", data, "--folds", "2", "--indices", "parts.npy", "-q").code == 0
    assert np.load("parts.npy").tolist() == s.part_of_row.tolist()
    done = command("split", data, "--folds", "2", "--indices", "ids.json", "--id", "patient")
    assert json.loads(Path("ids.json").read_text())["fold1"] == [PATIENT[row] for row in s["fold1"]]
    assert "ids are in more than one part, first 'p" in done.stderr


def test_ids_that_are_numbers_are_listed_as_numbers(command, tmp_path):
    """Where the file says so: a csv file does not."""
    s = evenfold.split(GENRES, 2)
    for data, kind in (
        (write_parquet(tmp_path / "data.parquet"), int),
        (write_csv(tmp_path / "data.csv"), str),
    ):
        assert (
            command(
                "split",
                data,
                "--folds",
                "2",
                "--indices",
                "ids.json",
                "--id",
                "id",
                "-q",
                "--force",
            ).code
            == 0
        )
        assert json.loads(Path("ids.json").read_text())["fold1"] == [
            kind(row) for row in s["fold1"]
        ]


def test_text_labels_of_npz_are_cut_whether_named_or_not(command, tmp_path):
    """An array called labels is what --labels would name; how it is cut is said."""
    np.savez(tmp_path / "data.npz", labels=["|".join(own) for own in GENRES])
    asked = [
        command("split", "data.npz", *named, "--folds", "2", "--json")
        for named in ([], ["--labels", "labels"])
    ]
    assert [done.code for done in asked] == [0, 0]
    assert asked[0].stdout == asked[1].stdout
    assert "Each cell of 'labels' is cut at '|'." in asked[0].stderr


def test_a_manifest_is_the_split_itself(command, tmp_path):
    """It can be loaded with the data, and knows the settings."""
    data = write_csv(tmp_path / "data.csv")
    assert (
        command("split", data, "--folds", "3", "--manifest", "split.json", "--seed", "7", "-q").code
        == 0
    )
    kept = evenfold.load_split("split.json", GENRES)
    assert kept == evenfold.split(GENRES, 3, random_state=7)
    assert kept.origin.random_state == 7
    assert kept.origin.parameters == evenfold.split(GENRES, 3, random_state=7).origin.parameters


def test_without_an_output_only_the_report_is_shown(command, tmp_path):
    """Sizes, measures with bounds, the seed, and that nothing was written."""
    data = write_csv(tmp_path / "data.csv")
    done = command("split", data, "--parts", "0.8,0.2", "--seed", "4")
    assert (done.code, done.stdout) == (0, "")
    for piece in (
        "seed 4",
        "train    32    32.0",
        "rLD  relative LD",
        "over bound",
        "Nothing was written: add -o, --indices, --manifest or --report.",
    ):
        assert piece in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def test_the_report_names_the_least_even_labels_and_what_cannot_be(command, tmp_path):
    """In plain words: labels that cannot be in every part, groups larger than a part."""
    data = tmp_path / "data.csv"
    rows = [
        "tags,who",
        *(
            f"{'rare' if at == 0 else 'a' if at % 2 else 'b'}|c,{'big' if at < 12 else at}"
            for at in range(30)
        ),
    ]
    data.write_text("\n".join(rows) + "\n")
    done = command(
        "split",
        data,
        "--labels",
        "tags",
        "--groups",
        "who",
        "--parts",
        "0.6,0.2,0.2",
        "--method",
        "random",
    )
    assert done.code == 0
    assert "1 of 4 labels with fewer rows than parts: some part must lack them." in done.stderr
    assert "The largest group has 12 rows, more than 'val' wants (6)" in done.stderr
    assert "least even labels" in done.stderr


def test_json_is_one_object_on_stdout(command, tmp_path):
    """With quality, seed, warnings and what was written."""
    data = write_csv(tmp_path / "data.csv")
    done = command("split", data, "--folds", "3", "--json", "-o", "out.csv", "--quiet")
    record = json.loads(done.stdout)
    s = evenfold.split(GENRES, 3)
    assert (record["names"], record["sizes"], record["seed"]) == (
        list(s.names),
        s.sizes.tolist(),
        0,
    )
    assert record["quality"] == json.loads(json.dumps(s.quality.to_dict()))
    assert record["written"] == ["out.csv"]
    assert done.stderr == ""


def test_quiet_says_nothing(command, tmp_path):
    """Neither on stdout nor on stderr."""
    data = write_csv(tmp_path / "data.csv")
    assert command("split", data, "--folds", "3", "-o", "out.csv", "--quiet") == (0, "", "")


def test_force_replaces_files_and_leaves_others(command, tmp_path):
    """In a folder that exists only the files of the parts are touched."""
    data = write_csv(tmp_path / "data.csv")
    folder = tmp_path / "parts"
    folder.mkdir()
    (folder / "mine.txt").write_text("kept")
    (folder / "train.csv").write_text("old")
    assert command("split", data, "--parts", "0.5,0.5", "-o", "parts").code == 2
    assert command("split", data, "--parts", "0.5,0.5", "-o", "parts", "--force").code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["mine.txt", "test.csv", "train.csv"]
    assert len((folder / "train.csv").read_text().splitlines()) == 21


@pytest.mark.parametrize("name", ["data.csv", "hf_folder"])
def test_parts_of_an_older_split_in_the_folder_are_named(name, command, tmp_path):
    """They stay, and a warning names up to five; what has another suffix, the input and its outputs are none."""
    folder = tmp_path / "parts"
    folder.mkdir()
    data = WRITERS[name](folder / name)
    (folder / "mine.txt").write_text("kept")
    suffix = Path(name).suffix
    assert "holds" not in command("split", data, "--folds", "4", "-o", "parts").stderr
    few = command("split", data, "--folds", "3", "-o", "parts", "--force", "--json")
    message = f"parts holds 1 more beside these parts, not of this split: fold3{suffix}"
    assert message in few.stderr.splitlines()
    assert message in json.loads(few.stdout)["warnings"]
    assert command("split", data, "--folds", "9", "-o", "parts", "--force", "-q") == (0, "", "")
    several = command("split", data, "--folds", "2", "-o", "parts", "--force").stderr
    assert (
        f"parts holds 7 more beside these parts, not of this split: fold2{suffix}, fold3{suffix}, fold4{suffix}, fold5{suffix}, fold6{suffix}, …"
        in several
    )


def test_amounts_of_coco_are_kept_even_too(command, tmp_path):
    """As a matrix of amounts given to `balance`."""
    data = write_coco(tmp_path / "data.json")
    assert command("split", data, "--folds", "2", "--amounts", "--indices", "parts.npy").code == 0
    assert (
        np.load("parts.npy").tolist()
        == evenfold.split(MATRIX, 2, balance=2 * MATRIX).part_of_row.tolist()
    )


def test_a_glob_of_parquet_files_is_one_table(command, tmp_path):
    """In the order of their names."""
    WRITERS["parquet_folder"](tmp_path / "many")
    assert command("split", "many/*.parquet", "--folds", "2", "--indices", "parts.npy").code == 0
    assert np.load("parts.npy").tolist() == evenfold.split(MATRIX, 2).part_of_row.tolist()
    refused = command(
        "split", "many/*.parquet", "--folds", "2", "-o", "many/part-0.parquet", "--force"
    )
    assert refused.code == 2
    assert "is the input, which is never written" in refused.stderr


def test_the_label_list_of_arff_may_have_another_name(command, tmp_path):
    """As that of a dataset whose parts share one; it goes with every file written."""
    data = WRITERS["data.arff"](tmp_path / "data.arff")
    (tmp_path / "data.xml").rename(tmp_path / "all.xml")
    assert (
        command(
            "split",
            data,
            "--xml",
            "all.xml",
            "--folds",
            "2",
            "-o",
            "parts",
            "--indices",
            "parts.npy",
        ).code
        == 0
    )
    assert np.load("parts.npy").tolist() == evenfold.split(MATRIX, 2).part_of_row.tolist()
    assert sorted(path.name for path in Path("parts").iterdir()) == [
        "fold0.arff",
        "fold0.xml",
        "fold1.arff",
        "fold1.xml",
    ]


def test_a_suffix_of_the_input_is_kept(command, tmp_path):
    """An .arrow file gives .arrow files."""
    data = WRITERS["data.feather"](tmp_path / "data.arrow")
    assert command("split", data, "--parts", "0.5,0.5", "-o", "parts").code == 0
    assert sorted(path.name for path in Path("parts").iterdir()) == ["test.arrow", "train.arrow"]
    assert command("split", data, "--parts", "0.5,0.5", "-o", "out.feather").code == 0


def test_a_format_can_be_said(command, tmp_path):
    """For a file whose suffix does not tell it."""
    data = write_parquet(tmp_path / "data.bin")
    assert command("split", data, "--format", "parquet", "--folds", "2", "-o", "parts").code == 0
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
            "split",
            "data.feather",
            "--labels",
            "genres",
            "--folds",
            "2",
            "--groups",
            "own",
            "--id",
            "own",
            "--indices",
            "rows.json",
        ).code
        == 0
    )
    s = evenfold.split(GENRES, 2, groups=PATIENT)
    assert json.loads(Path("rows.json").read_text()) == {
        name: [spelled[row] for row in s[name]] for name in s.names
    }


def test_unreadable_keys_of_json_lines_do_not_hide_the_labels(command, tmp_path):
    """Objects, lists of lists, mixed values and large numbers are no labels; a key that is asked for is still refused."""
    odd = {"meta": {"a": 1}, "boxes": [[1]], "parts": [{"a": 1}], "large": 2**63, "half": "\ud800"}
    rows = [{**odd, "mixed": at if at % 2 else "x", "tags": own} for at, own in enumerate(GENRES)]
    (tmp_path / "data.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = command("split", "data.jsonl", "--folds", "2", "--indices", "rows.npy")
    assert (done.code, "No --labels given: 'tags' is read" in done.stderr) == (0, True)
    assert np.array_equal(np.load("rows.npy"), evenfold.split(GENRES, 2).part_of_row)
    assert (
        "'meta' holds objects (line 1)"
        in command("split", "data.jsonl", "--labels", "meta", "--folds", "2").stderr
    )


def test_keys_that_come_late_can_be_named(command, tmp_path):
    """For labels, by name or pattern, groups and parts; a new column does not take the name of one."""
    late = [
        {"tags": own, "is_x": int("drama" in own), "who": own_group, "part": at % 2}
        for at, (own, own_group) in enumerate(zip(GENRES, PATIENT, strict=True))
    ]
    (tmp_path / "data.jsonl").write_text(
        "".join(json.dumps(row) + "\n" for row in [{"id": 1, "who": "none", "part": 0}, *late])
    )
    assert (
        command(
            "split", "data.jsonl", "--labels", "tags", "--groups", "who", "--folds", "2", "-q"
        ).code
        == 0
    )
    assert command("split", "data.jsonl", "--labels", "is_*", "--folds", "2", "-q").code == 0
    assert (
        command("check", "data.jsonl", "--labels", "tags", "--part-column", "part", "-q").code == 0
    )
    assert (
        "has a column 'tags' already"
        in command(
            "split",
            "data.jsonl",
            "--labels",
            "tags",
            "--folds",
            "2",
            "--column",
            "tags",
            "-o",
            "o.jsonl",
        ).stderr
    )

"""Outputs that are refused before the work begins, so that nothing is overwritten."""

from pathlib import Path

import numpy as np
import pytest

from ..files.made_files import WRITERS
from .refusals import (
    GAPS,
    MULAN,
    MULAN_LABELS,
    PARTED,
    check_refusal,
    check_wrong_usage,
    each,
    fail_with,
    link_to_data,
    link_to_folder,
    make_files,
    split_into,
)

CASES = [
    (
        "two things on stdout",
        "split data.csv --labels tags --folds 2 --json -o -",
        "--json and -o - would both go to stdout.",
        {},
    ),
    (
        "output of another format",
        "split data.csv --labels tags --folds 2 -o out.arff",
        "the output has the format of the input, csv, so it must end in '.csv', or be one of csv, "
        "tsv, jsonl, json, parquet, feather, xlsx, sqlite, duckdb.",
        {},
    ),
    (
        "output of another format of what is no table",
        "split x.svm --folds 2 -o out.csv",
        "the output has the format of the input, svmlight, so it must end in '.svm'.",
        {"x.svm": b"1 1:1\n2 1:1\n"},
    ),
    (
        "output of no format",
        "split data.csv --labels tags --folds 2 -o out.xyz",
        "no format has the suffix '.xyz'. End a folder with a slash, a file with '.csv'.",
        {},
    ),
    (
        "output exists",
        "split data.csv --labels tags --folds 2 -o out.csv",
        "out.csv: exists already. Name another file, or add --force to overwrite it.",
        {"out.csv": b"precious"},
    ),
    (
        "part exists",
        "split data.csv --labels tags --parts 0.5,0.5 -o parts",
        "train.csv: exists already.",
        {"parts": split_into},
    ),
    (
        "output is the input",
        "split data.csv --labels tags --folds 2 -o data.csv --force",
        "data.csv: is the input, which is never written. Name another output.",
        {},
    ),
    (
        "output is a link to the input",
        "split data.csv --labels tags --folds 2 -o link.csv --force",
        "link.csv: is the input",
        {"link.csv": link_to_data},
    ),
    (
        "output is the hierarchy",
        "split data.csv --labels tags --folds 2 --propagate h.csv --manifest h.csv --force",
        "h.csv: is the input, which is never written.",
        {"h.csv": b"a,b\n"},
    ),
    (
        "output is the hierarchy too",
        "split data.csv --labels tags --folds 2 --propagate h.csv -o h.csv --force",
        "h.csv: is the input",
        {"h.csv": b"a,b\n"},
    ),
    (
        "sample is the hierarchy",
        "sample data.csv --labels tags -n 3 --propagate h.csv -o h.csv --force",
        "h.csv: is the input",
        {"h.csv": b"a,b\n"},
    ),
    (
        "extension is the hierarchy",
        "extend g.csv --labels tags --part-column fold --propagate h.csv -o h.csv --force",
        "h.csv: is the input",
        {"g.csv": GAPS, "h.csv": b"a,b\n"},
    ),
    (
        "report is the hierarchy",
        "check p.csv --labels tags --part-column fold --propagate h.json --report h.json --force",
        "h.json: is the input",
        {"p.csv": PARTED, "h.json": b"a,b\n"},
    ),
    (
        "output is the label list beside the data",
        "split x.arff --folds 2 --manifest x.xml --force",
        "x.xml: is the input",
        {"x.arff": MULAN, "x.xml": MULAN_LABELS},
    ),
    (
        "output is the label list",
        "split x.arff --xml l.json --folds 2 --indices l.json --force",
        "l.json: is the input",
        {"x.arff": MULAN, "l.json": MULAN_LABELS},
    ),
    (
        "folder below a file",
        "split data.csv --labels tags --folds 2 -o data.csv/out.csv",
        "data.csv/out.csv: there is no folder data.csv. Make it first.",
        {},
    ),
    (
        "folder above is missing",
        "split data.csv --labels tags --folds 2 -o a/b/c.csv",
        "a/b/c.csv: there is no folder a/b. Make it first.",
        {},
    ),
    (
        "folder is a file",
        "split data.csv --labels tags --folds 2 -o old",
        "old: is a file, and the output is a folder. Name another output.",
        {"old": b"precious"},
    ),
    (
        "folder is a file, forced",
        "split data.csv --labels tags --folds 2 -o old --force",
        "old: is a file, and the output is a folder.",
        {"old": b"precious"},
    ),
    (
        "part is a folder",
        "split data.csv --labels tags --parts 0.5,0.5 -o . --force",
        "train.csv: is a folder, and the output is a file. Name another output.",
        {"train.csv": split_into},
    ),
    (
        "sampled folder is a file",
        "sample hf -n 3 -o old --force",
        "old: is a file, and the output is a folder.",
        {"hf": WRITERS["hf_folder"], "old": b"precious"},
    ),
    (
        "empty output",
        "split data.csv --labels tags --folds 2 -o ''",
        "Invalid value for '-o' / '--output': '' is no path. Name a file or folder.",
        {},
    ),
    (
        "empty indices",
        "split data.csv --labels tags --folds 2 --indices ''",
        "Invalid value for '--indices': '' is no path.",
        {},
    ),
    (
        "empty sample",
        "sample data.csv -n 3 -o ''",
        "Invalid value for '-o' / '--output': '' is no path.",
        {},
    ),
    (
        "indices of an odd suffix",
        "split data.csv --labels tags --folds 2 --indices rows.txt",
        "--indices rows.txt: must end in .json or .npy.",
        {},
    ),
    (
        "indices exist",
        "split data.csv --labels tags --folds 2 --indices rows.json",
        "rows.json: exists already.",
        {"rows.json": b"precious"},
    ),
    (
        "manifest exists",
        "split data.csv --labels tags --folds 2 --manifest m.json",
        "m.json: exists already.",
        {"m.json": b"precious"},
    ),
    (
        "one path for two outputs",
        "split data.csv --labels tags --folds 2 --manifest m.json --indices m.json",
        "m.json is named for two outputs.",
        {},
    ),
    (
        "one path for two outputs, spelled differently",
        "split data.csv --labels tags --folds 2 --indices m.json --manifest sub/../m.json",
        "sub/../m.json is named for two outputs, there as m.json.",
        {"sub": split_into},
    ),
    (
        "one path for two outputs, through a link",
        "split data.csv --labels tags --folds 2 --indices m.json --manifest here/m.json",
        "here/m.json is named for two outputs, there as m.json.",
        {"here": link_to_folder},
    ),
    (
        "an output where the label list goes",
        "split x.arff --folds 2 -o out.arff --manifest out.xml",
        "out.xml is named for two outputs.",
        {"x.arff": MULAN, "x.xml": MULAN_LABELS},
    ),
    (
        "the label list of the output exists",
        "split x.arff --folds 2 -o out.arff",
        "out.xml: exists already.",
        {"x.arff": MULAN, "x.xml": MULAN_LABELS, "out.xml": b"precious"},
    ),
    (
        "column exists",
        "split data.csv --labels tags --folds 2 -o out.csv --column who",
        "data.csv has a column 'who' already. Name another with --column.",
        {},
    ),
    (
        "a part that is no file name",
        "split data.csv --labels tags --parts a/b=6,c=6 -o parts",
        "a part named 'a/b' cannot have a file of that name.",
        {},
    ),
    (
        "a loop of links",
        "split data.csv --labels tags --folds 2 -o loop/out.csv",
        "loop/out.csv: Too many levels of symbolic links.",
        {"loop": lambda path: path.symlink_to(path)},
    ),
    (
        "a part with a line break in its name",
        "split data.csv --labels tags --parts 'a\nb=6,c=6' -o parts",
        "a part named 'a\\nb' cannot have a file of that name.",
        {},
    ),
    (
        "a part of a reserved name",
        "split data.csv --labels tags --parts nul.x=6,c=6 -o parts",
        "a part named 'nul.x' would have a name that Windows keeps for a device.",
        {},
    ),
    (
        "a part of a long name",
        f"split data.csv --labels tags --parts {'ä' * 121}=6,c=6 -o parts",
        "would have a file name of more than 240 bytes. Choose other names with --names.",
        {},
    ),
    (
        "parts that differ in case",
        "split data.csv --labels tags --parts Train=6,train=6 -o parts",
        "parts named 'Train' and 'train' would be one file on a system that ignores case.",
        {},
    ),
    (
        "parts that differ in a dot at the end",
        "split data.csv --labels tags --parts a=6,A..=6 -o parts --hive",
        "'a' and 'A..' would be one file on a system that ignores case and dots at the end. Choose",
        {},
    ),
    (
        "a part with the name of a device of Windows",
        "split data.csv --labels tags --parts com¹=6,c=6 -o parts",
        "a part named 'com¹' would have a name that Windows keeps for a device.",
        {},
    ),
    (
        "sample into a folder",
        "sample data.csv --labels tags -n 3 -o few",
        "a sample is one file. Name one that ends in '.csv'.",
        {},
    ),
    (
        "stdout of a folder",
        "split hf --folds 2 -o -",
        "huggingface is of folders, which cannot go to stdout",
        {"hf": WRITERS["hf_folder"]},
    ),
]


@each(CASES)
def test_wrong_outputs_are_refused(words, message, files, command, tmp_path):
    """Exit code 2, one message, and every file as it was."""
    check_wrong_usage(command, words, message, files, tmp_path)


MEKA = "@relation 'x: -C -1'\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"


def arrays_npz(path):
    """Write labels, and an array that has the name of the new column but is no column."""
    np.savez(path, y=np.eye(2, dtype=int), part=np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("name", "content", "words", "message"),
    [
        ("x.svm", b"1 1:1\n2 1:1\n", (), "has no columns to add 'part' to"),
        ("x.json", WRITERS["data.json"], (), "has no columns to add 'part' to"),
        ("x.npz", arrays_npz, (), "has an array 'part' already"),
        ("x.arff", (MEKA + "0,1\n1,0\n").encode(), (), "so 'part' would become a label"),
        (
            "x.json",
            WRITERS["data.json"],
            ("--part-column", "file_name"),
            "in the format coco, 'file_name' cannot be filled",
        ),
    ],
)
def test_a_column_that_cannot_be_written_is_refused_before_the_work(
    name, content, words, message, command, tmp_path, monkeypatch
):
    """The check comes before the split, which may take minutes."""
    make_files(tmp_path, {name: content})
    for work in ("split", "extend"):
        monkeypatch.setattr(f"evenfold.splits.{work}", fail_with(AssertionError("too late")))
    done = command(
        *(("extend", name, *words) if words else ("split", name, "--folds", "2")),
        "-o",
        f"out{Path(name).suffix}",
    )
    assert (done.code, message in done.stderr) == (1, True)


@pytest.mark.parametrize(
    "words",
    [("-o", "ro/out"), ("-o", "ro/out.csv"), ("-o", "ro"), ("--manifest", "ro/out.json")],
    ids=" ".join,
)
def test_a_folder_that_may_not_be_written_is_refused_before_the_work(
    words, command, tmp_path, monkeypatch
):
    """The message has the given path, not that of a temporary folder."""
    make_files(tmp_path, {})
    (tmp_path / "ro").mkdir()
    monkeypatch.setattr("evenfold.splits.split", fail_with(AssertionError("too late")))
    monkeypatch.setattr("os.access", lambda path, _: Path(path).name != "ro")
    path = words[1] if "/" in words[1] else "ro/fold0.csv"
    message = f"{path}: nothing may be written into the folder ro. Name another output"
    check_refusal(command("split data.csv --labels tags --folds 2", *words), 2, message)

"""Bad invocations and bad files: the exit code, one message that says what is wrong, nothing written, nothing changed."""

import errno
import os
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy import sparse

import evenfold

from ..files.made_files import GENRES, WRITERS

DATA = "data.csv"
ROWS = b"id,tags,who\n" + b"".join(
    b"%d,%s,%d\n" % (at, b"a|b" if at % 2 else b"b", at // 2) for at in range(12)
)
PARTED = b"tags,fold\n" + b"".join(
    b"%s,%s\n" % (b"a|b" if at % 2 else b"b", b"train" if at % 3 else b"test") for at in range(12)
)
GAPS = PARTED.replace(b"a|b,train", b"a|b,", 2)


MULAN = b"@relation r\n@attribute f numeric\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n1,0,1\n2,1,0\n3,1,1\n4,0,0\n"
MULAN_LABELS = b'<labels><label name="a"/><label name="b"/></labels>'


def truncated_parquet(path):
    """Write a file whose end is missing."""
    WRITERS["data.parquet"](path)
    path.write_bytes(path.read_bytes()[:-20])


def damaged_parquet(path):
    """Write a file with its footer whole and its rows overwritten."""
    WRITERS["data.parquet"](path)
    content = path.read_bytes()
    path.write_bytes(content[:4] + b"\xff" * 200 + content[204:])


def parquet_with_numbered_parts(path):
    """Write a file with parts 0, 1 and none."""
    pq.write_table(
        pa.table({"tags": [["a"], ["b"], ["a"], ["b"]], "fold": pa.array([0, 1, None, None])}), path
    )


def manifest_of_other_data(path):
    """Keep a split of other rows."""
    evenfold.split(GENRES, 2).save(path)


def split_into(folder):
    """Make a folder with a part in it already."""
    folder.mkdir()
    (folder / "train.csv").write_text("precious")


def link_to_data(path):
    """Make another name of the input."""
    path.symlink_to(path.with_name(DATA))


def link_to_folder(path):
    """Make another name of the folder that it is in."""
    path.symlink_to(path.parent, target_is_directory=True)


def split(*words):
    """Return the words of a split of the good file, into two folds unless said otherwise."""
    return (
        "split",
        DATA,
        "--labels",
        "tags",
        *(() if "--folds" in words or "--parts" in words else ("--folds", "2")),
        *words,
    )


# Name, words, exit code, a piece of the message, files beside the good one.
USAGE = [
    ("no such command", ("splt", DATA), "Did you mean", {}),
    (
        "no such option",
        split("--paarts", "1"),
        "No such option '--paarts'. (Did you mean one of: '--parts'",
        {},
    ),
    ("no data", ("split", "--folds", "2"), "Missing argument 'DATA'", {}),
    ("too many files", ("split", DATA, DATA, "--folds", "2"), "unexpected extra argument", {}),
    ("no such method", split("--method", "evn"), "pmbsrs, random. Did you mean 'even'?", {}),
    (
        "no such method to compare",
        ("compare", DATA, "--methods", "even,randm"),
        "Did you mean 'random'?",
        {},
    ),
    (
        "no such effort",
        split("--effort", "fst"),
        "'fst' is not one of fast, normal, best. Did you mean 'fast'?",
        {},
    ),
    ("negative effort", split("--effort", "-3"), "'-3' is not a number of seconds above 0", {}),
    ("no such order", split("--order", "3"), "'3' is not one of auto, 1, 2", {}),
    ("no such format", split("--format", "parket"), "Did you mean 'parquet'?", {}),
    (
        "no jobs",
        ("evaluate", "data.csv", "--labels", "tags", "--jobs", "0"),
        "0 fits nothing. Pass 1 or more, or -1 for all processors.",
        {},
    ),
    (
        "no such shell",
        ("completion", "bsh"),
        "'bsh' is not one of bash, zsh, fish. Did you mean 'bash'?",
        {},
    ),
    ("seed not a number", split("--seed", "x"), "'x' is not a valid integer range", {}),
    ("negative seed", split("--seed", "-1"), "-1 is not in the range x>=0", {}),
    (
        "neither parts nor folds",
        ("split", DATA),
        "Say how to cut the data: --parts 0.8,0.1,0.1 or --folds 5.",
        {},
    ),
    (
        "parts and folds",
        split("--parts", "0.5,0.5", "--folds", "2"),
        "--parts and --folds both say how to cut. Give one of them.",
        {},
    ),
    ("one fold", split("--folds", "1"), "1 is not in the range x>=2", {}),
    (
        "parts that are no numbers",
        split("--parts", "half,half"),
        "'half' is not a number. Try 0.8,0.1,0.1 or 800,100,100.",
        {},
    ),
    ("an empty part", split("--parts", "0.5,,0.5"), "'0.5,,0.5' has an empty name in it.", {}),
    ("a part named twice", split("--parts", "a=0.5,a=0.5"), "does not name each part once", {}),
    ("a part without a name", split("--parts", "a=0.5,0.5"), "does not name each part once", {}),
    (
        "two things on stdout",
        split("--json", "-o", "-"),
        "--json and -o - would both go to stdout.",
        {},
    ),
    (
        "amounts and balance",
        split("--amounts", "--balance", "who"),
        "--amounts and --balance do not go together.",
        {},
    ),
    (
        "output of another format",
        split("-o", "out.parquet"),
        "the output has the format of the input, csv, so it must end in '.csv'.",
        {},
    ),
    (
        "output of no format",
        split("-o", "out.xyz"),
        "no format has the suffix '.xyz'. End a folder with a slash, a file with '.csv'.",
        {},
    ),
    (
        "output exists",
        split("-o", "out.csv"),
        "out.csv: exists already. Name another file, or add --force to overwrite it.",
        {"out.csv": b"precious"},
    ),
    (
        "part exists",
        split("--parts", "0.5,0.5", "-o", "parts"),
        "train.csv: exists already.",
        {"parts": split_into},
    ),
    (
        "output is the input",
        split("-o", DATA, "--force"),
        "data.csv: is the input, which is never written. Name another output.",
        {},
    ),
    (
        "output is a link to the input",
        split("-o", "link.csv", "--force"),
        "link.csv: is the input",
        {"link.csv": link_to_data},
    ),
    (
        "output is the hierarchy",
        split("--propagate", "h.csv", "--manifest", "h.csv", "--force"),
        "h.csv: is the input, which is never written.",
        {"h.csv": b"a,b\n"},
    ),
    (
        "output is the hierarchy too",
        split("--propagate", "h.csv", "-o", "h.csv", "--force"),
        "h.csv: is the input",
        {"h.csv": b"a,b\n"},
    ),
    (
        "sample is the hierarchy",
        (
            "sample",
            DATA,
            "--labels",
            "tags",
            "-n",
            "3",
            "--propagate",
            "h.csv",
            "-o",
            "h.csv",
            "--force",
        ),
        "h.csv: is the input",
        {"h.csv": b"a,b\n"},
    ),
    (
        "extension is the hierarchy",
        (
            "extend",
            "g.csv",
            "--labels",
            "tags",
            "--part-column",
            "fold",
            "--propagate",
            "h.csv",
            "-o",
            "h.csv",
            "--force",
        ),
        "h.csv: is the input",
        {"g.csv": GAPS, "h.csv": b"a,b\n"},
    ),
    (
        "report is the hierarchy",
        (
            "check",
            "p.csv",
            "--labels",
            "tags",
            "--part-column",
            "fold",
            "--propagate",
            "h.json",
            "--report",
            "h.json",
            "--force",
        ),
        "h.json: is the input",
        {"p.csv": PARTED, "h.json": b"a,b\n"},
    ),
    (
        "output is the label list beside the data",
        ("split", "x.arff", "--folds", "2", "--manifest", "x.xml", "--force"),
        "x.xml: is the input",
        {"x.arff": MULAN, "x.xml": MULAN_LABELS},
    ),
    (
        "output is the label list",
        ("split", "x.arff", "--xml", "l.json", "--folds", "2", "--indices", "l.json", "--force"),
        "l.json: is the input",
        {"x.arff": MULAN, "l.json": MULAN_LABELS},
    ),
    (
        "folder below a file",
        split("-o", "data.csv/out.csv"),
        "data.csv/out.csv: there is no folder data.csv. Make it first.",
        {},
    ),
    (
        "folder above is missing",
        split("-o", "a/b/c.csv"),
        "a/b/c.csv: there is no folder a/b. Make it first.",
        {},
    ),
    (
        "folder is a file",
        split("-o", "old"),
        "old: is a file, and the output is a folder. Name another output.",
        {"old": b"precious"},
    ),
    (
        "folder is a file, forced",
        split("-o", "old", "--force"),
        "old: is a file, and the output is a folder.",
        {"old": b"precious"},
    ),
    (
        "part is a folder",
        split("--parts", "0.5,0.5", "-o", ".", "--force"),
        "train.csv: is a folder, and the output is a file. Name another output.",
        {"train.csv": split_into},
    ),
    (
        "sampled folder is a file",
        ("sample", "hf", "-n", "3", "-o", "old", "--force"),
        "old: is a file, and the output is a folder.",
        {"hf": WRITERS["hf_folder"], "old": b"precious"},
    ),
    (
        "empty output",
        split("-o", ""),
        "Invalid value for '-o' / '--output': '' is no path. Name a file or folder.",
        {},
    ),
    ("empty indices", split("--indices", ""), "Invalid value for '--indices': '' is no path.", {}),
    (
        "empty sample",
        ("sample", DATA, "-n", "3", "-o", ""),
        "Invalid value for '-o' / '--output': '' is no path.",
        {},
    ),
    (
        "indices of an odd suffix",
        split("--indices", "rows.txt"),
        "--indices rows.txt: must end in .json or .npy.",
        {},
    ),
    (
        "indices exist",
        split("--indices", "rows.json"),
        "rows.json: exists already.",
        {"rows.json": b"precious"},
    ),
    (
        "manifest exists",
        split("--manifest", "m.json"),
        "m.json: exists already.",
        {"m.json": b"precious"},
    ),
    (
        "one path for two outputs",
        split("--manifest", "m.json", "--indices", "m.json"),
        "m.json is named for two outputs.",
        {},
    ),
    (
        "one path for two outputs, spelled differently",
        split("--indices", "m.json", "--manifest", "sub/../m.json"),
        "sub/../m.json is named for two outputs, there as m.json.",
        {"sub": split_into},
    ),
    (
        "one path for two outputs, through a link",
        split("--indices", "m.json", "--manifest", "here/m.json"),
        "here/m.json is named for two outputs, there as m.json.",
        {"here": link_to_folder},
    ),
    (
        "an output where the label list goes",
        ("split", "x.arff", "--folds", "2", "-o", "out.arff", "--manifest", "out.xml"),
        "out.xml is named for two outputs.",
        {"x.arff": MULAN, "x.xml": MULAN_LABELS},
    ),
    (
        "the label list of the output exists",
        ("split", "x.arff", "--folds", "2", "-o", "out.arff"),
        "out.xml: exists already.",
        {"x.arff": MULAN, "x.xml": MULAN_LABELS, "out.xml": b"precious"},
    ),
    (
        "column exists",
        split("-o", "out.csv", "--column", "who"),
        "data.csv has a column 'who' already. Name another with --column.",
        {},
    ),
    (
        "a part that is no file name",
        split("--parts", "a/b=6,c=6", "-o", "parts"),
        "a part named 'a/b' cannot have a file of that name.",
        {},
    ),
    ("no such hierarchy", split("--propagate", "no.csv"), "File 'no.csv' does not exist", {}),
    (
        "no such manifest",
        ("check", DATA, "--manifest", "no.json"),
        "File 'no.json' does not exist",
        {},
    ),
    (
        "check without parts",
        ("check", DATA),
        "Say what the parts are: --part-column COL, or one file for each part, or --manifest FILE.",
        {},
    ),
    (
        "check of files and a column",
        ("check", DATA, DATA, "--part-column", "who"),
        "--part-column is for one file, got several.",
        {},
    ),
    (
        "check of files and a manifest",
        ("check", DATA, DATA, "--manifest", "m"),
        "--manifest is for one file",
        {"m": manifest_of_other_data},
    ),
    (
        "negative limit",
        ("check", DATA, "--part-column", "who", "--max-excess", "-1"),
        "-1.0 is not in the range x>=0",
        {},
    ),
    (
        "a limit that is no number",
        ("check", DATA, "--part-column", "who", "--max-excess", "nan"),
        "'nan' is not a number. Try 0.05.",
        {},
    ),
    ("extend without a column", ("extend", DATA), "Missing option '--part-column'", {}),
    (
        "sample without a place",
        ("sample", DATA, "-n", "3"),
        "Say where the sample goes: -o FILE, --indices FILE or --json.",
        {},
    ),
    (
        "sample of no number",
        ("sample", DATA, "-n", "few", "--json"),
        "'few' is not a number. Try 1000 or 0.1.",
        {},
    ),
    (
        "sample of everything",
        ("sample", DATA, "-n", "1.0", "--json"),
        "'1.0' is a fraction that leaves no row over. Write 1 for one row",
        {},
    ),
    (
        "holdout of everything",
        split("--holdout", "1.0"),
        "'1.0' is a fraction that leaves no row over. Write 1 for one row",
        {},
    ),
    (
        "sample into a folder",
        ("sample", DATA, "--labels", "tags", "-n", "3", "-o", "few"),
        "a sample is one file. Name one that ends in '.csv'.",
        {},
    ),
    (
        "stdout of a folder",
        ("split", "hf", "--folds", "2", "-o", "-"),
        "huggingface is of folders, which cannot go to stdout",
        {"hf": WRITERS["hf_folder"]},
    ),
]
DATA_ERRORS = [
    (
        "missing file",
        ("split", "no.csv", "--folds", "2"),
        "no.csv: no such file. Check the name and the folder.",
        {},
    ),
    (
        "unknown suffix",
        ("split", "data.cvs", "--folds", "2"),
        "Say it with --format: csv, tsv",
        {"data.cvs": ROWS},
    ),
    (
        "folder as csv",
        ("split", "d", "--format", "csv", "--folds", "2"),
        "d: is not one file, as the format csv must be.",
        {"d": split_into},
    ),
    (
        "folder without parquet",
        ("split", "d", "--folds", "2"),
        "d: is a folder without parquet files.",
        {"d": split_into},
    ),
    (
        "glob that matches nothing",
        ("split", "no/*.parquet", "--folds", "2"),
        "no/*.parquet: matches no file.",
        {},
    ),
    (
        "folder from stdin",
        ("split", "-", "--format", "huggingface", "--folds", "2"),
        "huggingface is of folders, which cannot come from a stream.",
        {},
    ),
    (
        "no such label column",
        ("split", DATA, "--labels", "tgs", "--folds", "2"),
        "--labels 'tgs' is not a column of data.csv.",
        {},
    ),
    (
        "no such group column",
        split("--groups", "hwo"),
        "--groups 'hwo' is not a column of data.csv. Columns: id, tags, who. Did you mean 'who'?",
        {},
    ),
    (
        "no such balance column",
        split("--balance", "age"),
        "--balance 'age' is not a column of data.csv.",
        {},
    ),
    ("no such id column", split("--id", "key"), "--id 'key' is not a column of data.csv.", {}),
    (
        "separator for labels in no column",
        ("split", "x.svm", "--folds", "2", "--separator", ";"),
        "--separator cuts a column of text, and in the format svmlight labels are in none.",
        {"x.svm": b"1 1:1\n2 1:1\n"},
    ),
    (
        "no labels to guess",
        ("split", "x.csv", "--folds", "2"),
        "no column looks like labels",
        {"x.csv": b"a,b\nx,1.5\ny,2.5\n"},
    ),
    (
        "separator for several columns",
        ("split", DATA, "--labels", "id,who", "--separator", "|", "--folds", "2"),
        "a separator cuts one column of text",
        {},
    ),
    (
        "sizes that do not add up",
        split("--parts", "0.5,0.2"),
        "--parts must sum to 1 or to the 12 rows, got 0.7. Did you leave out a part?",
        {},
    ),
    (
        "counts that do not add up",
        split("--parts", "5,5"),
        "--parts must sum to 1 or to the 12 rows, got 10.",
        {},
    ),
    (
        "negative sizes",
        split("--parts", "1.5,-0.5"),
        "--parts must hold sizes above 0, got -0.5.",
        {},
    ),
    ("one size", split("--parts", "12"), "--parts must have at least 2 sizes, got 1.", {}),
    (
        "more folds than rows",
        split("--folds", "13"),
        "--folds must be at most the number of rows, got 13 parts for 12 rows.",
        {},
    ),
    (
        "too few names",
        split("--names", "a"),
        "--names must have one name per part, got 1 for 2 parts.",
        {},
    ),
    (
        "holdout too large",
        split("--holdout", "12"),
        "--holdout must be a fraction below 1 or a number of rows below 12",
        {},
    ),
    (
        "effort of another method",
        split("--method", "random", "--effort", "fast"),
        "--effort must go with the method 'even', got method 'random'.",
        {},
    ),
    (
        "group larger than a part",
        split("--groups", "who"),
        "--groups puts 10 of 12 rows into one group",
        {DATA: re.sub(rb",[1-5]\n", b",x\n", ROWS)},
    ),
    (
        "groups with gaps",
        split("--groups", "who"),
        "--groups 'who' is empty in 2 of 12 rows, first row 0 (from 0).",
        {DATA: ROWS.replace(b",0\n", b",\n")},
    ),
    (
        "xml of csv",
        split("--xml", "l.xml"),
        "a list of labels in xml goes with ARFF files, got one in the format csv.",
        {"l.xml": b"<labels/>"},
    ),
    ("amounts of csv", split("--amounts"), "--amounts is of COCO files, got csv.", {}),
    ("empty file", split(), "data.csv: is empty.", {DATA: b""}),
    ("header only", split(), "data.csv: holds no rows.", {DATA: b"id,tags,who\n"}),
    (
        "ragged rows",
        split(),
        "data.csv: line 14 has 2 instead of 3 cells.",
        {DATA: ROWS + b"13,a\n"},
    ),
    (
        "an open quote",
        split(),
        "data.csv: the row that starts in line 14 does not end.",
        {DATA: ROWS + b'13,"a,1\n'},
    ),
    ("not UTF-8", split(), "UTF-8", {DATA: ROWS + b"13,\xff\xfe,1\n"}),
    (
        "two columns of one name",
        split(),
        "more than one column is named 'tags'",
        {DATA: b"tags,tags\na,b\n"},
    ),
    ("binary garbage", split(), DATA, {DATA: bytes(range(256)) * 20}),
    (
        "truncated parquet",
        ("split", "x.parquet", "--folds", "2"),
        "x.parquet: cannot be read",
        {"x.parquet": truncated_parquet},
    ),
    (
        "damaged parquet",
        ("split", "x.parquet", "--labels", "id", "--folds", "2"),
        "x.parquet: cannot be read",
        {"x.parquet": damaged_parquet},
    ),
    (
        "parquet that is text",
        ("split", "x.parquet", "--folds", "2"),
        "x.parquet: cannot be read",
        {"x.parquet": ROWS},
    ),
    (
        "feather that is text",
        ("split", "x.feather", "--folds", "2"),
        "x.feather: cannot be read",
        {"x.feather": ROWS},
    ),
    (
        "json that is not COCO",
        ("split", "x.json", "--folds", "2"),
        "x.json: is not COCO",
        {"x.json": b'{"a": 1}'},
    ),
    (
        "COCO that is not json",
        ("split", "x.json", "--folds", "2"),
        "x.json: cannot be read as JSON",
        {"x.json": b'{"images": ['},
    ),
    (
        "jsonl that is not json",
        ("split", "x.jsonl", "--labels", "a", "--folds", "2"),
        "x.jsonl",
        {"x.jsonl": b'{"a": ["x"]}\n{"a": \n'},
    ),
    (
        "ARFF without labels",
        ("split", "x.arff", "--folds", "2"),
        "x.arff",
        {"x.arff": b"@relation r\n@attribute a numeric\n@data\n1.5\n2.5\n"},
    ),
    ("ARFF that is text", ("split", "x.arff", "--folds", "2"), "x.arff", {"x.arff": ROWS}),
    (
        "svmlight with names",
        ("split", "x.svm", "--folds", "2"),
        "which must be labels",
        {"x.svm": b"a,b 1:2\n"},
    ),
    (
        "npz that is text",
        ("split", "x.npz", "--folds", "2"),
        "x.npz: cannot be read as npz",
        {"x.npz": ROWS},
    ),
    (
        "column for a format without any",
        ("split", "x.svm", "--folds", "2", "-o", "out.svm"),
        "has no columns to add 'part' to",
        {"x.svm": b"1 1:1\n2 1:1\n"},
    ),
    (
        "hierarchy in a circle",
        split("--propagate", "h.csv"),
        "--propagate must not go in a circle",
        {"h.csv": b"label,parent\na,b\nb,a\n"},
    ),
    (
        "hierarchy of other labels",
        split("--propagate", "h.csv"),
        "h.csv: none of its labels (GO:1) is one of data.csv (",
        {"h.csv": b"label,parent\nGO:1,GO:2\n"},
    ),
    (
        "hierarchy of another kind",
        split("--propagate", "h.txt"),
        "a hierarchy must end in .csv, .tsv or .obo.",
        {"h.txt": b"a,b\n"},
    ),
    (
        "no such part column",
        ("check", DATA, "--labels", "tags", "--part-column", "fld"),
        "--part-column 'fld' is not a column",
        {},
    ),
    (
        "part column with gaps",
        ("check", "p.csv", "--labels", "tags", "--part-column", "fold"),
        "--part-column 'fold' is empty in 2 of 12 rows",
        {"p.csv": GAPS},
    ),
    (
        "unknown part",
        ("check", "p.csv", "--labels", "tags", "--part-column", "fold", "--parts", "0.5,0.2,0.3"),
        "got sizes for train, val, test and rows in train, tset. Name the part of each size.",
        {"p.csv": PARTED.replace(b"test", b"tset")},
    ),
    (
        "unknown part to extend",
        ("extend", "p.csv", "--labels", "tags", "--part-column", "fold", "--parts", "0.6,0.4"),
        "rows in train, tset",
        {"p.csv": GAPS.replace(b"test", b"tset")},
    ),
    (
        "parts of other names, all of one size",
        ("check", "p.csv", "--labels", "tags", "--part-column", "fold", "--parts", "a=0.5,b=0.5"),
        "--parts must say which part wants which share, got sizes for a, b and rows in train, test.",
        {"p.csv": PARTED},
    ),
    (
        "a part of another name to extend",
        (
            "extend",
            "p.csv",
            "--labels",
            "tags",
            "--part-column",
            "fold",
            "--parts",
            "train=0.5,val=0.5",
        ),
        "got sizes for train, val and rows in train, test.",
        {"p.csv": GAPS},
    ),
    (
        "nothing to extend",
        ("extend", "p.csv", "--labels", "tags", "--part-column", "fold"),
        "names 0 parts",
        {"p.csv": b"tags,fold\na,\nb,\n"},
    ),
    (
        "old groups in two parts",
        ("extend", "p.csv", "--labels", "tags", "--part-column", "fold", "--groups", "tags"),
        "--part-column must keep groups whole",
        {"p.csv": GAPS},
    ),
    (
        "manifest of other data",
        ("check", DATA, "--labels", "tags", "--manifest", "m.json"),
        "is of 40 rows, data.csv has 12",
        {"m.json": manifest_of_other_data},
    ),
    (
        "damaged manifest",
        ("check", DATA, "--labels", "tags", "--manifest", "m.json"),
        "'m.json' must be a split saved by evenfold",
        {"m.json": b'{"format"'},
    ),
    (
        "manifest of something else",
        ("check", DATA, "--labels", "tags", "--manifest", "m.json"),
        "got other JSON",
        {"m.json": b"[]"},
    ),
    (
        "part column of numbers for a part with a name",
        (
            "extend",
            "x.parquet",
            "--labels",
            "tags",
            "--part-column",
            "fold",
            "--parts",
            "0=2,1=1,new=1",
            "-o",
            "out.parquet",
        ),
        "x.parquet: 'fold' is of type int64, which cannot hold 0, 1, new. Name a new column with --column.",
        {"x.parquet": parquet_with_numbered_parts},
    ),
    (
        "part column of ARFF",
        ("extend", "x.arff", "--labels", "a", "--part-column", "fold", "-o", "out.arff"),
        "x.arff: in the format arff, 'fold' cannot be filled. Name a new column with --column.",
        {
            "x.arff": b"@relation r\n@attribute a {0,1}\n@attribute fold {x,y}\n@data\n1,x\n0,y\n1,?\n0,?\n"
        },
    ),
    (
        "sample of too many",
        ("sample", DATA, "--labels", "tags", "-n", "12", "--json"),
        "-n must be a number of rows between 1 and 11, or a fraction below 1, got 12.",
        {},
    ),
    (
        "ids that are lists",
        ("check", "x.parquet", "--labels", "genres", "--part-column", "patient", "--id", "genres"),
        "must hold one name or number in each row",
        {"x.parquet": WRITERS["data.parquet"]},
    ),
]


def read_all(folder):
    """Return all files below a folder, and what is in them."""
    return {
        path: path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))
    }


def make_files(folder, files):
    """Write the good file, and those given as bytes or by a function."""
    for name, content in {DATA: ROWS, **files}.items():
        if callable(content):
            content(folder / name)
        else:
            (folder / name).write_bytes(content)


def check_refusal(done, code, message):
    """See that there is one message, with the piece expected, and no data."""
    errors = [
        line for line in done.stderr.splitlines() if line.startswith(("evenfold: ", "Error: "))
    ]
    assert len(errors) == 1, done.stderr
    assert message in errors[0]
    assert "Traceback" not in done.stderr
    assert (done.code, done.stdout) == (code, "")


@pytest.mark.parametrize(
    ("words", "message", "files"), [pytest.param(*case[1:], id=case[0]) for case in USAGE]
)
def test_wrong_usage_is_exit_2(words, message, files, command, tmp_path):
    """One message, and every file as it was."""
    make_files(tmp_path, files)
    before = read_all(tmp_path)
    check_refusal(command(*words), 2, message)
    assert read_all(tmp_path) == before


@pytest.mark.parametrize(
    ("words", "message", "files"), [pytest.param(*case[1:], id=case[0]) for case in DATA_ERRORS]
)
def test_wrong_data_is_exit_1(words, message, files, command, tmp_path):
    """One message, no output left behind, and every file as it was."""
    make_files(tmp_path, files)
    before = read_all(tmp_path)
    outputs = (
        ("-o", "new_out", "--indices", "new.json", "--manifest", "new_m.json")
        if words[0] in ("split", "extend") and "-o" not in words
        else ()
    )
    check_refusal(command(*words, *outputs), 1, message)
    assert read_all(tmp_path) == before


MEKA = "@relation 'x: -C -1'\n@attribute a {0,1}\n@attribute b {0,1}\n@data\n"


def sparse_npz(path):
    """Write a sparse matrix of labels."""
    sparse.save_npz(path, sparse.csr_array([[1, 0], [0, 1]] * 4))


def arrays_npz(path):
    """Write labels, and an array that has the name of the new column but is no column."""
    np.savez(path, y=np.eye(2, dtype=int), part=np.zeros((2, 3)))


@pytest.mark.parametrize(
    ("name", "content", "words", "message"),
    [
        ("x.svm", b"1 1:1\n2 1:1\n", (), "has no columns to add 'part' to"),
        ("x.json", WRITERS["data.json"], (), "has no columns to add 'part' to"),
        ("x.npz", sparse_npz, (), "has no columns to add 'part' to"),
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
    """Not after minutes of splitting."""
    make_files(tmp_path, {name: content})
    for work in ("split", "make_split"):
        monkeypatch.setattr(
            f"evenfold.splits.make_split.{work}", fail_with(AssertionError("too late"))
        )
    done = command(
        *(("extend", name, *words) if words else ("split", name, "--folds", "2")),
        "-o",
        f"out{Path(name).suffix}",
    )
    assert (done.code, message in done.stderr) == (1, True)


def fail_with(error):
    """Return a function that raises."""

    def fail(*_, **__):
        raise error

    return fail


@pytest.mark.parametrize(
    ("place", "error", "message"),
    [
        (
            "os.fsync",
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "out.csv"),
            "out.csv: No space left on device.",
        ),
        (
            "evenfold.files.formats.delimited.Csv.write_with_column",
            OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
            "No space left on device.",
        ),
        (
            "tempfile.mkdtemp",
            PermissionError(errno.EACCES, "Permission denied", "folder"),
            "folder: Permission denied.",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            MemoryError(),
            "there is not enough memory for this. Try --order 1",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            MemoryError("9 GB"),
            "there is not enough memory for this (9 GB).",
        ),
        (
            "evenfold.splits.make_split.make_criteria",
            KeyError("odd"),
            "an error of evenfold itself: KeyError: 'odd'. Please report it",
        ),
    ],
)
def test_what_the_machine_refuses_is_one_message_too(
    place, error, message, command, tmp_path, monkeypatch
):
    """A full disk, a folder that may not be written, too little memory; even an error of our own."""
    make_files(tmp_path, {})
    before = read_all(tmp_path)
    monkeypatch.setattr(place, fail_with(error))
    check_refusal(command(*split("-o", "out.csv")), 1, message)
    assert read_all(tmp_path) == before


@pytest.mark.parametrize(
    "words",
    [("-o", "ro/out"), ("-o", "ro/out.csv"), ("-o", "ro"), ("--manifest", "ro/out.json")],
    ids=" ".join,
)
def test_a_folder_that_may_not_be_written_is_refused_before_the_work(
    words, command, tmp_path, monkeypatch
):
    """By the name that was given, not that of a temporary folder in it."""
    make_files(tmp_path, {})
    (tmp_path / "ro").mkdir()
    monkeypatch.setattr("evenfold.splits.make_split.split", fail_with(AssertionError("too late")))
    monkeypatch.setattr("os.access", lambda path, _: Path(path).name != "ro")
    message = f"{words[1] if '/' in words[1] else 'ro/fold0.csv'}: nothing may be written into the folder ro. Name another output"
    check_refusal(command(*split(*words)), 2, message)


def test_an_error_of_arrow_is_one_message_too(command, tmp_path, monkeypatch):
    """Though formats word the ones they expect."""
    make_files(tmp_path, {})
    monkeypatch.setattr(
        "evenfold.files.label_columns.read_labels",
        fail_with(pa.ArrowNotImplementedError("no kernel")),
    )
    check_refusal(command(*split()), 1, "data.csv: cannot be read or written: no kernel")


def test_our_own_errors_show_where_they_are_if_asked(command, tmp_path, monkeypatch):
    """With EVENFOLD_DEBUG the traceback is not hidden."""
    make_files(tmp_path, {})
    monkeypatch.setenv("EVENFOLD_DEBUG", "1")
    monkeypatch.setattr("evenfold.splits.make_split.make_criteria", fail_with(KeyError("odd")))
    with pytest.raises(KeyError, match="odd"):
        command(*split())


def test_an_error_about_stdin_does_not_name_the_temporary_file(command):
    """The user has not made it."""
    check_refusal(
        command("split", "-", "--labels", "tags", "--folds", "2", stdin=b"tags,who\na\n"),
        1,
        "evenfold: stdin: line 2 has 1 instead of 2 cells.",
    )


def test_there_are_many_bad_invocations():
    """As many as were promised, each with a name of its own."""
    names = [case[0] for case in USAGE + DATA_ERRORS]
    assert len(set(names)) == len(names) >= 60

"""Wrong options and data of linked rows: one message that names the option, nothing written."""

import io

import numpy as np
import pytest

from .refusals import (
    DATA,
    ROWS,
    check_refusal,
    check_wrong_data,
    check_wrong_usage,
    each,
    make_files,
    read_all,
)

N_ROWS = 12


def as_npy(array):
    """Return the bytes of a .npy file."""
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


GOOD = np.random.default_rng(0).normal(size=(N_ROWS, 3))
WITH_NAN = np.where(np.arange(N_ROWS)[:, None] == 7, np.nan, GOOD)
LINK = "link data.csv -o new.csv --indices new.json"
SPLIT = "split data.csv --labels tags --folds 2"
EMB = {"emb.npy": as_npy(GOOD)}
PATHS = {DATA: ROWS.replace(b"a|b", b"pic.png")}

USAGE = [
    ("nothing that links", "link data.csv", "Say what links rows: --groups, --copies", {}),
    ("no number", f"{LINK} --text tags --at high", "'high' is not a number. Try 0.8", {}),
    ("NaN as threshold", f"{LINK} --text tags --at nan", "'nan' is not a number.", {}),
    (
        "threshold of something else",
        f"{LINK} --text tags --at txet=0.8",
        "'txet' is not one of text, images, similar, pairs. Did you mean 'text'?",
        {},
    ),
    (
        "two thresholds of one",
        f"{LINK} --text tags --at text=1,text=0.5",
        "names a source twice",
        {},
    ),
    (
        "one threshold for two",
        f"{LINK} --text tags --similar emb.npy --at 0.8",
        "--at 0.8 is one threshold, got --text and --similar. Try --at text=…,similar=….",
        EMB,
    ),
    (
        "threshold of nothing",
        f"{LINK} --groups who --at 0.8",
        "--at is for --text, --images, --similar, --pairs.",
        {},
    ),
    ("metric alone", f"{LINK} --groups who --metric cosine", "--metric is for --similar.", {}),
    (
        "unknown metric",
        f"{LINK} --similar emb.npy --metric cosin",
        "'cosin' is not one of cosine",
        EMB,
    ),
    ("exact alone", f"{LINK} --groups who --exact", "--exact is for --text and --similar.", {}),
    (
        "approximate alone",
        f"{SPLIT} --groups who --approximate",
        "--approximate is for --text and --similar.",
        {},
    ),
    ("recall alone", f"{LINK} --groups who --recall 0.9", "--recall is for --text and", {}),
    ("no recall", f"{LINK} --text tags --recall 0", "0<x<=1", {}),
    ("cut nothing", f"{SPLIT} --max-group 3", "--max-group is for linked rows.", {}),
    ("no group size", f"{LINK} --groups who --max-group 0", "'--max-group'", {}),
    ("no file of pairs", f"{LINK} --pairs no.csv", "'no.csv' does not exist", {}),
    (
        "column that exists",
        "link data.csv --groups who --column tags -o new.csv",
        "'tags' already",
        {},
    ),
    ("folder", "link data.csv --groups who -o out/", "-o out/: the output is one file.", {}),
    ("other format", "link data.csv --groups who -o x.npz", "has the format of the input", {}),
    ("indices", "link data.csv --groups who --indices x.txt", "must end in .json or .npy", {}),
    ("two of stdout", "link data.csv --groups who -o - --json", "would both go to stdout", {}),
    ("the input", "link data.csv --groups who -o data.csv --force", "data.csv", {}),
    (
        "the embeddings",
        "link data.csv --similar emb.npy --indices emb.npy --force",
        "emb.npy",
        EMB,
    ),
]
DATA_CASES = [
    ("threshold of text", f"{LINK} --text tags --at 1.5", "--at must be ", {}),
    ("threshold 0 of text", f"{LINK} --text tags --at 0", "--at must be ", {}),
    ("threshold of similar", f"{LINK} --similar emb.npy --at 2", "--at must be ", EMB),
    (
        "distance without threshold",
        f"{LINK} --similar emb.npy --metric hamming",
        "--at must be given for --metric hamming",
        EMB,
    ),
    (
        "threshold of another source",
        f"{LINK} --text tags --at similar=0.8",
        "--at must name sources that are given, got 'similar'. Given with a threshold: text.",
        {},
    ),
    (
        "one threshold for embeddings and scores",
        f"{LINK} --similar emb.npy --pairs hits.csv --at 0.8",
        "--at must name the threshold of each source, got 0.8 for similar and pairs. "
        "Try --at similar=…,pairs=….",
        {**EMB, "hits.csv": b"a,b,score\n0,1,0.1\n"},
    ),
    (
        "embeddings of another length",
        f"{LINK} --similar emb.npy",
        "--similar must have one row for each of the 12 rows, got 11.",
        {"emb.npy": as_npy(GOOD[1:])},
    ),
    (
        "NaN in embeddings",
        f"{SPLIT} --similar emb.npy",
        "--similar must hold finite numbers below 1e+100, got nan in row 7, column 0.",
        {"emb.npy": as_npy(WITH_NAN)},
    ),
    (
        "vector of numbers",
        f"{LINK} --similar emb.npy",
        "--similar must have two dimensions",
        {"emb.npy": as_npy(GOOD[:, 0])},
    ),
    (
        "pickled embeddings",
        f"{LINK} --similar emb.npy",
        "--similar emb.npy: cannot be read as npy",
        {"emb.npy": b"x"},
    ),
    ("no such embeddings", f"{LINK} --similar no.npy", "--similar no.npy: no such file.", {}),
    ("embeddings of text", f"{LINK} --similar tags", "Leave it out of --similar.", {}),
    (
        "unknown column of embeddings",
        f"{LINK} --similar 'e_*'",
        "--similar 'e_*' is not a column",
        {},
    ),
    (
        "unknown column of text",
        f"{LINK} --text body",
        "--text 'body' is not a column of data.csv",
        {},
    ),
    ("unknown column of files", f"{LINK} --files body", "--files 'body' is not a column", {}),
    ("unknown column of images", f"{LINK} --images body", "--images 'body' is not a column", {}),
    ("unknown column of copies", f"{LINK} --copies body", "--copies 'body' is not a column", {}),
    ("unknown column of ids", f"{LINK} --groups who --id key", "--id 'key' is not a column", {}),
    ("a second unknown group", f"{SPLIT} --groups who,hospital", "--groups 'hospital' is not", {}),
    ("missing file", f"{LINK} --files tags", "--files ", {}),
    ("missing image", f"{LINK} --images tags", "--images ", {}),
    (
        "image that cannot be read",
        f"{LINK} --images tags",
        "--images ",
        {**PATHS, "pic.png": b"no image", "b": b"no image"},
    ),
    (
        "unknown id in pairs",
        f"{LINK} --pairs p.csv --id id",
        "--pairs holds 1 ids that are not in --id, first 'x9'.",
        {"p.csv": b"a,b\n1,x9\n"},
    ),
    (
        "rows out of range",
        f"{LINK} --pairs p.csv",
        "--pairs must hold row numbers from 0 to 11, got 1 others, first 12.",
        {"p.csv": b"a,b\n1,12\n"},
    ),
    (
        "names without ids",
        f"{LINK} --pairs p.csv",
        "got 'x'. Name a column of ids with --id.",
        {"p.csv": b"a,b\nx,y\n"},
    ),
    ("no pairs", f"{LINK} --pairs p.csv", "p.csv: holds no pairs.", {"p.csv": b"a,b\n"}),
    (
        "groups too large",
        f"{LINK} --groups tags --max-group 3",
        "--max-group must be at least 6",
        {},
    ),
    (
        "everything one group",
        f"{SPLIT} --similar emb.npy --at 0.5",
        "--at links all 12 rows into one group, which cannot be split.",
        {"emb.npy": as_npy(1 + GOOD / 100)},
    ),
    (
        "all rows equal",
        f"{SPLIT} --similar emb.npy --at 0.5",
        "--similar links all 12 rows into one group, which cannot be split: the rows are equal",
        {"emb.npy": as_npy(np.ones((N_ROWS, 2)))},
    ),
    *(
        (
            f"no rows for {option}",
            f"{LINK} --{option} tags",
            "data.csv: holds no rows. Check how it was written.",
            {DATA: b"id,tags\n"},
        )
        for option in ("groups", "copies", "files", "text", "images", "similar")
    ),
    (
        "no rows for pairs",
        f"{LINK} --pairs p.csv",
        "holds no rows.",
        {DATA: b"i\n", "p.csv": b"0,1\n"},
    ),
    (
        "format without columns",
        "link x.svm --groups who --indices new.json",
        "--groups 'who' is not a column of x.svm",
        {"x.svm": b"1 1:1\n2 1:1\n"},
    ),
]


@each(USAGE)
def test_wrong_options_are_refused(words, message, files, command, tmp_path):
    """Exit code 2, and no file changes."""
    check_wrong_usage(command, words, message, files, tmp_path)


@each(DATA_CASES)
def test_wrong_data_is_refused(words, message, files, command, tmp_path):
    """Exit code 1, and nothing is written."""
    check_wrong_data(command, words, message, files, tmp_path)


def test_a_negative_threshold_is_refused(command, tmp_path):
    """Before anything is read."""
    make_files(tmp_path, EMB)
    done = command(f"{LINK} --similar emb.npy --metric euclidean --at -1")
    check_refusal(done, 2, "'--at': '-1' is below 0.")


@pytest.mark.parametrize("name", ["--at 0.8 --text tags", "--similar emb.npy --at 0.8"])
def test_check_refuses_what_link_refuses(name, command, tmp_path):
    """With the same words."""
    make_files(tmp_path, {"emb.npy": as_npy(WITH_NAN)})
    before = read_all(tmp_path)
    done = command(f"check data.csv --labels tags --part-column who {name} --groups hwo")
    check_refusal(done, 1, "--groups 'hwo' is not a column of data.csv.")
    assert read_all(tmp_path) == before

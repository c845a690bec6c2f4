"""Groups by a pattern over a column, and what is balanced of images with boxes."""

import json
from pathlib import Path

import numpy as np
import pytest

import evenfold

from ..files.made_files import GENRES, MATRIX, N_ROWS, NAMES, PATIENT, write_coco, write_csv
from .refusals import check_refusal, read_all

CAMERA = [f"cam{at // 4}" for at in range(len(GENRES))]


def write_cameras(path, n_sized=N_ROWS):
    """Write COCO images with cameras in their names, and boxes of a tenth of the image."""
    content = json.loads(write_coco(path).read_text())
    for at, image in enumerate(content["images"]):
        image["file_name"] = f"{CAMERA[at]}/{at}.jpg"
        image |= {"width": 10, "height": 10} if at < n_sized else {}
    for own in content["annotations"]:
        own["bbox"] = [0, 0, 1, 10]
    path.write_text(json.dumps(content))
    return path


@pytest.mark.parametrize(
    "pattern",
    [
        r"path:^(cam\d{1,2})",
        r"path:cam\d+",
        r"file_name:^(cam\d+)/(\d)",
        r"path:^(?:x(y)|)",
    ],
)
def test_groups_are_what_a_pattern_finds_in_a_path(command, tmp_path, pattern):
    """The first bracket or the whole match; `path` is the column of paths of any format."""
    write_cameras(tmp_path / "data.json")
    # The last pattern finds only empty brackets, which join nothing.
    groups = None if "x(y)" in pattern else CAMERA
    words = "split data.json --folds 2 --indices p.npy --manifest m.json -q --groups"
    done = command(words, pattern)
    assert (done.code, done.stderr) == (0, "")
    expected = evenfold.split(MATRIX, 2, groups=groups or list(range(len(GENRES))))
    assert np.load("p.npy").tolist() == expected.part_of_row.tolist()
    checked = command("check data.json --manifest m.json")
    assert (checked.code, "OK: " in checked.stdout) == (0, True)
    assert json.loads(Path("m.json").read_text())["parameters"]["columns"]["groups"] == [pattern]


def test_patterns_go_with_columns_and_commas(command, tmp_path):
    """A column whose name has a colon is a column; a pattern may be after a comma."""
    (tmp_path / "data.csv").write_text(
        write_csv(tmp_path / "data.csv").read_text().replace(",patient,", ",title:p,", 1)
    )
    expected = evenfold.split(GENRES, 2, groups=PATIENT).part_of_row.tolist()
    for given in ("title:p", "title:p,title:[0-9]+", r"title:p,title:title (\d+)"):
        done = command("split data.csv --folds 2 --indices p.npy --force -q --groups", given)
        assert (done.code, np.load("p.npy").tolist()) == (0, expected), done.stderr


def test_a_missing_path_joins_nothing(command, tmp_path):
    """A row without a value has no group."""
    path = write_cameras(tmp_path / "data.json")
    content = json.loads(path.read_text())
    for image in content["images"][:4]:
        image["file_name"] = None
    path.write_text(json.dumps(content))
    done = command(r"split data.json --folds 2 --indices p.npy --groups 'path:(cam\d)'")
    alone = [None] * 4 + CAMERA[4:]
    assert np.load("p.npy").tolist() == evenfold.split(MATRIX, 2, groups=alone).part_of_row.tolist()
    assert "4 rows have no value" in done.stderr


def test_groups_of_several_files_may_be_patterns(command, tmp_path):
    """A camera in two parts fails the check."""
    write_cameras(tmp_path / "data.json")
    assert command("split data.json --folds 2 -o parts -q").code == 0
    done = command(r"check parts/fold0.json parts/fold1.json --groups 'path:cam\d+'")
    assert (done.code, "groups are in more than one part" in done.stderr) == (1, True)
    assert command(r"audit parts/fold0.json parts/fold1.json --groups 'path:cam\d+'").code == 0


@pytest.mark.parametrize(
    ("pattern", "message"),
    [
        (
            "path:(cam[0-4])/",
            "data.json: --groups 'path:(cam[0-4])/' matches nothing in 'cam5/20.jpg' and in "
            "20 of the 40 values of 'file_name'. Change the expression, or end it with '|$' so "
            "that such rows join nothing.",
        ),
        (
            "path:(cam",
            "data.json: --groups 'path:(cam' is not a regular expression: missing ), "
            "unterminated subpattern at position 0. Correct it.",
        ),
        ("paths:cam", "--groups 'paths:cam' is not a column of data.json. Columns: id, file_name"),
    ],
)
def test_patterns_that_find_no_groups_are_refused(command, tmp_path, pattern, message):
    """The first path without a match is named; nothing is written."""
    write_cameras(tmp_path / "data.json")
    before = read_all(tmp_path)
    check_refusal(command("split data.json --folds 2 -o out --groups", pattern), 1, message)
    assert read_all(tmp_path) == before


def test_amounts_have_the_names_of_the_categories(command, tmp_path):
    """In the printed result and in JSON."""
    write_coco(tmp_path / "data.json")
    done = command("split data.json --folds 2 --amounts --json")
    balanced = json.loads(done.stdout)["quality"]["per_balance"]
    assert {f"{name}: total" for name in NAMES} <= {row["criterion"] for row in balanced}
    assert "amount 0" not in done.stdout + done.stderr


@pytest.mark.parametrize("column", ["n_boxes", "box_area"])
def test_columns_of_boxes_can_be_balanced(command, tmp_path, column):
    """Two boxes of each category, each a tenth of the image."""
    write_cameras(tmp_path / "data.json")
    assert command(f"split data.json --folds 2 --balance {column} --indices p.npy -q").code == 0
    n_boxes = 2 * MATRIX.sum(axis=1)
    own = {"n_boxes": n_boxes.astype(float), "box_area": n_boxes * 0.1}[column]
    expected = evenfold.split(MATRIX, 2, balance={column: own})
    assert np.load("p.npy").tolist() == expected.part_of_row.tolist()


def test_a_column_of_the_data_is_read_before_one_of_boxes(command, tmp_path):
    """A field of the images that is named n_boxes."""
    path = write_coco(tmp_path / "data.json")
    content = json.loads(path.read_text())
    for at, image in enumerate(content["images"]):
        image["n_boxes"] = at
    path.write_text(json.dumps(content))
    assert command("split data.json --folds 2 --balance n_boxes --indices p.npy -q").code == 0
    expected = evenfold.split(MATRIX, 2, balance={"n_boxes": list(range(len(GENRES)))})
    assert np.load("p.npy").tolist() == expected.part_of_row.tolist()


def test_wrong_columns_of_boxes_are_refused(command, tmp_path):
    """A name that is not quite right, and images without a size."""
    write_cameras(tmp_path / "data.json", n_sized=3)
    check_refusal(
        command("split data.json --folds 2 --balance n_box"),
        1,
        "Columns: id, file_name, width, height, n_boxes, box_area. Did you mean 'n_boxes'?",
    )
    check_refusal(
        command("split data.json --folds 2 --balance box_area"), 1, "image 103 has no width and"
    )

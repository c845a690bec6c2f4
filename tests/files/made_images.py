"""The same small data as in `made_files`, as images with annotations."""

import json
from typing import Any, NamedTuple

import numpy as np

from .made_files import GENRES, MATRIX, NAMES

# Which split each row is in already.
SPLIT = ["train" if at % 4 else "val" for at in range(len(GENRES))]
CAMERA = [f"cam{at // 4}" for at in range(len(GENRES))]
CONFIG = """# classes and folders
path: .
train: images/train
val: images/val
test:  # none

names:
  0: comedy
  1: crime
  2: drama
  3: romance
  4: war
"""


def name_image(at):
    """Return the name of an image, so that the rows are in the order of the names."""
    return f"{at:02}_{CAMERA[at]}"


def write_yolo(folder):
    """Write images without content in one folder, two boxes of each label, a YAML with lists.

    The first label of a row is a polygon. Of the rows without labels, every second has an empty
    file, the others none.
    """
    for kind in ("images", "labels"):
        (folder / kind).mkdir(parents=True)
    for at, row in enumerate(GENRES):
        (folder / "images" / f"{name_image(at)}.jpg").write_bytes(b"%d" % at)
        lines = [f"{NAMES.index(name)} 0.5 0.5 0.5 0.2\n" for name in row for _ in range(2)]
        lines[:1] = [line.replace("0.5 0.5 0.5 0.2", "0 0 .5 0 0.5 .2") for line in lines[:1]]
        if row or at % 16 == 4:
            (folder / "labels" / f"{name_image(at)}.txt").write_text("".join(lines))
    for split in ("train", "val"):
        own = [at for at in range(len(GENRES)) if SPLIT[at] == split]
        (folder / f"{split}.txt").write_text(
            "".join(f"./images/{name_image(at)}.jpg\n" for at in own)
        )
    text = CONFIG.replace("images/train", "train.txt").replace("images/val", "val.txt")
    (folder / "data.yaml").write_text(text)
    return folder


# Rows without labels are in a class of their own, and rows are in the order of their paths.
_CLASSES = [sorted(row) or ["none"] for row in GENRES]
_BY_PATH = sorted(range(len(GENRES)), key=lambda at: f"{_CLASSES[at][0]}/{name_image(at)}")


def write_image_folder(folder):
    """Write each image into the folders of all its labels, with the same content."""
    for at, row in enumerate(_CLASSES):
        for name in row:
            path = folder / name / f"{name_image(at)}.jpg"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(b"%d" % at)
    return folder


def write_label_studio(path):
    """Write a task for each row, with one annotation: two boxes of each label."""
    tasks = [
        {
            "id": 100 + at,
            "data": {"image": f"/data/{name_image(at)}.jpg", "split": SPLIT[at]},
            "annotations": [{"result": [_make_box(name) for name in row for _ in range(2)]}],
        }
        for at, row in enumerate(GENRES)
    ]
    path.write_text(json.dumps(tasks))
    return path


def _make_box(name):
    value = {"x": 0, "y": 0, "width": 50, "height": 20, "rectanglelabels": [name]}
    return {"from_name": "label", "type": "rectanglelabels", "value": value}


def write_label_studio_min(path):
    """Write an object for each label, and one for a row without labels."""
    records = [
        {
            "image": f"/data/{name_image(at)}.jpg",
            "id": 100 + at,
            **own,
            "annotator": 1,
            "annotation_id": 7 if own else None,
            "lead_time": 2.5,
        }
        for at, row in enumerate(GENRES)
        for own in [{"choice": name} for name in row] or [{}]
    ]
    path.write_text(json.dumps(records))
    return path


class Case(NamedTuple):
    """A format: how to write it, what it holds, and how its lists are read again.

    Attributes
    ----------
    write : callable
        Writes the data to a path; a file if lists have its suffix.
    order : list of int
        Which row of the small data each row is.
    matrix : ndarray
        The labels of the rows, 0/1.
    suffix : str
        The suffix of lists.
    options : str
        How commands read a list.
    """

    write: Any
    order: Any
    matrix: Any
    suffix: str
    options: str = ""

    @property
    def path(self):
        """The name that the data is written under."""
        return "data.json" if self.suffix == ".json" else "data"


_WITH_NONE = np.column_stack((MATRIX[:, :3], MATRIX.sum(axis=1) == 0, MATRIX[:, 3:])).astype(int)
CASES = {
    "yolo": Case(write_yolo, range(len(GENRES)), MATRIX, ".txt", "--format yolo"),
    "imagefolder": Case(
        write_image_folder,
        _BY_PATH,
        _WITH_NONE[_BY_PATH],
        ".csv",
        "--labels label --separator |",
    ),
    "labelstudio": Case(write_label_studio, range(len(GENRES)), MATRIX, ".json"),
    "labelstudio min": Case(write_label_studio_min, range(len(GENRES)), MATRIX, ".json"),
}


def read_tree(folder):
    """Return the content of a file, or of all files below a folder, by path."""
    if folder.is_file():
        return {folder: folder.read_bytes()}
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

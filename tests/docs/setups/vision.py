"""Images with annotations: YOLO, folders by class, COCO and Label Studio."""

import json

from ...files.made_files import write_coco
from ...files.made_images import CAMERA, write_label_studio, write_splits, write_yolo


def prepare(folder, _command):
    """Write one data set of each kind."""
    write_yolo(folder / "traffic")
    write_splits(folder / "animals")
    write_sized_coco(folder / "instances.json")
    write_label_studio(folder / "export.json")


def write_sized_coco(path):
    """Write COCO images with sizes and boxes, in folders of cameras."""
    content = json.loads(write_coco(path).read_text())
    for at, image in enumerate(content["images"]):
        image |= {"width": 10, "height": 10, "file_name": f"{CAMERA[at]}/{at}.jpg"}
    for own in content["annotations"]:
        own["bbox"] = [0, 0, 1 + own["id"] % 3, 4]
    path.write_text(json.dumps(content))


def check(folder):
    """The outputs are those that the page names."""
    written = {
        name: sorted(path.name for path in (folder / name).iterdir())
        for name in ("new", "folds", "lists", "parted", "coco", "exported")
    }
    folds = [f"fold{at}.{suffix}" for at in range(5) for suffix in ("txt", "yaml")]
    assert written == {
        "new": ["data.yaml", "train.txt", "val.txt"],
        "folds": folds,
        "lists": ["test.csv", "train.csv", "val.csv"],
        "parted": ["train", "val"],
        "coco": ["fold0.json", "fold1.json"],
        "exported": ["test.json", "train.json"],
    }

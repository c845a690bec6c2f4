"""The page on images: its lines run, and what it says of groups holds."""

import json
import re
from pathlib import Path

from ..files.made_files import write_coco
from ..files.made_images import CAMERA, name_image, write_label_studio, write_splits, write_yolo

PAGE = (Path(__file__).parents[2] / "docs" / "vision.md").read_text(encoding="utf-8")


def write_sized_coco(path):
    """Write COCO images with sizes and boxes, in folders of cameras."""
    content = json.loads(write_coco(path).read_text())
    for at, image in enumerate(content["images"]):
        image |= {"width": 10, "height": 10, "file_name": f"{CAMERA[at]}/{at}.jpg"}
    for own in content["annotations"]:
        own["bbox"] = [0, 0, 1 + own["id"] % 3, 4]
    path.write_text(json.dumps(content))


def test_the_lines_of_the_page_run(command, tmp_path):
    """One after the other; the outputs are those that the page names."""
    write_yolo(tmp_path / "traffic")
    write_splits(tmp_path / "animals")
    write_sized_coco(tmp_path / "instances.json")
    write_label_studio(tmp_path / "export.json")
    lines = "".join(re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)).splitlines()
    assert len(lines) >= 10
    for line in lines:
        done = command(line.removeprefix("evenfold "))
        assert done.code == 0, (line, done.stderr)
    written = {
        folder: sorted(path.name for path in Path(folder).iterdir())
        for folder in ("new", "folds", "lists", "parted", "coco", "exported")
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


def test_the_groups_of_the_page_are_found(command, tmp_path):
    """Each pattern finds the group that the table has beside it."""
    path = re.findall(r"group of `(.*?)`", PAGE)[0]
    rows = re.findall(r"^\| `--groups '(.*?)'` \| `(.*?)` \|", PAGE, re.MULTILINE)
    assert len(rows) == 3
    for pattern, group in rows:
        (tmp_path / "data.csv").write_text(f"path,label\n{path},a\ncam99_1.jpg,b\n")
        done = command("info data.csv --labels label --json --groups", pattern)
        assert json.loads(done.stdout)["groups"]["largest"] == group
    assert name_image(0) == "00_cam0"

"""The page on images: what it says of groups in paths holds."""

import json
import re
from pathlib import Path

from ..files.made_images import name_image

PAGE = (Path(__file__).parents[2] / "docs" / "vision.md").read_text(encoding="utf-8")


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

"""YAML files of a folder of YOLO parts."""

import pytest

from evenfold.exceptions import InputError
from evenfold.files.vision.yolo_folders import list_configs, make_config


@pytest.mark.parametrize(
    ("names", "configs"),
    [
        (["train", "test"], {"my.yaml": {"train": "train", "test": "test"}}),
        (["train", "val", "x"], {"my.yaml": {"train": "train", "val": "val", "x": "x"}}),
        (["x"], {"my.yaml": {"x": "x"}}),
        (["x", "test"], {"my.yaml": {"x": "x", "test": "test"}}),
        (
            ["a", "b", "c"],
            {
                "a.yaml": {"train": ["b", "c"], "val": "a"},
                "b.yaml": {"train": ["a", "c"], "val": "b"},
                "c.yaml": {"train": ["a", "b"], "val": "c"},
            },
        ),
    ],
)
def test_folds_have_a_file_each_and_other_parts_one(names, configs):
    """Parts named train or val are splits; of folds, each is val once."""
    assert list_configs(names, "my.yaml") == configs


def test_a_file_keeps_all_but_the_places_of_images():
    """Paths are relative to the new file."""
    values = {"path": "x", "train": "a", "nc": 1, "names": ["x"], "download": "y", "flip": [0]}
    assert make_config({"train": ["a", "b"], "val": "c"}, values, "images/{}") == {
        "train": ["images/a", "images/b"],
        "val": "images/c",
        "nc": 1,
        "names": ["x"],
        "flip": [0],
    }
    with pytest.raises(InputError, match="a part of a YOLO dataset cannot be named 'nc', which is"):
        make_config({"nc": "nc"}, values, "{}.txt")

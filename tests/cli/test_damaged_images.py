"""Damaged annotations: one message with file and place, exit code 1, nothing written."""

import pytest

from ..files.made_images import CASES, name_image, read_tree
from .refusals import check_refusal

LABELS = f"labels/{name_image(8)}.txt"
YOLO = {
    "a wrong number of fields": (LABELS, b"0 .5 .5 1\n", f"{LABELS}: line 1: holds 4 numbers."),
    "a class out of range": (LABELS, b"\n9 .5 .5 1 1", f"{LABELS}: line 2: the class 9 has no nam"),
    "not a number": (LABELS, b"0 x .5 1 1", f"{LABELS}: line 1: 'x' is not a number."),
    "pixels": (LABELS, b"0 .5 .5 20 20", f"{LABELS}: line 1: the coordinate 20 is not in 0 to 1"),
    "bytes that are no text": (LABELS, b"0 .5\xff .5 1 1", f"{LABELS}: line 1 is not UTF-8."),
    "broken yaml": ("data.yaml", b"names: [a\ntrain: b", "data.yaml: line 2 is not YAML"),
    "no folder of images": (
        "data.yaml",
        b"names: [a]\ntrain: images/x",
        "data.yaml: line 2: 'train' names images/x, but there is no ",
    ),
    "a list of other images": ("train.txt", b"./images/x.jpg", "train.txt: line 1: there is no im"),
    "a list that is no text": ("val.txt", b"\n\xff.jpg", "val.txt: line 2 is not UTF-8."),
    "a second dataset": ("b.yaml", b"nc: 1", "data: holds several datasets: b.yaml, data.yaml."),
}
FOLDERS = {
    "an image in no class": ("1.jpg", b"", "data: the image 1.jpg is in no folder of a class."),
    "a split beside classes": ("train/a/1.jpg", b"", "data: train has folders of classes and"),
    "a name with a line break": ("a\nb/1.jpg", b"", "the name of the image 'a\\nb/1.jpg' is not"),
    "a name that is no text": ("a\udcff/1.jpg", b"", "the name of the image 'a?/1.jpg' is not"),
    "the record of a dataset": ("state.json", b"[]", "state.json: must hold a JSON object"),
}
STUDIO = {
    "truncated": (b'[{"id": 1, "annotations"', "data.json: line 1 cannot be read as JSON"),
    "not text": (b'[\n{"id": "\xff", "data": {}, "annotations": []}]', "line 2 is not UTF-8."),
    "of another kind": (
        b'[{"data": 1, "annotations": []}]',
        "data.json: is no export of Label Studio: its objects",
    ),
    "with a text": (
        b'[{"data": {}, "annotations": []}, "a"]',
        "data.json: is no export of Label Studio: not a list of objects",
    ),
    "without results": (
        b'[{"id": 7, "data": {}, "annotations": [{}]}]',
        "data.json: task 7: 'result' must be a list of objects, got None.",
    ),
    "COCO without images": (b'{"categories": []}', "data.json: is not COCO: Object missing requi"),
}
DAMAGE = [
    *(pytest.param("yolo", *case, id=f"yolo: {name}") for name, case in YOLO.items()),
    *(pytest.param("imagefolder", *case, id=f"folders: {name}") for name, case in FOLDERS.items()),
    *(
        pytest.param("labelstudio", "", *case, id=f"studio: {name}")
        for name, case in STUDIO.items()
    ),
]


@pytest.mark.parametrize(("name", "file", "content", "message"), DAMAGE)
def test_damage_is_named_and_nothing_is_written(command, tmp_path, name, file, content, message):
    """By split, check and info; the input stays as it was."""
    case = CASES[name]
    path = case.write(tmp_path / case.path) / file
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_bytes(content)
    before = read_tree(tmp_path)
    outputs = "-o out --indices new.json --manifest new_m.json --report new.html"
    check_refusal(command(f"split {case.path} --folds 2 {outputs}"), 1, message)
    check_refusal(command(f"info {case.path}"), 1, message)
    check_refusal(command(f"check {case.path} {case.path}"), 1, message)
    assert read_tree(tmp_path) == before

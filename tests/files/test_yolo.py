"""YOLO: images, labels and splits of a dataset, and lists that are written."""

import os
import re
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import InputError
from evenfold.files.formats.yolo import Yolo
from evenfold.files.registry import open_data

from .made_files import MATRIX, NAMES
from .made_images import CONFIG, SPLIT, name_image, write_yolo


def write(folder, config=CONFIG, **files):
    """Write a YAML file, and images with their label files: train_a="0 .5 .5 1 1"."""
    folder.mkdir(exist_ok=True)
    (folder / "data.yaml").write_text(config)
    for name, lines in files.items():
        split, _, stem = name.partition("_")
        for kind, suffix, content in (("images", "jpg", ""), ("labels", "txt", lines)):
            if content is not None:
                path = folder / kind / split / f"{stem}.{suffix}"
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(content)
    return folder / "data.yaml"


def read_columns(file, *columns):
    """Return columns as lists."""
    return pa.Table.from_batches(file.read_batches(columns)).to_pydict()


@pytest.mark.parametrize("name", ["", "data.yaml"])
def test_labels_are_the_classes_of_the_boxes(tmp_path, name):
    """Of the folder and of its YAML file; without a label file, or with an empty one, no label."""
    file = open_data(str(write_yolo(tmp_path / "set") / name))
    assert isinstance(file, Yolo)
    labels = file.read_own_labels()
    assert list(labels.names) == NAMES
    assert np.array_equal(labels.to_csr().toarray(), MATRIX)
    paths = [f"images/{name_image(at)}.jpg" for at in range(len(MATRIX))]
    assert read_columns(file, "split", "path") == {"split": SPLIT, "path": paths}


def test_boxes_are_counted_and_measured(tmp_path):
    """A polygon is the box around it: here half of the width and a fifth of the height."""
    file = Yolo(write_yolo(tmp_path / "set"))
    counts = np.column_stack(list(file.read_counts().values()))
    assert np.array_equal(counts, 2 * MATRIX)
    assert list(file.read_counts()) == NAMES
    assert file.read_box_column("n_boxes").tolist() == (2 * MATRIX.sum(axis=1)).tolist()
    assert np.allclose(file.read_box_column("box_area"), 0.2 * MATRIX.sum(axis=1))


def test_classes_are_in_the_order_of_their_numbers(tmp_path):
    """A mapping may leave numbers out; classes of one name are named by number."""
    files = {"train_a": "7 .5 .5 1 1\n2 .5 .5 1 1", "val_b": "7.0 .5 .5 1 1\r\n\r\n"}
    config = "train: images/train\nval: images/val\nnames: {7: seven, 2: two, 9: 9}"
    labels = Yolo(write(tmp_path, config, **files)).read_own_labels()
    assert list(labels.names) == ["two", "seven", "9"]
    assert labels.to_csr().toarray().tolist() == [[1, 1, 0], [0, 1, 0]]
    twice = Yolo(write(tmp_path, config.replace("two", "seven"))).read_own_labels()
    assert list(twice.names) == ["2", "7", "9"]


def test_names_of_classes_may_be_missing_or_in_a_text_file(tmp_path):
    """Only their number; or classes.txt beside the folders, as annotation tools write it."""
    files = {"train_a": "\ufeff1 .5 .5 1 1"}
    config = "train: images\nnc: 3"
    path = write(tmp_path, config, **files)
    assert list(Yolo(path).read_own_labels().names) == ["class_0", "class_1", "class_2"]
    path.unlink()
    (tmp_path / "classes.txt").write_text("cat\n\ndog\n")
    with pytest.raises(InputError, match="line 1: the class 1 has no name"):
        Yolo(tmp_path).read_own_labels()
    (tmp_path / "classes.txt").write_text("cat\ndog\n")
    file = open_data(str(tmp_path))
    assert (file.columns, file.split_column) == (["path"], None)
    assert file.read_own_labels().to_csr().toarray().tolist() == [[0, 1]]


@pytest.mark.parametrize(
    ("config", "paths"),
    [
        ("train: images/train\nval: images/val", "images/train/a.jpg images/val/b.jpg"),
        ("names: [x]", "images/train/a.jpg images/val/b.jpg"),
        ("train: images\nval:", "images/train/a.jpg images/val/b.jpg"),
        ("train: [images/train, images/val]", "images/train/a.jpg images/val/b.jpg"),
        ("train: ../images/train", "images/train/a.jpg"),
        ("path: images\ntrain: train\nval: val", "images/train/a.jpg images/val/b.jpg"),
        ("path: ..\nval: {folder}/images/val", "images/val/b.jpg"),
        ("val: {absolute}/images/val", "images/val/b.jpg"),
        ("path: {absolute}\nvalidation: list.txt", "images/train/a.jpg images/val/b.jpg"),
    ],
)
def test_images_may_be_named_in_several_ways(tmp_path, config, paths):
    """By folders, lists and several of them; from the folder `path` or that of the file."""
    folder = tmp_path / "own"
    config = config.format(folder="own", absolute=folder) + "\nnc: 1\nnames: [x]"
    config = config.replace("names: [x]\nnc: 1\nnames", "names")
    write(folder, config, train_a="0 .5 .5 1 1", val_b="")
    lines = f"./images/val/b.jpg\n\n  images/train/a.jpg\n{folder}/images/val/b.jpg\n"
    (folder / "list.txt").write_text("\ufeff" + lines)
    file = Yolo(folder / "data.yaml")
    assert read_columns(file, "path")["path"] == paths.split()


def test_folders_of_images_may_be_below_those_of_splits(tmp_path):
    """train/images and train/labels, as Roboflow writes datasets; links are followed once."""
    for split in ("train", "valid"):
        for kind, suffix in (("images", "PNG"), ("labels", "txt")):
            (tmp_path / split / kind / "sub").mkdir(parents=True)
            (tmp_path / split / kind / "sub" / f"1.{suffix}").write_text("0 .5 .5 1 1")
        (tmp_path / split / "images" / "loop").symlink_to(tmp_path / split)
        (tmp_path / split / "images" / ".hidden.png").write_text("")
        (tmp_path / split / "images" / "notes.md").write_text("")
    config = "train: ../train/images\nval: ../valid/images\nnames: [x]"
    (tmp_path / "data.yaml").write_text(config)
    file = Yolo(tmp_path / "data.yaml")
    assert read_columns(file, "path", "split") == {
        "path": ["train/images/sub/1.PNG", "valid/images/sub/1.PNG"],
        "split": ["train", "val"],
    }
    assert file.read_own_labels().to_csr().toarray().tolist() == [[1], [1]]


def test_images_outside_of_the_folder_have_absolute_paths(tmp_path):
    """So they are found from everywhere; labels may be beside the images."""
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "1.jpg").write_text("")
    (elsewhere / "1.txt").write_text("0 .5 .5 1 1")
    (tmp_path / "set").mkdir()
    (tmp_path / "set" / "data.yaml").write_text(f"train: {elsewhere}\nnames: [x]")
    file = Yolo(tmp_path / "set" / "data.yaml")
    assert read_columns(file, "path") == {"path": [f"{elsewhere}/1.jpg"]}
    assert file.read_own_labels().to_csr().toarray().tolist() == [[1]]


def test_a_column_of_splits_needs_each_image_in_one(tmp_path):
    """Labels can be read all the same, each image once."""
    path = write(tmp_path, train_a="0 .5 .5 1 1", val_b="1 .5 .5 1 1")
    path.write_text(CONFIG.replace("images/val", "images"))
    file = Yolo(path)
    assert file.read_own_labels().n_rows == 2
    with pytest.raises(
        InputError,
        match=r"data\.yaml: 1 of the 2 images are in several splits, first .*/images/train/a\.jpg "
        r"in train and val\. Put each image into one split\.",
    ):
        list(file.read_batches(["split"]))


def test_parts_are_lists_of_absolute_paths(tmp_path):
    """They can be read again beside a YAML file; rows of part -1 are left out."""
    path = write(tmp_path / "set", train_a="0 .5 .5 1 1", val_b="", val_c=None)
    file = Yolo(path)
    targets = [tmp_path / "set" / f"{part}.txt" for part in range(2)]
    file.write_parts(targets, np.array([1, -1, 1], np.int32))
    folder = tmp_path / "set" / "images"
    assert targets[0].read_text() == ""
    assert targets[1].read_text() == f"{folder}/train/a.jpg\n{folder}/val/c.jpg\n"
    again = Yolo(targets[1])
    assert read_columns(again, "path") == {"path": ["images/train/a.jpg", "images/val/c.jpg"]}
    assert again.read_own_labels().to_csr().toarray().tolist() == [[1, 0, 0, 0, 0], [0] * 5]
    with pytest.raises(InputError, match="no longer holds the 2 rows whose labels were read"):
        file.write_parts(targets, np.array([0, 1], np.int32))
    with pytest.raises(InputError, match="format yolo has no columns to add 'part' to"):
        file.check_new("part")


def test_key_points_follow_the_box(tmp_path):
    """Only the box must be inside of the image."""
    config = "train: images/train\nnames: [x]\nkpt_shape: [2, 3]"
    path = write(tmp_path, config, train_a="0 .5 .5 .5 .5 .1 .1 2 -1 7 0")
    file = Yolo(path)
    assert file.read_box_column("box_area").tolist() == [0.25]
    (tmp_path / "labels" / "train" / "a.txt").write_text("0 .5 .5 .5 .5\n")
    with pytest.raises(
        InputError, match=r"a\.txt: line 1: holds 5 numbers, and by 'kpt_shape' a line has 11\."
    ):
        Yolo(path).read_own_labels()


LINES = {
    "a wrong number of fields": ("0 .5 .5 .5", r"holds 4 numbers. A box has 5: class, centre,"),
    "a box with a score": ("0 .5 .5 .5 .5 .9", "holds 6 numbers. A box has 5"),
    "half a corner": ("0 .1 .1 .2 .2 .3 .3 .4", "holds 8 numbers. A box has 5"),
    "a class without a name": ("5 .5 .5 1 1", "the class 5 has no name. Classes are 0 to 4."),
    "a negative class": ("-1 .5 .5 1 1", "the class -1 has no name"),
    "half a class": ("0.5 .5 .5 1 1", "the class 0.5 has no name"),
    "a class that is no number": ("nan .5 .5 1 1", "the class nan has no name"),
    "a word": ("0 .5 half 1 1", "'half' is not a number. Correct it."),
    "pixels": ("0 100 200 30 30", "the coordinate 100 is not in 0 to 1, a share of the image."),
    "a negative width": ("0 .5 .5 -.1 1", "the coordinate -.1 is not in 0 to 1"),
    "no number": ("0 .5 .5 nan 1", "the coordinate nan is not in 0 to 1"),
    "a corner outside": ("0 .1 .1 .2 .2 .3 1.01", "the coordinate 1.01 is not in 0 to 1"),
    "another encoding": (b"0 .5 .5 1 \xff", "is not UTF-8. Convert the file to UTF-8."),
}


@pytest.mark.parametrize(("line", "message"), LINES.values(), ids=LINES)
def test_a_wrong_line_is_named_with_its_file(tmp_path, line, message):
    """Whatever lines and files there are before it; nothing else is a line."""
    path = write(tmp_path, train_a="0 .5 .5 1 1\n", train_b="", val_c="1 .5 .5 .5 .5\n")
    wrong = tmp_path / "labels" / "train" / "b.txt"
    line = line if isinstance(line, bytes) else line.encode()
    wrong.write_bytes(b"\n4 .1 .1 .2 .2 .3 .3\r\n0 1.000001 0 1 1\n \n" + line + b"\n0 0 0 0 0")
    with pytest.raises(InputError, match=re.escape(f"{wrong}: line 5") + f"(: | ){message}"):
        Yolo(path).read_own_labels()


CONFIGS = {
    "text that is no YAML": ("train: [a\nval: b", "line 2 is not YAML: expected ',' or ']'"),
    "an open quote": ("train: 'a\n", "is not YAML: found unexpected end of stream"),
    "a control character": ("a: 1\nb: \x01", "line 2 is not YAML: special characters are not"),
    "an object of Python": ("a: !!python/name:os.system", "line 1 is not YAML: could not deter"),
    "a wrong date": ("a: 2020-99-99", "is not YAML: month must be in 1..12"),
    "a list": ("- a", r"holds no keys with values, such as 'names: \[cat, dog\]'\."),
    "nothing": ("", "holds no keys with values"),
    "another encoding": (b"a: 1\nb: \xff", "line 2 is not UTF-8."),
    "no folder of a path": ("path: set\ntrain: x", "line 1: 'path' names the folder set, which is"),
    "no folder of images": (
        "names: [x]\ntrain: images/none",
        "line 2: 'train' names images/none, but there is no .*/images/none. Correct it.",
    ),
    "a folder without images": (
        "train: labels\nnames: [x]",
        "line 1: there are no images in .*/labels.",
    ),
    "a file that is no list": ("train: data.yaml", "'train' names data.yaml, which is neither"),
    "a number as images": ("train: [1]", r"'train' must be a folder or a list of images, got 1\."),
    "no images": ("path: labels\nnames: [x]", "names no images under train, val, validation, te"),
    "no names": ("train: images/train", "'names' must be a list of classes or a mapping"),
    "text as names": ("train: images/train\nnames: x", "line 2: 'names' must be a list of classes"),
    "names and their number": (
        "train: images/train\nnc: 3\nnames: [a, b]",
        "line 3: 'names' has 2 classes, and 'nc' says 3. Correct one of them.",
    ),
    "a name that YAML reads as false": (
        "train: images/train\nnames: [yes, no]",
        "line 2: 'names' calls class 0 True, which is no text. Write the name in quotes.",
    ),
    "a key that is no class": (
        "train: images/train\nnames: {a: 1}",
        "line 2: 'names' has the class number 'a'. Class numbers are 0, 1, 2 and so on.",
    ),
    "no number of classes": (
        "train: images/train\nnc: many",
        "line 2: 'nc' must be a number of classes, got 'many'. Correct it.",
    ),
    "no shape": (
        "train: images/train\nnames: [a]\nkpt_shape: 17",
        r"line 3: 'kpt_shape' must be two numbers, got 17. Write kpt_shape: \[17, 3\].",
    ),
}


@pytest.mark.parametrize(("config", "message"), CONFIGS.values(), ids=CONFIGS)
def test_a_wrong_yaml_file_is_refused_with_its_line(tmp_path, config, message):
    """The folders of the dataset are there."""
    path = write(tmp_path, train_a="0 .5 .5 1 1")
    path.write_bytes(config if isinstance(config, bytes) else config.encode())
    with pytest.raises(InputError, match=f"^{re.escape(str(path))}: .*{message}"):
        Yolo(path)


LISTS = {
    "no image": (
        "images/train/a.jpg\nimages/train/x.jpg",
        "line 2: there is no image .*/images/train/x.jpg. Correct the list.",
    ),
    "a null character": ("a\0/b.jpg", "line 1: there is no image .*/a\0/b.jpg."),
    "a long name": (f"{'a' * 300}/b.jpg", "line 1: there is no image .*a/b.jpg."),
    "a label file": ("./labels/train/a.txt", r"line 1: './labels/train/a.txt' is no image\."),
    "another encoding": (b"a.jpg\n\xff.jpg", "line 2 is not UTF-8"),
}


@pytest.mark.parametrize(("content", "message"), LISTS.values(), ids=LISTS)
def test_a_wrong_list_is_refused_with_its_line(tmp_path, content, message):
    """The list is named, not the YAML file."""
    path = write(tmp_path, "train: list.txt\nnames: [x]", train_a="0 .5 .5 1 1")
    content = content if isinstance(content, bytes) else content.encode()
    (tmp_path / "list.txt").write_bytes(content)
    with pytest.raises(InputError, match=f"list.txt: {message}"):
        Yolo(path)


def test_folders_that_are_no_dataset_are_refused(tmp_path):
    """Two datasets in one folder, no names, empty lists, and labels that are elsewhere."""
    path = write(tmp_path / "set", train_a="0 .5 .5 1 1", val_b=None)
    (tmp_path / "set" / "other.yml").write_text(CONFIG)
    with pytest.raises(InputError, match=r"set: holds several datasets: data\.yaml, other\.yml\."):
        open_data(str(tmp_path / "set"))
    path.write_text("train: none.txt\nnames: [x]")
    (tmp_path / "set" / "none.txt").write_text("\n")
    with pytest.raises(InputError, match=r"data\.yaml: has no images\. Check its folders\."):
        Yolo(path)
    path.write_text(CONFIG)
    (tmp_path / "set" / "labels").rename(tmp_path / "set" / "annotations")
    with pytest.raises(
        InputError,
        match=r"data\.yaml: none of the 2 images has a label file\. The first would be "
        r".*/set/labels/train/a\.txt\. Check that the folders are named images and labels\.",
    ):
        Yolo(path).read_own_labels()
    for name in ("data.yaml", "other.yml"):
        (tmp_path / "set" / name).unlink()
    with pytest.raises(InputError, match="has no YAML file with names of classes, nor classes"):
        Yolo(tmp_path / "set")
    with pytest.raises(InputError, match="no YAML file beside it that names the classes"):
        Yolo(tmp_path / "set" / "none.txt")


def test_yaml_needs_a_package(tmp_path, monkeypatch):
    """The error has the line that installs it, by an extra."""
    project = Path(__file__).parents[2] / "pyproject.toml"
    assert 'vision = ["pyyaml' in project.read_text(encoding="utf-8")
    monkeypatch.setitem(__import__("sys").modules, "yaml", None)
    with pytest.raises(
        InputError,
        match=r"data\.yaml: YAML needs the package PyYAML\. Install it with: "
        r"pip install 'evenfold\[vision\]'",
    ):
        Yolo(write(tmp_path, train_a=""))


@pytest.mark.parametrize("name", ["a\nb.jpg", b"\xff.jpg"])
def test_names_that_cannot_be_in_a_list_are_refused(tmp_path, name):
    """Line breaks, and bytes that are no text."""
    path = write(tmp_path, train_a="0 .5 .5 1 1", val_b="")
    (tmp_path / "images" / "train" / os.fsdecode(name)).write_bytes(b"")
    with pytest.raises(
        InputError, match=r"train: the name of the image '.*jpg' is not UTF-8, or has a line break"
    ):
        Yolo(path)

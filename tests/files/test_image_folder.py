"""Class folders: images, labels and splits, lists that are written, and folders of parts."""

import warnings
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from evenfold.exceptions import AssumptionWarning, InputError
from evenfold.files.folder_formats import find_folder_format
from evenfold.files.formats.image_folder import ImageFolder
from evenfold.files.registry import open_data

from .made_images import read_tree


def write(folder, *paths, **contents):
    """Write images whose content is their path, or that of `contents`."""
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(contents.get(path, path))
    return folder


def read(file):
    """Return the columns, the names of the labels, and the labels of each row."""
    columns = pa.Table.from_batches(file.read_batches(file.columns)).to_pydict()
    labels = file.read_own_labels()
    return columns, list(labels.names), labels.to_csr().toarray().tolist()


def test_labels_are_the_folders(tmp_path):
    """In the order of their names; folders below them, hidden files and texts make none."""
    write(tmp_path, "dog/b.JPG", "cat/x/a.png", "dog/a.jpeg", "cat/.z.jpg", "cat/notes.txt")
    file = open_data(str(tmp_path))
    assert (type(file), file.split_column) == (ImageFolder, None)
    assert read(file) == (
        {"path": ["cat/x/a.png", "dog/a.jpeg", "dog/b.JPG"]},
        ["cat", "dog"],
        [[1, 0], [0, 1], [0, 1]],
    )


@pytest.mark.parametrize(
    ("paths", "splits", "names"),
    [
        ("train/cat/1.jpg train/dog/2.jpg Val/dog/1.jpg", ["Val", "train", "train"], "cat dog"),
        ("test/cat/1.jpg valid/dog/2.jpg", ["test", "valid"], "cat dog"),
        ("train/cat/1.jpg train/dog/2.jpg", None, "cat dog"),
        ("train/1.jpg bus/2.jpg", None, "bus train"),
        ("train/1.jpg train/old/2.jpg bus/2.jpg", None, "bus train"),
        ("first/cat/1.jpg second/dog/1.jpg", None, "first second"),
    ],
)
def test_top_folders_are_splits_by_name_if_classes_are_below(tmp_path, paths, splits, names):
    """A class may be named train: its images are in the folder itself."""
    columns, labels, _ = read(ImageFolder(write(tmp_path, *paths.split())))
    assert labels == names.split()
    assert columns.get("split") == splits


def test_an_image_in_several_classes_is_one_row(tmp_path):
    """If its content is the same; other images of one name are other rows. Both are said."""
    paths = ["cat/1.jpg", "dog/1.jpg", "emu/1.jpg", "cat/2.jpg", "dog/2.jpg", "cat/3.jpg"]
    contents = {"cat/1.jpg": "same", "emu/1.jpg": "same", "dog/1.jpg": "else"}
    file = ImageFolder(write(tmp_path, *paths, **contents))
    with pytest.warns(AssumptionWarning) as said:
        columns, names, labels = read(file)
    assert columns == {"path": ["cat/1.jpg", "cat/2.jpg", "cat/3.jpg", "dog/1.jpg", "dog/2.jpg"]}
    assert names == ["cat", "dog", "emu"]
    assert labels == [[1, 0, 1], [1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0]]
    assert [str(own.message) for own in said] == [
        "1 image in the folders of several classes, with the same name and content, counted once "
        "with all labels.",
        "2 names in the folders of several classes with other content, read as other images.",
    ]


def test_images_of_one_size_are_compared_whole(tmp_path):
    """The first 64 KiB are equal in all; and copies in other splits are other rows."""
    start = "0" * (1 << 16)
    contents = {
        "train/a/1.png": start + "1",
        "train/b/1.png": start + "2",
        "train/c/1.png": start + "1",
        "val/a/1.png": start + "1",
    }
    file = ImageFolder(write(tmp_path, *contents, **contents))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", AssumptionWarning)
        columns, _, labels = read(file)
    assert columns["path"] == ["train/a/1.png", "train/b/1.png", "val/a/1.png"]
    assert labels == [[1, 0, 1], [0, 1, 0], [1, 0, 0]]


def test_lists_have_path_and_label(tmp_path):
    """As csv, with a new column for all rows; several labels have a | between them."""
    contents = {"a, b/1.jpg": "same", "c/1.jpg": "same", "c/ü.jpg": "x"}
    file = ImageFolder(write(tmp_path / "data", *contents, **contents))
    targets = [tmp_path / "0.csv", tmp_path / "1.csv"]
    file.write_parts(targets, np.array([1, -1], np.int32))
    assert targets[0].read_text() == "path,label\n"
    assert targets[1].read_text() == 'path,label\n"a, b/1.jpg","a, b|c"\n'
    file.write_with_column(tmp_path / "all.csv", "part", ["x"], np.array([0, -1], np.int32))
    assert (tmp_path / "all.csv").read_text(encoding="utf-8") == (
        'path,label,part\n"a, b/1.jpg","a, b|c",x\nc/ü.jpg,c,\n'
    )
    with pytest.raises(InputError, match="has a column 'label' already"):
        file.check_new("label")


def test_folders_of_parts_have_all_classes(tmp_path):
    """Readers number classes by them. Names that splits share get the split in front."""
    paths = ["train/cat/1.jpg", "train/dog/1.jpg", "val/cat/2.jpg"]
    file = ImageFolder(write(tmp_path / "data", *paths))
    part_of_row = np.array([0, -1, 1], np.int32)
    targets = {name: tmp_path / name for name in ("x", "y")}
    assert file.plan_folder(["x", "y"], ".csv", "copy") == {"x": True, "y": True}
    file.write_folder(targets, ["x", "y"], part_of_row, "copy")
    new = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.glob("[xy]/**/*"))
    assert new == ["x/cat", "x/cat/1.jpg", "x/dog", "y/cat", "y/cat/2.jpg", "y/dog"]
    write(tmp_path / "data", "val/cat/1.jpg")
    again = ImageFolder(tmp_path / "data")
    targets = {"z": tmp_path / "z"}
    again.write_folder(targets, ["z"], np.zeros(4, np.int32), "link")
    assert {path.relative_to(tmp_path).as_posix() for path in read_tree(tmp_path / "z")} == {
        "z/cat/train/1.jpg",
        "z/dog/train/1.jpg",
        "z/cat/val/1.jpg",
        "z/cat/val/2.jpg",
    }


WRONG = {
    "an image in no class": ("a/1.jpg 2.jpg", "the image 2.jpg is in no folder of a class."),
    "an image in no class of a split": (
        "train/a/1.jpg test/2.jpg",
        "the image test/2.jpg is in no folder of a class. Move it into one, or pass a folder that",
    ),
    "splits beside classes": (
        "train/a/1.jpg other/2.jpg",
        "train has folders of classes and the name of a split, but other has not. Pass one of",
    ),
    "no images": ("a/1.csv", "has no images in folders of classes. Check the folder."),
    "only hidden images": (".a/1.jpg b/.1.jpg", "has no images in folders of classes."),
}


@pytest.mark.parametrize(("paths", "message"), WRONG.values(), ids=WRONG)
def test_folders_without_clear_classes_are_refused(tmp_path, paths, message):
    """The message names an image or a folder."""
    with pytest.raises(InputError, match=f"{tmp_path.name}: {message}"):
        ImageFolder(write(tmp_path, *paths.split()))


def test_a_name_that_is_no_text_is_refused(tmp_path):
    """It could not be written into a list."""
    write(tmp_path, "a/1.jpg")
    Path(tmp_path / "a\nb").mkdir()
    write(tmp_path, "a\nb/1.jpg")
    with pytest.raises(InputError, match=r"the name of the image 'a\\nb/1\.jpg' is not UTF-8, or"):
        ImageFolder(tmp_path)


@pytest.mark.parametrize(
    ("paths", "expected"),
    [
        ("a/b/1.jpg", "imagefolder"),
        ("1.jpg", "imagefolder"),
        ("1.jpg a.parquet", "parquet"),
        ("a/1.parquet b/1.jpg", "parquet"),
        ("a/1.jpg b/1/2.parquet", "imagefolder"),
        ("a/1.csv", "parquet"),
        ("state.json a/1.jpg", "huggingface"),
        ("images/1.jpg labels/1.txt", "yolo"),
        ("images/1.jpg", "imagefolder"),
    ],
)
def test_the_format_of_a_folder_is_that_of_its_first_files(tmp_path, paths, expected):
    """From the top; links that lead back are followed once."""
    write(tmp_path, *paths.split())
    (tmp_path / "loop").symlink_to(tmp_path)
    assert find_folder_format(tmp_path) == expected

"""Every command on folders and files of annotated images."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

import evenfold
from evenfold.files.registry import open_data

from ..files.made_files import MATRIX, N_ROWS
from ..files.made_images import CAMERA, SPLIT, name_image, read_tree, write_yolo
from .read_back import read_rows_labels
from .refusals import check_refusal

WRITERS = {"yolo": write_yolo}
# What each format writes for a part, and how commands read it again.
LISTS = {"yolo": (".txt", "--format yolo")}


@pytest.mark.parametrize("name", WRITERS)
def test_a_split_is_that_from_python(command, tmp_path, name):
    """Of labels, with groups, amounts and an area to balance; the input stays as it was."""
    data = WRITERS[name](tmp_path / "data")
    before = read_tree(data)
    row = 2 * MATRIX.sum(axis=1).astype(float)
    boxes = {own: column.astype(float) * 2 for own, column in zip("abcde", MATRIX.T, strict=True)}
    cases = {
        "": {},
        "--groups 'path:(cam[0-9]+)'": {"groups": CAMERA},
        "--balance n_boxes": {"balance": {"n_boxes": row}},
        "--amounts": {"balance": boxes},
    }
    for options, given in cases.items():
        done = command(f"split data --parts .5,.3,.2 --seed 3 --indices p.npy --force -q {options}")
        assert (done.code, done.stderr, done.stdout) == (0, "", "")
        expected = evenfold.split(MATRIX, [0.5, 0.3, 0.2], random_state=3, **given)
        assert np.load("p.npy").tolist() == expected.part_of_row.tolist(), options
    assert read_tree(data) == before


@pytest.mark.parametrize("name", WRITERS)
def test_parts_have_their_images_and_their_labels(command, tmp_path, name):
    """Read again, they have the rows of the split; a manifest holds for the same images."""
    WRITERS[name](tmp_path / "data")
    suffix, options = LISTS[name]
    words = "split data --parts train=.5,val=.5 -o parts --manifest m.json --groups path:cam. -q"
    assert command(words).code == 0
    expected = evenfold.split(MATRIX, [0.5, 0.5], names=["train", "val"], groups=CAMERA)
    lists = [f"parts/{part}{suffix}" for part in expected.names]
    done = command("check", *lists, "--json", "--groups", "path:cam.", *options.split())
    quality = json.loads(done.stdout)["quality"]
    assert (done.code, quality["rld"]) == (0, expected.quality.rld)
    assert [part["rows"] for part in quality["per_part"]] == expected.sizes.tolist()
    assert command("check data --manifest m.json").code == 0
    assert command("audit", *lists, *options.split()).code == 0


@pytest.mark.parametrize("name", ["yolo"])
def test_the_splits_of_a_dataset_are_parts(command, tmp_path, name):
    """For check and audit, without an option."""
    WRITERS[name](tmp_path / "data")
    done = command("check data --json --groups path:cam[0-9]+")
    expected = evenfold.measure(MATRIX, SPLIT, groups=CAMERA, names=["train", "val"])
    assert json.loads(done.stdout)["quality"]["rld"] == expected.rld
    assert (done.code, "first 'cam0' in train and val" in done.stderr) == (1, True)
    audited = command("audit data --groups path:cam[0-9]+ --strict")
    assert (audited.code, "in 2 parts: train 30, val 10" in audited.stdout) == (1, True)
    assert command("check data --part-column split").code == 0


@pytest.mark.parametrize("name", WRITERS)
def test_other_commands_read_images(command, tmp_path, name):
    """Info, compare, sample and link."""
    WRITERS[name](tmp_path / "data")
    suffix, _ = LISTS[name]
    record = json.loads(command("info data --json").stdout)
    assert (record["format"], record["rows"], record["labels"]) == (name, N_ROWS, 5)
    assert command("compare data --folds 2 --methods even,random -q").code == 0
    assert command(f"sample data -n 10 -o few{suffix} --indices few.json -q").code == 0
    rows = evenfold.sample(MATRIX, 10).tolist()
    assert json.loads(Path("few.json").read_text()) == rows
    text = Path(f"few{suffix}").read_text()
    assert [at for at in range(N_ROWS) if name_image(at) in text] == rows
    assert command("link data --groups path:cam.+ --indices g.npy -q").code == 0
    assert np.load("g.npy").tolist() == [at // 4 for at in range(N_ROWS)]
    check_refusal(
        command("evaluate data --learner br:tree --folds 2"), 1, "holds no features: no column of"
    )


def read_lists(path, key):
    """Return the images that a key of a written YAML file leads to, by name."""
    content = yaml.safe_load(path.read_text())
    given = content[key]
    lists = given if isinstance(given, list) else [given]
    lines = [line for own in lists for line in (path.parent / own).read_text().splitlines()]
    assert all(Path(line).is_absolute() and Path(line).is_file() for line in lines)
    return [Path(line).stem for line in lines]


def test_yolo_gets_lists_and_a_new_yaml_file(command, tmp_path):
    """With the classes of the old one; paths of images are absolute."""
    data = write_yolo(tmp_path / "data")
    assert command("split data/data.yaml --parts train=.6,val=.2,test=.2 -o out -q").code == 0
    expected = evenfold.split(MATRIX, [0.6, 0.2, 0.2])
    files = ["data.yaml", "test.txt", "train.txt", "val.txt"]
    assert sorted(path.name for path in Path("out").iterdir()) == files
    content = yaml.safe_load(Path("out/data.yaml").read_text())
    assert content == {
        "train": "train.txt",
        "val": "val.txt",
        "test": "test.txt",
        "names": yaml.safe_load((data / "data.yaml").read_text())["names"],
    }
    for part in expected.names:
        rows = expected[part].tolist()
        assert read_lists(Path("out/data.yaml"), part) == [name_image(at) for at in rows]
    read = open_data("out")
    batch = next(read.read_batches(["split"]))
    assert batch.column(0).to_pylist() == [expected.names[at] for at in expected.part_of_row]
    assert np.array_equal(read.read_own_labels().to_csr().toarray(), MATRIX)


def test_yolo_gets_a_yaml_file_for_each_fold(command, tmp_path):
    """In which the fold is val, and all other folds are train."""
    write_yolo(tmp_path / "data")
    assert command("split data --folds 3 --holdout 0.1 -o out -q").code == 0
    s = evenfold.split(MATRIX, 3, holdout=0.1)
    assert sorted(path.name for path in Path("out").glob("*.yaml")) == [
        f"fold{at}.yaml" for at in range(3)
    ]
    for at, path in enumerate(sorted(Path("out").glob("*.yaml"))):
        others = np.flatnonzero((s.part_of_row != at) & (s.part_of_row != 3)).tolist()
        assert sorted(read_lists(path, "train")) == [name_image(row) for row in others]
        assert read_lists(path, "val") == [name_image(row) for row in s[f"fold{at}"].tolist()]
        assert read_lists(path, "test") == [name_image(row) for row in s["test"].tolist()]


@pytest.mark.parametrize("how", ["copy", "link"])
def test_yolo_gets_images_when_asked(command, tmp_path, how):
    """As copies or hard links, with their labels; the folder is a dataset by itself."""
    data = write_yolo(tmp_path / "data")
    before = read_tree(data)
    words = f"split data --parts train=.75,val=.25 -o out --with-images {how}"
    assert command(words).code == 0
    expected = evenfold.split(MATRIX, [0.75, 0.25])
    for row, part in enumerate(expected.part_of_row):
        name = ("train", "val")[part]
        for kind, suffix in (("images", "jpg"), ("labels", "txt")):
            old = data / kind / f"{name_image(row)}.{suffix}"
            new = Path("out") / kind / name / f"{name_image(row)}.{suffix}"
            assert new.exists() == old.exists()
            assert not old.exists() or new.read_bytes() == old.read_bytes()
            assert not old.exists() or new.samefile(old) == (how == "link")
    assert command("check out/data.yaml").code == 0
    rows = np.concatenate(list(expected))
    assert np.array_equal(read_rows_labels(Path("out")), MATRIX[rows])
    again = command(words)
    assert (again.code, "out/images: exists already" in again.stderr) == (2, True)
    assert command(f"{words} --force").code == 0
    assert read_tree(data) == before


CASES = {
    "splits that share images": (
        "check data",
        "data: 30 of the 30 images are in several splits, first ",
        ("val.txt", "train.txt"),
    ),
    "one split only": ("check data", "does not say which rows are in which part.", ("val.txt", "")),
    "a column that is not there": (
        "split data --folds 2 --groups cam",
        "--groups 'cam' is not a column of data. Columns: path, split.",
        (),
    ),
    "stdin": ("split - --format yolo --folds 2", "the format yolo names other files, so it", ()),
}


@pytest.mark.parametrize(("words", "message", "change"), CASES.values(), ids=CASES)
def test_what_a_dataset_does_not_say_is_refused(command, tmp_path, words, message, change):
    """The message names the file."""
    path = write_yolo(tmp_path / "data") / "data.yaml"
    if change:
        path.write_text(path.read_text().replace(*change))
    check_refusal(command(words), 1, message)


OUTPUTS = {
    "a yaml file": ("-o out.yaml", "must be a folder, or end in '.txt'."),
    "another format": ("-o out.csv", "must be a folder, or end in '.txt'."),
    "no suffix of a format": ("-o out.xyz", "no format has the suffix '.xyz'"),
    "images without a folder": ("--with-images copy", "--with-images puts images into the folder"),
    "images in a file": ("-o out.txt --with-images copy", "--with-images puts images into the"),
    "no way to place images": ("-o out --with-images move", "'move' is not one of copy, link."),
    "the folder of the images": ("-o data/images/new", "is the input, which is never written."),
    "the folder of the data": ("-o data/new", "is the input, which is never written."),
    "a fold that is there": ("-o there", "there/fold0.txt: exists already."),
    "a file as a folder": (
        "-o wrong --with-images link",
        "wrong/images: is a file, and the output",
    ),
}


@pytest.mark.parametrize(("options", "message"), OUTPUTS.values(), ids=OUTPUTS)
def test_outputs_that_cannot_be_written_are_refused(command, tmp_path, options, message):
    """Before the work begins; nothing is left behind."""
    write_yolo(tmp_path / "data")
    for name in ("there/fold0.txt", "wrong/images"):
        (tmp_path / name).parent.mkdir()
        (tmp_path / name).write_text("")
    before = read_tree(tmp_path)
    check_refusal(command(f"split data --folds 2 {options}"), 2, message)
    assert read_tree(tmp_path) == before


def test_what_is_refused_late_leaves_nothing_behind(command, tmp_path, monkeypatch):
    """A new column, a part named like a key, and a disk that is full."""
    write_yolo(tmp_path / "data")
    before = read_tree(tmp_path)
    refused = command("split data --folds 2 -o out.txt")
    check_refusal(refused, 1, "has no columns to add 'part' to. Write a folder of parts")
    refused = command("split data --parts train=.5,names=.5 -o out")
    check_refusal(refused, 1, "a part of a YOLO dataset cannot be named 'names'")

    def fail(*_):
        raise OSError(28, "No space left on device", "1.jpg")

    monkeypatch.setattr("shutil.copyfile", fail)
    refused = command("split data --folds 2 -o out --with-images copy")
    check_refusal(refused, 1, "1.jpg: No space left on device.")
    assert read_tree(tmp_path) == before


def test_images_go_only_with_folders_of_images(command, tmp_path):
    """Not with a table."""
    (tmp_path / "data.csv").write_text("tags\n" + "a|b\nb|a\n" * 5)
    refused = command("split data.csv --labels tags --folds 2 -o out --with-images copy")
    check_refusal(refused, 2, "--with-images is for folders of images, got the format csv.")

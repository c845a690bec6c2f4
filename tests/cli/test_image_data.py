"""Every command on folders and files of annotated images."""

import json
from pathlib import Path

import numpy as np
import pytest
import yaml

import evenfold
from evenfold.files.registry import open_data

from ..files.made_files import GENRES, MATRIX, N_ROWS
from ..files.made_images import (
    CAMERA,
    CASES,
    SPLIT,
    name_image,
    read_tree,
    write_splits,
    write_yolo,
)
from .read_back import read_rows_labels
from .refusals import check_refusal


@pytest.mark.parametrize("name", CASES)
def test_a_split_is_that_from_python(command, tmp_path, name):
    """Of labels, and with groups; the input stays as it was."""
    case = CASES[name]
    data = case.write(tmp_path / case.path)
    before = read_tree(data)
    cameras = [CAMERA[at] for at in case.order]
    for options, given in {"": {}, "--groups 'path:(cam[0-9]+)'": {"groups": cameras}}.items():
        words = f"split {case.path} --parts .5,.3,.2 --seed 3 --indices p.npy --force {options}"
        done = command(words)
        assert (done.code, done.stdout) == (0, "")
        expected = evenfold.split(case.matrix, [0.5, 0.3, 0.2], random_state=3, **given)
        assert np.load("p.npy").tolist() == expected.part_of_row.tolist(), options
    assert read_tree(data) == before


@pytest.mark.parametrize("name", ["yolo", "labelstudio"])
def test_boxes_are_balanced_as_in_python(command, tmp_path, name):
    """Their number, their area, and their number by label."""
    case = CASES[name]
    case.write(tmp_path / case.path)
    amounts = 2.0 * case.matrix
    cases = {
        "--balance n_boxes": {"n_boxes": amounts.sum(axis=1)},
        "--amounts": dict(zip("abcde", amounts.T, strict=True)),
    }
    for options, balance in cases.items():
        words = f"--folds 3 --indices p.npy --force -q {options}"
        assert command(f"split {case.path} {words}").code == 0
        expected = evenfold.split(case.matrix, 3, balance=balance)
        assert np.load("p.npy").tolist() == expected.part_of_row.tolist(), options
    assert command(f"split {case.path} --folds 3 --balance box_area -q").code == 0


@pytest.mark.parametrize("name", CASES)
def test_parts_have_their_images_and_their_labels(command, tmp_path, name):
    """Read again, they have the rows of the split; a manifest holds for the same images."""
    case = CASES[name]
    case.write(tmp_path / case.path)
    words = "--parts train=.5,val=.5 -o parts --manifest m.json --groups path:cam. -q"
    assert command(f"split {case.path} {words}").code == 0
    cameras = [CAMERA[at] for at in case.order]
    expected = evenfold.split(case.matrix, [0.5, 0.5], names=["train", "val"], groups=cameras)
    lists = [f"parts/{part}{case.suffix}" for part in expected.names]
    done = command("check", *lists, "--json", "--groups", "path:cam.", *case.options.split())
    quality = json.loads(done.stdout)["quality"]
    assert (done.code, quality["rld"]) == (0, expected.quality.rld)
    assert [part["rows"] for part in quality["per_part"]] == expected.sizes.tolist()
    assert command(f"check {case.path} --manifest m.json").code == 0
    assert command("audit", *lists, *case.options.split()).code == 0


@pytest.mark.parametrize("name", ["yolo"])
def test_the_splits_of_a_dataset_are_parts(command, tmp_path, name):
    """For check and audit, without an option."""
    CASES[name].write(tmp_path / "data")
    done = command("check data --json --groups path:cam[0-9]+")
    expected = evenfold.measure(MATRIX, SPLIT, groups=CAMERA, names=["train", "val"])
    assert json.loads(done.stdout)["quality"]["rld"] == expected.rld
    assert (done.code, "first 'cam0' in train and val" in done.stderr) == (1, True)
    audited = command("audit data --groups path:cam[0-9]+ --strict")
    assert (audited.code, "in 2 parts: train 30, val 10" in audited.stdout) == (1, True)
    assert command("check data --part-column split").code == 0


@pytest.mark.parametrize("name", CASES)
def test_other_commands_read_images(command, tmp_path, name):
    """Info, compare, sample, link and evaluate; features are in a file of their own."""
    case = CASES[name]
    case.write(tmp_path / case.path)
    record = json.loads(command(f"info {case.path} --json").stdout)
    n_labels = case.matrix.shape[1]
    assert record["format"] == name.split()[0]
    assert (record["rows"], record["labels"]) == (N_ROWS, n_labels)
    assert command(f"compare {case.path} --folds 2 --methods even,random -q").code == 0
    assert command(f"sample {case.path} -n 10 -o few{case.suffix} --indices r.json -q").code == 0
    rows = evenfold.sample(case.matrix, 10).tolist()
    assert json.loads(Path("r.json").read_text()) == rows
    text = Path(f"few{case.suffix}").read_text()
    assert [row for row, at in enumerate(case.order) if name_image(at) in text] == rows
    assert command(f"link {case.path} --groups path:cam.+ --indices g.npy -q").code == 0
    group_of = {}
    numbers = [group_of.setdefault(at // 4, len(group_of)) for at in case.order]
    assert np.load("g.npy").tolist() == numbers
    np.savez("x.npz", X=np.arange(2.0 * N_ROWS).reshape(N_ROWS, 2))
    words = "--learner br:tree --folds 2 --repeats 1 --features x.npz -q"
    assert command(f"evaluate {case.path} {words}").code == 0


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


def test_class_folders_get_csv_files(command, tmp_path):
    """One for each part, or one with the part in a column; images in several classes are said."""
    case = CASES["imagefolder"]
    case.write(tmp_path / "data")
    done = command("split data --folds 2 -o out.csv --column fold --indices p.npy")
    assert done.stderr.startswith(
        "20 images in the folders of several classes, with the same name and content, counted once "
        "with all labels.\n"
    )
    header, *lines = Path("out.csv").read_text().splitlines()
    assert header == "path,label,fold"
    first = [sorted(GENRES[at]) or ["none"] for at in case.order]
    assert lines == [
        f"{own[0]}/{name_image(at)}.jpg,{'|'.join(own)},fold{part}"
        for at, own, part in zip(case.order, first, np.load("p.npy"), strict=True)
    ]
    assert command("check out.csv --labels label --separator | --part-column fold -q").code == 0
    text = Path("out.csv").read_text().replace(",fold\n", ",part\n", 1)
    assert command("split data --folds 2 -o -").stdout == text


@pytest.mark.parametrize("how", ["copy", "link"])
def test_class_folders_get_folders_when_asked(command, tmp_path, how):
    """One for each part, with a folder for each class; they are splits again."""
    data = write_splits(tmp_path / "data")
    before = read_tree(data)
    assert command(f"split data --parts .75,.25 -o out/ --with-images {how} -q").code == 0
    labels = ["abc"[at % 3] for at in range(N_ROWS)]
    rows = sorted(range(N_ROWS), key=lambda at: f"{SPLIT[at]}/{labels[at]}/{name_image(at)}")
    s = evenfold.split([labels[at] for at in rows], [0.75, 0.25])
    assert {path.relative_to("out").as_posix() for path in read_tree(Path("out"))} == {
        f"{s.names[part]}/{labels[at]}/{name_image(at)}.jpg"
        for at, part in zip(rows, s.part_of_row, strict=True)
    }
    assert read_tree(data) == before
    record = json.loads(command("check out --json").stdout)
    assert record["quality"]["rld"] == s.quality.rld
    again = command(f"split data --parts .75,.25 -o out --with-images {how}")
    assert (again.code, "out/train: exists already" in again.stderr) == (2, True)


def test_the_splits_of_class_folders_are_parts(command, tmp_path):
    """For check and audit, without an option, and as a folder for each part."""
    write_splits(tmp_path / "data")
    labels = ["abc"[at % 3] for at in range(N_ROWS)]
    expected = evenfold.measure(labels, SPLIT, groups=CAMERA)
    done = command("check data --json --groups path:(cam[0-9]+)")
    assert json.loads(done.stdout)["quality"]["rld"] == expected.rld
    assert (done.code, "first 'cam0' in train and val" in done.stderr) == (1, True)
    done = command("check data/train data/val --json")
    assert json.loads(done.stdout)["quality"]["rld"] == evenfold.measure(labels, SPLIT).rld
    assert "in 2 parts: train 30, val 10" in command("audit data").stdout
    (tmp_path / "data" / "val").rename(tmp_path / "data" / "new")
    check_refusal(command("check data"), 1, "train has folders of classes and the name of a split")
    (tmp_path / "data" / "new").rename(tmp_path / "new")
    check_refusal(command("check data"), 1, "data: does not say which rows are in which part.")


def test_tasks_without_a_part_are_placed(command, tmp_path):
    """In a field of the data; each part is an export."""
    path = CASES["labelstudio"].write(tmp_path / "data.json")
    tasks = json.loads(path.read_text())
    for task in tasks[::5]:
        del task["data"]["split"]
    path.write_text(json.dumps(tasks))
    done = command("extend data.json --part-column split -o parts --json")
    assert (done.code, "8 new rows placed" in done.stderr) == (0, True)
    old = {task["id"]: SPLIT[at] for at, task in enumerate(tasks) if at % 5}
    new = {
        task["id"]: name
        for name in ("train", "val")
        for task in json.loads(Path(f"parts/{name}.json").read_text())
    }
    assert (len(new), old.items() <= new.items()) == (N_ROWS, True)
    assert command("check data.json --part-column split").code == 1


REFUSED = {
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


@pytest.mark.parametrize(("words", "message", "change"), REFUSED.values(), ids=REFUSED)
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
    "images in a mirror": ("-o out --mirror", "--mirror is not for data in the format"),
    "images in two layouts": (
        "-o out --mirror --with-images copy",
        "--mirror and --with-images lay out the folder of -o in two ways. Choose one.",
    ),
    "no way to place images": (
        "-o out --with-images move",
        "'move' is not one of copy, link. Take",
    ),
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

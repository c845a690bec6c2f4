"""The same small data as in `made_files`, as images with annotations."""

from .made_files import GENRES, NAMES

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


def read_tree(folder):
    """Return the content of all files below a folder, by path."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}

"""Labels of a YOLO dataset of many small files, beside reading the bytes of these files.

Part of `make bench`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import numpy as np

from evenfold.files.registry import open_data

from .tables import print_heading, print_row
from .timing import time_in_turns

_N_CLASSES = 80


def main() -> None:
    """Print one table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--images", type=int, default=100_000)
    n_images = parser.parse_args().images
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = write_yolo(folder, n_images)
        jobs = {
            "the bytes of each label file": lambda: [path.read_bytes() for path in paths],
            "images and labels with evenfold": lambda: open_data(name).read_own_labels(),
        }
        seconds = time_in_turns(jobs, repeats=3)
    print(f"## Read a YOLO dataset of {n_images:,} images\n")
    print("The minimum of three runs, in turns; the files are in the cache of the system.\n")
    print_heading(["read", "seconds", "times the bytes alone"])
    least = min(seconds.values())
    for job, taken in seconds.items():
        print_row([job, f"{taken:.2f}", f"{taken / least:.1f}"])


def write_yolo(folder: Path, n_images: int) -> list[Path]:
    """Write empty images, and for each a file with about four boxes; return these files."""
    rng = np.random.default_rng(0)
    for kind in ("images", "labels"):
        (folder / kind).mkdir()
    names = "".join(f"  {number}: class {number}\n" for number in range(_N_CLASSES))
    (folder / "data.yaml").write_text(f"train: images\nnames:\n{names}")
    paths = []
    for at in range(n_images):
        n_boxes = int(rng.poisson(4))
        codes = rng.integers(0, _N_CLASSES, n_boxes)
        lines = [
            f"{code} " + " ".join(f"{side:.6f}" for side in box)
            for code, box in zip(codes, rng.random((n_boxes, 4)), strict=True)
        ]
        (folder / "images" / f"{at:06}.jpg").touch()
        paths.append(folder / "labels" / f"{at:06}.txt")
        paths[-1].write_text("\n".join(lines) + "\n")
    return paths


if __name__ == "__main__":
    main()

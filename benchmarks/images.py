"""Labels of a YOLO dataset of many small files, beside reading the bytes of these files."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path

import numpy as np

from evenfold.files.registry import open_data

from .sections.settings import Settings
from .tables import RecordTable
from .timing import time_in_turns

_N_CLASSES = 80
_N_IMAGES = 100_000
FORMATS = {"read": "", "s": ".2f", "times the bytes": ".1f"}


def measure_images(_: Settings) -> list[dict[str, object]]:
    """Return a record for each way to read the files."""
    with tempfile.TemporaryDirectory() as name:
        paths = write_yolo(Path(name), _N_IMAGES)
        jobs = {
            "the bytes of each label file": lambda: [path.read_bytes() for path in paths],
            "images and labels with evenfold": lambda: open_data(name).read_own_labels(),
        }
        seconds = time_in_turns(jobs, repeats=3, clock=time.process_time)
    table = RecordTable(f"Read a YOLO dataset of {_N_IMAGES:,} images", FORMATS)
    least = min(seconds.values())
    for job, taken in seconds.items():
        table.add({"read": job, "s": taken, "times the bytes": taken / least})
    print("\nProcessor time, minimum of three runs; the files are in the cache of the system.")
    return table.records


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

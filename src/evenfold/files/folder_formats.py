"""Which format the files of a folder are in."""

from __future__ import annotations

import os
from pathlib import Path

from .saved_datasets import is_saved
from .vision.image_paths import is_image
from .vision.yolo_config import is_yolo_folder


def find_folder_format(folder: Path, unknown: str = "parquet") -> str:
    """Return the format of a folder.

    Parameters
    ----------
    folder : Path
        The folder.
    unknown : str, default="parquet"
        What to return if nothing is found.

    Returns
    -------
    str
        The name of a format that opens folders. The first folder, from the top, with parquet files
        or images decides between them.
    """
    if is_saved(folder):
        return "huggingface"
    if is_yolo_folder(folder):
        return "yolo"
    level, seen = [os.fspath(folder)], set()
    while level:
        below: list[str] = []
        for path in sorted(level):
            # Links may lead back to a folder above.
            real = os.path.realpath(path)
            if real in seen:
                continue
            seen.add(real)
            with os.scandir(path) as entries:
                own = [entry for entry in entries if not entry.name.startswith(".")]
            if any(entry.name.endswith(".parquet") for entry in own):
                return "parquet"
            if any(is_image(entry.name) for entry in own):
                return "imagefolder"
            below += [entry.path for entry in own if entry.is_dir()]
        level = below
    return unknown

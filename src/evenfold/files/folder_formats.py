"""Which format the files of a folder are in."""

from __future__ import annotations

from pathlib import Path


def find_folder_format(folder: Path) -> str:
    """Return the format of a folder; parquet if nothing else is found.

    Parameters
    ----------
    folder : Path
        The folder.

    Returns
    -------
    str
        The name of a format that opens folders.
    """
    from .vision.yolo_config import is_yolo_folder

    if (folder / "state.json").exists():
        return "huggingface"
    return "yolo" if is_yolo_folder(folder) else "parquet"

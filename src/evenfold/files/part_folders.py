"""Folders that say themselves what the parts of their rows are."""

from __future__ import annotations

import glob
import re
from pathlib import Path

from .parquet_folders import list_parquet_files
from .saved_datasets import is_saved, list_splits

# How the Hugging Face hub names files: data/train-00000-of-00002.parquet.
_SHARD = re.compile(r"(?P<split>\w+(?:\.\w+)*)-\d{5}-of-\d{5}\.parquet")
_USUAL_ORDER = ("train", "validation", "val", "test")


def find_parts(folder: Path) -> dict[str, Path]:
    """Return what to open for each part: the splits of a DatasetDict, or of files of the hub.

    Parameters
    ----------
    folder : Path
        What the user named.

    Returns
    -------
    dict of str to Path
        A folder, a file or a pattern of files for each part; empty if there are no two parts.
    """
    if not folder.is_dir():
        return {}
    found = (
        {name: folder / name for name in list_splits(folder)}
        if is_saved(folder)
        else _find_hub_splits(folder)
    )
    return found if len(found) > 1 else {}


def _find_hub_splits(folder: Path) -> dict[str, Path]:
    """Return the file or files of each split, if all are those of one dataset of the hub."""
    files = list_parquet_files(folder)
    matches = [_SHARD.fullmatch(file.name) for file in files]
    if len({file.parent for file in files}) != 1 or None in matches:
        return {}
    names = [match["split"] for match in matches if match is not None]
    at = {name: number for number, name in enumerate(_USUAL_ORDER)}
    ordered = sorted(set(names), key=lambda name: (at.get(name, len(at)), name))
    parent = Path(glob.escape(str(files[0].parent)))
    return {
        name: parent / f"{name}-*.parquet" if names.count(name) > 1 else files[names.index(name)]
        for name in ordered
    }

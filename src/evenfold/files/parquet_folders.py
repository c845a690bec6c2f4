"""Which files of a folder are its parquet files."""

from __future__ import annotations

from pathlib import Path

_SUFFIX = ".parquet"
# Spark, Hive and evenfold keep their own files beside the data, under names that begin so.
_HIDDEN = (".", "_")


def list_parquet_files(folder: Path) -> list[Path]:
    """Return the parquet files of a folder and of the folders in it.

    Parameters
    ----------
    folder : Path
        The folder.

    Returns
    -------
    list of Path
        The files, sorted by their paths as text. Files and folders whose names begin with . or _
        are skipped.
    """
    found = [
        path
        for path in folder.rglob(f"*{_SUFFIX}")
        if path.is_file()
        and not any(name.startswith(_HIDDEN) for name in path.relative_to(folder).parts)
    ]
    return sorted(found, key=Path.as_posix)

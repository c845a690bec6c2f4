"""The folder that all workers can reach: small records, each in one file."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np

from .locations import join_path, open_file_system, write_whole

# What is not an array is in this array: JSON as bytes.
_OTHERS = "__others__"
_SUFFIX = ".npz"


@dataclass(frozen=True)
class WorkFolder:
    """Records in a folder that every worker can read and write.

    A record is a mapping from names to arrays, numbers, texts, lists of these, and None. It is
    written whole, so a record that is there is complete, whichever worker was killed.

    Attributes
    ----------
    path : str
        A folder on any file system that fsspec knows. It need not exist yet.
    """

    path: str

    def find(self, name: str) -> str:
        """Return the path of a file of the folder."""
        return join_path(self.path, name)

    def save(self, name: str, record: Mapping[str, Any]) -> None:
        """Write a record; replace one of the same name."""
        write_whole(self.find(name + _SUFFIX), lambda file: _write_record(file, record))

    def save_bytes(self, name: str, content: bytes) -> None:
        """Write a record that is encoded already."""
        write_whole(self.find(name + _SUFFIX), lambda file: file.write(content))

    def load(self, name: str, fields: Collection[str] | None = None) -> dict[str, Any]:
        """Read a record.

        Parameters
        ----------
        name : str
            The name it was saved under.
        fields : collection of str, default=None
            The only fields to read, those of them that are there. None: all.

        Returns
        -------
        dict
            The arrays as they were. Tuples are lists, and numbers of NumPy are Python's.
        """
        system, path = _open_anew(self.find(name + _SUFFIX))
        with system.open(path, "rb") as file, np.load(file) as arrays:
            record = json.loads(arrays[_OTHERS].tobytes())
            for field in arrays.files:
                if field != _OTHERS and (fields is None or field in fields):
                    record[field] = arrays[field]
        if fields is None:
            return dict(record)
        return {field: value for field, value in record.items() if field in fields}

    def has(self, name: str) -> bool:
        """Tell whether a record was saved."""
        system, path = _open_anew(self.find(name + _SUFFIX))
        return bool(system.exists(path))

    def has_bytes(self, name: str, content: bytes) -> bool:
        """Tell whether the record that was saved has this content."""
        if not self.has(name):
            return False
        system, path = _open_anew(self.find(name + _SUFFIX))
        return bool(system.cat_file(path) == content)

    def list_done(self, stem: str) -> set[int]:
        """Return the numbers of the records `{stem}-{number:05d}`."""
        system, path = _open_anew(self.path)
        if not system.exists(path):
            return set()
        wanted = re.compile(rf"{re.escape(stem)}-(\d{{5,}}){re.escape(_SUFFIX)}")
        names = (found.rstrip("/").rpartition("/")[2] for found in system.ls(path, detail=False))
        return {int(match[1]) for match in map(wanted.fullmatch, names) if match}

    def forget_listings(self) -> None:
        """Forget which files were there, because workers have written others."""
        open_file_system(self.path)[0].invalidate_cache()

    def remove_record(self, name: str) -> None:
        """Remove a record that is there."""
        system, path = _open_anew(self.find(name + _SUFFIX))
        system.rm_file(path)

    def remove(self) -> None:
        """Remove the folder with all that is in it."""
        system, path = _open_anew(self.path)
        if system.exists(path):
            system.rm(path, recursive=True)


def _open_anew(path: str) -> tuple[Any, str]:
    """Return the file system of a path, without what it keeps of the folder.

    Other processes write here. File systems such as s3fs keep the listings of folders, and take a
    file for absent that was written after the listing.
    """
    system, inner = open_file_system(path)
    for own in (inner, inner.rstrip("/").rpartition("/")[0]):
        system.invalidate_cache(own)
    return system, inner


def encode_record(record: Mapping[str, Any]) -> bytes:
    """Return a record as the bytes of its file; equal records have equal bytes."""
    content = io.BytesIO()
    _write_record(content, record)
    return content.getvalue()


def _write_record(file: BinaryIO, record: Mapping[str, Any]) -> None:
    arrays = {field: value for field, value in record.items() if isinstance(value, np.ndarray)}
    others = {field: value for field, value in record.items() if field not in arrays}
    text = json.dumps(others, default=_to_python)
    arrays[_OTHERS] = np.frombuffer(text.encode(), np.uint8)
    with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
        for field, array in arrays.items():
            # Without a date of its own, the entry would get the present time.
            entry = zipfile.ZipInfo(f"{field}.npy")
            with archive.open(entry, "w", force_zip64=True) as target:
                np.lib.format.write_array(target, array, allow_pickle=False)


def _to_python(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"a record cannot hold a {type(value).__name__}")

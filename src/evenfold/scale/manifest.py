"""Manifest: what a finished split of partitioned data is, in one JSON file beside its files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from .._checks.numbers import is_whole
from ..exceptions import InputError
from ..problem.parts import Parts
from ..quality.groups_of_label import GroupsOfLabel
from .locations import join_path, open_file_system, restore_whole, write_whole

# Readers of Parquet folders leave out files that begin with an underscore.
MANIFEST = "_manifest.json"
SCHEMES = ("memory", "stream", "gather", "gather with groups")
_FORMAT = "evenfold scaled split"
_FORMAT_VERSION = 1
# What is recorded of the columns: lists, the last one of booleans, and names.
_LISTS = ("labels", "balance", "column_kinds", "balance_is_number")
_TEXTS = ("separator", "kind", "groups", "fixed", "key")


class FileRecord(NamedTuple):
    """A file of a split.

    Attributes
    ----------
    path : str
        Its path in the output folder, or in the folder of the column of a DataFrame.
    rows : int
        Its number of rows.
    digest : str
        The SHA-256 of the parts of its rows, from `write_partition`.
    """

    path: str
    rows: int
    digest: str


class GroupRecord(NamedTuple):
    """The groups of a split.

    Attributes
    ----------
    of_label : GroupsOfLabel
        How the rows of each label lie in groups.
    in_part : (n_parts,) array of int
        Groups in each part, counted in the finished split.
    n_groups : int
        Number of groups. If the groups of all parts are more, some were cut.
    n_missing : int, default=0
        Rows without a value, each of which is a group of its own.
    """

    of_label: GroupsOfLabel
    in_part: NDArray[np.int64]
    n_groups: int
    n_missing: int = 0

    @property
    def n_cut(self) -> int:
        """The parts beyond the first that groups are in: 0 if all of them are whole."""
        return int(self.in_part.sum()) - self.n_groups


@dataclass(frozen=True, eq=False, kw_only=True)
class Manifest:
    """What is known of a split of partitioned data, without its rows.

    Attributes
    ----------
    scheme : str
        How the split was made: "memory", "stream", "gather" or "gather with groups".
    parameters : mapping of str to Any
        The arguments of the call, fit for JSON.
    seed : int
        The seed.
    columns : mapping of str to Any
        The columns that were read: labels, separator, kind, groups, balance, key.
    parts : Parts
        Names and weights of the parts.
    sizes : (n_parts,) array of int64
        Rows in each part.
    labels : sequence of str or int
        The label names.
    counts : (n_parts, n_labels) array of int64
        Rows of each label in each part.
    files : sequence of FileRecord
        The files, in the order of the input.
    run : str, default=""
        Names the input files and settings, so that a second run finds this split.
    budget : int or None, default=None
        The label entries that could be gathered in one place; None if none were gathered.
    groups : GroupRecord or None, default=None
        The groups of the split.
    notes : sequence of str, default=()
        What a user should know, such as what was left to chance.
    kept : mapping of str to Any, default={}
        What else `extend` needs, fit for JSON: `inputs`, digests of the input files; after an
        extension `n_extensions`, and `notes` of the first split.
    version : str, default=evenfold's
        The version of evenfold that made the split.
    """

    scheme: str
    parameters: Mapping[str, Any]
    seed: int
    columns: Mapping[str, Any]
    parts: Parts
    sizes: NDArray[np.int64]
    labels: Sequence[Any]
    counts: NDArray[np.int64]
    files: Sequence[FileRecord]
    run: str = ""
    budget: int | None = None
    groups: GroupRecord | None = None
    notes: Sequence[str] = ()
    kept: Mapping[str, Any] = field(default_factory=dict)
    version: str = __version__

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return int(self.sizes.sum())

    @property
    def digest(self) -> str:
        """The SHA-256 of the files' digests: equal splits of the same partitions have the same."""
        return hashlib.sha256("".join(file.digest for file in self.files).encode()).hexdigest()


def write_manifest(
    folder: str, manifest: Manifest, evenness: Mapping[str, Any], certificate: Mapping[str, Any]
) -> None:
    """Write the manifest of a split, which makes its files valid.

    Parameters
    ----------
    folder : str
        The output folder: a path or a URL.
    manifest : Manifest
        What is known of the split.
    evenness : mapping
        rLD, its bound and the excess, for readers of the file.
    certificate : mapping
        The certificate as plain data.

    Raises
    ------
    InputError
        If a file of the split is not there any more.
    """
    missing = find_missing_files(folder, manifest)
    if missing:
        raise InputError(
            f"must keep the files that were written, got {folder} without {missing[0]}. "
            "Was it removed meanwhile? Remove the work folder too, and split again.",
            parameter="output",
        )
    record = _to_record(manifest) | {
        "evenness": dict(evenness),
        "certificate": dict(certificate),
    }
    text = json.dumps(record, ensure_ascii=False, default=_to_plain) + "\n"
    write_whole(join_path(folder, MANIFEST), lambda file: file.write(text.encode()))


def has_manifest(folder: str) -> bool:
    """Tell whether a folder has a manifest."""
    restore_whole(join_path(folder, MANIFEST))
    file_system, path = open_file_system(join_path(folder, MANIFEST))
    return bool(file_system.isfile(path))


def find_missing_files(folder: str, manifest: Manifest) -> list[str]:
    """Return the files of a split that are not in the folder."""
    file_system, path = open_file_system(folder)
    file_system.invalidate_cache()
    found = set(file_system.find(path))
    return [
        file.path
        for file in manifest.files
        if open_file_system(join_path(folder, file.path))[1] not in found
    ]


def read_manifest(folder: str) -> Manifest:
    """Read and check the manifest of a finished split.

    Parameters
    ----------
    folder : str
        The output folder: a path or a URL.

    Returns
    -------
    Manifest
        What is known of the split.

    Raises
    ------
    InputError
        If there is no manifest, or if it is damaged or of another format.
    """
    path = join_path(folder, MANIFEST)
    restore_whole(path)
    file_system, inner = open_file_system(path)
    try:
        content = file_system.cat_file(inner)
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            f"must be the output folder of a finished split, got {folder}, "
            f"which has no {MANIFEST}. Check the path, or finish the split.",
            parameter="folder",
        ) from None
    try:
        record = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise _damaged(path, f"it is not JSON ({error})") from None
    if not isinstance(record, dict) or record.get("format") != _FORMAT:
        raise InputError(
            f"{path}: must be the manifest of a split by evenfold.scale, got other JSON. "
            "Name the output folder of such a split."
        )
    if record.get("format_version") != _FORMAT_VERSION:
        raise InputError(
            f"{path}: is of format {record.get('format_version')}, this evenfold ({__version__}) "
            f"reads format {_FORMAT_VERSION}. Use the version that wrote it."
        )
    try:
        manifest = _from_record(record)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise _damaged(path, f"{type(error).__name__} {error}") from None
    if not _is_sound(manifest) or manifest.digest != record.get("digest"):
        raise _damaged(path, "its files, parts and counts do not fit each other")
    return manifest


def _damaged(path: str, why: str) -> InputError:
    return InputError(f"{path}: is damaged: {why}. Split the data again.")


def _to_record(manifest: Manifest) -> dict[str, Any]:
    groups = manifest.groups
    return {
        "format": _FORMAT,
        "format_version": _FORMAT_VERSION,
        "version": manifest.version,
        "scheme": manifest.scheme,
        "parameters": dict(manifest.parameters),
        "seed": manifest.seed,
        "budget": manifest.budget,
        "columns": dict(manifest.columns),
        "names": list(manifest.parts.names),
        "wanted": manifest.parts.weights.tolist(),
        "sizes": manifest.sizes.tolist(),
        "labels": list(manifest.labels),
        "counts": manifest.counts.tolist(),
        "groups": None
        if groups is None
        else {
            "number": groups.n_groups,
            "missing": groups.n_missing,
            "in_part": groups.in_part.tolist(),
            **{name: own.tolist() for name, own in groups.of_label._asdict().items()},
        },
        "notes": list(manifest.notes),
        "kept": dict(manifest.kept),
        "run": manifest.run,
        "digest": manifest.digest,
        "files": [file._asdict() for file in manifest.files],
    }


def _from_record(record: dict[str, Any]) -> Manifest:
    groups = record["groups"]
    n_parts = len(record["names"])
    if groups is not None:
        of_label = GroupsOfLabel(*(_whole(groups[name]) for name in GroupsOfLabel._fields))
        in_part, n_missing = _whole(groups["in_part"]), int(groups["missing"])
        groups = GroupRecord(of_label, in_part, int(groups["number"]), n_missing)
    return Manifest(
        version=str(record["version"]),
        scheme=_one_of(record["scheme"], SCHEMES),
        parameters=dict(record["parameters"]),
        seed=int(record["seed"]),
        budget=None if record["budget"] is None else int(record["budget"]),
        columns=dict(record["columns"]),
        parts=Parts(_whole(record["wanted"]), tuple(map(str, record["names"]))),
        sizes=_whole(record["sizes"]),
        labels=list(record["labels"]),
        counts=_whole(record["counts"]).reshape(n_parts, len(record["labels"])),
        groups=groups,
        notes=list(map(str, record["notes"])),
        kept=dict(record["kept"]),
        run=str(record["run"]),
        files=[
            FileRecord(str(file["path"]), int(file["rows"]), str(file["digest"]))
            for file in record["files"]
        ],
    )


def _whole(values: Any) -> NDArray[np.int64]:
    array = np.array(values)
    if array.size and array.dtype != np.int64:
        raise TypeError("whole numbers were expected")
    return array.astype(np.int64)


def _one_of(value: Any, allowed: Sequence[str]) -> str:
    if value not in allowed:
        raise ValueError(f"{value!r} is none of {', '.join(allowed)}")
    return str(value)


def _is_sound(manifest: Manifest) -> bool:
    """Tell whether sizes, counts, names and files can be those of one split."""
    parts, sizes = manifest.parts, manifest.sizes
    return bool(
        parts.weights.shape == sizes.shape == (len(parts.names),)
        and len(set(parts.names)) == len(parts.names) > 1
        and (parts.weights > 0).all()
        and (sizes >= 0).all()
        and sum(file.rows for file in manifest.files) == manifest.n_rows
        and (manifest.counts >= 0).all()
        and (manifest.counts <= sizes[:, None]).all()
        and (manifest.groups is None or _fits(manifest.groups, manifest))
        and _are_columns(manifest.columns)
        and isinstance(manifest.parameters.get("column", ""), str)
        and _are_texts(manifest.kept.get("inputs", []))
    )


def _are_columns(columns: Mapping[str, Any]) -> bool:
    """Tell whether the record of the columns that were read has the right types."""
    return (
        columns.keys() <= {*_LISTS, *_TEXTS, "width"}
        and all(_are_texts(columns.get(name, [])) for name in _LISTS[:-1])
        and isinstance(columns.get(_LISTS[-1], []), list | tuple)
        and all(isinstance(columns.get(name), str | None) for name in _TEXTS)
        and isinstance(columns.get("width", 0), int)
        and columns.keys() >= {"labels", "separator", "kind"}
    )


def _are_texts(values: Any) -> bool:
    return isinstance(values, list | tuple) and all(isinstance(own, str) for own in values)


def _fits(groups: GroupRecord, manifest: Manifest) -> bool:
    return (
        groups.in_part.shape == manifest.sizes.shape
        and groups.n_cut >= 0
        and all(own.shape == (len(manifest.labels),) for own in groups.of_label)
    )


def _to_plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if is_whole(value):
        return int(value)
    raise TypeError(f"a manifest cannot hold a {type(value).__name__}")

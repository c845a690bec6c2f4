"""Saved splits: a split as a JSON file, written whole and checked when it is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from .._atomic import write_whole
from .._checks.numbers import is_whole
from ..exceptions import InputError
from ..labels.fingerprints import make_fingerprint
from ..labels.labels import make_labels
from ..links.group_columns import read_groups
from ..problem.parts import Parts
from .certificate import Certificate
from .origin import Origin
from .split_result import Split

FORMAT = "evenfold split"
# That of the manifests of `evenfold.scale`, which have no row for row record.
_FORMAT_AT_SCALE = "evenfold scaled split"
_FORMAT_VERSION = 1
_LARGEST_PRODUCT = 2**62


def save_split(
    split: Split,
    path: str | PathLike[str],
    certificate: Certificate | None = None,
    about: Mapping[str, Any] | None = None,
) -> None:
    """Write a split as JSON, with more parameters `about` it; see `Split.save`."""
    record = {
        "format": FORMAT,
        "format_version": _FORMAT_VERSION,
        "version": split.origin.version,
        "method": split.method,
        "parameters": {**split.origin.parameters, **(about or {})},
        "random_state": split.origin.random_state,
        "fingerprint": split.fingerprint,
        "names": list(split.names),
        "wanted": split._parts.weights.tolist(),
        "n_folds": split._n_folds,
        "certificate": (certificate or split.certificate()).to_dict(),
        "part_of_row": split.part_of_row.tolist(),
    }
    write_whole(Path(path), (json.dumps(record, ensure_ascii=False) + "\n").encode())


def load_split(path: str | PathLike[str], y: Any = None, groups: Any = None) -> Split:
    """Read a split that `Split.save` wrote.

    Parameters
    ----------
    path : str or PathLike
        The file.
    y : array-like, sparse matrix, frame or list of labels, default=None
        The labels that the split was made for, in any form. They are compared with the fingerprint
        in the file. Without them the split cannot be measured.
    groups : Links, array-like of shape (n_rows,), mapping or frame, default=None
        The groups that the split was made with; the bounds then allow for them.

    Returns
    -------
    Split
        The split as it was saved.

    Raises
    ------
    InputError
        If the file is not a saved split or is damaged, or `y` holds other labels.

    Examples
    --------
    >>> genres = [["a"], ["b"], ["a"], ["b"]]
    >>> evenfold.split(genres, parts=2).save(tmp_path / "split.json")
    >>> evenfold.load_split(tmp_path / "split.json", genres).quality.rld
    0.0
    """
    record = _read_json(path)
    part_of_row, parts, origin, n_folds = _read_record(record, path)
    fingerprint = str(record.get("fingerprint"))
    labels = read = None
    if y is not None:
        labels = make_labels(y)
        if labels.n_rows != len(part_of_row):
            raise InputError(
                f"must have the {len(part_of_row):,} rows of the split in '{path}', "
                f"got {labels.n_rows:,}. Pass the data it was made for.",
                parameter="y",
            )
        if make_fingerprint(labels) != fingerprint:
            raise InputError(
                f"must hold the labels the split in '{path}' was made for, got others. "
                "Were rows or labels changed or reordered?",
                parameter="y",
            )
    read = None if groups is None else read_groups(groups, len(part_of_row))
    return Split(part_of_row, parts, origin, labels, read, n_folds=n_folds, fingerprint=fingerprint)


def load_certificate(path: str | PathLike[str]) -> dict[str, Any]:
    """Read the certificate of a saved split; it is empty if the split was saved without one."""
    record = _read_json(path)
    found = record.get("certificate") if isinstance(record, dict) else None
    return found if isinstance(found, dict) else {}


def _read_json(path: str | PathLike[str]) -> Any:
    try:
        return json.loads(Path(path).read_bytes())
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"'{path}' must be a split saved by evenfold, got something that is not JSON "
            f"({error}). Save the split again."
        ) from None


def _read_record(
    record: Any, path: str | PathLike[str]
) -> tuple[NDArray[np.int32], Parts, Origin, int]:
    """Check the content of a file, and return the part of each row, parts, origin and folds."""
    if isinstance(record, dict) and record.get("format") == _FORMAT_AT_SCALE:
        raise InputError(
            f"'{path}' must be a split saved by evenfold, got the manifest of a split past "
            "memory. Read it with evenfold.scale.load, or check its files with "
            f"`evenfold check {Path(path).parent}`."
        )
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise InputError(
            f"'{path}' must be a split saved by evenfold, got other JSON. Write it with Split.save."
        )
    if record.get("format_version") != _FORMAT_VERSION:
        raise InputError(
            f"'{path}' is of format {record.get('format_version')}, this evenfold ({__version__}) "
            f"reads format {_FORMAT_VERSION}. Use the version that wrote it."
        )
    try:
        names = tuple(record["names"])
        part_of_row = np.array(record["part_of_row"], dtype=np.int32)
        weights = np.array(record["wanted"], dtype=np.int64)
        origin = Origin(
            record["method"], record["parameters"], record["random_state"], record["version"]
        )
        n_folds = int(record["n_folds"])
        is_sound = (
            isinstance(record["names"], list)
            and all(isinstance(name, str) for name in names)
            and _is_origin(origin)
            and part_of_row.tolist() == record["part_of_row"]
            and _fits(part_of_row, weights, names, n_folds)
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"'{path}' is damaged: {type(error).__name__} {error}. Save the split again."
        ) from None
    if not is_sound:
        raise InputError(
            f"'{path}' is damaged: its rows, parts and names do not fit each other. "
            "Save the split again."
        )
    return part_of_row, Parts(weights, names), origin, n_folds


def _is_origin(origin: Origin) -> bool:
    """Tell whether the record of how a split was made has the right types."""
    return (
        isinstance(origin.method, str)
        and isinstance(origin.parameters, dict)
        and isinstance(origin.version, str)
        and (origin.random_state is None or is_whole(origin.random_state))
    )


def _fits(
    part_of_row: NDArray[np.int32],
    weights: NDArray[np.int64],
    names: tuple[str, ...],
    n_folds: int,
) -> bool:
    """Tell whether rows, weights, names and folds can be those of one split."""
    return bool(
        part_of_row.ndim == weights.ndim == 1
        and len(part_of_row) > 0
        and part_of_row.min() >= 0
        and part_of_row.max() < len(names)
        and (weights > 0).all()
        # Weights times rows are computed in 64 bits.
        and sum(weights.tolist()) * len(part_of_row) < _LARGEST_PRODUCT
        and 1 < len(weights) == len(names) == len(set(names))
        and 0 < n_folds <= len(names)
    )

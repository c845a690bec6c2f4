"""What the JSON files beside the data of saved datasets say: splits, data files, features."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple

from ..exceptions import InputError
from .damage import explain_damage

STATE, INFO, SPLITS = "state.json", "dataset_info.json", "dataset_dict.json"
_SAVE_AGAIN = "Save the dataset again with save_to_disk."
_NOT_IN_NAMES = "/\\\0"
_MOST_SHOWN = 5


class SavedDataset(NamedTuple):
    """A dataset that was saved to disk.

    Attributes
    ----------
    state : dict
        The content of its state.json: fingerprint, split, data files.
    info : dict
        The content of its dataset_info.json: features, sizes.
    files : list of Path
        Its data files.
    """

    state: dict[str, Any]
    info: dict[str, Any]
    files: list[Path]

    @property
    def features(self) -> dict[str, Any]:
        """The feature of each column; empty if the info does not say."""
        return self.info.get("features") or {}


def is_saved(folder: Path) -> bool:
    """Tell whether a folder is a saved Dataset or DatasetDict, also one that lacks a file."""
    return (
        (folder / STATE).exists()
        or (folder / SPLITS).exists()
        or ((folder / INFO).exists() and any(folder.glob("*.arrow")))
        or (any(folder.glob(f"*/{STATE}")) and not any(folder.glob("*.parquet")))
    )


def list_splits(folder: Path) -> list[str]:
    """Return the splits of a saved DatasetDict; none for a Dataset."""
    path, own = folder / SPLITS, [(folder / name).exists() for name in (STATE, INFO)]
    if all(own):
        return []
    if not path.exists():
        inside = sorted(state.parent.name for state in folder.glob(f"*/{STATE}"))
        if any(own) or not inside:
            return []
        raise InputError(
            f"{folder}: has no {SPLITS}, which says which of {', '.join(inside[:_MOST_SHOWN])} are "
            f"its splits. Pass one of them, or save the DatasetDict again."
        )
    names = _read_json(path).get("splits")
    if not isinstance(names, list) or not names:
        raise InputError(f"{path}: names no splits under 'splits'. {_SAVE_AGAIN}")
    for name in names:
        if not _is_name(name):
            raise InputError(
                f"{path}: the split {name!r} is not the name of a folder. {_SAVE_AGAIN}"
            )
    return names


def _is_name(name: Any) -> bool:
    return (
        isinstance(name, str)
        and bool(name.strip(". "))
        and not any(character in name for character in _NOT_IN_NAMES)
    )


def describe_splits(names: list[str]) -> bytes:
    """Return the content of the file that lists the splits of a DatasetDict."""
    return json.dumps({"splits": names}).encode()


def read_saved(folder: Path) -> SavedDataset:
    """Read the JSON files of a saved Dataset."""
    state, info = _read_json(folder / STATE), _read_json(folder / INFO)
    for key in ("features", "splits"):
        if not isinstance(info.get(key) or {}, dict):
            kind = type(info[key]).__name__
            raise InputError(
                f"{folder / INFO}: '{key}' must be a JSON object, got {kind}. {_SAVE_AGAIN}"
            )
    return SavedDataset(state, info, [folder / name for name in _name_files(folder / STATE, state)])


def check_features(folder: Path, saved: SavedDataset, columns: list[str]) -> None:
    """Refuse features of other columns than the data files have."""
    differ = [
        f"'{name}'"
        for name in dict.fromkeys([*saved.features, *columns])
        if saved.features and (name in saved.features) != (name in columns)
    ]
    if differ:
        raise InputError(
            f"{folder / INFO}: its features do not match the columns of {saved.files[0].name}: "
            f"{', '.join(differ[:_MOST_SHOWN])} in one of them only. {_SAVE_AGAIN}"
        )


def _name_files(path: Path, state: dict[str, Any]) -> list[str]:
    if state.get("_indices_data_files"):
        raise InputError(
            f"{path}: picks its rows through a table of indices, as very old 'datasets' did. "
            "Load it and save it again."
        )
    try:
        names = [str(entry["filename"]) for entry in state["_data_files"]]
    except (KeyError, TypeError):
        names = []
    if not names:
        raise InputError(f"{path}: names no data files under '_data_files'. {_SAVE_AGAIN}")
    return names


def _read_json(path: Path) -> dict[str, Any]:
    if not path.exists():
        raise InputError(
            f"{path.parent}: is not a dataset saved with save_to_disk, for it has no {path.name}. "
            "Pass the folder that has one."
        )
    return parse_json(path.read_bytes(), str(path))


def parse_json(text: bytes, name: str) -> dict[str, Any]:
    """Read a JSON object, which messages call `name`."""
    with explain_damage(f"{name}: is not JSON", (ValueError, RecursionError), _SAVE_AGAIN):
        content = json.loads(text)
    if not isinstance(content, dict):
        kind = type(content).__name__
        raise InputError(f"{name}: must hold a JSON object, got {kind}. {_SAVE_AGAIN}")
    return content


def with_sizes(info: dict[str, Any], split: Any, n_rows: int, n_bytes: int) -> dict[str, Any]:
    """Correct the sizes of this split and of all splits, where the info has them."""
    info = dict(info)
    splits = info.get("splits") or {}
    if isinstance(split, str) and split in splits:
        own = {**_as_object(splits[split]), "num_examples": n_rows, "num_bytes": n_bytes}
        own.pop("shard_lengths", None)
        info["splits"] = {**splits, split: own}
        n_bytes = sum(
            _as_size(_as_object(other).get("num_bytes")) for other in info["splits"].values()
        )
    if info.get("dataset_size") is not None:
        info["dataset_size"] = n_bytes
    if info.get("size_in_bytes") is not None:
        info["size_in_bytes"] = n_bytes + _as_size(info.get("download_size"))
    return info


def _as_object(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _as_size(value: Any) -> int:
    """Return a size in bytes; 0 for what is none. Sizes are for readers, not for reading."""
    return value if isinstance(value, int) and value > 0 else 0

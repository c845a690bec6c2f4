"""The rows of the parts of a split: one part, a frame of all, a dataset for each."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks.numbers import is_whole
from .._checks.values import show_some
from .._tables.frames import Backend, make_frame
from ..exceptions import InputError, InputTypeError
from ..labels.hugging_face import is_dataset, join_splits
from ..labels.wrapping import find_index

if TYPE_CHECKING:
    from .split_result import Split

_MAX_NAMES_SHOWN = 5


def find_part(names: Sequence[str], part: str | int) -> int:
    """Return the number of a part that is given by its name, or by its number as of a list."""
    if isinstance(part, str):
        if part not in names:
            parts = show_some(names, _MAX_NAMES_SHOWN)
            raise KeyError(f"{part!r} is not a part of this split. Parts: {parts}")
        return names.index(part)
    if not is_whole(part):
        raise TypeError(f"a part must be a name or a number, got {part!r}")
    if not -len(names) <= part < len(names):
        raise IndexError(f"part {part} of a split into {len(names)}")
    return int(part) % len(names)


def make_part_frame(split: Split, index: Any, backend: Backend | None) -> Any:
    """Return a frame of rows and names of parts; of pandas, with this index if there is one."""
    data = {
        "row": np.arange(len(split.part_of_row)),
        "part": np.array(split.names, dtype=object)[split.part_of_row].tolist(),
    }
    frame = make_frame(data, backend)
    is_pandas = find_index(frame) is not None
    return frame.set_axis(index) if is_pandas and index is not None else frame


def make_dataset_dict(split: Split, dataset: Any) -> Any:
    """Return the rows of each part of a dataset of Hugging Face, as a DatasetDict."""
    joined = join_splits(dataset, "dataset")
    if not is_dataset(joined) or not hasattr(joined, "select"):
        raise InputTypeError(
            "must be a Dataset or a DatasetDict of Hugging Face, "
            f"got {type(dataset).__name__}. Make one of it: datasets.Dataset.from_pandas(frame).",
            parameter="dataset",
        )
    if len(joined) != len(split.part_of_row):
        raise InputError(
            f"must have the {len(split.part_of_row):,} rows of the split, got {len(joined):,}. "
            "Pass the dataset that the labels are from.",
            parameter="dataset",
        )
    parts = zip(split.names, split, strict=True)
    return sys.modules["datasets"].DatasetDict({name: joined.select(rows) for name, rows in parts})

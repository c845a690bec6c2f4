"""Classes that a schema numbers and names, as ClassLabel of Hugging Face `datasets` does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..exceptions import InputError
from .arrow_cells import is_list, read_lists
from .classes import Subject

_LISTS = ("Sequence", "List", "LargeList")


def is_class(feature: Any) -> bool:
    """Tell whether a feature, as JSON has it, is one class per cell."""
    return isinstance(feature, dict) and feature.get("_type") == "ClassLabel"


def find_class_names(feature: Any) -> list[str] | None:
    """Return the names of the classes where a feature is ClassLabel or a list of it."""
    if isinstance(feature, list) and len(feature) == 1:
        return find_class_names(feature[0])
    if not isinstance(feature, dict):
        return None
    if feature.get("_type") in _LISTS:
        return find_class_names(feature.get("feature"))
    names = feature.get("names") if is_class(feature) else None
    is_named = isinstance(names, list) and all(isinstance(name, str) for name in names)
    return names if is_named else None


def find_feature(features: Any, path: Sequence[str]) -> Any:
    """Return the feature of a column, or of a field within it; None where the features have none.

    Parameters
    ----------
    features : dict
        The feature of each column, as JSON has it.
    path : sequence of str
        The column, and the names of the fields within it.

    Returns
    -------
    Any
        The feature.
    """
    found = features
    for name in path:
        # Lists of structs have the features of their structs one level deeper.
        while isinstance(found, dict) and found.get("_type") in _LISTS:
            found = found.get("feature")
        if isinstance(found, list) and len(found) == 1:
            [found] = found
        found = found.get(name) if isinstance(found, dict) else None
    return found


def name_classes(cells: pa.Array, names: Sequence[str], subject: Subject, advice: str) -> pa.Array:
    """Turn class numbers, or lists of them, into names.

    Parameters
    ----------
    cells : pyarrow.Array
        The cells. Cells that are neither whole numbers nor lists of them stay as they are.
    names : sequence of str
        The names of the classes.
    subject : Subject
        What an error is about.
    advice : str
        What to do if a class has no name.

    Returns
    -------
    pyarrow.Array
        The names; -1 is no class, and becomes null.
    """
    if pa.types.is_integer(cells.type):
        largest = pc.max(cells).as_py()
        if largest is not None and largest >= len(names):
            raise InputError(
                f"{subject.prefix}holds class {largest}, and its features name {len(names)}. "
                f"{advice}",
                parameter=subject.parameter,
            )
        return pa.DictionaryArray.from_arrays(
            pc.if_else(pc.less(cells, 0), None, cells), pa.array(names, pa.string())
        )
    if not is_list(cells.type):
        return cells
    lengths, values = read_lists(cells)
    offsets = pa.array(np.concatenate(([0], np.cumsum(lengths))))
    return pa.LargeListArray.from_arrays(
        offsets, name_classes(values, names, subject, advice), mask=cells.is_null()
    )

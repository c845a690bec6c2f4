"""Files of one NumPy array."""

from __future__ import annotations

import tokenize
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..damage import explain_damage
from .npz_archives import read_header

# What NumPy raises where the header of an array is wrong: it is a text in Python's syntax.
WRONG_HEADER = (
    EOFError,
    LookupError,
    OverflowError,
    RecursionError,
    SyntaxError,
    TypeError,
    ValueError,
    tokenize.TokenError,
)


def read_npy(path: Path, name: str) -> NDArray[Any]:
    """Read an array that `numpy.save` has written; pickled objects are refused.

    Parameters
    ----------
    path : Path
        The file.
    name : str
        What messages call it.

    Returns
    -------
    ndarray
        The array.
    """
    advice = "Save it again with numpy.save."
    with (
        explain_damage(f"{name}: cannot be read as npy", WRONG_HEADER, advice),
        path.open("rb") as file,
    ):
        read_header(file, path.stat().st_size, "the array")
        file.seek(0)
        array: NDArray[Any] = np.lib.format.read_array(file, allow_pickle=False)
    return array

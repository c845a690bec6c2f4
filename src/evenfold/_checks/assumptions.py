"""Warnings about what evenfold assumed, placed at the caller's line."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

from ..exceptions import AssumptionWarning

_PACKAGE = str(Path(__file__).parent.parent)


def warn_of_assumption(message: str) -> None:
    """Give an `AssumptionWarning` that names the first line outside evenfold."""
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, AssumptionWarning, stacklevel=level)

"""Columns → a frame of whichever library is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any, Literal

from ..exceptions import InputError

Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")


def make_frame(columns: Mapping[str, Any], backend: str | None) -> Any:
    """Return a frame of pandas, polars or pyarrow; None takes the first of these that is installed."""
    import narwhals as nw

    if backend is not None and backend not in BACKENDS:
        raise InputError(
            f"must be one of {', '.join(BACKENDS)}, got {backend!r}. Leave it out for the first that is installed.",
            parameter="backend",
        )
    installed = [
        candidate for candidate in BACKENDS if importlib.util.find_spec(candidate) is not None
    ]
    return nw.to_native(nw.from_dict(columns, backend=backend or installed[0]))

"""Columns → a frame of whichever library is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any, Literal

from .._checks.choices import check_choice

Backend = Literal["pandas", "polars", "pyarrow"]
BACKENDS: tuple[Backend, ...] = ("pandas", "polars", "pyarrow")


def make_frame(columns: Mapping[str, Any], backend: str | None) -> Any:
    """Return a frame of pandas, polars or pyarrow; None: the first of these that is installed."""
    import narwhals as nw

    if backend is not None:
        check_choice(backend, "backend", BACKENDS, "Leave it out for the first installed.")
    chosen = next(
        candidate
        for candidate in BACKENDS
        if candidate == backend or (backend is None and importlib.util.find_spec(candidate))
    )
    return nw.to_native(nw.from_dict(columns, backend=chosen))

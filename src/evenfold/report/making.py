"""How a split was made: enough to make it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, NamedTuple

from ..methods import METHODS

# Settings of a split that are arguments of evenfold.split, or none of the method's own.
_OF_SPLIT = (
    "parts",
    "holdout",
    "order",
    "groups",
    "balance",
    "fixed",
    "start",
    "left_out",
    "extended",
    "before",
)
_MOST_SIZES = 60


class Making(NamedTuple):
    """Who made a split, from what, and in how many seconds; None is not known."""

    call: str
    method: str | None = None
    parameters: Mapping[str, Any] | None = None
    random_state: int | None = None
    version: str | None = None
    seconds: float | None = None


def write_call(
    method: str, parameters: Mapping[str, Any], random_state: int | None, names: tuple[str, ...]
) -> str:
    """Return the call of Python that makes a split again, data left open."""
    given: dict[str, str] = {}
    sizes = parameters.get("parts", len(names))
    if "extended" not in parameters:
        given["parts"] = (
            repr(sizes)
            if not hasattr(sizes, "__len__") or len(sizes) <= _MOST_SIZES
            else f"[… {len(sizes)} sizes]"
        )
        if not isinstance(sizes, Mapping) and names != _usual_names(
            sizes, len(names), parameters.get("holdout") is not None
        ):
            given["names"] = (
                repr(list(names)) if len(names) <= _MOST_SIZES else f"[… {len(names)} names]"
            )
    if parameters.get("holdout") is not None:
        given["holdout"] = repr(parameters["holdout"])
    given |= {name: "…" for name in ("groups", "fixed", "start") if parameters.get(name)}
    if parameters.get("balance"):
        given["balance"] = (
            "{" + ", ".join(f"{name!r}: …" for name in parameters["balance"][:_MOST_SIZES]) + "}"
        )
    given["method"] = _write_method(
        method, {name: value for name, value in parameters.items() if name not in _OF_SPLIT}
    )
    given["order"] = repr(parameters.get("order", 1))
    given["random_state"] = repr(random_state)
    start = "evenfold.extend(s, y_all, " if "extended" in parameters else "evenfold.split(y, "
    return start + ", ".join(f"{name}={value}" for name, value in given.items()) + ")"


def _usual_names(sizes: Any, n_parts: int, has_holdout: bool) -> tuple[str, ...]:
    n_folds = n_parts - has_holdout
    usual = (
        {2: ("train", "test"), 3: ("train", "val", "test")}.get(n_parts)
        if hasattr(sizes, "__len__") and not has_holdout
        else None
    )
    return usual or (*(f"fold{at}" for at in range(n_folds)), *(("test",) if has_holdout else ()))


def _write_method(method: str, settings: Mapping[str, Any]) -> str:
    """Name a method, or where it was set otherwise than usual, write the object."""
    kind = METHODS.get(method)
    if kind is None or not is_dataclass(kind):
        return repr(method)
    usual = {field.name: field.default for field in fields(kind)}
    other = {name: value for name, value in settings.items() if usual.get(name) != value}
    return (
        f"evenfold.methods.{kind.__name__}({', '.join(f'{name}={value!r}' for name, value in other.items())})"
        if other
        else repr(method)
    )

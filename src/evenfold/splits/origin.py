"""Origin: how a split was made, and the call that makes it again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from .._checks.numbers import is_whole
from .._tables.numbers import show_count, show_measure, show_percent
from .._tables.table import shorten
from ..methods import METHODS
from ..problem.parts import make_fold_names, make_part_names

# Parameters of an origin that are arguments of `evenfold.split`, or facts about the split. The
# others are settings of the method.
_NOT_OF_METHOD = (
    "parts",
    "holdout",
    "order",
    "cover",
    "cost_of_cover",
    "size_tolerance",
    "gain_of_size_tolerance",
    "large_group",
    "groups",
    "group_columns",
    "links",
    "balance",
    "fixed",
    "start",
    "left_out",
    "extended",
    "before",
    "columns",
    "sources",
)
# Longer lists of sizes, names or columns are not written out in a call.
_MAX_LISTED = 60


@dataclass(frozen=True, eq=False, slots=True)
class Origin:
    """How a split was made: with the data, all that is needed to make it again.

    Attributes
    ----------
    method : str
        The name of the method.
    parameters : mapping of str to Any
        Arguments of the call and settings of the method.
    random_state : int or None
        The seed; None if there was none.
    version : str
        The version of evenfold.
    seconds : float or None
        The time it took; None if that is not known.
    """

    method: str
    parameters: Mapping[str, Any]
    random_state: int | None
    version: str
    seconds: float | None = None

    def write_call(self, names: tuple[str, ...]) -> str:
        """Return the Python call that makes the split again, with the data left open.

        Parameters
        ----------
        names : tuple of str
            The names of the parts.

        Returns
        -------
        str
            The call, such as `evenfold.split(y, parts=5, method='even', …)`.
        """
        parameters = self.parameters
        given: dict[str, str] = {}
        if "extended" not in parameters:
            given |= _write_parts(parameters, names)
        if parameters.get("holdout") is not None:
            given["holdout"] = repr(parameters["holdout"])
        given |= {name: "…" for name in ("groups", "fixed", "start") if parameters.get(name)}
        if parameters.get("balance"):
            columns = [f"{name!r}: …" for name in parameters["balance"][:_MAX_LISTED]]
            given["balance"] = "{" + ", ".join(columns) + "}"
        given["method"] = self._write_method()
        given["order"] = repr(parameters.get("order", 1))
        if parameters.get("cover") is not None:
            given["cover"] = repr(parameters["cover"])
        if parameters.get("size_tolerance") is not None:
            given["size_tolerance"] = repr(parameters["size_tolerance"])
        given["random_state"] = repr(self.random_state)
        arguments = ", ".join(f"{name}={value}" for name, value in given.items())
        extended = "extended" in parameters
        return f"evenfold.{'extend(s, y_all' if extended else 'split(y'}, {arguments})"

    def describe_cover(self) -> str:
        """Return what a cover of 1 or more reached and what it cost; else an empty text.

        Returns
        -------
        str
            One sentence.
        """
        cover: Any = self.parameters.get("cover")
        cost = self.parameters.get("cost_of_cover")
        # The saved record of a split may have been written by another program.
        if not is_whole(cover) or not isinstance(cost, Mapping):
            return ""
        rld, rld_without, lacking = (cost.get(key) for key in ("rld", "rld_without", "lacking"))
        if not (isinstance(rld, float) and isinstance(rld_without, float) and is_whole(lacking)):
            return ""
        rows = show_count(cover, "row")
        exceptions = f", except in {show_count(lacking, 'case')}" if lacking else ""
        return (
            f"Every part holds at least {rows} of each label that has enough{exceptions}; "
            f"rLD is {show_measure(rld)}, without cover {show_measure(rld_without)}."
        )

    def describe_sizes(self) -> str:
        """Return what a size tolerance gained, and which part a large group needed; else no text.

        Returns
        -------
        str
            One or two sentences, or an empty text.
        """
        return " ".join(
            sentence
            for sentence in (
                _describe_gain(self.parameters.get("gain_of_size_tolerance")),
                _describe_large_group(self.parameters.get("large_group")),
            )
            if sentence
        )

    def describe_groups_left_out(self) -> list[str]:
        """Return a warning if the split that was extended kept groups whole, and this does not.

        Returns
        -------
        list of str
            At most one sentence.
        """
        before = self.parameters.get("before")
        if self.parameters.get("groups") or not isinstance(before, Mapping):
            return []
        if not before.get("groups"):
            return []
        return [
            "The split that was extended kept groups whole. No groups were given for all rows, so "
            "new rows may be in another part than the rest of their group."
        ]

    def _write_method(self) -> str:
        """Write the name of the method, or the object if some setting is not the default."""
        kind = METHODS.get(self.method)
        if kind is None or not is_dataclass(kind):
            return repr(self.method)
        default = {field.name: field.default for field in fields(kind)}
        changed = [
            f"{name}={value!r}"
            for name, value in self.parameters.items()
            if name not in _NOT_OF_METHOD and default.get(name) != value
        ]
        if not changed:
            return repr(self.method)
        return f"evenfold.methods.{kind.__name__}({', '.join(changed)})"


def _describe_gain(gain: Any) -> str:
    """Say what a size tolerance gained; the record may have been written by another program."""
    keys = ("rld", "rld_without", "size_off", "size_off_without")
    values: list[Any] = [gain.get(key) for key in keys] if isinstance(gain, Mapping) else []
    if not values or not all(isinstance(value, float) for value in values):
        return ""
    rld, rld_without = show_measure(values[0]), show_measure(values[1])
    size_off, size_off_without = show_percent(values[2]), show_percent(values[3])
    if values[0] >= values[1]:
        return (
            "No sizes within the size tolerance were found that make labels more even: rLD is "
            f"{rld}, sizes are at most {size_off} off."
        )
    return (
        f"rLD is {rld} with sizes at most {size_off} off; without size tolerance it is "
        f"{rld_without}, with sizes at most {size_off_without} off."
    )


def _describe_large_group(group: Any) -> str:
    """Say which part grew to the size of a group; the record may be another program's."""
    keys = ("rows", "largest_wanted", "size")
    values: list[Any] = [group.get(key) for key in keys] if isinstance(group, Mapping) else []
    if not values or not all(is_whole(value) for value in values):
        return ""
    rows, room, size = values
    return (
        f"The largest group has {show_count(rows, 'row')}, more than any part was to have "
        f"({room:,}): it is in '{shorten(str(group.get('part')))}', which has "
        f"{show_count(size, 'row')}, and the other parts share the rest."
    )


def _write_parts(parameters: Mapping[str, Any], names: tuple[str, ...]) -> dict[str, str]:
    """Write the arguments `parts` and, unless they are the default ones, `names`."""
    sizes = parameters.get("parts", len(names))
    is_long = hasattr(sizes, "__len__") and len(sizes) > _MAX_LISTED
    given = {"parts": f"[… {len(sizes)} sizes]" if is_long else repr(sizes)}
    has_holdout = parameters.get("holdout") is not None
    if not isinstance(sizes, Mapping) and names != _default_names(sizes, len(names), has_holdout):
        is_long = len(names) > _MAX_LISTED
        given["names"] = f"[… {len(names)} names]" if is_long else repr(list(names))
    return given


def _default_names(sizes: Any, n_parts: int, has_holdout: bool) -> tuple[str, ...]:
    if has_holdout:
        return make_fold_names(n_parts - 1, has_holdout=True)
    return make_part_names(n_parts) if hasattr(sizes, "__len__") else make_fold_names(n_parts)

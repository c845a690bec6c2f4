"""Certificate: what was checked of a split, and what was found."""

from __future__ import annotations

import platform
import textwrap
from collections.abc import Iterable, Sequence
from importlib import metadata
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import __version__
from .._checks.values import show_some
from .._tables.numbers import show_count, show_exact_excess, show_measure
from .._tables.table import shorten
from ..links.group_columns import GroupColumn, Groups
from ..links.pairs import PairSearch
from ..quality import Quality
from .leaks import (
    LeakingPair,
    PairsCheck,
    ValuesCheck,
    check_pairs,
    check_values,
)
from .origin import Origin
from .placed import Placed, PlacedCounts

_WIDTH = 80
_MAX_PARTS_SHOWN = 5
# Packages whose versions can change a split or what is found in it.
_PACKAGES = ("numpy", "scipy", "numba")


class Certificate:
    """What was checked of a split. Made by `evenfold.check` and `Split.certificate`.

    Parameters
    ----------
    placed : Placed or PlacedCounts
        The split.
    values : sequence of ValuesCheck
        Whether the values of each group column are whole.
    pairs : sequence of PairsCheck
        Whether pairs of rows that are alike are in two parts.
    ids : ValuesCheck or None
        Whether each id is in one part.
    quality : Quality or None
        How even the split is; None if the labels are not known.
    not_checked : sequence of str, default=()
        What the split was made with, but could not be checked.

    Attributes
    ----------
    values : tuple of ValuesCheck
        One entry for each column of groups.
    pairs : tuple of PairsCheck
        One entry for each search.
    ids : ValuesCheck or None
        The check of the ids.
    quality : Quality or None
        How even the split is.
    not_checked : tuple of str
        What the split was made with, but could not be checked.

    Examples
    --------
    >>> s = evenfold.split([["a"], ["b"]] * 4, 2, groups={"patient": [1, 1, 2, 2, 3, 3, 4, 4]})
    >>> certificate = s.certificate()
    >>> certificate.passed, certificate.to_dict()["groups"][0]["in_two_parts"]
    (True, 0)
    """

    def __init__(
        self,
        placed: Placed | PlacedCounts,
        values: Sequence[ValuesCheck] = (),
        pairs: Sequence[PairsCheck] = (),
        ids: ValuesCheck | None = None,
        quality: Quality | None = None,
        not_checked: Sequence[str] = (),
    ) -> None:
        self._placed = placed
        self.values = tuple(values)
        self.pairs = tuple(pairs)
        self.ids = ids
        self.quality = quality
        self.not_checked = tuple(not_checked)

    @property
    def checks(self) -> list[ValuesCheck | PairsCheck]:
        """The checks of `values`, `pairs` and `ids`, in this order."""
        return [*self.values, *self.pairs, *([] if self.ids is None else [self.ids])]

    @property
    def failures(self) -> list[str]:
        """What leaks, one line each; empty if nothing does."""
        return [check.describe() for check in self.checks if check.n_leaking]

    @property
    def passed(self) -> bool:
        """Whether nothing leaks."""
        return not self.failures

    @property
    def leaking_pairs(self) -> list[LeakingPair]:
        """The pairs of rows that are alike and in two parts; of each search at most 1,000."""
        return [pair for check in self.pairs for pair in check.pairs]

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_parts,) rows in each part."""
        return self._placed.sizes

    def list_checks(self) -> list[tuple[bool, str]]:
        """Return what was checked: whether it is sound, and what was found.

        Returns
        -------
        list of tuple of bool and str
            One entry for each check.
        """
        lines = [(not check.n_leaking, check.describe()) for check in self.checks]
        if self.ids is not None and self.ids.n_repeated:
            n_repeated = show_count(self.ids.n_repeated, "row")
            lines.append((True, f"ids: not unique, repeated in {n_repeated}"))
        lines.append((True, self.describe_sizes()))
        if self.quality is not None:
            lines.append((True, describe_evenness(self.quality)))
        return lines

    def to_dict(self) -> dict[str, Any]:
        """Return the certificate as plain data.

        Returns
        -------
        dict
            For JSON; `Split.save` writes it.
        """
        placed, parts = self._placed, self._placed.parts
        wanted: list[float | None] = [None] * len(placed.names)
        if parts is not None:
            wanted = (placed.n_rows * parts.shares).tolist()
        return {
            "format": "evenfold certificate",
            "format_version": 1,
            "passed": self.passed,
            "rows": placed.n_rows,
            "parts": [
                {"name": name, "rows": size, "wanted": share}
                for name, size, share in zip(placed.names, self.sizes.tolist(), wanted, strict=True)
            ],
            "groups": [
                {
                    "column": check.column.name,
                    "values": check.column.n_values,
                    "missing": check.column.n_missing,
                    "in_two_parts": check.n_leaking,
                    "fingerprint": check.column.fingerprint,
                }
                for check in self.values
            ],
            "pairs": [
                {**check.search.to_dict(), "in_two_parts": check.n_leaking} for check in self.pairs
            ],
            "ids": None if self.ids is None else _describe_ids(self.ids),
            "not_checked": list(self.not_checked),
            "evenness": None if self.quality is None else _record_evenness(self.quality),
            "fingerprints": {"labels": placed.fingerprint, "parts": placed.digest},
            "versions": self._list_versions(),
        }

    def _list_versions(self) -> dict[str, str]:
        return list_versions(name for check in self.pairs for name in check.search.packages)

    def describe_sizes(self) -> str:
        """Return the rows of each part, and how far they are off their shares, as one line.

        Returns
        -------
        str
            One of the lines of `list_checks`.
        """
        sizes, placed = self.sizes, self._placed
        text = f"sizes: {list_sizes(placed.names, sizes)}"
        if placed.parts is None:
            return text
        off = np.abs(sizes - placed.n_rows * placed.parts.shares)
        worst = int(off.argmax())
        if off[worst] < 1:
            return f"{text}; every part is within one row of its share"
        n_off = round(float(off[worst]), 1)
        rows = show_count(int(n_off), "row") if n_off.is_integer() else f"{n_off:,} rows"
        return f"{text}; {shorten(placed.names[worst])} is {rows} off its share"

    def __str__(self) -> str:
        placed = self._placed
        n_rows = show_count(placed.n_rows, "row")
        title = f"Certificate of a split of {n_rows} into {show_count(len(placed.names), 'part')}"
        checks = [f"{'ok    ' if sound else 'FAILED'} {text}" for sound, text in self.list_checks()]
        versions = self._list_versions()
        made = f"evenfold {versions['evenfold']}, Python {versions['python']}"
        if placed.fingerprint is not None:
            made = f"labels {placed.fingerprint}, {made}"
        missing = [f"-      {name}: not given, so not checked" for name in self.not_checked]
        lines = [title, *checks, *missing, f"       {made}"]
        return "\n".join(textwrap.fill(line, _WIDTH, subsequent_indent=" " * 7) for line in lines)

    def __repr__(self) -> str:
        state = "passed" if self.passed else f"FAILED: {'; '.join(self.failures)}"
        return f"<Certificate: {state}>"


def list_versions(packages: Iterable[str] = ()) -> dict[str, str]:
    """Return the versions of evenfold, Python, and packages that can change what is found."""
    versions = {"evenfold": __version__, "python": platform.python_version()}
    for name in sorted({*_PACKAGES, *packages}):
        try:
            versions[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return versions


def list_sizes(names: Sequence[str], sizes: NDArray[np.int64]) -> str:
    """Return the first parts, each with its number of rows."""
    shown = [f"{shorten(name)} {size:,}" for name, size in zip(names, sizes, strict=True)]
    return show_some(shown, _MAX_PARTS_SHOWN)


def _record_evenness(quality: Quality) -> dict[str, float | None]:
    return {
        "rld": quality.rld,
        "bound": quality.bound.rld,
        "excess": quality.excess if np.isfinite(quality.excess) else None,
        "flz": quality.flz,
        "flz_bound": quality.bound.flz,
    }


def describe_evenness(quality: Quality) -> str:
    """Return rLD and its bound, as one line."""
    over = show_exact_excess(quality.rld, quality.bound.rld, quality.excess)
    return (
        f"evenness: rLD {show_measure(quality.rld)}, bound {show_measure(quality.bound.rld)} "
        f"({over} over)"
    )


def _describe_ids(ids: ValuesCheck) -> dict[str, Any]:
    return {
        "values": ids.column.n_values,
        "repeated": ids.n_repeated,
        "missing": ids.column.n_missing,
        "in_two_parts": ids.n_leaking,
        "fingerprint": ids.column.fingerprint,
    }


def certify(
    placed: Placed,
    columns: Sequence[GroupColumn],
    searches: Sequence[PairSearch],
    ids: GroupColumn | None,
    quality: Quality | None,
    groups: Groups | None = None,
    not_checked: Sequence[str] = (),
) -> Certificate:
    """Check columns and searches, and what the split itself was made with, `groups`.

    Pairs that were linked for the split are not searched again: they are in one group each, and
    groups are checked, except those whose links were cut.
    """
    part_of_row, names = placed.part_of_row, placed.names
    columns, searches = list(columns), list(searches)
    if groups is not None:
        own = (list(groups.columns), []) if groups.links is None else groups.links.list_sources()
        given = [_identify(search) for search in searches]
        searches = [*(s for s in own[1] if _identify(s) not in given), *searches]
        columns = [*(c for c in own[0] if not _is_among(c, columns)), *columns]
    return Certificate(
        placed,
        [check_values(column, part_of_row, names) for column in columns],
        [check_pairs(search, part_of_row, names) for search in searches],
        None if ids is None else check_values(ids, part_of_row, names),
        quality,
        not_checked,
    )


def certify_counts(
    quality: Quality,
    digest: str,
    groups: Sequence[ValuesCheck] = (),
    ids: ValuesCheck | None = None,
    not_checked: Sequence[str] = (),
) -> Certificate:
    """Make the certificate of a split of which only counts are known.

    Parameters
    ----------
    quality : Quality
        How even the split is; it has the sizes, and the sizes that were wanted.
    digest : str
        A name of the part of each row, made where the rows are.
    groups : sequence of ValuesCheck, default=()
        What was found where the rows are, for each column of groups.
    ids : ValuesCheck, default=None
        What was found of the ids; None without ids.
    not_checked : sequence of str, default=()
        What the split was made with, but could not be checked.

    Returns
    -------
    Certificate
        The certificate. Its figures are those handed in.

    Examples
    --------
    >>> from evenfold.links.group_columns import CountedColumn
    >>> from evenfold.problem.parts import check_parts
    >>> from evenfold.quality import measure_counts
    >>> quality = measure_counts(["a", "b"], [[2, 1], [1, 1]], [2, 2], check_parts(2, 4))
    >>> patients = ValuesCheck(CountedColumn("patient", 3), n_leaking=0, example="")
    >>> print(certify_counts(quality, "0123456789abcdef", [patients]))
    Certificate of a split of 4 rows into 2 parts
    ok     patient: 3 values; each value is in one part
    ok     sizes: fold0 2, fold1 2; every part is within one row of its share
    ok     evenness: rLD 0.1667, bound 0.1667 (0.0 % over)
           evenfold ..., Python ...
    """
    split = quality.part_counts
    placed = PlacedCounts(split.sizes, split.parts.names, split.parts, digest)
    return Certificate(placed, groups, (), ids, quality, not_checked)


def list_not_checked(origin: Origin, groups: Groups | None) -> list[str]:
    """Return the columns and searches that a split was made with, if they are not known any more.

    A split that was loaded without its groups is one.
    """
    parameters = origin.parameters
    if groups is not None or not parameters.get("groups"):
        return []
    # The saved record of a split may have been written by another program.
    columns: Any = parameters.get("group_columns")
    links: Any = parameters.get("links")
    searches = links.get("searches") if isinstance(links, dict) else None
    kinds = [s.get("kind") for s in searches or () if isinstance(s, dict)]
    return [str(name) for name in [*(columns or ["groups"]), *kinds]]


def _is_among(column: GroupColumn, columns: Sequence[GroupColumn]) -> bool:
    return any(np.array_equal(column.code_of_row, other.code_of_row) for other in columns)


def _identify(search: PairSearch) -> tuple[str, str, float, str]:
    return search.kind, search.measure, search.at, search.fingerprint

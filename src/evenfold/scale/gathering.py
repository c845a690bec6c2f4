"""The scheme `gather`: sections by quotas, and units with rare labels in one place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._kernels.scale import find_rarest, take_turns
from ..methods.even.sections import place_centre, place_section
from ..problem.criteria import Level
from .criteria import load_units
from .sections import Section
from .target import Target
from .units import Units, to_record
from .work_folder import WorkFolder

# A group that has more than this share of what a part gets of a section is large: the section could
# not reach its sizes with it.
_MOST_OF_QUOTA = 0.01


def find_rarity(units: Units, target: Target) -> NDArray[np.int64]:
    """Return (n_units,) how many rows share the rarest label of a unit.

    A label of most rows is rare where it is lacking.
    """
    n_rows = target.n_rows
    is_label = (target.level == Level.LABELS) & ~target.is_amount
    is_common = is_label & (2 * target.total > n_rows)
    common = np.flatnonzero(is_common & (target.total < n_rows))
    rarity = np.empty(units.n_units, np.int64)
    find_rarest.for_work(len(units.indices) + units.n_units)(
        units.indptr,
        units.indices,
        np.where(is_label & ~is_common, target.total, 0),
        common,
        n_rows - target.total[common],
        n_rows,
        rarity,
    )
    return rarity


def count_label_entries(units: Units, target: Target) -> NDArray[np.float64]:
    """Return (n_units,) the label entries of each unit, those of all its rows."""
    is_label = (target.level == Level.LABELS).astype(np.int64)
    amounts = units.amounts if len(units.amounts) else 1
    running = np.concatenate(([0], np.cumsum(is_label[units.indices] * amounts)))
    return (running[units.indptr[1:]] - running[units.indptr[:-1]]).astype(np.float64)


def make_ladder(section: Section, shared: Mapping[str, Any], work: WorkFolder) -> dict[str, Any]:
    """The pass `ladder`: count the label entries of a section by the rarity of their unit.

    Those of large groups are counted by the rows of the group too.
    """
    target = Target.from_record(shared)
    units = load_units(work, section, shared)
    units = units.take(units.is_free)
    entries = count_label_entries(units, target)
    rarity, number = np.unique(find_rarity(units, target), return_inverse=True)
    most = max(1.0, _MOST_OF_QUOTA * target.n_rows / (shared["n_sections"] * target.n_parts))
    is_large = units.rows > most
    rows, large = np.unique(units.rows[is_large], return_inverse=True)
    return {
        "rarity": rarity,
        "entries": np.bincount(number, entries, len(rarity)),
        "large": rows,
        "large_entries": np.bincount(large, entries[is_large], len(rows)),
    }


class Ladder:
    """The label entries of all sections, by the rarity of their unit.

    Parameters
    ----------
    steps : iterable of mapping
        What `make_ladder` returned for each section.
    """

    def __init__(self, steps: Iterable[Mapping[str, Any]]) -> None:
        entries: Counter[int] = Counter()
        large: Counter[int] = Counter()
        for own in steps:
            for rarity, n_entries in zip(own["rarity"].tolist(), own["entries"], strict=True):
                entries[rarity] += n_entries
            for rows, n_entries in zip(own["large"].tolist(), own["large_entries"], strict=True):
                large[rows] += n_entries
        self._rarity = np.array(sorted(entries), np.int64)
        self._entries = np.array([entries[each] for each in sorted(entries)], np.float64)
        self._large = large

    def find_large(self, budget: float) -> int:
        """Return from how many rows on groups are placed first; 0 if there are none.

        The largest groups take at most half of the budget, but the largest one is always taken:
        the others must leave room for it.
        """
        least, n_entries = 0, 0.0
        for rows in sorted(self._large, reverse=True):
            n_entries += self._large[rows]
            if least and n_entries > budget / 2:
                break
            least = rows
        return least

    def find_limit(self, budget: float) -> float:
        """Return the rows to gather per label."""
        return find_limit(self._rarity, self._entries, budget)


def take_large(section: Section, shared: Mapping[str, Any], work: WorkFolder) -> dict[str, Any]:
    """The pass `large`: the groups of a section that are placed before all others."""
    units = load_units(work, section, shared)
    chosen = units.is_free & (units.rows >= shared["least_large"])
    return {"unit": np.flatnonzero(chosen)} | to_record(units.take(chosen))


def find_limit(rarity: NDArray[np.int64], entries: NDArray[np.float64], budget: float) -> float:
    """Return the largest number of rows gathered per label that keeps to the budget.

    Of units with rarity m, the share min(1, limit / m) is gathered. `rarity` is sorted.
    """
    if budget >= entries.sum():
        return np.inf
    # With a limit between two rarities, the rarer units are gathered whole, the others in part.
    whole = np.concatenate(([0.0], np.cumsum(entries)))
    per_row = np.concatenate((np.cumsum((entries / rarity)[::-1])[::-1], [0.0]))
    n_whole = int(np.searchsorted(whole[1:] + rarity * per_row[1:], budget, side="right"))
    return float((budget - whole[n_whole]) / per_row[n_whole])


def find_gathered(
    units: Units, target: Target, section: Section, limit: float
) -> NDArray[np.bool_]:
    """Return (n_units,) whether each unit is gathered, from the seed and its place alone."""
    # Every pass draws the same numbers again.
    drawn = target.make_rng("gather", section.number).random(units.n_units)
    return np.asarray((drawn * find_rarity(units, target) < limit) & units.is_free)


def count_staying(section: Section, shared: Mapping[str, Any], work: WorkFolder) -> dict[str, Any]:
    """The pass `stay`: count what the free units of a section have that are not gathered."""
    target = Target.from_record(shared)
    units = load_units(work, section, shared)
    gathered = find_gathered(units, target, section, shared["limit"])
    stays = units.take(units.is_free & ~gathered)
    counts = stays.add_up(target.n_criteria)
    own = np.flatnonzero(counts)
    return {"own": own, "counts": counts[own], "n_rows": int(stays.rows.sum())}


def place_by_quotas(
    section: Section, shared: Mapping[str, Any], work: WorkFolder
) -> dict[str, Any]:
    """The pass `place`: place the units of a section that stay, by its quotas.

    The record has `part_of_unit`, -1 for gathered units, what the parts hold of the criteria `own`,
    fixed units included, and the gathered units.
    """
    target = Target.from_record(shared)
    units = load_units(work, section, shared)
    gathered = find_gathered(units, target, section, shared["limit"])
    before = work.load(f"before-{section.number:05d}")
    part_of_unit = units.fixed.copy() if len(units.fixed) else np.full(units.n_units, -1, np.int32)
    stays = units.is_free & ~gathered
    if stays.any():
        part_of_unit[stays] = _place_staying(units.take(stays), target, before, section.number)
    placed = units.take(~gathered)
    counts = placed.count_in_parts(part_of_unit[~gathered], target.n_criteria, target.n_parts)
    own = np.flatnonzero(counts.any(axis=1))
    centre = units.take(gathered)
    return {
        "part_of_unit": part_of_unit.astype(np.int16),
        "own": own,
        "counts": counts[own],
        "rows": placed.count_rows(part_of_unit[~gathered], target.n_parts),
        "n_units": np.bincount(part_of_unit[~gathered], minlength=target.n_parts),
        **to_record(centre),
    }


def _place_staying(
    units: Units, target: Target, before: Mapping[str, Any], number: int
) -> NDArray[np.int32]:
    own = before["own"]
    shares = target.shares[own]
    is_amount = target.is_amount[own]
    quota = np.empty((len(own), target.n_parts), np.int64)
    counts = np.where(is_amount, 0, before["counts"])
    take_turns.for_work(len(own) * target.n_parts**2)(
        before["before"], counts, shares, target.offsets[own], quota
    )
    wanted = np.zeros((target.n_criteria, target.n_parts))
    wanted[own] = np.where(is_amount[:, None], before["counts"][:, None] * shares, quota)
    sizes = np.empty((1, target.n_parts), np.int64)
    take_turns(
        np.array([before["rows_before"]]),
        np.array([before["n_rows"]]),
        target.row_shares[None, :],
        np.zeros(1, np.int64),
        sizes,
    )
    problem = target.make_section(units, wanted, sizes[0])
    return place_section(problem, target.make_rng("place", number))


def place_first(units: Units, target: Target) -> NDArray[np.int32]:
    """Place large groups before all others, evenly among themselves."""
    counts = units.add_up(target.n_criteria)
    wanted = counts[:, None] * target.shares
    sizes = np.empty((1, target.n_parts), np.int64)
    n_rows = np.array([units.rows.sum()])
    none = np.zeros(1, np.int64)
    take_turns(none, n_rows, target.row_shares[None, :], none, sizes)
    problem = target.make_section(units, wanted, sizes[0])
    return place_centre(problem, target.make_rng("large", 0))


def place_gathered(
    units: Units, target: Target, counts: NDArray[np.int64], rows: NDArray[np.int64]
) -> NDArray[np.int32]:
    """The pass `centre`: place the gathered units toward what is missing in all.

    Parameters
    ----------
    units : Units
        The gathered units of all sections.
    target : Target
        What all sections together must reach.
    counts : NDArray[np.int64]
        (n_criteria, n_parts) what the parts hold already, held rows included.
    rows : NDArray[np.int64]
        (n_parts,) the rows that they hold already.

    Returns
    -------
    NDArray[np.int32]
        (n_units,) the part of each unit.
    """
    if not units.n_units:
        return np.empty(0, np.int32)
    wanted = target.total[:, None] * (target.sizes / target.n_rows) - counts
    least = target.least
    problem = target.make_section(
        units, wanted, target.sizes - rows, least=least - counts if least.size else None
    )
    return place_centre(problem, target.make_rng("centre", 0))

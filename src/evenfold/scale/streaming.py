"""The scheme `stream`: one section after the other, twice, each toward what is missing so far."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..methods.even.sections import place_section
from .criteria import load_units
from .passes import Progress, begin_pass
from .sections import Section
from .target import Target
from .units import Units
from .work_folder import WorkFolder

# Passes over the sections: in the first the later sections are not known, the second corrects.
_N_PASSES = 2


class Streamed(NamedTuple):
    """What the parts hold after all sections.

    Attributes
    ----------
    counts : NDArray[np.int64]
        (n_criteria, n_parts) what each part has, held rows included.
    rows : NDArray[np.int64]
        (n_parts,) rows in each part, held ones included.
    n_units : NDArray[np.int64]
        (n_parts,) units in each part.
    """

    counts: NDArray[np.int64]
    rows: NDArray[np.int64]
    n_units: NDArray[np.int64]


def place_in_sequence(
    sections: Sequence[Section],
    shared: Mapping[str, Any],
    work: WorkFolder,
    progress: Progress | None = None,
) -> Streamed:
    """Place the units of all sections, and save their parts as `streamed-…`.

    A second run goes on after the last section that was saved.
    """
    begin_pass(work, "stream", shared, ["first", "streamed"])
    target = Target.from_record(shared)
    state = _State(target)
    n_steps = _N_PASSES * len(sections)
    for step in range(n_steps):
        section = sections[step % len(sections)]
        units = load_units(work, section, shared)
        part_of_unit = state.place(units, section.number, step // len(sections), work)
        name = _name(step // len(sections), section.number)
        if not work.has(name):
            work.save(name, {"part_of_unit": part_of_unit.astype(np.int16)})
        if progress is not None:
            progress("stream", step + 1, n_steps)
    return Streamed(state.counts, state.rows, state.n_units)


def _name(number_of_pass: int, number: int) -> str:
    return f"streamed-{number:05d}" if number_of_pass == _N_PASSES - 1 else f"first-{number:05d}"


class _State:
    """What the parts hold so far."""

    def __init__(self, target: Target) -> None:
        self.target = target
        self.counts = target.held.copy()
        self.rows = target.held_rows.copy()
        self.n_units = np.zeros(target.n_parts, np.int64)
        self._seen = np.zeros(target.n_criteria, np.int64)
        self._n_seen_rows = 0
        self._wanted = target.wanted
        self._free = np.maximum(1, target.total - target.held.sum(axis=1))
        self._least = target.least

    def place(
        self, units: Units, number: int, number_of_pass: int, work: WorkFolder
    ) -> NDArray[np.int32]:
        """Return the part of each unit of the next section; one that was saved is read."""
        part_of_unit = (
            units.fixed.copy() if len(units.fixed) else np.full(units.n_units, -1, np.int32)
        )
        is_free = units.is_free
        free = units.take(is_free)
        start = None
        if number_of_pass == 0:
            self.n_units += np.bincount(units.take(~is_free).fixed, minlength=len(self.rows))
        else:
            start = self._take_back(free, is_free, number, work)
        name = _name(number_of_pass, number)
        if work.has(name):
            part_of_unit = work.load(name)["part_of_unit"].astype(np.int32)
        elif free.n_units:
            part_of_unit[is_free] = self._place(free, start, number, number_of_pass)
        if number_of_pass == 0:
            self._seen += free.add_up(self.target.n_criteria)
            self._n_seen_rows += int(free.rows.sum())
        self._add(free, part_of_unit[is_free], 1)
        return part_of_unit

    def _take_back(
        self, free: Units, is_free: NDArray[np.bool_], number: int, work: WorkFolder
    ) -> NDArray[np.int32]:
        """Take the units of a section out of the parts again; return where they were."""
        placed = work.load(_name(0, number))["part_of_unit"]
        start: NDArray[np.int32] = placed.astype(np.int32)[is_free]
        self._add(free, start, -1)
        return start

    def _add(self, free: Units, part_of_unit: NDArray[np.int32], sign: int) -> None:
        shape = self.counts.shape
        self.counts += sign * free.count_in_parts(part_of_unit, *shape)
        self.rows += sign * free.count_rows(part_of_unit, shape[1])
        self.n_units += sign * np.bincount(part_of_unit, minlength=shape[1])

    def _place(
        self, free: Units, start: NDArray[np.int32] | None, number: int, number_of_pass: int
    ) -> NDArray[np.int32]:
        target = self.target
        least = None
        if start is None:
            # Of each criterion, the parts should have their shares of what has been seen.
            seen = (self._seen + free.add_up(target.n_criteria)) / self._free
            added = self.counts - target.held
            wanted = self._wanted * seen[:, None] - added
            n_seen = self._n_seen_rows + int(free.rows.sum())
            up_to = np.round(np.cumsum(target.row_shares) * n_seen).astype(np.int64)
            sizes = np.diff(up_to, prepend=0) - (self.rows - target.held_rows)
        else:
            wanted = self._wanted - (self.counts - target.held)
            sizes = target.sizes - self.rows
            least = self._least - self.counts if self._least.size else None
        problem = target.make_section(free, wanted, sizes, start, least)
        return place_section(problem, target.make_rng("stream", number + (number_of_pass << 32)))

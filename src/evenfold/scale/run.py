"""A run: all passes over the partitions, in order, by the scheme that suits the data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..exceptions import ImpossibleSplit, InputError
from ..labels.labels import Labels
from ..problem.parts import Parts, share_out
from ..quality.groups_of_label import GroupsOfLabel, find_groups_of_label
from .columns import Columns
from .criteria import (
    Block,
    count_criteria,
    list_amounts,
    list_levels,
)
from .engine import Engine
from .gathering import (
    Ladder,
    count_staying,
    make_ladder,
    place_by_quotas,
    place_first,
    place_gathered,
    take_large,
)
from .grouping import collect_groups, find_parts, list_group_lines, list_group_parts
from .in_memory import split_in_memory
from .keys import check_keys
from .limits import choose_budget, fits_in_memory
from .manifest import GroupRecord
from .outcome import Earlier, Outcome, Wanted, join_earlier
from .overview import Overview, summarise
from .partitions import Partition
from .passes import PassFunction, Progress, name_result, run_pass
from .reading import read_partition
from .sections import PartitionTask, Section, list_partitions, make_buckets, make_sections
from .streaming import place_in_sequence
from .target import Target
from .units import UNIT_FIELDS, Units, from_record, stack_units
from .work_folder import WorkFolder

# Parts are saved as numbers of 16 bits.
_MOST_PARTS = 32_767


class _ReadTask(NamedTuple):
    number: int
    partition: Partition


def read_units(task: _ReadTask, shared: Mapping[str, Any], work: WorkFolder) -> dict[str, Any]:
    """The pass `read`: save the units of a partition as `units-…`, and return a summary."""
    columns = Columns(**{name: _to_tuple(value) for name, value in shared["columns"].items()})
    record = read_partition(task.partition, columns, labelsets=shared["profiles"])
    summary = summarise(record, columns)
    work.save(name_result("units", task.number), record)
    return summary


def _to_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


class Run:
    """The passes over the partitions of one split.

    Parameters
    ----------
    engine : Engine
        What runs the tasks.
    work : WorkFolder
        Where results are saved.
    partitions : sequence of Partition
        The data.
    wanted : Wanted
        What the split is asked for.
    make_parts : callable
        Returns the parts for a number of rows.
    earlier : Earlier or None, default=None
        The split that is extended.
    progress : callable or None, default=None
        `progress(name, n_done, n_all)` is called now and then.
    """

    def __init__(
        self,
        engine: Engine,
        work: WorkFolder,
        partitions: Sequence[Partition],
        wanted: Wanted,
        make_parts: Callable[[int], Parts],
        earlier: Earlier | None = None,
        progress: Progress | None = None,
    ) -> None:
        self.engine = engine
        self.work = work
        self.partitions = partitions
        self.wanted = wanted
        self.earlier = earlier
        self.progress = progress
        self.sections: list[Section] = []
        self._tasks = [PartitionTask(partition.number) for partition in partitions]
        self._make_parts = make_parts

    def split(self) -> Outcome:
        """Make the split, and save the part of each row as `parts-…`."""
        overview = self._read()
        columns, n_rows, n_entries = self.wanted.columns, overview.n_rows, overview.n_entries
        if not n_rows:
            raise InputError("must have rows, got none in any file.", parameter="data")
        self.parts = self._make_parts(n_rows)
        if len(self.parts) > _MOST_PARTS:
            raise InputError(
                f"must be at most {_MOST_PARTS:,}, got {len(self.parts):,}. Ask for fewer parts.",
                parameter="parts",
            )
        self._check_fixed(overview.fixed_names)
        fits = fits_in_memory(n_rows, n_entries, self.wanted.memory)
        if self.earlier is None and fits:
            return self._split_in_memory(overview)
        self._cut_into_sections(overview)
        blocks = overview.make_blocks(self._has_profiles, len(self.parts))
        names, total, held, rows = join_earlier(
            self.earlier, overview.names, overview.total, len(self.parts)
        )
        shared, target = self._count(names, total, held, rows, blocks, n_rows)
        notes = [overview.describe_chance(blocks)]
        if self.wanted.streams and not fits:
            counts, sizes, n_units = place_in_sequence(
                self.sections, shared, self.work, self.progress
            )
            scheme, budget = "stream", None
        else:
            share = 1.0 if fits else self.wanted.budget
            budget = choose_budget(share, n_rows, n_entries, len(names))
            most = budget if budget < n_entries else np.inf
            counts, sizes, n_units = self._gather(shared, target, most)
            scheme = "gather with groups" if columns.groups is not None else "gather"
        groups = None
        if columns.groups is not None:
            groups = GroupRecord(
                self._groups_of_label, n_units, self._n_groups, overview.n_without_group
            )
        self._send_parts(shared, scheme == "stream")
        return Outcome(scheme, names, counts[: len(names)].T, sizes, budget, groups, notes)

    @property
    def _has_profiles(self) -> bool:
        return self.wanted.order == "auto"

    def _pass(
        self,
        name: str,
        function: PassFunction,
        tasks: Sequence[Any],
        shared: Mapping[str, Any],
        fields: Collection[str] | None = None,
    ) -> Iterator[dict[str, Any]]:
        return run_pass(
            self.engine, self.work, name, function, tasks, shared, self.progress, fields
        )

    def _read(self) -> Overview:
        tasks = [_ReadTask(own.number, own) for own in self.partitions]
        shared = {"columns": self.wanted.columns._asdict(), "profiles": self._has_profiles}
        overview = Overview(self.wanted.columns, self._pass("read", read_units, tasks, shared))
        if self.wanted.columns.key is not None:
            check_keys(self.work, overview.rows_of_partition, self.wanted.columns.key)
        return overview

    def _cut_into_sections(self, overview: Overview) -> None:
        """Decide which partitions, or how many buckets of groups, are placed together."""
        if self.wanted.columns.groups is not None:
            self.sections = make_buckets(overview.n_rows, overview.n_entries)
        else:
            self.sections = make_sections(overview.rows_of_partition, overview.entries_of_partition)
            self._tasks = list_partitions(self.sections, overview.rows_of_partition)

    def _check_fixed(self, fixed_names: Sequence[str]) -> None:
        for name in fixed_names:
            if name not in self.parts.names:
                raise InputError(
                    f"must name parts ({', '.join(self.parts.names[:5])}), got '{name}' in "
                    f"column '{self.wanted.columns.fixed}'. Leave cells of free rows empty.",
                    parameter="fixed",
                )

    def _split_in_memory(self, overview: Overview) -> Outcome:
        wanted = self.wanted
        settings = {"order": wanted.order, "cover": wanted.cover, "random_state": wanted.seed}
        s = split_in_memory(
            self.work, len(self.partitions), overview.names, wanted.columns, self.parts, settings
        )
        start = 0
        kind = np.uint8 if len(self.parts) <= 256 else np.uint16
        for number, n_rows in enumerate(overview.rows_of_partition):
            own = s.part_of_row[start : start + n_rows].astype(kind)
            self.work.save(name_result("parts", number), {"part_of_row": own})
            start += n_rows
        placement = s.quality.placement
        groups = None
        if placement.group_of_row is not None:
            assert isinstance(placement.labels, Labels)
            groups = GroupRecord(
                find_groups_of_label(placement.labels, placement.group_of_row),
                s.quality.per_part["groups"].astype(np.int64),
                int(placement.group_of_row.max()) + 1,
                overview.n_without_group,
            )
        return Outcome(
            "memory", overview.names, placement.count_labels(), s.sizes, None, groups, s.remarks()
        )

    def _count(
        self,
        names: list[Any],
        total: NDArray[np.int64],
        held: NDArray[np.int64],
        held_rows: NDArray[np.int64],
        blocks: list[Block],
        n_rows: int,
    ) -> tuple[dict[str, Any], Target]:
        """Return what later passes share; groups are brought together on the way."""
        columns = self.wanted.columns
        n_labels = len(names)
        level, is_amount = list_levels(n_labels, blocks), list_amounts(n_labels, blocks)
        n_others = len(level) - n_labels
        total = np.concatenate((total, np.zeros(n_others, np.int64)))
        held = np.concatenate((held, np.zeros((n_others, len(self.parts)), np.int64)))
        self._held_earlier = held.copy(), held_rows.copy()
        n_units = total.copy()
        shared: dict[str, Any] = {
            "names": names,
            "blocks": [list(block) for block in blocks],
            "part_names": list(self.parts.names),
            "has_groups": False,
            "has_large": False,
            "n_sections": len(self.sections),
            "n_parts": len(self.parts),
            "level": level,
        }
        if columns.groups is not None:
            n_units = self._bring_groups_together(shared)
        if blocks or columns.fixed is not None:
            for own in self._pass("count", count_criteria, self.sections, shared):
                total[n_labels:] += own["total"][n_labels:]
                held += own["held"]
                held_rows = held_rows + own["held_rows"]
        rng = np.random.default_rng([self.wanted.seed, *b"sizes"])
        n_all = n_rows + (0 if self.earlier is None else int(self.earlier.rows.sum()))
        sizes = share_out(n_all, self.parts, rng, held_rows, self.earlier is not None)
        if columns.groups is not None and self._largest_group > sizes.max():
            raise ImpossibleSplit(
                f"puts {self._largest_group:,} of {n_all:,} rows into one group, more than the "
                f"largest part ({sizes.max():,}). Give a part more rows, or split the group.",
                parameter="groups",
            )
        target = Target(
            self.parts.weights,
            sizes,
            level,
            is_amount,
            total,
            held,
            held_rows,
            n_units,
            self.wanted.cover,
            self.wanted.seed,
        )
        return shared | target.to_record(), target

    def _bring_groups_together(self, shared: dict[str, Any]) -> NDArray[np.int64]:
        folder = self.work.find("groups")
        shared["folder"] = folder
        if not self.work.has("grouped"):
            # What an interrupted shuffle wrote, perhaps of another engine, would be read too.
            WorkFolder(folder).remove()
            lines = partial(list_group_lines, self.work, dict(shared))
            self.engine.shuffle(lines, self._tasks, len(self.sections), folder)
            self.work.save("grouped", {})
        fields = ["most_rows", "n_holders", "rows"]
        n_criteria = len(shared["level"])
        most, n_holders = np.zeros(n_criteria, np.int64), np.zeros(n_criteria, np.int64)
        self._n_groups, self._largest_group = 0, 0
        for own in self._pass("bucket", collect_groups, self.sections, shared, fields=fields):
            most = np.maximum(most, own["most_rows"])
            n_holders += own["n_holders"]
            self._n_groups += len(own["rows"])
            self._largest_group = max(self._largest_group, int(own["rows"].max(initial=0)))
        shared["has_groups"] = True
        n_labels = len(shared["names"])
        self._groups_of_label = GroupsOfLabel(most[:n_labels], n_holders[:n_labels])
        return n_holders

    def _gather(
        self, shared: dict[str, Any], target: Target, budget: float
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Place by quotas, rare labels in one place; return counts, rows and units of parts."""
        ladder = Ladder(self._pass("ladder", make_ladder, self.sections, shared))
        least_large = ladder.find_large(budget)
        if least_large:
            shared, target = self._place_large(shared, target, least_large)
        shared = shared | {"limit": ladder.find_limit(budget)}
        self._add_up_staying(self._pass("stay", count_staying, self.sections, shared), target)
        # Fixed units of the partitions are counted by `place`.
        counts, rows = (own.copy() for own in self._held_earlier)
        n_units = np.zeros(target.n_parts, np.int64)
        gathered = []
        fields = ("own", "counts", "rows", "n_units", *UNIT_FIELDS)
        for own in self._pass("place", place_by_quotas, self.sections, shared, fields):
            counts[own["own"]] += own["counts"]
            rows += own["rows"]
            n_units += own["n_units"]
            gathered.append(from_record(own))
        self._tell("centre", 0)
        units = stack_units(gathered)
        part_of_unit = place_gathered(units, target, counts, rows)
        self._tell("centre", 1)
        for task, found in zip(self.sections, _cut(part_of_unit, gathered), strict=True):
            record = {"part_of_unit": found.astype(np.int16)}
            self.work.save(name_result("centre", task.number), record)
        counts += units.count_in_parts(part_of_unit, target.n_criteria, target.n_parts)
        rows += units.count_rows(part_of_unit, target.n_parts)
        n_units += np.bincount(part_of_unit, minlength=target.n_parts)
        return counts, rows, n_units

    def _place_large(
        self, shared: dict[str, Any], target: Target, least_large: int
    ) -> tuple[dict[str, Any], Target]:
        """Place large groups before all others, which then leave room for them."""
        asked = shared | {"least_large": least_large}
        records = list(self._pass("large", take_large, self.sections, asked))
        pieces = [from_record(own) for own in records]
        units = stack_units(pieces)
        part_of_unit = place_first(units, target)
        for task, own, found in zip(
            self.sections, records, _cut(part_of_unit, pieces), strict=True
        ):
            self.work.save(name_result("placed", task.number), {"unit": own["unit"], "part": found})
        target = replace(
            target,
            held=target.held
            + units.count_in_parts(part_of_unit, target.n_criteria, target.n_parts),
            held_rows=target.held_rows + units.count_rows(part_of_unit, target.n_parts),
        )
        return shared | target.to_record() | {"has_large": True}, target

    def _tell(self, name: str, n_done: int) -> None:
        """Tell the progress of a step of one task."""
        if self.progress is not None:
            self.progress(name, n_done, 1)

    def _add_up_staying(self, staying: Iterator[dict[str, Any]], target: Target) -> None:
        """Save for each partition what the partitions before it have, as `before-…`."""
        before, rows_before = np.zeros(target.n_criteria, np.int64), 0
        for task, own in zip(self.sections, staying, strict=True):
            record = own | {"before": before[own["own"]], "rows_before": rows_before}
            self.work.save(name_result("before", task.number), record)
            before[own["own"]] += own["counts"]
            rows_before += int(own["n_rows"])

    def _send_parts(self, shared: dict[str, Any], is_streamed: bool) -> None:
        """Save the part of each row of each partition."""
        if shared["has_groups"]:
            folder = self.work.find("parts-of-groups")
            WorkFolder(folder).remove()
            lines = partial(list_group_parts, self.work, is_streamed)
            self.engine.shuffle(lines, self.sections, len(self._tasks), folder)
            shared = shared | {"folder": folder}
        kept = {name: shared[name] for name in ("has_groups", "n_parts")}
        kept |= {"folder": shared.get("folder", ""), "is_streamed": is_streamed}
        for _ in self._pass("parts", find_parts, self._tasks, kept, fields=()):
            pass


def _cut(part_of_unit: NDArray[np.int32], pieces: Sequence[Units]) -> list[NDArray[np.int32]]:
    """Return the parts of the units of each piece."""
    return np.split(part_of_unit, np.cumsum([piece.n_units for piece in pieces])[:-1])

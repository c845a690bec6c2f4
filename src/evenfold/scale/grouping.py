"""Groups that are in several partitions: brought together in buckets, and their parts sent back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import ImpossibleSplit
from .criteria import make_units
from .locations import join_path, open_file_system
from .units import Units
from .work_folder import WorkFolder

if TYPE_CHECKING:
    import pyarrow as pa

    from .sections import PartitionTask, Section

# Criteria of lines that are none: the rows of a group, and its fixed part.
_ROWS, _FIXED = -1, -2


def list_group_lines(work: WorkFolder, shared: Mapping[str, Any], task: PartitionTask) -> pa.Table:
    """Return what each group has in a partition: a line for each of its criteria.

    A line has the bucket, the group, the partition, the criterion and the amount.
    """
    import pyarrow as pa

    record = work.load(f"units-{task.number:05d}")
    units = make_units(record, shared)
    groups, number = np.unique(record["groups"], return_inverse=True)
    by_group = _sum_by_group(units, number, len(groups))
    lines = [(np.arange(len(groups)), np.full(len(groups), _ROWS), by_group.rows)]
    lines.append(
        (
            np.repeat(np.arange(len(groups)), by_group.lengths),
            by_group.indices.astype(np.int64),
            by_group.amounts,
        )
    )
    if len(units.fixed):
        fixed = np.unique(np.stack((number, units.fixed))[:, units.fixed >= 0], axis=1)
        lines.append((fixed[0], np.full(fixed.shape[1], _FIXED), fixed[1]))
    group, criterion, amount = (np.concatenate(own) for own in zip(*lines, strict=True))
    hashes = groups[group]
    return pa.table(
        {
            "bucket": (hashes % np.uint64(shared["n_sections"])).astype(np.int32),
            "group": hashes,
            "origin": np.full(len(group), task.number, np.int32),
            "criterion": criterion.astype(np.int32),
            "amount": amount.astype(np.int64),
        }
    )


def collect_groups(task: Section, shared: Mapping[str, Any], work: WorkFolder) -> dict[str, Any]:
    """The pass `bucket`: the groups of a bucket as units, in the order of their hashes."""
    lines = _read_lines(join_path(shared["folder"], f"bucket={task.number}"))
    n_criteria = len(shared["level"])
    groups, number = np.unique(lines["group"], return_inverse=True)
    kind, amount = lines["criterion"], lines["amount"]
    is_rows, is_fixed, is_entry = kind == _ROWS, kind == _FIXED, kind >= 0
    rows = np.bincount(number[is_rows], amount[is_rows], len(groups)).astype(np.int64)
    cells, place = np.unique(number[is_entry] * n_criteria + kind[is_entry], return_inverse=True)
    amounts = np.bincount(place, amount[is_entry], len(cells)).astype(np.int64)
    indices = (cells % n_criteria).astype(np.int32)
    indptr = np.concatenate(
        ([0], np.cumsum(np.bincount(cells // n_criteria, minlength=len(groups))))
    ).astype(np.int64)
    fixed = np.empty(0, np.int32)
    if is_fixed.any():
        fixed = np.full(len(groups), -1, np.int32)
        fixed[number[is_fixed]] = amount[is_fixed]
        cut = np.flatnonzero(fixed[number[is_fixed]] != amount[is_fixed])
        if len(cut):
            first, other = fixed[number[is_fixed]][cut[0]], amount[is_fixed][cut[0]]
            names = shared["part_names"]
            raise ImpossibleSplit(
                f"must keep groups whole, got rows of one group in '{names[first]}' and "
                f"'{names[other]}'. Fix them in one part, or split the group.",
                parameter="fixed",
            )
    # Which partition has which group: one line for each of its rows lines.
    origin = np.argsort(lines["origin"][is_rows], kind="stable")
    most = np.zeros(n_criteria, np.int64)
    np.maximum.at(most, indices, amounts)
    return {
        "indptr": indptr,
        "indices": indices,
        "amounts": amounts,
        "rows": rows,
        "fixed": fixed,
        "groups": groups,
        "origin": lines["origin"][is_rows][origin],
        "unit": number[is_rows][origin],
        "most_rows": most,
        "n_holders": np.bincount(indices, minlength=n_criteria),
    }


def list_group_parts(work: WorkFolder, is_streamed: bool, task: Section) -> pa.Table:
    """Return the part of each group of a bucket, for each partition that has rows of it."""
    import pyarrow as pa

    own = work.load(f"bucket-{task.number:05d}", ["groups", "origin", "unit"])
    part_of_unit = load_parts_of_units(work, task.number, is_streamed)
    return pa.table(
        {
            "bucket": own["origin"].astype(np.int32),
            "group": own["groups"][own["unit"]],
            "part": part_of_unit[own["unit"]].astype(np.int32),
        }
    )


def load_parts_of_units(work: WorkFolder, number: int, is_streamed: bool) -> NDArray[np.int32]:
    """Return the part of each unit of a section, gathered ones included."""
    name = f"streamed-{number:05d}" if is_streamed else f"place-{number:05d}"
    saved = work.load(name, ["part_of_unit"])["part_of_unit"]
    part_of_unit: NDArray[np.int32] = saved.astype(np.int32)
    if is_streamed:
        return part_of_unit
    part_of_unit[part_of_unit < 0] = work.load(f"centre-{number:05d}")["part_of_unit"]
    return part_of_unit


def find_parts(task: PartitionTask, shared: Mapping[str, Any], work: WorkFolder) -> dict[str, Any]:
    """The pass `parts`: the part of each row of a partition."""
    kind = np.uint8 if shared["n_parts"] <= 256 else np.uint16
    if not shared["has_groups"]:
        part_of_unit = load_parts_of_units(work, task.section, shared["is_streamed"])
        own = part_of_unit[task.start : task.start + task.n_rows]
        return {"part_of_row": own.astype(kind)}
    groups = work.load(f"units-{task.number:05d}", ["groups"])["groups"]
    lines = _read_lines(join_path(shared["folder"], f"bucket={task.number}"))
    order = np.argsort(lines["group"], kind="stable")
    found, parts = lines["group"][order], lines["part"][order]
    place = np.minimum(np.searchsorted(found, groups), len(found) - 1)
    if len(groups) and not (found[place] == groups).all():
        raise RuntimeError("a group was lost in the shuffle; please report this")
    return {"part_of_row": parts[place].astype(kind)}


def _sum_by_group(units: Units, number: NDArray[np.int64], n_groups: int) -> Units:
    """Return groups as units: what their rows have, added up."""
    n_criteria = int(units.indices.max(initial=0)) + 1
    cell = np.repeat(number, units.lengths) * n_criteria + units.indices
    cells, place = np.unique(cell, return_inverse=True)
    amounts = np.bincount(place, units.amounts if len(units.amounts) else None, len(cells))
    lengths = np.bincount(cells // n_criteria, minlength=n_groups)
    return Units(
        np.concatenate(([0], np.cumsum(lengths))).astype(np.int64),
        (cells % n_criteria).astype(np.int32),
        amounts.astype(np.int64),
        np.bincount(number, minlength=n_groups).astype(np.int64),
        np.empty(0, np.int32),
    )


def _read_lines(folder: str) -> dict[str, NDArray[Any]]:
    """Return the columns of all files in a folder; empty columns if there is none."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    file_system, inner = open_file_system(folder)
    file_system.invalidate_cache()
    paths = sorted(file_system.glob(f"{inner}/*.parquet")) if file_system.exists(inner) else []
    tables = []
    for path in paths:
        with file_system.open(path, "rb") as file:
            tables.append(pq.read_table(file))
    if not tables:
        none = {"group": np.empty(0, np.uint64)}
        return none | {
            name: np.empty(0, np.int64) for name in ("origin", "criterion", "amount", "part")
        }
    table = pa.concat_tables(tables)
    return {name: table[name].to_numpy() for name in table.column_names}

"""Criteria of all partitions: labels, balanced columns and row profiles, numbered once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._kernels.entries import join_rows
from ..problem.criteria import Level
from .sections import Section
from .units import Units, stack_units
from .value_hashes import hash_labelsets, hash_names
from .work_folder import WorkFolder


class Block(NamedTuple):
    """Criteria of one kind.

    Attributes
    ----------
    kind : str
        "category", "bins", "amount", "cardinality" or "labelset".
    at : int
        The number of the balanced column, -1 for row profiles.
    n_criteria : int
        How many there are.
    values : list
        The categories, the edges of the bins, or [lowest, mean, scale] of an amount.
    """

    kind: str
    at: int
    n_criteria: int
    values: list[Any]


def list_levels(n_labels: int, blocks: Sequence[Block]) -> NDArray[np.int64]:
    """Return the level of each criterion."""
    n_others = sum(block.n_criteria for block in blocks)
    return np.repeat([Level.LABELS, Level.REST], [n_labels, n_others]).astype(np.int64)


def list_amounts(n_labels: int, blocks: Sequence[Block]) -> NDArray[np.bool_]:
    """Return whether each criterion is a total of numbers."""
    return np.concatenate(
        [
            np.zeros(n_labels, bool),
            *(np.full(own.n_criteria, own.kind == "amount") for own in blocks),
        ]
    )


def load_units(work: WorkFolder, section: Section, shared: Mapping[str, Any]) -> Units:
    """Return the units of a section: rows of its partitions, or groups."""
    if not shared["has_groups"]:
        records = (work.load(f"units-{number:05d}") for number in section.partitions)
        return stack_units([make_units(record, shared) for record in records])
    own = work.load(f"bucket-{section.number:05d}")
    units = Units(own["indptr"], own["indices"], own["amounts"], own["rows"], own["fixed"])
    return (
        fix_units(units, **work.load(f"placed-{section.number:05d}"))
        if shared["has_large"]
        else units
    )


def fix_units(units: Units, unit: NDArray[np.int64], part: NDArray[np.int32]) -> Units:
    """Return the units with some of them fixed in parts."""
    fixed = units.fixed.copy() if len(units.fixed) else np.full(units.n_units, -1, np.int32)
    fixed[unit] = part
    return units._replace(fixed=fixed)


def count_criteria(section: Section, shared: Mapping[str, Any], work: WorkFolder) -> dict[str, Any]:
    """The pass `count`: what a section has of each criterion, and what its fixed units hold."""
    units = load_units(work, section, shared)
    n_criteria, n_parts = len(shared["level"]), int(shared["n_parts"])
    fixed = units.take(~units.is_free)
    return {
        "total": units.add_up(n_criteria),
        "held": fixed.count_in_parts(fixed.fixed, n_criteria, n_parts),
        "held_rows": fixed.count_rows(fixed.fixed, n_parts),
    }


def make_units(record: Mapping[str, Any], shared: Mapping[str, Any]) -> Units:
    """Return the rows of a partition as units.

    `shared` has `names`, the labels of all partitions, `blocks`, the other criteria, and
    `part_names`.
    """
    indptr = np.concatenate(([0], np.cumsum(record["lengths"], dtype=np.int64)))
    number_of = {name: number for number, name in enumerate(shared["names"])}
    number = np.array([number_of[name] for name in record["names"]], np.int32)
    indices = number[record["indices"]]
    amounts = np.empty(0, np.int64)
    n_criteria = len(number_of)
    for block in (Block(*own) for own in shared["blocks"]):
        code, amount = _find_codes(block, record)
        indptr, indices, amounts = _join(
            indptr, indices, amounts, code + n_criteria, code < 0, amount
        )
        n_criteria += block.n_criteria
    fixed = np.empty(0, np.int32)
    if "fixed" in record:
        part_of = {name: part for part, name in enumerate(shared["part_names"])}
        parts = [part_of[name] for name in record["fixed_names"]]
        fixed = np.array([*parts, -1], np.int32)[record["fixed"]]
    return Units(indptr, indices, amounts, np.ones(len(indptr) - 1, np.int64), fixed)


def _find_codes(
    block: Block, record: Mapping[str, Any]
) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Return the criterion of each row within a block, -1 for none, and amounts if it has any."""
    n_rows = int(record["n_rows"])
    if block.kind == "category":
        code_of = {value: code for code, value in enumerate(block.values)}
        own = np.array([code_of[value] for value in record[f"balance_{block.at}_values"]], np.int64)
        return own[record[f"balance_{block.at}_codes"]], None
    if block.kind in ("bins", "amount"):
        numbers = record[f"balance_{block.at}_numbers"]
        known = ~np.isnan(numbers)
        if block.kind == "bins":
            code = np.searchsorted(block.values, numbers, side="left")
            return np.where(known, code, block.n_criteria - 1), None
        lowest, mean, scale = block.values
        whole = np.round(np.where(known, numbers - lowest, mean) * scale).astype(np.int64)
        return np.where(whole > 0, 0, -1), whole
    if block.kind == "cardinality":
        return np.searchsorted(block.values, record["lengths"]), None
    hashes = np.array(block.values, np.uint64)
    hash_of_label = hash_names(record["names"])
    hash_of_row = hash_labelsets(hash_of_label, record["lengths"], record["indices"])
    place = np.minimum(np.searchsorted(hashes, hash_of_row), max(0, len(hashes) - 1))
    if not len(hashes):
        return np.full(n_rows, -1), None
    return np.where(hashes[place] == hash_of_row, place, -1), None


def _join(
    indptr: NDArray[np.int64],
    indices: NDArray[np.int32],
    amounts: NDArray[np.int64],
    criterion: NDArray[np.int64],
    is_none: NDArray[np.bool_],
    amount: NDArray[np.int64] | None,
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int64]]:
    """Add a criterion to each row, after its others."""
    other = np.concatenate(([0], np.cumsum(~is_none)))
    added = criterion[~is_none].astype(np.int32)
    joined = np.empty(len(indices) + len(added), np.int32)
    join_rows.for_work(len(joined))(indptr, indices, other, added, 0, joined)
    if amount is not None or len(amounts):
        before = amounts if len(amounts) else np.ones(len(indices), np.int64)
        own = np.ones(len(added), np.int64) if amount is None else amount[~is_none]
        amounts = np.empty(len(joined), np.int64)
        join_rows.for_work(len(joined))(indptr, before, other, own, 0, amounts)
    return indptr + other, joined, amounts

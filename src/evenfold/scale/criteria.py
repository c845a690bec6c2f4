"""Criteria of all partitions: labels, balanced columns and row profiles, numbered once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._kernels.entries import join_rows
from ..labels.balances import N_BINS
from ..problem.criteria import AMOUNT_BITS, Level
from .columns import Columns, merge_names
from .sections import Section
from .units import Units, stack_units
from .value_hashes import hash_names
from .work_folder import WorkFolder

# Values by which the quantiles of a column are estimated, from each partition.
_N_QUANTILES = 1000
# The most labelsets that are kept even, the commonest ones.
MOST_LABELSETS = 100_000


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


def summarise(record: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """Return what the driver needs of the units of a partition."""
    kept = (
        "n_rows",
        "names",
        "counts",
        "fixed_names",
        "n_without_group",
        "labelset_hashes",
        "labelset_counts",
    )
    summary = {name: record[name] for name in kept if name in record}
    summary["n_entries"] = len(record["indices"])
    lengths, n_of_length = np.unique(record["lengths"], return_counts=True)
    summary |= {"cardinality": lengths.astype(np.int64), "n_of_cardinality": n_of_length}
    for at in range(len(columns.balance)):
        if columns.balance_is_number[at]:
            summary[f"balance_{at}_numbers"] = _sample(record[f"balance_{at}_numbers"])
        else:
            summary[f"balance_{at}_values"] = record[f"balance_{at}_values"]
    return summary


def _sample(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the number of known values, their sum and sum of squares, least, and quantiles."""
    known = np.sort(numbers[~np.isnan(numbers)])
    if not len(known):
        return np.zeros(4)
    at = np.linspace(0, len(known) - 1, min(len(known), _N_QUANTILES + 1)).astype(np.int64)
    head = [len(known), known.sum(), (known**2).sum(), known[0]]
    return np.concatenate((head, known[at]))


def merge_labels(
    columns: Columns, summaries: Sequence[Mapping[str, Any]]
) -> tuple[list[Any], NDArray[np.int64]]:
    """Return the label names of all partitions, and the rows of each label."""
    names = merge_names(columns, (summary["names"] for summary in summaries))
    number_of = {name: number for number, name in enumerate(names)}
    total = np.zeros(len(names), np.int64)
    for summary in summaries:
        total[[number_of[name] for name in summary["names"]]] += summary["counts"]
    return names, total


def merge_blocks(
    columns: Columns, summaries: Sequence[Mapping[str, Any]], profiles: bool, n_parts: int
) -> list[Block]:
    """Return the criteria besides labels.

    Labelsets are those of at least as many rows as parts, at most `MOST_LABELSETS` of them.
    """
    blocks = []
    for at in range(len(columns.balance)):
        if columns.balance_is_number[at]:
            blocks += _merge_numbers(at, [own[f"balance_{at}_numbers"] for own in summaries])
        else:
            lists = [own[f"balance_{at}_values"] for own in summaries]
            values = list(dict.fromkeys(value for own in lists for value in own))
            blocks.append(Block("category", at, len(values), values))
    if profiles:
        lengths = np.unique(np.concatenate([own["cardinality"] for own in summaries]))
        blocks.append(Block("cardinality", -1, len(lengths), lengths.tolist()))
        hashes, counts = merge_labelsets(summaries)
        common = counts >= n_parts
        chosen = np.argsort(-counts[common], kind="stable")[:MOST_LABELSETS]
        kept = np.sort(hashes[common][chosen])
        blocks.append(Block("labelset", -1, len(kept), kept.tolist()))
    return blocks


def merge_labelsets(
    summaries: Iterable[Mapping[str, Any]],
) -> tuple[NDArray[np.uint64], NDArray[np.int64]]:
    """Return the hashes of all labelsets, sorted, and the rows of each."""
    hashes, counts = np.empty(0, np.uint64), np.empty(0, np.int64)
    for own in summaries:
        joined = np.concatenate((hashes, own["labelset_hashes"]))
        hashes, number = np.unique(joined, return_inverse=True)
        both = np.concatenate((counts, own["labelset_counts"]))
        counts = np.bincount(number, both, len(hashes)).astype(np.int64)
    return hashes, counts


def _merge_numbers(at: int, samples: Sequence[NDArray[np.float64]]) -> list[Block]:
    """Return the bins and the total of a column of numbers, as `check_balance` makes them.

    The edges of the bins are estimated from the quantiles of the partitions.
    """
    n_known, total, squares = (sum(float(own[i]) for own in samples) for i in range(3))
    if not n_known:
        return []
    lowest = min(0.0, *(float(own[3]) for own in samples if own[0]))
    values = np.concatenate([own[4:] for own in samples])
    weights = np.concatenate(
        [np.full(len(own) - 4, own[0] / max(1, len(own) - 4)) for own in samples]
    )
    order = np.argsort(values, kind="stable")
    values, running = values[order], np.cumsum(weights[order])
    found = np.unique(values)
    if len(found) <= N_BINS:
        edges = found[:-1]
    else:
        places = np.searchsorted(running, running[-1] * np.arange(1, N_BINS) / N_BINS)
        edges = values[np.minimum(places, len(values) - 1)]
    mean = total / n_known - lowest
    spread = np.sqrt(max(0.0, squares / n_known - (total / n_known) ** 2))
    scale = 2.0**AMOUNT_BITS / mean if mean > 0 else 1.0
    if 0 < 8 * spread * scale < 2.0**AMOUNT_BITS:
        scale = 2.0 ** (AMOUNT_BITS - 3) / spread
    return [
        Block("bins", at, len(edges) + 2, edges.tolist()),
        Block("amount", at, 1, [lowest, mean, scale]),
    ]


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
    return Units(own["indptr"], own["indices"], own["amounts"], own["rows"], own["fixed"])


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
    hash_of_row = hash_labelsets(record)
    place = np.minimum(np.searchsorted(hashes, hash_of_row), max(0, len(hashes) - 1))
    if not len(hashes):
        return np.full(n_rows, -1), None
    return np.where(hashes[place] == hash_of_row, place, -1), None


def hash_labelsets(record: Mapping[str, Any]) -> NDArray[np.uint64]:
    """Return the hash of each row's labelset: the sum of its labels' hashes."""
    sums = np.zeros(len(record["indices"]) + 1, np.uint64)
    if len(record["indices"]):
        np.cumsum(hash_names(record["names"])[record["indices"]], out=sums[1:])
    ends = sums[np.concatenate(([0], np.cumsum(record["lengths"], dtype=np.int64)))]
    return np.asarray(ends[1:] - ends[:-1])


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

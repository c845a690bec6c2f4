"""Criteria: what must be even over the parts, as columns of one sparse matrix over rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._kernels.entries import count_entries, join_rows
from ..labels.balances import Balance
from ..labels.labels import Labels
from .combinations import make_pairs
from .labelsets import number_labelsets

# Real amounts are stored as whole numbers, so that the order of a sum does not matter: each column
# is scaled to a mean of 2 to this power.
AMOUNT_BITS = 10
# With more label entries and rows than this, row profiles are not made criteria: with so many rows
# they are nearly even by chance, and finding equal labelsets takes longer than the split itself.
MOST_PROFILE_ENTRIES = 20_000_000
# Without labels, bins of more numbers or rows than this are not made criteria.
MOST_BINNED_NUMBERS, MOST_BINNED_ROWS = 4, 100_000


class Level(IntEnum):
    """How much a criterion matters.

    Lower numbers matter more: a criterion should not worsen one with a lower number. The number of
    groups in a part counts as a label.
    """

    GROUPS = -1
    LABELS = 0
    REST = 1
    PAIRS = 2


@dataclass(frozen=True, eq=False, slots=True)
class Criteria:
    """Rows × criteria as CSR.

    Attributes
    ----------
    indptr : NDArray[np.int64]
        (n_rows + 1,) where the entries of each row begin, as in `Labels`.
    indices : NDArray[np.int32]
        (n_entries,) the criterion of each entry; every criterion has one.
    amounts : NDArray[np.int64]
        (n_entries,) how much of the criterion the row holds; empty: 1 each.
    level_of_criterion : NDArray[np.int64]
        (n_criteria,) the `Level` of each criterion.
    is_amount : NDArray[np.bool_]
        (n_criteria,) True for totals of real numbers, False for numbers of rows.
    left_out : str
        What was not made a criterion to save memory or time, in words; "" for nothing.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    amounts: NDArray[np.int64]
    level_of_criterion: NDArray[np.int64]
    is_amount: NDArray[np.bool_]
    left_out: str = ""


def make_criteria(
    labels: Labels,
    balance: Sequence[Balance] = (),
    profiles: bool = False,
    pairs: bool = False,
    smallest_share: float = 0.0,
) -> Criteria:
    """Make each label a criterion and, on later levels, everything else that must be even.

    Criteria that no row holds are dropped, so that they do not change what a method draws: a matrix
    with an empty column and label lists, which cannot have one, give the same split.

    Parameters
    ----------
    labels : Labels
        The labels. If a label is unknown in some rows, these rows are a criterion of
        `Level.REST`.
    balance : sequence of Balance, default=()
        Columns to keep even: categories, bins, totals.
    profiles : bool, default=False
        Whether to keep row profiles even: the labelset of a row, its number of labels, and how
        rare its rarest label is.
    pairs : bool, default=False
        Whether to keep label pairs even.
    smallest_share : float, default=0.0
        The share of the smallest part if parts are unequal, 0 if they are equal.

    Returns
    -------
    Criteria
        Rows × criteria.
    """
    blocks = [Block(labels.indptr, labels.indices, labels.n_labels, Level.LABELS)]
    # Without labels, the other criteria matter most.
    rest = Level.REST if len(labels.indices) else Level.LABELS
    if labels.unknown is not None:
        # If the unknown rows of a label are even, its known rows are even too.
        blocks.append(Block(*labels.unknown, labels.n_labels, rest))
    blocks += _make_columns(balance, rest, profiles)
    left_out = []
    if profiles and len(labels.indices) + labels.n_rows > MOST_PROFILE_ENTRIES:
        left_out.append(
            f"With {len(labels.indices):,} labels on {labels.n_rows:,} rows, row profiles are not "
            "kept even: the labelset of a row, its number of labels, its rarest label."
        )
    elif profiles and len(labels.indices):
        blocks += _make_profiles(labels, smallest_share)
    if pairs:
        pair, rows_left_out = make_pairs(labels)
        left_out += [rows_left_out] if rows_left_out else []
        blocks.append(Block(pair.indptr, pair.indices, pair.n_labels, Level.PAIRS))
    blocks += [
        _whole_amounts(column.amount - (column.amount.min() if rest else 0.0), rest)
        for column in balance
        if column.amount is not None
    ]
    return _join(blocks, " ".join(left_out))


class Block(NamedTuple):
    """Some criteria of one level. With `amounts` None, each entry is 1: they count rows."""

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    n_criteria: int
    level: Level
    amounts: NDArray[np.int64] | None = None


def _join(blocks: Sequence[Block], left_out: str) -> Criteria:
    """Put blocks side by side; criteria that no row holds are dropped."""
    first = _drop_empty(blocks[0])
    criteria = Criteria(
        first.indptr,
        first.indices,
        np.empty(0, np.int64) if first.amounts is None else first.amounts,
        np.full(first.n_criteria, first.level, np.int64),
        np.full(first.n_criteria, first.amounts is not None),
        left_out,
    )
    return join_blocks(criteria, blocks[1:])


def join_blocks(criteria: Criteria, blocks: Sequence[Block]) -> Criteria:
    """Add blocks after the criteria; those that no row holds are dropped."""
    blocks = [_drop_empty(block) for block in blocks if len(block.indices)]
    counted = len(criteria.amounts) > 0 or any(block.amounts is not None for block in blocks)
    indptr, indices, n_joined = criteria.indptr, criteria.indices, len(criteria.level_of_criterion)
    amounts = criteria.amounts
    if counted and not len(amounts):
        amounts = np.ones(len(indices), np.int64)
    for block in blocks:
        n_entries = len(indices) + len(block.indices)
        joined = np.empty(n_entries, np.int32)
        join_rows.for_work(n_entries)(
            indptr, indices, block.indptr, block.indices, n_joined, joined
        )
        if counted:
            joined_amounts = np.empty(n_entries, np.int64)
            join_rows.for_work(n_entries)(
                indptr, amounts, block.indptr, _amounts_of(block), 0, joined_amounts
            )
            amounts = joined_amounts
        indptr, indices, n_joined = indptr + block.indptr, joined, n_joined + block.n_criteria
    n_used = [block.n_criteria for block in blocks]
    level = np.repeat([block.level for block in blocks], n_used).astype(np.int64)
    is_amount = np.repeat([block.amounts is not None for block in blocks], n_used).astype(bool)
    return Criteria(
        indptr,
        indices,
        amounts,
        np.concatenate((criteria.level_of_criterion, level)),
        np.concatenate((criteria.is_amount, is_amount)),
        criteria.left_out,
    )


def _drop_empty(block: Block) -> Block:
    """Return the block without the criteria that no row holds."""
    held = count_entries(block.indices, block.n_criteria) > 0
    return block._replace(
        indices=_renumber(block.indices, held), n_criteria=int(np.count_nonzero(held))
    )


def _renumber(indices: NDArray[np.int32], held: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Number the criteria that are held without gaps."""
    return indices if held.all() else (np.cumsum(held) - 1).astype(np.int32)[indices]


def _amounts_of(block: Block) -> NDArray[np.int64]:
    return np.ones(len(block.indices), np.int64) if block.amounts is None else block.amounts


def _make_profiles(labels: Labels, smallest_share: float) -> list[Block]:
    """Return three blocks of criteria that describe whole rows. They make scores vary less.

    With single labels alone, very rare labels gather in few parts (a single row costs the same in
    any part), rows without labels spread unevenly, and labelsets are ignored. A row's rarity class
    is floor(log2(rows of its rarest label)).

    A labelset of one row needs no criterion in equal parts. In unequal parts, a labelset of which
    the smallest part should get at most half a row would be cheapest if it were wholly in the
    largest part. Therefore such labelsets are kept even together, by classes of size, so that small
    parts get their share of rare ones.
    """
    n_labels_of_row = np.diff(labels.indptr)
    labelset = number_labelsets(labels.indptr, labels.indices, np.empty(0, np.int64))
    n_rows_of_set = np.bincount(labelset)[labelset]
    if smallest_share:
        size_class = len(labelset) + np.log2(n_rows_of_set).astype(np.int64)
        labelset = np.where(n_rows_of_set * smallest_share > 0.5, labelset, size_class)
    else:
        labelset = np.where(n_rows_of_set > 1, labelset, -1)
    has_labels = np.flatnonzero(n_labels_of_row)
    rarest = np.minimum.reduceat(
        labels.count_of_label.astype(np.int32)[labels.indices], labels.indptr[has_labels]
    )
    rarity = np.full(labels.n_rows, -1)
    rarity[has_labels] = np.log2(rarest).astype(np.int64)
    return [make_one_hot(code, Level.REST) for code in (labelset, n_labels_of_row, rarity)]


def _make_columns(balance: Sequence[Balance], rest: Level, profiles: bool) -> list[Block]:
    """Return categories and the bins of numbers.

    Without labels, totals matter most. Bins are then criteria of a later level, and only if there
    are few numbers and few rows. With many numbers, bins would worsen the totals. With many rows,
    bins are even by chance.
    """
    blocks = []
    numbers = [column for column in balance if column.amount is not None]
    n_rows = len(balance[0].code) if balance else 0
    has_bins = profiles and len(numbers) <= MOST_BINNED_NUMBERS and n_rows <= MOST_BINNED_ROWS
    for column in balance:
        if column.amount is None:
            blocks.append(make_one_hot(column.code, rest))
        elif rest != Level.LABELS:
            blocks.append(make_one_hot(_leave_out_most(column.code), rest))
        else:
            is_missing = column.code == len(column.values) - 1
            blocks.append(make_one_hot(np.where(is_missing, 0, -1), rest))
            if has_bins:
                bins = np.where(is_missing, -1, column.code)
                blocks.append(make_one_hot(bins, Level.REST))
    return blocks


def _leave_out_most(code: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the codes, with -1 for a code that more than half of the rows have.

    If all other codes are even, this one is too. Leaving it out saves most entries of a matrix of
    amounts that are nearly all 0.
    """
    is_most = 2 * np.bincount(code) > len(code)
    return np.where(is_most[code], -1, code)


def make_one_hot(code: NDArray[np.int64], level: Level) -> Block:
    """Return one criterion per code; rows of code -1 hold none."""
    has_code = code >= 0
    indptr = np.concatenate(([0], np.cumsum(has_code)))
    return Block(indptr, code[has_code].astype(np.int32), int(code.max(initial=-1)) + 1, level)


def _whole_amounts(amount: NDArray[np.float64], level: Level) -> Block:
    """Return one criterion, the total of a column, in whole numbers."""
    positive = amount[amount > 0]
    scale = 2.0**AMOUNT_BITS / positive.mean() if len(positive) else 1.0
    spread = float(amount.std())
    if 0 < 8 * spread * scale < 2.0**AMOUNT_BITS:
        # Large numbers that differ little, such as years, need finer steps.
        scale = 2.0 ** (AMOUNT_BITS - 3) / spread
    whole = np.round(amount * scale).astype(np.int64)
    held = whole > 0
    return Block(
        np.concatenate(([0], np.cumsum(held))),
        np.zeros(int(held.sum()), np.int32),
        1,
        level,
        whole[held],
    )

"""Overview: what all partitions have, added up from a summary of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.balances import N_BINS
from ..problem.criteria import AMOUNT_BITS
from .columns import Columns, merge_names
from .criteria import Block

# Values by which the quantiles of a column are estimated, from each partition.
_N_QUANTILES = 1000
# The most labelsets of one partition that are counted, and of all that are kept even: the
# commonest ones.
_MOST_LABELSETS = 100_000
# The most categories of a balanced column. With nearly as many as rows, none could be even.
_MOST_CATEGORIES = 10_000


def summarise(record: Mapping[str, Any], columns: Columns) -> dict[str, Any]:
    """Return what the driver needs of the units of a partition."""
    kept = ("n_rows", "names", "counts", "fixed_names", "n_without_group")
    summary = {name: record[name] for name in kept if name in record}
    summary["n_entries"] = len(record["indices"])
    summary["lengths"] = np.unique(record["lengths"]).astype(np.int64)
    for at in range(len(columns.balance)):
        if columns.balance_is_number[at]:
            summary[f"balance_{at}_numbers"] = _sample(record[f"balance_{at}_numbers"])
        else:
            summary[f"balance_{at}_values"] = record[f"balance_{at}_values"]
    if "labelset_hashes" in record:
        counts = record["labelset_counts"]
        common = np.sort(np.argsort(-counts, kind="stable")[:_MOST_LABELSETS])
        summary["labelset_hashes"] = record["labelset_hashes"][common]
        summary["labelset_counts"] = counts[common]
    return summary


def _sample(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the number of known values, their mean, squared deviations, least, and quantiles."""
    known = np.sort(numbers[~np.isnan(numbers)])
    if not len(known):
        return np.zeros(4)
    at = np.linspace(0, len(known) - 1, min(len(known), _N_QUANTILES + 1)).astype(np.int64)
    head = [len(known), known.mean(), ((known - known.mean()) ** 2).sum(), known[0]]
    return np.concatenate((head, known[at]))


class Overview:
    """What all partitions have.

    Parameters
    ----------
    columns : Columns
        The columns that were read.
    summaries : iterable of mapping
        The summary of each partition, in order.

    Attributes
    ----------
    rows_of_partition : list of int
        Rows of each partition.
    entries_of_partition : list of int
        Label entries of each partition.
    names : list
        The labels.
    total : NDArray[np.int64]
        (n_labels,) rows of each label.
    fixed_names : list of str
        The parts that fixed rows name.
    n_without_group : int
        Rows that have no group.
    """

    def __init__(self, columns: Columns, summaries: Iterable[Mapping[str, Any]]) -> None:
        self.columns = columns
        self.rows_of_partition: list[int] = []
        self.entries_of_partition: list[int] = []
        self.n_without_group = 0
        rows_of_label: Counter[Any] = Counter()
        fixed_names: dict[str, None] = {}
        lengths: set[int] = set()
        self._samples: dict[int, list[NDArray[np.float64]]] = {}
        self._values: dict[int, dict[Any, None]] = {}
        self._labelsets = np.empty(0, np.uint64), np.empty(0, np.int64)
        for own in summaries:
            self.rows_of_partition.append(int(own["n_rows"]))
            self.entries_of_partition.append(int(own["n_entries"]))
            self.n_without_group += int(own.get("n_without_group", 0))
            for name, count in zip(own["names"], own["counts"].tolist(), strict=True):
                rows_of_label[name] += count
            fixed_names |= dict.fromkeys(own.get("fixed_names", ()))
            lengths.update(own["lengths"].tolist())
            self._add_balance(own)
            if "labelset_hashes" in own:
                self._add_labelsets(own["labelset_hashes"], own["labelset_counts"])
        self.names = merge_names(columns, [list(rows_of_label)])
        self.total = np.array([rows_of_label[name] for name in self.names], np.int64)
        self.fixed_names = list(fixed_names)
        self._lengths = sorted(lengths)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return sum(self.rows_of_partition)

    @property
    def n_entries(self) -> int:
        """Number of label entries."""
        return sum(self.entries_of_partition)

    def _add_balance(self, summary: Mapping[str, Any]) -> None:
        for at, is_number in enumerate(self.columns.balance_is_number):
            if is_number:
                self._samples.setdefault(at, []).append(summary[f"balance_{at}_numbers"])
            else:
                values = dict.fromkeys(summary[f"balance_{at}_values"])
                self._values[at] = self._values.get(at, {}) | values

    def _add_labelsets(self, hashes: NDArray[np.uint64], counts: NDArray[np.int64]) -> None:
        found, number = np.unique(np.concatenate((self._labelsets[0], hashes)), return_inverse=True)
        both = np.concatenate((self._labelsets[1], counts))
        self._labelsets = found, np.bincount(number, both, len(found)).astype(np.int64)

    def make_blocks(self, profiles: bool, n_parts: int) -> list[Block]:
        """Return the criteria besides labels: balanced columns and, with `profiles`, row profiles.

        Labelsets are those of at least as many rows as parts.
        """
        blocks = []
        for at, is_number in enumerate(self.columns.balance_is_number):
            if is_number:
                blocks += _merge_numbers(at, self._samples[at])
            else:
                values = list(self._values[at])
                if len(values) > _MOST_CATEGORIES:
                    raise InputError(
                        f"must name columns of numbers or of at most {_MOST_CATEGORIES:,} "
                        f"categories, got '{self.columns.balance[at]}' with {len(values):,}. "
                        "Cut it into fewer categories first.",
                        parameter="balance",
                    )
                blocks.append(Block("category", at, len(values), values))
        if profiles:
            blocks.append(Block("cardinality", -1, len(self._lengths), self._lengths))
            hashes, counts = self._labelsets
            common = np.flatnonzero(counts >= n_parts)
            chosen = common[np.argsort(-counts[common], kind="stable")[:_MOST_LABELSETS]]
            kept = np.sort(hashes[chosen])
            blocks.append(Block("labelset", -1, len(kept), kept.tolist()))
        return blocks

    def describe_chance(self, blocks: Sequence[Block]) -> str:
        """Return which labelsets are left to chance, as a sentence."""
        labelsets = [block for block in blocks if block.kind == "labelset"]
        if not labelsets:
            return "Labelsets and the number of labels of a row are left to chance."
        hashes, counts = self._labelsets
        is_kept = np.isin(hashes, np.array(labelsets[0].values, np.uint64))
        share = 100 * counts[is_kept].sum() / self.n_rows
        return (
            f"The {is_kept.sum():,} commonest labelsets, of {share:.1f} % of the rows, are kept "
            "even; the others are left to chance."
        )


def _merge_numbers(at: int, samples: Sequence[NDArray[np.float64]]) -> list[Block]:
    """Return the bins and the total of a column of numbers, as `check_balance` makes them.

    The edges of the bins are estimated from the quantiles of the partitions.
    """
    head = np.array([own[:4] for own in samples if own[0]])
    if not len(head):
        return []
    n_known = head[:, 0].sum()
    whole_mean = float((head[:, 0] * head[:, 1]).sum() / n_known)
    # Squares of large numbers would lose what these differ by: deviations are added up.
    squares = (head[:, 2] + head[:, 0] * (head[:, 1] - whole_mean) ** 2).sum()
    lowest = min(0.0, float(head[:, 3].min()))
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
    mean = whole_mean - lowest
    spread = float(np.sqrt(squares / n_known))
    scale = 2.0**AMOUNT_BITS / mean if mean > 0 else 1.0
    if 0 < 8 * spread * scale < 2.0**AMOUNT_BITS:
        scale = 2.0 ** (AMOUNT_BITS - 3) / spread
    return [
        Block("bins", at, len(edges) + 2, edges.tolist()),
        Block("amount", at, 1, [lowest, mean, scale]),
    ]

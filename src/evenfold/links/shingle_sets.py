"""Texts as sets of shingles, and exact searches for sets that are alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._kernels.shingles import (
    KEY_BITS,
    LENGTH,
    N_WORDS,
    Index,
    Table,
    Texts,
    count_shingles,
    join_texts,
    measure_pairs,
    select_rarest,
)
from .pairs import Pairs

# Places of the table of frequencies, 16 MB: a larger one is slower, and rarity need not be exact.
_FREQUENCY_PLACES = 1 << 22
# Pairs that are returned at a time.
_BLOCK = 1 << 20
_N_CODE_POINTS = 0x110000


class ShingleSets:
    """The sets of shingles of different texts.

    Parameters
    ----------
    texts : sequence of str
        (n_texts,) texts that are not empty, no two equal.

    Attributes
    ----------
    size_of_text : ndarray of int64
        (n_texts,) the number of shingles in the set of each text.

    Notes
    -----
    Sets are made again from the characters whenever they are needed, because they would take up to
    32 times as much memory.
    """

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = _encode(texts)
        self._n_steps = len(self._texts.codes)
        self.n_texts = len(texts)
        self.size_of_text = np.empty(self.n_texts, np.int64)
        self._sketches = np.empty((self.n_texts, N_WORDS), np.int64)
        self._count(np.zeros(self.n_texts, bool))

    def find_pairs(self, least: float) -> Iterator[Pairs]:
        """Yield all pairs of texts whose Jaccard similarity is `least` or more.

        Two sets of similarity t share at least the share t of each set, and 2t/(1+t) of the smaller
        one. So among the rarest shingles of both, one more than those that need not be shared,
        is the rarest shared one. An index of these leads to few other texts, which are compared
        (Xiao et al. 2011, "Efficient similarity joins for near-duplicate detection").
        """
        order = np.argsort(self.size_of_text, kind="stable")
        for pairs in self._join(order, None, least):
            yield _sort_pairs(order[pairs.first], order[pairs.second], pairs.value)

    def find_pairs_of(self, chosen: NDArray[np.int64], least: float) -> Iterator[Pairs]:
        """Yield the pairs of texts that are `least` alike and of which one or both are chosen."""
        is_chosen = np.zeros(self.n_texts, bool)
        is_chosen[chosen] = True
        for first, second, value in self._join(np.arange(self.n_texts), chosen, least):
            # If both texts are chosen, the pair comes twice. The second text always is.
            once = (first < second) | ~is_chosen[first]
            yield _sort_pairs(first[once], second[once], value[once])

    def measure(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the Jaccard similarity of pairs of texts, which are sorted by `first`."""
        value = np.empty(len(first))
        n_steps = len(first) * (self._n_steps // max(self.n_texts, 1))
        measure_pairs.for_work(n_steps)(
            self._texts, self.size_of_text, first, second, self._make_table(), value
        )
        return value

    def list_keys(self, chosen: NDArray[np.int64]) -> list[NDArray[np.int64]]:
        """Return the set of each chosen text, as keys of its shingles."""
        bounds = _to_bounds(self.size_of_text[chosen])
        keys = self._select(self._texts, chosen, bounds, np.zeros(1, np.int32))
        return np.split(keys, bounds[1:-1])

    def _join(
        self, order: NDArray[np.int64], chosen: NDArray[np.int64] | None, least: float
    ) -> Iterator[Pairs]:
        """Yield the pairs of places in an order, of chosen texts or of all with earlier ones."""
        is_indexed = np.full(self.n_texts, chosen is None)
        if chosen is not None:
            is_indexed[chosen] = True
        texts, sizes, sketches = (
            _reorder(self._texts, order),
            self.size_of_text[order],
            self._sketches[order],
        )
        frequency = self._count(is_indexed)
        n_probed = _count_prefix(sizes, least)
        bounds = _to_bounds(n_probed)
        keys = self._select(texts, np.arange(self.n_texts), bounds, frequency)
        n_indexed = (
            n_probed if chosen is not None else _count_prefix(sizes, 2 * least / (1 + least))
        )
        index = _make_index(keys, bounds, np.where(is_indexed[order], n_indexed, 0))
        table, last_tested = self._make_table(), np.full(self.n_texts, -1)
        progress = np.zeros(3, np.int64)
        join = join_texts.for_work(self._n_steps)
        room = _BLOCK + self.n_texts
        while True:
            found = Pairs(np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room))
            join(
                texts,
                sketches,
                sizes,
                bounds,
                keys,
                index,
                chosen is None,
                least,
                last_tested,
                table,
                progress,
                *found,
            )
            n_found = int(progress[1])
            yield Pairs(found.first[:n_found], found.second[:n_found], found.value[:n_found])
            if progress[0] == self.n_texts:
                return

    def _count(self, is_counted: NDArray[np.bool_]) -> NDArray[np.int32]:
        frequency = np.zeros(_FREQUENCY_PLACES if is_counted.any() else 1, np.int32)
        count_shingles.for_work(self._n_steps)(
            self._texts,
            is_counted,
            self._make_table(),
            self.size_of_text,
            self._sketches,
            frequency,
        )
        return frequency

    def _select(
        self,
        texts: Texts,
        chosen: NDArray[np.int64],
        bounds: NDArray[np.int64],
        frequency: NDArray[np.int32],
    ) -> NDArray[np.int64]:
        keys = np.empty(bounds[-1], np.int64)
        table = self._make_table()
        select_rarest.for_work(self._n_steps * len(chosen) // max(self.n_texts, 1))(
            texts,
            chosen,
            bounds,
            frequency,
            table,
            *np.empty((2, len(table.slots)), np.int64),
            keys,
        )
        return keys

    def _make_table(self) -> Table:
        longest = int((self._texts.ends - self._texts.starts).max(initial=1))
        n_places = 1 << (2 * longest).bit_length()
        return Table(np.zeros(n_places, np.int64), np.full(n_places, -1), np.full(n_places, -1))


def _encode(texts: Sequence[str]) -> Texts:
    """Number the characters of all texts."""
    points = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32)
    is_used = np.zeros(_N_CODE_POINTS, bool)
    is_used[points] = True
    n_codes = int(is_used.sum())
    codes: Any = np.uint16 if n_codes < 1 << 16 else np.int32
    code_of_point = (np.cumsum(is_used) - 1).astype(codes)
    mixed = np.random.default_rng(0).integers(0, 1 << KEY_BITS, n_codes, np.int64)
    bounds = _to_bounds(np.fromiter(map(len, texts), np.int64, len(texts)))
    starts, stops = bounds[:-1], bounds[1:]
    ends = np.maximum(starts + 1, stops - LENGTH + 1)
    return Texts(starts.copy(), ends, stops.copy(), code_of_point[points], mixed)


def _reorder(texts: Texts, order: NDArray[np.int64]) -> Texts:
    return texts._replace(
        starts=texts.starts[order], ends=texts.ends[order], stops=texts.stops[order]
    )


def _to_bounds(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _count_prefix(sizes: NDArray[np.int64], share: float) -> NDArray[np.int64]:
    """Return how many shingles of a set are one more than those outside its share."""
    # The small number makes up for rounding: too many shingles lose no pairs.
    needed = np.ceil(share * sizes - 1e-6).astype(np.int64)
    return np.asarray(np.minimum(sizes - needed + 1, sizes))


def _make_index(
    keys: NDArray[np.int64], bounds: NDArray[np.int64], n_indexed: NDArray[np.int64]
) -> Index:
    """Index the first keys of each text."""
    text = np.repeat(np.arange(len(n_indexed), dtype=np.int32), n_indexed)
    place = (np.arange(len(text)) - _to_bounds(n_indexed)[text]).astype(np.int32)
    own = keys[bounds[text] + place]
    n_buckets = 1 << (2 * len(own)).bit_length()
    bucket = own & (n_buckets - 1)
    # Stable, so that the texts of a bucket stay in their order.
    order = np.argsort(bucket, kind="stable")
    starts = _to_bounds(np.bincount(bucket, minlength=n_buckets))
    return Index(starts, text[order], own[order], place[order])


def _sort_pairs(
    first: NDArray[np.int64], second: NDArray[np.int64], value: NDArray[np.float64]
) -> Pairs:
    return Pairs(np.minimum(first, second), np.maximum(first, second), value)

"""Approximate search for similar sets: MinHash of datasketch, and locality-sensitive hashing.

The index of datasketch keeps sets of texts and returns all candidates of one text. Sorted arrays
take less memory, and candidates come in blocks, however many there are.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from .pairs import N_CHECKED, Pairs, Recall
from .shingle_sets import ShingleSets

# Numbers of permutations, one after another until the recall is reached.
_N_PERMUTATIONS = (128, 256, 512)
# Texts whose sets are listed at a time.
_BLOCK = 4_096
# Pairs that are compared at a time; at most one more for each text.
_PAIRS_AT_ONCE = 1 << 20
_SEED = 1


def sketch_texts(
    sets: ShingleSets, least: float, recall: float
) -> tuple[NDArray[np.uint32], Recall]:
    """Sketch texts so that most pairs agree in a band, as measured on some of the texts.

    Parameters
    ----------
    sets : ShingleSets
        The texts.
    least : float
        The least Jaccard similarity of pairs.
    recall : float
        The share of the pairs that must agree in a band.

    Returns
    -------
    bands : ndarray of uint32
        (n_bands, n_texts) the key of each band of each text, for `find_similar`.
    recall : Recall
        The share that agrees of the pairs of some texts, drawn with a fixed seed.
    """
    n_checked = min(N_CHECKED, sets.n_texts)
    chosen = np.sort(np.random.default_rng(0).permutation(sets.n_texts)[:n_checked])
    share = 0.0
    for n_permutations in _N_PERMUTATIONS:
        bands = _make_bands(sets, n_permutations, *choose_bands(least, recall, n_permutations))
        n_pairs = n_found = 0
        for first, second, _ in sets.find_pairs_of(chosen, least):
            n_pairs += len(first)
            n_found += len(first) - len(_drop_agreeing(bands, first, second)[0])
        share = n_found / n_pairs if n_pairs else 1.0
        if share >= recall:
            return bands, Recall(share, n_checked, n_pairs)
    raise InputError(
        f"must be at most {share:.4f} here, which MinHash of {_N_PERMUTATIONS[-1]} permutations "
        f"reaches, got {recall:g}. Lower it, or pass exact=True.",
        parameter="recall",
    )


def find_similar(sets: ShingleSets, bands: NDArray[np.uint32], least: float) -> Iterator[Pairs]:
    """Yield the pairs of texts that agree in a band and are alike, in blocks.

    Parameters
    ----------
    sets : ShingleSets
        The texts.
    bands : ndarray of uint32
        (n_bands, n_texts) the key of each band, as `sketch_texts` returns them.
    least : float
        The least Jaccard similarity.

    Yields
    ------
    Pairs
        Pairs of texts; their similarity is exact.
    """
    for band, keys in enumerate(bands):
        for first, second in _list_equal(keys):
            # Pairs that agree in an earlier band were found there.
            first, second = _drop_agreeing(bands[:band], first, second)
            order = np.argsort(first, kind="stable")
            first, second = first[order], second[order]
            value = sets.measure(first, second)
            kept = value >= least
            if kept.any():
                yield Pairs(first[kept], second[kept], value[kept])


def choose_bands(least: float, recall: float, n_permutations: int) -> tuple[int, int]:
    """Return how many bands of how many permutations find pairs at the threshold.

    Bands are as long as the recall allows: two texts are compared if they agree in all of one, so
    longer bands compare fewer texts.

    Parameters
    ----------
    least : float
        The least similarity, which is the share of permutations in which two texts agree.
    recall : float
        The share of the pairs that must be found.
    n_permutations : int
        The permutations in all.

    Returns
    -------
    n_bands : int
        The number of bands, 2 or more.
    n_in_band : int
        The permutations of one band.
    """
    # Half the losses that are allowed: MinHash varies, and few pairs are exactly at the threshold.
    most_lost = (1 - recall) / 2
    fitting = [
        length
        for length in range(1, n_permutations // 2 + 1)
        if (n_permutations // length) * math.log1p(-min(least**length, 1 - 1e-12))
        <= math.log(max(most_lost, 1e-9))
    ]
    length = max(fitting, default=1)
    return n_permutations // length, length


def _make_bands(
    sets: ShingleSets, n_permutations: int, n_bands: int, n_in_band: int
) -> NDArray[np.uint32]:
    """Return (n_bands, n_texts) keys, equal where texts agree in all permutations of a band."""
    # Imported here, because few searches need it.
    from datasketch import MinHash

    # Shingles are hashed already.
    empty = MinHash(num_perm=n_permutations, seed=_SEED, hashfunc=int)
    factors = np.random.default_rng(_SEED).integers(0, 1 << 63, n_in_band, np.uint64) * 2 + 1
    bands = np.empty((n_bands, sets.n_texts), np.uint32)
    for start in range(0, sets.n_texts, _BLOCK):
        block = np.arange(start, min(start + _BLOCK, sets.n_texts))
        for text, keys in zip(block.tolist(), sets.list_keys(block), strict=True):
            sketch = empty.copy()
            sketch.update_batch((keys & 0xFFFFFFFF).tolist())
            used = sketch.hashvalues[: n_bands * n_in_band].reshape(n_bands, n_in_band)
            # 32 bits will do: if other texts have the same key, they are compared in vain.
            bands[:, text] = (used * factors).sum(axis=1) >> 32
    return bands


def _list_equal(
    keys: NDArray[np.uint32],
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
    """Yield blocks of pairs of texts with equal keys, the first text before the second."""
    order = np.argsort(keys, kind="stable")
    in_order = keys[order]
    n_later = np.searchsorted(in_order, in_order, side="right") - np.arange(len(keys)) - 1
    n_before = np.cumsum(n_later) - n_later
    n_pairs = int(n_later.sum())
    starts = np.searchsorted(n_before, np.arange(0, n_pairs, _PAIRS_AT_ONCE))
    for begin, stop in itertools.pairwise([*starts.tolist(), len(keys)]):
        own = n_later[begin:stop]
        place = np.repeat(np.arange(begin, stop), own)
        if len(place):
            number = np.arange(len(place)) - np.repeat(n_before[begin:stop] - n_before[begin], own)
            yield order[place], order[place + 1 + number]


def _drop_agreeing(
    bands: NDArray[np.uint32], first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the pairs that agree in none of the bands."""
    for keys in bands:
        differ = keys[first] != keys[second]
        first, second = first[differ], second[differ]
    return first, second

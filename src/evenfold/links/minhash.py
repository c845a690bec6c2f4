"""Approximate search for similar sets: MinHash and locality-sensitive hashing, by datasketch."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from .pairs import Pairs, Recall
from .shingle_sets import ShingleSets

# Numbers of permutations, one after another until the recall is reached.
_N_PERMUTATIONS = (128, 256, 512)
# The texts whose pairs are also searched exactly.
MOST_CHECKED = 10_000
# Texts whose sets are listed at a time.
_BLOCK = 4_096
# Pairs that are compared at a time.
_PAIRS_AT_ONCE = 1 << 20
_SEED = 1


def find_similar(sets: ShingleSets, least: float, recall: float) -> tuple[Pairs, Recall]:
    """Find pairs of texts approximately, with a recall that is measured.

    Parameters
    ----------
    sets : ShingleSets
        The texts.
    least : float
        The least Jaccard similarity.
    recall : float
        The share of the pairs that must be found.

    Returns
    -------
    pairs : Pairs
        Pairs of texts; their similarity is exact.
    recall : Recall
        The share that was found of the pairs of some texts, drawn with a fixed seed.
    """
    n_checked = min(MOST_CHECKED, sets.n_texts)
    chosen = np.sort(np.random.default_rng(0).permutation(sets.n_texts)[:n_checked])
    exact = sets.find_pairs_of(chosen, least)
    exact_keys = exact.first * sets.n_texts + exact.second
    share = 0.0
    for n_permutations in _N_PERMUTATIONS:
        keys, value = _search(sets, least, recall, n_permutations)
        share = float(np.isin(exact_keys, keys).mean()) if len(exact_keys) else 1.0
        if share >= recall:
            first, second = np.divmod(keys, max(sets.n_texts, 1))
            return Pairs(first, second, value), Recall(share, n_checked, len(exact_keys))
    raise InputError(
        f"must be at most {share:.4f} here, which MinHash of {_N_PERMUTATIONS[-1]} permutations "
        f"reaches, got {recall:g}. Lower it, or pass exact=True.",
        parameter="recall",
    )


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


def _search(
    sets: ShingleSets, least: float, recall: float, n_permutations: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return sorted keys (first · n_texts + second) of the pairs found, and their similarity."""
    # Imported here, because few searches need it.
    from datasketch import MinHash, MinHashLSH

    bands = choose_bands(least, recall, n_permutations)
    index = MinHashLSH(num_perm=n_permutations, params=bands)
    # Shingles are hashed already.
    empty = MinHash(num_perm=n_permutations, seed=_SEED, hashfunc=int)
    blocks: list[tuple[NDArray[np.int64], NDArray[np.float64]]] = []
    waiting: list[int] = []
    for start in range(0, sets.n_texts, _BLOCK):
        block = np.arange(start, min(start + _BLOCK, sets.n_texts))
        for text, keys in zip(block.tolist(), sets.list_keys(block), strict=True):
            sketch = empty.copy()
            sketch.update_batch((keys & 0xFFFFFFFF).tolist())
            waiting += [other * sets.n_texts + text for other in index.query(sketch)]
            index.insert(text, sketch, check_duplication=False)
        if len(waiting) >= _PAIRS_AT_ONCE or block[-1] == sets.n_texts - 1:
            blocks.append(_keep_similar(sets, np.sort(np.array(waiting, np.int64)), least))
            waiting = []
    if not blocks:
        return np.empty(0, np.int64), np.empty(0)
    keys, values = (np.concatenate([block[at] for block in blocks]) for at in (0, 1))
    order = np.argsort(keys)
    return keys[order], values[order]


def _keep_similar(
    sets: ShingleSets, keys: NDArray[np.int64], least: float
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    first, second = np.divmod(keys, sets.n_texts)
    value = sets.measure(first, second)
    kept = value >= least
    return keys[kept], value[kept]

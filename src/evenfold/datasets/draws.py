"""Drawing the labels of rows: distinct within a row, some likelier than others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Drawing again mends repeats quickly while a row wants few of the labels; rows that want nearly all of them are left to the slower sure way.
_N_ROUNDS = 10
_KEYS_AT_ONCE = 1 << 20


def draw_distinct(
    rng: np.random.Generator, n_wanted_of_row: Ints, log_weight: Floats
) -> sparse.csr_array:
    """Draw the labels of each row one after another, by the weights of those it does not hold yet.

    Weights come as logarithms, so that no tail is too thin for a float. Returns (n_rows, n_labels) int8 of 0 and 1.
    """
    shape = (len(n_wanted_of_row), len(log_weight))
    cumulative = np.cumsum(np.exp(log_weight - log_weight.max()))
    n_at_once = max(1, _KEYS_AT_ONCE // shape[1])
    entries = np.empty(0, np.int64)
    n_missing_of_row = n_wanted_of_row
    for _ in range(_N_ROUNDS):
        row = np.repeat(np.arange(shape[0]), n_missing_of_row)
        label = np.searchsorted(cumulative, rng.random(len(row)) * cumulative[-1])
        # No more is drawn than is missing: what a row ends with is the first distinct labels of its draws, none is thrown away.
        entries = np.sort(np.concatenate((entries, row * shape[1] + label)))
        entries = entries[np.diff(entries, prepend=-1) > 0]
        n_missing_of_row = n_wanted_of_row - np.bincount(entries // shape[1], minlength=shape[0])
        if np.count_nonzero(n_missing_of_row) <= n_at_once:
            break
    held = _make_matrix(entries, shape)
    lacking = np.flatnonzero(n_missing_of_row)
    for start in range(0, len(lacking), n_at_once):
        rows = lacking[start : start + n_at_once]
        entries = np.concatenate(
            (entries, _draw_the_rest(rng, held, rows, n_missing_of_row[rows], log_weight))
        )
    return _make_matrix(np.sort(entries), shape)


def _draw_the_rest(
    rng: np.random.Generator,
    held: sparse.csr_array,
    rows: Ints,
    n_missing: Ints,
    log_weight: Floats,
) -> Ints:
    """Return the missing entries of rows: the labels with the largest weight × noise are drawn by weight (the Gumbel trick)."""
    key = log_weight + rng.gumbel(size=(len(rows), len(log_weight)))
    key[held[rows].toarray() > 0] = -np.inf
    best_first = np.argsort(-key, axis=1)[:, : n_missing.max()]
    is_taken = np.arange(best_first.shape[1]) < n_missing[:, None]
    return np.asarray((rows[:, None] * len(log_weight) + best_first)[is_taken])


def _make_matrix(entries: Ints, shape: tuple[int, int]) -> sparse.csr_array:
    """Make the matrix whose entries, numbered row by row and sorted, are 1."""
    row, label = np.divmod(entries, shape[1])
    indptr = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=shape[0]))))
    return sparse.csr_array((np.ones(len(entries), np.int8), label, indptr), shape=shape)

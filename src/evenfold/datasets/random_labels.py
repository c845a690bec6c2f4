"""Random labels of rows: distinct within a row, with given weights."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.numbers import check_whole

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

# Drawing again replaces repeated labels quickly if rows need few of the labels. Rows that need
# nearly all labels would take many rounds: after these, they are drawn by sorting random keys.
MAX_ROUNDS = 10
# How many random keys are sorted at once, which limits memory.
MAX_KEYS_PER_BLOCK = 1 << 20


def check_shape(n_rows: int, n_labels: int) -> None:
    """Check the number of rows and of labels."""
    check_whole(n_rows, "n_rows", "Ask for at least one row.")
    check_whole(n_labels, "n_labels", "Ask for at least one label.")


def check_labels_per_row(value: int, parameter: str, n_labels: int) -> None:
    """Check a number of labels per row."""
    advice = "The labels of a row are distinct: ask for fewer, or raise 'n_labels'."
    check_whole(value, parameter, advice, most=n_labels)


def log_zipf(n_labels: int, exponent: float) -> Floats:
    """Return the logarithms of the weights of labels by Zipf's law."""
    return np.asarray(-exponent * np.log(np.arange(1, n_labels + 1)))


def draw_labels(
    rng: np.random.Generator, n_labels_of_row: Ints, log_weight: Floats
) -> sparse.csr_array:
    """Draw the labels of each row one after another, by the weights of those not yet drawn.

    Weights are logarithms, so that very small weights do not become 0. Returns int8 of 0 and 1,
    (n_rows, n_labels).
    """
    shape = (len(n_labels_of_row), len(log_weight))
    cumulative = np.cumsum(np.exp(log_weight - log_weight.max()))
    rows_per_block = max(1, MAX_KEYS_PER_BLOCK // shape[1])
    entries = np.empty(0, np.int64)
    n_missing_of_row = n_labels_of_row
    for _ in range(MAX_ROUNDS):
        row = np.repeat(np.arange(shape[0]), n_missing_of_row)
        label = np.searchsorted(cumulative, rng.random(len(row)) * cumulative[-1])
        # Only as many as are missing are drawn, so every distinct label that is drawn is kept.
        entries = np.sort(np.concatenate((entries, row * shape[1] + label)))
        entries = entries[np.diff(entries, prepend=-1) > 0]
        n_missing_of_row = n_labels_of_row - np.bincount(entries // shape[1], minlength=shape[0])
        if np.count_nonzero(n_missing_of_row) <= rows_per_block:
            break
    drawn = _make_matrix(entries, shape)
    incomplete = np.flatnonzero(n_missing_of_row)
    for start in range(0, len(incomplete), rows_per_block):
        rows = incomplete[start : start + rows_per_block]
        missing = _draw_missing(rng, drawn, rows, n_missing_of_row[rows], log_weight)
        entries = np.concatenate((entries, missing))
    return _make_matrix(np.sort(entries), shape)


def _draw_missing(
    rng: np.random.Generator,
    drawn: sparse.csr_array,
    rows: Ints,
    n_missing: Ints,
    log_weight: Floats,
) -> Ints:
    """Return the missing entries of rows: the labels with the largest log weight plus noise.

    With Gumbel noise these are draws by weight without replacement (the Gumbel-max trick).
    """
    key = log_weight + rng.gumbel(size=(len(rows), len(log_weight)))
    key[drawn[rows].toarray() > 0] = -np.inf
    best_first = np.argsort(-key, axis=1)[:, : n_missing.max()]
    is_taken = np.arange(best_first.shape[1]) < n_missing[:, None]
    return np.asarray((rows[:, None] * len(log_weight) + best_first)[is_taken])


def _make_matrix(entries: Ints, shape: tuple[int, int]) -> sparse.csr_array:
    """Make the matrix of ones at the given cells, which are numbered row by row and sorted."""
    row, label = np.divmod(entries, shape[1])
    indptr = np.concatenate(([0], np.cumsum(np.bincount(row, minlength=shape[0]))))
    return sparse.csr_array((np.ones(len(entries), np.int8), label, indptr), shape=shape)

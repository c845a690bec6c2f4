"""sampling: rows whose labels are too frequent in their part change sides, fewer in each epoch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy
from numpy.typing import NDArray

from .._checks.numbers import check_whole
from ..problem.criteria_order import order_criteria
from ..problem.problem import Problem
from .method import Method

# Settings of Merrillees & Du 2021. The share of rows that may change sides (tau), its decrease per
# epoch (delta), the probability to do so (p).
_TAU, _DELTA, _P = 0.1, 0.1, 0.1
# The probability, and its decrease per epoch, for rows with a label that is nearly or wholly on one
# side.
_P_ONE_SIDED, _DELTA_ONE_SIDED = 0.25, 0.05
# A label with more, or less, than these shares of its rows in the part is nearly on one side.
_NEARLY_NONE, _NEARLY_ALL = 0.001, 0.999


@dataclass(frozen=True)
class Sampling(Method):  # numpydoc ignore=PR02
    """Stratified sampling for extreme multi-label data (SS, Merrillees & Du 2021).

    Each row is first drawn into the test part with the probability of its share. The score of a
    label is how far the share of its rows that are in test is from the wanted one; the score of a
    row is the sum over its labels, high if it should be on the other side. In each epoch some of
    the rows with the highest scores change sides. Cost O(epochs · n_parts · nnz).

    Parameters
    ----------
    epochs : int, default=50
        Number of epochs for each cut.

    Notes
    -----
    Sizes are near the wanted shares, but not always exact: only labels are counted.
    The paper cuts train and test; several parts are cut off one after another, the first one first.
    Of all states seen, the one with the most even labels is kept (the paper keeps the last).

    Examples
    --------
    >>> method = evenfold.methods.Sampling(epochs=20)
    >>> evenfold.split([["a"], ["b"]] * 50, [0.8, 0.2], method=method).quality.flz
    0
    """

    name = "sampling"
    epochs: int = 50

    def __post_init__(self) -> None:
        check_whole(self.epochs, "epochs", "Leave it out for 50.")

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps, of a nanosecond or so, one split takes."""
        return 2.0 * self.epochs * n_parts * (n_entries + 20 * n_units)

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        problem = order_criteria(problem, rng)
        by_unit = problem.to_csr()
        part_of_unit = problem.fixed.copy()
        left = np.arange(problem.n_units)
        for part in range(problem.n_parts - 1):
            share = problem.weights[part] / problem.weights[part:].sum()
            fixed = problem.fixed[left]
            in_test = _cut_off(
                by_unit[left], float(share), fixed == part, fixed > part, self.epochs, rng
            )
            part_of_unit[left[in_test]] = part
            left = left[~in_test]
        part_of_unit[left] = problem.n_parts - 1
        return part_of_unit


def _cut_off(
    by_unit: scipy.sparse.csr_array,
    share: float,
    stays_in: NDArray[np.bool_],
    stays_out: NDArray[np.bool_],
    epochs: int,
    rng: np.random.Generator,
) -> NDArray[np.bool_]:
    """Return which units to take for a part of that share."""
    in_test = ~stays_out & (stays_in | (rng.random(by_unit.shape[0]) < share))
    free = ~(stays_in | stays_out)
    total = np.asarray(by_unit.sum(axis=0), dtype=np.float64)
    held = total > 0
    by_label = scipy.sparse.csr_array(by_unit[:, held].T)
    by_unit, total = scipy.sparse.csr_array(by_unit[:, held]), total[held]
    if not len(total):
        return in_test
    per_unit = float(total.sum()) / by_unit.shape[0]
    best, least = in_test, np.inf
    for epoch in range(epochs + 1):
        in_part = np.asarray(by_label @ in_test.astype(np.float64))
        unevenness = float(np.abs(in_part / total - share).mean())
        if unevenness < least:
            best, least = in_test, unevenness
        of_unit = np.asarray(by_unit @ _score_labels(in_part, total, share, per_unit))
        score = np.where(in_test, of_unit, -of_unit)
        one_sided = score >= per_unit
        usual = np.sort(score[~one_sided])
        threshold = (
            usual[int((1 - _TAU / (1 + _DELTA) ** epoch) * (len(usual) - 1))]
            if len(usual)
            else np.inf
        )
        chance = np.where(
            one_sided,
            _P_ONE_SIDED / (1 + _DELTA_ONE_SIDED) ** epoch,
            np.where(score > threshold, _P / (1 + _DELTA) ** epoch, 0.0),
        )
        in_test = in_test ^ (free & (rng.random(len(score)) < chance))
    return best


def _score_labels(
    in_part: NDArray[np.float64], total: NDArray[np.float64], share: float, per_unit: float
) -> NDArray[np.float64]:
    """Return by how much each label has too many rows (above 0) or too few in the part.

    A label of one row cannot be spread and has 0.
    """
    own = in_part / total
    score = np.where(own >= share, (own - share) / (1 - share), (own - share) / share)
    score = np.where(own > _NEARLY_ALL, per_unit, np.where(own < _NEARLY_NONE, -per_unit, score))
    return np.where(total == 1, 0.0, score)

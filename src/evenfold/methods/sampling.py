"""sampling: rows whose labels are too many in their part flip to the other, ever more rarely."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ..exceptions import InputError
from ..problem.problem import Problem, order_criteria

# Of Merrillees & Du 2021: the share of rows that may flip (tau), how fast that falls (delta), the chance to flip (p), and chance and fall of
# the chance for rows with a label that is nearly or wholly on one side.
_TAU, _DELTA, _P = 0.1, 0.1, 0.1
_P_STRAY, _DELTA_STRAY = 0.25, 0.05
_NEARLY_NONE, _NEARLY_ALL = 0.001, 0.999


@dataclass(frozen=True)
class Sampling:
    """Stratified sampling for extreme multi-label data (SS, Merrillees & Du 2021). Cost O(epochs · n_parts · nnz).

    Each row is first drawn into the test part with a chance of its share. Each label has a score, how far the part of its rows that are in test
    is from the share; each row has the sum of its labels' scores, so that a high one says it had better be on the other side. In each epoch
    some of the highest flip.

    Parameters
    ----------
    epochs : rounds of flips for each cut

    Notes
    -----
    Sizes come out near the wanted shares, not exactly on them: only labels are looked at.
    The paper cuts train and test; several parts are cut off one after another, the first part first.
    Of all states seen, the one whose labels are furthest from uneven is kept (the paper keeps the last).

    Examples
    --------
    >>> evenfold.split([["a"], ["b"]] * 50, [0.8, 0.2], method=evenfold.methods.Sampling(epochs=20)).quality.flz
    0
    """

    name: ClassVar[str] = "sampling"
    epochs: int = 50

    def __post_init__(self) -> None:
        if (
            isinstance(self.epochs, bool)
            or not isinstance(self.epochs, Integral)
            or self.epochs < 1
        ):
            raise InputError(
                f"must be a whole number of at least 1, got {self.epochs!r}. Leave it out for 50.",
                parameter="epochs",
            )

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps of a loop, each a nanosecond or so, one split takes."""
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
    by_unit: sparse.csr_array,
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
    by_label = sparse.csr_array(by_unit[:, held].T)
    by_unit, total = sparse.csr_array(by_unit[:, held]), total[held]
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
        stray = score >= per_unit
        usual = np.sort(score[~stray])
        threshold = (
            usual[int((1 - _TAU / (1 + _DELTA) ** epoch) * (len(usual) - 1))]
            if len(usual)
            else np.inf
        )
        chance = np.where(
            stray,
            _P_STRAY / (1 + _DELTA_STRAY) ** epoch,
            np.where(score > threshold, _P / (1 + _DELTA) ** epoch, 0.0),
        )
        in_test = in_test ^ (free & (rng.random(len(score)) < chance))
    return best


def _score_labels(
    in_part: NDArray[np.float64], total: NDArray[np.float64], share: float, per_unit: float
) -> NDArray[np.float64]:
    """Return how much too many rows (above 0) or too few each label has in the part; a label of one row cannot be spread and has 0."""
    own = in_part / total
    score = np.where(own >= share, (own - share) / (1 - share), (own - share) / share)
    score = np.where(own > _NEARLY_ALL, per_unit, np.where(own < _NEARLY_NONE, -per_unit, score))
    return np.where(total == 1, 0.0, score)

"""sampling: rows whose labels are too frequent in their part change sides, fewer in each epoch."""

from __future__ import annotations

from dataclasses import dataclass, field

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
# How often every part is cut again, together with another one. More rounds give more even labels.
# With these, a split takes four times as long for two parts, one and a half times for ten.
_N_ROUNDS = 3


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
    published : bool, default=False
        Whether to do what the authors' code does, as `SamplingPublished`.

    Notes
    -----
    Sizes are near the wanted shares, but not always exact: only labels are counted.
    The paper cuts train and test; several parts are cut off one after another, the first one first.
    Then random pairs of parts are cut again, in three rounds, from where their rows are: the parts
    that were cut off last have what the others left.
    Of all states of a cut, the one with the lowest rLD is kept. Parts that are not cut off yet
    count as if they will be as even as whole rows allow.
    In two parts, if only labels are kept even, no seed gives a higher rLD than `SamplingPublished`.

    Examples
    --------
    >>> method = evenfold.methods.Sampling(epochs=20)
    >>> evenfold.split([["a"], ["b"]] * 50, [0.8, 0.2], method=method).quality.flz
    0
    """

    name = "sampling"
    epochs: int = 50
    published: bool = False

    def __post_init__(self) -> None:
        check_whole(self.epochs, "epochs", "Leave it out for 50.")

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps, of a nanosecond or so, one split takes."""
        n_rounds = 0 if self.published else _N_ROUNDS
        return 3.0 * self.epochs * (n_parts / 2 + n_rounds) * (n_entries + 20 * n_units)

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        cuts = _Cuts(order_criteria(problem, rng), self.epochs, self.published, rng)
        cuts.cut_all()
        for _ in range(0 if self.published else _N_ROUNDS):
            cuts.cut_pairs()
        return cuts.part_of_unit


@dataclass(frozen=True)
class SamplingPublished(Sampling):  # numpydoc ignore=PR02
    """Stratified sampling as in the authors' code, for any parts and for groups.

    It gives the splits of `Sampling(published=True)`.

    Parameters
    ----------
    epochs : int, default=50
        Number of epochs for each cut.

    Notes
    -----
    The state after the last epoch is kept.
    The published code cuts train and test. As in the experiments of the optisplit paper, several
    parts are cut off one after another, with the wanted number of rows as a share of those that are
    left. The last part gets the rest. If fewer rows are left than are wanted, the parts share them;
    the experiments ended with an error.
    The published code has no groups or fixed rows. Groups change sides with all their rows. Fixed
    rows count, but do not change sides.

    Examples
    --------
    >>> y = evenfold.datasets.make_movies().genres
    >>> published = evenfold.split(y, 5, method="sampling-published").quality.rld
    >>> bool(evenfold.split(y, 5, method="sampling").quality.rld < published)
    True
    """

    name = "sampling-published"
    published: bool = field(default=True, init=False, repr=False)


class _Cuts:
    """A split that is made by cuts, each of some of the units into two sides."""

    def __init__(
        self, problem: Problem, epochs: int, published: bool, rng: np.random.Generator
    ) -> None:
        self._problem, self._epochs, self._published, self._rng = problem, epochs, published, rng
        self.part_of_unit = problem.fixed.copy()
        by_unit = problem.to_csr()
        total = np.asarray(by_unit.sum(axis=0), dtype=np.float64)
        self._by_unit = scipy.sparse.csr_array(by_unit[:, total > 0])
        self._labels_per_row = total[total > 0] / problem.n_rows

    def cut_all(self) -> None:
        """Cut off one part after another, each from a random draw of the units that are left."""
        problem, weights = self._problem, self._problem.weights.tolist()
        left = np.arange(problem.n_units)
        for part in range(problem.n_parts - 1):
            share = weights[part] / sum(weights[part:])
            wanted = weights[part] * problem.n_rows
            n_left = sum(weights) * int(problem.rows_of_unit[left].sum())
            if self._published and wanted < n_left:
                share = wanted / n_left
            fixed = problem.fixed[left]
            start = np.where(fixed < 0, self._rng.random(len(left)) < share, fixed == part)
            on_side = self._cut(left, start, share, problem.n_parts - part)
            self.part_of_unit[left[on_side]] = part
            left = left[~on_side]
        self.part_of_unit[left] = problem.n_parts - 1

    def cut_pairs(self) -> None:
        """Cut random pairs of parts again, from where their units are."""
        weights = self._problem.weights.tolist()
        order = self._rng.permutation(self._problem.n_parts)
        for first, second in zip(order[::2], order[1::2], strict=False):
            own = np.flatnonzero((self.part_of_unit == first) | (self.part_of_unit == second))
            share = weights[first] / (weights[first] + weights[second])
            on_side = self._cut(own, self.part_of_unit[own] == first, share, n_parts=2)
            self.part_of_unit[own] = np.where(on_side, first, second)

    def _cut(
        self, units: NDArray[np.int64], on_side: NDArray[np.bool_], share: float, n_parts: int
    ) -> NDArray[np.bool_]:
        """Return which of the units to take for a part of that share; they are for `n_parts`."""
        by_unit: scipy.sparse.csr_array = scipy.sparse.csr_array(self._by_unit[units])
        by_label = scipy.sparse.csr_array(by_unit.T)
        total = np.asarray(by_unit.sum(axis=0), dtype=np.float64)
        per_unit = float(total.sum()) / max(len(units), 1)
        is_free, rows = self._problem.fixed[units] < 0, self._problem.rows_of_unit[units]
        n_rows = int(rows.sum())
        best, least = on_side, np.inf
        for epoch in range(self._epochs + 1):
            in_part = np.asarray(by_label @ on_side.astype(np.float64))
            if self._published:
                best = on_side
            else:
                size = int(rows[on_side].sum())
                unevenness = _sum_rld(
                    in_part, size, total - in_part, n_rows - size, n_parts - 1, self._labels_per_row
                )
                if unevenness < least:
                    best, least = on_side, unevenness
            if epoch == self._epochs:
                break
            of_unit = np.asarray(by_unit @ _score_labels(in_part, total, share, per_unit))
            chance = _find_chances(np.where(on_side, of_unit, -of_unit), per_unit, epoch)
            on_side = on_side ^ (is_free & (self._rng.random(len(units)) < chance))
        return best


def _sum_rld(
    in_part: NDArray[np.float64],
    size: int,
    left: NDArray[np.float64],
    size_left: int,
    n_others: int,
    labels_per_row: NDArray[np.float64],
) -> float:
    """Return the sum over parts and labels of which rLD is the mean, for a part and `n_others`.

    The others count as if they were of one size and as even as whole rows allow. Without whole
    rows, a part should have no row of a label with fewer rows than half the parts, and the last
    part would get them all.
    """

    def compare(count: NDArray[np.float64], rows: float) -> NDArray[np.float64]:
        return np.abs(count / (labels_per_row * max(rows, 1.0)) - 1)

    low = np.floor(left / n_others)
    n_high = left - n_others * low
    own, other = compare(in_part, size), size_left / n_others
    of_others = (n_others - n_high) * compare(low, other) + n_high * compare(low + 1, other)
    return float((own + of_others).sum())


def _find_chances(score: NDArray[np.float64], per_unit: float, epoch: int) -> NDArray[np.float64]:
    """Return the probability of each unit to change sides, by its score."""
    is_one_sided = score >= per_unit
    usual = score[~is_one_sided]
    threshold = np.inf
    if len(usual):
        threshold = max(float(np.quantile(usual, 1 - _TAU / (1 + _DELTA) ** epoch)), 0.0)
    return np.where(
        is_one_sided,
        _P_ONE_SIDED / (1 + _DELTA_ONE_SIDED) ** epoch,
        np.where(score > threshold, _P / (1 + _DELTA) ** epoch, 0.0),
    )


def _score_labels(
    in_part: NDArray[np.float64], total: NDArray[np.float64], share: float, per_unit: float
) -> NDArray[np.float64]:
    """Return by how much each label has too many rows (above 0) or too few in the part.

    A label of one row cannot be spread and has 0.
    """
    own = in_part / np.maximum(total, 1)
    score = np.where(own >= share, (own - share) / (1 - share), (own - share) / share)
    score += per_unit * ((own > _NEARLY_ALL).astype(np.float64) - (own < _NEARLY_NONE))
    return np.where(total <= 1, 0.0, score)

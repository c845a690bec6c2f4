"""optisplit: a split improved label by label, the worst first."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_whole
from ..exceptions import InputError
from ..problem.criteria_order import order_criteria
from ..problem.problem import Problem
from .label_balance import MEASURES, LabelBalance, LabelMeasure
from .method import Method
from .random import Random

# An epoch that lowers the sum by less than this share of it ends the phase.
_LEAST_GAIN_OF_EPOCH = 1e-3
# Weight of the sizes of the parts relative to all labels together, one phase each: labels alone
# first, then sizes more and more, because a part that is a hundredth too large has a hundredth less
# of every label than its count says. Chosen by hand on the benchmark sets.
_WEIGHTS_OF_SIZES = (0.0, 0.1, 0.3, 1.0)
_MAX_EPOCHS = 50
# The published code makes at most this many epochs. It ends after one in which the sum is still
# within these limits, absolute and relative, of that of the start.
_MAX_EPOCHS_PUBLISHED = 3
_LEAST_GAIN_PUBLISHED, _LEAST_SHARE_PUBLISHED = 0.1, 1e-5


@dataclass(frozen=True)
class OptiSplit(Method):  # numpydoc ignore=PR02
    """Optisplit ("Novel split quality measures for stratified multilabel cross validation").

    For any shares and for groups. It improves a random split, or the `start` given to `split`. The
    surplus rows of the label with the worst score move from parts that have too many to parts that
    have too few. Rows with the fewest other labels move first. The move is kept if the sum of all
    scores falls. The label with the next worst score follows. After every label, an epoch ends.
    Cost O(nnz · n_parts) per epoch.

    Parameters
    ----------
    measure : str or callable, default="rld"
        What is lowered, summed over labels: "rld", "dcp", "ld", or a function of (n_parts,
        n_labels) counts and (n_parts,) sizes that returns (n_labels,) values, which takes many
        times as long.
    max_epochs : int or None, default=None
        Maximum number of epochs; the method ends earlier if an epoch has almost no gain. None: 50,
        or 3 with `published`.
    published : bool, default=False
        Whether to do what the package `optisplit` does, as `OptiSplitPublished`.

    Notes
    -----
    Sizes are near the wanted shares, but not always exact: labels come first.
    Labels that more than half of the rows hold are judged and moved by the rows that lack them, as
    the paper says.
    Rows that remain when a label is divided go to the parts that lack most rows.
    Labels are judged against parts of the wanted sizes, so that only the labels of rows that moved
    are scored again. Therefore, for rLD and LD, the sizes are treated as one more label. It gets a
    weight when the other labels no longer improve.
    A function gets the actual counts and sizes. For a label that most rows have, it gets the counts
    of the rows without it.

    Examples
    --------
    >>> y = evenfold.datasets.make_movies().genres
    >>> s = evenfold.split(y, 5, method=evenfold.methods.OptiSplit(measure="dcp"))
    >>> bool(s.quality.dcp < evenfold.split(y, 5, method="random").quality.dcp / 5)
    True
    """

    name = "optisplit"
    improves = True
    measure: str | LabelMeasure = "rld"
    max_epochs: int | None = None
    published: bool = False

    def __post_init__(self) -> None:
        if not callable(self.measure) and self.measure not in MEASURES:
            raise InputError(
                f"must be {', '.join(MEASURES)}, or a function of counts and sizes, got "
                f"{self.measure!r}. Try 'rld'.",
                parameter="measure",
            )
        if self.max_epochs is not None:
            check_whole(
                self.max_epochs, "max_epochs", f"Leave it out for {self._default_max_epochs}."
            )

    @property
    def _default_max_epochs(self) -> int:
        return _MAX_EPOCHS_PUBLISHED if self.published else _MAX_EPOCHS

    def count_steps(self, n_units: int, n_entries: int, n_criteria: int, n_parts: int) -> float:
        """Return about how many steps, of a nanosecond or so, one split takes.

        A measure that is a function is called for each label.
        """
        of_scores = 0
        if callable(self.measure):
            of_scores = n_criteria * (50_000 + 20 * n_criteria * n_parts)
        elif self.published and self.measure != "dcp":
            of_scores = 2 * n_criteria**2 * n_parts
        return (self.max_epochs or self._default_max_epochs) * (of_scores + 10 * n_entries)

    def place(self, problem: Problem, rng: np.random.Generator) -> NDArray[np.int32]:
        """Return the part of each unit, (n_units,)."""
        start = Random().place(problem, rng) if problem.start is None else problem.start
        balance = LabelBalance(
            order_criteria(problem, rng), start, self.measure, self.published, rng
        )
        n_epochs = self.max_epochs or self._default_max_epochs
        if self.published:
            _improve_as_published(balance, n_epochs)
        else:
            with_sizes = self.measure in ("rld", "ld")
            _improve(balance, n_epochs, _WEIGHTS_OF_SIZES if with_sizes else (0.0,))
        return balance.part_of_unit


@dataclass(frozen=True)
class OptiSplitPublished(OptiSplit):  # numpydoc ignore=PR02
    """Optisplit as in the package `optisplit` 0.2, for any shares and for groups.

    It gives the splits of `OptiSplit(published=True)`. With the same start, these are the splits of
    the package, except for ties, which the package breaks as NumPy sorts them.

    Parameters
    ----------
    measure : str or callable, default="rld"
        What is lowered, as for `OptiSplit`. The package has no functions.
    max_epochs : int or None, default=None
        Maximum number of epochs; None: 3.

    Notes
    -----
    After each change that is kept, the labels are sorted again by their scores.
    Labels are judged against parts of the sizes that they have, and sizes are not corrected.
    Labels that most rows have are judged and moved like any other. The package is meant to count
    the rows without them, but a wrong index makes it do so for the first label instead.
    Rows that remain when a label is divided go to the first parts.
    Among rows with equally many labels, the first one moves first.
    The method ends after three epochs, or if the gain since the start is at most 0.1 in the sum
    over labels.
    The package always starts from the same folds; here the seed draws them.
    The package has no unequal parts, groups or fixed rows. Here the rows that remain when a label
    is divided go to the parts with the largest fractions, then to the first ones. Groups move with
    all their rows. Fixed rows count, but do not move.

    Examples
    --------
    >>> y = evenfold.datasets.make_movies().genres
    >>> published = evenfold.split(y, 5, method="optisplit-published").quality
    >>> ours = evenfold.split(y, 5, method="optisplit").quality
    >>> bool(ours.rld < published.rld), bool(ours.ed < published.ed)
    (True, True)
    """

    name = "optisplit-published"
    published: bool = field(default=True, init=False, repr=False)


def _improve(balance: LabelBalance, n_epochs: int, weights_of_sizes: tuple[float, ...]) -> None:
    """Run epochs with each weight of the sizes, until one has almost no gain."""
    phases = list(weights_of_sizes)
    balance.weigh_sizes(phases.pop(0))
    for _ in range(n_epochs):
        if balance.run_epoch() > _LEAST_GAIN_OF_EPOCH * balance.total_score:
            continue
        if not phases:
            break
        balance.weigh_sizes(phases.pop(0))


def _improve_as_published(balance: LabelBalance, n_epochs: int) -> None:
    """Run epochs until one ends near the score of the start; the sizes have no weight."""
    balance.weigh_sizes(0.0)
    score_of_start = balance.total_score
    for _ in range(n_epochs):
        balance.run_epoch()
        limit = _LEAST_GAIN_PUBLISHED + _LEAST_SHARE_PUBLISHED * balance.total_score
        if score_of_start - balance.total_score <= limit:
            break

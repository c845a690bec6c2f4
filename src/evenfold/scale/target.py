"""Target: what all partitions together must reach. Small arrays, the same for every task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..problem.cover import find_least, find_price_of_lacking
from ..problem.criteria import Level
from ..problem.problem import Problem
from .units import Units

# A label's turns begin at a place below this number, so that equal parts get its extra rows alike.
_MOST_OFFSET = 1000


@dataclass(frozen=True, eq=False)
class Target:
    """What the units of all partitions must reach.

    Attributes
    ----------
    weights : NDArray[np.int64]
        (n_parts,) wanted shares as whole numbers.
    sizes : NDArray[np.int64]
        (n_parts,) rows that each part should get, held ones included.
    level : NDArray[np.int64]
        (n_criteria,) the `Level` of each criterion.
    is_amount : NDArray[np.bool_]
        (n_criteria,) True for totals of real numbers.
    total : NDArray[np.int64]
        (n_criteria,) amount of each criterion over all rows, held ones included.
    held : NDArray[np.int64]
        (n_criteria, n_parts) what rows hold that may not move: fixed ones and those of an earlier
        split.
    held_rows : NDArray[np.int64]
        (n_parts,) these rows.
    n_units : NDArray[np.int64]
        (n_criteria,) units that have each criterion.
    cover : int or None
        Rows of each label in every part, as `find_least` takes it.
    seed : int
        The seed.
    """

    weights: NDArray[np.int64]
    sizes: NDArray[np.int64]
    level: NDArray[np.int64]
    is_amount: NDArray[np.bool_]
    total: NDArray[np.int64]
    held: NDArray[np.int64]
    held_rows: NDArray[np.int64]
    n_units: NDArray[np.int64]
    cover: int | None
    seed: int

    @property
    def n_rows(self) -> int:
        """Number of rows, held ones included."""
        return int(self.sizes.sum())

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.sizes)

    @property
    def n_criteria(self) -> int:
        """Number of criteria."""
        return len(self.total)

    @property
    def wanted(self) -> NDArray[np.float64]:
        """(n_criteria, n_parts) what the free units should add to each part; it may be negative."""
        return np.asarray(self.total[:, None] * (self.sizes / self.n_rows) - self.held)

    @property
    def shares(self) -> NDArray[np.float64]:
        """(n_criteria, n_parts) the share of each part in the free units of a criterion."""
        wanted = np.maximum(self.wanted, 0.0)
        whole = wanted.sum(axis=1, keepdims=True)
        return np.asarray(wanted / np.where(whole > 0, whole, 1.0))

    @property
    def row_shares(self) -> NDArray[np.float64]:
        """(n_parts,) the share of each part in the free rows."""
        wanted = np.maximum(self.sizes - self.held_rows, 0).astype(np.float64)
        return np.asarray(wanted / max(1.0, wanted.sum()))

    @property
    def offsets(self) -> NDArray[np.int64]:
        """(n_criteria,) where the turns of each criterion begin."""
        rng = self.make_rng("offsets", 0)
        return rng.integers(0, _MOST_OFFSET, self.n_criteria)

    @property
    def least(self) -> NDArray[np.int64]:
        """(n_criteria, n_parts) rows that the parts must hold; empty if none."""
        is_label = (self.level == Level.LABELS) & ~self.is_amount
        turn = np.arange(self.n_criteria)
        return find_least(self.cover, self.weights, self.total, self.n_units, is_label, turn)

    def make_rng(self, what: str, number: int) -> np.random.Generator:
        """Return the generator of one task, which depends on the seed and the task alone."""
        return np.random.default_rng([self.seed, *what.encode(), number])

    def make_section(
        self,
        units: Units,
        wanted: NDArray[np.float64],
        sizes: NDArray[np.int64],
        start: NDArray[np.int32] | None = None,
        least: NDArray[np.int64] | None = None,
    ) -> Problem:
        """Return the problem of some free units; its criteria are those that they have.

        Parameters
        ----------
        units : Units
            The units.
        wanted : NDArray[np.float64]
            (n_criteria, n_parts) what they should add to each part.
        sizes : NDArray[np.int64]
            (n_parts,) the rows that they should add.
        start : NDArray[np.int32] or None, default=None
            (n_units,) a split to improve.
        least : NDArray[np.int64] or None, default=None
            (n_criteria, n_parts) rows that they must add; None if there is no such rule.

        Returns
        -------
        Problem
            The problem.
        """
        is_own = np.zeros(self.n_criteria, bool)
        is_own[units.indices] = True
        own = np.flatnonzero(is_own)
        number_of = (np.cumsum(is_own) - 1).astype(np.int32)
        has_least = least is not None and least.size > 0
        return Problem(
            indptr=units.indptr,
            indices=number_of[units.indices],
            amounts=units.amounts,
            level_of_criterion=self.level[own],
            is_amount=self.is_amount[own],
            rows_of_unit=units.rows,
            weights=self.weights,
            sizes=sizes,
            fixed=np.full(units.n_units, -1, np.int32),
            start=start,
            least=np.maximum(0, least[own]) if least is not None and has_least else _NONE,
            price_of_lacking=find_price_of_lacking(self.cover) if has_least else 0,
            size_slack=np.zeros(self.n_parts, np.int64),
            wanted=wanted[own],
            overall=self.total[own],
            n_overall_rows=self.n_rows,
        )

    def to_record(self) -> dict[str, Any]:
        """Return the target as a record of the work folder."""
        return asdict(self)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> Target:
        """Read a target from a record that has its fields."""
        return cls(**{name: record[name] for name in cls.__dataclass_fields__})


_NONE = np.empty((0, 0), np.int64)

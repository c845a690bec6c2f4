"""Prices of a relaxation that make its bound as high as possible."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .programmes import solve_programme
from .relaxation import Prices, Relaxation
from .values import Floats

# Nodes of the search over the large groups of one label: while prices change, and at the end.
_NODES_PER_STEP = 10
_NODES_AT_END = 100
# The first steps aim this share above the bound of labels alone. These numbers were tuned on
# Wiki10-31K and genbase at 80/10/10.
_FIRST_AIM = 0.1
# After this many steps that gain less than a twentieth of the aim, the aim is halved.
_PATIENCE = 8
# The search ends when it aims less than this share above the bound.
_LAST_AIM = 1e-4
# The share of the newest direction in the direction of a step; the rest are the directions before.
_NEWEST = 0.85
# If no part is larger than another by this factor, prices hardly raise the bound.
_NEARLY_EQUAL = 1.01
# Units that would lose less than this share of the aim in another part are divided among the parts.
_SOFTNESS = 5.0


class Raised(NamedTuple):
    """What came of raising prices.

    Attributes
    ----------
    bound : float
        No split has a lower cost.
    is_final : bool
        Whether the search ended by itself, not by the limit of steps.
    """

    bound: float
    is_final: bool


class Placed(NamedTuple):
    """Units placed where they cost least.

    Attributes
    ----------
    cost : (n_units,) array of float
        The cost of each unit.
    of_row : (n_classes,) array of float
        The prices of rows.
    """

    cost: Floats
    of_row: Floats


def raise_bound(relaxation: Relaxation, max_steps: int) -> Raised:
    """Return a lower bound of the cost of every split.

    Every label alone gives the first bound. Prices that are the same in all parts change nothing,
    so if all parts have the same size, that bound is the best, and nearly so if they differ little.
    Otherwise the best prices come from a linear programme if there are few kinds of units or if
    each row holds exactly one label, else from subgradient ascent, whose bound is valid after any
    number of steps.
    """
    prices = Prices(np.zeros(relaxation.shape), np.zeros(relaxation.shape[1]))
    best = _bound_at(relaxation, prices)
    if relaxation.shape[1] == 1:
        return Raised(best, True)
    solved = solve_programme(relaxation)
    if solved is not None:
        bound = _bound_at(relaxation, solved)
        if not len(relaxation.groups.rows):
            return Raised(max(best, bound), True)
        if bound > best:
            best, prices = bound, solved
    if relaxation.sizes.max() <= _NEARLY_EQUAL * relaxation.sizes.min():
        return Raised(best, True)
    return _ascend(relaxation, prices, best, max_steps)


def _bound_at(relaxation: Relaxation, prices: Prices) -> float:
    """Return the bound at given prices, with a long search over large groups."""
    cost, _ = relaxation.spread(prices.of_label, _NODES_AT_END)
    of_unit = relaxation.pay(prices.of_label) + relaxation.units.rows[:, None] * prices.of_row
    return relaxation.bound(prices, cost, of_unit.min(axis=1))


def _ascend(relaxation: Relaxation, prices: Prices, best: float, max_steps: int) -> Raised:
    """Raise the bound by steps toward a level above the best one (Goffin and Kiwiel 1999)."""
    n_rows, n_classes = int(relaxation.rows_wanted.sum()), relaxation.shape[1]
    # Common labels change by many rows at once, so their prices take smaller steps.
    scale = 1 / relaxation.rows_of_label[:, None]
    highest = relaxation.find_highest_price()[:, None]
    # A bound of 0 can be raised too.
    unit = max(best, 0.01)
    aim = _FIRST_AIM * unit
    direction, soft_prices, kept = np.zeros(relaxation.shape), prices.of_row, prices
    n_idle = 0
    is_final = False
    for step in range(max_steps):
        cost, wanted = relaxation.spread(prices.of_label, _NODES_PER_STEP)
        pay = relaxation.pay(prices.of_label)
        placed = place_units(relaxation, pay, prices.of_row, step % n_classes)
        prices = Prices(prices.of_label, placed.of_row)
        bound = relaxation.bound(prices, cost, placed.cost)
        n_idle = 0 if bound > best + aim / 20 else n_idle + 1
        if bound > best:
            best, kept = bound, prices
        if n_idle == _PATIENCE:
            aim, n_idle = aim / 2, 0
            is_final = aim < _LAST_AIM * unit
        soft, soft_prices = _divide_units(relaxation, pay, soft_prices, _SOFTNESS * aim / n_rows)
        newest = wanted - relaxation.count(soft)
        direction = newest if step == 0 else _NEWEST * newest + (1 - _NEWEST) * direction
        length = float((scale * direction**2).sum())
        is_final = is_final or length == 0
        if is_final:
            break
        moved = prices.of_label + (best + aim - bound) / length * scale * direction
        prices = Prices(np.clip(moved, -highest, highest), prices.of_row)
    return Raised(max(best, _bound_at(relaxation, kept)), is_final)


def place_units(relaxation: Relaxation, pay: Floats, of_row: Floats, first: int) -> Placed:
    """Place each unit where it costs least, with prices of rows such that the sizes fit.

    The price in one class after the other, from class `first` on, is set to the one at which the
    class gets its rows. This is exact for two classes.
    """
    rows = relaxation.units.rows
    available = rows * relaxation.units.n_alike
    of_row, n_classes = of_row.copy(), len(of_row)
    cost = pay + rows[:, None] * of_row
    # The second of two classes gets the rest.
    for own in [0] if n_classes == 2 else np.roll(np.arange(n_classes), -first):
        cost[:, own] = np.inf
        # A unit is in this class if the price of a row there is lower than this.
        highest = (cost.min(axis=1) - pay[:, own]) / rows
        order = np.argsort(-highest)
        n_before = np.cumsum(available[order])
        at = np.searchsorted(n_before, relaxation.rows_wanted[own])
        of_row[own] = highest[order[at]]
        cost[:, own] = pay[:, own] + rows * of_row[own]
    return Placed(cost.min(axis=1), of_row)


def _divide_units(
    relaxation: Relaxation, pay: Floats, of_row: Floats, softness: float
) -> tuple[Floats, Floats]:
    """Return how many of each kind of unit are in each class, and the prices of rows for that.

    Each unit is divided among the classes by a softmax of its costs. Directions from whole units
    change with every step, those from divided ones little.
    """
    rows, n_alike = relaxation.units.rows, relaxation.units.n_alike
    share = np.empty(pay.shape)
    # Two rounds of Sinkhorn's algorithm, from the prices of the step before.
    for _ in range(2):
        cost = (pay / rows[:, None] + of_row) / softness
        share = np.exp(cost.min(axis=1, keepdims=True) - cost)
        share /= share.sum(axis=1, keepdims=True)
        got = np.maximum((rows * n_alike) @ share, 1e-9)
        of_row = of_row + softness * np.clip(np.log(got / relaxation.rows_wanted), -5, 5)
    return share * n_alike[:, None], of_row

"""Records that the sweeps of even read and write."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Prices(NamedTuple):
    """What deviations cost: a weight per criterion, a factor per part.

    `log_share_of_part` is 1024 times the logarithm of the part's share of the largest part.
    `least` (n_criteria, n_parts), or empty, is the deviation below which a part lacks rows. Each
    row that it lacks costs `price_of_lacking` times as much as any other row.
    """

    weight_of_criterion: NDArray[np.int64]
    factor_of_part: NDArray[np.int64]
    log_share_of_part: NDArray[np.int64]
    least: NDArray[np.int64]
    price_of_lacking: int


class Sweeps(NamedTuple):
    """For each sweep its kind, its temperature and the weight of the row count."""

    kind: NDArray[np.int64]
    temperature: NDArray[np.int64]
    row_weight: NDArray[np.int64]


class Placement(NamedTuple):
    """The part of each unit, and by how much each part deviates from its targets.

    `deviation` (n_criteria, n_parts) is in amounts, `row_deviation` (n_parts,) counts each row
    as `unit_step`.
    """

    part_of_unit: NDArray[np.int32]
    deviation: NDArray[np.int64]
    row_deviation: NDArray[np.int64]


class Step(NamedTuple):
    """Settings of one sweep: temperature, weight of the row count, value of a row, draws."""

    temperature: int
    row_weight: int
    unit_step: int
    exponential: NDArray[np.int64]


class LookUp(NamedTuple):
    """What one row more or less of a criterion costs in a part, both (n_criteria, n_parts).

    `holder` (n_criteria,) is the last visited unit that holds the criterion.
    """

    cost_to_add: NDArray[np.int64]
    cost_to_take: NDArray[np.int64]
    holder: NDArray[np.int64]


class Slots(NamedTuple):
    """Free units sorted by part: the slots of part j begin at `first_slot[j]`."""

    first_slot: NDArray[np.int64]
    unit_in_slot: NDArray[np.int64]
    slot_of_unit: NDArray[np.int64]

"""Every tuned number of even, with what it limits.

Where nothing else is said, a number was chosen by hand so that rLD, time and sizes came out well on
the benchmark sets: bibtex, delicious, Wiki10-31K, yeast, scene, emotions, corel5k, enron, medical,
genbase, tmc2007 and, with groups, chestxray14 and debtags.
"""

from __future__ import annotations

from typing import NamedTuple

from ...problem.criteria import Level


class Effort(NamedTuple):
    """How much work a split may take; work is counted in entries read."""

    # Sweeps of moves, where labels compete.
    move_work: float
    least_move_sweeps: int
    most_move_sweeps: int
    # Data of which a sweep of swaps takes more work has a few sweeps of moves, of this work in all.
    most_sweep_work: float
    quick_move_work: float
    # Sweeps of moves with groups.
    group_move_work: float
    # Factor of the sweeps of swaps in the first round, and the most work of all rounds.
    sweeps_factor: float
    swap_work: float
    # Rounds of swaps: the most if labels compete; for others, the most work of all rounds.
    most_rounds: int
    rounds_work: float


EFFORTS = {
    "fast": Effort(3e7, 2, 20, 2e6, 1e7, 2e7, 0.5, 4e7, 1, 1e6),
    "normal": Effort(3.6e8, 4, 400, 5e6, 1.2e7, 1.2e8, 1.0, 4e8, 3, 3e6),
    "best": Effort(4e9, 20, 2000, 1e8, 1e9, 2e9, 4.0, 8e9, 20, 1e9),
}

# Sweeps of swaps in the first round, by the last level of the criteria.
ROUND_SWEEPS = {Level.LABELS: 40, Level.REST: 40, Level.PAIRS: 240}
# Small data gets more sweeps: as many as this work allows, up to this factor.
SMALL_WORK = 1.5e6
USUAL_LABELS = 200
MOST_SMALL_FACTOR = 4.0
# Temperatures of swaps, as multiples of the price of a row: the start of quick swaps, of the
# commonest label, and the end of all, of the commonest criterion.
QUICK_SWAP_TEMPERATURE = 0.3
END_TEMPERATURE = 0.05
# Fewer sweeps of moves than this start at a lower temperature, by this factor: they could not
# repair all that a high one worsens. With nine sweeps, the lower start made "fast" worse.
FEW_MOVE_SWEEPS = 6
FEW_MOVES_FACTOR = 0.25

# With more entries than this, a random split and one sweep are tried first: where labels do not
# compete they reach the bound, and iterative stratification, the longest step on millions of rows,
# is not needed. Then this many units swap parts, to repair the last rows, in so many sweeps.
MANY_ENTRIES = 2_500_000
UNITS_TO_SWAP = 20_000
QUICK_SWEEPS = 40

# If labels compete, the weight of a label of m rows is proportional to m to minus this power. With
# 1, the cost is rLD itself, and common labels pay for rare ones: on Wiki10-31K, labels of 50 rows
# and more were six times as uneven as their bound. With 0.65 they are four times, at the same rLD.
COMPETING_EXPONENT = 0.67
# The number of groups weighs this many times as much as a label that all of them hold.
GROUPS_WEIGHT = 20.0
# Of each kind of equal units, each of equal parts gets this many less than its share; they stay
# free. With 0, labels were less even; with 3, splits were no better, but slower.
FREE_UNITS_OF_KIND = 1


class Stage(NamedTuple):
    """A stage of swaps of labels and the rest.

    `rest_weight` is the weight of the rest relative to labels, `temperature` the first one as a
    multiple of the price of a row of the commonest label, `share` that of the round's sweeps.
    """

    rest_weight: float
    temperature: float
    share: float


# Labels and the rest are annealed together. First the rest weighs as much as labels, so that rare
# labelsets, which are hard to repair later, are spread at once. Then its weight decreases: in the
# last stage, labels are made even, and the rest only where this does not worsen labels. Started at
# a tenth of the weight, labelsets took four times as long to become as even.
STAGES = {
    Level.LABELS: (Stage(1.0, 0.5, 1.0),),
    Level.REST: (Stage(1.0, 2.0, 0.4), Stage(0.1, 0.2, 0.3), Stage(0.01, 0.05, 0.3)),
    Level.PAIRS: (Stage(1.0, 2.0, 0.4), Stage(0.1, 0.2, 0.3), Stage(0.01, 0.05, 0.3)),
}
ROUND_MOVES = 50
REST_WEIGHT_OF_MOVES = 0.3
ROUND_GROWTH = 1.5
STUCK = 1.01
FINAL_SHARE = 0.1
# Weight of the rest at the end, when it must not worsen labels.
FINAL_REST_WEIGHT = 0.001
# With fewer sweeps of swaps, labels and pairs are not improved together: pairs are then improved
# only where this does not worsen the other criteria.
MIN_JOINT_SWEEPS = 40
# The joint search may make labels this much more uneven than a search for labels alone; beyond it,
# labels are made even alone, then the rest without worsening labels.
MOST_COST_TO_LABELS = 1.02
# Sweeps in which the rest is improved at no cost to labels that compete.
REST_SWEEPS = 40

# Labels, and the rest, within these shares of their bounds count as at them.
BOUND_TOLERANCE = 1e-4
REST_TOLERANCE = 2e-3
# Above this multiple of their bound, labels compete: not all can reach their best at once.
COMPETING = 1.003
# Labels compete so much that they need moves instead of swaps above this multiple of their bound,
# if units have more labels than this on average and a round of swaps takes more work than this:
# each swap of units with many labels gains little.
FAR_FROM_BOUND = 1.05
MANY_LABELS_OF_UNIT = 8
MANY_SWAPS = 5e7
# Moves start at this multiple of the price of a rare label: half of it was better from the start of
# `assignment` on delicious in 5 and 10 folds and at 80/10/10.
HOT_MOVES = 0.5
# With groups, many sweeps of moves start hotter, by this multiple of the rows that a group moves:
# the price of one row is too cold for them. With fewer sweeps than this, that makes parts worse.
MANY_MOVE_SWEEPS = 40
GROUP_HEAT = 3.0
MOST_GROUP_SWAPS = 30
REST_WEIGHT_OF_GROUP_MOVES = 0.1

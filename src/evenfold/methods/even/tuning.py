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
    # Free units with more entries than this have a few sweeps of moves, of this work in all.
    most_entries: float
    quick_move_work: float
    # Sweeps of moves with groups.
    group_move_work: float
    # Factor of the sweeps of swaps in the first round, and the most work of all rounds.
    sweeps_factor: float
    swap_work: float
    # Rounds of swaps if labels compete: this many, or as many as this work allows.
    most_rounds: int
    competing_work: float
    # Work of all rounds of small data, for the rest.
    small_work: float


EFFORTS = {
    "fast": Effort(
        move_work=3e7,
        least_move_sweeps=2,
        most_move_sweeps=20,
        most_entries=2e5,
        quick_move_work=1e7,
        group_move_work=2e7,
        sweeps_factor=0.5,
        swap_work=4e7,
        most_rounds=1,
        competing_work=0.0,
        small_work=1e6,
    ),
    "normal": Effort(
        move_work=3.3e8,
        least_move_sweeps=4,
        most_move_sweeps=400,
        most_entries=8e5,
        quick_move_work=1.2e7,
        group_move_work=1.2e8,
        sweeps_factor=1.0,
        swap_work=4e8,
        most_rounds=2,
        competing_work=2e7,
        small_work=3e6,
    ),
    "best": Effort(
        move_work=4e9,
        least_move_sweeps=20,
        most_move_sweeps=2000,
        most_entries=1e8,
        quick_move_work=1e9,
        group_move_work=2e9,
        sweeps_factor=4.0,
        swap_work=8e9,
        most_rounds=20,
        competing_work=1e9,
        small_work=1e8,
    ),
}

# Sweeps of swaps in a round, by the last level of the criteria.
ROUND_SWEEPS = {Level.LABELS: 40, Level.REST: 40, Level.PAIRS: 300}
# Rounds have more sweeps, up to this factor, if they take less work than this, or in proportion to
# the labels if there are more of them than this.
SMALL_WORK = 1.5e6
USUAL_LABELS = 200
MOST_SMALL_FACTOR = 4.0
# Each round begins with this many sweeps of moves, divided by the number of parts, in which the
# rest has this weight. Without them, rare labels stayed in wrong parts at 80/10/10.
ROUND_MOVES = 50
REST_WEIGHT_OF_MOVES = 0.3
# It ends with swaps that lower the cost, of this share of its sweeps.
FINAL_SHARE = 0.1

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
# and more were six times as uneven as their bound. With 0.67 they are four times, at the same rLD;
# with 0.65 delicious at 80/10/10 was 1 % less even, with 0.75 those labels were five times.
COMPETING_EXPONENT = 0.67
# The number of groups weighs this many times as much as a label that all of them hold. With 10,
# debtags at 80/10/10 was 1.5 % off once.
GROUPS_WEIGHT = 20.0
# It weighs at most this many times as much as a row of the label with the median weight: with few
# groups, a group too many would otherwise outweigh all labels.
MOST_GROUPS_WEIGHT = 3.0
# Of each kind of equal units, each of equal parts gets this many less than its share; they stay
# free. With 0, labels were less even; with 3, splits were no better, but slower.
FREE_UNITS_OF_KIND = 1
# Up to this many units all stay free. If labels are not at their bound, there are this many rounds:
# that takes about a tenth of a second, and finds the best split nearly always.
FEW_UNITS = 300
FEW_UNITS_ROUNDS = 80
# Small data has at most this many rounds for the rest.
MOST_SMALL_ROUNDS = 3


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
# Weight of the rest at the end, when it must not worsen labels.
FINAL_REST_WEIGHT = 0.001
# With fewer sweeps of swaps, labels and pairs are not improved together: pairs are then improved
# only where this does not worsen the other criteria.
MIN_JOINT_SWEEPS = 40
# The joint search may make labels this much more uneven than a search for labels alone; beyond it,
# labels are made even alone, then the rest without worsening labels.
MOST_COST_TO_LABELS = 1.02
# Sweeps in which the rest is improved at no cost to labels that compete.
REST_SWEEPS = 15

# Labels, and the rest, within these shares of their bounds count as at them.
BOUND_TOLERANCE = 1e-4
REST_TOLERANCE = 2e-3
# Above this multiple of their bound, labels compete: not all can reach their best at once.
COMPETING = 1.003
# Above this multiple, swaps at low temperatures do not help: a round starts from the beginning.
STUCK = 1.01
# Labels compete so much that they need moves instead of swaps above this multiple of their bound,
# if units have more labels than this on average and a round of swaps takes more work than this:
# each swap of units with many labels gains little.
FAR_FROM_BOUND = 1.01
MANY_LABELS_OF_UNIT = 8
MANY_SWAPS = 5e7
# Moves start at this multiple of the price of a rare label: half of it was better from the start of
# `assignment` on delicious in 5 and 10 folds and at 80/10/10.
HOT_MOVES = 0.5
# With groups, many sweeps of moves start hotter, by this multiple of the rows that a group moves:
# the price of one row is too cold for them. With fewer sweeps than this, that makes parts worse.
MANY_MOVE_SWEEPS = 40
GROUP_HEAT = 3.0
# The weight of the rest in moves of groups. With 0.1, many labels in large groups (made up, of at
# most 30 and 60 rows) were up to twice as uneven; with 0.01, labelsets were up to 10 % less even.
REST_WEIGHT_OF_GROUP_MOVES = 0.03
# The most sweeps of swaps after moves of groups.
MOST_GROUP_SWAPS = 30
# Up to this many groups, labels are also made even alone. With 25 to 100 made-up groups, they were
# a tenth to a third more even, and labelsets up to 8 % less; with 250 groups, labelsets 25 % less.
FEW_GROUPS = 100
# The most rounds of small data.
MOST_GROUP_ROUNDS = 10

# With a number of seconds: growth of the rounds after the second, and the share of the time left
# that a round may fill. One that would have less than a fourth of the sweeps of the last one is not
# worth its time.
ROUND_GROWTH = 2
SHARE_OF_TIME = 0.9
MOST_SHRINKING = 4

# A section of very large data: sweeps of moves if units have many labels, or few, and the first
# temperature, as a multiple of `Temperatures.hot`. Tuned on go_sp2014_mf and made ontologies in 64
# sections, and on made Zipf labels in sections of 2.5 million entries: with 8 sweeps instead of 2,
# the latter were 0.1 % more even and took twice the time.
MANY_SECTION_SWEEPS = 8
FEW_SECTION_SWEEPS = 2
SECTION_HEAT = 0.25
# Sweeps of swaps in which the rest of a section is improved at no cost to labels.
REST_SECTION_SWEEPS = 3
# The section that corrects the others: work of its sweeps, their limits, and the first and last
# temperature, as multiples of `hot` and `warm`. With 0.5 and 1, a made ontology was 1 % less even.
CENTRE_WORK = 4e8
LEAST_CENTRE_SWEEPS = 50
MOST_CENTRE_SWEEPS = 150
CENTRE_HEAT = 1.0
# Up to this many entries, the usual plan of the method is tried too.
SMALL_CENTRE = 500_000
CENTRE_WARMTH = 5.0

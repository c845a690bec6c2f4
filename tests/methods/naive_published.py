"""Slow, obvious versions of optisplit and SS, written from what the published code does."""

from __future__ import annotations

import math
from fractions import Fraction


class PublishedOptisplit:
    """Optisplit as its package does it, in exact fractions.

    `units`: per unit a dict label → amount; `part_of_unit`: the start; units that are `fixed` (not
    -1) stay. Labels that every row has are not tried.
    """

    def __init__(self, units, rows_of_unit, weights, measure, part_of_unit, fixed):
        self.units, self.rows_of_unit, self.measure = units, rows_of_unit, measure
        self.part_of_unit = [int(part) for part in part_of_unit]
        self.shares = [Fraction(int(weight), int(sum(weights))) for weight in weights]
        self.parts, self.n = range(len(weights)), sum(rows_of_unit)
        self.total = {i: self.sum_label(i) for i in sorted({i for unit in units for i in unit})}
        self.labels = [i for i, total in self.total.items() if total < self.n]
        self.movable = sorted(
            (unit for unit in range(len(units)) if fixed[unit] < 0),
            key=lambda unit: sum(i in self.labels for i in units[unit]),
        )

    def sum_label(self, label, part=None):
        """Return the rows of a label, in a part or in all."""
        pairs = zip(self.units, self.part_of_unit, strict=True)
        return sum(unit.get(label, 0) for unit, own in pairs if part in (None, own))

    def score(self, label):
        """Return the measure of a label, for the sizes that the parts have."""
        m, n, values = self.total[label], self.n, []
        for part in self.parts:
            pairs = zip(self.rows_of_unit, self.part_of_unit, strict=True)
            size, own = sum(rows for rows, at in pairs if at == part), self.sum_label(label, part)
            if self.measure == "dcp":
                values.append(Fraction(own, m) - self.shares[part])
            elif self.measure == "rld":
                values.append(abs(Fraction(own * n, m * size) - 1) if size else Fraction(1))
            else:
                odds = Fraction(own, size - own) if size > own else Fraction(max(size - 1, 0))
                values.append(abs(odds - Fraction(m, n - m)))
        return max(values) if self.measure == "dcp" else sum(values) / len(values)

    def total_score(self):
        """Return what is lowered."""
        return sum(map(self.score, self.labels))

    def find_surplus(self, label):
        """Return what each part has too much; the first parts get the rows that remain."""
        exact = [self.total[label] * share for share in self.shares]
        wanted = [math.floor(amount) for amount in exact]
        first = sorted(self.parts, key=lambda part: (-(exact[part] % 1), part))
        for part in first[: self.total[label] - sum(wanted)]:
            wanted[part] += 1
        return [self.sum_label(label, part) - wanted[part] for part in self.parts]

    def balance(self, label):
        """Move the surplus of a label and return how many units have moved.

        Parts give in the order of their numbers, units with few labels first, and take in the same
        order: the first one what was given first, the others the units with the lowest numbers.
        """
        surplus, given, n_taken = self.find_surplus(label), [], 0
        for part in self.parts:
            for unit in self.movable:
                amount = self.units[unit].get(label, 0)
                if self.part_of_unit[unit] == part and 0 < amount <= surplus[part]:
                    surplus[part] -= amount
                    given.append(unit)
        for part in self.parts:
            while surplus[part] < 0 and given:
                unit = given.pop(0)
                self.part_of_unit[unit] = part
                surplus[part] += self.units[unit][label]
                n_taken += 1
            if n_taken:
                given.sort()
        return n_taken

    def run_epoch(self):
        """Make as many tries as there are labels; sort them again after each that is kept."""
        worst_first, n_skipped = sorted(self.labels, key=self.score, reverse=True), 0
        for _ in self.labels:
            before, old_score = list(self.part_of_unit), self.total_score()
            n_moved = self.balance(worst_first[n_skipped])
            if n_moved and old_score - self.total_score() > Fraction(1, 10**9):
                worst_first.sort(key=self.score, reverse=True)
            else:
                self.part_of_unit = before
                n_skipped += 1

    def run(self, max_epochs):
        """Return the part of each unit; end early near the score of the start."""
        at_start = self.total_score()
        for _ in range(max_epochs):
            self.run_epoch()
            score = self.total_score()
            if at_start - score <= Fraction(1, 10) + score / 10**5:
                break
        return self.part_of_unit


def sampling_published(units, rows_of_unit, weights, fixed, epochs, rng):
    """SS as its authors' code does it; parts are cut off in turn, each from the units left.

    `units`: per unit a dict label → amount; units that are `fixed` (not -1) stay in their part.
    """
    part_of_unit, left = [None] * len(units), list(range(len(units)))
    for part in range(len(weights) - 1):
        wanted = sum(rows_of_unit) * weights[part] / sum(weights)
        n_left = sum(rows_of_unit[unit] for unit in left)
        share = wanted / n_left if wanted < n_left else weights[part] / sum(weights[part:])
        in_test = {
            unit: draw < share if fixed[unit] < 0 else fixed[unit] == part
            for unit, draw in zip(left, rng.random(len(left)), strict=True)
        }
        for epoch in range(epochs):
            for unit, draw, chance in zip(
                left,
                rng.random(len(left)),
                find_chances([units[unit] for unit in left], in_test.values(), share, epoch),
                strict=True,
            ):
                if fixed[unit] < 0 and draw < chance:
                    in_test[unit] = not in_test[unit]
        for unit in left:
            if in_test[unit]:
                part_of_unit[unit] = part
        left = [unit for unit in left if not in_test[unit]]
    return [len(weights) - 1 if part is None else part for part in part_of_unit]


def find_chances(units, in_test, share, epoch):
    """Return the probability of each unit to change sides."""
    in_test = list(in_test)
    mean = sum(sum(unit.values()) for unit in units) / max(len(units), 1)
    scores = []
    for unit, is_in_test in zip(units, in_test, strict=True):
        score = sum(
            amount * score_label(label, units, in_test, share, mean)
            for label, amount in unit.items()
        )
        scores.append(score if is_in_test else -score)
    usual = sorted(score for score in scores if score < mean)
    # The quantile, interpolated between two neighbours.
    place = (1 - 0.1 / 1.1**epoch) * (len(usual) - 1)
    low = math.floor(place)
    threshold = math.inf
    if usual:
        high = usual[min(low + 1, len(usual) - 1)]
        threshold = max(usual[low] + (high - usual[low]) * (place - low), 0)
    return [
        0.25 / 1.05**epoch if score >= mean else 0.1 / 1.1**epoch if score > threshold else 0
        for score in scores
    ]


def score_label(label, units, in_test, share, mean):
    """Return a positive score if too much of the label is in test, a negative if too little."""
    pairs = list(zip(units, in_test, strict=True))
    count = sum(unit.get(label, 0) for unit in units)
    own = sum(unit.get(label, 0) for unit, is_in_test in pairs if is_in_test) / count
    if count == 1:
        return 0
    if own >= share:
        return (own - share) / (1 - share) + (mean if own > 0.999 else 0)
    return (own - share) / share - (mean if own < 0.001 else 0)

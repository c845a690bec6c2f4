"""Slow and simple versions of learners, written from the papers and not from the code."""

from __future__ import annotations

import itertools
import math


def mlknn(X, y, k, s, new_rows):
    """Return the probability of each label for each new row: Zhang and Zhou 2007, Fig. 1."""
    n, labels = len(X), range(len(y[0]))

    def nearest(x, among):
        return sorted(among, key=lambda i: math.dist(x, X[i]))[:k]

    neighbours = [nearest(X[i], [j for j in range(n) if j != i]) for i in range(n)]
    found = []
    for x in new_rows:
        own = nearest(x, range(n))
        row = []
        for label in labels:
            has_label = (s + sum(y[i][label] for i in range(n))) / (s * 2 + n)
            with_count, without_count = [0] * (k + 1), [0] * (k + 1)
            for i in range(n):
                delta = sum(y[a][label] for a in neighbours[i])
                if y[i][label]:
                    with_count[delta] += 1
                else:
                    without_count[delta] += 1
            count = sum(y[a][label] for a in own)
            given_with = (s + with_count[count]) / (s * (k + 1) + sum(with_count))
            given_without = (s + without_count[count]) / (s * (k + 1) + sum(without_count))
            row.append(
                has_label * given_with / (has_label * given_with + (1 - has_label) * given_without)
            )
        found.append(row)
    return found


def calibrated_votes(base, X, y, new_rows):
    """Return the votes of each label and of the virtual label for each new row.

    The method is that of Fürnkranz et al. 2008; the virtual label is last.
    """
    from sklearn.base import clone

    q = len(y[0])
    votes = [[0] * (q + 1) for _ in new_rows]
    # Rows without a label prefer the virtual label to it; rows with it prefer the label.
    calibrated = [[*row, None] for row in y]
    for i, j in itertools.combinations(range(q + 1), 2):
        if j == q:
            training = [(x, row[i]) for x, row in zip(X, calibrated, strict=True)]
        else:
            training = [
                (x, int(row[i])) for x, row in zip(X, calibrated, strict=True) if row[i] != row[j]
            ]
        kinds = {kind for _, kind in training}
        if not kinds:
            continue
        if len(kinds) == 1:
            answers = [kinds.copy().pop()] * len(new_rows)
        else:
            answers = (
                clone(base)
                .fit([x for x, _ in training], [kind for _, kind in training])
                .predict(new_rows)
            )
        for row, answer in zip(votes, answers, strict=True):
            row[i if answer else j] += 1
    return votes


def mutual_information(y, i, j):
    """Return the mutual information of labels i and j, in bits."""
    n, total = len(y), 0.0
    for a, b in itertools.product((0, 1), repeat=2):
        joint = sum(row[i] == a and row[j] == b for row in y) / n
        alone = sum(row[i] == a for row in y) / n * sum(row[j] == b for row in y) / n
        total += joint * math.log2(joint / alone) if joint else 0
    return total

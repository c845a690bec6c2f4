"""Two learners compared on the same folds, and the better one scored on rows that no choice saw.

Run it with: python learners.py
"""

import argparse

import numpy as np
from sklearn.linear_model import LogisticRegression

import evenfold
from evenfold.learn import BinaryRelevance

METRIC = "mean_average_precision"


def make_rows(n_rows):
    """Return features, and labels of which the last ones are rare."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rows, 6))
    noise = rng.normal(size=(n_rows, 5))
    return X, (X[:, :5] + noise > [0.3, 0.6, 1.0, 1.5, 2.2]).astype(int)


def main():
    """Compare, choose, report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1000)
    X, y = make_rows(parser.parse_args().rows)
    result = evenfold.evaluate(
        {"nearest rows": "mlknn", "logistic regression": BinaryRelevance(LogisticRegression())},
        X,
        y,
        parts=5,
        methods=["even"],
        repeats=2,
        metrics=[METRIC, "f1_micro", "hamming_loss"],
        undefined="skip",
        holdout=0.2,
    )
    print(result)
    candidates = [result[name, "even"] for name in ("nearest rows", "logistic regression")]
    best = max(candidates, key=lambda estimate: estimate.pooled(METRIC))
    low, high = best.holdout_interval(METRIC)
    print(
        f"\nTo report: {best.learner}, {METRIC} {best.holdout(METRIC):.2f} [{low:.2f}, {high:.2f}]"
    )


if __name__ == "__main__":
    main()

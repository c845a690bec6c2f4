"""Rows and labels that tests of single learners share."""

import numpy as np
from sklearn.tree import DecisionTreeClassifier

TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


def make_rows(seed, n_rows=60, n_features=3, n_labels=4):
    """Return rows, labels that depend on them, and 20 new rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows + 20, n_features))
    signal = X @ rng.normal(size=(n_features, n_labels))
    y = (signal + 0.5 * rng.normal(size=signal.shape) > 0.3).astype(int)
    return X[:n_rows], y[:n_rows], X[n_rows:]

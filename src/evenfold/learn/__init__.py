"""Multi-label learners as scikit-learn estimators.

Each learner takes X (n_rows, n_features) and y (n_rows, n_labels) of 0 and 1, dense or sparse.
`predict` returns 0 and 1, dense. `predict_proba` returns the probability of each label, if the
base learner has probabilities. `decision_function` returns a number above 0 where a label is
predicted, except for `TunedThreshold`, which has thresholds of its own. A label that all training
rows have is always predicted, one that no row has never. If y is one class per row, a learner
learns one label per class and predicts the most probable.
"""

from . import names
from .names import *  # noqa: F403 - names.py lists the learners, so that a new one is added there

__all__ = names.__all__

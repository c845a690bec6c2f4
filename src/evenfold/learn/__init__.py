"""Multi-label learners as scikit-learn estimators.

Each learns from X (n_rows, n_features) and y (n_rows, n_labels) of 0 and 1, both dense or sparse, and gives `predict` (0 and 1, dense), `predict_proba`, the
probability of each label, where its base learner has probabilities, and `decision_function`, above 0 where a label is predicted. Labels that all
training rows have, or none, are always or never predicted. Handed one class per row, they learn a label for each class and predict the most probable.
"""

from .bases import BASES, make_base
from .binary_relevance import BinaryRelevance
from .calibrated_label_ranking import CalibratedLabelRanking
from .chain_ensemble import ChainEnsemble
from .classifier_chain import ClassifierChain
from .label_powerset import LabelPowerset
from .mlknn import MLkNN
from .names import LEARNERS, make_learner
from .rakel import RAkEL
from .voting_ensemble import VotingEnsemble

__all__ = [
    "BASES",
    "LEARNERS",
    "BinaryRelevance",
    "CalibratedLabelRanking",
    "ChainEnsemble",
    "ClassifierChain",
    "LabelPowerset",
    "MLkNN",
    "RAkEL",
    "VotingEnsemble",
    "make_base",
    "make_learner",
]

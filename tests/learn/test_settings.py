"""Wrong settings of learners."""

import numpy as np
import pytest
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

from evenfold import learn
from evenfold.exceptions import InputError, InputTypeError

from .rows import TREE, make_rows

WRONG_VALUES = [
    (
        learn.ClassifierChain(TREE, order=[0, 1, 2]),
        "'order' must hold each of the labels 0 to 3 once, got \\[0, 1, 2\\]. Try order='random'",
    ),
    (
        learn.ClassifierChain(TREE, order=["a", 1]),
        "'order' must hold each of the labels 0 to 3 once, got \\['a', 1\\].",
    ),
    (
        learn.ClassifierChain(TREE, order="gain"),
        "'order' must be one of random, information-gain, got 'gain'",
    ),
    (
        learn.LabelPowerset(TREE, min_rows=0),
        "'min_rows' must be 1 or more, got 0. Try min_rows=1.",
    ),
    (
        learn.CalibratedLabelRanking(LinearSVC(), voting="soft"),
        "'voting' must be 'hard' for LinearSVC, which has no probabilities, got 'soft'",
    ),
    (
        learn.CalibratedLabelRanking(TREE, max_models=0),
        "'max_models' must be 1 or more, got 0. Try max_models=5_000.",
    ),
    (
        learn.CalibratedLabelRanking(TREE, max_memory=0),
        r"'max_memory' must be 1 or more, got 0. Try max_memory=2 \* 1024\*\*3.",
    ),
    (
        learn.ChainEnsemble(TREE, voting="mild"),
        "'voting' must be one of auto, hard, soft, got 'mild'.",
    ),
    (
        learn.ChainEnsemble(TREE, n_chains=0),
        "'n_chains' must be 1 or more, got 0. Try n_chains=10.",
    ),
    (learn.MLkNN(k=0), "'k' must be 1 or more, got 0. Try k=10."),
    (learn.MLkNN(s=0), "'s' must be above 0 and finite, got 0. Try s=1.0."),
    (learn.MLkNN(s=np.inf), "'s' must be above 0 and finite, got inf. Try s=1.0."),
    (
        learn.MLkNN(threshold=1.5),
        "'threshold' must be above 0 and at most 1, got 1.5. Try threshold=0.5.",
    ),
    (learn.RAkEL(TREE, k=0), "'k' must be 1 or more, got 0. Try k=3."),
    (
        learn.RAkEL(TREE, n_models=0),
        "'n_models' must be 1 or more, got 0. Try n_models=8.",
    ),
    (
        learn.RAkEL(TREE, disjoint=True, n_models=2),
        "'n_models' must be None where labels are disjoint, got 2. Leave it out",
    ),
    (
        learn.RAkEL(TREE, k=2, n_models=1),
        "'n_models' must be 2 or more, so that models of 2 labels hold all 4 labels, got 1. "
        "Leave it out for 8.",
    ),
    (
        learn.VotingEnsemble(["br:tree", "mlknn"], weights=[1]),
        "'weights' must be 2 numbers of 0 or more, .* got \\[1\\]. Leave them out",
    ),
    (
        learn.VotingEnsemble(["br:tree"], weights=[0]),
        "'weights' must be 1 numbers of 0 or more, .* got \\[0\\]. Leave them out",
    ),
]
WRONG_TYPES = [
    (
        learn.BinaryRelevance(DecisionTreeClassifier),
        "'base' must be a classifier, or the name of one, got <class .*DecisionTree",
    ),
    (
        learn.BinaryRelevance(7),
        "'base' must be a classifier, or the name of one, got 7. Try base='random-forest'.",
    ),
    (
        learn.LabelPowerset(TREE, min_rows=1.5),
        "'min_rows' must be a whole number, got 1.5. Try min_rows=1.",
    ),
    (
        learn.ChainEnsemble(TREE, voting=None),
        "'voting' must be one of auto, hard, soft, got None. Try voting='auto'.",
    ),
    (
        learn.MLkNN(threshold="half"),
        "'threshold' must be a number, got 'half'. Try threshold=0.5.",
    ),
    (
        learn.VotingEnsemble(["br", TREE.fit]),
        "'learners' must be a list of learners or their names, got \\['br', <bound",
    ),
    (
        learn.VotingEnsemble([]),
        "'learners' must be a list of learners or their names, got \\[\\].",
    ),
    (
        learn.VotingEnsemble("br:tree"),
        "'learners' must be a list of learners or their names, got 'br:tree'.",
    ),
]


def show(value):
    """Return the start of a learner or message on one line."""
    return " ".join(str(value).split())[:60]


@pytest.mark.parametrize(("learner", "message"), WRONG_VALUES, ids=show)
def test_wrong_values_are_refused(learner, message):
    """They are refused when the learner is fitted, as in scikit-learn."""
    X, y, _ = make_rows(22)
    with pytest.raises(InputError, match=message):
        learner.fit(X, y)


@pytest.mark.parametrize(("learner", "message"), WRONG_TYPES, ids=show)
def test_wrong_types_are_refused(learner, message):
    """They are refused when the learner is fitted, as in scikit-learn."""
    X, y, _ = make_rows(22)
    with pytest.raises(InputTypeError, match=message):
        learner.fit(X, y)

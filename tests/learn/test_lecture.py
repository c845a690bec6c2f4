"""The worked examples of the lecture on ensembles and multi-label classification."""

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

from evenfold.learn import BinaryRelevance, ClassifierChain, LabelPowerset, VotingEnsemble

# Five rows of five features and four labels; the labels of the sixth row are predicted.
X = np.array(
    [[1, 0.1, 3, 1, 0], [0, 0.9, 1, 0, 1], [0, 0.0, 1, 1, 0], [1, 0.8, 2, 0, 1], [1, 0.0, 2, 0, 1]]
)
Y = np.array([[0, 1, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0], [1, 0, 0, 1], [0, 0, 0, 1]])
NEW = np.array([[0, 0.0, 3, 1, 1]])
# In the lecture's table of the powerset, the third row has the labels of the first.
Y_OF_POWERSET = np.array([[0, 1, 1, 0], [1, 0, 0, 0], [0, 1, 1, 0], [1, 0, 0, 1], [0, 0, 0, 1]])


class Recorder(ClassifierMixin, BaseEstimator):
    """A base learner that keeps what it was given and predicts its first target."""

    def fit(self, X, y):
        """Keep the rows and the targets."""
        self.classes_, self.rows_, self.targets_ = np.unique(y), X, np.asarray(y)
        return self

    def predict(self, X):
        """Return the first target for each row."""
        return np.full(len(X), self.targets_[0])


class Constant(ClassifierMixin, BaseEstimator):
    """A learner of the classes A and B that gives class A the same probability everywhere."""

    def __init__(self, probability):
        self.probability = probability

    def fit(self, X, y):
        """Learn nothing."""
        self.fitted_ = True
        return self

    def predict_proba(self, X):
        """Return the probabilities of A and of B."""
        return np.tile([self.probability, 1 - self.probability], (len(X), 1))

    def predict(self, X):
        """Return the more probable class, as a 0/1 column for each class."""
        return (self.predict_proba(X) > 0.5).astype(int)


@pytest.mark.parametrize(
    ("voting", "winner", "probability_of_a"), [("hard", "B", 1 / 3), ("soft", "A", 0.6567)]
)
def test_hard_and_soft_votes_can_differ(voting, winner, probability_of_a):
    """Three classifiers give A 99 %, 49 % and 49 %: two vote for B, but the mean is 65.67 %."""
    ensemble = VotingEnsemble([Constant(0.99), Constant(0.49), Constant(0.49)], voting=voting).fit(
        [[0], [1]], ["A", "B"]
    )
    assert ensemble.predict([[5]]).tolist() == [winner]
    assert ensemble.predict_proba([[5]])[0, 0] == pytest.approx(probability_of_a, abs=5e-5)


def test_binary_relevance_makes_a_table_for_each_label():
    """Each of the four labels is the target of a model with the same features."""
    tables = BinaryRelevance(Recorder()).fit(X, Y).models_
    assert [table.targets_.tolist() for table in tables] == [
        [0, 1, 0, 1, 0],
        [1, 0, 1, 0, 0],
        [1, 0, 0, 0, 0],
        [0, 0, 0, 1, 1],
    ]
    for table in tables:
        np.testing.assert_array_equal(table.rows_, X)


def test_powerset_makes_one_table_of_classes():
    """The five rows have four classes: 0110, 1000, 1001 and 0001."""
    fitted = LabelPowerset(Recorder()).fit(X, Y_OF_POWERSET)
    names = ["".join(map(str, labelset)) for labelset in fitted.labelsets_.toarray()]
    assert [names[number] for number in fitted.model_.targets_] == [
        "0110",
        "1000",
        "0110",
        "1001",
        "0001",
    ]
    assert len(names) == 4
    assert fitted.predict(NEW).tolist() == [[0, 1, 1, 0]]


def test_a_chain_reuses_predictions_as_features():
    """Each model sees the labels before it: true ones to learn, predicted ones to predict."""
    seen = []

    class Watched(Recorder):
        def predict(self, X):
            seen.append(X.tolist()[0])
            return super().predict(X)

    fitted = ClassifierChain(Watched()).fit(X, Y)
    for place, model in enumerate(fitted.models_):
        np.testing.assert_array_equal(model.rows_, np.hstack([X, Y[:, :place]]))
        np.testing.assert_array_equal(model.targets_, Y[:, place])
    assert fitted.predict(NEW).tolist() == [[0, 1, 1, 0]]
    features = NEW[0].tolist()
    assert seen == [features, [*features, 0], [*features, 0, 1], [*features, 0, 1, 1]]

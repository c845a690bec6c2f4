"""What each learner does, beside slow oracles and cases done by hand."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import hamming_loss
from sklearn.neighbors import KNeighborsClassifier, NearestCentroid
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

from evenfold.exceptions import InputError, InputTypeError
from evenfold.learn import (
    BASES,
    LEARNERS,
    BinaryRelevance,
    CalibratedLabelRanking,
    ChainEnsemble,
    ClassifierChain,
    LabelPowerset,
    MLkNN,
    RAkEL,
    VotingEnsemble,
    make_base,
    make_learner,
)
from evenfold.learn.chain_orders import sum_information
from evenfold.learn.label_powerset import find_labelsets

from . import naive_learners

TREE = DecisionTreeClassifier(max_depth=3, random_state=0)


def make_rows(seed, n_rows=60, n_features=3, n_labels=4):
    """Return rows, labels that depend on them, and new rows."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows + 20, n_features))
    y = (
        X @ rng.normal(size=(n_features, n_labels)) + 0.5 * rng.normal(size=(n_rows + 20, n_labels))
        > 0.3
    ).astype(int)
    return X[:n_rows], y[:n_rows], X[n_rows:]


def test_binary_relevance_is_a_model_for_each_label():
    """No more and no less."""
    X, y, new = make_rows(0)
    fitted = BinaryRelevance(TREE).fit(X, y)
    for label in range(4):
        alone = clone(TREE).fit(X, y[:, label])
        np.testing.assert_array_equal(fitted.predict(new)[:, label], alone.predict(new))
        np.testing.assert_array_equal(
            fitted.predict_proba(new)[:, label], alone.predict_proba(new)[:, 1]
        )


def test_a_chain_is_what_scikit_learn_makes_of_the_same_order():
    """With all labels varying, which scikit-learn's needs."""
    from sklearn.multioutput import ClassifierChain as Theirs

    X, y, new = make_rows(1)
    base = LogisticRegression()
    ours, theirs = (
        ClassifierChain(base, order=[2, 0, 3, 1]).fit(X, y),
        Theirs(base, order=[2, 0, 3, 1]).fit(X, y),
    )
    np.testing.assert_array_equal(ours.predict(new), theirs.predict(new))
    np.testing.assert_allclose(ours.predict_proba(new), theirs.predict_proba(new))


def test_a_chain_in_random_order():
    """Is drawn from the seed."""
    X, y, _ = make_rows(2, n_labels=9)
    orders = [
        ClassifierChain(TREE, order="random", random_state=seed).fit(X, y).order_.tolist()
        for seed in (0, 0, 1)
    ]
    assert sorted(orders[0]) == list(range(9))
    assert orders[0] == orders[1] != orders[2]


def test_information_is_that_of_the_definition():
    """The chain begins with the label that tells most about the others, in bits."""
    X, y, _ = make_rows(3, n_labels=5)
    y[:, 4] = 1
    expected = [
        sum(naive_learners.mutual_information(y.tolist(), i, j) for j in range(5) if j != i)
        for i in range(5)
    ]
    np.testing.assert_allclose(sum_information(sparse.csc_array(y)), expected, atol=1e-12)
    assert (
        ClassifierChain(TREE, order="information-gain").fit(X, y).order_.tolist()
        == np.argsort(expected)[::-1].tolist()
    )


def test_powerset_merges_rare_labelsets_into_the_nearest():
    """Nearest by differing labels, then the more common; nothing but kept labelsets is predicted."""
    y = [[1, 1, 0, 0]] * 3 + [[0, 0, 1, 1]] * 2 + [[1, 1, 1, 0], [0, 1, 1, 0]]
    labelset_of_row, labelsets = find_labelsets(sparse.csc_array(np.array(y, np.int8)), 2)
    assert labelsets.toarray().tolist() == [[1, 1, 0, 0], [0, 0, 1, 1]]
    assert labelset_of_row.tolist() == [0, 0, 0, 1, 1, 0, 0]
    X, y, new = make_rows(4)
    fitted = LabelPowerset(TREE, min_rows=5).fit(X, y)
    kept = {tuple(row) for row in y.tolist() if y.tolist().count(row) >= 5}
    assert {tuple(row) for row in fitted.labelsets_.toarray().tolist()} == kept
    assert {tuple(row) for row in fitted.predict(new).tolist()} <= kept


def test_powerset_keeps_the_most_common_labelset_whatever_is_asked():
    """There must be something to predict."""
    X, y, new = make_rows(5)
    y[:30] = [0, 1, 0, 1]
    assert (LabelPowerset(TREE, min_rows=1000).fit(X, y).predict(new) == [0, 1, 0, 1]).all()


def test_powerset_without_probabilities():
    """Predicts labels, and classes too."""
    X, y, new = make_rows(6)
    fitted = LabelPowerset(LinearSVC()).fit(X, y)
    assert not hasattr(fitted, "predict_proba")
    assert fitted.predict(new).shape == (20, 4)
    classes = np.where(X[:, 0] > 0, "a", "b")
    assert (LabelPowerset(LinearSVC()).fit(X, classes).predict(X) == classes).mean() > 0.9


@pytest.mark.parametrize("base", [TREE, LinearSVC(), KNeighborsClassifier(3)])
def test_calibrated_votes_are_those_of_the_paper(base):
    """With constant labels, twin labels, and labels that exclude each other."""
    X, y, new = make_rows(7, n_labels=7)
    y[:, 3], y[:, 4], y[:, 5], y[:, 6] = 1, 0, y[:, 0], 1 - y[:, 1]
    fitted = CalibratedLabelRanking(base).fit(X, y)
    votes = np.array(naive_learners.calibrated_votes(base, X.tolist(), y.tolist(), new.tolist()))
    np.testing.assert_array_equal(fitted.votes(new), votes)
    np.testing.assert_array_equal(fitted.predict(new), votes[:, :-1] > votes[:, -1:])
    assert fitted.pair_models_[0, 5] is None


def test_calibrated_votes_by_hand():
    """One feature, one label left of 1.5 and one right of it, and a third right of 2.5: 3 pairs and 3 single labels vote."""
    X, y = [[0.0], [1.0], [2.0], [3.0]], [[1, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 1]]
    fitted = CalibratedLabelRanking(KNeighborsClassifier(1)).fit(X, y)
    # At 0: a beats b, c and the virtual label v; b against c is always b; v beats b and c. At 2.2: b beats a, c
    # and v; a against c, of rows 0, 1 and 3, is c; v beats a and c.
    assert fitted.votes([[0.0], [2.2]]).tolist() == [[3, 1, 0, 2], [0, 3, 1, 2]]
    np.testing.assert_allclose(fitted.predict_proba([[0.0]]), [[4 / 7, 2 / 5, 1 / 4]])


def test_soft_votes_are_probabilities():
    """Shared between the two labels of each model."""
    X, y, new = make_rows(8, n_labels=2)
    base = LogisticRegression()
    votes = CalibratedLabelRanking(base, voting="soft").fit(X, y).votes(new)
    single = [clone(base).fit(X, y[:, j]).predict_proba(new)[:, 1] for j in (0, 1)]
    apart = y[:, 0] != y[:, 1]
    pair = clone(base).fit(X[apart], y[apart, 0]).predict_proba(new)[:, 1]
    np.testing.assert_allclose(
        votes, np.column_stack([single[0] + pair, single[1] + 1 - pair, 2 - single[0] - single[1]])
    )


def test_label_ranking_is_bounded():
    """By models before any is fitted, by memory before any pair is."""
    X, y, _ = make_rows(9, n_labels=10)
    with pytest.raises(
        InputError,
        match=r"'max_models' must be at least 55 for 10 labels, got 54\. Raise it if there is memory",
    ):
        CalibratedLabelRanking(TREE, max_models=54).fit(X, y)
    refusing = CalibratedLabelRanking(TREE, max_memory=10_000)
    with pytest.raises(
        InputError,
        match=r"'max_memory' must be about \d+,\d{3} bytes for 55 models, got 10,000\. Raise it",
    ):
        refusing.fit(X, y)
    assert len(refusing.label_models_) == 10
    assert not hasattr(refusing, "pair_models_")


@pytest.mark.parametrize(("k", "s"), [(1, 1.0), (5, 1.0), (8, 0.25)])
def test_mlknn_is_that_of_the_paper(k, s):
    """Probabilities and predictions, with constant labels among them."""
    X, y, new = make_rows(10)
    y[:, 2], y[:, 3] = 1, 0
    expected = np.array(naive_learners.mlknn(X.tolist(), y.tolist(), k, s, new.tolist()))
    fitted = MLkNN(k, s=s, threshold=0.4).fit(X, y)
    np.testing.assert_allclose(fitted.predict_proba(new), expected, rtol=1e-12)
    np.testing.assert_array_equal(fitted.predict(new), expected > 0.4)


def test_mlknn_of_few_rows_looks_at_all_others():
    """So that k need not be fitted to the data."""
    X, y, new = make_rows(11, n_rows=5)
    np.testing.assert_array_equal(
        MLkNN(100).fit(X, y).predict_proba(new), MLkNN(4).fit(X, y).predict_proba(new)
    )


@pytest.mark.parametrize(
    ("n_labels", "k", "n_models"),
    [(7, 3, None), (7, 3, 3), (20, 3, 9), (4, 2, None), (3, 5, None), (10, 9, 10)],
)
def test_rakel_reaches_every_label(n_labels, k, n_models):
    """With as many different sets of k labels as asked for, or as there are."""
    from math import comb

    X, y, _ = make_rows(12, n_labels=n_labels)
    sets = RAkEL(TREE, k=k, n_models=n_models, random_state=0).fit(X, y).labels_of_model_
    assert {len(set(own.tolist())) for own in sets} == {min(k, n_labels)}
    assert (
        len({tuple(own.tolist()) for own in sets})
        == len(sets)
        == min(n_models or 2 * n_labels, comb(n_labels, min(k, n_labels)))
    )
    assert set(np.concatenate(sets).tolist()) == set(range(n_labels))


def test_rakel_of_disjoint_labels():
    """Deals each label to one model."""
    X, y, new = make_rows(13, n_labels=7)
    fitted = RAkEL(TREE, disjoint=True, voting="hard", random_state=0).fit(X, y)
    assert [len(own) for own in fitted.labels_of_model_] == [3, 3, 1]
    for own in fitted.labels_of_model_:
        alone = LabelPowerset(TREE).fit(X, sparse.csc_array(y[:, own]))
        np.testing.assert_array_equal(fitted.predict(new)[:, own], alone.predict(new))


def test_rakel_of_all_labels_is_the_powerset():
    """One model is left."""
    X, y, new = make_rows(14)
    fitted = RAkEL(TREE, k=4, voting="hard").fit(X, y)
    assert len(fitted.models_) == 1
    np.testing.assert_array_equal(fitted.predict(new), LabelPowerset(TREE).fit(X, y).predict(new))


def test_chains_of_an_ensemble_differ_in_order_and_rows():
    """Rows only with bagging."""
    X, y, _ = make_rows(15, n_labels=6)
    bagged = ChainEnsemble(TREE, n_chains=4, random_state=0).fit(X, y).chains_
    assert len({tuple(chain.order_.tolist()) for chain in bagged}) == 4
    whole = ChainEnsemble(KNeighborsClassifier(1), n_chains=2, bagging=False, random_state=0).fit(
        X, y
    )
    np.testing.assert_array_equal(whole.predict(X), y)
    drawn = ChainEnsemble(KNeighborsClassifier(1), n_chains=1, random_state=0).fit(X, y)
    assert (drawn.predict(X) != y).any()


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_an_ensemble_of_chains_is_the_mean_of_its_chains(voting):
    """Of their predictions, or of their probabilities."""
    X, y, new = make_rows(16)
    fitted = ChainEnsemble(TREE, n_chains=3, voting=voting, random_state=0).fit(X, y)
    mean = np.mean(
        [
            chain.predict(new) if voting == "hard" else chain.predict_proba(new)
            for chain in fitted.chains_
        ],
        axis=0,
    )
    np.testing.assert_allclose(fitted.predict_proba(new), mean)


@pytest.mark.parametrize("kind", [ChainEnsemble, RAkEL])
def test_votes_are_soft_where_they_can_be(kind):
    """And hard over a base learner without probabilities."""
    X, y, new = make_rows(23)
    assert kind(TREE).fit(X, y).voting_ == "soft"
    votes = kind(LinearSVC(), random_state=0).fit(X, y)
    assert votes.voting_ == "hard"
    assert votes.predict_proba(new).shape == (20, 4)


def test_learners_of_others_may_vote():
    """Those that give a list of probabilities, and those that need dense labels."""
    X, y, new = make_rows(17)
    y[:, 1], y[:, 2] = 1, 0
    members = [
        KNeighborsClassifier(3),
        DecisionTreeClassifier(max_depth=2, random_state=0),
        BinaryRelevance(TREE),
    ]
    fitted = VotingEnsemble(members, voting="soft", weights=[0, 3, 1]).fit(X, sparse.csr_array(y))
    tree = clone(members[1]).fit(X, y).predict_proba(new)
    expected = np.column_stack([tree[0][:, 1], np.ones(20), np.zeros(20), tree[3][:, 1]])
    np.testing.assert_allclose(
        fitted.predict_proba(new),
        (3 * expected + BinaryRelevance(TREE).fit(X, y).predict_proba(new)) / 4,
    )
    assert VotingEnsemble(members).fit(X, y).predict(new).shape == (20, 4)


def test_a_tie_of_votes_predicts_nothing():
    """More than half is needed, also where shares are not round numbers."""
    X, y, new = make_rows(18)
    opposite = [BinaryRelevance(TREE).fit(X, 1 - y), BinaryRelevance(TREE).fit(X, y)]
    fitted = VotingEnsemble([TREE] * 6).fit(X, y)
    fitted.learners_ = opposite * 3
    assert not fitted.predict(new).any()


def test_base_learners_with_decisions_only_or_predictions_only():
    """Are scored by what they have; constants stand at -1 and 1."""
    X, y, new = make_rows(19)
    y[:, 1], y[:, 2] = 1, 0
    fitted = BinaryRelevance(LinearSVC()).fit(X, y)
    assert not hasattr(fitted, "predict_proba")
    decision = fitted.decision_function(new)
    np.testing.assert_allclose(decision[:, 0], LinearSVC().fit(X, y[:, 0]).decision_function(new))
    assert (decision[:, 1:3] == [1, -1]).all()
    assert ClassifierChain(LinearSVC()).fit(X, y).predict(new).shape == (20, 4)
    nearest = BinaryRelevance(OnlyPredicts()).fit(X, y)
    np.testing.assert_array_equal(
        nearest.predict(new)[:, 0], NearestCentroid().fit(X, y[:, 0]).predict(new)
    )
    assert set(np.unique(nearest.decision_function(new))) == {-1.0, 1.0}


class OnlyPredicts(NearestCentroid):
    """A classifier without scores."""

    decision_function = predict_proba = property(lambda self: self.no_scores)


@pytest.mark.parametrize("name", sorted(set(BASES) - {"xgboost", "lightgbm", "catboost"}))
def test_every_base_learner_learns(name):
    """By name, and seeded."""
    X, y, new = make_rows(20, n_labels=2)
    with threadpool_limits(1):  # waiting threads take longer than the work
        fitted = BinaryRelevance(name, random_state=0).fit(X, y)
    assert fitted.predict(new).shape == (20, 2)
    assert hamming_loss(y, fitted.predict(X)) < 0.2
    assert all(isinstance(getattr(model, "random_state", 0), int) for model in fitted.models_)


@pytest.mark.parametrize("kind", ["br", "lp"])
def test_xgboost_learns_where_it_is_installed(kind):
    """Labels, and labelsets."""
    pytest.importorskip("xgboost")
    X, y, new = make_rows(21, n_labels=2)
    learner = make_learner(f"{kind}:xgboost").set_params(base__n_estimators=5, base__n_jobs=1)
    assert learner.fit(X, y).predict_proba(new).shape == (20, 2)


@pytest.mark.parametrize("name", ["lightgbm", "catboost"])
def test_packages_of_others_are_quiet(name, monkeypatch):
    """Made with settings that print and write nothing."""
    made = []
    classifier = {"lightgbm": "LGBMClassifier", "catboost": "CatBoostClassifier"}[name]
    monkeypatch.setitem(
        sys.modules, name, SimpleNamespace(**{classifier: lambda **settings: made.append(settings)})
    )
    make_base(name)
    assert made == [
        {"lightgbm": {"verbose": -1}, "catboost": {"verbose": False, "allow_writing_files": False}}[
            name
        ]
    ]


@pytest.mark.parametrize(
    ("name", "install"),
    [("xgboost", "'evenfold\\[learn\\]'"), ("lightgbm", "lightgbm"), ("catboost", "catboost")],
)
def test_a_package_that_is_missing_is_named(name, install, monkeypatch):
    """With the line that installs it."""
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        InputError,
        match=f"'base' must be installed, got '{name}', which is not. Install it with: pip install {install}$",
    ):
        make_learner(f"br:{name}")


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_a_name(name):
    """With a base learner, and without."""
    assert isinstance(make_learner(name), LEARNERS[name])
    if name != "mlknn":
        assert isinstance(make_learner(f"{name}:tree").base, DecisionTreeClassifier)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: make_learner("rakle:tree"),
            "'learner' must be one of br, .* got 'rakle'. Did you mean 'rakel'\\?",
        ),
        (
            lambda: make_learner("svm"),
            "'learner' must be one of br, .* got 'svm'. Take one of these.",
        ),
        (
            lambda: make_learner("br:randomforest"),
            "'base' must be one of tree, .* got 'randomforest'. Did you mean 'random-forest'\\?",
        ),
        (
            lambda: make_learner("mlknn:tree"),
            "'learner' must be 'mlknn' alone, .* got 'mlknn:tree'. Leave out ':tree'.",
        ),
    ],
)
def test_names_that_are_not_there(make, message):
    """Are met with those that are."""
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize(
    ("learner", "error", "message"),
    [
        (
            BinaryRelevance(DecisionTreeClassifier),
            InputTypeError,
            "'base' must be a classifier, or the name of one, got <class .*DecisionTree",
        ),
        (
            BinaryRelevance(7),
            InputTypeError,
            "'base' must be a classifier, or the name of one, got 7. Try base='random-forest'.",
        ),
        (
            VotingEnsemble(["br", TREE.fit]),
            InputTypeError,
            "'learners' must be a list of learners or their names, got \\['br', <bound",
        ),
        (
            ClassifierChain(TREE, order=[0, 1, 2]),
            InputError,
            "'order' must hold each of the labels 0 to 3 once, got \\[0, 1, 2\\]. Try order='random'",
        ),
        (
            ClassifierChain(TREE, order=["a", 1]),
            InputError,
            "'order' must hold each of the labels 0 to 3 once, got \\['a', 1\\].",
        ),
        (
            ClassifierChain(TREE, order="gain"),
            InputError,
            "'order' must be one of random, information-gain, got 'gain'",
        ),
        (
            LabelPowerset(TREE, min_rows=0),
            InputError,
            "'min_rows' must be 1 or more, got 0. Try min_rows=1.",
        ),
        (
            LabelPowerset(TREE, min_rows=1.5),
            InputTypeError,
            "'min_rows' must be a whole number, got 1.5. Try min_rows=1.",
        ),
        (
            CalibratedLabelRanking(LinearSVC(), voting="soft"),
            InputError,
            "'voting' must be 'hard' for LinearSVC, which has no probabilities, got 'soft'",
        ),
        (
            ChainEnsemble(TREE, voting="mild"),
            InputError,
            "'voting' must be one of auto, hard, soft, got 'mild'.",
        ),
        (
            ChainEnsemble(TREE, voting=None),
            InputTypeError,
            "'voting' must be one of auto, hard, soft, got None. Try voting='auto'.",
        ),
        (MLkNN(s=0), InputError, "'s' must be above 0 and finite, got 0. Try s=1.0."),
        (MLkNN(s=np.inf), InputError, "'s' must be above 0 and finite, got inf. Try s=1.0."),
        (
            MLkNN(threshold="half"),
            InputTypeError,
            "'threshold' must be a number, got 'half'. Try threshold=0.5.",
        ),
        (
            MLkNN(threshold=1.5),
            InputError,
            "'threshold' must be above 0 and at most 1, got 1.5. Try threshold=0.5.",
        ),
        (
            RAkEL(TREE, disjoint=True, n_models=2),
            InputError,
            "'n_models' must be None where labels are disjoint, got 2. Leave it out",
        ),
        (
            RAkEL(TREE, k=2, n_models=1),
            InputError,
            "'n_models' must be 2 or more, so that 2 labels a model reach all 4, got 1. Leave it out for 8.",
        ),
        (
            VotingEnsemble(["br:tree", "mlknn"], weights=[1]),
            InputError,
            "'weights' must be 2 numbers of 0 or more, .* got \\[1\\]. Leave them out",
        ),
        (
            VotingEnsemble(["br:tree"], weights=[0]),
            InputError,
            "'weights' must be 1 numbers of 0 or more",
        ),
        (
            VotingEnsemble([]),
            InputTypeError,
            "'learners' must be a list of learners or their names, got \\[\\].",
        ),
        (
            VotingEnsemble("br:tree"),
            InputTypeError,
            "'learners' must be a list of learners or their names, got 'br:tree'.",
        ),
    ],
    ids=lambda value: (
        " ".join(str(value).split())[:60] if not isinstance(value, type) else value.__name__
    ),
)
def test_settings_that_cannot_be_meant(learner, error, message):
    """Are refused when it is fitted, as scikit-learn asks."""
    X, y, _ = make_rows(22)
    with pytest.raises(error, match=message):
        learner.fit(X, y)

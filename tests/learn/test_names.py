"""Learners and base learners by name."""

import sys
from types import SimpleNamespace

import pytest
from sklearn.metrics import hamming_loss
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_limits

import evenfold
from evenfold.exceptions import InputError
from evenfold.learn import BASES, LEARNERS, BinaryRelevance, make_base, make_learner

from .rows import make_rows


@pytest.mark.parametrize("name", sorted(set(BASES) - {"xgboost", "lightgbm", "catboost"}))
def test_every_base_learner_learns(name):
    """It is found by name, seeded and fits the training rows."""
    X, y, new = make_rows(20, n_labels=2)
    with threadpool_limits(1):  # starting threads takes longer than the work
        fitted = BinaryRelevance(name, random_state=0).fit(X, y)
    assert fitted.predict(new).shape == (20, 2)
    assert hamming_loss(y, fitted.predict(X)) < 0.2
    assert all(isinstance(getattr(model, "random_state", 0), int) for model in fitted.models_)


@pytest.mark.parametrize("kind", ["br", "lp"])
def test_xgboost_learns_if_it_is_installed(kind):
    """It learns labels and labelsets."""
    pytest.importorskip("xgboost")
    X, y, new = make_rows(21, n_labels=2)
    learner = make_learner(f"{kind}:xgboost").set_params(base__n_estimators=5, base__n_jobs=1)
    assert learner.fit(X, y).predict_proba(new).shape == (20, 2)


@pytest.mark.parametrize(
    ("name", "classifier", "settings"),
    [
        ("lightgbm", "LGBMClassifier", {"verbose": -1}),
        ("catboost", "CatBoostClassifier", {"verbose": False, "allow_writing_files": False}),
    ],
)
def test_base_learners_of_other_packages_print_nothing(name, classifier, settings, monkeypatch):
    """They are made with settings that print and write nothing."""
    made = []
    package = SimpleNamespace(**{classifier: lambda **given: made.append(given)})
    monkeypatch.setitem(sys.modules, name, package)
    make_base(name)
    assert made == [settings]


@pytest.mark.parametrize(
    ("name", "install"),
    [("xgboost", "'evenfold\\[learn\\]'"), ("lightgbm", "lightgbm"), ("catboost", "catboost")],
)
def test_a_missing_package_is_named(name, install, monkeypatch):
    """The message has the line that installs it."""
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(
        InputError,
        match=f"'base' must be installed, got '{name}', which is not. "
        f"Install it with: pip install {install}$",
    ):
        make_learner(f"br:{name}")


@pytest.mark.parametrize("name", LEARNERS)
def test_every_learner_has_a_name(name):
    """It is made with and without the name of a base learner."""
    assert isinstance(make_learner(name), LEARNERS[name])
    if name == "tuned":
        assert isinstance(make_learner("tuned:cc:tree").learner.base, DecisionTreeClassifier)
    elif name != "mlknn":
        assert isinstance(make_learner(f"{name}:tree").base, DecisionTreeClassifier)


def test_every_learner_with_a_name_is_public():
    """The package offers the class of each name, and loads it without an import of its own."""
    for learner in LEARNERS.values():
        assert getattr(evenfold.learn, learner.__name__) is learner
        assert learner.__name__ in evenfold.learn.__all__


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("rakle:tree", "'learner' must be one of br, .* got 'rakle'. Did you mean 'rakel'\\?"),
        ("svm", "'learner' must be one of br, .* got 'svm'. Take one of these."),
        (
            "br:randomforest",
            "'base' must be one of tree, .* got 'randomforest'. Did you mean 'random-forest'\\?",
        ),
        (
            "mlknn:tree",
            "'learner' must be 'mlknn' alone, .* got 'mlknn:tree'. Leave out ':tree'.",
        ),
    ],
)
def test_unknown_names_are_refused(name, message):
    """The message lists the names there are."""
    with pytest.raises(InputError, match=message):
        make_learner(name)

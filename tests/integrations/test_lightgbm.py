"""LightGBM as a base learner."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline

import evenfold
from evenfold.learn import AveragingRegressor, BinaryRelevance, ClassifierChain, TunedThreshold

from .boosting import (
    FRAME,
    FRAME_FORMS,
    NUMBER_FORMS,
    NUMBERS,
    SMALL,
    TEXTS,
    Y,
    check_learned,
    every_frame,
    every_kind,
    every_number_form,
    make_of_text,
    make_small,
)

lightgbm = pytest.importorskip("lightgbm", reason="lightgbm is not installed")
pytestmark = pytest.mark.slow


@every_number_form
@every_kind
def test_numbers_are_learned_in_every_form(kind, form):
    """Labels that all rows have, or none, are always or never predicted."""
    learner, X = make_small(kind, "lightgbm"), NUMBER_FORMS[form](NUMBERS)
    check_learned(learner.fit(X, Y), X, 0.85 if form == "whole" else 0.95)


@every_frame
@every_kind
def test_categories_are_found_in_frames(kind, form):
    """Every form of a frame gives the same predictions, if it has the same types in pandas."""
    X = FRAME_FORMS[form](FRAME)
    learner = make_small(kind, "lightgbm").fit(X, Y)
    check_learned(learner, X)
    frame = X.to_pandas() if form == "enum" else FRAME
    expected = make_small(kind, "lightgbm").fit(frame, Y).predict_proba(frame)
    np.testing.assert_allclose(learner.predict_proba(X), expected, rtol=1e-9)


@every_frame
def test_models_hold_the_categories(form):
    """Also those of a chain, which have the labels before them as further features."""
    X = FRAME_FORMS[form](FRAME)
    for learner in (make_small("br", "lightgbm"), make_small("cc", "lightgbm")):
        for model in learner.fit(X, Y).models_[:3]:
            assert model.booster_.pandas_categorical == [["dry", "hot", "wet"]]
    assert model.feature_name_ == ["size", "kind", "seen", "label_0", "label_1"]


def test_missing_values_are_learned():
    """Numbers, booleans and categories may be missing, whatever the form of the frame."""
    frame = FRAME.astype({"seen": "boolean"})
    frame.loc[::7, "size"] = np.nan
    frame.loc[::5, "kind"] = None
    frame.loc[::6, "seen"] = pd.NA
    probable = []
    for form in list(FRAME_FORMS.values())[:3]:
        learner = make_small("br", "lightgbm").fit(form(frame), Y)
        probable.append(learner.predict_proba(form(frame)))
    assert all(np.allclose(own, probable[0], rtol=1e-9) for own in probable)


@every_frame
def test_categories_reach_learners_through_evaluate(form):
    """The labels that the category gives are predicted for test rows."""
    learners = {kind: make_small(kind, "lightgbm") for kind in ("br", "cc", "lp")}
    learners["others"] = MultiOutputClassifier(
        lightgbm.LGBMClassifier(verbose=-1, **SMALL["lightgbm"])
    )
    result = evenfold.evaluate(
        learners,
        FRAME_FORMS[form](FRAME),
        Y[:, :2],
        3,
        methods=["even"],
        repeats=1,
        metrics=["subset_accuracy"],
    )
    assert min(result[own, "even"].mean("subset_accuracy") for own in learners) == 1


@pytest.mark.parametrize("kind", ["br", "lp", "clr", "rakel"])
def test_text_is_read_by_a_pipeline(kind):
    """The vectorizer is part of the base learner, or comes before the learner."""
    learner = make_small(kind, "lightgbm").set_params(base=make_of_text("lightgbm"))
    check_learned(learner.fit(TEXTS, Y), TEXTS)
    outside = make_pipeline(CountVectorizer(), make_small(kind, "lightgbm"))
    check_learned(outside.fit(TEXTS, Y), TEXTS)


@every_kind
def test_weights_count_as_repeated_rows(kind):
    """Rows of weight 0 are left out."""
    weights = np.arange(len(Y)) % 3
    learner = make_small(kind, "lightgbm")
    if kind == "ecc":
        learner.set_params(bagging=False)
    weighted = clone(learner).fit(NUMBERS, Y, sample_weight=weights)
    check_learned(weighted, NUMBERS)
    left_out = clone(learner).fit(NUMBERS[weights > 0], Y[weights > 0], weights[weights > 0])
    np.testing.assert_array_equal(weighted.predict_proba(NUMBERS), left_out.predict_proba(NUMBERS))


def test_seeds_are_set_where_there_are_none():
    """Each model has a seed of its own, and a seed of the user is kept."""
    learner = make_small("br", "lightgbm").fit(NUMBERS, Y)
    assert len({model.random_state for model in learner.models_[:3]}) == 3
    again = clone(learner).fit(NUMBERS, Y)
    assert [own.random_state for own in again.models_[:3]] == [
        own.random_state for own in learner.models_[:3]
    ]
    kept = make_small("br", "lightgbm", random_state=5).fit(NUMBERS, Y)
    assert {model.random_state for model in kept.models_[:3]} == {5}


def test_learners_are_copied_searched_and_stored():
    """As other estimators of scikit-learn."""
    learner = make_small("br", "lightgbm")
    assert clone(learner).get_params()["base__n_estimators"] == 8
    search = GridSearchCV(learner, {"base__num_leaves": [2, 8]}, cv=2, error_score="raise")
    check_learned(search.fit(FRAME, Y), FRAME)
    fitted = learner.set_params(n_jobs=2).fit(FRAME, Y)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(fitted)).predict_proba(FRAME), fitted.predict_proba(FRAME)
    )


@every_frame
def test_frames_are_adapted_in_every_place(form):
    """In a search, in other wrappers of scikit-learn, by thresholds and by averages."""
    X, base = FRAME_FORMS[form](FRAME), lightgbm.LGBMClassifier(verbose=-1, **SMALL["lightgbm"])
    search = GridSearchCV(base, {"num_leaves": [2, 8]}, cv=2, error_score="raise")
    check_learned(BinaryRelevance(search).fit(X, Y), X)
    check_learned(ClassifierChain(search).fit(X, Y), X)
    several = MultiOutputClassifier(base)
    tuned = TunedThreshold(several, cv=2).fit(X, Y[:, :3])
    assert (tuned.predict(X) == Y[:, :3]).mean() > 0.95
    regressor = lightgbm.LGBMRegressor(verbose=-1, **SMALL["lightgbm"])
    averaging = AveragingRegressor([("one", regressor)]).fit(X, Y[:, 0])
    assert np.corrcoef(averaging.predict(X), Y[:, 0])[0, 1] > 0.95
    hard = evenfold.learn.difficulty(X, Y[:, :2], learner=BinaryRelevance(base))
    assert hard["squared error"].max() < 0.2

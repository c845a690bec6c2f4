"""CatBoost as a base learner."""

import pickle

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputClassifier
from sklearn.pipeline import make_pipeline
from sklearn.tree import DecisionTreeClassifier

import evenfold
from evenfold.learn import (
    AveragingRegressor,
    BinaryRelevance,
    LabelPowerset,
    TunedThreshold,
    VotingEnsemble,
    make_learner,
)

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

catboost = pytest.importorskip("catboost", reason="catboost is not installed")
pytestmark = pytest.mark.slow


def make_base(**settings):
    """Return a small base learner."""
    return catboost.CatBoostClassifier(
        verbose=False, allow_writing_files=False, **(SMALL["catboost"] | settings)
    )


@every_number_form
@every_kind
def test_numbers_are_learned_in_every_form(kind, form):
    """Labels that all rows have, or none, are always or never predicted."""
    learner, X = make_small(kind, "catboost"), NUMBER_FORMS[form](NUMBERS)
    check_learned(learner.fit(X, Y), X, 0.85 if form == "whole" else 0.95)


@every_frame
@every_kind
def test_categories_are_found_in_frames(kind, form):
    """Every form of a frame gives the same predictions."""
    X = FRAME_FORMS[form](FRAME)
    learner = make_small(kind, "catboost").fit(X, Y)
    check_learned(learner, X)
    expected = make_small(kind, "catboost").fit(FRAME, Y).predict_proba(FRAME)
    np.testing.assert_allclose(learner.predict_proba(X), expected, rtol=1e-9)


@every_frame
def test_models_hold_the_categories(form):
    """Also those of a chain, which have the labels before them as further features."""
    X = FRAME_FORMS[form](FRAME)
    for learner in (make_small("br", "catboost"), make_small("cc", "catboost")):
        for model in learner.fit(X, Y).models_[:3]:
            assert model.get_cat_feature_indices() == [1]
    assert model.feature_names_ == ["size", "kind", "seen", "label_0", "label_1"]


def test_columns_may_have_numbers_as_names():
    """They are no places."""
    frame = FRAME.set_axis([10, 20, 30], axis=1)
    check_learned(make_small("br", "catboost").fit(frame, Y), frame)


@pytest.mark.parametrize("names", [["kind"], ("kind",), [1]])
@every_frame
def test_categories_that_the_user_names_are_kept(names, form):
    """As a list too, which scikit-learn does not copy; columns of text need names."""
    frame = FRAME.astype({"kind": str})
    X = (FRAME_FORMS[form] if form != "enum" else pl.from_pandas)(frame)
    learner = BinaryRelevance(make_base(cat_features=names), random_state=0)
    check_learned(learner.fit(X, Y), X)
    assert learner.models_[0].get_cat_feature_indices() == [1]
    assert learner.base.get_params()["cat_features"] == names
    result = evenfold.evaluate(
        {"br": learner}, X, Y[:, :2], 2, methods=["even"], repeats=1, metrics=["subset_accuracy"]
    )
    assert result["br", "even"].mean("subset_accuracy") == 1


def test_other_failures_to_copy_are_those_of_scikit_learn():
    """Only CatBoost is copied in another way."""

    class Broken(DecisionTreeClassifier):
        def __init__(self, max_depth=1):
            super().__init__(max_depth=max_depth + 1)

    with pytest.raises(RuntimeError, match="Cannot clone object"):
        BinaryRelevance(Broken()).fit(NUMBERS, Y)


@pytest.mark.parametrize("form", ["pandas", "polars", "arrow"])
def test_columns_of_text_reach_the_base_learner(form):
    """CatBoost reads text itself."""
    X = FRAME_FORMS[form](pd.DataFrame({"words": TEXTS, "kind": FRAME["kind"].array}))
    base = make_base(text_features=["words"], iterations=30)
    for learner in (BinaryRelevance(base), LabelPowerset(base)):
        assert (learner.fit(X, Y).predict(X) == Y).mean() > 0.9
    model = BinaryRelevance(base).fit(X, Y).models_[0]
    assert (model.get_text_feature_indices(), model.get_cat_feature_indices()) == ([0], [1])


def test_missing_values_are_learned():
    """Numbers and booleans may be missing, whatever the form of the frame."""
    frame = FRAME.assign(seen=FRAME["seen"].astype(object))
    frame.loc[::7, "size"] = np.nan
    frame.loc[::6, "seen"] = None
    probable = []
    for form in list(FRAME_FORMS.values())[:3]:
        learner = make_small("br", "catboost").fit(form(frame), Y)
        probable.append(learner.predict_proba(form(frame)))
    assert all(np.allclose(own, probable[0], rtol=1e-9) for own in probable)


def test_missing_categories_are_an_error_of_catboost():
    """Its message says what to do."""
    frame = FRAME.copy()
    frame.loc[::5, "kind"] = None
    for form in FRAME_FORMS.values():
        with pytest.raises(catboost.CatBoostError, match="NaN values should be converted to str"):
            make_small("br", "catboost").fit(form(frame), Y)


@every_frame
def test_categories_reach_learners_through_evaluate(form):
    """The labels that the category gives are predicted for test rows."""
    learners = {kind: make_small(kind, "catboost") for kind in ("br", "cc", "lp")}
    learners["others"] = MultiOutputClassifier(make_base())
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
    learner = make_small(kind, "catboost").set_params(base=make_of_text("catboost"))
    check_learned(learner.fit(TEXTS, Y), TEXTS)
    outside = make_pipeline(TfidfVectorizer(), make_small(kind, "catboost"))
    check_learned(outside.fit(TEXTS, Y), TEXTS)


@pytest.mark.parametrize("n_labels", [2, 4])
@pytest.mark.parametrize("settings", [{}, {"loss_function": "MultiClass"}])
def test_labelsets_are_predicted(n_labels, settings):
    """Four labelsets or sixteen: probabilities belong to the labelsets of the classes."""
    labels = (np.arange(160)[:, None] >> np.arange(n_labels)) % 2
    X = labels + 0.01 * np.random.default_rng(0).normal(size=labels.shape)
    learner = LabelPowerset(make_base(iterations=40, **settings)).fit(X, labels)
    assert len(learner.labelsets_.toarray()) == 2**n_labels
    np.testing.assert_array_equal(learner.predict(X), labels)
    np.testing.assert_array_equal(learner.predict_proba(X) > 0.5, labels)
    few = LabelPowerset(make_base(**settings)).fit(X, labels * [1, *[0] * (n_labels - 1)])
    assert (few.predict(X)[:, 0] == labels[:, 0]).mean() > 0.95
    classes = LabelPowerset(make_base(iterations=40, **settings))
    class_of_row = labels @ 2 ** np.arange(n_labels)
    np.testing.assert_array_equal(classes.fit(X, class_of_row).predict(X), class_of_row)


@every_kind
def test_weights_of_zero_leave_rows_out(kind):
    """Other weights count as those of CatBoost."""
    weights = np.arange(len(Y)) % 3
    learner = make_small(kind, "catboost")
    if kind == "ecc":
        learner.set_params(bagging=False)
    weighted = clone(learner).fit(NUMBERS, Y, sample_weight=weights)
    check_learned(weighted, NUMBERS)
    left_out = clone(learner).fit(NUMBERS[weights > 0], Y[weights > 0], weights[weights > 0])
    np.testing.assert_array_equal(weighted.predict_proba(NUMBERS), left_out.predict_proba(NUMBERS))
    if kind == "br":
        kept = weights > 0
        own = clone(weighted.models_[0])
        own.fit(NUMBERS[kept], Y[kept, 0], sample_weight=weights[kept])
        expected = own.predict_proba(NUMBERS)[:, 1]
        np.testing.assert_allclose(weighted.predict_proba(NUMBERS)[:, 0], expected)


@pytest.mark.parametrize("inside", [False, True], ids=["alone", "pipeline"])
def test_seeds_are_set_where_there_are_none(inside):
    """CatBoost does not list them; a seed of the user is kept under both of its names."""

    def find_seeds(**settings):
        base = make_base(**settings)
        learner = BinaryRelevance(make_pipeline(base) if inside else base, random_state=0)
        models = learner.fit(NUMBERS, Y).models_[:3]
        given = [(model[-1] if inside else model).get_params() for model in models]
        return [own.get("random_state", own.get("random_seed")) for own in given]

    seeds = find_seeds()
    assert len(set(seeds)) == 3
    assert None not in seeds
    assert find_seeds() == seeds
    assert find_seeds(random_state=5) == find_seeds(random_seed=5) == [5, 5, 5]
    result = [
        evenfold.evaluate(
            {"br": BinaryRelevance(make_base(subsample=0.5, bootstrap_type="Bernoulli"))},
            NUMBERS,
            Y[:, :3],
            2,
            repeats=1,
            methods=["even"],
            random_state=seed,
        ).to_dict()["estimates"]
        for seed in (0, 0)
    ]
    assert result[0] == result[1]


def test_learners_are_copied_searched_and_stored():
    """As other estimators of scikit-learn."""
    learner = make_small("br", "catboost")
    assert clone(learner).get_params()["base__iterations"] == 8
    search = GridSearchCV(learner, {"base__depth": [2, 3]}, cv=2, error_score="raise")
    check_learned(search.fit(FRAME, Y), FRAME)
    fitted = learner.set_params(n_jobs=2).fit(FRAME, Y)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(fitted)).predict_proba(FRAME), fitted.predict_proba(FRAME)
    )


def test_a_cached_evaluation_is_read_again(tmp_path):
    """The key of a learner is the same for two objects with the same settings."""

    def evaluate():
        learners = {"br": make_learner("br:catboost").set_params(base__iterations=3)}
        done = []
        evenfold.evaluate(
            learners, NUMBERS, Y[:, :3], 2, repeats=1, cache=tmp_path, progress=done.append
        )
        return sorted(path.name for path in tmp_path.iterdir())

    first = evaluate()
    assert first
    assert evaluate() == first


@every_frame
def test_frames_are_adapted_in_every_place(form):
    """In a search, in other wrappers of scikit-learn, by votes, thresholds and averages."""
    X = FRAME_FORMS[form](FRAME)
    search = GridSearchCV(make_base(), {"depth": [2, 3]}, cv=2, error_score="raise")
    for base in (search, CalibratedClassifierCV(make_base(), cv=2)):
        learner = BinaryRelevance(base).fit(X, Y)
        assert (learner.predict(X) == Y).mean() > 0.95
    several = make_base(loss_function="MultiLogloss")
    labels = Y[:, :3]
    members = [several, BinaryRelevance(make_base())]
    for learner in (TunedThreshold(several, cv=2), VotingEnsemble(members, voting="soft")):
        assert (learner.fit(X, labels).predict(X) == labels).mean() > 0.95
    regressor = catboost.CatBoostRegressor(
        verbose=False, allow_writing_files=False, **SMALL["catboost"]
    )
    averaging = AveragingRegressor([("one", regressor)]).fit(X, Y[:, 0])
    assert np.corrcoef(averaging.predict(X), Y[:, 0])[0, 1] > 0.95
    hard = evenfold.learn.difficulty(X, Y[:, :2], learner=BinaryRelevance(make_base()))
    assert hard["squared error"].max() < 0.2

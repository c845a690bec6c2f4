"""Features that are no table of numbers: learners hand them on as they are."""

import re

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder

import evenfold
from evenfold.exceptions import InputError, InputTypeError
from evenfold.learn import (
    AveragingRegressor,
    BinaryRelevance,
    CalibratedLabelRanking,
    ChainEnsemble,
    ClassifierChain,
    LabelPowerset,
    MLkNN,
    RAkEL,
    TunedThreshold,
    VotingEnsemble,
    difficulty,
)
from evenfold.learn.features import append_columns, count_features

RNG = np.random.default_rng(0)
WORDS = np.array(["fire", "smoke", "water", "sand", "wood", "iron"])
HELD = RNG.random((90, 6)) < 0.4
TEXTS = [" ".join(WORDS[held]) for held in HELD]
Y = np.column_stack([HELD[:, 0], HELD[:, 1] & ~HELD[:, 2], HELD[:, 3]]).astype(int)
KIND = np.where(HELD[:, 0], "hot", np.where(HELD[:, 2], "wet", "dry"))
FRAME = pd.DataFrame({"size": RNG.normal(size=90), "kind": KIND, "age": HELD[:, 3] * 1.0})

OF_TEXT = make_pipeline(TfidfVectorizer(), LogisticRegression(C=10))
# scikit-learn before 1.8 cannot join sparse columns and those of polars.
DUMMIES = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
OF_COLUMNS = make_pipeline(
    make_column_transformer((DUMMIES, ["kind"]), ("passthrough", ["age"])),
    LogisticRegression(C=10),
)

TEXT_FORMS = {
    "list": list,
    "tuple": tuple,
    "array": np.array,
    "objects": lambda texts: np.array(texts, dtype=object),
    "pandas": lambda texts: pd.Series(texts, index=range(90, 0, -1)[: len(texts)]),
    "polars": pl.Series,
}
FRAME_FORMS = {
    "pandas": lambda frame: frame.set_index(np.arange(len(frame))[::-1]),
    "polars": pl.from_pandas,
}


def make_learners(base):
    """Return every learner that is not made of distances, over a base learner."""
    return [
        BinaryRelevance(base),
        LabelPowerset(base),
        CalibratedLabelRanking(base),
        RAkEL(base, random_state=0),
        TunedThreshold(BinaryRelevance(base), cv=2),
        VotingEnsemble([BinaryRelevance(base), LabelPowerset(base)], bagging=True, random_state=0),
    ]


every_learner = pytest.mark.parametrize(
    "number", range(6), ids=[type(own).__name__ for own in make_learners(None)]
)


@every_learner
@pytest.mark.parametrize("form", TEXT_FORMS)
def test_text_reaches_the_base_learner(number, form):
    """Texts may be in a list, an array or a column; the form changes nothing."""
    learner = make_learners(OF_TEXT)[number]
    expected = learner.fit(TEXTS[:60], Y[:60]).predict_proba(TEXTS[60:])
    texts = TEXT_FORMS[form]
    found = clone(learner).fit(texts(TEXTS[:60]), Y[:60])
    np.testing.assert_array_equal(found.predict_proba(texts(TEXTS[60:])), expected)
    assert (found.predict(texts(TEXTS[60:])) == Y[60:]).mean() > 0.8


@pytest.mark.parametrize("form", FRAME_FORMS)
@pytest.mark.parametrize("number", range(8))
def test_columns_are_selected_by_name(number, form):
    """Frames are not turned into arrays, also not by chains, which add columns."""
    chains = [
        ClassifierChain(OF_COLUMNS),
        ChainEnsemble(OF_COLUMNS, n_chains=2, random_state=0),
    ]
    learner = [*make_learners(OF_COLUMNS), *chains][number]
    frame = FRAME_FORMS[form](FRAME)
    fitted = learner.fit(frame[:60], Y[:60])
    assert (fitted.predict(frame[60:]) == Y[60:]).mean() > 0.7
    assert fitted.n_features_in_ == 3
    assert list(fitted.feature_names_in_) == ["size", "kind", "age"]
    with pytest.raises(ValueError, match="feature names should match"):
        fitted.predict(frame[["kind", "age", "size"]])


class Keeping(ClassifierMixin, BaseEstimator):
    """A learner that keeps what it is fitted to, in `seen`."""

    def __init__(self, seen=()):
        self.seen = seen

    def __sklearn_clone__(self):
        return self

    def fit(self, X, y):
        """Keep the features."""
        self.seen.append(X)
        self.classes_ = [0, 1]
        return self

    def predict(self, X):
        """Keep the features, and predict nothing."""
        self.seen.append(X)
        return np.zeros(X.shape[0] if hasattr(X, "shape") else len(X), int)


@pytest.mark.parametrize(
    "X",
    [
        FRAME,
        pl.from_pandas(FRAME),
        pa.Table.from_pandas(FRAME),
        TEXTS,
        pd.Series(TEXTS),
        FRAME.to_numpy(dtype=object),
        FRAME.to_numpy(dtype=object).tolist(),
        [{"size": 1.0}] * 90,
    ],
    ids=lambda X: type(X).__module__.split(".")[0] + type(X).__name__,
)
def test_features_are_not_changed(X):
    """The base learner gets the very object."""
    seen = []
    BinaryRelevance(Keeping(seen)).fit(X, Y).predict(X)
    assert len(seen) == 6
    assert all(own is X for own in seen)


@pytest.mark.parametrize("names", [["a", "b"], ["label_0", "_label_1"], [3, 7]])
@pytest.mark.parametrize("form", [pd.DataFrame, pl.DataFrame, pa.Table])
def test_chains_add_columns_to_frames(names, form):
    """The new ones have names of their own, and the index stays."""
    if isinstance(names[0], int) and form is not pd.DataFrame:
        pytest.skip("columns of polars and Arrow have text as names")
    frame = pd.DataFrame(np.arange(6.0).reshape(3, 2), columns=names, index=[5, 4, 3])
    given = {pl.DataFrame: pl.from_pandas, pa.Table: pa.Table.from_pandas}.get(
        form, lambda own: own
    )(frame)
    labels = sparse.csc_array(np.array([[1, 0], [0, 0], [1, 1]]))
    found = append_columns(given, labels, "ClassifierChain")
    assert type(found) is type(given)
    wide = found if form is pd.DataFrame else found.to_pandas()
    expected = {"a": ["label_0", "label_1"], "label_0": ["__label_0", "__label_1"], 3: [8, 9]}
    assert list(wide.columns[:4]) == [*names, *expected[names[0]]] or form is pa.Table
    assert set(expected[names[0]]) < set(wide.columns)
    np.testing.assert_array_equal(wide[expected[names[0]]], labels.toarray())
    if form is pd.DataFrame:
        assert found.index.tolist() == [5, 4, 3]
        assert frame.shape == (3, 2)


def test_chains_add_columns_to_lists_of_rows():
    """Rows of text and numbers become an array of objects."""
    rows = [["fire", 1.0], ["water", 0.5]]
    found = append_columns(rows, sparse.csc_array(np.array([[1], [0]])), "ClassifierChain")
    assert found.tolist() == [["fire", 1.0, 1], ["water", 0.5, 0]]


@pytest.mark.parametrize("kind", [sparse.csr_array, sparse.csr_matrix])
def test_chains_keep_the_kind_of_sparse_matrices(kind):
    """Some learners of other packages take matrices alone."""
    seen = []
    ClassifierChain(Keeping(seen)).fit(kind(HELD * 1.0), Y).predict(kind(HELD * 1.0))
    assert {type(own) for own in seen} == {kind}


@pytest.mark.parametrize("texts", [TEXTS, pd.Series(TEXTS), np.array(TEXTS)], ids=type)
def test_chains_and_neighbours_need_columns(texts):
    """The message shows where the vectorizer belongs; there it works."""
    for learner, reason in (
        (ClassifierChain(OF_TEXT), "must have columns, because ClassifierChain adds columns, got"),
        (ChainEnsemble(OF_TEXT), "must have columns, because ClassifierChain adds columns, got"),
        (MLkNN(), "must be numbers for MLkNN, rows × features, got"),
    ):
        name = "MLkNN" if isinstance(learner, MLkNN) else "ClassifierChain"
        with pytest.raises(
            InputTypeError,
            match=rf"'X' {reason} \w+ of text\. Turn it into numbers first: "
            + re.escape(f"make_pipeline(TfidfVectorizer(), {name}())."),
        ):
            learner.fit(texts, Y)
    for learner in (ClassifierChain("logistic-regression"), MLkNN(5)):
        fitted = make_pipeline(TfidfVectorizer(), learner).fit(texts, Y)
        assert fitted.predict(texts).shape == Y.shape


def test_neighbours_read_numbers_from_frames():
    """Text in a column is refused."""
    numbers = FRAME[["size", "age"]]
    for form in (numbers, pl.from_pandas(numbers), numbers.to_numpy(dtype=object)):
        assert MLkNN(5).fit(form, Y).predict(form).shape == Y.shape
    with pytest.raises(ValueError, match="could not convert string to float"):
        MLkNN().fit(FRAME, Y)


def test_numbers_are_checked_as_before():
    """In arrays, lists and matrices; frames are for the base learner to check."""
    learner = BinaryRelevance("logistic-regression")
    for X in (np.full((90, 2), np.nan), [[np.nan]] * 90, FRAME[["size"]] * np.nan):
        with pytest.raises(ValueError, match="contains NaN"):
            learner.fit(X, Y)
    for X in (np.arange(90.0), [1.0] * 90, [np.float32(1)] * 90, pd.Series(np.arange(90))):
        with pytest.raises(ValueError, match=r"Expected 2D array|a 2-dimensional container"):
            learner.fit(X, Y)
    for X in (TEXTS[:5], FRAME[:5]):
        with pytest.raises(ValueError, match=r"inconsistent numbers of samples: \[5, 90\]"):
            learner.fit(X, Y)


def test_lazy_frames_are_computed():
    """Learners, evaluations and difficulty get the frame."""
    frame = pl.from_pandas(FRAME[["size", "age"]])
    learner = BinaryRelevance("logistic-regression")
    expected = learner.fit(frame, Y).predict_proba(frame)
    assert (learner.fit(frame.lazy(), Y).predict_proba(frame.lazy()) == expected).all()
    hard, expected_hard = (difficulty(X, Y)["squared error"] for X in (frame.lazy(), frame))
    assert (hard == expected_hard).all()
    values = [
        evenfold.evaluate({"br": learner}, X, Y, 3, methods=["even"], repeats=1).to_dict()
        for X in (frame.lazy(), frame)
    ]
    assert values[0] == values[1]


def test_missing_values_and_categories_reach_trees():
    """Histogram gradient boosting takes both from frames."""
    frame = FRAME.astype({"kind": "category"})
    frame.loc[::9, "age"] = np.nan
    base = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)
    for form in (frame, pl.from_pandas(frame)):
        for learner in (BinaryRelevance(base), ClassifierChain(base)):
            fitted = learner.fit(form[:60], Y[:60])
            assert (fitted.predict(form[60:]) == Y[60:]).mean() > 0.7


def test_regressors_get_frames():
    """The names of the columns are checked."""
    numbers = FRAME[["size", "age"]]
    learner = AveragingRegressor([("line", LinearRegression())], bagging=True, random_state=0)
    fitted = learner.fit(numbers, Y)
    assert fitted.regressors_[0].feature_names_in_.tolist() == ["size", "age"]
    np.testing.assert_allclose(
        fitted.predict(numbers),
        clone(learner).fit(numbers.to_numpy(), Y).predict(numbers.to_numpy()),
    )


@pytest.mark.parametrize("form", TEXT_FORMS)
def test_text_is_evaluated(form):
    """By a learner over a vectorizer, in folds and with a cache, with the same values."""
    texts = TEXT_FORMS[form](TEXTS)
    settings = {"parts": 3, "methods": ["even"], "repeats": 1, "n_samples": 0}
    result = evenfold.evaluate({"text": BinaryRelevance(OF_TEXT)}, texts, Y, **settings)
    assert result.about["features"] is None
    assert result["text", "even"].errors == []
    expected = evenfold.evaluate({"text": BinaryRelevance(OF_TEXT)}, TEXTS, Y, **settings)
    np.testing.assert_array_equal(result["text", "even"].values, expected["text", "even"].values)


@pytest.mark.parametrize("form", FRAME_FORMS)
def test_frames_are_evaluated(form, tmp_path):
    """They keep their columns; a second evaluation is read from the cache."""
    frame = FRAME_FORMS[form](FRAME)
    settings = {"parts": 3, "methods": ["even"], "repeats": 1, "cache": tmp_path}
    learners = {"br": BinaryRelevance(OF_COLUMNS), "cc": ClassifierChain(OF_COLUMNS)}
    result = evenfold.evaluate(learners, frame, Y, **settings)
    assert result.about["features"] == 3
    assert [estimate.errors for estimate in result] == [[], []]
    files = {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()}
    again = evenfold.evaluate(learners, FRAME_FORMS[form](FRAME.copy()), Y, **settings)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.iterdir()} == files
    for one, other in zip(result, again, strict=True):
        np.testing.assert_array_equal(one.values, other.values)


def test_rows_of_text_must_be_those_of_the_labels():
    """The message is that of numbers."""
    with pytest.raises(InputError, match=r"'X' must have the 90 rows of 'y', got 7"):
        evenfold.evaluate("br:tree", TEXTS[:7], Y)
    with pytest.raises(InputError, match=r"'X' must have the 90 rows of 'y', got 7"):
        difficulty(TEXTS[:7], Y, BinaryRelevance(OF_TEXT))


def test_difficulty_of_text_and_frames():
    """A learner takes what it was made for; nearest rows need numbers."""
    for X, base in ((TEXTS, OF_TEXT), (FRAME, OF_COLUMNS), (pl.from_pandas(FRAME), OF_COLUMNS)):
        found = difficulty(X, Y, BinaryRelevance(base))
        assert found["squared error"].mean() < Y.var(axis=0).mean()
    with pytest.raises(
        InputError,
        match=r"'X' must be finite numbers, .*\. Pass numbers, or a learner that takes these",
    ):
        difficulty(FRAME, Y)


def test_features_are_counted():
    """In every form that has columns."""
    assert [
        count_features(X) for X in (FRAME, HELD, HELD.tolist(), TEXTS, pd.Series(TEXTS), [("a", 1)])
    ] == [3, 6, 6, None, None, 2]

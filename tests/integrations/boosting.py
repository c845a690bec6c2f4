"""Rows, labels and learners that the tests of LightGBM and CatBoost share."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.pipeline import make_pipeline

from evenfold.learn import make_base, make_learner

RNG = np.random.default_rng(0)
N_ROWS = 120
KIND = RNG.choice(["hot", "wet", "dry"], N_ROWS)
SIZE = RNG.normal(size=N_ROWS)
# Two labels that the category gives, one that the number gives, and two constant ones.
Y = np.column_stack([KIND == "hot", KIND == "wet", SIZE > 0, SIZE < 9, SIZE > 9]).astype(int)
HEIGHT = np.where(SIZE > 0, "large", "small")
TEXTS = [f"the {kind} {height} one" for kind, height in zip(KIND, HEIGHT, strict=True)]
FRAME = pd.DataFrame(
    {"size": SIZE, "kind": pd.Categorical(KIND), "seen": RNG.random(N_ROWS) < 0.5},
    index=range(N_ROWS, 0, -1),
)
NUMBERS = np.column_stack([SIZE, KIND == "hot", KIND == "wet", RNG.normal(size=N_ROWS)])

FRAME_FORMS = {
    "pandas": lambda frame: frame,
    "polars": pl.from_pandas,
    "arrow": lambda frame: pa.Table.from_pandas(frame, preserve_index=False),
    "enum": lambda frame: pl.from_pandas(frame).with_columns(
        pl.col("kind").cast(pl.Enum(["dry", "hot", "wet"]))
    ),
}
NUMBER_FORMS = {
    "array": np.array,
    "list": np.ndarray.tolist,
    "float32": lambda own: own.astype(np.float32),
    "csr_matrix": sparse.csr_matrix,
    "csr_array": sparse.csr_array,
    "whole": lambda own: sparse.csr_array(np.ceil(own).astype(np.int64)),
    "long": lambda own: _make_long(sparse.csr_array(own)),
    "pandas": pd.DataFrame,
    "polars": lambda own: pl.DataFrame(own, schema=list("abcd")),
    "arrow": lambda own: pa.table(dict(zip("abcd", own.T, strict=True))),
}
KINDS = ("br", "lp", "cc", "clr", "ecc", "rakel")

every_kind = pytest.mark.parametrize("kind", KINDS)
every_frame = pytest.mark.parametrize("form", FRAME_FORMS)
every_number_form = pytest.mark.parametrize("form", NUMBER_FORMS)


def make_small(kind, package, **settings):
    """Return a learner of that kind over a base learner of that package, with few trees."""
    learner = make_learner(f"{kind}:{package}").set_params(random_state=0)
    learner.base.set_params(**(SMALL[package] | settings))
    return learner.set_params(n_chains=3) if kind == "ecc" else learner


def make_of_text(package):
    """Return a small base learner of text."""
    from sklearn.feature_extraction.text import TfidfVectorizer

    return make_pipeline(TfidfVectorizer(), make_base(package).set_params(**SMALL[package]))


SMALL = {
    "lightgbm": {"n_estimators": 8, "min_child_samples": 5, "n_jobs": 1},
    "catboost": {"iterations": 8, "learning_rate": 0.5, "depth": 3, "thread_count": 1},
}


def check_learned(learner, X, share=0.95):
    """Check that predictions have the form of labels, and that most of them are right."""
    predicted, probable = learner.predict(X), learner.predict_proba(X)
    assert predicted.shape == probable.shape == Y.shape
    assert predicted.dtype == np.int64
    assert probable.min() >= 0
    assert probable.max() <= 1
    assert (predicted == Y).mean() >= share
    np.testing.assert_array_equal(predicted[:, 3:], np.tile([1, 0], (N_ROWS, 1)))


def _make_long(matrix):
    """Return a sparse array with indices of 64 bits."""
    matrix.indices, matrix.indptr = matrix.indices.astype(np.int64), matrix.indptr.astype(np.int64)
    return matrix

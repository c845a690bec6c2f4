"""Base learners fitted: with the weights of rows, and to rows in a form that they take."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import get_config
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import (
    GridSearchCV,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)
from sklearn.multioutput import MultiOutputClassifier, MultiOutputRegressor
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from ..exceptions import InputError
from ..labels.wrapping import is_column, to_narwhals

Weights = NDArray[np.float64] | None

_WEIGHTS = "sample_weight"
# Their own readers of frames and sparse matrices do not take all that learners here take.
_PACKAGES = ("catboost", "lightgbm")
# Estimators that hand rows on to the estimator inside them as they are.
_HANDS_ROWS_ON = (
    CalibratedClassifierCV,
    GridSearchCV,
    MultiOutputClassifier,
    MultiOutputRegressor,
    RandomizedSearchCV,
    TunedThresholdClassifierCV,
)


def fit_base(model: Any, X: Any, y: Any, weights: Weights) -> Any:
    """Fit a base learner, in place, with the weights of rows if there are any."""
    _set_categories(model, X)
    settings = {} if weights is None else {find_weight_parameter(model): weights}
    return model.fit(X, y, **settings)


def find_weight_parameter(model: Any) -> str:
    """Return the name by which `fit` takes the weights of rows; in a pipeline for the last step."""
    if isinstance(model, Pipeline):
        name, last = model.steps[-1]
        own = find_weight_parameter(last)
        return own if get_config()["enable_metadata_routing"] else f"{name}__{own}"
    fit_parameters = inspect.signature(model.fit).parameters.values()
    passes_on = any(own.kind is inspect.Parameter.VAR_KEYWORD for own in fit_parameters)
    if passes_on and hasattr(model, "estimator"):  # a search of settings
        return find_weight_parameter(model.estimator)
    if not has_fit_parameter(model, _WEIGHTS):
        raise InputError(
            f"must be left out with {type(model).__name__}, whose fit takes no weights of rows. "
            "Take another base learner, such as 'random-forest'.",
            parameter=_WEIGHTS,
        )
    return _WEIGHTS


def adapt_rows(X: Any, model: Any) -> Any:
    """Return the rows in a form that the base learner takes; LightGBM and CatBoost do not take all.

    LightGBM 4.7 predicts from sparse matrices of fractions alone, not from sparse arrays. CatBoost
    1.2 takes sparse matrices alone, whose indices are 32-bit, and no Arrow tables. Columns of
    polars and Arrow that are no plain numbers, such as categories, text and decimals, end the
    process in both. So frames become those of pandas.
    """
    if find_package(model) not in _PACKAGES or isinstance(X, np.ndarray | list | tuple):
        return X
    if sparse.issparse(X):
        return _make_matrix(X)
    frame: Any = to_narwhals(X, "X")
    if frame is None or is_column(frame) or frame.implementation.is_pandas():
        return X
    return _make_pandas(frame)


def find_package(model: Any) -> str:
    """Return the package of an estimator, or of the one inside a search of its settings."""
    return type(_find_innermost(model)).__module__.partition(".")[0]


def _make_matrix(X: Any) -> Any:
    matrix: Any = sparse.csr_matrix(X, dtype=X.dtype if X.dtype.kind == "f" else np.float64)
    if matrix.nnz <= np.iinfo(np.int32).max:
        matrix.indices = matrix.indices.astype(np.int32, copy=False)
        matrix.indptr = matrix.indptr.astype(np.int32, copy=False)
    return matrix


def _make_pandas(frame: Any) -> Any:
    """Return a frame of pandas in which numbers are numbers, and categories have one order.

    pandas makes objects of decimals, and of booleans with missing values. The order of categories
    in polars depends on what the process read before, and models depend on that order.
    """
    import narwhals as nw

    table = frame.to_pandas()
    changed = {}
    for column in frame.iter_columns():
        own, kind = table[column.name], column.dtype
        if kind.is_decimal() or (kind == nw.Boolean and column.null_count()):
            changed[column.name] = own.astype("float64")
        elif kind == nw.Categorical and frame.implementation.is_polars():
            changed[column.name] = own.cat.set_categories(sorted(own.cat.categories))
    return table.assign(**changed)


def _set_categories(model: Any, X: Any) -> None:
    """Name the columns of categories of a pandas frame, which CatBoost does not find itself."""
    learner = _find_innermost(model)
    if find_package(learner) != "catboost" or not hasattr(X, "select_dtypes"):
        return
    # By place: numbers as names would be read as places. A tuple: scikit-learn copies no list.
    places = tuple(place for place, own in enumerate(X.dtypes) if own == "category")
    if places and learner.get_params().get("cat_features") is None:
        learner.set_params(cat_features=places)


def _find_innermost(model: Any) -> Any:
    while isinstance(model, _HANDS_ROWS_ON):
        model = model.estimator
    return model

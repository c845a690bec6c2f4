"""Base learners fitted: with the weights of rows, and to rows in a form that they take."""

from __future__ import annotations

import inspect
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from sklearn import get_config
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import has_fit_parameter

from ..exceptions import InputError
from ..labels.wrapping import is_column, to_narwhals

Weights = NDArray[np.float64] | None

_WEIGHTS = "sample_weight"


def fit_base(model: Any, X: Any, y: Any, weights: Weights) -> Any:
    """Fit a base learner, with the weights of rows if there are any."""
    settings = _find_categories(model, X)
    if weights is not None:
        settings[find_weight_parameter(model)] = weights
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
    """Return the rows in a form that the base learner takes.

    CatBoost takes sparse matrices, but no sparse arrays. Frames of polars and Arrow with columns of
    categories or text end the process in LightGBM 4.7 and CatBoost 1.2: they become pandas frames.
    """
    package = _find_package(model)
    if sparse.issparse(X):
        matrix: Any = sparse.csr_matrix
        return matrix(X) if package == "catboost" else X
    if package not in ("catboost", "lightgbm") or isinstance(X, np.ndarray | list | tuple):
        return X
    frame: Any = to_narwhals(X, "X")
    if frame is None or is_column(frame) or frame.implementation.is_pandas():
        return X
    types = frame.schema.values()
    are_numbers = all(own.is_numeric() or str(own) == "Boolean" for own in types)
    return X if are_numbers else frame.to_pandas()


def _find_categories(model: Any, X: Any) -> dict[str, Any]:
    """Return the columns of categories of a pandas frame, which CatBoost does not find itself."""
    if _find_package(model) != "catboost" or not hasattr(X, "select_dtypes"):
        return {}
    names = list(X.select_dtypes("category").columns)
    is_set = model.get_params().get("cat_features") is not None
    return {} if is_set or not names else {"cat_features": names}


def _find_package(model: Any) -> str:
    return type(model).__module__.partition(".")[0]

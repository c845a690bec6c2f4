"""Different regressors whose predictions are averaged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import RegressorMixin
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import _BaseComposition
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from .._checks.seeds import make_rng
from .._checks.values import show_value
from ..exceptions import InputTypeError
from ..metrics.arguments import check_sample_weight
from .base_fits import Weights, adapt_rows, find_weight_parameter, fit_base
from .bases import is_estimator
from .features import NO_Y, check_features, count_rows, take_rows
from .row_samples import draw_rows
from .seeds import copy_seeded, make_seeder
from .voting import check_weights


class AveragingRegressor(RegressorMixin, _BaseComposition):
    """Different regressors that predict the mean of their predictions.

    scikit-learn's `VotingRegressor` does this for one target; here y may have several.

    Parameters
    ----------
    regressors : sequence of (str, estimator)
        The names of the regressors, and the regressors.
    weights : sequence of float, default=None
        How much each regressor counts. None: all the same.
    bagging : bool, default=False
        Whether each regressor is fitted to its own sample of the rows.
    max_samples : float or int, default=1.0
        The size of each sample: a share of the rows, rounded down but never to 0, or a whole
        number of rows.
    bootstrap : bool, default=True
        Whether the rows of a sample are drawn with replacement, so that a row can be in it more
        than once.
    n_jobs : int, default=None
        How many regressors are fitted at once, as in scikit-learn.
    random_state : int, Generator or RandomState, default=None
        Seeds the samples, and every regressor that has no seed of its own. None draws new samples
        each time and sets no seeds.

    Attributes
    ----------
    regressors_ : list
        The fitted regressors.

    Notes
    -----
    The squared error of the mean is the mean squared error of the regressors minus the mean
    squared difference of their predictions from the mean (Krogh and Vedelsby 1995). So it is
    never larger than the mean squared error of the regressors.

    Examples
    --------
    >>> from sklearn.linear_model import LinearRegression
    >>> from sklearn.tree import DecisionTreeRegressor
    >>> X, y = [[0.0], [1.0], [2.0]], [[0.0, 6.0], [2.0, 4.0], [4.0, 2.0]]
    >>> regressors = [("line", LinearRegression()), ("tree", DecisionTreeRegressor())]
    >>> learner = evenfold.learn.AveragingRegressor(regressors, weights=[3, 1]).fit(X, y)
    >>> learner.predict([[1.0], [4.0]]).round(6).tolist()
    [[2.0, 4.0], [7.0, -1.0]]
    """

    def __init__(
        self,
        regressors: Sequence[tuple[str, Any]],
        *,
        weights: Sequence[float] | None = None,
        bagging: bool = False,
        max_samples: float = 1.0,
        bootstrap: bool = True,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.regressors = regressors
        self.weights = weights
        self.bagging = bagging
        self.max_samples = max_samples
        self.bootstrap = bootstrap
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from rows and their targets.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The rows, (n_rows, n_features). Frames, text and other objects are not changed: all
            regressors must take them.
        y : array-like or sparse matrix
            The targets, (n_rows,) or (n_rows, n_targets).
        sample_weight : array-like, default=None
            How much each row counts, (n_rows,), if all regressors take that. Rows of weight 0 are
            left out. None: all the same.

        Returns
        -------
        Self
            The fitted regressor.
        """
        members = self._members()
        check_weights(self.weights, len(members), "regressor")
        X, y = self._check_features(X, y, reset=True)
        y = y if isinstance(y, np.ndarray) else y.toarray()
        own_weights = check_sample_weight(sample_weight, len(y))
        if own_weights is not None:
            for member in members:
                find_weight_parameter(member)
            if not own_weights.all():
                kept = np.flatnonzero(own_weights)
                X, y, own_weights = take_rows(X, kept), y[kept], own_weights[kept]
        seeder = make_seeder(self.random_state)
        members = [copy_seeded(member, seeder) for member in members]
        rows = draw_rows(
            count_rows(X),
            len(members),
            make_rng(self.random_state),
            bagging=self.bagging,
            max_samples=self.max_samples,
            bootstrap=self.bootstrap,
        )
        # A single column is learned as one target: many regressors warn of a column.
        self._target_shape = y.shape[1:]
        y = y.ravel() if self._target_shape == (1,) else y
        self.regressors_ = Parallel(n_jobs=self.n_jobs)(
            delayed(_fit_regressor)(member, X, y, own, own_weights)
            for member, own in zip(members, rows, strict=True)
        )
        return self

    def predict(self, X: Any) -> NDArray[np.float64]:
        """Predict the targets of each row.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The rows, (n_rows, n_features).

        Returns
        -------
        ndarray
            The means, (n_rows,) or (n_rows, n_targets) as the targets that were learned.
        """
        check_is_fitted(self)
        X = self._check_features(X, reset=False)
        shape = (count_rows(X), *self._target_shape)
        found = [
            np.asarray(member.predict(adapt_rows(X, member))).reshape(shape)
            for member in self.regressors_
        ]
        weights = check_weights(self.weights, len(found), "regressor")
        return np.average(found, axis=0, weights=weights)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters; with `deep` also those of the regressors, by their names.

        Parameters
        ----------
        deep : bool, default=True
            Whether the regressors and their parameters are in it.

        Returns
        -------
        dict
            The value of each parameter.
        """
        return dict(self._get_params("regressors", deep=deep))

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also those of the regressors, such as `tree__max_depth`.

        Parameters
        ----------
        **params : Any
            The values by name.

        Returns
        -------
        Self
            The regressor.
        """
        self._set_params("regressors", **params)
        return self

    def __sklearn_tags__(self) -> Any:
        """Return what the regressor takes: what all its members take."""
        tags = super().__sklearn_tags__()
        parts = [get_tags(member) for member in self._members()]
        tags.input_tags.sparse = all(own.input_tags.sparse for own in parts)
        tags.input_tags.allow_nan = all(own.input_tags.allow_nan for own in parts)
        tags.target_tags.multi_output = all(own.target_tags.multi_output for own in parts)
        return tags

    def _members(self) -> list[Any]:
        """Return the regressors without their names."""
        given = self.regressors if isinstance(self.regressors, list | tuple) else []
        members = [pair[1] for pair in given if isinstance(pair, list | tuple) and len(pair) == 2]
        if not members or len(members) < len(given) or not all(map(is_estimator, members)):
            raise InputTypeError(
                "must be a list of names and regressors, "
                f"got {show_value(self.regressors)}. "
                "Try regressors=[('tree', DecisionTreeRegressor())].",
                parameter="regressors",
            )
        self._validate_names([pair[0] for pair in given])
        return members

    def _check_features(self, X: Any, y: Any = NO_Y, *, reset: bool) -> Any:
        """Return X, and y if it is given, checked; the regressors decide about missing values."""
        tags = get_tags(self).input_tags
        return check_features(
            self,
            X,
            y,
            reset=reset,
            needs_numbers=False,
            accept_sparse=["csr"] if tags.sparse else False,
            ensure_all_finite="allow-nan" if tags.allow_nan else True,
            **({} if isinstance(y, str) else {"y_numeric": True}),
        )


def _fit_regressor(
    member: Any, X: Any, y: NDArray[Any], rows: NDArray[np.int64] | None, weights: Weights
) -> Any:
    if rows is not None:
        X, y = take_rows(X, rows), y[rows]
        weights = None if weights is None else weights[rows]
    return fit_base(member, adapt_rows(X, member), y, weights)

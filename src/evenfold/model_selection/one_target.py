"""Splitters for one target of any kind, under scikit-learn's names."""

from __future__ import annotations

from typing import Any

from ..labels.targets import Target, check_target, read_target
from ..methods import Method
from ..problem.size_tolerance import SizeTolerance
from ..splits.make_split import RandomState
from .k_folds import (
    MultilabelStratifiedGroupKFold,
    MultilabelStratifiedKFold,
    RepeatedMultilabelStratifiedKFold,
)
from .shuffle_splits import MultilabelStratifiedShuffleSplit
from .splitter import Rows, Splitter


class _OneTarget(Splitter):
    """A splitter of rows with one target, or with several in columns."""

    target: Target
    _plain, _grouped = "StratifiedKFold", "StratifiedGroupKFold"

    def _read_rows(self, y: Any) -> Rows:
        return Rows(*read_target(y, self.target))


class StratifiedKFold(_OneTarget, MultilabelStratifiedKFold):
    """K folds in which a target is even: classes, numbers, or columns of both.

    `y` is one value for each row, or a frame, a mapping or a matrix of several such columns, such
    as a class and a price. The other parameters are those of `MultilabelStratifiedKFold`.

    Parameters
    ----------
    target : {"auto", "classes", "numbers"} or mapping, default="auto"
        What `y` holds; or a mapping from names of columns, or their numbers in a matrix, to what
        these hold. `"classes"`: each value has its share in every fold. `"numbers"`: every fold
        has its share of the total, and of the rows in each of five quantile bins. `"auto"`: text,
        categories and booleans are classes, numbers with fractions are numbers. Whole numbers are
        classes; more than 20 different ones are numbers besides. If they are in fewer than two
        rows each, on average, they are taken as numbers alone, with an `AssumptionWarning`, unless
        there are at most 5 different ones.

    Notes
    -----
    Every row is in exactly one test fold.
    Fold sizes differ by at most one row.
    The numbers of rows of a class in the folds differ by at most one, if classes are all there is.
    Missing values are a class of their own. Among numbers they are a bin of their own, and count
    as the mean in the total.
    Of several columns, classes come first, then numbers.
    Classes with fewer rows than folds are no error, and no warning.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import StratifiedKFold
    >>> price = np.array([1.5, 2.5, 3.5, 4.5, 60.5, 70.5, 80.5, 90.5])
    >>> for train, test in StratifiedKFold(n_splits=2).split(np.zeros(8), price):
    ...     print(price[test].mean())
    39.25
    39.25
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        shuffle: bool = False,
        random_state: RandomState = None,
        method: str | Method = "even",
        target: Target = "auto",
    ) -> None:
        super().__init__(n_splits, shuffle=shuffle, random_state=random_state, method=method)
        self.target = check_target(target)


class StratifiedGroupKFold(_OneTarget, MultilabelStratifiedGroupKFold):
    """K folds in which a target is even and every group is in one fold.

    The other parameters are those of `MultilabelStratifiedGroupKFold`.

    Parameters
    ----------
    target : {"auto", "classes", "numbers"} or mapping, default="auto"
        What `y` holds, as for `StratifiedKFold`.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import StratifiedGroupKFold
    >>> age, clinic = np.arange(12) + 0.5, np.arange(12) // 2
    >>> for train, test in StratifiedGroupKFold(n_splits=3).split(None, age, groups=clinic):
    ...     print(age[test].mean(), set(clinic[train]) & set(clinic[test]))
    6.0 set()
    6.0 set()
    6.0 set()
    """

    def __init__(
        self,
        n_splits: int = 5,
        shuffle: bool = False,
        random_state: RandomState = None,
        *,
        method: str | Method = "even",
        size_tolerance: SizeTolerance = None,
        target: Target = "auto",
    ) -> None:
        super().__init__(
            n_splits, shuffle, random_state, method=method, size_tolerance=size_tolerance
        )
        self.target = check_target(target)


class RepeatedStratifiedKFold(_OneTarget, RepeatedMultilabelStratifiedKFold):
    """K folds in which a target is even, made `n_repeats` times.

    The other parameters are those of `RepeatedMultilabelStratifiedKFold`.

    Parameters
    ----------
    target : {"auto", "classes", "numbers"} or mapping, default="auto"
        What `y` holds, as for `StratifiedKFold`.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import RepeatedStratifiedKFold
    >>> cv = RepeatedStratifiedKFold(n_splits=2, n_repeats=3, random_state=0)
    >>> y = np.array(["a", "b"] * 4)
    >>> [np.sum(y[test] == "a").item() for train, test in cv.split(np.zeros(8), y)]
    [2, 2, 2, 2, 2, 2]
    """

    def __init__(
        self,
        *,
        n_splits: int = 5,
        n_repeats: int = 10,
        random_state: RandomState = None,
        method: str | Method = "even",
        target: Target = "auto",
    ) -> None:
        super().__init__(n_splits, n_repeats=n_repeats, random_state=random_state, method=method)
        self.target = check_target(target)


class StratifiedShuffleSplit(_OneTarget, MultilabelStratifiedShuffleSplit):
    """Independent splits into train and test rows in which a target is even.

    The other parameters are those of `MultilabelStratifiedShuffleSplit`.

    Parameters
    ----------
    target : {"auto", "classes", "numbers"} or mapping, default="auto"
        What `y` holds, as for `StratifiedKFold`.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import StratifiedShuffleSplit
    >>> y = {"kind": ["a", "b"] * 10, "price": np.arange(20) + 0.25}
    >>> cv = StratifiedShuffleSplit(n_splits=2, test_size=10, random_state=0)
    >>> [round(y["price"][test].mean()) for train, test in cv.split(None, y)]
    [10, 10]
    """

    def __init__(
        self,
        n_splits: int = 10,
        *,
        test_size: Any = None,
        train_size: Any = None,
        random_state: RandomState = None,
        method: str | Method = "even",
        target: Target = "auto",
    ) -> None:
        super().__init__(
            n_splits,
            test_size=test_size,
            train_size=train_size,
            random_state=random_state,
            method=method,
        )
        self.target = check_target(target)

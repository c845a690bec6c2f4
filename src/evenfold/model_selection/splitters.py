"""scikit-learn splitters and train_test_split, by the names and signatures people know."""

from __future__ import annotations

import math
import numbers
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import BaseCrossValidator
from sklearn.utils import _safe_indexing, indexable

from .._checks.seeds import make_rng
from ..exceptions import EvenfoldError, InputError, InputTypeError
from ..labels.labels import Labels, make_labels
from ..methods import Method
from ..splits import Split
from ..splits.make_split import RandomState, make_split

__all__ = [
    "MultilabelStratifiedGroupKFold",
    "MultilabelStratifiedKFold",
    "MultilabelStratifiedShuffleSplit",
    "RepeatedMultilabelStratifiedKFold",
    "train_test_split",
    "train_val_test_split",
]

Indices = NDArray[np.int64]


class MultilabelStratifiedKFold(BaseCrossValidator):
    """K folds in which every label has its share.

    Parameters
    ----------
    n_splits : number of folds
    shuffle : whether the folds depend on `random_state`; without it they depend on the labels alone
    random_state : the same number gives the same folds; only with `shuffle=True`
    method : as for `evenfold.split`

    Notes
    -----
    Every row is in exactly one test fold.
    Fold sizes differ by at most one row.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import MultilabelStratifiedKFold
    >>> y = np.array([[0, 0], [0, 0], [0, 1], [0, 1], [1, 1], [1, 1], [1, 0], [1, 0]])
    >>> for train, test in MultilabelStratifiedKFold(n_splits=2).split(np.zeros(8), y):
    ...     print(y[test].sum(axis=0))
    [2 2]
    [2 2]
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        shuffle: bool = False,
        random_state: RandomState = None,
        method: str | Method = "even",
    ) -> None:
        self.n_splits = _check_count(n_splits, "n_splits", least=2)
        if not isinstance(shuffle, bool | np.bool_):
            raise InputTypeError(
                f"must be True or False, got {shuffle!r}. Say shuffle=True to have 'random_state' count.",
                parameter="shuffle",
            )
        if not shuffle and random_state is not None:
            raise InputError(
                f"must be left out with shuffle=False, got {random_state!r}. Add shuffle=True, or leave it out.",
                parameter="random_state",
            )
        self.shuffle = shuffle
        self.random_state = random_state
        self.method = method

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Indices, Indices]]:
        """Yield (train, test) row indices, fold by fold.

        Parameters
        ----------
        X : the features; only their number of rows is looked at, and None will do
        y : the labels, in any form `evenfold.split` takes
        groups : ignored, with a warning; `MultilabelStratifiedGroupKFold` keeps them whole
        """
        if groups is not None:
            warnings.warn(
                f"{type(self).__name__} ignores 'groups'. Use MultilabelStratifiedGroupKFold to keep them whole.",
                UserWarning,
                stacklevel=2,
            )
        yield from _make_folds(self, X, y, None, self.random_state if self.shuffle else 0)


class MultilabelStratifiedGroupKFold(MultilabelStratifiedKFold):
    """K folds in which every label has its share and no group is cut.

    Parameters
    ----------
    n_splits : number of folds
    shuffle : whether the folds depend on `random_state`; without it they depend on the labels and groups alone
    random_state : the same number gives the same folds; only with `shuffle=True`
    method : as for `evenfold.split`

    Notes
    -----
    No group is in both train and test rows.
    scikit-learn passes `groups` on when they are given, with and without metadata routing.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import MultilabelStratifiedGroupKFold
    >>> y, patient = np.eye(12, 3), np.arange(12) // 2
    >>> for train, test in MultilabelStratifiedGroupKFold(n_splits=3).split(np.zeros(12), y, groups=patient):
    ...     assert not set(patient[train]) & set(patient[test])
    """

    # What scikit-learn's metadata routing reads: this splitter wants the groups.
    __metadata_request__split = {"groups": True}  # noqa: RUF012 - scikit-learn's protocol

    def __init__(
        self,
        n_splits: int = 5,
        shuffle: bool = False,
        random_state: RandomState = None,
        *,
        method: str | Method = "even",
    ) -> None:
        super().__init__(n_splits, shuffle=shuffle, random_state=random_state, method=method)

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Indices, Indices]]:
        """Yield (train, test) row indices, fold by fold; `groups` is needed."""
        if groups is None:
            raise InputError(
                "must be given, got None. Pass one group per row, or use MultilabelStratifiedKFold.",
                parameter="groups",
            )
        yield from _make_folds(self, X, y, groups, self.random_state if self.shuffle else 0)


class RepeatedMultilabelStratifiedKFold(BaseCrossValidator):
    """K folds in which every label has its share, made `n_repeats` times.

    Parameters
    ----------
    n_splits : number of folds
    n_repeats : how many times
    random_state : the same number gives the same folds
    method : as for `evenfold.split`

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import RepeatedMultilabelStratifiedKFold
    >>> cv = RepeatedMultilabelStratifiedKFold(n_splits=2, n_repeats=3, random_state=0)
    >>> cv.get_n_splits(), len(list(cv.split(np.zeros(8), np.eye(8, 2))))
    (6, 6)
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        n_repeats: int = 10,
        random_state: RandomState = None,
        method: str | Method = "even",
    ) -> None:
        self.n_splits = _check_count(n_splits, "n_splits", least=2)
        self.n_repeats = _check_count(n_repeats, "n_repeats", least=1)
        self.random_state = random_state
        self.method = method

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of folds, all repeats together."""
        return self.n_splits * self.n_repeats

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Indices, Indices]]:
        """Yield (train, test) row indices, fold by fold, repeat by repeat."""
        _warn_of_groups(self, groups)
        rng = make_rng(self.random_state)
        for _ in range(self.n_repeats):
            folds = MultilabelStratifiedKFold(
                self.n_splits,
                shuffle=True,
                random_state=int(rng.integers(2**31)),
                method=self.method,
            )
            yield from folds.split(X, y)


class MultilabelStratifiedShuffleSplit(BaseCrossValidator):
    """Independent cuts into train and test rows in which every label has its share.

    Parameters
    ----------
    n_splits : how many cuts
    test_size, train_size : fractions or numbers of rows, as in scikit-learn; default 0.1 for test
    random_state : the same number gives the same cuts
    method : as for `evenfold.split`

    Notes
    -----
    Both sizes are as asked, to the row, whatever the method.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import MultilabelStratifiedShuffleSplit
    >>> cv = MultilabelStratifiedShuffleSplit(n_splits=2, test_size=4, train_size=8, random_state=0)
    >>> [(len(train), len(test)) for train, test in cv.split(np.zeros(20), np.eye(20, 4))]
    [(8, 4), (8, 4)]
    """

    # Groups are welcome, not needed.
    __metadata_request__split = {"groups": True}  # noqa: RUF012 - scikit-learn's protocol

    def __init__(
        self,
        n_splits: int = 10,
        *,
        test_size: Any = None,
        train_size: Any = None,
        random_state: RandomState = None,
        method: str | Method = "even",
    ) -> None:
        self.n_splits = _check_count(n_splits, "n_splits", least=1)
        self.test_size = test_size
        self.train_size = train_size
        self.random_state = random_state
        self.method = method

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return the number of cuts."""
        return self.n_splits

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Indices, Indices]]:
        """Yield (train, test) row indices, cut by cut. Groups, where given, stay whole."""
        labels = _check_rows(X, y)
        # iterative-stratification says "default" where scikit-learn says None.
        test_size = (
            None
            if isinstance(self.test_size, str) and self.test_size == "default"
            else self.test_size
        )
        sizes = _check_sizes(
            labels.n_rows, {"train_size": self.train_size, "test_size": test_size}, default=0.1
        )
        rng = make_rng(self.random_state)
        for _ in range(self.n_splits):
            s = make_split(
                labels,
                sizes,
                groups=groups,
                method=self.method,
                random_state=int(rng.integers(2**31)),
                exact_sizes=True,
            )
            yield s[0], s[1]


def train_test_split(
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: RandomState = None,
    shuffle: bool = True,
    stratify: Any = None,
    groups: Any = None,
    method: str | Method = "even",
) -> list[Any]:
    """Cut arrays into train and test rows in which every label has its share; scikit-learn's function, for multi-label data.

    Parameters
    ----------
    arrays : arrays, lists, frames or sparse matrices of one length; what comes in comes out
    test_size, train_size : fractions or numbers of rows, rounded as scikit-learn does: test up, train down; default 0.25 for test
    random_state : the same number gives the same cut
    shuffle : False: the cut depends on the labels alone
    stratify : the labels, in any form `evenfold.split` takes; default the last of the arrays
    groups : (n_rows,) rows of one group stay together
    method : as for `evenfold.split`

    Returns
    -------
    list : train and test rows of the first array, of the second, …

    Notes
    -----
    Both sizes are as asked, to the row, whatever the method, where there are no groups.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import train_test_split
    >>> X, y = np.arange(20).reshape(10, 2), np.tile([[1, 0], [0, 1]], (5, 1))
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
    >>> X_test.shape, y_test.sum(axis=0).tolist()
    ((4, 2), [2, 2])
    """
    sizes = {"train_size": train_size, "test_size": test_size}
    s = _cut(arrays, sizes, 0.25, random_state, shuffle, stratify, groups, method)
    return [_safe_indexing(array, s[part]) for array in indexable(*arrays) for part in (0, 1)]


def train_val_test_split(
    *arrays: Any,
    val_size: Any = 0.15,
    test_size: Any = 0.15,
    train_size: Any = None,
    random_state: RandomState = None,
    shuffle: bool = True,
    stratify: Any = None,
    groups: Any = None,
    method: str | Method = "even",
) -> list[Any]:
    """Cut arrays into train, validation and test rows, at once, in which every label has its share.

    Parameters
    ----------
    arrays : arrays, lists, frames or sparse matrices of one length; what comes in comes out
    val_size, test_size, train_size : fractions or numbers of rows; val and test are rounded up, train down
    random_state, shuffle, stratify, groups, method : as for `train_test_split`

    Returns
    -------
    list : train, validation and test rows of the first array, of the second, …

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import train_val_test_split
    >>> y = np.tile([[1, 0], [0, 1]], (10, 1))
    >>> [len(part) for part in train_val_test_split(y, val_size=0.2, test_size=0.2, random_state=0)]
    [12, 4, 4]
    """
    sizes = {"train_size": train_size, "val_size": val_size, "test_size": test_size}
    s = _cut(arrays, sizes, 0.15, random_state, shuffle, stratify, groups, method)
    return [_safe_indexing(array, s[part]) for array in indexable(*arrays) for part in (0, 1, 2)]


def _warn_of_groups(cv: BaseCrossValidator, groups: Any) -> None:
    if groups is not None:
        # Three steps up: this function, the generator, who asks it for a fold.
        warnings.warn(
            f"{type(cv).__name__} ignores 'groups'. Use MultilabelStratifiedGroupKFold to keep them whole.",
            UserWarning,
            stacklevel=3,
        )


def _make_folds(
    cv: MultilabelStratifiedKFold, X: Any, y: Any, groups: Any, random_state: RandomState
) -> Iterator[tuple[Indices, Indices]]:
    labels = _check_rows(X, y)
    if cv.n_splits > labels.n_rows:
        raise InputError(
            f"must be at most the number of rows, got {cv.n_splits:,} for {labels.n_rows:,} rows. Ask for fewer folds.",
            parameter="n_splits",
        )
    yield from make_split(
        labels,
        cv.n_splits,
        groups=groups,
        method=cv.method,
        random_state=random_state,
        exact_sizes=True,
    ).folds()


def _cut(
    arrays: tuple[Any, ...],
    sizes: dict[str, Any],
    default: float,
    random_state: RandomState,
    shuffle: bool,
    stratify: Any,
    groups: Any,
    method: str | Method,
) -> Split:
    if not arrays:
        raise InputError(
            "at least one array must be given to split. Pass the features and the labels."
        )
    try:
        labels = make_labels(arrays[-1] if stratify is None else stratify)
    except EvenfoldError as error:
        if stratify is not None:
            raise
        raise type(error)(
            f"{error} These are the values of the last array; pass the labels as 'stratify' if they are another."
        ) from None
    for array in arrays:
        _check_rows(array, labels)
    return make_split(
        labels,
        _check_sizes(labels.n_rows, sizes, default),
        groups=groups,
        method=method,
        random_state=random_state if shuffle else 0,
        exact_sizes=True,
    )


def _check_rows(X: Any, y: Any) -> Labels:
    labels = make_labels(y)
    n_rows = labels.n_rows if X is None else X.shape[0] if hasattr(X, "shape") else len(X)
    if n_rows != labels.n_rows:
        raise InputError(
            f"and 'y' must have the same number of rows, got {n_rows:,} and {labels.n_rows:,}. Check that both come from the same data.",
            parameter="X",
        )
    return labels


def _check_count(value: Any, parameter: str, least: int) -> int:
    if not isinstance(value, numbers.Integral) or isinstance(value, bool):
        raise InputTypeError(
            f"must be a whole number, got {value!r}, a {type(value).__name__}. Try {parameter}=5.",
            parameter=parameter,
        )
    if value < least:
        raise InputError(
            f"must be at least {least}, got {value}. Try {parameter}=5.", parameter=parameter
        )
    return int(value)


def _check_sizes(n_rows: int, sizes: dict[str, Any], default: float) -> list[int]:
    """Return whole sizes in the order of `sizes`, train first, then what no part gets, if anything.

    Fractions are rounded as in scikit-learn: train down, the others up. A size that is not given is what the others leave;
    where only train could be, the default is for the test rows.
    """
    given = {
        name: _check_size(name, size, n_rows) for name, size in sizes.items() if size is not None
    }
    if not given and len(sizes) == 2:
        given = {"test_size": math.ceil(default * n_rows)}
    left = n_rows - sum(given.values())
    if (
        left < 0
        and all(isinstance(size, float) for size in sizes.values())
        and sum(sizes.values()) <= 1 + 1e-9
    ):
        # Fractions of the whole, two of them rounded up: train gives what that takes.
        given["train_size"] += left
        left = 0
    open_sizes = [name for name in sizes if name not in given]
    if len(open_sizes) > 1:
        raise InputError(
            f"'{open_sizes[1]}' must be given, got None: {' and '.join(open_sizes)} cannot both be what is left. Try {open_sizes[1]}=0.2."
        )
    asked = (
        ", ".join(f"{name}={sizes[name]}" for name in given if sizes[name] is not None)
        or f"test_size={default}"
    )
    if left < 0 or (open_sizes and left < 1) or 0 in given.values():
        raise InputError(
            f"{asked} must leave every part a row, got {n_rows:,} rows to share. Ask for other sizes."
        )
    whole = [given.get(name, left) for name in sizes]
    return [*whole, left] if left and not open_sizes else whole


def _check_size(name: str, size: Any, n_rows: int) -> int:
    if isinstance(size, bool) or not isinstance(size, int | float | np.number):
        raise InputTypeError(
            f"must be a fraction or a number of rows, got {size!r}, a {type(size).__name__}. Try {name}=0.2.",
            parameter=name,
        )
    if isinstance(size, int | np.integer):
        if not 0 < size < n_rows:
            raise InputError(
                f"must be between 1 and {n_rows - 1:,} rows, got {size}. Ask for another size.",
                parameter=name,
            )
        return int(size)
    if not 0 < size < 1:
        raise InputError(
            f"must be a fraction between 0 and 1, or a whole number of rows, got {size}. Try {name}=0.2.",
            parameter=name,
        )
    # To the last digit as scikit-learn does, which takes 0.55 of 100 rows for 56: 0.55 * 100 is a hair above 55.
    return math.floor(size * n_rows) if name == "train_size" else math.ceil(size * n_rows)

"""train_test_split and train_val_test_split: arrays split into parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sklearn.utils import _safe_indexing, indexable

from ..exceptions import EvenfoldError, InputError
from ..labels.hugging_face import is_dataset, join_splits, select_rows
from ..labels.targets import Target, check_target, read_labels_or_target
from ..methods import Method
from ..splits.make_split import RandomState, make_split
from .arguments import Indices, check_n_rows, check_sizes


def train_test_split(
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: RandomState = None,
    shuffle: bool = True,
    stratify: Any = None,
    groups: Any = None,
    method: str | Method = "even",
    target: Target = "auto",
) -> list[Any]:
    """Split arrays into train and test rows in which every label has its share.

    It is scikit-learn's function of that name, for multi-label data.

    Parameters
    ----------
    *arrays : array-like, sparse matrix, frame, Dataset or list
        The arrays, all with the same number of rows. Each part has the type of its array.
    test_size : float or int, default=None
        The fraction or the number of test rows, fractions rounded up. None: what `train_size`
        leaves; 0.25 if that is None too.
    train_size : float or int, default=None
        The fraction or the number of train rows, fractions rounded down. None: what `test_size`
        leaves.
    random_state : int, Generator or RandomState, default=None
        The same number gives the same split. With None, the result differs each time.
    shuffle : bool, default=True
        Whether the split depends on `random_state`. If False, it depends on the labels alone.
    stratify : array-like, sparse matrix, frame or list of label lists, default=None
        The labels, in any form `evenfold.split` takes; or one column of numbers with fractions,
        whose total and quantile bins are kept even. None: the last array.
    groups : Links, array-like, mapping or frame, default=None
        Rows of one group stay together, as for `split`.
    method : str or Method, default="even"
        The method, as for `evenfold.split`.
    target : {"auto", "classes", "numbers"} or mapping, default="auto"
        What `stratify` holds. `"auto"`: labels, or one column of numbers if those are no classes by
        the rule of `StratifiedKFold`. Otherwise one target, or several in columns, as there.

    Returns
    -------
    list
        Train and test rows of the first array, of the second array, ….

    Raises
    ------
    InputTypeError
        If an argument has a wrong type.
    InputError
        If sizes or numbers of rows do not fit.

    Notes
    -----
    Without groups, both parts have exactly the given sizes, for every method.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import train_test_split
    >>> X, y = np.arange(20).reshape(10, 2), np.tile([[1, 0], [0, 1]], (5, 1))
    >>> X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0)
    >>> X_test.shape, y_test.sum(axis=0).tolist()
    ((4, 2), [2, 2])
    """
    return _split_arrays(
        arrays,
        {"train_size": train_size, "test_size": test_size},
        0.25,
        stratify,
        random_state=random_state if shuffle else 0,
        groups=groups,
        method=method,
        target=target,
    )


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
    target: Target = "auto",
) -> list[Any]:
    """Split arrays into train, validation and test rows in which every label has its share.

    All parts are made at once.

    Parameters
    ----------
    *arrays : array-like, sparse matrix, frame, Dataset or list
        The arrays, all with the same number of rows. Each part has the type of its array.
    val_size : float or int, default=0.15
        The fraction or the number of validation rows, fractions rounded up.
    test_size : float or int, default=0.15
        The fraction or the number of test rows, fractions rounded up.
    train_size : float or int, default=None
        The fraction or the number of train rows, fractions rounded down. One of the three sizes
        may be None: the rows that the others leave.
    random_state : int, Generator or RandomState, default=None
        The same number gives the same split. With None, the result differs each time.
    shuffle : bool, default=True
        Whether the split depends on `random_state`. If False, it depends on the labels alone.
    stratify : array-like, sparse matrix, frame or list of label lists, default=None
        The labels, in any form `evenfold.split` takes; or one column of numbers with fractions,
        whose total and quantile bins are kept even. None: the last array.
    groups : Links, array-like, mapping or frame, default=None
        Rows of one group stay together, as for `split`.
    method : str or Method, default="even"
        The method, as for `evenfold.split`.
    target : {"auto", "classes", "numbers"} or mapping, default="auto"
        What `stratify` holds. `"auto"`: labels, or one column of numbers if those are no classes by
        the rule of `StratifiedKFold`. Otherwise one target, or several in columns, as there.

    Returns
    -------
    list
        Train, validation and test rows of the first array, of the second array, ….

    Raises
    ------
    InputTypeError
        If an argument has a wrong type.
    InputError
        If sizes or numbers of rows do not fit.

    Notes
    -----
    Without groups, all parts have exactly the given sizes, for every method.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import train_val_test_split
    >>> y = np.tile([[1, 0], [0, 1]], (10, 1))
    >>> [len(part) for part in train_val_test_split(y, val_size=0.2, test_size=0.2, random_state=0)]
    [12, 4, 4]
    """
    return _split_arrays(
        arrays,
        {"train_size": train_size, "val_size": val_size, "test_size": test_size},
        0.15,
        stratify,
        random_state=random_state if shuffle else 0,
        groups=groups,
        method=method,
        target=target,
    )


def _split_arrays(
    arrays: tuple[Any, ...],
    sizes: Mapping[str, Any],
    default_test_size: float,
    stratify: Any,
    *,
    random_state: RandomState,
    groups: Any,
    method: str | Method,
    target: Target,
) -> list[Any]:
    """Return the parts of each array, in the order of `sizes`."""
    if not arrays:
        raise InputError(
            "at least one array must be given to split. Pass the features and the labels."
        )
    arrays = tuple(join_splits(array, "arrays") for array in arrays)
    try:
        labels, balance = read_labels_or_target(
            arrays[-1] if stratify is None else stratify, check_target(target)
        )
    except EvenfoldError as error:
        if stratify is not None:
            parameter = "stratify" if error.parameter == "y" else error.parameter
            raise type(error)(error.message, parameter=parameter) from None
        raise type(error)(
            f"{error} These are the values of the last array; "
            "pass the labels as 'stratify' if they are another."
        ) from None
    for array in arrays:
        check_n_rows(array, labels.n_rows)
    split = make_split(
        labels,
        check_sizes(labels.n_rows, sizes, default_test_size),
        groups=groups,
        balance=balance,
        method=method,
        random_state=random_state,
        exact_sizes=True,
    )
    return [
        _take_rows(array, split[part]) for array in indexable(*arrays) for part in range(len(sizes))
    ]


def _take_rows(array: Any, rows: Indices) -> Any:
    return select_rows(array, rows) if is_dataset(array) else _safe_indexing(array, rows)

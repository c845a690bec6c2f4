"""Splitters into k folds, with the signatures of scikit-learn and iterative-stratification."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from .._checks.numbers import check_whole
from .._checks.seeds import make_rng
from ..exceptions import InputError, InputTypeError
from ..methods import Method
from ..problem.size_tolerance import SizeTolerance, check_size_tolerance
from ..splits.make_split import RandomState, make_split
from .arguments import Indices
from .splitter import Rows, Splitter


class MultilabelStratifiedKFold(Splitter):
    """K folds in which every label has its share.

    Parameters
    ----------
    n_splits : int, default=5
        The number of folds, 2 or more.
    shuffle : bool, default=False
        Whether the folds depend on `random_state`. If False, they depend on the labels alone.
    random_state : int, Generator or RandomState, default=None
        The same number gives the same folds. Only with `shuffle=True`.
    method : str or Method, default="even"
        The method, as for `evenfold.split`.

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
        self.n_splits = check_whole(n_splits, "n_splits", "Try n_splits=5.", least=2)
        if not isinstance(shuffle, bool | np.bool_):
            raise InputTypeError(
                f"must be True or False, got {shuffle!r}. "
                "Pass shuffle=True if the folds should depend on 'random_state'.",
                parameter="shuffle",
            )
        if not shuffle and random_state is not None:
            raise InputError(
                f"must be left out with shuffle=False, got {random_state!r}. "
                "Add shuffle=True, or leave it out.",
                parameter="random_state",
            )
        self.shuffle = shuffle
        self.random_state = random_state
        self.method = method

    def _make_splits(self, rows: Rows, groups: Any) -> Iterator[tuple[Indices, Indices]]:
        if self.n_splits > rows.labels.n_rows:
            raise InputError(
                "must be at most the number of rows, "
                f"got {self.n_splits:,} for {rows.labels.n_rows:,} rows. Ask for fewer folds.",
                parameter="n_splits",
            )
        yield from make_split(
            rows.labels,
            self.n_splits,
            groups=groups,
            balance=rows.balance,
            method=self.method,
            random_state=self.random_state if self.shuffle else 0,
            exact_sizes=True,
            size_tolerance=self._get_size_tolerance(),
        ).folds()

    def _get_size_tolerance(self) -> SizeTolerance:
        return None


class MultilabelStratifiedGroupKFold(MultilabelStratifiedKFold):
    """K folds in which every label has its share and every group is in one fold.

    Parameters
    ----------
    n_splits : int, default=5
        The number of folds, 2 or more.
    shuffle : bool, default=False
        Whether the folds depend on `random_state`. If False, they depend on the labels and
        groups alone.
    random_state : int, Generator or RandomState, default=None
        The same number gives the same folds. Only with `shuffle=True`.
    method : str or Method, default="even"
        The method, as for `evenfold.split`.
    size_tolerance : int or float, default=None
        By how many rows, or by which share of a fold, fold sizes may be off where groups make
        labels uneven, as for `evenfold.split`.

    Notes
    -----
    No group is in both train and test rows.
    scikit-learn passes `groups` to the splitter, with and without metadata routing.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import MultilabelStratifiedGroupKFold
    >>> y, patient = np.eye(12, 3), np.arange(12) // 2
    >>> cv = MultilabelStratifiedGroupKFold(n_splits=3)
    >>> for train, test in cv.split(np.zeros(12), y, groups=patient):
    ...     assert not set(patient[train]) & set(patient[test])
    """

    _keeps_groups = True
    # scikit-learn's metadata routing reads this: pass the groups.
    __metadata_request__split = {"groups": True}  # noqa: RUF012 - scikit-learn's protocol

    def __init__(
        self,
        n_splits: int = 5,
        shuffle: bool = False,
        random_state: RandomState = None,
        *,
        method: str | Method = "even",
        size_tolerance: SizeTolerance = None,
    ) -> None:
        super().__init__(n_splits, shuffle=shuffle, random_state=random_state, method=method)
        self.size_tolerance = check_size_tolerance(size_tolerance)

    def _make_splits(self, rows: Rows, groups: Any) -> Iterator[tuple[Indices, Indices]]:
        if groups is None:
            raise InputError(
                f"must be given, got None. Pass one group per row, or use {self._plain}.",
                parameter="groups",
            )
        yield from super()._make_splits(rows, groups)

    def _get_size_tolerance(self) -> SizeTolerance:
        return self.size_tolerance


class RepeatedMultilabelStratifiedKFold(Splitter):
    """K folds in which every label has its share, made `n_repeats` times.

    Parameters
    ----------
    n_splits : int, default=5
        The number of folds, 2 or more.
    n_repeats : int, default=10
        How many times the folds are made.
    random_state : int, Generator or RandomState, default=None
        The same number gives the same folds.
    method : str or Method, default="even"
        The method, as for `evenfold.split`.

    Notes
    -----
    In each repeat, every row is in exactly one test fold.

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
        self.n_splits = check_whole(n_splits, "n_splits", "Try n_splits=5.", least=2)
        self.n_repeats = check_whole(n_repeats, "n_repeats", "Try n_repeats=10.")
        self.random_state = random_state
        self.method = method

    def _count_splits(self) -> int:
        return self.n_splits * self.n_repeats

    def _make_splits(self, rows: Rows, groups: Any) -> Iterator[tuple[Indices, Indices]]:
        rng = make_rng(self.random_state)
        for _ in range(self.n_repeats):
            folds = MultilabelStratifiedKFold(
                self.n_splits,
                shuffle=True,
                random_state=int(rng.integers(2**31)),
                method=self.method,
            )
            yield from folds._make_splits(rows, None)

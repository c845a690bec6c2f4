"""Splitters into train and test rows, as often as needed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .._checks.numbers import check_whole
from .._checks.seeds import make_rng
from ..methods import Method
from ..splits.make_split import RandomState, make_split
from .arguments import Indices, check_sizes
from .splitter import Rows, Splitter


class MultilabelStratifiedShuffleSplit(Splitter):
    """Independent splits into train and test rows in which every label has its share.

    Parameters
    ----------
    n_splits : int, default=10
        The number of splits.
    test_size : float or int, default=None
        The fraction or the number of test rows, fractions rounded up. None: what `train_size`
        leaves; 0.1 if that is None too.
    train_size : float or int, default=None
        The fraction or the number of train rows, fractions rounded down. None: what `test_size`
        leaves.
    random_state : int, Generator or RandomState, default=None
        The same number gives the same splits.
    method : str or Method, default="even"
        The method, as for `evenfold.split`.

    Notes
    -----
    Without groups, both parts have exactly the given sizes, for every method.

    Examples
    --------
    >>> import numpy as np
    >>> from evenfold.model_selection import MultilabelStratifiedShuffleSplit
    >>> cv = MultilabelStratifiedShuffleSplit(n_splits=2, test_size=4, train_size=8, random_state=0)
    >>> [(len(train), len(test)) for train, test in cv.split(np.zeros(20), np.eye(20, 4))]
    [(8, 4), (8, 4)]
    """

    _keeps_groups = True
    # scikit-learn's metadata routing reads this: pass the groups, if there are any.
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
        self.n_splits = check_whole(n_splits, "n_splits", "Try n_splits=10.")
        self.test_size = test_size
        self.train_size = train_size
        self.random_state = random_state
        self.method = method

    def _make_splits(self, rows: Rows, groups: Any) -> Iterator[tuple[Indices, Indices]]:
        # iterative-stratification has "default" where scikit-learn has None.
        is_default = isinstance(self.test_size, str) and self.test_size == "default"
        test_size = None if is_default else self.test_size
        sizes = check_sizes(
            rows.labels.n_rows, {"train_size": self.train_size, "test_size": test_size}, default=0.1
        )
        rng = make_rng(self.random_state)
        for _ in range(self.n_splits):
            s = make_split(
                rows.labels,
                sizes,
                groups=groups,
                balance=rows.balance,
                method=self.method,
                random_state=int(rng.integers(2**31)),
                exact_sizes=True,
            )
            yield s[0], s[1]

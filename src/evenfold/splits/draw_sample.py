"""sample(): the rows of an even subsample."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..labels.labels import read_rows
from ..problem.parts import check_share_or_rows
from .make_split import RandomState, split


def sample(
    y: Any,
    n: float,
    *,
    groups: Any = None,
    balance: Any = None,
    effort: str | float | None = None,
    random_state: RandomState = 0,
) -> NDArray[np.int64]:
    """Draw a subsample in which every label has its share.

    Parameters
    ----------
    y : array-like, sparse matrix, frame or list of labels
        The labels, in any form that `split` takes.
    n : int or float
        The number of rows of the subsample, or their fraction of all rows.
    groups : Links, array-like of shape (n_rows,), mapping or frame, default=None
        Rows of one group are all in the subsample or all outside it.
    balance : mapping, frame or array-like, default=None
        What to keep even besides labels, as for `split`.
    effort : {"fast", "normal", "best"} or float, default=None
        How long to search, as for `split`.
    random_state : int, Generator, RandomState or None, default=0
        The same number gives the same subsample; None draws a new one each time.

    Returns
    -------
    ndarray of shape (n_sampled,)
        The indices of the rows drawn, sorted.

    Raises
    ------
    InputError
        If `n` is neither a number of rows below all of them nor a fraction below 1.

    Notes
    -----
    There are exactly `n` rows where there are no groups.

    Examples
    --------
    >>> rows = evenfold.sample([["a"], ["b"]] * 50, 10)
    >>> len(rows), sum(row % 2 for row in rows.tolist())
    (10, 5)
    """
    labels, _ = read_rows(y, balance, "y")
    n_rows = labels.n_rows
    is_too_large = isinstance(n, numbers.Real) and n >= n_rows
    advice = "Ask for fewer rows." if is_too_large else "Try n=0.1."
    check_share_or_rows(n, n_rows, "n", advice)
    return split(
        labels,
        [n, 1 - n] if n < 1 else [int(n), n_rows - int(n)],
        names=["sample", "rest"],
        groups=groups,
        balance=balance,
        effort=effort,
        random_state=random_state,
    )["sample"]

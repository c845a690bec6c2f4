"""Labels of decreasing frequency: by a constant factor from label to label, or by Zipf's law."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .._checks.numbers import check_number
from .._checks.seeds import make_rng
from .random_labels import check_labels_per_row, check_shape, draw_labels, log_zipf

# With exp(-5) the last label is about 150 times as rare as the first: in 100,000 rows it still
# has some hundred rows.
_DECAY = 5.0


def make_exponential(
    n_rows: int = 100_000, n_labels: int = 100, most_labels: int = 10, random_state: int | None = 0
) -> sparse.csr_array:
    """Make labels whose frequencies decrease exponentially.

    This is the data of the blog post "Sampling a multilabel dataset".

    Parameters
    ----------
    n_rows : int, default=100_000
        The number of rows.
    n_labels : int, default=100
        The number of labels.
    most_labels : int, default=10
        The largest number of labels of a row.
    random_state : int, default=0
        The same number gives the same rows. With None, the result differs each time.

    Returns
    -------
    csr_array
        The labels, (n_rows, n_labels) int8 of 0 and 1.

    Raises
    ------
    InputError
        If a number is below 1, or `most_labels` above `n_labels`.

    Notes
    -----
    Each row has 1 to `most_labels` distinct labels, every number with the same probability.
    Label i is drawn with a probability proportional to exp(-5 i / n_labels). The post does not
    say how fast its own distribution decreases.

    Examples
    --------
    >>> y = evenfold.datasets.make_exponential(1000)
    >>> evenfold.split(y, parts=[0.7, 0.15, 0.15]).sizes.tolist()
    [700, 150, 150]
    """
    check_shape(n_rows, n_labels)
    check_labels_per_row(most_labels, "most_labels", n_labels)
    rng = make_rng(random_state)
    n_labels_of_row = rng.integers(1, most_labels, n_rows, endpoint=True)
    return draw_labels(rng, n_labels_of_row, -_DECAY * np.arange(n_labels) / n_labels)


def make_zipf(
    n_rows: int = 100_000,
    n_labels: int = 1000,
    labels_per_row: int = 5,
    exponent: float = 1.0,
    random_state: int | None = 0,
) -> sparse.csr_array:
    """Make labels whose frequencies follow Zipf's law: a few common, most rare.

    Parameters
    ----------
    n_rows : int, default=100_000
        The number of rows.
    n_labels : int, default=1000
        The number of labels.
    labels_per_row : int, default=5
        The number of labels of every row.
    exponent : float, default=1.0
        How fast frequencies decrease; with 0 all labels have the same probability.
    random_state : int, default=0
        The same number gives the same rows. With None, the result differs each time.

    Returns
    -------
    csr_array
        The labels, (n_rows, n_labels) int8 of 0 and 1.

    Raises
    ------
    InputError
        If a number is below 1, `labels_per_row` above `n_labels`, or `exponent` below 0.

    Notes
    -----
    Each row has exactly `labels_per_row` distinct labels.
    Label i is drawn with a probability proportional to (i + 1) ** -exponent. Some of the last
    labels may be in no row.

    Examples
    --------
    >>> y = evenfold.datasets.make_zipf(1000, n_labels=50, labels_per_row=3)
    >>> y.shape, y.nnz
    ((1000, 50), 3000)
    """
    check_shape(n_rows, n_labels)
    check_labels_per_row(labels_per_row, "labels_per_row", n_labels)
    check_number(exponent, "exponent", "Zipf's own law has 1.")
    n_labels_of_row = np.full(n_rows, labels_per_row)
    return draw_labels(make_rng(random_state), n_labels_of_row, log_zipf(n_labels, exponent))

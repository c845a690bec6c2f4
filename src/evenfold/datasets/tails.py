"""Labels whose frequencies fall off: by a constant factor from label to label, or by Zipf's law."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .._checks.seeds import make_rng
from .draws import draw_distinct
from .numbers_asked import check_count, check_number

# exp(-5): the last label is drawn about 150 times as rarely as the first, so that among 100,000 rows it still has some hundred.
_DECAY = 5.0


def make_exponential(
    n_rows: int = 100_000, n_labels: int = 100, most_labels: int = 10, random_state: int | None = 0
) -> sparse.csr_array:
    """Make the set of the blog post "Sampling a multilabel dataset": labels from a decreasing exponential distribution.

    Parameters
    ----------
    n_rows, n_labels : the shape
    most_labels : most labels of a row
    random_state : the same number gives the same rows; None draws afresh

    Returns
    -------
    (n_rows, n_labels) int8 matrix of 0 and 1

    Notes
    -----
    Each row holds 1 to `most_labels` distinct labels, every number equally often.
    Label i is drawn with a probability proportional to exp(-5 i / n_labels); the post does not say how steep its own distribution is.

    Examples
    --------
    >>> y = evenfold.datasets.make_exponential(1000)
    >>> evenfold.split(y, parts=[0.7, 0.15, 0.15]).sizes.tolist()
    [700, 150, 150]
    """
    check_count(n_rows, "n_rows", "Ask for at least one row.")
    check_count(n_labels, "n_labels", "Ask for at least one label.")
    check_count(
        most_labels,
        "most_labels",
        "The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        n_labels,
    )
    rng = make_rng(random_state)
    n_wanted_of_row = rng.integers(1, most_labels, n_rows, endpoint=True)
    return draw_distinct(rng, n_wanted_of_row, -_DECAY * np.arange(n_labels) / n_labels)


def make_zipf(
    n_rows: int = 100_000,
    n_labels: int = 1000,
    labels_per_row: int = 5,
    exponent: float = 1.0,
    random_state: int | None = 0,
) -> sparse.csr_array:
    """Make rows of labels by Zipf's law: a few labels in many rows, most labels in few.

    Parameters
    ----------
    n_rows, n_labels : the shape
    labels_per_row : labels of every row
    exponent : how steeply frequencies fall; 0 makes all labels alike
    random_state : the same number gives the same rows; None draws afresh

    Returns
    -------
    (n_rows, n_labels) int8 matrix of 0 and 1

    Notes
    -----
    Each row holds exactly `labels_per_row` distinct labels.
    Label i is drawn with a probability proportional to (i + 1) ** -exponent; of the last ones, some may be in no row.

    Examples
    --------
    >>> y = evenfold.datasets.make_zipf(1000, n_labels=50, labels_per_row=3)
    >>> y.shape, y.nnz
    ((1000, 50), 3000)
    """
    check_count(n_rows, "n_rows", "Ask for at least one row.")
    check_count(n_labels, "n_labels", "Ask for at least one label.")
    check_count(
        labels_per_row,
        "labels_per_row",
        "The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        n_labels,
    )
    check_number(exponent, "exponent", "Zipf's own law has 1.")
    n_wanted_of_row = np.full(n_rows, labels_per_row)
    return draw_distinct(make_rng(random_state), n_wanted_of_row, log_zipf(n_labels, exponent))


def log_zipf(n_labels: int, exponent: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the logarithms of the weights of labels by Zipf's law."""
    return np.asarray(-exponent * np.log(np.arange(1, n_labels + 1)))

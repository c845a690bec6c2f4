"""Labels in a hierarchy, as in the gene ontology: a row with a label has all its ancestors."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .._checks.numbers import check_number
from .._checks.seeds import make_rng
from .random_labels import check_labels_per_row, check_shape, draw_labels, log_zipf


def make_ontology(
    n_rows: int = 10_000,
    n_labels: int = 500,
    most_specific: int = 3,
    second_parents: float = 0.2,
    random_state: int | None = 0,
) -> tuple[sparse.csr_array, dict[int, list[int]]]:
    """Make rows with a few specific labels of a random hierarchy and all their ancestors.

    Parameters
    ----------
    n_rows : int, default=10_000
        The number of rows.
    n_labels : int, default=500
        The number of labels.
    most_specific : int, default=3
        The largest number of labels of a row before ancestors are added.
    second_parents : float, default=0.2
        The share of the labels for which a second parent is drawn. With 0 the hierarchy is a
        tree.
    random_state : int, default=0
        The same number gives the same hierarchy and rows. With None, the result differs each time.

    Returns
    -------
    y : csr_array
        The labels, (n_rows, n_labels) int8 of 0 and 1.
    parents : dict of int to list of int
        The parents of each label, as `labels.propagate` takes them.

    Raises
    ------
    InputError
        If a number is below 1, `most_specific` above `n_labels`, or `second_parents` not a share.

    Notes
    -----
    Label 0 is the root: it has no parent, and every row has it.
    Every other label has one or two parents, each of a smaller number.
    A row with a label has all its ancestors.
    Specific labels are drawn by Zipf's law in random order. Labels near the root are in many
    rows, most labels in few rows, some in none.

    Examples
    --------
    >>> y, parents = evenfold.datasets.make_ontology(1000, n_labels=50)
    >>> int(y[:, [0]].sum()), parents[0], parents[1]
    (1000, [], [0])
    >>> evenfold.labels.propagate(y, parents).to_csr().nnz == y.nnz
    True
    """
    check_shape(n_rows, n_labels)
    check_labels_per_row(most_specific, "most_specific", n_labels)
    advice = "It is a share of the labels; 0 makes a tree."
    check_number(second_parents, "second_parents", advice, most=1)
    rng = make_rng(random_state)
    is_parent = _draw_parents(rng, n_labels, second_parents)
    n_labels_of_row = rng.integers(1, most_specific, n_rows, endpoint=True)
    specific = draw_labels(rng, n_labels_of_row, rng.permutation(log_zipf(n_labels, 1.0)))
    y = sparse.csr_array((specific.astype(bool) @ _find_ancestors(is_parent)).astype(np.int8))
    y.sort_indices()
    own_parents = np.split(is_parent.indices, is_parent.indptr[1:-1])
    return y, {label: own.tolist() for label, own in enumerate(own_parents)}


def _draw_parents(
    rng: np.random.Generator, n_labels: int, second_parents: float
) -> sparse.csr_array:
    """Draw parents among the labels of smaller number; return labels × their parents."""
    child = np.arange(1, n_labels)
    first = rng.integers(0, child)
    # The same parent drawn twice counts once.
    second = np.where(rng.random(len(child)) < second_parents, rng.integers(0, child), first)
    edge = np.unique(np.concatenate((child * n_labels + first, child * n_labels + second)))
    return sparse.csr_array(
        (np.ones(len(edge), bool), np.divmod(edge, n_labels)), shape=(n_labels, n_labels)
    )


def _find_ancestors(is_parent: sparse.csr_array) -> sparse.csr_array:
    """Return labels × themselves and all their ancestors; each round doubles the distance."""
    reached = sparse.csr_array(
        is_parent + sparse.eye_array(is_parent.shape[0], dtype=bool, format="csr")
    )
    while True:
        further = sparse.csr_array(reached @ reached)
        if further.nnz == reached.nnz:
            return reached
        reached = further

"""Labels in a hierarchy, as in the gene ontology: who holds a label holds all that lies above it."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from .._checks.seeds import make_rng
from .draws import draw_distinct
from .numbers_asked import check_count, check_number
from .tails import log_zipf


def make_ontology(
    n_rows: int = 10_000,
    n_labels: int = 500,
    most_specific: int = 3,
    second_parents: float = 0.2,
    random_state: int | None = 0,
) -> tuple[sparse.csr_array, dict[int, list[int]]]:
    """Make rows that hold a few specific labels of a random hierarchy and all their ancestors.

    Parameters
    ----------
    n_rows, n_labels : the shape
    most_specific : most labels that a row is given before ancestors are added
    second_parents : share of the labels that are offered a second parent; with 0 the hierarchy is a tree
    random_state : the same number gives the same hierarchy and rows; None draws afresh

    Returns
    -------
    y : (n_rows, n_labels) int8 matrix of 0 and 1
    parents : the parents of each label, as `labels.propagate` takes them

    Notes
    -----
    Label 0 is the root: it has no parent, and every row holds it.
    Every other label has one or two parents, each of a smaller number.
    A row that holds a label holds all its ancestors.
    Specific labels are drawn by Zipf's law in random order, so that labels near the root are in many rows and most labels in few, some in none.

    Examples
    --------
    >>> y, parents = evenfold.datasets.make_ontology(1000, n_labels=50)
    >>> int(y[:, [0]].sum()), parents[0], parents[1]
    (1000, [], [0])
    >>> evenfold.labels.propagate(y, parents).to_csr().nnz == y.nnz
    True
    """
    check_count(n_rows, "n_rows", "Ask for at least one row.")
    check_count(n_labels, "n_labels", "The root alone is one label.")
    check_count(
        most_specific,
        "most_specific",
        "The labels of a row are distinct: ask for fewer, or raise 'n_labels'.",
        n_labels,
    )
    check_number(
        second_parents, "second_parents", "It is a share of the labels; 0 makes a tree.", 1
    )
    rng = make_rng(random_state)
    is_parent = _draw_parents(rng, n_labels, second_parents)
    n_wanted_of_row = rng.integers(1, most_specific, n_rows, endpoint=True)
    specific = draw_distinct(rng, n_wanted_of_row, rng.permutation(log_zipf(n_labels, 1.0)))
    y = sparse.csr_array((specific.astype(bool) @ _close(is_parent)).astype(np.int8))
    y.sort_indices()
    own_parents = np.split(is_parent.indices, is_parent.indptr[1:-1])
    return y, {label: own.tolist() for label, own in enumerate(own_parents)}


def _draw_parents(
    rng: np.random.Generator, n_labels: int, second_parents: float
) -> sparse.csr_array:
    """Draw parents among the labels of smaller number; returns labels × their parents."""
    child = np.arange(1, n_labels)
    first = rng.integers(0, child)
    # Where the same parent is drawn twice it counts once.
    second = np.where(rng.random(len(child)) < second_parents, rng.integers(0, child), first)
    edge = np.unique(np.concatenate((child * n_labels + first, child * n_labels + second)))
    return sparse.csr_array(
        (np.ones(len(edge), bool), np.divmod(edge, n_labels)), shape=(n_labels, n_labels)
    )


def _close(is_parent: sparse.csr_array) -> sparse.csr_array:
    """Return labels × themselves and all their ancestors; each round doubles the steps that are covered."""
    reached = sparse.csr_array(
        is_parent + sparse.eye_array(is_parent.shape[0], dtype=bool, format="csr")
    )
    while True:
        further = sparse.csr_array(reached @ reached)
        if further.nnz == reached.nnz:
            return reached
        reached = further

"""The order of the labels in a chain."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._checks.choices import check_choice
from .._checks.seeds import make_rng
from .._checks.values import show_value
from ..exceptions import InputError
from .base_fits import Weights

Order = str | Sequence[int] | None


def find_order(
    order: Order, labels: sparse.csc_array, random_state: Any, weights: Weights = None
) -> NDArray[np.int64]:
    """Return the numbers of the labels in the given order."""
    n_labels = labels.shape[1]
    if order is None:
        return np.arange(n_labels)
    if isinstance(order, str):
        if check_choice(order, "order", ("random", "information-gain")) == "random":
            return make_rng(random_state).permutation(n_labels)
        return np.argsort(-sum_information(labels, weights), kind="stable")
    if not np.array_equal(np.sort(np.ravel(order)), np.arange(n_labels)):
        raise InputError(
            f"must hold each of the labels 0 to {n_labels - 1} once, got {show_value(order)}. "
            "Try order='random' or order='information-gain'.",
            parameter="order",
        )
    return np.asarray(order, np.int64)


def sum_information(labels: sparse.csc_array, weights: Weights = None) -> NDArray[np.float64]:
    """Return for each label the sum of its mutual information, in bits, with each other label."""
    weight = np.ones(labels.shape[0]) if weights is None else weights
    wide = labels.astype(np.float64)
    both = (wide.T @ (sparse.diags_array(weight) @ wide)).toarray() / weight.sum()
    least = 0.5 * weight.min() / weight.sum()
    share = np.diag(both)
    information = np.zeros(both.shape)
    for joint, own, other in (
        (both, share, share),
        (share[:, None] - both, share, 1 - share),
        (share[None, :] - both, 1 - share, share),
        (1 - share[:, None] - share[None, :] + both, 1 - share, 1 - share),
    ):
        independent = np.outer(own, other)
        # Shares above 0 are at least that of one row; equal shares may differ by rounding.
        seen = joint > least
        information[seen] += joint[seen] * np.log2(joint[seen] / independent[seen])
    np.fill_diagonal(information, 0)
    total: NDArray[np.float64] = information.sum(axis=1)
    return total

"""Labels: which row holds which label, in one form for every input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from .._kernels.entries import count_entries
from ..exceptions import InputTypeError
from .balances import Balance, check_balance
from .entries import Entries
from .forms import read_classes, read_labels
from .hierarchies import check_hierarchy

__all__ = ["Labels", "from_classes", "make_labels", "propagate"]


@dataclass(frozen=True, eq=False, slots=True)
class Labels:
    """The labels of n rows as CSR without data: sorted, each entry once. What a `y` of any form becomes.

    Attributes
    ----------
    indptr : (n_rows + 1,) int64, `indices[indptr[i]:indptr[i + 1]]` are the labels of row i
    indices : (n_entries,) int32
    names : one name per label, a string or a whole number
    unknown : the same pair of arrays for entries of which nobody knows, or None

    Examples
    --------
    >>> labels = evenfold.labels.make_labels([["drama"], ["crime", "drama"], []])
    >>> labels.names, labels.count_of_label.tolist()
    (['crime', 'drama'], [1, 2])
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    names: Sequence[Any]
    unknown: tuple[NDArray[np.int64], NDArray[np.int32]] | None = None

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.indptr) - 1

    @property
    def n_labels(self) -> int:
        """Number of labels, those that no row holds included."""
        return len(self.names)

    @property
    def count_of_label(self) -> NDArray[np.int64]:
        """(n_labels,) rows that hold each label."""
        return count_entries(self.indices, self.n_labels)

    def to_csr(self) -> sparse.csr_array:
        """Return a SciPy 0/1 matrix, rows × labels; unknown entries are 0."""
        return sparse.csr_array(
            (np.ones(len(self.indices), np.int8), self.indices, self.indptr),
            shape=(self.n_rows, self.n_labels),
        )

    def first_rows(self, n_rows: int) -> Labels:
        """Return the labels of the first rows alone, under the same names."""
        stop = self.indptr[n_rows]
        unknown = (
            None
            if self.unknown is None
            else (self.unknown[0][: n_rows + 1], self.unknown[1][: self.unknown[0][n_rows]])
        )
        return Labels(self.indptr[: n_rows + 1], self.indices[:stop], self.names, unknown)

    def __len__(self) -> int:
        return self.n_rows


def make_labels(y: Any) -> Labels:
    """Turn labels in any form evenfold takes into `Labels`.

    Parameters
    ----------
    y : 0/1 array or nested list, SciPy sparse matrix, list of label lists or sets, 1-D classes,
        pandas, polars or Arrow frame of 0/1 columns or of strings, column of lists; NaN in a 0/1 matrix means unknown

    Notes
    -----
    The input is not modified.
    Matrix labels keep the order of their columns; labels from lists and classes are sorted.

    Examples
    --------
    >>> evenfold.labels.make_labels([[1, 0], [1, 1]]).count_of_label.tolist()
    [2, 1]
    """
    if isinstance(y, Labels):
        return y
    return _as_labels(read_labels(y))


def read_rows(y: Any, balance: Any, parameter: str) -> tuple[Labels, list[Balance]]:
    """Return labels and what else is to be even; without labels, as many rows without any as `balance` has."""
    if y is not None:
        labels = make_labels(y)
        return labels, check_balance(balance, labels.n_rows)
    columns = check_balance(balance, None)
    if not columns:
        raise InputTypeError(
            "must be given, got None. Pass the labels of the rows, or a 'balance' to split by alone.",
            parameter=parameter,
        )
    n_rows = next(
        len(values) for values in (columns[0].code, columns[0].amount) if values is not None
    )
    return make_labels([[]] * n_rows), check_balance(balance, n_rows)


def from_classes(classes: Any) -> Labels:
    """Make labels of class codes: one label per column and value, whatever the values are.

    For a 2-D array of whole numbers, which as `y` would have to be 0/1.

    Parameters
    ----------
    classes : (n_rows,) or (n_rows, n_columns) array, list or frame; None and NaN are no label

    Examples
    --------
    >>> evenfold.labels.from_classes([[3, 0], [2, 0], [3, 1]]).names
    ['0=2', '0=3', '1=0', '1=1']
    """
    return _as_labels(read_classes(classes))


def propagate(y: Any, parents: Any) -> Labels:
    """Close labels over a hierarchy: a row that holds a label holds all its ancestors.

    Parameters
    ----------
    y : the labels, in any form `split` takes
    parents : a mapping from a label to its parent or parents, or pairs (label, parent); ancestors that are no label yet become one

    Notes
    -----
    A row keeps what it held. An ancestor of a label that is held is held, whether it was unknown before or not.

    Examples
    --------
    >>> labels = evenfold.labels.propagate([["kinase"], ["binding"]], {"kinase": "enzyme", "enzyme": "function", "binding": "function"})
    >>> labels.names, labels.count_of_label.tolist()
    (['binding', 'kinase', 'enzyme', 'function'], [1, 1, 1, 2])
    """
    labels = make_labels(y)
    parents_of = check_hierarchy(parents)
    names = list(dict.fromkeys([*labels.names, *parents_of]))
    number_of = {name: number for number, name in enumerate(names)}
    edges = [
        (number_of[child], number_of[parent]) for child, own in parents_of.items() for parent in own
    ]
    shape = (len(names), len(names))
    step = sparse.csr_array(
        (np.ones(len(edges), bool), tuple(zip(*edges, strict=True)) if edges else ([], [])),
        shape=shape,
    )
    held = sparse.csr_array(
        (np.ones(len(labels.indices), bool), labels.indices, labels.indptr),
        shape=(labels.n_rows, len(names)),
    )
    while True:
        closed = sparse.csr_array(held + held @ step)
        if closed.nnz == held.nnz:
            break
        held = closed
    held.sort_indices()
    unknown = None
    if labels.unknown is not None:
        pending = sparse.csr_array(
            (np.ones(len(labels.unknown[1]), np.int8), labels.unknown[1], labels.unknown[0]),
            shape=held.shape,
        )
        pending = sparse.csr_array(pending - pending.multiply(held.astype(np.int8)))
        pending.eliminate_zeros()
        pending.sort_indices()
        unknown = (pending.indptr.astype(np.int64), pending.indices.astype(np.int32))
    return Labels(held.indptr.astype(np.int64), held.indices.astype(np.int32), names, unknown)


def stack(blocks: Sequence[Labels]) -> Labels:
    """Put the rows of several below each other; labels of the same name are one."""
    number_of: dict[Any, int] = {}
    for block in blocks:
        for name in block.names:
            number_of.setdefault(name, len(number_of))
    held = [_renumber(block, (block.indptr, block.indices), number_of) for block in blocks]
    unknown = None
    if any(block.unknown is not None for block in blocks):
        nothing = [
            (np.zeros(block.n_rows + 1, np.int64), np.empty(0, np.int32)) for block in blocks
        ]
        unknown = _below(
            _renumber(block, block.unknown or none, number_of)
            for block, none in zip(blocks, nothing, strict=True)
        )
    return Labels(*_below(held), list(number_of), unknown)


def _renumber(
    block: Labels, positions: tuple[NDArray[np.int64], NDArray[np.int32]], number_of: dict[Any, int]
) -> sparse.csr_array:
    indptr, indices = positions
    number = np.array([number_of[name] for name in block.names], np.int32)
    matrix = sparse.csr_array(
        (np.ones(len(indices), np.int8), number[indices], indptr),
        shape=(block.n_rows, len(number_of)),
    )
    matrix.sort_indices()
    return matrix


def _below(matrices: Iterable[sparse.csr_array]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    whole = sparse.csr_array(sparse.vstack(list(matrices), format="csr"))
    return whole.indptr.astype(np.int64), whole.indices.astype(np.int32)


def _as_labels(entries: Entries) -> Labels:
    return Labels(entries.indptr, entries.indices, entries.names, entries.unknown)

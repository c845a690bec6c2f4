"""Labels: which row holds which label, in one form for every input."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from .._kernels.entries import count_entries
from ..exceptions import EvenfoldError, InputTypeError
from .balances import Balance, check_balance
from .entries import Entries
from .input_forms import read_classes, read_labels, read_text
from .wrapping import find_index


@dataclass(frozen=True, eq=False, slots=True)
class Labels:
    """The labels of n rows as CSR without data: sorted, each entry once.

    This is what a `y` of any form becomes.

    Attributes
    ----------
    indptr : ndarray of int64
        (n_rows + 1,) `indices[indptr[i]:indptr[i + 1]]` are the labels of row i.
    indices : ndarray of int32
        (n_entries,) the labels of the rows, one after the other.
    names : sequence of str or int
        The name of each label.
    unknown : tuple of ndarray or None
        `indptr` and `indices` of the entries that are neither known to be held nor known not to be.
    index : pandas.Index or None
        The index of the pandas frame or column that the labels were read from. It is no part of
        the labels: the fingerprint and the split do not depend on it.

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
    index: Any = None

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

    def to_csr(self) -> scipy.sparse.csr_array:
        """Return the labels as a sparse 0/1 matrix.

        Returns
        -------
        scipy.sparse.csr_array
            (n_rows, n_labels); unknown entries are 0.
        """
        return scipy.sparse.csr_array(
            (np.ones(len(self.indices), np.int8), self.indices, self.indptr),
            shape=(self.n_rows, self.n_labels),
        )

    def first_rows(self, n_rows: int) -> Labels:
        """Return the labels of the first rows alone, under the same names.

        Parameters
        ----------
        n_rows : int
            How many rows.

        Returns
        -------
        Labels
            The labels of these rows.
        """
        stop = self.indptr[n_rows]
        unknown = (
            None
            if self.unknown is None
            else (self.unknown[0][: n_rows + 1], self.unknown[1][: self.unknown[0][n_rows]])
        )
        index = None if self.index is None else self.index[:n_rows]
        return Labels(self.indptr[: n_rows + 1], self.indices[:stop], self.names, unknown, index)

    def select(self, labels: NDArray[np.int64]) -> Labels:
        """Return some of the labels alone, of all rows.

        Parameters
        ----------
        labels : ndarray of int
            The numbers of the labels, sorted.

        Returns
        -------
        Labels
            These labels, under their names.

        Examples
        --------
        >>> labels = evenfold.labels.make_labels([["a", "c"], ["b"], ["c"]])
        >>> labels.select(np.array([0, 2])).to_csr().toarray().tolist()
        [[1, 1], [0, 0], [0, 1]]
        """
        number = np.full(self.n_labels, -1, np.int32)
        number[labels] = np.arange(len(labels), dtype=np.int32)
        unknown = None if self.unknown is None else _renumber_entries(*self.unknown, number)
        names = [self.names[label] for label in labels.tolist()]
        entries = _renumber_entries(self.indptr, self.indices, number)
        return Labels(*entries, names, unknown, self.index)

    def __len__(self) -> int:
        return self.n_rows


def _renumber_entries(
    indptr: NDArray[np.int64], indices: NDArray[np.int32], number: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """Return the entries of the labels that have a number, with that number."""
    new = number[indices]
    kept = new >= 0
    n_kept = np.concatenate(([0], np.cumsum(kept, dtype=np.int64)))
    return n_kept[indptr], new[kept]


def make_labels(y: Any) -> Labels:
    """Turn labels in any form evenfold takes into `Labels`.

    Parameters
    ----------
    y : array, sparse matrix, list, frame or column
        A 0/1 array or nested list, a SciPy sparse matrix, a list of label lists or sets, 1-D
        classes, a frame of pandas, polars or Arrow with columns of 0/1 or of strings, a column of
        lists, or a Hugging Face dataset of label columns. NaN in a 0/1 matrix means unknown.

    Returns
    -------
    Labels
        The labels. The index of a pandas frame or column is kept.

    Raises
    ------
    InputError, InputTypeError
        If `y` is none of these, or if its text may be read in two ways.

    Warns
    -----
    AssumptionWarning
        If a column of text was read as several labels in a cell, or as one although the cells
        hold a separator. `from_text` and `from_classes` say which is meant.

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
    return _as_labels(read_labels(y), find_index(y))


def make_labels_of(y: Any, parameter: str) -> Labels:
    """Make labels of an argument; errors name it."""
    try:
        return make_labels(y)
    except EvenfoldError as error:
        if error.parameter != "y":
            raise
        raise type(error)(error.message, parameter=parameter) from None


def read_rows(y: Any, balance: Any, parameter: str) -> tuple[Labels, list[Balance]]:
    """Return labels and what else is to be even; without labels, rows of `balance` without any."""
    if y is not None:
        labels = make_labels_of(y, parameter)
        return labels, check_balance(balance, labels.n_rows)
    columns = check_balance(balance, None)
    if not columns:
        raise InputTypeError(
            "must be given, got None. "
            "Pass the labels of the rows, or a 'balance' to split by alone.",
            parameter=parameter,
        )
    n_rows = columns[0].n_rows
    if any(column.n_rows != n_rows for column in columns):
        # Read again, to say which column is of another length.
        columns = check_balance(balance, n_rows)
    indptr, indices = np.zeros(n_rows + 1, np.int64), np.empty(0, np.int32)
    return Labels(indptr, indices, [], index=find_index(balance)), columns


def from_classes(classes: Any) -> Labels:
    """Make labels of classes: one label per column and value, whatever the values are.

    For a 2-D array of whole numbers, which as `y` would have to be 0/1, and for text that is one
    class although it looks like several labels.

    Parameters
    ----------
    classes : array, list, frame or column
        (n_rows,) or (n_rows, n_columns) strings or whole numbers; None, NaN and blank text are no
        label.

    Returns
    -------
    Labels
        The labels; those of several columns are named `column=value`.

    Raises
    ------
    InputError, InputTypeError
        If these are not classes.

    Examples
    --------
    >>> evenfold.labels.from_classes([[3, 0], [2, 0], [3, 1]]).names
    ['0=2', '0=3', '1=0', '1=1']
    >>> evenfold.labels.from_classes(["AC|DC", "Abba", "AC|DC"]).names
    ['AC|DC', 'Abba']
    """
    return _as_labels(read_classes(classes), find_index(classes))


def from_text(y: Any, separator: str | None = None) -> Labels:
    """Make labels of one column of text, several in each cell.

    Parameters
    ----------
    y : array, list, frame or column
        (n_rows,) text; None, NaN and blank text are rows without labels.
    separator : str, default=None
        What separates the labels of a cell; blanks around a label do not count. None: each cell
        is a list as Python, JSON or NumPy writes it, such as `["a", "b"]` or `['a' 'b']`.

    Returns
    -------
    Labels
        The labels, sorted by name.

    Raises
    ------
    InputError, InputTypeError
        If `y` is not one column of text, if a cell is no list, or if the separator is no text.

    Examples
    --------
    >>> labels = evenfold.labels.from_text(["war|art", "art", "", "fun | war"], separator="|")
    >>> labels.names, labels.count_of_label.tolist()
    (['art', 'fun', 'war'], [2, 1, 2])
    """
    if separator is not None and (not isinstance(separator, str) or not separator):
        raise InputTypeError(
            f"must be text such as '|', got {separator!r}. "
            "Pass classes to from_classes, and leave it out where each cell is a list.",
            parameter="separator",
        )
    return _as_labels(read_text(y, separator), find_index(y))


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
) -> scipy.sparse.csr_array:
    indptr, indices = positions
    number = np.array([number_of[name] for name in block.names], np.int32)
    matrix = scipy.sparse.csr_array(
        (np.ones(len(indices), np.int8), number[indices], indptr),
        shape=(block.n_rows, len(number_of)),
    )
    matrix.sort_indices()
    return matrix


def _below(
    matrices: Iterable[scipy.sparse.csr_array],
) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    whole = scipy.sparse.csr_array(scipy.sparse.vstack(list(matrices), format="csr"))
    return whole.indptr.astype(np.int64), whole.indices.astype(np.int32)


def _as_labels(entries: Entries, index: Any) -> Labels:
    return Labels(entries.indptr, entries.indices, entries.names, entries.unknown, index)

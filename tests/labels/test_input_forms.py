"""The same labels give the same split, whatever their form."""

import copy
import functools
import re
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse

import evenfold
from evenfold.exceptions import InputError
from evenfold.labels import make_labels
from evenfold.methods import METHODS

from ..checks import is_unchanged

RNG = np.random.default_rng(5)
N, Q = 57, 12
Y = (RNG.random((N, Q)) < 0.9 / np.arange(1, Q + 1)).astype(np.int64)
Y[3] = 0  # a row without labels
Y[:, 7] = 0  # a label without rows, which lists cannot show
Y[5, 11] = 1
# Sorted as strings, l10 and l11 come before l2: the order of the columns must not matter.
NAMES = [f"l{i}" for i in range(Q)]
LISTS = [[NAMES[i] for i in np.flatnonzero(row)] for row in Y]


def with_duplicates_and_zeros(kind):
    """Return a sparse array that stores zeros, and each 1 twice."""
    row, label = np.nonzero(Y)
    zero_row, zero_label = np.nonzero(Y == 0)
    coo = sparse.coo_array(
        (
            np.concatenate((np.ones(2 * len(row)), np.zeros(5))),
            (
                np.concatenate((row, row, zero_row[:5])),
                np.concatenate((label, label, zero_label[:5])),
            ),
        ),
        shape=Y.shape,
    )
    if kind == "coo":
        return coo
    order = np.argsort(coo.row if kind == "csr" else coo.col, kind="stable")
    major, minor = (coo.row, coo.col) if kind == "csr" else (coo.col, coo.row)
    indptr = np.concatenate(
        ([0], np.cumsum(np.bincount(major, minlength=N if kind == "csr" else Q)))
    )
    make = sparse.csr_array if kind == "csr" else sparse.csc_array
    return make((coo.data[order], minor[order], indptr), shape=Y.shape)


def unsorted_csr():
    """Return a CSR matrix whose rows list their labels backwards."""
    csr = sparse.csr_matrix(Y)
    for row in range(N):
        csr.indices[csr.indptr[row] : csr.indptr[row + 1]] = csr.indices[
            csr.indptr[row] : csr.indptr[row + 1]
        ][::-1].copy()
    csr.has_sorted_indices = False
    return csr


def as_matrix(y):
    """Return NumPy's deprecated matrix type without its warning."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.asmatrix(y)


def nullable(frame):
    """Return a frame with pandas' own integer type."""
    return frame.astype("Int64")


FORMS = {
    "int array": lambda: Y,
    "bool array": lambda: Y.astype(bool),
    "float array": lambda: Y.astype(float),
    "int8 array": lambda: Y.astype(np.int8),
    "uint8 array": lambda: Y.astype(np.uint8),
    "float16 array": lambda: Y.astype(np.float16),
    "object array": lambda: Y.astype(object),
    "Fortran order": lambda: np.asfortranarray(Y),
    "strided view": lambda: np.repeat(Y, 2, axis=1)[:, ::2],
    "read-only array": lambda: np.frombuffer(Y.astype(np.int8).tobytes(), np.int8).reshape(N, Q),
    "columns in another order": lambda: Y[:, ::-1],
    "nested lists": lambda: Y.tolist(),
    "nested lists of bool": lambda: Y.astype(bool).tolist(),
    "list of arrays": lambda: list(Y),
    "csr array": lambda: sparse.csr_array(Y),
    "csr matrix": lambda: sparse.csr_matrix(Y),
    "csr of bool": lambda: sparse.csr_array(Y.astype(bool)),
    "csr of int64 indices": lambda: sparse.csr_array(
        (
            sparse.csr_array(Y).data,
            sparse.csr_array(Y).indices.astype(np.int64),
            sparse.csr_array(Y).indptr,
        )
    ),
    "unsorted csr": unsorted_csr,
    "csc": lambda: sparse.csc_array(Y),
    "coo": lambda: sparse.coo_array(Y),
    "lil": lambda: sparse.lil_array(Y),
    "dok": lambda: sparse.dok_array(Y),
    "dia": lambda: sparse.dia_array(Y),
    "bsr": lambda: sparse.bsr_array(Y, blocksize=(3, 3)),
    "bsr matrix": lambda: sparse.bsr_matrix(Y, blocksize=(1, 4)),
    "coo with duplicates and zeros": lambda: with_duplicates_and_zeros("coo"),
    "csr with duplicates and zeros": lambda: with_duplicates_and_zeros("csr"),
    "csc with duplicates and zeros": lambda: with_duplicates_and_zeros("csc"),
    "label lists": lambda: LISTS,
    "label sets": lambda: [set(row) for row in LISTS],
    "label frozensets": lambda: [frozenset(row) for row in LISTS],
    "label tuples": lambda: tuple(tuple(row) for row in LISTS),
    "lists with repeats": lambda: [row + row for row in LISTS],
    "lists of numbers": lambda: [np.flatnonzero(row).tolist() for row in Y],
    "lists of NumPy numbers": lambda: [list(np.flatnonzero(row)) for row in Y],
    "arrays of numbers": lambda: [np.flatnonzero(row) for row in Y],
    "object array of lists": lambda: pd.Series(LISTS).to_numpy(),
    "None for no labels": lambda: [row or None for row in LISTS],
    "pandas frame": lambda: pd.DataFrame(Y, columns=NAMES),
    "pandas frame of bool": lambda: pd.DataFrame(Y.astype(bool), columns=NAMES),
    "pandas frame with an index": lambda: pd.DataFrame(Y, columns=NAMES, index=np.arange(N)[::-1]),
    "pandas nullable frame": lambda: nullable(pd.DataFrame(Y, columns=NAMES)),
    "pandas sparse frame": lambda: pd.DataFrame.sparse.from_spmatrix(
        sparse.csr_matrix(Y), columns=NAMES
    ),
    "pandas column of lists": lambda: pd.Series(LISTS),
    "pandas column of Arrow lists": lambda: pd.Series(
        LISTS, dtype=pd.ArrowDtype(pa.list_(pa.string()))
    ),
    "pandas frame of one object column of lists": lambda: pd.DataFrame({"tags": LISTS}),
    "masked array": lambda: np.ma.array(Y, mask=np.zeros_like(Y)),
    "matrix": lambda: as_matrix(Y),
    "pandas sparse frame of ones": lambda: pd.DataFrame(Y, columns=NAMES).astype(
        pd.SparseDtype(int, 1)
    ),
    "pandas column of sets": lambda: pd.Series([set(row) for row in LISTS]),
    "pandas frame of one list column": lambda: pd.DataFrame(
        {"tags": pd.Series(LISTS, dtype=pd.ArrowDtype(pa.list_(pa.string())))}
    ),
    "polars frame": lambda: pl.DataFrame(Y, schema=NAMES, orient="row"),
    "polars frame of bool": lambda: pl.DataFrame(Y.astype(bool), schema=NAMES, orient="row"),
    "polars column of lists": lambda: pl.Series(LISTS),
    "polars column of number lists": lambda: pl.Series([np.flatnonzero(row).tolist() for row in Y]),
    "polars column of categories": lambda: pl.Series(LISTS, dtype=pl.List(pl.Categorical)),
    "polars frame of one list column": lambda: pl.DataFrame({"tags": LISTS}),
    "Arrow table": lambda: pa.table(dict(zip(NAMES, Y.T, strict=True))),
    "Arrow record batch": lambda: pa.record_batch(dict(zip(NAMES, Y.T, strict=True))),
    "Arrow lists": lambda: pa.array(LISTS),
    "Arrow large lists": lambda: pa.array(LISTS, pa.large_list(pa.large_string())),
    "Arrow chunks of lists": lambda: pa.chunked_array([pa.array(LISTS[:20]), pa.array(LISTS[20:])]),
    "Arrow lists with null": lambda: pa.array([row or None for row in LISTS]),
    "Labels": lambda: make_labels(LISTS),
}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_split(form, method):
    """Every row has the same part, for every method, with unequal parts and with groups."""
    for found, expected in zip(
        split_in_three_ways(FORMS[form](), method), split_array(method), strict=True
    ):
        assert np.array_equal(found, expected)


def split_in_three_ways(given, method):
    """Return the part of each row for equal parts, for unequal ones, and with groups."""
    groups = np.arange(N) // 2
    return [
        evenfold.split(given, parts, method=method, groups=whole, random_state=3).part_of_row
        for parts, whole in ((3, None), ([0.6, 0.3, 0.1], None), ([0.5, 0.5], groups))
    ]


@functools.cache
def split_array(method):
    """Return the splits of the array, once for all forms."""
    return split_in_three_ways(Y, method)


@pytest.mark.parametrize("form", FORMS)
def test_the_input_is_not_modified(form):
    """The input equals a copy that was made before."""
    given = FORMS[form]()
    if form == "Labels":
        given = given.to_csr()
    before = copy.deepcopy(given)
    evenfold.split(given, 3).quality  # noqa: B018 - computed when asked for
    assert is_unchanged(before, given)


@pytest.mark.parametrize(
    "given",
    [
        np.array([[1, np.nan], [0, 1]]),
        [[1, None], [0, 1]],
        [[1, float("nan")], [0, 1]],
        np.array([[1, None], [0, 1]], dtype=object),
        sparse.csr_array(np.array([[1, np.nan], [0, 1]])),
        pd.DataFrame({"a": [1, 0], "b": [None, 1]}),
        pd.DataFrame({"a": [1, 0], "b": pd.array([None, 1], dtype="Int64")}),
        pd.DataFrame({"a": [True, False], "b": [None, True]}),
        pd.DataFrame({"a": [True, False], "b": pd.array([None, True], dtype="boolean")}),
        pl.DataFrame({"a": [1, 0], "b": [None, 1]}),
        pl.DataFrame({"a": [True, False], "b": [None, True]}),
        pl.DataFrame({"a": [1.0, 0.0], "b": [float("nan"), 1.0]}),
        pa.table({"a": [1, 0], "b": [None, 1]}),
    ],
    ids=repr,
)
def test_missing_in_a_matrix_is_unknown(given):
    """NaN, None and NA are entries that are neither held nor known not to be."""
    labels = make_labels(given)
    assert labels.to_csr().toarray().tolist() == [[1, 0], [0, 1]]
    indptr, indices = labels.unknown
    assert (indptr.tolist(), indices.tolist()) == ([0, 1, 1], [1])


def test_ambiguous_lists_follow_the_rules():
    """Rectangular 0/1 lists are a matrix; other lists, and always sets and tuples, are labels."""
    assert make_labels([[0, 1], [1, 1]]).count_of_label.tolist() == [1, 2]
    assert make_labels([[0, 2], [1, 1]]).names == [0, 1, 2]
    assert make_labels([[0, 1], [1]]).count_of_label.tolist() == [1, 2]
    assert make_labels([(0, 1), (1, 1)]).count_of_label.tolist() == [1, 2]
    assert make_labels([(0, 1), (0, 1)]).count_of_label.tolist() == [2, 2]
    assert make_labels([{0, 1}, {1}]).names == [0, 1]
    assert make_labels([["1", "0"], ["0", "0"]]).names == ["0", "1"]
    assert make_labels([[], []]).n_labels == 0
    for column in (
        pd.Series,
        pl.Series,
        pa.array,
        lambda rows: pd.Series(rows, dtype=pd.ArrowDtype(pa.list_(pa.int64()))),
    ):
        assert make_labels(column([[0, 1], [1, 1]])).count_of_label.tolist() == [1, 2]
        assert make_labels(column([[0, 1], [1]])).count_of_label.tolist() == [1, 2]
        assert make_labels(column([[0, 2], [1, 1]])).names == [0, 1, 2]


def test_all_missing_columns_are_rows_without_labels():
    """Missing values alone make no label, in every library."""
    for column in (
        pd.Series([None, None]),
        pl.Series([None, None]),
        pa.array([None, None]),
        [None, None],
    ):
        assert make_labels(column).n_labels == 0


def test_a_masked_entry_is_unknown():
    """A masked entry means the same as NaN."""
    labels = make_labels(np.ma.array([[1, 0], [0, 1]], mask=[[0, 1], [0, 0]]))
    assert labels.unknown[1].tolist() == [1]


def test_held_beats_unknown():
    """An entry that is stored twice, as 1 and as NaN, is held."""
    labels = make_labels(
        sparse.coo_array((np.array([1.0, np.nan, np.nan]), ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
    )
    assert (labels.indices.tolist(), labels.unknown[1].tolist()) == ([0], [1])


def test_a_split_does_not_see_later_changes_of_the_input():
    """Quality is computed later, but from the labels as they were."""
    y = sparse.csr_array(Y)
    before = evenfold.split(Y, 4).quality.rld
    s = evenfold.split(y, 4)
    y.indices[:] = 0
    assert s.quality.rld == before
    with pytest.raises(ValueError, match="read-only"):
        s.part_of_row[0] = 1


def test_a_tensor_like_object_is_read_as_an_array():
    """Any object that NumPy can convert to an array is read."""

    class Tensor:
        def __array__(self, dtype=None, copy=None):
            return np.array(Y, dtype=dtype)

    assert np.array_equal(evenfold.split(Tensor(), 3).part_of_row, evenfold.split(Y, 3).part_of_row)


def test_names_of_a_frame_are_kept():
    """Labels keep the order of their columns."""
    assert list(make_labels(pd.DataFrame({"z": [1, 0], "a": [1, 1]})).names) == ["z", "a"]
    assert list(make_labels(pd.DataFrame({3: [1, 0], 1: [1, 1]})).names) == [3, 1]


WRONG_MATRIX = [[0, 1], [1, -1], [0, 0]]


@pytest.mark.parametrize(
    "make",
    [
        list,
        np.array,
        pd.Series,
        pl.Series,
        pa.array,
        lambda rows: [np.array(row) for row in rows],
        lambda rows: [str(row) for row in rows],
    ],
    ids=["list", "NumPy", "pandas", "polars", "Arrow", "arrays", "text"],
)
def test_a_wrong_value_in_lists_of_0_and_1_is_an_error(make):
    """In every form, with the value, the row and the label; no list of labels repeats a label."""
    message = "'y' holds values other than 0, 1 and NaN: 1 of them, first -1 at row 1, label 1."
    with pytest.raises(InputError, match=re.escape(message)):
        make_labels(make(WRONG_MATRIX))


@pytest.mark.parametrize(
    "rows",
    [
        [[0, 1], [1, 2], [0, 1]],
        [[0, 1], [1, 2], [0, 0], [2, 3]],
        [[0, 0], [1, -1], [0]],
        [["0", "0"], ["1", "x"], ["0", "1"]],
        [(0, 1), (1, -1), (0, 0)],
    ],
    ids=["no label twice", "many values", "several lengths", "text", "tuples"],
)
def test_lists_that_are_no_matrix_are_labels(rows):
    """If no list repeats 0 or 1, if many values are others, or if they are no lists of numbers."""
    assert make_labels(rows).names == sorted({label for row in rows for label in row})

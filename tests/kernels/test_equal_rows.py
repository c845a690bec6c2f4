"""Equal rows are numbered as a dict of their entries numbers them, compiled and not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold._kernels.entries import number_equal_rows
from evenfold.problem.labelsets import number_labelsets

FORMS = ["function", "compiled"]
LARGE = 2**30


def to_csr(rows, counted):
    """Return `indptr`, `indices` and `amounts` of rows that are dicts column → amount."""
    entries = [sorted(row.items()) for row in rows]
    indptr = np.concatenate(([0], np.cumsum([len(row) for row in entries]))).astype(np.int64)
    flat = [entry for row in entries for entry in row]
    indices = np.array([column for column, _ in flat], np.int32)
    amounts = np.array([amount for _, amount in flat], np.int64)
    return indptr, indices, amounts if counted else np.empty(0, np.int64)


def number_slowly(rows, counted):
    """Number rows by first appearance with a dict."""
    seen = {}
    return [seen.setdefault(frozenset(row.items() if counted else row), len(seen)) for row in rows]


def run_kernel(form, rows, counted, scramble):
    """Return the numbers that the kernel gives."""
    number = np.empty(len(rows), np.int64)
    getattr(number_equal_rows, form)(
        *to_csr(rows, counted),
        scramble,
        np.empty(len(rows), np.int64),
        np.full(1 << (2 * len(rows)).bit_length(), -1, np.int64),
        number,
    )
    return number.tolist()


@st.composite
def sparse_rows(draw):
    """Return rows as dicts: empty ones, repeated ones, small and very large amounts."""
    amounts = st.sampled_from([1, 2, 3, 1000, LARGE - 1, LARGE, LARGE + 1, 2 * LARGE, 2**40])
    kinds = draw(st.lists(st.dictionaries(st.integers(0, 6), amounts), min_size=1, max_size=6))
    return draw(st.lists(st.sampled_from(kinds), max_size=25))


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=150, deadline=None)
@given(rows=sparse_rows(), counted=st.booleans(), seed=st.integers(0, 99))
def test_equal_rows_are_numbered_by_first_appearance(form, rows, counted, seed):
    """With and without amounts, empty rows, no rows."""
    scramble = np.random.default_rng(seed).integers(0, 2**40, 7)
    assert run_kernel(form, rows, counted, scramble) == number_slowly(rows, counted)


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=50, deadline=None)
@given(rows=sparse_rows(), counted=st.booleans())
def test_rows_of_equal_keys_are_compared(form, rows, counted):
    """With scrambles of 0, all rows have the same key."""
    scramble = np.zeros(7, np.int64)
    assert run_kernel(form, rows, counted, scramble) == number_slowly(rows, counted)


@pytest.mark.parametrize("form", FORMS)
def test_rows_without_columns_are_equal(form):
    """There is then no scramble to read."""
    assert run_kernel(form, [{}, {}, {}], False, np.empty(0, np.int64)) == [0, 0, 0]


@settings(max_examples=50, deadline=None)
@given(rows=sparse_rows(), counted=st.booleans())
def test_number_labelsets_equals_the_dict(rows, counted):
    """The scrambles it makes itself."""
    number = number_labelsets(*to_csr(rows, counted))
    assert number.tolist() == number_slowly(rows, counted)


def test_sets_of_two_criteria_with_exchanged_amounts_differ():
    """For each of 125,000 pairs of criteria: 1 and 2 of them, and 2 and 1.

    With sums of scrambles alone, such rows were often taken for equal.
    """
    one, other = np.triu_indices(500, 1)
    indices = np.repeat(np.stack((one, other), axis=1), 2, axis=0).astype(np.int32)
    n_rows = len(indices)
    amounts = np.tile([1, 2, 2, 1], len(one))
    number = number_labelsets(np.arange(0, 2 * n_rows + 1, 2), indices.ravel(), amounts)
    assert np.array_equal(number, np.arange(n_rows))

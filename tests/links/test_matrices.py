"""Wrong matrices and arguments of a search for similar rows."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from evenfold.exceptions import InputError, InputTypeError
from evenfold.links.embeddings import make_similar_search

NUMBERS = [[1.0, 0.0], [0.5, 2.0]]


@pytest.mark.parametrize(
    ("similar", "keywords", "message"),
    [
        (NUMBERS, {"at": 1.01}, "'at' must be above -1 and at most 1, got 1.01. Try at=0.95"),
        (NUMBERS, {"at": -1}, "'at' must be above -1 and at most 1, got -1"),
        (NUMBERS, {"at": float("nan")}, "'at' must be .*, got nan"),
        (NUMBERS, {"metric": "jaccard", "at": 0}, "'at' must be above 0 and at most 1, got 0"),
        (NUMBERS, {"metric": "jaccard"}, "'at' must be given for metric='jaccard', got None.*sim"),
        (NUMBERS, {"metric": "euclidean"}, "'at' must be given for metric='euclidean'.*distance"),
        (NUMBERS, {"metric": "euclidean", "at": -0.1}, "'at' must be 0 or more.*got -0.1"),
        (NUMBERS, {"metric": "hamming", "at": float("inf")}, "'at' must be 0 or more and finite"),
        (NUMBERS, {"n_rows": 3}, "'similar' must have one row for each of the 3 rows, got 2"),
        (NUMBERS, {"metric": "jaccard", "at": 1}, "must hold 0 and 1 .*got 0.5 in row 1, column 0"),
        (
            sparse.csr_array(NUMBERS),
            {"metric": "hamming", "at": 1},
            "must hold 0 and 1 for metric='hamming', got 0.5 in row 1, column 0",
        ),
        ([[1.0], [np.nan]], {}, "must hold finite numbers .*got nan in row 1, column 0"),
        (np.array([[1, 2], [3, -np.inf]], "f4"), {}, "got -inf in row 1, column 1"),
        ([[1e200]], {}, r"below 1e\+100, got 1e\+200 in row 0"),
        (sparse.csr_array([[0.0, 1.0], [np.inf, 0]]), {}, "got inf in row 1, column 0"),
        (pd.DataFrame({"a": [1.0, None]}), {}, "got nan in row 1, column 0"),
        (pl.DataFrame({"a": [1, None]}), {}, "got nan in row 1, column 0"),
        (np.ma.masked_array([[1], [2]], mask=[[0], [1]]), {}, "got nan in row 1, column 0"),
        (np.ones((0, 3)), {}, "at least one row and one column, got 0 × 3"),
        (np.ones((3, 0)), {}, "at least one row and one column, got 3 × 0"),
        (np.ones(3), {}, "'similar' must have two dimensions, got 1"),
        (np.ones((3, 2, 1)), {}, "'similar' must have two dimensions, got 3"),
        ([1.0, 2.0], {}, "'similar' must have two dimensions, got 1"),
        ([[1.0], [1.0, 2.0]], {}, "rows of one length, got 1 numbers in row 0 and 2 in row 1"),
        ([[1.0], None], {}, "rows of one length, got 1 numbers in row 0 and None in row 1"),
        (sparse.csr_array([[1j]]), {}, "a matrix of numbers, got a sparse array of 2 dim.*complex"),
        (sparse.csr_array(NUMBERS), {"exact": False}, "must be dense .*sparse.* of 2 rows.*True"),
        (NUMBERS, {"n_rows": 3}, "'similar' must have one row for each"),
    ],
)
def test_wrong_values_are_errors(similar, keywords, message):
    """Each message says what was given and what to change."""
    with pytest.raises(InputError, match=message):
        make_similar_search(similar, **keywords)


@pytest.mark.parametrize(
    ("similar", "keywords", "message"),
    [
        (NUMBERS, {"at": "high"}, "'at' must be a number, got 'high'"),
        ("embeddings.npy", {}, "'similar' must be a matrix of numbers, got str"),
        (3, {}, "'similar' must be a matrix of numbers, got int"),
        ([["a", "b"]], {}, "'similar' must hold numbers, got 'a' in row 0"),
        ([[1.0, None]], {}, "'similar' must hold numbers, got None in row 0"),
        (np.array([[1j]]), {}, "'similar' must hold numbers, got .*1j.* in row 0"),
        (pd.DataFrame({"a": [1], "t": ["x"]}), {}, "a frame of numbers, got .* in column 't'"),
        (pl.DataFrame({"a": [1], "t": ["x"]}).lazy(), {}, "a frame of numbers.*in column 't'"),
        ([[[1], [2, 3]]], {}, r"'similar' must hold numbers, got \[1\] in row 0"),
        (np.array([["a"]]), {}, "'similar' must hold numbers, got 'a' in row 0"),
        (np.array(None), {}, "'similar' must hold numbers, got None in row 0"),
    ],
)
def test_wrong_types_are_errors(similar, keywords, message):
    """Each message says what was given and what to change."""
    with pytest.raises(InputTypeError, match=message):
        make_similar_search(similar, **keywords)

"""The forms in which the same labels can be given."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
from numpy.typing import NDArray
from scipy import sparse

from evenfold.labels import make_labels

Make = Callable[[NDArray[Any], np.random.Generator], Any]


def name_columns(y: NDArray[Any]) -> list[str]:
    """Return names that sort as the columns do."""
    return [f"label {column:02d}" for column in range(y.shape[1])]


def list_labels(y: NDArray[Any]) -> list[list[str]]:
    """Return the names of the labels of each row."""
    names = name_columns(y)
    return [[names[column] for column in np.flatnonzero(row == 1)] for row in y]


def _make_frame(y: NDArray[Any], rng: np.random.Generator) -> pd.DataFrame:
    index = rng.permutation(len(y)) if rng.random() < 0.5 else None
    return pd.DataFrame(y, columns=name_columns(y), index=index)


def _make_typed(y: NDArray[Any], rng: np.random.Generator) -> NDArray[Any]:
    kind = rng.choice(["i1", "u1", "i8", "?", "f4", "f8", "O"])
    return np.asarray(y, dtype=kind, order=str(rng.choice(["C", "F"])))


def _make_coo(y: NDArray[Any], rng: np.random.Generator) -> sparse.coo_array:
    """Return the entries in any order, some of them twice, with stored zeros."""
    row, column = np.nonzero(y)
    again = rng.random(len(row)) < 0.3
    zero_row, zero_column = np.nonzero((y == 0) & (rng.random(y.shape) < 0.1))
    rows = np.concatenate([row, row[again], zero_row])
    columns = np.concatenate([column, column[again], zero_column])
    values = np.concatenate([np.ones(len(row) + again.sum()), np.zeros(len(zero_row))])
    order = rng.permutation(len(rows))
    return sparse.coo_array((values[order], (rows[order], columns[order])), shape=y.shape)


def _make_polars(y: NDArray[Any], rng: np.random.Generator) -> pl.DataFrame:
    columns = dict(zip(name_columns(y), y.T.tolist(), strict=True))
    return pl.DataFrame(columns, strict=False)


def _make_lists(y: NDArray[Any], rng: np.random.Generator) -> list[list[str]]:
    """Return lists of names in any order, some names twice."""
    rows = []
    for labels in list_labels(y):
        again = [label for label in labels if rng.random() < 0.2]
        rows.append(rng.permutation(np.array(labels + again, object)).tolist())
    return rows


# Any 0/1 matrix.
FORMS_OF_LABELS: dict[str, Make] = {
    "0/1 array": _make_typed,
    "nested lists": lambda y, _: y.tolist(),
    "CSR": lambda y, _: sparse.csr_array(y),
    "CSC": lambda y, _: sparse.csc_array(y),
    "COO with duplicates": _make_coo,
    "pandas frame": _make_frame,
    "polars frame": _make_polars,
    "Arrow table": lambda y, _: pa.table(dict(zip(name_columns(y), y.T.copy(), strict=True))),
    "label lists": _make_lists,
    "label sets": lambda y, _: [set(row) for row in list_labels(y)],
    "label tuples": lambda y, _: [tuple(row) for row in list_labels(y)],
    # Without 0 and 1: rows of one length would be a matrix.
    "lists of numbers": lambda y, _: [np.flatnonzero(row) + 2 for row in y],
    "pandas column of lists": lambda y, _: pd.Series(list_labels(y)),
    "polars column of lists": lambda y, _: pl.Series(list_labels(y), dtype=pl.List(pl.String)),
    "Arrow lists": lambda y, _: pa.array(list_labels(y), pa.list_(pa.string())),
    "Labels": lambda y, _: make_labels(y),
}
# A 0/1 matrix with NaN where it is unknown whether a row holds a label.
FORMS_WITH_UNKNOWN: dict[str, Make] = {
    "array with NaN": lambda y, rng: y.astype(rng.choice(["f2", "f4", "f8", "O"])),
    "nested lists with None": lambda y, _: [
        [None if np.isnan(cell) else int(cell) for cell in row] for row in y
    ],
    "CSR with NaN": lambda y, _: sparse.csr_array(y),
    "pandas frame with NaN": _make_frame,
    "polars frame with null": lambda y, _: pl.DataFrame(
        dict(zip(name_columns(y), y.T.tolist(), strict=True)), nan_to_null=True
    ),
    "Arrow table with null": lambda y, _: pa.table(
        {
            name: pa.array(column, from_pandas=True)
            for name, column in zip(name_columns(y), y.T.copy(), strict=True)
        }
    ),
    "masked array": lambda y, _: np.ma.masked_invalid(y),
}
# Exactly one label in each row.
FORMS_OF_CLASSES: dict[str, Make] = {
    "1-D classes": lambda y, rng: np.array(list_labels(y))[:, 0].astype(rng.choice(["U9", "O"])),
    "1-D codes": lambda y, _: y.argmax(axis=1),
    "list of classes": lambda y, _: [row[0] for row in list_labels(y)],
    "pandas column of classes": lambda y, rng: pd.Series(
        [row[0] for row in list_labels(y)], dtype=str(rng.choice(["object", "category"]))
    ),
}


def draw_form(y: NDArray[Any], rng: np.random.Generator) -> tuple[str, Any]:
    """Return the name of a form that can hold these labels, and the labels in it."""
    if np.isnan(y.astype(float)).any():
        forms = FORMS_WITH_UNKNOWN
    else:
        forms = dict(FORMS_OF_LABELS)
        if (y.sum(axis=1) == 1).all():
            forms |= FORMS_OF_CLASSES
        y = y.astype(np.int64)
    name = str(rng.choice(list(forms)))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return name, forms[name](y, rng)


def copy_form(given: Any) -> Any:
    """Return a deep copy, to be compared later."""
    return copy.deepcopy(given)

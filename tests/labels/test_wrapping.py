"""Frames that are computed when they are passed, and those of which the error names the call."""

import re

import numpy as np
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import evenfold
from evenfold.exceptions import InputTypeError
from evenfold.labels import from_classes, from_text, make_labels

Y = (np.random.default_rng(3).random((24, 3)) < 0.4).astype(np.int64)
FRAME = pl.DataFrame(Y, schema=["a", "b", "c"], orient="row")


def test_lazy_frames_of_polars_are_computed():
    """As labels, classes, text, groups and balanced columns."""
    lazy = FRAME.lazy().with_columns(group=pl.int_range(24) // 2)
    expected = evenfold.split(Y, 3, groups=np.arange(24) // 2, balance={"a": Y[:, 0]})
    s = evenfold.split(lazy.drop("group"), 3, groups=lazy.select("group"), balance=lazy.select("a"))
    assert np.array_equal(s.part_of_row, expected.part_of_row)
    assert from_classes(lazy.select("a", "b")).names == ["a=0", "a=1", "b=0", "b=1"]
    assert from_text(pl.LazyFrame({"tags": ["a|b", "b"]}), "|").names == ["a", "b"]


def test_a_lazy_frame_that_cannot_be_computed_is_refused():
    """The message has the first line of that of polars, without the plan of the query."""
    with pytest.raises(
        InputTypeError, match=r"'y' must be a frame evenfold can read, got LazyFrame: .*none"
    ) as refused:
        make_labels(FRAME.lazy().select("none"))
    assert "\n" not in str(refused.value)


def make_like(name):
    """Return an object whose type has this name and module."""
    module, _, own = name.rpartition(".")
    return type(own, (), {"__module__": module, "__len__": lambda self: 24})()


COMPUTE = "Call .compute() first, or use evenfold.scale.split."
REFUSED = {
    "anndata._core.anndata.AnnData": (
        "Pass a table of it, such as adata.obs[['a', 'b']] or adata.obsm['labels']."
    ),
    "dask.dataframe.dask_expr._collection.DataFrame": COMPUTE,
    "dask_expr._collection.Series": COMPUTE,
    "_duckdb.DuckDBPyConnection": "Call .df() first.",
    "duckdb.duckdb.DuckDBPyConnection": "Call .df() first.",
    "ibis.expr.types.relations.Table": "Call .to_pyarrow() first.",
    "pyspark.sql.classic.dataframe.DataFrame": (
        "Call .toPandas() first, or use evenfold.scale.split."
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_the_error_names_the_call_of_the_library(name):
    """For labels, groups and balanced columns."""
    frame, advice = make_like(name), REFUSED[name]
    package, own = name.partition(".")[0], name.rpartition(".")[2]
    message = re.escape(f"must be a table in memory, got {own} of {package}. {advice}")
    with pytest.raises(InputTypeError, match=f"'y' {message}"):
        evenfold.split(frame, 3)
    with pytest.raises(InputTypeError, match=f"'groups' {message}"):
        evenfold.split(Y, 3, groups=frame)
    with pytest.raises(InputTypeError, match=f"'balance' {message}"):
        evenfold.split(Y, 3, balance=frame)


def test_datasets_and_readers_of_arrow_are_refused():
    """They are not in memory."""
    table = pa.table({"a": [0, 1]})
    with pytest.raises(InputTypeError, match=r"got InMemoryDataset of .* Call .to_table\(\) first"):
        make_labels(ds.dataset(table))
    with pytest.raises(InputTypeError, match=r"got RecordBatchReader of .* Call .read_all\(\) fir"):
        make_labels(table.to_reader())

"""Frames and columns of pandas, polars, Arrow and Hugging Face, wrapped by narwhals.

narwhals is imported inside the functions, because arrays and lists are read without it.
"""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from .._checks.values import show_some
from ..exceptions import InputError, InputTypeError
from .hugging_face import read_columns

if TYPE_CHECKING:
    import narwhals as nw
    from typing_extensions import TypeIs

# What is no table in memory, by the beginning of the name of its type, and what to do.
_COMPUTE = "Call .compute() first, or use evenfold.scale.split."
_ADVICE = {
    "anndata.": "Pass a table of it, such as adata.obs[['a', 'b']] or adata.obsm['labels'].",
    "_duckdb.DuckDBPyConnection": "Call .df() first.",
    "dask.dataframe.": _COMPUTE,
    "dask_expr.": _COMPUTE,
    "duckdb.DuckDBPyConnection": "Call .df() first.",
    "duckdb.duckdb.DuckDBPyConnection": "Call .df() first.",
    "ibis.": "Call .to_pyarrow() first.",
    "pyarrow._dataset.": "Call .to_table() first.",
    "pyarrow.lib.RecordBatchReader": "Call .read_all() first.",
    "pyspark.": "Call .toPandas() first, or use evenfold.scale.split.",
}
# Frames that are computed where they are passed.
_LAZY = ("polars", "duckdb", "_duckdb")
_NO_FRAMES = (str, bytes, list, tuple, dict, set, frozenset, np.ndarray)


def to_narwhals(value: Any, parameter: str = "y") -> nw.DataFrame[Any] | nw.Series[Any] | None:
    """Wrap a frame or a column; None for anything else.

    Lazy frames of polars and relations of DuckDB are computed.
    """
    columns = read_columns(value, parameter)
    if columns is None and (value is None or isinstance(value, _NO_FRAMES)):
        return None
    import narwhals as nw

    if columns is not None:
        frame: nw.DataFrame[Any] = nw.from_native(columns.table, eager_only=True)
        return frame if columns.only is None else frame[columns.only]
    kind = type(value).__module__.partition(".")[0]
    full_name = f"{type(value).__module__}.{type(value).__name__}"
    advice = next((own for start, own in _ADVICE.items() if full_name.startswith(start)), None)
    if advice is not None:
        raise InputTypeError(
            f"must be a table in memory, got {type(value).__name__} of {kind}. {advice}",
            parameter=parameter,
        )
    if kind == "pyarrow":
        import pyarrow as pa

        if isinstance(value, pa.RecordBatch):
            value = pa.Table.from_batches([value])
        elif isinstance(value, pa.Array):
            value = pa.chunked_array([value])
    try:
        wrapped = nw.from_native(value, allow_series=True, pass_through=True)
        if isinstance(wrapped, nw.LazyFrame) and kind in _LAZY:
            wrapped = wrapped.collect()
    except nw.exceptions.DuplicateError:
        raise _repeated_names(value, parameter) from None
    except Exception as error:  # narwhals and the frame libraries raise types of their own here
        # polars and DuckDB add the plan of the query below.
        first_line = str(error).partition("\n")[0].rstrip(". ")
        raise InputTypeError(
            f"must be a frame evenfold can read, got {type(value).__name__}: {first_line}. "
            "Try one of NumPy or Arrow.",
            parameter=parameter,
        ) from error
    if isinstance(wrapped, nw.LazyFrame):
        raise InputTypeError(
            f"must be in memory, got a {type(value).__name__}. Call .collect() first.",
            parameter=parameter,
        )
    return wrapped if isinstance(wrapped, nw.DataFrame | nw.Series) else None


def compute_lazy(value: Any, parameter: str) -> Any:
    """Return a lazy frame of polars or a relation of DuckDB as a frame, all else as it is."""
    if type(value).__module__.partition(".")[0] not in _LAZY:
        return value
    frame = to_narwhals(value, parameter)
    return value if frame is None else frame.to_native()


def _repeated_names(value: Any, parameter: str) -> InputError:
    names = list(value.column_names if hasattr(value, "column_names") else value.columns)
    repeated = [name for name, n_times in Counter(names).items() if n_times > 1]
    return InputError(
        f"must have columns of different names, got more than one named "
        f"{show_some(map(repr, repeated), 5)}. Give each its own name.",
        parameter=parameter,
    )


def is_column(value: Any) -> TypeIs[nw.Series[Any]]:
    """Tell whether a value is a column that is wrapped already."""
    import narwhals as nw

    return isinstance(value, nw.Series)


def find_index(y: Any) -> Any:
    """Return the index of a pandas frame or column, None for anything else."""
    pandas = sys.modules.get("pandas")
    is_pandas = pandas is not None and isinstance(y, pandas.DataFrame | pandas.Series)
    return y.index if is_pandas else None

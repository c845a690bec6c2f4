"""Keys of Spark DataFrames: each row has one, and no two rows have the same."""

from __future__ import annotations

from typing import Any

from ..exceptions import InputError

_NESTED = ("array", "map", "struct", "variant")


def count_keys(frame: Any, key: str) -> int:
    """Return the number of rows; check that each has a key of its own."""
    from pyspark.sql import functions

    kind = frame.schema[key].dataType
    if kind.typeName() in _NESTED:
        raise InputError(
            f"must name a column with one name or number in each row, got {key!r} of the "
            f"DataFrame, which holds {kind.simpleString()}. Name another column.",
            parameter="key",
        )
    n = functions.count(functions.lit(1)).alias("n")
    by_key = frame.groupBy(functions.col(quote(key)).alias("key")).agg(n)
    n_null = functions.sum(functions.when(functions.isnull("key"), functions.col("n")))
    found = by_key.agg(
        functions.sum("n").alias("n_rows"),
        functions.max("n").alias("most"),
        functions.max_by("key", "n").alias("example"),
        n_null.alias("n_null"),
    ).first()
    if not found.n_rows:
        raise InputError("must have rows, got a DataFrame without any.", parameter="data")
    if found.n_null:
        raise InputError(
            f"must be a column without gaps, got {key!r}, which is null in {found.n_null:,} of "
            f"{found.n_rows:,} rows. Fill them, or name another column.",
            parameter="key",
        )
    if found.most > 1:
        raise InputError(
            f"must be a column in which each value is there once, got {key!r}, in which "
            f"{found.example!r} is there {found.most:,} times. Name another column, or add one.",
            parameter="key",
        )
    return int(found.n_rows)


def quote(name: str) -> str:
    """Return the name of a column as Spark reads it: a dot would name a field of a structure."""
    return "`" + name.replace("`", "``") + "`"

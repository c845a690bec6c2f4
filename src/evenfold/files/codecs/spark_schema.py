"""The schema that Spark keeps in the metadata of a parquet file and reads instead of the footer."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import pyarrow as pa

_KEY = b"org.apache.spark.sql.parquet.row.metadata"


def add_to_spark_schema(
    metadata: Mapping[bytes, bytes], columns: Sequence[pa.Field]
) -> dict[bytes, bytes]:
    """Return key-value metadata in which Spark's schema has these new columns.

    They hold text or 32-bit numbers.

    A schema that is not understood is left out: then Spark reads that of the file.
    """
    changed = dict(metadata)
    if columns and _KEY in changed:
        schema = _add_columns(changed.pop(_KEY), columns)
        if schema is not None:
            changed[_KEY] = schema
    return changed


def _add_columns(schema: bytes, columns: Sequence[pa.Field]) -> bytes | None:
    try:
        struct = json.loads(schema)
    except (ValueError, RecursionError):
        return None
    if not (
        isinstance(struct, dict)
        and struct.get("type") == "struct"
        and isinstance(struct.get("fields"), list)
    ):
        return None
    struct["fields"] += [
        {
            "name": column.name,
            "type": "integer" if column.type == pa.int32() else "string",
            "nullable": True,
            "metadata": {},
        }
        for column in columns
    ]
    return json.dumps(struct, separators=(",", ":"), ensure_ascii=False).encode()

"""The schema that Spark keeps in the metadata of a parquet file, and believes before that of the file."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

_KEY = b"org.apache.spark.sql.parquet.row.metadata"


def tell_spark(metadata: Mapping[bytes, bytes], columns: Sequence[str]) -> dict[bytes, bytes]:
    """Return key-value metadata that knows these new columns of text too, without Spark's schema where it is not understood."""
    told = dict(metadata)
    if columns and _KEY in told:
        schema = _add_texts(told.pop(_KEY), columns)
        if schema is not None:
            told[_KEY] = schema
    return told


def _add_texts(schema: bytes, columns: Sequence[str]) -> bytes | None:
    try:
        struct = json.loads(schema)
    except ValueError:
        return None
    if not (
        isinstance(struct, dict)
        and struct.get("type") == "struct"
        and isinstance(struct.get("fields"), list)
    ):
        return None
    struct["fields"] += [
        {"name": column, "type": "string", "nullable": True, "metadata": {}} for column in columns
    ]
    return json.dumps(struct, separators=(",", ":"), ensure_ascii=False).encode()

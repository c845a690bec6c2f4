"""Options that write a parquet file as another one was written."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from .spark_schema import add_to_spark_schema


def find_writer_options(metadata: pq.FileMetaData) -> dict[str, Any]:
    """Return the options that write a file as this one was written, as far as it tells."""
    group = metadata.row_group(0) if metadata.num_row_groups else None
    chunks = [group.column(at) for at in range(metadata.num_columns)] if group is not None else []
    codec_of = {
        chunk.path_in_schema: chunk.compression.replace("UNCOMPRESSED", "NONE") for chunk in chunks
    }
    codecs = set(codec_of.values()) or {"SNAPPY"}
    return {
        # If all columns have the same, an added column gets it too.
        "compression": codecs.pop() if len(codecs) == 1 else codec_of,
        # A dictionary of images would be read whole, so columns without one get none.
        "use_dictionary": [chunk.path_in_schema for chunk in chunks if chunk.has_dictionary_page],
        "use_compliant_nested_type": not any(".list.item" in path for path in codec_of),
        # Old versions of Spark read times only in this form.
        "use_deprecated_int96_timestamps": any(chunk.physical_type == "INT96" for chunk in chunks),
        "store_schema": b"ARROW:schema" in (metadata.metadata or {}),
    }


def use_dictionaries(options: dict[str, Any], columns: Sequence[str]) -> dict[str, Any]:
    """Return options with which these columns have dictionaries too."""
    return options | {"use_dictionary": [*options["use_dictionary"], *columns]}


def open_parquet_writer(
    target: Any, schema: pa.Schema, options: dict[str, Any], added: Sequence[pa.Field]
) -> pq.ParquetWriter:
    """Open a new parquet file.

    Parameters
    ----------
    target : path or binary file
        The file.
    schema : pa.Schema
        Its schema, with the key-value metadata.
    options : dict
        The options of another file, from `find_writer_options`.
    added : sequence of pa.Field
        The columns of the schema that the other file does not have: text or 32-bit numbers.

    Returns
    -------
    pq.ParquetWriter
        The open file.
    """
    schema = schema.with_metadata(add_to_spark_schema(schema.metadata or {}, added))
    writer = pq.ParquetWriter(
        target, schema, **use_dictionaries(options, [field.name for field in added])
    )
    if schema.metadata and not options["store_schema"]:
        # Without its schema, Arrow leaves out the rest of the metadata too.
        writer.add_key_value_metadata(schema.metadata)
    return writer

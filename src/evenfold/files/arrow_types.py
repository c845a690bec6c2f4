"""Arrow types that Arrow itself can only store, and the types that it can filter instead."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc


def to_plain_types(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Cast the columns that Arrow can neither filter nor take from.

    These are the views that polars writes for text and bytes, and run-end encoded columns.
    """
    for at, field in enumerate(batch.schema):
        if pa.types.is_run_end_encoded(field.type):
            batch = batch.set_column(
                at, field.with_type(field.type.value_type), pc.run_end_decode(batch.column(at))
            )
    schema = pa.schema([_to_plain_field(field) for field in batch.schema], batch.schema.metadata)
    return batch if schema == batch.schema else batch.cast(schema)


def to_types_of(table: pa.Table, schema: pa.Schema) -> pa.Table:
    """Cast a table of plain types to the types of a schema, run-end encoded ones included."""
    for at, field in enumerate(schema):
        if pa.types.is_run_end_encoded(field.type):
            table = table.set_column(
                at, field, pc.run_end_encode(table.column(at), field.type.run_end_type)
            )
    return table if table.schema == schema else table.cast(schema)


def to_plain_type(kind: pa.DataType) -> pa.DataType:
    """Return the type without views, also within lists, structs, maps and dictionaries."""
    if pa.types.is_string_view(kind):
        return pa.large_string()
    if pa.types.is_binary_view(kind):
        return pa.large_binary()
    if pa.types.is_dictionary(kind):
        return pa.dictionary(kind.index_type, to_plain_type(kind.value_type), kind.ordered)
    if pa.types.is_struct(kind):
        return pa.struct([_to_plain_field(field) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(
            _to_plain_field(kind.key_field), _to_plain_field(kind.item_field), kind.keys_sorted
        )
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        make = pa.list_ if pa.types.is_list(kind) else pa.large_list
        return make(_to_plain_field(kind.value_field))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_to_plain_field(kind.value_field), kind.list_size)
    return kind


def _to_plain_field(field: pa.Field) -> pa.Field:
    return field.with_type(to_plain_type(field.type))

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
        elif to_plain_type(field.type) != field.type:
            chunks = [_to_views(chunk, field.type) for chunk in table.column(at).chunks]
            table = table.set_column(at, field, pa.chunked_array(chunks, field.type))
    return table if table.schema == schema else table.cast(schema)


def count_bytes(batch: pa.RecordBatch) -> int:
    """Return how much memory rows take."""
    try:
        return int(batch.nbytes)
    except pa.ArrowTypeError:  # before pyarrow 24, Arrow cannot tell it of views
        return int(batch.get_total_buffer_size())


def _to_views(cells: pa.Array, kind: pa.DataType) -> pa.Array:
    """Cast an array to a type that has views in it.

    Before pyarrow 25, Arrow ends the process when it casts to maps with views. Its arrays of short
    texts lack a buffer, and to write them compressed ends the process too.
    """
    if cells.type == kind:
        return cells
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        views = cells.cast(kind)
        buffers = views.buffers()
        if buffers[-1] is not None:
            return views
        return pa.Array.from_buffers(kind, len(views), buffers[:2], views.null_count, views.offset)
    if pa.types.is_dictionary(kind):
        values = _to_views(cells.dictionary, kind.value_type)
        return pa.DictionaryArray.from_arrays(cells.indices, values, ordered=kind.ordered)
    mask = cells.is_null() if cells.null_count else None
    if pa.types.is_struct(kind):
        inner = [_to_views(cells.field(at), field.type) for at, field in enumerate(kind)]
        return pa.StructArray.from_arrays(inner, fields=list(kind), mask=mask)
    if pa.types.is_map(kind):
        keys, items = _to_views(cells.keys, kind.key_type), _to_views(cells.items, kind.item_type)
        # Arrow takes no mask together with a slice of offsets.
        offsets = pa.array(cells.offsets.to_numpy())
        return pa.MapArray.from_arrays(offsets, keys, items, type=kind, mask=mask)
    values = _to_views(cells.values, kind.value_type)
    own = cells.buffers()[: kind.num_buffers]
    return pa.Array.from_buffers(kind, len(cells), own, cells.null_count, cells.offset, [values])


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

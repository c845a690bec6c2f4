"""New values in some cells of an Arrow column."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray


def fill_cells(cells: pa.Array, new: pa.Array, codes: NDArray[np.int32]) -> pa.Array:
    """Return the cells with `new[codes[i]]` in cell i; those of code -1 keep their value.

    A column of categories keeps them and their order; all new ones come after them, used or not:
    in an Arrow file, the categories must be the same in every batch.
    """
    if pa.types.is_dictionary(cells.type):
        return _fill_categories(cells, new, codes)
    return pc.if_else(
        pa.array(codes >= 0), new.take(pa.array(codes, mask=codes < 0)), cells.cast(new.type)
    )


def _fill_categories(
    cells: pa.DictionaryArray, new: pa.Array, codes: NDArray[np.int32]
) -> pa.DictionaryArray:
    known = cells.dictionary.cast(new.type)
    added = new.filter(pc.invert(pc.is_in(new, value_set=known)))
    categories = pa.concat_arrays([known, added])
    own = pc.index_in(new, value_set=categories).take(pa.array(codes, mask=codes < 0))
    indices = pc.if_else(pa.array(codes >= 0), own, cells.indices.cast(pa.int32()))
    return pa.DictionaryArray.from_arrays(
        indices.cast(cells.type.index_type), categories, ordered=cells.type.ordered
    )


def find_values_outside_enum(field: pa.Field, before: pa.Array, after: pa.Array) -> list[str]:
    """Return categories that were added to a column of polars with a fixed list of them.

    Polars would read them as null.
    """
    is_enum = any(key.startswith(b"_PL_ENUM_VALUES") for key in field.metadata or {})
    added: list[str] = after.dictionary[len(before.dictionary) :].to_pylist() if is_enum else []
    return added

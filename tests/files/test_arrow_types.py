"""Types with views become plain types and views again."""

import numpy as np
import pyarrow as pa
import pytest

from evenfold.files.arrow_types import count_bytes, to_plain_types, to_types_of

VIEW = pa.string_view()
LONG = "a text of more than twelve letters"
# Values of a type that has views in it, some texts short and some long.
CELLS = {
    "text": (VIEW, ["a", None, LONG, "", "b"]),
    "bytes": (pa.binary_view(), [b"a", None, LONG.encode(), b"", b"b"]),
    "list": (pa.list_(VIEW), [["a", LONG], None, [], [None], ["b"]]),
    "large list": (pa.large_list(VIEW), [["a"], None, [], [LONG], ["b", "c"]]),
    "list of two": (pa.list_(VIEW, 2), [["a", "b"], None, [LONG, None], ["c", "d"], ["e", ""]]),
    "struct": (
        pa.struct([("name", VIEW), ("size", pa.int8())]),
        [{"name": "a", "size": 1}, None, {"name": None, "size": 2}, {"name": LONG, "size": 3}, {}],
    ),
    "map": (pa.map_(VIEW, pa.list_(VIEW)), [[("a", ["b"])], None, [], [("c", None)], [(LONG, [])]]),
    "dictionary": (pa.dictionary(pa.int8(), VIEW), ["a", None, LONG, "a", "b"]),
}


def make_views(kind, cells):
    """Return an array, whatever Arrow can make from Python values."""
    if pa.types.is_dictionary(kind):
        codes = pa.array(cells, pa.string()).dictionary_encode()
        values = pa.array(codes.dictionary.to_pylist(), kind.value_type)
        return pa.DictionaryArray.from_arrays(codes.indices.cast(kind.index_type), values)
    return pa.array(cells, kind)


@pytest.mark.parametrize("rows", [range(5), range(1, 5), range(2, 4), [0, 1, 4], [0, 3], []])
@pytest.mark.parametrize("name", CELLS)
def test_views_are_made_again_of_a_part_of_the_rows(name, rows):
    """Values, nulls and types are those of the rows, which are sliced or filtered."""
    kind, cells = CELLS[name]
    batch = pa.record_batch([make_views(kind, cells)], pa.schema([pa.field("y", kind)]))
    plain = pa.Table.from_batches([to_plain_types(batch)])
    assert plain.schema.field("y").type != kind
    if isinstance(rows, range):
        plain = plain.slice(rows.start, len(rows))
    else:
        plain = plain.filter(pa.array(np.isin(range(5), rows)))
    views = to_types_of(plain, batch.schema)
    views.validate(full=True)
    assert views.schema == batch.schema
    assert views["y"].to_pylist() == [batch["y"][row].as_py() for row in rows]


def test_short_texts_have_no_empty_buffer():
    """Such a buffer could not be written compressed before pyarrow 25."""
    table = pa.table({"y": pa.array(["a", None], pa.large_string())})
    views = to_types_of(table, pa.schema([("y", VIEW)]))
    assert all(buffer is not None for buffer in views["y"].chunk(0).buffers())


def test_the_memory_of_views_is_counted():
    """Before pyarrow 24, Arrow itself cannot."""
    views = pa.record_batch([pa.array([LONG, None], VIEW)], names=["y"])
    assert count_bytes(views) >= len(LONG)
    assert count_bytes(pa.record_batch([pa.array([1, 2], pa.int64())], names=["y"])) == 16

import datetime
import hashlib
from decimal import Decimal

import numpy as np
import pyarrow as pa
import pytest

from evenfold.scale import value_hashes
from evenfold.scale.value_hashes import (
    find_missing,
    hash_labelsets,
    hash_names,
    hash_rows_alone,
    hash_values,
    mix,
)


def test_numbers_of_all_types_have_one_hash():
    """A whole number has the same hash as any type of integer or float."""
    kinds = [pa.int8(), pa.uint16(), pa.int32(), pa.int64(), pa.uint64(), pa.float32()]
    expected = hash_values(pa.array([1, 0, 7], pa.float64()))
    for kind in kinds:
        np.testing.assert_array_equal(hash_values(pa.array([1, 0, 7], kind)), expected)
    assert len(set(hash_values(pa.array([0.0, 0.5, 1.0, -1.0, 1e300])).tolist())) == 5
    assert hash_values(pa.array([-0.0])) == hash_values(pa.array([0]))


def test_hashes_do_not_change():
    """The hashes are the same in every version, since saved results hold them."""
    assert mix(np.array([0, 1])).tolist() == [16294208416658607535, 10451216379200822465]
    assert hash_values(pa.array(["a", ""])).tolist() == hash_names(["a", ""]).tolist()
    assert hash_names(["a"]).tolist() == [int.from_bytes(_blake(b"a"), "little")]


def _blake(content):
    return hashlib.blake2b(content, digest_size=8, person=b"text").digest()


@pytest.mark.parametrize(
    "values",
    [
        ["a", "b", "a"],
        [b"\xff", b"b", b"\xff"],
        [True, False, True],
        [datetime.date(2026, 1, 1), datetime.date(2026, 1, 2), datetime.date(2026, 1, 1)],
        [Decimal("1.5"), Decimal("2.5"), Decimal("1.5")],
        [datetime.datetime(2026, 1, day, tzinfo=datetime.UTC) for day in (1, 2, 1)],
    ],
)
def test_equal_values_have_equal_hashes(values):
    """Equal values have equal hashes, also as codes of a dictionary."""
    cells = pa.array(values)
    hashes = hash_values(cells)
    np.testing.assert_array_equal(hash_values(cells.dictionary_encode()), hashes)
    assert hashes[0] == hashes[2] != hashes[1]


def test_text_types_have_one_hash():
    """Text has the same hash in every Arrow type of text."""
    cells = pa.array(["a", "b", None])
    for kind in (pa.large_string(), pa.string_view()):
        assert hash_values(cells.cast(kind))[:2].tolist() == hash_values(cells)[:2].tolist()


def test_missing_values_are_found():
    """Null, NaN and blank text are missing; blank text only if asked for."""
    assert find_missing(pa.array([1.0, None, float("nan")])).tolist() == [False, True, True]
    texts = pa.array(["a", " ", None])
    for cells in (texts, texts.dictionary_encode()):
        assert find_missing(cells).tolist() == [False, True, True]
        assert find_missing(cells, blank=False).tolist() == [False, False, True]
    assert find_missing(pa.nulls(2)).tolist() == [True, True]
    assert hash_values(pa.nulls(2)).tolist() == [0, 0]


def test_rows_alone_differ():
    """Each row of each partition has its own hash, whatever the batches are."""
    whole = hash_rows_alone(3, 0, 1000)
    np.testing.assert_array_equal(hash_rows_alone(3, 400, 600), whole[400:])
    assert len({*whole.tolist(), *hash_rows_alone(4, 0, 1000).tolist()}) == 2000


@pytest.mark.parametrize("n_at_once", [1, 2, 100])
def test_hash_of_a_labelset_is_a_sum(n_at_once, monkeypatch):
    """It depends neither on the order of the labels nor on how many rows are hashed at once."""
    monkeypatch.setattr(value_hashes, "_ROWS_AT_ONCE", n_at_once)
    hash_of_label = hash_names(["a", "b", "c"])
    a, b, c = hash_of_label.tolist()
    lengths = np.array([2, 0, 1, 2, 3], np.uint32)
    indices = np.array([0, 1, 2, 1, 0, 0, 1, 2], np.int32)
    expected = [total % 2**64 for total in (a + b, 0, c, a + b, a + b + c)]
    assert hash_labelsets(hash_of_label, lengths, indices).tolist() == expected
    empty = hash_labelsets(hash_names([]), lengths[:0], indices[:0])
    assert empty.dtype == np.uint64
    assert len(empty) == 0

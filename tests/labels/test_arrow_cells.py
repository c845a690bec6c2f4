"""Cells of Arrow columns that are slices of others."""

import pyarrow as pa
import pytest

from evenfold.labels.arrow_cells import remove_texts

TEXTS = ["emu", None, "a long name of a label", "", "dog", "cat"]


@pytest.mark.parametrize("kind", [pa.string(), pa.large_string()])
@pytest.mark.parametrize("start", range(5))
def test_texts_are_removed_from_a_slice(start, kind):
    """The others stay. Before pyarrow 24, `if_else` with a missing scalar changes them."""
    texts = pa.array(TEXTS, kind).slice(start, 3)
    kept = remove_texts(texts, pa.array([False, None, True][: len(texts)]))
    assert kept.to_pylist() == [TEXTS[start], None, None][: len(texts)]

"""Kernels of shingles equal slow versions over Python sets, compiled and not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold._kernels.shingles import (
    KEY_BITS,
    N_WORDS,
    Index,
    Table,
    Texts,
    count_shingles,
    join_texts,
    measure_pairs,
    select_rarest,
)

FORMS = ["function", "compiled"]
N_PLACES = 64
TEXTS = st.lists(st.text("abc", min_size=1, max_size=20), min_size=1, max_size=8)


def encode(texts):
    """Return texts of a, b and c as the kernels take them."""
    stops = np.cumsum([len(text) for text in texts])
    starts = stops - [len(text) for text in texts]
    codes = np.array([ord(letter) - ord("a") for text in texts for letter in text], np.uint16)
    mixed = np.random.default_rng(5).integers(0, 1 << KEY_BITS, 3)
    return Texts(starts, np.maximum(starts + 1, stops - 4), stops, codes, mixed)


def make_table():
    """Return an empty table."""
    return Table(np.zeros(N_PLACES, np.int64), np.full(N_PLACES, -1), np.full(N_PLACES, -1))


def make_set(text):
    """Return the pieces of 5 characters, or the text if it is shorter."""
    return {text[at : at + 5] for at in range(max(1, len(text) - 4))}


def make_key(piece):
    """Return the key of a piece: numbers of its letters, turned by 11 bits each, XOR."""
    mixed = encode(["a"]).mixed.tolist()
    key = 0
    for letter in piece:
        bits = f"{key:062b}"
        key = int(bits[11:] + bits[:11], 2) ^ mixed[ord(letter) - ord("a")]
    return key


def run_count(form, texts, is_counted):
    """Return sizes, sketches and frequencies."""
    sizes = np.empty(len(texts), np.int64)
    sketches = np.empty((len(texts), N_WORDS), np.int64)
    frequency = np.zeros(16, np.int32)
    getattr(count_shingles, form)(
        encode(texts), np.array(is_counted), make_table(), sizes, sketches, frequency
    )
    return sizes, sketches, frequency


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=60, deadline=None)
@given(texts=TEXTS, data=st.data())
def test_shingles_are_counted_once_per_text(form, texts, data):
    """Sizes of sets, frequencies by the last bits, and a bit of the sketch for each shingle."""
    is_counted = data.draw(st.lists(st.booleans(), min_size=len(texts), max_size=len(texts)))
    sizes, sketches, frequency = run_count(form, texts, is_counted)
    sets = [make_set(text) for text in texts]
    assert sizes.tolist() == [len(pieces) for pieces in sets]
    expected = [0] * 16
    for pieces, counted in zip(sets, is_counted, strict=True):
        for piece in pieces:
            expected[make_key(piece) % 16] += counted
    assert frequency.tolist() == expected
    for one in range(len(texts)):
        for other in range(len(texts)):
            changed = sum(
                int(word).bit_count() for word in (sketches[one] ^ sketches[other]).tolist()
            )
            assert changed <= len(sets[one] ^ sets[other])


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=60, deadline=None)
@given(texts=TEXTS, seed=st.integers(0, 99))
def test_rarest_shingles_are_selected(form, texts, seed):
    """By frequency, then by key."""
    frequency = np.random.default_rng(seed).integers(0, 4, 16).astype(np.int32)
    chosen = np.arange(0, len(texts), 2)
    wanted = [
        sorted(map(make_key, make_set(texts[at])), key=lambda key: (frequency[key % 16], key))
        for at in chosen
    ]
    wanted = [keys[: 1 + len(keys) // 2] for keys in wanted]
    bounds = np.concatenate(([0], np.cumsum([len(keys) for keys in wanted])))
    keys = np.empty(bounds[-1], np.int64)
    work = np.empty((2, N_PLACES), np.int64)
    getattr(select_rarest, form)(
        encode(texts), chosen, bounds, frequency, make_table(), *work, keys
    )
    assert keys.tolist() == [key for own in wanted for key in own]


@pytest.mark.parametrize("form", FORMS)
@settings(max_examples=60, deadline=None)
@given(texts=TEXTS)
def test_similarity_is_the_share_of_the_union(form, texts):
    """For all pairs, also of equal texts."""
    sizes = run_count(form, texts, [False] * len(texts))[0]
    one, other = (places.ravel() for places in np.indices((len(texts), len(texts))))
    value = np.empty(len(one))
    getattr(measure_pairs, form)(encode(texts), sizes, one, other, make_table(), value)
    sets = [make_set(text) for text in texts]
    assert value.tolist() == [
        len(sets[at] & sets[to]) / len(sets[at] | sets[to])
        for at, to in zip(one.tolist(), other.tolist(), strict=True)
    ]


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("is_larger_only", [True, False])
@settings(max_examples=60, deadline=None)
@given(texts=TEXTS, least=st.sampled_from([0.1, 0.5, 0.8, 1.0]))
def test_texts_with_all_keys_indexed_are_joined(form, is_larger_only, texts, least):
    """Each text with all others, or with earlier ones only; in several calls."""
    texts = sorted(texts, key=lambda text: len(make_set(text)))
    sizes, sketches, _ = run_count(form, texts, [False] * len(texts))
    keys = [sorted(map(make_key, make_set(text))) for text in texts]
    bounds = np.concatenate(([0], np.cumsum(sizes)))
    entries = sorted(
        (key % 32, text, key, place)
        for text, own in enumerate(keys)
        for place, key in enumerate(own)
    )
    bucket, owner, key, place = map(list, zip(*entries, strict=True))
    starts = np.searchsorted(bucket, np.arange(33)).astype(np.int64)
    index = Index(starts, np.array(owner, np.int32), np.array(key), np.array(place, np.int32))
    room, found, progress = len(texts) + 2, {}, np.zeros(3, np.int64)
    table, last_tested = make_table(), np.full(len(texts), -1)
    while progress[0] < len(texts):
        pairs = np.empty(room, np.int64), np.empty(room, np.int64), np.empty(room)
        getattr(join_texts, form)(
            encode(texts),
            sketches,
            sizes,
            bounds,
            np.array([key for own in keys for key in own]),
            index,
            is_larger_only,
            least,
            last_tested,
            table,
            progress,
            *pairs,
        )
        for one, other, value in zip(*(array[: progress[1]] for array in pairs), strict=True):
            assert (one, other) not in found
            found[int(one), int(other)] = value
    sets = [make_set(text) for text in texts]
    expected = {
        (one, other): len(sets[one] & sets[other]) / len(sets[one] | sets[other])
        for one in range(len(texts))
        for other in range(one if is_larger_only else len(texts))
        if one != other
    }
    assert found == {pair: value for pair, value in expected.items() if value >= least}

"""Shingles: the pieces of `LENGTH` characters of a text, and texts that share most of theirs.

A shingle is a key of 62 bits, mixed from random numbers of its characters. The keys of two given
shingles are equal by chance less than once in 2**55.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .compiler import inlined, kernel, shared

LENGTH = 5
KEY_BITS = 62
_MASK = (1 << KEY_BITS) - 1
_TURN = 11
# Words of a sketch, a power of 2; of 62 bits each.
N_WORDS = 16


class Texts(NamedTuple):
    """Texts that are not empty; one shorter than `LENGTH` is a single shingle.

    `codes` are the characters of all texts, numbered from 0, and `mixed` a random number of 62 bits
    for each. The shingles of a text begin at `starts` to `ends - 1`, and its characters end before
    `stops`.
    """

    starts: NDArray[np.int64]
    ends: NDArray[np.int64]
    stops: NDArray[np.int64]
    codes: NDArray[np.uint16] | NDArray[np.int32]
    mixed: NDArray[np.int64]


class Table(NamedTuple):
    """A hash table of the shingles of one text, which is used for one text after another.

    It has a power of 2 of places, at least two per shingle of the longest text. `slots` holds keys,
    `owner` the text that put each there, and `seen` in which turn it was counted last. The last two
    are -1 everywhere at first.
    """

    slots: NDArray[np.int64]
    owner: NDArray[np.int64]
    seen: NDArray[np.int64]


class Index(NamedTuple):
    """Texts by the last bits of keys, with a power of 2 of buckets.

    Bucket i is from `starts[i]` to `starts[i + 1]`, with its texts in their order. `places` are the
    places of the keys among those of their texts.
    """

    starts: NDArray[np.int64]
    texts: NDArray[np.int32]
    keys: NDArray[np.int64]
    places: NDArray[np.int32]


@inlined
def make_key(texts, text, at):
    """Return the key of the shingle that begins at `at`: numbers of characters, turned, XOR."""
    key = texts.mixed[texts.codes[at]]
    for place in range(at + 1, min(at + LENGTH, texts.stops[text])):
        turned = ((key << _TURN) & _MASK) | (key >> (KEY_BITS - _TURN))
        key = turned ^ texts.mixed[texts.codes[place]]
    return key


@inlined
def find_place(key, text, table):
    """Return where a key of a text is in the table, or is to be put."""
    mask = table.slots.shape[0] - 1
    place = key & mask
    while table.owner[place] == text and table.slots[place] != key:
        place = (place + 1) & mask
    return place


@inlined
def put(key, text, table):
    """Put a key of a text into the table; return whether it was not there."""
    place = find_place(key, text, table)
    is_new = table.owner[place] != text
    table.owner[place] = text
    table.slots[place] = key
    return is_new


@shared
def put_all(texts, text, table):
    """Put all shingles of a text into the table."""
    for at in range(texts.starts[text], texts.ends[text]):
        put(make_key(texts, text, at), text, table)


@shared
def count_shared(texts, text, holder, table, turn, least):
    """Return how many different shingles of `text` are among those of `holder`, in the table.

    The result is -1 if there are fewer than `least`. Each call needs another `turn`.
    """
    n_shared = 0
    for at in range(texts.starts[text], texts.ends[text]):
        if n_shared + texts.ends[text] - at < least:
            return -1
        place = find_place(make_key(texts, text, at), holder, table)
        if table.owner[place] == holder and table.seen[place] != turn:
            table.seen[place] = turn
            n_shared += 1
    return n_shared if n_shared >= least else -1


@inlined
def count_bits(number):
    """Return how many bits of a number of 62 bits are 1, by sums of ever more of them."""
    number = number - ((number >> 1) & 0x5555555555555555)
    number = (number & 0x3333333333333333) + ((number >> 2) & 0x3333333333333333)
    number = (number + (number >> 4)) & 0x0F0F0F0F0F0F0F0F
    number = number + (number >> 8)
    number = number + (number >> 16)
    return (number + (number >> 32)) & 0x7F


@inlined
def find_most_shared(sketches, one, other, n_both):
    """Return an upper limit of the shingles that two texts of `n_both` shingles share.

    A shingle that only one of them has changes at most one bit (Sandes, Teodoro & Melo 2020,
    "Bitmap filter").
    """
    n_bits = 0
    for word in range(N_WORDS):
        n_bits += count_bits(sketches[one, word] ^ sketches[other, word])
    return (n_both - n_bits) // 2


@kernel
def count_shingles(texts, is_counted, table, size_of_text, sketches, frequency):
    """Count the different shingles of each text, and in how many texts shingles are.

    IN: `is_counted` (n_texts,): whether a text counts for `frequency`. WORK: `table`.
    OUT: `size_of_text`; `sketches` (n_texts, N_WORDS), of which each shingle changes a bit;
    `frequency`, zeros, by the last bits of the key, with a power of 2 of places.
    Cost O(characters).
    """
    last_bits = frequency.shape[0] - 1
    for text in range(texts.starts.shape[0]):
        size_of_text[text] = 0
        for word in range(N_WORDS):
            sketches[text, word] = 0
        for at in range(texts.starts[text], texts.ends[text]):
            key = make_key(texts, text, at)
            if put(key, text, table):
                size_of_text[text] += 1
                bit = ((key >> 32) & 1023) * KEY_BITS >> 10
                sketches[text, (key >> 42) & (N_WORDS - 1)] ^= 1 << bit
                if is_counted[text]:
                    frequency[key & last_bits] += 1


@kernel
def select_rarest(texts, chosen, bounds, frequency, table, own, counts, keys):
    """List the rarest shingles of the `chosen` texts, the rarest first; equally rare ones by key.

    IN: `bounds` (n_chosen + 1,), where the keys of each begin and end. WORK: `table`; `own` and
    `counts`, as long as the table. OUT: `keys`. Cost O(characters · root of the longest).
    """
    last_bits = frequency.shape[0] - 1
    for number in range(chosen.shape[0]):
        text = chosen[number]
        n_own = 0
        for at in range(texts.starts[text], texts.ends[text]):
            key = make_key(texts, text, at)
            if put(key, text, table):
                own[n_own] = key
                counts[n_own] = frequency[key & last_bits]
                n_own += 1
        # Shell's sort: Numba takes a second to compile a call of NumPy's.
        gap = 1
        while gap < n_own // 3:
            gap = 3 * gap + 1
        while gap > 0:
            for later in range(gap, n_own):
                key = own[later]
                count = counts[later]
                place = later
                while place >= gap:
                    before = own[place - gap]
                    count_before = counts[place - gap]
                    if count_before < count or (count_before == count and before <= key):
                        break
                    own[place] = before
                    counts[place] = count_before
                    place -= gap
                own[place] = key
                counts[place] = count
            gap //= 3
        for place in range(bounds[number], bounds[number + 1]):
            keys[place] = own[place - bounds[number]]


@kernel
def join_texts(
    texts,
    sketches,
    size_of_text,
    bounds,
    keys,
    index,
    is_larger_only,
    least_value,
    last_tested,
    table,
    progress,
    one,
    other,
    value,
):
    """Find the pairs of texts whose Jaccard similarity is `least_value` or more.

    IN: the rarest `keys` of each text, between its `bounds`; `index`, of texts by some of these;
    `is_larger_only`: texts are in the order of their sizes, and are paired with earlier ones only.
    WORK: `table`; `last_tested` (n_texts,), -1 at first. INOUT: `progress`, the next text, the
    number of pairs that this call found, and of all that were compared. OUT: the pairs.
    The call ends when fewer places than texts are left.
    Cost O(keys + tested pairs + compared pairs · characters).
    """
    n_texts = texts.starts.shape[0]
    last_bits = index.starts.shape[0] - 2
    n_found = 0
    text = progress[0]
    while text < n_texts and n_found + n_texts <= one.shape[0]:
        is_put = False
        size = size_of_text[text]
        for at in range(bounds[text], bounds[text + 1]):
            bucket = keys[at] & last_bits
            for entry in range(index.starts[bucket], index.starts[bucket + 1]):
                candidate = index.texts[entry]
                if is_larger_only and candidate >= text:
                    break
                if (
                    index.keys[entry] != keys[at]
                    or last_tested[candidate] == text
                    or candidate == text
                ):
                    continue
                last_tested[candidate] = text
                n_both = size + size_of_text[candidate]
                # A lower whole number than needed: rounding must not lose a pair.
                least = int(least_value / (1.0 + least_value) * n_both)
                # This shingle is the rarest that both have: they share no other before it.
                after = min(
                    size - (at - bounds[text]), size_of_text[candidate] - index.places[entry]
                )
                if after < least or find_most_shared(sketches, text, candidate, n_both) < least:
                    continue
                if not is_put:
                    put_all(texts, text, table)
                    is_put = True
                progress[2] += 1
                n_shared = count_shared(texts, candidate, text, table, progress[2], least)
                similarity = n_shared / (n_both - n_shared)
                if n_shared >= 0 and similarity >= least_value:
                    one[n_found] = text
                    other[n_found] = candidate
                    value[n_found] = similarity
                    n_found += 1
        text += 1
    progress[0] = text
    progress[1] = n_found


@kernel
def measure_pairs(texts, size_of_text, one, other, table, value):
    """Compute the Jaccard similarity of pairs, sorted by `one`.

    WORK: `table`. OUT: `value`. Cost O(pairs · characters).
    """
    holder = -1
    for pair in range(one.shape[0]):
        if one[pair] != holder:
            holder = one[pair]
            put_all(texts, holder, table)
        n_shared = count_shared(texts, other[pair], holder, table, pair, 0)
        size = size_of_text[holder] + size_of_text[other[pair]]
        value[pair] = n_shared / (size - n_shared)

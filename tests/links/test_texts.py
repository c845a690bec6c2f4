"""Near-copies of text are those that a slow comparison of all pairs finds."""

import itertools
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold.exceptions import InputError, InputTypeError
from evenfold.links import minhash
from evenfold.links.minhash import choose_bands
from evenfold.links.normal_text import normalise_text
from evenfold.links.pairs import SLACK
from evenfold.links.shingle_sets import ShingleSets
from evenfold.links.texts import make_text_search

from .pair_dicts import collect


def make_set(text):
    """Return all pieces of 5 characters; a shorter text is one piece."""
    return {text[at : at + 5] for at in range(max(1, len(text) - 4))}


def find_slowly(texts, at):
    """Return the pairs of texts whose sets share enough of their union."""
    sets = [make_set(normalise_text(text or "")) for text in texts]
    found = {}
    for one, other in itertools.combinations(range(len(texts)), 2):
        if not sets[one] - {""} or not sets[other] - {""}:
            continue
        value = len(sets[one] & sets[other]) / len(sets[one] | sets[other])
        if value >= at - SLACK:
            found[one, other] = value
    return found


def make_texts(n_texts, seed, n_words=30):
    """Return texts of made-up words, of which every fifth is a near-copy of the one before."""
    rng = np.random.default_rng(seed)
    words = ["".join(rng.choice(list("abcdefghij"), 6)) for _ in range(400)]
    texts = []
    for number in range(n_texts):
        chosen = rng.choice(words, n_words).tolist()
        if number % 5 == 4:
            chosen = texts[-1].split(" ")
            chosen[rng.integers(n_words)] = "other"
        texts.append(" ".join(chosen))
    return texts


@st.composite
def text_columns(draw):
    """Return texts of few characters, with changed copies, short, empty and missing ones."""
    base = draw(st.lists(st.text("abé字 ", max_size=30), min_size=1, max_size=5))
    texts = []
    for _ in range(draw(st.integers(0, 14))):
        text = list(draw(st.sampled_from(base)))
        for _ in range(draw(st.integers(0, 2)) if text else 0):
            text[draw(st.integers(0, len(text) - 1))] = draw(st.sampled_from("abz😀"))
        texts.append(draw(st.sampled_from(["".join(text), "".join(text).upper(), None])))
    return texts


@settings(deadline=None)
@given(text_columns(), st.sampled_from([1e-9, 0.2, 0.5, 0.75, 0.8, 1.0]))
def test_all_pairs_at_the_threshold_are_found(texts, at):
    """With their exact similarity; repeated searches find the same pairs."""
    search = make_text_search(texts, at)
    # Texts that share nothing are never alike.
    expected = {pair: value for pair, value in find_slowly(texts, at).items() if value}
    assert collect(search) == collect(search) == expected


@pytest.mark.parametrize("at", [0.3, 0.8, 0.95])
def test_all_pairs_of_longer_texts_are_found(at):
    """By the compiled kernels."""
    texts = make_texts(200, 0)
    found = collect(make_text_search(texts, at))
    assert found == find_slowly(texts, at)
    assert len(found) >= (0 if at > 0.9 else 40)


def test_many_pairs_come_in_several_blocks(monkeypatch):
    """Both blocks of the search and of the copies are small here."""
    monkeypatch.setattr("evenfold.links.shingle_sets._BLOCK", 3)
    monkeypatch.setattr("evenfold.links.pairs._BLOCK", 5)
    texts = [f"a text that ends in the number {number % 7}" for number in range(30)]
    search = make_text_search(texts, 0.5)
    assert max(len(pairs.first) for pairs in search.find_pairs()) <= 5
    assert collect(search) == find_slowly(texts, 0.5)
    assert len(collect(search)) == 30 * 29 / 2


def test_large_alphabets_are_compared_exactly(monkeypatch):
    """More characters than 16 bits can number; characters outside the basic plane, surrogates."""
    letters = [chr(point) for point in range(0x4E00, 0x4E00 + 70_000) if chr(point).isalpha()]
    texts = ["".join(letters), "".join(letters[::-1]), "\ud800 alone here", "\ud800 alone herE"]
    assert collect(make_text_search(texts)) == {(2, 3): 1.0}
    sets = ShingleSets(["".join(map(chr, range(0x10000, 0x10000 + 66_000))), "short"])
    assert sets.size_of_text.tolist() == [65_996, 1]


def test_approximate_search_finds_most_pairs():
    """The recall is measured, and no pair is wrong."""
    texts = make_texts(600, 1)
    exact = collect(make_text_search(texts, exact=True))
    search = make_text_search(texts, exact=False)
    found = collect(search)
    assert found.items() <= exact.items()
    assert len(found) >= 0.95 * len(exact) > 50
    assert search.recall.share == len(found) / len(exact) >= 0.99
    assert (search.recall.n_rows, search.recall.n_pairs) == (600, len(exact))
    assert "approximate search, recall" in search.describe()
    assert collect(search) == found


def test_approximate_search_compares_what_it_finds():
    """Texts a little below the threshold agree in a band, and are no pair."""
    text = make_texts(1, 4)[0]
    words = text.split(" ")
    texts = [text]
    for at in range(0, 30, 5):
        changed = list(words)
        changed[at : at + 5] = ["other"] * 5
        texts.append(" ".join(changed))
    assert collect(make_text_search(texts, 0.7, exact=False))
    assert collect(make_text_search(texts, 0.8, exact=False)) == find_slowly(texts, 0.8) == {}


def test_approximate_search_of_few_checked_texts(monkeypatch):
    """The recall counts the pairs of these texts only."""
    monkeypatch.setattr(minhash, "N_CHECKED", 25)
    monkeypatch.setattr(minhash, "_BLOCK", 7)
    texts = make_texts(100, 2)
    search = make_text_search([*texts, texts[0], None, ""], exact=False)
    found = collect(search)
    assert found[0, 100] == 1.0
    assert search.recall.n_rows == 25
    assert 0 < search.recall.n_pairs < len(find_slowly(texts, 0.8))


def test_approximate_pairs_come_in_blocks(monkeypatch):
    """However many texts are alike, no more pairs are in memory than a block and one per text."""
    monkeypatch.setattr(minhash, "_PAIRS_AT_ONCE", 20)
    monkeypatch.setattr("evenfold.links.shingle_sets._BLOCK", 20)
    words = make_texts(1, 5)[0]
    texts = [f"{words} {number:02d}" for number in range(40)]
    search = make_text_search(texts, exact=False)
    assert max(len(pairs.first) for pairs in search.find_pairs()) < 20 + 40
    assert collect(search) == find_slowly(texts, 0.8)
    assert search.recall == (1.0, 40, 40 * 39 / 2)


def test_approximate_search_takes_more_permutations(monkeypatch):
    """Until the recall is reached; if it never is, the error says what was reached."""
    tried = []

    def sketch_badly(sets, n_permutations, *bands):
        tried.append(n_permutations)
        if n_permutations < 512:
            return np.arange(sets.n_texts, dtype=np.uint32)[None]
        return real(sets, n_permutations, *bands)

    real = minhash._make_bands
    monkeypatch.setattr(minhash, "_make_bands", sketch_badly)
    texts = make_texts(50, 3)
    search = make_text_search(texts, exact=False)
    assert collect(search) == find_slowly(texts, 0.8)
    assert tried == [128, 256, 512]
    monkeypatch.setattr(minhash, "_make_bands", lambda sets, *_: np.arange(sets.n_texts)[None])
    with pytest.raises(InputError, match=r"'recall' must be at most 0\.0000 here, .*got 0\.99"):
        collect(make_text_search(texts, exact=False))


@pytest.mark.parametrize("texts", [[], [None, ""], ["a"], ["a", "b"], ["a", "A", "ab", "x" * 9]])
@pytest.mark.parametrize("exact", [True, False])
def test_few_and_short_texts_are_no_error(texts, exact):
    """Texts of one or two characters are equal or not alike."""
    expected = {(0, 1): 1.0} if len(texts) == 4 else {}
    assert collect(make_text_search(texts, exact=exact)) == expected


@pytest.mark.parametrize("least", [0.2, 0.5, 0.8, 0.99, 1.0])
def test_bands_fit_the_threshold(least):
    """Pairs at the threshold are found with the recall asked for, by bands as long as possible."""
    for n_permutations in (128, 256, 512):
        n_bands, length = choose_bands(least, 0.99, n_permutations)
        assert n_bands >= 2
        assert n_bands * length <= n_permutations
        if least > 0.2 or n_permutations > 128:
            assert (1 - least**length) ** n_bands <= 0.01


def test_rows_decide_whether_the_search_is_exact(monkeypatch):
    """Up to the limit it is, beyond it is not, unless asked for."""
    monkeypatch.setattr("evenfold.links.texts.MAX_EXACT_ROWS", 2)
    for texts, exact, is_exact in ((2, None, True), (3, None, False), (3, True, True)):
        search = make_text_search(["some text"] * texts, exact=exact)
        collect(search)
        assert (search.recall is None) == is_exact


def test_fingerprint_names_the_normalised_texts():
    """Equal texts in another form have the same, other texts and other orders have not."""
    one = make_text_search(["A b", "c", None])
    assert one.fingerprint == make_text_search(pd.Series(["a  b", "C", ""])).fingerprint
    others = [["c", "a b", None], ["a", "bc", None], ["a b", "c"], ["a b", None, "c"]]
    assert len({make_text_search(texts).fingerprint for texts in others} | {one.fingerprint}) == 5
    assert len(one.fingerprint) == 32
    assert one.to_dict()["measure"] == "Jaccard similarity (5-character shingles)"


def test_wrong_arguments_are_refused():
    """Thresholds out of range, other types, another number of texts."""
    with pytest.raises(
        InputError, match=r"'at' must be above 0 and at most 1, got 0\. Try at=0\.8"
    ):
        make_text_search(["a"], at=0)
    with pytest.raises(InputError, match=r"'at' must be above 0 and at most 1, got 80\."):
        make_text_search(["a"], at=80)
    with pytest.raises(InputTypeError, match="'at' must be a number, got 'high'"):
        make_text_search(["a"], at="high")
    with pytest.raises(InputError, match="'text' must have one entry for each of the 2 rows"):
        make_text_search(["a"], n_rows=2)


def test_datasketch_is_imported_when_needed():
    """Neither the package nor an exact search loads it."""
    code = (
        "import sys, evenfold\nfrom evenfold.links.texts import make_text_search\n"
        "list(make_text_search(['a', 'b']).find_pairs())\nprint('datasketch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"

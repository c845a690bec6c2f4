"""Near-copies of text: the Jaccard similarity of their shingles."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.numbers import check_number
from .._kernels.shingles import LENGTH
from ..labels.row_values import number_hashable
from .minhash import find_similar, sketch_texts
from .normal_text import read_texts
from .pairs import MAX_EXACT_ROWS, Pairs, PairSearch, find_least
from .shingle_sets import ShingleSets

_DEFAULT_AT = 0.8


class TextSearch(PairSearch):
    """A search for pairs of texts that share most of their shingles; see `make_text_search`.

    Parameters
    ----------
    texts : sequence of str
        (n_rows,) normalised texts, empty where a row has none.
    at : float
        The least Jaccard similarity.
    is_exact : bool
        Whether all pairs must be found.
    least_recall : float
        The share of the pairs that must be found if not all.
    """

    kind = "text"
    measure = f"Jaccard similarity ({LENGTH}-character shingles)"

    def __init__(
        self, texts: Sequence[str], at: float, is_exact: bool, least_recall: float
    ) -> None:
        self.n_rows = len(texts)
        self.at = at
        self.number_of_row, different = number_hashable(text or None for text in texts)
        self._sets = ShingleSets(different)
        self._is_exact = is_exact
        self.packages = () if is_exact else ("datasketch",)
        self._least_recall = least_recall
        self._bands: NDArray[np.uint32] | None = None
        self._fingerprint = _make_fingerprint(texts)

    @property
    def fingerprint(self) -> str:
        """32 hexadecimal digits, others when a text changes after normalising."""
        return self._fingerprint

    def find_different(self) -> Iterator[Pairs]:
        """Yield all pairs of different texts, or those that MinHash finds."""
        least = find_least(self.at)
        if self._is_exact:
            yield from self._sets.find_pairs(least)
            return
        if self._bands is None:
            self._bands, self.recall = sketch_texts(self._sets, least, self._least_recall)
        yield from find_similar(self._sets, self._bands, least)


def make_text_search(
    text: Any,
    at: float | None = None,
    n_rows: int | None = None,
    exact: bool | None = None,
    recall: float = 0.99,
) -> TextSearch:
    """Make a search for rows whose texts are alike.

    Parameters
    ----------
    text : list, array or column
        (n_rows,) strings. Rows whose text is missing or empty are in no pair.
    at : float, default=None
        The least similarity, above 0 and at most 1; by default 0.8.
    n_rows : int, default=None
        The number of rows; by default that of the texts.
    exact : bool, default=None
        Whether all pairs must be found; by default up to 200,000 rows.
    recall : float, default=0.99
        The share of the pairs that an approximate search must find, as measured on up to 10,000
        texts.

    Returns
    -------
    TextSearch
        The search.

    Notes
    -----
    Texts are compared as sets of shingles: all pieces of 5 characters of the normalised text
    (`normalise_text`). Two sets are as similar as the share of their shingles that both have. A
    text of fewer characters is one shingle.
    Pieces of characters need no blanks between words, so they work in all languages. With 5 of
    them, long texts on one subject are not alike, and in a title of 60 characters, one changed
    letter leaves a similarity of .84.
    An approximate search reports only pairs that are alike. The recall is measured on pairs of
    different texts; equal texts are always found.

    Examples
    --------
    >>> from evenfold.links.texts import make_text_search
    >>> search = make_text_search(["A small brown dog barks.", "a small brown dog  barks!", "cat"])
    >>> [pairs.first.tolist() + pairs.second.tolist() for pairs in search.find_pairs()]
    [[0, 1]]
    """
    threshold = _DEFAULT_AT
    if at is not None:
        advice = f"Try at={_DEFAULT_AT}."
        threshold = check_number(at, "at", advice, least=0.0, most=1.0, above=True)
    texts = read_texts(text, n_rows, "text")
    is_exact = len(texts) <= MAX_EXACT_ROWS if exact is None else exact
    return TextSearch(texts, threshold, is_exact, recall)


def _make_fingerprint(texts: Sequence[str]) -> str:
    whole = hashlib.sha256(f"evenfold texts 1, {len(texts)} rows".encode())
    whole.update(np.fromiter(map(len, texts), "<i8", len(texts)).tobytes())
    for text in texts:
        whole.update(text.encode("utf-8", "surrogatepass"))
    return whole.hexdigest()[:32]

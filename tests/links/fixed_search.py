"""A search that yields given pairs, for tests of what is done with them."""

import numpy as np

from evenfold.links.pairs import Pairs, PairSearch


class FixedSearch(PairSearch):
    """Yields pairs (first, second, value) in blocks of two."""

    kind = "similar"
    measure = "cosine similarity"

    def __init__(self, pairs, n_rows, at=0.5):
        self.pairs, self.n_rows, self.at = pairs, n_rows, at

    fingerprint = "0" * 32

    def find_different(self):
        """Yield the pairs."""
        for start in range(0, len(self.pairs), 2):
            first, second, value = zip(*self.pairs[start : start + 2], strict=True)
            yield Pairs(np.array(first), np.array(second), np.array(value, float))

"""The pairs of a search as a dict, for comparisons with slow searches."""


def collect(search):
    """Return {(first, second): value}; each pair must come once, the smaller row first."""
    found = {}
    for pairs in search.find_pairs():
        for first, second, value in zip(*(array.tolist() for array in pairs), strict=True):
            assert first < second
            assert (first, second) not in found
            found[first, second] = value
    return found

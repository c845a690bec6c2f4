"""Splits of the packages that evenfold replaces, on the same labels."""

import pytest

import evenfold

pytestmark = [
    pytest.mark.slow,
    # The other packages warn about old names of NumPy and scikit-learn.
    pytest.mark.filterwarnings("ignore"),
]
PEERS = [
    "iterative-stratification",
    "scikit-multilearn-ng, order 1",
    "scikit-multilearn-ng, order 2",
]
DATA = {
    "rare labels": lambda: evenfold.datasets.make_zipf(1_500, 80, 3, random_state=0),
    "ancestors": lambda: evenfold.datasets.make_ontology(800, 120, random_state=1)[0],
    "common labels": lambda: evenfold.datasets.make_exponential(1_000, 20, 5, random_state=2),
}


@pytest.mark.parametrize("peer", PEERS)
@pytest.mark.parametrize("data", DATA)
def test_even_is_at_least_as_even_as_a_peer(data, peer):
    """The default split has no higher rLD, at sizes that are exact."""
    from benchmarks.peers import SPLITTERS

    y = DATA[data]()
    ours = evenfold.split(y, 5, random_state=0).quality
    theirs = evenfold.measure(y, SPLITTERS[peer].place(y, y.toarray()), 5)
    assert ours.rld <= theirs.rld
    assert ours.ed == ours.bound.ed <= theirs.ed

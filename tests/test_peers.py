"""Splits of the packages that evenfold replaces, on the same labels."""

import importlib

import numpy as np
import pytest
from scipy import sparse

import evenfold
from evenfold.methods import OptiSplitPublished

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


class StableArray(np.ndarray):
    """An array that keeps the order of equal values when it sorts."""

    def argsort(self, *_):
        """Return the places of the values in ascending order."""
        return super().argsort(kind="stable")


class NumPy:
    """NumPy as the package optisplit needs it: with `np.int`, and with stable sorting or not."""

    int = int

    def __init__(self, is_stable):
        self.kind = StableArray if is_stable else np.ndarray

    def array(self, values):
        """Return an array of the kind that is wanted."""
        return np.array(values).view(self.kind)

    def __getattr__(self, name):
        return getattr(np, name)


def place_by_package(monkeypatch, y, start, measure, is_stable=True):
    """Return the part of each row after the package optisplit has improved `start`.

    By a wrong index, the package turns the first label over if most rows have some label. That is
    undone here.
    """
    package = importlib.import_module("optisplit.cv_balance")
    monkeypatch.setattr(package, "np", NumPy(is_stable))
    is_common = 2 * y.sum(axis=0) > len(y)
    assert not is_common[0]
    if is_common.any():
        y = np.column_stack((1 - y[:, 0], y[:, 1:]))
    n_folds = start.max() + 1
    folds = [
        (np.flatnonzero(start != fold), np.flatnonzero(start == fold)) for fold in range(n_folds)
    ]
    part_of_row = np.empty(len(y), int)
    improved = package.optisplit(n_folds, sparse.csr_matrix(y), measure, initial_folds=folds)
    for fold, (_, test) in enumerate(improved):
        part_of_row[test] = fold
    return part_of_row


@pytest.mark.parametrize("measure", ["rld", "dcp", "ld"])
@pytest.mark.parametrize("n_folds", [3, 5])
@pytest.mark.parametrize("seed", range(4))
def test_optisplit_published_equals_the_package(monkeypatch, seed, n_folds, measure):
    """From the same start, if the package takes equal rows in their order."""
    rng = np.random.default_rng(seed)
    rates = [0.05, *rng.choice([0.03, 0.05, 0.1, 0.2, 0.3, 0.6, 0.8], 13)]
    y = (rng.random((601, 14)) < rates).astype(int)
    start = evenfold.split(y, n_folds, method="random", random_state=seed)
    ours = evenfold.split(y, n_folds, method=OptiSplitPublished(measure), start=start)
    theirs = place_by_package(monkeypatch, y, start.part_of_row, measure)
    assert ours.part_of_row.tolist() == theirs.tolist()
    assert (ours.part_of_row != start.part_of_row).sum() > 15


@pytest.mark.parametrize("data", DATA)
def test_optisplit_published_is_as_even_as_the_package(monkeypatch, data):
    """The mean over several starts, with the package as it is, on labels that not all rows have."""
    y = DATA[data]().toarray().astype(int)
    n_rows = y.sum(axis=0)
    by_rarity = np.argsort(n_rows, kind="stable")
    y = y[:, by_rarity[(n_rows[by_rarity] > 0) & (n_rows[by_rarity] < len(y))]]
    rld = []
    for seed in range(6):
        start = evenfold.split(y, 5, method="random", random_state=seed)
        ours = evenfold.split(y, 5, method="optisplit-published", start=start)
        theirs = place_by_package(monkeypatch, y, start.part_of_row, "rld", is_stable=False)
        rld.append((ours.quality.rld, evenfold.measure(y, theirs, 5).rld))
    mean, mean_of_package = np.mean(rld, axis=0)
    assert mean == pytest.approx(mean_of_package, rel=0.05)

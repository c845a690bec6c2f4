"""Approximate searches: most pairs, no wrong pair, no pair twice, and a recall that is true."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

from evenfold.exceptions import InputError
from evenfold.links import cells, embeddings
from evenfold.links.embeddings import make_similar_search

from .test_embeddings import find_all

N_ROWS = 3000


@pytest.fixture(autouse=True)
def few_rows(monkeypatch):
    """Search few rows as if they were many."""
    monkeypatch.setattr(cells, "N_CHECKED", 500)
    monkeypatch.setattr(cells, "_PROBES", 2)
    monkeypatch.setattr(cells, "_MIN_PROBES", 1)


def make_rows(seed=0, n_columns=16):
    """Return rows in clusters, with groups of near copies."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((60, n_columns))[rng.integers(0, 60, N_ROWS)]
    rows += rng.standard_normal(rows.shape) * 0.6
    rows[:600] = rows[rng.integers(600, 700, 600)] + rng.standard_normal((600, n_columns)) * 0.1
    return rows[rng.permutation(N_ROWS)].astype(np.float32)


def make_bits(seed=0):
    """Return rows of 0 and 1 in clusters."""
    rng = np.random.default_rng(seed)
    rows = (rng.random((60, 64)) < 0.3)[rng.integers(0, 60, N_ROWS)]
    return rows ^ (rng.random(rows.shape) < 0.08)


CASES = {
    "cosine": (make_rows, 0.95),
    "euclidean": (make_rows, 0.8),
    "jaccard": (make_bits, 0.8),
    "hamming": (make_bits, 6),
}


@pytest.mark.parametrize("metric", CASES)
def test_approximate_pairs_are_true_and_most_of_all(metric):
    """Values are those of the exact search, and the recall of all rows is near that of some."""
    make, at = CASES[metric]
    rows = make()
    every = find_all(make_similar_search(rows, metric, at, exact=True))
    search = make_similar_search(rows, metric, at, exact=False, recall=0.95)
    found = find_all(search)
    assert found.items() <= every.items()
    assert len(every) > 1000
    assert search.recall.share >= 0.95
    assert search.recall.n_rows == 500
    assert len(found) / len(every) == pytest.approx(search.recall.share, abs=0.04)


def test_recall_counts_the_pairs_of_the_rows_checked(monkeypatch):
    """If all rows but one are checked, the recall is that of all pairs, but for those of one."""
    monkeypatch.setattr(cells, "N_CHECKED", N_ROWS - 1)
    monkeypatch.setattr(cells, "_MIN_PROBES", 2)
    rows = make_rows()
    every = find_all(make_similar_search(rows, at=0.8, exact=True))
    search = make_similar_search(rows, at=0.8, exact=False, recall=0.8)
    found = find_all(search)
    # Some of them are found only in the cell of one of their rows.
    probes = search._cells.probes
    own_cell = probes[:, 0]
    assert any((own_cell[b] in probes[a]) < (own_cell[a] in probes[b]) for a, b in found)
    assert search.recall.n_pairs == len(every)
    assert search.recall.share == len(found) / len(every)
    assert 0.8 <= search.recall.share < 1


def test_more_recall_needs_more_probes():
    """And a search that would compare most cells is exact, and says so."""
    rows = make_rows()
    n_probes = []
    for goal in (0.5, 0.95):
        comparison = make_similar_search(rows, at=0.9, exact=False)._comparison
        found, recall = cells.find_cells(comparison, goal)
        assert recall.share >= goal
        n_probes.append(found.probes.shape[1])
    assert n_probes[0] < n_probes[1]
    random = np.random.default_rng(0).standard_normal((N_ROWS, 16))
    search = make_similar_search(random, at=0.6, exact=False, recall=1.0)
    wanted = make_similar_search(random, at=0.6, exact=True)
    n_found, n_wanted = (sum(len(p.first) for p in s.find_pairs()) for s in (search, wanted))
    assert n_found == n_wanted > 1000
    assert search.recall is None
    assert search.describe().endswith("(exact search)")


def test_approximate_search_says_so():
    """The recall and the rows that were checked are part of the description."""
    search = make_similar_search(make_rows(), exact=False)
    for _ in search.find_pairs():
        pass
    share = search.recall.share
    assert share >= 0.99
    assert search.describe() == (
        f"cosine similarity of 0.95 or more (approximate search, recall {share:.4f} on 500 rows "
        "checked exactly)"
    )
    assert search.to_dict()["exact"] is False
    assert search.to_dict()["recall"] == {
        "share": share,
        "n_rows": 500,
        "n_pairs": search.recall.n_pairs,
    }


def test_rows_without_pairs_have_full_recall():
    """There is nothing to find, so nothing is lost."""
    rows = np.random.default_rng(0).standard_normal((N_ROWS, 30))
    search = make_similar_search(rows, at=0.999, exact=False)
    assert find_all(search) == {}
    assert search.recall == (1.0, 500, 0)


def test_equal_rows_are_found_in_pieces(monkeypatch):
    """A cell of 300 equal rows has 44,850 pairs, each found once, and zeros have none."""
    rows = make_rows()
    rows[100:400] = rows[100]
    rows[500:600] = 0
    monkeypatch.setattr(cells, "BLOCK_ROWS", 50)
    found = find_all(make_similar_search(rows, at=1.0, exact=False))
    equal = [pair for pair in found if 100 <= pair[0] < pair[1] < 400]
    assert len(equal) == 300 * 299 // 2
    assert not any(500 <= a < 600 or 500 <= b < 600 for a, b in found)


def test_outlier_does_not_make_other_rows_equal():
    """Cells of distances are those of usual rows."""
    rows = make_rows()
    rows[5] = 1e9
    found, _ = cells.find_cells(
        make_similar_search(rows, "euclidean", 0.8, exact=False)._comparison, 0.9
    )
    assert len(np.unique(found.probes[:, 0])) > found.n_cells / 2


def test_few_rows_are_searched_exactly(monkeypatch):
    """As many rows as would be checked."""
    monkeypatch.setattr(cells, "N_CHECKED", N_ROWS)
    search = make_similar_search(make_rows(), exact=False)
    assert find_all(search)
    assert search.recall is None


def test_many_rows_are_searched_approximately(monkeypatch):
    """Beyond the limit, unless `exact` says otherwise."""
    monkeypatch.setattr(embeddings, "MAX_EXACT_ROWS", N_ROWS - 1)
    searches = [make_similar_search(make_rows(), exact=exact) for exact in (None, True)]
    assert all(find_all(search) for search in searches)
    assert [search.recall is None for search in searches] == [False, True]


def test_missing_faiss_is_an_error(monkeypatch):
    """Which names the package to install and the other way."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(
        InputError,
        match=r"'exact' must be True for 3,000 rows, because faiss is not installed. "
        r"Pass exact=True, or install it: pip install 'evenfold\[similar\]'",
    ):
        make_similar_search(make_rows(), exact=False)


_CODE = """
import hashlib
import numpy as np
from evenfold.links import cells
from evenfold.links.embeddings import make_similar_search
cells.N_CHECKED = 500
rng = np.random.default_rng(0)
rows = rng.standard_normal((60, 16))[rng.integers(0, 60, 6_000)]
rows += rng.standard_normal(rows.shape) * 0.4
search = make_similar_search(rows.astype(np.float32), at=0.9, exact=False, recall=0.9)
digest = hashlib.sha256()
for pairs in search.find_pairs():
    for array in pairs:
        digest.update(array.tobytes())
print(digest.hexdigest(), search.recall)
"""


def test_pairs_do_not_depend_on_the_number_of_threads():
    """One thread and four: the same pairs, values and recall, to the bit."""
    names = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    said = {
        subprocess.run(
            [sys.executable, "-c", _CODE],
            env={**os.environ, **dict.fromkeys(names, n_threads)},
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for n_threads in ("1", "4")
    }
    assert len(said) == 1
    assert "Recall(share=0.9" in said.pop()

"""Planted duplicates, chains and several ids: no pair is in two parts, by a slow count."""

import numpy as np
import pytest

import evenfold
from evenfold.exceptions import LeakError

AT = 0.95


def make_rows(seed, n_rows=600, n_planted=60):
    """Return labels, two columns of ids and embeddings with planted near-duplicates and chains."""
    rng = np.random.default_rng(seed)
    y = (rng.random((n_rows, 12)) < np.geomspace(0.4, 0.01, 12)).astype(int)
    patient = np.arange(n_rows) // 2
    study = np.array(
        [f"s{number}" for number in rng.integers(0, 10 * n_rows, n_rows)], dtype=object
    )
    study[rng.random(n_rows) < 0.1] = None
    embeddings = rng.normal(size=(n_rows, 16))
    copies, originals = rng.permutation(n_rows)[: 2 * n_planted].reshape(2, -1)
    # A third are exact copies, a third near-duplicates, a third chains of neighbours.
    scale = np.repeat([0.0, 0.05, 0.2], n_planted // 3)[:, None]
    embeddings[copies] = embeddings[originals] + scale * rng.normal(size=(n_planted, 16))
    chain = copies[-10:]
    embeddings[chain] = embeddings[chain[0]] + 0.08 * np.cumsum(rng.normal(size=(10, 16)), axis=0)
    return y, {"patient": patient, "study": study}, embeddings


def count_leaks(part_of_row, groups, embeddings):
    """Count pairs of rows in two parts that share a value or are at the threshold."""
    unit = embeddings / np.linalg.norm(embeddings, axis=1, keepdims=True)
    n_leaks = 0
    for a in range(len(unit)):
        for b in range(a):
            alike = float(unit[a] @ unit[b]) >= AT or any(
                values[a] is not None and values[a] == values[b] for values in groups.values()
            )
            n_leaks += alike and part_of_row[a] != part_of_row[b]
    return n_leaks


@pytest.mark.parametrize("seed", range(2))
def test_no_planted_pair_leaks(seed):
    """After `link`, a split has no pair in two parts, exact sizes, and labels at their bound."""
    y, groups, embeddings = make_rows(seed)
    links = evenfold.link(groups=groups, similar=embeddings, at=AT)
    assert links.sizes.max() > 10
    s = evenfold.split(y, [0.6, 0.2, 0.2], groups=links)
    assert count_leaks(s.part_of_row, groups, embeddings) == 0
    assert s.sizes.tolist() == [360, 120, 120]
    assert s.quality.excess == 0
    certificate = evenfold.check(s, groups=groups, similar=embeddings, at=AT)
    assert [check.n_leaking for check in certificate.pairs] == [0]


def test_random_split_leaks_as_counted():
    """The pairs that `check` finds in a random split are those of the slow count."""
    y, _, embeddings = make_rows(2, n_rows=200, n_planted=60)
    part_of_row = np.random.default_rng(0).integers(0, 3, 200)
    with pytest.raises(LeakError) as raised:
        evenfold.check(part_of_row, y=y, similar=embeddings, at=AT)
    counted = count_leaks(part_of_row, {}, embeddings)
    assert len(raised.value.pairs) == counted == raised.value.certificate.pairs[0].n_leaking


def test_max_group_leaves_the_pairs_it_says():
    """Groups have at most `max_group` rows, and the number of pairs left in two parts is right."""
    y, _, embeddings = make_rows(3, n_rows=300, n_planted=90)
    embeddings[:40] = embeddings[0] + 0.05 * np.cumsum(
        np.random.default_rng(0).normal(size=(40, 16)), axis=0
    )
    links = evenfold.link(similar=embeddings, at=AT, max_group=8)
    assert links.sizes.max() == 8
    s = evenfold.split(y, 5, groups=links)
    assert s.certificate().pairs[0].n_leaking == count_leaks(s.part_of_row, {}, embeddings) > 0

"""Rows are joined along links, the strongest first, up to the largest group allowed."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold._kernels.links import join_units
from evenfold.exceptions import InputError
from evenfold.links import joining
from evenfold.links.joining import join_rows
from tests.links.fixed_search import FixedSearch

N_ROWS = 12


@st.composite
def pair_lists(draw):
    """Return distinct pairs of rows with a similarity from 0.5 to 1."""
    ends = st.tuples(st.integers(0, N_ROWS - 1), st.integers(0, N_ROWS - 1))
    chosen = draw(st.sets(ends.filter(lambda pair: pair[0] < pair[1]), max_size=25))
    return [(a, b, draw(st.integers(50, 100)) / 100) for a, b in sorted(chosen)]


def find_components(pairs, n_rows):
    """Return the set of components, by repeated merging."""
    components = [{row} for row in range(n_rows)]
    for a, b, *_ in pairs:
        joined = [c for c in components if a in c or b in c]
        components = [c for c in components if c not in joined] + [set().union(*joined)]
    return {frozenset(c) for c in components}


def list_groups(group_of_row):
    """Return the set of groups."""
    return {frozenset(np.flatnonzero(group_of_row == g).tolist()) for g in np.unique(group_of_row)}


def join(pairs, max_group=None, base=None):
    """Join rows along pairs."""
    base = np.arange(N_ROWS) if base is None else base
    return join_rows(base, [FixedSearch(pairs, N_ROWS)], max_group)


@settings(deadline=None)
@given(pair_lists())
def test_groups_are_components(pairs):
    """Without a limit, all linked rows are in one group."""
    assert list_groups(join(pairs).group_of_row) == find_components(pairs, N_ROWS)


@settings(deadline=None)
@given(pair_lists(), st.integers(1, N_ROWS))
def test_groups_have_at_most_max_group_rows(pairs, max_group):
    """No group is larger than allowed, and groups are unions of linked rows."""
    joined = join(pairs, max_group)
    groups = list_groups(joined.group_of_row)
    assert max(map(len, groups)) <= max_group
    whole = find_components(pairs, N_ROWS)
    assert all(any(group <= component for component in whole) for group in groups)


@settings(deadline=None)
@given(pair_lists(), st.integers(1, N_ROWS))
def test_cut_pairs_are_those_between_groups(pairs, max_group):
    """The cut pairs are exactly the pairs whose rows are in two groups."""
    joined = join(pairs, max_group)
    g = joined.group_of_row
    cut = set(zip(joined.cut.first.tolist(), joined.cut.second.tolist(), strict=True))
    assert cut == {(a, b) for a, b, _ in pairs if g[a] != g[b]}


@settings(deadline=None)
@given(pair_lists(), st.integers(1, N_ROWS))
def test_a_cut_link_would_have_made_too_large_a_group(pairs, max_group):
    """A link is cut only if stronger links have already made groups too large to be joined."""
    joined = join(pairs, max_group)
    g = joined.group_of_row
    size = np.bincount(g)
    assert all(size[g[a]] + size[g[b]] > max_group for a, b, _ in pairs if g[a] != g[b])


@settings(deadline=None)
@given(pair_lists(), st.integers(1, N_ROWS), st.integers(0, 2**32 - 1))
def test_order_of_pairs_does_not_matter(pairs, max_group, seed):
    """The same pairs in another order give the same groups."""
    shuffled = [pairs[at] for at in np.random.default_rng(seed).permutation(len(pairs))]
    assert np.array_equal(
        join(pairs, max_group).group_of_row, join(shuffled, max_group).group_of_row
    )


@settings(deadline=None)
@given(pair_lists())
def test_few_links_in_memory_give_the_same_components(pairs):
    """If links are dropped that join nothing, the groups stay the same."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joining, "MOST_LINKS", 4)
        few = join(pairs)
    assert np.array_equal(few.group_of_row, join(pairs).group_of_row)


@settings(deadline=None)
@given(pair_lists(), st.integers(2, N_ROWS))
def test_few_links_in_memory_keep_the_limit(pairs, max_group):
    """If links are dropped, groups still have at most `max_group` rows, and cut pairs are found."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(joining, "MOST_LINKS", 30)
        joined = join(pairs * 1, max_group)
    assert np.bincount(joined.group_of_row).max() <= max_group


def test_weakest_link_is_cut():
    """Of a chain of four rows, the link in the middle is the weakest."""
    joined = join([(0, 1, 0.9), (1, 2, 0.6), (2, 3, 0.8)], 2)
    assert joined.group_of_row[:4].tolist() == [0, 0, 1, 1]
    assert joined.cut.first.tolist() == [1]
    assert joined.n_pairs == [3]


def test_base_groups_are_joined_as_a_whole():
    """Rows that share a value stay together whatever is cut."""
    base = np.array([0, 0, 0, 1, 1, 2, 3, 4, 5, 6, 7, 8])
    joined = join([(0, 3, 0.9), (4, 5, 0.9)], 3, base)
    assert joined.group_of_row[:6].tolist() == [0, 0, 0, 1, 1, 1]


def test_too_many_cut_pairs_are_refused(monkeypatch):
    """A limit that cuts nearly all links is an error, not a list without end."""
    monkeypatch.setattr(joining, "MOST_LINKS", 5)
    pairs = [(a, b, 0.9) for a in range(N_ROWS) for b in range(a + 1, N_ROWS)]
    with pytest.raises(InputError, match="'max_group' cuts more than 5 links"):
        join(pairs, 2)


@settings(deadline=None)
@given(pair_lists(), st.integers(1, N_ROWS))
def test_kernel_agrees_with_plain_python(pairs, max_group):
    """Compiled and uncompiled, `join_units` gives what merging of sets gives."""
    first, second = (np.array([p[at] for p in pairs], np.int64) for at in (0, 1))
    groups = [{row} for row in range(N_ROWS)]
    expected = []
    for a, b in zip(first, second, strict=True):
        of_a, of_b = (next(g for g in groups if row in g) for row in (a, b))
        joins = of_a is not of_b and len(of_a) + len(of_b) <= max_group
        if joins:
            of_a |= of_b
            groups.remove(of_b)
        expected.append(int(joins))
    for form in (join_units.function, join_units.compiled):
        parent, is_used = np.arange(N_ROWS), np.empty(len(pairs), np.int8)
        form(first, second, max_group, np.ones(N_ROWS, np.int64), parent, is_used)
        assert is_used.tolist() == expected
        assert list_groups(parent) == {frozenset(g) for g in groups}


class EqualSearch(FixedSearch):
    """Rows of four contents; contents 0 and 1 are alike, and row 11 has no content."""

    number_of_row = np.array([0, 1, 0, 2, 0, 1, 3, 3, 0, 2, 3, -1])

    def __init__(self):
        super().__init__([(0, 1, 0.8)], N_ROWS)


def test_equal_rows_are_joined_by_few_links():
    """Links join the same rows as all pairs do, and stand for as many pairs."""
    search = EqualSearch()
    pairs = [
        (int(a), int(b)) for block in search.find_pairs() for a, b in zip(*block[:2], strict=True)
    ]
    assert len(set(pairs)) == len(pairs) == 6 + 1 + 1 + 3 + 4 * 2
    links = list(search.find_links())
    assert sum(len(found.first) for found, _ in links) == 3 + 1 + 1 + 2 + 1
    joined = join_rows(np.arange(N_ROWS), [search], None)
    assert joined.n_pairs == [len(pairs)]
    assert list_groups(joined.group_of_row) == find_components(pairs, N_ROWS)


def test_pairs_within_one_part_can_be_left_out():
    """Of contents that are in one part only, no pairs are made; pairs in two parts all are."""
    search = EqualSearch()
    part_of_row = np.array([0, 1, 0, 2, 0, 0, 2, 2, 0, 1, 2, 0])
    every = {
        (int(a), int(b)) for block in search.find_pairs() for a, b in zip(*block[:2], strict=True)
    }
    some = {
        (int(a), int(b))
        for block in search.find_pairs(part_of_row)
        for a, b in zip(*block[:2], strict=True)
    }
    assert some <= every
    assert {p for p in every if part_of_row[p[0]] != part_of_row[p[1]]} <= some
    assert not any(a in (6, 7) and b in (7, 10) for a, b in some)

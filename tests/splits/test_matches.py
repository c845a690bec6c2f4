"""Rows that match a row of another part are those that a slow count finds."""

import tracemalloc

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from evenfold.links.group_columns import GroupColumn
from evenfold.splits import matches
from evenfold.splits.matches import PairRecorder, find_value_examples, match_values, unite

N_ROWS = 9
N_PARTS = 3
some_parts = st.lists(st.integers(0, 2), min_size=N_ROWS, max_size=N_ROWS).map(np.array)
some_codes = st.lists(st.integers(-1, 3), min_size=N_ROWS, max_size=N_ROWS)
some_labels = st.lists(st.integers(0, 1), min_size=N_ROWS, max_size=N_ROWS).map(np.array)


def make_column(codes):
    """Return a column with these values, numbered by first appearance."""
    number_of = {}
    numbers = [-1 if code < 0 else number_of.setdefault(code, len(number_of)) for code in codes]
    return GroupColumn("copies", np.array(numbers))


def count_slowly(part_of_row, are_alike):
    """Return the rows of each part that match a row of each other part."""
    in_parts = np.zeros((N_PARTS, N_PARTS), int)
    for row in range(N_ROWS):
        others = [other for other in range(N_ROWS) if are_alike(row, other)]
        for part in {part_of_row[other] for other in others} - {part_of_row[row]}:
            in_parts[part_of_row[row], part] += 1
    return in_parts


@given(some_parts, some_codes, some_labels)
def test_rows_that_share_a_value_are_counted(part_of_row, codes, labelset):
    """For each part the rows with the same value in another; and values of different labels."""
    found = match_values(make_column(codes), part_of_row, N_PARTS, labelset)
    expected = count_slowly(part_of_row, lambda a, b: codes[a] == codes[b] >= 0)
    assert np.array_equal(found.in_parts.toarray(), expected)
    differ = {
        codes[a]
        for a in range(N_ROWS)
        for b in range(N_ROWS)
        if codes[a] == codes[b] >= 0
        and part_of_row[a] != part_of_row[b]
        and labelset[a] != labelset[b]
    }
    assert found.n_contradicting == len(differ)


@given(some_parts, some_codes, some_labels)
def test_examples_are_in_two_parts(part_of_row, codes, labelset):
    """One for each value in two parts, those with different labels first."""
    column = make_column(codes)
    examples = find_value_examples(column, part_of_row, N_PARTS, labelset, 10)
    for example in examples:
        assert codes[example.first] == codes[example.second] >= 0
        assert part_of_row[example.first] != part_of_row[example.second]
    differ = [example.labels_differ for example in examples]
    assert differ == sorted(differ, reverse=True)
    assert sum(differ) == match_values(column, part_of_row, N_PARTS, labelset).n_contradicting


@settings(deadline=None)
@given(
    some_parts,
    some_labels,
    st.sets(st.tuples(st.integers(0, 8), st.integers(0, 8)), max_size=20),
    st.integers(1, 5),
)
def test_rows_of_pairs_are_counted(part_of_row, labelset, pairs, merge_at):
    """Whenever entries are merged."""
    across = sorted((a, b) for a, b in pairs if a < b and part_of_row[a] != part_of_row[b])
    before = matches._MERGE_AT
    matches._MERGE_AT = merge_at
    try:
        recorder = PairRecorder(part_of_row, N_PARTS, labelset)
        for first, second in across:
            recorder(np.array([first]), np.array([second]))
        found = recorder.collect("similar")
    finally:
        matches._MERGE_AT = before
    alike = {*across, *((b, a) for a, b in across)}
    expected = count_slowly(part_of_row, lambda a, b: (a, b) in alike)
    assert np.array_equal(found.in_parts.toarray(), expected)
    assert found.n_contradicting == sum(labelset[a] != labelset[b] for a, b in across)
    matching = {row for pair in across for row in pair}
    in_any = np.bincount(part_of_row[sorted(matching)], minlength=N_PARTS) if matching else [0] * 3
    assert found.in_any.tolist() == list(in_any)


@given(some_parts, some_codes, some_codes)
def test_rows_that_match_by_anything_count_once(part_of_row, first, second):
    """The union of two columns."""
    both = [
        match_values(make_column(codes), part_of_row, N_PARTS, None) for codes in (first, second)
    ]
    expected = count_slowly(
        part_of_row, lambda a, b: first[a] == first[b] >= 0 or second[a] == second[b] >= 0
    )
    assert np.array_equal(unite(both, part_of_row, N_PARTS).in_parts.toarray(), expected)


def choose_slowly(rows, part_of_row, labelset):
    """Return the first row with a match in another part, and its first match there."""
    across = [(a, b) for a in rows for b in rows if part_of_row[a] != part_of_row[b]]
    differ = [(a, b) for a, b in across if labelset[a] != labelset[b]]
    return (differ or across)[0]


@given(some_parts, some_codes, some_labels)
def test_examples_are_the_first_rows_with_different_labels(part_of_row, codes, labelset):
    """If there are such; else the first rows in two parts."""
    for example in find_value_examples(make_column(codes), part_of_row, N_PARTS, labelset, 10):
        rows = [row for row in range(N_ROWS) if codes[row] == codes[example.first]]
        expected = choose_slowly(rows, part_of_row, labelset)
        assert (example.first, example.second) == expected


class CountedReads(np.ndarray):
    """An array that counts how many of its entries are read."""

    n_read = 0

    def __getitem__(self, key):
        """Return entries."""
        found = np.asarray(self)[key]
        CountedReads.n_read += np.size(found)
        return found


def test_an_example_of_many_copies_reads_each_a_few_times():
    """The copies have the same labels, so no two rows with different labels can be found."""
    n_rows = 1_000
    part_of_row = (np.arange(n_rows) % 2).view(CountedReads)
    column = GroupColumn("copies", np.zeros(n_rows, np.int64))
    CountedReads.n_read = 0
    (example,) = find_value_examples(column, part_of_row, 2, np.zeros(n_rows, np.int64), 10)
    assert (example.first, example.second) == (0, 1)
    assert 0 < CountedReads.n_read <= 10 * n_rows


def test_many_parts_need_little_memory():
    """Pairs of parts without a match take no memory."""
    n_parts = 3_000
    part_of_row = np.arange(n_parts)
    column = GroupColumn("copies", np.arange(n_parts) // 2)
    tracemalloc.start()
    try:
        found = match_values(column, part_of_row, n_parts, None)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert found.in_parts.sum() == n_parts
    assert peak < n_parts**2

"""Pairs of similar rows, counted again by brute force."""

import hypothesis.strategies as st
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from scipy import sparse
from sklearn.metrics.pairwise import cosine_similarity, manhattan_distances

from evenfold.links import candidates
from evenfold.links.embeddings import make_similar_search
from evenfold.links.pairs import SLACK

DISTANCES = ("euclidean", "hamming")


def find_all(search):
    """Return all pairs of a search as a dict of values; no pair occurs twice."""
    found = {}
    for first, second, values in search.find_pairs():
        assert first.dtype == second.dtype == np.int64
        assert values.dtype == np.float64
        assert (first < second).all()
        for a, b, value in zip(first.tolist(), second.tolist(), values.tolist(), strict=True):
            assert (a, b) not in found
            found[a, b] = value
    return found


def compare_all(matrix, metric):
    """Return the similarity or distance of all pairs of rows."""
    matrix = np.asarray(matrix, np.float64)
    if metric == "cosine":
        return cosine_similarity(matrix)
    if metric == "euclidean":
        return np.sqrt(((matrix[:, None] - matrix[None]) ** 2).sum(axis=2))
    if metric == "hamming":
        return manhattan_distances(matrix)
    common = matrix @ matrix.T
    either = matrix.sum(axis=1)[:, None] + matrix.sum(axis=1) - common
    return np.divide(common, either, out=np.zeros_like(common), where=either > 0)


def find_brute_force(matrix, metric, at):
    """Return the pairs at the threshold, and all pairs with their values."""
    values = compare_all(matrix, metric)
    pairs = zip(*np.triu_indices(len(values), 1), strict=True)
    every = {(int(a), int(b)): float(values[a, b]) for a, b in pairs}
    return {p: v for p, v in every.items() if (v <= at if metric in DISTANCES else v >= at)}, every


def check_pairs(found, matrix, metric, at):
    """Every pair at the threshold is found, and no pair beyond the slack."""
    wanted, every = find_brute_force(matrix, metric, at)
    # The two sides round differently, by far less than the slack.
    assert {p for p in wanted if abs(wanted[p] - at) > 1e-12} <= set(found)
    for pair, value in found.items():
        assert value == pytest.approx(every[pair], abs=1e-9)
        assert value <= at + SLACK if metric in DISTANCES else value >= at - SLACK


def make_rows(n_rows=300, n_columns=12, seed=0):
    """Return rows of which some are copies or nearly so."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((n_rows, n_columns))
    rows[: n_rows // 5] = rows[n_rows // 5 : 2 * (n_rows // 5)]
    rows[: n_rows // 10] += rng.standard_normal((n_rows // 10, n_columns)) * 0.05
    return rows


def make_bits(n_rows=200, n_columns=40, seed=0):
    """Return rows of 0 and 1 of which some are copies, nearly copies or empty."""
    rng = np.random.default_rng(seed)
    rows = (rng.random((n_rows, n_columns)) < 0.3).astype(np.uint8)
    rows[:30] = rows[30:60]
    rows[:20, :3] ^= 1
    rows[100:103] = 0
    return rows


@pytest.fixture(params=[7, 2048], ids=["small blocks", "one block"])
def block_rows(request, monkeypatch):
    """Set the rows of a block."""
    monkeypatch.setattr(candidates, "BLOCK_ROWS", request.param)
    monkeypatch.setattr(candidates, "_COLLECTED", request.param)
    monkeypatch.setattr(candidates, "_VALUE_NUMBERS", 100 * request.param)


@pytest.mark.usefixtures("block_rows")
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("metric", "at"),
    [
        ("cosine", 0.95),
        ("cosine", 1.0),
        ("cosine", 0.3),
        ("cosine", -0.2),
        ("euclidean", 0.0),
        ("euclidean", 0.2),
        ("euclidean", 3.0),
    ],
)
def test_pairs_of_numbers_are_those_of_brute_force(form, metric, at):
    """For similarities and distances, dense and sparse, few pairs and most pairs."""
    rows = make_rows()
    rows[rows < -1] = 0
    rows[5] = rows[9] = 0
    check_pairs(find_all(make_similar_search(form(rows), metric, at)), rows, metric, at)


@pytest.mark.usefixtures("block_rows")
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize(
    ("metric", "at"),
    [
        ("jaccard", 0.8),
        ("jaccard", 1 / 3),
        ("jaccard", 1.0),
        ("jaccard", 1e-9),
        ("hamming", 0),
        ("hamming", 3),
        ("hamming", 12),
        ("hamming", 1000),
    ],
)
def test_pairs_of_bits_are_those_of_brute_force(form, metric, at):
    """Thresholds that are values themselves, and rows without ones, included."""
    rows = make_bits()
    check_pairs(find_all(make_similar_search(form(rows), metric, at)), rows, metric, at)


@settings(deadline=None, max_examples=60)
@given(
    rows=st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(
                st.one_of(
                    st.integers(-3, 3).map(float),
                    st.floats(-1e30, 1e30),
                    st.floats(-1e-30, 1e-30),
                    st.floats(-1e99, 1e99),
                ),
                min_size=width,
                max_size=width,
            ),
            min_size=1,
            max_size=12,
        )
    ),
    share=st.floats(0, 1),
    metric=st.sampled_from(["cosine", "euclidean"]),
)
def test_no_pair_is_lost_whatever_the_size_of_numbers(rows, share, metric):
    """A threshold anywhere between the values: numbers from 1e-30 to 1e99 in one matrix."""
    rows = np.array(rows)
    # Beside larger ones, tiny numbers would be 0 for the brute force but not for the search.
    largest = np.abs(rows).max(axis=1, keepdims=True)
    rows[np.abs(rows) < 1e-120 * largest] = 0
    scaled = rows / np.where(largest > 0, largest, 1) if metric == "cosine" else rows
    values = np.sort(compare_all(scaled, metric)[np.triu_indices(len(rows), 1)])
    at = float(values[int(share * (len(values) - 1))]) if len(values) else 0.5
    at = min(max(at, -0.999), 1.0) if metric == "cosine" else at
    found = find_all(make_similar_search(rows, metric, at))
    wanted, every = find_brute_force(scaled, metric, at)
    clear = 1e-9 * (1 if metric == "cosine" else max(at, 1))
    assert {pair for pair, value in wanted.items() if abs(value - at) > clear} <= set(found)
    for pair, value in found.items():
        assert value == pytest.approx(every[pair], rel=1e-9, abs=1e-9)


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 10_000), offset=st.sampled_from([0.0, 100.0, 1e6]), at=st.floats(0, 2))
def test_far_from_zero_and_beside_outliers_distances_are_exact(seed, offset, at):
    """Rows with a common offset in 64 bits, and one row that is far away."""
    rows = make_rows(60, 3, seed) + offset
    rows[7] = 1e8
    found = find_all(make_similar_search(rows, "euclidean", at))
    wanted, _ = find_brute_force(rows, "euclidean", at)
    assert {pair for pair, value in wanted.items() if value < at - 1e-9} <= set(found)
    assert max(found.values(), default=0.0) <= at + SLACK


@pytest.mark.parametrize(
    ("metric", "rows"),
    [
        ("cosine", make_rows(40, 500) + 1),
        ("euclidean", np.repeat(make_rows(30, 500), 2, axis=0) + make_rows(60, 500, 1) * 1e-3),
        ("jaccard", make_bits(60, 300)),
    ],
)
def test_rounding_loses_no_pair_at_the_end_of_the_slack(metric, rows):
    """Thresholds so that a pair is just within the slack, by less than 32 bits can tell."""
    every = find_all(make_similar_search(rows, metric, 1e9 if metric == "euclidean" else 1e-3))
    pairs = [pair for pair, value in every.items() if 0.01 < value < 0.9]
    assert len(pairs) > 25
    for pair in pairs[:: len(pairs) // 25]:
        at = every[pair] + SLACK - 1e-13
        if metric == "euclidean":
            at = every[pair] / (1 + SLACK - 1e-13)
        assert pair in find_all(make_similar_search(rows, metric, at))


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64, np.int8, bool])
def test_equal_rows_have_a_cosine_of_exactly_one(dtype):
    """So they are at a threshold of 1, also without slack."""
    rows = (make_rows(50, 33) * 40).astype(dtype)
    rows[::2] = rows[1::2]
    search = make_similar_search(rows, at=1.0)
    found = find_all(search)
    assert {(at, at + 1) for at in range(0, 50, 2)} <= {
        pair for pair, value in found.items() if search.is_at(np.array([value]))[0]
    }


def test_rows_that_differ_by_rounding_are_pairs_at_one():
    """A row and three times the row: the cosine is 1 but for rounding."""
    rows = make_rows(40, 50)
    found = find_all(make_similar_search(np.vstack([rows[20:], rows[20:] * 3]), at=1.0))
    assert {(at, at + 20) for at in range(20)} <= set(found)


def test_rows_of_zeros_are_similar_to_nothing():
    """Neither to each other nor to other rows; but 0 is above a negative threshold."""
    rows = np.array([[0.0, 0.0], [0.0, 0.0], [1.0, 0.0]])
    assert find_all(make_similar_search(rows, at=0.01)) == {}
    assert find_all(make_similar_search(rows, at=-0.5)) == {(0, 1): 0.0, (0, 2): 0.0, (1, 2): 0.0}
    bits = [[0, 0], [0, 0], [1, 0]]
    assert find_all(make_similar_search(bits, "jaccard", at=0.01)) == {}
    assert find_all(make_similar_search(bits, "hamming", at=0)) == {(0, 1): 0.0}


def test_one_row_has_no_pairs():
    """A search of one row ends at once."""
    assert find_all(make_similar_search([[1.0, 2.0]])) == {}


def test_values_do_not_depend_on_blocks(monkeypatch):
    """The same bits, whatever else is computed with a pair."""
    rows = make_rows(200, 37).astype(np.float32)
    whole = find_all(make_similar_search(rows, at=0.1))
    monkeypatch.setattr(candidates, "BLOCK_ROWS", 11)
    monkeypatch.setattr(candidates, "_COLLECTED", 3)
    monkeypatch.setattr(candidates, "_VALUE_NUMBERS", 37 * 2)
    assert find_all(make_similar_search(rows, at=0.1)) == whole


def test_search_can_be_repeated():
    """With the same pairs in the same order."""
    search = make_similar_search(make_rows(), at=0.5)
    once, again = (np.concatenate([p.value for p in search.find_pairs()]) for _ in range(2))
    assert np.array_equal(once, again)


def test_many_pairs_come_in_pieces(monkeypatch):
    """If all rows are pairs, no piece holds more than its share."""
    monkeypatch.setattr(candidates, "_VALUE_NUMBERS", 1000)
    monkeypatch.setattr(candidates, "BLOCK_ROWS", 50)
    rows = np.column_stack((np.ones(200), np.arange(200) / 1e6))
    pieces = list(make_similar_search(rows).find_pairs())
    assert sum(len(piece.first) for piece in pieces) == 200 * 199 // 2
    assert max(len(piece.first) for piece in pieces) <= 500


def test_search_says_what_it_does():
    """The measure, the threshold, the kind of search and the data."""
    search = make_similar_search(make_bits(), "hamming", 3)
    assert search.describe() == "Hamming distance of 3 or less (exact search)"
    assert make_similar_search(make_rows()).describe() == (
        "cosine similarity of 0.95 or more (exact search)"
    )
    assert search.to_dict() == {
        "kind": "similar",
        "description": "Hamming distance of 3 or less (exact search)",
        "measure": "Hamming distance",
        "at": 3.0,
        "within": True,
        "exact": True,
        "recall": None,
        "fingerprint": search.fingerprint,
    }
    assert search.n_rows == 200


FORMS = {
    "list": lambda rows: rows.tolist(),
    "float32": lambda rows: rows.astype(np.float32),
    "Fortran order": np.asfortranarray,
    "masked": np.ma.masked_array,
    "csr": sparse.csr_matrix,
    "coo": sparse.coo_array,
    "pandas": pd.DataFrame,
    "polars": lambda rows: pl.DataFrame(rows, schema=[f"c{at}" for at in range(rows.shape[1])]),
    "arrow": lambda rows: pa.table({str(at): column for at, column in enumerate(rows.T)}),
    "column of lists": lambda rows: pl.Series(rows.tolist()),
    "column of arrays": lambda rows: pd.Series(list(rows)),
    "arrow lists": lambda rows: pa.array(rows.tolist()),
}


@pytest.mark.parametrize("form", FORMS)
def test_form_of_the_matrix_does_not_matter(form):
    """The same pairs and the same fingerprint."""
    rows = np.round(make_rows() * 4)
    search = make_similar_search(FORMS[form](rows), "euclidean", 2.5, n_rows=300)
    plain = make_similar_search(rows, "euclidean", 2.5)
    assert find_all(search).keys() == find_all(plain).keys()
    assert search.fingerprint == plain.fingerprint


def test_fingerprint_names_the_content():
    """Another number, another place or another shape: another fingerprint."""
    rows = np.arange(12.0).reshape(4, 3) + 1
    changed = rows.copy()
    changed[3, 2] += 1
    moved = np.array([[0.0, 1.0, 0.0]])
    kinds = [
        rows,
        changed,
        rows.reshape(3, 4),
        rows[:3],
        moved,
        moved[:, ::-1],
        moved[:, [1, 0, 2]],
    ]
    names = [make_similar_search(kind).fingerprint for kind in kinds]
    assert len(set(names)) == 6
    assert names[4] == names[5]
    assert all(len(name) == 32 for name in names)
    assert make_similar_search(-0.0 * rows).fingerprint == make_similar_search(0 * rows).fingerprint


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array], ids=["dense", "sparse"])
@pytest.mark.parametrize(
    ("metric", "at"), [("cosine", 0.9), ("jaccard", 0.5), ("euclidean", 1.0), ("hamming", 1)]
)
def test_copies_give_all_their_pairs(metric, at, form):
    """Of many equal rows, every pair is found; equal rows of zeros are pairs only by distance."""
    rng = np.random.default_rng(0)
    rows = (rng.random((12, 6)) < 0.5).astype(float)
    rows[0] = 0
    matrix = rows[rng.integers(0, 12, 60)]
    search = make_similar_search(form(matrix), metric, at)
    found = [pairs for pairs in search.find_pairs() if len(pairs.first)]
    pairs = {
        (int(a), int(b)) for block in found for a, b in zip(block.first, block.second, strict=True)
    }
    assert sum(len(block.first) for block in found) == len(pairs)
    with np.errstate(invalid="ignore"):
        both = matrix @ matrix.T
        sizes = matrix.sum(axis=1)
        either = sizes[:, None] + sizes - both
        differ = sizes[:, None] + sizes - 2 * both
        norms = np.sqrt(sizes)
        value = {
            "cosine": np.nan_to_num(both / (norms[:, None] * norms)),
            "jaccard": np.nan_to_num(both / either),
            "euclidean": -np.sqrt(differ),
            "hamming": -differ,
        }[metric]
    limit = at - 1e-6 if metric in ("cosine", "jaccard") else -at - 1e-6
    expected = {(a, b) for a in range(60) for b in range(a + 1, 60) if value[a, b] >= limit}
    assert pairs == expected


def test_hamming_distance_is_a_number_of_columns():
    """A share would link nothing, so it is refused."""
    with pytest.raises(ValueError, match="'at' must be a whole number for metric='hamming'"):
        make_similar_search(np.eye(4), "hamming", 0.1)
    assert make_similar_search(np.eye(4), "hamming", 2.0).at == 2


def test_slack_of_a_distance_is_a_share_of_it():
    """Rows of a very small scale are not all near each other."""
    rows = 1e-9 * np.random.default_rng(0).normal(size=(50, 4))
    assert (
        sum(len(p.first) for p in make_similar_search(rows, "euclidean", 1e-11).find_pairs()) == 0
    )
    rows[7] = rows[3]
    (pairs,) = make_similar_search(rows, "euclidean", 0.0).find_pairs()
    assert (pairs.first.tolist(), pairs.second.tolist()) == ([3], [7])


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_a_frame_of_one_column_of_lists_is_a_matrix(make):
    """As the column alone is."""
    frame = make({"embedding": [[1.0, 0.0], [0.0, 1.0], [2.0, 0.1]]})
    assert set(find_all(make_similar_search(frame, at=0.9))) == {(0, 2)}

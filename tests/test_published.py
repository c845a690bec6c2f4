"""Values and examples from the papers."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import sparse
from scipy.linalg import null_space

import evenfold

from .kernels.test_kernels import run_iterative
from .strategies import label_matrices

# The ten rows of "Sampling a multilabel dataset", which are cut 60/40.
BLOG = [
    ["C"],
    ["A", "B"],
    ["B"],
    ["A", "C"],
    ["A", "C"],
    ["C"],
    ["A", "C"],
    ["A", "C"],
    ["A"],
    ["A", "B"],
]


class InOrder(np.random.Generator):
    """A generator whose permutations keep the order."""

    def permutation(self, n):
        """Return 0, 1, …, n - 1."""
        return np.arange(n)


def test_iterative_on_the_blogs_ten_rows_takes_the_labels_in_its_order():
    """B is the rarest. It takes two rows of A, so A is next, although C was rarer at first."""
    y = np.array([[label in row for label in "ABC"] for row in BLOG], dtype=int)
    for form in ("function", "compiled"):
        _, _, taken = run_iterative(form, y, np.ones(10, np.int64), [3, 2], [0, 0, 0], seed=0)
        assert ["ABC"[i] for i in taken] == ["B", "A", "C"]


def test_iterative_on_the_blogs_ten_rows_places_them_as_the_blog_does():
    """Rows keep their order; the targets are 4.2/2.8 of A, 1.8/1.2 of B and 3.6/2.4 of C.

    - B: row 1 train (1.8 > 1.2), row 2 test (1.2 > .8), row 9 train (.8 > .2).
    - A, which now needs 2.2/2.8: 3 test, 4 train, 6 test, 7 train, 8 test.
    - C, which now needs 1.6/.4: 0 train, 5 train.

    If C came before A, row 3 would go to train.
    """
    rng = InOrder(np.random.PCG64(0))
    s = evenfold.split(BLOG, [0.6, 0.4], method="iterative-shuffled", random_state=rng)
    assert s["train"].tolist() == [0, 1, 4, 5, 7, 9]
    assert s["test"].tolist() == [2, 3, 6, 8]


def measure_synthetic_classes(shares_of_fold):
    """Measure ten folds of 100,000 rows and 100 classes, all cut in the same shares.

    The paper has classes of 20 to 50,000 rows. Here they have 450 to 45,000 rows, as multiples of
    450 give whole counts.
    """
    sizes = np.arange(1, 101) * 450
    row, label = [], []
    for i, m in enumerate(sizes):
        for fold, share in enumerate(shares_of_fold):
            n_rows = round(m * share)
            row.append(10_000 * fold + np.arange(n_rows))
            label.append(np.full(n_rows, i))
    row, label = np.concatenate(row), np.concatenate(label)
    y = sparse.coo_array((np.ones(len(row), np.int8), (row, label)), shape=(100_000, 100))
    return evenfold.measure(y, np.repeat(np.arange(10), 10_000))


@pytest.mark.parametrize(
    ("shares", "rld", "dcp"),
    [
        ([0.1] * 10, 0.0, 0.0),
        ([0.12, 0.08] + [0.1] * 8, 0.04, 0.02),
        ([0.0] + [1 / 9] * 9, 0.2, 1 / 9 - 1 / 10),
    ],
    ids=["equal", "difference", "one missing"],
)
def test_rld_and_dcp_do_not_depend_on_class_size_and_ld_does(shares, rld, dcp):
    """The synthetic experiment of the optisplit paper, section 4.1 and figure 2."""
    quality = measure_synthetic_classes(shares)
    assert quality.per_label.rld == pytest.approx(np.full(100, rld), abs=1e-12)
    assert quality.per_label.dcp == pytest.approx(np.full(100, dcp), abs=1e-12)
    if rld:
        assert (np.diff(quality.per_label.ld) > 0).all()
    else:
        assert quality.per_label.ld == pytest.approx(np.zeros(100), abs=1e-12)


def residual_terms(y):
    """Return ZDW and the sum over rows of the variances in DW, without labels of no row."""
    w = y.T[y.sum(axis=0) > 0].astype(float)
    dw = w / w.sum(axis=1, keepdims=True)
    zdw = dw - dw.mean(axis=0)
    return zdw, dw.var(axis=0).sum()


@settings(max_examples=60, deadline=None)
@given(y=label_matrices(min_rows=2), seed=st.integers(0, 1000))
def test_residual_is_below_the_first_bound_of_randomsplit(y, seed):
    """|ZDWx| ≤ sqrt(K N min(p, 1 - p) Σ var(DW)_n), and the residual is |ZDWx|."""
    assume(y.any())
    part = np.random.default_rng(seed).permutation(np.arange(len(y)) % 2)
    quality = evenfold.measure(y, part)
    zdw, variance = residual_terms(y)
    k, n = zdw.shape
    for j in (0, 1):
        x = (part == j).astype(float)
        p = x.mean()
        assert quality.per_part.residual[j] == pytest.approx(np.linalg.norm(zdw @ x), abs=1e-12)
        assert quality.per_part.residual[j] <= np.sqrt(k * n * min(p, 1 - p) * variance) + 1e-9
    assert quality.residual == max(quality.per_part.residual)


@settings(max_examples=60, deadline=None)
@given(y=label_matrices(min_rows=4), seed=st.integers(0, 1000))
def test_residual_is_below_the_second_bound_of_randomsplit(y, seed):
    """|ZDWx| ≤ sqrt(K Σ var) |soft - x| ≤ sqrt(K N Σ var), with soft in the null space of ZDW."""
    assume(y.any())
    zdw, variance = residual_terms(y)
    k, n = zdw.shape
    basis = null_space(zdw)
    soft = basis @ np.random.default_rng(seed).normal(size=basis.shape[1])
    assume(np.ptp(soft) > 1e-9)
    soft = (soft - soft.min()) / np.ptp(soft)
    train = (soft >= np.median(soft)).astype(int)
    assume(0 < train.sum() < len(train))
    own = evenfold.measure(y, train, parts=None).per_part.residual[train.max()]
    middle = np.sqrt(k * variance) * np.linalg.norm(soft - train)
    assert own <= middle + 1e-9
    assert middle <= np.sqrt(k * n * variance) + 1e-9


@pytest.mark.parametrize("n_folds", [3, 10])
def test_flz_bound_is_the_formula_of_the_paper(n_folds):
    """FLZ ≥ Σ max(0, k - m_i), over the labels that have rows."""
    rng = np.random.default_rng(0)
    y = rng.random((60, 30)) < rng.random(30) * 0.2
    m = y.sum(axis=0)
    quality = evenfold.split(y, n_folds).quality
    assert quality.bound.flz == np.maximum(0, n_folds - m[m > 0]).sum()

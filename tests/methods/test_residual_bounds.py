"""bound_residuals: the residual in three norms, and RandomSplit's two bounds."""

import math
import re

import numpy as np
import pytest
from scipy import sparse

import evenfold
from evenfold.methods import bound_residuals

from .. import naive


def make_problem(seed):
    """Return criteria × units, some rows of them zero, and a random part of each unit."""
    rng = np.random.default_rng(seed)
    k, n = int(rng.integers(1, 9)), int(rng.integers(4, 40))
    weights = np.where(rng.random((k, n)) < 0.4, rng.uniform(0.1, 10, (k, n)), 0)
    return weights, rng.permutation(np.arange(n) % int(rng.integers(2, 4)))


def compute_zdw(weights):
    """Return Z, D, W multiplied, from the definitions, and the sum of the variances of DW."""
    w = weights[weights.sum(axis=1) > 0]
    k = len(w)
    dw = np.diag(1 / w.sum(axis=1)) @ w
    return (np.eye(k) - np.ones((k, k)) / k) @ dw, sum(np.var(dw[:, n]) for n in range(w.shape[1]))


@pytest.mark.parametrize("norm", [1, 2, math.inf])
@pytest.mark.parametrize("seed", range(40))
def test_bounds_are_those_of_the_formulas_and_hold(seed, norm):
    """Both bounds from the text, with matrices; the nearest vector by a decomposition."""
    weights, part = make_problem(seed)
    if not weights.any():
        pytest.skip("no criterion")
    zdw, variance = compute_zdw(weights)
    k, n = zdw.shape
    factor = math.sqrt(k) if norm == 1 else 1.0
    bounds = bound_residuals(weights.T, part, norm=norm)
    assert len(bounds.residual) == part.max() + 1
    for at in range(part.max() + 1):
        x = (part == at).astype(float)
        p = x.mean()
        assert bounds.residual[at] == pytest.approx(np.linalg.norm(zdw @ x, norm), abs=1e-12)
        assert bounds.by_share[at] == pytest.approx(
            factor * math.sqrt(k * n * min(p, 1 - p) * variance), abs=1e-7
        )
        nearest = np.linalg.norm(x - naive.null_space_vector(weights, x))
        assert bounds.by_vector[at] == pytest.approx(
            factor * math.sqrt(k * variance) * nearest, abs=1e-6
        )
    assert (bounds.residual <= bounds.by_vector + 1e-7).all()
    assert (bounds.by_vector <= bounds.by_share + 1e-7).all()


@pytest.mark.parametrize("seed", range(40))
def test_the_bound_of_a_given_vector_lies_between(seed):
    """The sorted vector is never nearer than the nearest one; a and b are by least squares."""
    weights, part = make_problem(seed)
    if not weights.any():
        pytest.skip("no criterion")
    draw = np.random.default_rng(seed).standard_normal(len(part))
    vector = naive.null_space_vector(weights, draw)
    part = np.zeros(len(part), int)
    part[np.argsort(vector)[: len(part) // 2]] = 1
    own = bound_residuals(weights.T, part, vector=vector)
    nearest = bound_residuals(weights.T, part)
    assert (own.residual <= own.by_vector + 1e-7).all()
    assert (nearest.by_vector <= own.by_vector + 1e-6).all()
    assert (own.by_vector <= own.by_share + 1e-7).all()
    zdw, variance = compute_zdw(weights)
    soft = np.column_stack((vector, np.ones(len(part))))
    x = (part == 1).astype(float)
    left = x - soft @ np.linalg.lstsq(soft, x, rcond=None)[0]
    assert own.by_vector[1] == pytest.approx(
        math.sqrt(len(zdw) * variance) * np.linalg.norm(left), abs=1e-6
    )


def test_a_case_computed_by_hand():
    """Two criteria of two units each: ZDW = ±1/4, and each part has one whole criterion.

    Its shares are 1 and 0, so Z D W x = (1/2, -1/2). Each of the four columns of ZDW has the
    squares 1/16 + 1/16, together 1/2. The null space has the distance 1 from the indicator.
    """
    weights, part = [[1, 0], [1, 0], [0, 1], [0, 1]], [0, 0, 1, 1]
    for norm, residual, factor in (
        (1, 1, math.sqrt(2)),
        (2, math.sqrt(0.5), 1),
        (math.inf, 0.5, 1),
    ):
        bounds = bound_residuals(sparse.csr_array(weights), part, norm=norm)
        assert bounds.residual == pytest.approx([residual] * 2)
        assert bounds.by_share == pytest.approx([factor * math.sqrt(0.5) * math.sqrt(2)] * 2)
        assert bounds.by_vector == pytest.approx([factor * math.sqrt(0.5)] * 2)


def test_the_norm_2_is_the_residual_of_the_quality():
    """Also for labels, and for a criterion that no unit has."""
    y = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0]])
    part = [0, 0, 1, 1, 0]
    assert bound_residuals(y, part).residual == pytest.approx(
        evenfold.measure(y, part).per_part.residual
    )


def test_without_criteria_residual_and_bounds_are_0():
    """All weights are zero."""
    bounds = bound_residuals(np.zeros((4, 2)), [0, 1, 0, 1])
    assert bounds.residual.tolist() == bounds.by_share.tolist() == [0, 0]
    assert bounds.by_vector.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        ({"weights": [[1.0], [-2.0]]}, "'weights' must be finite and 0 or more, got -2."),
        ({"weights": [[1.0], [np.nan]]}, "'weights' must be finite and 0 or more, got nan."),
        (
            {"part_of_unit": [0, 1, 1]},
            "'part_of_unit' must have one value for each of the 2 rows of 'weights', got an array "
            "of shape (3,).",
        ),
        (
            {"vector": [[0.0], [1.0]]},
            "'vector' must have one value for each of the 2 rows of 'weights', got an array of "
            "shape (2, 1).",
        ),
        (
            {"weights": [[1, 0], [0, 1]], "vector": [1.0, -1.0]},
            "'vector' must be in the null space of Z D W, got a vector with |Z D W v| = 1.41.",
        ),
        ({"norm": 0}, "'norm' must be 1, 2 or inf, got 0."),
    ],
)
def test_wrong_arguments_are_errors(keywords, message):
    """The message names the argument and the value."""
    own = {"weights": [[1.0], [2.0]], "part_of_unit": [0, 1], **keywords}
    with pytest.raises(ValueError, match=re.escape(message)):
        bound_residuals(own.pop("weights"), own.pop("part_of_unit"), **own)

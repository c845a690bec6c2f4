"""MLkNN."""

import numpy as np
import pytest

from evenfold.learn import MLkNN

from . import naive_learners
from .rows import make_rows


@pytest.mark.parametrize(("k", "s"), [(1, 1.0), (5, 1.0), (8, 0.25)])
def test_probabilities_are_those_of_the_paper(k, s):
    """They equal the naive version for constant labels too, and the threshold decides."""
    X, y, new = make_rows(10)
    y[:, 2], y[:, 3] = 1, 0
    expected = np.array(naive_learners.mlknn(X.tolist(), y.tolist(), k, s, new.tolist()))
    fitted = MLkNN(k, s=s, threshold=0.4).fit(X, y)
    np.testing.assert_allclose(fitted.predict_proba(new), expected, rtol=1e-12)
    np.testing.assert_array_equal(fitted.predict(new), expected > 0.4)


def test_fewer_rows_than_neighbours_are_all_neighbours():
    """With 5 rows, 100 neighbours are the 4 others."""
    X, y, new = make_rows(11, n_rows=5)
    np.testing.assert_array_equal(
        MLkNN(100).fit(X, y).predict_proba(new), MLkNN(4).fit(X, y).predict_proba(new)
    )

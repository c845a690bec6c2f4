"""Equal units: how many are dealt to the parts, and how many stay free."""

import numpy as np
import pytest

from evenfold.labels.labels import make_labels
from evenfold.methods.even.equal_units import fix_equal_units
from evenfold.problem.criteria import make_criteria
from evenfold.problem.parts import check_parts
from evenfold.problem.problem import make_problem

Y = [["a"]] * 80 + [["b"]] * 10 + [["c"]] * 10
LABELS = (slice(0, 80), slice(80, 90), slice(90, 100))


def fix(cover, fixed=None):
    """Return the number of units of each label that are fixed in each part."""
    labels = make_labels(Y)
    rng = np.random.default_rng(0)
    problem = make_problem(
        make_criteria(labels), check_parts([0.8, 0.1, 0.1], 100), None, rng, fixed, cover=cover
    )
    own = fix_equal_units(problem, rng).fixed
    return [np.bincount(own[rows][own[rows] >= 0], minlength=3).tolist() for rows in LABELS]


@pytest.mark.parametrize(
    ("cover", "dealt"),
    [
        # Shares 64, 8, 8 and 8, 1, 1, less 3, 1, 1 that stay free.
        (0, [[61, 7, 7], [5, 0, 0], [5, 0, 0]]),
        # The small parts need room for 3 and for 9 of their 10 rows.
        (1, [[61, 7, 7], [5, 0, 0], [5, 0, 0]]),
        (3, [[61, 1, 1], [5, 0, 0], [5, 0, 0]]),
    ],
)
def test_parts_keep_room_for_the_rows_they_must_hold(cover, dealt):
    """With a cover, small parts get fewer units of common labels."""
    assert fix(cover) == dealt


def test_fixed_rows_take_room():
    """Rows that the caller fixed in a part leave less room for dealt ones."""
    fixed = np.full(100, -1, np.int32)
    fixed[:4] = 1
    assert fix(1, fixed)[0][1] - 4 == 3

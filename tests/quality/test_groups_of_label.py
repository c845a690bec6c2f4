"""Groups that hold a label: counted by hand, with sets."""

import numpy as np
import pytest

from evenfold.labels.labels import make_labels
from evenfold.quality.groups_of_label import count_groups_of_label, find_groups_of_label


@pytest.mark.parametrize("seed", range(4))
def test_groups_are_counted_in_each_part(seed):
    """A group whose rows are in two parts counts in both; rows of a group may be anywhere."""
    rng = np.random.default_rng(seed)
    n_rows, n_labels, n_parts, n_groups = 40, 5, 3, 9
    y = rng.random((n_rows, n_labels)) < 0.3
    group, part = rng.integers(0, n_groups, n_rows), rng.integers(0, n_parts, n_rows)
    labels = make_labels(y)
    expected = [
        [
            len({group[row] for row in range(n_rows) if part[row] == j and y[row, label]})
            for label in range(n_labels)
        ]
        for j in range(n_parts)
    ]
    assert count_groups_of_label(labels, group, part.astype(np.int32), n_parts).tolist() == expected
    found = find_groups_of_label(labels, group)
    rows = [np.bincount(group[y[:, label]], minlength=n_groups) for label in range(n_labels)]
    assert found.most_rows.tolist() == [of_group.max() for of_group in rows]
    assert found.n_groups.tolist() == [(of_group > 0).sum() for of_group in rows]

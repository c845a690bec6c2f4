"""propagate(): a row with a label gets all ancestors of the label."""

import re

import numpy as np
import pytest

import evenfold
from evenfold.labels import propagate

PARENTS = {
    "kinase": ["transferase"],
    "transferase": "enzyme",
    "enzyme": "function",
    "binding": "function",
}


@pytest.mark.parametrize(
    "parents",
    [
        PARENTS,
        [
            ("kinase", "transferase"),
            ("transferase", "enzyme"),
            ("enzyme", "function"),
            ["binding", "function"],
        ],
    ],
)
def test_propagate_adds_all_ancestors(parents):
    """From a mapping or from edges; what was held stays."""
    labels = propagate([["kinase"], ["binding", "enzyme"], [], ["other"]], parents)
    held = [
        sorted(labels.names[i] for i in labels.indices[labels.indptr[r] : labels.indptr[r + 1]])
        for r in range(4)
    ]
    assert held == [
        ["enzyme", "function", "kinase", "transferase"],
        ["binding", "enzyme", "function"],
        [],
        ["other"],
    ]
    assert evenfold.split(labels, 2).sizes.tolist() == [2, 2]


def test_propagate_takes_roots_sets_and_numpy_numbers():
    """None is no parent; new labels of a set come in one order."""
    assert propagate([["a"]], {"a": {"c", "b"}, "b": None}).names == ["a", "b", "c"]
    assert propagate(np.eye(3), {0: np.int64(2)}).count_of_label.tolist() == [1, 1, 2]


def test_propagate_works_on_matrices_and_keeps_the_unknown():
    """Columns by number; an ancestor that is held is no longer unknown."""
    y = np.array([[1, 0, np.nan], [0, np.nan, 0]])
    labels = propagate(y, {0: 2})
    assert labels.to_csr().toarray().tolist() == [[1, 0, 1], [0, 0, 0]]
    assert (labels.unknown[0].tolist(), labels.unknown[1].tolist()) == ([0, 0, 1], [1])


@pytest.mark.parametrize(
    ("parents", "error", "message"),
    [
        (
            {"a": "b", "b": "c", "c": "a"},
            ValueError,
            "'parents' must not go in a circle, got one through 'a', 'b', 'c'. "
            "Remove one of its edges.",
        ),
        (
            [("a", "b", "c")],
            ValueError,
            "'parents' must hold pairs (label, parent), got ('a', 'b', 'c') at place 0.",
        ),
        (
            {"a": [["b"]]},
            TypeError,
            "'parents' must hold strings or whole numbers as labels, got ['b'], a list.",
        ),
        (
            "a",
            TypeError,
            "'parents' must be a mapping from label to parents or pairs (label, parent), got str.",
        ),
    ],
)
def test_hierarchies_that_cannot_be_meant_are_refused(parents, error, message):
    """Circles, and what is no pair."""
    with pytest.raises(error, match=re.escape(message)):
        propagate([["a"]], parents)

"""What the makers of data sets promise of every row, whatever the sizes and the seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from evenfold import datasets
from evenfold.labels import propagate

from .registry import Subject


@dataclass
class Sizes:
    """Sizes of a data set, and its seed."""

    n_rows: int
    n_labels: int
    few: int
    seed: int

    def describe(self) -> Mapping[str, str]:
        """Return nothing: data sets are counted together."""
        return {}


def draw_sizes(rng: np.random.Generator) -> Sizes:
    """Draw small sizes."""
    n_labels = int(rng.integers(2, 20))
    few = int(rng.integers(1, min(n_labels, 5) + 1))
    return Sizes(int(rng.integers(8, 60)), n_labels, few, int(rng.integers(1000)))


DATA = Subject("datasets", draw_sizes, 2, Sizes.describe)


@DATA.holds(
    "evenfold.datasets.make_zipf: Each row has exactly `labels_per_row` distinct labels.",
    "evenfold.datasets.make_zipf: Some of the last labels may be in no row.",
)
def zipf_rows_have_their_labels(sizes: Sizes) -> None:
    """Each stored once; labels without rows keep their column."""
    y = datasets.make_zipf(sizes.n_rows, sizes.n_labels, sizes.few, random_state=sizes.seed)
    assert y.shape == (sizes.n_rows, sizes.n_labels)
    assert (y.toarray().sum(axis=1) == sizes.few).all()
    assert y.toarray().max() == 1


@DATA.holds(
    "evenfold.datasets.make_ontology: Label 0 is the root: it has no parent, and every row has it.",
    "evenfold.datasets.make_ontology: Every other label has one or two parents, each of a smaller "
    "number.",
    "evenfold.datasets.make_ontology: A row with a label has all its ancestors.",
)
def ontologies_are_closed(sizes: Sizes) -> None:
    """`propagate` adds nothing."""
    y, parents = datasets.make_ontology(
        sizes.n_rows, sizes.n_labels, sizes.few, random_state=sizes.seed
    )
    held = y.toarray()
    assert held[:, 0].all()
    assert not parents.get(0)
    for label in range(1, sizes.n_labels):
        assert 1 <= len(set(parents[label])) <= 2
        assert max(parents[label]) < label
    assert np.array_equal(propagate(y, parents).to_csr().toarray(), held)


@DATA.holds(
    "evenfold.datasets.make_patients: Every patient from 0 to `n_groups` - 1 has at least one row; "
    "most have few, some many.",
    "evenfold.datasets.make_patients: The rows of a patient are adjacent.",
)
def patients_have_adjacent_rows(sizes: Sizes) -> None:
    """Each patient has a row, and all of them in one piece."""
    n_groups = max(1, sizes.n_rows // 3)
    y, groups = datasets.make_patients(sizes.n_rows, n_groups, sizes.n_labels, sizes.seed)
    assert y.shape == (sizes.n_rows, sizes.n_labels)
    assert set(groups.tolist()) == set(range(n_groups))
    assert (np.diff(groups) != 0).sum() == n_groups - 1
    assert y.toarray().sum(axis=1).max() <= 4


@DATA.holds(
    "evenfold.datasets.make_weights: Row 0 is 1: every unit counts as one.",
    "evenfold.datasets.make_weights: Row 7, if there is one, is 0.",
    "evenfold.datasets.make_weights: In every other row a random 90 % of the columns, rounded, are "
    "0.",
)
def weights_are_those_of_the_benchmark(sizes: Sizes) -> None:
    """Whole numbers from 1 to 9 in a tenth of the columns."""
    weights = datasets.make_weights(sizes.n_rows, sizes.n_labels, sizes.seed)
    assert (weights[0] == 1).all()
    for number, row in enumerate(weights[1:], start=1):
        used = row[row != 0]
        if number == 7:
            assert len(used) == 0
        else:
            assert abs(len(used) - 0.1 * sizes.n_rows) <= 0.5
            assert set(used.tolist()) <= set(range(1, 10))


@DATA.holds(
    "evenfold.datasets.make_movies: Titles are distinct; a director can have several movies."
)
def titles_are_distinct(sizes: Sizes) -> None:
    """However many movies there are."""
    movies = datasets.make_movies(sizes.n_rows, sizes.seed)
    assert len(set(movies.title)) == sizes.n_rows == len(movies.genres)

"""Labels as they are read, rows that are linked, and pairs that are checked."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tests.checks import is_unchanged

import evenfold
from evenfold.exceptions import ImpossibleSplit, InputError, LeakError
from evenfold.labels import make_labels, propagate

from .cases import draw_labels
from .forms import FORMS_OF_CLASSES, copy_form, draw_form, name_columns
from .registry import Subject, assume, skip


@dataclass
class Labelling:
    """Labels in a form, and a hierarchy of them."""

    y: NDArray[Any]
    form: str
    given: Any
    parents: dict[Any, list[Any]]

    @functools.cached_property
    def before(self) -> Any:
        """The labels as they were given."""
        return copy_form(self.given)

    @property
    def held(self) -> NDArray[np.int64]:
        """What each row holds."""
        return (self.y == 1).astype(int)

    def describe(self) -> Mapping[str, str]:
        """Return what the labels are counted by."""
        return {"input form": self.form}


def draw_labelling(rng: np.random.Generator) -> Labelling:
    """Draw labels of which each may have parents of a smaller number."""
    y = draw_labels(rng, int(rng.integers(1, 30)), may_be_unknown=True)
    form, given = draw_form(y, rng)
    parents = {
        label: rng.choice(label, rng.integers(1, min(label, 2) + 1), replace=False).tolist()
        for label in range(1, y.shape[1])
        if rng.random() < 0.7
    }
    return Labelling(y, form, given, parents)


LABELLINGS = Subject("labels", draw_labelling, 4, Labelling.describe)


@LABELLINGS.holds("evenfold.labels.make_labels: The input is not modified.")
def labels_are_read_only(case: Labelling) -> None:
    """Nor is it by `propagate`."""
    assume(case.form != "Labels")
    assert case.before is not None
    make_labels(case.given)
    assert is_unchanged(case.before, case.given)


@LABELLINGS.holds(
    "evenfold.labels.make_labels: Matrix labels keep the order of their columns; labels from lists "
    "and classes are sorted."
)
def labels_keep_their_order(case: Labelling) -> None:
    """Lists and classes leave out labels that no row has."""
    labels = make_labels(case.given)
    found = labels.to_csr().toarray()
    if len(labels.names) == case.y.shape[1]:
        assert np.array_equal(found, case.held)
    else:
        assert list(labels.names) == sorted(labels.names)
        assert np.array_equal(found, case.held[:, case.held.any(axis=0)])
    if case.form in FORMS_OF_CLASSES or "lists of" in case.form:
        assert list(labels.names) == sorted(labels.names)


@LABELLINGS.holds(
    "evenfold.labels.propagate: A row keeps what it held.",
    "evenfold.labels.propagate: An ancestor of a label that is held is held, whether it was "
    "unknown before or not.",
)
def ancestors_are_held(case: Labelling) -> None:
    """The labels of a row, their parents, the parents of these, and no others."""
    names = name_columns(case.y) if "frame" in case.form or "table" in case.form.lower() else None
    names = names or list(range(case.y.shape[1]))
    assume(len(make_labels(case.given).names) == len(names))
    assume(list(make_labels(case.given).names) == names)
    parents = {names[a]: [names[b] for b in own] for a, own in case.parents.items()}
    labels = propagate(case.given, parents)
    expected = case.held.copy()
    for label in range(case.y.shape[1] - 1, 0, -1):
        for parent in case.parents.get(label, []):
            expected[:, parent] |= expected[:, label]
    assert np.array_equal(labels.to_csr().toarray(), expected)


@dataclass
class Linking:
    """Rows with values in columns, and pairs of rows with scores."""

    n_rows: int
    values: NDArray[np.int64]
    pairs: list[tuple[int, int, float]]
    at: float
    max_group: int | None
    part_of_row: NDArray[np.int64]

    def link(self, pairs: Any) -> NDArray[np.int64]:
        """Return the group of each row; the property is skipped if all rows are one."""
        try:
            return evenfold.link(
                groups=self.values, pairs=pairs, at=self.at, max_group=self.max_group
            ).group_of_row
        except ImpossibleSplit:
            return skip()
        except InputError as error:
            # Rows that share a value are more than the limit.
            if error.parameter != "max_group":
                raise
            return skip()

    @property
    def linked(self) -> list[tuple[int, int, float]]:
        """The pairs at the threshold."""
        return [pair for pair in self.pairs if pair[2] >= self.at]

    def describe(self) -> Mapping[str, str]:
        """Return what the rows are counted by."""
        return {"max_group": "none" if self.max_group is None else "given"}


def draw_linking(rng: np.random.Generator) -> Linking:
    """Draw few values that rows share, and pairs with scores around the threshold."""
    n_rows = int(rng.integers(3, 25))
    at = 0.5
    ends = rng.integers(n_rows, size=(int(rng.integers(1, n_rows + 1)), 2))
    pairs = {(int(min(pair)), int(max(pair))): 0.0 for pair in ends if pair[0] != pair[1]}
    scores = [0.25, at - 1e-3, at, 0.75, 0.9, 1.0]
    listed = [(a, b, float(rng.choice(scores))) for a, b in pairs] or [(0, 1, 1.0)]
    values = rng.integers(2 * n_rows, size=n_rows)
    max_group = None if rng.random() < 0.5 else int(rng.integers(2, 6))
    return Linking(n_rows, values, listed, at, max_group, rng.integers(2, size=n_rows))


LINKINGS = Subject("links", draw_linking, 4, Linking.describe)


@LINKINGS.holds(
    "evenfold.link: Rows that share a value, and pairs at the threshold, are in one group unless "
    "`max_group` cuts their link."
)
def linked_rows_are_one_group(case: Linking) -> None:
    """Without a limit, groups are the components; with one, parts of them."""
    found = case.link(case.pairs)
    component = {row: {row} for row in range(case.n_rows)}
    shared = [
        (a, b) for a in range(case.n_rows) for b in range(a) if case.values[a] == case.values[b]
    ]
    for a, b, *_ in [*case.linked, *shared]:
        joined = component[a] | component[b]
        component |= dict.fromkeys(joined, joined)
    for a in range(case.n_rows):
        together = {int(b) for b in np.flatnonzero(found == found[a])}
        assert together <= component[a]
        if case.max_group is None:
            assert together == component[a]
    assert all(found[a] == found[b] for a, b in shared)


@LINKINGS.holds("evenfold.link: No group that links made has more than `max_group` rows.")
def groups_are_limited(case: Linking) -> None:
    """Values that rows share are never cut: then more rows would be an error."""
    assume(case.max_group is not None)
    assert np.unique(case.link(case.pairs), return_counts=True)[1].max() <= case.max_group


@LINKINGS.holds("evenfold.link: The result does not depend on the order in which pairs are found.")
def order_of_pairs_does_not_matter(case: Linking) -> None:
    """Pairs in reverse order, their rows exchanged."""
    other = [(b, a, score) for a, b, score in reversed(case.pairs)]
    assert np.array_equal(case.link(case.pairs), case.link(other))


@LINKINGS.holds(
    "evenfold.check: Pairs count from the threshold on, within rounding. `link` also joins pairs "
    "that are less than 0.000001 below it."
)
def pairs_count_from_the_threshold(case: Linking) -> None:
    """Exactly the pairs at the threshold that are in two parts leak."""
    assume(len(set(case.part_of_row.tolist())) == 2)
    try:
        certificate = evenfold.check(case.part_of_row, pairs=case.pairs, at=case.at)
    except LeakError as error:
        certificate = error.certificate
    leaking = sum(case.part_of_row[a] != case.part_of_row[b] for a, b, _ in case.linked)
    assert certificate.pairs[0].n_leaking == leaking
    assert certificate.passed == (leaking == 0)

"""optisplit: its kernel against the paper, its starts and measures."""

import contextlib
import copy
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import evenfold
from evenfold._kernels.optisplit import (
    DCP,
    LD,
    RLD,
    Change,
    Members,
    Objective,
    Placement,
    Targets,
    run_published_epoch,
)
from evenfold._kernels.optisplit import run_epoch as run_epoch_of_kernel
from evenfold._kernels.units import Units
from evenfold.methods import Method, OptiSplit, OptiSplitPublished
from evenfold.problem.criteria_order import order_criteria
from evenfold.quality.values import relative_share_difference

from .. import naive
from ..strategies import label_matrices, part_weights
from .naive_published import PublishedOptisplit

MEASURES = {"rld": RLD, "dcp": DCP, "ld": LD}


def run_epoch(form, counts, rows, weights, measure, seed):
    """Run one epoch of the kernel on dense units × labels, the rows of each unit added last.

    Returns its parts and those of the slow version.
    """
    rng = np.random.default_rng(seed)
    by_unit = np.column_stack((counts[:, counts.sum(axis=0) > 0], rows))
    n, q = by_unit.shape
    k = len(weights)
    weights = np.array(weights)
    sizes = rows.sum() * weights // weights.sum()
    sizes[0] += rows.sum() - sizes.sum()
    weight_of_label = np.append(np.ones(q - 1), rng.integers(0, 3))
    start = rng.integers(0, k, n).astype(np.int32)
    unit_order = rng.permutation(n)[: n - n // 5]
    by_label = [[unit for unit in unit_order if by_unit[unit, i]] for i in range(q)]
    part, label_order, rank = start.copy(), rng.permutation(q), rng.permutation(k)
    count = np.array([[by_unit[start == j, i].sum() for j in range(k)] for i in range(q)])
    arguments = [
        Units(
            np.concatenate(([0], np.cumsum((by_unit > 0).sum(axis=1)))),
            np.nonzero(by_unit)[1].astype(np.int32),
            by_unit[by_unit > 0],
            rows,
        ),
        Members(
            np.concatenate(([0], np.cumsum([len(units) for units in by_label]))),
            np.array([unit for units in by_label for unit in units], np.int32),
            np.array(
                [by_unit[unit, i] for i, units in enumerate(by_label) for unit in units], np.int64
            ),
        ),
        Targets(by_unit.sum(axis=0), weights, sizes),
        Objective(MEASURES[measure], 1e-9, weight_of_label),
        label_order,
        rank,
        Placement(count, np.bincount(start, rows, minlength=k).astype(np.int64), part),
    ]
    # The first call scores the split as it is: all labels tried, all touched, a change to judge.
    change = Change(
        np.array([q, 1, 0, q, 0]),
        np.full(q, np.inf),
        np.zeros(q),
        np.empty(n, np.int32),
        np.empty(n, np.int32),
        np.arange(q),
        np.zeros(q, bool),
    )
    getattr(run_epoch_of_kernel, form)(*arguments, change)
    change.position[:] = 0
    getattr(run_epoch_of_kernel, form)(*arguments, change)
    units = [{i: int(row[i]) for i in range(q) if row[i]} for row in by_unit]
    expected = naive.optisplit_epoch(
        units,
        rows.tolist(),
        weights,
        sizes.tolist(),
        measure,
        weight_of_label,
        label_order,
        unit_order,
        rank,
        start,
    )
    return part.tolist(), expected


@pytest.mark.parametrize("form", ["function", "compiled"])
@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=40, deadline=None)
@given(
    y=label_matrices(min_rows=6, max_rows=24),
    weights=part_weights(max_parts=4),
    seed=st.integers(0, 1000),
    grouped=st.booleans(),
)
def test_an_epoch_equals_the_paper(form, measure, y, weights, seed, grouped):
    """Rows and groups, any shares, some units fixed, every built-in measure."""
    rng = np.random.default_rng(seed)
    y = np.where(y.sum(axis=0) < len(y), y, 0)
    counts = y * rng.integers(1, 4, y.shape) if grouped else y
    rows = np.maximum(counts.max(axis=1), 1) + (rng.integers(0, 2, len(y)) if grouped else 0)
    got, expected = run_epoch(form, counts, rows, weights, measure, seed)
    assert got == expected


class Published(Method):
    """optisplit-published, and beside it what the slow version makes of the same problem."""

    name = "published"
    improves = True

    def __init__(self, measure, max_epochs=None):
        self.own = OptiSplitPublished(measure, max_epochs)
        self.found = self.expected = None

    def place(self, problem, rng):
        """Return the parts of the method."""
        ordered = order_criteria(problem, copy.deepcopy(rng))
        by_unit = ordered.to_csr().toarray()
        slow = PublishedOptisplit(
            [{i: int(row[i]) for i in np.flatnonzero(row)} for row in by_unit],
            problem.rows_of_unit.tolist(),
            problem.weights,
            self.own.measure,
            problem.start,
            problem.fixed,
        )
        self.expected = slow.run(self.own.max_epochs or 3)
        self.found = self.own.place(problem, rng)
        return self.found.copy()


@pytest.mark.parametrize("form", ["function", "compiled"])
@pytest.mark.parametrize("measure", MEASURES)
@settings(max_examples=40, deadline=None)
@given(
    y=label_matrices(min_rows=8, max_rows=24),
    weights=part_weights(max_parts=4),
    seed=st.integers(0, 1000),
    grouped=st.booleans(),
    max_epochs=st.sampled_from([None, 1, 5]),
)
def test_published_equals_the_package(form, measure, y, weights, seed, grouped, max_epochs):
    """Rows and groups, any shares, some rows fixed; in the package rows in equal parts only."""
    rng = np.random.default_rng(seed)
    n, k = len(y), len(weights)
    groups = rng.permutation(np.repeat(np.arange(n), rng.integers(1, 4, n))[:n])
    group_of_row = groups if grouped else np.arange(n)
    start = rng.integers(0, k, n)[group_of_row]
    fixed = np.where(rng.random(n) < 0.1, start, -1)
    method = Published(measure, max_epochs)
    with pytest.MonkeyPatch.context() as patch:
        kernel = getattr(run_published_epoch, form)
        patch.setattr(run_published_epoch, "for_work", lambda n_steps: kernel)
        with contextlib.suppress(evenfold.exceptions.ImpossibleSplit):
            evenfold.split(
                y,
                [weight / sum(weights) for weight in weights],
                groups=groups if grouped else None,
                fixed=[None if part < 0 else int(part) for part in fixed],
                start=start,
                method=method,
                random_state=seed,
            )
    if method.found is not None:
        assert method.found.tolist() == method.expected


@pytest.mark.parametrize("measure", MEASURES)
def test_the_chosen_measure_falls(measure):
    """Far below random, and lower than with the other two measures."""
    rng = np.random.default_rng(0)
    y = rng.random((800, 80)) < 0.4 / np.arange(1, 81) ** 0.7
    own = {
        name: getattr(evenfold.split(y, 5, method=OptiSplit(measure=name)).quality, measure)
        for name in MEASURES
    }
    assert own[measure] == min(own.values())
    assert own[measure] < getattr(evenfold.split(y, 5, method="random").quality, measure) / 2


def test_it_improves_the_split_of_another_method():
    """From iterative, the result is more even; from its own result, it is no worse."""
    y = np.random.default_rng(0).random((600, 40)) < 0.08
    iterative = evenfold.split(y, 5, method=evenfold.methods.Iterative(fullest_first=False))
    better = evenfold.split(y, 5, method="optisplit", start=iterative)
    assert better.quality.rld < iterative.quality.rld
    assert 0 < (better.part_of_row != iterative.part_of_row).mean() < 0.5
    again = evenfold.split(y, 5, method="optisplit", start=better)
    assert again.quality.rld <= better.quality.rld + 1e-12


def test_more_epochs_are_no_less_even():
    """And one epoch alone is better than the random start."""
    y = np.random.default_rng(1).random((500, 60)) < 0.1
    rld = [
        evenfold.split(y, 5, method=OptiSplit(max_epochs=epochs)).quality.rld
        for epochs in (1, 5, 50)
    ]
    assert evenfold.split(y, 5, method="random").quality.rld > rld[0] > rld[2]


def test_labels_of_most_rows_are_judged_by_the_rows_that_lack_them():
    """Of 200 rows, 190 hold the label: the ten that do not are dealt two a part."""
    y = np.ones((200, 1), int)
    y[:10] = 0
    s = evenfold.split(y, 5, method="optisplit")
    assert np.bincount(s.part_of_row[:10], minlength=5).tolist() == [2] * 5


def test_any_measure_of_labels_can_be_lowered():
    """A function of counts and sizes: rLD comes out as low as built in, and so does another."""
    y = np.random.default_rng(2).random((300, 12)) < 0.2
    own = evenfold.split(y, 4, method=OptiSplit(measure=relative_share_difference_of_sizes))
    assert own.quality.rld < 1.5 * evenfold.split(y, 4, method="optisplit").quality.rld
    largest = evenfold.split(y, 4, method=OptiSplit(measure=largest_part))
    assert largest.quality.dcp < evenfold.split(y, 4, method="random").quality.dcp / 3
    assert largest.origin.parameters["measure"] == "largest_part"


def relative_share_difference_of_sizes(count, sizes):
    """Return rLD of each label."""
    return relative_share_difference(count, sizes[:, None])


def largest_part(count, sizes):
    """Return the share of each label's rows that its fullest part holds."""
    return count.max(axis=0) / count.sum(axis=0)


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"measure": "rdl"},
            "'measure' must be rld, dcp, ld, or a function of counts and sizes, got 'rdl'.",
        ),
        ({"max_epochs": 0}, "'max_epochs' must be 1 or more, got 0."),
        ({"max_epochs": 2.5}, "'max_epochs' must be a whole number, got 2.5. Leave it out for 50."),
        ({"max_epochs": 0, "published": True}, "got 0. Leave it out for 3."),
    ],
)
def test_wrong_settings_are_errors(keywords, message):
    """The message names the setting and the value."""
    with pytest.raises((ValueError, TypeError), match=re.escape(message)):
        OptiSplit(**keywords)

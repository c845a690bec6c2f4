"""Measures against their definitions, and bounds against all splits of tiny problems."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

import evenfold
from evenfold.methods import bound_residuals
from evenfold.quality.measures import MEASURES

from . import oracles
from .cases import draw_groups, draw_labels
from .forms import draw_form
from .registry import Subject, assume

# Bounds for the sizes of the split; the others are for all splits.
OF_SIZES = ("ld", "rld", "lpd", "rld_pairs", "labelset", "rld_labelsets")
TOLERANCE = 1e-9


@dataclass
class Measured:
    """A split that nobody made even, and its quality; parts may have no rows."""

    y: NDArray[Any]
    form: str
    part_of_row: NDArray[np.int64]
    shares: NDArray[np.float64]
    group_of_row: NDArray[np.int64] | None
    kind_of_groups: str
    keywords: dict[str, Any]

    @property
    def n_parts(self) -> int:
        """Number of parts."""
        return len(self.shares)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Rows of each part."""
        return np.bincount(self.part_of_row, minlength=self.n_parts)

    @property
    def has_unknown(self) -> bool:
        """Whether labels are unknown in some rows."""
        return bool(np.isnan(self.y.astype(float)).any())

    @property
    def has_cut_groups(self) -> bool:
        """Whether a group is in two parts."""
        if self.group_of_row is None:
            return False
        pairs = set(zip(self.group_of_row.tolist(), self.part_of_row.tolist(), strict=True))
        return len(pairs) > len(set(self.group_of_row.tolist()))

    @functools.cached_property
    def quality(self) -> Any:
        """What `evenfold.measure` returns."""
        return evenfold.measure(part_of_row=self.part_of_row, **self.keywords)

    @functools.cached_property
    def expected(self) -> dict[str, float]:
        """Each measure from its definition."""
        return oracles.measure_all(self.y, self.part_of_row, self.shares.tolist())

    @functools.cached_property
    def counts(self) -> list[tuple[oracles.Counts, oracles.Counts]]:
        """The rows of each label in the parts, and those in which it is known."""
        return oracles.Table(self.y, self.part_of_row, self.n_parts).count()

    @functools.cached_property
    def least(self) -> tuple[dict[str, float], dict[str, float]]:
        """The least of each measure over all splits, and over those of these sizes."""
        groups = self.group_of_row
        groups = np.arange(len(self.y)) if groups is None or self.has_cut_groups else groups
        return oracles.find_least(self.y, groups, self.sizes.tolist(), self.shares.tolist())

    @property
    def is_tiny(self) -> bool:
        """Whether all splits can be listed."""
        return self.n_parts ** len(self.y) <= 800 and not self.has_unknown

    def describe(self) -> Mapping[str, str]:
        """Return what the split is counted by."""
        return {"input form": self.form, "groups": self.kind_of_groups}


def draw_measured(rng: np.random.Generator) -> Measured:
    """Draw labels and any split of them; some of them are so small that all splits are listed."""
    is_tiny = rng.random() < 0.3
    n_parts = int(rng.choice([2, 2, 3, 4])) if is_tiny else int(rng.integers(2, 6))
    most = {2: 9, 3: 6, 4: 4}[n_parts] if is_tiny else 20
    n_rows = int(rng.integers(2, most + 1))
    y = draw_labels(rng, n_rows, may_be_unknown=not is_tiny)[:, : 4 if is_tiny else 8]
    form, given = draw_form(y, rng)
    kind, groups, own = draw_groups(rng, n_rows)
    part_of_row = rng.integers(n_parts, size=n_rows)
    if own is not None and rng.random() < 0.8:
        part_of_row = rng.integers(n_parts, size=own.max() + 1)[own]
    keywords: dict[str, Any] = {"y": given, "groups": groups}
    names = [f"p{part}" for part in range(n_parts)]
    shares = np.bincount(part_of_row, minlength=n_parts) / n_rows
    if rng.random() < 0.6:
        weights = rng.integers(1, 6, n_parts)
        shares = weights / weights.sum()
        keywords["parts"] = dict(zip(names, shares.tolist(), strict=True))
    keywords["names"] = names
    if "parts" in keywords and n_parts > n_rows:
        del keywords["parts"]
        shares = np.bincount(part_of_row, minlength=n_parts) / n_rows
    return Measured(y, form, part_of_row, shares, own, kind, keywords)


MEASURED = Subject("measure", draw_measured, 40, Measured.describe)


def check_measure(name: str, measured: Measured) -> None:
    """Check a measure against its definition."""
    expected = measured.expected[name]
    assert _is_near(measured.quality.value_of(name), expected), expected


def check_bound(name: str, measured: Measured) -> None:
    """Check a bound: at most the value of this split, and of every split that there is."""
    bound = measured.quality.bound_of(name)
    assert not math.isnan(bound)
    assert bound <= measured.quality.value_of(name) + TOLERANCE
    if measured.is_tiny:
        of_any, of_sizes = measured.least
        assert bound <= (of_sizes if name in OF_SIZES else of_any)[name] + TOLERANCE


def _is_near(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-9)


def _register_measures() -> None:
    """Make a property of each measure and of each bound in the registry."""
    bounds = "evenfold.measure: No split is below the bounds."
    for measure in MEASURES:
        own = functools.partial(check_measure, measure.name)
        own.__name__ = f"{measure.name}_is_that_of_its_definition"
        MEASURED.holds()(own)
        if measure.bound is not None:
            own = functools.partial(check_bound, measure.name)
            own.__name__ = f"no_split_is_below_the_bound_of_{measure.name}"
            MEASURED.holds(bounds)(own)


_register_measures()


@MEASURED.holds()
def labels_have_their_own_values(measured: Measured) -> None:
    """LD, rLD, DCP and FLZ of each label; names of label lists leave out labels without rows."""
    per_label = measured.quality.per_label
    counts = measured.counts
    if len(per_label) < len(counts):
        counts = [own for own in counts if sum(own[0])]
    assert per_label.rows.tolist() == [sum(held) for held, _ in counts]
    shares = measured.shares.tolist()
    for number, (held, known) in enumerate(counts):
        found = per_label[number]
        lacks = held.count(0) if sum(held) else 0
        expected = (oracles.ld(held, known), oracles.rld(held, known), oracles.dcp(held, shares))
        for value, own in zip((found.ld, found.rld, found.dcp), expected, strict=True):
            assert (math.isnan(value) and math.isnan(own)) or _is_near(value, own)
        assert found.flz == lacks


@MEASURED.holds(
    "evenfold.measure: Those of LD and rLD are the exact best for the sizes of this split, label "
    "by label."
)
def bounds_of_labels_are_the_best(measured: Measured) -> None:
    """The bounds of LD and rLD of each label, without groups, over all ways to spread its rows."""
    assume(measured.group_of_row is None and len(measured.y) <= 14)
    per_label = measured.quality.per_label
    counts = [
        own for own in measured.counts if len(per_label) == measured.y.shape[1] or sum(own[0])
    ]
    assume(counts)
    for number, (held, known) in enumerate(counts):
        for name in ("ld", "rld"):
            best = oracles.best_of_label(name, sum(held), known, measured.shares.tolist())
            bound = per_label[f"{name}_bound"][number]
            assert (math.isnan(bound) and math.isnan(best)) or _is_near(bound, best)


@MEASURED.holds(
    "evenfold.measure: Those of ED and DCP are for the shares wanted, those of FZ and FLZ for the "
    "number of parts."
)
def bounds_of_shares_do_not_depend_on_the_split(measured: Measured) -> None:
    """Another split into the same parts has the same bounds of ED, DCP, FZ and FLZ."""
    assume("parts" in measured.keywords and measured.group_of_row is None)
    bound = measured.quality.bound
    other = evenfold.measure(part_of_row=measured.part_of_row[::-1], **measured.keywords).bound
    assert (bound.ed, bound.dcp, bound.fz, bound.flz) == (other.ed, other.dcp, other.fz, other.flz)
    if measured.is_tiny:
        of_any = measured.least[0]
        assert _is_near(bound.ed, of_any["ed"])
    for held, known in measured.counts:
        best = oracles.best_of_label("dcp", sum(held), known, measured.shares.tolist())
        own = evenfold.measure(
            _one_label(sum(held), len(measured.y)),
            measured.part_of_row,
            parts=measured.keywords["parts"],
            names=measured.keywords["names"],
        )
        if sum(held):
            assert _is_near(own.bound.dcp, best)


def _one_label(n_held: int, n_rows: int) -> NDArray[Any]:
    return (np.arange(n_rows) < n_held).astype(int)[:, None]


@MEASURED.holds(
    "evenfold.measure: With groups, what the largest group of a label allows is a bound too, which "
    "need not be reached."
)
def groups_raise_bounds(measured: Measured) -> None:
    """The bounds of whole groups are at least those without groups."""
    assume(measured.group_of_row is not None and not measured.has_cut_groups)
    without = evenfold.measure(
        part_of_row=measured.part_of_row, **(measured.keywords | {"groups": None})
    )
    for name in ("rld", "dcp", "flz", "fz", "rld_pairs"):
        assert measured.quality.bound_of(name) >= without.bound_of(name) - TOLERANCE, name


@MEASURED.holds("evenfold.measure: The bounds of LD and rLD consider each label alone.")
def bounds_consider_each_label_alone(measured: Measured) -> None:
    """The bounds of a label are the same if it is the only one."""
    found = measured.quality.per_label
    assume(len(found) == measured.y.shape[1])
    for number in range(len(found)):
        alone = evenfold.measure(
            part_of_row=measured.part_of_row,
            **(measured.keywords | {"y": measured.y[:, number : number + 1]}),
        ).per_label
        for name in ("ld_bound", "rld_bound"):
            assert np.array_equal(found[name][number], alone[name][0], equal_nan=True)


@MEASURED.holds(
    "evenfold.TightBound: No split into parts of these sizes is below it, and it is never below "
    "`Bound`.",
    "evenfold.measure: The tight bound of rLD considers all labels together, and every group: see "
    "`TightBound`.",
)
def tight_bound_is_between(measured: Measured) -> None:
    """Above the cheap bound, and below every split of the same sizes with the groups whole."""
    quality = measured.quality
    for name in ("rld", "rld_pairs", "rld_labelsets"):
        tight = getattr(quality.tight_bound, name)
        assert quality.bound_of(name) <= tight + 1e-12
        assert tight <= quality.value_of(name) + TOLERANCE
        if measured.is_tiny:
            assert tight <= measured.least[1][name] + TOLERANCE


@MEASURED.holds(
    "evenfold.TightBound: For parts of equal sizes without groups it is `Bound` itself."
)
def tight_bound_of_equal_parts_is_the_bound(measured: Measured) -> None:
    """Of labels, pairs and labelsets."""
    assume(measured.group_of_row is None and len(set(measured.sizes.tolist())) == 1)
    for name in ("rld", "rld_pairs", "rld_labelsets"):
        tight = getattr(measured.quality.tight_bound, name)
        assert _is_near(tight, measured.quality.bound_of(name))


@MEASURED.holds("evenfold.TightBound: Without groups, some split has the bound of `rld_labelsets`.")
def tight_bound_of_labelsets_is_reached(measured: Measured) -> None:
    """The least of all splits of these sizes."""
    assume(measured.group_of_row is None and measured.is_tiny)
    tight = measured.quality.tight_bound.rld_labelsets
    assert _is_near(tight, measured.least[1]["rld_labelsets"])


@MEASURED.holds(
    "evenfold.TightBound: Labels that are unknown in some rows have no tight bound: it is then "
    "`Bound`, and `note` says so."
)
def unknown_labels_have_the_cheap_bound(measured: Measured) -> None:
    """Unless the split is at the cheap bound already."""
    assume(measured.has_unknown and (measured.y == 1).any())
    quality = measured.quality
    assert quality.tight_bound.rld == quality.bound.rld
    assert ("unknown" in quality.tight_bound.note) == (quality.rld > quality.bound.rld + 1e-9)


@MEASURED.holds()
def excess_is_rld_over_its_bound(measured: Measured) -> None:
    """0 where both are 0, infinite where only the bound is."""
    quality = measured.quality
    rld, bound = quality.rld, quality.bound.rld
    expected = rld / bound - 1 if bound > 1e-12 else (0 if rld <= 1e-12 else math.inf)
    assert quality.excess == expected or _is_near(quality.excess, expected)


@MEASURED.holds(
    "evenfold.methods.Svd: The residual of each part in the norm 2 is in "
    "`quality.per_part.residual`; `evenfold.methods.bound_residuals` returns it in any of the "
    "norms, with RandomSplit's bounds.",
    "evenfold.methods.bound_residuals: `residual` <= `by_vector` <= `by_share`, up to rounding.",
    "evenfold.methods.bound_residuals: In the norm 1, bounds are sqrt(K) times those of the norm "
    "2; in the norm inf they are those of the norm 2.",
    "evenfold.methods.bound_residuals: Criteria that are 0 in every unit are left out.",
)
def residuals_are_below_their_bounds(measured: Measured) -> None:
    """In each norm; K counts the labels that some row holds."""
    assume(not measured.has_unknown and (measured.sizes > 0).all())
    held = measured.y[:, measured.y.sum(axis=0) > 0]
    two = bound_residuals(measured.y, measured.part_of_row)
    assert np.allclose(two.residual, measured.quality.per_part.residual, atol=1e-9)
    for norm, factor in ((1, math.sqrt(held.shape[1])), (2, 1.0), (math.inf, 1.0)):
        found = bound_residuals(measured.y, measured.part_of_row, norm=norm)
        assert (found.residual <= found.by_vector + 1e-6).all()
        assert (found.by_vector <= found.by_share + 1e-6).all()
        assert np.allclose(found.by_share, factor * two.by_share, atol=1e-6)
        assert np.allclose(found.by_vector, factor * two.by_vector, atol=1e-6)
        if held.shape[1]:
            alone = bound_residuals(held, measured.part_of_row, norm=norm)
            assert np.allclose(found.by_share, alone.by_share, atol=1e-9)

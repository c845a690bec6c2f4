"""The registry of measures: what every table, report and comparison shows, in this order.

To add a measure, write its function (in `values`, its bound in `bounds`) and add one entry to
`Measures`. Everything else is derived: attributes of `Quality` and `Bound`, columns of `per_label`,
printed tables, JSON, `compare`, the figures of `plots`, the report, and docs/reference/measures.md.
What is written by hand besides: docs/report.schema.json, which a test compares.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.choices import check_choice
from ..problem.residuals import residual as residual_of_part
from . import bounds, formulas, values
from .counts import Counts
from .measure_record import (
    Measure,
    MeasureLevel,
    Number,
    largest,
    largest_real,
    mean_of_defined,
    total,
)


def _ld(counts: Counts) -> values.Floats:
    return counts.if_held(values.label_odds_difference(counts.count, counts.size))


def _rld(counts: Counts) -> values.Floats:
    return counts.if_held(values.relative_share_difference(counts.count, counts.size))


def _parts_lacking(counts: Counts) -> values.Ints:
    return np.asarray(counts.lacks.sum(axis=0))


def _lacks_any(counts: Counts) -> NDArray[np.bool_]:
    return np.asarray(counts.lacks.any(axis=1))


class Measures(ABC):
    """Every measure as an attribute: of a `Quality` its value, of a `Bound` the least possible."""

    ed = Measure(
        "ED",
        "rows off the wanted size",
        "rows a part is off its wanted size, mean over parts",
        "sizes",
        value=lambda counts: values.size_difference(counts.n_in_part, counts.parts.shares),
        combine=mean_of_defined,
        formula=formulas.ED,
        bound=bounds.least_size_difference,
        per="part",
        needs_labels=False,
    )
    ld = Measure(
        "LD",
        "labels distribution",
        "difference of a label's odds in a part and in all rows",
        "labels",
        value=_ld,
        combine=mean_of_defined,
        formula=formulas.LD,
        bound=bounds.least_odds_difference,
        max_parts_for_bound=bounds.MAX_PARTS_FOR_LD,
        caption="The same labels by LD, which is larger for larger labels even if they are spread "
        "equally well.",
    )
    rld = Measure(
        "rLD",
        "relative LD",
        "difference of a label's share in a part and in all rows, relative to the latter",
        "labels",
        value=_rld,
        combine=mean_of_defined,
        formula=formulas.RLD,
        bound=bounds.least_relative_difference,
        has_tight_bound=True,
        caption="Each dot is a label, each ring the least its rLD could be. Rare labels cannot be "
        "spread as evenly as common ones.",
    )
    dcp = Measure(
        "DCP",
        "delta class proportion",
        "largest surplus of a label in one part, divided by the rows of the label",
        "labels",
        value=lambda counts: counts.if_held(
            values.class_proportion_excess(counts.count, counts.parts.shares)
        ),
        combine=mean_of_defined,
        formula=formulas.DCP,
        bound=bounds.least_proportion_excess,
    )
    fz = Measure(
        "FZ",
        "parts that lack a label",
        "parts that lack at least one label",
        "labels",
        value=_lacks_any,
        combine=total,
        formula=formulas.FZ,
        bound=bounds.least_lacking,
        combine_bounds=largest,
        per="part",
    )
    flz = Measure(
        "FLZ",
        "(part, label) without a row",
        "times that a part lacks a label",
        "labels",
        value=_parts_lacking,
        combine=total,
        formula=formulas.FLZ,
        bound=bounds.least_lacking,
    )
    kl = Measure(
        "KL",
        "divergence of label shares",
        "Kullback-Leibler divergence of a part's labels from those of all rows (nats)",
        "labels",
        value=lambda counts: values.divergence_of_part(counts.count[:, counts.rows > 0]),
        combine=mean_of_defined,
        formula=formulas.KL,
        per="part",
    )
    residual = Measure(
        "residual",
        "largest",
        "how much the shares of labels (or amounts) in a part differ, worst part",
        "labels",
        value=lambda counts: residual_of_part(counts.shared_out),
        combine=largest_real,
        formula=formulas.RESIDUAL,
        per="part",
        needs_labels=False,
    )
    lpd = Measure(
        "LPD",
        "LD of label pairs",
        "LD, each label pair taken as a label",
        "pairs",
        value=_ld,
        combine=mean_of_defined,
        formula=formulas.LD,
        bound=bounds.least_odds_difference,
        max_parts_for_bound=bounds.MAX_PARTS_FOR_LD,
    )
    rld_pairs = Measure(
        "rLD of pairs",
        "relative LD of label pairs",
        "rLD, each label pair taken as a label",
        "pairs",
        value=_rld,
        combine=mean_of_defined,
        formula=formulas.RLD,
        bound=bounds.least_relative_difference,
        has_tight_bound=True,
    )
    fzlp = Measure(
        "FZLP",
        "parts that lack a label pair",
        "parts that lack at least one label pair",
        "pairs",
        value=_lacks_any,
        combine=total,
        formula=formulas.FZ,
        bound=bounds.least_lacking,
        combine_bounds=largest,
        per="part",
    )
    flpz = Measure(
        "FLPZ",
        "(part, label pair) without a row",
        "times that a part lacks a label pair",
        "pairs",
        value=_parts_lacking,
        combine=total,
        formula=formulas.FLZ,
        bound=bounds.least_lacking,
    )
    labelset = Measure(
        "labelset",
        "difference of shares",
        "difference of a labelset's share in a part and in all rows",
        "labelsets",
        value=lambda counts: values.share_difference(counts.count, counts.size),
        combine=mean_of_defined,
        formula=formulas.SHARE_DIFFERENCE,
        bound=bounds.least_share_difference,
    )
    rld_labelsets = Measure(
        "rLD of labelsets",
        "relative LD of labelsets",
        "rLD, each distinct labelset taken as a label",
        "labelsets",
        value=_rld,
        combine=mean_of_defined,
        formula=formulas.RLD,
        bound=bounds.least_relative_difference,
        has_tight_bound=True,
    )

    @abstractmethod
    def _read(self, measure: Measure[Number]) -> Number:
        """Return the number of a measure."""


MEASURES: tuple[Measure[Any], ...] = tuple(
    own for own in vars(Measures).values() if isinstance(own, Measure)
)


# What every quality computes at once, prints and writes as JSON; the rest only when first read.
LABEL_LEVELS: tuple[MeasureLevel, ...] = ("sizes", "labels")
LABEL_MEASURES = tuple(measure for measure in MEASURES if measure.level in LABEL_LEVELS)

# What reports show for each label and `evenfold.plots.label_evenness` draws; rLD, by which reports
# order the labels, comes first.
MEASURES_OF_EACH_LABEL = tuple(
    sorted(
        (measure for measure in MEASURES if measure.is_mean_of_labels),
        key=lambda measure: measure is not Measures.rld,
    )
)

_MEASURE_OF_NAME = {measure.name: measure for measure in MEASURES}


def find_measure(measure: Measure[Any] | str) -> Measure[Any]:
    """Return the measure of a name; a measure is returned as it is."""
    if isinstance(measure, Measure):
        return measure
    return _MEASURE_OF_NAME[check_choice(measure, "measure", _MEASURE_OF_NAME)]

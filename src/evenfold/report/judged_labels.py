"""The labels that the verdict is about: how even they are, in all and by size class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from .._tables.table import shorten
from ..quality import Quality
from ..quality.deviations import Deviations
from ..quality.measure_record import excess_over
from ..quality.records import Records, to_plain
from ..quality.tight_bounds import bound_tightly
from .baseline import Baseline

JUDGED = "labels that can be divided"
# Steps of the search for one tight bound: about two seconds. A size class gets fewer.
MAX_TIGHT_WORK = 200_000_000
_MAX_WORK_OF_CLASS = 30_000_000
# A mean rLD at most this share above its bound is close to the best; so is, where all random splits
# are further off, one that is at most so much above it, or this share of the way to random splits.
_MAX_EXCESS_OF_CLOSE, _MAX_OVER_OF_CLOSE, _MAX_WAY_OF_CLOSE = 0.05, 0.001, 0.02
# A label is near its share in a part if it is at most so many rows, or percent, off.
_ROWS_OF_NEAR, _PERCENT_OF_NEAR = 1, 1
_MAX_FURTHEST = 5
_WIDTH_OF_LABEL = 40
_ROUNDING = 1e-9


class Judged(NamedTuple):
    """The labels that a verdict is about.

    Attributes
    ----------
    labels : ndarray of int
        Their numbers.
    can_be_divided : bool
        Whether their share of each part is at least one row. If no label's is, all are judged.
    size_classes : dict of str to ndarray
        The numbers of those of each size class, the rarest first.
    whole_classes : dict of str to ndarray
        The numbers of all labels of each size class, also those that are not judged.
    """

    labels: NDArray[np.int64]
    can_be_divided: bool
    size_classes: dict[str, NDArray[np.int64]]
    whole_classes: dict[str, NDArray[np.int64]]

    @property
    def sets(self) -> dict[str, NDArray[np.int64]]:
        """All of them and each size class, by the name that a baseline has them under."""
        if not len(self.labels):
            return {}
        whole = {name_class(name): labels for name, labels in self.whole_classes.items()}
        return {JUDGED: self.labels, **self.size_classes, **whole}


def choose_judged(quality: Quality, deviations: Deviations) -> Judged:
    """Return the labels that can be divided; all that have rows if none can.

    A label can be divided if its share of each part is at least one row and, with groups, if it is
    in enough groups for each part to have one.
    """
    per_label, sizes = quality.per_label, quality.part_counts.sizes
    share = deviations.share[sizes > 0].min(axis=0)
    chosen = (share >= 1 - _ROUNDING) & (per_label.flz_bound == 0) & (per_label.rows > 0)
    can_be_divided = bool(chosen.any())
    labels = np.flatnonzero(chosen if can_be_divided else per_label.rows > 0)
    whole = _sort_into_classes(per_label, np.flatnonzero(per_label.rows > 0))
    return Judged(labels, can_be_divided, _sort_into_classes(per_label, labels), whole)


def name_class(size_class: str) -> str:
    """Return the name that a baseline has all labels of a size class under."""
    return f"all labels of {size_class} rows"


def _sort_into_classes(
    per_label: Records, labels: NDArray[np.int64]
) -> dict[str, NDArray[np.int64]]:
    """Return the labels of each size class, the rarest first."""
    by_rows = labels[np.argsort(per_label.rows[labels], kind="stable")]
    names = dict.fromkeys(per_label.size_class[by_rows].tolist())
    return {name: labels[per_label.size_class[labels] == name] for name in names}


def summarize_judged(
    quality: Quality, deviations: Deviations, judged: Judged, baseline: Baseline
) -> dict[str, Any] | None:
    """Return how even the judged labels are; None if no label has rows."""
    if not len(judged.labels):
        return None
    off = deviations.of(judged.labels)
    near = _find_near(off)
    classes = [
        {
            "size_class": name,
            "labels": len(labels),
            "near": int(near[np.isin(judged.labels, labels)].sum()),
            **_summarize_set(quality, labels, name, baseline, _MAX_WORK_OF_CLASS),
        }
        for name, labels in judged.size_classes.items()
    ]
    return {
        "labels": len(judged.labels),
        "can_be_divided": judged.can_be_divided,
        "near": int(near.sum()),
        "within_one_row": int(_find_near(off, percent=0).sum()),
        "others_within_one_row": _count_others(quality, deviations, judged),
        **_summarize_set(quality, judged.labels, JUDGED, baseline, MAX_TIGHT_WORK),
        "size_classes": classes,
        "furthest": _list_furthest(quality, off, judged.labels, near),
    }


def is_close(own: dict[str, Any]) -> bool:
    """Return whether labels are close to the best that is possible."""
    if own["excess"] != "Infinity" and own["excess"] <= _MAX_EXCESS_OF_CLOSE:
        return True
    if not own["better_than_random"]:
        return False
    most = max(_MAX_OVER_OF_CLOSE, _MAX_WAY_OF_CLOSE * (own["random"] - own["bound"]))
    return bool(own["rld"] - own["bound"] <= most)


def _summarize_set(
    quality: Quality, labels: NDArray[np.int64], name: str, baseline: Baseline, max_work: int
) -> dict[str, Any]:
    """Return mean rLD, its bound and random splits of some labels."""
    rld = float(quality.per_label.rld[labels].mean())
    bound, note = _bound(quality, labels, rld, max_work)
    lowest, highest = baseline.range(name) or (None, None)
    return {
        "rld": rld,
        "bound": bound,
        "bound_note": note,
        "excess": to_plain(excess_over(rld, bound)),
        "random": baseline.mean(name),
        "random_lowest": lowest,
        "random_highest": highest,
        "random_quantile": baseline.quantile(name, rld),
        "better_than_random": baseline.is_below(name, rld),
        "worse_than_random": baseline.is_above(name, rld),
    }


def _bound(
    quality: Quality, labels: NDArray[np.int64], rld: float, max_work: int
) -> tuple[float, str]:
    """Return the tight bound of the mean rLD of some labels, and what is to be said of it."""
    per_label, rows = quality.per_label, quality.part_counts.rows
    cheap = float(per_label.rld_bound[labels].mean())
    if rows is None:
        return cheap, ""
    if len(labels) == int((per_label.rows > 0).sum()):
        tight = quality.find_tight_bound("rld", max_work)
        return tight.bound, tight.note
    group_of_row = None if quality.n_cut_groups else rows.group_of_row
    of_labels = rows.labels.select(labels)
    tight = bound_tightly(of_labels, rows.sizes, group_of_row, cheap, rld, max_work)
    return tight.bound, tight.note


def _find_near(off: Deviations, percent: float = _PERCENT_OF_NEAR) -> NDArray[np.bool_]:
    """Return whether each label is near its share in every part."""
    is_near = np.abs(off.rows) <= _ROWS_OF_NEAR + _ROUNDING
    return np.asarray((is_near | (np.abs(off.percent) <= percent)).all(axis=0))


def _count_others(quality: Quality, deviations: Deviations, judged: Judged) -> int:
    """Return how many of the labels that have rows, but are not judged, are within one row."""
    is_other = quality.per_label.rows > 0
    is_other[judged.labels] = False
    return int(_find_near(deviations.of(np.flatnonzero(is_other)), percent=0).sum())


def _list_furthest(
    quality: Quality, off: Deviations, labels: NDArray[np.int64], near: NDArray[np.bool_]
) -> list[dict[str, Any]]:
    """Return the labels furthest from their share, each in the part where it is furthest.

    The one with the most rows off comes first. The others are ordered as a chi-squared test weighs
    them: rows off, squared, over the share.
    """
    far = np.flatnonzero(~near)
    if not len(far):
        return []
    rows, percent = off.rows, off.percent
    weight = np.divide(rows**2, off.share, out=np.zeros(rows.shape), where=off.share > 0)
    most_rows = int(far[np.abs(rows[:, far]).max(axis=0).argmax()])
    order = far[np.argsort(-weight[:, far].max(axis=0), kind="stable")]
    chosen = [most_rows, *order[order != most_rows].tolist()][:_MAX_FURTHEST]
    lines = []
    for at in chosen:
        part = int(weight[:, at].argmax())
        own = quality.per_label[labels[at]]
        lines.append(
            {
                "label": shorten(own.label, _WIDTH_OF_LABEL),
                "rows": int(own.rows),
                "part": shorten(quality.part_counts.parts.names[part]),
                "off_rows": float(np.round(rows[part, at], 4)),
                "off_percent": float(np.round(percent[part, at], 4)),
            }
        )
    return lines

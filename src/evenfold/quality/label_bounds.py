"""The least each label's measures could be, known before any split is made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..labels.labels import Labels
from ..problem.parts import Parts, share_out
from .counts import Limits
from .groups_of_label import find_groups_of_label
from .measures import MEASURES
from .records import Records, make_records
from .size_classes import name_size_classes


def bound_labels(
    labels: Labels, parts: Parts, group_of_row: NDArray[np.int64] | None = None
) -> Records:
    """Return the bounds of each label: one record with label, rows, `rld_bound`, `flz_bound`, ….

    The sizes are those wanted, as whole numbers. Rows in which a label is unknown count as rows
    without it.

    Examples
    --------
    >>> from evenfold.problem.parts import check_parts
    >>> labels = evenfold.labels.make_labels([["a"], ["a"], ["a"], ["b"]])
    >>> bound_labels(labels, check_parts(2, 4)).flz_bound.tolist()
    [0, 1]
    """
    size = share_out(labels.n_rows, parts, np.random.default_rng(0))[:, None]
    groups = None if group_of_row is None else find_groups_of_label(labels, group_of_row)
    limits = Limits(labels.count_of_label, size, parts, labels.n_rows, groups)
    bounds = {
        measure.name: measure.bound_each(limits)
        for measure in MEASURES
        if measure.is_own_of_label and measure.bound is not None
    }
    return make_label_records(labels.names, labels.count_of_label, {}, bounds, len(parts))


def make_label_records(
    names: Sequence[Any],
    rows: NDArray[np.int64],
    own: Mapping[str, NDArray[Any]],
    own_bound: Mapping[str, NDArray[Any]],
    n_parts: int,
) -> Records:
    """Return one record per label: label, rows, own values, their bounds, and the size class."""
    of_label = [measure.name for measure in MEASURES if measure.is_own_of_label]
    values = {name: own[name] for name in of_label if name in own}
    bounds = {f"{name}_bound": own_bound[name] for name in of_label if name in own_bound}
    return make_records(
        label=_list_names(names),
        rows=rows,
        **values,
        **bounds,
        size_class=name_size_classes(rows, n_parts),
    )


def _list_names(names: Sequence[Any]) -> NDArray[Any]:
    if isinstance(names, range):
        return np.arange(len(names))
    listed = np.empty(len(names), dtype=object)
    listed[:] = list(names)
    return listed

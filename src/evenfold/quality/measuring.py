"""measure: labels and a split in, its quality out."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..exceptions import InputError
from ..labels.balances import Balance
from ..labels.labels import Labels, read_rows
from ..labels.row_values import check_groups, check_part_of_row, check_placed
from ..problem.combinations import Combinations
from ..problem.parts import Parts, check_parts
from ..problem.residuals import residual
from ..quality import bounds
from ..quality import measures as values
from .label_bounds import bound_each_label, name_each
from .placement import Placement
from .quality import Bound, Quality
from .records import Records, make_records


def measure(
    y: Any,
    part_of_row: Any,
    parts: Any = None,
    groups: Any = None,
    balance: Any = None,
    *,
    names: Sequence[str] | None = None,
) -> Quality:
    """Measure any split, whoever made it.

    Parameters
    ----------
    y : the labels, in any form `split` takes
    part_of_row : (n_rows,) number of each row's part, from 0, or its name
    parts : the sizes that were wanted, as for `split`; None: the sizes as they are, of the parts that have rows
    groups : (n_rows,) the groups that had to stay whole; the bounds then allow for them
    balance : what was to be even besides labels, as for `split`; with y=None, alone
    names : sequence of str, default=None
        The names of the parts that `part_of_row` numbers. A part that is named here is measured even if it has no rows.

    Notes
    -----
    The bounds of LD, rLD and FLZ are the exact best for the sizes of this split, label by label, those of ED and DCP for the shares
    wanted; no split is below them. With groups, what a label's largest group allows is a bound too; it need not be reached.

    Examples
    --------
    >>> quality = evenfold.measure([["a"], ["a"], ["a", "b"], ["b"]], ["train", "test", "train", "test"])
    >>> quality.flz, quality.dcp
    (0, 0.0833...)
    """
    labels, columns = read_rows(y, balance, "y")
    if names is None:
        numbers, names = check_part_of_row(part_of_row, labels.n_rows)
    else:
        numbers = check_placed(part_of_row, labels.n_rows, names, "part_of_row", free=False)
    wanted, numbers = match_parts(parts, numbers, names, labels.n_rows)
    return measure_labels(
        labels,
        numbers,
        wanted,
        None if groups is None else check_groups(groups, labels.n_rows),
        columns,
    )


def measure_labels(
    labels: Labels,
    part_of_row: NDArray[np.int32],
    parts: Parts,
    group_of_row: NDArray[np.int64] | None,
    balance: Sequence[Balance] = (),
    combinations: Combinations | None = None,
) -> Quality:
    """Measure a split of canonical labels into known parts.

    `combinations` of the labels, where several splits are measured; without them they are laid out when first asked for.
    """
    n_parts = len(parts)
    placement = Placement(labels, part_of_row, parts, group_of_row, balance)
    n_in_part = placement.sizes
    count = placement.count_labels()
    size = placement.count_known()
    rows = count.sum(axis=0)
    n_cut = 0 if group_of_row is None else _count_cut_groups(group_of_row, part_of_row, n_parts)
    if n_cut:
        # What groups allow does not bind a split that cuts them.
        group_of_row = None
    per_label = _measure_each_label(labels, count, size, parts, group_of_row)
    held = rows > 0
    kl, kl_of_all = values.label_mass_divergence(count[:, held])
    amount = np.array(
        [
            np.bincount(part_of_row, column.amount, minlength=n_parts)
            for column in balance
            if column.amount is not None
        ]
    )
    # The residual is of the labels; where there are none, of the amounts that were balanced instead.
    residuals = residual(
        count[:, held] if held.any() or not len(amount) else amount.T[:, amount.sum(axis=1) > 0]
    )
    lacks = (count == 0) & held
    per_part = make_records(
        part=np.array(parts.names, dtype=object),
        rows=n_in_part,
        wanted=labels.n_rows * parts.shares,
        flz=lacks.sum(axis=1),
        kl=kl,
        kl_of_all=kl_of_all,
        residual=residuals,
    )
    second = _SecondOrder(combinations or Combinations(labels), part_of_row, parts, group_of_row)
    return Quality(
        ed=values.examples_distribution(n_in_part, parts.shares),
        ld=_mean(per_label.ld),
        rld=_mean(per_label.rld),
        dcp=_mean(per_label.dcp),
        fz=int(lacks.any(axis=1).sum()),
        flz=int(lacks.sum()),
        kl=_mean(kl),
        residual=float(residuals.max()),
        bound=Bound(
            ed=bounds.bound_sizes(labels.n_rows, parts.weights),
            ld=_mean(per_label.ld_bound) if n_parts <= bounds.MOST_PARTS_FOR_LD else np.nan,
            rld=_mean(per_label.rld_bound),
            dcp=_mean(per_label.dcp_bound),
            fz=int(per_label.flz_bound.max(initial=0)),
            flz=int(per_label.flz_bound.sum()),
            _second=second,
        ),
        per_label=per_label,
        per_part=per_part,
        per_balance=_measure_each_balance(balance, part_of_row, n_in_part),
        n_cut_groups=n_cut,
        placement=placement,
        _second=second,
    )


def _count_cut_groups(
    group_of_row: NDArray[np.int64], part_of_row: NDArray[np.int32], n_parts: int
) -> int:
    group_of_piece = np.unique(group_of_row * n_parts + part_of_row) // n_parts
    return int((np.bincount(group_of_piece) > 1).sum())


class _SecondOrder:
    """Pairs and labelsets, measured when first asked for: each is a label of its own, and goes the same way."""

    def __init__(self, combinations: Combinations, *split: Any) -> None:
        self.combinations, self._split = combinations, split

    @functools.cached_property
    def pairs(self) -> Quality:
        return measure_labels(self.combinations.pairs.labels, *self._split)

    @functools.cached_property
    def labelsets(self) -> Quality:
        return measure_labels(self.combinations.labelsets, *self._split)


def _measure_each_balance(
    balance: Sequence[Balance], part_of_row: NDArray[np.int32], n_in_part: NDArray[np.int64]
) -> Records:
    """Return how even each balanced category, bin and total is: mean over parts of |share - share in all| / share in all."""
    names, evenness = [], []
    size = n_in_part[:, None]
    for column in balance:
        if column.code is not None:
            n_values = int(column.code.max()) + 1
            count = np.bincount(
                part_of_row.astype(np.int64) * n_values + column.code,
                minlength=len(size) * n_values,
            ).reshape(len(size), n_values)
            held = count.sum(axis=0) > 0
            names.append(f"{column.name}: {'bins' if column.amount is not None else 'categories'}")
            evenness.append(float(values.relative_share_difference(count[:, held], size).mean()))
        if column.amount is not None and column.amount.any():
            total = np.bincount(part_of_row, column.amount, minlength=len(size))[:, None]
            names.append(f"{column.name}: total" if column.code is not None else column.name)
            evenness.append(float(values.relative_share_difference(total, size)[0]))
    return make_records(
        criterion=np.array(names, dtype=object), rld=np.array(evenness, dtype=np.float64)
    )


def _measure_each_label(
    labels: Labels,
    count: values.Ints,
    size: values.Ints,
    parts: Parts,
    group_of_row: NDArray[np.int64] | None,
) -> Records:
    rows = count.sum(axis=0)
    measured: dict[str, NDArray[Any]] = {
        "ld": values.label_odds_difference(count, size),
        "rld": values.relative_share_difference(count, size),
        "dcp": values.class_proportion_excess(count, parts.shares),
    }
    measured = {name: np.where(rows > 0, column, np.nan) for name, column in measured.items()}
    bound = bound_each_label(labels, rows, size, parts, group_of_row)
    flz_bound = bound.pop("flz_bound")
    flz = np.where(rows > 0, (count == 0).sum(axis=0), 0)
    return make_records(
        label=name_each(labels), rows=rows, **measured, **bound, flz=flz, flz_bound=flz_bound
    )


def match_parts(
    parts: Any, part_of_row: NDArray[np.int32], names: Sequence[str] | None, n_rows: int
) -> tuple[Parts, NDArray[np.int32]]:
    """Return the wanted parts, and the number that each row's part has among them."""
    if parts is None and names is not None:
        # A part that is named is there, even without rows.
        return Parts(np.bincount(part_of_row, minlength=len(names)), tuple(names)), part_of_row
    if parts is None:
        found, numbers = np.unique(part_of_row, return_inverse=True)
        return Parts(
            np.bincount(numbers), tuple(f"part{number}" for number in found)
        ), numbers.astype(np.int32)
    wanted = check_parts(parts, n_rows)
    if names is None:
        n_found = int(part_of_row.max()) + 1
        if n_found > len(wanted):
            raise InputError(
                f"must name as many parts as there are, got {len(wanted)} for a split into {n_found}. Add the parts it lacks.",
                parameter="parts",
            )
        return wanted, part_of_row
    if set(names) <= set(wanted.names):
        return wanted, np.array([wanted.names.index(name) for name in names], np.int32)[part_of_row]
    if (
        not isinstance(parts, Mapping)
        and len(names) == len(wanted)
        and (wanted.weights == wanted.weights[0]).all()
    ):
        return Parts(wanted.weights, tuple(names)), part_of_row
    raise InputError(
        f"must say which part wants which share, got sizes for {', '.join(wanted.names[:5])} and rows in {', '.join(names[:5])}. "
        "Name the part of each size.",
        parameter="parts",
    )


def _mean(per_item: NDArray[np.float64]) -> float:
    """Average over what is defined; with nothing to spread, nothing is uneven."""
    defined = per_item[~np.isnan(per_item)]
    return float(defined.mean()) if len(defined) else 0.0

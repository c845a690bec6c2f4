"""Measuring: labels and a split in, its quality out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from .._checks.choices import check_choice
from ..exceptions import InputError
from ..labels.balances import Balance
from ..labels.labels import Labels, read_rows
from ..labels.row_values import check_part_of_row, check_placed
from ..links.group_columns import read_groups
from ..problem.combinations import Combinations
from ..problem.parts import Parts, check_names, check_parts
from . import values
from .balance import measure_balance
from .counted_split import CountedSplit
from .evaluations import Evaluations
from .groups_of_label import GroupsOfLabel
from .label_bounds import make_label_records
from .least_values import Bound
from .part_counts import PartCounts
from .placement import Placement
from .quality import Quality
from .records import make_records


def measure(
    y: Any,
    part_of_row: Any,
    parts: Any = None,
    groups: Any = None,
    balance: Any = None,
    *,
    names: Sequence[str] | None = None,
    bound: Literal["cheap", "tight"] = "cheap",
) -> Quality:
    """Measure how even a split is, whatever tool made it.

    Parameters
    ----------
    y : array, frame or list
        The labels, in any form that `split` takes.
    part_of_row : (n_rows,) array of int or str
        The number of each row's part, from 0, or its name.
    parts : int, sequence or mapping, default=None
        The sizes that were wanted, as for `split`. None: the sizes as they are, of the parts that
        have rows.
    groups : Links, (n_rows,) array, mapping or frame, default=None
        The groups, as for `split`, that had to stay whole; the bounds then allow for them.
    balance : mapping, frame or array, default=None
        What was to be even besides labels, as for `split`. With `y=None` it is measured alone.
    names : sequence of str, default=None
        The names of the parts that `part_of_row` numbers. A part that is named here is measured
        even if it has no rows.
    bound : {"cheap", "tight"}, default="cheap"
        "tight" also computes and shows a higher bound of rLD, `tight_bound`, which takes up to some
        seconds. `bound` and `excess` stay the same.

    Returns
    -------
    Quality
        The measures and their bounds.

    Notes
    -----
    No split is below the bounds. Those of LD and rLD are the exact best for the sizes of this
    split, label by label. Those of ED and DCP are for the shares wanted, those of FZ and FLZ for
    the number of parts. With groups, what the largest group of a label allows is a bound too, which
    need not be reached.

    The bounds of LD and rLD consider each label alone. The tight bound of rLD considers all labels
    together, and every group: see `TightBound`.

    Examples
    --------
    >>> labels = [["a"], ["a"], ["a", "b"], ["b"]]
    >>> quality = evenfold.measure(labels, ["train", "test", "train", "test"])
    >>> quality.flz, quality.dcp
    (0, 0.0833...)
    """
    check_choice(bound, "bound", ("cheap", "tight"))
    labels, columns = read_rows(y, balance, "y")
    if names is None:
        numbers, names = check_part_of_row(part_of_row, labels.n_rows)
    else:
        names = check_names(names, len(names) if hasattr(names, "__len__") else 0)
        numbers = check_placed(part_of_row, labels.n_rows, names, "part_of_row", free=False)
    wanted, numbers = match_parts(parts, numbers, names, labels.n_rows)
    group_of_row = None if groups is None else read_groups(groups, labels.n_rows).group_of_row
    quality = measure_labels(labels, numbers, wanted, group_of_row, columns)
    return quality.with_tight_bound() if bound == "tight" else quality


def measure_labels(
    labels: Labels,
    part_of_row: NDArray[np.int32],
    parts: Parts,
    group_of_row: NDArray[np.int64] | None,
    balance: Sequence[Balance] = (),
    combinations: Combinations | None = None,
) -> Quality:
    """Measure a split of checked labels into known parts.

    `combinations` are those of the labels, for callers that measure several splits of them.
    """
    placement = Placement(labels, part_of_row, parts, group_of_row, balance)
    return _measure_parts(placement, combinations or Combinations(labels))


def measure_counts(
    names: Sequence[Any],
    counts: Any,
    sizes: Any,
    parts: Parts,
    groups: GroupsOfLabel | None = None,
    n_groups_of_part: Any = None,
) -> Quality:
    """Measure a split of which only the rows of each label in each part are known.

    Parameters
    ----------
    names : sequence of str or int
        The name of each label.
    counts : (n_parts, n_labels) array of int
        Rows of each label in each part.
    sizes : (n_parts,) array of int
        Rows of each part.
    parts : Parts
        Names and wanted shares of the parts.
    groups : GroupsOfLabel, default=None
        How the rows of each label lie in groups, all of which are whole; the bounds then allow for
        them.
    n_groups_of_part : (n_parts,) array of int, default=None
        Groups in each part; None: no groups, or not known.

    Returns
    -------
    Quality
        The same numbers as those of `measure`. What needs single rows, such as the measures of
        label pairs and labelsets, is an `InputError` when it is read.

    Raises
    ------
    InputError
        If the arrays do not fit together, or a part has more rows of a label than rows.

    Examples
    --------
    >>> from evenfold.problem.parts import check_parts
    >>> quality = measure_counts(["a", "b"], [[2, 1], [1, 1]], [2, 2], check_parts(2, 4))
    >>> quality.rld, quality.excess
    (0.1666..., 0.0)
    """
    size = _check_counts(sizes, (len(parts),), "sizes")
    count = _check_counts(counts, (len(parts), len(names)), "counts")
    if (count > size[:, None]).any():
        part, label = np.argwhere(count > size[:, None])[0]
        raise InputError(
            f"must be at most the rows of the part, got {count[part, label]:,} of "
            f"{names[label]!r} in {parts.names[part]}, which has {size[part]:,} rows.",
            parameter="counts",
        )
    in_part = n_groups_of_part
    if in_part is not None:
        in_part = _check_counts(in_part, (len(parts),), "n_groups_of_part")
    if groups is not None:
        groups = GroupsOfLabel(*(_check_counts(own, (len(names),), "groups") for own in groups))
    return _measure_parts(CountedSplit(names, count, size, parts, groups, in_part), None)


def _check_counts(counts: Any, shape: tuple[int, ...], parameter: str) -> NDArray[np.int64]:
    given = np.asarray(counts)
    if given.size and given.dtype.kind not in "iu":
        raise InputError(f"must be whole numbers, got {given.dtype}.", parameter=parameter)
    # Sums are added up in the order of the array in memory.
    checked = np.ascontiguousarray(given, dtype=np.int64)
    if checked.shape != shape or (checked < 0).any():
        found = f"{checked.min():,}" if checked.shape == shape else f"the shape {checked.shape}"
        raise InputError(
            f"must be counts from 0 of the shape {shape}, got {found}.", parameter=parameter
        )
    return checked


def _measure_parts(part_counts: PartCounts, combinations: Combinations | None) -> Quality:
    parts, groups = part_counts.parts, part_counts.count_groups()
    n_cut = 0 if groups is None else groups.n_cut
    # What groups allow is no limit to a split that cuts them.
    evaluations = Evaluations(part_counts, combinations, n_cut == 0)
    counts, evaluation = evaluations.evaluate_labels()
    of_groups = {}
    if groups is not None:
        of_groups = {"groups": groups.in_part, "groups_wanted": groups.number * parts.shares}
    per_part = make_records(
        part=np.array(parts.names, dtype=object),
        rows=counts.n_in_part,
        wanted=counts.n_in_part.sum() * parts.shares,
        flz=counts.lacks.sum(axis=1),
        kl=evaluation.own["kl"],
        kl_of_all=values.divergence_of_all(counts.count[:, counts.rows > 0]),
        residual=evaluation.own["residual"],
        **of_groups,
    )
    names, own_bound = part_counts.label_names, evaluation.own_bound
    return Quality(
        Bound(evaluations),
        make_label_records(names, counts.rows, evaluation.own, own_bound, len(parts)),
        per_part,
        measure_balance(part_counts),
        n_cut,
        part_counts,
        evaluations,
    )


def match_parts(
    parts: Any, part_of_row: NDArray[np.int32], names: Sequence[str] | None, n_rows: int
) -> tuple[Parts, NDArray[np.int32]]:
    """Return the wanted parts, and the number that each row's part has among them."""
    if parts is None and names is not None:
        # A named part exists even if it has no rows.
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
                f"must name as many parts as there are, got {len(wanted)} for a split into "
                f"{n_found}. Add the parts it lacks.",
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
        f"must say which part wants which share, got sizes for {', '.join(wanted.names[:5])} "
        f"and rows in {', '.join(names[:5])}. Name the part of each size.",
        parameter="parts",
    )

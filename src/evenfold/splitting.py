"""Split, and split() which makes one."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._input import check_groups, make_rng
from ._table import Table, shorten
from .criteria import make_criteria
from .exceptions import InputError
from .labels import Labels, make_labels
from .measures import Quality, measure_labels
from .methods import Method, find_method
from .parts import Parts, check_parts
from .problem import make_problem

_N_WORST = 5
_MOST_PARTS_SHOWN = 8


class Split:
    """Rows cut into parts, with what is needed to judge the cut. Made by `evenfold.split`.

    Attributes
    ----------
    part_of_row : (n_rows,) int32, the number of each row's part
    names : the names of the parts
    method : the name of the method that made it

    Examples
    --------
    >>> s = evenfold.split([["a"], ["a", "b"], ["b"], ["a"], ["b"], []], parts=[0.5, 0.5])
    >>> len(s), s.names, s.sizes.tolist()
    (2, ('train', 'test'), [3, 3])
    >>> sorted([*s["train"].tolist(), *s["test"].tolist()])
    [0, 1, 2, 3, 4, 5]
    """

    def __init__(self, part_of_row: NDArray[np.int32], parts: Parts, labels: Labels, group_of_row: NDArray[np.int64] | None, method: str) -> None:
        self.part_of_row = part_of_row
        self.names = parts.names
        self.method = method
        self._parts = parts
        self._labels = labels
        self._group_of_row = group_of_row

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_parts,) rows in each part."""
        return np.bincount(self.part_of_row, minlength=len(self.names))

    @functools.cached_property
    def quality(self) -> Quality:
        """How even the split is, beside how even it could be."""
        return measure_labels(self._labels, self.part_of_row, self._parts, self._group_of_row)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, part: str | int) -> NDArray[np.int64]:
        """Return the row indices of a part, by name or number, sorted."""
        if isinstance(part, str):
            if part not in self.names:
                raise KeyError(f"{part!r} is not a part of this split. Parts: {', '.join(self.names[:5])}{', …' if len(self) > 5 else ''}")
            part = self.names.index(part)
        if not -len(self) <= part < len(self):
            raise IndexError(f"part {part} of a split into {len(self)}")
        return np.flatnonzero(self.part_of_row == part % len(self))

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        return (self[number] for number in range(len(self)))

    def folds(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield (train, test) row indices, each part being the test rows once; fits scikit-learn's `cv=`."""
        for number in range(len(self)):
            yield np.flatnonzero(self.part_of_row != number), np.flatnonzero(self.part_of_row == number)

    def _worst_labels(self) -> Table:
        """Show the labels furthest above their own bound, in rows per part."""
        quality = self.quality
        over = np.nan_to_num(quality.per_label.rld - quality.per_label.rld_bound)
        worst = [label for label in np.argsort(-over, kind="stable")[:_N_WORST] if over[label] > 1e-12]
        csr = self._labels.to_csr()[:, worst].tocsc()
        rows = []
        for at, label in enumerate(worst):
            holders = csr.indices[csr.indptr[at] : csr.indptr[at + 1]]
            counts = np.bincount(self.part_of_row[holders], minlength=len(self))
            shown = " ".join(map(str, counts[:_MOST_PARTS_SHOWN])) + (" …" if len(self) > _MOST_PARTS_SHOWN else "")
            record = quality.per_label[label]
            rows.append([shorten(record.label), f"{record.rows:,}", f"{record.rld:.4f}", f"{record.rld_bound:.4f}", shown])
        return Table(["least even labels", "rows", "rLD", "bound", "rows in each part"], rows)

    def _title(self) -> str:
        grouped = "" if self._group_of_row is None else f" in {self._group_of_row.max() + 1:,} groups"
        return f"{len(self)} parts of {len(self.part_of_row):,} rows{grouped}, {self._labels.n_labels:,} labels, method {self.method}"

    def __str__(self) -> str:
        worst = self._worst_labels()
        return "\n\n".join([self._title(), str(self.quality), *([worst.to_text()] if worst.rows else [])])

    def __repr__(self) -> str:
        sizes = ", ".join(f"{name}: {size:,}" for name, size in zip(self.names[:5], self.sizes, strict=False))
        return f"<Split {sizes}{', …' if len(self) > 5 else ''}; method {self.method}>"

    def _repr_html_(self) -> str:
        from html import escape

        worst = self._worst_labels()
        return f"<p>{escape(self._title())}</p>{self.quality._repr_html_()}{worst.to_html() if worst.rows else ''}"


def split(
    y: Any,
    parts: int | Sequence[float] = 5,
    *,
    names: Sequence[str] | None = None,
    groups: Any = None,
    method: str | Method = "iterative",
    random_state: int | np.random.Generator | np.random.RandomState | None = 0,
) -> Split:
    """Cut rows that carry several labels each into parts in which every label has its fair share.

    Parameters
    ----------
    y : the labels: 0/1 array or nested list, SciPy sparse matrix, list of label lists or sets, 1-D classes,
        pandas, polars or Arrow frame, column of lists
    parts : a number of equal folds, fractions that sum to 1, or whole numbers that sum to the rows
    names : one name per part; default train/test, train/val/test, or fold0, fold1, …
    groups : (n_rows,) rows of one group stay together
    method : "iterative", "labelset", "random", or an object of `evenfold.methods`
    random_state : the same number gives the same split; None draws afresh

    Notes
    -----
    Every row is in exactly one part.
    Groups are never cut.
    The same labels give the same split in whatever form they come, and the input is not modified.
    Where rows do not divide evenly, the parts that get a row more are drawn, not always the first.

    Examples
    --------
    >>> genres = [["drama"], ["drama", "crime"], ["crime"], ["comedy"], ["comedy", "drama"], ["drama"], ["comedy"], []] * 5
    >>> s = evenfold.split(genres, parts=[0.8, 0.2])
    >>> s.names, s.quality.flz
    (('train', 'test'), 0)
    >>> evenfold.split(genres, parts=[0.8, 0.2], method="labelset").sizes.tolist()
    [32, 8]
    """
    labels = make_labels(y)
    wanted = check_parts(parts, labels.n_rows, names)
    group_of_row = None if groups is None else check_groups(groups, labels.n_rows)
    chosen = find_method(method)
    rng = make_rng(random_state)
    problem = make_problem(make_criteria(labels), wanted, group_of_row, rng)
    part_of_unit = chosen.place(problem, rng)
    _check_placed(part_of_unit, problem.n_units, problem.n_parts, chosen)
    part_of_row = part_of_unit if group_of_row is None else part_of_unit[group_of_row]
    return Split(part_of_row, wanted, labels, group_of_row, chosen.name)


def _check_placed(part_of_unit: Any, n_units: int, n_parts: int, method: Method) -> None:
    """Catch a method of the user's own that breaks its contract, before its result is taken for a split."""
    good = isinstance(part_of_unit, np.ndarray) and part_of_unit.shape == (n_units,) and part_of_unit.dtype.kind == "i"
    if not good or part_of_unit.min() < 0 or part_of_unit.max() >= n_parts:
        raise InputError(f"'method' must return a part from 0 to {n_parts - 1} for each of the {n_units:,} units, which {method.name!r} did not.")

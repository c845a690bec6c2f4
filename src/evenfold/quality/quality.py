"""Quality: the measures of one split and their bounds."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from os import PathLike
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from .._tables.table import Table
from .evaluations import Evaluations
from .least_values import Bound, TightBound
from .measure_record import Measure, MeasureLevel, Number, excess_over
from .measures import Measures, find_measure
from .part_counts import PartCounts, take_rows
from .placement import Placement
from .printing import make_remarks, make_tables
from .records import Records, list_records, to_plain
from .size_classes import measure_size_classes

if TYPE_CHECKING:
    from .tight_bounds import TightRecord


@dataclass(frozen=True, eq=False, repr=False)
class Quality(Measures):
    """How even a split is; smaller is better for every measure.

    Every measure is an attribute, such as `quality.rld`; `Quality.rld.meaning` says what it
    measures, and docs/reference/measures.md lists all. Those of label pairs and labelsets
    (`rld_pairs`, `rld_labelsets` and others) are computed when first read.

    Attributes
    ----------
    bound : Bound
        The least each measure could be.
    tight_bound : TightBound
        A higher bound of rLD. It takes longer, and is computed when first read.
    per_label : Records
        A frame with one record per label: label, rows, ld, rld, dcp, flz, the bound of each
        (`rld_bound`), and size_class, such as "10-49" rows; NaN where undefined.
    per_part : Records
        One record per part: part, rows, wanted, flz, kl, kl_of_all, residual; with groups also
        groups and groups_wanted, the part's share of all groups.
    per_balance : Records
        One record for the categories, the bins and the total of each balanced column: criterion,
        rld.
    n_cut_groups : int
        Groups that are in more than one part.
    part_counts : PartCounts
        What each part has. It is a `Placement`, or a `CountedSplit` if only counts are known.
    shows_tight_bound : bool
        Whether `print`, `tables` and `to_dict` show the tight bound too.

    Examples
    --------
    >>> quality = evenfold.measure([["a"], ["a"], ["a", "b"], ["b"]], [0, 1, 0, 1])
    >>> quality.rld, quality.bound.rld, quality.excess
    (0.1666..., 0.1666..., 0.0)
    """

    bound: Bound
    per_label: Records
    per_part: Records
    per_balance: Records
    n_cut_groups: int
    part_counts: PartCounts
    _evaluations: Evaluations
    shows_tight_bound: bool = False

    def _read(self, measure: Measure[Number]) -> Number:
        return cast("Number", self.value_of(measure))

    def value_of(self, measure: Measure[Any] | str) -> float:
        """Return the value of a measure.

        Parameters
        ----------
        measure : Measure or str
            The measure or its name, such as `Quality.rld` or "rld".

        Returns
        -------
        float
            Its value for this split.
        """
        measure = find_measure(measure)
        return self._evaluations.find(measure.level).value[measure.name]

    def bound_of(self, measure: Measure[Any] | str) -> float:
        """Return the bound of a measure.

        Parameters
        ----------
        measure : Measure or str
            The measure or its name, such as `Quality.rld` or "rld".

        Returns
        -------
        float
            The least value that any split could have; NaN if no bound is known.
        """
        measure = find_measure(measure)
        return self._evaluations.find(measure.level).bound.get(measure.name, math.nan)

    def find_tight_bound(
        self, measure: Measure[Any] | str, max_work: int | None = None
    ) -> TightRecord:
        """Return the tight bound of a measure that has one, and what it took.

        Parameters
        ----------
        measure : Measure or str
            The measure or its name: "rld", "rld_pairs" or "rld_labelsets".
        max_work : int, default=None
            A limit of the steps of all loops; a hundred million take about a second. The bound is
            then lower, but valid.

        Returns
        -------
        TightRecord
            The bound, the seconds that it took, and a note.
        """
        return self._evaluations.find_tight(find_measure(measure), max_work)

    @property
    def placement(self) -> Placement:
        """The rows that are measured, and the part of each."""
        return take_rows(self.part_counts)

    @property
    def excess(self) -> float:
        """Return rLD over its bound, minus 1: 0 means that no split can be more even."""
        return excess_over(self.rld, self.bound.rld)

    @property
    def per_size_class(self) -> Records:
        """Labels by their number of rows: one record per size class, the rarest labels first.

        The first class has the labels with fewer rows than parts, which some part must lack. Each
        record has size_class, labels (how many), ld, rld, dcp, flz, the bound of each, excess (rLD
        over its bound, minus 1) and largest_rld. Means and sums are over the labels of the class.

        Examples
        --------
        >>> y = [["a"], ["a"], ["a", "b"], ["a"]]
        >>> quality = evenfold.measure(y, [0, 1, 0, 1])
        >>> for own in quality.per_size_class:
        ...     print(own.size_class, own.labels, own.rld, own.rld_bound)
        1 1 1.0 1.0
        2-9 1 0.0 0.0
        """
        return measure_size_classes(self.per_label, len(self.per_part))

    @property
    def tight_bound(self) -> TightBound:
        """A higher bound of rLD, computed when first read."""
        return TightBound(self._evaluations)

    @property
    def tight_excess(self) -> float:
        """Return rLD over its tight bound, minus 1: 0 means that no split can be more even."""
        return excess_over(self.rld, self.tight_bound.rld)

    @property
    def left_out(self) -> str:
        """What was left out of the label pairs to stay within memory; empty if nothing."""
        return self._evaluations.take_combinations().pairs.left_out

    def with_tight_bound(self) -> Quality:
        """Compute the tight bound of rLD.

        Returns
        -------
        Quality
            The same quality, which shows the tight bound wherever it is printed or written.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, [0.7, 0.3])
        >>> s.quality.with_tight_bound().to_dict()["tight_excess"]
        0.0
        """
        self._evaluations.find_tight(Measures.rld)
        return replace(self, shows_tight_bound=True)

    def measure_other(self, part_of_row: NDArray[np.int32]) -> Quality:
        """Measure another split of the same rows into the same parts.

        Parameters
        ----------
        part_of_row : (n_rows,) array of int
            The number of each row's part.

        Returns
        -------
        Quality
            The quality of that split.
        """
        from .measuring import measure_labels

        own = self.placement
        return measure_labels(
            own.labels,
            part_of_row,
            own.parts,
            own.group_of_row,
            own.balance,
            self._evaluations.combinations,
        )

    def own_values_of_other(
        self, part_of_row: NDArray[np.int32], levels: tuple[MeasureLevel, ...]
    ) -> Mapping[str, NDArray[Any]]:
        """Measure another split of the same rows into the same parts, without bounds.

        Parameters
        ----------
        part_of_row : (n_rows,) array of int
            The number of each row's part.
        levels : tuple of {"sizes", "labels", "pairs", "labelsets"}
            "sizes" and "labels", or one of the others alone.

        Returns
        -------
        mapping of str to ndarray
            The own values of each label, pair, labelset or part, by the name of the measure.
        """
        return self._evaluations.evaluate_other(part_of_row, levels)

    def to_dict(self) -> dict[str, Any]:
        """Return plain numbers, strings and lists, fit for JSON.

        Returns
        -------
        dict
            The measures of sizes and labels, `excess`, `bound`, `per_label`, `per_part`,
            `per_balance` and `per_size_class`; with `measure(bound="tight")` also `tight_bound`,
            which has `rld`, `seconds` and `note`, and `tight_excess`. Undefined is None, infinite
            the string "Infinity".
        """
        of_labels = self._evaluations.find("labels")
        tight = self.tight_bound
        shown = (
            {
                "tight_excess": to_plain(self.tight_excess),
                "tight_bound": {"rld": tight.rld, "seconds": tight.seconds, "note": tight.note},
            }
            if self.shows_tight_bound
            else {}
        )
        return {
            **{name: to_plain(value) for name, value in of_labels.value.items()},
            "excess": to_plain(self.excess),
            "bound": {name: to_plain(bound) for name, bound in of_labels.bound.items()},
            **shown,
            "per_label": list_records(self.per_label),
            "per_part": list_records(self.per_part),
            "per_balance": list_records(self.per_balance),
            "per_size_class": list_records(self.per_size_class),
        }

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        call: str | None = None,
        notes: Sequence[str] = (),
        certificate: Any = None,
        date: str | datetime.date | None = None,
    ) -> None:
        """Write a report by which a person can judge the split.

        Parameters
        ----------
        path : str or path
            Where to write; ends in .html (one page that needs no other file), .md or .json.
        title : str, default=None
            The title of the report. None: the number of rows and parts.
        call : str, default=None
            The call or command that made the split, to be shown.
        notes : sequence of str, default=()
            Sentences to show beside the verdict.
        certificate : Certificate, default=None
            What was checked for leaks, from `evenfold.check`.
        date : str or date, default=None
            The date to show, such as "2025-03-31" or "today". None: no date.

        Examples
        --------
        >>> quality = evenfold.measure([["a"], ["a"], ["a", "b"], ["b"]], [0, 1, 0, 1])
        >>> quality.report(tmp_path / "report.html")
        """
        from ..report import write_report

        call = call or "evenfold.measure(y, part_of_row)"
        write_report(path, self, call, title=title, notes=notes, certificate=certificate, date=date)

    def tables(self) -> list[Table]:
        """Return the tables that `print` and notebooks show.

        Returns
        -------
        list of Table
            The parts, the measures, labels by their number of rows if they differ in it, and
            the balanced columns if there are any.
        """
        return make_tables(self)

    def remarks(self) -> list[str]:
        """Return sentences on what the numbers mean for this split.

        Returns
        -------
        list of str
            The sentences; none if there is nothing to say.
        """
        return make_remarks(self)

    def __str__(self) -> str:
        remarks = self.remarks()
        blocks = [table.to_text() for table in self.tables()]
        return "\n\n".join([*blocks, *(["\n".join(remarks)] if remarks else [])])

    def __repr__(self) -> str:
        return (
            f"Quality(ed={self.ed:.4g}, rld={self.rld:.4g}, bound.rld={self.bound.rld:.4g}, "
            f"excess={self.excess:.4g})"
        )

    def _repr_html_(self) -> str:
        tables = "".join(table.to_html() for table in self.tables())
        return tables + "".join(f"<p>{escape(remark)}</p>" for remark in self.remarks())

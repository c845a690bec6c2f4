"""Split: rows cut into parts, with what is needed to judge the cut and to make it again."""

from __future__ import annotations

import functools
import textwrap
from collections.abc import Iterator, Sequence
from html import escape
from os import PathLike
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_some
from .._tables.frames import Backend
from .._tables.numbers import show_count
from .._tables.table import Table, shorten
from ..exceptions import InputError
from ..labels.balances import Balance
from ..labels.fingerprints import make_fingerprint
from ..labels.labels import Labels
from ..links.group_columns import Groups, read_id_column
from ..links.remarks import describe_groups
from ..problem.parts import Parts
from ..quality import Quality, measure_labels
from ..quality.deviations import count_over_bound, rank_labels
from .certificate import Certificate, certify, list_not_checked
from .comparison import Comparison
from .origin import Origin
from .part_rows import find_part, make_dataset_dict, make_part_frame
from .placed import Placed

_WIDTH = 80
_N_WORST = 5
_COLUMNS_OF_COUNTS = 24
_MAX_NAMES_SHOWN = 5


class Split:
    """Rows cut into parts. Made by `evenfold.split`, read by `evenfold.load_split`.

    Two splits are equal if every row is in the same part and the parts have the same names.

    Parameters
    ----------
    part_of_row : ndarray of int32, shape (n_rows,)
        The number of each row's part.
    parts : Parts
        The names of the parts and the shares wanted.
    origin : Origin
        How the split was made.
    labels : Labels, default=None
        The labels of the rows. Without them the split cannot be measured.
    groups : Groups, default=None
        Which rows stay together.
    balance : sequence of Balance, default=()
        The columns that were kept even besides labels.
    n_folds : int, default=None
        The number of parts that are folds; a holdout comes after them. By default all parts.
    fingerprint : str, default=None
        The fingerprint of the labels, if they are not given.

    Attributes
    ----------
    part_of_row : ndarray of int32, shape (n_rows,)
        The number of each row's part.
    names : tuple of str
        The names of the parts.
    shares : ndarray of float64, shape (n_parts,)
        The share of the rows that each part was to have.
    method : str
        The name of the method that made the split.
    origin : Origin
        The method, parameters, random state and version that made the split.

    Examples
    --------
    >>> s = evenfold.split([["a"], ["a", "b"], ["b"], ["a"], ["b"], []], parts=[0.5, 0.5])
    >>> len(s), s.names, s.sizes.tolist()
    (2, ('train', 'test'), [3, 3])
    >>> sorted([*s["train"].tolist(), *s["test"].tolist()])
    [0, 1, 2, 3, 4, 5]
    """

    def __init__(
        self,
        part_of_row: NDArray[np.int32],
        parts: Parts,
        origin: Origin,
        labels: Labels | None = None,
        groups: Groups | None = None,
        balance: Sequence[Balance] = (),
        n_folds: int | None = None,
        fingerprint: str | None = None,
    ) -> None:
        self.part_of_row = part_of_row
        self.part_of_row.flags.writeable = False
        self.names = parts.names
        self.origin = origin
        self._parts = parts
        self._labels = labels
        self._groups = groups
        self._group_of_row = None if groups is None else groups.group_of_row
        self._balance = balance
        # With a holdout, the parts before it are the folds.
        self._n_folds = len(parts) if n_folds is None else n_folds
        if fingerprint is not None:
            self.fingerprint = fingerprint

    @property
    def method(self) -> str:
        """The name of the method that made it."""
        return self.origin.method

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_parts,) rows in each part."""
        return np.bincount(self.part_of_row, minlength=len(self.names))

    @property
    def shares(self) -> NDArray[np.float64]:
        """(n_parts,) the share of the rows that each part was to have."""
        return self._parts.shares

    @functools.cached_property
    def quality(self) -> Quality:
        """How even the split is, and how even it could be."""
        if self._labels is None:
            raise InputError(
                "this split was loaded without its labels, so it cannot be measured. "
                "Load it with them: load_split(path, y)."
            )
        return measure_labels(
            self._labels, self.part_of_row, self._parts, self._group_of_row, self._balance
        )

    @functools.cached_property
    def fingerprint(self) -> str:
        """A short name for the content of the labels; it does not depend on their form."""
        assert self._labels is not None
        return make_fingerprint(self._labels)

    @property
    def _placed(self) -> Placed:
        """The split, as a certificate takes it."""
        return Placed(self.part_of_row, self.names, self._parts, self.fingerprint)

    def certificate(self, ids: Any = None) -> Certificate:
        """Return what was checked of this split: groups, linked pairs, sizes, evenness.

        Groups and pairs are those that the split was made with. `evenfold.check` checks others.

        Parameters
        ----------
        ids : array-like of shape (n_rows,), default=None
            What identifies rows. No id may be in two parts.

        Returns
        -------
        Certificate
            What was checked and found; `passed` tells whether nothing leaks.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"]] * 4, 2, groups={"patient": [1, 1, 2, 2, 3, 3, 4, 4]})
        >>> print(s.certificate())
        Certificate of a split of 8 rows into 2 parts
        ok     patient: 4 values; each value is in one part
        ok     sizes: fold0 4, fold1 4; every part is within one row of its share
        ok     evenness: rLD 0, bound 0 (0.0 % over)
               labels ..., evenfold ..., Python ...
        """
        return certify(
            self._placed,
            (),
            (),
            None if ids is None else read_id_column(ids, len(self.part_of_row)),
            None if self._labels is None else self.quality,
            self._groups,
            list_not_checked(self.origin, self._groups),
        )

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, part: str | int) -> NDArray[np.int64]:
        """Return the row indices of a part, by name or number, sorted."""
        return np.flatnonzero(self.part_of_row == find_part(self.names, part))

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        return (self[number] for number in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Split):
            return NotImplemented
        return self.names == other.names and np.array_equal(self.part_of_row, other.part_of_row)

    __hash__ = None  # type: ignore[assignment]

    def folds(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield (train, test) row indices, with each fold as the test rows once.

        They can be passed to scikit-learn as `cv=`. A holdout is in neither.

        Yields
        ------
        tuple of two ndarrays
            The sorted row indices of the other folds, and of the fold.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"], ["a"], ["b"]], parts=2)
        >>> [(len(train), len(test)) for train, test in s.folds()]
        [(2, 2), (2, 2)]
        """
        in_fold = self.part_of_row < self._n_folds
        for number in range(self._n_folds):
            test = self.part_of_row == number
            yield np.flatnonzero(in_fold & ~test), np.flatnonzero(test)

    def to_frame(self, backend: Backend | None = None) -> Any:
        """Return a frame with the columns `row` and `part` (the part's name), one line per row.

        Parameters
        ----------
        backend : {"pandas", "polars", "pyarrow"}, default=None
            The library of the frame; None takes the first of these that is installed.

        Returns
        -------
        DataFrame or Table
            Of pandas, with the index of `y` if that was a pandas frame or column.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"]], parts=2, method="random")
        >>> s.to_frame("pyarrow").column_names
        ['row', 'part']
        """
        index = None if self._labels is None else self._labels.index
        return make_part_frame(self, index, backend)

    def to_dataset_dict(self, dataset: Any) -> Any:
        """Return the parts of a dataset of Hugging Face. Its rows are not copied.

        Parameters
        ----------
        dataset : Dataset or DatasetDict
            The rows of the split; the splits of a DatasetDict follow each other.

        Returns
        -------
        DatasetDict
            A Dataset for each part, by its name.

        Examples
        --------
        >>> s.to_dataset_dict(dataset).save_to_disk("out")  # doctest: +SKIP
        """
        return make_dataset_dict(self, dataset)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the split as JSON: the part of each row and where the split comes from.

        The labels themselves are not written.

        Parameters
        ----------
        path : str or PathLike
            The file to write; one that exists is replaced.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"], ["a"], ["b"]], parts=2)
        >>> s.save(tmp_path / "split.json")
        >>> evenfold.load_split(tmp_path / "split.json") == s
        True
        """
        # Imported here because that module makes splits of what it reads.
        from .saved_split import save_split

        save_split(self, path)

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        call: str | None = None,
        notes: Sequence[str] = (),
        comparison: Comparison | None = None,
    ) -> None:
        """Write a report by which a person can judge the split; same split, same bytes.

        Parameters
        ----------
        path : str or path
            Where to write; ends in .html (one page that needs no other file), .md or .json.
        title : str, default=None
            The title of the report. None: the number of rows and parts.
        call : str, default=None
            The call or command that made the split, to be shown. None: the Python call.
        notes : sequence of str, default=()
            Sentences to show beside the verdict.
        comparison : Comparison, default=None
            The results of other methods on the same rows, from `evenfold.compare`.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4)
        >>> s.report(tmp_path / "split.html")
        """
        from ..report import write_report

        call = call or self.origin.write_call(self.names)
        write_report(
            path,
            self.quality,
            call,
            origin=self.origin,
            title=title,
            notes=[*self.remarks(), *notes],
            comparison=comparison,
        )

    def remarks(self) -> list[str]:
        """Return what a user should know of the groups, as sentences.

        Returns
        -------
        list of str
            What chained the largest group together, rows without a group, pairs that leak.
        """
        if self._groups is None:
            return self.origin.describe_groups_left_out()
        return describe_groups(self._groups, self.part_of_row)

    def _worst_labels(self) -> Table:
        """Return the labels furthest above their own bound, with their rows in each part."""
        quality = self.quality
        n_over_bound = count_over_bound(quality.per_label)
        worst = rank_labels(quality.per_label)[: min(_N_WORST, n_over_bound)]
        rows = []
        for label, counts in zip(worst, quality.placement.count_labels()[:, worst].T, strict=True):
            record = quality.per_label[label]
            rows.append(
                [
                    shorten(record.label),
                    f"{record.rows:,}",
                    f"{record.rld:.4f}",
                    f"{record.rld_bound:.4f}",
                    shorten(" ".join(map(str, counts)), _COLUMNS_OF_COUNTS),
                ]
            )
        return Table(["least even labels", "rows", "rLD", "bound", "rows in each part"], rows)

    def _title(self) -> str:
        origin, n_rows = self.origin, len(self.part_of_row)
        pieces = [f"{show_count(len(self), 'part')} of {show_count(n_rows, 'row')}"]
        if self._group_of_row is not None:
            pieces[0] += f" in {show_count(self._group_of_row.max() + 1, 'group')}"
        if self._labels is not None:
            pieces.append(show_count(self._labels.n_labels, "label"))
        pieces.append(f"method {self.method}")
        if origin.parameters.get("order", 1) != 1:
            pieces.append(f"order {origin.parameters['order']}")
        if origin.random_state is not None:
            pieces.append(f"seed {origin.random_state}")
        cover = textwrap.fill(origin.describe_cover(), _WIDTH)
        sizes = textwrap.fill(origin.describe_sizes(), _WIDTH)
        lines = [", ".join(pieces), origin.parameters.get("left_out"), cover, sizes]
        lines += [textwrap.fill(remark, _WIDTH) for remark in self.remarks()]
        return "\n".join(line for line in lines if line)

    def __str__(self) -> str:
        if self._labels is None:
            sizes = Table(
                ["part", "rows"],
                [
                    [shorten(name), f"{size:,}"]
                    for name, size in zip(self.names, self.sizes, strict=True)
                ],
            )
            return f"{self._title()}\n\n{sizes.to_text()}"
        worst = self._worst_labels()
        return "\n\n".join(
            [self._title(), str(self.quality), *([worst.to_text()] if worst.rows else [])]
        )

    def __repr__(self) -> str:
        sizes = [f"{name}: {size:,}" for name, size in zip(self.names, self.sizes, strict=True)]
        return f"<Split {show_some(sizes, _MAX_NAMES_SHOWN)}; method {self.method}>"

    def _repr_html_(self) -> str:
        if self._labels is None:
            return f"<pre>{escape(str(self))}</pre>"
        worst = self._worst_labels()
        shown = worst.to_html() if worst.rows else ""
        return f"<p>{escape(self._title())}</p>{self.quality._repr_html_()}{shown}"

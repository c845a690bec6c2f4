"""Split: rows cut into parts, with what is needed to judge the cut and to make it again."""

from __future__ import annotations

import datetime
import functools
from collections.abc import Iterator, Sequence
from html import escape
from os import PathLike
from typing import Any

from .._checks.values import show_some
from .._tables.frames import Backend
from ..links.group_columns import read_id_column
from ..links.remarks import describe_groups
from ..links.sources import read_sources
from .certificate import Certificate, certify, list_not_checked
from .comparison import Comparison
from .part_rows import make_dataset_dict, make_part_frame
from .split_rows import SplitRows
from .split_text import list_worst_labels, make_title, show_split
from .train_test_pairs import (
    Pair,
    check_folds,
    check_n_rows,
    find_train_and_test,
    is_train_test,
    make_folds,
)

_MAX_NAMES_SHOWN = 5


class Split(SplitRows):
    """Rows cut into parts. Made by `evenfold.split`, read by `evenfold.load_split`.

    Two splits are equal if every row is in the same part and the parts have the same names.

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

    def certificate(self, ids: Any = None, copies: Any = None) -> Certificate:
        """Return what was checked of this split: groups, linked pairs, sizes, evenness.

        Groups and pairs are those that the split was made with. `evenfold.check` checks others.

        Parameters
        ----------
        ids : array-like of shape (n_rows,), default=None
            What identifies rows. No id may be in two parts.
        copies : array-like, sparse matrix, frame or list of text, default=None
            The features of the rows, as for `link`. Rows with equal ones may not be in two parts.

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
        n_rows = len(self.part_of_row)
        equal = () if copies is None else read_sources(n_rows=n_rows, copies=copies).columns
        return certify(
            self._placed,
            equal,
            (),
            None if ids is None else read_id_column(ids, n_rows),
            None if self._labels is None else self.quality,
            self._groups,
            list_not_checked(self.origin, self._groups),
        )

    def folds(self) -> Iterator[Pair]:
        """Return (train, test) row indices, with each fold as the test rows once.

        A holdout is in neither. For scikit-learn, pass the split itself as `cv=`.

        Returns
        -------
        iterator of tuple of two ndarrays
            The sorted row indices of the other folds, and of the fold.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"], ["a"], ["b"]], parts=2)
        >>> [(len(train), len(test)) for train, test in s.folds()]
        [(2, 2), (2, 2)]
        """
        check_folds(self.names)
        return make_folds(self.part_of_row, self._n_folds)

    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Pair]:  # noqa: N803 - scikit-learn's name
        """Return (train, test) row indices, so that scikit-learn takes the split as `cv=`.

        Parameters
        ----------
        X : array-like, sparse matrix or frame, default=None
            The features. Only their number of rows is used.
        y : array-like, sparse matrix or frame, default=None
            The labels. Only their number of rows is used.
        groups : object, default=None
            Ignored: the split is made already.

        Returns
        -------
        iterator of tuple of two ndarrays
            The pairs of `folds`. If a part has the name train, the one pair of train and val, or of
            train and test if there is no val.

        Examples
        --------
        >>> from sklearn.model_selection import cross_val_score
        >>> from sklearn.neighbors import KNeighborsClassifier
        >>> import numpy as np
        >>> X, y = np.zeros((40, 1)), np.arange(120).reshape(40, 3) % 7 < 3
        >>> cross_val_score(KNeighborsClassifier(), X, y, cv=evenfold.split(y, 4)).shape
        (4,)
        """
        check_n_rows(X, y, len(self.part_of_row))
        if not is_train_test(self.names):
            return self.folds()
        train, test = find_train_and_test(self.names)
        return iter([(self[train], self[test])])

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:  # noqa: N803 - scikit-learn's name
        """Return how many pairs `split` returns.

        Parameters
        ----------
        X : object, default=None
            Ignored.
        y : object, default=None
            Ignored.
        groups : object, default=None
            Ignored.

        Returns
        -------
        int
            The number of folds, or 1.
        """
        return 1 if is_train_test(self.names) else self._n_folds

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
        certificate: Certificate | None = None,
        date: str | datetime.date | None = None,
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
        certificate : Certificate, default=None
            What was checked for leaks, from `certificate` or `evenfold.check`. None: the groups and
            pairs that the split was made with.
        date : str or date, default=None
            The date to show, such as "2025-03-31"; "today" takes that of the environment variable
            SOURCE_DATE_EPOCH if it is set. None: no date.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, 4)
        >>> s.report(tmp_path / "split.html", date="today")

        A report that counts exact copies of rows in two parts:

        >>> certificate = s.certificate(copies=[f"text {row % 25}" for row in range(40)])
        >>> s.report(tmp_path / "split.md", certificate=certificate)
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
            certificate=certificate or self.certificate(),
            date=date,
        )

    def card(
        self,
        *,
        call: str | None = None,
        certificate: Certificate | None = None,
        date: str | datetime.date | None = None,
    ) -> str:
        """Return a block of Markdown about the split for the page of a dataset.

        It has the sizes, the verdict of the report, evenness beside the bound and random splits,
        method, seed and version, groups, what was checked for leaks, and how to make it again.

        Parameters
        ----------
        call : str, default=None
            The call or command that made the split. None: the Python call.
        certificate : Certificate, default=None
            What was checked for leaks, from `certificate` or `evenfold.check`. None: the groups and
            pairs that the split was made with.
        date : str or date, default=None
            The date to show, such as "2025-03-31" or "today". None: no date.

        Returns
        -------
        str
            The Markdown. It begins with the heading "## Splits".

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"], ["a", "b"], []] * 10, [0.8, 0.2])
        >>> print(s.card())
        ## Splits
        <BLANKLINE>
        | split | rows | share | labels per row | labels it lacks |
        | :-- | --: | --: | --: | --: |
        | train | 32 | 80.0 % | 1 | 0 |
        | test | 8 | 20.0 % | 1 | 0 |
        <BLANKLINE>
        **As even as these rows allow.** Every label is within one row of its share in every part...
        """
        from ..report import make_split_card

        return make_split_card(
            self.quality,
            call or self.origin.write_call(self.names),
            self.origin,
            certificate or self.certificate(),
            date,
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

    def __str__(self) -> str:
        return show_split(self)

    def __repr__(self) -> str:
        sizes = [f"{name}: {size:,}" for name, size in zip(self.names, self.sizes, strict=True)]
        return f"<Split {show_some(sizes, _MAX_NAMES_SHOWN)}; method {self.method}>"

    def _repr_html_(self) -> str:
        if self._labels is None:
            return f"<pre>{escape(show_split(self))}</pre>"
        return self._html

    @functools.cached_property
    def _html(self) -> str:
        """What a notebook shows; it takes a moment, so it is made once."""
        from ..report import show_in_notebook

        left_out = self.origin.parameters.get("left_out")
        notes = [*([str(left_out)] if left_out else []), *self.remarks()]
        tables = [*self.quality.tables(), *list_worst_labels(self)]
        return show_in_notebook(make_title(self), self.quality, self.origin, notes, tables)

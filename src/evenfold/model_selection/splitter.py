"""What all splitters share: the methods that scikit-learn calls."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sklearn.model_selection import BaseCrossValidator

from ..labels.balances import Balance
from ..labels.labels import Labels, make_labels
from .arguments import Indices, check_n_rows


class Rows(NamedTuple):
    """What a splitter keeps even.

    Attributes
    ----------
    labels : Labels
        The labels of the rows.
    balance : sequence of Balance
        What else is kept even; it comes first if there are no labels.
    """

    labels: Labels
    balance: Sequence[Balance] = ()


class Splitter(BaseCrossValidator):
    """A splitter of rows with several labels each."""

    n_splits: int
    # Whether groups stay together; else they are ignored.
    _keeps_groups = False
    # The splitters of the same kind into folds, without and with groups.
    _plain, _grouped = "MultilabelStratifiedKFold", "MultilabelStratifiedGroupKFold"

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many splits there are.

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
            The number of pairs of train and test rows, those of all repeats together.
        """
        return self._count_splits()

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Indices, Indices]]:
        """Split the rows into train and test rows.

        Parameters
        ----------
        X : array-like, sparse matrix or frame
            The features. Only their number of rows is used; they may be None.
        y : array-like, sparse matrix, frame or list of label lists
            The labels, in any form `evenfold.split` takes; for splitters of one target its
            values, as `StratifiedKFold` describes.
        groups : Links, array-like, mapping or frame, default=None
            The groups, as for `evenfold.split`. Splitters with `Group` in their names need them,
            and those with `Shuffle` keep them whole. The others ignore them, with a warning.

        Yields
        ------
        tuple of ndarray
            The train rows and the test rows of each split.
        """
        if groups is not None and not self._keeps_groups:
            # Level 2 is the line that takes the first split from this generator.
            warnings.warn(
                f"{type(self).__name__} ignores 'groups'. Use {self._grouped} to keep them whole.",
                UserWarning,
                stacklevel=2,
            )
            groups = None
        rows = self._read_rows(y)
        check_n_rows(X, rows.labels.n_rows)
        yield from self._make_splits(rows, groups)

    def _count_splits(self) -> int:
        return self.n_splits

    def _read_rows(self, y: Any) -> Rows:
        return Rows(make_labels(y))

    @abstractmethod
    def _make_splits(self, rows: Rows, groups: Any) -> Iterator[tuple[Indices, Indices]]:
        """Yield the train and the test rows of each split."""

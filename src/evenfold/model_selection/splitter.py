"""What all splitters share: the methods that scikit-learn calls."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any

from sklearn.model_selection import BaseCrossValidator

from ..labels.labels import Labels
from .arguments import Indices, check_rows


class Splitter(BaseCrossValidator):
    """A splitter of rows with several labels each."""

    n_splits: int
    # Whether groups stay together; else they are ignored.
    _keeps_groups = False

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
            The labels, in any form `evenfold.split` takes.
        groups : Links, array-like, mapping or frame, default=None
            The groups, as for `evenfold.split`. `MultilabelStratifiedGroupKFold` needs them, and
            `MultilabelStratifiedShuffleSplit` keeps them whole. The others ignore them, with a
            warning.

        Yields
        ------
        tuple of ndarray
            The train rows and the test rows of each split.
        """
        if groups is not None and not self._keeps_groups:
            # Level 2 is the line that takes the first split from this generator.
            warnings.warn(
                f"{type(self).__name__} ignores 'groups'. "
                "Use MultilabelStratifiedGroupKFold to keep them whole.",
                UserWarning,
                stacklevel=2,
            )
            groups = None
        yield from self._make_splits(check_rows(X, y), groups)

    def _count_splits(self) -> int:
        return self.n_splits

    @abstractmethod
    def _make_splits(self, labels: Labels, groups: Any) -> Iterator[tuple[Indices, Indices]]:
        """Yield the train and the test rows of each split."""

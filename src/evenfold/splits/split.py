"""Split: rows cut into parts, with what is needed to judge the cut and to make it again."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Sequence
from html import escape
from os import PathLike
from pathlib import Path
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from .. import __version__
from .._atomic import write_whole
from .._tables.frames import Backend, make_frame
from .._tables.table import Table, shorten
from ..exceptions import InputError
from ..labels.balances import Balance
from ..labels.fingerprints import make_fingerprint
from ..labels.labels import Labels, make_labels
from ..labels.row_values import check_groups
from ..problem.parts import Parts
from ..quality import Quality, measure_labels
from ..quality.deviations import count_over_bound, rank_labels
from .comparison import Comparison
from .origin import Origin

_FORMAT = "evenfold split"
_FORMAT_VERSION = 1
_N_WORST = 5
_COLUMNS_OF_COUNTS = 24


class Split:
    """Rows cut into parts. Made by `evenfold.split`, read by `evenfold.load_split`.

    Two splits are equal if every row is in the same part and the parts have the same names.

    Attributes
    ----------
    part_of_row : (n_rows,) int32, the number of each row's part
    names : the names of the parts
    method : the name of the method that made it
    origin : method, parameters, random_state and version that made it

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
        group_of_row: NDArray[np.int64] | None = None,
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
        self._group_of_row = group_of_row
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

    @functools.cached_property
    def quality(self) -> Quality:
        """How even the split is, beside how even it could be."""
        if self._labels is None:
            raise InputError(
                "this split was loaded without its labels, so it cannot be measured. Load it with them: load_split(path, y)."
            )
        return measure_labels(
            self._labels, self.part_of_row, self._parts, self._group_of_row, self._balance
        )

    @functools.cached_property
    def fingerprint(self) -> str:
        """What the labels are known by, whatever their form; see `evenfold.fingerprints`."""
        assert self._labels is not None
        return make_fingerprint(self._labels)

    def __len__(self) -> int:
        return len(self.names)

    def __getitem__(self, part: str | int) -> NDArray[np.int64]:
        """Return the row indices of a part, by name or number, sorted."""
        if isinstance(part, str):
            if part not in self.names:
                raise KeyError(
                    f"{part!r} is not a part of this split. Parts: {', '.join(self.names[:5])}{', …' if len(self) > 5 else ''}"
                )
            part = self.names.index(part)
        if isinstance(part, bool) or not isinstance(part, int | np.integer):
            raise TypeError(f"a part is asked for by name or number, got {part!r}")
        if not -len(self) <= part < len(self):
            raise IndexError(f"part {part} of a split into {len(self)}")
        return np.flatnonzero(self.part_of_row == part % len(self))

    def __iter__(self) -> Iterator[NDArray[np.int64]]:
        return (self[number] for number in range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Split):
            return NotImplemented
        return self.names == other.names and np.array_equal(self.part_of_row, other.part_of_row)

    __hash__ = None  # type: ignore[assignment]

    def folds(self) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """Yield (train, test) row indices, each fold being the test rows once; fits scikit-learn's `cv=`.

        A holdout is in neither.

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
        >>> evenfold.split([["a"], ["b"]], parts=2, method="random").to_frame("pyarrow").column_names
        ['row', 'part']
        """
        data = {
            "row": np.arange(len(self.part_of_row)),
            "part": np.array(self.names, dtype=object)[self.part_of_row].tolist(),
        }
        frame = make_frame(data, backend)
        index = None if self._labels is None else self._labels.index
        is_pandas = nw.dependencies.is_pandas_dataframe(frame)
        return frame.set_axis(index) if is_pandas and index is not None else frame

    def save(self, path: str | PathLike[str]) -> None:
        """Write the split as JSON: the part of each row and where it comes from. The labels themselves are not written.

        Examples
        --------
        >>> s = evenfold.split([["a"], ["b"], ["a"], ["b"]], parts=2)
        >>> s.save(tmp_path / "split.json")
        >>> evenfold.load_split(tmp_path / "split.json") == s
        True
        """
        record = {
            "format": _FORMAT,
            "format_version": _FORMAT_VERSION,
            "version": self.origin.version,
            "method": self.method,
            "parameters": dict(self.origin.parameters),
            "random_state": self.origin.random_state,
            "fingerprint": self.fingerprint,
            "names": list(self.names),
            "wanted": self._parts.weights.tolist(),
            "n_folds": self._n_folds,
            "part_of_row": self.part_of_row.tolist(),
        }
        write_whole(Path(path), (json.dumps(record, ensure_ascii=False) + "\n").encode())

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
            What other methods make of the same rows, from `evenfold.compare`.

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
            notes=notes,
            comparison=comparison,
        )

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
        grouped = (
            "" if self._group_of_row is None else f" in {self._group_of_row.max() + 1:,} groups"
        )
        labels = "" if self._labels is None else f", {self._labels.n_labels:,} labels"
        order = self.origin.parameters.get("order", 1)
        also = "" if order == 1 else f", order {order}"
        left_out = (
            f"\n{self.origin.parameters['left_out']}"
            if "left_out" in self.origin.parameters
            else ""
        )
        seed = "" if self.origin.random_state is None else f", seed {self.origin.random_state}"
        return f"{len(self)} parts of {len(self.part_of_row):,} rows{grouped}{labels}, method {self.method}{also}{seed}{left_out}"

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
        sizes = ", ".join(
            f"{name}: {size:,}" for name, size in zip(self.names[:5], self.sizes, strict=False)
        )
        return f"<Split {sizes}{', …' if len(self) > 5 else ''}; method {self.method}>"

    def _repr_html_(self) -> str:
        if self._labels is None:
            return f"<pre>{escape(str(self))}</pre>"
        worst = self._worst_labels()
        return f"<p>{escape(self._title())}</p>{self.quality._repr_html_()}{worst.to_html() if worst.rows else ''}"


def load_split(path: str | PathLike[str], y: Any = None, groups: Any = None) -> Split:
    """Read a split that `Split.save` wrote.

    Parameters
    ----------
    path : the file
    y : the labels it was made for, in any form; they are checked against the fingerprint, and let the split be measured and extended
    groups : (n_rows,) the groups it was made with, for bounds that allow for them

    Examples
    --------
    >>> genres = [["a"], ["b"], ["a"], ["b"]]
    >>> evenfold.split(genres, parts=2).save(tmp_path / "split.json")
    >>> evenfold.load_split(tmp_path / "split.json", genres).quality.rld
    0.0
    """
    try:
        record = json.loads(Path(path).read_bytes())
    except ValueError as error:
        raise InputError(
            f"'{path}' must be a split saved by evenfold, got something that is not JSON ({error}). Save the split again."
        ) from None
    part_of_row, parts, origin, n_folds = _read_record(record, path)
    known_by = str(record.get("fingerprint"))
    labels = group_of_row = None
    if y is not None:
        labels = make_labels(y)
        if labels.n_rows != len(part_of_row):
            raise InputError(
                f"must have the {len(part_of_row):,} rows of the split in '{path}', got {labels.n_rows:,}. Pass the data it was made for.",
                parameter="y",
            )
        if make_fingerprint(labels) != known_by:
            raise InputError(
                f"must hold the labels the split in '{path}' was made for, got others. Were rows or labels changed or reordered?",
                parameter="y",
            )
        group_of_row = None if groups is None else check_groups(groups, labels.n_rows)
    return Split(
        part_of_row, parts, origin, labels, group_of_row, n_folds=n_folds, fingerprint=known_by
    )


def _read_record(
    record: Any, path: str | PathLike[str]
) -> tuple[NDArray[np.int32], Parts, Origin, int]:
    if not isinstance(record, dict) or record.get("format") != _FORMAT:
        raise InputError(
            f"'{path}' must be a split saved by evenfold, got other JSON. Write it with Split.save."
        )
    if record.get("format_version") != _FORMAT_VERSION:
        raise InputError(
            f"'{path}' is of format {record.get('format_version')}, this evenfold ({__version__}) reads format {_FORMAT_VERSION}. "
            "Use the version that wrote it."
        )
    try:
        names = tuple(record["names"])
        part_of_row = np.array(record["part_of_row"], dtype=np.int32)
        weights = np.array(record["wanted"], dtype=np.int64)
        origin = Origin(
            record["method"], record["parameters"], record["random_state"], record["version"]
        )
        n_folds = int(record["n_folds"])
        sound = (
            part_of_row.ndim == weights.ndim == 1
            and len(part_of_row) > 0
            and part_of_row.tolist() == record["part_of_row"]
        )
        sound = (
            sound
            and part_of_row.min() >= 0
            and part_of_row.max() < len(names)
            and (weights > 0).all()
        )
        sound = (
            sound
            and 1 < len(weights) == len(names) == len(set(names))
            and 0 < n_folds <= len(names)
        )
        sound = (
            sound
            and isinstance(record["names"], list)
            and all(isinstance(name, str) for name in names)
            and isinstance(origin.parameters, dict)
        )
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise InputError(
            f"'{path}' is damaged: {type(error).__name__} {error}. Save the split again."
        ) from None
    if not sound:
        raise InputError(
            f"'{path}' is damaged: its rows, parts and names do not fit each other. Save the split again."
        )
    return part_of_row, Parts(weights, names), origin, n_folds

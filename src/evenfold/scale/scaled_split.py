"""ScaledSplit: a split of partitioned data, known by its counts."""

from __future__ import annotations

import datetime
import functools
import textwrap
from html import escape
from os import PathLike, fspath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._checks.values import show_some
from .._tables.numbers import show_count, show_measure
from ..links.group_columns import CountedColumn
from ..quality import Quality, measure_counts
from ..quality.records import to_plain
from ..splits.certificate import Certificate, certify_counts
from ..splits.leaks import ValuesCheck
from .locations import join_path
from .manifest import MANIFEST, Manifest, read_manifest, write_manifest

_WIDTH = 80
_MAX_PARTS_SHOWN = 5
_MAX_COLUMNS_SHOWN = 5
# Below this, in percent, an excess is not told from 0 by its digits.
_LEAST_PERCENT = 0.0001
_PAST_MEMORY = "not all labels were held in memory;"
_EXTENDED = "new rows were placed beside old ones, of which only counts are known;"
_TOGETHER = "all labels fit in memory, so they were split together, as by evenfold.split"
_HOW = {
    "stream": "the partitions were placed one after the other, twice",
    "gather": "each partition was placed by quotas, rows with rare labels in one place",
    "gather with groups": "groups were placed by quotas, those with rare labels in one place",
}


class ScaledSplit:
    """Rows of partitioned data cut into parts. Made by `evenfold.scale.split`.

    Two splits are equal if their parts have the same names and their digests are equal: partitions
    of the same sizes, with the rows of each in the same parts. The data is not compared.

    Parameters
    ----------
    manifest : Manifest
        What is known of the split.
    folder : str, default=None
        The folder of its files. None if the split is only a column of a DataFrame.
    frame : DataFrame, default=None
        The Dask or Spark DataFrame with the column of parts, if the split was made of one.

    Attributes
    ----------
    manifest : Manifest
        What is known of the split: all that its _manifest.json says.
    folder : str or None
        The folder of its files.
    frame : DataFrame or None
        The DataFrame with the column of parts.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> pq.write_table(pa.table({"labels": [["a"], ["b"]] * 4}), tmp_path / "rows.parquet")
    >>> rows, out = tmp_path / "rows.parquet", tmp_path / "out"
    >>> s = evenfold.scale.split(rows, 2, labels="labels", output=out)
    >>> s.names, s.sizes.tolist(), s.labels, s.counts.tolist()
    (('fold0', 'fold1'), [4, 4], ['a', 'b'], [[2, 2], [2, 2]])
    """

    def __init__(self, manifest: Manifest, folder: str | None = None, frame: Any = None) -> None:
        self.manifest = manifest
        self.folder = folder
        self.frame = frame

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the parts."""
        return self.manifest.parts.names

    @property
    def shares(self) -> NDArray[np.float64]:
        """(n_parts,) the share of the rows that each part was to have."""
        return self.manifest.parts.shares

    @property
    def sizes(self) -> NDArray[np.int64]:
        """(n_parts,) rows in each part."""
        return self.manifest.sizes

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.manifest.n_rows

    @property
    def labels(self) -> list[Any]:
        """The label names."""
        return list(self.manifest.labels)

    @property
    def counts(self) -> NDArray[np.int64]:
        """(n_parts, n_labels) rows of each label in each part."""
        return self.manifest.counts

    @property
    def scheme(self) -> str:
        """How the split was made: "memory", "stream", "gather" or "gather with groups"."""
        return self.manifest.scheme

    @property
    def seed(self) -> int:
        """The seed."""
        return self.manifest.seed

    @property
    def budget(self) -> int | None:
        """The label entries that could be gathered in one place; None if none were gathered."""
        return self.manifest.budget

    @property
    def notes(self) -> list[str]:
        """What a user should know, such as what was left to chance."""
        return list(self.manifest.notes)

    @property
    def digest(self) -> str:
        """The SHA-256 of the parts of all rows, in the order of the partitions."""
        return self.manifest.digest

    @property
    def files(self) -> list[str]:
        """The files of the output, in the order of the input; none without an output folder."""
        if self.folder is None:
            return []
        return [join_path(self.folder, file.path) for file in self.manifest.files]

    @property
    def path(self) -> str | None:
        """The path of _manifest.json; None without an output folder."""
        return None if self.folder is None else join_path(self.folder, MANIFEST)

    @functools.cached_property
    def quality(self) -> Quality:
        """How even the split is, and how even it could be."""
        own = self.manifest
        of_label, in_part = (None, None) if own.groups is None else own.groups[:2]
        return measure_counts(own.labels, own.counts, own.sizes, own.parts, of_label, in_part)

    @property
    def excess(self) -> float:
        """How far rLD is over its bound: 0 means that no split can be more even."""
        return self.quality.excess

    def certificate(self) -> Certificate:
        """Return what was checked of this split where its rows are.

        Returns
        -------
        Certificate
            Sizes, evenness, whether all groups are whole and whether keys are unique. After
            `extend` the last is not known.
        """
        own, groups = self.manifest, []
        if own.groups is not None:
            n_missing = own.groups.n_missing
            column = CountedColumn(
                str(own.columns.get("groups")), own.groups.n_groups - n_missing, n_missing
            )
            groups.append(ValuesCheck(column, own.groups.n_cut, ""))
        key, ids, not_checked = own.columns.get("key"), None, []
        if key is not None and self._is_extended:
            # The keys of new rows are not compared with those of old rows.
            not_checked.append(f"{key} of earlier rows")
        elif key is not None:
            # A key that is missing or repeats was refused when it was read.
            ids = ValuesCheck(CountedColumn(str(key), own.n_rows), 0, "")
        return certify_counts(self.quality, own.digest, groups, ids, not_checked)

    def save(self, folder: str) -> ScaledSplit:
        """Write _manifest.json, which makes the files in the folder valid.

        Parameters
        ----------
        folder : str
            The folder in which the files are.

        Returns
        -------
        ScaledSplit
            This split, which knows its folder.
        """
        write_manifest(folder, self.manifest, self._evenness(), self.certificate().to_dict())
        return ScaledSplit(self.manifest, folder, self.frame)

    def report(
        self,
        path: str | PathLike[str],
        *,
        title: str | None = None,
        call: str | None = None,
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
        date : str or date, default=None
            The date to show, such as "2025-03-31" or "today". None: no date.

        Examples
        --------
        >>> import pyarrow as pa, pyarrow.parquet as pq
        >>> pq.write_table(pa.table({"labels": [["a"], ["b"]] * 4}), tmp_path / "rows.parquet")
        >>> rows, out = tmp_path / "rows.parquet", tmp_path / "out"
        >>> s = evenfold.scale.split(rows, 2, labels="labels", output=out)
        >>> s.report(tmp_path / "report.html")
        """
        call = call or f"evenfold.scale.load({self.folder!r})"
        self.quality.report(
            path,
            title=title,
            call=call,
            notes=self.remarks(),
            certificate=self.certificate(),
            date=date,
        )

    def remarks(self) -> list[str]:
        """Return how the split was made, its excess and the notes, as sentences.

        Returns
        -------
        list of str
            At least two sentences.
        """
        how = _TOGETHER
        if self.scheme in _HOW:
            how = f"{_EXTENDED if self._is_extended else _PAST_MEMORY} {_HOW[self.scheme]}"
        scheme = f"Scheme {self.scheme}: {how}."
        if self.budget is not None:
            scheme = f"{scheme[:-1]} (at most {self.budget:,} label entries)."
        return [scheme, *self._describe_other_columns(), self.describe_excess(), *self.notes]

    def describe_excess(self) -> str:
        """Return how far rLD is over its bound, as a sentence.

        Returns
        -------
        str
            The sentence; small numbers have two digits, because splits of large data are near the
            bound.
        """
        if not np.isfinite(self.excess):
            return f"rLD is {show_measure(self.quality.rld)}; its bound is 0."
        return f"rLD is {_show_small_percent(self.excess)} over its bound."

    def to_dict(self) -> dict[str, Any]:
        """Return the split as plain data, fit for JSON.

        Returns
        -------
        dict
            Names, sizes, scheme, seed, parameters, digest, excess, quality, notes and files.
        """
        own = self.manifest
        return {
            "names": list(self.names),
            "sizes": self.sizes.tolist(),
            "scheme": self.scheme,
            "budget": self.budget,
            "seed": self.seed,
            "parameters": dict(own.parameters),
            "columns": dict(own.columns),
            "digest": self.digest,
            "excess": to_plain(self.excess),
            "quality": self.quality.to_dict(),
            "notes": self.notes,
            "files": self.files,
            "manifest": self.path,
        }

    @property
    def _is_extended(self) -> bool:
        return bool(self.manifest.kept.get("n_extensions"))

    def _describe_other_columns(self) -> list[str]:
        """Return what else is to know of groups and balanced columns, as sentences."""
        said = []
        if self.scheme == "stream" and self.manifest.groups is not None:
            said.append("The rows of each group were brought together before.")
        balance = self.manifest.columns.get("balance")
        if balance:
            named = show_some(list(balance), _MAX_COLUMNS_SHOWN)
            said.append(
                f"Balanced columns ({named}) were kept even in the search, but are not measured "
                "at scale."
            )
        return said

    def _evenness(self) -> dict[str, Any]:
        quality = self.quality
        return {
            "rld": to_plain(quality.rld),
            "bound": to_plain(quality.bound.rld),
            "excess": to_plain(quality.excess),
        }

    def _title(self) -> str:
        n_rows = show_count(self.n_rows, "row")
        pieces = [f"{show_count(len(self.names), 'part')} of {n_rows}"]
        if self.manifest.groups is not None:
            pieces[0] += f" in {show_count(self.manifest.groups.n_groups, 'group')}"
        pieces.append(show_count(len(self.manifest.labels), "label"))
        pieces.append(f"{int(self.counts.sum()):,} label entries")
        pieces.append(f"{show_count(len(self.manifest.files), 'partition')}, seed {self.seed}")
        return ", ".join(pieces)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ScaledSplit):
            return NotImplemented
        return self.names == other.names and self.digest == other.digest

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.names)

    def __str__(self) -> str:
        lines = [textwrap.fill(line, _WIDTH) for line in [self._title(), *self.remarks()]]
        return "\n".join(lines) + f"\n\n{self.quality}"

    def __repr__(self) -> str:
        sizes = [f"{name}: {size:,}" for name, size in zip(self.names, self.sizes, strict=True)]
        return f"<ScaledSplit {show_some(sizes, _MAX_PARTS_SHOWN)}; scheme {self.scheme}>"

    def _repr_html_(self) -> str:
        lines = "".join(f"<p>{escape(line)}</p>" for line in [self._title(), *self.remarks()])
        return lines + self.quality._repr_html_()


def _show_small_percent(share: float) -> str:
    percent = 100 * share
    if percent >= 10 or percent == 0:
        return f"{percent:,.0f} %"
    return f"{percent:.2g} %" if percent >= _LEAST_PERCENT else f"less than {_LEAST_PERCENT} %"


def load(folder: str | PathLike[str]) -> ScaledSplit:
    """Read a finished split of partitioned data from its manifest.

    Parameters
    ----------
    folder : str or path
        The output folder: a path or a URL.

    Returns
    -------
    ScaledSplit
        The split, which is known by its counts. The data are not read.

    Raises
    ------
    InputError
        If the folder has no manifest, or if that is damaged.

    Examples
    --------
    >>> import pyarrow as pa, pyarrow.parquet as pq
    >>> pq.write_table(pa.table({"labels": [["a"], ["b"]] * 4}), tmp_path / "rows.parquet")
    >>> rows, out = tmp_path / "rows.parquet", tmp_path / "out"
    >>> s = evenfold.scale.split(rows, 2, labels="labels", output=out)
    >>> evenfold.scale.load(out) == s
    True
    """
    return ScaledSplit(read_manifest(fspath(folder)), fspath(folder))
